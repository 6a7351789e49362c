"""Moving authored rows: to and from a remote, to and from files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topomem.errors import TransportFailed, UnknownRevision, UsageError
from topomem.git.transport import Transport
from topomem.secrets.scan import redact
from topomem.share import sharing
from topomem.share.lines import Asked, Trouble, commit_of, line_of, read_lines, shared
from topomem.store.locks import Patience, alone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from topomem.api.opening import Opened
    from topomem.git.repository import Repository
    from topomem.store.journal import Record
    from topomem.store.store import Store

DEFAULT_REMOTE = "origin"
_LOCK = "share.lock"
_WAIT_SECONDS = 60.0

LOCATIONS = frozenset(
    """
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS
    GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE
    GIT_INTERNAL_SUPER_PREFIX GIT_NAMESPACE GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX
    GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE
    """.split()  # noqa: SIM905  reads as prose
)
"""Variables that hooks set and that would lead git to another repository."""


@dataclass(frozen=True, slots=True)
class ShareReport:
    """How many rows moved: `rows` are new at the end they went to, `seen` were looked at there.

    `troubles` are lines that were not read; those of a later version are among `later`.
    """

    direction: str
    remote: str
    rows: int
    seen: int
    tries: int = 1
    troubles: tuple[Trouble, ...] = ()

    @property
    def is_rubbish(self) -> bool:
        """Whether there were lines, and none of them a row of this or of a later version."""
        odd = [one for one in self.troubles if not one.is_later]
        return bool(odd) and not self.seen and len(odd) == len(self.troubles)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say of lines that were not read."""
        later = sum(one.is_later for one in self.troubles)
        odd = [one for one in self.troubles if not one.is_later]
        said = [f"{later} lines of a later version were left alone"] if later else []
        if odd:
            said.append(f"{len(odd)} lines were not read; line {odd[0].line}: {odd[0].why}")
        if self.is_rubbish:
            said.append("no line is a row that `topomem export` writes")
        return tuple(said)


def push(opened: Opened, remote: str) -> ShareReport:
    """Hand this store's rows to a remote. Raises TransportFailed, UsageError, StoreBusy."""
    return _share(opened, remote, "push", sharing.push)


def pull(opened: Opened, remote: str) -> ShareReport:
    """Take over a remote's rows. Raises TransportFailed, UsageError, StoreBusy, StoreFull."""
    return _share(opened, remote, "pull", sharing.pull)


def export_lines(opened: Opened, since: str) -> Iterator[str]:
    """Yield every row that travels as a line, oldest first.

    `since` is a date (ISO), or a revision: what is bound to it or to what is behind it is left out.
    Raises UnknownRevision.
    """
    records = list(shared(opened.store.authored()))
    if since:
        records = _later(opened, records, since)
    return (line_of(record) for record in records)


def import_lines(opened: Opened, lines: Iterable[str], name: str) -> ShareReport:
    """Take over rows from lines; doing it again changes nothing. Raises StoreFull."""
    latest = int(time.time() + sharing.TOLERANCE_SECONDS) * 1000
    known = frozenset(record.id for record in opened.store.authored())
    found = read_lines(lines, Asked(f"file {name}", latest, known))
    new = opened.store.bring(found.records)
    seen = len(found.records) + found.known
    return ShareReport("import", name, new, seen, troubles=found.troubles)


def git_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for git: nothing that names another repository, and no questions."""
    kept = {name: value for name, value in environment.items() if name not in LOCATIONS}
    return kept | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def _share(
    opened: Opened,
    remote: str,
    direction: str,
    job: Callable[[Repository, Store, Transport, int], sharing.Shared],
) -> ShareReport:
    environment = git_environment(os.environ)
    transport = Transport(opened.repository.common_dir, remote or DEFAULT_REMOTE, environment)
    opened.store.folder.mkdir(parents=True, exist_ok=True)
    with alone(opened.store.folder / _LOCK, Patience(_WAIT_SECONDS, f"share {direction}")):
        try:
            done = job(opened.repository, opened.store, transport, int(time.time()))
        except TransportFailed as error:  # an address may hold a password
            raise TransportFailed(redact(str(error)), error.hint) from error
    return ShareReport(
        direction, redact(transport.remote), done.rows, done.remote_rows, done.tries, done.troubles
    )


def _later(opened: Opened, records: list[Record], since: str) -> list[Record]:
    try:
        moment = datetime.fromisoformat(since)
    except ValueError:
        return _not_behind(opened, records, since)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    start = int(moment.timestamp() * 1000)
    return [record for record in records if record.recorded_at >= start]


def _not_behind(opened: Opened, records: list[Record], since: str) -> list[Record]:
    try:
        commit = opened.repository.resolve(since)
    except UnknownRevision as error:
        raise UsageError(f"{since!r} is neither a date nor a revision") from error
    behind = opened.repository.behind([commit], {commit_of(record) for record in records})
    return [record for record in records if commit_of(record) not in behind]
