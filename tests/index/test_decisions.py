"""Which blobs are read as decision records, and that each is read once."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import build
from support.indexed import Indexed

from topomem.index import decisions
from topomem.index.configuration import Configuration
from topomem.index.plan import Scope
from topomem.model.decision import decision_body
from topomem.records.parse import parse
from topomem.store.decision import StoredRecord, records

RECORD = "# A\n\nStatus: accepted\n"
HISTORY = f"""
=== c1
--- notes/choice.md
{RECORD}
--- plain.md
# No record
--- blog/post.md
---
status: accepted
deciders: Ada
---
# Post
=== c2 < c1
--> notes/choice.md -> docs/adr/0001-choice.md
=== c3 < c2
--- docs/adr/0002-b.md
# B

Status: draft
--- docs/adr/0003-b.md
# B

Status: draft
"""


def stored(indexed: Indexed, revision: str) -> dict[str, StoredRecord]:
    with indexed.store.read() as reader:
        snapshot = reader.open_snapshot(indexed.repository.resolve(revision))
        return {one.path: one for one in records(snapshot.connection)}


@pytest.fixture
def indexed(tmp_path: Path) -> Indexed:
    return Indexed(build(HISTORY, tmp_path / "repository"), tmp_path / "store")


def test_what_is_stored_is_what_the_text_says(indexed: Indexed) -> None:
    indexed.run()
    found = stored(indexed, "HEAD")
    assert {path: one.origin for path, one in found.items()} == {
        "blog/post.md": "front_matter",
        "docs/adr/0001-choice.md": "place",
        "docs/adr/0002-b.md": "place",
        "docs/adr/0003-b.md": "place",
    }
    for one in found.values():
        source = indexed.repository.read(one.blob)
        assert source is not None
        assert one.body == _plain(decision_body(parse(source)))


def test_a_text_that_moves_among_the_records_is_read_then(indexed: Indexed) -> None:
    indexed.run()
    assert set(stored(indexed, "HEAD~2")) == {"notes/choice.md", "blog/post.md"}


def test_a_blob_is_read_once(indexed: Indexed, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    def counted(source: bytes) -> object:
        read.append(source)
        return parse(source)

    monkeypatch.setattr(decisions, "parse", counted)
    indexed.run(Scope(refs=("HEAD~1",), head_only=False))
    indexed.run()
    indexed.run()
    assert len(read) == len(set(read)) == 3


def test_configured_places_are_read(tmp_path: Path) -> None:
    history = build(HISTORY, tmp_path / "repository")
    configuration = Configuration(decision_paths=("notes/*.md",))
    indexed = Indexed(history, tmp_path / "store", configuration)
    indexed.run()
    assert stored(indexed, "HEAD~2")["notes/choice.md"].origin == "place"


def _plain(body: object) -> object:
    """Return a body as JSON gives it back: tuples are lists."""
    if isinstance(body, dict):
        return {key: _plain(value) for key, value in body.items()}
    return [_plain(one) for one in body] if isinstance(body, list | tuple) else body
