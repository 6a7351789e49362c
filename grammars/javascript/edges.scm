; JavaScript only: parameters, fields and class headers have other nodes than in TypeScript.

(class_heritage (expression) @inherit)

(formal_parameters (identifier) @parameter @parameter_name)
(formal_parameters [(object_pattern) (array_pattern)] @parameter @target)
(formal_parameters (assignment_pattern left: (identifier) @parameter_name right: (_) @default) @parameter)
(formal_parameters
  (assignment_pattern left: [(object_pattern) (array_pattern)] @target right: (_) @default) @parameter)
(formal_parameters (rest_pattern (identifier) @parameter_name) @parameter.rest)
(formal_parameters (rest_pattern [(object_pattern) (array_pattern)] @target) @parameter.rest)

(field_definition property: [(property_identifier) (private_property_identifier)] @target @name
  value: (_) @value) @assign.field
(field_definition property: (string) @target @name value: (_) @value) @assign.field
(field_definition property: [(property_identifier) (private_property_identifier)] @target @name
  !value) @declare.field
(field_definition property: (string) @target @name !value) @declare.field
(field_definition property: (computed_property_name (expression) @key))
(method_definition name: (computed_property_name (expression) @key))
(method_definition decorator: (decorator (_) @decorator))
(field_definition decorator: (decorator (_) @decorator))
