"""The store of one repository: a folder with two database files, a journal and two lock files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from topomem.errors import StoreBusy, StoreDamaged, StoreFull, StoreTooNew
from topomem.model.ids import BlobId
from topomem.model.packing import pack, unpack
from topomem.store import authored, files, pruning
from topomem.store.compaction import compact
from topomem.store.connection import (
    AUTHORED,
    DERIVED,
    attach,
    attach_memory,
    connected,
    named_errors,
)
from topomem.store.journal import ITEM, Journal, Record, deleted, is_deleted
from topomem.store.locks import Patience, WhenAlone, alone, among_others, room
from topomem.store.migrations import make_derived
from topomem.store.reader import Reader
from topomem.store.writer import Writer


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """How a store is opened.

    `producer` names what derived rows were made by (extractor version and language fingerprints);
    when it differs from the stored one the derived file is rebuilt.
    """

    producer: str = ""
    wait_seconds: float = 30.0
    purpose: str = ""  # shown to others who wait: "index", "reindex", ...


class Store:
    """Opens short sessions on the store in `folder`; holds no connection itself.

    `repository` is the repository's key; symbols are composed with it. A thread that has a session
    open must not open another one.
    """

    def __init__(self, folder: Path, repository: str, options: StoreOptions | None = None) -> None:
        self.folder = folder
        self.repository = repository
        self.options = options or StoreOptions()
        self.files = files.StoreFiles(folder)
        self.journal = Journal(self.files.journal)

    def exists(self) -> bool:
        """Return whether anything was ever indexed here (a derived file is present)."""
        return self.files.derived.exists()

    def needs_build(self) -> str | None:
        """Return why the derived file must be built anew, None when a writer can go on with it."""
        if not self.exists():
            return "nothing is indexed yet"
        try:
            with self._room(exclusive=False), self._connection() as connection:
                attach(connection, self.files.derived, DERIVED, writable=False)
                why = files.outdated(connection, self.options.producer)
        except StoreDamaged as error:
            return str(error)
        return "the derived file is empty" if why == "" else why

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """Open a reading session; many may be open at once. Reads never write rows.

        Where nothing was indexed yet the session shows an empty store. Raises StoreBusy after the
        bounded wait, StoreDamaged when a file cannot be read.
        """
        if not self.folder.exists():
            with self._connection() as connection:
                yield self._reader(connection)
            return
        self._heal_log()
        with self._room(exclusive=False), self._connection() as connection:
            reader = self._reader(connection)
            try:
                yield reader
            finally:
                reader.close()

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """Open the one writing session: one transaction, committed when the block ends well.

        Makes the store when it does not exist; an outdated or unreadable derived file becomes an
        empty one (`Writer.notes` says so). Raises StoreBusy, StoreTooNew and StoreFull; after
        StoreFull the last committed state stands.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._room(exclusive=True):
            self.files.clear_spills()
            with self._connection() as connection:
                notes = files.attach_derived(connection, self.files.derived, self.options.producer)
                with _transaction(connection, notes) as writer:
                    yield writer

    @contextmanager
    def build(self, *, go_on: bool = False) -> Iterator[Writer]:
        """Fill a new derived file beside the present one, which readers may go on using.

        The writer may `commit()` in between. When the block ends well the new file takes the place
        of the old one, whatever that was; when it fails the new file is removed. With `go_on` what
        was committed stays beside, and the next such build goes on with it; a full disk and another
        version remove it all the same.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with alone(self.files.build_lock, self._patience()):
            if not go_on:
                shutil.rmtree(self.files.building, ignore_errors=True)
            self.files.building.mkdir(exist_ok=True)
            new = self.files.building / self.files.derived.name
            try:
                with self._connection(self.files.building / "spill") as connection:
                    notes = files.attach_derived(connection, new, self.options.producer)
                    with _transaction(connection, notes) as writer:
                        yield writer
                    new = compact(connection, new)
                with self._room(exclusive=True):
                    files.replace(new, self.files.derived)
            except BaseException as error:
                if go_on and not isinstance(error, StoreFull):
                    raise
                shutil.rmtree(self.files.building, ignore_errors=True)
                raise
            shutil.rmtree(self.files.building, ignore_errors=True)

    @contextmanager
    def indexing(self) -> Iterator[WhenAlone]:
        """Say that rows are being added, for the length of a run; others may do so too.

        What is given does something if nobody else does, and lets others wait meanwhile. Raises
        StoreBusy.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with among_others(self.files.index_lock, self._patience()) as when_alone:
            yield when_alone

    def drop_unreachable(self, until: int) -> int:
        """Drop commits that are unreachable since `until` (seconds UTC) or before.

        What only they needed goes with them. Only for who is alone in adding rows (`indexing`).
        Returns how many were dropped. Raises StoreBusy, StoreFull.
        """
        return self._drop(lambda connection: pruning.drop_unreachable(connection, until))

    def drop_since(self, blobs: Sequence[BlobId]) -> int:
        """Drop the commits that hold one of these blobs and all that stand on them.

        They can be stored anew, then. As `drop_unreachable`.
        """
        return self._drop(lambda connection: pruning.drop_since(connection, blobs))

    def _drop(self, drop: Callable[[duckdb.DuckDBPyConnection], int]) -> int:
        with self._room(exclusive=True):
            with self._connection() as connection:
                attach(connection, self.files.derived, DERIVED, writable=True)
                connection.execute(f"USE {DERIVED}")
                dropped = drop(connection)
                new = compact(connection, self.files.derived) if dropped else self.files.derived
            if new != self.files.derived:
                files.replace(new, self.files.derived)
        return dropped

    def record(
        self, table: str, bodies: Sequence[Mapping[str, Any]], recorded_at: int
    ) -> list[str]:
        """Record authored rows; return their ids. They are durable when this returns.

        `recorded_at` is in milliseconds UTC; rows recorded together keep their order.
        Equal content has an equal id and is kept once. Raises StoreFull.
        """
        ids = self.spool(table, bodies, recorded_at)
        with suppress(StoreBusy):  # the journal has the rows; the next session projects them
            self.project()
        return ids

    def spool(self, table: str, bodies: Sequence[Mapping[str, Any]], recorded_at: int) -> list[str]:
        """Put rows into the journal alone, as `record` does; waits for nobody. Raises StoreFull."""
        records = [Record(table, recorded_at, body, number) for number, body in enumerate(bodies)]
        self.folder.mkdir(parents=True, exist_ok=True)
        with named_errors():
            self.journal.append(records)
        return [record.id for record in records]

    def bring(self, records: Sequence[Record]) -> int:
        """Record rows that were recorded elsewhere, as they are; return how many were new here.

        What the journal has, and what a tombstone names, is left out. Raises StoreFull, StoreBusy.
        """
        known = self.journal.read({}).records
        gone = deleted(known)
        ids = {record.id for record in known}
        fresh = {
            record.id: record
            for record in records
            if record.id not in ids and not is_deleted(record, gone)
        }
        if fresh:
            self.folder.mkdir(parents=True, exist_ok=True)
            with named_errors():
                self.journal.append(list(fresh.values()))
            with suppress(StoreBusy):
                self.project()
        return len(fresh)

    def authored(self) -> list[Record]:
        """Return every row of the journal once, oldest first; deleted items are left out."""
        records = self.journal.read({}).records
        gone = deleted(records)
        by_id: dict[str, Record] = {}
        for record in sorted(records, key=lambda one: (one.recorded_at, one.number)):
            if not is_deleted(record, gone):
                by_id.setdefault(record.id, record)
        return list(by_id.values())

    def deleted_items(self) -> frozenset[str]:
        """Return the ids of the recorded items that are to be gone."""
        return deleted(self.journal.read({}).records)

    def delete_item(self, item: str, reason: str, recorded_at: int) -> str:
        """Let a recorded item, and all that belongs to it, be gone from every answer.

        Returns the id of the tombstone. The journal keeps the bytes until it is written anew.
        """
        body = {"subject_id": item, "kind": ITEM, "reason": reason}
        return self.record("review.tombstone", [body], recorded_at)[0]

    def project(self) -> int:
        """Bring the authored tables up to the journal; return how many rows were new."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._room(exclusive=True), self._connection() as connection:
            self._attach_authored(connection)
            return authored.project(connection, self.journal)

    def store_bytes(self) -> int:
        """Return the bytes of everything the store keeps on disk."""
        return self.files.bytes() if self.folder.exists() else 0

    def _patience(self) -> Patience:
        return Patience(self.options.wait_seconds, self.options.purpose)

    def _room(self, *, exclusive: bool) -> AbstractContextManager[None]:
        return room(self.folder, self._patience(), exclusive=exclusive)

    def _connection(
        self, spill: Path | None = None
    ) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        return connected(spill or self.files.spill)

    def _reader(self, connection: duckdb.DuckDBPyConnection) -> Reader:
        authored.attach_for_reading(connection, self.files.authored, self.journal)
        if self.exists():
            attach(connection, self.files.derived, DERIVED, writable=False)
            if files.outdated(connection, "") is not None:
                connection.execute(f"DETACH {DERIVED}")
                attach_memory(connection, DERIVED)
                make_derived(connection, DERIVED, "")
        else:
            attach_memory(connection, DERIVED)
            make_derived(connection, DERIVED, "")
        connection.execute(f"USE {DERIVED}")
        return Reader(connection, self.repository, pack, unpack)

    def _heal_log(self) -> None:
        """Set aside a log that a killed process left and that cannot be replayed."""
        if not files.wal_of(self.files.derived).exists():
            return
        try:
            with self._room(exclusive=False), self._connection() as connection:
                attach(connection, self.files.derived, DERIVED, writable=False)
        except StoreTooNew:
            raise
        except StoreDamaged:
            with self._room(exclusive=True), self._connection() as connection:
                if files.wal_of(self.files.derived).exists():
                    files.attach_derived(connection, self.files.derived, "")

    def _attach_authored(self, connection: duckdb.DuckDBPyConnection) -> None:
        try:
            attach(connection, self.files.authored, AUTHORED, writable=True)
        except duckdb.Error as error:
            files.heal(self.files.authored, error)
            self._attach_authored(connection)


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection, notes: Sequence[str]) -> Iterator[Writer]:
    """Give a writer on the attached derived file; commit at a good end, roll back at a bad one."""
    connection.execute(f"USE {DERIVED}")
    connection.begin()
    writer = Writer(connection, DERIVED, pack, notes)
    try:
        yield writer
        writer.finish()
    except BaseException:
        with suppress(duckdb.Error):
            connection.rollback()
        raise
