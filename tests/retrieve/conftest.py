"""One indexed repository for all questions."""

from __future__ import annotations

import pytest
from support.history import build
from support.indexed import Indexed
from support.library import LIBRARY, Asker


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Asker:
    folder = tmp_path_factory.mktemp("library")
    history = build(LIBRARY, folder / "repository")
    indexed = Indexed(history, folder / "store")
    indexed.run()
    return Asker(indexed, history.ids)
