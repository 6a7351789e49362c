-- Commits that no reference leads to, and since when (seconds UTC) that is known.
CREATE TABLE meta.unreachable (track INTEGER, seq INTEGER, since BIGINT);
