"""The symbols of one version of a file, put together in memory.

What `Snapshot.symbols` says of a file, without opening the snapshot of its commit: a question about
one symbol reads one file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import duckdb

from topomem.model.answer import Symbol
from topomem.model.code import SymbolKind
from topomem.model.ids import CommitId, FilePath, QualifiedName

_PLACED = """
    SELECT ordinal, parent, child, hidden_rows, start_line, end_line, name_line, name_int,
        owner_int, region_int
    FROM topology.placement WHERE blob_int = ? ORDER BY ordinal
"""
_NAMES = """
    SELECT name_int, name FROM topology.name
    WHERE name_int IN (SELECT unnest(?::INTEGER[])) ORDER BY name_int
"""
_DEFINED = """
    SELECT region_int, ordinal, kind, name, signature, modifiers, through_receiver, start_row,
        start_nested, end_row, end_nested, name_row, name_nested
    FROM topology.definition
    WHERE region_int IN (SELECT unnest(?::INTEGER[])) ORDER BY region_int, ordinal
"""
_DOCSTRING = "SELECT docstring FROM topology.region WHERE region_int = ?"
_BLOB = "SELECT blob_id, language FROM topology.blob WHERE blob_int = ?"
_OVERLOAD = re.compile(r"\+\d+$")
_TYPES = frozenset({"interface", "namespace"})


class _Row(NamedTuple):
    """One definition as it stands in the file; the order of fields is that of the queries."""

    placement: int
    parent: int
    child: int
    hidden_rows: int
    start_line: int
    end_line: int
    name_line: int
    name: str
    owner: str | None
    region: int
    ordinal: int
    kind: str
    own_name: str
    signature: str
    modifiers: str
    through_receiver: bool
    start_row: int
    start_nested: int
    end_row: int
    end_nested: int
    name_row: int
    name_nested: int

    @property
    def is_light(self) -> bool:
        """Whether it may have to be numbered: no region, and no member set through a receiver."""
        return bool(self.ordinal) and not self.through_receiver

    @property
    def base(self) -> str:
        """The qualified name before it is numbered."""
        if not self.ordinal:
            return self.name
        above = self.owner if self.through_receiver and self.owner is not None else self.name
        return f"{above}.{self.own_name}" if above else self.own_name


def _rows(connection: duckdb.DuckDBPyConnection, blob: int) -> list[_Row]:
    """Return the definitions of a file, by where they stand. Plain queries, no joins."""
    placed = connection.execute(_PLACED, [blob]).fetchall()
    regions = sorted({place[-1] for place in placed})
    wanted = sorted({number for place in placed for number in place[7:9] if number is not None})
    names: dict[int | None, str] = dict(connection.execute(_NAMES, [wanted]).fetchall())
    defined: dict[int, list[tuple[Any, ...]]] = {}
    for region, *definition in connection.execute(_DEFINED, [regions]).fetchall():
        defined.setdefault(region, []).append(tuple(definition))
    return [
        _Row._make((*place, names[name], names.get(owner), region, *definition))
        for *place, name, owner, region in placed
        for definition in defined[region]
    ]


class Outline:
    """The symbols of one file, the file among them, by line.

    `symbols` are without docstrings; a symbol that is asked for has its own.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        repository: str,
        commit: CommitId,
        file: tuple[FilePath, int],
    ) -> None:
        """Read one file, given by path and number of its blob, as a commit has it."""
        path, blob = file
        told = connection.execute(_BLOB, [blob]).fetchone() or ("", "")
        rows = _rows(connection, blob)
        lines = _Lines(rows)
        self._connection = connection
        self._rows: dict[QualifiedName, _Row] = {}
        self.symbols: list[Symbol] = []
        for name, row in _first_of_each(rows, lines):
            start, end, named = lines.of(row)
            self._rows[name] = row
            self.symbols.append(
                Symbol(
                    repository=repository, commit=commit, path=path, language=told[1],
                    kind=SymbolKind(row.kind), qualified_name=name, signature=row.signature,
                    start_line=start, end_line=end, name_line=named, blob=told[0],
                    modifiers=tuple(row.modifiers.split()),
                )
            )  # fmt: skip
        self.symbols.sort(key=lambda one: (one.start_line, one.qualified_name))

    def symbol(self, name: QualifiedName) -> Symbol | None:
        """Return the definition of a name."""
        found = next((one for one in self.symbols if one.qualified_name == name), None)
        return None if found is None else self._documented(found)

    def at_line(self, line: int) -> Symbol | None:
        """Return the innermost definition around a line (1-based), else the file itself."""
        there = [one for one in self.symbols if one.start_line <= line <= one.end_line]
        found = min(there, key=self._nearness, default=None)
        return None if found is None else self._documented(found)

    def _documented(self, one: Symbol) -> Symbol:
        row = self._rows[one.qualified_name]
        if row.ordinal:
            return one
        (docstring,) = self._connection.execute(_DOCSTRING, [row.region]).fetchone() or ("",)
        return replace(one, docstring=docstring)

    def _nearness(self, one: Symbol) -> tuple[object, ...]:
        is_light = bool(self._rows[one.qualified_name].ordinal)
        return is_light, one.end_line - one.start_line, -one.start_line, one.qualified_name


class _Lines:
    """Where rows of regions stand in the file, lines of nested definitions put back."""

    def __init__(self, rows: Sequence[_Row]) -> None:
        self._hidden = {(row.parent, row.child): row.hidden_rows for row in rows if not row.ordinal}

    def of(self, row: _Row) -> tuple[int, int, int]:
        """Return first and last line, and that of the name."""
        if not row.ordinal:
            return row.start_line, row.end_line, row.name_line
        return (
            self._line(row, row.start_row, row.start_nested),
            self._line(row, row.end_row, row.end_nested),
            self._line(row, row.name_row, row.name_nested),
        )

    def _line(self, row: _Row, at: int, nested: int) -> int:
        return row.start_line + at + self._hidden.get((row.placement, nested - 1), 0)


def _first_of_each(rows: Sequence[_Row], lines: _Lines) -> Iterable[tuple[QualifiedName, _Row]]:
    """Return rows with their names; of several with one name the one that it stands for."""
    found: dict[str, tuple[tuple[Any, ...], _Row]] = {}
    for name, row in _named(rows):
        rank = (row.ordinal != 0, lines.of(row)[0], row.placement, row.ordinal)
        if name not in found or rank < found[name][0]:
            found[name] = rank, row
    return [(QualifiedName(name), row) for name, (_, row) in found.items()]


def _named(rows: Sequence[_Row]) -> Iterable[tuple[str, _Row]]:
    """Yield rows with their qualified names: those that go by a name that is taken are numbered."""
    regions = [(_OVERLOAD.sub("", row.name), row) for row in rows if not row.ordinal]
    taken = Counter(base for base, row in regions if row.placement)
    types = {base for base, row in regions if row.placement and row.kind in _TYPES}
    seen: Counter[tuple[str, bool]] = Counter()
    for row in sorted(rows, key=lambda row: (row.kind == "type_alias", row.placement, row.ordinal)):
        base, light = row.base, row.is_light
        seen[base, light] += 1
        number = seen[base, light]
        if row.placement or row.kind == "type_alias" or base in types:
            number += taken[base]
        yield (f"{base}+{number}" if light and number > 1 else base), row
