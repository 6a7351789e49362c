"""Questions with known answers, out of a repository's own history.

The message of a commit asks; what it changed in its parent answers. It is asked without the
paths, ids, addresses and tickets that would give the answer away. The order of commits is that of a
digest of seed and id: equal seeds give equal questions, and newer history only adds some.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import sha256

from topomem.api.opening import Opened
from topomem.model.history import Commit, PathChange
from topomem.model.ids import CommitId, FilePath
from topomem.model.messages import without_addresses
from topomem.model.words import words
from topomem.retrieve.question import FUNCTION_WORDS
from topomem.retrieve.roles import Role, role_of
from topomem.retrieve.source import SourceLines

MOST_FILES = 5
_MOST_CHANGED = 30
_MOST_LINES = 400
_FEWEST_WORDS = 3
_LONGEST = 4_000
_LARGEST_BYTES = 400_000

_PATH = re.compile(r"(?<![\w@])(?:[\w.+-]+/)+[\w.+-]*|\b[\w+-]+\.[a-z]{1,5}\b(?!\()")
_TICKET = re.compile(r"(?i:\(?(?:\b(?:gh|pr|issue|bug)[-\s]?)?#\d+\b\)?)|\b[A-Z][A-Z0-9]+-\d+\b")
_DULL = re.compile(
    r"^\W*(?:bump|releas\w+|prepare|version|v?\d+\.\d+|merge|update (?:the )?(?:change|copyright"
    r"|licen|author|contributor|requirement|depend)|revert|wip|typos?|lint|reformat|format)\b",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    """add added adds fix fixed fixes change changed changes remove removed removes update updated
    improve move moved rename renamed refactor cleanup clean code file files test tests make new old
    use used support minor simplify""".split()  # noqa: SIM905  reads as prose
)


@dataclass(frozen=True, slots=True)
class Case:
    """One question: what is asked, as of which commit, and the lines that answer it there."""

    commit: CommitId
    parent: CommitId
    query: str
    lines: Mapping[FilePath, tuple[tuple[int, int], ...]]  # 1-based, inclusive

    @property
    def wanted(self) -> int:
        """The number of right lines."""
        return sum(last - first + 1 for spans in self.lines.values() for first, last in spans)


def cases(
    opened: Opened, commits: Iterable[Commit], stored: frozenset[CommitId], seed: int
) -> Iterator[Case]:
    """Yield the questions of some commits; those whose parent is not stored have none."""
    asked: set[str] = set()
    for commit in sorted(commits, key=lambda one: _digest(seed, one.id)):
        case = _case(opened, commit) if stored.issuperset(commit.present_parents) else None
        if case is not None and case.query not in asked:
            asked.add(case.query)
            yield case


def question_of(message: str, files: Iterable[FilePath] = ()) -> str:
    """Return what a message asks once everything is left out that names the answer."""
    text = _TICKET.sub(" ", without_addresses(message))
    for path in files:
        text = text.replace(path, " ").replace(path.rpartition("/")[2], " ")
    return re.sub(r"[ \t]+", " ", _PATH.sub(" ", text)).strip()[:_LONGEST]


def _digest(seed: int, commit: CommitId) -> str:
    return sha256(f"{seed}:{commit}".encode()).hexdigest()


def _case(opened: Opened, commit: Commit) -> Case | None:
    """Return the question of a commit; None where it makes none."""
    repository = opened.repository
    if len(commit.present_parents) != 1 or _DULL.match(commit.message):
        return None
    parent = repository.commit(commit.present_parents[0])
    changes = repository.changes(parent, commit)
    edited = [one for one in changes if one.old and role_of(one.path) is Role.SOURCE]
    if not edited or len(edited) > MOST_FILES or len(changes) > _MOST_CHANGED:
        return None
    query = question_of(commit.message, [one.path for one in edited])
    told = {word for word in words(query) if word.isalpha()} - FUNCTION_WORDS - _PLAIN
    if len(told) < _FEWEST_WORDS:
        return None
    lines = {one.path: spans for one in edited if (spans := _changed_lines(opened, one))}
    case = Case(commit.id, parent.id, query, lines)
    return case if lines and case.wanted <= _MOST_LINES else None


def _changed_lines(opened: Opened, change: PathChange) -> tuple[tuple[int, int], ...]:
    """Return the lines of the old text that a change took away, or put something at."""
    assert change.old is not None  # noqa: S101 - only those are asked for
    old = opened.repository.read(change.old.blob)
    new = opened.repository.read(change.new.blob) if change.new else b""
    if old is None or new is None or max(len(old), len(new)) > _LARGEST_BYTES or b"\0" in old:
        return ()
    before = [line.strip() for line in SourceLines(old).lines]
    after = [line.strip() for line in SourceLines(new).lines]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return tuple(
        (start + 1, end) if end > start else (max(start, 1), max(start, 1))
        for tag, start, end, _, _ in matcher.get_opcodes()
        if tag != "equal"
    )
