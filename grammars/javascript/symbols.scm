; Definitions that only JavaScript's grammar spells this way.

(class_body (method_definition
  name: [
    [(property_identifier) (private_property_identifier) (number)] @name
    (string) @name
    (computed_property_name [(identifier) @name (member_expression property: (_) @name)])
  ]
  body: (_) @body) @definition.function)
(class_body (method_definition ["static" "async" "get" "set"] @modifier) @definition.function)

(field_definition
  property: [
    [(property_identifier) (private_property_identifier) (number)] @name
    (string) @name
    (computed_property_name [(identifier) @name (member_expression property: (_) @name)])
  ]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ] @definition.function) @outer
(field_definition "static" @modifier value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
