"""What the files are made of: plain tables, no indexes to replay, nothing to download."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from topomem.errors import StoreDamaged, StoreFull, StoreTooNew, TopomemError
from topomem.store import properties
from topomem.store.connection import DERIVED, name_error
from topomem.store.migrations import DERIVED_VERSION
from topomem.store.reader import Reader
from topomem.store.store import Store, StoreOptions

PLANES = {"topology", "decision", "retrieval", "episode", "review"}


def names(reader: Reader, statement: str) -> list[object]:
    return [row[0] for row in reader.connection.execute(statement).fetchall()]


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Store:
    store = Store(tmp_path, "example", StoreOptions(producer="grammars 7"))
    with store.write():
        pass
    return store


def test_all_planes_exist_from_the_first_day(store: Store) -> None:
    with store.read() as reader:
        schemas = names(reader, "SELECT DISTINCT schema_name FROM duckdb_tables()")
        assert set(schemas) >= PLANES


def test_no_table_has_an_index_or_a_constraint(store: Store) -> None:
    with store.read() as reader:
        assert names(reader, "SELECT index_name FROM duckdb_indexes()") == []
        assert names(reader, "SELECT constraint_text FROM duckdb_constraints()") == []


def test_no_extension_is_fetched_or_needed(store: Store) -> None:
    with store.read() as reader:
        settings = names(
            reader,
            "SELECT value FROM duckdb_settings() WHERE name IN "
            "('autoinstall_known_extensions', 'autoload_known_extensions')",
        )
        assert settings == ["false", "false"]


def test_a_file_knows_what_made_it(store: Store) -> None:
    with store.read() as reader:
        made_by = {
            key: properties.get(reader.connection, DERIVED, key)
            for key in ("schema", "producer", "duckdb")
        }
    assert made_by == {
        "schema": DERIVED_VERSION,
        "producer": "grammars 7",
        "duckdb": duckdb.__version__,
    }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            (
                "IO Error: Trying to read a database file with storage version number 99, "
                "but we can only read storage versions between 64 and 70."
            ),
            StoreTooNew,
        ),
        (
            (
                "IO Error: Trying to read a database file with storage version number 3, "
                "but we can only read storage versions between 64 and 70."
            ),
            StoreDamaged,
        ),
        ("Try opening the file with a newer version of DuckDB.", StoreTooNew),
        ('IO Error: Could not write file "x": No space left on device', StoreFull),
        ("Corrupt database file: computed checksum 1 does not match", StoreDamaged),
    ],
)
def test_errors_of_the_database_have_names(text: str, kind: type[TopomemError]) -> None:
    named = name_error(duckdb.IOException(text))
    assert type(named) is kind
    assert named.hint


def test_faults_of_the_program_stay_what_they_are() -> None:
    assert name_error(duckdb.CatalogException("Table with name t does not exist!")) is None
