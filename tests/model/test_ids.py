from __future__ import annotations

import pytest

from topomem.model.ids import FilePath, QualifiedName, moniker, split_moniker


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("pkg/mod.py", "Class.method"),
        ("pkg/mod.py", ""),
        ("odd#name.py", "f"),
        ("lib/queue.js", "Queue.#items"),
        ("odd#name.js", "Queue.#items"),
        ("a.#b.ts", "f+2"),
    ],
)
def test_a_moniker_is_taken_apart_as_it_was_put_together(path: str, name: str) -> None:
    text = moniker(FilePath(path), QualifiedName(name))
    assert split_moniker(text) == (path, name)
