"""The end of a run: what is reachable is marked, and what was not for too long is dropped."""

from __future__ import annotations

import json
from dataclasses import dataclass

from topomem.git.repository import Repository
from topomem.index.loop import SCOPE, Stored
from topomem.index.plan import Plan, Scope
from topomem.index.reachability import CUT, TIPS, UNREACHABLE, all_covered, current_tips, entries
from topomem.index.recording import Session
from topomem.model.ids import CommitId
from topomem.store.locks import WhenAlone
from topomem.store.store import Store
from topomem.store.writer import Writer


@dataclass(frozen=True, slots=True)
class Finish:
    """What the end of a run needs; `now` is in seconds UTC."""

    repository: Repository
    now: int

    def mark(self, stored: Stored, planned: Plan, scope: Scope, session: Session) -> None:
        """Write down what is reachable and where history is cut, now that everything is stored."""
        tips = current_tips(self.repository)
        if (tips, planned.cut, scope) == (stored.tips, frozenset(stored.cut), stored.scope) and (
            tips.issuperset(planned.tips)
        ):
            return
        with session() as writer:
            if planned.cut != stored.cut:
                writer.set_boundaries(planned.boundaries)
                writer.set_property(CUT, json.dumps(sorted(planned.cut)))
            covered = all_covered(stored.tips, tips, planned.commits)
            if (
                not (covered and tips.issuperset(planned.tips))
                or stored.unreachable_since is not None
            ):
                stored.unreachable_since = self._mark_reachable(writer, tips, planned)
            writer.set_property(TIPS, json.dumps(sorted(tips)))
            kept = {"all_refs": scope.all_refs, "head_only": scope.head_only}
            writer.set_property(SCOPE, json.dumps(kept))

    def drop(self, stored: Stored, store: Store, when_alone: WhenAlone) -> int:
        """Drop commits that git too would have forgotten by now; return how many.

        While others index nothing is dropped: what they are about to need must not vanish.
        """
        since, kept = stored.unreachable_since, self.repository.seconds_kept
        if since is None or kept is None or since > self.now - kept:
            return 0
        until = self.now - kept
        return when_alone(lambda: store.drop_unreachable(until))

    def _mark_reachable(
        self, writer: Writer, tips: frozenset[CommitId], planned: Plan
    ) -> int | None:
        stored = writer.known_commits()
        found = entries(self.repository, tips, stored, planned.cut, writer)
        since = writer.mark_reachable(found, self.now)
        writer.set_property(UNREACHABLE, "" if since is None else str(since))
        return since
