"""What a record says of other records: supersedes, superseded by, amends ..."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from topomem.model.decision import Relation, RelationKind
from topomem.records.front_matter import FrontMatter
from topomem.records.lines import Lines

_SUPERSEDE = r"super[sc]ee?d"
PHRASES: tuple[tuple[RelationKind, str], ...] = (
    ("superseded_by", rf"{_SUPERSEDE}ed[ -]*(?:in[ -]part[ -]*|partly |partially )?(?:by|in)"),
    ("superseded_by", r"(?:replaced|obsoleted|invalidated|overridden|reverted)[ -]*(?:by|in|with)"),
    ("in_favour_of", r"in (?:favou?r|place) of"),
    ("amended_by", r"amended[ -]*(?:by|in)|updated by|extended by|clarified by"),
    ("supersedes", rf"{_SUPERSEDE}es|{_SUPERSEDE}ing|obsoletes|invalidates|replaces|overrides"),
    ("amends", r"amends|updates|extends|clarifies"),
)
_PHRASE = re.compile(
    "|".join(f"(?P<p{at}>{words})" for at, (_, words) in enumerate(PHRASES)), re.IGNORECASE
)
_KEYS: dict[str, RelationKind] = {
    **dict.fromkeys(("supersedes", "supercedes", "replaces", "obsoletes"), "supersedes"),
    **dict.fromkeys(
        ("superseded-by", "superceded-by", "replaced-by", "obsoleted-by", "supersededby"),
        "superseded_by",
    ),
    **dict.fromkeys(("amends", "extends", "updates"), "amends"),
    **dict.fromkeys(("amended-by", "extended-by", "updated-by"), "amended_by"),
    **dict.fromkeys(
        ("related", "relates-to", "related-to", "see-also", "links", "depends-on"), "relates"
    ),
}
_LINK = re.compile(r"\[([^\]\[\n]{0,300})\]\(<?([^)\s>]{1,500})>?(?:\s[^)\n]{0,300})?\)")
_REFERENCE = re.compile(r"\[([^\]\[\n]{1,300})\](?:\[([^\]\[\n]{0,300})\])?(?!\()")
_DEFINITION = re.compile(r"^\s{0,3}\[([^\]]+)\]:\s*<?(\S+?)>?(?:\s|$)")
_RST_LINK = re.compile(
    r"`([^`<]{1,300}?)\s{0,9}<([^>`]{1,500})>`_{1,2}|:(?:doc|ref):`(?:[^`<]{0,300}<)?([^`>]{1,300})>?`"
)
_WIKI = re.compile(r"\[\[([^\]\[|]{1,300})(?:\|[^\]]{0,300})?\]\]")
_RECORD = re.compile(r"\b(?:ADR|MADR|LADR|decision|record)s?[ \-_#:]*?0*(\d{1,5})\b", re.IGNORECASE)
_FILE = re.compile(r"(?<![\w./-])[\w./-]{0,200}\d[\w-]{0,100}\.(?:md|markdown|rst|adoc)\b")
_NUMBER = re.compile(r"^\W{0,3}#?0*(\d{1,4})\b(?!-\d\d)")
_AND = re.compile(r"(?:\s{0,3}(?:,|and\b|&)\s{0,3}#?\d{1,4}\b(?![.\w-])){1,9}")
_SLUG = re.compile(r"\b(\d{8}-[a-z0-9-]+)\b")
_PART = re.compile(r"\b(?:part(?:ly|ially|s)?|in part|some|sections?)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(?:this|the (?:adr|decision|record|present))\b", re.IGNORECASE)
_STARTS = re.compile(r"^\W*(?:status\W+)?$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[^\d\s][.;!?])\s+(?=[A-Z])")
_AFTER = 240


@dataclass(frozen=True, slots=True)
class Target:
    """How another record is named: the address and number that a text gives."""

    text: str
    address: str
    number: int | None


def relations(lines: Lines, front: FrontMatter, state_lines: range) -> list[Relation]:
    """Return what a record says of others, in order of lines, each once.

    `state_lines` are those of its status: what stands there is said of the record as a whole.
    """
    definitions = link_definitions(lines)
    found = [*_in_front(front, definitions)]
    for number in range(lines.first, len(lines) + 1):
        if lines.is_quoted(number) and number not in state_lines:
            continue
        found += _in_line(lines, number, definitions, is_state=number in state_lines)
    unique: dict[tuple[str, str, int | None], Relation] = {}
    for one in found:
        unique.setdefault((one.kind, one.target, one.number), one)
    return sorted(unique.values(), key=lambda one: one.line)


def link_definitions(lines: Lines) -> dict[str, str]:
    """Return the addresses of reference links, by their label in lower case."""
    found = (_DEFINITION.match(line) for line in lines.shown)
    return {match[1].casefold(): match[2] for match in found if match}


def targets(text: str, definitions: dict[str, str]) -> list[Target]:
    """Return the records a text names: by link if there is one, else by number, file or slug."""
    found = [
        Target(one[1], one[2], number_in(one[1]) or number_in(one[2]))
        for one in _LINK.finditer(text)
    ]
    for one in _RST_LINK.finditer(text):
        address = one[2] or one[3]
        found.append(Target(one[1] or address, address, number_in(address)))
    found += [Target(one[1], one[1], number_in(one[1])) for one in _WIKI.finditer(text)]
    rest = _LINK.sub(" ", _WIKI.sub(" ", text))
    for one in _REFERENCE.finditer(rest):
        address = definitions.get((one[2] or one[1]).casefold(), "")
        if address or number_in(one[1]) is not None:
            found.append(Target(one[1], address, number_in(one[1])))
    return found or _unlinked(rest)


def _unlinked(text: str) -> list[Target]:
    if files := _FILE.findall(text):
        return [Target(name, name, number_in(name.rsplit("/", 1)[-1])) for name in files]
    if records := list(_RECORD.finditer(text)):
        more = _AND.match(text, records[-1].end())
        numbers = re.findall(r"\d+", more.group()) if more else []
        return [
            *(Target(one.group(), "", int(one[1])) for one in records),
            *(Target(number, "", int(number)) for number in numbers),
        ]
    if slugs := _SLUG.findall(text):
        return [Target(slug, slug, None) for slug in slugs]
    number = _NUMBER.match(text)
    return [Target(text.strip()[:80], "", int(number[1]))] if number else []


def number_in(text: str) -> int | None:
    """Return the number a label or address calls a record by; None for a date or none."""
    name = text.rsplit("/", 1)[-1]
    if _SLUG.search(name):
        return None
    found = _RECORD.search(name) or re.match(r"\W{0,3}#?0*(\d{1,5})(?![\d.]*\d)\b", name)
    return int(found[1]) if found else None


def _in_front(front: FrontMatter, definitions: dict[str, str]) -> Iterator[Relation]:
    for value in front.of("status", "state"):
        yield from _in_sentence(value.text, "", definitions, (value.line, True))
    for value in front.values:
        kind = _KEYS.get(value.key)
        if kind is None or not value.text or value.text in ("[]", "none", "None", "n/a"):
            continue
        for target in targets(value.text, definitions) or [Target(value.text, value.text, None)]:
            yield Relation(kind, target.text, target.address, target.number, value.line)


def _in_line(
    lines: Lines, number: int, definitions: dict[str, str], *, is_state: bool
) -> Iterator[Relation]:
    """Yield what the sentences of one line say; a name may be broken over to the next line."""
    following = lines.line(number + 1) if number < len(lines) else ""
    for sentence in _SENTENCE.split(lines.line(number)):
        is_last = lines.line(number).endswith(sentence)
        yield from _in_sentence(
            sentence, following if is_last else "", definitions, (number, is_state)
        )


def _in_sentence(
    sentence: str, following: str, definitions: dict[str, str], where: tuple[int, bool]
) -> Iterator[Relation]:
    phrases = list(_PHRASE.finditer(sentence))
    for at, phrase in enumerate(phrases):
        kind = PHRASES[int(str(phrase.lastgroup)[1:])][0]
        end = phrases[at + 1].start() if at + 1 < len(phrases) else len(sentence)
        before = sentence[max(0, phrase.start() - _AFTER) : phrase.start()]
        after = sentence[phrase.end() : min(end, phrase.end() + _AFTER)]
        if at + 1 == len(phrases) and not after.strip(" :*_"):
            after = following
        is_own = where[1] or bool(_STARTS.match(before)) or bool(_OWN.search(before))
        for target in targets(after.strip(" :*_"), definitions):
            if not where[1] and not _is_record(target):
                continue
            if not (is_own or _is_said_of_a_part(kind, before)):
                continue
            partly = not is_own or bool(_PART.search(sentence))
            yield Relation(kind, target.text, target.address, target.number, where[0], partly)


def _is_said_of_a_part(kind: RelationKind, before: str) -> bool:
    """Return whether prose says that something in the record was superseded by another one."""
    return kind == "superseded_by" and bool(re.search(r"\b(?:been|was|were|is|are)\W*$", before))


def _is_record(target: Target) -> bool:
    """Return whether a target looks like a record of the repository."""
    if "://" in target.address and not _FILE.search(target.address):
        return False
    return target.number is not None or bool(_FILE.search(target.address))
