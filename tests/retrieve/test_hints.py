"""Hints of an embedder, and answers for which time ran out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import ArrayLike
from support.library import Asker

from topomem.model.bundle import Bundle
from topomem.retrieve.budget import Budget
from topomem.retrieve.bundle import Request, bundle
from topomem.retrieve.hints import Embedder
from topomem.retrieve.items import Moment
from topomem.retrieve.tokens import token_count
from topomem.store.search import Search


class Letters:
    """Finds texts alike that have a letter in common which the task doubles."""

    name = "letters"

    def embed(self, texts: Sequence[str]) -> ArrayLike:
        doubled = [[text.count(one * 2) for one in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return np.array(doubled, np.float32)


class Broken:
    name = "broken"

    def embed(self, texts: Sequence[str]) -> ArrayLike:
        return [[float("nan")] for _ in texts] if len(texts) % 2 else []


def ask(library: Asker, task: str, tokens: int = 1500, **more: object) -> Bundle:
    budget = Budget(tokens, token_count("estimate"))
    with library.indexed.store.read() as reader:
        search = Search(reader.open_snapshot(library.ids["c1"]).connection)
        request = Request(task, budget, **more)  # type: ignore[arg-type]
        return bundle(search, Moment(library.ids["c1"]), library.read, request)


def test_a_hint_is_a_name_behind_everything_else(library: Asker) -> None:
    # the path of `Flask` has a doubled p, as the task has
    found = ask(library, "reconcile zapp", embedder=Letters())
    hints = [item for item in found.items if item.kind == "hint"]
    assert {item.path for item in hints} == {"lib/app.py"}
    assert found.items[-len(hints) :] == tuple(hints)
    assert all(item.detail == "name" and not item.text for item in hints)
    assert {item.provenance.source for item in hints} == {"letters"}
    assert found.mode.endswith(", hints")


def test_nothing_is_hinted_where_nothing_is_alike(library: Asker) -> None:
    plain = ask(library, "build of an endpoint")
    assert ask(library, "build of an endpoint", embedder=Letters()) == plain


@pytest.mark.parametrize("embedder", [Broken()])
def test_a_broken_embedder_hints_at_nothing(library: Asker, embedder: Embedder) -> None:
    assert ask(library, "url_for", embedder=embedder) == ask(library, "url_for")


def test_what_time_leaves_out_is_told(library: Asker) -> None:
    whole, late = ask(library, "url_for"), ask(library, "url_for", is_late=lambda: True)
    assert late.items[0] == whole.items[0]
    assert late.mode == "exact, lexical, degraded"
    assert late.notes == ("time ran out: history, edges, records not looked at",)


def test_a_late_answer_to_nothing_is_degraded_not_empty(library: Asker) -> None:
    found = ask(library, "quixotry", is_late=lambda: True)
    assert found.mode == "nothing, degraded"


def test_hints_exceed_no_budget(library: Asker) -> None:
    for tokens in range(200, 700, 50):
        found = ask(library, "reconcile zapp", tokens, embedder=Letters())
        assert found.used_tokens <= tokens
