"""Who owns a file."""

from __future__ import annotations

from topomem.model.ids import FilePath
from topomem.records.owners import Owners

RULES = """
# everything
*            @all
/src/        @core ada@example.org  # inline
*.py         @python
src/free.py
[Section]
docs/a\\ b.md @docs
"""


def test_the_last_rule_that_matches_wins() -> None:
    owners = Owners(RULES)
    assert owners.of(FilePath("x.c")) == ("@all",)
    assert owners.of(FilePath("src/x.c")) == ("@core", "ada@example.org")
    assert owners.of(FilePath("src/x.py")) == ("@python",)
    assert owners.of(FilePath("src/free.py")) == ()
    assert owners.of(FilePath("docs/a b.md")) == ("@docs",)
    assert Owners("").of(FilePath("x")) == ()
