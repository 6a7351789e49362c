"""Calls, new objects and references to methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.declared_packages.declarations import TYPE_KINDS
from topomem.link.strategies.declared_packages.library import mapping_of, replaced
from topomem.link.strategies.declared_packages.code import substituted
from topomem.link.strategies.declared_packages.naming import how, last_name_op
from topomem.link.strategies.declared_packages.overloads import (
    Choice,
    choose,
    infer,
    passes,
    spread,
    unify,
)
from topomem.link.strategies.declared_packages.region import (
    CERTAIN,
    GUESSED,
    TypeName,
    value_of,
)
from topomem.link.strategies.declared_packages.types import (
    OBJECT,
    VOID,
    ArrayType,
    ClassType,
    FunctionType,
    OutsideType,
    Type,
    VariableType,
)
from topomem.model.code import EdgeKind, External, Method, Op, SymbolKind
from topomem.model.ids import moniker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.declarations import Method as Declared
    from topomem.link.strategies.declared_packages.library import OutsideMethod
    from topomem.link.strategies.declared_packages.region import Region


Candidates = tuple[tuple["Declared", ClassType], ...]


class Called(NamedTuple):
    """Where the methods that a call may mean are looked for, and how that was found."""

    candidates: Candidates
    of: Type | None
    how: Method


def argument_types(region: Region, op: int) -> list[Type | None]:
    """Return the types of the arguments of a call, those known so far."""
    tree = region.tree
    types: list[Type | None] = []
    for role in tree.roles(op, Op.ARGUMENT):
        at = tree.expression(role)
        types.append(value_of(region.meanings[at]) if at >= 0 else None)
    return types


def call(region: Region, op: int) -> None:
    """Resolve a call and give it the type of its result."""
    tree = region.tree
    name_op, word = _name_of(region, op)
    if name_op < 0:
        return
    if not word:
        _own_constructor(region, op, name_op)
        return
    arguments = argument_types(region, op)
    called = _candidates(region, op, word)
    chosen = choose(region.code, called.candidates, arguments)
    if chosen is not None and (chosen.fits or not _outside_takes(region, called, word, arguments)):
        confidence = CERTAIN if chosen.sure else GUESSED
        method = chosen.method
        target = moniker(method.path, method.name)
        region.edge(EdgeKind.CALLS, name_op, target, called.how, confidence)
        region.meanings[op] = _result(region, op, chosen, arguments)
        return
    _outside_call(region, op, name_op, word, called, arguments)
    if tree.kinds[op] == Op.CALL and word == "getClass" and called.of is not None:
        region.meanings[op] = OutsideType("java.lang.Class", (called.of,))


def _name_of(region: Region, op: int) -> tuple[int, str]:
    """Return the op that names what a call calls, and the name; `` for `this` and `super`."""
    tree = region.tree
    name_op = tree.role(op, Op.MEMBER_NAME)
    if name_op >= 0:
        return name_op, tree.texts[name_op]
    role = tree.role(op, Op.CALLEE)
    if role < 0:
        return -1, ""
    return role + 1, tree.texts[role + 1] if tree.kinds[role + 1] == Op.NAME else ""


def _candidates(region: Region, op: int, word: str) -> Called:
    tree = region.tree
    role = tree.role(op, Op.OBJECT)
    if role < 0:
        return _unqualified(region, word)
    holder_op = tree.expression(role)
    holder = region.meanings[holder_op] if holder_op >= 0 else None
    of = holder.type if isinstance(holder, TypeName) else value_of(holder)
    if tree.role(op, Op.PARENT) >= 0 and isinstance(of, ClassType) and of == region.own:
        bases = region.code.bases(of)
        of = bases[0] if bases else None
    if holder_op >= 0 and tree.kinds[holder_op] == Op.PARENT and region.own is not None:
        return _of_parent(region, word)
    return Called(region.code.methods(of, word), of, Method.RECEIVER)


def _of_parent(region: Region, word: str) -> Called:
    """Look for `super.word` in the bases: the class first, then interfaces."""
    assert region.own is not None  # noqa: S101  asked before
    bases = region.code.bases(region.own)
    found: Candidates = ()
    for base in bases:
        found = region.code.methods(base, word)
        if found:
            break
    return Called(found, bases[0] if bases else OBJECT, Method.RECEIVER)


def _unqualified(region: Region, word: str) -> Called:
    """Look for a method called without a receiver: in the types around, then static imports."""
    at = region.number
    while at > 0 and region.unit.kind_at(at) not in TYPE_KINDS:
        at = region.unit.parent(at)
    key = ("unqualified", region.path, at, word)
    nothing = Called((), None, Method.IMPORT)
    return region.code.remember(key, lambda: _around(region, at, word), nothing)


def _around(region: Region, at: int, word: str) -> Called:
    code, unit = region.code, region.unit
    while at > 0:
        if unit.kind_at(at) in TYPE_KINDS:
            plain = ClassType(unit.path, unit.name(at))
            holder = plain._replace(arguments=code.own_arguments(plain))
            found = code.methods(holder, word)
            if found:
                inherited = found[0][0].path != unit.path
                return Called(found, holder, Method.RECEIVER if inherited else Method.ENCLOSING)
            if _outside_has(region, holder, word):
                return Called((), holder, Method.RECEIVER)
        at = unit.parent(at)
    return Called(_static_methods(region, word), region.own, Method.IMPORT)


def _outside_takes(
    region: Region, called: Called, word: str, arguments: Sequence[Type | None]
) -> bool:
    """Tell whether a method of the library, inherited, takes these arguments."""
    return any(
        isinstance(up, OutsideType)
        and any(
            len(method.parameters) == len(arguments)
            for method, _ in region.code.library.methods(up, word)
        )
        for up in region.code.lineage(called.of)
    )


def _outside_has(region: Region, holder: ClassType, word: str) -> bool:
    return any(
        isinstance(up, OutsideType) and region.code.library.methods(up, word)
        for up in region.code.above(holder)
    )


def _static_methods(region: Region, word: str) -> Candidates:
    region.code.world.asked.append(("head", region.path))
    found: list[tuple[Declared, ClassType]] = []
    for form in region.unit.imports:
        if not form.static:
            continue
        owner, _, last = form.name.rpartition(".")
        if form.star or last == word:
            holder = region.code.dotted_type(region.path, form.name if form.star else owner)
            if holder is not None:
                found.extend(region.code.methods(holder, word))
    return tuple(found)


def _result(
    region: Region, op: int, chosen: Choice, arguments: Sequence[Type | None]
) -> Type | None:
    code = region.code
    plain = code.applied(code.result_type(chosen.method), chosen.holder)
    if not chosen.method.variables:
        return plain
    mapping = infer(code, chosen, arguments)
    written = [value_of(region.meanings[role]) for role in region.tree.roles(op, Op.KEY)]
    if len(written) == len(chosen.method.variables):
        for word, of in zip(chosen.method.variables, written, strict=True):
            mapping[chosen.method.path, chosen.method.name, word] = of
    return substituted(plain, mapping)


def _outside_call(  # noqa: PLR0913  a call and what is known of it
    region: Region,
    op: int,
    name_op: int,
    word: str,
    called: Called,
    arguments: Sequence[Type | None],
) -> None:
    """Resolve a call of something outside as far as the library tells."""
    code = region.code
    outside = [up for up in code.lineage(called.of) if isinstance(up, OutsideType)]
    if not outside and called.of is not None and not isinstance(called.of, FunctionType):
        outside = [OBJECT]
    for up in [*outside, OBJECT] if outside else []:
        methods = code.library.methods(up, word)
        found = choose_outside(region, methods, arguments)
        if found is not None:
            method, holder = found
            region.edge(
                EdgeKind.CALLS, name_op, External(f"{holder.name}.{word}"), Method.EXTERNAL
            )
            region.meanings[op] = outside_result(region, method, holder, arguments)
            return
    unknown = [up for up in outside if code.library.known(up) is None]
    if unknown:
        region.edge(
            EdgeKind.CALLS, name_op, External(f"{unknown[0].name}.{word}"), Method.EXTERNAL
        )
    else:
        owner = None if tree_has_object(region, op) else _outside_static(region, word)
        if owner is None:
            region.unresolved(EdgeKind.CALLS, name_op, word)
        else:
            target = External(f"{owner}.{word}")
            region.edge(EdgeKind.CALLS, name_op, target, Method.EXTERNAL)


def tree_has_object(region: Region, op: int) -> bool:
    """Tell whether a call is made on something written."""
    return region.tree.role(op, Op.OBJECT) >= 0


def _outside_static(region: Region, word: str) -> str | None:
    """Return the outside type that a static import brings `word` from, None without one."""
    region.code.world.asked.append(("head", region.path))
    stars = []
    for form in region.unit.imports:
        if form.static:
            owner, _, last = form.name.rpartition(".")
            if not form.star and last == word:
                return owner
            if form.star and region.code.dotted_type(region.path, form.name) is None:
                stars.append(form.name)
    return stars[0] if len(stars) == 1 else None


def choose_outside(
    region: Region,
    methods: list[tuple[OutsideMethod, OutsideType]],
    arguments: Sequence[Type | None],
) -> tuple[OutsideMethod, OutsideType] | None:
    """Return the method of the library that a call with these arguments means."""
    count = len(arguments)
    fitting = [
        one
        for one in methods
        if len(one[0].parameters) == count
        or (one[0].variadic and count >= len(one[0].parameters) - 1)
    ]
    if len(fitting) > 1:
        code = region.code
        shapes = [_outside_shape(region, one, count) for one in fitting]
        for loose in (False, True):
            passing = [
                at for at, shape in enumerate(shapes) if _all_pass(code, arguments, shape, loose=loose)
            ]
            for at in passing:
                if all(_all_pass(code, shapes[at], shapes[two], loose=False) for two in passing):
                    return fitting[at]
            if passing:
                return fitting[passing[0]]
    return (fitting or methods)[0] if methods else None


def _outside_shape(
    region: Region, one: tuple[OutsideMethod, OutsideType], count: int
) -> list[Type | None]:
    method, holder = one
    known = region.code.library.known(holder)
    mapping = {} if known is None else mapping_of(known, holder)
    variadic = method.variadic and len(method.parameters) != count
    parameters = [replaced(parameter, mapping) for parameter in method.parameters]
    return spread(parameters, count, variadic=variadic)


def _all_pass(
    code: Code, ones: Sequence[Type | None], others: Sequence[Type | None], *, loose: bool
) -> bool:
    return all(
        passes(code, one, other, loose=loose) for one, other in zip(ones, others, strict=False)
    )


def outside_result(
    region: Region,
    method: OutsideMethod,
    holder: OutsideType,
    arguments: Sequence[Type | None],
) -> Type | None:
    """Return the type that a method of the library gives."""
    known = region.code.library.known(holder)
    mapping = {} if known is None else mapping_of(known, holder)
    if method.variables:
        found: dict = {}
        count = len(arguments)
        variadic = method.variadic and not (
            count == len(method.parameters) and isinstance(arguments[-1], ArrayType)
        )
        parameters = [replaced(one, mapping) for one in method.parameters]
        if not variadic or count >= len(parameters) - 1:
            for argument, parameter in zip(
                arguments, spread(parameters, count, variadic=variadic), strict=False
            ):
                unify(region.code, parameter, argument, method, found)
        mapping = {
            **mapping,
            **{
                (method.path, method.name, word): found.get((method.path, method.name, word))
                for word in method.variables
            },
        }
    return replaced(method.result, mapping)


# constructors


def construct(region: Region, op: int) -> None:
    """Resolve a new object."""
    tree = region.tree
    role = tree.role(op, Op.CALLEE)
    of = value_of(region.meanings[role])
    name_op = last_name_op(region, tree.expression(role)) if role >= 0 else op
    outer = tree.role(op, Op.OBJECT)
    if outer >= 0 and not isinstance(of, ClassType):
        holder = value_of(region.meanings[tree.expression(outer)])
        if isinstance(holder, ClassType):
            of = region.code.member_type(holder, tree.texts[name_op]) or of
    region.meanings[op] = of
    region.to_type(EdgeKind.CONSTRUCTS, name_op, of, how(region, of))
    if isinstance(of, ClassType):
        anonymous = any(tree.kinds[child] == Op.DEFINE for child in tree.children(op))
        to_constructor(region, op, name_op, of, anonymous=anonymous)


def to_constructor(
    region: Region, op: int, name_op: int, of: ClassType, *, anonymous: bool = False
) -> None:
    """Note the call of a constructor of `of`: the one that is written, else the class itself."""
    chosen = None
    if not anonymous:
        chosen = choose(region.code, region.code.constructors(of), argument_types(region, op))
    if chosen is None:
        region.edge(EdgeKind.CALLS, name_op, moniker(of.path, of.name), how(region, of))
        return
    confidence = CERTAIN if chosen.sure else GUESSED
    method = chosen.method
    region.edge(
        EdgeKind.CALLS, name_op, moniker(method.path, method.name), how(region, of), confidence
    )


def _own_constructor(region: Region, op: int, name_op: int) -> None:
    """`this(...)` and `super(...)`."""
    own = region.own
    if own is None:
        return
    of: Type | None = own
    if region.tree.kinds[name_op] == Op.PARENT:
        bases = region.code.bases(own)
        of = bases[0] if bases else OBJECT
    if isinstance(of, ClassType):
        to_constructor(region, op, name_op, of)
    elif isinstance(of, OutsideType):
        region.edge(EdgeKind.CALLS, name_op, External(of.name), Method.EXTERNAL)


# functions as values


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
    wanted = expected_signature(region, op)
    chosen = None
    if wanted is not None:
        static = tuple(one for one in found if len(one[0].parameters) == len(wanted))
        bound = tuple(one for one in found if len(one[0].parameters) == len(wanted) - 1)
        fitting = static or bound if not isinstance(holder, TypeName) else static + bound
        chosen = choose(region.code, static, wanted) if static else None
        chosen = chosen or choose(region.code, bound, wanted[1:])
        found = fitting or found
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


def _new_reference(region: Region, op: int, name_op: int, of: Type | None) -> None:
    region.meanings[op] = FunctionType(-1, of, True)
    if isinstance(of, ClassType):
        made = region.code.constructors(of)
        wanted = expected_signature(region, op)
        chosen = choose(region.code, made, wanted) if wanted is not None else None
        name = of.name if not made else (chosen.method if chosen else made[0][0]).name
        region.edge(EdgeKind.READS, name_op, moniker(of.path, name), how(region, of))


def _outside_reference(
    region: Region, op: int, name_op: int, of: Type | None, word: str
) -> None:
    if not isinstance(of, OutsideType):
        return
    region.edge(EdgeKind.READS, name_op, External(f"{of.name}.{word}"), Method.EXTERNAL)
    methods = region.code.library.methods(of, word)
    results = {
        outside_result(region, method, holder, ()) for method, holder in methods
    }
    if len(results) == 1:
        (only,) = results
        region.meanings[op] = FunctionType(-1, only, only != VOID)


def expected_signature(region: Region, op: int) -> list[Type | None] | None:
    """Return the parameter types that a function standing at `op` is given, None if unknown."""
    signature = region.code.signature(_expected_type(region, op))
    return None if signature is None else list(signature.parameters)


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
    if role < 0:
        return None
    holder = tree.parents[role]
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
    count = len(tree.roles(holder, Op.ARGUMENT))
    before = argument_types(region, holder)[:at]
    arguments: list[Type | None] = before + [None] * (count - at)
    arguments[at] = FunctionType(_arity(region, holder, at), None, None)
    if tree.kinds[holder] == Op.CONSTRUCT:
        of = value_of(region.meanings[tree.role(holder, Op.CALLEE)])
        candidates = region.code.constructors(of) if isinstance(of, ClassType) else ()
        return _parameter_for(region, candidates, of, "", arguments, at)
    name_op, word = _name_of(region, holder)
    if name_op < 0 or not word:
        return None
    called = _candidates(region, holder, word)
    return _parameter_for(region, called.candidates, called.of, word, arguments, at)


def _arity(region: Region, holder: int, at: int) -> int:
    tree = region.tree
    expression = tree.expression(tree.roles(holder, Op.ARGUMENT)[at])
    if expression < 0 or tree.kinds[expression] != Op.LAMBDA:
        return -1
    return len(tree.roles(expression, Op.PARAMETER))


def _parameter_for(  # noqa: PLR0913  a call and the place in it
    region: Region,
    candidates: Candidates,
    of: Type | None,
    word: str,
    arguments: list[Type | None],
    at: int,
) -> Type | None:
    code = region.code
    chosen = choose(code, candidates, arguments)
    if chosen is not None:
        parameters = code.parameter_types(chosen.method, chosen.holder)
        known = infer_known(region, chosen, arguments, at)
        return substituted(parameters[min(at, len(parameters) - 1)], known) if parameters else None
    for up in code.lineage(of):
        if isinstance(up, OutsideType):
            found = choose_outside(region, code.library.methods(up, word), arguments)
            if found is not None:
                method, holder = found
                outside = code.library.known(holder)
                mapping = {} if outside is None else dict(mapping_of(outside, holder))
                parameters = tuple(replaced(one, mapping) for one in method.parameters)
                learned: dict = {}
                for argument, parameter in zip(arguments[:at], parameters, strict=False):
                    unify(code, parameter, argument, method, learned)
                if not parameters:
                    return None
                return replaced(parameters[min(at, len(parameters) - 1)], learned)
    return None


def infer_known(
    region: Region, chosen: Choice, arguments: list[Type | None], at: int
) -> dict:
    """Return what the arguments before a function tell of a method's own variables."""
    learned: dict = {}
    parameters = region.code.parameter_types(chosen.method, chosen.holder)
    for argument, parameter in zip(arguments[:at], parameters, strict=False):
        unify(region.code, parameter, argument, chosen.method, learned)
    return learned


def raised(region: Region, op: int) -> None:
    """Note what is thrown, or declared to be."""
    tree = region.tree
    role = tree.role(op, Op.VALUE)
    if role >= 0:
        at = tree.expression(role)
        of = value_of(region.meanings[at]) if at >= 0 else None
        region.to_type(EdgeKind.RAISES, max(at, role), of, Method.RECEIVER)
        return
    for declared in tree.roles(op, Op.TYPE):
        of = value_of(region.meanings[declared])
        region.to_type(EdgeKind.RAISES, declared, of, how(region, of))
