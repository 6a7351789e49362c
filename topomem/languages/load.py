"""Languages found in the packaged `grammars` folder, loaded when first used.

A language whose parser is not installed is *unavailable* and says what to install; a language
whose data is wrong is an error.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from importlib import resources
from typing import TYPE_CHECKING

import tree_sitter

from topomem.errors import ConfigurationError
from topomem.languages.queries import Queries, compile_queries
from topomem.languages.spec import LanguageSpec, parse_spec
from topomem.model.ids import LanguageName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from topomem.model.ids import FilePath

_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-\S+[ \t]+)*)?([^\s/]+)(?:[ \t\r\n]|$)")


@dataclass(frozen=True)
class Language:
    """One language: its spec, and, loaded when asked for, its parser and queries."""

    spec: LanguageSpec
    text: str  # of `language.toml`
    symbols: str  # text of the query that finds definitions
    edges: str  # text of the query that makes the reduced tree

    @property
    def name(self) -> LanguageName:
        """Name of the language's folder."""
        return LanguageName(self.spec.name)

    @cached_property
    def available(self) -> bool:
        """Whether the parser is installed."""
        try:
            self.grammar  # noqa: B018  loading it is the question
        except ImportError:
            return False
        return True

    @cached_property
    def grammar(self) -> tree_sitter.Language:
        """The parser's tables. Raises ImportError when its package is not installed."""
        module = importlib.import_module(self.spec.parser.module)
        return tree_sitter.Language(getattr(module, self.spec.parser.function)())

    @cached_property
    def parser(self) -> tree_sitter.Parser:
        """A parser of this process."""
        return tree_sitter.Parser(self.grammar)

    @cached_property
    def queries(self) -> Queries:
        """The compiled queries. Raises ConfigurationError for a query that does not compile."""
        return compile_queries(self.spec, self.grammar, self.symbols, self.edges)

    @cached_property
    def fingerprint(self) -> str:
        """Digest of all that facts depend on beside the text: data, parser and query engine."""
        distribution = re.split(r"[<>=~! ]", self.spec.parser.requires)[0]
        digest = blake2b(digest_size=16)
        for part in (
            without_tests(self.text),
            self.symbols,
            self.edges,
            importlib.metadata.version(distribution),
            str(self.grammar.abi_version),
            importlib.metadata.version("tree-sitter"),
        ):
            digest.update(part.encode() + b"\0")
        return digest.hexdigest()

    @cached_property
    def conventions(self) -> str:
        """Digest of what is said of tests: links depend on it, facts do not."""
        return blake2b(repr(self.spec.tests).encode(), digest_size=8).hexdigest()


def without_tests(text: str) -> str:
    """Return a `language.toml` without what it says of tests: no fact depends on that."""
    return re.sub(r"\n?^\[tests\]\n(?:(?!\[\w+\]$).*\n?)*", "", text, flags=re.MULTILINE)


class Languages:
    """All languages, by name and by file. Immutable."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = dict(sorted(languages.items()))
        self._suffixes = self._index(lambda spec: spec.files.suffixes)
        self._names = self._index(lambda spec: spec.files.names)
        self._shebangs = self._index(lambda spec: spec.files.shebangs)

    def __iter__(self) -> Iterator[Language]:
        return iter(self._languages.values())

    def __len__(self) -> int:
        return len(self._languages)

    def __getitem__(self, name: str) -> Language:
        return self._languages[name]

    def for_path(self, path: FilePath, first_bytes: bytes = b"") -> Language | None:
        """Return the language of a file: by its name, its suffix (longest first), its `#!` line."""
        name = path.rpartition("/")[2]
        if name in self._names:
            return self._names[name]
        pieces = name.lower().split(".")
        for start in range(1, len(pieces)):
            found = self._suffixes.get("." + ".".join(pieces[start:]))
            if found is not None:
                return found
        if len(pieces) > 1 or not first_bytes.startswith(b"#!"):
            return None
        match = _SHEBANG.match(first_bytes)
        command = match[1].decode("ascii", "replace") if match else ""
        return self._shebangs.get(command) or self._shebangs.get(command.rstrip("0123456789."))

    def _index(self, keys: Callable[[LanguageSpec], tuple[str, ...]]) -> dict[str, Language]:
        index: dict[str, Language] = {}
        for language in self._languages.values():
            for key in keys(language.spec):
                if key in index:
                    message = f"{index[key].name} and {language.name} both claim {key!r}"
                    raise ConfigurationError(message)
                index[key] = language
        return index


def load_languages(names: Iterable[str] | None = None) -> Languages:
    """Load the named languages, or all. Raises ConfigurationError for unknown or bad ones."""
    folder = resources.files("topomem.grammars")
    known = sorted(item.name for item in folder.iterdir() if (item / "language.toml").is_file())
    wanted = known if names is None else sorted(set(names))
    for name in wanted:
        if name not in known:
            message = f"unknown language {name!r}"
            raise ConfigurationError(message, f"known are {', '.join(known)}")
    return Languages({name: _load(folder, name) for name in wanted})


def _load(folder: Traversable, name: str) -> Language:
    text = (folder / name / "language.toml").read_text("utf-8")
    spec = parse_spec(name, text)
    return Language(
        spec=spec,
        text=text,
        symbols=_read(folder, name, spec.queries.symbols),
        edges=_read(folder, name, spec.queries.edges),
    )


def _read(folder: Traversable, name: str, files: tuple[str, ...]) -> str:
    """Join query files; `../other/file.scm` names one of another language."""
    texts = []
    for file in files:
        owner, _, base = file.removeprefix("../").rpartition("/")
        place = folder / owner / base if file.startswith("../") else folder / name / file
        texts.append(place.read_text("utf-8"))
    return "\n".join(texts)
