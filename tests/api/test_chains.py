"""Chains over several lines: each call stands on the line of its own name."""

from __future__ import annotations

from pathlib import Path

from support.history import build

import topomem
from topomem.model.answer import SymbolRef

CHAIN = """
=== c1
--- box.ts
export interface Box { one(): Box; two(): Box }
export const Box = { make(): Box { return null as any; } };
--- use.ts
import { Box } from "./box";

Box.make()
  .one()
  .two();
"""


def test_a_call_in_a_chain_stands_on_its_own_line(tmp_path: Path) -> None:
    history = build(CHAIN, tmp_path / "chain")
    memory = topomem.open(history.folder, store=tmp_path / "store")
    memory.index()
    found = {
        (edge.target.qualified_name, edge.line)
        for edge in memory.edges().edges
        if edge.kind == "calls" and isinstance(edge.target, SymbolRef)
    }
    assert {("Box.make", 3), ("Box.one", 4), ("Box.two", 5)} <= found


def test_a_type_and_a_value_of_one_name_are_both_listed(tmp_path: Path) -> None:
    history = build(CHAIN, tmp_path / "chain")
    memory = topomem.open(history.folder, store=tmp_path / "store")
    memory.index()
    kinds = [s.kind.value for s in memory.symbols("Box").symbols if s.path == "box.ts"]
    assert "interface" in kinds
    assert "constant" in kinds
