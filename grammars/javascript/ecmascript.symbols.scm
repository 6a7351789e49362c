; Definitions shared by JavaScript, TypeScript and TSX.
;
; A function or class that is the value of something named is a definition of that name; the node
; of the definition is the function itself, what gives it the name belongs to it from outside.

; --- functions and classes
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class
(function_declaration "async" @modifier) @definition.function
(generator_function_declaration "async" @modifier) @definition.function
(export_statement "export" @modifier
  declaration: [(function_declaration) (generator_function_declaration)] @definition.function) @outer
(export_statement "default" @modifier
  declaration: [(function_declaration) (generator_function_declaration)] @definition.function)
(export_statement "export" @modifier declaration: (class_declaration) @definition.class) @outer
(export_statement "default" @modifier declaration: (class_declaration) @definition.class)

; --- defaults without a name are called `default`
(export_statement
  "export" @modifier
  "default" @name @modifier
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ] @definition.function) @outer
(export_statement
  "export" @modifier
  "default" @name @modifier
  value: (class body: (_) @body) @definition.class) @outer

; --- functions and classes that are values of a variable
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ] @definition.function) @outer
(variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body) @definition.class) @outer
(arrow_function "async" @modifier) @definition.function
(function_expression "async" @modifier) @definition.function
(generator_function "async" @modifier) @definition.function

(lexical_declaration
  . (variable_declarator name: (identifier) value: [(arrow_function) (function_expression) (generator_function)] @definition.function) .) @outer
(export_statement
  "export" @modifier
  declaration: (lexical_declaration
    . (variable_declarator name: (identifier) value: [(arrow_function) (function_expression) (generator_function)] @definition.function) .)) @outer

(lexical_declaration
  . (variable_declarator name: (identifier) value: (class) @definition.class) .) @outer
(export_statement
  "export" @modifier
  declaration: (lexical_declaration
    . (variable_declarator name: (identifier) value: (class) @definition.class) .)) @outer

(variable_declaration
  . (variable_declarator name: (identifier) value: [(arrow_function) (function_expression) (generator_function)] @definition.function) .) @outer
(export_statement
  "export" @modifier
  declaration: (variable_declaration
    . (variable_declarator name: (identifier) value: [(arrow_function) (function_expression) (generator_function)] @definition.function) .)) @outer

(variable_declaration
  . (variable_declarator name: (identifier) value: (class) @definition.class) .) @outer
(export_statement
  "export" @modifier
  declaration: (variable_declaration
    . (variable_declarator name: (identifier) value: (class) @definition.class) .)) @outer

; --- functions in the object that is the value of a variable: `api.get`
(variable_declarator
  name: (identifier) @owner
  value: (object
    (method_definition name: (property_identifier) @name body: (_) @body) @definition.function))
(variable_declarator
  name: (identifier) @owner
  value: (object
    (pair
      key: (property_identifier) @name
      value: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ] @definition.function) @outer))

(export_statement
  "default" @owner
  value: (object
    (method_definition
      name: (property_identifier) @name
      body: (_) @body) @definition.function))
(export_statement
  "default" @owner
  value: (object
    (pair
      key: (property_identifier) @name
      value: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ] @definition.function) @outer))
