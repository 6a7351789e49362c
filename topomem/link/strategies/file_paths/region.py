"""The edges of one region of a program with file paths and structural types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.contexts import Context
from topomem.link.edges import RegionLinker
from topomem.link.guess import unique
from topomem.link.strategies.file_paths import expressions, members, written
from topomem.link.strategies.file_paths.scoping import (
    Names,
    binding_block,
    exported,
    fits,
    follow,
    imported,
    module_at,
    names,
    plain,
)
from topomem.link.strategies.file_paths.things import (
    Nominal,
    Routine,
    ordered,
)
from topomem.link.values import Definition, Found, Module, Outside, Variable
from topomem.link.views import CLASSES, own_name
from topomem.model.code import EdgeKind, Method, Op, SymbolKind, Unresolved
from topomem.model.ids import Moniker, QualifiedName, moniker

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.imports import ImportForm
    from topomem.link.views import FileView
    from topomem.model.code import LinkedEdge

STEPS = 24
"""How many steps a value is followed from a reference."""

TYPE_KINDS = frozenset({EdgeKind.USES_TYPE, EdgeKind.IMPLEMENTS})
BEFORE_VALUES = frozenset({SymbolKind.INTERFACE, SymbolKind.NAMESPACE})
MOST_TARGETS = 4


class TypedLinker(RegionLinker):
    """Finds the targets by written types, with structure, imports and kinds of edges as usual."""

    def __init__(
        self, look: Evaluator, view: FileView, number: int, *, lambdas: bool = False
    ) -> None:
        super().__init__(look, view, number, lambdas=lambdas)
        self._known: dict[tuple[str, int, Names], tuple[Found, ...]] = {}

    def link(self) -> tuple[LinkedEdge, ...]:
        """Return the region's edges; chains of members are worked out from their beginnings."""
        tree, path, scope = self.tree, self.path, self.scope
        for op in range(len(tree.kinds) - 1, -1, -1):
            if tree.kinds[op] == Op.MEMBER:
                owner = tree.operand(op, Op.OBJECT)
                if owner >= 0 and tree.kinds[owner] in expressions.SPINE:
                    expressions.value_at(self.look, path, scope, owner, (), STEPS)
        return super().link()

    def _variable_target(self, place: Variable) -> Moniker | None:
        """Return the symbol of a variable; names that are written in quotes keep them."""
        declares = self.look.world.declares
        bare = plain(QualifiedName(place.name))
        for name in (bare, f'"{bare}"', f"'{bare}'"):
            if declares(place.path, place.scope, name):
                target = super()._variable_target(place._replace(name=name))
                number = place.name[len(bare) :]
                return Moniker(f"{target}{number}") if target and number else target
        return None

    def _numbered(self, found: Found, space: Names) -> Found:
        """Return a place with the number that tells its symbol from others of its name.

        Functions, classes and interfaces come before variables and types that go by their name.
        """
        place = found.place
        if not isinstance(place, Variable) or place.block >= 0:
            return found
        bound = self.look.world.bound(place.path, place.scope, place.name)
        full = f"{place.scope}.{place.name}" if place.scope else place.name
        nested = [] if bound is None else [one for one in bound.nested if plain(one) == full]
        kinds = {self.look.world.kind(place.path, one) for one in nested}
        if nested and (place.scope or space == "type" or not kinds.isdisjoint(BEFORE_VALUES)):
            return found._replace(place=place._replace(name=f"{place.name}+{len(nested) + 1}"))
        tables = self.look.world.scope_of(place.path, place.scope)
        if space == "value" or nested or bound is None or tables is None:
            return found
        if any(fits(tables, binding, "value") for binding in bound.bindings):
            return found._replace(place=place._replace(name=f"{place.name}+2"))
        return found

    def _overrides(self) -> None:
        parent = self.view.placement(self.number).parent
        if parent < 0 or self.view.kind_at(parent) not in (SymbolKind.CLASS, SymbolKind.INTERFACE):
            return
        name = own_name(self.scope)
        if name in self.strategy.constructors:
            return
        owner = Nominal(self.path, QualifiedName(plain(self.view.placement(parent).name)))
        static = "static" in self.tree.facts.declarations[0].modifiers
        waiting, seen = [owner], {owner.name}
        while waiting:
            one = waiting.pop(0)
            for base in ordered(members.bases(self.look, one, STEPS)):
                if not isinstance(base, Nominal) or base.name in seen:
                    continue
                seen.add(base.name)
                found = members.own_members(
                    self.look, base, name, frozenset({owner}), STEPS, static=static
                )
                for member in found[:1]:
                    if member.found is not None and isinstance(member.found.place, Definition):
                        place = member.found.place
                        target = moniker(place.path, place.name)
                        self.put(EdgeKind.OVERRIDES, -1, target, Method.STRUCTURE)
                        return
                waiting.append(base)

    def _import(self, form: ImportForm) -> None:
        target = module_at(self.look, self.path, form.module)
        if target is None:
            outside = Found(Outside(form.module), Method.EXTERNAL)
            if form.module.startswith("."):
                self.put(EdgeKind.IMPORTS, form.op, Unresolved(form.module), Method.UNRESOLVED)
            else:
                self.put_place(EdgeKind.IMPORTS, form.op, outside)
            return
        self.put_place(EdgeKind.IMPORTS, form.statement, Found(Module(target), Method.IMPORT))
        if form.kind not in ("item", "default"):
            return
        found: dict[Found, None] = {}
        for space in SPACES:
            for one in imported(self.look, self.path, form, space):
                if isinstance(one, Found):
                    found[self._numbered(one, space)] = None
        for one in list(found)[:MOST_TARGETS]:
            place = one.place
            if isinstance(place, Module) or (
                isinstance(place, Definition | Variable) and place.path == target
            ):
                self.put_place(EdgeKind.IMPORTS, form.op, one)
            elif not isinstance(place, Outside):
                self.put_place(EdgeKind.READS, form.op, one)  # passed on by the module
        if not found:
            name = f"{form.module}.{form.name}"
            self.put(EdgeKind.IMPORTS, form.op, Unresolved(name), Method.UNRESOLVED)

    def _exports(self) -> None:
        """Add what the module passes on from other modules, and what it exports of its own."""
        for form in self.look.world.exports(self.path) if self.tables.exports else ():
            if not form.module:
                continue
            target = module_at(self.look, self.path, form.module)
            if target is None:
                continue
            place = Found(Module(target), Method.REEXPORT)
            self.put_place(EdgeKind.IMPORTS, form.statement, place)
            self.put_place(EdgeKind.EXPORTS, form.op, place)
            for one in exported(self.look, target, form.name, "value") if form.name else ():
                if isinstance(one, Found) and isinstance(one.place, Module):
                    self.put_place(EdgeKind.IMPORTS, form.op, one)

    # references

    def _reference(self, op: int, kind: int, way: Context) -> None:
        if self._is_declaration(op, way):
            return
        spaces = self._spaces(op, way)
        found: tuple[Found, ...] = ()
        for space in spaces:
            found = self._name(op, space) if kind == Op.NAME else self._member(op, space, way)
            if found:
                break
        found = tuple(self._numbered(one, space) for one in found[:MOST_TARGETS])
        name = self.tree.texts[op] if kind == Op.NAME else self.tree.text(op, Op.MEMBER_NAME)
        for edge_kind in self._kinds(op, way):
            self._put_found(edge_kind, op, name, found, way)
        if kind == Op.NAME and way.called and expressions.is_loading(self.tree, self._call(op)):
            self._load(self._call(op))

    def _call(self, callee: int) -> int:
        return self.tree.parents[self.tree.parents[callee]]

    def _load(self, call: int) -> None:
        name = expressions.literal_argument(self.tree, call)
        target = module_at(self.look, self.path, name)
        place = Found(Outside(name), Method.EXTERNAL)
        if target is not None:
            place = Found(Module(target), Method.IMPORT)
        self.put_place(EdgeKind.IMPORTS, call, place)

    def _is_declaration(self, op: int, way: Context) -> bool:
        """Tell whether a target declares its name instead of using it."""
        if EdgeKind.WRITES not in way.kinds or self.tree.kinds[op] != Op.NAME:
            return False
        at = op
        while at >= 0 and self.tree.kinds[at] != Op.TARGET:
            at = self.tree.parents[at]
        statement = self.tree.parents[at] if at >= 0 else -1
        return statement >= 0 and self.tree.texts[statement] not in ("set", "")

    def _spaces(self, op: int, way: Context) -> tuple[Names, ...]:
        if not TYPE_KINDS.isdisjoint(way.kinds):
            return ("value",) if self._below_typeof(op) else ("type",)
        if EdgeKind.INHERITS in way.kinds:
            kind = self.view.kind_at(self.number)
            return ("type",) if kind is SymbolKind.INTERFACE else ("value", "type")
        return ("value",)

    def _below_typeof(self, op: int) -> bool:
        at = self.tree.parents[op]
        while at >= 0 and self.tree.kinds[at] in (Op.MEMBER, Op.OBJECT, Op.TRANSPARENT, Op.INDEX):
            if self.tree.kinds[at] == Op.TRANSPARENT and self.tree.texts[at] == "typeof":
                return True
            at = self.tree.parents[at]
        return False

    def _kinds(self, op: int, way: Context) -> tuple[EdgeKind, ...]:
        parent = self._call(op) if way.called else -1
        if parent >= 0 and self.tree.kinds[parent] == Op.CONSTRUCT:
            return tuple(
                EdgeKind.CONSTRUCTS if kind is EdgeKind.CALLS else kind for kind in way.kinds
            )
        return way.kinds

    def _name(self, op: int, space: Names) -> tuple[Found, ...]:
        """Return what a name means; equal names of one block mean the same."""
        text = self.tree.texts[op]
        if space == "type" and text in self.tables.type_parameters:
            return self._meaning(op, space)
        key = text, binding_block(self.tables, op, text), space
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._meaning(op, space)
        return found

    def _meaning(self, op: int, space: Names) -> tuple[Found, ...]:
        text = self.tree.texts[op]
        if text in written.PRIMITIVES and space == "type":
            return ()
        found = follow(self.look, names(self.look, self.path, self.scope, op, text, space), space)
        if not found and text in self.strategy.builtins:
            return (Found(Outside(f"<builtin>.{text}"), Method.BUILTIN),)
        if not found:
            return (Found(Outside(f"<global>.{text}"), Method.EXTERNAL),)
        return tuple(one for one in found if isinstance(one, Found))

    def _member(self, op: int, space: Names, way: Context) -> tuple[Found, ...]:
        look, tree = self.look, self.tree
        name = tree.text(op, Op.MEMBER_NAME)
        owner = tree.operand(op, Op.OBJECT)
        if space == "type":
            found = written.meanings(look, self.path, self.scope, op, space, STEPS)
            return tuple(one for one in found if isinstance(one, Found))
        attached = members.attached(look, self.path, self.scope, owner, name)
        if attached is not None:
            return (Found(attached, Method.RECEIVER),)
        value = expressions.value_at(look, self.path, self.scope, owner, (), STEPS)
        places: dict[Found, None] = {}
        for item in ordered(value):
            for member in members.members(look, item, name, STEPS):
                if member.found is not None:
                    places[member.found] = None
        here = [one for one in places if not isinstance(one.place, Outside)]
        if not places and not value and way.called:
            return unique(look, self.path, name)
        return tuple(here) or tuple(places)

    def _put_found(
        self, kind: EdgeKind, op: int, name: str, found: tuple[Found, ...], way: Context
    ) -> None:
        if kind is EdgeKind.CONSTRUCTS:
            for one in found:
                if isinstance(one.place, Definition):
                    self._construct(op, one, len(found))
                else:
                    self.put_place(EdgeKind.CONSTRUCTS, op, one, len(found))
                    self.put_place(EdgeKind.CALLS, op, one, len(found))
            return
        super()._put_found(kind, op, name, found, way)

    def _construct(self, op: int, found: Found, targets: int) -> None:
        place = found.place
        if not isinstance(place, Definition) or not self.look.is_class(place):
            self.put_place(EdgeKind.CALLS, op, found, targets)
            return
        self.put_place(EdgeKind.CONSTRUCTS, op, found, targets)
        maker = self._maker(place)
        self.put_place(EdgeKind.CALLS, op, found._replace(place=maker or place), targets)

    def _maker(self, place: Definition) -> Definition | None:
        """Return the constructor that makes things of a class: its own, or the nearest base's."""
        waiting, seen = [Nominal(place.path, QualifiedName(plain(place.name)))], set()
        while waiting:
            one = waiting.pop(0)
            if one.name in seen:
                continue
            seen.add(one.name)
            for name in self.strategy.constructors:
                bound = self.look.world.bound(one.path, one.name, name)
                for nested in () if bound is None else bound.nested[:1]:
                    return Definition(one.path, nested)
            waiting += [
                base
                for base in ordered(members.bases(self.look, one, STEPS))
                if isinstance(base, Nominal)
                and self.look.world.kind(base.path, base.name) is SymbolKind.CLASS
            ]
        return None

    def _flow(self, op: int, found: tuple[Found, ...]) -> None:
        """Values are followed where they are read."""

    def _unnamed_call(self, op: int) -> None:
        """Add the call of a base's constructor, or of what a module is."""
        callee = self.tree.operand(op, Op.CALLEE)
        if callee < 0:
            return
        base = self.tree.kinds[callee] == Op.PARENT
        if not base and not expressions.is_loading(self.tree, callee):
            return
        value = expressions.value_at(self.look, self.path, self.scope, callee, (), STEPS)
        for item in ordered(value):
            if isinstance(item, Routine):
                place = Definition(item.path, item.name)
                self.put_place(EdgeKind.CALLS, op, Found(place, Method.IMPORT))
            elif base and isinstance(item, Nominal) and self._is_class(item):
                place = Definition(item.path, item.name)
                maker = self._maker(place)
                self.put_place(EdgeKind.CALLS, op, Found(maker or place, Method.RECEIVER))

    def _is_class(self, item: Nominal) -> bool:
        return self.look.world.kind(item.path, item.name) in CLASSES

    def _special(self, op: int, use: str) -> None:
        """Nothing is called without being named."""

    def _structure(self) -> None:
        super()._structure()
        if self.number == 0:
            self._exports()


SPACES: tuple[Names, ...] = ("value", "type")
