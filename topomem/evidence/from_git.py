"""What commits say they do to other commits and to issues, and which ones were released.

A message is a claim of its author. What git itself writes (`This reverts commit ...`) is parsed;
what is made out by title or words is inferred and says how surely.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush

from topomem.evidence.claims import Claim, claims_of, title_of
from topomem.evidence.versions import version_of
from topomem.model.bundle import Provenance
from topomem.model.evidence import HistoryLink, Tag
from topomem.model.history import Commit
from topomem.model.ids import CommitId

_SHORTEST_ID = 7
_SURELY_AN_ID = 16
"""Digits alone are an id from here on."""
_BY_TITLE = 0.99
_BY_TITLE_BEHIND = 0.75
_BY_TITLE_OF_MANY = 0.1
"""Shares of right ones among messages of 19 histories that name both title and id."""
_FURTHEST = 5_000
"""Commits that are looked at to find the nearest of several with one title."""
_UNRESOLVED = 0.3
_SAID = 0.6
"""Below this a claim counts only where what it is about is found."""
_LESS_USUAL = 0.9
_DEEPEST = 20
_ADDED = re.compile(r"(?:\s*\((?:#|!|GH-)\d{1,9}\))+\s*\Z")


def links_of_history(commits: Sequence[Commit], tags: Iterable[Tag] = ()) -> list[HistoryLink]:
    """Return the links of commits, in the order of these, then those of tags by name.

    `commits` are what is known, in any order; abbreviated ids and titles are looked up among them.
    A title means the latest commit with it before the one that speaks, its own day included.
    Reverting a revert is `relands`, and leads to the commit that was reverted first as well.
    """
    known = KnownCommits(commits)
    links: list[HistoryLink] = []
    for commit in commits:
        links += _unique(known.links(commit))
    reverts = {link.commit: link for link in links if link.kind == "reverts" and link.is_resolved}
    links = [again for link in links for again in _relanded(link, reverts)]
    return [*links, *_releases(tags)]


class KnownCommits:
    """Commits by id and by title."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self._commits = {commit.id: commit for commit in commits}
        self._ids = sorted(self._commits)
        self._by_title: dict[str, list[Commit]] = {}
        for commit in commits:
            self._by_title.setdefault(_normal(title_of(commit.message)), []).append(commit)
        for same in self._by_title.values():
            same.sort(key=lambda commit: (commit.committer_date, commit.id))

    def links(self, commit: Commit) -> Iterator[HistoryLink]:
        """Yield what one commit claims."""
        for claim in claims_of(commit.message):
            link = self._link(commit, claim)
            if link is not None and link.target != commit.id:
                yield link

    def _link(self, commit: Commit, claim: Claim) -> HistoryLink | None:
        if claim.issue:
            told = Provenance(claim.method, claim.source, claim.confidence)
            return HistoryLink(claim.kind, commit.id, claim.issue, "issue", claim.text, told)
        found = self.with_id(claim.id) if claim.id else None
        confidence = claim.confidence
        method = claim.method
        if found is None and claim.title:
            found, sure = self.with_title(commit, claim.title)
            if found is not None:
                method = "inferred"
                confidence *= sure
        if found is not None:
            told = Provenance(method, claim.source, round(confidence, 4))
            return HistoryLink(claim.kind, commit.id, found, "commit", claim.text, told)
        if claim.id.isdigit() and len(claim.id) < _SURELY_AN_ID:
            return None  # a number of something else
        if not claim.id and claim.confidence < _SAID:
            return None
        told = Provenance(method, claim.source, round(confidence * _UNRESOLVED, 4))
        target = claim.id or claim.title
        return HistoryLink(
            claim.kind, commit.id, target, "commit", claim.text, told, is_resolved=False
        )

    def with_id(self, text: str) -> CommitId | None:
        """Return the one commit that an id or its beginning names."""
        if len(text) < _SHORTEST_ID:
            return None
        at = bisect_left(self._ids, text)
        same = [one for one in self._ids[at : at + 2] if one.startswith(text)]
        return same[0] if len(same) == 1 else None

    def with_title(self, commit: Commit, title: str) -> tuple[CommitId | None, float]:
        """Return the commit before this one that a title means, and how surely.

        Of several the nearest one behind it counts, else the latest.
        """
        same = [
            one
            for one in self._by_title.get(_normal(title), [])
            if one.id != commit.id and one.committer_date <= commit.committer_date
        ]
        if len(same) <= 1:
            return (same[0].id if same else None), _BY_TITLE
        behind = self._nearest(commit, {one.id for one in same})
        return (behind, _BY_TITLE_BEHIND) if behind else (same[-1].id, _BY_TITLE_OF_MANY)

    def _nearest(self, commit: Commit, wanted: set[CommitId]) -> CommitId | None:
        """Return the first of some commits that is met going back, latest first."""
        waiting: list[tuple[int, CommitId]] = []
        seen: set[CommitId] = set()
        at: Commit | None = commit
        for _ in range(_FURTHEST):
            for parent in at.parents if at else ():
                known = self._commits.get(parent)
                if known and parent not in seen:
                    seen.add(parent)
                    heappush(waiting, (-known.committer_date, parent))
            if not waiting:
                return None
            _, name = heappop(waiting)
            if name in wanted:
                return name
            at = self._commits[name]
        return None


def _normal(title: str) -> str:
    """Return a title without what hosts and hands add to it: numbers of requests, blanks, dots."""
    return _ADDED.sub("", " ".join(title.split())).rstrip(". ").casefold()


def _unique(links: Iterable[HistoryLink]) -> list[HistoryLink]:
    """Return links with each target once for a kind, the surest; order is kept."""
    best: dict[tuple[str, str], HistoryLink] = {}
    for link in links:
        key = (link.kind, link.target)
        before = best.get(key)
        if before is None or link.provenance.confidence > before.provenance.confidence:
            best[key] = link
    resolved = {link.kind for link in best.values() if link.is_resolved}
    return [
        link
        for link in best.values()
        if link.is_resolved or link.provenance.source != "title" or link.kind not in resolved
    ]


def _relanded(link: HistoryLink, reverts: Mapping[CommitId, HistoryLink]) -> Iterator[HistoryLink]:
    """Yield a link, and what it means for what its target had reverted, and so on."""
    yield link
    kind, confidence, target = link.kind, link.provenance.confidence, CommitId(link.target)
    if kind != "reverts" or not link.is_resolved:
        return
    seen = {link.commit, target}
    for _ in range(_DEEPEST):
        above = reverts.get(target)
        if above is None or above.target in seen:
            return
        kind = "relands" if kind == "reverts" else "reverts"
        confidence *= above.provenance.confidence
        target = CommitId(above.target)
        seen.add(target)
        told = Provenance("inferred", "a revert that is reverted", round(confidence, 4))
        yield HistoryLink(kind, link.commit, target, "commit", link.text, told)


def _releases(tags: Iterable[Tag]) -> Iterator[HistoryLink]:
    for tag in sorted(tags, key=lambda tag: (tag.name, tag.commit)):
        version = version_of(tag.name)
        if version is not None:
            sure = 1.0 if version.scheme == "semantic" else _LESS_USUAL
            told = Provenance("parsed", "tag", sure)
            yield HistoryLink("releases", tag.commit, tag.name, "tag", tag.name, told)
