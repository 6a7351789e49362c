"""A small indexed repository and questions to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from support.indexed import Indexed

from topomem.git.repository import Repository
from topomem.model.bundle import Bundle
from topomem.model.ids import BlobId, CommitId, FilePath
from topomem.retrieve.budget import Budget
from topomem.retrieve.bundle import Request, bundle
from topomem.retrieve.items import SECOND, Moment
from topomem.retrieve.render import markdown
from topomem.retrieve.tokens import token_count
from topomem.store.search import Search

BIG = "".join(f"    part_{number} = ledger_step({number})\n" for number in range(400))

LIBRARY = f'''
=== c1
--- lib/app.py
"""The application."""
from lib.routes import url_for

class Flask:
    """Answers requests."""

    def redirect(self, location, code=302):
        """Send the browser to another location."""
        return make_response(location, code)

    def run(self):
        return self.redirect(url_for("index"))
--- lib/routes.py
def url_for(endpoint, **values):
    """Build the URL of an endpoint, subdomain included."""
    subdomain = values.pop("subdomain", None)
    if subdomain is None:
        raise LookupError("could not build url for endpoint without subdomain")
    return "/" + endpoint

def подписать(файл):
    """Ставит подпись на файл."""
    return файл
--- lib/ledger.py
def reconcile_ledger(entries):
    """Reconcile the ledger step by step."""
{BIG}    return part_1
--- tests/test_routes.py
from lib.routes import url_for

def test_url_for_subdomain():
    assert url_for("index", subdomain="admin") == "/index"
--- other/routes.py
def nothing_here():
    return None
=== c2 < c1
--- lib/routes.py
def build_link(endpoint, **values):
    """Build the link of an endpoint, telescope included."""
    return "/" + endpoint
'''


@dataclass
class Asker:
    """Asks questions of one indexed repository."""

    indexed: Indexed
    ids: dict[str, CommitId]
    repository: Repository = field(init=False)

    def __post_init__(self) -> None:
        self.repository = self.indexed.repository

    def read(self, path: FilePath, blob: BlobId) -> bytes | None:
        del path
        return self.repository.read(blob)

    def search(self, at: str, use: Callable[[Search], object]) -> object:
        with self.indexed.store.read() as reader:
            return use(Search(reader.open_snapshot(self.ids[at]).connection))

    def ask(
        self, task: str, tokens: int = 1500, *, count: str = "estimate", at: str = "c1"
    ) -> Bundle:
        printed = None if count == "chars4" else markdown
        budget = Budget(tokens, token_count(count), printed)
        with self.indexed.store.read() as reader:
            search = Search(reader.open_snapshot(self.ids[at]).connection)
            touched = partial(reader.last_edits, commit=self.ids[at], most=SECOND)
            request = Request(task, budget, touched=touched)
            return bundle(search, Moment(self.ids[at]), self.read, request)
