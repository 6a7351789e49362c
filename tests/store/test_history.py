"""Files of any commit of any history: the stored snapshot is the tree."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.samples import LANGUAGE, blob, commit, entry

from topomem.errors import NotIndexed
from topomem.model.history import Commit, Mode, TreeEntry
from topomem.model.ids import FilePath
from topomem.store import tracks
from topomem.store.reader import Reader
from topomem.store.store import Store
from topomem.store.topology import FileState
from topomem.store.writer import Writer

PATHS = [FilePath(f"f{number}.txt") for number in range(5)]
TEXTS = ["one", "two", "three"]

Tree = dict[FilePath, TreeEntry]


@dataclass(frozen=True)
class Step:
    """A commit with its parents and its whole tree."""

    commit: Commit
    tree: Tree


def changes(before: Tree, after: Tree) -> list[FileState]:
    return [
        FileState(path, after.get(path), LANGUAGE)
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    ]


def put(writer: Writer, step: Step, trees: dict[str, Tree]) -> None:
    parents = step.commit.present_parents
    stored = bool(parents) and writer.position(parents[0]) is not None
    before = trees[parents[0]] if stored else {}
    writer.add_commit(step.commit, changes(before, step.tree))


def store_in_batches(folder: Path, steps: Sequence[Step], sizes: Sequence[int]) -> Store:
    """Store steps in their order, several to a session."""
    store = Store(folder, "example")
    trees: dict[str, Tree] = {step.commit.id: step.tree for step in steps}
    waiting = list(steps)
    turn = 0
    while waiting:
        size = sizes[turn % len(sizes)]
        batch, waiting = waiting[:size], waiting[size:]
        turn += 1
        with store.write() as writer:
            writer.put_blobs([blob(text) for text in TEXTS])
            for step in batch:
                put(writer, step, trees)
    return store


def all_ancestors(steps: Sequence[Step]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for step in steps:  # parents come first
        behind = (found[parent] for parent in step.commit.parents)
        found[step.commit.id] = {step.commit.id}.union(*behind)
    return found


def ancestors(reader: Reader, commit: Commit) -> set[str]:
    highest = reader.ancestors(commit.id)
    positions = tracks.load_positions(reader.connection)
    return {id_ for id_, at in positions.items() if at.seq <= highest.get(at.track, -1)}


@st.composite
def histories(draw: st.DrawFn) -> list[Step]:
    steps: list[Step] = []
    for number in range(draw(st.integers(1, 14))):
        count = draw(st.integers(0, min(3, len(steps))))
        behind = draw(st.permutations(range(len(steps))))[:count]
        base = steps[behind[0]].tree if behind else {}
        tree = dict(base)
        for path in draw(st.lists(st.sampled_from(PATHS), max_size=3, unique=True)):
            choice = draw(st.sampled_from([None, *TEXTS]))
            if choice is None:
                tree.pop(path, None)
            else:
                tree[path] = entry(choice, draw(st.sampled_from([Mode.FILE, Mode.EXECUTABLE])))
        names = [f"c{parent}" for parent in behind]
        steps.append(Step(commit(f"c{number}", *names), tree))
    return steps


@settings(max_examples=20, deadline=None)
@given(histories(), st.lists(st.integers(2, 8), min_size=1, max_size=3))
def test_a_snapshot_is_the_tree(steps: list[Step], sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = store_in_batches(Path(folder), steps, sizes)
        behind = all_ancestors(steps)
        with store.read() as reader:
            for step in steps:
                assert reader.tree(step.commit.id) == step.tree
                assert ancestors(reader, step.commit) == behind[step.commit.id]
            stored = {found.id: found for found in reader.commits()}
        assert stored == {step.commit.id: step.commit for step in steps}


@settings(max_examples=10, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_commits_may_arrive_in_any_order(steps: list[Step], chance: object) -> None:
    shuffled = list(steps)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random
    with tempfile.TemporaryDirectory() as folder:
        store = store_in_batches(Path(folder), shuffled, [5])
        behind = all_ancestors(steps)
        with store.read() as reader:
            for step in steps:
                assert reader.tree(step.commit.id) == step.tree
                assert ancestors(reader, step.commit) == behind[step.commit.id]


def chain_of_branches(count: int) -> list[Step]:
    """Each branch hangs off the one before, which goes on by one more commit."""
    steps = [Step(commit("b0"), {PATHS[0]: entry("one")})]
    for number in range(1, count):
        tree = dict(steps[-1].tree)
        tree[PATHS[number % 5]] = entry(TEXTS[number % 3])
        if number % 4 == 0:
            tree.pop(PATHS[(number + 1) % 5], None)
        parent = f"b{number - 1}"
        steps.append(Step(commit(f"b{number}", parent), tree))
    on_line = [
        Step(commit(f"s{number}", f"b{number}"), steps[number].tree) for number in range(count - 1)
    ]
    ordered = [steps[0]]
    for number in range(1, count):
        ordered += [on_line[number - 1], steps[number]]
    return ordered


def test_deep_chains_begin_again_with_a_full_snapshot(tmp_path: Path) -> None:
    steps = chain_of_branches(3 * tracks.DEEPEST)
    store = store_in_batches(tmp_path, steps, [7])
    with store.read() as reader:
        depths = [track.depth for track in tracks.load_tracks(reader.connection).values()]
        assert max(depths) == tracks.DEEPEST
        for step in steps:
            assert reader.tree(step.commit.id) == step.tree


def test_two_commits_a_branch_and_a_merge(tmp_path: Path) -> None:
    one = Step(commit("one"), {PATHS[0]: entry("one"), PATHS[1]: entry("one")})
    two = Step(commit("two", "one"), {PATHS[0]: entry("two"), PATHS[1]: entry("one")})
    side = Step(commit("side", "one"), {PATHS[0]: entry("one"), PATHS[2]: entry("three")})
    merge = Step(commit("merge", "two", "side"), {PATHS[0]: entry("two"), PATHS[2]: entry("three")})
    steps = [one, two, side, merge]
    store = store_in_batches(tmp_path, steps, [1])
    with store.read() as reader:
        assert [reader.tree(step.commit.id) for step in steps] == [step.tree for step in steps]
        assert ancestors(reader, two.commit) == {one.commit.id, two.commit.id}
        assert reader.position(merge.commit.id).track == reader.position(one.commit.id).track
        assert reader.position(side.commit.id).track != reader.position(one.commit.id).track


def test_the_same_commit_twice_is_stored_once(tmp_path: Path) -> None:
    one = Step(commit("one"), {PATHS[0]: entry("one")})
    store = store_in_batches(tmp_path, [one], [1])
    store = store_in_batches(tmp_path, [one], [1])
    with store.read() as reader:
        assert reader.commits() == [one.commit]


def test_a_shallow_boundary_connects_once_its_parents_are_there(tmp_path: Path) -> None:
    older = Step(commit("older"), {PATHS[0]: entry("one")})
    cut = Step(commit("cut", "older", boundary=True), {PATHS[0]: entry("two")})
    store = store_in_batches(tmp_path, [cut], [1])
    with store.read() as reader:
        assert ancestors(reader, cut.commit) == {cut.commit.id}
        with pytest.raises(NotIndexed):
            reader.position(older.commit.id)
    store_in_batches(tmp_path, [older], [1])
    with store.write() as writer:
        assert writer.set_boundaries([]) == 1
    with store.read() as reader:
        assert ancestors(reader, cut.commit) == {older.commit.id, cut.commit.id}
        assert reader.tree(cut.commit.id) == cut.tree


def test_reachable_commits_are_marked(tmp_path: Path) -> None:
    one = Step(commit("one"), {})
    two = Step(commit("two", "one"), {})
    store = store_in_batches(tmp_path, [one, two], [2])
    with store.write() as writer:
        assert writer.mark_reachable([one.commit.id], 5) == 5
        assert writer.mark_reachable([one.commit.id], 9) == 5
    with store.read() as reader:
        assert reader.unreachable_commits() == [two.commit.id]
    with store.write() as writer:
        assert writer.mark_reachable([two.commit.id], 9) is None
