"""What names mean: scopes from inside out, imports, exports. Values and types are two spaces.

No value is followed here, so nothing needs a bound on steps: chains of imports end because each
(file, name) is visited once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from topomem.link.strategies.file_paths import loading
from topomem.link.strategies.file_paths.projects import MANIFEST
from topomem.link.strategies.file_paths.specifiers import resolve_specifier
from topomem.link.values import Definition, Found, Module, Outside, Variable
from topomem.model.code import Method, Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from topomem.link.evaluate import Evaluator
    from topomem.link.imports import ImportForm
    from topomem.link.scopes import Binding, Scope
    from topomem.link.tree import Tree
    from topomem.link.views import FileView
    from topomem.link.world import World

Names = Literal["value", "type"]
MODULE_SCOPE = QualifiedName("")
DEFAULT = "default"
WHOLE = ""
"""What a module is replaced by, else the module itself: asked for like an export."""

MOST_HOPS = 64
LOOKUPS = 8
"""Steps enough for answers that follow no value: names, imports, exports."""
HOLDERS = frozenset({"exports", "module.exports"})

HIDDEN = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})
"""Regions whose members are not seen by their bare names."""

TYPES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.NAMESPACE})
NOT_VALUES = frozenset({"type_alias", "field"})
DECLARES_PARAMETERS = frozenset({Op.LAMBDA, Op.FUNCTION_TYPE, Op.HEAD, Op.DECLARE})


class Expression(NamedTuple):
    """A value without a name of its own: what a module exports by default, or by assignment."""

    path: FilePath
    scope: QualifiedName
    op: int
    tag: Literal["expression"] = "expression"


class TypeParameter(NamedTuple):
    """A declared type parameter: an op of a region."""

    path: FilePath
    scope: QualifiedName
    op: int
    tag: Literal["type_parameter"] = "type_parameter"


Meaning = Found | Expression | TypeParameter


class Files:
    """The snapshot as resolution of specifiers sees it."""

    def __init__(self, world: World) -> None:
        self._world = world

    def first_of(self, paths: Sequence[str]) -> FilePath | None:
        """Return the first of these paths that is a source file."""
        return next((FilePath(one) for one in paths if self._world.exists(FilePath(one))), None)

    def has_config(self, path: str) -> bool:
        """Tell whether a configuration file stands at `path`."""
        return self._world.has_config(FilePath(path))

    def field(self, path: str, key: str) -> Any:  # noqa: ANN401  # whatever is written there
        """Return a field of a configuration file."""
        return self._world.config_field(FilePath(path), key)

    def packages(self, name: str) -> Sequence[FilePath]:
        """Return the manifests that give this name to their package."""
        return self._world.configs_saying(MANIFEST, "name", name)


def module_at(look: Evaluator, importer: FilePath, specifier: str) -> FilePath | None:
    """Return the file that an import names."""
    key = ("specifier", importer, specifier)
    return look.ask(key, LOOKUPS, None, _module_at, importer, specifier, 0)


def _module_at(look: Evaluator, importer: FilePath, specifier: str, _: int) -> FilePath | None:
    return resolve_specifier(importer, specifier, Files(look.world))


def names(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, name: str, space: Names
) -> tuple[Meaning, ...]:
    """Return what `name` means at an op of a region; imports are not followed."""
    view = look.world.view(path)
    number = None if view is None else view.by_name.get(scope)
    if view is None or number is None:
        return ()
    first = number
    at = op
    while number >= 0:
        tables = view.scope_at(number)
        here = view.placement(number).name
        if space == "type" and name in tables.type_parameters:
            parameter = type_parameter(tables.tree, at, name)
            if parameter >= 0:
                if number != first:
                    look.world.header(path, here)
                return (TypeParameter(path, here, parameter),)
        method = Method.LOCAL if number == first else Method.ENCLOSING
        method = Method.MODULE if number == 0 else method
        block = tables.tree.block[at] if at >= 0 else -1
        inner = in_blocks(tables, block, name, space)
        if inner >= 0:
            if number != first:
                look.world.inner(path, here)
            return (Found(Variable(path, here, name, inner), method),)
        if view.kind_at(number) not in HIDDEN:
            found = declared(look, view, number, name, space, method)
            if found:
                return found
        at = view.define_of(number)
        number = view.placement(number).parent
    return ()


def type_parameter(tree: Tree, op: int, name: str) -> int:
    """Return the op that declares a type parameter seen from an op of its region, -1 for none."""
    at = op
    while at >= 0:
        kind = tree.kinds[at]
        if kind in DECLARES_PARAMETERS:
            candidates: Iterable[int] = tree.children(at)
        elif kind == Op.UNION_TYPE or (kind == Op.PAIR and tree.texts[at] == "mapped"):
            candidates = tree.inside(at)
        else:
            candidates = ()
        for child in candidates:
            if tree.kinds[child] == Op.TYPE_PARAMETER and tree.texts[child] == name:
                return child
        at = tree.parents[at]
    for top in tree.tops():
        if tree.kinds[top] == Op.TYPE_PARAMETER and tree.texts[top] == name:
            return top
    return -1


def binding_block(tables: Scope, op: int, name: str) -> int:
    """Return the block of an op, -1 where no block of the region binds the name."""
    block = tables.tree.block[op] if op >= 0 else -1
    if block < 0:
        return -1
    for at, _ in tables.bindings.get(name, ()):
        if at >= 0:
            return block
    return -1


def in_blocks(tables: Scope, block: int, name: str, space: Names) -> int:
    """Return the innermost block around that binds `name` in this space, -1 for none."""
    listed = tables.bindings.get(name, ())
    while block >= 0 and listed:
        if any(at == block and fits(tables, one, space) for at, one in listed):
            return block
        block = tables.tree.block[block]
    return -1


def fits(tables: Scope, binding: Binding, space: Names) -> bool:
    """Tell whether a binding declares a name of this space."""
    text = tables.tree.texts[binding.op]
    return text == "type_alias" if space == "type" else text not in NOT_VALUES


def declared(
    look: Evaluator, view: FileView, number: int, name: str, space: Names, method: Method
) -> tuple[Found, ...]:
    """Return what a region declares under a name: nested definitions, variables, imports."""
    here = view.placement(number).name
    bound = look.world.bound(view.path, here, name)
    if bound is None:
        return ()
    full = f"{here}.{name}" if here else name
    found = [
        Found(Definition(view.path, nested), method)
        for nested in bound.nested
        if plain(nested) == full and _in_space(look, view.path, nested, space)
    ]
    tables = view.scope_at(number)
    if bound.imports or any(fits(tables, binding, space) for binding in bound.bindings):
        found.append(Found(Variable(view.path, here, name), method))
    return tuple(found)


def plain(name: QualifiedName) -> str:
    """Return a qualified name without the overload suffix of its last part."""
    head, plus, suffix = name.rpartition("+")
    return head if plus and suffix.isdigit() else name


def _in_space(look: Evaluator, path: FilePath, name: QualifiedName, space: Names) -> bool:
    kind = look.world.kind(path, name)
    return kind in TYPES if space == "type" else kind is not SymbolKind.INTERFACE


def follow(look: Evaluator, found: Iterable[Meaning], space: Names) -> tuple[Meaning, ...]:
    """Follow imports and re-exports to their ends."""
    ends: dict[Meaning, None] = {}
    for one in found:
        for end in _ends(look, one, space):
            ends[end] = None
    return tuple(ends)


def _ends(look: Evaluator, one: Meaning, space: Names) -> tuple[Meaning, ...]:
    if not isinstance(one, Found) or not isinstance(one.place, Variable) or one.place.block >= 0:
        return (one,)
    place = one.place
    bound = look.world.bound(place.path, place.scope, place.name)
    if bound is None or not bound.imports:
        origin = loading.origin(look, place, bound)
        if origin is None or module_at(look, place.path, origin[0]) is None:
            return (one,)  # the variable itself; what it holds may be outside
        return _loaded(look, place.path, *origin)
    found: list[Meaning] = []
    for form in bound.imports:
        found += imported(look, place.path, form, space)
    return tuple(found)


def _loaded(look: Evaluator, path: FilePath, specifier: str, name: str) -> tuple[Meaning, ...]:
    """Return what a name bound to `require("...")`, or to a member of it, stands for."""
    target = module_at(look, path, specifier)
    if target is None:
        full = f"{specifier}.{name}" if name else specifier
        return (Found(Outside(full), Method.EXTERNAL),)
    found = exported(look, target, name, "value")
    named = tuple(one for one in found if isinstance(one, Found))
    return named or (() if name else (Found(Module(target), Method.IMPORT),))


def imported(
    look: Evaluator, path: FilePath, form: ImportForm, space: Names
) -> tuple[Meaning, ...]:
    """Return what an import stands for, re-exports followed."""
    target = module_at(look, path, form.module)
    if target is None:
        name = f"{form.module}.{form.name}" if form.name else form.module
        return (Found(Outside(name), Method.EXTERNAL),)
    if form.kind in ("star", "module"):
        if space == "type":
            return (Found(Module(target), Method.IMPORT),)
        return _loaded(look, path, form.module, WHOLE)
    return exported(look, target, form.name, space)


def exported(look: Evaluator, path: FilePath, name: str, space: Names) -> tuple[Meaning, ...]:
    """Return what a module exports under a name, re-exports followed to their ends."""
    key = ("exported", path, name, space)
    return look.ask(key, LOOKUPS, (), _exported, path, name, space, 0)


def _exported(
    look: Evaluator, path: FilePath, name: str, space: Names, _: int
) -> tuple[Meaning, ...]:
    """Breadth first over re-exports: own exports of a module come before those of its stars."""
    waiting: list[tuple[FilePath, str, tuple[FilePath, ...]]] = [(path, name, ())]
    seen = {(path, name)}
    found: dict[Meaning, None] = {}
    while waiting and len(seen) <= MOST_HOPS:
        level, waiting = waiting, []
        for here, wanted, hops in level:
            ends, onward, stars = _own_exports(look, here, wanted, space)
            method = Method.REEXPORT if hops else Method.IMPORT
            for end in ends:
                if isinstance(end, Found) and end.method is not Method.EXTERNAL:
                    end = end._replace(method=method, hops=hops)  # noqa: PLW2901  # with its way
                found[end] = None
            if wanted == WHOLE and not ends and not onward:
                found[Found(Module(here), method, hops)] = None
            for step in onward or ([] if ends or wanted in (DEFAULT, WHOLE) else stars):
                if step not in seen:
                    seen.add(step)
                    waiting.append((*step, (*hops, step[0])))
        if found:
            break
    return tuple(found)


def _own_exports(
    look: Evaluator, path: FilePath, name: str, space: Names
) -> tuple[list[Meaning], list[tuple[FilePath, str]], list[tuple[FilePath, str]]]:
    """Return what a module exports itself under a name; where else it says to look; its stars."""
    view = look.world.view(path)
    if view is None:
        return [], [], []
    ends: list[Meaning] = []
    onward: list[tuple[FilePath, str]] = []
    stars: list[tuple[FilePath, str]] = []
    for form in look.world.exported(path, name):
        if form.star and not form.alias:
            target = module_at(look, path, form.module)
            if target is not None:
                stars.append((target, name))
        elif form.module:
            target = module_at(look, path, form.module)
            if target is None:
                ends.append(Found(Outside(f"{form.module}.{form.name}"), Method.EXTERNAL))
            elif form.star:
                ends.append(Found(Module(target), Method.REEXPORT))
            else:
                onward.append((target, form.name))
        elif form.default and form.value >= 0:
            ends += given(look, view, form.value, space, onward)
        elif not form.default or form.name != DEFAULT:
            ends += _local(look, view, form.name, space, onward)
    ends += _marked(look, view, name, space)
    if not ends and not onward and space == "value":
        for value in loading.assigned(look, view, name):
            ends += given(look, view, value, space, onward)
    return ends, onward, stars


def given(
    look: Evaluator,
    view: FileView,
    op: int,
    space: Names,
    onward: list[tuple[FilePath, str]],
) -> tuple[Meaning, ...]:
    """Return what a module exports as the value of an expression; what is loaded, `onward`."""
    tree = view.scope_at(0).tree
    if tree.kinds[op] == Op.NAME:
        return _local(look, view, tree.texts[op], space, onward)
    if tree.kinds[op] == Op.DEFINE:
        return ()  # a definition that says itself that it is exported
    origin = loading.loaded(tree, op)
    if origin is None:
        return (Expression(view.path, MODULE_SCOPE, op),) if space == "value" else ()
    target = module_at(look, view.path, origin[0])
    if target is None:
        return (Found(Outside(".".join(one for one in origin if one)), Method.EXTERNAL),)
    onward.append((target, origin[1]))
    return ()


def _local(
    look: Evaluator, view: FileView, name: str, space: Names, onward: list[tuple[FilePath, str]]
) -> tuple[Meaning, ...]:
    """Return a name of the module itself; an import of it is looked for where it comes from."""
    bound = look.world.bound(view.path, MODULE_SCOPE, name)
    if bound is not None and bound.imports:
        ends: list[Meaning] = []
        for form in bound.imports:
            target = module_at(look, view.path, form.module)
            if target is None:
                ends += imported(look, view.path, form, space)
            elif form.kind in ("item", "default"):
                onward.append((target, form.name))
            elif space == "value":
                onward.append((target, WHOLE))
            else:
                ends.append(Found(Module(target), Method.IMPORT))
        return tuple(ends)
    found = declared(look, view, 0, name, space, Method.IMPORT)
    if len(found) == 1 and isinstance(found[0].place, Variable):
        origin = loading.origin(look, found[0].place, bound)
        target = None if origin is None else module_at(look, view.path, origin[0])
        if origin is not None and target is not None:
            onward.append((target, origin[1]))
            return ()
    return found


def _marked(look: Evaluator, view: FileView, name: str, space: Names) -> list[Meaning]:
    """Return the definitions whose own text exports them under a name."""
    found: list[Meaning] = []
    bound = look.world.bound(view.path, MODULE_SCOPE, name)
    nested = () if bound is None else bound.nested
    if name == DEFAULT:
        nested = tuple(
            view.placement(at).name
            for at in view.nested[0]
            if DEFAULT in _modifiers(look, view, view.placement(at).name)
        )
    for one in nested:
        marks = _modifiers(look, view, one)
        right = DEFAULT in marks if name == DEFAULT else DEFAULT not in marks and plain(one) == name
        shown = not HOLDERS.isdisjoint(marks) or "export" in marks
        if right and shown and _in_space(look, view.path, one, space):
            found.append(Found(Definition(view.path, one), Method.IMPORT))
    return found


def _modifiers(look: Evaluator, view: FileView, name: QualifiedName) -> tuple[str, ...]:
    tables = look.world.header(view.path, name)
    return () if tables is None else tables.tree.facts.declarations[0].modifiers
