"""What `language.toml` says of one language, as a frozen value.

Everything that differs between languages and cannot be said by a query is declared here, from
closed sets. Unknown keys and unknown choices are errors when the language is loaded.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

from topomem.errors import ConfigurationError

Receiver = Literal["first_parameter", "keyword"]
"""What a method calls its object: its own first parameter, or a keyword or declared receiver."""

Constants = Literal["upper_case", "written"]
"""Which values are constants: those in upper case, or those the text marks as such."""

Overloads = Literal["decorated", "bodiless", "none"]
"""How the heads of one overloaded function are told from definitions of their own."""

Documentation = Literal["inside", "before"]
"""Where documentation stands: the first string of a body, or the comment before a definition."""

Visibility = Literal["underscore", "capital", "written", "exported"]
"""What makes a name public: no leading underscore, a capital, a modifier, or an export."""

Naming = Literal["dotted_packages", "file_paths", "package_folders", "declared_packages"]
"""How files become modules that others import."""


@dataclass(frozen=True, slots=True)
class ParserSpec:
    """Where the parser comes from: a Python module, its function, and what to install."""

    module: str
    function: str
    requires: str


@dataclass(frozen=True, slots=True)
class FilesSpec:
    """Which files are of the language."""

    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueriesSpec:
    """Query files, relative to the language's folder; each list is read as one text."""

    symbols: tuple[str, ...] = ("symbols.scm",)
    edges: tuple[str, ...] = ("edges.scm",)


@dataclass(frozen=True, slots=True)
class TextSpec:
    """Node types whose text is no code, blocks that only layout shows, and how strings look."""

    comments: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    keywords: frozenset[str] = frozenset()  # left out of the words of a body
    template_prefixes: str = ""  # letters before a quote that make a string a template
    bytes_prefixes: str = ""
    generated: tuple[str, ...] = ()  # marks in the head of a file that was made by a program
    coding_cookie: bool = False  # the first two lines may name the encoding


@dataclass(frozen=True, slots=True)
class NamesSpec:
    """Names that decide what a definition is."""

    receiver: Receiver = "keyword"
    static_decorators: tuple[str, ...] = ()  # methods without a receiver
    property_decorators: tuple[str, ...] = ()  # by last component
    constructors: tuple[str, ...] = ()
    overload_decorators: tuple[str, ...] = ()
    enum_bases: tuple[str, ...] = ()  # by last component
    constants: Constants = "written"
    overloads: Overloads = "none"
    visibility: Visibility = "written"


@dataclass(frozen=True, slots=True)
class DeclarationsSpec:
    """Which bindings declare symbols, beyond the definitions that `symbols.scm` finds."""

    module_assignments: bool = False
    class_assignments: bool = False
    receiver_attributes: bool = False
    written_only: bool = False  # only statements whose op says by its text that they declare


@dataclass(frozen=True, slots=True)
class ResolutionSpec:
    """What `link` needs to know."""

    naming: Naming = "file_paths"
    builtins: tuple[str, ...] = ()
    suffix_order: tuple[str, ...] = ()  # tried in this order when an import names no suffix
    index_names: tuple[str, ...] = ()  # files that stand for their folder, without suffix


@dataclass(frozen=True, slots=True)
class TestsSpec:
    """By which conventions tests are told. Links may depend on it, facts do not.

    `files` and `support` are gitignore patterns of paths. In what ends in `names`, `{}` stands for
    what is tested. All else is compared with whole names.
    """

    __test__ = False  # no test of our own

    files: tuple[str, ...] = ()  # hold tests
    support: tuple[str, ...] = ()  # serve tests and are no part of the product
    functions: tuple[str, ...] = ()  # regular expressions: functions and methods that are tests
    classes: tuple[str, ...] = ()  # regular expressions: classes, in `files`, whose methods may be
    bases: tuple[str, ...] = ()  # regular expressions of last parts: bases of such classes
    marks: tuple[str, ...] = ()  # last parts of decorators that make a test
    calls: tuple[str, ...] = ()  # called with a name and a function: that function is a test
    groups: tuple[str, ...] = ()  # called so: tests stand inside
    setup_calls: tuple[str, ...] = ()  # called so: runs with every test around it
    setup: tuple[str, ...] = ()  # names of functions and methods that run with every test beside
    setup_marks: tuple[str, ...] = ()  # decorators that make such ones
    fixture_marks: tuple[str, ...] = ()  # decorators of functions that parameters name
    fixture_uses: tuple[str, ...] = ()  # decorators whose texts name fixtures
    fixture_files: tuple[str, ...] = ()  # files whose fixtures serve their folder and those below
    file_names: tuple[str, ...] = ()  # of files, without suffix
    names: tuple[str, ...] = ()  # of functions, methods and classes


@dataclass(frozen=True, slots=True)
class LanguageSpec:
    """The whole of one `language.toml`; `name` is that of its folder."""

    name: str
    parser: ParserSpec
    files: FilesSpec
    queries: QueriesSpec
    text: TextSpec
    names: NamesSpec
    declarations: DeclarationsSpec
    resolution: ResolutionSpec
    tests: TestsSpec
    documentation: Documentation


_TABLES: dict[str, type] = {
    "parser": ParserSpec,
    "files": FilesSpec,
    "queries": QueriesSpec,
    "text": TextSpec,
    "names": NamesSpec,
    "declarations": DeclarationsSpec,
    "resolution": ResolutionSpec,
    "tests": TestsSpec,
}


def parse_spec(name: str, text: str) -> LanguageSpec:
    """Read one `language.toml`. Raises ConfigurationError for what it does not allow."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"language {name!r}: {error}"
        raise ConfigurationError(message) from error
    documentation = document.pop("documentation", "before")
    _check_choice(f"{name}: documentation", documentation, Documentation)
    unknown = sorted(document.keys() - _TABLES.keys())
    if unknown:
        message = f"language {name!r}: unknown table {unknown[0]!r}"
        raise ConfigurationError(message)
    tables = {
        table: _read_table(f"{name}: {table}", kind, document.get(table, {}))
        for table, kind in _TABLES.items()
    }
    return LanguageSpec(name=name, documentation=documentation, **tables)


def _read_table(where: str, kind: type, values: dict[str, Any]) -> Any:  # noqa: ANN401  one of the tables
    hints = get_type_hints(kind)
    read: dict[str, Any] = {}
    for key, value in values.items():
        if key not in hints:
            message = f"language {where}: unknown key {key!r}"
            raise ConfigurationError(message)
        read[key] = _read_value(f"{where}.{key}", hints[key], value)
    missing = [field.name for field in fields(kind) if field.name not in read]
    try:
        return kind(**read)
    except TypeError as error:
        message = f"language {where}: missing one of {missing}"
        raise ConfigurationError(message) from error


def _read_value(where: str, hint: Any, value: object) -> object:  # noqa: ANN401  a type form
    if hint == tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
    elif hint == frozenset[str]:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return frozenset(value)
    elif hint in (str, bool):
        if isinstance(value, hint):
            return value
    else:
        _check_choice(where, value, hint)
        return value
    message = f"language {where}: not a {hint}: {value!r}"
    raise ConfigurationError(message)


def _check_choice(where: str, value: object, choices: Any) -> None:  # noqa: ANN401  a type form
    allowed = get_args(choices)
    if value not in allowed:
        message = f"language {where}: {value!r} is not one of {', '.join(allowed)}"
        raise ConfigurationError(message)
