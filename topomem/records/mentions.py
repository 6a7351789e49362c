"""What a record names in its repository: paths, globs, symbols, build units, services; invariants.

Fields and sections for it are taken at their word; links, code spans and paths in prose are found
and become claims only where they resolve.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from topomem.model.decision import Invariant, InvariantKind, Mention, Origin
from topomem.records.front_matter import FrontMatter, Value
from topomem.records.lines import Lines, plain
from topomem.records.relations import link_definitions

COMPONENT_KEYS = (
    "governs", "affects", "affected", "affected-components", "components", "component",
    "applies-to", "scope", "paths", "path", "files", "modules", "symbols", "services", "service",
    "build-units", "packages",
)  # fmt: skip
COMPONENT_TITLES = (
    "affected components", "components", "governs", "governed components", "applies to", "affects",
    "affected code", "affected files", "scope of code",
)  # fmt: skip
INVARIANT_KEYS = (
    "invariants", "invariant", "enforced-by", "enforcement", "checks", "tests", "confirmation",
    "fitness-functions", "rules",
)  # fmt: skip
INVARIANT_TITLES = (
    "invariants", "invariant", "enforcement", "enforced by", "confirmation", "validation",
    "compliance", "fitness functions", "fitness function", "checks",
)  # fmt: skip
_KIND_WORDS = {
    "path": "path", "paths": "path", "file": "path", "files": "path", "module": "path",
    "modules": "path", "folder": "path", "directory": "path", "glob": "glob", "globs": "glob",
    "symbol": "symbol", "symbols": "symbol", "class": "symbol", "function": "symbol",
    "build-unit": "build_unit", "build-units": "build_unit", "unit": "build_unit",
    "package": "build_unit", "packages": "build_unit", "service": "service",
    "services": "service",
}  # fmt: skip
_TYPED = re.compile(r"^\s*(" + "|".join(_KIND_WORDS) + r")\s*:\s*(\S.*)$", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.*\S)\s*$")
_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)(.{1,300}?)(?<!`)\1(?!`)")
_LINK = re.compile(r"!?\[[^\]\[\n]{0,300}\]\(<?([^)\s>]{1,500})>?(?:\s[^)\n]{0,300})?\)")
_PATH = re.compile(r"(?<![\w/:.@#-])((?:\.{0,2}/)?[\w.@-]+(?:/[\w.@*-]+)+/?)(?![\w/])")
_PATH_LIKE = re.compile(r"^[\w.@*?\[\]{}+-]*/[\w./@*?\[\]{}+-]*$|^[\w-]+\.[a-z]{1,5}$")
_SYMBOL_LIKE = re.compile(
    r"^(?:[\w./-]+#)?\(?\*?[A-Za-z_$][\w$]*(?:(?:\.|::|#|\)\.)[A-Za-z_$][\w$]*)*(?:\(\))?$"
)
_TELLING = re.compile(r"[a-z0-9][A-Z]|[A-Z][a-z]+[A-Z]|_|\.|::|#|\(\)$|^[A-Z][a-z]{3,}\w*$")
_COMMANDS = re.compile(
    r"^(?:\$ |(?:pytest|make|npm|yarn|pnpm|npx|tox|nox|cargo|mvn|gradle|\./gradlew|python3?|bash|sh"
    r"|lint-imports|semgrep|ruff|flake8|pylint|mypy|eslint|golangci-lint|buf|bazel) "
    r"|go (?:test|vet) )"
)
_INVARIANT_WORDS: dict[str, InvariantKind] = {
    "test": "test", "tests": "test", "command": "command", "run": "command", "cmd": "command",
    "rule": "rule", "rules": "rule", "lint": "rule", "semgrep": "rule", "import-linter": "rule",
    "archunit": "rule", "contract": "rule",
}  # fmt: skip
_TYPED_INVARIANT = re.compile(
    r"^(" + "|".join(_INVARIANT_WORDS) + r")\s*:\s*(?!:)(\S.*)$", re.IGNORECASE
)
_TEST_LIKE = re.compile(r"::|(?:^|[/._])[Tt]ests?[/._]\S*#|^Test[A-Z]\w+|^test_\w+")
_MOST = 400
_LONGEST = 200


def mentions(lines: Lines, front: FrontMatter) -> list[Mention]:
    """Return what is named, in order of lines, each target once: explicit fields win."""
    found = [*_in_front(front), *_in_sections(lines), *_in_prose(lines)]
    said = {one.target for one in found if one.origin == "field"}
    unique: dict[tuple[str, str], Mention] = {}
    for one in found:
        if one.origin == "field" or one.target not in said:
            unique.setdefault((one.target, one.kind), one)
    return sorted(unique.values(), key=lambda one: one.line)[:_MOST]


def invariants(lines: Lines, front: FrontMatter) -> list[Invariant]:
    """Return the executables that are said to enforce a decision."""
    found = [
        invariant
        for value in front.of(*INVARIANT_KEYS)
        if (invariant := _invariant(_typed(value), value.line, named=True))
    ]
    for number in _lines_of(lines, INVARIANT_TITLES):
        line = lines.line(number)
        item = _ITEM.match(line)
        if item and _TYPED_INVARIANT.match(item[1].replace("`", "")):
            texts = [item[1].replace("`", "")]
        else:
            texts = [span[2] for span in _CODE.finditer(line)]
        found += [one for text in texts if (one := _invariant(text, number, named=False))]
    return list({(one.kind, one.target): one for one in reversed(found)}.values())[::-1]


def _typed(value: Value) -> str:
    """Return a value with the kind that its key gives it: `tests: [x]` says that x is a test."""
    kind = value.kind or value.key
    return f"{kind}: {value.text}" if kind in _INVARIANT_WORDS else value.text


def _invariant(text: str, line: int, *, named: bool) -> Invariant | None:
    """Read one invariant; where it is not `named` as one, it must look like something to run."""
    text = text.strip().strip("`").strip()
    if not text or len(text) > _LONGEST:
        return None
    if typed := _TYPED_INVARIANT.match(text):
        return Invariant(_INVARIANT_WORDS[typed[1].lower()], typed[2].strip("` "), line)
    if _COMMANDS.match(text):
        return Invariant("command", text.removeprefix("$ "), line)
    if _TEST_LIKE.search(text) and " " not in text:
        return Invariant("test", text, line)
    if not named:
        return None
    return Invariant("command" if " " in text else "rule", text, line)


def _lines_of(lines: Lines, titles: Sequence[str]) -> Iterator[int]:
    """Yield the lines of the sections with one of these titles."""
    for heading in lines.headings:
        if plain(heading.title) in titles:
            yield from range(heading.body, heading.last + 1)


def _in_front(front: FrontMatter) -> Iterator[Mention]:
    for value in front.of(*COMPONENT_KEYS):
        kind = _KIND_WORDS.get(value.kind) or _KIND_WORDS.get(value.key, "")
        for text in re.split(r",\s+", value.text):
            yield from _explicit(text, kind, value.line)


def _in_sections(lines: Lines) -> Iterator[Mention]:
    for number in _lines_of(lines, COMPONENT_TITLES):
        item = _ITEM.match(lines.line(number))
        if item is None:
            continue
        typed = _TYPED.match(item[1])
        kind, text = (_KIND_WORDS[typed[1].lower()], typed[2]) if typed else ("", item[1])
        spans = [span[2] for span in _CODE.finditer(text)] or [
            link[1] for link in _LINK.finditer(text) if "://" not in link[1]
        ]
        for target in spans or [re.split(r"\s+[-–—:(]\s*|:\s", text)[0]]:
            yield from _explicit(target, kind, number)


def _explicit(text: str, kind: str, line: int) -> Iterator[Mention]:
    text = text.strip().strip("`\"'").strip()
    if typed := _TYPED.match(text):
        kind, text = _KIND_WORDS[typed[1].lower()], typed[2].strip()
    if text and len(text) <= _LONGEST and text.casefold() not in ("all", "none", "n/a", "*"):
        yield Mention(text, kind or _shape(text), "field", line)


def _shape(text: str) -> str:
    """Return what a target is by its look; "" where it might be several things."""
    if re.search(r"[*?]|\[[^\]]+\]", text):
        return "glob"
    if "#" in text:
        return "symbol"
    return "path" if "/" in text else ""


def _in_prose(lines: Lines) -> Iterator[Mention]:
    definitions = link_definitions(lines)
    claimed = set(_lines_of(lines, COMPONENT_TITLES))
    for number in range(lines.first, len(lines) + 1):
        line = "" if number in claimed else lines.line(number)
        for link in _LINK.finditer(line):
            yield from _found(link[1].partition("#")[0], "link", number)
        for label in re.findall(r"\]\[([^\]]+)\]", line):
            yield from _found(
                definitions.get(label.casefold(), "").partition("#")[0], "link", number
            )
        for span in _CODE.finditer(line):
            yield from _code(span[2].strip(), number)
        rest = _CODE.sub(" ", _LINK.sub(" ", line))
        for path in _PATH.finditer(re.sub(r"<?https?://\S+", " ", rest)):
            yield from _found(path[1].rstrip("."), "text", number)


def _code(text: str, line: int) -> Iterator[Mention]:
    if _PATH_LIKE.match(text):
        yield Mention(text, "glob" if re.search(r"[*?]", text) else "path", "code", line)
    if _SYMBOL_LIKE.match(text) and _TELLING.search(text):
        name = re.sub(r"[()*]", "", text).replace("::", ".")
        yield Mention(name, "symbol", "code", line)


def _found(text: str, origin: Origin, line: int) -> Iterator[Mention]:
    """Yield a path that was found; addresses elsewhere are none (resolving judges the rest)."""
    if text and not re.match(r"[a-z]+:|mailto|//", text) and len(text) <= _LONGEST:
        yield Mention(text, "path", origin, line)
