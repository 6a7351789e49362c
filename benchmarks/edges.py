"""Symbols and edges of a work tree, by extract and link alone, as the documents that judges read.

    python benchmarks/edges.py REPO -o symbols.json edges.json [--bins]

Prints the time of each stage and edges by kind and method.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from trees import facts_by_path, read_tree

from topomem.link.files import FileFacts
from topomem.link.linker import advance, empty_state
from topomem.model.code import (
    EdgeKind,
    External,
    FileLinks,
    RegionFacts,
    Target,
    Unresolved,
)
from topomem.model.ids import FilePath, QualifiedName, split_moniker

SHOWN = {
    EdgeKind.READS: "references",
    EdgeKind.WRITES: "references",
    EdgeKind.USES_TYPE: "references",
    EdgeKind.RAISES: "references",
    EdgeKind.CONSTRUCTS: "instantiates",
}


def main() -> None:
    """Write the two documents and print figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("-o", "--out", type=Path, nargs=2, required=True)
    parser.add_argument("--only", help="write only edges of this method")
    given = parser.parse_args()
    began = time.perf_counter()
    changes = read_tree(given.repository)
    extracted = time.perf_counter()
    state, _ = advance(empty_state(), changes)
    linked = time.perf_counter()
    files = facts_by_path(changes)
    rows = positions(files)
    symbols = [symbol for by_name in rows.values() for symbol in by_name.values()]
    edges = []
    counts: Counter[str] = Counter()
    for path, facts in files.items():
        links = state.file_links(path)
        if links is not None:
            edges.extend(file_edges(facts, links, rows, counts, given.only))
    given.out[0].write_text(json.dumps({"symbols": symbols}), "utf-8")
    given.out[1].write_text(json.dumps({"edges": edges}), "utf-8")
    print(f"extract {extracted - began:.2f} s, link {linked - extracted:.2f} s, edges {len(edges)}")
    for name, count in sorted(counts.items()):
        print(f"  {name:<28}{count:>7}")


def positions(files: dict[FilePath, FileFacts]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the symbols of each file by qualified name."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for path, facts in files.items():
        here = found[path] = {}
        for number, (place, region) in enumerate(
            zip(facts.blob.placements, facts.regions, strict=True)
        ):
            here[place.name] = {
                "path": path,
                "qualified_name": place.name,
                "kind": region.declarations[0].kind.value,
                "start_line": place.span.start_line,
                "end_line": place.span.end_line,
            }
            lines = line_table(facts, number)
            for light in region.declarations[1:]:
                owner: str = place.name
                if light.through_receiver:
                    owner = owner.rpartition(".")[0]
                name = QualifiedName(f"{owner}.{light.name}" if owner else light.name)
                here.setdefault(
                    name,
                    {
                        "path": path,
                        "qualified_name": name,
                        "kind": light.kind.value,
                        "start_line": lines(light.name_row),
                        "end_line": lines(light.end_row),
                    },
                )
    return found


def line_table(facts: FileFacts, number: int) -> Callable[[int], int]:
    """Return a function from a region's row to the file's 1-based line."""
    placements = facts.blob.placements
    here = placements[number]
    nested = [place for place in placements if place.parent == number]

    def line(row: int) -> int:
        at = here.span.start_line + row
        for place in nested:
            if place.span.start_line >= at + 1 or place.span.start_line > at:
                break
            at += place.span.end_line - place.span.start_line
        return at

    return line


def file_edges(
    facts: FileFacts,
    links: FileLinks,
    rows: dict[str, dict[str, dict[str, Any]]],
    counts: Counter[str],
    only: str | None,
) -> list[dict[str, Any]]:
    """Return the edges of one file as documents."""
    found = []
    for number, (place, region, linked) in enumerate(
        zip(facts.blob.placements, facts.regions, links.regions, strict=True)
    ):
        lines = line_table(facts, number)
        source = rows[facts.path][place.name]
        for edge in linked.edges:
            counts[f"{edge.kind.value} {edge.method.value}"] += 1
            if only is not None and edge.method != only:
                continue
            line = lines(name_row(region, edge.op)) if edge.op >= 0 else place.name_line
            found.append(
                {
                    "kind": SHOWN.get(edge.kind, edge.kind.value),
                    "source": source,
                    "target": target_of(edge.target, rows),
                    "path": facts.path,
                    "line": line,
                    "confidence": edge.confidence,
                    "method": edge.method.value,
                }
            )
    return found


def name_row(region: RegionFacts, op: int) -> int:
    """Return the row of a reference's last name."""
    at = op + 1
    row = region.rows[op]
    while at < len(region.kinds) and region.starts[at] < region.ends[op]:
        if region.parents[at] == op and region.ends[at] == region.ends[op]:
            row = region.rows[at]
        at += 1
    return row


def target_of(target: Target, rows: dict[str, dict[str, dict[str, Any]]]) -> dict[str, Any]:
    """Return the document of an edge's target."""
    if isinstance(target, External):
        return {"external": target.name}
    if isinstance(target, Unresolved):
        return {"unresolved": target.name, "candidates": list(target.candidates)}
    path, name = split_moniker(target)
    return rows[path].get(name) or {"path": path, "qualified_name": name}


if __name__ == "__main__":
    main()
