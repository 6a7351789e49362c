-- Derived planes: topology, decision, retrieval. Everything here can be rebuilt from git.
-- No keys and no unique constraints on bulk tables: they double size and load time; duplicates are
-- found before loading. Integers ending in _int are interned ids, private to this file.
CREATE SCHEMA meta;
CREATE SCHEMA topology;
CREATE SCHEMA decision;
CREATE SCHEMA retrieval;

CREATE TABLE meta.property (key VARCHAR, value VARCHAR);

-- Commits form tracks (paths along first parents); a track hangs off a commit of another track.
CREATE TABLE meta.track (track INTEGER, base_track INTEGER, base_seq INTEGER, depth INTEGER);
CREATE TABLE meta.commit (
    track INTEGER, seq INTEGER, commit_id VARCHAR, tree_id VARCHAR,
    author_name VARCHAR, author_email VARCHAR, author_date BIGINT, author_offset INTEGER,
    committer_date BIGINT, committer_offset INTEGER, message VARCHAR,
    boundary BOOLEAN, reachable BOOLEAN, notes VARCHAR
);
CREATE TABLE meta.parent (track INTEGER, seq INTEGER, ordinal INTEGER, parent_id VARCHAR);

CREATE TABLE topology.path (path_int INTEGER, path VARCHAR);
CREATE TABLE topology.name (name_int INTEGER, name VARCHAR);
CREATE TABLE topology.blob (
    blob_int INTEGER, blob_id VARCHAR, language VARCHAR, byte_count BIGINT, line_count INTEGER,
    error_bytes INTEGER, diagnostics VARCHAR
);
-- `facts` is the packed reduced tree (store.facts), read by the linker only.
CREATE TABLE topology.region (
    region_int INTEGER, region_key VARCHAR, language VARCHAR, docstring VARCHAR, value_hash VARCHAR,
    size INTEGER, row_count INTEGER, facts BLOB
);
-- ordinal 0 is the region's own definition; the others are light ones (variables, fields ...).
CREATE TABLE topology.definition (
    region_int INTEGER, ordinal INTEGER, kind VARCHAR, name VARCHAR, signature VARCHAR,
    start_byte INTEGER, end_byte INTEGER, start_row INTEGER, end_row INTEGER, name_row INTEGER,
    modifiers VARCHAR, through_receiver BOOLEAN, body_hash VARCHAR, shape_hash VARCHAR, owner VARCHAR
);
CREATE TABLE topology.placement (
    blob_int INTEGER, ordinal INTEGER, region_int INTEGER, parent INTEGER, name_int INTEGER,
    start_byte INTEGER, end_byte INTEGER, start_line INTEGER, end_line INTEGER, name_line INTEGER
);
-- Presence of a file: blob_int NULL is a deletion on a side track; to_seq is exclusive, NULL is open.
CREATE TABLE topology.span (
    track INTEGER, path_int INTEGER, blob_int INTEGER, mode INTEGER, link_set INTEGER,
    from_seq INTEGER, to_seq INTEGER
);
CREATE TABLE topology.link_set (link_set INTEGER, ordinal INTEGER, link INTEGER);
CREATE TABLE topology.link (link INTEGER, region_int INTEGER);
-- target: path_int and name_int of a moniker; or target_path NULL and the name of something external;
-- method 'unresolved' has the written name. start_byte and row are relative to the region, -1: its definition.
CREATE TABLE topology.edge (
    link INTEGER, source INTEGER, kind VARCHAR, start_byte INTEGER, row INTEGER,
    target_path INTEGER, target_name INTEGER, confidence FLOAT, method VARCHAR
);
CREATE TABLE topology.candidate (link INTEGER, edge INTEGER, path_int INTEGER, name_int INTEGER);

-- `stem` is topomem.model.words.stem(word); questions meet the vocabulary by it.
CREATE TABLE retrieval.word (word_int INTEGER, word VARCHAR, stem VARCHAR);
-- field: 1 name, 2 signature, 3 docstring, 4 body
CREATE TABLE retrieval.posting (word_int INTEGER, region_int INTEGER, field TINYINT, count INTEGER);
CREATE TABLE retrieval.path_word (word_int INTEGER, path_int INTEGER, count INTEGER);
CREATE TABLE retrieval.name_word (word_int INTEGER, name_int INTEGER, count INTEGER);
