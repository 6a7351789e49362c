; The reduced tree of Go.
;
; Conventions beyond the names of the ops:
; - RETURN_TYPE over several results, or over named ones, holds PARAMETERs.
; - A PARAMETER without a PARAMETER_NAME stands for one unnamed parameter, one with several
;   PARAMETER_NAMEs for as many of the same type.
; - A DECLARE "constant" without a VALUE repeats type and value of the one before it.
; - DECLARE "type" is a defined type that is no region, "type_alias" an alias.
; - ASSIGN and DECLARE hold several TARGETs and VALUEs, in order. ASSIGN with the text "declare" is `:=`.
; - CONSTRUCT is a composite literal: its CALLEE is a type, its elements stand in a COLLECTION "literal";
;   a COLLECTION "literal" without a CONSTRUCT around it is of the element type of the one around.
; - COLLECTION "struct" and "interface" are written types: DECLAREs are their fields, INHERIT what they
;   embed. At the top of a region they are the body of its type.
; - SCOPE "type_switch" has a TARGET and a VALUE; in its SCOPEs "type_case" the TARGET has their TYPE.
; - A conversion `T(x)` is a CALL whose callee turns out to be a type.

; Package and imports

(package_clause (package_identifier) @package)
(import_spec) @import
(import_spec name: (package_identifier) @import_alias)
(import_spec name: (blank_identifier) @import_alias)
(import_spec name: (dot) @import_star)
(import_spec path: (interpreted_string_literal (interpreted_string_literal_content) @import_module))
(import_spec path: (raw_string_literal (raw_string_literal_content) @import_module))

; Headers

(_ parameters: (parameter_list (parameter_declaration) @parameter))
(_ result: (parameter_list (parameter_declaration) @parameter))
(method_declaration receiver: (parameter_list (parameter_declaration) @parameter.receiver))
(variadic_parameter_declaration) @parameter.rest
(parameter_declaration name: (identifier) @parameter_name)
(parameter_declaration type: (_) @type)
(variadic_parameter_declaration name: (identifier) @parameter_name)
(variadic_parameter_declaration type: (_) @type)
(_ result: (_) @return_type)
(type_parameter_declaration name: (identifier) @type_parameter)
(type_constraint (_) @bound)

; Types

(_simple_type/type_identifier) @name
(qualified_type
  package: (package_identifier) @object @name
  name: (type_identifier) @member_name) @member
(generic_type type: (_) @object) @index
(generic_type type: (type_identifier) @name)
(type_arguments (type_elem (_) @key))
(pointer_type) @pointer
(slice_type element: (_) @element) @collection.list
(array_type element: (_) @element) @collection.list
(implicit_length_array_type element: (_) @element) @collection.list
(channel_type value: (_) @element) @collection.channel
(map_type
  key: (_) @key
  value: (_) @element) @collection.dict
(function_type) @function_type
(parenthesized_type) @transparent
(struct_type) @collection.struct
(interface_type) @collection.interface
(field_declaration
  name: (field_identifier) @target @name
  type: (_) @type) @declare
(field_declaration
  !name
  type: (_) @inherit)
(field_declaration
  !name
  type: (type_identifier) @name)
(interface_type (type_elem (_) @inherit))

; Type declarations that are no regions: their TYPE is what they stand on

(type_declaration
  (type_spec
    name: (type_identifier) @target @name
    type: [
      (type_identifier)
      (generic_type)
      (qualified_type)
      (pointer_type)
      (array_type)
      (slice_type)
      (map_type)
      (channel_type)
      (function_type)
      (parenthesized_type)
    ] @type) @declare.type)
(type_alias
  name: (type_identifier) @target @name
  type: (_) @type) @declare.type_alias

; Names and members

(_expression/identifier) @name
(selector_expression
  operand: (_) @object
  field: (field_identifier) @member_name) @member
(index_expression
  operand: (_) @object
  index: (_) @key) @index
(type_instantiation_expression
  type: (_) @object) @index
(slice_expression operand: (_) @object) @slice

; Calls

(call_expression function: (_) @callee) @call
(call_expression function: (identifier) @name)
(argument_list (_expression) @argument)
(argument_list (_simple_type) @argument)
(variadic_argument (_) @spread)
(type_conversion_expression
  type: (_) @callee
  operand: (_) @argument) @call
(composite_literal type: (_) @callee) @construct
(composite_literal type: (type_identifier) @name)
(literal_value) @collection.literal
(literal_value (literal_element (_) @element))
(keyed_element
  key: (literal_element (_) @key)
  value: (literal_element (_) @value)) @pair

; Values

(parenthesized_expression) @transparent
(type_assertion_expression
  operand: (_) @value
  type: (_) @type) @cast
(unary_expression operator: "&") @pointer.address
(unary_expression operator: "*") @pointer
(unary_expression operator: "<-") @operation.receive
(unary_expression operator: ["!" "-" "+" "^"]) @operation
(binary_expression) @operation
(func_literal) @lambda

; Bindings

(var_spec) @declare
(var_spec name: (identifier) @target @name)
(var_spec type: (_) @type)
(var_spec value: (expression_list (_) @value))
(const_spec) @declare.constant
(const_spec (identifier) @target @name)
(const_spec type: (_) @type)
(const_spec value: (expression_list (_) @value))
(short_var_declaration) @assign.declare
(short_var_declaration left: (expression_list (_) @target))
(short_var_declaration right: (expression_list (_) @value))
(assignment_statement operator: "=") @assign
(assignment_statement operator: ["+=" "-=" "*=" "/=" "%=" "<<=" ">>=" "&=" "&^=" "|=" "^="]) @augment
(assignment_statement left: (expression_list (_) @target))
(assignment_statement right: (expression_list (_) @value))
(inc_statement (_) @target) @augment
(dec_statement (_) @target) @augment
(receive_statement ":=") @assign.declare
(receive_statement "=") @assign
(receive_statement left: (expression_list (_) @target))
(receive_statement right: (_) @value)
(range_clause ":=") @iterate.declare
(range_clause "=") @iterate
(range_clause left: (expression_list (_) @target))
(range_clause right: (_) @value)
(type_switch_statement) @scope.type_switch
(type_switch_statement alias: (expression_list (_) @target))
(type_switch_statement value: (_) @value)
(type_case) @scope.type_case
(type_case [(_simple_type) (parenthesized_type)] @type)

; Statements

(return_statement (expression_list (_) @value)) @return
[
  (block)
  (if_statement)
  (for_statement)
  (expression_switch_statement)
  (expression_case)
  (default_case)
  (communication_case)
] @scope
