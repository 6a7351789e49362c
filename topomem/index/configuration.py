"""What people configure: `topomem.toml`, or `[tool.topomem]` in `pyproject.toml`.

A key that is not known is an error that names the nearest known one: a misspelt exclusion must not
pass for one that holds.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from topomem.errors import ConfigurationError
from topomem.git.repository import Repository
from topomem.model.evidence import Authors
from topomem.model.ids import FilePath

FILE = "topomem.toml"
SHARED_FILE = "pyproject.toml"
MAX_BLOB_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of one repository; `source` says where they were read from."""

    repository: str = ""  # name of the repository; empty: found by itself
    exclude: tuple[str, ...] = ()  # gitignore patterns of paths that are not indexed
    max_blob_bytes: int = MAX_BLOB_BYTES
    languages: tuple[str, ...] = ()  # empty: all that are available
    decision_paths: tuple[str, ...] = ()
    run_test: str = ""  # command that runs a test of a decision; `{target}` is the test's id
    run_rule: str = ""  # the same for a rule
    authors: Authors = "keep"
    source: str = ""

    def digest(self) -> str:
        """Return a digest of what decides which rows are derived from a repository."""
        parts = (self.exclude, self.max_blob_bytes, self.languages, self.authors)
        return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def load_configuration(repository: Repository, path: Path | None = None) -> Configuration:
    """Return the settings in `path`, else those of the work tree, else those of HEAD.

    Raises ConfigurationError: a file that cannot be read, an unknown key, a wrong value.
    """
    if path is not None:
        try:
            return parse(path.read_bytes(), str(path), shared=path.name == SHARED_FILE)
        except OSError as error:
            raise ConfigurationError(f"{path}: {error.strerror}") from error
    for name in (FILE, SHARED_FILE):
        source = (
            _committed(repository, name)
            if repository.top is None
            else _on_disk(repository.top, name)
        )
        if source is None:
            continue
        found = parse(source, name, shared=name == SHARED_FILE)
        if found.source:
            return found
    return Configuration()


def parse(source: bytes, name: str, *, shared: bool) -> Configuration:
    """Return the settings in a text; a `shared` one has them in a table of its own.

    Raises ConfigurationError.
    """
    try:
        table: dict[str, Any] = tomllib.loads(source.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if shared:
            return Configuration()  # not ours to judge
        raise ConfigurationError(f"{name}: {error}") from error
    if shared:
        tools = table.get("tool")
        ours = tools.get("topomem") if isinstance(tools, dict) else None
        if not isinstance(ours, dict):
            return Configuration()
        table = ours
    return _from_table(table, name)


_SECTIONS = {
    "index": ("exclude", "max_blob_bytes", "languages"),
    "decision": ("paths", "run_test", "run_rule"),
    "history": ("authors",),
}


def _from_table(table: dict[str, Any], name: str) -> Configuration:
    _check_keys(table, ("repository", *_SECTIONS), name, "")
    for section, keys in _SECTIONS.items():
        inside = table.get(section, {})
        if not isinstance(inside, dict):
            raise ConfigurationError(f"{name}: {section} must be a table")
        _check_keys(inside, keys, name, f"{section}.")
    index, history = table.get("index", {}), table.get("history", {})
    authors = history.get("authors", "keep")
    if authors not in ("keep", "hash", "drop"):
        raise ConfigurationError(f"{name}: history.authors must be keep, hash or drop")
    size = index.get("max_blob_bytes", MAX_BLOB_BYTES)
    if not isinstance(size, int) or isinstance(size, bool) or size <= 0:
        raise ConfigurationError(f"{name}: index.max_blob_bytes must be a number of bytes above 0")
    repository = table.get("repository", "")
    if not isinstance(repository, str):
        raise ConfigurationError(f"{name}: repository must be a text")
    return Configuration(
        repository=repository,
        exclude=_texts(index, "exclude", name, "index."),
        max_blob_bytes=size,
        languages=_texts(index, "languages", name, "index."),
        decision_paths=_texts(table.get("decision", {}), "paths", name, "decision."),
        run_test=_text(table.get("decision", {}), "run_test", name, "decision."),
        run_rule=_text(table.get("decision", {}), "run_rule", name, "decision."),
        authors=cast("Authors", authors),
        source=name,
    )


def _check_keys(table: dict[str, Any], known: tuple[str, ...], name: str, prefix: str) -> None:
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1, cutoff=0.0)
            raise ConfigurationError(
                f"{name}: unknown key {prefix}{key}", f"did you mean {prefix}{near[0]}?"
            )


def _texts(table: dict[str, Any], key: str, name: str, prefix: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigurationError(f"{name}: {prefix}{key} must be a list of texts")
    return tuple(value)


def _text(table: dict[str, Any], key: str, name: str, prefix: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise ConfigurationError(f"{name}: {prefix}{key} must be a text")
    return value


def _on_disk(top: Path, name: str) -> bytes | None:
    try:
        return (top / name).read_bytes()
    except OSError:
        return None


def _committed(repository: Repository, name: str) -> bytes | None:
    head = repository.head()
    if head is None:
        return None
    entry = repository.entry(repository.commit(head), FilePath(name))
    return repository.read(entry.blob) if entry else None
