"""The edges of one region: every reference in it, resolved, with how and how surely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.confidence import confidence
from topomem.link.contexts import REFERENCES, Context, contexts
from topomem.link.evaluate import LEVELS, Evaluator
from topomem.link.guess import unique
from topomem.link.values import (
    Argument,
    Bound,
    Definition,
    Found,
    Instance,
    Item,
    Lambda,
    Module,
    Outside,
    Place,
    Value,
    Variable,
)
from topomem.link.views import CLASSES, own_name
from topomem.model.code import (
    EdgeKind,
    External,
    LinkedEdge,
    Method,
    Op,
    Target,
    Unresolved,
)
from topomem.model.ids import Moniker, QualifiedName, moniker

if TYPE_CHECKING:
    from topomem.link.imports import ImportForm
    from topomem.link.views import FileView

TELLING = frozenset(
    {
        EdgeKind.CALLS,
        EdgeKind.CONSTRUCTS,
        EdgeKind.INHERITS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.DECORATES,
        EdgeKind.RAISES,
        EdgeKind.USES_TYPE,
    }
)
"""Kinds whose targets outside the repository, or unknown, are worth an edge."""

SILENT = frozenset({Op.ITERATE, Op.ENTER, Op.CALL, Op.CONSTRUCT})
"""Ops that may call something without naming it."""

MOST_TARGETS = 8


class RegionLinker:
    """Makes the edges of one region. Used once."""

    def __init__(
        self, look: Evaluator, view: FileView, number: int, *, lambdas: bool = False
    ) -> None:
        self.look = look
        self.view = view
        self.number = number
        self.path = view.path
        self.scope = view.placement(number).name
        self.tables = view.scope_at(number)
        self.tree = self.tables.tree
        self.strategy = look.strategy(view.language)
        self.lambdas = lambdas
        self.silent: set[tuple[str, int, bool]] = set()  # names that are locals
        self.edges: dict[tuple[EdgeKind, int, Target], LinkedEdge] = {}

    def link(self) -> tuple[LinkedEdge, ...]:
        """Return the region's edges in order of the text, then by kind and target."""
        look, tree = self.look, self.tree
        look.enter(self.path, self.scope)
        self._structure()
        for form in self._imports():
            self._import(form)
        ways = contexts(tree)
        kinds = tree.kinds
        for op in sorted([*ways, *(at for at, kind in enumerate(kinds) if kind in SILENT)]):
            kind = kinds[op]
            way = ways.get(op)
            if way is not None:
                self._reference(op, kind, way)
            elif kind == Op.ITERATE:
                self._special(op, "iterate")
            elif kind == Op.ENTER:
                self._special(op, "enter")
                self._special(op, "exit")
            else:
                self._unnamed_call(op)
        return tuple(sorted(self.edges.values(), key=_edge_order))

    # putting edges

    def put(
        self, kind: EdgeKind, op: int, target: Target, method: Method, targets: int = 1
    ) -> None:
        """Add an edge; the surest of several equal ones stays."""
        sure = confidence(method, targets)
        key = (kind, op, target)
        known = self.edges.get(key)
        if known is None or known.confidence < sure:
            self.edges[key] = LinkedEdge(kind, op, target, sure, method)

    def put_place(self, kind: EdgeKind, op: int, found: Found, targets: int = 1) -> bool:
        """Add an edge to a place; returns whether the place is one that edges point at."""
        target = self.target(found.place)
        if target is None:
            return False
        if isinstance(target, External):
            if kind in TELLING or kind == EdgeKind.IMPORTS:
                self.put(kind, op, target, found.method)
            return True
        self.put(kind, op, target, found.method, targets)
        return True

    def target(self, place: Place) -> Target | None:
        """Return what an edge to a place points at, None for locals."""
        if isinstance(place, Definition):
            return moniker(place.path, place.name)
        if isinstance(place, Module):
            return moniker(place.path, QualifiedName(""))
        if isinstance(place, Outside):
            return External(place.name)
        if isinstance(place, Variable):
            return self._variable_target(place)
        return None

    def _is_local(self, place: Place) -> bool:
        """Tell whether a place is a variable of a function, which is no symbol."""
        if not isinstance(place, Variable):
            return False
        if place.block >= 0:
            return True
        return bool(place.scope) and self.look.world.kind(place.path, place.scope) not in CLASSES

    def _variable_target(self, place: Variable) -> Moniker | None:
        if self._is_local(place):
            return None
        name = f"{place.scope}.{place.name}" if place.scope else place.name
        if not self.look.world.declares(place.path, place.scope, place.name):
            return None
        return moniker(place.path, QualifiedName(name))

    # structure

    def _structure(self) -> None:
        placements = self.view.blob.placements
        for op in self.tables.defines:
            nested = self.view.defined_at(self.number, op)
            if nested >= 0:
                target = moniker(self.path, placements[nested].name)
                self.put(EdgeKind.CONTAINS, op, target, Method.STRUCTURE)
        self._overrides()

    def _overrides(self) -> None:
        parent = self.view.placement(self.number).parent
        if parent < 0 or self.view.kind_at(parent) not in CLASSES:
            return
        if self.view.kind_at(self.number) in CLASSES:
            return
        owner = Definition(self.path, self.view.placement(parent).name)
        name = own_name(self.scope)
        for base in self.look.order(owner, LEVELS)[1:]:
            if not isinstance(base, Definition):
                continue
            found = self.look.own_members(base, name)
            if found:
                for one in found[:1]:
                    if isinstance(one.place, Definition):
                        target = moniker(one.place.path, one.place.name)
                        self.put(EdgeKind.OVERRIDES, -1, target, Method.STRUCTURE)
                return

    # what imports name

    def _imports(self) -> list[ImportForm]:
        tables = self.look.world.imports_of(self.view, self.number)
        forms = [form for forms in tables.values() for form in forms]
        return sorted(forms, key=lambda form: form.op)

    def _import(self, form: ImportForm) -> None:
        look = self.look
        spaces = self.strategy.modules(look, self.path, form.module)
        if form.kind not in ("item", "default"):
            for space in spaces:
                self.put_place(EdgeKind.IMPORTS, form.op, Found(space, Method.IMPORT))
            if not spaces:
                self.put(EdgeKind.IMPORTS, form.op, Unresolved(form.module), Method.UNRESOLVED)
            return
        found = look.follow(self.strategy.imported(look, self.path, self.scope, form))
        modules = [one for one in found if isinstance(one.place, Module)]
        if len(modules) < max(1, len(found)) or form.module.strip("."):
            for space in spaces:
                if isinstance(space, Module) and space.path != self.path:
                    self.put_place(EdgeKind.IMPORTS, form.statement, Found(space, Method.IMPORT))
        if not found:
            name = f"{form.module}.{form.name}"
            self.put(EdgeKind.IMPORTS, form.op, Unresolved(name), Method.UNRESOLVED)
        for one in found[:MOST_TARGETS]:
            direct = isinstance(one.place, (Module, Outside)) or any(
                isinstance(space, Module) and space.path == one.place.path for space in spaces
            )
            method = one.method
            if method not in (Method.EXTERNAL, Method.REEXPORT):
                method = Method.REEXPORT if one.hops else Method.IMPORT
            kind = EdgeKind.IMPORTS if direct else EdgeKind.READS
            self.put_place(kind, form.op, one._replace(method=method), len(found))

    # references

    def _reference(self, op: int, kind: int, way: Context) -> None:
        look, tree = self.look, self.tree
        if kind == Op.NAME:
            name = tree.texts[op]
            key = (name, tree.block[op], op <= self.tables.header_end)
            if way.quiet and key in self.silent:
                return
            found = look.meaning(self.path, self.scope, op, name)
            if way.quiet and all(self._is_local(one.place) for one in found):
                self.silent.add(key)
                return
        else:
            name = tree.text(op, Op.MEMBER_NAME)
            value = look.value_at(self.path, self.scope, tree.operand(op, Op.OBJECT), LEVELS)
            found = look.member_places(value, name)
            if not found and not value and EdgeKind.CALLS in way.kinds:
                found = unique(look, self.path, name)
        if len(found) > MOST_TARGETS:
            found = ()
        for edge_kind in way.kinds:
            self._put_found(edge_kind, op, name, found, way)
        if EdgeKind.CALLS in way.kinds:
            self._flow(op, found)
            self._handed_on(op, found)
        elif EdgeKind.DECORATES in way.kinds:
            self._flow(op, found)
        elif EdgeKind.RAISES in way.kinds:
            self._raised(op, found)

    def _put_found(
        self, kind: EdgeKind, op: int, name: str, found: tuple[Found, ...], way: Context
    ) -> None:
        named = False
        for one in found:
            if kind == EdgeKind.WRITES and not self._writes(op, one.place):
                named = True
                continue
            if kind == EdgeKind.CALLS and isinstance(one.place, Definition):
                named = True
                self._call_of(op, one, len(found))
            elif kind == EdgeKind.RAISES and isinstance(one.place, Definition):
                named = True
                self.put_place(kind, op, one, len(found))
                if not way.called:
                    self._construct(op, one, len(found))
            else:
                named = self.put_place(kind, op, one, len(found)) or named
        local = any(isinstance(one.place, Variable) for one in found)
        if not named and not local and kind in TELLING:
            self.put(kind, op, Unresolved(name), Method.UNRESOLVED)

    def _writes(self, op: int, place: Place) -> bool:
        """Tell whether a target that leads to `place` changes it: not where it is declared."""
        if isinstance(place, Definition):
            return self.look.is_property(place)
        return isinstance(place, Variable) and not self._declares(op, place)

    def _declares(self, op: int, place: Variable) -> bool:
        """Tell whether a target is the first place that binds a variable, which declares it."""
        bound = self.look.world.bound(place.path, place.scope, place.name)
        if bound is not None and bound.bindings:
            return (
                place.path == self.path
                and place.scope == self.scope
                and (bound.bindings[0].target == op)
            )
        writes = self.look.world.attribute(place.path, place.scope, place.name)
        first = writes[0] if writes and place.path == self.path else None
        return first is not None and first.scope == self.scope and first.binding.target == op

    def _call_of(self, op: int, found: Found, targets: int) -> None:
        place = found.place
        assert isinstance(place, Definition)  # noqa: S101  the caller looked
        if self.look.is_class(place):
            self._construct(op, found, targets)
        else:
            self.put_place(EdgeKind.CALLS, op, found, targets)

    def _construct(self, op: int, found: Found, targets: int) -> None:
        """Add what the call of a class does: it constructs, and calls what makes its objects."""
        place = found.place
        assert isinstance(place, Definition)  # noqa: S101  the caller looked
        if not self.look.is_class(place):
            self.put_place(EdgeKind.CALLS, op, found, targets)
            return
        self.put_place(EdgeKind.CONSTRUCTS, op, found, targets)
        for name in self.strategy.constructors:
            for one in self.look.members(place, name, LEVELS):
                if isinstance(one.place, Definition):
                    made = one._replace(method=found.method)
                    self.put_place(EdgeKind.CALLS, op, made, targets)
                    return
        self.put_place(EdgeKind.CALLS, op, found, targets)

    def _flow(self, op: int, found: tuple[Found, ...]) -> None:
        """Add the calls of functions that a called name or member may stand for."""
        for one in found:
            if isinstance(one.place, Variable):
                break
            if isinstance(one.place, Definition) and self.look.has_decorators(one.place):
                break
        else:
            return
        value = self.look.value_at(self.path, self.scope, op, LEVELS)
        self._put_value(op, value, {one.place for one in found})

    def _raised(self, op: int, found: tuple[Found, ...]) -> None:
        """Add the classes that a raised variable may stand for."""
        if not any(isinstance(one.place, Variable) for one in found):
            return
        for item in self._spread(self.look.value_at(self.path, self.scope, op, LEVELS)):
            if isinstance(item, (Definition, Instance)):
                place = Found(Definition(item.path, item.name), Method.FLOW)
                self.put_place(EdgeKind.RAISES, op, place)
                if isinstance(item, Definition):
                    self._construct(op, place, 1)

    def _handed_on(self, op: int, found: tuple[Found, ...]) -> None:
        """Add the calls of functions handed to something outside that calls them at once."""
        for one in found:
            if isinstance(one.place, Outside) and self.strategy.calls_arguments(one.place.name):
                call = self.tree.parents[self.tree.role_of(op)]
                for role in self.tree.roles(call, Op.ARGUMENT):
                    at = self.tree.expression(role)
                    if at >= 0:
                        value = self.look.value_at(self.path, self.scope, at, LEVELS)
                        self._put_value(at, value, set())

    def _unnamed_call(self, op: int) -> None:
        """Add the calls of a callee that is neither a name nor a member.

        And of what a call gives that stands as a decorator.
        """
        role = self.tree.role_of(op)
        if role >= 0 and self.tree.kinds[role] == Op.DECORATOR:
            value = self.look.value_at(self.path, self.scope, op, LEVELS)
            self._put_value(op, value, set())
        callee = self.tree.operand(op, Op.CALLEE)
        if callee >= 0 and self.tree.kinds[callee] not in REFERENCES:
            value = self.look.value_at(self.path, self.scope, callee, LEVELS)
            self._put_value(op, value, set())

    def _put_value(self, op: int, value: Value, named: set[Place]) -> None:
        items = self._spread(value)
        if len(items) > MOST_TARGETS:
            return
        for item in items:
            if isinstance(item, Bound):
                item = Definition(item.path, item.name)  # noqa: PLW2901  the function behind it
            if isinstance(item, Definition):
                if item not in named:
                    self._call_of(op, Found(item, Method.FLOW), len(items))
            elif isinstance(item, Outside):
                self.put(EdgeKind.CALLS, op, External(item.name), Method.EXTERNAL)
            elif isinstance(item, Instance):
                self._special_of(op, item, "call")
            elif isinstance(item, Lambda) and self.lambdas:
                target = moniker(item.path, QualifiedName(f"{item.scope}<lambda@{item.op}>"))
                self.put(EdgeKind.CALLS, op, target, Method.FLOW, len(items))

    def _spread(self, value: Value) -> list[Item]:
        """Return the items of a value with parameters replaced by what callers pass, sorted."""
        found: set[Item] = set()
        for item in value:
            if isinstance(item, Argument):
                found |= self.look.passed(item, LEVELS)
            else:
                found.add(item)
        return sorted(found, key=repr)

    # calls that no name shows

    def _special(self, op: int, use: str) -> None:
        at = self.tree.operand(op, Op.VALUE)
        value = self.look.value_at(self.path, self.scope, at, LEVELS)
        for item in self._spread(value):
            if isinstance(item, Instance):
                self._special_of(op, item, use)
                if use == "iterate":
                    for source in self.look.invoked(item, use, LEVELS):
                        if isinstance(source, Instance):
                            self._special_of(op, source, "next")

    def _special_of(self, op: int, item: Instance, use: str) -> None:
        for name in self.look.strategy_of(item.path).special_method(use):
            for one in self.look.members(item, name, LEVELS):
                if isinstance(one.place, Definition):
                    self.put_place(EdgeKind.CALLS, op, one._replace(method=Method.FLOW))


def _edge_order(edge: LinkedEdge) -> tuple[int, str, str]:
    return edge.op, edge.kind.value, repr(edge.target)
