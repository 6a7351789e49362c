"""No value that looks like a secret comes out again: of code, records, messages, at any commit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from support.command import topomem
from support.facts import of_language
from support.history import History, build, git
from support.secrets_made import fill

from topomem.api.memory import open as open_memory
from topomem.extract.facts import extract
from topomem.extract.gates import DEFAULT_LIMITS
from topomem.index.masking import extract_masked, mask_region
from topomem.model.ids import BlobId

TOKEN = fill("ghp_<A36>")
DOTTED = fill("sk-<A12>.<A16>.<A20>")
DIGITS = fill("<H40>")
PASSWORD = "Zx81" + "qPw03n"
JOT = fill("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx<A30>.<W43>")
LINES = fill("<B64>\n<B64>\n<B40>==")
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{LINES}\n-----END RSA PRIVATE KEY-----"
VALUES = [TOKEN, DOTTED, DIGITS, PASSWORD, JOT, *LINES.split("\n")]

HISTORY = f'''
=== c1
--- app/client.py
"""Talks to the shop; the old token was {JOT}."""

API_TOKEN = "{TOKEN}"
KEY = """{KEY}"""


def connect(host, password="{PASSWORD}"):
    """Open a connection."""
    # the api key: {DIGITS}
    return open(host, apiKey=config.get("x"), key="{DOTTED}")
--- docs/adr/0001-keys.md
# Keys are kept in the vault

## Status

Accepted

## Decision

We no longer write password = "{PASSWORD}" into app/client.py.
=== c2 < c1
> client: forget the keys
>
> The one that was there, {TOKEN}, is void.
--- app/client.py
"""Talks to the shop."""


def connect(host, password):
    """Open a connection."""
    return open(host, apiKey=config.get("x"), key=password)
'''


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    found = build(HISTORY, tmp_path_factory.mktemp("history"))
    assert topomem("index", cwd=found.folder).code == 0
    return found


def test_how_many_texts_are_masked_is_told(tmp_path: Path) -> None:
    folder = build(HISTORY, tmp_path / "repository").folder
    document = topomem("index", "--json", cwd=folder).document
    assert [one for one in document["warnings"] if "secrets" in one] == [
        "3 definitions and messages hold values that look like secrets; they are masked"
    ]
    again = topomem("index", "--json", cwd=folder).document
    assert again["warnings"] == []


def test_answers_about_two_revisions_have_no_value(history: History) -> None:
    for words in (("diff", "HEAD~1", "HEAD"), ("impact", "HEAD~1", "HEAD"), ("brief",)):
        done = topomem(*words, "--json", cwd=history.folder)
        assert done.code in (0, 1)
        assert is_clean(done.out)


def is_clean(text: str) -> bool:
    folded = text.casefold()
    return not [value for value in VALUES if value.casefold() in folded]


@pytest.mark.parametrize(
    "words",
    [
        ("symbols", "--json"),
        ("edges", "--json"),
        ("show", "app/client.py#connect"),
        ("show", "app/client.py#", "--json"),
        ("decision", "list", "--all", "--json"),
        ("decision", "show", "1", "--json"),
        ("bundle", "which api token and password does the client connect with", "--json"),
        ("bundle", "connect password"),
        ("bundle", f"connect fails: token={TOKEN} password={PASSWORD}", "--json"),
        ("history", "app/client.py#connect", "--json"),
    ],
)
def test_no_answer_has_a_value(history: History, words: tuple[str, ...]) -> None:
    done = topomem(*words, "--as-of", "HEAD~1", cwd=history.folder)
    assert done.code == 0
    assert is_clean(done.out)
    assert is_clean(done.err)


def test_uncommitted_text_and_messages_are_masked(tmp_path: Path) -> None:
    history = build(HISTORY, tmp_path / "repository")
    assert topomem("index", cwd=history.folder).code == 0
    file = history.folder / "app" / "client.py"
    file.parent.mkdir(parents=True)
    file.write_text(f'TOKEN = "{TOKEN}"\n', "utf-8")
    for words in (("show", "app/client.py#TOKEN"), ("bundle", "token"), ("symbols",)):
        done = topomem(*words, "--as-of", "WORKTREE", "--json", cwd=history.folder)
        assert "[secret: github_token]" in done.out
        assert is_clean(done.out)
    done = topomem("bundle", "forget the keys, void", "--json", cwd=history.folder)
    assert is_clean(done.out)


def test_what_is_masked_is_said_and_the_rest_is_shown(history: History) -> None:
    words = ("bundle", "connect password token", "--as-of", "HEAD~1", "--json")
    document = topomem(*words, cwd=history.folder).document
    shown = "\n".join(item["text"] for item in document["items"])
    assert "[secret: github_token]" in shown
    assert "[secret: password]" in shown
    assert 'apiKey=config.get("x")' in shown
    masked = [item for item in document["items"] if "[secret: " in item["text"]]
    assert masked
    assert all("secrets are masked" in item["why"] for item in masked)


def test_a_bundle_with_masked_text_verifies(history: History, tmp_path: Path) -> None:
    words = ("bundle", "connect password token", "--as-of", "HEAD~1", "--json")
    document = topomem(*words, cwd=history.folder).document
    file = tmp_path / "bundle.json"
    file.write_text(json.dumps(document), "utf-8")
    assert topomem("verify", file, cwd=history.folder).code == 0
    changed = json.loads(json.dumps(document).replace("[secret: github_token]", "[secret: jwt]"))
    file.write_text(json.dumps(changed), "utf-8")
    assert topomem("verify", file, cwd=history.folder).code == 1


def test_the_store_has_no_value_and_no_word_of_one(history: History) -> None:
    file = history.folder / ".git" / "topomem" / "derived.duckdb"
    with duckdb.connect(str(file), read_only=True) as connection:
        tables = connection.execute(
            "SELECT schema_name || '.' || table_name FROM duckdb_tables()"
        ).fetchall()
        rows = {name: connection.execute(f"FROM {name}").fetchall() for (name,) in tables}
    text = repr(rows)
    assert "connect" in text
    assert is_clean(text)
    stored = {word for _, word, _ in rows["retrieval.word"]}
    for value in (TOKEN, PASSWORD, DIGITS, DOTTED.rpartition(".")[2]):
        assert value.lower() not in stored
        assert value.lower().partition("_")[2] not in stored - {""}


def test_a_word_that_stands_elsewhere_too_is_found() -> None:
    source = b'def client():\n    password = "client7"\n    return client\n'
    regions = extract_masked(BlobId("b"), source, of_language("python"), DEFAULT_LIMITS)[1]
    words = {word for facts in regions for field, word, _ in facts.words if field == "body"}
    assert "client" in words
    assert "client7" not in words


def test_a_name_that_is_spelled_like_a_secret_stays_a_name() -> None:
    source = b'def client():\n    password = "client7"\n    client7 = 1\n    return client7\n'
    regions = extract_masked(BlobId("b"), source, of_language("python"), DEFAULT_LIMITS)[1]
    texts = [text for facts in regions for text in facts.texts]
    assert texts.count("client7") == 2
    assert "[secret: password]" in texts


def test_what_holds_no_secret_is_left_as_it_is() -> None:
    source = b'class A:\n    """One."""\n    def f(self, password=None):\n        return password\n'
    language = of_language("python")
    assert extract_masked(BlobId("b"), source, language, DEFAULT_LIMITS) == extract(
        BlobId("b"), source, language
    )


def test_text_in_another_encoding_is_masked_where_it_stands() -> None:
    source = f'# coding: latin-1\nNAME = "\xe9\xe9"\nAPI_TOKEN = "{TOKEN}"\n'.encode("latin-1")
    language = of_language("python")
    regions = extract_masked(BlobId("b"), source, language, DEFAULT_LIMITS)[1]
    assert is_clean(repr(regions))
    assert "\xe9\xe9" in repr(regions)


def test_digests_tell_that_a_secret_was_changed() -> None:
    language = of_language("python")

    def hashes(token: str) -> list[str]:
        source = f'API_TOKEN = "{token}"\n'.encode()
        (facts,) = extract_masked(BlobId("b"), source, language, DEFAULT_LIMITS)[1]
        assert is_clean(repr(replace(facts, declarations=())))
        return [facts.value_hash, *(one.body_hash for one in facts.declarations)]

    assert hashes(TOKEN) == hashes(TOKEN)
    assert hashes(TOKEN) != hashes(fill("ghp_<A35>x"))


def test_documentation_before_a_definition_is_masked() -> None:
    language = of_language("java")
    source = f"class A {{\n  /** Uses {JOT}. */\n  void f() {{}}\n}}\n".encode()
    regions = extract_masked(BlobId("b"), source, language, DEFAULT_LIMITS)[1]
    assert is_clean(repr(regions))
    assert any("Uses [secret: jwt]" in facts.docstring for facts in regions)


def test_masking_twice_is_masking_once() -> None:
    language = of_language("python")
    source = f'def f(key="{TOKEN}"):\n    return "{DOTTED}"\n'.encode()
    for facts in extract_masked(BlobId("b"), source, language, DEFAULT_LIMITS)[1]:
        assert mask_region(facts, source.decode()) == facts


def test_titles_of_commits_and_names_of_branches_are_masked(tmp_path: Path) -> None:
    text = f"""
=== c1
--- app.py
def connect(host):
    return host
=== c2 < c1
> try it with {TOKEN}
--- app.py
def connect(host):
    return open(host)
=== main = c1
=== try/{TOKEN} = c2
"""
    folder = tmp_path / "repository"
    build(text, folder).checkout()
    git(folder, "checkout", "-q", f"try/{TOKEN}")
    assert topomem("index", cwd=folder).code == 0
    made = tmp_path / "made.json"
    for words in (
        ("bundle", "--diff", "main..HEAD"),
        ("ci", "main", "--artifact", str(made)),
        ("brief",),
        ("status",),
    ):
        for form in ((), ("--json",)):
            done = topomem(*words, *form, cwd=folder)
            assert done.code == 0
            assert is_clean(done.out)
            assert is_clean(done.err)
    assert is_clean(made.read_text("utf-8"))
    task = topomem("bundle", "--diff", "main..HEAD", "--json", cwd=folder).document["task"]
    assert task == "try it with [secret: github_token]"
    commit = open_memory(folder).commit("HEAD")
    assert is_clean(" ".join(commit.references))
    git(folder, "symbolic-ref", "HEAD", f"refs/heads/none/{TOKEN}")
    done = topomem("brief", "--json", cwd=folder)
    assert is_clean(done.out + done.err)
