"""What was tried is noticed when its subject is named, without a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import build

import topomem
from topomem.api.episode_publishing import publish_episodes
from topomem.api.episode_writing import Linked, NewEvent
from topomem.api.memory import Memory
from topomem.api.notice import Notice, notice
from topomem.model.episode import START
from topomem.store.locks import Patience, room

TEXT = """
=== c1
--- shop/prices.py
def round_tax(amount):
    return amount
"""


@pytest.fixture(name="memory")
def _memory(tmp_path: Path) -> Memory:
    build(TEXT, tmp_path).checkout()
    memory = topomem.open(tmp_path)
    memory.index(jobs=1)
    return memory


def told(memory: Memory, text: str) -> list[tuple[str, str, str]]:
    assert memory.top is not None
    found: Notice = notice(text, "", memory.top)
    return [
        (one.subject, known.name, known.state)
        for one in found.subjects
        for known in one.best
        if known.kind == "episode"
    ]


def test_naming_a_symbol_a_path_or_a_ticket_brings_what_was_tried(memory: Memory) -> None:
    links = Linked(symbols=("shop/prices.py#round_tax",), issues=("#7",))
    key = memory.start_episode("Use decimals", NewEvent(START, links=links)).id
    assert told(memory, "look at round_tax") == [("round_tax", "Use decimals", "open")]
    memory.finish_episode(key, "failed", "it is slow")
    for text, subject in (
        ("look at round_tax", "round_tax"),
        ("see shop/prices.py", "shop/prices.py"),
        ("what of #7?", "#7"),
    ):
        assert told(memory, text) == [(subject, "Use decimals", "failed")]
    assert told(memory, "look at other_name") == []


def test_what_is_superseded_is_not_noticed(memory: Memory) -> None:
    links = Linked(issues=("#7",))
    old = memory.start_episode("Use decimals", NewEvent(START, links=links)).id
    new = memory.start_episode("Use cents", NewEvent(START, links=links)).id
    memory.supersede_episode(old, new, "better")
    assert told(memory, "what of #7?") == [("#7", "Use cents", "open")]


def test_publishing_waits_for_nobody(memory: Memory) -> None:
    memory.start_episode("Use decimals")
    opened = memory._opened
    with room(opened.store.folder, Patience(1), exclusive=True):
        assert publish_episodes(opened) is False
    assert publish_episodes(opened) is True
