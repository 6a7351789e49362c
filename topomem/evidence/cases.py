"""Which symbol a test case is: producers name it by file, class and function, each in its own way.

A case may be one of several symbols, best first. Where only the title of a case is known, as in
tests that are calls with a text and a function, the case is its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from topomem.model.evidence import CaseResult, CaseSymbol
from topomem.model.ids import FilePath, QualifiedName

_NAME = re.compile(r"[A-Za-z_$][\w$]*\Z")
_LIKE_A_PATH = re.compile(r"[^\s:]*[\w.\-)\]][/\\][^\s:]+\Z|[^\s:/\\]+\.\w{1,4}\Z")
_SEPARATORS = re.compile(r"[\\/]+")
_MOST = 8
"""Symbols that one case may be."""


def case_symbols(case: CaseResult) -> tuple[CaseSymbol, ...]:
    """Return the symbols a case may be, best first.

    A path may lack its suffix and what stands before it in the repository; a name is "" where the
    file as a whole is meant.
    """
    file = _file(case)
    owner = re.sub(r"\s.*", "", case.class_name, flags=re.DOTALL)
    function = case.name.partition("/")[0]
    found: list[CaseSymbol] = []
    if _NAME.match(function):
        found += [
            CaseSymbol(FilePath(path), QualifiedName(name))
            for path, name in _of_function(file, owner, function)
        ]
    elif "::" in case.name:
        *modules, last = case.name.split("::")
        if all(_NAME.match(part) for part in (*modules, last)):
            found += _of_modules(modules, last)
    if file:
        found.append(CaseSymbol(FilePath(file), QualifiedName("")))
    return tuple(dict.fromkeys(found))[:_MOST]


def _file(case: CaseResult) -> str:
    """Return the file of a case with `/`; a suite or class that is named like one counts."""
    for text in (case.file, case.class_name, *reversed(case.suites)):
        if text and (text is case.file or _LIKE_A_PATH.match(text)):
            is_package = text is not case.file and not re.search(r"\.\w{1,4}\Z", text)
            return "" if is_package else _SEPARATORS.sub("/", text).removeprefix("./")
    return ""


def _of_function(file: str, owner: str, function: str) -> Iterable[tuple[str, str]]:
    if "/" in owner:  # a package named by its folder
        yield owner, function
        return
    parts = [part for part in re.split(r"[.\\]|::", owner) if part]
    inner = [piece for part in parts for piece in part.split("$")]
    if file:
        stem = re.sub(r"\.\w{1,4}\Z", "", file)
        classes = _behind_module(inner, stem)
        yield file, ".".join([*classes, function])
        return
    if not inner:
        yield "", function
        return
    top = len(parts) - 1 + ("$" not in parts[-1])
    for cut in _cuts(inner, top):
        path = "/".join(inner[:cut])
        yield path, ".".join([*inner[cut:], function])
        if cut and inner[cut - 1][:1].isupper():
            yield path, ".".join([*inner[cut - 1 :], function])


def _cuts(parts: list[str], top: int) -> list[int]:
    """Return after how many parts the path may end: before a class, at it, or anywhere."""
    classes = [at for at, part in enumerate(parts) if part[:1].isupper()]
    first = classes[0] if classes else len(parts)
    likely = [first + 1, first] if first < len(parts) else [len(parts)]
    return [cut for cut in dict.fromkeys([*likely, top, len(parts)]) if 0 < cut <= len(parts)]


def _behind_module(parts: list[str], stem: str) -> list[str]:
    """Return what stands in a dotted name behind the module that a file is."""
    folders = stem.split("/")
    for size in range(min(len(parts), len(folders)), 0, -1):
        for start in range(len(parts) - size + 1):
            if parts[start : start + size] == folders[-size:]:
                rest = parts[start + size :]
                own_class = parts[start + size - 1]
                return [own_class, *rest] if own_class[:1].isupper() else rest
    return [part for part in parts if part[:1].isupper()]


def _of_modules(modules: list[str], last: str) -> list[CaseSymbol]:
    cuts = range(len(modules), -1, -1)
    return [
        CaseSymbol(
            FilePath("/".join(modules[:cut])), QualifiedName(".".join([*modules[cut:], last]))
        )
        for cut in cuts
    ]


@dataclass(slots=True)
class SymbolIndex:
    """Symbols of a snapshot by name, to find the ones that test cases are."""

    names: Mapping[str, list[CaseSymbol]] = field(default_factory=dict)
    paths: Mapping[str, list[FilePath]] = field(default_factory=dict)

    @classmethod
    def of(cls, symbols: Iterable[CaseSymbol]) -> SymbolIndex:
        """Return the index of symbols; `path` is that in the repository."""
        names: dict[str, list[CaseSymbol]] = {}
        paths: dict[str, list[FilePath]] = {}
        seen: set[FilePath] = set()
        for symbol in symbols:
            names.setdefault(symbol.name, []).append(symbol)
            if symbol.path not in seen:
                seen.add(symbol.path)
                paths.setdefault(_stem(symbol.path), []).append(symbol.path)
        return cls(names, paths)

    def find(self, case: CaseResult) -> tuple[CaseSymbol, ...]:
        """Return the symbols of a case: those of the first candidate that fits any, by path."""
        for candidate in case_symbols(case):
            if candidate.name:
                known = self.names.get(candidate.name, [])
            else:
                known = [
                    CaseSymbol(path, QualifiedName(""))
                    for path in self.paths.get(_stem(candidate.path), [])
                ]
            scored = [(_agreement(symbol.path, candidate.path), symbol) for symbol in known]
            best = max((score for score, _ in scored), default=0)
            if best > 0:
                return tuple(sorted(symbol for score, symbol in scored if score == best))
        return ()


def _agreement(path: str, said: str) -> int:
    """Return twice how many parts at the end of two paths are the same, 0 where they contradict.

    What is said may lack the suffix, may be a folder, and may begin outside the repository, so that
    a file at the top of it agrees with any folder, least.
    """
    if not said:
        return 1
    ours, theirs = path.split("/"), said.strip("/").split("/")
    if ours[-1] != theirs[-1] and _stem(path) != theirs[-1]:
        ours = ours[:-1]  # a folder with all its files
        if not ours:
            return int("/" in said)
        if ours[-1] != theirs[-1]:
            return 0
        size = _same_end(ours, theirs)
    else:
        size = 1 + _same_end(ours[:-1], theirs[:-1])
    shorter = min(len(ours), len(theirs))
    return 2 * size if size == shorter else 0


def _same_end(one: list[str], two: list[str]) -> int:
    size = 0
    for a, b in zip(reversed(one), reversed(two), strict=False):
        if a != b:
            break
        size += 1
    return size


def _stem(path: str) -> str:
    last = path.rpartition("/")[2]
    return re.sub(r"(?<=.)\.\w{1,4}\Z", "", last)
