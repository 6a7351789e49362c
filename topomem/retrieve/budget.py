"""How much may be printed, and what things take of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from topomem.model.bundle import Bundle, Passage
from topomem.retrieve.render import markdown, printed_item
from topomem.retrieve.tokens import TokenCount, estimate

COMMIT_TOKENS = 3
"""Tokens of one abbreviated commit id in an item's list."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit in tokens.

    `printed` makes the document whose tokens are bounded, wrapping included. None bounds the sum of
    the items as `printed_item` gives them and of what is said beside them: for comparisons with
    searches that print no document.
    """

    tokens: int
    count: TokenCount = field(default_factory=lambda: TokenCount("estimate", estimate))
    printed: Callable[[Bundle], str] | None = markdown

    def item(self, passage: Passage, empty: Bundle) -> int:
        """Return how many tokens an item adds to a bundle that is `empty` without it."""
        return self.prices(empty)(passage)

    def prices(self, empty: Bundle) -> Callable[[Passage], int]:
        """Return what tells how many tokens an item adds to a bundle that is `empty` without it."""
        printed = self.printed
        if printed is None:
            return self._item
        frame = self.count.count(printed(empty))

        def price(passage: Passage) -> int:
            return self.count.count(printed(replace(empty, items=(passage,)))) - frame

        return price

    def document(self, made: Bundle) -> int:
        """Return how many tokens a bundle takes."""
        if self.printed is not None:
            return self.count.count(self.printed(made))
        beside = [*(f"{left.count} {left.kind} {left.best}" for left in made.left_out), *made.notes]
        return sum(map(self._item, made.items)) + self.count.count("\n".join(beside))

    def _item(self, passage: Passage) -> int:
        return self.count.count(printed_item(passage)) + COMMIT_TOKENS * len(passage.commits)
