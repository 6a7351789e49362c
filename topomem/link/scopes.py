"""What one region binds, writes, calls and gives back. A pure function of its tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from topomem.link.tree import Tree
from topomem.model.code import Op

PATTERN = frozenset(
    {
        Op.COLLECTION,
        Op.ELEMENT,
        Op.SPREAD,
        Op.TRANSPARENT,
        Op.PAIR,
        Op.VALUE,
        Op.POINTER,
        Op.ASSIGN,
        Op.TARGET,
    }
)
"""Ops that a target may be nested in and still be bound by the statement."""

WITH_TARGET = frozenset(
    {Op.ASSIGN, Op.AUGMENT, Op.ITERATE, Op.ENTER, Op.CATCH, Op.DELETE, Op.DECLARE}
)


class Binding(NamedTuple):
    """One way a name gets its value: a statement, and the target's place in it.

    `form` is the op kind of the statement (ASSIGN, PARAMETER, IMPORT_ITEM, DEFINE ...), `op` the
    statement, `target` the name's op. For a DEFINE both are the placeholder.
    """

    form: int
    op: int
    target: int


class Parameter(NamedTuple):
    """A parameter of a function or lambda; `kind` is its op's text (`rest`, `keywords` ...)."""

    name: str
    op: int
    kind: str


class Write(NamedTuple):
    """`holder.name = ...` (name is the attribute) or `holder[key] = ...` (name is ``)."""

    holder: str
    name: str
    binding: Binding


class Scope:
    """Tables of one region. Lists are in order of the text.

    `bindings[name]` holds `(block, binding)` pairs. `holder` texts are dotted names as written.
    `header_end` is the last op of the definition's header, whose names belong to the scope around.
    """

    __slots__ = (
        "attribute_writes",
        "bindings",
        "calls",
        "defines",
        "digests",
        "element_writes",
        "exports",
        "global_names",
        "header",
        "header_end",
        "imports",
        "nonlocal_names",
        "parameters",
        "results",
        "stars",
        "tree",
        "type_parameters",
        "yields",
    )

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.bindings: dict[str, list[tuple[int, Binding]]] = {}
        self.defines: list[int] = []
        self.digests: dict[object, object] = {}  # of answers about it, by what is asked
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()
        self.attribute_writes: list[Write] = []
        self.element_writes: list[Write] = []
        self.calls: list[int] = []
        self.results: dict[int, list[int]] = {}
        self.yields: dict[int, list[int]] = {}
        self.parameters: dict[int, list[Parameter]] = {}
        self.imports: list[int] = []
        self.stars: list[int] = []
        self.exports: list[int] = []
        self.header: list[int] = []
        self.type_parameters: set[str] = set()
        for op, kind in enumerate(tree.kinds):
            reader = READERS.get(kind)
            if reader is not None:
                reader(self, op)
        self.header_end = max((tree.last[op] for op in self.header), default=-1)

    def visible(self, name: str, block: int) -> tuple[int, list[Binding]]:
        """Return the innermost block around `block` that binds `name`, and its bindings.

        `(-1, [])` when the region does not bind it there.
        """
        found = self.bindings.get(name)
        if found is None:
            return -1, []
        blocks = self.tree.block
        while True:
            here = [binding for at, binding in found if at == block]
            if here or block < 0:
                return block, here
            block = blocks[block]

    def bound(self, name: str, block: int) -> list[Binding]:
        """Return the bindings of `name` in exactly this block."""
        found = self.bindings.get(name)
        return [] if found is None else [binding for at, binding in found if at == block]

    def lambda_around(self, op: int) -> int:
        """Return the innermost lambda around an op, -1 without one."""
        tree = self.tree
        block = tree.block[op]
        while block >= 0 and tree.kinds[block] != Op.LAMBDA:
            block = tree.block[block]
        return block

    def _bind(self, name: str, block: int, binding: Binding) -> None:
        self.bindings.setdefault(name, []).append((block, binding))

    def _home(self, op: int, *, through_comprehensions: bool) -> int:
        tree = self.tree
        block = tree.block[op]
        while through_comprehensions and block >= 0 and tree.kinds[block] == Op.COMPREHENSION:
            block = tree.block[block]
        return block

    def read_statement(self, op: int) -> None:
        """Note what a statement with targets binds and writes."""
        tree, kinds = self.tree, self.tree.kinds
        form, text = kinds[op], tree.texts[op]
        block = self._home(op, through_comprehensions=form != Op.ITERATE)
        if text == "var":
            block = self.lambda_around(op)
        for role in tree.roles(op, Op.TARGET):
            stack = [role]
            while stack:
                at = stack.pop()
                kind = kinds[at]
                if kind == Op.NAME:
                    if text != "set":
                        name = tree.texts[at]
                        name = name.strip("\"'") if text == "field" else name
                        self._bind(name, block, Binding(form, op, at))
                elif kind == Op.MEMBER:
                    self._attribute(op, at)
                elif kind == Op.INDEX:
                    self._element(op, at)
                elif kind in PATTERN:
                    stack.extend(reversed(list(tree.children(at))))

    def _attribute(self, op: int, member: int) -> None:
        holder = dotted(self.tree, self.tree.operand(member, Op.OBJECT))
        name = self.tree.text(member, Op.MEMBER_NAME)
        if holder and name:
            binding = Binding(self.tree.kinds[op], op, member)
            self.attribute_writes.append(Write(holder, name, binding))

    def _element(self, op: int, index: int) -> None:
        holder = dotted(self.tree, self.tree.operand(index, Op.OBJECT))
        if holder:
            binding = Binding(self.tree.kinds[op], op, index)
            self.element_writes.append(Write(holder, "", binding))

    def read_parameter(self, op: int) -> None:
        """Note a parameter."""
        tree = self.tree
        block = tree.block[op]
        name_op = tree.role(op, Op.PARAMETER_NAME)
        if name_op < 0:
            self.parameters.setdefault(block, []).append(Parameter("", op, tree.texts[op]))
            self.read_statement(op)
            if block < 0:
                self.header.append(op)
            return
        name = tree.texts[name_op]
        self.parameters.setdefault(block, []).append(Parameter(name, op, tree.texts[op]))
        self._bind(name, block, Binding(Op.PARAMETER, op, name_op))
        if block < 0:
            self.header.append(op)

    def read_define(self, op: int) -> None:
        """Note a nested definition."""
        self.defines.append(op)

    def read_import(self, op: int) -> None:
        """Note an import statement."""
        self.imports.append(op)

    def read_star(self, op: int) -> None:
        """Note an import of everything."""
        self.stars.append(op)

    def read_export(self, op: int) -> None:
        """Note an export statement."""
        self.exports.append(op)

    def read_call(self, op: int) -> None:
        """Note a call."""
        self.calls.append(op)

    def read_result(self, op: int) -> None:
        """Note a result of the function or lambda around it."""
        self.results.setdefault(self.lambda_around(op), []).append(op)

    def read_yield(self, op: int) -> None:
        """Note a yield of the function or lambda around it."""
        self.yields.setdefault(self.lambda_around(op), []).append(op)

    def read_global(self, op: int) -> None:
        """Note a name declared global."""
        self.global_names.add(self.tree.texts[op])

    def read_nonlocal(self, op: int) -> None:
        """Note a name declared nonlocal."""
        self.nonlocal_names.add(self.tree.texts[op])

    def read_type_parameter(self, op: int) -> None:
        """Take in a declared type parameter."""
        self.type_parameters.add(self.tree.texts[op])
        self.read_head(op)

    def read_head(self, op: int) -> None:
        """Note a part of the definition's header."""
        if self.tree.block[op] < 0:
            self.header.append(op)


READERS: dict[int, Callable[[Scope, int], None]] = {
    **dict.fromkeys(WITH_TARGET, Scope.read_statement),
    Op.PARAMETER: Scope.read_parameter,
    Op.DEFINE: Scope.read_define,
    Op.IMPORT: Scope.read_import,
    Op.IMPORT_STAR: Scope.read_star,
    Op.EXPORT: Scope.read_export,
    Op.CALL: Scope.read_call,
    Op.CONSTRUCT: Scope.read_call,
    Op.RETURN: Scope.read_result,
    Op.RESULT: Scope.read_result,
    Op.YIELD: Scope.read_yield,
    Op.YIELD_FROM: Scope.read_yield,
    Op.GLOBAL: Scope.read_global,
    Op.NONLOCAL: Scope.read_nonlocal,
    Op.INHERIT: Scope.read_head,
    Op.IMPLEMENT: Scope.read_head,
    Op.DECORATOR: Scope.read_head,
    Op.RETURN_TYPE: Scope.read_head,
    Op.TYPE_PARAMETER: Scope.read_type_parameter,
}


def dotted(tree: Tree, op: int) -> str:
    """Return `a.b.c` for a chain of names and members, `` for anything else.

    A receiver keyword is spelled `this`.
    """
    parts: list[str] = []
    while op >= 0:
        kind = tree.kinds[op]
        if kind in (Op.NAME, Op.RECEIVER):
            parts.append(tree.texts[op] or "this")
            return ".".join(reversed(parts))
        if kind != Op.MEMBER:
            return ""
        parts.append(tree.text(op, Op.MEMBER_NAME))
        op = tree.operand(op, Op.OBJECT)
    return ""


def last_name(tree: Tree, op: int) -> str:
    """Return the last identifier of a name or member, `` for anything else."""
    if op < 0:
        return ""
    if tree.kinds[op] == Op.NAME:
        return tree.texts[op]
    if tree.kinds[op] in (Op.MEMBER, Op.REFERENCE):
        return tree.text(op, Op.MEMBER_NAME)
    return ""
