"""What Python's written types say of values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topomem.link.values import (
    NOTHING,
    Container,
    Definition,
    Instance,
    Item,
    Outside,
    OutsideInstance,
    OwnClass,
    Value,
    Variable,
)
from topomem.link.variables import as_instance

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.model.ids import FilePath, QualifiedName

TYPING = frozenset({"typing", "typing_extensions", "collections.abc", "<builtin>", "collections"})
SAYS_NOTHING = frozenset(
    {"Any", "object", "TypeVar", "Callable", "None", "NoReturn", "Never", "Generic", "Protocol"}
)
FIRST_ARGUMENT = frozenset(
    {"Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Unpack"}
)
ALL_ARGUMENTS = frozenset({"Union"})
LAST_ARGUMENT = frozenset({"Awaitable", "Coroutine"})
ELEMENTS = frozenset(
    {
        "list", "List", "set", "Set", "frozenset", "FrozenSet", "tuple", "Tuple", "Sequence",
        "MutableSequence", "Iterable", "Iterator", "Collection", "Container", "AbstractSet",
        "MutableSet", "deque", "Deque", "AsyncIterator", "AsyncIterable", "Reversible",
    }
)  # fmt: skip
FIRST_ELEMENTS = frozenset(
    {"Generator", "AsyncGenerator", "ContextManager", "AsyncContextManager", "KeysView"}
)
MAPPINGS = frozenset(
    {
        "dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict",
        "ItemsView", "ValuesView",
    }
)  # fmt: skip
CLASSES = frozenset({"type", "Type"})

DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
WORDS = re.compile(r"[\w.]+|[\[\],|]")


def split(name: str) -> tuple[str, str]:
    """Return module and last part of an outside name."""
    module, _, last = name.rpartition(".")
    return module, last


def named_value(
    look: Evaluator, path: FilePath, scope: QualifiedName, item: Item
) -> tuple[Item, ...]:
    """Return what a named type says, given the value that the shared rules find for it."""
    if not isinstance(item, OutsideInstance):
        return (item,)
    module, last = split(item.name)
    if module in TYPING and last in SAYS_NOTHING:
        return ()
    if module in TYPING and last == "Self":
        owner = look.world.owner_of(path, scope)
        return () if owner is None else (Instance(path, owner, own=True),)
    return (item,)


def generic_value(look: Evaluator, item: Item, arguments: tuple[Value, ...]) -> Value:
    """Return what a type with arguments says."""
    if isinstance(item, Definition) and look.is_class(item):
        return frozenset({Instance(item.path, item.name)})
    if not isinstance(item, Outside) or not arguments:
        return NOTHING
    module, last = split(item.name)
    everything = frozenset(one for argument in arguments for one in argument)
    if module not in TYPING and module != "contextlib":
        return frozenset({Container(everything, item.name)})
    if last in FIRST_ARGUMENT:
        return arguments[0]
    if last in ALL_ARGUMENTS:
        return everything
    if last in LAST_ARGUMENT:
        return arguments[-1]
    if last in ELEMENTS:
        return frozenset({Container(everything, item.name)})
    if last in FIRST_ELEMENTS:
        return frozenset({Container(arguments[0], item.name)})
    if last in MAPPINGS:
        return frozenset({Container(arguments[-1], item.name)})
    if last in CLASSES:
        return frozenset(_class_of(one) for one in everything)
    return NOTHING


def _class_of(item: Item) -> Item:
    if isinstance(item, Instance):
        if item.own:
            return OwnClass(item.path, item.name)
        return Definition(item.path, item.name)
    if isinstance(item, OutsideInstance):
        return Outside(item.name)
    return item


def text_value(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, text: str, k: int
) -> Value:
    """Return what a type written inside a string says: names, options and one level of `[]`."""
    stack: list[tuple[Item | None, list[Value]]] = [(None, [NOTHING])]
    last: Item | None = None
    for word in WORDS.findall(text):
        if DOTTED.fullmatch(word):
            items = resolve_text(look, path, scope, op, word, k)
            last = next(iter(sorted(items, key=repr)), None)
            made = frozenset(one for item in items if (one := as_instance(look, item)) is not None)
            named = frozenset(one for item in made for one in named_value(look, path, scope, item))
            stack[-1][1][-1] |= named
        elif word == "[":
            outer = stack[-1][1]
            outer[-1] = frozenset(one for one in outer[-1] if not _is_of(one, last))
            stack.append((last, [NOTHING]))
        elif word == "," and len(stack) > 1:
            stack[-1][1].append(NOTHING)
        elif word == "]" and len(stack) > 1:
            item, arguments = stack.pop()
            if item is not None:
                stack[-1][1][-1] |= generic_value(look, item, tuple(arguments))
    return stack[0][1][-1]


def _is_of(made: Item, item: Item | None) -> bool:
    if isinstance(made, Instance) and isinstance(item, Definition):
        return (made.path, made.name) == (item.path, item.name)
    return (
        isinstance(made, OutsideInstance) and isinstance(item, Outside) and (made.name == item.name)
    )


def resolve_text(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, dotted: str, k: int
) -> Value:
    """Return the value of a dotted name that stands inside a string."""
    first, *rest = dotted.split(".")
    value: Value = frozenset()
    for found in look.meaning(path, scope, op, first):
        if isinstance(found.place, Variable):
            value |= look.value_of(found.place, k)
        else:
            value |= frozenset({found.place})
    for name in rest:
        value = frozenset(
            found.place
            for item in value
            for found in look.members(item, name, k)
            if not isinstance(found.place, Variable)
        )
    return value
