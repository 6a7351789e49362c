; Not in TSX, where `<T>` opens an element.
(type_assertion (type_arguments (_) @type) (_) @value) @cast
