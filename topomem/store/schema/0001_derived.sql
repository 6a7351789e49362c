-- Derived planes: topology, decision, retrieval. Everything here can be rebuilt from git.
-- No keys and no unique constraints on bulk tables: they double size and load time; duplicates are
-- found before loading. Integers ending in _int are interned ids, private to this file.
CREATE SCHEMA meta;
CREATE SCHEMA topology;
CREATE SCHEMA decision;
CREATE SCHEMA retrieval;

CREATE TABLE meta.property (key VARCHAR, value VARCHAR);
-- The next free number of each kind of interned id; numbers are never given twice.
CREATE TABLE meta.counter (kind VARCHAR, next BIGINT);

-- Commits form tracks (paths along first parents). A track reads on in its base where it has no entry
-- of its own; base_track NULL: it began with a full snapshot. depth: how many bases are behind it.
CREATE TABLE meta.track (track INTEGER, base_track INTEGER, base_seq INTEGER, depth INTEGER);
CREATE TABLE meta.commit (
    track INTEGER, seq INTEGER, commit_id VARCHAR, tree_id VARCHAR,
    author_name VARCHAR, author_email VARCHAR, author_date BIGINT, author_offset INTEGER,
    committer_date BIGINT, committer_offset INTEGER, message VARCHAR,
    boundary BOOLEAN, reachable BOOLEAN, notes VARCHAR
);
-- The first parent of a commit with seq > 0 is the one before it on its track; it has no row here.
CREATE TABLE meta.parent (track INTEGER, seq INTEGER, ordinal INTEGER, parent_id VARCHAR);

CREATE TABLE topology.path (path_int INTEGER, path VARCHAR);
CREATE TABLE topology.name (name_int INTEGER, name VARCHAR);
-- One row per blob and language it was read as.
CREATE TABLE topology.blob (
    blob_int INTEGER, blob_id VARCHAR, language VARCHAR, byte_count BIGINT, line_count INTEGER,
    error_bytes INTEGER, diagnostics VARCHAR
);
-- kind: of the region's own definition. facts: everything said of the region, packed, for the linker;
-- compressed together with those of others.
CREATE TABLE topology.region (
    region_int INTEGER, region_key VARCHAR, language VARCHAR, kind VARCHAR, docstring VARCHAR,
    value_hash VARCHAR, size INTEGER, row_count INTEGER, facts BLOB USING COMPRESSION zstd
);
-- ordinal 0 is the region's own definition; the others are light ones (variables, fields ...).
-- Rows count the region's own lines only; *_nested tells how many nested definitions stand before.
CREATE TABLE topology.definition (
    region_int INTEGER, ordinal INTEGER, kind VARCHAR, name VARCHAR, signature VARCHAR,
    start_byte INTEGER, end_byte INTEGER,
    start_row INTEGER, start_nested INTEGER, end_row INTEGER, end_nested INTEGER,
    name_row INTEGER, name_nested INTEGER,
    modifiers VARCHAR, through_receiver BOOLEAN, body_hash VARCHAR, shape_hash VARCHAR, owner VARCHAR
);
-- child: its number among the placements of the same parent; hidden_rows: the newlines of all of them
-- up to and with this one. So the line of a row of the parent, behind n nested definitions, is
-- parent.start_line + row + hidden_rows of the child n - 1.
-- owner_int: name of the innermost class-like definition around or at it (NULL: none).
CREATE TABLE topology.placement (
    blob_int INTEGER, ordinal INTEGER, region_int INTEGER, parent INTEGER, child INTEGER,
    name_int INTEGER, owner_int INTEGER, start_byte INTEGER, end_byte INTEGER,
    start_line INTEGER, end_line INTEGER, name_line INTEGER, hidden_rows INTEGER
);
-- Presence of a file: blob_int NULL is a deletion on a track with a base; to_seq is exclusive, NULL
-- is open. link_set NULL: not linked.
CREATE TABLE topology.span (
    track INTEGER, path_int INTEGER, blob_int INTEGER, mode INTEGER, link_set INTEGER,
    from_seq INTEGER, to_seq INTEGER
);
-- The links of one file version, parallel to the placements of its blob. Equal sets are stored once.
CREATE TABLE topology.link_set (link_set INTEGER, ordinal INTEGER, link INTEGER, asked_set INTEGER);
CREATE TABLE topology.link_set_digest (link_set INTEGER, digest BIGINT);
CREATE TABLE topology.link (link INTEGER, region_int INTEGER, digest BIGINT);
-- op, row: of the reference, relative to the region (op -1: its definition); nested: how many nested
-- definitions stand before. source: ordinal of the definition it leaves from.
-- target_kind: symbol (path and name), external (name) or unresolved (name as written).
CREATE TABLE topology.edge (
    link INTEGER, ordinal INTEGER, source INTEGER, kind VARCHAR, op INTEGER, row INTEGER,
    nested INTEGER, target_kind VARCHAR, target_path INTEGER, target_name INTEGER,
    confidence DOUBLE, method VARCHAR
);
CREATE TABLE topology.candidate (
    link INTEGER, edge INTEGER, ordinal INTEGER, path_int INTEGER, name_int INTEGER
);
-- What the linker asked for a region, with a digest of each answer; equal sets are stored once.
CREATE TABLE topology.question (question_int INTEGER, question VARCHAR, answer VARCHAR);
CREATE TABLE topology.asked (asked_set INTEGER, question_int INTEGER);
CREATE TABLE topology.asked_set (asked_set INTEGER, digest BIGINT);

-- The files at a place of a track: per path the entry of the nearest track that has one there.
CREATE MACRO topology.snapshot(at_track, at_seq) AS TABLE
    WITH RECURSIVE chain(level, track, seq) AS (
        SELECT 0, at_track::INTEGER, at_seq::INTEGER
        UNION ALL
        SELECT chain.level + 1, track.base_track, track.base_seq
        FROM chain JOIN meta.track AS track ON track.track = chain.track
        WHERE track.base_track IS NOT NULL
    ),
    nearest AS (
        SELECT span.path_int,
            arg_min({'blob_int': span.blob_int, 'mode': span.mode, 'link_set': span.link_set},
                chain.level) AS entry
        FROM topology.span AS span JOIN chain ON span.track = chain.track
        WHERE span.from_seq <= chain.seq AND (span.to_seq IS NULL OR span.to_seq > chain.seq)
        GROUP BY span.path_int
    )
    SELECT path_int, entry.blob_int AS blob_int, entry.mode AS mode, entry.link_set AS link_set
    FROM nearest WHERE entry.blob_int IS NOT NULL;

-- `stem` is topomem.model.words.stem(word); questions meet the vocabulary by it.
CREATE TABLE retrieval.word (word_int INTEGER, word VARCHAR, stem VARCHAR);
-- field: 1 name, 2 signature, 3 docstring, 4 body
CREATE TABLE retrieval.posting (word_int INTEGER, region_int INTEGER, field TINYINT, count INTEGER);
CREATE TABLE retrieval.path_word (word_int INTEGER, path_int INTEGER, count INTEGER);
CREATE TABLE retrieval.name_word (word_int INTEGER, name_int INTEGER, count INTEGER);

-- Texts that may be decision records, parsed, per blob; body is what the text says as JSON.
-- origin: `place`: some path of the blob promised a record; `front_matter`: the text itself does.
CREATE TABLE decision.record (blob_int INTEGER, origin VARCHAR, body VARCHAR USING COMPRESSION zstd);
