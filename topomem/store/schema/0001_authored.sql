-- Authored rows, projected from the journal; append-only, migrated, never dropped by a rebuild.
CREATE SCHEMA meta;
CREATE SCHEMA episode;
CREATE SCHEMA review;

CREATE TABLE meta.property (key VARCHAR, value VARCHAR);
CREATE TABLE meta.applied_migration (name VARCHAR);
-- How far each journal file was read, in bytes.
CREATE TABLE meta.journal_position (file VARCHAR, position BIGINT);

-- body is the row as JSON; its other columns are those parts of it that are asked for.
-- recorded_at: milliseconds UTC; number: order among rows recorded together.
CREATE TABLE episode.event (
    id VARCHAR, episode_id VARCHAR, kind VARCHAR, recorded_at BIGINT, number INTEGER,
    commit_id VARCHAR, body VARCHAR
);
CREATE TABLE review.verdict (
    id VARCHAR, subject_id VARCHAR, kind VARCHAR, recorded_at BIGINT, number INTEGER,
    reason VARCHAR, body VARCHAR
);
CREATE TABLE review.check_result (
    id VARCHAR, subject_id VARCHAR, kind VARCHAR, recorded_at BIGINT, number INTEGER,
    commit_id VARCHAR, body VARCHAR
);
CREATE TABLE review.tombstone (
    id VARCHAR, subject_id VARCHAR, kind VARCHAR, recorded_at BIGINT, number INTEGER, body VARCHAR
);
CREATE TABLE review.access_rule (
    id VARCHAR, subject_id VARCHAR, kind VARCHAR, recorded_at BIGINT, number INTEGER, body VARCHAR
);
