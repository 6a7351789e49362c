"""Languages as data: one folder each with `language.toml` and tree-sitter queries."""
