"""Aliases of one commit and one parent: what is one thing, what came out of what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log

from topomem.lineage.calibration import Calibration, calibration
from topomem.lineage.candidates import candidates
from topomem.lineage.changes import between
from topomem.lineage.derived import Drawn, Leftover, derived
from topomem.lineage.evidence import Context, evidence, names_in, stand_out, word_weights
from topomem.lineage.kinds import changes_package, identity_kind
from topomem.lineage.matching import match, shares
from topomem.lineage.members import by_members
from topomem.lineage.pool import Pool, pool
from topomem.lineage.symbols import CLASS, FUNCTION, MODULE, VALUE, FilePair, Symbol, symbols
from topomem.model.history import REUSED, Alias, SymbolChange
from topomem.model.ids import CommitId, FilePath, QualifiedName

Key = tuple[FilePath, QualifiedName]

_LEAST = 0.1
"""Confidence below which a pair is not even told as a candidate."""

_FLOOR = log(0.04 / 0.96)
"""Log-odds below which a pair is not considered."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is compared: a commit, one of its parents, and the files that differ."""

    commit: CommitId
    parent: CommitId
    files: Sequence[FilePair]
    message: str = ""


@dataclass(frozen=True, slots=True)
class Lineage:
    """What was found. `left_out`: how many pairs a limit kept from being compared.

    `changed`: what differs of symbols that are the same and kept their keys, sorted.
    """

    aliases: tuple[Alias, ...]
    compared: int = 0
    left_out: int = 0
    changed: tuple[SymbolChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair that was compared: what the model is fitted on."""

    group: int
    old: Symbol
    new: Symbol
    evidence: Mapping[str, float]


@dataclass(slots=True)
class _Found:
    """Pairs chosen so far, and the pairs that lost."""

    chosen: list[tuple[Symbol, Symbol, Alias]] = field(default_factory=list)
    lost: list[tuple[Symbol, Symbol, Alias]] = field(default_factory=list)
    stayed: list[tuple[Symbol, Symbol]] = field(default_factory=list)
    reused: list[Alias] = field(default_factory=list)
    compared: int = 0
    left_out: int = 0


def trace(
    step: Step,
    model: Calibration | None = None,
    watch: list[Compared] | None = None,
    drawn: list[Drawn] | None = None,
) -> Lineage:
    """Return the aliases of a step, in order of new and old key.

    Pure: equal input, equal output. What stands under the same key on both sides and is the same
    symbol has no alias. `watch` and `drawn` are given every pair that was compared.
    """
    return _Tracer(step, model or calibration(), watch, drawn).trace()


class _Tracer:
    """One step, from the outside in: files, classes, functions, then what is no region."""

    def __init__(
        self,
        step: Step,
        model: Calibration,
        watch: list[Compared] | None,
        drawn: list[Drawn] | None,
    ) -> None:
        self._step = step
        self._drawn = drawn
        self._watch = watch
        self._model = model
        self._files: dict[FilePath, FilePath] = {}
        self._containers: dict[tuple[FilePath, QualifiedName], tuple[FilePath, QualifiedName]] = {}
        self._found = _Found()
        self._repackaged = [pair for pair in step.files if changes_package(pair)]

    def trace(self) -> Lineage:
        """Return everything found."""
        open_ends = pool(self._step.files)
        if not (open_ends.old or open_ends.new or _renumbered(open_ends) or self._repackaged):
            return Lineage((), changed=_changed(open_ends.kept))
        context = Context(
            word_weights([*open_ends.old, *open_ends.new]),
            names_in(self._step.message),
            came=frozenset(one.simple for one in open_ends.new if one.kept is None),
        )
        for group in (MODULE, CLASS, FUNCTION, VALUE):
            self._match(group, open_ends, context)
        self._follow_members(open_ends)
        return self._lineage(open_ends)

    def _match(self, group: int, open_ends: Pool, context: Context) -> None:
        """Choose pairs of one group of symbols."""
        old = [symbol for symbol in open_ends.old if symbol.group == group]
        new = [symbol for symbol in open_ends.new if symbol.group == group]
        if not old or not new:
            self._settle_kept(old, {})
            return
        context = replace(context, files=self._files, containers=self._containers)
        wanted = candidates(old, new, context)
        self._found.compared += len(wanted.pairs)
        self._found.left_out += wanted.left_out
        numbers = {id(symbol): number for number, symbol in enumerate(old)}
        numbers |= {id(symbol): number for number, symbol in enumerate(new)}
        scores: dict[tuple[int, int], float] = {}
        features: dict[tuple[int, int], dict[str, float]] = {}
        every = [evidence(one, other, context) for one, other in wanted.pairs]
        stand_out(wanted.pairs, every)
        for (one, other), found in zip(wanted.pairs, every, strict=True):
            if self._watch is not None:
                self._watch.append(Compared(group, one, other, found))
            odds = self._model.log_odds(group, found)
            if odds > _FLOOR:
                pair = numbers[id(one)], numbers[id(other)]
                features[pair] = found
                scores[pair] = odds - _FLOOR
        chosen = match(scores)
        share = shares(scores, chosen)
        kept_pairs: dict[int, float] = {}
        for pair in sorted(scores):
            one, other = old[pair[0]], new[pair[1]]
            alone = self._model.probability(scores[pair] + _FLOOR)
            confidence = alone * share[pair]
            is_chosen = chosen.get(pair[0]) == pair[1]
            if one.kept is other:
                if is_chosen:
                    kept_pairs[id(one)] = confidence
                continue
            alias = self._alias(one, other, confidence, alone, features[pair])
            if is_chosen and confidence >= self._model.threshold:
                alias = replace(alias, changes=between(one, other))
                self._found.chosen.append((one, other, alias))
                self._learn(group, one, other)
            elif confidence >= _LEAST:
                self._found.lost.append((one, other, alias))
        self._settle_kept(old, kept_pairs)

    def _follow_members(self, open_ends: Pool) -> None:
        """Pair classes that are still open by their methods: where most of one went to another."""
        matched = {id(end) for old, new, _ in self._found.chosen for end in (old, new)}
        gone, came = (
            {one.key: one for one in side if one.group == CLASS and id(one) not in matched}
            for side in (open_ends.old, open_ends.new)
        )
        for (old, new), share in by_members(self._found.chosen, gone, came):
            confidence = self._model.of_members(share)
            if confidence < self._model.threshold:
                continue
            alias = replace(
                self._alias(gone[old], came[new], confidence, confidence, {"members": share}),
                evidence=(("members", round(share, 3)),),
                changes=between(gone[old], came[new]),
            )
            ends = alias.old, alias.new
            self._found.lost = [one for one in self._found.lost if (one[2].old, one[2].new) != ends]
            self._found.chosen.append((gone[old], came[new], alias))
            self._learn(CLASS, gone[old], came[new])
        self._found.chosen = [
            (old, new, replace(alias, kind=self._kind(old, new)))
            for old, new, alias in self._found.chosen
        ]

    def _settle_kept(self, old: Sequence[Symbol], kept: dict[int, float]) -> None:
        """Say of doubtful names whether they are still the same symbol."""
        for symbol in old:
            if symbol.kept is None:
                continue
            sure = kept.get(id(symbol), 0.0)
            if sure >= self._model.threshold:
                self._found.stayed.append((symbol, symbol.kept))
                continue
            self._found.reused.append(
                Alias(
                    self._step.commit, self._step.parent, symbol.at, symbol.kept.at, REUSED,
                    round(1.0 - sure, 4), (("kept", round(sure, 3)),), round(1.0 - sure, 4),
                )
            )  # fmt: skip

    def _learn(self, group: int, old: Symbol, new: Symbol) -> None:
        """Let what stands inside a file or class expect to be found inside its new one."""
        if group == MODULE:
            self._files[old.path] = new.path
        elif group == CLASS:
            self._containers[old.path, old.name] = new.path, new.name

    def _alias(
        self,
        old: Symbol,
        new: Symbol,
        confidence: float,
        alone: float,
        features: dict[str, float],
    ) -> Alias:
        return Alias(
            self._step.commit, self._step.parent, old.at, new.at, self._kind(old, new),
            round(confidence, 4), self._model.strongest(old.group, features), round(alone, 4),
        )  # fmt: skip

    def _kind(self, old: Symbol, new: Symbol) -> str:
        above = self._containers.get(
            (old.path, old.above), (self._files.get(old.path, old.path), old.above)
        )
        return identity_kind(old, new, came_along=above == (new.path, new.above))

    def _in_other_packages(self, told: Collection[Key]) -> list[Alias]:
        """Return what its file took along into another package, under its old path and name."""
        return [
            Alias(
                self._step.commit, self._step.parent, old.at, new.at,
                "move" if new.group == CLASS and not new.above else "container", 1.0,
                (("package", 1.0),), 1.0, between(old, new),
            )
            for pair in self._repackaged
            for old, new in _both_sides(pair)
            if new.key not in told
        ]  # fmt: skip

    def _taken_over(
        self, kept: Sequence[tuple[Symbol, Symbol]], came: Sequence[Symbol]
    ) -> list[Alias]:
        """Return the keys that a new symbol has of one that is numbered otherwise now."""
        renumbered = {old.key: old for old, new in kept if old.name != new.name}
        return [
            Alias(self._step.commit, self._step.parent, old.at, new.at, REUSED, 1.0, (), 1.0)
            for new in came
            if (old := renumbered.get(new.key)) is not None
        ]

    def _lineage(self, open_ends: Pool) -> Lineage:
        found = self._found
        survivors = [(one, other) for one, other, _ in found.chosen]
        taken = {id(symbol) for pair in survivors for symbol in pair}
        doubtful = {id(one) for one, _ in open_ends.doubtful}
        kept = [pair for pair in open_ends.kept if id(pair[0]) not in doubtful]
        stayed = kept + found.stayed
        taken |= {id(symbol) for pair in found.stayed for symbol in pair}
        leftover = Leftover(
            gone=[symbol for symbol in open_ends.old if id(symbol) not in taken],
            came=[symbol for symbol in open_ends.new if id(symbol) not in taken],
            stayed=stayed,
            moved=found.chosen,
            files=self._step.files,
        )
        step = self._step.commit, self._step.parent
        made = derived(leftover, step, self._model, self._drawn)
        identity = [alias for _, _, alias in found.chosen if id(alias) not in made.replaced]
        candidate = [alias for _, _, alias in found.lost]
        renumbered = [
            Alias(
                self._step.commit,
                self._step.parent,
                one.at,
                other.at,
                "renumbered",
                1.0,
                (),
                1.0,
                between(one, other),
            )
            for one, other in kept
            if one.name != other.name
        ]
        found.reused += self._taken_over(kept, leftover.came)
        every = [*identity, *candidate, *made.aliases, *found.reused, *renumbered]
        told = {(one.new.path, one.new.name) for one in (*identity, *found.reused, *renumbered)}
        every += self._in_other_packages(told)
        return Lineage(
            tuple(sorted(every, key=_order)), found.compared, found.left_out, _changed(stayed)
        )


def _both_sides(pair: FilePair) -> Iterator[tuple[Symbol, Symbol]]:
    """Yield what stands under the same name in both versions of a file, but not the file."""
    if pair.old is None or pair.new is None:
        return
    before = {one.key: one for one in symbols(pair.old, range(len(pair.old.blob.placements)))}
    for new in symbols(pair.new, range(len(pair.new.blob.placements))):
        old = before.get(new.key)
        if old is not None and new.name and old.group == new.group:
            yield old, new


def _changed(pairs: Iterable[tuple[Symbol, Symbol]]) -> tuple[SymbolChange, ...]:
    """Return what changed of symbols that kept their keys."""
    told = [
        SymbolChange(new.path, new.name, kinds)
        for old, new in pairs
        if old.name == new.name and (kinds := between(old, new))
    ]
    return tuple(sorted(told))


def _renumbered(open_ends: Pool) -> bool:
    return any(one.name != other.name for one, other in open_ends.kept)


def _order(alias: Alias) -> tuple[object, ...]:
    return alias.new.path, alias.new.name, -alias.confidence, alias.old.path, alias.old.name


def by_new_key(aliases: Iterable[Alias]) -> dict[tuple[FilePath, QualifiedName], list[Alias]]:
    """Return aliases by the key of their new end."""
    found: dict[tuple[FilePath, QualifiedName], list[Alias]] = {}
    for alias in aliases:
        found.setdefault((alias.new.path, alias.new.name), []).append(alias)
    return found
