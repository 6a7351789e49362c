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

; --- bodies of functions that become definitions where a pattern below names them
(pair value: (function_expression body: (_) @body) @definition.function) @outer
(pair value: (arrow_function body: (_) @body) @definition.function) @outer
(pair value: (generator_function body: (_) @body) @definition.function) @outer
(object (method_definition body: (_) @body) @definition.function)
(object (method_definition ["async" "get" "set"] @modifier) @definition.function)

; --- functions given to a member of something named: `app.use`, `Shape.prototype.draw`
((expression_statement
  (assignment_expression
    left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ] @definition.function)) @outer
  (#not-eq? @owner "exports")
  (#not-eq? @owner "module"))
((expression_statement
  (assignment_expression
    left: (member_expression
      object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
      property: (property_identifier) @name)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ] @definition.function)) @outer
  (#eq? @_prototype "prototype"))

((expression_statement
  (assignment_expression
    left: (member_expression object: (member_expression) @owner property: (property_identifier) @name)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ] @definition.function)) @outer
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^(this|module|exports)\\b|prototype$"))

; --- functions in an object that something named is made of: `X = {..}`, `X.Y = {..}`,
; --- `X.prototype = {..}`, and `X = make({..})`: what a call makes of it goes by the name, too
(assignment_expression
  left: (identifier) @owner
  right: (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))
((assignment_expression
  left: (member_expression) @owner
  right: (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^(this|module|exports)\\b|prototype$"))
((assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))
  (#eq? @_prototype "prototype"))
(variable_declarator
  name: (identifier) @owner
  value: (call_expression function: (member_expression) arguments: (arguments (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))))
(assignment_expression
  left: (identifier) @owner
  right: (call_expression function: (member_expression) arguments: (arguments (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))))
((assignment_expression
  left: (member_expression) @owner
  right: (call_expression function: (member_expression) arguments: (arguments (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))))
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^(this|module|exports)\\b|prototype$"))
((assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (call_expression function: (member_expression) arguments: (arguments (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))))
  (#eq? @_prototype "prototype"))

; --- one object further in: `X.part.get`
(variable_declarator
  name: (identifier) @owner
  value: (object (pair key: (property_identifier) @owner value: (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))))
((assignment_expression
  left: (member_expression) @owner
  right: (object (pair key: (property_identifier) @owner value: (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))))
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^(this|module|exports)\\b|prototype$"))

; --- functions in an object that a call puts into something named: `extend(X.prototype, {..})`
(call_expression arguments: (arguments . (identifier) @owner (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ])))
((call_expression arguments: (arguments . (member_expression) @owner (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ])))
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^(this|module|exports)\\b|prototype$"))
((call_expression arguments: (arguments
  . (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ])))
  (#eq? @_prototype "prototype"))

; --- what a function returns: a module that reveals some of its functions
(return_statement (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))
(variable_declarator
  name: (identifier) @owner
  value: (call_expression
    function: (parenthesized_expression (function_expression
      body: (statement_block (return_statement (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ])))))))

; --- what a module registers somewhere: `registry.add({..})`
((program (expression_statement (call_expression
  function: (member_expression object: (_) @owner)
  arguments: (arguments . (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ])))))
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^this\\b"))
((program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (function_expression body: (statement_block (expression_statement (call_expression
    function: (member_expression object: (_) @owner)
    arguments: (arguments . (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ])))))))))
  (#eq? @_module "module")
  (#eq? @_exports "exports")
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^this\\b"))
((program (expression_statement (call_expression function: (parenthesized_expression
  (function_expression body: (statement_block (expression_statement (call_expression
    function: (member_expression object: (_) @owner)
    arguments: (arguments . (object [
    (method_definition name: (property_identifier) @name) @definition.function
    (pair
      key: (property_identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)] @definition.function)
  ]))))))))))
  (#match? @owner "^[A-Za-z_$][.A-Za-z0-9_$]*$")
  (#not-match? @owner "^this\\b"))

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
