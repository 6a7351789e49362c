from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from store.test_history import TEXTS, Step, Tree, all_ancestors, ancestors, histories, put
from support.samples import blob

from topomem.store.doctor import check_rows
from topomem.store.store import Store


def stored(folder: Path, steps: list[Step]) -> Store:
    store = Store(folder, "example")
    trees: dict[str, Tree] = {step.commit.id: step.tree for step in steps}
    with store.write() as writer:
        writer.put_blobs([blob(text) for text in TEXTS])
        for step in steps:
            put(writer, step, trees)
    return store


@settings(max_examples=5)
@given(histories(), st.data())
def test_what_is_dropped_is_what_nothing_leads_to(steps: list[Step], data: st.DataObject) -> None:
    behind = all_ancestors(steps)
    names = [step.commit.id for step in steps]
    tips = data.draw(st.lists(st.sampled_from(names), unique=True))
    late = data.draw(st.lists(st.sampled_from(names), unique=True))
    with tempfile.TemporaryDirectory() as folder:
        store = stored(Path(folder), steps)
        with store.write() as writer:
            writer.mark_reachable([*tips, *late], 100)
        with store.write() as writer:
            writer.mark_reachable(tips, 200)
        reachable = set().union(*(behind[tip] for tip in tips))
        staying = reachable.union(*(behind[tip] for tip in late))
        with store.read() as reader:
            assert set(reader.unreachable_commits()) == set(names) - reachable
        assert store.drop_unreachable(99) == 0
        assert store.drop_unreachable(100) == len(set(names) - staying)
        check(store, [step for step in steps if step.commit.id in staying])
        with store.write() as writer:
            trees: dict[str, Tree] = {step.commit.id: step.tree for step in steps}
            writer.put_blobs([blob(text) for text in TEXTS])
            for step in steps:
                put(writer, step, trees)
        check(store, steps)


def check(store: Store, steps: list[Step]) -> None:
    behind = all_ancestors(steps)
    with store.read() as reader:
        assert reader.known_commits() == {step.commit.id for step in steps}
        for step in steps:
            assert reader.tree(step.commit.id) == step.tree
            assert ancestors(reader, step.commit) == behind[step.commit.id]
        assert check_rows(reader) == []


@settings(max_examples=5)
@given(histories(), st.sampled_from(TEXTS))
def test_what_stands_on_a_blob_goes_with_it(steps: list[Step], text: str) -> None:
    behind = all_ancestors(steps)
    gone = blob(text).blob
    holding = {
        step.commit.id for step in steps if any(held.blob == gone for held in step.tree.values())
    }
    with tempfile.TemporaryDirectory() as folder:
        store = stored(Path(folder), steps)
        staying = [step for step in steps if not behind[step.commit.id] & holding]
        assert store.drop_since([gone]) == len(steps) - len(staying)
        check(store, staying)
