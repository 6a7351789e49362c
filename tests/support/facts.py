"""Looking at the facts of a blob as one thing: regions put back where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topomem.extract.facts import extract
from topomem.languages.load import Language, load_languages
from topomem.model.code import BlobFacts, Declaration, Op, RegionFacts
from topomem.model.ids import BlobId

LANGUAGES = load_languages()


def of_language(name: str) -> Language:
    """Return a language by name."""
    return LANGUAGES[name]


@dataclass(frozen=True)
class Facts:
    """Facts of one blob, with the facts of all its regions."""

    source: bytes
    blob: BlobFacts
    regions: tuple[RegionFacts, ...]  # parallel to placements

    def names(self) -> list[str]:
        """Return qualified names in order, light declarations behind those of their region."""
        return [name for name, _, _ in self.declarations()]

    def declarations(self) -> Iterator[tuple[str, Declaration, int]]:
        """Yield (qualified name, declaration, line of its name); the module is left out."""
        for index, (place, region) in enumerate(
            zip(self.blob.placements, self.regions, strict=True)
        ):
            own, *light = region.declarations
            if place.parent >= 0:
                yield place.name, own, place.name_line
            for declaration in light:
                at = place.parent if declaration.through_receiver else index
                above = self.blob.placements[at].name
                name = f"{above}.{declaration.name}" if above else declaration.name
                yield name, declaration, self.line(index, declaration.name_row)

    def kinds(self) -> dict[str, str]:
        """Return the kind of every qualified name."""
        return {name: declaration.kind.value for name, declaration, _ in self.declarations()}

    def region(self, name: str) -> RegionFacts:
        """Return the facts of the region with a qualified name."""
        names = [place.name for place in self.blob.placements]
        return self.regions[names.index(name)]  # type: ignore[arg-type]

    def lines(self, name: str) -> tuple[int, int]:
        """Return first and last line of a definition."""
        spans = {place.name: place.span for place in self.blob.placements}
        span = spans[name]  # type: ignore[index]
        return span.start_line, span.end_line

    def children(self, index: int) -> list[int]:
        """Return the placements nested directly in one."""
        places = self.blob.placements
        return [at for at, place in enumerate(places) if place.parent == index]

    def offset(self, index: int, offset: int) -> int:
        """Return the offset in the blob of an offset in a region's text."""
        place = self.blob.placements[index].span.start_byte + offset
        for child in self.children(index):
            span = self.blob.placements[child].span
            if span.start_byte < place:
                place += span.end_byte - span.start_byte - 1
        return place

    def line(self, index: int, row: int) -> int:
        """Return the line in the blob of a row of a region."""
        line = self.blob.placements[index].span.start_line + row
        for child in self.children(index):
            span = self.blob.placements[child].span
            if span.start_line < line:
                line += span.end_line - span.start_line
        return line

    def text(self, index: int) -> bytes:
        """Return the text of a region, one NUL for each nested one."""
        pieces = []
        place = self.blob.placements[index].span.start_byte
        for child in self.children(index):
            span = self.blob.placements[child].span
            pieces.append(self.source[place : span.start_byte])
            place = span.end_byte
        pieces.append(self.source[place : self.blob.placements[index].span.end_byte])
        return b"\0".join(pieces)

    def references(self) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, text) in the blob of every op with a text."""
        for index, region in enumerate(self.regions):
            for kind, start, end, text in zip(
                region.kinds, region.starts, region.ends, region.texts, strict=True
            ):
                if text and kind != Op.DEFINE:
                    yield self.offset(index, start), self.offset(index, end - 1) + 1, text


def read_facts(source: bytes | str, language: str = "python") -> Facts:
    """Extract a source from nothing."""
    data = source.encode() if isinstance(source, str) else source
    blob, regions = extract(BlobId("0" * 40), data, LANGUAGES[language])
    by_key = {region.key: region for region in regions}
    return Facts(data, blob, tuple(by_key[place.region] for place in blob.placements))


def tree_text(region: RegionFacts) -> str:
    """Return a reduced tree as one line: `(CALL (CALLEE (NAME f)))`."""
    pieces: list[str] = []
    ends: list[int] = []
    for index, kind in enumerate(region.kinds):
        while ends and region.parents[index] != ends[-1]:
            pieces.append(")")
            ends.pop()
        text = f" {region.texts[index]}" if region.texts[index] else ""
        pieces.append(f"{' ' if pieces else ''}({Op(kind).name.lower()}{text}")
        ends.append(index)
    return "".join(pieces) + ")" * len(ends)
