"""Histories that grow at random from a seed: every kind of change that moves names about."""

from __future__ import annotations

from pathlib import Path
from random import Random

from support.history import History, Tree, start

NAMES = ("alpha", "beta", "gamma", "delta")
MODULES = ("pkg/a.py", "pkg/b.py", "pkg/sub/c.py", "pkg/sub/__init__.py", "app.py", "json.py")
FILE, EXECUTABLE = 0o100644, 0o100755


def grow(folder: Path, seed: int, commits: int = 8) -> History:
    """Return a history of Python files with branches, merges, reverts and odd moves."""
    random = Random(seed)
    history = start(folder)
    history.put("c0", [], _first(history))
    for number in range(1, commits):
        parents = _parents(history, random)
        tree = dict(history.trees[parents[0]])
        if len(parents) > 1:
            tree = _merged(history, parents, random)
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            random.choice(CHANGES)(history, tree, random)
        history.put(f"c{number}", parents, tree)
    history.branch("main", f"c{commits - 1}")
    for number in range(commits):
        history.branch(f"b{number}", f"c{number}")
    return history


FIRST = {
    "pkg/__init__.py": "from .a import alpha\n",
    "pkg/a.py": """from pkg.b import beta


def alpha(x):
    return beta(x)
""",
    "pkg/b.py": """class Base:
    def run(self):
        return 1


def beta(x):
    return Base()
""",
    "app.py": """import json
from pkg import alpha


def main():
    return json.dumps(alpha(1).run())
""",
}


def _first(history: History) -> Tree:
    return {path: (FILE, history.blob(text.encode())) for path, text in FIRST.items()}


def _parents(history: History, random: Random) -> list[str]:
    names = list(history.ids)
    count = random.choice((1, 1, 1, 2, 2, 3))
    recent = names[-4:]
    parents = random.sample(recent, min(count, len(recent)))
    return parents if random.random() > 0.05 else parents[:1]


def _merged(history: History, parents: list[str], random: Random) -> Tree:
    """Return a tree that takes each path from one of the parents; an evil merge now and then."""
    trees = [history.trees[parent] for parent in parents]
    tree: Tree = {}
    for path in sorted(set().union(*trees)):
        entries = [found[path] for found in trees if path in found]
        tree[path] = random.choice(entries)
    return tree


def _source(random: Random) -> str:
    lines = []
    for _ in range(random.randint(0, 2)):
        module = random.choice(("pkg", "pkg.a", "pkg.b", "pkg.sub.c", "pkg.sub", "json", "os"))
        name = random.choice((*NAMES, "*", "Base"))
        lines.append(f"from {module} import {name}")
    if random.random() < 0.3:
        base = random.choice(("Base", "object", "alpha"))
        lines += ["", "", f"class Base({base}):" if base != "Base" else "class Base:"]
        lines += ["    def run(self):", f"        return self.{random.choice(NAMES)}()"]
        lines += [f"    def {random.choice(NAMES)}(self):", "        return 2"]
    for name in random.sample(NAMES, random.randint(0, 2)):
        body = random.choice(
            (f"{random.choice(NAMES)}(x)", "Base().run()", "x", "1", "json.dumps(x)")
        )
        lines += ["", "", f"def {name}(x):", f"    return {body}"]
    return "\n".join(lines) + "\n"


def _write(history: History, tree: Tree, random: Random) -> None:
    tree[_free(tree, random.choice(MODULES))] = (FILE, history.blob(_source(random).encode()))


def _exports(history: History, tree: Tree, random: Random) -> None:
    module, name = random.choice(("a", "b", "sub.c")), random.choice((*NAMES, "*"))
    tree["pkg/__init__.py"] = (FILE, history.blob(f"from .{module} import {name}\n".encode()))


def _delete(history: History, tree: Tree, random: Random) -> None:
    del history
    if len(tree) > 1:
        tree.pop(random.choice(sorted(tree)))


def _move(history: History, tree: Tree, random: Random) -> None:
    del history
    if tree:
        old = random.choice(sorted(tree))
        entry = tree.pop(old)
        tree[_free(tree, random.choice(MODULES))] = entry


def _recase(history: History, tree: Tree, random: Random) -> None:
    del history
    if tree:
        old = random.choice(sorted(tree))
        tree[old.swapcase() if old.islower() else old.lower()] = tree.pop(old)


def _mode(history: History, tree: Tree, random: Random) -> None:
    del history
    if tree:
        path = random.choice(sorted(tree))
        mode, blob = tree[path]
        tree[path] = (EXECUTABLE if mode == FILE else FILE, blob)


def _move_package(history: History, tree: Tree, random: Random) -> None:
    del history
    old, new = random.choice((("pkg/", "lib/pkg/"), ("lib/pkg/", "pkg/"), ("pkg/sub/", "pkg/")))
    for path in sorted(tree):
        if path.startswith(old):
            tree[new + path.removeprefix(old)] = tree.pop(path)


def _revert(history: History, tree: Tree, random: Random) -> None:
    tree.clear()
    tree.update(history.trees[random.choice(list(history.trees))])


def _comment(history: History, tree: Tree, random: Random) -> None:
    if tree:
        path = random.choice(sorted(tree))
        mode, blob = tree[path]
        data = history.library[blob].data  # type: ignore[attr-defined]
        tree[path] = (mode, history.blob(b"# a word\n" + data))


def _free(tree: Tree, path: str) -> str:
    """Return a path that no folder of the tree stands at."""
    return path if not any(other.startswith(f"{path}/") for other in tree) else f"x_{path}"


CHANGES = (
    _write, _write, _exports, _delete, _move, _recase, _mode, _move_package, _revert, _comment
)  # fmt: skip
