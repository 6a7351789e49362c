"""What others may rely on in a type, a file's head or a package, for languages with written types.

These questions are coarser than one name: who asks for the interface of a type depends on all its
headers and written types, but on no body and on no initial value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.views import own_name
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.tree import Tree
    from topomem.link.views import FileView
    from topomem.link.world import World

Digest = object

BODIES = frozenset({Op.SCOPE, Op.DEFINE, Op.CALL, Op.CONSTRUCT, Op.RAISE})
"""Ops at the top of a region that say nothing to others."""

TARGETS = frozenset({Op.TARGET, Op.DIMENSIONS})

HEAD = frozenset({Op.PACKAGE, Op.IMPORT})


def package_text(tree: Tree) -> str:
    """Return the package that a module says it belongs to, `` when it says none."""
    for op in tree.tops():
        if tree.kinds[op] == Op.PACKAGE:
            return "".join(tree.texts[op].split())
    return ""


def package_of(view: FileView) -> str:
    """Return the package that a file says it belongs to."""
    return package_text(view.tree_at(0)) if view.blob.placements else ""


def head_digest(world: World, path: str) -> Digest:
    """Return what a file says before its definitions: package and imports."""
    view = world.view(FilePath(path))
    if view is None or not view.blob.placements:
        return None
    tree = view.tree_at(0)
    return tree.digest([op for op in tree.tops() if tree.kinds[op] in HEAD])


def interface_digest(world: World, path: str, name: str) -> Digest:
    """Return the header of a definition, its written fields, and the headers right inside it."""
    view = world.view(FilePath(path))
    number = None if view is None else view.by_name.get(QualifiedName(name))
    if view is None or number is None:
        return None
    inside = [
        (view.placement(at).name, _header(view, at, values=False)) for at in view.nested[number]
    ]
    return (_header(view, number, values=False), inside)


def _header(view: FileView, number: int, *, values: bool) -> Digest:
    """Return what the top of a region says without bodies; initial values where asked for."""
    tree = view.tree_at(number)
    own = tree.facts.declarations[0]
    ops: list[int] = []
    for op in tree.tops():
        kind = tree.kinds[op]
        if kind == Op.DECLARE and not values:
            ops.extend(_declared(tree, op))
        elif kind == Op.SCOPE:
            ops.append(-1)
        elif kind not in BODIES:
            ops.append(op)
    light = [(one.kind, one.name, one.modifiers) for one in tree.facts.declarations[1:]]
    told = (own.kind, own.name, own.modifiers, own.owner, -1 in ops, light)
    return (*told, tree.digest([op for op in ops if op >= 0]))


def _declared(tree: Tree, declare: int) -> list[int]:
    ops: list[int] = []
    for child in tree.children(declare):
        if tree.kinds[child] == Op.ASSIGN:
            ops.extend(at for at in tree.children(child) if tree.kinds[at] in TARGETS)
        elif tree.kinds[child] not in (Op.DECORATOR, Op.VALUE, Op.ARGUMENT):
            ops.append(child)
    return ops


def package_types_digest(world: World, package: str, language: str) -> Digest:
    """Return the files of a package, wherever they stand, with the names right inside them."""
    found = []
    for path in sorted(world.files_saying(package)):
        view = world.view(path)
        if view is not None and view.language == language and package_of(view) == package:
            names = (
                sorted(
                    (own_name(view.placement(at).name), view.kind_at(at)) for at in view.nested[0]
                )
                if view.nested
                else []
            )
            found.append((path, names))
    return found


def package_name_digest(world: World, folder: str, language: str) -> Digest:
    """Return the packages that the files of a language in a folder say they belong to."""
    views = [world.view(path) for path in world.files_in_unasked(folder)]
    return [
        (view.path, package_of(view))
        for view in views
        if view is not None and view.language == language
    ]


def package_member_digest(world: World, folder: str, name: str) -> Digest:
    """Return what the files in a folder declare as `name`: headers, types, initial values."""
    found: list[tuple[object, ...]] = []
    for path in world.files_in_unasked(folder):
        view = world.view(path)
        if view is None or not view.blob.placements:
            continue
        for at in view.nested[0]:
            place = view.placement(at).name
            if place.partition("+")[0] == name:
                inside = [
                    (view.placement(one).name, _header(view, one, values=False))
                    for one in view.nested[at]
                ]
                header = _header(view, at, values=False)
                found.append((path, package_of(view), place, header, inside))
        statement = _light(view.tree_at(0), name)
        if statement is not None:
            found.append((path, package_of(view), *statement))
    return found


def package_methods_digest(world: World, folder: str, owner: str) -> Digest:
    """Return the names of the methods that the files in a folder declare on a type of it."""
    found = []
    for path in world.files_in_unasked(folder):
        view = world.view(path)
        if view is None or not view.blob.placements:
            continue
        for at in view.nested[0]:
            place = view.placement(at).name
            if place.rpartition(".")[0] == owner:
                found.append((path, package_of(view), place))
    return found


def _light(tree: Tree, name: str) -> tuple[object, ...] | None:
    """Return the statement that declares a light name, with those whose values it repeats."""
    if all(one.name != name for one in tree.facts.declarations[1:]):
        return None
    valued: list[int] = []
    for op in tree.tops():
        if tree.kinds[op] != Op.DECLARE:
            continue
        constant = tree.texts[op] == "constant"
        if not constant or tree.role(op, Op.VALUE) >= 0:
            valued = []
        if constant:
            valued.append(op)
        names = [
            tree.texts[at] for at in map(tree.expression, tree.roles(op, Op.TARGET)) if at >= 0
        ]
        if name in names:
            return (names.index(name), tree.digest(valued or [op]))
    return None


def configs_named_digest(world: World, base: str) -> Digest:
    """Return where the configuration files of a base name stand."""
    return world.configs_named_unasked(base)
