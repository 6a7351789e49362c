"""Modules with dotted names below roots, packages with an index file: Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.paths import folders_above, last_part, parent_folder
from topomem.link.strategies.annotations import generic_value, named_value, text_value
from topomem.link.strategies.known_calls import CALLS_ARGUMENTS, known_call, known_method
from topomem.link.strategies.standard_library import MEMBERS, MODULES
from topomem.link.strategy import MODULE_SCOPE, Namespace, Strategy
from topomem.link.values import (
    NOTHING,
    Container,
    Folder,
    Found,
    Generator,
    Instance,
    Item,
    Module,
    Outside,
    OutsideInstance,
    OutsideMethod,
    Value,
)
from topomem.model.code import Method, Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.calls import Site
    from topomem.link.evaluate import Evaluator
    from topomem.link.imports import ImportForm

SOURCE_FOLDERS = ("src", "lib", "python")
"""Folders beside tests and scripts that are roots of their own."""

SPECIAL = {
    "iterate": ("__iter__", "__aiter__"),
    "next": ("__next__", "__anext__"),
    "enter": ("__enter__", "__aenter__"),
    "exit": ("__exit__", "__aexit__"),
    "call": ("__call__",),
    "item": ("__getitem__",),
}


class DottedPackages(Strategy):
    """Absolute imports start at a root.

    The folder of a script, the folder above the topmost package of the importing file, or
    `src`-like folders beside one of the folders above it.
    """

    outside_members = MEMBERS

    def local_name(self, form: ImportForm) -> str:
        """`import a.b` binds `a`."""
        if form.kind == "module":
            return form.module.partition(".")[0]
        return super().local_name(form)

    def modules(self, look: Evaluator, importer: FilePath, text: str) -> tuple[Namespace, ...]:
        """Return what an import's module text names."""
        folder = parent_folder(importer)
        key = ("modules", self.spec.name, folder, text)
        return look.remember(key, (), find_modules, self, folder, text)

    def imported(
        self, look: Evaluator, importer: FilePath, scope: QualifiedName, form: ImportForm
    ) -> tuple[Found, ...]:
        """`import a.b` binds the package `a`."""
        if form.kind == "module" and not form.alias:
            first = form.module.partition(".")[0]
            spaces = self.modules(look, importer, first)
            return tuple(Found(space, Method.IMPORT) for space in spaces)
        return super().imported(look, importer, scope, form)

    def submodule(
        self, look: Evaluator, space: Module | Folder, name: str
    ) -> tuple[Namespace, ...]:
        """Return the module `name` of a package."""
        if isinstance(space, Folder):
            return self.below(look, space.path, name)
        if last_part(space.path).partition(".")[0] in self.spec.resolution.index_names:
            return self.below(look, parent_folder(space.path), name)
        return ()

    def below(self, look: Evaluator, folder: str, name: str) -> tuple[Namespace, ...]:
        """Return the package or module `name` right below a folder."""
        prefix = f"{folder}/{name}" if folder else name
        for suffix in self.spec.resolution.suffix_order:
            for index in self.spec.resolution.index_names:
                path = FilePath(f"{prefix}/{index}{suffix}")
                if look.world.exists(path):
                    return (Module(path),)
            path = FilePath(f"{prefix}{suffix}")
            if look.world.exists(path):
                return (Module(path),)
        if look.world.folder(FilePath(prefix)):
            return (Folder(FilePath(prefix)),)
        return ()

    def star_names(self, look: Evaluator, path: FilePath, name: str) -> bool:
        """Tell whether a star brings a name: what `__all__` lists, else what has no underscore."""
        listed = listed_names(look, path)
        return not name.startswith("_") if listed is None else name in listed

    # types and values

    def type_value(
        self, look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int
    ) -> Value:
        """Return what an annotation says; one in a string is read like one outside."""
        if op < 0:
            return NOTHING
        tables = look.world.scope_of(path, scope)
        if tables is not None and tables.tree.kinds[op] in (Op.STRING_TYPE, Op.STRING_VALUE):
            return text_value(look, path, scope, op, tables.tree.texts[op], k)
        value = look.written_type(path, scope, op, k)
        return frozenset(one for item in value for one in named_value(look, path, scope, item))

    def generic_value(
        self,
        look: Evaluator,
        item: Item,
        arguments: tuple[Value, ...],
        k: int,  # noqa: ARG002  nothing more is followed here
    ) -> Value:
        """Return what `item[arguments]` says."""
        return generic_value(look, item, arguments)

    def outside_call(
        self, look: Evaluator, name: str, path: FilePath, scope: QualifiedName, call: int, k: int
    ) -> Value | None:
        """Return the results of builtins and library functions that hand values on."""
        return known_call(look, name, path, scope, call, k)

    def calls_arguments(self, name: str) -> bool:
        """Tell whether something outside calls the functions it is given at once."""
        return name in CALLS_ARGUMENTS

    def outside_method(self, look: Evaluator, method: OutsideMethod, site: Site, k: int) -> Value:
        """Return the result of a method of a collection."""
        return known_method(look, method, site, k)

    def entered(self, look: Evaluator, item: Item, k: int) -> Value:
        """Return what `with item as x` binds."""
        if isinstance(item, Generator):
            return look.yielded(item, k)
        if isinstance(item, Container):
            return item.items
        if isinstance(item, Instance):
            return look.invoked(item, "enter", k) or frozenset({item})
        return frozenset({item}) if isinstance(item, OutsideInstance) else NOTHING

    def special_method(self, use: str) -> tuple[str, ...]:
        """Return the names of the methods behind a use."""
        return SPECIAL.get(use, ())


def find_modules(
    look: Evaluator, strategy: DottedPackages, folder: str, text: str
) -> tuple[Namespace, ...]:
    """Return what a module text means to the files of a folder."""
    if text.startswith("."):
        rest = text.lstrip(".")
        for _ in range(len(text) - len(rest) - 1):
            if not folder:
                return ()
            folder = parent_folder(folder)
        return _find(look, strategy, folder, rest.split(".") if rest else [])
    parts = text.split(".")
    files, folders = look.world.named(parts[0])
    if files or folders:
        candidates = {parent_folder(path) for path in (*files, *folders)}
        spaces: tuple[Namespace, ...] = ()
        for root in _roots(look, strategy, folder, standard=parts[0] in MODULES):
            if root not in candidates:
                continue
            first = strategy.below(look, root, parts[0])
            if not first:
                continue
            found = _find(look, strategy, root, parts)
            if found and not isinstance(first[0], Folder):
                return found
            if not isinstance(first[0], Folder):
                return ()
            spaces = spaces or found
        if spaces:
            return spaces
    return (Outside(text),)


def _find(
    look: Evaluator, strategy: DottedPackages, folder: str, parts: list[str]
) -> tuple[Namespace, ...]:
    if not parts:
        for suffix in strategy.spec.resolution.suffix_order:
            for index in strategy.spec.resolution.index_names:
                path = FilePath(f"{folder}/{index}{suffix}" if folder else f"{index}{suffix}")
                if look.world.exists(path):
                    return (Module(path),)
        return (Folder(FilePath(folder)),) if look.world.folder(FilePath(folder)) else ()
    above = "/".join([folder, *parts[:-1]]) if folder else "/".join(parts[:-1])
    return strategy.below(look, above, parts[-1])


def _roots(look: Evaluator, strategy: DottedPackages, folder: str, *, standard: bool) -> list[str]:
    """Return the folders in which absolute imports of the files of `folder` start, in order."""
    here = not _is_package(look, strategy, folder)
    if standard:
        return [folder] if here else []
    roots: list[str] = []
    for above in [folder, *folders_above(folder)] if folder else [""]:
        if above and _is_package(look, strategy, above):
            continue
        roots.append(above)
        roots.extend(f"{above}/{name}" if above else name for name in SOURCE_FOLDERS)
    if not here and folder:
        roots.append(folder)
    return roots


def _is_package(look: Evaluator, strategy: DottedPackages, folder: str) -> bool:
    prefix = f"{folder}/" if folder else ""
    return any(
        look.world.exists(FilePath(f"{prefix}{index}{suffix}"))
        for index in strategy.spec.resolution.index_names
        for suffix in strategy.spec.resolution.suffix_order
    )


def listed_names(look: Evaluator, path: FilePath) -> set[str] | None:
    """Return the names in a module's `__all__`, None when it has none or not a literal one."""
    bound = look.world.bound(path, MODULE_SCOPE, "__all__")
    tables = look.world.scope_of(path, MODULE_SCOPE)
    if bound is None or tables is None or not bound.bindings:
        return None
    tree = tables.tree
    names: set[str] = set()
    for binding in bound.bindings:
        value = tree.operand(binding.op, Op.VALUE)
        if value < 0 or tree.kinds[value] != Op.COLLECTION:
            return None
        for role in tree.roles(value, Op.ELEMENT):
            at = tree.expression(role)
            if at < 0 or tree.kinds[at] != Op.STRING_VALUE:
                return None
            names.add(tree.texts[at])
    return names
