"""Names, members and written types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.declarations import Top, expression_in
from topomem.link.strategies.package_folders.meanings import Package, TypeName
from topomem.link.strategies.package_folders.members import (
    embedded_named,
    last_name_op,
)
from topomem.link.strategies.package_folders.members import (
    member as member_of,
)
from topomem.link.strategies.package_folders.region import Builtin
from topomem.link.strategies.package_folders.types import (
    Basic,
    Named,
    Outside,
    Type,
    Written,
    behind,
)
from topomem.model.code import EdgeKind, External, Method, Op, SymbolKind, Unresolved
from topomem.model.ids import moniker

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.region import Meaning, Region

NAMED_TYPES = frozenset({SymbolKind.STRUCT, SymbolKind.INTERFACE, SymbolKind.TYPE_ALIAS})

FUNCTIONS = frozenset(
    {
        "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make",
        "max", "min", "new", "panic", "print", "println", "real", "recover",
    }
)  # fmt: skip


def skip(_region: Region, _op: int) -> bool:
    """Leave an op to others."""
    return True


# written types


def written(region: Region, op: int) -> bool:
    """Read a role that holds a written type."""
    region.meanings[op] = region.code.written(
        region.path, region.number, expression_in(region.tree, op)
    )
    uses(region, op)
    return True


def uses(region: Region, role: int, skipped: int = -1) -> None:
    """Note the types that the text of a written type names, but for the op `skipped`."""
    tree = region.tree
    for op in range(role, tree.last[role] + 1):
        kind = tree.kinds[op]
        if op == skipped:
            continue
        if kind == Op.NAME:
            above = tree.role_of(op)
            if above < 0 or tree.kinds[above] != Op.TARGET:
                use(region, op)
        elif kind == Op.MEMBER:
            name_op = tree.role(op, Op.MEMBER_NAME)
            left = tree.operand(op, Op.OBJECT)
            if name_op >= 0 and name_op != skipped and left >= 0 and tree.kinds[left] == Op.NAME:
                package = meaning(region, tree.texts[left])
                if isinstance(package, Package):
                    found = region.code.in_package(package, tree.texts[name_op])
                    to_meaning(region, name_op, found, package)


def use(region: Region, op: int) -> None:
    """Note the type that a name in a written type means."""
    found = meaning(region, region.tree.texts[op])
    if isinstance(found, Top | TypeName):
        to_meaning(region, op, found, None)


def meaning(region: Region, word: str) -> object:
    """Return what a name means here, blocks included."""
    block = region.block.find(word)
    if block is not None:
        return block.names[word]
    return region.code.meaning(region.path, region.number, word)


def to_meaning(
    region: Region, op: int, found: object, package: Package | None, kind: EdgeKind | None = None
) -> None:
    """Note an edge to what a name means; `kind` for what is no type."""
    if isinstance(found, Top):
        of_type = found.kind in NAMED_TYPES
        target = moniker(found.path, found.name)
        region.edge(
            EdgeKind.USES_TYPE if of_type else kind or EdgeKind.READS,
            op,
            target,
            how(region, found, package),
        )
    elif isinstance(found, TypeName):
        of = found.type
        if isinstance(of, Outside):
            region.edge(kind or EdgeKind.USES_TYPE, op, External(of.name), Method.EXTERNAL)
        elif isinstance(of, Named):
            region.edge(EdgeKind.USES_TYPE, op, moniker(of.path, of.name), Method.LOCAL)


def how(region: Region, found: Top, package: Package | None) -> Method:
    """Return how a name of a package was found."""
    if package is not None:
        return Method.IMPORT
    return Method.MODULE if found.path == region.path else Method.PACKAGE


def embedded(region: Region, op: int) -> bool:
    """Note a type that a struct or an interface embeds."""
    tree = region.tree
    expression = expression_in(tree, op)
    of = region.code.written(region.path, region.number, expression)
    name_op = last_name_op(tree, expression)
    if isinstance(of, Named):
        target = moniker(of.path, of.name)
        method = Method.PACKAGE if tree.kinds[name_op] == Op.NAME else Method.IMPORT
        region.edge(EdgeKind.INHERITS, name_op, target, method)
    elif isinstance(of, Outside):
        region.edge(EdgeKind.INHERITS, name_op, External(of.name), Method.EXTERNAL)
    whole = name_op
    if name_op >= 0 and tree.kinds[name_op] == Op.MEMBER_NAME:
        whole = tree.parents[name_op]
    uses(region, op, whole)
    return True


def callee(region: Region, op: int) -> bool:
    """Read the type of a composite literal; what a call calls is an expression."""
    tree = region.tree
    parent = tree.parents[op]
    if parent < 0 or tree.kinds[parent] != Op.CONSTRUCT:
        return False
    expression = expression_in(tree, op)
    of = region.code.written(region.path, region.number, expression)
    region.meanings[op] = of
    name_op = last_name_op(tree, expression)
    plain = behind(of)
    whole = -1
    if name_op >= 0 and isinstance(plain, Named):
        method = Method.PACKAGE if tree.kinds[name_op] == Op.NAME else Method.IMPORT
        region.edge(EdgeKind.CONSTRUCTS, name_op, moniker(plain.path, plain.name), method)
        whole = tree.parents[name_op] if tree.kinds[name_op] == Op.MEMBER_NAME else name_op
    uses(region, op, whole)
    return True


# values


def access(region: Region, op: int) -> EdgeKind:
    """Tell whether an expression is called, written or read where it stands."""
    tree = region.tree
    at = op
    while True:
        role = tree.role_of(at)
        if role < 0:
            parent = tree.parents[at]
            if parent >= 0 and tree.kinds[parent] == Op.TRANSPARENT:
                at = parent
                continue
            return EdgeKind.READS
        kind, holder = tree.kinds[role], tree.parents[role]
        if kind == Op.CALLEE and tree.kinds[holder] == Op.CALL:
            return EdgeKind.CALLS
        if kind == Op.OBJECT and tree.kinds[holder] == Op.INDEX:
            inner = tree.role_of(holder)
            if inner >= 0 and tree.kinds[inner] == Op.CALLEE:
                return EdgeKind.CALLS
        if kind == Op.TARGET and at == op:
            return EdgeKind.WRITES
        return EdgeKind.READS


def name(region: Region, op: int) -> None:
    """Give a name in an expression its meaning."""
    tree = region.tree
    role = tree.role_of(op)
    word = tree.texts[op]
    if role >= 0 and _binds(region, role):
        return
    if role >= 0 and tree.kinds[role] == Op.KEY and _field_key(region, op, role, word):
        return
    block = region.block.find(word)
    if block is not None:
        region.meanings[op] = block.names[word]
        return
    found = region.code.meaning(region.path, region.number, word)
    if found is None and word in FUNCTIONS:
        region.meanings[op] = Builtin(word)
        region.edge(access(region, op), op, External(f"<builtin>.{word}"), Method.BUILTIN)
        return
    region.meanings[op] = _value(region, op, found, None)
    if found is None and access(region, op) == EdgeKind.CALLS:
        region.edge(EdgeKind.CALLS, op, Unresolved(word), Method.UNRESOLVED, 0.0)


def _value(region: Region, op: int, found: object, package: Package | None) -> Meaning:
    """Note the edge to what a name means, and return it as an expression's meaning."""
    if isinstance(found, Top):
        to_meaning(region, op, found, package, access(region, op))
        return region.code.meaning_of(found)
    if isinstance(found, TypeName):
        if isinstance(found.type, Named | Outside):
            to_meaning(region, op, found, package, access(region, op))
        return found
    return found if isinstance(found, Package) else None


def _binds(region: Region, role: int) -> bool:
    tree = region.tree
    if tree.kinds[role] != Op.TARGET:
        return False
    holder = tree.parents[role]
    if holder < 0:
        return True
    kind = tree.kinds[holder]
    return kind in (Op.DECLARE, Op.SCOPE) or (
        kind in (Op.ASSIGN, Op.ITERATE) and tree.texts[holder] == "declare"
    )


def _field_key(region: Region, op: int, role: int, word: str) -> bool:
    """Read the key of a pair in the literal of a struct."""
    tree = region.tree
    pair = tree.parents[role]
    if pair < 0 or tree.kinds[pair] != Op.PAIR:
        return False
    of = region.meanings[tree.parents[pair]]
    if isinstance(of, TypeName):
        of = of.type
    plain = behind(region.type_of(of))
    if isinstance(region.code.underlying(plain), Written):
        found = member_of(region.code, plain, word)
        if found is not None and found.name:
            region.edge(EdgeKind.WRITES, op, moniker(found.path, found.name), Method.RECEIVER)
        else:
            inside = behind(embedded_named(region.code, plain, word))
            if isinstance(inside, Named):
                target = moniker(inside.path, inside.name)
                region.edge(EdgeKind.WRITES, op, target, Method.RECEIVER)
        return True
    return isinstance(plain, Outside)


def member(region: Region, op: int) -> None:
    """Give a member its meaning: a name of a package, a field, a method, an embedded value."""
    tree = region.tree
    name_op = tree.role(op, Op.MEMBER_NAME)
    if name_op < 0:
        return
    word = tree.texts[name_op]
    left = region.value(tree.role(op, Op.OBJECT))
    if isinstance(left, Package):
        found = region.code.in_package(left, word)
        _member_place(region, op, name_op, found, left, word)
        return
    of = left.type if isinstance(left, TypeName) else region.type_of(left)
    if of is None or isinstance(of, Basic):
        return
    region.meanings[op] = _of_value(region, op, name_op, of, word)


def _member_place(
    region: Region, op: int, name_op: int, found: object, package: Package, word: str
) -> None:
    kind = access(region, op)
    if isinstance(found, Top):
        to_meaning(region, name_op, found, package, kind)
        region.meanings[op] = region.code.meaning_of(found)
    elif isinstance(found, TypeName) and isinstance(found.type, Outside):
        region.edge(kind, name_op, External(found.type.name), Method.EXTERNAL)
        region.meanings[op] = found.type
    else:
        target = Unresolved(f"{package.path}.{word}")
        region.edge(kind, name_op, target, Method.UNRESOLVED, 0.0)


def _of_value(region: Region, op: int, name_op: int, of: Type, word: str) -> Meaning:
    found = member_of(region.code, of, word)
    if found is not None and found.name is None:
        return found.type
    if found is None or not found.name:
        inside = embedded_named(region.code, of, word)
        if inside is not None:
            _to_embedded(region, name_op, inside)
            return inside
    if found is None:
        if access(region, op) == EdgeKind.CALLS:
            region.edge(EdgeKind.CALLS, name_op, Unresolved(word), Method.UNRESOLVED, 0.0)
        return None
    kind = access(region, op)
    if not found.name:
        if isinstance(found.type, Outside):
            region.edge(kind, name_op, External(found.type.name), Method.EXTERNAL)
        return found.type
    region.edge(kind, name_op, moniker(found.path, found.name), Method.RECEIVER)
    return found.function if found.function is not None else found.type


def _to_embedded(region: Region, name_op: int, of: Type) -> None:
    plain = behind(of)
    if isinstance(plain, Named):
        region.edge(EdgeKind.READS, name_op, moniker(plain.path, plain.name), Method.RECEIVER)
    elif isinstance(plain, Outside):
        region.edge(EdgeKind.READS, name_op, External(plain.name), Method.EXTERNAL)
