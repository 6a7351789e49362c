"""What stands in collections: by literal key, anywhere, and one after the other in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.values import (
    NOTHING,
    Argument,
    Collection,
    Container,
    Definition,
    Generator,
    Instance,
    Item,
    Outside,
    OutsideInstance,
    Part,
    Text,
    Value,
    Variable,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree
    from topomem.link.views import Use
    from topomem.model.ids import FilePath, QualifiedName

MOST_PARTS = 64
ADDS = frozenset({"append", "add", "appendleft"})
MERGES = frozenset({"extend", "update"})
PLACES = frozenset({"insert", "setdefault"})


def elements(look: Evaluator, item: Item, key: str, k: int) -> Value:
    """Return what stands in `item` under `key`: a text, `#` and a position, or `` for anywhere."""
    match item:
        case Collection():
            return _of_collection(look, item, key, k)
        case Container():
            return item.items
        case Part():
            if key.startswith("#") and not key.startswith("#-") and key[1:].isdigit():
                return look.elements(item.whole, f"#{int(key[1:]) + item.start}", k)
            return look.elements(item.whole, "", k)
        case Generator():
            return look.yielded(item, k)
        case Argument():
            found: set[Item] = set()
            for passed in look.passed(item, k):
                found |= look.elements(passed, key, k)
            return look.limited(found)
        case Instance():
            return look.invoked(item, "item", k)
    return NOTHING


def _of_collection(look: Evaluator, item: Collection, key: str, k: int) -> Value:
    tables = look.world.scope_of(item.path, item.scope)
    if tables is None:
        return NOTHING
    tree = tables.tree
    written = _written(look, item, tree, key, k)
    filled, replaced = _filled(look, item, tree, key, k)
    return look.limited(set(filled) if replaced else written | filled)


def _written(look: Evaluator, item: Collection, tree: Tree, key: str, k: int) -> Value:
    parts = tree.roles(item.op, Op.ELEMENT)
    pairs = tree.roles(item.op, Op.PAIR)
    spreads = tree.roles(item.op, Op.SPREAD)
    if len(parts) + len(pairs) > MOST_PARTS and not key:
        return NOTHING
    found: set[Item] = set()
    for pair in pairs:
        if not key or _pair_has(look, item, tree, pair, key, k):
            at = tree.operand(pair, Op.VALUE)
            found |= look.value_at(item.path, item.scope, at, k)
    if key.startswith("#") and parts and not spreads and tree.kinds[item.op] == Op.COLLECTION:
        position = _number(key)
        if position is not None and -len(parts) <= position < len(parts):
            at = tree.expression(parts[position])
            return look.value_at(item.path, item.scope, at, k)
        return NOTHING if position is not None else frozenset()
    if not key or key.startswith("#"):
        for role in parts:
            found |= look.value_at(item.path, item.scope, tree.expression(role), k)
    for role in spreads:
        spread = look.value_at(item.path, item.scope, tree.expression(role), k)
        for inner in spread:
            found |= look.elements(inner, key if pairs else "", k)
    return frozenset(found)


def _number(key: str) -> int | None:
    try:
        return int(key[1:])
    except ValueError:
        return None


def key_text(tree: Tree, op: int) -> str:
    """Return the key that a literal stands for: its text, or `#` and the number as written."""
    text = tree.texts[op]
    bare = tree.ends[op] - tree.starts[op] == len(text) and text.lstrip("-").isdigit()
    return f"#{text}" if bare else text


def _pair_has(look: Evaluator, item: Collection, tree: Tree, pair: int, key: str, k: int) -> bool:
    name = tree.pair_name(pair)
    if name >= 0:
        return key_text(tree, name) == key
    at = tree.operand(pair, Op.KEY)
    return at < 0 or Text(key) in look.value_at(item.path, item.scope, at, k)


def _filled(look: Evaluator, item: Collection, tree: Tree, key: str, k: int) -> tuple[Value, bool]:
    """Return what statements put in later, and whether one of them replaces just this key."""
    holder = holder_of(look, item, tree)
    if holder is None:
        return NOTHING, False
    scope, written = holder
    found: set[Item] = set()
    replaced = False
    for use in look.world.elements(item.path, scope, written)[:MOST_PARTS]:
        value, exact = _put(look, use, key, k)
        found |= value
        replaced = replaced or (exact and use.scope == item.scope and bool(value))
    return frozenset(found), replaced


def holder_of(look: Evaluator, item: Collection, tree: Tree) -> tuple[QualifiedName, str] | None:
    """Return where a written collection is kept: the scope, and what is written for it there."""
    role = tree.role_of(item.op)
    if role < 0 or tree.kinds[role] != Op.VALUE or tree.parents[role] < 0:
        return None
    statement = tree.parents[role]
    if tree.kinds[statement] != Op.ASSIGN:
        return None
    target = tree.operand(statement, Op.TARGET)
    if target < 0:
        return None
    if tree.kinds[target] == Op.NAME:
        for found in look.names(item.path, item.scope, target, tree.texts[target]):
            if isinstance(found.place, Variable) and found.place.path == item.path:
                return found.place.scope, found.place.name
        return None
    if tree.kinds[target] == Op.MEMBER:
        owner = look.world.owner_of(item.path, item.scope)
        if owner is not None:
            return owner, f"self.{tree.text(target, Op.MEMBER_NAME)}"
    return None


def _put(look: Evaluator, use: Use, key: str, k: int) -> tuple[Value, bool]:
    tables = look.world.scope_of(use.path, use.scope)
    if tables is None:
        return NOTHING, False
    tree = tables.tree
    if tree.kinds[use.op] == Op.INDEX:
        return _put_by_index(look, use, tree, key, k)
    callee = tree.operand(use.op, Op.CALLEE)
    name = tree.text(callee, Op.MEMBER_NAME)
    given = [tree.expression(role) for role in tree.roles(use.op, Op.ARGUMENT)]
    if name in ADDS and given:
        return look.value_at(use.path, use.scope, given[0], k), False
    if name in PLACES and len(given) > 1:
        return look.value_at(use.path, use.scope, given[1], k), False
    found: set[Item] = set()
    exact = False
    if name in MERGES and given:
        for item in look.value_at(use.path, use.scope, given[0], k):
            inner = look.elements(item, key, k)
            exact = exact or (bool(inner) and bool(key) and name == "update")
            found |= inner
    return frozenset(found), exact


def _put_by_index(look: Evaluator, use: Use, tree: Tree, key: str, k: int) -> tuple[Value, bool]:
    statement = tree.parents[use.op]
    while statement >= 0 and tree.kinds[statement] != Op.ASSIGN:
        statement = tree.parents[statement]
    if statement < 0:
        return NOTHING, False
    keys = known_keys(look, use.path, use.scope, tree.operand(use.op, Op.KEY), k)
    if key and keys and key not in keys:
        return NOTHING, False
    at = tree.operand(statement, Op.VALUE)
    return look.value_at(use.path, use.scope, at, k), bool(key) and keys == {key}


def known_keys(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> set[str]:
    """Return the literal keys that an expression may stand for; none when it is not known."""
    if op < 0:
        return set()
    keys: set[str] = set()
    for item in look.value_at(path, scope, op, k):
        if isinstance(item, Text):
            keys.add(item.text)
        elif isinstance(item, Argument):
            keys |= {one.text for one in look.passed(item, k) if isinstance(one, Text)}
    return keys


def indexed(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, value: Value, k: int
) -> Value:
    """Return `value[key]` for the INDEX `op`."""
    tables = look.world.scope_of(path, scope)
    if tables is None:
        return NOTHING
    tree = tables.tree
    keys = known_keys(look, path, scope, tree.operand(op, Op.KEY), k)
    found: set[Item] = set()
    for item in value:
        if isinstance(item, (Definition, Outside)):
            found.add(item)
        elif not isinstance(item, OutsideInstance):
            for key in sorted(keys) or [""]:
                found |= look.elements(item, key, k)
    return look.limited(found)


def iterated(look: Evaluator, value: Value, k: int) -> Value:
    """Return what a loop over a value takes."""
    found: set[Item] = set()
    for item in value:
        if isinstance(item, Instance):
            for source in look.invoked(item, "iterate", k):
                if isinstance(source, Instance):
                    found |= look.invoked(source, "next", k)
                else:
                    found |= look.elements(source, "", k)
        elif isinstance(item, Argument):
            found |= (
                look.iterated(
                    frozenset(one for one in look.passed(item, k) if not isinstance(one, Argument)),
                    k - 1,
                )
                if k > 0
                else look.stopped()
            )
        elif isinstance(item, Collection) and is_mapping(look, item):
            found |= _keys(look, item)
        else:
            found |= look.elements(item, "", k)
    return look.limited(found)


def is_mapping(look: Evaluator, item: Collection) -> bool:
    """Tell whether a written collection maps keys to values."""
    return look.builtin_kind(item) in ("<builtin>.dict", "<builtin>.object")


def _keys(look: Evaluator, item: Collection) -> Value:
    tables = look.world.scope_of(item.path, item.scope)
    if tables is None:
        return NOTHING
    tree = tables.tree
    return frozenset(
        Text(key_text(tree, name))
        for pair in tree.roles(item.op, Op.PAIR)[:MOST_PARTS]
        if (name := tree.pair_name(pair)) >= 0
    )


def builtin_kind(look: Evaluator, item: Item) -> str:
    """Return the outside name of the type of a value, `` when it has none."""
    if isinstance(item, Collection):
        tables = look.world.scope_of(item.path, item.scope)
        return "" if tables is None else f"<builtin>.{tables.tree.texts[item.op]}"
    if isinstance(item, Container):
        return item.kind
    if isinstance(item, Part):
        return look.builtin_kind(item.whole)
    if isinstance(item, Generator):
        return "<builtin>.generator"
    if isinstance(item, Text):
        return "<builtin>.int" if item.text.startswith("#") else "<builtin>.str"
    return ""
