; Shared by JavaScript, TypeScript and TSX: what a program reads, calls, assigns and imports.
;
; A bare name directly inside an object literal or an object pattern is its own key and value
; (`{ a }`). A name that is part of a definition's header is no use of it and is not captured.

; --- names and literals
(primary_expression/identifier) @name
(this) @receiver
(super) @parent
(import) @name
(primary_expression/string) @string_value
(primary_expression/template_string) @literal.template
(primary_expression/number) @literal.number
(primary_expression/regex) @literal.regex
[(true) (false)] @literal.boolean
(null) @literal.none
(undefined) @literal.none

; --- members, calls, operators
(member_expression object: (_) @object property: (_) @member_name) @member
(subscript_expression object: (_) @object index: (_) @key) @index
(call_expression function: (_) @callee) @call
(new_expression constructor: (_) @callee) @construct
(arguments (expression) @argument)
(arguments (spread_element (expression) @spread))
(primary_expression/parenthesized_expression) @transparent
(await_expression) @await
(ternary_expression consequence: (_) @option alternative: (_) @option) @choice
(binary_expression left: (_) @option operator: ["||" "&&" "??"] right: (_) @option) @choice
(sequence_expression (_) @option .) @choice
(unary_expression operator: "delete" argument: (_) @target) @delete
(yield_expression (expression)? @value) @yield
(yield_expression "*" (expression) @value) @yield_from

; --- literals with parts
(array) @collection.array
(array (expression) @element)
(array (spread_element (expression) @spread))
(object) @collection.object
(object (spread_element (expression) @spread))
(shorthand_property_identifier) @name
(pair value: (_) @value) @pair
(pair key: [(property_identifier) (private_property_identifier) (number)] @pair_name)
(pair key: (string (string_fragment) @pair_name))
(pair key: (computed_property_name (expression) @key))
(object (method_definition) @pair @lambda)
(object (method_definition
  name: [
    [(property_identifier) (private_property_identifier) (number)] @pair_name
    (string (string_fragment) @pair_name)
    (computed_property_name (expression) @key)
  ]))

; --- anonymous functions
[(arrow_function) (function_expression) (generator_function)] @lambda
(arrow_function parameter: (identifier) @parameter @parameter_name)
(arrow_function body: (expression) @result)

; --- patterns
(object_pattern) @collection.object
(object_pattern (shorthand_property_identifier_pattern) @name)
(object_pattern (object_assignment_pattern left: (_) @name right: (_) @default))
(object_pattern (rest_pattern (identifier) @spread @name))
(pair_pattern key: [(property_identifier) (private_property_identifier) (number)] @pair_name) @pair
(pair_pattern key: (string (string_fragment) @pair_name)) @pair
(pair_pattern key: (computed_property_name (expression) @key)) @pair
(pair_pattern value: (identifier) @value @name)
(pair_pattern value: [(object_pattern) (array_pattern) (member_expression) (subscript_expression)] @value)
(pair_pattern value: (assignment_pattern left: (_) @value right: (_) @default))
(pair_pattern value: (assignment_pattern left: (identifier) @name))
(array_pattern) @collection.array
(array_pattern (identifier) @element @name)
(array_pattern [(object_pattern) (array_pattern) (member_expression) (subscript_expression)] @element)
(array_pattern (assignment_pattern left: (_) @element right: (_) @default))
(array_pattern (assignment_pattern left: (identifier) @name))
(array_pattern (rest_pattern (identifier) @spread @name))

; --- assignments and declarations
(lexical_declaration kind: "const"
  (variable_declarator name: (_) @target value: (_) @value) @assign.const)
(lexical_declaration kind: "const" (variable_declarator name: (_) @target !value) @declare.const)
(lexical_declaration kind: "let"
  (variable_declarator name: (_) @target value: (_) @value) @assign.let)
(lexical_declaration kind: "let" (variable_declarator name: (_) @target !value) @declare.let)
(variable_declaration (variable_declarator name: (_) @target value: (_) @value) @assign.var)
(variable_declaration (variable_declarator name: (_) @target !value) @declare.var)
(variable_declarator name: (identifier) @name)
(assignment_expression left: (_) @target right: (_) @value) @assign.set
(assignment_expression left: (identifier) @name)
(augmented_assignment_expression left: (_) @target right: (_) @value) @augment.set
(augmented_assignment_expression left: (identifier) @name)
(update_expression argument: (_) @target) @augment.set

; --- statements
(for_in_statement left: (_) @target operator: "of" right: (_) @value) @iterate
(for_in_statement left: (_) @target operator: "in" right: (_) @value) @iterate.key
(for_in_statement left: (identifier) @name)
(catch_clause parameter: (_) @target) @catch
(catch_clause parameter: (identifier) @name)
(return_statement [(expression) (sequence_expression)]? @value) @return
(throw_statement (_) @value) @raise
(if_statement consequence: (statement_block) @scope)
(else_clause (statement_block) @scope)
(for_statement) @scope
(for_in_statement body: (statement_block) @scope)
(while_statement body: (statement_block) @scope)
(do_statement body: (statement_block) @scope)
(try_statement body: (statement_block) @scope)
(finally_clause body: (statement_block) @scope)
(switch_body) @scope
(program (statement_block) @scope)
(statement_block (statement_block) @scope)
(class_static_block body: (statement_block) @scope)

; --- decorators: of the definition they stand in, or of the member that follows them
(class_declaration decorator: (decorator (_) @decorator))
(class decorator: (decorator (_) @decorator))
(export_statement decorator: (decorator (_) @decorator))
(decorator (identifier) @name)
(decorator (call_expression function: (identifier) @name))
(decorator (member_expression object: (identifier) @name))
(decorator (call_expression function: (member_expression object: (identifier) @name)))

; --- imports
(import_statement source: (string (string_fragment) @import_module)) @import
(import_clause (identifier) @import_default)
(namespace_import (identifier) @import_alias) @import_star
(import_specifier name: (identifier) @import_name) @import_item
(import_specifier name: (string (string_fragment) @import_name)) @import_item
(import_specifier alias: (identifier) @import_alias)

; --- exports
; An exported declaration stands inside its EXPORT.
(export_statement) @export
(export_statement source: (string (string_fragment) @import_module))
(export_statement "*" @export_star)
(namespace_export [(identifier) @export_alias (string (string_fragment) @export_alias)]) @export_star
(export_specifier name: [(identifier) @export_name (string (string_fragment) @export_name)]) @export_item
(export_specifier alias: [(identifier) @export_alias (string (string_fragment) @export_alias)])
(export_statement "default") @export_default
(export_statement value: (expression) @value)
