from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.claims import claims_of
from topomem.evidence.from_git import links_of_history
from topomem.model.evidence import HistoryLink, Tag
from topomem.model.history import Commit
from topomem.model.ids import CommitId, TreeId

A, B, C, D, E = (
    "a1" + "0" * 38,
    "b2" + "0" * 38,
    "c3" + "0" * 38,
    "d4" + "0" * 38,
    "e5" + "0" * 38,
)


def commit(name: str, message: str, date: int = 0) -> Commit:
    return Commit(CommitId(name), TreeId(""), (), "", "", date, 0, date, 0, message)


def history(*messages: str) -> list[HistoryLink]:
    """Link commits A, B, C ... with these messages, one after the other."""
    names = (A, B, C, D, E)
    commits = [commit(names[at], text, at) for at, text in enumerate(messages)]
    return links_of_history(commits)


def check(messages: list[str], *expected: str) -> None:
    """Each link as `kind from>to`, by first letters; `?` behind what names nothing that is known."""
    found = []
    for link in history(*messages):
        target = (
            link.target[:1].upper()
            if link.is_resolved and link.target_kind == "commit"
            else link.target
        )
        found.append(
            f"{link.kind} {link.commit[0].upper()}>{target}{'' if link.is_resolved else '?'}"
        )
    assert found == list(expected)


def test_a_revert_by_id_by_title_and_by_both() -> None:
    check(["cart: add", f'Revert "cart: add"\n\nThis reverts commit {A}.'], "reverts B>A")
    check(["cart: add", f"undo\n\nThis reverts commit {A[:10]}."], "reverts B>A")
    check(["cart: add", 'Revert "cart: add"'], "reverts B>A")
    check(["cart: add (#12)", 'Revert "cart: add (#12)" (#13)'], "reverts B>A")
    check(["cart: add (#12)", 'Revert "cart: add"'], "reverts B>A")
    check(["cart: add", f'Revert "cart: add"\n\nThis reverts commit {"f" * 40}.'], "reverts B>A")
    check(["x", 'Revert "never there"'], "reverts B>never there?")
    check(["x", f"This reverts commit {'f' * 40}."], f"reverts B>{'f' * 40}?")


def test_how_it_is_known_is_said() -> None:
    by_id, by_title = (
        history("cart: add", f"x\n\nThis reverts commit {A}.")[0].provenance,
        history("cart: add", 'Revert "cart: add"')[0].provenance,
    )
    assert (by_id.method, by_title.method) == ("parsed", "inferred")
    assert by_id.confidence > by_title.confidence
    twice = history("cart: add", "cart: add", 'Revert "cart: add"')[0]
    assert twice.target == B
    assert twice.provenance.confidence < by_title.confidence


def test_a_title_means_a_commit_before_the_one_that_speaks() -> None:
    check(['Revert "cart: add"', "cart: add"], "reverts A>cart: add?")


def test_a_revert_that_is_reverted_brings_back() -> None:
    first = f'Revert "cart: add"\n\nThis reverts commit {A}.'
    check(
        ["cart: add", first, f'Revert "Revert "cart: add""\n\nThis reverts commit {B}.'],
        "reverts B>A", "reverts C>B", "relands C>A",
    )  # fmt: skip
    check(
        ["cart: add", first, f'Reapply "cart: add"\n\nThis reverts commit {B}.'],
        "reverts B>A", "relands C>A", "reverts C>B", "relands C>A",
    )  # fmt: skip
    check(["cart: add", first, f"Reland commit {A}"], "reverts B>A", "relands C>A")
    check(
        ["cart: add", first, 'Revert "Revert "cart: add""', f"x\n\nThis reverts commit {C}."],
        "reverts B>A", "reverts C>B", "relands C>A", "reverts D>C", "relands D>B", "reverts D>A",
    )  # fmt: skip


def test_several_in_one_message() -> None:
    check(["x", "y", f"undo\n\nThis reverts commits {A} and {B}."], "reverts C>A", "reverts C>B")
    check(
        ["x", "y", f'* Revert "x"\n\nThis reverts commit {A}.\n\n* Revert "y"\n\nThis reverts commit {B}.'],
        "reverts C>A", "reverts C>B",
    )  # fmt: skip
    check(
        ["x", "y", f'z\n\nFixes: {A[:12]} ("x")\nFixes: {B[:12]} ("y")\nCloses: #7, #8'],
        "fixes C>A", "fixes C>B", "closes C>#7", "closes C>#8",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ('z\n\nFixes: {a:.12} ("x")', "fixes B>A"),
        ('z\n\nFixes: {f:.12} ("x")', "fixes B>A"),
        ("Fix a regression introduced in {a:.9}", "fixes B>A"),
        ("z\n\nbroken by commit {a}", "fixes B>A"),
        ("fixup! x", "amends B>A"),
        ("squash! fixup! x\n\nmore", "amends B>A"),
        ("fixup! {a}", "amends B>A"),
        ("Follow-up to {a:.8}", "follows_up B>A"),
        ("x again\n\n(cherry picked from commit {a})", "picks B>A"),
        ("[ Upstream commit {a} ]", "picks B>A"),
        ("commit {a} upstream.", "picks B>A"),
        ("Backport of {a:.10}", "picks B>A"),
        ("Backed out changeset {a:.12}", "reverts B>A"),
        ("Revert {a:.7}", "reverts B>A"),
        ("undo\n\nThis reverts commit {a}, reversing\nchanges made to {f}.", "reverts B>A"),
        ("Fixes #12", "closes B>#12"),
        ("z (closes owner/repo#3)", "closes B>owner/repo#3"),
        ("Fixes https://github.test/o/r/issues/9", "closes B>o/r#9"),
        ("Resolves: ABC-7", "closes B>ABC-7"),
        ("Fix login\n\nReverts owner/repo#15", "reverts B>owner/repo#15"),
        ("Fixes https://github.test/o/r/commit/{a}", "fixes B>A"),
    ],
)
def test_what_messages_say(message: str, expected: str) -> None:
    check(["x", message.format(a=A, f="f" * 40)], expected)


@pytest.mark.parametrize(
    "message",
    [
        "This does not revert commit {a}.",
        "> This reverts commit {a}.\n\nquoted only",
        "see {a} for why",
        "bump to {a}",
        "Revert to the old way of doing it",
        "revert buttons: fix the colour",
        "prefix #12 with a sign",
        "Fixed 1322879 - a bug of long ago",
        "Fixes the defaced facade",
        "Related to #12, see also #13",
        'Revert ""',
        "fixup!",
        "This reverts commit 12345.",
        "Merge pull request #12 from a/b",
    ],
)  # fmt: skip
def test_what_messages_do_not_say(message: str) -> None:
    check(["x", message.format(a=A)])


def test_an_abbreviation_of_two_commits_is_neither() -> None:
    one, two = "abcdef1" + "0" * 33, "abcdef1" + "1" * 33
    links = links_of_history(
        [commit(one, "x"), commit(two, "y"), commit(C, "This reverts commit abcdef1.", 9)]
    )
    assert [(link.target, link.is_resolved) for link in links] == [("abcdef1", False)]


def test_commits_that_revert_each_other_end() -> None:
    links = links_of_history(
        [commit(A, f"This reverts commit {B}."), commit(B, f"This reverts commit {A}.")]
    )
    assert [(link.kind, link.commit[0], link.target[0]) for link in links] == [
        ("reverts", "a", "b"),
        ("reverts", "b", "a"),
    ]


def test_releases_by_tag() -> None:
    tags = [Tag("v1.2.0", CommitId(A)), Tag("2026.05.01", CommitId(B)), Tag("wip", CommitId(C))]
    links = links_of_history([], tags)
    assert [(link.kind, link.commit, link.target, link.target_kind) for link in links] == [
        ("releases", B, "2026.05.01", "tag"),
        ("releases", A, "v1.2.0", "tag"),
    ]


WORDS = st.sampled_from(
    ["Revert ", '"', "This reverts commit ", A, A[:8], "\n", "Fixes: ", "#1", ", ", "fixup! ", "(", ")",
     "cherry picked from commit ", "Reland ", "not ", "> ", "and ", "x", "\0", "é"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=25).map("".join), st.text(max_size=30))
def test_no_message_is_an_error(one: str, two: str) -> None:
    links = history("x", one, two)
    assert all(0 < link.provenance.confidence <= 1 for link in links)
    assert all(link.target != link.commit for link in links)
    assert links == history("x", one, two)


@pytest.mark.parametrize(
    "piece",
    ["Revert ", '"', "fixes #1 and ", f"{A} ", "This reverts commit ", "a", "Fixes: ", "not ", "follow up to to ",
     "introduced in in in ", "http://x/commit/", "revert of the ", "* ", "1234567, "],
)  # fmt: skip
def test_no_message_takes_long(piece: str) -> None:
    start = time.process_time()
    claims_of(piece * (200_000 // len(piece)))
    assert time.process_time() - start < 1.5
