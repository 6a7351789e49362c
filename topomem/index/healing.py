"""What a clone lacked and has now: blobs of a partial clone, parents of a shallow one."""

from __future__ import annotations

from topomem.git.repository import Repository
from topomem.index.lineage import Tracer
from topomem.index.loop import Stored
from topomem.index.plan import Plan, still_there
from topomem.index.recording import Session
from topomem.model.ids import BlobId
from topomem.store.locks import WhenAlone
from topomem.store.store import Store


def found_again(repository: Repository, store: Store) -> list[BlobId]:
    """Return the blobs that were missing when they were to be read, and are there now."""
    with store.read() as reader:
        missing = reader.missing_blobs()
    return [blob for blob in missing if repository.size(blob) is not None]


def make_way(store: Store, blobs: list[BlobId], when_alone: WhenAlone) -> int:
    """Drop the commits that were stored without the content of `blobs`, and all that follow.

    They are planned and stored anew then; blobs that were read stay read as long as a commit that
    stays holds them. Does nothing while others index. Returns how many were dropped.
    """
    return when_alone(lambda: store.drop_since(blobs)) if blobs else 0


def reconnect(
    repository: Repository, tracer: Tracer, stored: Stored, planned: Plan, session: Session
) -> None:
    """Trace stored commits once more, whose parents have come since."""
    new = {commit.id for commit in planned.commits}
    traced = []
    for commit in still_there(repository, stored.cut - new):
        parents = new.intersection(commit.present_parents)
        if parents or (commit.parents and commit.id not in planned.cut):
            traced.append((commit.id, tracer.trace(commit, stored.commits)))
    if traced:
        with session() as writer:
            for one, aliases in traced:
                writer.replace_aliases(one, aliases)
