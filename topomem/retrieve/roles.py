"""What a file is for, read off its path: the product itself, its tests, or what goes along with it.

Conventions of many languages at once; they only weigh, they never hide a file.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from topomem.model.ids import FilePath


class Role(StrEnum):
    """What a file is for."""

    SOURCE = "source"
    TEST = "test"
    BESIDE = "beside"  # examples, documentation, scripts, benchmarks, vendored code


_TEST_FOLDERS = frozenset(
    "test tests testsuite testdata fixtures spec specs __tests__ __mocks__ e2e".split()  # noqa: SIM905
)
_BESIDE_FOLDERS = frozenset(
    """doc docs documentation example examples demo demos sample samples benchmark benchmarks bench
    script scripts tools website vendor third_party node_modules .github changelog news
    release releases""".split()  # noqa: SIM905
)
_TEST_FILE = re.compile(
    r"^(?:test[_-].*|conftest\..*"
    r"|.*(?:[_.-](?:test|tests|spec)|(?<=[a-z0-9])(?:Test|Tests|Spec|IT))\.\w+)$"
)
_BESIDE_FILE = re.compile(
    r"^(?:setup|conf|noxfile|tasks|gulpfile|gruntfile)\.\w+$|\.config\.\w+$", re.IGNORECASE
)


@lru_cache(1 << 16)
def role_of(path: FilePath) -> Role:
    """Return what a file is for."""
    *folders, name = path.split("/")
    low = {folder.lower() for folder in folders}
    if low & _TEST_FOLDERS or _TEST_FILE.match(name):
        return Role.TEST
    if low & _BESIDE_FOLDERS or _BESIDE_FILE.search(name):
        return Role.BESIDE
    return Role.SOURCE
