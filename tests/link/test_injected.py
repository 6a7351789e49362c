"""Parameters that a framework of tests fills with the results of fixtures."""

from __future__ import annotations

from support.links import check_edges, edges_of

APP = """
class Client:
    def get(self): ...

class App:
    def run(self): ...
    def client(self) -> Client:
        return Client()
"""

SHARED = """
import pytest
from app import App

@pytest.fixture
def app():
    app = App()
    return app

@pytest.fixture()
def client(app):
    return app.client()

@pytest.fixture
def running(app):
    yield app

def plain():
    return App()
"""


def test_fixtures_of_folders_above_and_chains_of_them() -> None:
    check_edges(
        {
            "app.py": APP,
            "tests/conftest.py": SHARED,
            "tests/deep/test_it.py": "def test_a(app, client, running):\n"
            "    app.run()\n    client.get()\n"
            "def test_b(running):\n    running.client()\n",
        },
        [
            "calls tests/deep/test_it.py#test_a -> app.py#App.run",
            "calls tests/deep/test_it.py#test_a -> app.py#Client.get",
            "calls tests/deep/test_it.py#test_b -> app.py#App.client",
            "calls tests/conftest.py#client -> app.py#App.client",
        ],
    )


def test_the_nearest_fixture_counts() -> None:
    found = edges_of(
        {
            "app.py": APP,
            "tests/conftest.py": SHARED,
            "tests/test_it.py": "import pytest\nfrom app import Client\n"
            "@pytest.fixture\ndef app(app):\n    return Client()\n"
            "class TestAll:\n    @pytest.fixture\n    def own(self):\n        return Client()\n"
            "    def test_a(self, app, own):\n        app.get()\n        app.run()\n"
            "        own.get()\n",
        }
    )
    assert "calls tests/test_it.py#TestAll.test_a -> app.py#Client.get" in found
    assert "calls tests/test_it.py#TestAll.test_a -> app.py#App.run" not in found


def test_only_fixtures_fill_parameters_and_only_of_tests() -> None:
    found = edges_of(
        {
            "app.py": APP,
            "conftest.py": SHARED,
            "tests/test_it.py": "def test_a(plain):\n    plain.run()\n",
            "other.py": "def use(app):\n    app.run()\n",
        }
    )
    assert not [line for line in found if line.endswith("app.py#App.run")]
