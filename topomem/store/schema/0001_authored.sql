-- Authored rows, projected from the journal; append-only, migrated, never dropped by a rebuild.
CREATE SCHEMA meta;
CREATE SCHEMA episode;
CREATE SCHEMA review;

CREATE TABLE meta.property (key VARCHAR, value VARCHAR);
CREATE TABLE meta.journal_position (writer VARCHAR, position BIGINT);
CREATE TABLE episode.event (
    event_id VARCHAR, episode_id VARCHAR, kind VARCHAR, recorded_at BIGINT, commit_id VARCHAR,
    body VARCHAR
);
CREATE TABLE review.verdict (verdict_id VARCHAR, subject_id VARCHAR, verdict VARCHAR, reason VARCHAR,
    recorded_at BIGINT, body VARCHAR);
CREATE TABLE review.tombstone (tombstone_id VARCHAR, kind VARCHAR, value VARCHAR, recorded_at BIGINT);
