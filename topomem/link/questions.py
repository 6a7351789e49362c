"""Digests of answers: equal digests mean that whoever asked would see the same.

Digests never hold positions, so that text which moved changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from topomem.link import interfaces
from topomem.link.files import FileFacts
from topomem.link.imports import export_forms
from topomem.link.names import names_in
from topomem.link.paths import folders_above, last_part, stem
from topomem.link.scopes import Binding, Scope
from topomem.link.world import Question, World
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

Digest = object
ROLES = range(32)
WHOLE = frozenset({Op.ASSIGN, Op.CALL, Op.CONSTRUCT, Op.RETURN, Op.YIELD, Op.RESULT, Op.DECORATOR})


class Answers:
    """Works out digests in one snapshot; thrown away with it."""

    def __init__(self, world: World) -> None:
        self.world = world

    def digests(self, questions: Iterable[Question]) -> dict[Question, Digest]:
        """Return the digest of the answer to each question. Leaves no mark of having asked."""
        return {question: RULES[question[0]](self.world, *question[1:]) for question in questions}


def statement_digest(scope: Scope, binding: Binding) -> Digest:
    """Return what a binding says: its statement without the body, and where in it the name is."""
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
    own = scope.tree.facts.declarations[0]
    return (own.kind, own.modifiers, own.owner, scope.tree.digest(scope.header))


def _scope(world: World, path: str, scope: str) -> Scope | None:
    return world.scope_of(FilePath(path), QualifiedName(scope))


def _exists(world: World, path: str) -> Digest:
    view = world.view(FilePath(path))
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
    bound = world.bound_unasked(FilePath(path), QualifiedName(scope), name)
    tables = _scope(world, path, scope)
    if tables is None:
        return None
    how = (
        tables.tree.facts.declarations[0].kind,
        name in tables.global_names,
        name in tables.nonlocal_names,
    )
    if bound is None:
        return how
    return (
        how,
        [statement_digest(tables, binding) for binding in bound.bindings],
        bound.nested,
        [form._replace(statement=0, op=0) for form in bound.imports],
    )


def _stars(world: World, path: str, scope: str) -> Digest:
    view = world.view(FilePath(path))
    number = None if view is None else view.by_name.get(QualifiedName(scope))
    if view is None or number is None:
        return ()
    forms = world.imports_of(view, number).get("*", ())
    return [form._replace(statement=0, op=0) for form in forms]


def _exports(world: World, path: str) -> Digest:
    tables = _scope(world, path, "")
    if tables is None:
        return None
    values = [form.value for form in export_forms(tables)]
    return (
        [form._replace(statement=0, op=0, value=0) for form in export_forms(tables)],
        [tables.tree.digest([value]) if value >= 0 else b"" for value in values],
    )


def _exported(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, "")
    if tables is None:
        return None
    return [
        (
            form._replace(statement=0, op=0, value=0),
            tables.tree.digest([form.value]) if form.value >= 0 else b"",
        )
        for form in world.exported_unasked(FilePath(path), name)
    ]


def _given(world: World, path: str) -> Digest:
    tables = _scope(world, path, "")
    if tables is None:
        return None
    return [
        (write.holder, write.name, statement_digest(tables, write.binding))
        for write in tables.attribute_writes
    ]


def _header(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, name)
    return None if tables is None else header_digest(tables)


def _results(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, name)
    if tables is None:
        return None
    tree = tables.tree
    returns = [
        [child for child in tree.children(op) if tree.kinds[child] in ROLES] or [op]
        for op in tables.results.get(-1, ())
    ]
    yields = tables.yields.get(-1, [])
    return ([tree.digest(ops) for ops in returns], [tree.digest([op]) for op in yields])


def _inner(world: World, path: str, name: str) -> Digest:
    tables = _scope(world, path, name)
    return None if tables is None else tables.tree.facts.key


def _attribute(world: World, path: str, owner: str, name: str) -> Digest:
    found = []
    for write in world.attribute_unasked(FilePath(path), QualifiedName(owner), name):
        tables = world.scope_of(FilePath(path), write.scope)
        if tables is not None:
            found.append((write.scope, statement_digest(tables, write.binding)))
    return found


def _elements(world: World, path: str, scope: str, holder: str) -> Digest:
    found = []
    for use in world.elements_unasked(FilePath(path), QualifiedName(scope), holder):
        tables = world.scope_of(use.path, use.scope)
        if tables is not None:
            found.append((use.scope, whole_digest(tables, use.op)))
    return found


def whole_digest(scope: Scope, op: int) -> Digest:
    """Return what the statement or call around an op says, and where in it the op is."""
    found = scope.digests.get(op)
    if found is None:
        found = scope.digests[op] = _whole_digest(scope, op)
    return found


def _whole_digest(scope: Scope, op: int) -> Digest:
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
    return world.defined_unasked(name)


def _uses(world: World, name: str) -> Digest:
    found = []
    for use in world.uses_unasked(name):
        tables = world.scope_of(use.path, use.scope)
        if tables is not None:
            found.append((use.path, use.scope, whole_digest(tables, use.op)))
    return found


def _heirs(world: World, name: str) -> Digest:
    return world.heirs_unasked(name)


RULES: dict[str, Callable[..., Digest]] = {
    "exists": _exists,
    "folder": _folder,
    "files": _files,
    "config": _config,
    "has_config": _has_config,
    "config_field": _config_field,
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
    "head": interfaces.head_digest,
    "interface": interfaces.interface_digest,
    "package_type": interfaces.package_type_digest,
    "package_known": interfaces.package_known_digest,
    "config_statements": interfaces.config_statements_digest,
    "package_name": interfaces.package_name_digest,
    "package_member": interfaces.package_member_digest,
    "package_methods": interfaces.package_methods_digest,
    "configs_named": interfaces.configs_named_digest,
}
"""How to work out the digest for each kind of question."""

BY_PATH = frozenset(
    {
        "exists", "config", "has_config", "config_field", "package", "kind", "declares", "bound",
        "stars", "exports", "exported", "given", "header", "results", "inner", "attribute", "elements",
        "head", "interface", "config_statements",
    }
)  # fmt: skip
BY_FOLDER = frozenset({"folder", "files", "package_name", "package_member", "package_methods"})


BY_STEM = frozenset({"named", "configs_saying", "configs_named"})

Probe = tuple[str, str]
"""What a question hangs on: `path`, `folder`, `stem` or `name`, and which one."""


def probe_of(question: Question) -> Probe:
    """Return what must be touched by a change before the answer to a question may differ."""
    kind = question[0]
    if kind in BY_PATH:
        return "path", question[1]
    if kind in BY_FOLDER:
        return "folder", question[1]
    if kind == "named":
        return "stem", question[1]
    if kind in BY_STEM:
        return "stem", stem(question[1])
    return "name", question[1]


def touched(world: World, final: Mapping[FilePath, object]) -> set[Probe]:
    """Return what changes to these paths touch; `final` has what stands there afterwards."""
    found: set[Probe] = set()
    for path, facts in final.items():
        above = folders_above(path)
        found.add(("path", path))
        found.add(("stem", stem(path)))
        found.update(("folder", folder) for folder in above)
        found.update(("stem", last_part(folder)) for folder in above)
        view = world.view(path)
        names = set() if view is None else names_in(view.facts)
        if isinstance(facts, FileFacts):
            names |= names_in(facts)
        found.update(("name", name) for name in names)
    return found
