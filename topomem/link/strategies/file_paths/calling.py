"""What calls and constructions give: signatures, overloads, and what type parameters stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.file_paths import expected, expressions, foreign, members, written
from topomem.link.strategies.file_paths.scoping import TypeParameter
from topomem.link.strategies.file_paths.things import (
    NOTHING,
    Bindings,
    ClassObject,
    Closure,
    Foreign,
    ForeignMember,
    ForeignObject,
    Item,
    Nominal,
    Parameter,
    Routine,
    Shape,
    Text,
    Value,
    bind,
    limited,
)
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree

MOST_SIGNATURES = 16


class Site(NamedTuple):
    """A call or construction: an op of a region."""

    path: FilePath
    scope: QualifiedName
    op: int
    bindings: Bindings = ()


class Signature(NamedTuple):
    """A function's header: the op it stands below, -1 for that of a definition."""

    path: FilePath
    scope: QualifiedName
    op: int
    bindings: Bindings


def call(look: Evaluator, item: Item, site: Site | None, k: int) -> Value:
    """Return what a call gives; `site` None is a call that nothing is known of."""
    return look.ask(("call", item, site), k, NOTHING, _call, item, site, k - 1)


def _call(look: Evaluator, item: Item, site: Site | None, k: int) -> Value:
    if isinstance(item, ForeignMember | ForeignObject):
        return NOTHING if site is None else foreign.call(look, item, site, k)
    listed = signatures(look, item, "call", k)
    if site is not None and len(listed) == 1 and not own_parameters(look, listed[0]):
        return call(look, item, None, k)  # what is passed makes no difference
    signature = chosen(look, listed, site)
    return NOTHING if signature is None else result(look, signature, site, k)


def construct(look: Evaluator, item: Item, site: Site, k: int) -> Value:
    """Return what `new` makes of something."""
    return look.ask(("construct", item, site), k, NOTHING, _construct, item, site, k - 1)


def _construct(look: Evaluator, item: Item, site: Site, k: int) -> Value:
    if isinstance(item, ClassObject):
        return frozenset({Nominal(item.path, item.name, _arguments(look, item, site, k))})
    if isinstance(item, ForeignObject):
        tree = expressions.tree_of(look, site.path, site.scope)
        types = [tree.expression(role) for role in _types(tree, site.op)]
        arguments = tuple(
            written.type_at(look, site.path, site.scope, one, site.bindings, k) for one in types
        )
        return frozenset({Foreign(item.name, arguments)})
    if isinstance(item, Routine):
        return frozenset({Nominal(item.path, item.name)})
    signature = chosen(look, signatures(look, item, "new", k), site)
    return NOTHING if signature is None else result(look, signature, site, k)


def _types(tree: Tree, op: int) -> list[int]:
    return tree.roles(op, Op.TYPE) if tree.kinds[op] in (Op.CALL, Op.CONSTRUCT) else []


def _arguments(look: Evaluator, item: ClassObject, site: Site, k: int) -> tuple[Value, ...]:
    """Return what the type parameters of a class stand for where it is constructed."""
    declared = written.parameters(look, item.path, item.name)
    if not declared:
        return ()
    tree = expressions.tree_of(look, site.path, site.scope)
    types = [tree.expression(role) for role in _types(tree, site.op)]
    if types:
        return tuple(
            written.type_at(look, site.path, site.scope, one, site.bindings, k) for one in types
        )
    maker = look.world.bound(item.path, item.name, "constructor")
    given: dict[Parameter, Value] = {}
    for nested in () if maker is None else maker.nested[:1]:
        made = Signature(item.path, nested, -1, ())
        given = inferred(look, made, site, frozenset(declared), k)
    if not given:
        return ()
    return tuple(given.get(one, NOTHING) for one in declared)


def signatures(look: Evaluator, item: Item, form: str, k: int) -> list[Signature]:
    """Return the signatures with which something can be called ("call") or made ("new")."""
    if isinstance(item, Routine):
        tables = look.world.header(item.path, item.name)
        if tables is None:
            return []
        heads = [op for op, kind in enumerate(tables.tree.kinds) if kind == Op.HEAD]
        return [Signature(item.path, item.name, op, item.bindings) for op in heads or [-1]]
    if isinstance(item, Closure):
        tree = expressions.tree_of(look, item.path, item.scope)
        text = tree.texts[item.op] if tree.kinds[item.op] == Op.FUNCTION_TYPE else ""
        fits = (text == "new") == (form == "new") or tree.kinds[item.op] == Op.LAMBDA
        return [Signature(item.path, item.scope, item.op, item.bindings)] if fits else []
    if isinstance(item, Shape):
        tree = expressions.tree_of(look, item.path, item.scope)
        return [
            Signature(item.path, item.scope, child, item.bindings)
            for child in tree.children(item.op)
            if tree.kinds[child] == Op.FUNCTION_TYPE and tree.texts[child] == form
        ]
    if isinstance(item, Nominal):
        return _of_interface(look, item, form, k)
    if isinstance(item, Parameter):
        return [
            one
            for of in written.bound_of(look, item, k)
            if not isinstance(of, Parameter)
            for one in signatures(look, of, form, k - 1)
        ]
    return []


def _of_interface(look: Evaluator, item: Nominal, form: str, k: int) -> list[Signature]:
    waiting, seen = [item], {item}
    while waiting and len(seen) < MOST_SIGNATURES:
        one = waiting.pop(0)
        found = []
        for part in members.parts(look, one.path, one.name):
            tables = look.world.inner(one.path, part)
            if tables is None:
                continue
            tree = tables.tree
            given = members.given(look, one, part, frozenset({item}))
            found += [
                Signature(one.path, part, op, given)
                for op in tree.tops()
                if tree.kinds[op] == Op.FUNCTION_TYPE and tree.texts[op] == form
            ]
        if found:
            return found
        for base in members.bases(look, one, k):
            if isinstance(base, Nominal) and base not in seen:
                seen.add(base)
                waiting.append(base)
    return []


def parameters_of(look: Evaluator, signature: Signature) -> list[int]:
    """Return the ops of a signature's parameters, without the one that types the receiver."""
    tables = look.world.header(signature.path, signature.scope)
    if tables is None:
        return []
    listed = tables.parameters.get(signature.op, [])
    return [one.op for one in listed if one.kind != "receiver"]


def chosen(look: Evaluator, found: list[Signature], site: Site | None) -> Signature | None:
    """Return the first signature that takes as many arguments as there are."""
    if site is None or len(found) <= 1:
        return found[0] if found else None
    count = len(arguments_of(expressions.tree_of(look, site.path, site.scope), site.op))
    for one in found:
        listed = parameters_of(look, one)
        tree = expressions.tree_of(look, one.path, one.scope)
        rest = bool(listed) and tree.texts[listed[-1]] == "rest"
        if rest or count <= len(listed):
            return one
    return found[-1]


def arguments_of(tree: Tree, op: int) -> list[int]:
    """Return the expressions of the arguments of a call; -1 for opaque ones."""
    if tree.kinds[op] not in (Op.CALL, Op.CONSTRUCT):
        return []
    return [
        tree.expression(child)
        for child in tree.children(op)
        if tree.kinds[child] in (Op.ARGUMENT, Op.SPREAD)
    ]


def result(look: Evaluator, signature: Signature, site: Site | None, k: int) -> Value:
    """Return what a function with this signature gives."""
    path, scope, op = signature.path, signature.scope, signature.op
    tree = expressions.tree_of(look, path, scope)
    bindings = applied(look, signature, site, k)
    role = _return_type(tree, op)
    if role >= 0:
        return written.type_at(look, path, scope, tree.expression(role), bindings, k)
    if op >= 0 and tree.kinds[op] != Op.LAMBDA:
        return NOTHING
    asked = look.world.results if op < 0 else look.world.inner
    tables = asked(path, scope)
    if tables is None or tables.yields.get(op):
        return NOTHING
    found: set[Item] = set()
    for one in tables.results.get(op, ()):
        at = tree.expression(one) if tree.kinds[one] == Op.RESULT else tree.operand(one, Op.VALUE)
        found |= expressions.value_at(look, path, scope, at, bindings, k)
    value = limited(found)
    if op < 0 and "async" in tree.facts.declarations[0].modifiers and value:
        return frozenset({Foreign("Promise", (expressions.awaited(value),))})
    return value


def _return_type(tree: Tree, op: int) -> int:
    if op >= 0:
        return tree.role(op, Op.RETURN_TYPE)
    return next((top for top in tree.tops() if tree.kinds[top] == Op.RETURN_TYPE), -1)


def applied(look: Evaluator, signature: Signature, site: Site | None, k: int) -> Bindings:
    """Return the bindings of a signature with its own type parameters filled in by a call."""
    own = own_parameters(look, signature)
    if not own or site is None:
        return signature.bindings
    tree = expressions.tree_of(look, site.path, site.scope)
    types = [tree.expression(role) for role in _types(tree, site.op)]
    if types:
        given = {
            one: written.type_at(look, site.path, site.scope, op, site.bindings, k)
            for one, op in zip(own, types, strict=False)
        }
    else:
        given = inferred(look, signature, site, frozenset(own), k)
    return bind(signature.bindings, given)


def own_parameters(look: Evaluator, signature: Signature) -> list[Parameter]:
    """Return the type parameters that a signature declares."""
    tree = expressions.tree_of(look, signature.path, signature.scope)
    children = tree.tops() if signature.op < 0 else tree.children(signature.op)
    return [
        Parameter(signature.path, signature.scope, op, tree.texts[op])
        for op in children
        if tree.kinds[op] == Op.TYPE_PARAMETER
    ]


def inferred(
    look: Evaluator, signature: Signature, site: Site, own: frozenset[Parameter], k: int
) -> dict[Parameter, Value]:
    """Return what the arguments of a call say of type parameters; lambdas are read last."""
    tree = expressions.tree_of(look, site.path, site.scope)
    header = expressions.tree_of(look, signature.path, signature.scope)
    found: dict[Parameter, set[Item]] = {}
    pairs = list(zip(parameters_of(look, signature), arguments_of(tree, site.op), strict=False))
    unify = Unifier(look, signature, own, found)
    for parameter, argument in pairs:
        if argument >= 0 and tree.kinds[argument] != Op.LAMBDA:
            value = expressions.value_at(look, site.path, site.scope, argument, site.bindings, k)
            unify.with_type(header.operand(parameter, Op.TYPE), value, k)
    unify.with_wanted(site, k)
    return {one: limited(items) for one, items in found.items()}


class Unifier:
    """Finds what type parameters stand for by laying values over written types."""

    def __init__(
        self,
        look: Evaluator,
        signature: Signature,
        own: frozenset[Parameter],
        found: dict[Parameter, set[Item]],
    ) -> None:
        self.look = look
        self.path, self.scope = signature.path, signature.scope
        self.own = own
        self.found = found
        self.signature = signature

    def with_type(self, op: int, value: Value, k: int) -> None:
        """Lay a value over the type written at an op."""
        tree = expressions.tree_of(self.look, self.path, self.scope)
        waiting = [(op, value, k)]
        while waiting:
            at, items, left = waiting.pop()
            if at < 0 or left <= 0 or not items:
                continue
            kind = tree.kinds[at]
            if kind == Op.NAME:
                self._name(at, items)
            elif kind == Op.TRANSPARENT:
                waiting.append((expressions.inner(tree, at), items, left - 1))
            elif kind == Op.UNION_TYPE:
                waiting += [
                    (tree.expression(role), items, left - 1) for role in tree.roles(at, Op.OPTION)
                ]
            elif kind == Op.COLLECTION and tree.texts[at] == "array":
                waiting.append(
                    (tree.operand(at, Op.ELEMENT), expressions.elements(items), left - 1)
                )
            elif kind == Op.INDEX and tree.texts[at] != "member":
                waiting += self._applied(tree, at, items, left)

    def _name(self, op: int, value: Value) -> None:
        for one in written.meanings(self.look, self.path, self.scope, op, "type", 1):
            if isinstance(one, TypeParameter):
                tree = expressions.tree_of(self.look, one.path, one.scope)
                parameter = Parameter(one.path, one.scope, one.op, tree.texts[one.op])
                if parameter in self.own:
                    wide = {Foreign("string") if isinstance(i, Text) else i for i in value}
                    self.found.setdefault(parameter, set()).update(wide)

    def _applied(self, tree: Tree, op: int, value: Value, k: int) -> list[tuple[int, Value, int]]:
        keys = [tree.expression(role) for role in tree.roles(op, Op.KEY)]
        head = tree.operand(op, Op.OBJECT)
        name = tree.texts[head] if head >= 0 and tree.kinds[head] == Op.NAME else ""
        if name in written.ARRAYS and keys:
            return [(keys[0], expressions.elements(value), k - 1)]
        found = []
        for item in value:
            if isinstance(item, Nominal | Foreign) and item.arguments:
                own = item.name.rpartition(".")[2]
                if own == (name or tree.text(head, Op.MEMBER_NAME)):
                    found += [
                        (key, written.forced(self.look, argument, k), k - 1)
                        for key, argument in zip(keys, item.arguments, strict=False)
                    ]
        return found

    def with_wanted(self, site: Site, k: int) -> None:
        """Lay the type that the call's surroundings want over the written result."""
        missing = [one for one in self.own if one not in self.found]
        if not missing or k <= 0:
            return
        tree = expressions.tree_of(self.look, self.path, self.scope)
        role = _return_type(tree, self.signature.op)
        if role < 0:
            return
        wanted = expected.wanted(self.look, site.path, site.scope, site.op, site.bindings, k - 1)
        self.with_type(tree.expression(role), wanted, k - 1)
