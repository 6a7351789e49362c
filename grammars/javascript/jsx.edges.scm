; Shared by JavaScript and TSX: an element of a component is a call of it; lower-case names are
; elements of the page and belong to nobody.

(jsx_element
  open_tag: (jsx_opening_element name: (identifier) @callee @name) (#match? @name "^[A-Z$_]")) @call
(jsx_self_closing_element name: (identifier) @callee @name (#match? @name "^[A-Z$_]")) @call
(jsx_element open_tag: (jsx_opening_element name: (member_expression) @callee)) @call
(jsx_self_closing_element name: (member_expression) @callee) @call
(jsx_opening_element name: (member_expression object: (identifier) @name))
(jsx_self_closing_element name: (member_expression object: (identifier) @name))
(jsx_closing_element name: (identifier) @name (#match? @name "^[A-Z$_]"))
(jsx_closing_element name: (member_expression object: (identifier) @name))
