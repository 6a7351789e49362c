"""Who owns a file."""

from __future__ import annotations

from topomem.model.ids import FilePath
from topomem.units.owners import Owners


def check(text: str, expected: dict[str, str]) -> None:
    owners = Owners(text)
    assert {path: " ".join(owners.of(FilePath(path))) for path in expected} == expected


def test_the_last_rule_that_matches_wins() -> None:
    check(
        """
# everything
*            @all
/src/        @core ada@example.org  # inline
*.py         @python
src/free.py
docs/a\\ b.md @docs
""",
        {
            "x.c": "@all",
            "src/x.c": "@core ada@example.org",
            "src/x.py": "@python",
            "src/free.py": "",
            "docs/a b.md": "@docs",
        },
    )
    check("", {"x": ""})


def test_a_star_behind_a_folder_stays_in_it() -> None:
    check("docs/* @d\n", {"docs/a.md": "@d", "docs/deep/a.md": "", "x/docs/a.md": ""})
    check("docs/ @d\n", {"docs/deep/a.md": "@d", "x/docs/a.md": "@d"})
    check("/docs/ @d\n", {"docs/deep/a.md": "@d", "x/docs/a.md": ""})


def test_every_section_has_its_say() -> None:
    check(
        """
* @all
[Docs] @writers
*.md
readme.md @ada
^[Data][2] @db
/data/ @db @ops
!/data/free.md
[docs]
*.rst
""",
        {
            "a.md": "@all @writers",
            "readme.md": "@all @ada",
            "data/x.md": "@all @writers @db @ops",
            "data/free.md": "@all @writers",
            "a.rst": "@all @writers",
        },
    )


def test_what_is_no_rule_is_passed_over() -> None:
    check("!a @x\n*.c nobody @team/\n[ @y\n", {"a": "", "x.c": ""})


def test_each_owner_comes_with_its_line() -> None:
    owners = Owners("* @a\n[S]\nx @b\n", FilePath("CODEOWNERS"))
    found = [(one.owner, one.line, one.section) for one in owners.owning(FilePath("x"))]
    assert found == [("@a", 1, ""), ("@b", 3, "S")]
