"""Files as the linker looks at them: definitions by name, tables of regions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from topomem.link.files import FileFacts
from topomem.link.imports import ImportForm
from topomem.link.marks import Mark
from topomem.link.scopes import Binding, Scope, dotted
from topomem.link.tree import Tree
from topomem.model.code import BlobFacts, Op, Placement, RegionFacts, SymbolKind
from topomem.model.ids import FilePath, LanguageName, QualifiedName, RegionKey

CLASSES = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.STRUCT,
        SymbolKind.NAMESPACE,
    }
)
"""Kinds of definitions that have members."""

FILLERS = frozenset({"append", "add", "insert", "appendleft", "extend", "update", "setdefault"})
"""Methods that put their arguments into the collection they are called on."""


class Use(NamedTuple):
    """An op of a region of a file."""

    path: FilePath
    scope: QualifiedName
    op: int


class Bound(NamedTuple):
    """How a scope binds a name: by statements, by nested definitions, by imports."""

    bindings: tuple[Binding, ...]
    nested: tuple[QualifiedName, ...]
    imports: tuple[ImportForm, ...]


class AttributeWrite(NamedTuple):
    """A binding of an attribute inside a function of its class."""

    scope: QualifiedName
    binding: Binding


FEWEST_TRIMMED = 6_000
"""Trees and tables that may be kept beyond those in use."""


class Trees:
    """Trees and scopes of regions by content; shared by all files and commits."""

    def __init__(self) -> None:
        self._trees: dict[RegionKey, Tree] = {}
        self._scopes: dict[RegionKey, Scope] = {}
        self._places: dict[RegionKey, dict[str, list[int]]] = {}
        self._enough = FEWEST_TRIMMED

    def tree(self, facts: RegionFacts) -> Tree:
        """Return the tree of a region."""
        tree = self._trees.get(facts.key)
        if tree is None:
            tree = self._trees[facts.key] = Tree(facts)
        return tree

    def trim(self, files: Iterable[FileView]) -> None:
        """Forget regions that no file has, when they have become many."""
        if len(self._trees) + len(self._places) < self._enough:
            return
        used = {place.region for file in files for place in file.blob.placements}
        for kept in (self._trees, self._scopes, self._places):
            for key in [key for key in kept if key not in used]:
                del kept[key]
        self._enough = FEWEST_TRIMMED + 2 * (len(self._trees) + len(self._places))

    def places(self, facts: RegionFacts) -> dict[str, list[int]]:
        """Return the ops of a region by their texts."""
        places = self._places.get(facts.key)
        if places is None:
            places = self._places[facts.key] = {}
            for op, text in enumerate(facts.texts):
                if text:
                    places.setdefault(text, []).append(op)
        return places

    def scope(self, facts: RegionFacts) -> Scope:
        """Return the tables of a region."""
        scope = self._scopes.get(facts.key)
        if scope is None:
            scope = self._scopes[facts.key] = Scope(self.tree(facts))
        return scope


class Notes(Protocol):
    """Takes down what is read."""

    asked: list[object]


class FileView:
    """One code file, with its definitions by name."""

    def __init__(self, facts: FileFacts, trees: Trees, notes: Notes) -> None:
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
        self._notes = notes
        self._marks = [Mark(facts.path, place.name) for place in placements]
        self.mark = Mark(facts.path, None)
        self._scopes: list[Scope | None] = [None] * len(placements)
        self._bound: list[dict[str, Bound] | None] = [None] * len(placements)
        self._defines: list[dict[str, list[int]] | None] = [None] * len(placements)
        self._uses: dict[str, list[Use]] = {}
        self._declared: dict[int, set[str]] = {}
        self._attributes: dict[int, dict[str, tuple[AttributeWrite, ...]]] = {}
        self._elements: dict[int, dict[str, tuple[Use, ...]]] = {}

    @property
    def blob(self) -> BlobFacts:
        """The facts of the file's blob."""
        return self.facts.blob

    def placement(self, number: int) -> Placement:
        """Return a placement by its number."""
        return self.facts.blob.placements[number]

    def tree_at(self, number: int) -> Tree:
        """Return the tree of the region of a placement, without its tables."""
        self._notes.asked.append(self._marks[number])
        return self._trees.tree(self.facts.regions[number])

    def scope_at(self, number: int) -> Scope:
        """Return the tables of the region of a placement."""
        self._notes.asked.append(self._marks[number])
        scope = self._scopes[number]
        if scope is None:
            scope = self._scopes[number] = self._trees.scope(self.facts.regions[number])
        return scope

    def kind_at(self, number: int) -> SymbolKind:
        """Return the kind of the definition of a placement."""
        self._notes.asked.append(self._marks[number])
        return self.facts.regions[number].declarations[0].kind

    def defines(self, number: int, name: str) -> list[int]:
        """Return the placements right inside `number` whose own name is `name`."""
        table = self._defines[number]
        if table is None:
            placements = self.facts.blob.placements
            table = self._defines[number] = {}
            for at in self.nested[number]:
                table.setdefault(own_name(placements[at].name), []).append(at)
        return table.get(name, [])

    def bound_names(
        self, number: int, imports: Mapping[str, tuple[ImportForm, ...]]
    ) -> dict[str, Bound]:
        """Return how a region's own scope binds its names. `imports` are those of the region."""
        table = self._bound[number]
        if table is None:
            table = self._bound[number] = {}
            for name, pairs in self.scope_at(number).bindings.items():
                own = tuple(binding for block, binding in pairs if block < 0)
                if own:
                    table[name] = Bound(own, (), ())
            empty = Bound((), (), ())
            for at in self.nested[number]:
                full = self.facts.blob.placements[at].name
                name = own_name(full)
                known = table.get(name, empty)
                table[name] = known._replace(nested=(*known.nested, full))
            for name, forms in imports.items():
                table[name] = table.get(name, empty)._replace(imports=forms)
        return table

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

    def uses(self, name: str) -> list[Use]:
        """Return where the file reads `name`, as a name or as a member, in order of placement."""
        found = self._uses.get(name)
        if found is None:
            found = self._uses[name] = [
                Use(self.path, self.facts.blob.placements[number].name, use)
                for number, region in enumerate(self.facts.regions)
                for op in self._trees.places(region).get(name, ())
                if (use := read_at(self.tree_at(number), op)) >= 0
            ]
        return found

    def functions_in(self, number: int) -> list[int]:
        """Return the functions inside a definition at any depth, classes in it left out."""
        found: list[int] = []
        waiting = list(reversed(self.nested[number]))
        while waiting:
            at = waiting.pop()
            if self.kind_at(at) not in CLASSES:
                found.append(at)
                waiting.extend(reversed(self.nested[at]))
        return found

    def attributes(self, number: int) -> dict[str, tuple[AttributeWrite, ...]]:
        """Return what the functions of a class write through their receiver, by attribute."""
        table = self._attributes.get(number)
        if table is None:
            lists: dict[str, list[AttributeWrite]] = {}
            for at in self.functions_in(number):
                scope = self.scope_at(at)
                if scope.attribute_writes:
                    receiver = self.receiver_name(number, at)
                    place = self.placement(at).name
                    for write in scope.attribute_writes:
                        if write.holder in (receiver, "this"):
                            lists.setdefault(write.name, []).append(
                                AttributeWrite(place, write.binding)
                            )
            table = self._attributes[number] = {name: tuple(all_) for name, all_ in lists.items()}
        return table

    def declared(self, number: int) -> set[str]:
        """Return the names of the light symbols that a region declares.

        For a class with the attributes that its functions declare.
        """
        names = self._declared.get(number)
        if names is None:
            regions = self.facts.regions
            names = {
                one.name for one in regions[number].declarations[1:] if not one.through_receiver
            }
            if self.kind_at(number) in CLASSES:
                for at in self.functions_in(number):
                    names.update(
                        one.name for one in regions[at].declarations[1:] if one.through_receiver
                    )
            self._declared[number] = names
        return names

    def receiver_name(self, owner: int, function: int) -> str:
        """Return what a function inside a class calls the receiver.

        The first parameter of the method it belongs to.
        """
        placements = self.facts.blob.placements
        while placements[function].parent != owner:
            function = placements[function].parent
        parameters = self.scope_at(function).parameters.get(-1)
        return parameters[0].name if parameters else ""

    def elements(self, number: int) -> dict[str, tuple[Use, ...]]:
        """Return the statements and calls that put something into a collection.

        By what is written for it, in a region and in the functions inside it. A receiver is
        spelled `self`.
        """
        table = self._elements.get(number)
        if table is None:
            lists: dict[str, list[Use]] = {}
            is_class = self.kind_at(number) in CLASSES
            for at in [number, *self.functions_in(number)]:
                scope = self.scope_at(at)
                receiver = self.receiver_name(number, at) if is_class and at != number else ""
                place = self.placement(at).name
                for holder, op in fillings(scope):
                    head, dot, rest = holder.partition(".")
                    key = f"self.{rest}" if dot and head in (receiver, "this") else holder
                    lists.setdefault(key, []).append(Use(self.path, place, op))
            table = self._elements[number] = {name: tuple(all_) for name, all_ in lists.items()}
        return table


def read_at(tree: Tree, op: int) -> int:
    """Return the name or member that an op with a text is a read of, -1 when it is none."""
    kind = tree.kinds[op]
    if kind == Op.MEMBER_NAME:
        return tree.parents[op]
    if kind != Op.NAME:
        return -1
    role = tree.role_of(op)
    return -1 if role >= 0 and tree.kinds[role] == Op.TARGET else op


def fillings(scope: Scope) -> list[tuple[str, int]]:
    """Return what a region puts into collections: the written holder, and the statement or call."""
    found = [(write.holder, write.binding.target) for write in scope.element_writes]
    found.extend((holder, call) for call in scope.calls if (holder := filled_holder(scope, call)))
    return found


def filled_holder(scope: Scope, call: int) -> str:
    """Return the dotted name that a call fills (`x` in `x.append(v)`), `` for other calls."""
    tree = scope.tree
    callee = tree.operand(call, Op.CALLEE)
    if callee < 0 or tree.kinds[callee] != Op.MEMBER:
        return ""
    if tree.text(callee, Op.MEMBER_NAME) not in FILLERS:
        return ""
    return dotted(tree, tree.operand(callee, Op.OBJECT))


def own_name(name: QualifiedName) -> str:
    """Return the last part of a qualified name, without its overload suffix."""
    last = name.rpartition(".")[2]
    head, plus, suffix = last.rpartition("+")
    return head if plus and suffix.isdigit() else last
