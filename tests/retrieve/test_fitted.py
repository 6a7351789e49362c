"""The numbers of the model are data, and explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from topomem.retrieve.fitted import fitted, read_model


@pytest.fixture(name="text")
def _text(root: Path) -> str:
    return (root / "topomem/retrieve/model.json").read_text("utf-8")


def test_every_number_is_explained(text: str) -> None:
    data = json.loads(text)
    for part in ("words", "lore", "weights"):
        for name, one in data[part].items():
            assert set(one) == {"value", "says"}, name
            assert len(one["says"]) > len("short"), name


def test_the_packaged_model_is_that_of_the_file(text: str) -> None:
    assert fitted() == read_model(text)
    assert fitted().version
    assert all(key == key.lower() for key in fitted().fitted_on)


def test_a_number_too_many_or_too_few_is_refused(text: str) -> None:
    data = json.loads(text)
    data["words"]["magic"] = {"value": 1, "says": "nothing"}
    with pytest.raises(TypeError):
        read_model(json.dumps(data))
    del data["words"]["magic"], data["words"]["name"]
    with pytest.raises(TypeError):
        read_model(json.dumps(data))
