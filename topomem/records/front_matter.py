"""Front matter: the keys and values before a text, each with its line.

YAML between `---`, TOML between `+++`. What is no valid YAML (a title with a colon in it ...) is
read key by key, and said to be so.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from topomem.model.code import Diagnostic

if TYPE_CHECKING:
    import yaml

_MOST_LINES = 300
_MOST_VALUES = 500
_DEEPEST = 4
_KEY = re.compile(r"^([A-Za-z][\w \-]{0,40}?)\s*:(?:\s+|$)(.*)$")
_ITEM = re.compile(r"^\s*-\s+(.*)$")


@dataclass(frozen=True, slots=True)
class Value:
    """One value: `key` is the normal form of its key, `kind` that of a key inside it, or ""."""

    key: str
    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands before a text; `end` is its last line, 0 where there is none."""

    values: tuple[Value, ...] = ()
    end: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()

    def of(self, *keys: str) -> list[Value]:
        """Return the values under any of these keys."""
        return [value for value in self.values if value.key in keys]


def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of a text."""
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    mark = lines[0].rstrip()
    if mark not in ("---", "+++"):
        return FrontMatter()
    ends = {"---": ("---", "..."), "+++": ("+++",)}[mark]
    end = next((at for at, line in enumerate(lines[1:], 2) if line.rstrip() in ends), 0)
    inside = lines[1 : end - 1]
    if not end or not any(":" in line or "=" in line for line in inside):
        return FrontMatter()
    if mark == "+++":
        return _from_toml(inside, end)
    return _from_yaml(inside, end)


def normal_key(text: str) -> str:
    """Return the one spelling of a key: lower case, words parted by hyphens."""
    return re.sub(r"[\s_\-]+", "-", text.strip().casefold())


def _from_yaml(lines: list[str], end: int) -> FrontMatter:
    import yaml  # noqa: PLC0415 - most texts have no front matter

    try:
        node = yaml.compose("\n".join(lines), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        trouble = Diagnostic("front_matter", "not valid YAML; read key by key", line, line)
        return FrontMatter(tuple(_key_by_key(lines)), end, (trouble,))
    if not isinstance(node, yaml.MappingNode):
        return FrontMatter(end=end)
    return FrontMatter(tuple(_values(node)), end)


def _values(top: yaml.MappingNode) -> Iterator[Value]:
    """Yield the scalars of a mapping in order; what is too deep or too much is left out."""
    import yaml  # noqa: PLC0415 - as above

    waiting: list[tuple[str, str, Any, int]] = [
        (normal_key(str(key.value)), "", value, 0)
        for key, value in reversed(top.value)
        if isinstance(key, yaml.ScalarNode)
    ]
    steps = 0
    while waiting and steps < _MOST_VALUES:
        steps += 1
        key, kind, node, depth = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            if node.tag != "tag:yaml.org,2002:null":
                yield Value(key, kind, str(node.value).strip(), node.start_mark.line + 2)
        elif depth >= _DEEPEST:
            continue
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(key, kind, item, depth + 1) for item in reversed(node.value)]
        elif isinstance(node, yaml.MappingNode):
            waiting += [
                (key, normal_key(str(inner.value)), item, depth + 1)
                for inner, item in reversed(node.value)
                if isinstance(inner, yaml.ScalarNode)
            ]


def _key_by_key(lines: list[str]) -> Iterator[Value]:
    key = ""
    for number, line in enumerate(lines, 2):
        found, item = _KEY.match(line), _ITEM.match(line)
        if found:
            key = normal_key(found[1])
            text = _unquoted(found[2])
            if text:
                yield Value(key, "", text, number)
        elif item and key:
            yield Value(key, "", _unquoted(item[1]), number)


def _unquoted(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


def _from_toml(lines: list[str], end: int) -> FrontMatter:
    try:
        table = tomllib.loads("\n".join(lines))
    except (tomllib.TOMLDecodeError, RecursionError):
        return FrontMatter((), end, (Diagnostic("front_matter", "not valid TOML", 1, end),))
    values: list[Value] = []
    for key, value in table.items():
        pattern = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
        line = next((at for at, text in enumerate(lines, 2) if pattern.match(text)), 1)
        for kind, text in _scalars(value):
            values.append(Value(normal_key(key), kind, text, line))
    return FrontMatter(tuple(values), end)


def _scalars(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            for item in inner if isinstance(inner, list) else [inner]:
                if not isinstance(item, dict | list):
                    yield normal_key(str(key)), str(item)
    elif isinstance(value, list):
        yield from (("", str(item)) for item in value if not isinstance(item, dict | list))
    else:
        yield "", str(value)
