"""One indexed shop for all questions; none of them writes."""

from __future__ import annotations

import pytest
from support.shop import shop

import topomem
from topomem.api.memory import Memory


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("shop")
    shop(folder)
    opened = topomem.open(folder)
    opened.index()
    return opened
