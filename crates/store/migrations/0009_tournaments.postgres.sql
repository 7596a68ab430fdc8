-- Online tournaments. Their logs are like those of games: the key is (tournament, sequence).
CREATE TABLE tournaments (
    id BYTEA PRIMARY KEY,
    creator_id BIGINT NOT NULL REFERENCES identities (id),
    idempotency_key TEXT, -- of the request that created it
    phase TEXT NOT NULL,
    public BIGINT NOT NULL,
    sequence BIGINT NOT NULL, -- of the last event
    due_at BIGINT, -- when a server has to act, in milliseconds since 1970
    detail TEXT NOT NULL -- what lists show, as JSON
);

CREATE UNIQUE INDEX tournaments_by_key ON tournaments (creator_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX tournaments_by_creator ON tournaments (creator_id, id);
CREATE INDEX tournaments_by_phase ON tournaments (phase, id) WHERE public = 1;
CREATE INDEX tournaments_by_due ON tournaments (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE tournament_events (
    tournament_id BYTEA NOT NULL REFERENCES tournaments (id),
    sequence BIGINT NOT NULL,
    at BIGINT NOT NULL, -- milliseconds since 1970
    body TEXT NOT NULL, -- JSON
    PRIMARY KEY (tournament_id, sequence)
);

CREATE TABLE tournament_players (
    identity_id BIGINT NOT NULL REFERENCES identities (id),
    tournament_id BYTEA NOT NULL REFERENCES tournaments (id),
    PRIMARY KEY (identity_id, tournament_id)
);
