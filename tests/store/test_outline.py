"""The symbols of one file, put together in memory, are those of the snapshot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from support.history import build
from support.indexed import Indexed

from topomem.model.ids import FilePath
from topomem.store.snapshot import SymbolFilter

EXAMPLES = Path(__file__).parents[2] / "grammars"
NUMBERED = """
=== main
--- a.ts
interface size { one(): void }
var size = 1;
class Box {
  size = 2;
  size() { return this.size; }
  at(x: number): void;
  at(x: string): void;
  at(x: any) { function inner() { return 1; } const low = 2; return inner; }
  last = 3;
}
type size = string;
--- b.py
class A:
    x = 1

    def __init__(self):
        self.x, self.y = 1, 2

        def inner():
            return 3

        self.z = inner

    def x(self):
        return 4

    last = 5
"""


def test_an_outline_is_what_the_snapshot_says(tmp_path: Path) -> None:
    texts = {
        f"{file.parent.parent.name}/{file.name}": file.read_text("utf-8")
        for file in sorted(EXAMPLES.glob("*/examples/*"))
        if file.is_file()
    }
    parts = [f"--- {path}\n{text}" for path, text in texts.items()]
    history = build(NUMBERED + "\n".join(parts), tmp_path / "repository")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    commit = history.ids["main"]
    with indexed.store.read() as reader:
        snapshot = reader.open_snapshot(commit)
        every = snapshot.symbols(SymbolFilter(with_modules=True))
        paths = sorted({one.path for one in every})
        assert len(paths) > len(texts)
        for path in paths:
            outline = reader.outline(commit, path)
            assert outline is not None
            expected = [one for one in every if one.path == path]
            assert outline.symbols == [replace(one, docstring="") for one in expected]
            assert all(outline.symbol(one.qualified_name) == one for one in expected)
            last = max(one.end_line for one in expected)
            for line in range(0, last + 2, 1 if path.startswith("a.") else 7):
                assert outline.at_line(line) == snapshot.symbol_at(path, line)
        assert reader.outline(commit, FilePath("none.py")) is None
        names = {one.qualified_name for one in every if one.path == "b.py"}
        assert {"A.x", "A.x+2", "A.__init__.inner", "A.last"} <= names
