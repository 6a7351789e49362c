"""Links a snapshot, from nothing or from a neighbouring one at the cost of the difference.

Law: advancing from the empty state by any changes gives the links of `link_all` of the snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from topomem.link.changes import Changes
from topomem.link.evaluate import Evaluator, flatten
from topomem.link.files import FileChange
from topomem.link.names import Mentions
from topomem.link.questions import Probe, probe_of
from topomem.link.remembering import AnswerBook, LinkMemory, Standing
from topomem.link.strategies import strategy_for
from topomem.link.strategy import Strategy
from topomem.link.touching import Touched, touch
from topomem.link.views import FileView
from topomem.link.world import Question, World
from topomem.model.code import Declaration, FileLinks, LinkedEdge, RegionLinks
from topomem.model.ids import FilePath, LanguageName, QualifiedName, RegionKey

Strategies = Callable[[LanguageName], Strategy]


@dataclass(frozen=True, slots=True)
class LinkEvent:
    """One region that was linked anew, and why: `new`, or the question whose answer changed."""

    path: FilePath
    name: QualifiedName
    reason: str


Events = Callable[[LinkEvent], None]


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """`lambdas`: also edges to anonymous functions, which are no symbols (for measuring)."""

    lambdas: bool = False


@dataclass(frozen=True, slots=True)
class LinkedRegion:
    """One region's links, what they depend on, and for which text they were made."""

    region: RegionKey
    edges: tuple[LinkedEdge, ...]
    questions: tuple[Question, ...]  # sorted


@dataclass(frozen=True, slots=True)
class LinkDelta:
    """What changed: links by file, None for files that are gone; and which regions were linked."""

    files: Mapping[FilePath, FileLinks | None]
    relinked: tuple[tuple[FilePath, QualifiedName], ...]


@dataclass(slots=True)
class LinkState:
    """The links of one snapshot and what is needed to move on.

    Owned by whoever holds it last: `advance` uses up the state it is given.
    """

    world: World
    strategies: Strategies
    options: LinkOptions = LinkOptions()
    links: dict[FilePath, dict[QualifiedName, LinkedRegion]] = field(default_factory=dict)
    askers: dict[Question, set[tuple[FilePath, QualifiedName]]] = field(default_factory=dict)
    by_probe: dict[Probe, set[Question]] = field(default_factory=dict)
    book: AnswerBook = field(init=False)
    memory: LinkMemory = field(init=False)
    changes: Changes = field(default_factory=Changes)
    look: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        self.look = Evaluator(self.world, self.strategies, self.changes)
        self.book = AnswerBook(self.world)
        self.memory = LinkMemory(self.book)

    def file_links(self, path: FilePath) -> FileLinks | None:
        """Return the links of a file, None when it is not there."""
        view = self.world.view(path)
        if view is None:
            return None
        linked = self.links.get(path, {})
        regions = tuple(
            RegionLinks(place.region, linked[place.name].edges) for place in view.blob.placements
        )
        return FileLinks(path, view.blob.blob, regions)

    def questions(self, path: FilePath) -> tuple[tuple[Question, ...], ...]:
        """Return the questions that each region of a file asked, in order of placement."""
        view = self.world.view(path)
        if view is None:
            return ()
        linked = self.links.get(path, {})
        return tuple([linked[place.name].questions for place in view.blob.placements])


def empty_state(
    strategies: Strategies = strategy_for,
    options: LinkOptions = LinkOptions(),
    mentions: Mentions | None = None,
) -> LinkState:
    """Return the state of a snapshot without files."""

    def local_name(language: LanguageName, form: object) -> str:
        return strategies(language).local_name(form)  # type: ignore[arg-type]  # an ImportForm

    return LinkState(World(local_name, mentions), strategies, options)


def link_all(
    files: Iterable[FileChange],
    strategies: Strategies = strategy_for,
    options: LinkOptions = LinkOptions(),
) -> dict[FilePath, FileLinks]:
    """Return the links of a snapshot, worked out from nothing, by path."""
    state, _ = advance(empty_state(strategies, options), list(files))
    links = {path: state.file_links(path) for path in state.world.paths()}
    return {path: one for path, one in links.items() if one is not None}


def restore(
    files: Iterable[FileChange],
    linked: Mapping[FilePath, Sequence[LinkedRegion]],
    strategies: Strategies = strategy_for,
    mentions: Mentions | None = None,
) -> LinkState:
    """Return the state of a snapshot whose links are known.

    Files with their facts, and for each file its regions in order of placement, with the
    questions they asked. Links nothing.
    """
    state = empty_state(strategies, mentions=mentions)
    for change in files:
        if change.facts is not None:
            state.world.put(change.facts)
    for path, regions in linked.items():
        view = state.world.view(path)
        if view is None:
            continue
        for place, region in zip(view.blob.placements, regions, strict=True):
            _keep(state, path, place.name, region)
    return state


def advance(
    state: LinkState, changes: Sequence[FileChange], emit: Events | None = None
) -> tuple[LinkState, LinkDelta]:
    """Return the state with the changes made, and what they changed.

    A region is linked again if its text, its path or the definitions around it changed, or an
    answer that it asked for did. The cost is that of the changes and of what they touch.
    """
    world = state.world
    final = {change.path: change.facts for change in changes}
    touched = touch(world, final)
    suspects = _suspects(state, touched)
    views = {path: world.view(path) for path in final}
    before = {question: state.book.number(question) for question in suspects}
    for path in sorted(final):
        facts = final[path]
        if facts is None:
            world.drop(path)
        else:
            world.put(facts)
    state.book.forget(touched)
    state.changes.note(touched)
    changed = {question for question in suspects if before[question] != state.book.number(question)}
    todo = _todo(state, final, changed, views)
    return state, _relink(state, final, todo, emit)


def _suspects(state: LinkState, touched: Touched) -> list[Question]:
    """Return the asked questions whose answers may differ."""
    asked = state.by_probe
    hit = asked.keys() & touched.probes
    return sorted(q for probe in hit for q in asked[probe] if not touched.spares(q))


def _todo(
    state: LinkState,
    final: Mapping[FilePath, object],
    changed: set[Question],
    before: Mapping[FilePath, FileView | None],
) -> dict[tuple[FilePath, QualifiedName], str]:
    """Return the regions to link and why; forgets those that are gone."""
    todo: dict[tuple[FilePath, QualifiedName], str] = {}
    for question in sorted(changed):
        for asker in state.askers[question]:
            todo.setdefault(asker, " ".join(question))
    for path in sorted(final):
        view = state.world.view(path)
        known = state.links.get(path, {})
        here = set() if view is None else {place.name for place in view.blob.placements}
        for name in [name for name in known if name not in here]:
            _forget(state, path, name)
            todo.pop((path, name), None)
        if view is None:
            state.links.pop(path, None)
            continue
        for place in view.blob.placements:
            old, stood = known.get(place.name), before[path]
            if old is None or stood is None or not _stands_the_same(stood, view, place.name):
                todo[path, place.name] = "new"
            elif old.region != place.region:
                if _reads_the_same(stood, view, place.name):
                    known[place.name] = replace(old, region=place.region)
                else:
                    todo[path, place.name] = "new"
    return todo


def _stands_the_same(old: FileView, new: FileView, name: QualifiedName) -> bool:
    """Tell whether the definitions around and right inside a region are those of before."""
    return _around(old, name) == _around(new, name)


def _reads_the_same(old: FileView, new: FileView, name: QualifiedName) -> bool:
    """Tell whether a region says the same as before to the linker: other layout or comments."""
    one = old.facts.regions[old.by_name[name]]
    two = new.facts.regions[new.by_name[name]]
    return (
        one.kinds == two.kinds
        and one.parents == two.parents
        and one.texts == two.texts
        and one.language == two.language
        and [_said(each) for each in one.declarations] == [_said(each) for each in two.declarations]
    )


def _said(declaration: Declaration) -> tuple[object, ...]:
    return (
        declaration.kind,
        declaration.name,
        declaration.modifiers,
        declaration.through_receiver,
        declaration.owner,
    )


def _around(view: FileView, name: QualifiedName) -> list[str]:
    """Return what of the definitions around a region, and right inside it, its links depend on.

    Those are their names and kinds: equal texts may hold placeholders of different definitions.
    """
    own = view.by_name[name]
    chain = [f"{view.placement(at).name}:{view.kind_at(at).value}" for at in view.nested[own]]
    number = view.placement(own).parent
    while number >= 0:
        chain.append(f"{view.placement(number).name}:{view.kind_at(number).value}")
        number = view.placement(number).parent
    return chain


def _relink(
    state: LinkState,
    final: Mapping[FilePath, object],
    todo: dict[tuple[FilePath, QualifiedName], str],
    emit: Events | None,
) -> LinkDelta:
    world = state.world
    fresh = Evaluator(world, state.strategies, state.changes)
    state.look.trim()
    world.trim()
    moved: dict[FilePath, None] = dict.fromkeys(final)
    for (path, name), reason in sorted(todo.items()):
        view = world.view(path)
        if view is None:
            continue
        place = view.placement(view.by_name[name])
        standing = Standing(path, name, place.region, tuple(_around(view, name)))
        linked = state.memory.find(standing)
        if linked is None:
            lasting = state.strategies(view.language).outlives_snapshots
            linked = _link(state, state.look if lasting else fresh, view, name)
            state.memory.keep(standing, linked)
            if emit is not None:
                emit(LinkEvent(path, name, reason))
        old = state.links.get(path, {}).get(name)
        if old is None or old.edges != linked.edges:
            moved[path] = None
        _keep(state, path, name, linked)
    world.asked = []
    files = {
        path: state.file_links(path)
        for path in sorted(moved)
        if path in state.links or world.config_text(path) is None
    }
    return LinkDelta(files, tuple(sorted(todo)))


def _link(state: LinkState, look: Evaluator, view: FileView, name: QualifiedName) -> LinkedRegion:
    """Work out the links of one region."""
    state.world.asked = []
    number = view.by_name[name]
    edges = state.strategies(view.language).link(look, view, number, lambdas=state.options.lambdas)
    asked = tuple([state.book.same(question) for question in sorted(flatten(state.world.asked))])
    return LinkedRegion(view.placement(number).region, edges, asked)


def _keep(state: LinkState, path: FilePath, name: QualifiedName, linked: LinkedRegion) -> None:
    if name in state.links.get(path, {}):
        _forget(state, path, name)
    state.links.setdefault(path, {})[name] = linked
    for question in linked.questions:
        askers = state.askers.get(question)
        if askers is None:
            askers = state.askers[question] = set()
            state.by_probe.setdefault(probe_of(question), set()).add(question)
        askers.add((path, name))


def _forget(state: LinkState, path: FilePath, name: QualifiedName) -> None:
    linked = state.links[path].pop(name)
    for question in linked.questions:
        askers = state.askers[question]
        askers.discard((path, name))
        if not askers:
            del state.askers[question]
            state.by_probe[probe_of(question)].discard(question)
