"""Reports about rows that moved, as plain documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.api.documents import Document

if TYPE_CHECKING:
    from topomem.api.sharing import ShareReport

MOST_TROUBLES = 50


def share_document(report: ShareReport) -> Document:
    """Return the document of a push, a pull or an import."""
    return {
        "direction": report.direction,
        "remote": report.remote,
        "rows": report.rows,
        "seen": report.seen,
        "tries": report.tries,
        "unread": len(report.troubles),
        "troubles": [{"line": one.line, "why": one.why} for one in report.troubles[:MOST_TROUBLES]],
        "notes": list(report.notes),
    }
