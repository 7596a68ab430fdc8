-- Removing what is no longer needed, and folding the events of finished games.

-- Servers of the version before may be running: what they append waits for this. They lock the tables
-- in the same order.
LOCK TABLE games, events IN ACCESS EXCLUSIVE MODE;

ALTER TABLE games ADD COLUMN aborted BIGINT NOT NULL DEFAULT 0; -- whether it ended without a result
ALTER TABLE games ADD COLUMN folded BIGINT NOT NULL DEFAULT 0;

-- The events before this one, compressed. Only the last event of a folded game has them.
ALTER TABLE events ADD COLUMN earlier BYTEA;

UPDATE games SET aborted = 1 WHERE phase = 'finished'
    AND (detail LIKE '%"reason":"aborted"%' OR detail LIKE '%"reason":"abandoned"%');

CREATE INDEX aborted_games ON games (id) WHERE aborted = 1;
CREATE INDEX games_to_fold ON games (id) WHERE phase = 'finished' AND aborted = 0 AND folded = 0;
CREATE INDEX game_players_by_game ON game_players (game_id);
CREATE INDEX result_players_by_identity ON result_players (identity_id);
CREATE INDEX tokens_by_use ON tokens (coalesce(last_used_at, created_at));
CREATE INDEX revoked_tokens ON tokens (revoked_at) WHERE revoked_at IS NOT NULL;

-- A command creates one game, whichever servers receive it. A table, because folding removes the
-- event that had the key.
CREATE TABLE creation_keys (
    sender_id BIGINT NOT NULL,
    idempotency_key TEXT NOT NULL,
    game_number BIGINT NOT NULL,
    PRIMARY KEY (sender_id, idempotency_key)
);

INSERT INTO creation_keys (sender_id, idempotency_key, game_number)
    SELECT sender_id, idempotency_key, game_number FROM events
    WHERE sequence = 1 AND sender_id <> 0;

DROP INDEX events_creating_games;

-- The second event with a key is not inserted, as if the key were unique in the table of events. A
-- trigger, so that it also holds for servers of the version before.
CREATE FUNCTION claim_creation_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO creation_keys (sender_id, idempotency_key, game_number)
        VALUES (NEW.sender_id, NEW.idempotency_key, NEW.game_number) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER events_creating_games BEFORE INSERT ON events
    FOR EACH ROW WHEN (NEW.sequence = 1 AND NEW.sender_id <> 0)
    EXECUTE FUNCTION claim_creation_key();

-- The migrations that a server knows; null if it knows none of these.
ALTER TABLE servers ADD COLUMN schema BIGINT;
