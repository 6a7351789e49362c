"""Every test runs apart from the machine: no git settings, no git variables, an empty home."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "gate",
    deadline=None,
    max_examples=30,
    derandomize=True,  # the gate says the same thing twice; `search` looks for news
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", settings.get_profile("gate"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))

for _name in [name for name in os.environ if name.startswith(("GIT_", "TOPOMEM_"))]:
    del os.environ[_name]  # a hook may have set them; every process that tests start inherits this


@pytest.fixture(scope="session", autouse=True)
def _empty_home() -> Iterator[None]:
    """Give git, and the library that reads its settings, a home without any."""
    with tempfile.TemporaryDirectory(prefix="home-") as home:
        wanted = {
            "HOME": home,
            "XDG_CONFIG_HOME": home,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        yield
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@pytest.fixture
def root() -> Path:
    """Return the folder of the checkout."""
    return Path(__file__).resolve().parent.parent
