"""Call graphs of a folder of small programs, as predictions for a call graph benchmark.

    python benchmarks/pycg.py SNIPPETS_DIR -o pred.json

A snippet is a folder `category/name` with Python files. Names are dotted: module path relative to
the snippet, then the qualified name; code of a module is its own name, lambdas are
`scope.<lambda1>` in order of the text.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from trees import facts_by_path, read_tree

from topomem.link.files import FileFacts
from topomem.link.linker import LinkOptions, link_all
from topomem.model.code import EdgeKind, External, FileLinks, Method, Op, SymbolKind, Unresolved
from topomem.model.ids import FilePath, split_moniker

CALLING = frozenset({EdgeKind.CALLS, EdgeKind.DECORATES})


def main() -> None:
    """Write the predictions for every snippet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snippets", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    given = parser.parse_args()
    predictions = {}
    for folder in sorted(path for path in given.snippets.glob("*/*") if path.is_dir()):
        name = str(folder.relative_to(given.snippets))
        predictions[name] = snippet_graph(folder)
    given.out.write_text(json.dumps(predictions, indent=1), "utf-8")


def snippet_graph(folder: Path) -> dict[str, list[str]]:
    """Return callees by caller of one snippet."""
    changes = [change for change in read_tree(folder) if isinstance(change.facts, FileFacts)]
    files = facts_by_path(changes)
    links = link_all(changes, options=LinkOptions(lambdas=True))
    graph: dict[str, set[str]] = {}
    for path, facts in files.items():
        names = lambda_names(facts)
        for caller, callee in file_calls(links[path], facts, names, files):
            graph.setdefault(caller, set()).add(callee)
            graph.setdefault(callee, set())
    return {caller: sorted(callees) for caller, callees in sorted(graph.items())}


def module_name(path: str) -> str:
    """Return the dotted name of a module file."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts)


def lambda_names(facts: FileFacts) -> dict[tuple[str, int], str]:
    """Return the dotted names of a file's lambdas by region and op."""
    names: dict[tuple[str, int], str] = {}
    module = module_name(facts.path)
    for place, region in zip(facts.blob.placements, facts.regions, strict=True):
        count = 0
        for op, kind in enumerate(region.kinds):
            if kind == Op.LAMBDA:
                count += 1
                scope = f"{module}.{place.name}" if place.name else module
                names[place.name, op] = f"{scope}.<lambda{count}>"
    return names


def file_calls(
    links: FileLinks,
    facts: FileFacts,
    lambdas: dict[tuple[str, int], str],
    files: dict[FilePath, FileFacts],
) -> list[tuple[str, str]]:
    """Return (caller, callee) pairs of one file."""
    module = module_name(facts.path)
    found = []
    for place, region, linked in zip(
        facts.blob.placements, facts.regions, links.regions, strict=True
    ):
        replaced = {
            edge.op
            for edge in linked.edges
            if edge.method == Method.FLOW and edge.kind == EdgeKind.CALLS
        }
        for edge in linked.edges:
            if edge.kind not in CALLING or isinstance(edge.target, Unresolved):
                continue
            if isinstance(edge.target, str) and not is_function(edge.target, files):
                continue
            if edge.op in replaced and edge.method not in (Method.FLOW, Method.EXTERNAL):
                continue
            caller = f"{module}.{place.name}" if place.name else module
            if in_decorator(region.parents, region.kinds, edge.op):
                caller = caller.rpartition(".")[0]
            caller = (
                lambda_around(region.parents, region.kinds, edge.op, place.name, lambdas) or caller
            )
            found.append((caller, callee_name(edge.target, files)))
    return found


def in_decorator(parents: tuple[int, ...], kinds: bytes, op: int) -> bool:
    """Tell whether an op stands in a decorator, whose code runs in the scope around."""
    while op >= 0:
        if kinds[op] == Op.DECORATOR:
            return True
        op = parents[op]
    return False


def is_function(target: str, files: dict[FilePath, FileFacts]) -> bool:
    """Tell whether a moniker names a function or a lambda."""
    path, name = split_moniker(target)  # type: ignore[arg-type]  # a moniker
    if "<lambda@" in name:
        return True
    facts = files[path]
    kinds = {
        place.name: region.declarations[0].kind
        for place, region in zip(facts.blob.placements, facts.regions, strict=True)
    }
    return kinds.get(name) in (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR)


def lambda_around(
    parents: tuple[int, ...],
    kinds: bytes,
    op: int,
    name: str,
    lambdas: dict[tuple[str, int], str],
) -> str:
    """Return the name of the innermost lambda around an op, `` for none."""
    while op >= 0:
        op = parents[op]
        if op >= 0 and kinds[op] == Op.LAMBDA:
            return lambdas[name, op]
    return ""


def callee_name(target: object, files: dict[FilePath, FileFacts]) -> str:
    """Return the dotted name of a target."""
    if isinstance(target, External):
        return target.name
    path, name = split_moniker(target)  # type: ignore[arg-type]  # monikers are all that is left
    scope, mark, op = name.partition("<lambda@")
    if mark:
        return lambda_names(files[path])[scope, int(op[:-1])]
    return f"{module_name(path)}.{name}" if name else module_name(path)


if __name__ == "__main__":
    main()
