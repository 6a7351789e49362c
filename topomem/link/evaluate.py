"""The evaluator: what places and expressions stand for, in a bounded number of steps.

Everything is a function of (key, k), where `k` is how many more steps may be taken; at 0 nothing is
known. A result that never ran out of steps is the same for every larger `k` and is remembered once;
others are remembered with their `k`. So an answer never depends on what was asked before it.

Every remembered result keeps the questions it asked of the world and the results it used, so that
whoever uses it depends on them too (`topomem.link.results`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

from topomem.link import calls, classes, collections, expressions, lookup, passing, variables
from topomem.link.results import Entry, Results
from topomem.link.values import (
    NOTHING,
    Argument,
    Definition,
    Folder,
    Found,
    Generator,
    Instance,
    Item,
    Lambda,
    Place,
    Value,
    Variable,
)
from topomem.link.world import World
from topomem.model.ids import FilePath, LanguageName, QualifiedName

if TYPE_CHECKING:
    from topomem.link.strategy import Namespace, Strategy

LEVELS = 12
"""Steps that a value is followed from a reference: bindings, results, members, call sites."""

PASSING_COST = 2
"""Steps that going from a parameter to its callers takes."""

MOST_ITEMS = 12
"""A value with more items than this says too little and is dropped."""

T = TypeVar("T", bound=Hashable)
Ts = TypeVarTuple("Ts")


class Evaluator:
    """Evaluates in the present snapshot of a world; what it worked out before is used again."""

    def __init__(
        self,
        world: World,
        strategies: Callable[[LanguageName], Strategy],
        results: Results | None = None,
    ) -> None:
        self.world = world
        self.strategy = strategies
        self.remembered = Results(world.numbering) if results is None else results
        self._exact = self.remembered.exact
        self._cut_short = self.remembered.cut_short
        self._height = 0
        self._cut = False
        self._here: tuple[FilePath, QualifiedName] | None = None
        self._values: dict[int, Value] = {}

    def ask(
        self,
        key: object,
        k: int,
        empty: T,
        rule: Callable[[Evaluator, *Ts], T],
        *args: *Ts,
    ) -> T:
        """Return `rule(self, *args)`, remembered under `key` as the module's docstring says.

        The last argument must be `k - 1`, the steps left to the rule.
        """
        entry = self._exact.get(key)
        if (
            entry is not None
            and entry.height <= k
            and (entry.checked == self.remembered.snapshot or self.remembered.stands(entry))
        ):
            self.world.asked.append((entry, k, args))
            self._height = max(self._height, entry.height)
            return entry.value  # type: ignore[return-value]  # stored under this key by this rule
        if k <= 0:
            self._cut = True
            return empty
        return self._work_out(key, k, 1, empty, rule, *args)

    def keep(self, key: object, k: int, rule: Callable[[Evaluator, *Ts], T], *args: *Ts) -> T:
        """Return `rule(self, *args)`, remembered as by `ask`, where that takes no step of its own.

        The last argument must be `k`.
        """
        entry = self._exact.get(key)
        if entry is not None and entry.height <= k and self.remembered.stands(entry):
            self.world.asked.append((entry, k, args))
            self._height = max(self._height, entry.height)
            return entry.value  # type: ignore[return-value]  # stored under this key by this rule
        return self._work_out(key, k, 0, (), rule, *args)

    def knows(self, key: object, k: int) -> bool:
        """Tell whether `ask` has the answer for this key; no answer may depend on that."""
        entry = self._exact.get(key)
        return entry is not None and entry.height <= k and self.remembered.stands(entry)

    def ask_again(self, entry: Entry, k: int, args: tuple[Any, ...]) -> Entry | None:
        """Return a result in the present snapshot, None where no step is left for it."""
        world = self.world
        asked, height, cut = world.asked, self._height, self._cut
        made: list[Any] = []
        world.asked = made
        rule: Any = entry.rule
        if entry.step:
            self.ask(entry.key, k, entry.empty, rule, *args)
        else:
            self.keep(entry.key, k, rule, *args)
        world.asked, self._height, self._cut = asked, height, cut
        return made[-1][0] if made else None

    def _work_out(
        self,
        key: object,
        k: int,
        step: int,
        empty: Hashable,
        rule: Callable[[Evaluator, *Ts], T],
        *args: *Ts,
    ) -> T:
        world = self.world
        entry = self._cut_short.get((key, k))
        if entry is not None and self.remembered.stands(entry):
            world.asked.append((entry, k, args))
            self._cut = True
            return entry.value  # type: ignore[return-value]
        asked, height, cut = world.asked, self._height, self._cut
        world.asked, self._height, self._cut = [], 0, False
        value = rule(self, *args)
        entry = Entry(self, key, rule, value, world.asked, self.remembered.snapshot)
        entry.height = self._height + step
        entry.step = step
        entry.empty = empty
        entry.cut = self._cut
        world.asked = asked
        asked.append((entry, k, args))
        if entry.cut:
            self._cut_short[key, k] = entry
            self._height, self._cut = height, True
        else:
            self._exact[key] = entry
            self._height, self._cut = max(entry.height, height), cut
        return value

    def remember(
        self,
        key: object,
        empty: T,
        rule: Callable[[Evaluator, *Ts], T],
        *args: *Ts,
    ) -> T:
        """Return `rule(self, *args)` remembered under `key`: for rules that follow no values."""
        return self.ask(key, LEVELS, empty, rule, *args)

    # strategies

    def strategy_of(self, path: FilePath) -> Strategy:
        """Return the strategy of the language of a file that an answer led to."""
        view = self.world.file(path)
        assert view is not None  # noqa: S101  answers name files of the snapshot only
        return self.strategy(view.language)

    def are_akin(self, path: FilePath, other: FilePath) -> bool:
        """Tell whether code of one file can use that of the other: equal names prove nothing."""
        return type(self.strategy_of(path)) is type(self.strategy_of(other))

    def folder_strategy(self, folder: Folder) -> Strategy:
        """Return the strategy of the language of the first file in or below a folder."""
        return self.strategy(self.world.folder_language(folder.path))

    # names

    def names(self, path: FilePath, scope: QualifiedName, op: int, name: str) -> tuple[Found, ...]:
        """Return what `name` means at an op of a region; imports are not followed."""
        return lookup.names(self, path, scope, op, name)

    def meaning(
        self, path: FilePath, scope: QualifiedName, op: int, name: str
    ) -> tuple[Found, ...]:
        """Return what `name` means at an op of a region, imports followed."""
        return lookup.meaning(self, path, scope, op, name)

    def module_name(self, path: FilePath, name: str) -> tuple[Found, ...]:
        """Return what the module's own scope and its star imports say of `name`."""
        return lookup.module_name(self, path, name)

    def exported(self, space: Namespace, name: str) -> tuple[Found, ...]:
        """Return what `name` of a module, folder or outside thing is, one step only."""
        return lookup.exported(self, space, name)

    def follow(self, found: tuple[Found, ...]) -> tuple[Found, ...]:
        """Follow imports and re-exports to their ends."""
        return lookup.follow(self, found)

    # classes

    def bases(self, owner: Definition, k: int) -> tuple[Item, ...]:
        """Return the direct bases of a class, in order."""
        strategy = self.strategy_of(owner.path)
        return self.ask(("bases", owner), k, (), strategy.bases, owner, k - 1)

    def written_bases(self, owner: Definition, k: int) -> tuple[Item, ...]:
        """Return what the header of a class names as its bases."""
        return classes.written_bases(self, owner, k)

    def order(self, owner: Definition, k: int) -> tuple[Item, ...]:
        """Return a class and its bases in the order in which members are looked up."""
        return self.ask(("order", owner), k, (owner,), classes.order, owner, k - 1)

    def heirs(self, owner: Definition, k: int) -> tuple[Definition, ...]:
        """Return the classes derived from a class."""
        return self.ask(("heirs", owner), k, (), classes.heirs, owner, k - 1)

    def class_name(self, owner: Definition, name: str) -> tuple[Found, ...]:
        """Return what a class itself says of `name`."""
        return classes.class_name(self, owner, name)

    def own_members(self, owner: Definition, name: str) -> tuple[Found, ...]:
        """Return the member that a class declares itself, as its language has it."""
        return self.strategy_of(owner.path).own_members(self, owner, name)

    def members(self, item: Item, name: str, k: int) -> tuple[Found, ...]:
        """Return what `item.name` is."""
        return self.ask(("member", item, name), k, (), classes.members, item, name, k - 1)

    def member_places(self, value: Value, name: str) -> tuple[Found, ...]:
        """Return what `.name` of any item of a value is, with all steps left."""
        return expressions.member_places(self, value, name, LEVELS)

    def has_decorators(self, function: Definition) -> bool:
        """Tell whether decorators may make something else of a definition."""
        return classes.has_decorators(self, function)

    def assigned(self, place: Variable, receiver: Item, k: int) -> tuple[Variable, ...]:
        """Return the variables of the same name in the classes before the declaring one."""
        return classes.assigned(self, place, receiver, k)

    def is_class(self, item: Definition) -> bool:
        """Tell whether a definition has members."""
        return classes.is_class(self, item)

    # values

    def value_of(self, place: Place, k: int) -> Value:
        """Return the value of a place."""
        if isinstance(place, Variable):
            return self.ask(place, k, NOTHING, variables.variable_value, place, k - 1)
        if isinstance(place, Definition):
            return self.ask(place, k, NOTHING, variables.decorated, place, k - 1)
        return frozenset({place})

    def value_at(self, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
        """Return the value of an expression."""
        return expressions.value_at(self, path, scope, op, k)

    def read(self, found: tuple[Found, ...], k: int) -> Value:
        """Return the value of places read through their receivers."""
        return expressions.read(self, found, k)

    def written_type(self, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
        """Return what a written type says, by the rules that all languages share."""
        return variables.written_type(self, path, scope, op, k)

    def results(self, function: Definition, k: int) -> Value:
        """Return what a call of a function gives, in terms of its parameters and receiver."""
        return self.ask(("results", function), k, NOTHING, calls.results, function, k - 1)

    def call(self, item: Item, site: calls.Site, k: int) -> Value:
        """Return what a call of `item` at `site` gives."""
        return calls.call(self, item, site, k)

    def passed(self, item: Argument, k: int) -> Value:
        """Return what callers pass for a parameter (an `Argument`), its default included."""
        key = ("passed", item)
        return self.ask(key, k - PASSING_COST, NOTHING, passing.passed, item, k - PASSING_COST - 1)

    def callers(self, function: Definition | Lambda, k: int) -> tuple[calls.Site, ...]:
        """Return the calls that may call a function or lambda."""
        return self.ask(("callers", function), k, (), passing.callers, function, k - 1)

    def results_of(self, function: Definition | Lambda, k: int) -> Value:
        """Return what a call of a function or lambda gives, in terms of its parameters."""
        if isinstance(function, Lambda):
            key = ("results", function)
            return self.ask(key, k, NOTHING, calls.lambda_results, function, k - 1)
        return self.results(function, k)

    def yielded(self, item: Generator, k: int) -> Value:
        """Return what a generator yields."""
        return self.ask(("yielded", item), k, NOTHING, calls.yielded, item, k - 1)

    def decorated_to(self, place: Definition, count: int, k: int) -> Value:
        """Return the value of a definition with its `count` innermost decorators applied."""
        key = ("decorated", place, count)
        rule = variables.decorated_to
        return self.ask(key, k, frozenset({place}), rule, place, count, k - 1)

    def invoked(self, item: Instance, use: str, k: int) -> Value:
        """Return what a use of an object that calls a method of it gives."""
        found: set[Item] = set()
        for name in self.strategy_of(item.path).special_method(use):
            for one in self.members(item, name, k):
                if isinstance(one.place, Definition):
                    results = self.results(one.place, k)
                    found |= {
                        result._replace(receiver=item)
                        if isinstance(result, Generator)
                        else self.seen_from(result, item, k)
                        for result in results
                    }
        return self.limited(found)

    def indexed(self, path: FilePath, scope: QualifiedName, op: int, value: Value, k: int) -> Value:
        """Return `value[key]` for an INDEX of a region."""
        return collections.indexed(self, path, scope, op, value, k)

    def undecorated_at(self, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
        """Return the value of a name or member, definitions as they are without decorators."""
        return expressions.undecorated_at(self, path, scope, op, k)

    def type_places(
        self, path: FilePath, scope: QualifiedName, op: int, k: int
    ) -> tuple[Place, ...]:
        """Return the places that a written name or member in a type leads to."""
        return tuple(one.place for one in expressions.places_at(self, path, scope, op, k))

    # receivers

    def receiver_form(self, function: Definition) -> str:
        """Return how a function is given its receiver: `method`, `class`, `static`, `function`."""
        return classes.receiver_form(self, function)

    def receiver_of(self, function: Definition) -> Item | None:
        """Return what the first parameter of a function stands for, None when callers say."""
        return classes.receiver_of(self, function)

    def is_property(self, function: Definition) -> bool:
        """Tell whether reading a function as a member calls it."""
        return classes.is_property(self, function)

    def is_marker(self, function: Definition, role: int) -> bool:
        """Tell whether a decorator only marks how a function is bound."""
        return classes.is_marker(self, function, role)

    def seen_from(self, item: Item, receiver: Item, k: int) -> Item:
        """Return what `item` is when the receiver of the function it comes from is known."""
        return classes.seen_from(self, item, receiver, k)

    # bounds, and what is known of the region at hand

    def stopped(self) -> Value:
        """Say that an answer was cut for lack of steps; returns nothing."""
        self._cut = True
        return NOTHING

    def limited(self, found: Iterable[Item]) -> Value:
        """Return a value, or nothing when it has too many items to say much."""
        value = found if isinstance(found, frozenset) else frozenset(found)
        return value if len(value) <= MOST_ITEMS else NOTHING

    def move(self, stale: Iterable[int], changed: Iterable[int]) -> None:
        """Go to the next snapshot; see `Results.move`."""
        self._here = None
        self._values = {}
        self.remembered.move(stale, changed)

    def enter(self, path: FilePath, scope: QualifiedName) -> None:
        """Begin with a region: values of its expressions are kept until the next one."""
        self._here = (path, scope)
        self._values = {}

    def known(self, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value | None:
        """Return the value of an expression of the region at hand, if it was worked out."""
        if k == LEVELS and self._here == (path, scope):
            return self._values.get(op)
        return None

    def know(self, path: FilePath, scope: QualifiedName, op: int, k: int, value: Value) -> None:
        """Keep the value of an expression of the region at hand."""
        if k == LEVELS and self._here == (path, scope):
            self._values[op] = value

    def elements(self, item: Item, key: str, k: int) -> Value:
        """Return what stands in a collection under a literal key, `` for anywhere."""
        return self.ask(("element", item, key), k, NOTHING, collections.elements, item, key, k - 1)

    def iterated(self, value: Value, k: int) -> Value:
        """Return what a loop over a value takes."""
        return collections.iterated(self, value, k)

    def builtin_kind(self, item: Item) -> str:
        """Return the name of the builtin type of a written value, `` when it has none."""
        return collections.builtin_kind(self, item)
