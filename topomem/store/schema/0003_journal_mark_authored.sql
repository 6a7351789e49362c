-- Digest of the bytes before the position: tells another file of the same name and length.
ALTER TABLE meta.journal_position ADD COLUMN mark VARCHAR;
