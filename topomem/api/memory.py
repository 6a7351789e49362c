"""The facade: one object that every face uses, one method per job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topomem.api.opening import open_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import networkx

    from topomem.api.answers import (
        AliasesAnswer,
        CheckReport,
        EdgesAnswer,
        HistoryAnswer,
        RefsAnswer,
        ShowAnswer,
        Status,
        SymbolsAnswer,
    )
    from topomem.api.brief import Brief
    from topomem.api.commits import CommitAnswer
    from topomem.api.decision_check import DecisionCheck
    from topomem.api.decision_running import Ran
    from topomem.api.decision_writing import NewDecision, Written
    from topomem.api.decisions import DecisionsAnswer, DecisionShown
    from topomem.api.diff import DiffAnswer
    from topomem.api.episode_evidence import Imported, ReportFile
    from topomem.api.episode_writing import NewEvent, Recorded
    from topomem.api.episodes import EpisodesAnswer, EpisodeShown
    from topomem.api.evaluate import Evaluation
    from topomem.api.impact import ImpactAnswer
    from topomem.api.notice import Notice
    from topomem.api.passing import Write
    from topomem.api.places import Places
    from topomem.api.running import RunRequest, RunResult
    from topomem.api.sharing import ShareReport
    from topomem.index.events import Emit
    from topomem.index.report import IndexReport
    from topomem.model.bundle import Bundle
    from topomem.model.decision import Invariant
    from topomem.model.ids import CommitId, FilePath
    from topomem.retrieve.hints import Embedder


def open(
    repo: str | Path = ".",
    store: str | Path | None = None,
    principal: str | None = None,
    config: str | Path | None = None,
) -> Memory:
    """Open the memory of the repository that `repo` is, or is inside of.

    `store` is another folder for the store, `principal` who reads (None: the owner), `config` a
    configuration file. Raises NotARepository, ConfigurationError.
    """
    return Memory(repo, store, principal, config)


class Memory:
    """The memory of one repository. Holds no connection: every question opens and closes its own.

    `as_of` is any revision text of git, or "WORKTREE"; None is HEAD. Questions raise
    UnknownRevision, NotIndexed, StoreBusy and StoreDamaged, and never write to the store.
    """

    def __init__(
        self,
        repo: str | Path = ".",
        store: str | Path | None = None,
        principal: str | None = None,
        config: str | Path | None = None,
    ) -> None:
        self._opened = open_all(repo, store, principal, config)

    @property
    def top(self) -> Path | None:
        """The repository's work tree; None where it is bare."""
        return self._opened.repository.top

    def places(self) -> Places:
        """Return where the repository, its hooks and its store lie."""
        from topomem.api.places import places

        return places(self._opened)

    def index(
        self,
        *,
        all_refs: bool = False,
        since: str = "",
        max_commits: int | None = None,
        head_only: bool = False,
        refs: Sequence[str] = (),
        jobs: int | None = None,
        emit: Emit | None = None,
    ) -> IndexReport:
        """Index history reachable from HEAD (or all references); do only what is not there yet.

        `refs` are further revisions to start from. `emit` is told what happens (see
        `topomem.index.events`). May be ended at any point: the next run goes on from there. Raises
        UnknownRevision, StoreBusy, StoreFull.
        """
        from topomem.api.indexing import IndexRequest, run_index
        from topomem.index.events import unheard
        from topomem.index.plan import Scope

        scope = Scope(all_refs, head_only, since, max_commits, tuple(refs))
        return run_index(self._opened, IndexRequest(scope, jobs or 0), emit or unheard)

    def reindex(
        self, refs: Sequence[str] = (), *, jobs: int | None = None, emit: Emit | None = None
    ) -> IndexReport:
        """Index what came after the last run, as that one did; `refs` are further starting points.

        What is no longer reachable is marked. Raises as `index` does.
        """
        from topomem.api.indexing import IndexRequest, run_index
        from topomem.index.events import unheard
        from topomem.index.plan import Scope

        request = IndexRequest(Scope(refs=tuple(refs)), jobs or 0, follow=True)
        return run_index(self._opened, request, emit or unheard)

    def rebuild(
        self, refs: Sequence[str] = (), *, jobs: int | None = None, emit: Emit | None = None
    ) -> IndexReport:
        """Make all that comes from git anew, as the last run did it; works on a damaged store.

        What was recorded stays. Readers go on with what is there until the new is whole. `refs` are
        further starting points. Raises as `index` does.
        """
        from topomem.api.indexing import IndexRequest, run_index
        from topomem.index.events import unheard
        from topomem.index.plan import Scope

        request = IndexRequest(Scope(refs=tuple(refs)), jobs or 0, anew=True)
        return run_index(self._opened, request, emit or unheard)

    def merge_base(self, one: str, other: str) -> CommitId | None:
        """Return where two revisions parted; None where history, as far as it is here, has none.

        Raises UnknownRevision.
        """
        repository = self._opened.repository
        return repository.merge_base(repository.resolve(one), repository.resolve(other))

    def status(self) -> Status:
        """Return what is indexed, how fresh it is, and what is missing."""
        from topomem.api.status import status

        return status(self._opened)

    def commit(self, revision: str = "HEAD") -> CommitAnswer:
        """Return what is stored of a commit beside its files: parents, dates, message, tickets.

        Raises UnknownRevision, NotIndexed.
        """
        from topomem.api.commits import commit

        return commit(self._opened, revision)

    def symbols(
        self,
        query: str = "",
        *,
        kinds: Sequence[str] = (),
        path: str = "",
        as_of: str | None = None,
    ) -> SymbolsAnswer:
        """Return definitions. `query` is part of a qualified name, `=NAME` exactly that name."""
        from topomem.api.symbols import SymbolQuery, symbol_kinds, symbols

        return symbols(self._opened, SymbolQuery(query, symbol_kinds(kinds), path), as_of)

    def show(self, symbol: str, *, as_of: str | None = None) -> ShowAnswer:
        """Return one symbol with its text and nearest edges. Raises UnknownSymbol."""
        from topomem.api.show import show

        return show(self._opened, symbol, as_of)

    def history(
        self,
        symbol: str,
        *,
        layout: bool = False,
        forward: bool = False,
        as_of: str | None = None,
    ) -> HistoryAnswer:
        """Return every commit that changed a symbol, through renames and moves, newest first.

        `layout`: those too that changed only layout, or the comment before it. `forward`: what
        happened after `as_of`, too, up to HEAD. Raises UnknownSymbol, UsageError.
        """
        from topomem.api.history import history

        return history(self._opened, symbol, as_of, layout=layout, forward=forward)

    def aliases(
        self,
        *,
        commit: str | None = None,
        candidates: bool = False,
        below: float | None = None,
        as_of: str | None = None,
    ) -> AliasesAnswer:
        """Return the aliases of a commit, or of all behind `as_of`.

        `candidates`: the unsure ones too; `below`: only those less sure.
        """
        from topomem.api.aliases import AliasQuery, aliases

        return aliases(self._opened, AliasQuery(commit, candidates, below), as_of)

    def judge_alias(self, alias: str, *, accept: bool, reason: str) -> str:
        """Record that an alias is right or wrong, and why; return the id of the record.

        Raises UnknownItem.
        """
        from topomem.api.aliases import judge

        return judge(self._opened, alias, "accepted" if accept else "rejected", reason)

    def edges(
        self,
        *,
        kinds: Sequence[str] = (),
        path: str = "",
        unresolved: bool | None = None,
        as_of: str | None = None,
    ) -> EdgesAnswer:
        """Return typed edges; `unresolved` True: only those without a known target."""
        from topomem.api.edges import EdgeQuery, edge_kinds, edges

        return edges(self._opened, EdgeQuery(edge_kinds(kinds), path, unresolved), as_of)

    def refs(
        self,
        symbol: str,
        *,
        direction: str = "in",
        depth: int = 1,
        kinds: Sequence[str] = (),
        as_of: str | None = None,
    ) -> RefsAnswer:
        """Return who uses a symbol ("in"), what it uses ("out"), or both ("in,out")."""
        from topomem.api.edges import edge_kinds
        from topomem.api.refs import RefsQuery, directions, refs

        query = RefsQuery(directions(direction), depth, edge_kinds(kinds))
        return refs(self._opened, symbol, query, as_of)

    def diff(
        self, base: str, head: str = "HEAD", *, merge_base: bool = False, layout: bool = False
    ) -> DiffAnswer:
        """Return what differs between two revisions: files, symbols and edges.

        `merge_base`: compare with where `head` left `base`; `layout`: those symbols too of which
        only layout differs.
        """
        from topomem.api.diff import DiffQuery, diff

        return diff(self._opened, DiffQuery(base, head, merge_base, layout))

    def impact(
        self, base: str, head: str = "HEAD", *, merge_base: bool = False, depth: int = 6
    ) -> ImpactAnswer:
        """Return whom a difference concerns: dependents, tests, owners, decisions.

        `depth`: so many edges away from what changed.
        """
        from topomem.api.diff import DiffQuery
        from topomem.api.impact import ImpactQuery, impact

        return impact(self._opened, ImpactQuery(DiffQuery(base, head, merge_base), depth))

    def bundle(
        self,
        task: str = "",
        *,
        budget: int = 4_000,
        count: str = "estimate",
        focus: str = "",
        diff: tuple[str, str] | tuple[str, str, bool] | None = None,
        embedder: Embedder | None = None,
        as_of: str | None = None,
        printed: Callable[[Bundle], str] | None = None,
    ) -> Bundle:
        """Return the best cited passages for a task within a budget of tokens.

        `count` is `estimate` (never too low), `chars4` or an installed tokenizer. `focus` is a path
        or symbol that comes first, `diff` the change that does: BASE, HEAD, and whether it starts
        at their merge base. With either the task may be empty. What an `embedder` finds like the
        task is added as hints. `printed` makes the document that must fit; without it the items
        alone must. Raises BudgetTooSmall, UnknownSymbol.
        """
        from topomem.api.bundle import BundleRequest, bundle, change_of

        change = change_of(*diff) if diff else None
        request = BundleRequest(task, budget, count, printed, focus, change, embedder)
        return bundle(self._opened, request, as_of)

    def brief(self) -> Brief:
        """Return what to know before work on the current branch begins."""
        from topomem.api.brief import brief

        return brief(self._opened)

    def notice(self, text: str, *, session: str = "") -> Notice:
        """Return what is known of what a message names and was not told in this session yet."""
        from topomem.api.notice import notice

        repository = self._opened.repository
        return notice(
            text, session, repository.top or repository.git_dir, self._opened.store.folder
        )

    def verify(self, bundle: Bundle | Mapping[str, object]) -> CheckReport:
        """Return which citations of a bundle, or of its document, do not hold."""
        from topomem.api.verify import verify

        return verify(self._opened, bundle)

    def decisions(self, *, all: bool = False, as_of: str | None = None) -> DecisionsAnswer:  # noqa: A002 - the contract's word
        """Return the decision records that held at a revision; `all`: every one there was."""
        from topomem.api.decisions import decisions

        return decisions(self._opened, "all" if all else "active", as_of)

    def decision(self, decision: str, *, as_of: str | None = None) -> DecisionShown:
        """Return one record with its parts. `decision` is an id, path, number, name or title.

        Raises UnknownItem.
        """
        from topomem.api.decisions import show_decision

        return show_decision(self._opened, decision, as_of)

    def new_decision(self, wanted: NewDecision) -> Written:
        """Write a new record into the work tree, and mark those it takes the place of."""
        from topomem.api.decision_writing import new_decision

        return new_decision(self._opened, wanted)

    def supersede(self, old: str, new: str) -> Written:
        """Mark one record as superseded by another, in the work tree, in both of them."""
        from topomem.api.decision_writing import supersede

        return supersede(self._opened, old, new)

    def run_invariants(
        self,
        *,
        timeout_seconds: float = 600,
        told: Callable[[FilePath, Invariant], None] | None = None,
    ) -> tuple[Ran, ...]:
        """Run the invariants of all records that hold, in the work tree, and record the results."""
        from topomem.api.decision_running import run_invariants

        return run_invariants(self._opened, timeout_seconds, told or (lambda *_: None))

    def check_decisions(self, *, today: str = "", as_of: str | None = None) -> DecisionCheck:
        """Return what is wrong with the records; review dates before `today` (ISO) have passed."""
        from topomem.api.decision_check import check_decisions

        return check_decisions(self._opened, today, as_of)

    def episodes(
        self,
        *,
        text: str = "",
        outcome: str = "",
        symbol: str = "",
        path: str = "",
        issue: str = "",
        decision: str = "",
        all: bool = False,  # noqa: A002 - the contract's word
        derived: bool = False,
        limit: int | None = None,
        as_of: str | None = None,
    ) -> EpisodesAnswer:
        """Return the episodes that match; superseded and archived ones only with `all`.

        Archived ones are found when asked for, too. `derived`: those that git tells of by itself.
        Raises UnknownSymbol.
        """
        from topomem.api.episodes import MOST_LISTED, EpisodeQuery, episodes

        most = MOST_LISTED if limit is None else limit
        query = EpisodeQuery(outcome, symbol, path, issue, decision, text, all, derived, most)
        return episodes(self._opened, query, as_of)

    def episode(self, episode: str, *, as_of: str | None = None) -> EpisodeShown:
        """Return one episode with all its events. Raises UnknownItem."""
        from topomem.api.episodes import episode as show_episode

        return show_episode(self._opened, episode, as_of)

    def start_episode(self, title: str, event: NewEvent | None = None) -> Recorded:
        """Begin an episode, with its request and links; return its id.

        The same beginning again is the same episode, while that is open.
        """
        from topomem.api.episode_writing import NewEvent, start
        from topomem.model.episode import START

        done = start(self._opened, title, event or NewEvent(START))
        self._publish()
        return done

    def add_event(self, episode: str, event: NewEvent) -> Recorded:
        """Add an event to an episode; to none ("") it is one of its own. Raises UnknownItem."""
        from topomem.api.episode_writing import add

        done = add(self._opened, episode, event)
        self._publish()
        return done

    def finish_episode(
        self, episode: str, outcome: str, conclusion: str = "", *, commit: str | None = None
    ) -> Recorded:
        """Say what came of an episode, and why. Raises UnknownItem, UsageError."""
        from topomem.api.episode_writing import NewEvent, finish
        from topomem.model.episode import FINISH

        done = finish(self._opened, episode, outcome, NewEvent(FINISH, conclusion, commit))
        self._publish()
        return done

    def supersede_episode(self, episode: str, by: str, reason: str) -> Recorded:
        """Let another episode take the place of one. Raises UnknownItem, UsageError."""
        from topomem.api.episode_writing import supersede

        done = supersede(self._opened, episode, by, reason)
        self._publish()
        return done

    def run(self, request: RunRequest, out: Write, err: Write) -> RunResult:
        """Run a command, pass its output on to `out` and `err`, and record what came of it."""
        from topomem.api.running import run

        return run(self._opened, request, out, err)

    def share_push(self, remote: str = "origin") -> ShareReport:
        """Hand recorded rows to a remote, in notes. Raises TransportFailed."""
        from topomem.api.sharing import push

        return push(self._opened, remote)

    def share_pull(self, remote: str = "origin") -> ShareReport:
        """Take over the rows that others handed to a remote. Raises TransportFailed."""
        from topomem.api.sharing import pull

        done = pull(self._opened, remote)
        self._publish()
        return done

    def export_lines(self, *, since: str = "") -> Iterator[str]:
        """Return every row that may travel as a line of JSON, oldest first."""
        from topomem.api.sharing import export_lines

        return export_lines(self._opened, since)

    def import_lines(self, lines: Iterable[str], *, name: str = "") -> ShareReport:
        """Take over rows from lines that were exported elsewhere."""
        from topomem.api.sharing import import_lines

        done = import_lines(self._opened, lines, name)
        self._publish()
        return done

    def import_reports(
        self, files: Sequence[ReportFile], *, commit: str | None = None, episode: str = ""
    ) -> tuple[Imported, ...]:
        """Record reports of other tools as evidence: JUnit XML, SARIF, pull requests."""
        from topomem.api.episode_evidence import import_reports

        done = import_reports(self._opened, files, commit, episode)
        self._publish()
        return done

    def archive_episode(self, episode: str, reason: str = "") -> Recorded:
        """Put an episode away; it stays searchable, and says so. Raises UnknownItem."""
        from topomem.api.episode_writing import archive

        done = archive(self._opened, episode, reason)
        self._publish()
        return done

    def _publish(self) -> None:
        """Let `notice` know of what was recorded."""
        from topomem.api.episode_publishing import publish_episodes

        publish_episodes(self._opened)

    def evaluate(
        self,
        *,
        cases: int = 50,
        seed: int = 7,
        foreign: str = "",
        told: Callable[[int, int], None] | None = None,
    ) -> Evaluation:
        """Return how well bundles answer questions out of this history, against plain searches.

        `foreign` is another repository whose questions must be told apart; `told` is called with
        how many questions are done, of how many. Raises UsageError where history has none.
        """
        from topomem.api.evaluate import Wanted, evaluate

        return evaluate(self._opened, Wanted(cases, seed, foreign, told or (lambda *_: None)))

    def doctor(self, *, sample: int = 0) -> CheckReport:
        """Return what is wrong with the store, and with `sample` of its commits against git."""
        from topomem.api.doctor import doctor

        return doctor(self._opened, sample)

    def graph(self, as_of: str | None = None) -> networkx.MultiDiGraph[str]:
        """Return all symbols and edges of a revision as a graph."""
        from topomem.api.graph import graph

        return graph(self._opened, as_of)
