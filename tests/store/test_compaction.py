from __future__ import annotations

from pathlib import Path

from store.test_damage import check_commits, noise, put

from topomem.store.doctor import check_rows
from topomem.store.migrations import DERIVED_VERSION
from topomem.store.store import Store


def test_a_build_leaves_no_gaps(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    with store.build() as writer:
        for number in range(6):
            put(writer, number)
            writer.set_property("noise", "".join(map(noise, range(6 * number, 6 * number + 6))))
            writer.commit()
            writer._connection.execute("CHECKPOINT derived")
        full = store.store_bytes()
    check_commits(store, 6)
    assert store.store_bytes() < 0.7 * full
    with store.read() as reader:
        assert check_rows(reader) == []
        size = reader.connection.execute(
            "SELECT free_blocks FROM pragma_database_size() WHERE database_name = 'derived'"
        ).fetchone()
        assert reader.property("schema") == DERIVED_VERSION
    assert size == (0,)
    assert not list(tmp_path.glob("*.wal"))
