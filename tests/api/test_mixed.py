"""Languages side by side: equal names are told apart by language."""

from __future__ import annotations

from pathlib import Path

from support.history import build

import topomem
from topomem.api.memory import Memory
from topomem.model.answer import Edge, SymbolRef

MIXED = """
=== c1
--- py/tools.py
def useState(first):
    return first()

def render(first):
    return useState(first)
--- web/view.tsx
import { useState } from "react";

export function View() {
    const [count, setCount] = useState(render);
    return render(count);
}

function render(count: number) {
    return useState(count);
}
--- web/old.js
function render(count) { return count; }
export const shown = render(1);
--- go.mod
module example.org/mixed
--- cmd/main.go
package main

func render(count int) int { return useState(count) }
func useState(count int) int { return count }
func main() { render(1) }
--- src/Main.java
class Main {
    static int render(int count) { return useState(count); }
    static int useState(int count) { return count; }
}
"""


def test_no_edge_leads_from_one_language_to_another(tmp_path: Path) -> None:
    build(MIXED, tmp_path, bare=True)
    memory = topomem.open(tmp_path)
    report = memory.index()
    assert report.skipped == ()
    ends = [(e.path, e.target.path) for e in calls(memory) if isinstance(e.target, SymbolRef)]
    suffix = {(source.split(".")[-1], target.split(".")[-1]) for source, target in ends}
    assert {(one, one) for one in ("py", "tsx", "js", "go", "java")} <= suffix
    assert not {pair for pair in suffix if pair[0] != pair[1]}


def calls(memory: Memory) -> list[Edge]:
    edges = memory.edges(kinds=["calls"]).edges
    return [edge for edge in edges if isinstance(edge.target, SymbolRef)]
