"""The files of a store, and what is done when one of them cannot be used."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import duckdb

from topomem.errors import StoreDamaged, StoreTooNew
from topomem.model.packing import VERSION as PACKED
from topomem.store import properties
from topomem.store.compaction import COPY
from topomem.store.connection import DERIVED, attach, name_error
from topomem.store.journal import sync_folder
from topomem.store.migrations import DERIVED_VERSION, make_derived

_FACTS = "facts:"
"""What stands before the version of packed facts in the name of a producer."""
_HAS_SCHEMA = """
    SELECT count(*) FROM duckdb_tables()
    WHERE database_name = ? AND schema_name = 'meta' AND table_name = 'property'
"""


@dataclass(frozen=True, slots=True)
class StoreFiles:
    """Where everything of one store lies."""

    folder: Path

    @property
    def derived(self) -> Path:
        """Everything that can be rebuilt from git."""
        return self.folder / "derived.duckdb"

    @property
    def authored(self) -> Path:
        """The projection of the journal."""
        return self.folder / "authored.duckdb"

    @property
    def journal(self) -> Path:
        """The folder of authored rows."""
        return self.folder / "journal"

    @property
    def building(self) -> Path:
        """The folder in which a new derived file is filled."""
        return self.folder / "building"

    @property
    def build_lock(self) -> Path:
        """Held by whoever fills a new derived file."""
        return self.folder / "build.lock"

    @property
    def index_lock(self) -> Path:
        """Held by all who add rows: facts that no commit needs yet may be theirs."""
        return self.folder / "index.lock"

    @property
    def spill(self) -> Path:
        """Where this process's large sorts go; removed afterwards."""
        return self.folder / f"spill-{os.getpid()}"

    def bytes(self) -> int:
        """Return the size of everything in the folder."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())

    def clear_spills(self) -> None:
        """Remove what killed processes left; only for who holds the room alone."""
        self.derived.with_name(COPY).unlink(missing_ok=True)
        for folder in self.folder.glob("spill-*"):
            shutil.rmtree(folder, ignore_errors=True)


def wal_of(file: Path) -> Path:
    """Return the write-ahead log beside a database file."""
    return file.with_name(file.name + ".wal")


def set_aside(file: Path) -> Path:
    """Rename a file that cannot be used; nothing is deleted. Returns its new place."""
    number = 1
    while (aside := file.with_name(f"{file.name}.damaged-{number}")).exists():
        number += 1
    file.rename(aside)
    sync_folder(file.parent)
    return aside


def replace(new: Path, old: Path) -> None:
    """Let a closed new database file take the place of an old one and of its log."""
    stale = wal_of(old)
    if stale.exists():
        stale.unlink()
    new.replace(old)
    sync_folder(old.parent)


def attach_derived(
    connection: duckdb.DuckDBPyConnection, file: Path, producer: str
) -> tuple[str, ...]:
    """Attach the derived file for writing, whatever state it is in; return what was healed.

    A log that cannot be replayed, then a file that cannot be read, is set aside; a file of another
    version is made anew. Raises StoreTooNew for a file of a later version.
    """
    notes: list[str] = []
    while True:
        try:
            attach(connection, file, DERIVED, writable=True)
        except duckdb.Error as error:
            notes.append(heal(file, error))
            continue
        why = outdated(connection, producer)
        if why is None:
            return tuple(notes)
        connection.execute(f"DETACH {DERIVED}")
        if why:
            file.unlink()
            wal_of(file).unlink(missing_ok=True)
            notes.append(f"the derived file was made anew: {why}")
        attach(connection, file, DERIVED, writable=True)
        make_derived(connection, DERIVED, producer)
        return tuple(notes)


def outdated(connection: duckdb.DuckDBPyConnection, producer: str) -> str | None:
    """Return why an attached derived file must be made anew: "" for an empty one, None if fine.

    `producer` empty means that of any producer is fine. Raises StoreTooNew.
    """
    (count,) = connection.execute(_HAS_SCHEMA, [DERIVED]).fetchone() or (0,)
    if not count:
        return ""
    version = properties.get(connection, DERIVED, "schema")
    if version is not None and version.isdigit() and int(version) > int(DERIVED_VERSION):
        raise StoreTooNew(
            f"the store has schema {version}, this version knows {DERIVED_VERSION}",
            "update topomem, or run: topomem rebuild",
        )
    if version != DERIVED_VERSION:
        return f"its schema was {version}, now {DERIVED_VERSION}"
    made_by = properties.get(connection, DERIVED, "producer")
    if producer and made_by != producer:
        return "grammars or the extractor changed"
    packed = [one for one in (made_by or "").split() if one.startswith(_FACTS)]
    if packed and packed != [f"{_FACTS}{PACKED}"]:
        return "facts are packed in another form now"
    return None


def heal(file: Path, error: duckdb.Error) -> str:
    """Set aside what `error` says is broken; return words for it."""
    named = name_error(error)
    if named is None:
        raise error
    if not isinstance(named, StoreDamaged) or isinstance(named, StoreTooNew):
        raise named from error
    log = wal_of(file)
    broken = log if log.exists() else file
    if not broken.exists():
        raise named from error
    return f"{broken.name} could not be read and was set aside as {set_aside(broken).name}"
