"""The authored file is migrated script by script; a script that fails changes nothing."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from topomem.errors import StoreTooNew
from topomem.store import migrations
from topomem.store.connection import AUTHORED, attach
from topomem.store.migrations import Script, migrate_authored, scripts
from topomem.store.store import Store

ADD = Script("0999_authored.sql", "ALTER TABLE episode.event ADD COLUMN extra VARCHAR;")
INDEX_FIRST = Script(
    "0999_authored.sql",
    "CREATE TABLE episode.extra (id VARCHAR); CREATE INDEX i ON episode.event (absent);",
)


def migrate(file: Path, known: list[Script]) -> list[str]:
    with duckdb.connect(":memory:") as connection:
        attach(connection, file, AUTHORED, writable=True)
        return migrate_authored(connection, AUTHORED, known)


def rows(file: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(":memory:") as connection:
        attach(connection, file, AUTHORED, writable=False)
        return connection.execute("SELECT * FROM authored.episode.event ORDER BY id").fetchall()


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Store:
    store = Store(tmp_path, "example")
    store.record("episode.event", [{"episode_id": "e", "kind": "note"}], 1)
    return store


def test_a_script_is_applied_once_and_keeps_the_rows(store: Store) -> None:
    before = rows(store.files.authored)
    known = [*scripts("authored"), ADD]
    assert migrate(store.files.authored, known) == [ADD.name]
    assert migrate(store.files.authored, known) == []
    assert rows(store.files.authored) == [(*row, None) for row in before]


def test_a_script_that_fails_leaves_the_file_as_it_was(store: Store) -> None:
    before = rows(store.files.authored)
    with pytest.raises(duckdb.Error, match="absent"):
        migrate(store.files.authored, [*scripts("authored"), INDEX_FIRST])
    assert rows(store.files.authored) == before
    assert migrate(store.files.authored, [*scripts("authored")]) == []
    with store.read() as reader:
        assert len(reader.events()) == 1


def test_a_file_of_a_later_version_is_refused_whole(store: Store) -> None:
    migrate(store.files.authored, [*scripts("authored"), ADD])
    before = store.files.authored.read_bytes()
    with pytest.raises(StoreTooNew, match=ADD.name):
        store.project()
    assert store.files.authored.read_bytes() == before
    with pytest.raises(StoreTooNew), store.read():
        pass


def test_a_reader_of_an_older_file_sees_the_rows(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [*scripts("authored"), ADD]
    derived = scripts("derived")
    monkeypatch.setattr(
        migrations, "scripts", lambda kind: known if kind == "authored" else derived
    )
    before = store.files.authored.read_bytes()
    with store.read() as reader:
        assert len(reader.events()) == 1
    assert store.files.authored.read_bytes() == before
    store.record("episode.event", [{"episode_id": "e", "kind": "later"}], 2)
    with store.read() as reader:
        assert [event.kind for event in reader.events()] == ["note", "later"]
