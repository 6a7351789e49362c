"""Owners of files as of a moment: CODEOWNERS is a file of the snapshot like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.model.ids import FilePath
from topomem.store.structure import versions
from topomem.units.owners import LARGEST, PLACES, Owners

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.api.view import View


def read_owners(opened: Opened, view: View) -> Owners:
    """Return the rules that hold at a moment; without any, nobody owns anything."""
    if view.snapshot is not None:
        files = versions(view.snapshot)
        for place in map(FilePath, PLACES):
            if place in files:
                source = view.read_blob(opened, place, files[place].blob)
                if source is not None and len(source) <= LARGEST:
                    return Owners(source.decode("utf-8", "replace"), place)
    return Owners("")
