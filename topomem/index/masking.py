"""Secrets stay at the door: what is stored of code, records and messages has none of their values.

The text itself stays in git, and so do its places and digests: only what is kept to be shown and to
be searched goes without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from topomem.extract.facts import extract
from topomem.extract.gates import Limits, read
from topomem.languages.load import Language
from topomem.model.code import BlobFacts, Op, RegionFacts
from topomem.model.history import Commit
from topomem.model.ids import BlobId, RegionKey
from topomem.model.packing import pack
from topomem.model.words import parts, words
from topomem.secrets.scan import Secret, redact, scan_code

_RUN = re.compile(r"\w+")
_NESTED = b"\0"


def without_secrets(commit: Commit) -> Commit:
    """Return a commit with a message that holds no secrets."""
    message = redact(commit.message)
    return commit if message == commit.message else replace(commit, message=message)


def extract_masked(
    blob: BlobId, source: bytes | None, language: Language, limits: Limits
) -> tuple[BlobFacts, list[RegionFacts]]:
    """Return what a blob says, and the facts of all its regions, without secrets."""
    facts, regions = extract(blob, source, language, limits=limits)
    if source is None:
        return facts, regions
    masked = mask(facts, regions, read_as(source, language, limits))
    return facts, [masked.get(region.key, region) for region in regions]


def mask_packed(
    facts: BlobFacts, regions: Sequence[RegionFacts], packed: Mapping[RegionKey, bytes], text: bytes
) -> tuple[list[RegionFacts], dict[RegionKey, bytes]]:
    """Return regions, and the same packed, without secrets."""
    masked = mask(facts, regions, text)
    if not masked:
        return list(regions), dict(packed)
    again = {key: pack(region) for key, region in masked.items()}
    return [masked.get(region.key, region) for region in regions], {**packed, **again}


def mask(
    facts: BlobFacts, regions: Sequence[RegionFacts], text: bytes
) -> dict[RegionKey, RegionFacts]:
    """Return those of a blob's regions that held secrets, without them.

    `text` is what places refer to. A region is looked at by itself, so that what is found in it
    does not depend on the blob it came with.
    """
    wanted = {region.key: region for region in regions}
    found: dict[RegionKey, RegionFacts] = {}
    own = _own_texts(facts, text, wanted)
    for key, region in wanted.items():
        clean = mask_region(region, own.get(key, b"").decode("utf-8", "replace"))
        if clean is not region:
            found[key] = clean
    return found


def mask_region(facts: RegionFacts, text: str) -> RegionFacts:
    """Return the facts of a region, whose own text is given, without the secrets in it."""
    if facts.docstring and facts.docstring[:_ENOUGH] not in text:
        text = f"{facts.docstring}\n{text}"  # it stands before the definition
    secrets = scan_code(text)
    if not secrets:
        return facts
    values = sorted(
        {(text[one.start : one.end], one.rule) for one in secrets},
        key=lambda pair: (-len(pair[0]), pair),
    )

    def clean(shown: str) -> str:
        for value, rule in values:
            if value in shown:
                shown = shown.replace(value, f"[secret: {rule}]")
        return shown

    gone = _words_inside(text, secrets) - set(words(_without(text, secrets)))
    return replace(
        facts,
        declarations=tuple(
            replace(one, signature=_clean_line(clean(one.signature), values))
            for one in facts.declarations
        ),
        docstring=redact(clean(facts.docstring)),
        texts=tuple(
            clean(one) if kind in _WRITTEN else one
            for kind, one in zip(facts.kinds, facts.texts, strict=True)
        ),
        words=tuple(row for row in facts.words if row[0] == "name" or row[1] not in gone),
    )


def _clean_line(line: str, values: Sequence[tuple[str, str]]) -> str:
    """Return a signature without the beginnings of values: lines are joined in it, and cut off."""
    for value, rule in values:
        joined = " ".join(value.split())
        shown = line.rstrip("…")
        at = line.find(joined[:_BEGINNING]) if len(joined) >= _BEGINNING else -1
        for size in range(min(len(joined), _BEGINNING) - 1, _SHORTEST - 1, -1):
            if at < 0 and len(shown) < len(line) and shown.endswith(joined[:size]):
                at = len(shown) - size
        if at >= 0:
            line = f"{line[:at]}[secret: {rule}]"
    return line


_WRITTEN = frozenset({Op.STRING_VALUE, Op.STRING_TYPE, Op.PAIR_NAME})
"""Ops with the text of a literal; that of others is a name, and names are linked by."""
_ENOUGH = 40
_BEGINNING = 24
_SHORTEST = 4


def _own_texts(
    facts: BlobFacts, text: bytes, wanted: Mapping[RegionKey, object]
) -> dict[RegionKey, bytes]:
    """Return the text of regions without that of nested ones."""
    places = facts.placements
    children: dict[int, list[int]] = {}
    for index, place in enumerate(places):
        children.setdefault(place.parent, []).append(index)
    found: dict[RegionKey, bytes] = {}
    for index, place in enumerate(places):
        if place.region not in wanted or place.region in found:
            continue
        at, pieces = place.span.start_byte, []
        for child in children.get(index, ()):
            span = places[child].span
            pieces.append(text[at : span.start_byte])
            at = span.end_byte
        found[place.region] = _NESTED.join([*pieces, text[at : place.span.end_byte]])
    return found


def _words_inside(text: str, secrets: Sequence[Secret]) -> set[str]:
    """Return the words of all runs of letters that have a part in a secret."""
    found: set[str] = set()
    for secret in secrets:
        start, end = secret.start, secret.end
        while start and _RUN.match(text, start - 1):
            start -= 1
        for run in _RUN.finditer(text, start):
            if run.start() >= end:
                break
            found.update(parts(run.group()))
    return found


def _without(text: str, secrets: Sequence[Secret]) -> str:
    """Return a text with a blank for each run of letters that has a part in a secret."""
    pieces: list[str] = []
    place = 0
    for secret in secrets:
        start, end = secret.start, secret.end
        while start > place and _RUN.match(text, start - 1):
            start -= 1
        while end < len(text) and _RUN.match(text, end):
            end += 1
        pieces.append(text[place:start])
        place = max(place, end)
    return " ".join([*pieces, text[place:]])


def read_as(source: bytes, language: Language, limits: Limits) -> bytes:
    """Return the text of a blob that places refer to; empty where it is not read."""
    spec = language.spec.text
    return read(source, limits, spec.generated, cookie=spec.coding_cookie).text or b""
