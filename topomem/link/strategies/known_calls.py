"""Builtins and library functions of Python that hand on what they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.calls import Site
from topomem.link.collections import known_keys
from topomem.link.expressions import parent_value
from topomem.link.values import (
    NOTHING,
    Collection,
    Container,
    Definition,
    Instance,
    Item,
    OutsideMethod,
    OwnClass,
    Parent,
    Text,
    Value,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.model.ids import FilePath, QualifiedName

SAME_ELEMENTS = frozenset(
    {
        "<builtin>.list", "<builtin>.tuple", "<builtin>.set", "<builtin>.frozenset",
        "<builtin>.sorted", "<builtin>.reversed", "<builtin>.iter", "collections.deque",
        "itertools.chain", "itertools.cycle", "itertools.islice", "<builtin>.dict",
    }
)  # fmt: skip
FIRST_ITSELF = frozenset(
    {
        "functools.partial", "functools.lru_cache", "functools.cache", "copy.copy",
        "copy.deepcopy", "typing.cast", "inspect.unwrap", "weakref.proxy", "asyncio.create_task",
    }
)  # fmt: skip
CALLS_ARGUMENTS = frozenset({"<builtin>.map", "<builtin>.filter", "functools.reduce"})
"""Functions that call the functions they are given at once, as far as a reader is concerned."""


def known_call(
    look: Evaluator, name: str, path: FilePath, scope: QualifiedName, call: int, k: int
) -> Value | None:
    """Return the result of a call of something outside, None when it is not known."""
    tables = look.world.scope_of(path, scope)
    if tables is None:
        return None
    tree = tables.tree
    given = [tree.expression(role) for role in tree.roles(call, Op.ARGUMENT)]
    if name == "<builtin>.super":
        return _super(look, path, scope, given, k)
    if not given:
        return None
    if name in SAME_ELEMENTS:
        return _same_elements(look, path, scope, given, k)
    if name in ("<builtin>.map", "<builtin>.filter"):
        return _mapped(look, path, scope, given, k)
    if name == "<builtin>.next":
        return look.iterated(look.value_at(path, scope, given[0], k), k)
    if name in ("<builtin>.enumerate", "<builtin>.zip"):
        return NOTHING
    if name == "<builtin>.getattr" and len(given) > 1:
        return _attribute(look, path, scope, given, k)
    if name == "<builtin>.type" and len(given) == 1:
        value = look.value_at(path, scope, given[0], k)
        return frozenset(_class_of(item) for item in value if isinstance(item, Instance))
    if name == "typing.cast" and len(given) > 1:
        return look.strategy_of(path).type_value(look, path, scope, given[0], k)
    if name in FIRST_ITSELF:
        return look.value_at(path, scope, given[0], k)
    return None


ONE_ELEMENT = frozenset({"get", "pop", "popleft", "setdefault", "__next__", "__getitem__"})
ALL_ELEMENTS = frozenset({"values", "copy"})


def known_method(look: Evaluator, method: OutsideMethod, site: Site, k: int) -> Value:
    """Return the result of a method of a collection: its elements, where it gives them out."""
    last = method.name.rpartition(".")[2]
    if last in ALL_ELEMENTS:
        if last == "copy":
            return frozenset({method.receiver})
        return frozenset({Container(look.elements(method.receiver, "", k))})
    if last not in ONE_ELEMENT:
        return NOTHING
    tables = look.world.scope_of(site.path, site.scope)
    keys: set[str] = set()
    if tables is not None:
        given = tables.tree.roles(site.op, Op.ARGUMENT)
        if given:
            at = tables.tree.expression(given[0])
            keys = known_keys(look, site.path, site.scope, at, k)
    found: set[Item] = set()
    for key in sorted(keys) or [""]:
        found |= look.elements(method.receiver, key, k)
    return look.limited(found)


def _class_of(item: Instance) -> Item:
    return OwnClass(item.path, item.name) if item.own else Definition(item.path, item.name)


def _super(
    look: Evaluator, path: FilePath, scope: QualifiedName, given: list[int], k: int
) -> Value:
    if len(given) > 1:
        found = {
            Parent(item.path, item.name, receiver)
            for item in look.value_at(path, scope, given[0], k)
            if isinstance(item, (Definition, OwnClass))
            for receiver in look.value_at(path, scope, given[1], k)
            if isinstance(receiver, (Instance, OwnClass, Definition))
        }
        if found:
            return frozenset(found)
    return parent_value(look, path, scope)


def _same_elements(
    look: Evaluator, path: FilePath, scope: QualifiedName, given: list[int], k: int
) -> Value:
    found: set[Item] = set()
    for at in given:
        value = look.value_at(path, scope, at, k)
        if len(given) == 1 and all(isinstance(item, Collection) for item in value):
            return value
        found |= look.iterated(value, k)
    return frozenset({Container(look.limited(found))})


def _mapped(
    look: Evaluator, path: FilePath, scope: QualifiedName, given: list[int], k: int
) -> Value:
    found: set[Item] = set()
    for at in given:
        for item in look.value_at(path, scope, at, k):
            if not isinstance(item, (Collection, Container, Text)):
                found |= look.call(item, Site(path, scope, given[0]), k)
    return frozenset({Container(look.limited(found))})


def _attribute(
    look: Evaluator, path: FilePath, scope: QualifiedName, given: list[int], k: int
) -> Value:
    found: set[Item] = set()
    for key in look.value_at(path, scope, given[1], k):
        if isinstance(key, Text):
            for item in look.value_at(path, scope, given[0], k):
                found |= look.read(look.members(item, key.text, k), k)
    return look.limited(found)
