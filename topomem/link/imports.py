"""Import and export statements as values, the same for all languages."""

from __future__ import annotations

from typing import NamedTuple

from topomem.link.scopes import Scope
from topomem.link.tree import Tree
from topomem.model.code import Op


class ImportForm(NamedTuple):
    """One imported thing.

    `module` is as written (dots included), `name` the thing inside it (`` for the module itself),
    `alias` the written local name (`` when none is written). `kind` is one of `module`, `item`,
    `star`, `default`; a star with an alias is a namespace object. `statement` is the IMPORT op,
    `op` the op that names the thing, for its place in the text.
    """

    kind: str
    module: str
    name: str
    alias: str
    statement: int
    op: int
    static: bool = False
    type_only: bool = False


class ExportForm(NamedTuple):
    """One exported thing: local `name` (`` for a star) under `alias` (`` when the same).

    `module` is what it is re-exported from, `` for a local name. `default` marks a default export;
    its value is the expression or placeholder at `value` (-1 for none).
    """

    module: str
    name: str
    alias: str
    statement: int
    op: int
    star: bool = False
    default: bool = False
    value: int = -1


def import_forms(scope: Scope) -> list[ImportForm]:
    """Return the imports of a region in order of the text."""
    forms: list[ImportForm] = []
    for statement in scope.imports:
        forms.extend(_forms_of(scope.tree, statement))
    return forms


def _forms_of(tree: Tree, statement: int) -> list[ImportForm]:
    inside = list(tree.inside(statement))[1:]
    kinds, texts = tree.kinds, tree.texts
    static = any(kinds[op] == Op.IMPORT_STATIC for op in inside)
    typed = any(kinds[op] == Op.IMPORT_TYPE and tree.parents[op] == statement for op in inside)
    module_op = tree.role(statement, Op.IMPORT_MODULE)
    module = texts[module_op] if module_op >= 0 else ""
    forms: list[ImportForm] = []
    modules: list[int] = []
    aliases: dict[int, str] = {}
    for op in tree.children(statement):
        kind = kinds[op]
        if kind == Op.IMPORT_ITEM:
            item_typed = typed or tree.role(op, Op.IMPORT_TYPE) >= 0
            forms.append(_item(tree, statement, op, module, static=static, typed=item_typed))
        elif kind == Op.IMPORT_STAR:
            alias = tree.text(op, Op.IMPORT_ALIAS)
            forms.append(ImportForm("star", module, "", alias, statement, op, static, typed))
        elif kind == Op.IMPORT_DEFAULT:
            form = ImportForm("default", module, "default", texts[op], statement, op)
            forms.append(form._replace(static=static, type_only=typed))
        elif kind == Op.IMPORT_MODULE:
            modules.append(op)
        elif kind == Op.IMPORT_ALIAS and modules:
            aliases[modules[-1]] = texts[op]
    if not forms:
        forms = [
            ImportForm("module", texts[op], "", aliases.get(op, ""), statement, op, static, typed)
            for op in modules
        ]
    return forms


def _item(
    tree: Tree, statement: int, item: int, module: str, *, static: bool, typed: bool
) -> ImportForm:
    own_module = tree.role(item, Op.IMPORT_MODULE)
    alias = tree.text(item, Op.IMPORT_ALIAS)
    if own_module >= 0:
        text = tree.texts[own_module]
        return ImportForm("module", text, "", alias, statement, own_module, static, typed)
    name_op = tree.role(item, Op.IMPORT_NAME)
    name = tree.texts[name_op] if name_op >= 0 else tree.texts[item]
    at = name_op if name_op >= 0 else item
    if not module:
        return ImportForm("module", name, "", alias, statement, at, static, typed)
    return ImportForm("item", module, name, alias, statement, at, static, typed)


def export_forms(scope: Scope) -> list[ExportForm]:
    """Return the exports of a module's region in order of the text."""
    forms: list[ExportForm] = []
    tree = scope.tree
    for statement in scope.exports:
        module = tree.text(statement, Op.IMPORT_MODULE)
        for op in tree.children(statement):
            kind = tree.kinds[op]
            if kind == Op.EXPORT_ITEM:
                name_op = tree.role(op, Op.EXPORT_NAME)
                name = tree.texts[name_op] if name_op >= 0 else tree.texts[op]
                alias = tree.text(op, Op.EXPORT_ALIAS)
                default = (alias or name) == "default"
                at = name_op if name_op >= 0 else op
                forms.append(ExportForm(module, name, alias, statement, at, default=default))
            elif kind == Op.EXPORT_STAR:
                alias = tree.text(op, Op.EXPORT_ALIAS)
                forms.append(ExportForm(module, "", alias, statement, op, star=True))
            elif kind in (Op.ASSIGN, Op.DECLARE):
                forms.extend(
                    ExportForm("", tree.texts[name], "", statement, name)
                    for role in tree.roles(op, Op.TARGET)
                    for name in tree.inside(role)
                    if tree.kinds[name] == Op.NAME
                )
            elif kind == Op.EXPORT_DEFAULT:
                value = tree.operand(op, Op.VALUE)
                forms.append(
                    ExportForm(module, "default", "", statement, op, default=True, value=value)
                )
    return forms
