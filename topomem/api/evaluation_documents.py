"""The document of an evaluation, and its lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topomem.api.evaluate import Evaluation
    from topomem.api.figures import Difference

Document = dict[str, Any]

_DIGITS = 4


def evaluation_document(found: Evaluation) -> Document:
    """Return the document of an evaluation."""
    return {
        "cases": found.cases,
        "seed": found.seed,
        "figures": {
            way: {name: round(value, _DIGITS) for name, value in figures.items()}
            for way, figures in found.figures.items()
        },
        "against": {way: _difference(one) for way, one in found.against.items()},
        "channels": [
            {
                "channel": one.name,
                "line_recall": _difference(one.recall),
                "tokens": round(one.tokens, 1),
                "idle": one.is_idle,
            }
            for one in found.channels
        ],
        "notes": list(found.notes),
    }


def _difference(one: Difference) -> Document:
    values = {"mean": one.mean, "low": one.low, "high": one.high}
    return {name: round(value, _DIGITS) for name, value in values.items()}


def evaluation_lines(found: Evaluation) -> Iterator[str]:
    """Yield a table of figures by way, paired differences, and what each channel brings."""
    yield f"{found.cases} questions, seed {found.seed}"
    ways = list(found.figures)
    names = list(dict.fromkeys(name for way in ways for name in found.figures[way]))
    yield f"{'':24}" + "".join(f"{way:>16}" for way in ways)
    for name in names:
        cells = (found.figures[way].get(name) for way in ways)
        yield f"{name:24}" + "".join(
            f"{'':>16}" if cell is None else f"{cell:16.3f}" for cell in cells
        )
    yield ""
    yield "line recall, ours less the other's, with the 95 % interval of paired draws"
    for way, one in found.against.items():
        yield f"  {way:22}{_interval(one)}"
    yield ""
    yield "channels: line recall they bring, tokens they take"
    for channel in found.channels:
        idle = "  takes tokens and brings no line" if channel.is_idle else ""
        yield f"  {channel.name:22}{_interval(channel.recall)}  {channel.tokens:7.1f}{idle}"


def _interval(one: Difference) -> str:
    return f"{one.mean:+.3f}  [{one.low:+.3f}, {one.high:+.3f}]"
