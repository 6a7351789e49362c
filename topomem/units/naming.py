"""What tests and files of tests are named after."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from topomem.languages.spec import LanguageSpec
from topomem.model.ids import FilePath, LanguageName
from topomem.model.structure import Key
from topomem.units.tests import is_test_code, last_part

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

Words = tuple[str, ...]


def subjects(name: str, templates: tuple[str, ...]) -> list[str]:
    """Return what a name stands for, the longest template that fits first."""
    found = [match[1] for one in templates if (match := _pattern(one).fullmatch(name))]
    return sorted(dict.fromkeys(found), key=lambda text: (len(text), text))


@lru_cache(256)
def _pattern(template: str) -> re.Pattern[str]:
    before, _, after = template.partition("{}")
    return re.compile(f"{re.escape(before)}(.+){re.escape(after)}")


def name_words(name: str) -> Words:
    """Return the words of a name in lower case: `getHTTPUrl` and `get_http_url` are the same."""
    return tuple(word.lower() for word in _WORD.findall(name))


class Pairs:
    """Files of tests and the files of the product they are named after."""

    def __init__(
        self, files: Mapping[FilePath, LanguageName], specs: Iterable[LanguageSpec]
    ) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self._product: dict[str, list[FilePath]] = {}
        self._languages = files
        for path, language in files.items():
            spec = self._specs.get(language)
            if spec is not None and not is_test_code(path, spec.tests):
                self._product.setdefault(_subject_of_product(path, spec), []).append(path)

    def pair(self, path: FilePath) -> FilePath | None:
        """Return the file that a file of tests is named after; None for none, or several."""
        spec = self._specs[self._languages[path]]
        for subject in subjects(_stem(path), spec.tests.file_names):
            found = [
                other
                for other in self._product.get(subject, ())
                if self._specs[self._languages[other]].tests == spec.tests
            ]
            ranked = sorted((_apart(path, other), other) for other in found)
            if ranked and (len(ranked) == 1 or ranked[0][0] < ranked[1][0]):
                return ranked[0][1]
        return None


def _stem(path: FilePath) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _subject_of_product(path: FilePath, spec: LanguageSpec) -> str:
    """Return the name of a file, or of its folder where it stands for that."""
    stem = _stem(path)
    if stem in spec.resolution.index_names:
        return path.rpartition("/")[0].rpartition("/")[2] or stem
    return stem


def _apart(path: FilePath, other: FilePath) -> int:
    """Return how many folders two files do not share, in order."""
    ones, others = path.split("/")[:-1], other.split("/")[:-1]
    lengths = [0] * (len(others) + 1)
    for one in ones:
        before = 0
        for at, folder in enumerate(others, 1):
            kept = lengths[at]
            lengths[at] = before + 1 if one == folder else max(lengths[at], lengths[at - 1])
            before = kept
    return len(ones) + len(others) - 2 * lengths[-1]


class Named:
    """Symbols that a name of a test may stand for."""

    def __init__(self, symbols: Iterable[Key]) -> None:
        self._by_words: dict[Words, list[Key]] = {}
        for key in sorted(set(symbols)):
            words = name_words(last_part(key[1]))
            if words:
                self._by_words.setdefault(words, []).append(key)

    def find(self, name: str, templates: tuple[str, ...]) -> Iterator[tuple[Key, bool]]:
        """Yield the symbols a test is named after, and whether the whole name is theirs.

        Of several with one name none is chosen, but for overloads of one definition.
        """
        for subject in subjects(name, templates):
            words = name_words(subject)
            for length in range(len(words), 0, -1):
                found = self._by_words.get(words[:length], [])
                whole = length == len(words)
                if not found or not (whole or length > 1 or len(words[0]) > _SHORT):
                    continue
                plain = {(path, re.sub(r"\+\d+$", "", text)) for path, text in found}
                if len(plain) == 1:
                    yield found[0], whole
                return


_SHORT = 4
"""Letters up to which one word alone, the first of several, is no name."""
