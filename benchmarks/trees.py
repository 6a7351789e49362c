"""Work trees as the linker takes them, without a store: for measuring extract and link alone."""

from __future__ import annotations

import fnmatch
import subprocess
from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path

from topomem.extract.facts import extract
from topomem.languages.load import load_languages
from topomem.link.config import CONFIG_FILES
from topomem.link.files import ConfigFile, FileChange, FileFacts
from topomem.model.code import RegionFacts
from topomem.model.ids import BlobId, FilePath


def tracked_paths(root: Path) -> list[str]:
    """Return the paths below `root` that git tracks, all files without git; sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "."], cwd=root, capture_output=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        return sorted(listed.stdout.decode("utf-8", "surrogateescape").rstrip("\0").split("\0"))
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def read_tree(root: Path) -> list[FileChange]:
    """Return the code and configuration files of a work tree with their facts."""
    languages = load_languages()
    changes: list[FileChange] = []
    for name in tracked_paths(root):
        path, file = FilePath(name), root / name
        if file.is_symlink() or not file.is_file():
            continue
        base = name.rpartition("/")[2]
        if any(fnmatch.fnmatch(base, pattern) for pattern in CONFIG_FILES):
            text = file.read_text("utf-8", "replace")
            changes.append(FileChange(path, ConfigFile(path, text)))
        language = languages.for_path(path)
        if language is None or not language.available:
            continue
        source = file.read_bytes()
        blob, regions = extract(
            BlobId(sha1(source, usedforsecurity=False).hexdigest()), source, language
        )
        by_key: dict[str, RegionFacts] = {region.key: region for region in regions}
        ordered = tuple(by_key[place.region] for place in blob.placements)
        if ordered:
            changes.append(FileChange(path, FileFacts(path, 0o100644, blob, ordered)))
    return changes


def facts_by_path(changes: Sequence[FileChange]) -> dict[FilePath, FileFacts]:
    """Return the facts of the files of code among changes."""
    return {change.path: change.facts for change in changes if isinstance(change.facts, FileFacts)}
