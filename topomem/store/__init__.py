"""The store: DuckDB files behind locks, and the journal of authored rows.

`Store` (store.py) opens short sessions: `read()` gives a `Reader` (reader.py), `write()` a `Writer`
(writer.py). A `Reader` opens `Snapshot`s (snapshot.py): the symbols and edges of one commit.
"""
