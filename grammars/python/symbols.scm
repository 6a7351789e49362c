; Definitions of Python. Variables, constants and attributes follow from the reduced tree.

(function_definition
  name: (identifier) @name
  body: (block) @body) @definition.function

(class_definition
  name: (identifier) @name
  body: (block) @body) @definition.class

(decorated_definition
  definition: [
    (function_definition) @definition.function
    (class_definition) @definition.class
  ]) @outer

(function_definition "async" @modifier) @definition.function

; Documentation
(module . (comment)* . (expression_statement . (string) @doc .))
(function_definition body: (block . (expression_statement . (string) @doc .)))
(class_definition body: (block . (expression_statement . (string) @doc .)))
