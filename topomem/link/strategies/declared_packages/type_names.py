"""What names and written types mean as types, and what types stand on.

The two need each other: a name may mean a type inside a base of a type around it.
"""

from __future__ import annotations

from topomem.link.strategies.declared_packages.declarations import (
    TYPE_KINDS,
    DeclaredType,
    Unit,
    expression_in,
)
from topomem.link.strategies.declared_packages.packages import Packages
from topomem.link.strategies.declared_packages.types import (
    APPLIED,
    PRIMITIVES,
    ClassType,
    Mapping,
    OutsideType,
    PrimitiveType,
    Type,
    VariableType,
    substituted,
    wrapped,
)
from topomem.link.tree import Tree
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath

DEEPEST = 40
"""Written types nested deeper than this are not read."""

MOST_BASES = 200
"""Types above one type that are looked at."""


class TypeNames(Packages):
    """Names of types, and the bases of types."""

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
        if path in self.files_with(unit.package, word):
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
                if not form.static and not self.has_package(form.name):
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
