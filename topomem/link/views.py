"""Files as the linker looks at them: definitions by name, tables of regions."""

from __future__ import annotations

from topomem.link.files import FileFacts
from topomem.link.scopes import Scope
from topomem.link.tree import Tree
from topomem.model.code import BlobFacts, Placement, RegionFacts, SymbolKind
from topomem.model.ids import LanguageName, QualifiedName, RegionKey


class Trees:
    """Trees and scopes of regions by content; shared by all files and commits."""

    def __init__(self) -> None:
        self._scopes: dict[RegionKey, Scope] = {}

    def scope(self, facts: RegionFacts) -> Scope:
        """Return the tables of a region."""
        scope = self._scopes.get(facts.key)
        if scope is None:
            scope = self._scopes[facts.key] = Scope(Tree(facts))
        return scope


class FileView:
    """One code file, with its definitions by name."""

    def __init__(self, facts: FileFacts, trees: Trees) -> None:
        self.facts = facts
        self.path = facts.path
        self.language: LanguageName = facts.blob.language
        placements = facts.blob.placements
        self.by_name = {place.name: number for number, place in enumerate(placements)}
        self.nested: list[list[int]] = [[] for _ in placements]
        for number, place in enumerate(placements):
            if place.parent >= 0:
                self.nested[place.parent].append(number)
        self._trees = trees
        self._scopes: list[Scope | None] = [None] * len(placements)

    @property
    def blob(self) -> BlobFacts:
        """The facts of the file's blob."""
        return self.facts.blob

    def placement(self, number: int) -> Placement:
        """Return a placement by its number."""
        return self.facts.blob.placements[number]

    def scope_at(self, number: int) -> Scope:
        """Return the tables of the region of a placement."""
        scope = self._scopes[number]
        if scope is None:
            scope = self._scopes[number] = self._trees.scope(self.facts.regions[number])
        return scope

    def kind_at(self, number: int) -> SymbolKind:
        """Return the kind of the definition of a placement."""
        return self.facts.regions[number].declarations[0].kind

    def defines(self, number: int, name: str) -> list[int]:
        """Return the placements right inside `number` whose own name is `name`."""
        placements = self.facts.blob.placements
        return [at for at in self.nested[number] if own_name(placements[at].name) == name]

    def defined_at(self, number: int, define: int) -> int:
        """Return the placement that a DEFINE op of the region stands for, -1 for none."""
        text = self.scope_at(number).tree.texts[define]
        nested = self.nested[number]
        ordinal = int(text) if text.isdigit() else -1
        return nested[ordinal] if 0 <= ordinal < len(nested) else -1

    def define_of(self, number: int) -> int:
        """Return the DEFINE op, in the enclosing region, of a placement; -1 when there is none."""
        parent = self.facts.blob.placements[number].parent
        if parent < 0:
            return -1
        ordinal = str(self.nested[parent].index(number))
        scope = self.scope_at(parent)
        for op in scope.defines:
            if scope.tree.texts[op] == ordinal:
                return op
        return -1


def own_name(name: QualifiedName) -> str:
    """Return the last part of a qualified name, without its overload suffix."""
    last = name.rpartition(".")[2]
    head, plus, suffix = last.rpartition("+")
    return head if plus and suffix.isdigit() else last
