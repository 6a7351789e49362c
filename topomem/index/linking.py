"""The linker at work: one current state that moves from commit to commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import overload

from topomem.index.blobs import Blobs
from topomem.index.events import Emit, FileLinked
from topomem.index.facts import FactCache, RegionList, RegionMap
from topomem.index.recording import RecordedFile
from topomem.index.selection import NO_LANGUAGE
from topomem.index.steps import FileStep
from topomem.link.config import CONFIG_FILES
from topomem.link.files import ConfigFile, FileChange, FileFacts
from topomem.link.linker import LinkedRegion, LinkEvent, advance, empty_state, restore
from topomem.link.numbering import Question
from topomem.model.code import BlobFacts, FileLinks, RegionFacts
from topomem.model.history import Mode
from topomem.model.ids import FilePath
from topomem.store.writer import Asked, LinkedFile

_LARGEST_CONFIG = 1 << 20
_BETWEEN = "\x1f"
_MOST_HELD = 10_000

Regions = Callable[[FactCache, BlobFacts], Sequence[RegionFacts]]


class Linker:
    """Holds the files and links of one commit."""

    def __init__(self, facts: FactCache, blobs: Blobs, emit: Emit) -> None:
        self._facts = facts
        self._blobs = blobs
        self._emit = emit
        self._state = empty_state()
        self._files: dict[FilePath, FileStep] = {}
        self._held: dict[int, tuple[tuple[Question, ...], _Asked]] = {}

    def restore(
        self,
        files: Sequence[FileStep],
        links: Mapping[FilePath, FileLinks],
        asked: Mapping[FilePath, Sequence[Sequence[Asked]]],
    ) -> None:
        """Stand on a commit whose links are stored; nothing is linked."""
        self._files = {file.path: file for file in files}
        known: dict[int, Question] = {}
        linked = {
            path: [
                LinkedRegion(region.region, region.edges, _questions(questions, known))
                for region, questions in zip(found.regions, asked[path], strict=True)
            ]
            for path, found in links.items()
        }
        changes = [change for file in files if (change := self._change(file, RegionList))]
        self._state = restore(changes, linked)

    def move(self, files: Sequence[FileStep]) -> None:
        """Go to another commit, one that is stored already."""
        if files:
            self._advance(files)

    def advance(self, files: Sequence[FileStep]) -> list[RecordedFile]:
        """Go to the next commit and return all it changes: `files`, and files linked anew."""
        linked = self._advance(files)
        recorded = [RecordedFile(file, linked.pop(file.path, None)) for file in files]
        recorded.extend(RecordedFile(self._files[path], found) for path, found in linked.items())
        return recorded

    def _advance(self, files: Sequence[FileStep]) -> dict[FilePath, LinkedFile]:
        changes = [change for file in files if (change := self._change(file)) is not None]
        for file in files:
            if file.entry is None:
                self._files.pop(file.path, None)
            else:
                self._files[file.path] = file
        told: set[FilePath] = set()

        def tell(event: LinkEvent) -> None:
            if event.path not in told:
                told.add(event.path)
                self._emit(FileLinked(event.path, event.reason))

        self._state, delta = advance(self._state, changes, tell)
        return {
            path: self._linked(links)
            for path, links in delta.files.items()
            if links is not None and links.regions
        }

    def _change(self, file: FileStep, regions: Regions = FactCache.regions) -> FileChange | None:
        """Return what the linker is told of a path; None where it does not care."""
        before = self._files.get(file.path)
        if file.entry is not None and file.language != NO_LANGUAGE:
            blob = self._facts.blob((file.entry.blob, file.language))
            facts = FileFacts(file.path, file.entry.mode, blob, regions(self._facts, blob))
            return FileChange(file.path, facts)
        text = self._config(file)
        if text is not None:
            return FileChange(file.path, ConfigFile(file.path, text))
        was_seen = before is not None and (before.language != NO_LANGUAGE or decides(file.path))
        return FileChange(file.path, None) if was_seen else None

    def _config(self, file: FileStep) -> str | None:
        """Return the text of a file that decides how names resolve."""
        if file.entry is None or not decides(file.path):
            return None
        if file.entry.mode not in (Mode.FILE, Mode.EXECUTABLE):
            return None
        if (self._blobs.size(file.entry.blob) or 0) > _LARGEST_CONFIG:
            return None
        source = self._blobs.read(file.entry.blob)
        return None if source is None else source.decode("utf-8", "replace")

    def _linked(self, links: FileLinks) -> LinkedFile:
        file = self._files[links.path]
        blob = self._facts.blob((links.blob, file.language))
        asked = [self._asked(questions) for questions in self._state.questions(links.path)]
        return LinkedFile(links, RegionMap(self._facts, blob), asked)

    def _asked(self, questions: tuple[Question, ...]) -> _Asked:
        """Return questions as the store takes them: the same object for the same questions."""
        held = self._held.get(id(questions))
        if held is None:
            if len(self._held) > _MOST_HELD:
                self._held.clear()
            held = self._held[id(questions)] = questions, _Asked(questions)
        return held[1]


class _Asked(Sequence[Asked]):
    """Questions as the store takes them, made when they are looked at."""

    __slots__ = ("_questions",)

    def __init__(self, questions: tuple[Question, ...]) -> None:
        self._questions = questions

    def __len__(self) -> int:
        return len(self._questions)

    @overload
    def __getitem__(self, index: int) -> Asked: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Asked]: ...

    def __getitem__(self, index: int | slice) -> Asked | Sequence[Asked]:
        if isinstance(index, slice):
            return _Asked(self._questions[index])
        return _BETWEEN.join(self._questions[index]), ""


def _questions(asked: Sequence[Asked], known: dict[int, Question]) -> tuple[Question, ...]:
    """Return questions as the linker asked them; `known` has them by the identity of the stored."""
    for one in asked:
        if id(one) not in known:
            known[id(one)] = tuple(one[0].split(_BETWEEN))
    return tuple([known[id(one)] for one in asked])


@lru_cache(1 << 16)
def decides(path: FilePath) -> bool:
    """Return whether a file, which is no code, decides how names resolve."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(name, pattern) for pattern in CONFIG_FILES)
