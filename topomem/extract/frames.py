"""What passes between the pool and its workers: frames of plain values on pipes."""

from __future__ import annotations

import marshal
import struct
from typing import TYPE_CHECKING, Any

from topomem.model.code import BlobFacts, Diagnostic, Placement, Span

if TYPE_CHECKING:
    from typing import BinaryIO

_LENGTH = struct.Struct("<Q")
_MARSHAL = 4
Frame = tuple[Any, ...] | list[Any]


def write_frame(pipe: BinaryIO, value: Frame) -> None:
    """Write one value and flush. Raises OSError when the other side is gone."""
    data = marshal.dumps(value, _MARSHAL)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def read_frame(pipe: BinaryIO) -> Any:  # noqa: ANN401  what the other side wrote
    """Read one value. Raises EOFError when the other side is gone."""
    head = _read(pipe, _LENGTH.size)
    return marshal.loads(_read(pipe, _LENGTH.unpack(head)[0]))  # noqa: S302  our own child's


def _read(pipe: BinaryIO, size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def blob_row(facts: BlobFacts) -> tuple[object, ...]:
    """Return facts of a blob as plain values."""
    placements = [
        (
            place.region, place.parent, place.name, place.span.start_byte, place.span.end_byte,
            place.span.start_line, place.span.end_line, place.name_line,
        )
        for place in facts.placements
    ]  # fmt: skip
    diagnostics = [
        (found.code, found.message, found.start_line, found.end_line) for found in facts.diagnostics
    ]
    return (
        facts.blob, facts.language, placements, diagnostics, facts.line_count, facts.byte_count,
        facts.error_bytes,
    )  # fmt: skip


def blob_facts(row: tuple[Any, ...]) -> BlobFacts:
    """Return the facts that `blob_row` made plain values of."""
    blob, language, placements, diagnostics, *counts = row
    return BlobFacts(
        blob,
        language,
        tuple(
            [
                Placement(region, parent, name, Span(start, end, first, last), name_line)
                for region, parent, name, start, end, first, last, name_line in placements
            ]
        ),
        tuple([Diagnostic(*found) for found in diagnostics]),
        *counts,
    )


def pack_blob(facts: BlobFacts) -> bytes:
    """Return facts of a blob as bytes."""
    return marshal.dumps(blob_row(facts), _MARSHAL)  # type: ignore[arg-type]  # plain values


def unpack_blob(data: bytes) -> BlobFacts:
    """Return the facts that `pack_blob` made bytes of."""
    return blob_facts(marshal.loads(data))  # noqa: S302  what `pack_blob` wrote
