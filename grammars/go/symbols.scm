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

; What stands before the only type of a declaration belongs to it.
(type_declaration
  "type" .
  (type_spec type: (struct_type)) @definition.struct .) @outer

(type_declaration
  "type" .
  (type_spec type: (interface_type)) @definition.interface .) @outer

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
  ] @type) @definition.type_alias

(type_alias
  name: (type_identifier) @name
  type: (_) @type) @definition.type_alias

(method_elem name: (field_identifier) @name) @definition.method

(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        name: (field_identifier) @name @definition.field
        type: (_) @type) @outer)))

(const_spec
  (identifier) @name @definition.constant
  (#not-eq? @name "_")) @outer

(var_spec
  name: (identifier) @name @definition.variable
  (#not-eq? @name "_")) @outer

; Fields of structs that have no name of their own belong to what is of their type.
(field_declaration
  name: (field_identifier) @owner
  type: [
    (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))
    (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (slice_type element: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (slice_type element: (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))))
    (array_type element: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (map_type value: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (map_type value: (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))))
  ])

(type_spec
  name: (type_identifier) @owner
  type: [
    (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (slice_type element: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (slice_type element: (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))))
    (array_type element: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (map_type value: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (map_type value: (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))))
  ])

(var_spec
  name: (identifier) @owner
  type: [
    (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))
    (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (slice_type element: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (slice_type element: (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))))
    (array_type element: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (map_type value: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer)))
    (map_type value: (pointer_type (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name @definition.field) @outer))))
  ])
