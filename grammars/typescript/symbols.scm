; Definitions that TypeScript and TSX add.

; --- classes
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(abstract_class_declaration "abstract" @modifier) @definition.class
(export_statement declaration: (abstract_class_declaration) @definition.class) @outer

(class_body (method_definition
  name: [
    [(property_identifier) (private_property_identifier) (number)] @name
    (string) @name
    (computed_property_name [(identifier) @name (member_expression property: (_) @name)])
  ]
  body: (_) @body) @definition.function)
(class_body (method_definition [
  "static" "async" "get" "set" "readonly" (accessibility_modifier) (override_modifier)
] @modifier) @definition.function)
(class_body (method_signature name: [
    [(property_identifier) (private_property_identifier) (number)] @name
    (string) @name
    (computed_property_name [(identifier) @name (member_expression property: (_) @name)])
  ]) @definition.function)
(class_body (method_signature [
  "static" "async" (accessibility_modifier) (override_modifier)
] @modifier) @definition.function)
(class_body (abstract_method_signature name: [
    [(property_identifier) (private_property_identifier) (number)] @name
    (string) @name
    (computed_property_name [(identifier) @name (member_expression property: (_) @name)])
  ]) @definition.function)
(class_body (abstract_method_signature [
  "abstract" (accessibility_modifier) (override_modifier)
] @modifier) @definition.function)

(public_field_definition
  name: [
    [(property_identifier) (private_property_identifier) (number)] @name
    (string) @name
    (computed_property_name [(identifier) @name (member_expression property: (_) @name)])
  ]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ] @definition.function) @outer
(public_field_definition ["static" "readonly" (accessibility_modifier) (override_modifier)] @modifier
  value: [(arrow_function) (function_expression) (generator_function)] @definition.function)

; --- overload heads and ambient functions
(function_signature name: (identifier) @name) @definition.function
(function_signature "async" @modifier) @definition.function
(export_statement "export" @modifier declaration: (function_signature) @definition.function) @outer
(export_statement "default" @modifier declaration: (function_signature) @definition.function)

; --- interfaces and types
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(export_statement "export" @modifier declaration: (interface_declaration) @definition.interface) @outer
(export_statement "default" @modifier declaration: (interface_declaration) @definition.interface)
(interface_body (method_signature name: [
    [(property_identifier) (private_property_identifier) (number)] @name
    (string) @name
    (computed_property_name [(identifier) @name (member_expression property: (_) @name)])
  ]) @definition.function)
(type_alias_declaration
  name: (type_identifier) @owner
  value: (object_type (method_signature name: (property_identifier) @name) @definition.function))

; --- enums and namespaces
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_declaration "const" @modifier) @definition.enum
(export_statement "export" @modifier declaration: (enum_declaration) @definition.enum) @outer

(internal_module name: (_) @name body: (_) @body) @definition.namespace
(module name: (string (string_fragment) @name) body: (_) @body) @definition.namespace
(module name: [(identifier) (nested_identifier)] @name body: (_) @body) @definition.namespace
(expression_statement (internal_module) @definition.namespace) @outer
(export_statement "export" @modifier
  declaration: [(internal_module) (module)] @definition.namespace) @outer
(ambient_declaration "declare" @modifier "global" @name (statement_block) @body) @definition.namespace

; --- what is only declared
(ambient_declaration "declare" @modifier
  [(class_declaration) (abstract_class_declaration)] @definition.class) @outer
(ambient_declaration "declare" @modifier (interface_declaration) @definition.interface) @outer
(ambient_declaration "declare" @modifier (enum_declaration) @definition.enum) @outer
(ambient_declaration "declare" @modifier [(module) (internal_module)] @definition.namespace) @outer
(ambient_declaration "declare" @modifier (function_signature) @definition.function) @outer
(export_statement "export" @modifier
  declaration: (ambient_declaration
    [(class_declaration) (abstract_class_declaration)] @definition.class)) @outer
(export_statement "export" @modifier
  declaration: (ambient_declaration (interface_declaration) @definition.interface)) @outer
(export_statement "export" @modifier
  declaration: (ambient_declaration (enum_declaration) @definition.enum)) @outer
(export_statement "export" @modifier
  declaration: (ambient_declaration [(module) (internal_module)] @definition.namespace)) @outer
(export_statement "export" @modifier
  declaration: (ambient_declaration (function_signature) @definition.function)) @outer
(export_statement "export" @modifier declaration: (abstract_class_declaration) @definition.class)
(export_statement "default" @modifier declaration: (abstract_class_declaration) @definition.class)
