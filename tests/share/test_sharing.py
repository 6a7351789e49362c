"""Rows reach everyone, whoever writes when; what stands in notes is only ever data."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.history import build, git

import topomem
from topomem.api.episode_writing import Linked, NewEvent
from topomem.api.memory import Memory
from topomem.errors import TransportFailed, UsageError
from topomem.git.repository import Repository
from topomem.share.lines import line_of
from topomem.share.sharing import Notes, union
from topomem.store.journal import Record

NOTES = "refs/notes/topomem"


@pytest.fixture(name="clones")
def _clones(tmp_path: Path) -> list[Memory]:
    """A bare repository, and three clones of it."""
    build("=== c1\n--- a.txt\nx\n--- tool.py\ndef limit(): ...\n", tmp_path / "bare", bare=True)
    found = []
    for name in ("one", "two", "three"):
        git(tmp_path, "clone", "-q", str(tmp_path / "bare"), name)
        found.append(topomem.open(tmp_path / name))
    return found


def top(memory: Memory) -> Path:
    assert memory.top is not None
    return memory.top


def titles(memory: Memory) -> list[str]:
    return sorted(one.episode.title for one in memory.episodes().episodes)


def notes_of(memory: Memory, reference: str = NOTES) -> str:
    return git(top(memory), "rev-parse", reference).strip()


def test_what_one_records_all_can_read(clones: list[Memory]) -> None:
    one, two, _ = clones
    key = one.start_episode("From one").id
    one.finish_episode(key, "failed", "it leaks")
    assert one.share_push().rows == 2
    report = two.share_pull()
    assert (report.rows, report.seen, report.notes) == (2, 2, ())
    found = two.episode(key).answer
    assert (found.episode.outcome, found.episode.conclusion) == ("failed", "it leaks")
    assert found.provenance.source == "episode, from share origin"
    assert [event.recorded_at for event in found.episode.events] == [
        event.recorded_at for event in one.episode(key).answer.episode.events
    ]


def test_notes_that_contradict_are_told_though_they_were_written_apart(
    clones: list[Memory],
) -> None:
    one, two, _ = clones
    links = Linked(symbols=("tool.py#limit",))
    one.add_event("", NewEvent("note", "the retry limit of the client is 5", links=links))
    two.add_event("", NewEvent("note", "the retry limit of the client is 6", links=links))
    one.share_push()
    two.share_pull()
    two.index(jobs=1)
    found = two.show("tool.py#limit").episodes
    assert [bool(answer.episode.conflicts) for answer in found] == [True, True]


def test_doing_it_again_changes_nothing(clones: list[Memory]) -> None:
    one, two, _ = clones
    one.start_episode("From one")
    one.share_push()
    tip = notes_of(one)
    assert one.share_push().rows == 0
    two.share_pull()
    assert two.share_pull().rows == 0
    assert two.share_push().rows == 0
    assert notes_of(one) == notes_of(two) == tip
    one.share_pull()
    assert one.episodes().total == 1


def test_both_write_and_both_have_everything(clones: list[Memory]) -> None:
    one, two, three = clones
    for number, memory in enumerate(clones):
        memory.start_episode(f"From {number}")
    one.share_push()
    two.share_push()  # without a pull: what one sent must stay
    three.share_pull()
    three.share_push()
    for memory in (one, two):
        memory.share_pull()
        assert titles(memory) == ["From 0", "From 1", "From 2"]
        assert notes_of(memory) == notes_of(three)
    assert git(top(three), "fsck", "--strict").strip() == ""
    shown = git(top(three), "log", "-1", f"--notes={NOTES}")
    assert "From 1" in shown  # they are notes that git itself shows


def test_two_clones_push_at_once(clones: list[Memory]) -> None:
    errors: list[BaseException] = []

    def work(memory: Memory, name: str) -> None:
        try:
            for number in range(4):
                memory.start_episode(f"{name} {number}")
                memory.share_push()
        except BaseException as error:
            errors.append(error)
            raise

    threads = [
        threading.Thread(target=work, args=(memory, name))
        for memory, name in zip(clones[:2], "ab", strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    clones[2].share_pull()
    assert titles(clones[2]) == sorted(f"{name} {number}" for name in "ab" for number in range(4))


@pytest.mark.slow
def test_a_merge_made_by_git_alone_is_read(clones: list[Memory]) -> None:
    one, two, three = clones
    for memory, name in ((one, "one"), (two, "two")):
        memory.start_episode(name)
        git(top(memory), "config", "user.name", "x")
        git(top(memory), "config", "user.email", "x")
    one.share_push()
    two.share_push()
    git(top(one), "update-ref", "-d", NOTES)
    one.start_episode("later")
    one.share_push()
    git(top(two), "fetch", "-q", "origin", f"{NOTES}:refs/notes/theirs")
    git(top(two), "notes", f"--ref={NOTES}", "merge", "-q", "-s", "cat_sort_uniq", "theirs")
    git(top(two), "push", "-q", "origin", NOTES)
    three.share_pull()
    assert titles(three) == ["later", "one", "two"]


def test_a_push_that_was_cut_off_is_made_good_by_the_next(
    clones: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, _ = clones
    one.start_episode("From one")
    with monkeypatch.context() as patch:
        patch.setattr(Repository, "move_note", _die)
        with pytest.raises(RuntimeError):
            one.share_push()  # the remote has it, the local reference does not
    two.start_episode("From two")
    two.share_push()
    one.start_episode("Later")
    assert one.share_push().rows == 1
    two.share_pull()
    assert titles(two) == ["From one", "From two", "Later"]
    assert notes_of(one) == notes_of(two)


def _die(*_: object) -> None:
    raise RuntimeError("killed")


def test_hostile_notes_are_data(clones: list[Memory]) -> None:
    one, two, three = clones
    one.start_episode("Good")
    one.share_push()
    folder = top(one)
    good = git(folder, "notes", f"--ref={NOTES}", "show", "HEAD").strip()
    bad = [
        "not json",
        good.replace("Good", "Evil"),
        '{"schema":"topomem/9","later":true}',
        '{"schema":"topomem/1","table":"review.tombstone","body":{"subject_id":"x"}}',
        "\u202e\x1b[31m",
        "[" * 5000,
    ]
    (folder / "note").write_text("\n".join([*bad, good]))
    git(folder, "config", "user.name", "x")
    git(folder, "config", "user.email", "x")
    git(folder, "notes", f"--ref={NOTES}", "add", "-f", "-F", "note", "HEAD")
    git(folder, "push", "-q", "origin", NOTES)
    report = two.share_pull()
    assert (report.rows, len(report.troubles)) == (1, 6)
    assert report.notes[0] == "1 lines of a later version were left alone"
    assert titles(two) == ["Good"]
    two.start_episode("Mine")
    two.share_push()  # what others wrote stays, readable here or not
    assert len(three.share_pull().troubles) == 6
    assert titles(three) == ["Good", "Mine"]


def test_notes_that_are_too_much_are_neither_taken_nor_written_over(
    clones: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    from topomem.git import notes

    one, two, three = clones
    one.start_episode("From one")
    one.share_push()
    two.start_episode("From two")
    with monkeypatch.context() as patch:
        patch.setattr(notes, "MOST_BYTES", 10)
        assert "too much" in two.share_pull().troubles[0].why
        with pytest.raises(TransportFailed, match="too much"):
            two.share_push()
    two.share_push()
    three.share_pull()
    assert titles(three) == ["From one", "From two"]


def test_what_was_deleted_here_is_neither_sent_nor_taken(clones: list[Memory]) -> None:
    one, two, three = clones
    key = one.start_episode("Regretted").id
    one.add_event(key, NewEvent("note", "as well"))
    one.start_episode("Kept")
    one.share_push()
    two.share_pull()
    two._opened.store.delete_item(key, "asked for", 1)
    two.share_pull()
    assert titles(two) == ["Kept"]
    two.share_push()
    three.share_pull()
    assert titles(three) == ["Kept"]


def test_a_remote_that_is_not_there_is_told_in_one_line(clones: list[Memory]) -> None:
    for remote in ("nowhere", "/no/such/place"):
        with pytest.raises(TransportFailed) as caught:
            clones[0].share_push(remote)
        assert "\n" not in str(caught.value)
    for remote in ("--upload-pack=touch x", "-x"):
        with pytest.raises(UsageError):
            clones[0].share_pull(remote)
    assert clones[0].share_pull().rows == 0  # nobody has pushed yet


@pytest.mark.slow
def test_variables_of_a_hook_lead_nowhere_else(
    clones: list[Memory], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build("=== c1\n--- b.txt\ny\n", tmp_path / "other").checkout()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    clones[0].start_episode("Mine")
    assert clones[0].share_push().rows == 1
    assert not (tmp_path / "other/.git/refs/notes").exists()


def test_unions_are_the_same_in_any_order() -> None:
    early, late = (line_of(Record("episode.event", at, {"kind": "note"})) for at in (4, 5))
    forged = early.replace("note", "more")
    one: Notes = {"c": {late, "plain"}, "d": {"x"}}
    two: Notes = {"c": {early, "other", forged}}
    assert union(one, two) == union(two, one) == union(one, union(two, one))
    assert union(one, two)["c"] == {early, "plain", "other", forged}


def test_results_of_checks_travel_too(clones: list[Memory]) -> None:
    one, two, _ = clones
    for memory in (one, two):
        (top(memory) / "adr").mkdir()
        text = "---\nstatus: accepted\ninvariants: [test -e a.txt]\n---\n# A\n"
        (top(memory) / "adr/0001-a.md").write_text(text)
        git(top(memory), "add", "-A")
        git(top(memory), "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x")
        memory.index(jobs=1)
    (ran,) = one.run_invariants()
    assert ran.exit_code == 0
    report = two.import_lines(one.export_lines(), name="x")
    assert (report.rows, report.troubles) == (1, ())
    ((_, state),) = two.check_decisions().invariants
    assert state.passed


def test_files_carry_rows_too(clones: list[Memory]) -> None:
    one, two, _ = clones
    one.start_episode("From one")
    lines = list(one.export_lines())
    assert two.import_lines(lines, name="x.jsonl").rows == 1
    assert two.import_lines(lines, name="x.jsonl").rows == 0
    assert titles(two) == ["From one"]
    assert list(two.export_lines()) == lines
    assert list(one.export_lines(since="2000-01-01")) == lines
    assert list(one.export_lines(since="HEAD")) == []
    with pytest.raises(UsageError):
        list(one.export_lines(since="no such thing"))
