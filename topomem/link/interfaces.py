"""What others may rely on in a type, a file's head or a package, for languages with written types.

These questions are coarser than one name: who asks for the interface of a type depends on all its
headers and written types, but on no body and on no initial value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

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
    view = world.file(FilePath(path))
    if view is None or not view.blob.placements:
        return None
    tree = view.tree_at(0)
    return tree.digest([op for op in tree.tops() if tree.kinds[op] in HEAD])


def interface_digest(world: World, path: str, name: str) -> Digest:
    """Return the header of a definition, its written fields, and the headers right inside it."""
    view = world.file(FilePath(path))
    number = None if view is None else view.by_name.get(QualifiedName(name))
    if view is None or number is None:
        return None
    inside = [(view.placement(at).name, _header(view, at)) for at in view.nested[number]]
    return (_header(view, number), inside)


def _header(view: FileView, number: int) -> Digest:
    """Return what the top of a region says without bodies and initial values."""
    tree = view.tree_at(number)
    own = tree.facts.declarations[0]
    ops: list[int] = []
    for op in tree.tops():
        kind = tree.kinds[op]
        if kind == Op.DECLARE:
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


class PackageTables:
    """Names right inside the packages that files say they belong to, in one state of a world."""

    def __init__(self) -> None:
        self._version = -1
        self._tables: dict[tuple[str, str], dict[str, tuple[FilePath, ...]]] = {}

    def table(self, world: World, package: str, language: str) -> dict[str, tuple[FilePath, ...]]:
        """Return the files of a package, wherever they stand, by the names right inside them."""
        if self._version != world.version:
            self._version = world.version
            self._tables.clear()
        found = self._tables.get((package, language))
        if found is None:
            found = self._tables[package, language] = _read_package(world, package, language)
        return found


def _read_package(world: World, package: str, language: str) -> dict[str, tuple[FilePath, ...]]:
    found: dict[str, list[FilePath]] = {}
    for path in world.files_saying(package):
        view = world.file(path)
        if view is None or view.language != language or not view.blob.placements:
            continue
        if package_of(view) == package:
            for at in view.nested[0]:
                found.setdefault(own_name(view.placement(at).name), []).append(path)
    return {word: tuple(dict.fromkeys(paths)) for word, paths in found.items()}


_TABLES: WeakKeyDictionary[World, PackageTables] = WeakKeyDictionary()


def package_table(world: World, package: str, language: str) -> dict[str, tuple[FilePath, ...]]:
    """Return the files of a package by the names right inside them, without asking."""
    tables = _TABLES.get(world)
    if tables is None:
        tables = _TABLES[world] = PackageTables()
    return tables.table(world, package, language)


def package_type_digest(world: World, package: str, word: str, language: str) -> Digest:
    """Return the files of a package that define `word`."""
    return package_table(world, package, language).get(word, ())


def package_known_digest(world: World, package: str, language: str) -> Digest:
    """Return whether any file says it belongs to a package."""
    return bool(package_table(world, package, language))


def package_name_digest(world: World, folder: str, language: str) -> Digest:
    """Return the packages that the files of a language in a folder say they belong to."""
    views = [world.file(path) for path in world.files_in_unasked(folder)]
    return [
        (view.path, package_of(view))
        for view in views
        if view is not None and view.language == language
    ]


def package_member_digest(world: World, folder: str, name: str) -> Digest:
    """Return what the files in a folder declare as `name`: headers, types, initial values."""
    found: list[tuple[object, ...]] = []
    for path in world.files_in_unasked(folder):
        view = world.file(path)
        if view is None or not view.blob.placements:
            continue
        for at in _numbered(view, name):
            inside = [(view.placement(one).name, _header(view, one)) for one in view.nested[at]]
            found.append((path, package_of(view), at, _header(view, at), inside))
        if "." not in name and name in view.declared(0):
            statement = _light(view.tree_at(0), name)
            if statement is not None:
                found.append((path, package_of(view), *statement))
    return found


def _numbered(view: FileView, name: str) -> list[int]:
    """Return the placements right inside a module that go by `name`, numbered ones behind."""
    found: list[int] = []
    count = 1
    at = view.by_name.get(QualifiedName(name))
    while at is not None:
        if view.placement(at).parent == 0:
            found.append(at)
        count += 1
        at = view.by_name.get(QualifiedName(f"{name}+{count}"))
    return found


def package_methods_digest(world: World, folder: str, owner: str) -> Digest:
    """Return the names of the methods that the files in a folder declare on a type of it."""
    found = []
    for path in world.files_in_unasked(folder):
        view = world.file(path)
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


_COMMENT = re.compile(r"//.*")


def statements(text: str | None, words: str) -> tuple[str, ...]:
    """Return the lines of a configuration that begin with one of the words, in order.

    A word before an opening bracket at the end of its line counts for all lines up to the closing
    one. Comments and layout are left out.
    """
    wanted = words.split()
    found: list[str] = []
    block = ""
    for line in (text or "").splitlines():
        parts = _COMMENT.sub("", line).split()
        if not parts:
            continue
        if block:
            if parts[0] == ")":
                block = ""
            elif block in wanted:
                found.append(" ".join([block, *parts]))
        elif parts[-1] == "(" and len(parts) > 1:
            block = parts[0]
        elif parts[0] in wanted:
            found.append(" ".join(parts))
    return tuple(found)


def config_statements_digest(world: World, path: str, words: str) -> Digest:
    """Return the statements of a configuration file that begin with one of the words."""
    return statements(world.config_text(FilePath(path)), words)


def configs_named_digest(world: World, base: str) -> Digest:
    """Return where the configuration files of a base name stand."""
    return world.configs_named_unasked(base)
