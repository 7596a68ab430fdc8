-- Whom players follow or block. Not bound to identities by keys: servers of the version before remove
-- unused guests without looking here.
CREATE TABLE relations (
    identity_id BIGINT NOT NULL,
    other_id BIGINT NOT NULL,
    kind TEXT NOT NULL, -- 'follow' or 'block'
    created_at BIGINT NOT NULL,
    PRIMARY KEY (identity_id, other_id)
);

CREATE INDEX relations_by_other ON relations (other_id);

-- Who is connected to each server.
CREATE TABLE presence (
    server_id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    body TEXT NOT NULL
);
