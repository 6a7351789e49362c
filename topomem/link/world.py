"""All that the linker may know of a snapshot, one question at a time.

Every method writes down the question it was asked: a tuple that begins with its kind. The answer
is a function of the snapshot's facts alone, misses included. Two snapshots that give equal digests
(`topomem.link.questions`) to the questions a region asked give that region equal links. What is
read without a question, because an answer led there, leaves a silent mark, for results that are
remembered from one snapshot to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from topomem.link.files import ConfigFile, FileFacts
from topomem.link.imports import ExportForm, ImportForm, export_forms, import_forms
from topomem.link.json_text import read_object
from topomem.link.names import Mentions, NameIndex
from topomem.link.numbering import Numbering
from topomem.link.paths import folders_above, last_part, parent_folder, stem
from topomem.link.scopes import Scope, last_name
from topomem.link.views import CLASSES, AttributeWrite, Bound, FileView, Trees, Use
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath, LanguageName, QualifiedName

LocalName = Callable[[LanguageName, ImportForm], str]

MOST_USES = 64
"""Uses of one name that are looked at; with more, none is (the name says too little)."""


class World:
    """The files of one snapshot. `asked` collects the questions since it was last replaced."""

    def __init__(self, local_name: LocalName, mentions: Mentions | None = None) -> None:
        self.asked: list[Any] = []
        self.version = 0  # counts what was put and dropped
        self.numbering = Numbering()
        self.trees = Trees()
        self._local_name = local_name
        self._mentions = NameIndex(self.trees) if mentions is None else mentions
        self._files: dict[FilePath, FileView] = {}
        self._configs: dict[FilePath, ConfigFile] = {}
        self._folders: dict[str, dict[FilePath, None]] = {}
        self._below: dict[str, int] = {}
        self._stems: dict[str, dict[FilePath, None]] = {}
        self._folder_names: dict[str, dict[FilePath, int]] = {}
        self._exports: dict[str, dict[str, tuple[ExportForm, ...]]] = {}
        self._imports: dict[tuple[str, LanguageName], dict[str, tuple[ImportForm, ...]]] = {}

    # files

    def put(self, facts: FileFacts | ConfigFile) -> None:
        """Add a file or replace it."""
        self.version += 1
        if isinstance(facts, ConfigFile):
            self.drop(facts.path)
            self._configs[facts.path] = facts
            return
        self._configs.pop(facts.path, None)
        there = facts.path in self._files
        self._files[facts.path] = FileView(facts, self.trees)
        self._mentions.put(facts)
        if there:
            return
        folder = parent_folder(facts.path)
        self._folders.setdefault(folder, {})[facts.path] = None
        self._stems.setdefault(stem(facts.path), {})[facts.path] = None
        for above in folders_above(facts.path):
            count = self._below[above] = self._below.get(above, 0) + 1
            if count == 1:
                self._folder_names.setdefault(last_part(above), {})[FilePath(above)] = 1

    def drop(self, path: FilePath) -> None:
        """Remove a file, if it is there."""
        self.version += 1
        self._configs.pop(path, None)
        if self._files.pop(path, None) is None:
            return
        self._mentions.drop(path)
        self._folders[parent_folder(path)].pop(path)
        self._stems[stem(path)].pop(path)
        for above in folders_above(path):
            self._below[above] -= 1
            if self._below[above] == 0:
                self._folder_names[last_part(above)].pop(FilePath(above))

    def trim(self) -> None:
        """Let go of what earlier snapshots needed, when it has become much."""
        if self.trees.trim(self._files.values()):
            self._exports.clear()
            self._imports.clear()

    def paths(self) -> list[FilePath]:
        """Return the paths of all code files, sorted. Not a question: for the driver only."""
        return sorted(self._files)

    def file(self, path: FilePath) -> FileView | None:
        """Return a file, leaving no mark: for the driver, and where all that is read is asked.

        Also for what is not remembered from one snapshot to the next.
        """
        return self._files.get(path)

    def view(self, path: FilePath) -> FileView | None:
        """Return a file without asking: for ops that an answer led to."""
        view = self._files.get(path)
        self.asked.append(("file", path) if view is None else view.mark)
        return view

    def config_text(self, path: FilePath) -> str | None:
        """Return a configuration file's text without asking."""
        config = self._configs.get(path)
        return None if config is None else config.text

    def scope_of(self, path: FilePath, scope: QualifiedName) -> Scope | None:
        """Return the tables of a region without asking: for ops that an answer led to."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(scope)
        if view is None or number is None:
            self.asked.append(("text", path, scope))
            return None
        self.asked.append(view.mark_at(number))
        return view.scope_at(number)

    def tables(self, path: FilePath, scope: QualifiedName) -> Scope | None:
        """Return the tables of a region without leaving a mark."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(scope)
        return None if view is None or number is None else view.scope_at(number)

    def owner_of(self, path: FilePath, scope: QualifiedName) -> QualifiedName | None:
        """Return the innermost class around a region, without asking (its names say it)."""
        view = self._files.get(path)
        number = -1 if view is None else view.by_name.get(scope, -1)
        while view is not None and number > 0:
            self.asked.append(view.mark_at(number))
            number = view.placement(number).parent
            if number > 0 and view.kind_at(number) in CLASSES:
                return view.placement(number).name
        return None

    def folder_language(self, folder: FilePath) -> LanguageName:
        """Return the language of the first file below a folder, without asking."""
        self.asked.append(("first", folder))
        prefix = f"{folder}/" if folder else ""
        for path in sorted(self._files):
            if path.startswith(prefix):
                return self._files[path].language
        return LanguageName("")

    # questions about files

    def exists(self, path: FilePath) -> bool:
        """Tell whether a code file stands at `path`."""
        self.asked.append(("exists", path))
        return path in self._files

    def language(self, path: FilePath) -> LanguageName | None:
        """Return the language of a code file, None when there is none at `path`."""
        self.asked.append(("exists", path))
        view = self._files.get(path)
        return None if view is None else view.language

    def folder(self, path: FilePath) -> bool:
        """Tell whether any code file stands below the folder `path`."""
        self.asked.append(("folder", path))
        return self.has_folder(path)

    def has_folder(self, path: str) -> bool:
        """Answer `folder` without writing it down."""
        return self._below.get(path, 0) > 0

    def files_in(self, folder: FilePath) -> tuple[FilePath, ...]:
        """Return the code files right in `folder`, sorted."""
        self.asked.append(("files", folder))
        return self.files_in_unasked(folder)

    def files_in_unasked(self, folder: str) -> tuple[FilePath, ...]:
        """Answer `files_in` without writing it down."""
        return tuple(sorted(self._folders.get(folder, ())))

    def named(self, name: str) -> tuple[tuple[FilePath, ...], tuple[FilePath, ...]]:
        """Return the code files whose base name without its suffixes is `name`.

        And the folders of that name with code below them; both sorted.
        """
        self.asked.append(("named", name))
        return self.named_unasked(name)

    def named_unasked(self, name: str) -> tuple[tuple[FilePath, ...], tuple[FilePath, ...]]:
        """Answer `named` without writing it down."""
        files = tuple(sorted(self._stems.get(name, ())))
        return files, tuple(sorted(self._folder_names.get(name, ())))

    def config(self, path: FilePath) -> str | None:
        """Return the text of a configuration file, None when there is none."""
        self.asked.append(("config", path))
        return self.config_text(path)

    def has_config(self, path: FilePath) -> bool:
        """Tell whether a configuration file stands at `path`."""
        self.asked.append(("has_config", path))
        return path in self._configs

    def config_field(self, path: FilePath, key: str) -> Any:  # noqa: ANN401  # as it is written
        """Return a field of the JSON object in a configuration file, None without one."""
        self.asked.append(("config_field", path, key))
        return self.config_field_unasked(path, key)

    def config_field_unasked(self, path: FilePath, key: str) -> Any:  # noqa: ANN401  # as above
        """Answer `config_field` without writing it down."""
        return read_object(self.config_text(path)).get(key)

    def configs_saying(self, base: str, key: str, value: str) -> tuple[FilePath, ...]:
        """Return the configuration files of a base name whose field `key` is `value`, sorted."""
        self.asked.append(("configs_saying", base, key, value))
        return self.configs_saying_unasked(base, key, value)

    def configs_saying_unasked(self, base: str, key: str, value: str) -> tuple[FilePath, ...]:
        """Answer `configs_saying` without writing it down."""
        found = [
            path
            for path, config in self._configs.items()
            if last_part(path) == base and read_object(config.text).get(key) == value
        ]
        return tuple(sorted(found))

    def configs_named(self, base: str) -> tuple[FilePath, ...]:
        """Return the configuration files of a base name, sorted."""
        self.asked.append(("configs_named", base))
        return self.configs_named_unasked(base)

    def configs_named_unasked(self, base: str) -> tuple[FilePath, ...]:
        """Answer `configs_named` without writing it down."""
        return tuple(sorted(path for path in self._configs if last_part(path) == base))

    def files_saying(self, text: str) -> list[FilePath]:
        """Return the code files in which `text` may stand, without asking.

        Whoever looks asks about what it finds there.
        """
        return sorted(self._mentions.files_with(text))

    def package(self, path: FilePath) -> str:
        """Return the package a file says it belongs to (`` when it says none)."""
        self.asked.append(("package", path))
        return self.package_unasked(path)

    def package_unasked(self, path: FilePath) -> str:
        """Answer `package` without writing it down."""
        scope = self.tables(path, QualifiedName(""))
        return "" if scope is None else _package_text(scope)

    # questions about one region

    def kind(self, path: FilePath, name: QualifiedName) -> SymbolKind | None:
        """Return the kind of the definition with this qualified name, None without one."""
        self.asked.append(("kind", path, name))
        return self.kind_unasked(path, name)

    def kind_unasked(self, path: FilePath, name: QualifiedName) -> SymbolKind | None:
        """Answer `kind` without writing it down."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(name)
        return None if view is None or number is None else view.kind_at(number)

    def bound(self, path: FilePath, scope: QualifiedName, name: str) -> Bound | None:
        """Return how the region `scope` binds `name` in its own scope; None when it does not."""
        self.asked.append(("bound", path, scope, name))
        return self.bound_unasked(path, scope, name)

    def bound_unasked(self, path: FilePath, scope: QualifiedName, name: str) -> Bound | None:
        """Answer `bound` without writing it down."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(scope)
        if view is None or number is None:
            return None
        return view.bound_names(number, self.imports_of(view, number)).get(name)

    def declares(self, path: FilePath, scope: QualifiedName, name: str) -> bool:
        """Tell whether a region, or for a class a function of it, declares `name` as a symbol."""
        self.asked.append(("declares", path, scope, name))
        return self.declares_unasked(path, scope, name)

    def declares_unasked(self, path: FilePath, scope: QualifiedName, name: str) -> bool:
        """Answer `declares` without writing it down."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(scope)
        return view is not None and number is not None and name in view.declared(number)

    def imports_of(self, view: FileView, number: int) -> dict[str, tuple[ImportForm, ...]]:
        """Return the imports of a region by local name; stars without alias under `*`."""
        tables = view.scope_at(number)
        if not tables.imports:
            return {}
        key = (tables.tree.facts.key, view.language)
        found = self._imports.get(key)
        if found is None:
            lists: dict[str, list[ImportForm]] = {}
            for form in import_forms(tables):
                name = form.alias or self._local_name(view.language, form)
                lists.setdefault(name, []).append(form)
            found = self._imports[key] = {name: tuple(forms) for name, forms in lists.items()}
        return found

    def stars(self, path: FilePath, scope: QualifiedName) -> tuple[ImportForm, ...]:
        """Return the imports of everything in a region."""
        self.asked.append(("stars", path, scope))
        return self.stars_unasked(path, scope)

    def stars_unasked(self, path: FilePath, scope: QualifiedName) -> tuple[ImportForm, ...]:
        """Answer `stars` without writing it down."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(scope)
        if view is None or number is None:
            return ()
        return self.imports_of(view, number).get("*", ())

    def exports(self, path: FilePath) -> tuple[ExportForm, ...]:
        """Return the export statements of a file."""
        self.asked.append(("exports", path))
        scope = self.tables(path, QualifiedName(""))
        return () if scope is None else tuple(export_forms(scope))

    def given(self, path: FilePath) -> Scope | None:
        """Return the tables of a module, to read what it gives to members (`a.b = ...`)."""
        self.asked.append(("given", path))
        return self.scope_of(path, QualifiedName(""))

    def exported(self, path: FilePath, name: str) -> tuple[ExportForm, ...]:
        """Return the export statements of a file that say what it exports as `name`.

        Those that pass on everything from elsewhere are among them.
        """
        self.asked.append(("exported", path, name))
        return self.exported_unasked(path, name)

    def exported_unasked(self, path: FilePath, name: str) -> tuple[ExportForm, ...]:
        """Answer `exported` without writing it down."""
        scope = self.tables(path, QualifiedName(""))
        if scope is None:
            return ()
        table = self._exports.get(scope.tree.facts.key)
        if table is None:
            lists: dict[str, list[ExportForm]] = {}
            for form in export_forms(scope):
                passes_on = form.star and not form.alias
                lists.setdefault("*" if passes_on else form.alias or form.name, []).append(form)
            table = self._exports[scope.tree.facts.key] = {
                shown: tuple(forms) for shown, forms in lists.items()
            }
        return table.get(name, ()) + (table.get("*", ()) if name != "*" else ())

    def header(self, path: FilePath, name: QualifiedName) -> Scope | None:
        """Return the tables of a definition, to read its header.

        Parameters, bases, decorators, written types, modifiers. Nothing else of it may be
        read from the answer.
        """
        self.asked.append(("header", path, name))
        return self.tables(path, name)

    def results(self, path: FilePath, name: QualifiedName) -> Scope | None:
        """Return the tables of a definition, to read its results and yields only."""
        self.asked.append(("results", path, name))
        return self.tables(path, name)

    def inner(self, path: FilePath, name: QualifiedName) -> Scope | None:
        """Return the tables of a region, to read what its inner blocks bind and give back."""
        self.asked.append(("inner", path, name))
        return self.tables(path, name)

    def attribute(
        self, path: FilePath, owner: QualifiedName, name: str
    ) -> tuple[AttributeWrite, ...]:
        """Return the statements in the functions of a class that set an attribute of it."""
        self.asked.append(("attribute", path, owner, name))
        return self.attribute_unasked(path, owner, name)

    def attribute_unasked(
        self, path: FilePath, owner: QualifiedName, name: str
    ) -> tuple[AttributeWrite, ...]:
        """Answer `attribute` without writing it down."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(owner)
        if view is None or number is None:
            return ()
        return view.attributes(number).get(name, ())

    def elements(self, path: FilePath, scope: QualifiedName, holder: str) -> tuple[Use, ...]:
        """Return the statements and calls that put something into what `holder` names.

        In the region and in the functions inside it; for a class, in its functions.
        """
        self.asked.append(("elements", path, scope, holder))
        return self.elements_unasked(path, scope, holder)

    def elements_unasked(
        self, path: FilePath, scope: QualifiedName, holder: str
    ) -> tuple[Use, ...]:
        """Answer `elements` without writing it down."""
        view = self._files.get(path)
        number = None if view is None else view.by_name.get(scope)
        if view is None or number is None:
            return ()
        return view.elements(number).get(holder, ())

    # questions about names in the whole snapshot

    def defined(self, name: str) -> tuple[tuple[FilePath, QualifiedName], ...]:
        """Return all definitions of the snapshot whose own name is `name`, sorted."""
        self.asked.append(("defined", name))
        return self.defined_unasked(name)

    def defined_unasked(self, name: str) -> tuple[tuple[FilePath, QualifiedName], ...]:
        """Answer `defined` without writing it down."""
        found = [
            (path, full)
            for path in sorted(self._mentions.files_with(name))
            if (view := self._files.get(path)) is not None
            for full in view.named(name)
        ]
        return tuple(found)

    def uses(self, name: str) -> tuple[Use, ...]:
        """Return where `name` is read, as a name or as a member; nothing above `MOST_USES`."""
        self.asked.append(("uses", name))
        return self.uses_unasked(name)

    def uses_unasked(self, name: str) -> tuple[Use, ...]:
        """Answer `uses` without writing it down."""
        found: list[Use] = []
        for path in sorted(self._mentions.files_with(name)):
            view = self._files.get(path)
            if view is None:
                continue
            found.extend(view.uses(name))
            if len(found) > MOST_USES:
                return ()
        return tuple(found)

    def heirs(self, name: str) -> tuple[tuple[FilePath, QualifiedName], ...]:
        """Return the classes that write a base whose last name is `name`, sorted."""
        self.asked.append(("heirs", name))
        return self.heirs_unasked(name)

    def heirs_unasked(self, name: str) -> tuple[tuple[FilePath, QualifiedName], ...]:
        """Answer `heirs` without writing it down."""
        found = [
            (path, place.name)
            for path in sorted(self._mentions.files_with(name))
            if (view := self._files.get(path)) is not None
            for number, place in enumerate(view.blob.placements)
            if view.kind_at(number) in CLASSES and name in base_names(view.scope_at(number))
        ]
        return tuple(found)


def _package_text(scope: Scope) -> str:
    tree = scope.tree
    for op in tree.tops():
        if tree.kinds[op] == Op.PACKAGE:
            return tree.texts[op]
    return ""


def base_names(scope: Scope) -> set[str]:
    """Return the last names of the bases in a definition's header."""
    tree = scope.tree
    names = set()
    for role in scope.header:
        if tree.kinds[role] in (Op.INHERIT, Op.IMPLEMENT):
            base = tree.expression(role)
            if base >= 0 and tree.kinds[base] == Op.INDEX:
                base = tree.operand(base, Op.OBJECT)
            names.add(last_name(tree, base))
    return names
