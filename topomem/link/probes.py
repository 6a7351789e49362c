"""Probes: what a change must touch before the answer to a question may differ."""

from __future__ import annotations

from topomem.link.paths import stem

Probe = tuple[str, ...]
"""A kind and what it is about.

`path`, `stem`, `listing`: a file comes, goes or changes its language, or is no code. `region`,
`inside`: the text of a region or the definitions right in it, of any region in it. `folder`: the
content of files right in it; `member`, `methods`: of such as declare a name, as have methods of a
type. `uses`, `defined`, `heirs`, `name`: a text of a region that differs.
"""

_OF_A_REGION = frozenset({"kind", "bound", "header", "results", "inner", "text"})
"""Asked as (kind, path, region, ...)."""

_OF_THE_MODULE = frozenset({"stars", "exports", "exported", "package", "head", "given"})
"""Asked as (kind, path, ...)."""

_OF_ALL_INSIDE = frozenset({"attribute", "declares", "elements", "interface"})
"""Asked as (kind, path, region, ...)."""

_BY_PATH = frozenset({"exists", "config", "has_config", "config_field", "config_statements"})
_BY_LISTING = frozenset({"folder", "files", "first"})
_BY_FOLDER_AND_NAME = {"package_member": "member", "package_methods": "methods"}
_BY_BASE = frozenset({"configs_saying", "configs_named"})
_BY_NAME = frozenset({"uses", "defined", "heirs"})


def probe_of(question: tuple[str, ...]) -> Probe:
    """Return what must be touched by a change before the answer to a question may differ."""
    kind = question[0]
    if kind in _OF_A_REGION:
        return ("region", question[1], question[2])
    if kind in _OF_ALL_INSIDE:
        return ("inside", question[1], question[2])
    if kind in _OF_THE_MODULE:
        return ("region", question[1], "")
    if kind in _BY_NAME:
        return (kind, question[1])
    if kind in _BY_PATH:
        return ("path", question[1])
    if kind in _BY_LISTING:
        return ("listing", question[1])
    if kind == "package_name":
        return ("folder", question[1])
    if kind in _BY_FOLDER_AND_NAME:
        return (_BY_FOLDER_AND_NAME[kind], question[1], question[2])
    if kind == "file":
        return ("inside", question[1], "")
    if kind == "named":
        return ("stem", question[1])
    if kind in _BY_BASE:
        return ("stem", stem(question[1]))
    return ("name", question[1])
