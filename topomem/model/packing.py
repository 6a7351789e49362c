"""Facts of regions as bytes, for the store and between processes.

Columns become arrays of the narrowest width, offsets become distances from what is before.
Nothing is compressed here: the store compresses facts of many regions together, which is three
times as tight.
`unpack(pack(facts)) == facts`.
"""

from __future__ import annotations

import marshal
from array import array
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING, Any

from topomem.model.code import Declaration, RegionFacts, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = 5
"""First byte of packed facts; other versions are refused, so a store knows to rebuild."""

_MARSHAL = 2  # without references between equal objects: same facts, same bytes
_WIDTHS = (("B", 1 << 8), ("H", 1 << 16), ("I", 1 << 32))


def pack(facts: RegionFacts) -> bytes:
    """Return the bytes of a region's facts."""
    starts, ends = facts.starts, facts.ends
    table = {text: place for place, text in enumerate(dict.fromkeys(facts.texts))}
    document: Any = (
        facts.key,
        facts.language,
        tuple(_pack_declaration(declaration) for declaration in facts.declarations),
        facts.docstring,
        facts.kinds,
        _column(list(map(sub, range(len(starts)), facts.parents))),
        _column(_distances(starts)),
        _column(list(map(sub, ends, starts))),
        _column(_distances(facts.rows)),
        tuple(table),
        _column(list(map(table.__getitem__, facts.texts))),
        facts.words,
        facts.value_hash,
        facts.size,
        facts.row_count,
    )
    return bytes([VERSION]) + marshal.dumps(document, _MARSHAL)


def unpack(data: bytes) -> RegionFacts:
    """Return the facts that `pack` made bytes of. Raises ValueError for another version."""
    if data[:1] != bytes([VERSION]):
        message = f"packed facts of version {data[0] if data else None}, not {VERSION}"
        raise ValueError(message)
    document = marshal.loads(memoryview(data)[1:])  # noqa: S302  what `pack` wrote
    (
        key, language, declarations, docstring, kinds, parents, starts, ends, rows, table, texts,
        words, value_hash, size, row_count,
    ) = document  # fmt: skip
    places = tuple(accumulate(_read_column(starts)))
    return RegionFacts(
        key=key,
        language=language,
        declarations=tuple(map(_unpack_declaration, declarations)),
        docstring=docstring,
        kinds=kinds,
        parents=tuple(map(sub, range(len(places)), _read_column(parents))),
        starts=places,
        ends=tuple(map(int.__add__, places, _read_column(ends))),
        rows=tuple(accumulate(_read_column(rows))),
        texts=tuple(map(table.__getitem__, _read_column(texts))),
        words=words,
        value_hash=value_hash,
        size=size,
        row_count=row_count,
    )


def _distances(column: Sequence[int]) -> list[int]:
    return [*column[:1], *map(sub, column[1:], column)]


def _column(values: list[int]) -> tuple[str, bytes]:
    most = max(values, default=0)
    if min(values, default=0) < 0:
        return "q", array("q", values).tobytes()
    code = next(code for code, limit in _WIDTHS if most < limit)
    return code, array(code, values).tobytes()


def _read_column(packed: tuple[str, bytes]) -> array[int]:
    code, data = packed
    column: array[int] = array(code)
    column.frombytes(data)
    return column


def _pack_declaration(declaration: Declaration) -> tuple[object, ...]:
    return (
        declaration.kind.value, declaration.name, declaration.signature, declaration.start,
        declaration.end, declaration.row, declaration.end_row, declaration.name_row,
        declaration.modifiers, declaration.through_receiver, declaration.body_hash,
        declaration.shape_hash, declaration.owner, declaration.code_hash,
        declaration.comment_hash,
    )  # fmt: skip


def _unpack_declaration(row: tuple[object, ...]) -> Declaration:
    kind, *rest = row
    return Declaration(SymbolKind(str(kind)), *rest)  # type: ignore[arg-type]
