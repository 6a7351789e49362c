"""The closed capture vocabulary of `symbols.scm` and `edges.scm`.

A capture outside this list is an error when a language is loaded. `symbols.scm` finds definitions;
`edges.scm` makes the reduced tree (`topomem.model.code.Op`). Names are dotted lower case.
"""

from topomem.model.code import Op, SymbolKind

REGION_KINDS = frozenset(
    kind
    for kind in SymbolKind
    if kind
    in (
        SymbolKind.NAMESPACE,
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.STRUCT,
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.MACRO,
    )
)
"""Definitions of these kinds are cut out as regions; others are light declarations."""

SYMBOL_CAPTURES = frozenset(
    {
        *(f"definition.{kind.value}" for kind in SymbolKind),  # the definition's node
        "name",  # its name
        "anonymous",  # marks a definition that has none; it is numbered inside its container
        "outer",  # a wider node that belongs to it: decorators, `export`, `public static`
        "body",  # where its signature ends
        "doc",  # its documentation (inside: docstring; before: comment)
        "modifier",  # a word such as async, static, abstract
        "owner",  # written type of a method defined outside it; of a light definition
        # the one it is part of, put before its name
        "through_receiver",  # marks `self.x = ...`
        "type",  # its written type
    }
)

EDGE_CAPTURES = {op.name.lower(): op for op in Op}
"""`@call` is Op.CALL, `@member_name` is Op.MEMBER_NAME, and so on; `@literal.string` carries text.

A capture may have a suffix after a dot, which becomes the op's text (`@collection.list`,
`@literal.number`, `@parameter.rest`); otherwise ops that carry text take that of their node.
"""
