"""Links a snapshot, from nothing or from a neighbouring one at the cost of the difference.

Law: advancing from the empty state by any changes gives the links of `link_all` of the snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from topomem.link.evaluate import Evaluator
from topomem.link.files import FileChange
from topomem.link.names import Mentions
from topomem.link.numbering import Question
from topomem.link.questions import placed
from topomem.link.remembering import AnswerBook, How, Linked, LinkMemory, Standing
from topomem.link.strategies import strategy_for
from topomem.link.strategy import Strategy
from topomem.link.touching import touch
from topomem.link.views import FileView
from topomem.link.world import World
from topomem.model.code import Declaration, FileLinks, LinkedEdge, RegionLinks
from topomem.model.ids import FilePath, LanguageName, QualifiedName, RegionKey

NEW = "new"

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
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class LinkDelta:
    """What changed: links by file, None for files that are gone; and which regions were linked.

    Also of files whose links are the same, and hang on other questions than before.
    """

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
    links: dict[FilePath, dict[QualifiedName, Linked]] = field(default_factory=dict)
    askers: dict[int, set[tuple[FilePath, QualifiedName]]] = field(default_factory=dict)
    book: AnswerBook = field(init=False)
    memory: LinkMemory = field(init=False)
    look: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        self.book = AnswerBook(self.world)
        self.memory = LinkMemory(self.book)
        self.look = Evaluator(self.world, self.strategies)

    def file_links(self, path: FilePath) -> FileLinks | None:
        """Return the links of a file, None when it is not there."""
        view = self.world.file(path)
        if view is None:
            return None
        linked = self.links.get(path, {})
        regions = tuple(
            RegionLinks(place.region, linked[place.name].edges) for place in view.blob.placements
        )
        return FileLinks(path, view.blob.blob, regions)

    def questions(self, path: FilePath) -> tuple[tuple[Question, ...], ...]:
        """Return the questions that each region of a file asked, in order of placement."""
        view = self.world.file(path)
        if view is None:
            return ()
        linked = self.links.get(path, {})
        numbering = self.world.numbering
        return tuple([linked[place.name].questions(numbering) for place in view.blob.placements])


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
        view = state.world.file(path)
        if view is None:
            continue
        for place, region in zip(view.blob.placements, regions, strict=True):
            asked = frozenset(map(state.world.numbering.number, region.questions))
            _keep(state, path, place.name, Linked(region.region, region.edges, asked))
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
    touched = world.numbering.hanging_on(touch(world, final))
    book, asked = state.book, state.askers
    before = {question: book.number(question) for question in touched if question in asked}
    stood = {
        question: placed(world, question) for question in world.numbering.placed & before.keys()
    }
    views = {path: world.file(path) for path in final}
    for path in sorted(final):
        facts = final[path]
        if facts is None:
            world.drop(path)
        else:
            world.put(facts)
    book.forget(touched)
    changed = [question for question, number in before.items() if book.number(question) != number]
    silent = world.numbering.silent.intersection(touched)
    stale = _stale(state, touched, before, changed)
    shifted = [question for question, at in stood.items() if placed(world, question) != at]
    state.look.move([*stale, *shifted], [*changed, *silent, *shifted])
    todo = _todo(state, final, changed, views)
    return state, _relink(state, final, todo, emit)


def _stale(
    state: LinkState, touched: Sequence[int], before: Container[int], changed: Sequence[int]
) -> list[int]:
    """Return the touched questions that remembered results must not have asked."""
    free, differs = state.world.numbering.free, set(changed)
    return [
        question
        for question in touched
        if question in differs or question not in free or question not in before
    ]


def _todo(
    state: LinkState,
    final: Mapping[FilePath, object],
    changed: Sequence[int],
    before: Mapping[FilePath, FileView | None],
) -> dict[tuple[FilePath, QualifiedName], str]:
    """Return the regions to link and why; forgets those that are gone."""
    todo: dict[tuple[FilePath, QualifiedName], str] = {}
    questions = state.world.numbering.questions
    for number in sorted(changed, key=questions.__getitem__):
        reason = " ".join(questions[number])
        for asker in state.askers[number]:
            todo.setdefault(asker, reason)
    for path in sorted(final):
        view = state.world.file(path)
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
                todo[path, place.name] = NEW
            elif old.region != place.region:
                if _reads_the_same(stood, view, place.name):
                    known[place.name] = old.moved_to(place.region)
                else:
                    todo[path, place.name] = NEW
    return todo


def _stands_the_same(old: FileView, new: FileView, name: QualifiedName) -> bool:
    """Tell whether the definitions around and right inside a region are those of before."""
    return old.around(old.by_name[name]) == new.around(new.by_name[name])


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


def _relink(
    state: LinkState,
    final: Mapping[FilePath, object],
    todo: dict[tuple[FilePath, QualifiedName], str],
    emit: Events | None,
) -> LinkDelta:
    world = state.world
    world.trim()
    moved: dict[FilePath, None] = dict.fromkeys(final)
    for (path, name), reason in sorted(todo.items()):
        view = world.file(path)
        if view is None:
            continue
        number = view.by_name[name]
        standing = Standing(path, name, view.placement(number).region, view.around(number))
        old = state.links.get(path, {}).get(name)
        linked = state.memory.find(standing)
        if linked is None:
            if reason != NEW and old is not None:
                linked = _confirmed(state, path, name, old)
            if linked is None:
                linked = _link(state, view, name)
                if emit is not None:
                    emit(LinkEvent(path, name, reason))
            state.memory.keep(standing, linked)
        if old is None or old.edges != linked.edges or old.asked != linked.asked:
            moved[path] = None  # who goes on from here must know what to look out for
        _keep(state, path, name, linked)
    world.asked = []
    files = {
        path: state.file_links(path)
        for path in sorted(moved)
        if path in state.links or world.config_text(path) is None
    }
    return LinkDelta(files, tuple(sorted(todo)))


def _link(state: LinkState, view: FileView, name: QualifiedName) -> Linked:
    """Work out the links of one region."""
    world, look = state.world, state.look
    numbering, results = world.numbering, look.remembered
    number = view.by_name[name]
    world.asked = []
    edges = state.strategies(view.language).link(look, view, number, lambdas=state.options.lambdas)
    own, used = results.sorted_out(world.asked)
    world.asked = []
    direct = frozenset(own) - {numbering.number(view.mark_at(number))}
    questions = results.flat(own, used) - numbering.silent
    how = How(results.snapshot, direct, tuple(used))
    return Linked(view.placement(number).region, edges, questions, how)


def _confirmed(state: LinkState, path: FilePath, name: QualifiedName, old: Linked) -> Linked | None:
    """Return the links of a region once more, if all that it asked itself is as it was.

    An answer below that changed may have changed nothing that the region sees.
    """
    how, results = old.how, state.look.remembered
    if how is None or results.changed_since(how.snapshot, how.questions):
        return None
    state.look.enter(path, name)
    used = list(how.used)
    for at, (entry, k, args) in enumerate(used):
        if not results.stands(entry):
            again = entry.by.ask_again(entry, k, args)
            if again is None or again.value != entry.value:
                return None
            used[at] = (again, k, args)
    questions = results.flat(how.questions, used) - state.world.numbering.silent
    how = How(results.snapshot, how.questions, tuple(used))
    return Linked(old.region, old.edges, questions, how)


def _keep(state: LinkState, path: FilePath, name: QualifiedName, linked: Linked) -> None:
    """Let the links of a region be these; for whom each question was asked is kept up."""
    here = state.links.setdefault(path, {})
    old = here.get(name)
    here[name] = linked
    if old is None:
        _ask(state, (path, name), linked.asked)
    elif old.asked is not linked.asked:
        _unask(state, (path, name), old.asked - linked.asked)
        _ask(state, (path, name), linked.asked - old.asked)


def _forget(state: LinkState, path: FilePath, name: QualifiedName) -> None:
    _unask(state, (path, name), state.links[path].pop(name).asked)


def _ask(state: LinkState, asker: tuple[FilePath, QualifiedName], questions: Iterable[int]) -> None:
    for question in questions:
        askers = state.askers.get(question)
        if askers is None:
            state.askers[question] = {asker}
        else:
            askers.add(asker)


def _unask(
    state: LinkState, asker: tuple[FilePath, QualifiedName], questions: Iterable[int]
) -> None:
    for question in questions:
        askers = state.askers[question]
        askers.discard(asker)
        if not askers:
            del state.askers[question]
