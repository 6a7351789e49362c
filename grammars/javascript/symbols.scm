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

; --- functions given to a member of something named: `app.use`, `Shape.prototype.draw`
(program
  (expression_statement
    (assignment_expression
      left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
      right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ] @definition.function)) @outer
  (#not-eq? @owner "exports")
  (#not-eq? @owner "module"))
(program
  (expression_statement
    (assignment_expression
      left: (member_expression
        object: (member_expression
          object: (identifier) @owner
          property: (property_identifier) @_prototype)
        property: (property_identifier) @name)
      right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ] @definition.function)) @outer
  (#eq? @_prototype "prototype"))

; --- what a module exports by assignment
(program
  (expression_statement
    (assignment_expression
      left: (member_expression object: (identifier) @modifier property: (property_identifier) @name)
      right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ] @definition.function)) @outer
  (#eq? @modifier "exports"))
(program
  (expression_statement
    (assignment_expression
      left: (member_expression
        object: (member_expression
          object: (identifier) @_module
          property: (property_identifier) @modifier)
        property: (property_identifier) @name)
      right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ] @definition.function)) @outer
  (#eq? @_module "module")
  (#eq? @modifier "exports"))
(program
  (expression_statement
    (assignment_expression
      left: (member_expression
        object: (identifier) @_module
        property: (property_identifier) @modifier)
      right: (object
        (method_definition
          name: (property_identifier) @name
          body: (_) @body) @definition.function)))
  (#eq? @_module "module")
  (#eq? @modifier "exports"))
(program
  (expression_statement
    (assignment_expression
      left: (member_expression
        object: (identifier) @_module
        property: (property_identifier) @modifier)
      right: (object
        (pair
          key: (property_identifier) @name
          value: [
            (arrow_function body: (_) @body)
            (function_expression body: (_) @body)
            (generator_function body: (_) @body)
          ] @definition.function) @outer)))
  (#eq? @_module "module")
  (#eq? @modifier "exports"))
