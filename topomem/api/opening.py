"""Find the repository, its store and its settings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from topomem.api.folders import FOLDER
from topomem.git.repository import Repository, open_repository
from topomem.store.store import Store, StoreOptions

if TYPE_CHECKING:
    from topomem.index.configuration import Configuration

_ADDRESS = re.compile(
    r"^(?:[a-z+]+://)?(?:[^@/]*@)?(?P<host>[^/:]+)(?::\d+(?=/))?[:/]+(?P<path>.+)$"
)


@dataclass(frozen=True, slots=True)
class Opened:
    """What every question needs: where code and facts are, what was configured, and who reads."""

    repository: Repository
    store: Store
    configuration: Configuration
    principal: str | None


def open_all(
    path: str | Path, store: str | Path | None, principal: str | None, config: str | Path | None
) -> Opened:
    """Open a repository and name its store; nothing is read from the store yet.

    Raises NotARepository, ConfigurationError.
    """
    from topomem.index.configuration import load_configuration

    repository = open_repository(path)
    configuration = load_configuration(repository, Path(config) if config else None)
    repository.apart = Path(store) if store else None
    folder = Path(store) if store else repository.common_dir / FOLDER
    key = configuration.repository or repository_key(repository)
    return Opened(repository, Store(folder, key, StoreOptions()), configuration, principal)


def repository_key(repository: Repository) -> str:
    """Return the repository's name: the address of `origin` less its protocol, user and suffix.

    Without one: the oldest root of HEAD's first parents; `` before the first commit.
    """
    origin = repository.origin()
    if origin:
        return normal_address(origin)
    head = repository.head()
    if head is None:
        return ""
    commit = repository.commit(head)
    while commit.present_parents:
        commit = repository.commit(commit.present_parents[0])
    return commit.id


def normal_address(address: str) -> str:
    """Return an address in the one form that ssh, https and scp-like spellings share."""
    match = _ADDRESS.match(address.strip())
    if match is None or address.startswith((".", "/")):
        return address.strip().rstrip("/").removesuffix(".git")
    path = match["path"].strip("/").removesuffix(".git")
    return f"{match['host'].lower()}/{path}"
