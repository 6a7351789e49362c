"""Authored rows as lines of JSON, and back. What comes from elsewhere is checked, never trusted.

A line is one object: `schema` ("topomem/1"), `id`, `table`, `recorded_at` (milliseconds UTC),
`number` (order among rows recorded together) and `body`. The id is a digest of table and body, so a
line that was tampered with shows. Lines of a later schema are left alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from topomem.model.episode import CHECK, EVENT_KINDS, LINK_KINDS
from topomem.secrets.scan import redact
from topomem.store.journal import Record

SCHEMA = 1
_NAME = "topomem/"

LONGEST_LINE = 1 << 18
"""Characters of a line that is read."""

_LATEST = 1 << 53
_MOST_ROWS_AT_ONCE = 1 << 31
_DEEPEST = 12
_MOST_VALUES = 100_000
_ID = 16
_COMMIT = (40, 64)
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line that was not read: its number, from 1 on, and why."""

    line: int
    why: str
    is_later: bool = False  # of a later schema: nothing is wrong with it


@dataclass(frozen=True, slots=True)
class Lines:
    """What lines hold: the rows that can be used, and what could not be read."""

    records: tuple[Record, ...]
    troubles: tuple[Trouble, ...] = ()
    known: int = 0  # lines of rows that were known before


@dataclass(frozen=True, slots=True)
class Asked:
    """How lines are read: `origin` is where they come from.

    `latest` (milliseconds UTC) is the latest time that they may say; rows with `known` ids are not
    looked at again.
    """

    origin: str = ""
    latest: int = _LATEST
    known: frozenset[str] = frozenset()


class _Unfit(Exception):
    """A line is not one of ours; the message says why."""


def line_of(record: Record) -> str:
    """Return a row as a line, without its end; equal rows are equal lines."""
    row = {
        "schema": f"{_NAME}{SCHEMA}",
        "id": record.id,
        "table": record.table,
        "recorded_at": record.recorded_at,
        "number": record.number,
        "body": record.body,
    }
    return json.dumps(row, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def read_lines(lines: Iterable[str], asked: Asked | None = None) -> Lines:
    """Return the rows of lines, each once. Never raises."""
    asked = asked or Asked()
    records: dict[str, Record] = {}
    troubles: list[Trouble] = []
    known = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if asked.known and id_of(line) in asked.known:
            known += 1
            continue
        try:
            record = _record(line, asked)
        except _Unfit as error:
            later = str(error).startswith("later")
            troubles.append(Trouble(number, str(error), is_later=later))
            continue
        before = records.get(record.id)
        if before is None or _time(record) < _time(before):
            records[record.id] = record
    found = sorted(records.values(), key=lambda one: (*_time(one), one.id))
    return Lines(tuple(found), tuple(troubles), known)


def id_of(line: str) -> str:
    """Return the id of a line if it is that of its content, else ""; nothing more is checked."""
    try:
        row = json.loads(line, parse_constant=_refuse) if len(line) <= LONGEST_LINE else None
        if isinstance(row, dict) and isinstance(row.get("body"), dict):
            key = Record(str(row.get("table")), 0, row["body"]).id
            return key if key == row.get("id") else ""
    except (ValueError, RecursionError):
        pass
    return ""


def _time(record: Record) -> tuple[int, int]:
    return record.recorded_at, record.number


def _record(line: str, asked: Asked) -> Record:
    if len(line) > LONGEST_LINE:
        raise _Unfit(f"longer than {LONGEST_LINE} characters")
    try:
        row = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise _Unfit("no line of JSON") from error
    if not isinstance(row, dict):
        raise _Unfit("no object")
    _check_schema(row.get("schema"))
    table, body = row.get("table"), row.get("body")
    check = CHECKS.get(table) if isinstance(table, str) else None
    if check is None:
        raise _Unfit("not a table that is shared")
    if not isinstance(body, dict):
        raise _Unfit("no body")
    _check_values(body)
    check(body)
    made = Record(
        table=str(table),
        recorded_at=_number(row, "recorded_at", asked.latest),
        body=body,
        number=_number(row, "number", _MOST_ROWS_AT_ONCE),
        origin=asked.origin,
    )
    if made.id != row.get("id"):
        raise _Unfit("its id is not that of its content")
    return made


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _check_schema(schema: object) -> None:
    text = schema.removeprefix(_NAME) if isinstance(schema, str) else ""
    if schema == text or not text.isascii() or not text.isdigit():
        raise _Unfit("no schema of ours")
    if int(text[:9]) > SCHEMA:
        raise _Unfit(f"later schema: {text[:9]}")
    if int(text[:9]) < 1:
        raise _Unfit("no schema of ours")


def _number(row: Mapping[str, Any], key: str, most: int) -> int:
    value = row.get(key)
    if type(value) is not int or not 0 <= value < most:
        raise _Unfit(f"{key} is no number that can be")
    return value


def _check_values(body: Mapping[str, Any]) -> None:
    """Look at every value: not too deep, not too many, plain text, and no secret in any of it."""
    waiting: list[tuple[Any, int]] = [(body, 0)]
    seen = 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if depth > _DEEPEST or seen > _MOST_VALUES:
            raise _Unfit("nested too deep, or too much of it")
        if isinstance(value, dict):
            waiting += [(one, depth + 1) for pair in value.items() for one in pair]
        elif isinstance(value, list):
            waiting += [(one, depth + 1) for one in value]
        elif isinstance(value, str):
            _check_text(value)
        elif type(value) is int and not -_LATEST < value < _LATEST:
            raise _Unfit("a number that is too large")


def _check_text(text: str) -> None:
    if "\0" in text or not _is_unicode(text):
        raise _Unfit("a text that is none")
    if redact(text) != text:
        raise _Unfit("what looks like a secret")


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _check_event(body: Mapping[str, Any]) -> None:
    kind = body.get("kind")
    if not isinstance(kind, str) or kind not in EVENT_KINDS:
        raise _Unfit("no kind of event")
    _check_texts(body, ("text", "title", "author", "principal", "relevance", "outcome"))
    if kind != CHECK:  # a check says only whether there were changes
        _check_texts(body, ("dirty",))
    _check_id(body, "episode_id")
    _check_id(body, "by")
    _check_commit(body, "commit_id")
    for name in (*(f"{kind}s" for kind in LINK_KINDS), "replaces", "rivals"):
        found = body.get(name, [])
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise _Unfit(f"{name} is no list of texts")
    if not isinstance(body.get("data", {}), dict):
        raise _Unfit("data is no object")


def _check_verdict(body: Mapping[str, Any]) -> None:
    if body.get("kind") not in ("alias_accepted", "alias_rejected"):
        raise _Unfit("no kind of verdict")
    _check_texts(body, ("reason",))
    _check_id(body, "subject_id")
    _check_commit(body, "commit")
    for end in ("old", "new"):
        found = body.get(end)
        if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
            raise _Unfit(f"{end} is no symbol")


def _check_texts(body: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        if not isinstance(body.get(name, ""), str):
            raise _Unfit(f"{name} is no text")


def _check_id(body: Mapping[str, Any], name: str) -> None:
    value = body.get(name, "")
    if value != "" and not _is_hex(value, (_ID,)):
        raise _Unfit(f"{name} is no id")


def _check_commit(body: Mapping[str, Any], name: str) -> None:
    value = body.get(name, "")
    if value != "" and not _is_hex(value, _COMMIT):
        raise _Unfit(f"{name} is no commit")


def _is_hex(value: object, lengths: tuple[int, ...]) -> bool:
    return isinstance(value, str) and len(value) in lengths and _HEX.issuperset(value)


CHECKS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
    "episode.event": _check_event,
    "review.verdict": _check_verdict,
}
"""Tables whose rows travel. Tombstones and access rules are nobody else's to set."""


def commit_of(record: Record) -> str:
    """Return the commit that a row is bound to, "" for none."""
    return str(record.body.get("commit_id") or record.body.get("commit") or "")


def shared(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the rows that travel."""
    return (record for record in records if record.table in CHECKS)
