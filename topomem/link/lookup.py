"""What names mean: scopes from inside out, imports, re-exports. Reads raw facts only.

No value is followed here, so these answers need no bound on steps: chains of imports end because
each place is visited once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.values import (
    Definition,
    Folder,
    Found,
    Module,
    Outside,
    Variable,
)
from topomem.link.views import CLASSES
from topomem.model.code import Method, Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.imports import ImportForm
    from topomem.link.strategy import Namespace
    from topomem.link.views import Bound, FileView

MODULE_SCOPE = QualifiedName("")
MOST_HOPS = 64


def names(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, name: str
) -> tuple[Found, ...]:
    """Return what `name` means at an op of a region; imports are places not followed yet."""
    view = look.world.file(path)
    first = None if view is None else view.by_name.get(scope)
    if view is None or first is None:
        return ()
    look.world.asked.append(view.mark_at(first))
    number, block, direct = first, -1, first
    if op >= 0:
        tables = view.scope_at(number)
        block = tables.tree.block[op]
        if number > 0 and op <= tables.header_end:
            if block >= 0 and (found := _in_block(look, view, number, name, block, first)):
                return found
            number, block = _outwards(view, number)
            direct = number
    while True:
        if block >= 0 and (found := _in_block(look, view, number, name, block, first)):
            return found
        if number == 0 or name in view.scope_at(number).global_names:
            if number:
                look.world.bound(path, view.placement(number).name, name)
            return module_scope(look, path, name)
        found = _in_region(look, view, number, name, op, direct=number == direct, first=first)
        if found:
            return found
        number, block = _outwards(view, number)


def _in_block(
    look: Evaluator, view: FileView, number: int, name: str, block: int, first: int
) -> tuple[Found, ...]:
    """Return the variable of an inner block of a region that `name` means, if any."""
    here = view.placement(number).name
    look.world.asked.append(("inner", view.path, here))
    inner, bindings = view.scope_at(number).visible(name, block)
    if inner < 0 or not bindings:
        return ()
    method = Method.LOCAL if number == first else Method.ENCLOSING
    return (Found(Variable(view.path, here, name, inner), method),)


def _in_region(
    look: Evaluator, view: FileView, number: int, name: str, op: int, *, direct: bool, first: int
) -> tuple[Found, ...]:
    """Return what the own scope of a region says of `name`.

    A class says nothing to the functions inside it, only to what stands in it directly.
    """
    here = view.placement(number).name
    hidden = not direct and not look.strategy(view.language).class_scope_is_visible
    if hidden and view.kind_at(number) in CLASSES:
        look.world.asked.append(("kind", view.path, here))
        return ()
    bound = look.world.bound(view.path, here, name)
    if bound is None or name in view.scope_at(number).nonlocal_names:
        return ()
    local = number == first
    found = places(view.path, here, name, bound, Method.LOCAL if local else Method.ENCLOSING)
    if local and len(bound.nested) > 1:
        look.world.asked.append(("inner", view.path, here))
        return nearest(view, number, found, op)
    return found


def _outwards(view: FileView, number: int) -> tuple[int, int]:
    """Return the placement around `number`, and the block of it in which `number` stands."""
    parent = view.placement(number).parent
    define = view.define_of(number) if _has_blocks(view, parent) else -1
    return parent, view.scope_at(parent).tree.block[define] if define >= 0 else -1


def _has_blocks(view: FileView, number: int) -> bool:
    return Op.SCOPE in view.scope_at(number).tree.kinds


def meaning(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, name: str
) -> tuple[Found, ...]:
    """Return what `name` means at an op of a region, imports followed.

    What it means to the whole module is remembered.
    """
    view = look.world.file(path)
    number = None if view is None else view.by_name.get(scope)
    if view is None or number is None:
        return ()
    look.world.asked.append(view.mark_at(number))
    tables = view.scope_at(number)
    if len(view.defines(number, name)) > 1:
        return _meaning(look, path, scope, op, name)
    block = tables.tree.block[op] if op >= 0 else -1
    header = 0 <= op <= tables.header_end
    key = ("name", path, scope, name, block, header)
    return look.remember(key, (), _meaning, path, scope, op, name)


def _meaning(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, name: str
) -> tuple[Found, ...]:
    found = names(look, path, scope, op, name)
    if len(found) == 1 and isinstance(found[0].place, Definition | Outside):
        return found
    if found and found[0].method in (Method.MODULE, Method.REEXPORT):
        key = ("meaning", path, name)
        return look.remember(key, (), _module_meaning, path, name)
    return follow(look, found)


def _module_meaning(look: Evaluator, path: FilePath, name: str) -> tuple[Found, ...]:
    return follow(look, module_scope(look, path, name))


def module_scope(look: Evaluator, path: FilePath, name: str) -> tuple[Found, ...]:
    """Return what `name` means in the scope of a module, its star imports and surroundings."""
    return look.remember(("module", path, name), (), _module_scope, path, name)


def _module_scope(look: Evaluator, path: FilePath, name: str) -> tuple[Found, ...]:
    found = module_name(look, path, name)
    return found or look.strategy_of(path).ambient(look, path, name)


def nearest(view: FileView, number: int, found: tuple[Found, ...], op: int) -> tuple[Found, ...]:
    """Of several definitions of one name, return the last before a use in the same region."""
    before: dict[str, int] = {}
    for define in view.scope_at(number).defines:
        at = view.defined_at(number, define)
        if at >= 0 and define < op:
            before[view.placement(at).name] = define
    known = [one for one in found if getattr(one.place, "name", "") in before]
    if len(known) < 2:  # noqa: PLR2004  one is no choice
        return found
    last = max(known, key=lambda one: before[one.place.name])  # type: ignore[union-attr]
    return tuple(one for one in found if one == last or one not in known)


def places(
    path: FilePath, scope: QualifiedName, name: str, bound: Bound, method: Method
) -> tuple[Found, ...]:
    """Return the places that a scope's bindings of one name make."""
    found = [Found(Definition(path, nested), method) for nested in bound.nested]
    if bound.imports or any(binding.form != Op.DELETE for binding in bound.bindings):
        found.append(Found(Variable(path, scope, name), method))
    return tuple(found)


def module_name(look: Evaluator, path: FilePath, name: str) -> tuple[Found, ...]:
    """Return what the module's own scope says of `name`, else its star imports, else nothing."""
    visited = {path}
    waiting: list[tuple[FilePath, tuple[FilePath, ...]]] = [(path, ())]
    while waiting and len(visited) <= MOST_HOPS:
        here, hops = waiting.pop()
        bound = look.world.bound(here, MODULE_SCOPE, name)
        if bound is not None:
            method = Method.REEXPORT if hops else Method.MODULE
            found = places(here, MODULE_SCOPE, name, bound, method)
            return tuple(one._replace(hops=hops) for one in found)
        strategy = look.strategy_of(here)
        onward: list[tuple[FilePath, tuple[FilePath, ...]]] = []
        for form in reversed(look.world.stars(here, MODULE_SCOPE)):
            for space in strategy.modules(look, here, form.module):
                if isinstance(space, Outside) or space.path in visited:
                    continue
                visited.add(space.path)
                if isinstance(space, Module) and strategy.star_names(look, space.path, name):
                    onward.append((space.path, (*hops, here)))
        waiting.extend(reversed(onward))
    return ()


def exported(look: Evaluator, space: Namespace, name: str) -> tuple[Found, ...]:
    """Return what `name` of a module, folder or outside thing is, one step only."""
    if isinstance(space, Outside):
        return (Found(Outside(f"{space.name}.{name}"), Method.EXTERNAL),)
    if isinstance(space, Folder):
        below = look.folder_strategy(space).submodule(look, space, name)
        return tuple(Found(module, Method.IMPORT) for module in below)
    strategy = look.strategy_of(space.path)
    found = strategy.exported(look, space.path, name)
    if found:
        return found
    below = strategy.submodule(look, space, name)
    return tuple(Found(module, Method.IMPORT) for module in below)


def follow(look: Evaluator, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """Follow imports and re-exports of places to their ends, in order, each place once."""
    ends: list[Found] = []
    seen: list[tuple[Variable, ImportForm]] = []
    visited: set[object] = set()
    waiting = list(reversed(found))
    while waiting and len(visited) < MOST_HOPS:
        one = waiting.pop()
        if one.place in visited:
            continue
        visited.add(one.place)
        place = one.place
        if not isinstance(place, Variable) or place.block >= 0:
            ends.append(one)
            continue
        bound = look.world.bound(place.path, place.scope, place.name)
        if bound is None or not bound.imports:
            ends.append(one)
            continue
        if any(binding.form != Op.DELETE for binding in bound.bindings):
            ends.append(one)
        strategy = look.strategy_of(place.path)
        hops = (*one.hops, place.path)
        method = Method.REEXPORT if len(hops) > 1 else Method.IMPORT
        onward = [
            Found(step.place, method, (*hops, *step.hops), one.receiver)
            for form in bound.imports
            for step in strategy.imported(look, place.path, place.scope, form)
        ]
        seen.extend((place, form) for form in bound.imports)
        waiting.extend(reversed(onward))
    ends = ends or _modules_behind(look, seen)
    return tuple(
        one._replace(method=Method.EXTERNAL)
        if isinstance(one.place, Outside) and one.method != Method.BUILTIN
        else one
        for one in ends
    )


def _modules_behind(look: Evaluator, seen: list[tuple[Variable, ImportForm]]) -> list[Found]:
    """Return the module that one of some imports names, for names that lead in circles.

    What a package imports from itself under the name of a module in it.
    """
    for place, form in seen:
        if form.kind != "item":
            continue
        strategy = look.strategy_of(place.path)
        for space in strategy.modules(look, place.path, form.module):
            if not isinstance(space, Outside):
                below = strategy.submodule(look, space, form.name)
                if below:
                    return [Found(module, Method.IMPORT) for module in below]
    return []
