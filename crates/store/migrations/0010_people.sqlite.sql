-- Whom players follow or block. Not bound to identities by keys, as on PostgreSQL.
CREATE TABLE relations (
    identity_id INTEGER NOT NULL,
    other_id INTEGER NOT NULL,
    kind TEXT NOT NULL, -- 'follow' or 'block'
    created_at INTEGER NOT NULL,
    PRIMARY KEY (identity_id, other_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX relations_by_other ON relations (other_id);

-- Who is connected to each server.
CREATE TABLE presence (
    server_id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
