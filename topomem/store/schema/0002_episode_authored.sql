-- Where a row came from, NULL for what was recorded here; it is no part of the content.
ALTER TABLE episode.event ADD COLUMN origin VARCHAR;
ALTER TABLE review.verdict ADD COLUMN origin VARCHAR;

-- Made of the bodies of events, and made anew when that is done otherwise.
-- root: the event that begins the episode; commit_id: that of the event.
CREATE TABLE episode.word (root VARCHAR, commit_id VARCHAR, stem VARCHAR);
CREATE TABLE episode.link (root VARCHAR, commit_id VARCHAR, kind VARCHAR, target VARCHAR);
