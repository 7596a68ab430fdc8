-- Online tournaments. Their logs are like those of games: the key is (tournament, sequence).
CREATE TABLE tournaments (
    id BLOB PRIMARY KEY,
    creator_id INTEGER NOT NULL REFERENCES identities (id),
    idempotency_key TEXT, -- of the request that created it
    phase TEXT NOT NULL,
    public INTEGER NOT NULL,
    sequence INTEGER NOT NULL, -- of the last event
    due_at INTEGER, -- when a server has to act, in milliseconds since 1970
    detail TEXT NOT NULL -- what lists show, as JSON
) STRICT;

CREATE UNIQUE INDEX tournaments_by_key ON tournaments (creator_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX tournaments_by_creator ON tournaments (creator_id, id);
CREATE INDEX tournaments_by_phase ON tournaments (phase, id) WHERE public = 1;
CREATE INDEX tournaments_by_due ON tournaments (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE tournament_events (
    tournament_id BLOB NOT NULL REFERENCES tournaments (id),
    sequence INTEGER NOT NULL,
    at INTEGER NOT NULL, -- milliseconds since 1970
    body TEXT NOT NULL, -- JSON
    PRIMARY KEY (tournament_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE tournament_players (
    identity_id INTEGER NOT NULL REFERENCES identities (id),
    tournament_id BLOB NOT NULL REFERENCES tournaments (id),
    PRIMARY KEY (identity_id, tournament_id)
) STRICT, WITHOUT ROWID;
