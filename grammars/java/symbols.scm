; Definitions of Java.

(class_declaration
  name: (identifier) @name
  body: (class_body) @body) @definition.class

(record_declaration
  name: (identifier) @name
  body: (class_body) @body) @definition.class

(interface_declaration
  name: (identifier) @name
  body: (interface_body) @body) @definition.interface

(annotation_type_declaration
  name: (identifier) @name
  body: (annotation_type_body) @body) @definition.interface

(enum_declaration
  name: (identifier) @name
  body: (enum_body) @body) @definition.enum

; The body of an anonymous class is a class of its own; what is written before it (its base and the
; arguments of the constructor) belongs to whoever makes it.
(object_creation_expression
  (class_body) @definition.class @anonymous @body)

(enum_constant
  body: (class_body) @definition.class @anonymous @body)

(method_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.method

(annotation_type_element_declaration
  name: (identifier) @name) @definition.method

(constructor_declaration
  name: (identifier) @name
  body: (constructor_body) @body) @definition.constructor

(compact_constructor_declaration
  name: (identifier) @name
  body: (block) @body) @definition.constructor

(field_declaration
  type: (_) @type
  declarator: (variable_declarator
    name: (identifier) @name) @definition.field) @outer

(constant_declaration
  type: (_) @type
  declarator: (variable_declarator
    name: (identifier) @name) @definition.constant) @outer

(enum_constant
  name: (identifier) @name) @definition.enum_member

(record_declaration
  parameters: (formal_parameters
    (formal_parameter
      type: (_) @type
      name: (identifier) @name) @definition.field))

; Modifiers

(class_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "abstract"
      "static"
      "final"
      "strictfp"
      "sealed"
      "non-sealed"
    ] @modifier)) @definition.class

(record_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "abstract"
      "static"
      "final"
      "strictfp"
      "sealed"
      "non-sealed"
    ] @modifier)) @definition.class

(interface_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "abstract"
      "static"
      "strictfp"
      "sealed"
      "non-sealed"
    ] @modifier)) @definition.interface

(annotation_type_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "abstract"
      "static"
      "strictfp"
      "sealed"
      "non-sealed"
    ] @modifier)) @definition.interface

(enum_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "static"
      "strictfp"
    ] @modifier)) @definition.enum

(method_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "abstract"
      "static"
      "final"
      "strictfp"
      "default"
      "synchronized"
      "native"
    ] @modifier)) @definition.method

(constructor_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
    ] @modifier)) @definition.constructor

(compact_constructor_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
    ] @modifier)) @definition.constructor

(field_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "static"
      "final"
      "transient"
      "volatile"
    ] @modifier)
  declarator: (variable_declarator) @definition.field)

(constant_declaration
  (modifiers
    [
      "public"
      "protected"
      "private"
      "static"
      "final"
      "transient"
      "volatile"
    ] @modifier)
  declarator: (variable_declarator) @definition.constant)
