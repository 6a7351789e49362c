-- What of a commit and one parent (its ordinal among the parents) is one thing, or came out of what.
-- alias_id: digest of both monikers and texts; alone: the confidence without rivals; evidence: JSON;
-- changes: what changed of its text, kinds with blanks between, `?` where that was not looked at.
-- Kind `reused`: the key is the same on both sides, the symbol is not.
CREATE TABLE topology.alias (
    track INTEGER, seq INTEGER, ordinal INTEGER, alias_id VARCHAR, kind VARCHAR,
    old_path INTEGER, old_name INTEGER, new_path INTEGER, new_name INTEGER,
    old_hash VARCHAR, new_hash VARCHAR, confidence DOUBLE, alone DOUBLE, evidence VARCHAR,
    changes VARCHAR
);
-- What changed of symbols that kept their key: kinds with blanks between. So the history of a symbol
-- is told without reading what its regions say.
CREATE TABLE topology.change (
    track INTEGER, seq INTEGER, ordinal INTEGER, path_int INTEGER, name_int INTEGER, kinds VARCHAR
);
-- Pairs of symbols that a limit kept from being compared.
CREATE TABLE topology.alias_limit (track INTEGER, seq INTEGER, ordinal INTEGER, left_out INTEGER);
