; What TypeScript and TSX add: written types, type parameters, class headers, parameters, fields.
;
; Inside a type a collection is an array, tuple or object type, an index applies type arguments or
; looks up a member by its name, and `typeof` steps from the name of a value to its type.

; --- names of types
(primary_type/type_identifier) @name
(generic_type name: (type_identifier) @name)
(implements_clause (type_identifier) @name)
(extends_type_clause type: (type_identifier) @name)
(predefined_type) @name
(this_type) @receiver
(nested_type_identifier module: (_) @object name: (_) @member_name) @member
(nested_type_identifier module: (identifier) @name)
(nested_identifier object: (_) @object property: (_) @member_name) @member
(nested_identifier object: (identifier) @name)

; --- composed types
(generic_type name: (_) @object type_arguments: (type_arguments (_) @key)) @index
(lookup_type . (_) @object . (_) @key) @index.member
(literal_type (string) @string_value)
(array_type (_) @element) @collection.array
(tuple_type) @collection.tuple
(tuple_type (type) @element)
(tuple_type (required_parameter type: (type_annotation (_) @element)))
(tuple_type (optional_parameter type: (type_annotation (_) @element)))
(union_type (_) @option) @union_type
(intersection_type (_) @option) @union_type.intersection
(conditional_type consequence: (_) @option alternative: (_) @option) @union_type.conditional
[(readonly_type) (parenthesized_type)] @transparent
(type_query) @transparent.typeof
(type_query (identifier) @name)
(type_query (member_expression object: (identifier) @name))
(type_query (subscript_expression object: (identifier) @name))
(index_type_query (_) @value) @operation.keyof
(function_type return_type: (_) @return_type) @function_type
(constructor_type type: (_) @return_type) @function_type.new
(object_type) @collection.object
(object_type (method_signature) @function_type.method)
(object_type (method_signature name: [
  [(property_identifier) (number)] @pair_name
  (string (string_fragment) @pair_name)]))
(_ (call_signature return_type: (type_annotation (_) @return_type)?) @function_type.call)
(_ (construct_signature type: (type_annotation (_) @return_type)?) @function_type.new)
(index_signature index_type: (_) @key type: (type_annotation (_) @value)) @pair.index
(index_signature (mapped_type_clause name: (type_identifier) @type_parameter type: (_) @bound)
  type: [
    (type_annotation (_) @value)
    (opting_type_annotation (_) @value)
    (adding_type_annotation (_) @value)
    (omitting_type_annotation (_) @value)
  ]) @pair.mapped
(infer_type (type_identifier) @type_parameter)
(type_predicate type: (_) @type)

; --- type parameters and aliases
(type_parameter name: (type_identifier) @type_parameter)
(type_parameter constraint: (constraint (_) @bound))
(type_parameter value: (default_type (_) @default))
(type_alias_declaration name: (type_identifier) @target @name value: (_) @type) @declare.type_alias

; --- written types of values
(variable_declarator type: (type_annotation (_) @type))
(catch_clause type: (type_annotation (_) @type))
(property_signature name: [(property_identifier) (number)] @target @name
  type: (type_annotation (_) @type)?) @declare.field
(property_signature name: (string) @target @name
  type: (type_annotation (_) @type)?) @declare.field
(property_signature name: (computed_property_name (expression) @key))
[
  (function_declaration return_type: (type_annotation (_) @return_type))
  (generator_function_declaration return_type: (type_annotation (_) @return_type))
  (function_signature return_type: (type_annotation (_) @return_type))
  (function_expression return_type: (type_annotation (_) @return_type))
  (generator_function return_type: (type_annotation (_) @return_type))
  (arrow_function return_type: (type_annotation (_) @return_type))
  (method_definition return_type: (type_annotation (_) @return_type))
  (method_signature return_type: (type_annotation (_) @return_type))
  (abstract_method_signature return_type: (type_annotation (_) @return_type))
]
(_ return_type: (type_predicate_annotation) @return_type)
(_ return_type: (asserts_annotation) @return_type)
(as_expression . (_) @value) @cast
(as_expression (_) . (_) @type)
(satisfies_expression . (_) @value . (_) @type) @cast.satisfies
(non_null_expression) @transparent
(instantiation_expression) @transparent
(instantiation_expression (identifier) @name)
(instantiation_expression type_arguments: (type_arguments (_) @type))
(call_expression type_arguments: (type_arguments (_) @type))
(new_expression type_arguments: (type_arguments (_) @type))

; --- headers
(extends_clause value: (_) @inherit !type_arguments)
(extends_clause value: (_) @object type_arguments: (type_arguments (_) @key)) @inherit @index
(implements_clause (type) @implement)
(implements_clause (type_identifier) @implement)
(extends_type_clause type: (_) @inherit)

; --- parameters
(required_parameter [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier)) @parameter.property
(required_parameter pattern: (identifier) @parameter_name) @parameter
(optional_parameter pattern: (identifier) @parameter_name) @parameter
(required_parameter pattern: [(object_pattern) (array_pattern)] @target) @parameter
(optional_parameter pattern: [(object_pattern) (array_pattern)] @target) @parameter
(required_parameter pattern: (rest_pattern (identifier) @parameter_name)) @parameter.rest
(required_parameter pattern: (rest_pattern [(object_pattern) (array_pattern)] @target)) @parameter.rest
(required_parameter pattern: (this)) @parameter.receiver
(formal_parameters (_ type: (type_annotation (_) @type)))
(formal_parameters (_ value: (_) @default))
(formal_parameters (_ decorator: (decorator (_) @decorator)))

; --- fields
(public_field_definition name: [(property_identifier) (private_property_identifier)] @target @name
  value: (_) @value) @assign.field
(public_field_definition name: (string) @target @name value: (_) @value) @assign.field
(public_field_definition name: [(property_identifier) (private_property_identifier)] @target @name
  !value) @declare.field
(public_field_definition name: (string) @target @name !value) @declare.field
(public_field_definition type: (type_annotation (_) @type))
(public_field_definition name: (computed_property_name (expression) @key))
(public_field_definition decorator: (decorator (_) @decorator))
(method_definition name: (computed_property_name (expression) @key))

(enum_body name: (property_identifier) @declare.field @target @name)
(enum_body name: (string) @declare.field @target @name)
(enum_assignment name: (property_identifier) @target @name value: (_) @value) @assign.field
(enum_assignment name: (string) @target @name value: (_) @value) @assign.field

; --- decorators of members stand before them in the class body
(class_body decorator: (decorator (_) @decorator.next))
(abstract_class_declaration decorator: (decorator (_) @decorator))

; --- imports and exports of TypeScript
(import_statement (import_require_clause
  (identifier) @import_star.require @import_alias
  source: (string (string_fragment) @import_module))) @import
(import_alias . (identifier) @target @name . (_) @value) @assign.alias
(import_alias . (identifier) . (identifier) @name)
(import_statement "type" @import_type)
(import_specifier "type" @import_type)
(export_statement "type" @import_type)
(export_specifier "type" @import_type)
(export_statement "=" (expression) @value) @export_default.assign
(export_statement "=" (identifier) @name)
