"""Which of several methods of one name a call means, and what its type variables then are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from topomem.link.strategies.declared_packages.types import (
    APPLIED,
    BOXES,
    NO_CLASSES,
    NULL,
    OBJECT,
    UNBOXED,
    WIDER,
    ArrayType,
    ClassType,
    FunctionType,
    Mapping,
    OutsideType,
    PrimitiveType,
    Type,
    VariableType,
    last_word,
    same_class,
)
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.declarations import Method

DEEPEST = 12
"""Types are compared to this depth of arrays and bounds."""

ARRAY_BASES = frozenset({"Object", "Cloneable", "Serializable"})

NO_FUNCTION = frozenset({"Object", "String", "CharSequence", "Class", "Number", *UNBOXED})


class Declarer(Protocol):
    """Whatever declares type variables: they are named by its path and name."""

    @property
    def path(self) -> FilePath:
        """The file, empty for what is outside."""

    @property
    def name(self) -> QualifiedName:
        """The qualified name."""


class Choice(NamedTuple):
    """What a call means: a method and the applied type that has it.

    `sure` is false when other methods fit as well, `fits` when it takes other arguments.
    """

    method: Method
    holder: ClassType
    sure: bool
    fits: bool = True


def choose(
    code: Code, candidates: Sequence[tuple[Method, ClassType]], arguments: Sequence[Type | None]
) -> Choice | None:
    """Return the method that a call with these argument types means, None without candidates."""
    if not candidates:
        return None
    count = len(arguments)
    if len(candidates) == 1:
        method, holder = candidates[0]
        fits = _counts(method, count)
        return Choice(method, holder, fits, fits)
    for loose, variadic in ((False, False), (True, False), (True, True)):
        fitting = [
            one
            for one in candidates
            if _applicable(code, one, arguments, loose=loose, variadic=variadic)
        ]
        if fitting:
            return _most_specific(code, fitting, arguments, variadic=variadic)
    fitting = [one for one in candidates if _counts(one[0], count)]
    method, holder = (fitting or candidates)[0]
    return Choice(method, holder, len(fitting) == 1, bool(fitting))


def _counts(method: Method, count: int) -> bool:
    expected = len(method.parameters)
    return count == expected or (method.variadic and count >= expected - 1)


def _applicable(
    code: Code,
    candidate: tuple[Method, ClassType],
    arguments: Sequence[Type | None],
    *,
    loose: bool,
    variadic: bool,
) -> bool:
    method = candidate[0]
    if variadic:
        if not method.variadic or len(arguments) < len(method.parameters) - 1:
            return False
    elif len(arguments) != len(method.parameters):
        return False
    parameters = spread(code.parameter_types(*candidate), len(arguments), variadic=variadic)
    return all(
        passes(code, argument, parameter, loose=loose)
        for argument, parameter in zip(arguments, parameters, strict=True)
    )


def spread(parameters: Sequence[Type | None], count: int, *, variadic: bool) -> list[Type | None]:
    """Return the parameter types that `count` arguments meet."""
    if not variadic:
        return list(parameters)
    last = parameters[-1]
    element = last.element if isinstance(last, ArrayType) else None
    fixed = list(parameters[:-1])
    return fixed + [element] * (count - len(fixed))


def _most_specific(
    code: Code,
    fitting: list[tuple[Method, ClassType]],
    arguments: Sequence[Type | None],
    *,
    variadic: bool,
) -> Choice:
    if len(fitting) == 1:
        return Choice(*fitting[0], sure=True)
    count = len(arguments)
    shapes = [spread(code.parameter_types(*one), count, variadic=variadic) for one in fitting]
    blind = [at for at in range(count) if arguments[at] is None]
    best: list[int] = []
    for at, shape in enumerate(shapes):
        if all(
            at == other or _below(code, shape, shapes[other], arguments)
            for other in range(len(shapes))
        ):
            best.append(at)
    if blind and len({tuple(code.erased(shape[at]) for at in blind) for shape in shapes}) > 1:
        widest = max(
            range(len(shapes)),
            key=lambda at: (sum(_open(code, shapes[at][one]) for one in blind), -at),
        )
        return Choice(*fitting[widest], sure=False)
    if best:
        solid = [at for at in best if fitting[at][0].has_body] or best
        return Choice(*fitting[solid[0]], sure=True)
    return Choice(*fitting[0], sure=False)


def _open(code: Code, parameter: Type | None) -> bool:
    """Tell whether a parameter takes any object."""
    return code.erased(parameter) == OBJECT


def _below(
    code: Code,
    one: Sequence[Type | None],
    other: Sequence[Type | None],
    arguments: Sequence[Type | None],
) -> bool:
    return all(
        _narrower(code, mine, theirs, argument)
        for mine, theirs, argument in zip(one, other, arguments, strict=True)
    )


def _narrower(code: Code, mine: Type | None, theirs: Type | None, argument: Type | None) -> bool:
    if mine == theirs or theirs is None:
        return True
    if isinstance(argument, FunctionType):
        return _better_function(code, mine, theirs, argument)
    return passes(code, code.erased(mine), theirs, loose=False)


def _better_function(
    code: Code, mine: Type | None, theirs: Type | None, argument: FunctionType
) -> bool:
    if argument.gives is None:
        return True
    ours, others = code.signature(mine), code.signature(theirs)
    if ours is None or others is None or ours.gives == others.gives:
        return True
    return ours.gives == argument.gives


def passes(
    code: Code, argument: Type | None, parameter: Type | None, *, loose: bool, depth: int = 0
) -> bool:
    """Tell whether a value may be passed to a parameter; what is not known may.

    `loose` allows boxing and unboxing.
    """
    if argument is None or parameter is None or argument == parameter or depth > DEEPEST:
        return True
    if isinstance(parameter, PrimitiveType):
        return _passes_primitive(argument, parameter, loose=loose)
    if argument == NULL:
        return True
    if isinstance(argument, PrimitiveType):
        box = BOXES.get(argument.word)
        return (
            loose
            and box is not None
            and passes(code, OutsideType(box), parameter, loose=False, depth=depth + 1)
        )
    if isinstance(argument, FunctionType):
        return _passes_function(code, argument, parameter)
    if isinstance(parameter, VariableType):
        return all(
            passes(code, argument, bound, loose=loose, depth=depth + 1)
            for bound in code.bounds(parameter)
        )
    if isinstance(argument, ArrayType) or isinstance(parameter, ArrayType):
        return _passes_array(code, argument, parameter, depth)
    return code.is_a(argument, parameter)


def _passes_primitive(argument: Type, parameter: PrimitiveType, *, loose: bool) -> bool:
    word = argument.word if isinstance(argument, PrimitiveType) else None
    if word is None and loose and isinstance(argument, OutsideType):
        word = UNBOXED.get(argument.name)
    return word is not None and (word == parameter.word or parameter.word in WIDER.get(word, ()))


def _passes_array(code: Code, argument: Type, parameter: Type, depth: int) -> bool:
    if not isinstance(argument, ArrayType):
        return False
    if not isinstance(parameter, ArrayType):
        return isinstance(parameter, OutsideType) and last_word(parameter.name) in ARRAY_BASES
    one, other = argument.element, parameter.element
    if isinstance(one, PrimitiveType) or isinstance(other, PrimitiveType):
        return one is None or other is None or one == other
    return passes(code, one, other, loose=False, depth=depth + 1)


def _passes_function(code: Code, argument: FunctionType, parameter: Type) -> bool:
    if isinstance(parameter, NO_CLASSES):
        return False
    if isinstance(parameter, OutsideType) and (
        last_word(parameter.name) in NO_FUNCTION or parameter.name in UNBOXED
    ):
        return False
    signature = code.signature(parameter)
    if signature is None:
        return not isinstance(parameter, ClassType)
    if argument.arity >= 0 and argument.arity != len(signature.parameters):
        return False
    return argument.gives is None or not (signature.gives and argument.gives is False)


def infer(code: Code, choice: Choice, arguments: Sequence[Type | None]) -> Mapping:
    """Return what a method's own type variables stand for in a call."""
    method = choice.method
    if not method.variables:
        return {}
    found: Mapping = {}
    count = len(arguments)
    whole = code.parameter_types(method, choice.holder)
    variadic = method.variadic and not (
        count == len(whole) and (count == 0 or isinstance(arguments[-1], ArrayType))
    )
    if variadic and count < len(whole) - 1:
        return found
    for argument, parameter in zip(
        arguments, spread(whole, count, variadic=variadic), strict=False
    ):
        unify(code, parameter, argument, method, found)
    for word in method.variables:
        key = (method.path, method.name, word)
        if found.get(key) is None:
            bounds = code.bounds(VariableType(*key))
            found[key] = code.erased(bounds[0]) if bounds else None
    return found


def unify(
    code: Code,
    parameter: Type | None,
    argument: Type | None,
    method: Declarer,
    found: Mapping,
    depth: int = 0,
) -> None:
    """Learn from an argument what the variables in a parameter's type stand for."""
    if parameter is None or argument is None or depth > DEEPEST:
        return
    if isinstance(parameter, VariableType):
        key = (parameter.path, parameter.name, parameter.word)
        if key[:2] == (method.path, method.name) and found.get(key) is None:
            found[key] = _boxed(argument)
        return
    if isinstance(parameter, ArrayType):
        if isinstance(argument, ArrayType):
            unify(code, parameter.element, argument.element, method, found, depth + 1)
        return
    if isinstance(argument, FunctionType):
        signature = code.signature(parameter)
        if signature is not None:
            unify(code, signature.result, argument.result, method, found, depth + 1)
        return
    if isinstance(parameter, APPLIED) and parameter.arguments:
        for up in code.lineage(argument):
            if same_class(up, parameter) and isinstance(up, APPLIED):
                for mine, theirs in zip(parameter.arguments, up.arguments, strict=False):
                    unify(code, mine, theirs, method, found, depth + 1)
                return


def _boxed(of: Type) -> Type | None:
    if of == NULL:
        return None
    if isinstance(of, PrimitiveType):
        box = BOXES.get(of.word)
        return None if box is None else OutsideType(box)
    return of
