-- The log in partitions: each game is in one, so the indexes that a move touches stay small.
--
-- Existing events are not copied. Their table becomes the partition of all games up to now; later games are
-- spread by a hash of their number. Servers of the version before may be running: what they append waits
-- while the existing events are checked to be in their partition, some seconds for ten million.
LOCK TABLE games, events IN ACCESS EXCLUSIVE MODE;

-- Created again below, for all partitions.
DROP TRIGGER events_creating_games ON events;

ALTER TABLE events RENAME TO events_first;
ALTER INDEX events_pkey RENAME TO events_first_pkey;

CREATE TABLE events (LIKE events_first) PARTITION BY RANGE (game_number);
ALTER TABLE events ADD PRIMARY KEY (game_number, sequence);

DO $$
DECLARE
    first_hashed BIGINT;
BEGIN
    SELECT coalesce(max(number), 0) + 1 INTO first_hashed FROM games;
    IF first_hashed > 1 THEN
        EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first
            FOR VALUES FROM (MINVALUE) TO (%s)', first_hashed);
    ELSE
        DROP TABLE events_first;
    END IF;
    EXECUTE format('CREATE TABLE events_hashed PARTITION OF events
        FOR VALUES FROM (%s) TO (MAXVALUE) PARTITION BY HASH (game_number)', first_hashed);
    FOR i IN 0..15 LOOP
        EXECUTE format('CREATE TABLE events_%s PARTITION OF events_hashed
            FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
    END LOOP;
END
$$;

CREATE TRIGGER events_creating_games BEFORE INSERT ON events
    FOR EACH ROW WHEN (NEW.sequence = 1 AND NEW.sender_id <> 0)
    EXECUTE FUNCTION claim_creation_key();
