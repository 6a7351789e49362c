"""Functions as values: references to methods, and what is expected of a lambda."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.declared_packages.calling import looked_for, parts_of
from topomem.link.strategies.declared_packages.library import replaced
from topomem.link.strategies.declared_packages.naming import how
from topomem.link.strategies.declared_packages.outside import (
    choose_outside,
    learned,
    outside_result,
    outside_shape,
)
from topomem.link.strategies.declared_packages.overloads import choose, unify
from topomem.link.strategies.declared_packages.region import (
    CERTAIN,
    GUESSED,
    TypeName,
    value_of,
)
from topomem.link.strategies.declared_packages.types import (
    VOID,
    ClassType,
    FunctionType,
    Mapping,
    OutsideType,
    Type,
    VariableType,
    substituted,
)
from topomem.model.code import EdgeKind, External, Method, Op, SymbolKind
from topomem.model.ids import moniker

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.overloads import Choice
    from topomem.link.strategies.declared_packages.region import Region
    from topomem.link.strategies.declared_packages.resolution import Candidates, Types


def reference(region: Region, op: int) -> None:
    """Resolve `Type::method`, `object::method` and `Type::new`."""
    tree = region.tree
    role, name_op = tree.role(op, Op.OBJECT), tree.role(op, Op.MEMBER_NAME)
    if role < 0 or name_op < 0:
        return
    at = tree.expression(role)
    holder = region.meanings[at] if at >= 0 else None
    of = holder.type if isinstance(holder, TypeName) else value_of(holder)
    word = tree.texts[name_op]
    if word == "new":
        _new_reference(region, op, name_op, of)
        return
    region.meanings[op] = FunctionType(-1, None, None)
    found = region.code.methods(of, word)
    if not found:
        _outside_reference(region, op, name_op, of, word)
        return
    wanted = expected_parameters(region, op)
    chosen = None
    if wanted is not None:
        chosen = _referred(region, found, wanted)
    method = chosen.method if chosen is not None else found[0][0]
    sure = chosen.sure if chosen is not None else len(found) == 1
    region.edge(
        EdgeKind.READS,
        name_op,
        moniker(method.path, method.name),
        Method.RECEIVER,
        CERTAIN if sure else GUESSED,
    )
    plain = region.code.result_type(method)
    region.meanings[op] = FunctionType(-1, None if method.variables else plain, plain != VOID)


def _referred(region: Region, found: Candidates, wanted: Types) -> Choice | None:
    """Choose among methods for a function that is given `wanted`.

    The first of these may be the object that the method is called on.
    """
    whole = tuple(one for one in found if len(one[0].parameters) == len(wanted))
    bound = tuple(one for one in found if len(one[0].parameters) == len(wanted) - 1)
    chosen = choose(region.code, whole, wanted) if whole else None
    return chosen or choose(region.code, bound, wanted[1:])


def _new_reference(region: Region, op: int, name_op: int, of: Type | None) -> None:
    region.meanings[op] = FunctionType(-1, of, gives=True)
    if isinstance(of, ClassType):
        made = region.code.constructors(of)
        wanted = expected_parameters(region, op)
        chosen = choose(region.code, made, wanted) if wanted is not None else None
        name = of.name
        if made:
            name = (chosen.method if chosen else made[0][0]).name
        region.edge(EdgeKind.READS, name_op, moniker(of.path, name), how(region, of))


def _outside_reference(region: Region, op: int, name_op: int, of: Type | None, word: str) -> None:
    if not isinstance(of, OutsideType):
        return
    region.edge(EdgeKind.READS, name_op, External(f"{of.name}.{word}"), Method.EXTERNAL)
    methods = region.code.library.methods(of, word)
    results = {outside_result(region.code, one, ()) for one in methods}
    if len(results) == 1:
        (only,) = results
        region.meanings[op] = FunctionType(-1, only, only != VOID)


# what is expected


def expected_parameters(region: Region, op: int) -> Types | None:
    """Return the parameter types that a function standing at `op` is given, None if unknown."""
    signature = region.code.signature(_expected_type(region, op))
    return None if signature is None else signature.parameters


def expect(region: Region, op: int) -> None:
    """Note the type that is expected of a lambda, before it is read."""
    region.meanings[op] = _expected_type(region, op)


def expected(region: Region, function: int, parameter: int) -> Type | None:
    """Return the type of a lambda's parameter that has no written one."""
    signature = region.code.signature(value_of(region.meanings[function]))
    if signature is None:
        return None
    at = region.tree.roles(function, Op.PARAMETER).index(parameter)
    of = signature.parameters[at] if at < len(signature.parameters) else None
    if isinstance(of, VariableType) and not of.path:
        return None
    return of


def _expected_type(region: Region, op: int) -> Type | None:
    tree = region.tree
    role = tree.role_of(op)
    holder = tree.parents[role] if role >= 0 else -1
    if holder < 0:
        return None
    kind = tree.kinds[holder]
    if tree.kinds[role] == Op.ARGUMENT:
        return _expected_argument(region, holder, tree.roles(holder, Op.ARGUMENT).index(role))
    if kind == Op.CAST:
        return value_of(region.meanings[tree.role(holder, Op.TYPE)])
    if kind == Op.ASSIGN:
        above = tree.parents[holder]
        if above >= 0 and tree.kinds[above] == Op.DECLARE:
            type_role = tree.role(above, Op.TYPE)
            return value_of(region.meanings[type_role]) if type_role >= 0 else None
        target = tree.operand(holder, Op.TARGET)
        return value_of(region.meanings[target]) if target >= 0 else None
    if kind == Op.RETURN and not region.functions[:-1]:
        return _own_result(region)
    return None


def _own_result(region: Region) -> Type | None:
    unit = region.unit
    if region.number <= 0 or unit.kind_at(region.number) != SymbolKind.METHOD:
        return None
    return region.code.result_type(unit.method_at(region.number))


def _expected_argument(region: Region, holder: int, at: int) -> Type | None:
    """Return the type of the parameter that a function is passed for."""
    tree = region.tree
    parts = parts_of(region, holder)
    rest = len(parts.arguments) - at - 1
    own = FunctionType(_arity(region, holder, at), None, None)
    arguments: Types = (*parts.arguments[:at], own, *(None,) * rest)
    if tree.kinds[holder] == Op.CONSTRUCT:
        role = tree.role(holder, Op.CALLEE)
        of = value_of(region.meanings[role]) if role >= 0 else None
        made = region.code.constructors(of) if isinstance(of, ClassType) else ()
        return _parameter_for(region, made, of, "", arguments, at)
    if parts.name_op < 0 or tree.kinds[parts.name_op] not in (Op.NAME, Op.MEMBER_NAME):
        return None
    word = tree.texts[parts.name_op]
    called = looked_for(region, parts, word)
    return _parameter_for(region, called.candidates, called.of, word, arguments, at)


def _arity(region: Region, holder: int, at: int) -> int:
    tree = region.tree
    expression = tree.expression(tree.roles(holder, Op.ARGUMENT)[at])
    if expression < 0 or tree.kinds[expression] != Op.LAMBDA:
        return -1
    return len(tree.roles(expression, Op.PARAMETER))


def _parameter_for(
    region: Region,
    candidates: Candidates,
    of: Type | None,
    word: str,
    arguments: Types,
    at: int,
) -> Type | None:
    code = region.code
    chosen = choose(code, candidates, arguments)
    if chosen is not None:
        parameters = code.parameter_types(chosen.method, chosen.holder)
        if not parameters:
            return None
        known: Mapping = {}
        for argument, parameter in zip(arguments[:at], parameters, strict=False):
            unify(code, parameter, argument, chosen.method, known)
        return substituted(parameters[min(at, len(parameters) - 1)], known)
    for up in code.lineage(of):
        if isinstance(up, OutsideType):
            found = choose_outside(code, code.library.methods(up, word), arguments)
            if found is not None:
                shape = outside_shape(code, found, len(arguments))
                if at >= len(shape):
                    return None
                return replaced(shape[at], learned(code, found, arguments[:at]))
    return None
