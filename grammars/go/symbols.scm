; Definitions of Go.

(function_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @owner
        (generic_type type: (type_identifier) @owner)
        (pointer_type (type_identifier) @owner)
        (pointer_type (generic_type type: (type_identifier) @owner))
        (parenthesized_type (type_identifier) @owner)
        (parenthesized_type (pointer_type (type_identifier) @owner))
        (parenthesized_type (pointer_type (generic_type type: (type_identifier) @owner)))
        (pointer_type (parenthesized_type (type_identifier) @owner))
      ]))
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct

(type_spec
  name: (type_identifier) @name
  type: (interface_type) @body) @definition.interface

(source_file
  (type_declaration
    (type_spec
      name: (type_identifier) @name
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
      ] @type) @definition.type_alias))

(source_file
  (type_declaration
    (type_alias
      name: (type_identifier) @name
      type: (_) @type) @definition.type_alias))

(method_elem name: (field_identifier) @name) @definition.method

(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        name: (field_identifier) @name
        type: (_) @type) @definition.field)))

(source_file
  (const_declaration
    (const_spec
      (identifier) @name) @definition.constant)
  (#not-eq? @name "_"))

(source_file
  (var_declaration
    (var_spec
      name: (identifier) @name) @definition.variable)
  (#not-eq? @name "_"))

(source_file
  (var_declaration
    (var_spec_list
      (var_spec
        name: (identifier) @name) @definition.variable))
  (#not-eq? @name "_"))
