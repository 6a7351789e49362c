"""How the files of a language become modules, and what its names, members and types mean.

`language.toml` names its strategy in `[resolution] naming`; each strategy is one module here with
one class, listed in `CLASSES`. To write one, subclass `topomem.link.strategy.Strategy` and override
what differs from the defaults:

- `modules`: the text of an import -> `Module(path)`, `Folder(path)` or `Outside(name)`;
- `local_name`, `imported`, `exported`, `submodule`, `star_names`: what imports bind and show;
- `ambient`: names that no scope of the file binds (package siblings, the language's own names);
- `own_members`, `bases`, `choose`: members that stand elsewhere, embedded types, overloads;
- `type_value`, `generic_value`: what a written type says of a value;
- `outside_call`, `outside_method`, `calls_arguments`, `entered`, `awaited`, `special_method`:
  values with rules of their own;
- `link`: the edges of a region altogether, for a language whose written types say more.

What a strategy is handed as `look` (`topomem.link.evaluate.Evaluator`):

- `look.world` answers questions about the snapshot and records them (`topomem.link.world.World`);
- `look.names(path, scope, op, name)`: what a name means at an op, as `Found` places;
- `look.follow(found)`: the same with imports and re-exports followed to their ends;
- `look.value_at(path, scope, op, k)`: the value of an expression;
- `look.value_of(place, k)`: the value of a place; `look.members(item, name, k)`: its members;
- `look.order(owner, k)`: a class and its bases in lookup order; `look.call(item, ...)`: results.

Values are frozen sets of items (`topomem.link.values`), places are what an edge may point at.
Results are remembered by `look`, or by a `topomem.link.strategies.memory.Memory`, from one snapshot
to the next: a rule is a function of what it is given, plain values, and of what it asks the world.
Everything must be bounded: hand `k - 1` on.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from topomem.languages.load import load_languages
from topomem.link.strategy import Strategy
from topomem.model.ids import LanguageName

CLASSES = {
    "dotted_packages": "topomem.link.strategies.dotted_packages:DottedPackages",
    "file_paths": "topomem.link.strategies.file_paths:FilePaths",
    "package_folders": "topomem.link.strategies.package_folders:PackageFolders",
    "declared_packages": "topomem.link.strategies.declared_packages:DeclaredPackages",
}
"""Where the class of each naming stands; loaded when a file of such a language is first seen."""


@cache
def strategy_for(language: LanguageName) -> Strategy:
    """Return the strategy of a language. Raises KeyError for a language that is not known."""
    spec = load_languages()[language].spec
    module, _, name = CLASSES[spec.resolution.naming].partition(":")
    made = getattr(import_module(module), name)(spec)
    assert isinstance(made, Strategy)  # noqa: S101  CLASSES lists nothing else
    return made
