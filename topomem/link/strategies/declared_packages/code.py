"""The types of a snapshot and their members.

Everything is worked out from the facts of files; each look at another file is a question of the
world, and what is remembered within one snapshot keeps the questions that led to it.
"""

from __future__ import annotations

from topomem.link.strategies.declared_packages.declarations import (
    Field,
    Method,
    expression_in,
)
from topomem.link.strategies.declared_packages.functions import Signature, signature
from topomem.link.strategies.declared_packages.type_names import DEEPEST, MOST_BASES, TypeNames
from topomem.link.strategies.declared_packages.types import (
    APPLIED,
    OBJECT,
    WITH_MEMBERS,
    ArrayType,
    ClassType,
    OutsideType,
    Type,
    VariableType,
    same_class,
    substituted,
    wrapped,
)
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import QualifiedName


class Code(TypeNames):
    """The declared types of one snapshot, as one run of the linker sees them."""

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
        key = ("parameters", method, holder)
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
        key = ("shape", method, holder)
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
        key = ("result", method)
        return self.remember(
            key, lambda: self.written(method.path, method.number, method.result), None
        )

    def field_type(self, field: Field, holder: ClassType) -> Type | None:
        """Return the type of a field, read through the type that has it."""
        if field.kind == SymbolKind.ENUM_MEMBER:
            return ClassType(field.path, field.owner)
        key = ("field", field)
        plain = self.remember(
            key,
            lambda: wrapped(
                self.written(field.path, field.number, field.type_op), field.dimensions
            ),
            None,
        )
        mapping = self.mapping(holder)
        return substituted(plain, mapping) if mapping else plain
