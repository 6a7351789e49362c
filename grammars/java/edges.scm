; The reduced tree of Java.
;
; Conventions beyond the names of the ops:
; - CALL holds either a CALLEE (a plain name, `this` or `super`) or an OBJECT and a MEMBER_NAME.
;   `Outer.super.m()` has a PARENT between the two.
; - DECLARE holds one TYPE for all its variables: a TARGET for one without a value, an ASSIGN for one
;   with a value. At the top of a class it declares fields, in a block locals. An enum constant is a
;   DECLARE with ARGUMENTs, a pattern a DECLARE; `x instanceof T y` is an ASSIGN "pattern".
; - A COLLECTION "array" is a type with an ELEMENT and DIMENSIONS, or a new array with a TYPE, a KEY
;   for each given length and DIMENSIONS for those left open, or a bare list of ELEMENTs.
; - CHOICE of a switch: VALUE is what it looks at, KEY its labels, OPTION and YIELD its results.
; - DECORATOR holds the annotation's name as CALLEE and its elements as KEYWORDs; it belongs to the
;   DECLARE or PARAMETER around it, else to the definition of the region.
; - SCOPE, ITERATE, CATCH and LAMBDA bind names for themselves.

; Package and imports

(package_declaration (_) @package)

(import_declaration) @import
(import_declaration "static" @import_static)
(import_declaration [(scoped_identifier) (identifier)] @import_module)
(import_declaration (asterisk) @import_star)

; Headers

(superclass (_type) @inherit)
(super_interfaces (type_list (_type) @implement))
(extends_interfaces (type_list (_type) @inherit))
(permits (type_list (_type) @type))
(type_parameter) @type_parameter
(type_bound (_type) @bound)
(method_declaration type: (_) @return_type)
(annotation_type_element_declaration type: (_) @return_type)
(throws) @raise
(throws (_type) @type)

(formal_parameter
  type: (_) @type
  name: (identifier) @parameter_name) @parameter
(spread_parameter
  (_unannotated_type) @type
  (variable_declarator name: (identifier) @parameter_name)) @parameter.rest

; Annotations

[
  (marker_annotation)
  (annotation)
] @decorator
[
  (marker_annotation name: (identifier) @callee @name)
  (annotation name: (identifier) @callee @name)
  (marker_annotation name: (scoped_identifier
    scope: (_) @object
    name: (identifier) @member_name) @callee @member)
  (annotation name: (scoped_identifier
    scope: (_) @object
    name: (identifier) @member_name) @callee @member)
]
(annotation_argument_list (expression) @argument)
(element_value_pair
  key: (identifier) @keyword_name
  value: (_) @value) @keyword
(element_value_array_initializer) @collection.array
(element_value_array_initializer (expression) @element)

; Types

[
  (_unannotated_type/type_identifier)
  (integral_type)
  (floating_point_type)
  (boolean_type)
  (void_type)
] @name
(scoped_type_identifier
  . (_) @object
  (type_identifier) @member_name .) @member
(scoped_type_identifier . (type_identifier) @name)
(generic_type . (_) @object) @index
(generic_type . (type_identifier) @name)
(type_arguments [(_type) (wildcard)] @key)
(wildcard) @transparent
(array_type element: (_) @element) @collection.array
(dimensions) @dimensions
(class_literal (_unannotated_type) @type) @literal.class

; Names and members

(primary_expression/identifier) @name
(field_access
  object: (_) @object) @member
(field_access field: (identifier) @member_name)
(field_access object: (super) @parent)
(this) @receiver
(array_access
  array: (_) @object
  index: (_) @key) @index

; Calls

(method_invocation
  !object
  name: (identifier) @callee @name) @call
(method_invocation
  object: (_) @object
  name: (identifier) @member_name) @call
(method_invocation (super) @parent)
(explicit_constructor_invocation constructor: (_) @callee) @call
(explicit_constructor_invocation constructor: (super) @parent)
(explicit_constructor_invocation object: (_) @object)
(argument_list (expression) @argument)
(object_creation_expression type: (_) @callee) @construct
(object_creation_expression type: (type_identifier) @name)
(object_creation_expression . (primary_expression) @object)
(method_reference
  . (_) @object
  [(identifier) "new"] @member_name .) @reference
(method_reference . (super) @parent)

; Values

(parenthesized_expression) @transparent
(cast_expression
  type: (_) @type
  value: (_) @value) @cast
(ternary_expression
  consequence: (_) @option
  alternative: (_) @option) @choice
(binary_expression operator: ["+" "-" "*" "/" "%" "&" "|" "^" "<<" ">>" ">>>"]) @operation.arithmetic
(binary_expression operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"]) @operation.test
(unary_expression operator: ["+" "-" "~"]) @operation.arithmetic
(unary_expression operator: "!") @operation.test
(instanceof_expression
  !name
  right: (_) @type) @operation.test
(array_creation_expression type: (_) @type) @collection.array
(array_creation_expression type: (type_identifier) @name)
(dimensions_expr (expression) @key)
(array_initializer) @collection.array
(array_initializer [(expression) (array_initializer)] @element)
(string_literal) @literal.string
(character_literal) @literal.char
[
  (decimal_integer_literal)
  (hex_integer_literal)
  (octal_integer_literal)
  (binary_integer_literal)
  (decimal_floating_point_literal)
  (hex_floating_point_literal)
] @literal
[(true) (false)] @literal.boolean
(null_literal) @literal.none

(lambda_expression body: (expression) @result) @lambda
(lambda_expression body: (block)) @lambda
(lambda_expression parameters: (identifier) @parameter @parameter_name)
(inferred_parameters (identifier) @parameter @parameter_name)

(switch_expression condition: (_) @value) @choice
(switch_label (expression) @key)
(switch_rule (expression_statement (expression) @option)) @scope
(switch_rule [(block) (throw_statement)]) @scope
(switch_block_statement_group) @scope

; Bindings

(local_variable_declaration type: (_) @type) @declare
(field_declaration type: (_) @type) @declare
(constant_declaration type: (_) @type) @declare
(variable_declarator
  name: (identifier) @target @name
  value: (_) @value) @assign
(_ declarator: (variable_declarator
  name: (identifier) @target @name
  !value))
(enum_constant name: (identifier) @target @name) @declare
(assignment_expression
  left: (_) @target
  operator: "="
  right: (_) @value) @assign
(assignment_expression
  left: (_) @target
  operator: ["+=" "-=" "*=" "/=" "&=" "|=" "^=" "%=" "<<=" ">>=" ">>>="]
  right: (_) @value) @augment
(assignment_expression left: (identifier) @name)
(update_expression (_) @target) @augment
(instanceof_expression
  left: (_) @value
  right: (_) @type
  name: (identifier) @target @name) @assign.pattern
(type_pattern
  (_unannotated_type) @type
  (identifier) @target @name) @declare
(record_pattern_component
  (_unannotated_type) @type
  (identifier) @target @name) @declare
(record_pattern . (identifier) @type @name)
(enhanced_for_statement
  type: (_) @type
  name: (identifier) @target @name
  value: (_) @value) @iterate
(resource
  type: (_) @type
  name: (identifier) @target @name
  value: (_) @value) @enter
(resource . (identifier) @name .)
(catch_formal_parameter name: (identifier) @target @name)
(catch_type [(_unannotated_type) (_type)] @type)
(catch_clause) @catch

; Statements

(return_statement (expression) @value) @return
(yield_statement (expression) @value) @yield
(throw_statement (expression) @value) @raise
[
  (block)
  (constructor_body)
  (for_statement)
  (try_with_resources_statement)
] @scope
