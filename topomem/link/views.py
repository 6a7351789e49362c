"""Files as the linker looks at them: definitions by name, tables of regions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from topomem.link.files import FileFacts
from topomem.link.imports import ImportForm
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


FEWEST_TRIMMED = 2_000
"""Trees and tables that may be kept beyond those in use."""


class Trees:
    """Trees and scopes of regions by content; shared by all files and commits."""

    def __init__(self) -> None:
        self._trees: dict[RegionKey, Tree] = {}
        self._scopes: dict[RegionKey, Scope] = {}
        self._names: dict[RegionKey, frozenset[str]] = {}
        self._reads: dict[RegionKey, dict[str, tuple[int, ...]]] = {}
        self._enough = FEWEST_TRIMMED
        self.bound: dict[object, dict[str, Bound]] = {}

    def tree(self, facts: RegionFacts) -> Tree:
        """Return the tree of a region."""
        tree = self._trees.get(facts.key)
        if tree is None:
            tree = self._trees[facts.key] = Tree(facts)
        return tree

    def scope(self, facts: RegionFacts) -> Scope:
        """Return the tables of a region."""
        scope = self._scopes.get(facts.key)
        if scope is None:
            scope = self._scopes[facts.key] = Scope(self.tree(facts))
        return scope

    def trim(self, files: Iterable[FileView]) -> bool:
        """Forget regions that no file has, when they have become many; tell whether it was done."""
        if len(self._trees) < self._enough:
            return False
        used = {place.region for file in files for place in file.blob.placements}
        for kept in (self._trees, self._scopes, self._names, self._reads):
            for key in [key for key in kept if key not in used]:
                del kept[key]
        self.bound.clear()
        self._enough = FEWEST_TRIMMED + len(self._trees)
        return True

    def names(self, facts: RegionFacts) -> frozenset[str]:
        """Return the texts of a region's tree, and the names that it declares."""
        names = self._names.get(facts.key)
        if names is None:
            declared = [declaration.name for declaration in facts.declarations]
            names = self._names[facts.key] = frozenset([*facts.texts, *declared])
        return names

    def reads(self, facts: RegionFacts) -> dict[str, tuple[int, ...]]:
        """Return the ops of a region that read a name, as a name or as a member, by name."""
        reads = self._reads.get(facts.key)
        if reads is None:
            tree = self.tree(facts)
            lists: dict[str, list[int]] = {}
            for op, text in enumerate(facts.texts):
                if text and (use := read_at(tree, op)) >= 0:
                    lists.setdefault(text, []).append(use)
            reads = self._reads[facts.key] = {name: tuple(ops) for name, ops in lists.items()}
        return reads


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
        self._bound: list[dict[str, Bound] | None] = [None] * len(placements)
        self._defines: list[dict[str, list[int]] | None] = [None] * len(placements)
        self._uses: dict[str, list[Use]] = {}
        self._marks: list[tuple[str, ...] | None] = [None] * len(placements)
        self._around: list[tuple[str, ...] | None] = [None] * len(placements)
        self._own_names: dict[str, list[QualifiedName]] | None = None
        self.mark = ("file", facts.path)
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

    def mark_at(self, number: int) -> tuple[str, ...]:
        """Return what is written down when the text of a placement is read."""
        mark = self._marks[number]
        if mark is None:
            mark = ("text", self.path, self.facts.blob.placements[number].name)
            self._marks[number] = mark
        return mark

    def around(self, number: int) -> tuple[str, ...]:
        """Return what of the definitions around a region, and right inside it, its links depend on.

        Those are their names and kinds: equal texts may hold placeholders of different definitions.
        """
        found = self._around[number]
        if found is None:
            placements = self.facts.blob.placements
            at = placements[number].parent
            chain = list(self.nested[number])
            while at >= 0:
                chain.append(at)
                at = placements[at].parent
            found = tuple([f"{placements[at].name}:{self.kind_at(at).value}" for at in chain])
            self._around[number] = found
        return found

    def named(self, name: str) -> list[QualifiedName]:
        """Return the definitions of the file whose own name is `name`, in order of placement."""
        table = self._own_names
        if table is None:
            table = self._own_names = {}
            for place in self.facts.blob.placements[1:]:
                table.setdefault(own_name(place.name), []).append(place.name)
        return table.get(name, [])

    def tree_at(self, number: int) -> Tree:
        """Return the tree of the region of a placement, without its tables."""
        return self._trees.tree(self.facts.regions[number])

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
            nested = tuple([self.facts.blob.placements[at].name for at in self.nested[number]])
            key = (self.facts.regions[number].key, nested, self.language)
            table = self._trees.bound.get(key)
            if table is None:
                table = self._trees.bound[key] = self._read_bound(number, nested, imports)
            self._bound[number] = table
        return table

    def _read_bound(
        self,
        number: int,
        nested: tuple[QualifiedName, ...],
        imports: Mapping[str, tuple[ImportForm, ...]],
    ) -> dict[str, Bound]:
        table: dict[str, Bound] = {}
        for name, pairs in self.scope_at(number).bindings.items():
            own = tuple([binding for block, binding in pairs if block < 0])
            if own:
                table[name] = Bound(own, (), ())
        empty = Bound((), (), ())
        for full in nested:
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
            reads = self._trees.reads
            found = self._uses[name] = [
                Use(self.path, place.name, op)
                for place, region in zip(
                    self.facts.blob.placements, self.facts.regions, strict=True
                )
                for op in reads(region).get(name, ())
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
    return without_number(name.rpartition(".")[2])


def without_number(name: str) -> str:
    """Return a name without the suffix that tells overloads apart."""
    head, plus, suffix = name.rpartition("+")
    return head if plus and suffix.isdigit() else name
