"""Names, members and written types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.declared_packages.declarations import expression_in
from topomem.link.strategies.declared_packages.region import CHOSEN, Prefix, TypeName
from topomem.link.strategies.declared_packages.types import (
    INT,
    PRIMITIVES,
    ArrayType,
    ClassType,
    OutsideType,
    PrimitiveType,
    VariableType,
)
from topomem.model.code import EdgeKind, External, Method, Op, SymbolKind
from topomem.model.ids import moniker

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.declarations import Field
    from topomem.link.strategies.declared_packages.region import Meaning, Region
    from topomem.link.strategies.declared_packages.types import Type
    from topomem.model.ids import FilePath

DECLARING = frozenset({Op.DECLARE, Op.ITERATE, Op.ENTER, Op.CATCH})


def skip(_region: Region, _op: int) -> bool:
    """Leave an op to others."""
    return True


# written types


def written(region: Region, op: int) -> bool:
    """Read a role that holds a written type."""
    read_type(region, op, expression_in(region.tree, op))
    return True


def read_type(region: Region, role: int, expression: int) -> Type | None:
    """Note the type of a role, and what its text uses."""
    tree = region.tree
    if expression >= 0 and tree.kinds[expression] == Op.NAME:
        of = _simple_type(region, expression)
    else:
        of = region.code.written(region.path, region.number, expression)
        uses(region, role)
    region.meanings[role] = of
    return of


def _simple_type(region: Region, op: int) -> Type | None:
    """Read a written type that is one name."""
    word = region.tree.texts[op]
    if word in PRIMITIVES:
        return PrimitiveType(word)
    of = region.named_type(word)
    if word != "var":
        region.to_type(EdgeKind.USES_TYPE, op, of, how(region, of))
    return of


def uses(region: Region, role: int, skipped: int = -1) -> None:
    """Note the types that the text of a written type names, but for the op `skipped`."""
    tree = region.tree
    for op in range(role + 1, tree.last[role] + 1):
        kind = tree.kinds[op]
        if kind == Op.NAME and op != skipped:
            word = tree.texts[op]
            if word in PRIMITIVES or word == "var":
                continue
            of = region.named_type(word)
            if isinstance(of, VariableType):
                continue
            if isinstance(of, ClassType) or not _is_prefix(region, op):
                region.to_type(EdgeKind.USES_TYPE, op, of, how(region, of))
        elif kind == Op.MEMBER and op != skipped:
            of = region.code.written(region.path, region.number, op)
            region.to_type(EdgeKind.USES_TYPE, tree.role(op, Op.MEMBER_NAME), of, how(region, of))


def _is_prefix(region: Region, op: int) -> bool:
    """Tell whether a name stands before a dot."""
    tree = region.tree
    role = tree.role_of(op)
    if role < 0 or tree.kinds[role] != Op.OBJECT:
        return False
    return tree.kinds[tree.parents[role]] == Op.MEMBER


def how(region: Region, of: Type | None) -> Method:
    """Return how a type of the repository was found."""
    if not isinstance(of, ClassType):
        return Method.EXTERNAL
    return Method.MODULE if of.path == region.path else Method.IMPORT


def base(region: Region, op: int) -> bool:
    """Read a base in the header of a type."""
    tree = region.tree
    expression = expression_in(tree, op)
    of = region.code.written(region.path, region.number, expression, header=True)
    name_op = last_name_op(region, expression)
    kind = EdgeKind.IMPLEMENTS if tree.kinds[op] == Op.IMPLEMENT else EdgeKind.INHERITS
    region.to_type(kind, name_op, of, how(region, of))
    whole = tree.parents[name_op] if tree.kinds[name_op] == Op.MEMBER_NAME else name_op
    uses(region, op, whole)
    return True


def last_name_op(region: Region, expression: int) -> int:
    """Return the op of the last name of a written type, without what it is applied to."""
    tree = region.tree
    at = expression
    while at >= 0:
        kind = tree.kinds[at]
        if kind == Op.NAME:
            return at
        if kind == Op.MEMBER:
            return tree.role(at, Op.MEMBER_NAME)
        if kind == Op.INDEX:
            at = tree.operand(at, Op.OBJECT)
        else:
            break
    return max(expression, 0)


def callee(region: Region, op: int) -> bool:
    """Read what is called: the type of a new object; a name is left to the call."""
    tree = region.tree
    parent = tree.parents[op]
    kind = tree.kinds[parent] if parent >= 0 else -1
    if kind == Op.CONSTRUCT:
        expression = expression_in(tree, op)
        region.meanings[op] = region.code.written(region.path, region.number, expression)
        name_op = last_name_op(region, expression)
        whole = tree.parents[name_op] if tree.kinds[name_op] == Op.MEMBER_NAME else name_op
        uses(region, op, whole)
        return True
    child = op + 1
    return kind == Op.CALL and tree.kinds[child] == Op.NAME


def key(region: Region, op: int) -> bool:
    """Read a key: a type argument of a call, or a plain value."""
    tree = region.tree
    parent = tree.parents[op]
    if parent >= 0 and tree.kinds[parent] == Op.CALL:
        return written(region, op)
    return _label(region, op, parent)


def _label(region: Region, op: int, parent: int) -> bool:
    """Read a label of a switch: a member of the enum that is switched on, without its name."""
    tree = region.tree
    while parent >= 0 and tree.kinds[parent] == Op.SCOPE:
        parent = tree.parents[parent]
    child = op + 1
    if parent < 0 or tree.kinds[parent] != Op.CHOICE or tree.kinds[child] != Op.NAME:
        return False
    role = tree.role(parent, Op.VALUE)
    of = region.meanings[tree.expression(role)] if role >= 0 else None
    if not isinstance(of, ClassType):
        return False
    found = region.code.field(of, tree.texts[child])
    if found is None or found[0].kind != SymbolKind.ENUM_MEMBER:
        return False
    to_field(region, EdgeKind.READS, child, found[0], Method.RECEIVER)
    return True


def qualifier(region: Region, op: int) -> bool:
    """Read what stands before `::` when it can only be a type."""
    tree = region.tree
    parent = tree.parents[op]
    if parent < 0 or tree.kinds[parent] != Op.REFERENCE:
        return False
    expression = tree.expression(op)
    if expression < 0 or tree.kinds[expression] not in (Op.INDEX, Op.COLLECTION):
        return False
    of = read_type(region, op, expression)
    region.meanings[expression] = None if of is None else TypeName(of)
    return True


def decorator(region: Region, op: int) -> bool:
    """Note the annotation; its elements are read as values."""
    tree = region.tree
    role = tree.role(op, Op.CALLEE)
    if role >= 0:
        expression = tree.expression(role)
        of = region.code.written(region.path, region.number, expression)
        region.meanings[op] = of
        region.to_type(EdgeKind.DECORATES, last_name_op(region, expression), of, how(region, of))
    return False


def keyword(region: Region, op: int) -> None:
    """Note the element of an annotation that a keyword sets."""
    tree = region.tree
    holder = tree.parents[op]
    of = region.meanings[holder] if holder >= 0 else None
    name_op = tree.role(op, Op.KEYWORD_NAME)
    if isinstance(of, ClassType) and name_op >= 0:
        for method, _ in region.code.methods(of, tree.texts[name_op])[:1]:
            region.edge(
                EdgeKind.WRITES, name_op, moniker(method.path, method.name), Method.RECEIVER
            )


# values


def to_field(region: Region, kind: EdgeKind, op: int, field: Field, method: Method) -> None:
    """Note an edge to a field."""
    region.edge(kind, op, moniker(field.path, region.code.field_name(field)), method)


def access(region: Region, op: int) -> EdgeKind:
    """Tell whether an expression is read or written where it stands."""
    tree = region.tree
    role = tree.role_of(op)
    written_to = role >= 0 and tree.kinds[role] == Op.TARGET
    return EdgeKind.WRITES if written_to else EdgeKind.READS


def name(region: Region, op: int) -> None:
    """Give a name in an expression its meaning."""
    tree = region.tree
    role = tree.role_of(op)
    if role >= 0 and tree.kinds[role] == Op.TARGET and _declares(region, role):
        return
    word = tree.texts[op]
    found, of, field = region.variable(word)
    if found:
        region.meanings[op] = of
        if field is not None:
            to_field(region, access(region, op), op, field, _field_how(region, field))
        return
    static = _static_field(region, word)
    if static is not None:
        field, holder = static
        region.meanings[op] = region.code.field_type(field, holder)
        to_field(region, access(region, op), op, field, Method.IMPORT)
        return
    if role >= 0 and tree.kinds[role] == Op.OBJECT:
        region.meanings[op] = _type_or_prefix(region, op, word)


def _field_how(region: Region, field: Field) -> Method:
    own = region.declared
    if own is not None and field.path == own.path and field.owner == own.name:
        return Method.ENCLOSING
    return Method.MODULE if field.path == region.path else Method.RECEIVER


def _declares(region: Region, role: int) -> bool:
    tree = region.tree
    holder = tree.parents[role]
    if holder < 0:
        return False
    kind = tree.kinds[holder]
    if kind == Op.ASSIGN:
        above = tree.parents[holder]
        return tree.texts[holder] == "pattern" or (above >= 0 and tree.kinds[above] == Op.DECLARE)
    return kind in DECLARING


def _static_field(region: Region, word: str) -> tuple[Field, ClassType] | None:
    """Return the field that a static import brings, None without one."""
    key = ("static field", region.path, word)
    code, path = region.code, region.path
    return code.remember(key, lambda: _read_static_field(code, path, word), None)


def _read_static_field(code: Code, path: FilePath, word: str) -> tuple[Field, ClassType] | None:
    code.world.asked.append(("head", path))
    for form in code.unit(path).imports:
        if not form.static:
            continue
        owner, _, last = form.name.rpartition(".")
        if form.star or last == word:
            holder = code.dotted_type(path, form.name if form.star else owner)
            found = None if holder is None else code.field(holder, word)
            if found is not None:
                return found
    return None


def _type_or_prefix(region: Region, op: int, word: str) -> Meaning:
    of = region.named_type(word)
    if isinstance(of, ClassType):
        region.to_type(EdgeKind.USES_TYPE, op, of, how(region, of))
        return TypeName(of)
    if isinstance(of, OutsideType):
        if "." in of.name or word[:1].isupper():
            region.edge(EdgeKind.USES_TYPE, op, External(of.name), Method.EXTERNAL)
            return TypeName(of)
        return Prefix(word)
    return None if of is None else TypeName(of)


def member(region: Region, op: int) -> None:
    """Give a member its meaning: a field, a type inside a type or a package, an outer object."""
    tree = region.tree
    holder_op = tree.operand(op, Op.OBJECT)
    holder = region.meanings[holder_op] if holder_op >= 0 else None
    if tree.role(op, Op.MEMBER_NAME) < 0:
        region.meanings[op] = _outer_object(holder)
        return
    name_op = tree.role(op, Op.MEMBER_NAME)
    word = tree.texts[name_op]
    if isinstance(holder, Prefix):
        region.meanings[op] = _in_package(region, name_op, f"{holder.text}.{word}")
        return
    of = holder.type if isinstance(holder, TypeName) else holder
    if isinstance(of, ArrayType):
        region.meanings[op] = INT if word == "length" else None
        return
    found = region.code.field(of, word)
    if found is not None:
        field, where = found
        region.meanings[op] = region.code.field_type(field, where)
        to_field(region, access(region, op), name_op, field, Method.RECEIVER)
    elif isinstance(holder, TypeName) and isinstance(of, ClassType):
        inner = region.code.member_type(of, word)
        if inner is not None:
            region.to_type(EdgeKind.USES_TYPE, name_op, inner, how(region, inner))
            region.meanings[op] = TypeName(inner)
        else:
            region.meanings[op] = _outside_field(region, of, word)
    else:
        region.meanings[op] = _outside_field(region, of, word)


def _outside_field(region: Region, of: Type | None, word: str) -> Meaning:
    for up in region.code.lineage(of):
        if isinstance(up, OutsideType):
            found = region.code.library.field(up, word)
            if found is not None:
                return found
    if isinstance(of, OutsideType) and word[:1].isupper() and not word.isupper():
        return TypeName(OutsideType(f"{of.name}.{word}"))
    return None


def _outer_object(holder: Meaning) -> Meaning:
    return holder.type if isinstance(holder, TypeName) else None


def _in_package(region: Region, op: int, full: str) -> Meaning:
    of = region.code.dotted_type(region.path, full)
    if of is not None:
        region.edge(EdgeKind.USES_TYPE, op, moniker(of.path, of.name), Method.IMPORT, CHOSEN)
        return TypeName(of)
    last = full.rpartition(".")[2]
    if last[:1].isupper():
        region.edge(EdgeKind.USES_TYPE, op, External(full), Method.EXTERNAL)
        return TypeName(OutsideType(full))
    return Prefix(full)


def receiver(region: Region, op: int) -> None:
    """Give `this` the type around."""
    region.meanings[op] = region.own


def parent(region: Region, op: int) -> None:
    """Give `super` the first base of the type around."""
    own = region.own
    if own is not None:
        bases = region.code.bases(own)
        region.meanings[op] = bases[0] if bases else None
