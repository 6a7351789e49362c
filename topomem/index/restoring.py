"""The linker's state at a stored commit, read back so that nothing has to be done again."""

from __future__ import annotations

from topomem.index.facts import FactCache
from topomem.index.linking import Linker
from topomem.index.selection import NO_LANGUAGE
from topomem.index.steps import Stepper
from topomem.model.history import Commit
from topomem.store.reader import Reader


def restore(
    reader: Reader, stepper: Stepper, commit: Commit, facts: FactCache, linker: Linker
) -> None:
    """Let `linker` stand on a stored commit. Regions stay packed until they are looked at."""
    files = stepper.files(commit)
    keys = {
        (file.entry.blob, file.language)
        for file in files
        if file.entry is not None and file.language != NO_LANGUAGE
    }
    blobs = reader.blob_facts(keys)
    for blob in blobs.values():
        facts.put(blob)
    regions = {place.region for blob in blobs.values() for place in blob.placements}
    facts.put_packed(reader.packed_regions(regions))
    linker.restore(files, reader.file_links(commit.id), reader.asked(commit.id))
