-- What commits say: the words of their messages, and the issues and tickets they name. Every row has
-- the place of its commit, so that an answer counts only what is behind it.
CREATE TABLE retrieval.commit_word (word_int INTEGER, track INTEGER, seq INTEGER, count INTEGER);
CREATE TABLE retrieval.commit_ticket (ticket VARCHAR, track INTEGER, seq INTEGER);
