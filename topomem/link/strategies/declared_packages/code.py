"""The types of a snapshot: which names mean them, what they stand on, what they contain.

Everything is worked out from the facts of files; each look at another file is a question of the
world, and what is remembered within one snapshot keeps the questions that led to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from topomem.link.evaluate import Entry
from topomem.link.strategies.declared_packages.declarations import (
    TYPE_KINDS,
    DeclaredType,
    Field,
    Method,
    Unit,
)
from topomem.link.strategies.declared_packages.functions import Signature, signature
from topomem.link.strategies.declared_packages.library import library_of
from topomem.link.strategies.declared_packages.types import (
    APPLIED,
    OBJECT,
    PRIMITIVES,
    WITH_MEMBERS,
    ArrayType,
    ClassType,
    Mapping,
    OutsideType,
    PrimitiveType,
    Type,
    VariableType,
    same_class,
    wrapped,
)
from topomem.link.tree import Tree
from topomem.link.world import Question, World
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath, LanguageName, QualifiedName

T = TypeVar("T")

DEEPEST = 40
"""Written types nested deeper than this are not read."""

NO_CYCLE = 1 << 30

MOST_BASES = 200
"""Types above one type that are looked at."""


class Code:
    """The declared types of one snapshot, as one run of the linker sees them."""

    def __init__(self, world: World, language: LanguageName, ambient: frozenset[str]) -> None:
        self.world = world
        self.library = library_of(language)
        self._language = language
        self._ambient = ambient
        self._units: dict[FilePath, Unit] = {}
        self._declared: dict[tuple[object, ...], tuple[DeclaredType, Question]] = {}
        self._packages: dict[str, dict[str, tuple[FilePath, ...]]] = {}
        self._memory: dict[Hashable, Entry] = {}
        self._pending: dict[Hashable, int] = {}
        self._lowest = NO_CYCLE

    # what is remembered

    def remember(self, key: Hashable, work: Callable[[], T], default: T) -> T:
        """Return what `work` gives, worked out once; `default` where it leads back to itself.

        What was worked out inside such a circle, but for the whole of it, is not kept: it may
        depend on where the circle was entered.
        """
        world = self.world
        entry = self._memory.get(key)
        if entry is None:
            level = self._pending.get(key)
            if level is not None:
                self._lowest = min(self._lowest, level)
                return default
            level = self._pending[key] = len(self._pending)
            outer, world.asked = world.asked, []
            lowest, self._lowest = self._lowest, NO_CYCLE
            try:
                entry = Entry(work(), 0, world.asked)
            finally:
                world.asked = outer
                del self._pending[key]
                inside, self._lowest = self._lowest, lowest
            if inside >= level:
                self._memory[key] = entry
            else:
                self._lowest = min(lowest, inside)
        world.asked.append(entry)
        return entry.value  # type: ignore[return-value]  # what `work` of this key gave

    # files

    def unit(self, path: FilePath) -> Unit:
        """Return a file that an answer led to."""
        unit = self._units.get(path)
        if unit is None:
            view = self.world.view(path)
            assert view is not None  # noqa: S101  answers only name files that are there
            unit = self._units[path] = Unit(view)
        return unit

    def declared(self, of: ClassType) -> DeclaredType:
        """Return the declaration of a type, after asking for its interface."""
        key = of[:2]
        hit = self._declared.get(key)
        if hit is None:
            found = self.unit(of.path).type_named(of.name)
            assert found is not None  # noqa: S101  types are made from declarations
            hit = self._declared[key] = (found, ("interface", *key))
        self.world.asked.append(hit[1])
        return hit[0]

    def package(self, name: str) -> dict[str, tuple[FilePath, ...]]:
        """Return the types right inside a package: files by type name."""
        self.world.asked.append(("package_types", name, self._language))
        found = self._packages.get(name)
        if found is None:
            found = self._packages[name] = self._read_package(name)
        return found

    def _read_package(self, name: str) -> dict[str, tuple[FilePath, ...]]:
        types: dict[str, list[FilePath]] = {}
        for path in self.world.files_saying(name):
            view = self.world.view(path)
            if view is None or view.language != self._language:
                continue
            unit = self.unit(path)
            if unit.package == name and unit.facts.blob.placements:
                for word in unit.types_in(0):
                    types.setdefault(word, []).append(path)
        return {word: tuple(paths) for word, paths in types.items()}

    # names of types

    def type_in_package(self, near: FilePath, package: str, word: str) -> ClassType | None:
        """Return the type `package.word`; of several the one whose file is nearest to `near`."""
        paths = self.package(package).get(word, ())
        if not paths:
            return None
        path = min(paths, key=lambda path: (-_shared(path, near), path))
        return self.type_at(path, self.unit(path).types_in(0)[word])

    def dotted_type(self, near: FilePath, name: str) -> ClassType | None:
        """Return the type with a full name: a package, a type, types inside it."""
        parts = name.split(".")
        for cut in range(len(parts) - 1, -1, -1):
            found = self.type_in_package(near, ".".join(parts[:cut]), parts[cut])
            for word in parts[cut + 1 :]:
                found = None if found is None else self.member_type(found, word)
            if found is not None:
                return found
        return None

    def type_at(self, path: FilePath, number: int) -> ClassType:
        """Return the type at a placement, not applied to anything."""
        return ClassType(path, self.unit(path).name(number))

    def member_type(self, of: ClassType, word: str) -> ClassType | None:
        """Return the type `word` inside another or inside what that stands on."""
        for holder in self.above(of):
            if isinstance(holder, ClassType):
                number = self.declared(holder).types.get(word)
                if number is not None:
                    return self.type_at(holder.path, number)
        return None

    def named(self, path: FilePath, number: int, word: str, *, header: bool = False) -> Type | None:
        """Return what the simple name `word` means as a type at a placement.

        `header` leaves out what is inside the placement: its bases are read that way.
        """
        key = ("named", path, number, word, header)
        return self.remember(key, lambda: self._named(path, number, word, header=header), None)

    def _named(self, path: FilePath, number: int, word: str, *, header: bool) -> Type | None:
        unit = self.unit(path)
        at = number
        while at > 0:
            found = self._named_inside(unit, at, word, header=header and at == number)
            if found is not None:
                return found
            at = unit.parent(at)
        if path in self.package(unit.package).get(word, ()):
            return self.type_at(path, unit.types_in(0)[word])
        return self._imported(unit, word)

    def _named_inside(self, unit: Unit, at: int, word: str, *, header: bool) -> Type | None:
        if unit.kind_at(at) not in TYPE_KINDS:
            self.world.asked.append(("interface", unit.path, unit.name(at)))
            if word in unit.method_at(at).variables:
                return VariableType(unit.path, unit.name(at), word)
            inner = unit.types_in(at).get(word)
            return None if inner is None else self.type_at(unit.path, inner)
        declared = self.declared(self.type_at(unit.path, at))
        if word in declared.head.variables:
            return VariableType(unit.path, declared.name, word)
        if word == declared.word:
            return self.type_at(unit.path, at)
        if header:
            return None
        return self.member_type(self.type_at(unit.path, at), word)

    def _imported(self, unit: Unit, word: str) -> Type | None:
        self.world.asked.append(("head", unit.path))
        for form in unit.imports:
            if not form.star and form.name.rpartition(".")[2] == word:
                found = self.dotted_type(unit.path, form.name)
                if found is not None:
                    return found
                if not form.static:
                    return OutsideType(form.name)
        own = self.type_in_package(unit.path, unit.package, word)
        if own is not None:
            return own
        outside = []
        for form in unit.imports:
            if form.star:
                found = self.dotted_type(unit.path, f"{form.name}.{word}")
                if found is not None:
                    return found
                if not form.static and not self.package(form.name):
                    outside.append(form.name)
        if word in self._ambient:
            return OutsideType(f"java.lang.{word}")
        return OutsideType(f"{outside[0]}.{word}" if len(outside) == 1 else word)

    # written types

    def written(
        self, path: FilePath, number: int, op: int, *, header: bool = False, depth: int = 0
    ) -> Type | None:
        """Return the type that a type expression of a region stands for."""
        if op < 0 or depth > DEEPEST:
            return None
        tree = self.unit(path).tree(number)
        kind = tree.kinds[op]
        if kind == Op.NAME:
            word = tree.texts[op]
            if word in PRIMITIVES:
                return PrimitiveType(word)
            return self.named(path, number, word, header=header)
        if kind == Op.MEMBER:
            return self._written_member(path, number, tree, op, header=header)
        if kind == Op.INDEX:
            whole = self.written(
                path, number, tree.operand(op, Op.OBJECT), header=header, depth=depth + 1
            )
            arguments = tuple(
                self.written(
                    path, number, expression_in(tree, role), header=header, depth=depth + 1
                )
                for role in tree.roles(op, Op.KEY)
            )
            if isinstance(whole, APPLIED):
                return whole._replace(arguments=arguments)
            return whole
        if kind == Op.COLLECTION:
            role = tree.role(op, Op.ELEMENT)
            inner = expression_in(tree, role) if role >= 0 else -1
            element = self.written(path, number, inner, header=header, depth=depth + 1)
            return wrapped(
                element, sum(tree.texts[at].count("[") for at in tree.roles(op, Op.DIMENSIONS))
            )
        if kind == Op.TRANSPARENT:
            return self.written(
                path, number, expression_in(tree, op), header=header, depth=depth + 1
            )
        return None

    def _written_member(
        self, path: FilePath, number: int, tree: Tree, op: int, *, header: bool
    ) -> Type | None:
        parts: list[str] = []
        at = op
        while at >= 0 and tree.kinds[at] in (Op.MEMBER, Op.INDEX):
            if tree.kinds[at] == Op.MEMBER:
                parts.append(tree.text(at, Op.MEMBER_NAME))
            at = tree.operand(at, Op.OBJECT)
        if at < 0 or tree.kinds[at] != Op.NAME:
            return None
        parts.append(tree.texts[at])
        parts.reverse()
        first = self.named(path, number, parts[0], header=header)
        if isinstance(first, ClassType):
            found: ClassType | None = first
            for word in parts[1:]:
                found = None if found is None else self.member_type(found, word)
            return found
        full = self.dotted_type(path, ".".join(parts))
        if full is not None:
            return full
        if isinstance(first, OutsideType) and "." in first.name:
            return OutsideType(".".join([first.name, *parts[1:]]))
        return OutsideType(".".join(parts))

    # what types stand on

    def bases(self, of: ClassType) -> tuple[Type, ...]:
        """Return the direct bases of a type in terms of its own variables, in order."""
        key = ("bases", of.path, of.name)
        return self.remember(key, lambda: self._bases(of), ())

    def _bases(self, of: ClassType) -> tuple[Type, ...]:
        declared = self.declared(of)
        number = declared.number
        found = [self.written(of.path, number, op, header=True) for _, op in declared.head.bases]
        if not found:
            found.append(self.anonymous_base(declared))
        if declared.kind == SymbolKind.ENUM:
            found.append(OutsideType("java.lang.Enum", (of,)))
        return tuple(base for base in found if base is not None)

    def anonymous_base(self, declared: DeclaredType) -> Type | None:
        """Return the type that an anonymous class is made from."""
        unit, number = declared.unit, declared.number
        define = unit.define_of(number) if not declared.own.name.isidentifier() else -1
        if define < 0:
            return None
        outer = unit.parent(number)
        self.world.asked.append(("inner", unit.path, unit.name(outer)))
        tree = unit.tree(outer)
        maker = tree.parents[define]
        if maker >= 0 and tree.kinds[maker] == Op.CONSTRUCT:
            return self.written(unit.path, outer, tree.operand(maker, Op.CALLEE))
        if unit.kind_at(outer) == SymbolKind.ENUM:
            return self.type_at(unit.path, outer)
        return None

    def above(self, of: ClassType) -> tuple[Type, ...]:
        """Return a type and all it stands on, nearest first, in terms of its own variables."""
        key = ("above", of.path, of.name)
        plain = ClassType(of.path, of.name)
        return self.remember(key, lambda: self._above(plain), (plain,))

    def _above(self, of: ClassType) -> tuple[Type, ...]:
        own = of._replace(arguments=self.own_arguments(of))
        found: dict[tuple[str, str], Type] = {(of.path, of.name): own}
        waiting: list[Type] = list(reversed(self.bases(of)))
        while waiting and len(found) < MOST_BASES:
            base = waiting.pop()
            key = (base.path, base.name) if isinstance(base, ClassType) else ("", str(base))
            if key in found:
                continue
            found[key] = base
            if isinstance(base, ClassType):
                mapping = self.mapping(base)
                waiting.extend(
                    upper
                    for upper in (substituted(up, mapping) for up in reversed(self.bases(base)))
                    if upper is not None
                )
            elif isinstance(base, OutsideType):
                waiting.extend(reversed(self.library.bases(base)))
        return tuple(found.values())

    def levels(self, of: ClassType) -> tuple[ClassType | OutsideType, ...]:
        """Return what a type stands on level by level, in terms of its own variables."""
        key = ("levels", of.path, of.name)
        plain = ClassType(of.path, of.name)
        return self.remember(key, lambda: self._levels(plain), ())

    def _levels(self, of: ClassType) -> tuple[ClassType | OutsideType, ...]:
        found: dict[tuple[str, str], ClassType | OutsideType] = {(of.path, of.name): of}
        level: list[Type] = list(self.bases(of))
        while level and len(found) < MOST_BASES:
            following: list[Type] = []
            for base in level:
                if not isinstance(base, APPLIED):
                    continue
                path = base.path if isinstance(base, ClassType) else ""
                if (path, base.name) in found:
                    continue
                found[path, base.name] = base
                if isinstance(base, ClassType):
                    mapping = self.mapping(base)
                    upper = [substituted(up, mapping) for up in self.bases(base)]
                    following.extend(up for up in upper if up is not None)
            level = following
        return tuple(found.values())[1:]

    def own_arguments(self, of: ClassType) -> tuple[Type | None, ...]:
        """Return the type variables of a type as the types they are inside it."""
        return tuple(
            VariableType(of.path, of.name, word) for word in self.declared(of).head.variables
        )

    def mapping(self, of: ClassType) -> Mapping:
        """Return what the variables of an applied type stand for; of a bare one, nothing."""
        variables = self.declared(of).head.variables
        if not variables:
            return {}
        if len(of.arguments) != len(variables):
            return {(of.path, of.name, word): None for word in variables}
        return {
            (of.path, of.name, word): argument
            for word, argument in zip(variables, of.arguments, strict=True)
        }

    def lineage(self, of: Type | None) -> tuple[Type, ...]:
        """Return an applied type and all it stands on, nearest first."""
        if isinstance(of, ClassType):
            return self.remember(("lineage", of), lambda: self._lineage(of), ())
        if isinstance(of, VariableType):
            return tuple(up for bound in self.bounds(of) for up in self.lineage(bound))
        if isinstance(of, OutsideType):
            return self.library.lineage(of)
        return () if of is None else (of,)

    def _lineage(self, of: ClassType) -> tuple[Type, ...]:
        above = self.above(of)
        mapping = self.mapping(of)
        if not mapping:
            return above
        return tuple(up for up in (substituted(up, mapping) for up in above) if up is not None)

    def applied(self, of: Type | None, holder: ClassType) -> Type | None:
        """Return a type written inside `holder` as it reads where `holder` is applied."""
        mapping = self.mapping(holder)
        return substituted(of, mapping) if mapping else of

    def is_a(self, one: Type, other: Type) -> bool:
        """Tell whether a value of a class is one of another; what is not known is."""
        known = True
        for up in self.lineage(one):
            if same_class(up, other):
                return True
            if isinstance(up, OutsideType) and self.library.known(up) is None:
                known = False
        if isinstance(other, OutsideType):
            return other == OBJECT or not known
        return isinstance(one, VariableType) and not known

    def signature(self, of: Type | None) -> Signature | None:
        """Return the one function that a type stands for, None for other types."""
        return signature(self, of)

    def bounds(self, of: VariableType) -> tuple[Type, ...]:
        """Return what a type variable is bounded by."""
        if not of.path:
            return ()
        key = ("bounds", of)
        return self.remember(key, lambda: self._bounds(of), ())

    def _bounds(self, of: VariableType) -> tuple[Type, ...]:
        self.world.asked.append(("header", of.path, of.name))
        unit = self.unit(of.path)
        number = unit.by_name[of.name]
        tree = unit.tree(number)
        for op in tree.tops():
            if tree.kinds[op] == Op.TYPE_PARAMETER and tree.texts[op] == of.word:
                found = [
                    self.written(of.path, number, expression_in(tree, role))
                    for role in tree.roles(op, Op.BOUND)
                ]
                return tuple(bound for bound in found if bound is not None and bound != of)
        return ()

    # members

    def field(self, of: Type | None, word: str) -> tuple[Field, ClassType] | None:
        """Return the field `word` of a type, and the applied type that declares it."""
        return self.remember(("field of", of, word), lambda: self._field(of, word), None)

    def _field(self, of: Type | None, word: str) -> tuple[Field, ClassType] | None:
        for holder in self.lineage(of):
            if isinstance(holder, ClassType):
                found = self.declared(holder).fields.get(word)
                if found is not None:
                    return found, holder
        return None

    def field_name(self, field: Field) -> QualifiedName:
        """Return the qualified name of a field: numbered behind the methods of its name."""
        declared = self.declared(ClassType(field.path, field.owner))
        count = len(declared.methods.get(field.name, ())) + (field.name in declared.types)
        name = f"{field.owner}.{field.name}"
        return QualifiedName(f"{name}+{count + 1}" if count else name)

    def methods(self, of: Type | None, word: str) -> tuple[tuple[Method, ClassType], ...]:
        """Return all methods `word` of a type with the applied types that declare them.

        Nearest first; what is overridden is left out.
        """
        if not isinstance(of, WITH_MEMBERS):
            return ()
        return self.remember(("methods", of, word), lambda: self._methods(of, word), ())

    def _methods(self, of: Type, word: str) -> tuple[tuple[Method, ClassType], ...]:
        found: list[tuple[Method, ClassType]] = []
        seen: set[tuple[Type | None, ...]] = set()
        for holder in self.lineage(of):
            if not isinstance(holder, ClassType):
                continue
            declared = self.declared(holder)
            for number in declared.methods.get(word, ()):
                method = declared.unit.method_at(number)
                shape = self.shape(method, holder)
                if shape not in seen:
                    seen.add(shape)
                    found.append((method, holder))
        return tuple(found)

    def constructors(self, of: ClassType) -> tuple[tuple[Method, ClassType], ...]:
        """Return the constructors that a type writes."""
        declared = self.declared(of)
        return tuple((declared.unit.method_at(number), of) for number in declared.constructors)

    def parameter_types(self, method: Method, holder: ClassType) -> tuple[Type | None, ...]:
        """Return the types of a method's parameters, read through the type that has it."""
        key = ("parameters", method.path, method.name, holder)
        return self.remember(key, lambda: self._parameter_types(method, holder), ())

    def _parameter_types(self, method: Method, holder: ClassType) -> tuple[Type | None, ...]:
        plain = tuple(
            wrapped(self.written(method.path, method.number, one.type_op), one.dimensions)
            for one in method.parameters
        )
        mapping = self.mapping(holder)
        return tuple(substituted(one, mapping) for one in plain) if mapping else plain

    def shape(self, method: Method, holder: ClassType) -> tuple[Type | None, ...]:
        """Return the parameter types of a method without what generic types are applied to."""
        key = ("shape", method.path, method.name, holder)
        return self.remember(key, lambda: self._shape(method, holder), ())

    def _shape(self, method: Method, holder: ClassType) -> tuple[Type | None, ...]:
        return tuple(self.erased(one) for one in self.parameter_types(method, holder))

    def erased(self, of: Type | None, depth: int = 0) -> Type | None:
        """Return a type without type variables and arguments."""
        if isinstance(of, APPLIED):
            return of._replace(arguments=()) if of.arguments else of
        if isinstance(of, ArrayType):
            return ArrayType(self.erased(of.element, depth + 1)) if depth < DEEPEST else of
        if isinstance(of, VariableType):
            bounds = self.bounds(of) if depth < DEEPEST else ()
            return self.erased(bounds[0], depth + 1) if bounds else OBJECT
        return of

    def result_type(self, method: Method) -> Type | None:
        """Return the written result type of a method, in terms of its and its type's variables."""
        key = ("result", method.path, method.name)
        return self.remember(
            key, lambda: self.written(method.path, method.number, method.result), None
        )

    def field_type(self, field: Field, holder: ClassType) -> Type | None:
        """Return the type of a field, read through the type that has it."""
        if field.kind == SymbolKind.ENUM_MEMBER:
            return ClassType(field.path, field.owner)
        key = ("field", field.path, field.owner, field.name)
        plain = self.remember(
            key,
            lambda: wrapped(
                self.written(field.path, field.number, field.type_op), field.dimensions
            ),
            None,
        )
        mapping = self.mapping(holder)
        return substituted(plain, mapping) if mapping else plain


def substituted(of: Type | None, mapping: Mapping, depth: int = 0) -> Type | None:
    """Return a type with its variables replaced by what they stand for."""
    if not mapping or depth > DEEPEST:
        return of
    if isinstance(of, VariableType):
        return mapping.get((of.path, of.name, of.word), of)
    if isinstance(of, APPLIED):
        if not of.arguments:
            return of
        return of._replace(
            arguments=tuple(substituted(one, mapping, depth + 1) for one in of.arguments)
        )
    if isinstance(of, ArrayType):
        return ArrayType(substituted(of.element, mapping, depth + 1))
    return of


def expression_in(tree: Tree, role: int) -> int:
    """Return the expression of a role, also when annotations stand before it; -1 without one."""
    found = tree.expression(role)
    if found >= 0:
        return found
    for child in tree.children(role):
        if Op.NAME <= tree.kinds[child] < Op.ASSIGN:
            found = child
    return found


def _shared(path: str, other: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        count += 1
    return count
