"""Digests of answers: equal digests mean that whoever asked would see the same.

Digests never hold positions, so that text which moved changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from topomem.link import interfaces
from topomem.link.imports import export_forms
from topomem.link.scopes import Binding, Scope
from topomem.link.world import World
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

Digest = object
ROLES = range(32)
LONG = 4
"""A list of more parts is kept as its hash."""
WHOLE = frozenset({Op.ASSIGN, Op.CALL, Op.CONSTRUCT, Op.RETURN, Op.YIELD, Op.RESULT, Op.DECORATOR})


def statement_digest(scope: Scope, binding: Binding) -> Digest:
    """Return what a binding says: its statement without the body, and where in it the name is."""
    key = ("statement", binding)
    found = scope.digests.get(key)
    if found is None:
        found = scope.digests[key] = _statement(scope, binding)
    return found


def _statement(scope: Scope, binding: Binding) -> Digest:
    tree = scope.tree
    if binding.form == Op.PARAMETER:
        listed = scope.parameters.get(tree.block[binding.op], [])
        position = next(at for at, one in enumerate(listed) if one.op == binding.op)
        return (binding.form, position, tree.digest([binding.op]))
    parts = [child for child in tree.children(binding.op) if tree.kinds[child] in ROLES]
    offset = binding.target - binding.op
    return (binding.form, tree.texts[binding.op], offset, tree.digest(parts))


def header_digest(scope: Scope) -> Digest:
    """Return what the header of a definition says."""
    found = scope.digests.get("header")
    if found is None:
        own = scope.tree.facts.declarations[0]
        places = tuple(scope.header)  # nothing of a body stands before it
        said = (own.kind, own.modifiers, own.owner, places, scope.tree.digest(scope.header))
        found = scope.digests["header"] = said
    return found


def _short(parts: list[object]) -> Digest:
    """Return a list as a digest that takes little room."""
    if len(parts) <= LONG:
        return tuple(parts)
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _scope(world: World, path: str, scope: str) -> Scope | None:
    return world.tables(FilePath(path), QualifiedName(scope))


def _exists(world: World, path: str) -> Digest:
    view = world.file(FilePath(path))
    return None if view is None else view.language


def _folder(world: World, path: str) -> Digest:
    return world.has_folder(path)


def _files(world: World, folder: str) -> Digest:
    return world.files_in_unasked(folder)


def _config(world: World, path: str) -> Digest:
    return world.config_text(FilePath(path))


def _has_config(world: World, path: str) -> Digest:
    return world.config_text(FilePath(path)) is not None


def _config_field(world: World, path: str, key: str) -> Digest:
    return world.config_field_unasked(FilePath(path), key)


def _configs_saying(world: World, base: str, key: str, value: str) -> Digest:
    return world.configs_saying_unasked(base, key, value)


def _package(world: World, path: str) -> Digest:
    return world.package_unasked(FilePath(path))


def _named(world: World, name: str) -> Digest:
    return world.named_unasked(name)


def _kind(world: World, path: str, name: str) -> Digest:
    return world.kind_unasked(FilePath(path), QualifiedName(name))


def _declares(world: World, path: str, scope: str, name: str) -> Digest:
    return world.declares_unasked(FilePath(path), QualifiedName(scope), name)


def _bound(world: World, path: str, scope: str, name: str) -> Digest:
    view = world.file(FilePath(path))
    number = None if view is None else view.by_name.get(QualifiedName(scope))
    if view is None or number is None:
        return None
    tables = view.scope_at(number)
    bound = view.bound_names(number, world.imports_of(view, number)).get(name)
    key = ("bound", view.language, name)
    own = tables.digests.get(key)
    if own is None:
        own = tables.digests[key] = (
            tables.tree.facts.declarations[0].kind,
            name in tables.global_names,
            name in tables.nonlocal_names,
            bound is not None,
            () if bound is None else tuple([statement_digest(tables, b) for b in bound.bindings]),
            () if bound is None else tuple([f._replace(statement=0, op=0) for f in bound.imports]),
        )
    return own if bound is None or not bound.nested else (own, bound.nested)


def _stars(world: World, path: str, scope: str) -> Digest:
    view = world.file(FilePath(path))
    number = None if view is None else view.by_name.get(QualifiedName(scope))
    if view is None or number is None:
        return ()
    forms = world.imports_of(view, number).get("*", ())
    return tuple([form._replace(statement=0, op=0) for form in forms])


def _exports(world: World, path: str) -> Digest:
    tables = _scope(world, path, "")
    if tables is None:
        return None
    found = tables.digests.get("exports")
    if found is None:
        forms = export_forms(tables)
        found = tables.digests["exports"] = (
            tuple([form._replace(statement=0, op=0, value=0) for form in forms]),
            tuple([tables.tree.digest([f.value]) if f.value >= 0 else b"" for f in forms]),
        )
    return found


def _exported(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, "")
    if tables is None:
        return None
    key = ("exported", name)
    found = tables.digests.get(key)
    if found is None:
        found = tables.digests[key] = tuple(
            [
                (
                    form._replace(statement=0, op=0, value=0),
                    tables.tree.digest([form.value]) if form.value >= 0 else b"",
                )
                for form in world.exported_unasked(FilePath(path), name)
            ]
        )
    return found


def _given(world: World, path: str) -> Digest:
    tables = _scope(world, path, "")
    if tables is None:
        return None
    writes = [
        (write.holder, write.name, statement_digest(tables, write.binding))
        for write in tables.attribute_writes
    ]
    return _short(list(writes))


def _header(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, name)
    return None if tables is None else header_digest(tables)


def _results(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, name)
    if tables is None:
        return None
    found = tables.digests.get("results")
    if found is None:
        tree = tables.tree
        returns = [
            [child for child in tree.children(op) if tree.kinds[child] in ROLES] or [op]
            for op in tables.results.get(-1, ())
        ]
        found = tables.digests["results"] = (
            tuple([tree.digest(ops) for ops in returns]),
            tuple([tree.digest([op]) for op in tables.yields.get(-1, [])]),
        )
    return found


def _inner(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, name)
    return None if tables is None else tables.tree.facts.key


def _attribute(world: World, path: str, owner: str, name: str) -> Digest:
    found: list[object] = []
    for write in world.attribute_unasked(FilePath(path), QualifiedName(owner), name):
        tables = world.tables(FilePath(path), write.scope)
        if tables is not None:
            found.append((write.scope, statement_digest(tables, write.binding)))
    return _short(found)


def _elements(world: World, path: str, scope: str, holder: str) -> Digest:
    found: list[object] = []
    for use in world.elements_unasked(FilePath(path), QualifiedName(scope), holder):
        tables = world.tables(use.path, use.scope)
        if tables is not None:
            found.append((use.scope, whole_digest(tables, use.op)))
    return _short(found)


def whole_digest(scope: Scope, op: int) -> Digest:
    """Return what the statement or call around an op says, and where in it the op is."""
    key = ("whole", op)
    found = scope.digests.get(key)
    if found is None:
        found = scope.digests[key] = _whole(scope, op)
    return found


def _whole(scope: Scope, op: int) -> Digest:
    tree = scope.tree
    at = op
    while True:
        kind = tree.kinds[at]
        if kind in WHOLE and at != op:
            break
        parent = tree.parents[at]
        if parent < 0 or (kind >= Op.ASSIGN and at != op):
            break
        at = parent
    if tree.kinds[at] in WHOLE or at == op:
        return (op - at, tree.digest([at]))
    parts = [child for child in tree.children(at) if tree.kinds[child] in ROLES]
    return (op - at, tree.digest(parts))


def _defined(world: World, name: str) -> Digest:
    return _short(list(world.defined_unasked(name)))


def _uses(world: World, name: str) -> Digest:
    found: list[object] = []
    for use in world.uses_unasked(name):
        tables = world.tables(use.path, use.scope)
        if tables is not None:
            found.append((use.path, use.scope, whole_digest(tables, use.op)))
    return _short(found)


def _heirs(world: World, name: str) -> Digest:
    return _short(list(world.heirs_unasked(name)))


def _hashed(rule: Callable[..., Digest]) -> Callable[..., Digest]:
    """Return a rule that gives the hash of what another gives, which may hold lists."""

    def hashed(world: World, *asked: str) -> Digest:
        said = repr(rule(world, *asked)).encode("utf-8", "surrogatepass")
        return blake2b(said, digest_size=16).digest()

    return hashed


RULES: dict[str, Callable[..., Digest]] = {
    "exists": _exists,
    "folder": _folder,
    "files": _files,
    "config": _config,
    "has_config": _has_config,
    "config_field": _hashed(_config_field),
    "configs_saying": _configs_saying,
    "package": _package,
    "named": _named,
    "kind": _kind,
    "declares": _declares,
    "bound": _bound,
    "stars": _stars,
    "exports": _exports,
    "exported": _exported,
    "given": _given,
    "header": _header,
    "results": _results,
    "inner": _inner,
    "attribute": _attribute,
    "elements": _elements,
    "defined": _defined,
    "uses": _uses,
    "heirs": _heirs,
    "head": _hashed(interfaces.head_digest),
    "interface": _hashed(interfaces.interface_digest),
    "package_type": interfaces.package_type_digest,
    "package_known": interfaces.package_known_digest,
    "config_statements": interfaces.config_statements_digest,
    "package_name": _hashed(interfaces.package_name_digest),
    "package_member": _hashed(interfaces.package_member_digest),
    "package_methods": _hashed(interfaces.package_methods_digest),
    "configs_named": interfaces.configs_named_digest,
}
"""How to work out the digest for each kind of question."""


def placed(world: World, number: int) -> object:
    """Return the answer to a question of `PLACED` with its positions, to compare it with itself."""
    kind, *about = world.numbering.questions[number]
    return _PLACED[kind](world, *about)


def _placed_bound(world: World, path: str, scope: str, name: str) -> object:
    return world.bound_unasked(FilePath(path), QualifiedName(scope), name)


def _placed_stars(world: World, path: str, scope: str) -> object:
    return world.stars_unasked(FilePath(path), QualifiedName(scope))


def _placed_attribute(world: World, path: str, owner: str, name: str) -> object:
    return world.attribute_unasked(FilePath(path), QualifiedName(owner), name)


_PLACED: dict[str, Callable[..., object]] = {
    "attribute": _placed_attribute,
    "bound": _placed_bound,
    "stars": _placed_stars,
    "uses": World.uses_unasked,
}
