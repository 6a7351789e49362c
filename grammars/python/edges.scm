; The reduced tree of Python.
;
; Conventions beyond the names of the ops:
; - Bodies of `for`, `with` and `except` nest inside their ITERATE, ENTER and CATCH.
; - SPREAD "keywords" is `**mapping`; in a pattern SPREAD is the starred name.
; - `type X = ...` is a DECLARE "type_alias"; `a | b` is a UNION_TYPE wherever it stands.
; - A pattern of `match` that binds a name is a DECLARE; a class pattern reads its class.

(identifier) @name

; Members, calls, subscripts

(attribute object: (_) @object attribute: (identifier) @member_name) @member
(call function: (_) @callee) @call
(call arguments: (argument_list (expression) @argument))
(call arguments: (generator_expression) @argument)
(call arguments: (argument_list (list_splat (_) @spread)))
(call arguments: (argument_list (dictionary_splat (_) @spread.keywords)))
(keyword_argument name: (identifier) @keyword_name value: (_) @value) @keyword
(subscript value: (_) @object subscript: (_) @key) @index

; Names and values of definitions' headers

(class_definition superclasses: (argument_list (expression) @inherit))
(decorator (expression) @decorator)
(function_definition return_type: (type) @return_type)

; Parameters

(parameters (identifier) @parameter @parameter_name)
(parameters (tuple_pattern) @parameter @target)
(lambda_parameters (identifier) @parameter @parameter_name)
(default_parameter name: (_) @parameter_name value: (_) @default) @parameter
(typed_parameter . (identifier) @parameter_name type: (type) @type) @parameter
(typed_default_parameter
  name: (_) @parameter_name
  type: (type) @type
  value: (_) @default) @parameter
(parameters (list_splat_pattern (identifier) @parameter_name) @parameter.rest)
(parameters (dictionary_splat_pattern (identifier) @parameter_name) @parameter.keywords)
(lambda_parameters (list_splat_pattern (identifier) @parameter_name) @parameter.rest)
(lambda_parameters (dictionary_splat_pattern (identifier) @parameter_name) @parameter.keywords)
(typed_parameter
  . (list_splat_pattern (identifier) @parameter_name)
  type: (type) @type) @parameter.rest
(typed_parameter
  . (dictionary_splat_pattern (identifier) @parameter_name)
  type: (type) @type) @parameter.keywords
(keyword_separator) @parameter.separator

; Types

(type (string) @string_type)
(typed_parameter type: (type (generic_type . (identifier) @object) @index))
(typed_default_parameter type: (type (generic_type . (identifier) @object) @index))
(assignment type: (type (generic_type . (identifier) @object) @index))
(function_definition return_type: (type (generic_type . (identifier) @object) @index))
(type_alias_statement right: (type (generic_type . (identifier) @object) @index))
(type_parameter (type (generic_type . (identifier) @object) @index))
(constrained_type (type (generic_type . (identifier) @object) @index))
(union_type (type (generic_type . (identifier) @object) @index))
(member_type (type (generic_type . (identifier) @object) @index))
(generic_type (type_parameter (type) @key))
(member_type) @member
(member_type (type) @object (identifier) @member_name)
(union_type (type) @option) @union_type
(binary_operator left: (_) @option operator: "|" right: (_) @option) @union_type
(function_definition type_parameters: (type_parameter (type (identifier)) @type_parameter))
(function_definition type_parameters: (type_parameter (type (splat_type (identifier) @type_parameter))))
(function_definition type_parameters: (type_parameter
  (type (constrained_type . (type) . (type) @bound)) @type_parameter))
(class_definition type_parameters: (type_parameter (type (identifier)) @type_parameter))
(class_definition type_parameters: (type_parameter (type (splat_type (identifier) @type_parameter))))
(class_definition type_parameters: (type_parameter
  (type (constrained_type . (type) . (type) @bound)) @type_parameter))
(type_alias_statement
  left: (type (identifier) @target)
  right: (type) @type) @declare.type_alias
(type_alias_statement
  left: (type (generic_type
    . (identifier) @target
    (type_parameter (type) @type_parameter)))
  right: (type) @type) @declare.type_alias

; Values

(list) @collection.list
(list (list_splat (_) @spread))
(tuple) @collection.tuple
(tuple (list_splat (_) @spread))
(expression_list) @collection.tuple
(expression_list (list_splat (_) @spread))
(set) @collection.set
(set (list_splat (_) @spread))
(list (expression) @element)
(tuple (expression) @element)
(expression_list (expression) @element)
(set (expression) @element)
(dictionary) @collection.dict
(dictionary (dictionary_splat (_) @spread.keywords))
(pair key: (expression) @key value: (_) @value) @pair
(pair key: (string) @pair_name)
(pair key: (integer) @pair_name)
(list_comprehension body: (_) @element) @comprehension.list
(set_comprehension body: (_) @element) @comprehension.set
(generator_expression body: (_) @element) @comprehension.generator
(dictionary_comprehension body: (pair)) @comprehension.dict
(for_in_clause left: (_) @target right: (_) @value) @iterate
(string) @string_value
(concatenated_string) @literal.string
(subscript subscript: (integer) @string_value)
(integer) @literal.number
(float) @literal.number
(true) @literal.boolean
(false) @literal.boolean
(none) @literal.none
(ellipsis) @literal.none
(lambda body: (_) @result) @lambda
(conditional_expression . (_) @option "if" (_) "else" (_) @option) @choice
(boolean_operator left: (_) @option right: (_) @option) @choice
(parenthesized_expression) @transparent
(await) @await
(yield (_) @value) @yield
(yield "from" (_) @value) @yield_from

; Bindings

(assignment left: (_) @target right: (_) @value) @assign
(assignment left: (_) @target !right) @declare
(assignment type: (type) @type)
(named_expression name: (_) @target value: (_) @value) @assign
(augmented_assignment left: (_) @target right: (_) @value) @augment
(pattern_list) @collection.tuple
(pattern_list (pattern) @element)
(tuple_pattern) @collection.tuple
(tuple_pattern (pattern) @element)
(list_pattern) @collection.list
(list_pattern (pattern) @element)
(pattern_list (list_splat_pattern (_) @spread))
(tuple_pattern (list_splat_pattern (_) @spread))
(list_pattern (list_splat_pattern (_) @spread))
(for_statement left: (_) @target right: (_) @value) @iterate
(with_item value: (as_pattern
  . (_) @value
  alias: (as_pattern_target (_) @target))) @enter
(with_item value: (parenthesized_expression (as_pattern
  . (_) @value
  alias: (as_pattern_target (_) @target)) @enter))
(with_item value: (primary_expression) @value) @enter
(with_item value: (conditional_expression) @value) @enter
(except_clause value: (as_pattern . (_) @type alias: (as_pattern_target (_) @target))) @catch
(except_clause value: (primary_expression) @type) @catch
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @nonlocal)
(delete_statement (_) @target) @delete

; Patterns of match

(case_pattern (dotted_name . (identifier) @target .) @declare)
(keyword_pattern (dotted_name . (identifier) @target .) @declare)
(keyword_pattern . (identifier) @keyword_name)
(case_pattern (as_pattern (_) (identifier) @target) @declare)
(splat_pattern (identifier) @target) @declare
(dotted_name . (identifier) @object . (identifier) @member_name .) @member

; Leaving

(return_statement (_) @value) @return
(raise_statement . (_) @value) @raise
(raise_statement cause: (_) @operation)

; Imports

(import_statement name: (dotted_name) @import_module) @import
(import_statement name: (aliased_import
  name: (dotted_name) @import_module
  alias: (identifier) @import_alias)) @import
(import_from_statement module_name: (_) @import_module) @import
(import_from_statement name: (dotted_name) @import_item @import_name)
(import_from_statement name: (aliased_import
  name: (dotted_name) @import_name
  alias: (identifier) @import_alias) @import_item)
(import_from_statement (wildcard_import) @import_star)
(future_import_statement name: (dotted_name)) @import
