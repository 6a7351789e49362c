"""Words of messages lead to code, and only to what was changed before the question."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.history import History, build
from support.indexed import Indexed

from topomem.index.plan import Scope
from topomem.model.bundle import Bundle
from topomem.model.ids import BlobId, CommitId, FilePath
from topomem.retrieve.budget import Budget
from topomem.retrieve.bundle import Request, bundle
from topomem.retrieve.items import Moment
from topomem.retrieve.tokens import token_count
from topomem.store.changes import Changes
from topomem.store.search import Search

HISTORY = """
=== c1
> begin
--- lib/wire.py
def frame(data):
    return data + b"."

def unframe(data):
    return data[:-1]
--- lib/other.py
def nothing():
    return None
=== c2 < c1
> telegrams lose their last stop
--- lib/wire.py
def frame(data):
    return data + b".."

def unframe(data):
    return data[:-1]
=== c3 < c2
> pay off #77
--- lib/wire.py
def frame(data):
    return data + b".."

def unframe(data):
    return data[:-2]
=== late < c3
> telegrams again
--- lib/other.py
def nothing():
    return 0
=== fork < c1
> telegrams on a fork
--- lib/other.py
def nothing():
    return 1
=== main = late
=== other = fork
"""


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    return build(HISTORY, tmp_path_factory.mktemp("lore") / "repository")


@pytest.fixture(scope="module")
def indexed(history: History, tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    made = Indexed(history, tmp_path_factory.mktemp("lore") / "store")
    made.run(Scope(all_refs=True))
    return made


def ask(indexed: Indexed, task: str, commit: CommitId) -> Bundle:
    def read(path: FilePath, blob: BlobId) -> bytes | None:
        del path
        return indexed.repository.read(blob)

    with indexed.store.read() as reader:
        connection = reader.open_snapshot(commit).connection
        search = Search(connection)
        changes = Changes(connection, reader.ancestors(commit))
        request = Request(task, Budget(2000, token_count("estimate")), changes=changes)
        return bundle(search, Moment(commit), read, request)


def first(found: Bundle) -> tuple[str, tuple[str, ...]]:
    item = found.items[0]
    return item.qualified_name, item.why


def test_a_word_of_a_message_leads_to_what_it_changed(indexed: Indexed, history: History) -> None:
    ids: Mapping[str, CommitId] = history.ids
    found = ask(indexed, "telegrams are wrong", ids["c3"])
    assert first(found) == ("frame", (f"commit {ids['c2'][:12]}",))
    assert "history" in found.mode


def test_a_ticket_leads_to_what_was_changed_for_it(indexed: Indexed, history: History) -> None:
    found = ask(indexed, "this is #77 once more", history.ids["c3"])
    assert first(found) == ("unframe", (f"commit {history.ids['c3'][:12]}",))


def test_the_future_is_not_told(indexed: Indexed, history: History) -> None:
    for task in ("telegrams", "telegrams #77"):
        found = ask(indexed, task, history.ids["c1"])
        assert (found.items, found.mode) == ((), "nothing")


@pytest.mark.parametrize("at", ["c2", "late", "fork"])
def test_a_store_that_ends_there_answers_alike(
    indexed: Indexed, history: History, tmp_path: Path, at: str
) -> None:
    build(f"{HISTORY.partition('=== main')[0]}=== main = {at}\n", tmp_path / "ending")
    ending = Indexed(tmp_path / "ending", tmp_path / "store")
    ending.run()
    for task in ("telegrams stop", "frame #77", "nothing again"):
        assert ask(ending, task, history.ids[at]) == ask(indexed, task, history.ids[at])
