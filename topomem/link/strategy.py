"""What differs between languages when names are resolved: one class per way of naming modules.

The evaluator (`topomem.link.evaluate`) knows scopes, bindings, calls, members, collections and the
flow of values from the reduced tree; it asks the strategy of the file it is in for the rest. A
strategy reads other files only through `look.world`, which writes every question down, and holds
no state of its own beyond its language's spec: answers may depend on the snapshot alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.values import (
    NOTHING,
    Definition,
    Folder,
    Found,
    Item,
    Module,
    Outside,
    OutsideMethod,
    Value,
)
from topomem.model.code import Method
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.languages.spec import LanguageSpec
    from topomem.link.calls import Site
    from topomem.link.evaluate import Evaluator
    from topomem.link.imports import ImportForm
    from topomem.link.views import FileView
    from topomem.model.code import LinkedEdge

Namespace = Module | Folder | Outside

MODULE_SCOPE = QualifiedName("")


class Strategy:
    """Defaults that hold for most languages; a language's strategy overrides what differs.

    `k` is how many more steps a value may be followed; hand on `k - 1` to whatever evaluates.
    """

    config_files: tuple[str, ...] = ()
    """Base names (glob patterns allowed) of the configuration files that it reads."""

    class_scope_is_visible = False
    """Whether functions of a class see the class's own names without a receiver."""

    outside_members: frozenset[str] = frozenset()
    """Names that many things outside a repository have as members."""

    first_base_first = False
    """Whether members are looked for depth first, instead of in C3 order."""

    def __init__(self, spec: LanguageSpec) -> None:
        self.spec = spec
        self.builtins = frozenset(spec.resolution.builtins)
        self.constructors = spec.names.constructors
        self.receiver_is_parameter = spec.names.receiver == "first_parameter"

    def link(
        self, look: Evaluator, view: FileView, number: int, *, lambdas: bool
    ) -> tuple[LinkedEdge, ...]:
        """Return the edges of the region `number` of a file, in order of op, kind and target.

        The default resolves names by scopes and follows values. A strategy of a language with
        written types may find the targets in its own way; it too reads other regions only through
        questions to `look.world`.
        """
        from topomem.link.edges import RegionLinker  # noqa: PLC0415  it knows strategies

        return RegionLinker(look, view, number, lambdas=lambdas).link()

    # modules, and what imports bind

    def local_name(self, form: ImportForm) -> str:
        """Return the local name of an import without an alias; `*` for a bare star.

        Must depend on the form alone (it is worked out once per region).
        """
        if form.kind == "star":
            return "*"
        return form.name or form.module

    def modules(self, look: Evaluator, importer: FilePath, text: str) -> tuple[Namespace, ...]:
        """Return what the module text of an import names: files, folders, or something outside.

        Ask for every candidate that is tried (`look.world.exists(path)`, `.folder(path)`,
        `.config(path)`), in order, so that a file which appears later is noticed.
        """
        raise NotImplementedError

    def imported(
        self, look: Evaluator, importer: FilePath, scope: QualifiedName, form: ImportForm
    ) -> tuple[Found, ...]:
        """Return what the local name of an import stands for, re-exports not yet followed."""
        spaces = self.modules(look, importer, form.module)
        if form.kind in ("module", "star"):
            return tuple(Found(space, Method.IMPORT) for space in spaces)
        return tuple(found for space in spaces for found in look.exported(space, form.name))

    def exported(self, look: Evaluator, path: FilePath, name: str) -> tuple[Found, ...]:
        """Return what `name` of the module `path` means to its importers, one step only.

        The name in the module's scope (an import there is followed by the evaluator).
        """
        return look.module_name(path, name)

    def star_names(self, look: Evaluator, path: FilePath, name: str) -> bool:
        """Tell whether a star import of `path` brings `name`, if the module has it."""
        return not name.startswith("_")

    def submodule(
        self, look: Evaluator, space: Module | Folder, name: str
    ) -> tuple[Namespace, ...]:
        """Return the module `name` below a module or folder."""
        return ()

    # names

    def ambient(self, look: Evaluator, path: FilePath, name: str) -> tuple[Found, ...]:
        """Return what `name` means when no scope of the file binds it.

        Other files of the package, names of the language. The default knows the language's
        builtins.
        """
        if name in self.builtins:
            return (Found(Outside(f"<builtin>.{name}"), Method.BUILTIN),)
        return ()

    # classes

    def own_members(self, look: Evaluator, owner: Definition, name: str) -> tuple[Found, ...]:
        """Return the member `name` that a class declares itself (not its bases)."""
        return look.class_name(owner, name)

    def bases(self, look: Evaluator, owner: Definition, k: int) -> tuple[Item, ...]:
        """Return the direct bases of a class in order: definitions and things outside."""
        return look.written_bases(owner, k)

    def choose(
        self,
        look: Evaluator,
        found: tuple[Found, ...],
        path: FilePath,
        scope: QualifiedName,
        call: int,
    ) -> tuple[Found, ...]:
        """Return those of several definitions of one name that a call can mean (overloads)."""
        return found

    # types

    def type_value(
        self, look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int
    ) -> Value:
        """Return the value of something whose written type is the expression `op`."""
        return look.written_type(path, scope, op, k)

    def generic_value(
        self, look: Evaluator, item: Item, arguments: tuple[Value, ...], k: int
    ) -> Value:
        """Return the value of a written generic type.

        `item` is what is applied (a class, or something outside), `arguments` are the
        values of its arguments.
        """
        return NOTHING

    # values

    def outside_call(
        self, look: Evaluator, name: str, path: FilePath, scope: QualifiedName, call: int, k: int
    ) -> Value | None:
        """Return the result of a call of something outside, None when nothing special is known."""
        return None

    def calls_arguments(self, name: str) -> bool:
        """Tell whether something outside calls the functions it is given at once."""
        return False

    def outside_method(self, look: Evaluator, method: OutsideMethod, site: Site, k: int) -> Value:
        """Return the result of a method of an outside type whose elements are known."""
        return NOTHING

    def entered(self, look: Evaluator, item: Item, k: int) -> Value:
        """Return what `with item as x` binds."""
        return frozenset({item})

    def awaited(self, look: Evaluator, item: Item, k: int) -> Value:
        """Return what awaiting `item` gives."""
        return frozenset({item})

    def special_method(self, use: str) -> tuple[str, ...]:
        """Return the names of the methods that a use of an object calls without naming them.

        `iterate`, `next`, `enter`, `exit`, `call`, `item`.
        """
        return ()
