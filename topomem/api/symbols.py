"""Which definitions are there?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from topomem.api.answers import SymbolsAnswer
from topomem.api.opening import Opened
from topomem.api.reasons import why_empty
from topomem.api.view import open_view
from topomem.errors import UsageError
from topomem.model.code import SymbolKind
from topomem.store.snapshot import SymbolFilter

_WHOLE_NAME = re.compile(r"^=(?P<name>.+)$")


@dataclass(frozen=True, slots=True)
class SymbolQuery:
    """Which definitions are wanted. `text` is part of a qualified name; `=NAME` is all of it."""

    text: str = ""
    kinds: tuple[SymbolKind, ...] = ()
    path_glob: str = ""
    with_modules: bool = False


def symbol_kinds(words: Sequence[str]) -> tuple[SymbolKind, ...]:
    """Return the kinds that words name. Raises UsageError for a word that names none."""
    known = {kind.value: kind for kind in SymbolKind}
    for word in words:
        if word not in known:
            raise UsageError(f"no kind of symbol {word!r}", "one of: " + ", ".join(known))
    return tuple(known[word] for word in words)


def symbols(opened: Opened, query: SymbolQuery, as_of: str | None) -> SymbolsAnswer:
    """Return the definitions that match. Raises UnknownRevision, NotIndexed."""
    with open_view(opened, as_of) as view:
        found = view.snapshot.symbols(_filter(query)) if view.snapshot else []
        return SymbolsAnswer(
            as_of=view.as_of,
            symbols=tuple(found),
            empty=None if found else why_empty(opened, view, query.path_glob),
            partial=view.partial,
            notes=view.notes,
        )


def _filter(query: SymbolQuery) -> SymbolFilter:
    wanted = SymbolFilter(
        kinds=query.kinds,
        path_glob=query.path_glob,
        with_modules=query.with_modules or SymbolKind.MODULE in query.kinds,
    )
    whole = _WHOLE_NAME.match(query.text)
    return replace(wanted, name=whole["name"]) if whole else replace(wanted, text=query.text)
