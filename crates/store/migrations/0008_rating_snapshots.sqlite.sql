-- Results of leagues with the ratings after each of them, so that a server that starts need not compute them
-- again. They follow from the results: without them it only takes longer.

CREATE TABLE rating_snapshots (
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    last_result_id INTEGER NOT NULL,
    after_result_id INTEGER NOT NULL, -- the last of the snapshot before; 0 for the first
    version INTEGER NOT NULL, -- of the contents
    checksum INTEGER NOT NULL, -- of the contents
    contents BLOB NOT NULL,
    PRIMARY KEY (league_id, last_result_id)
) STRICT;

-- How many results of the league were changed or removed after they had been stored.
ALTER TABLE leagues ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;

-- Whatever changes a result also removes the snapshots that have it or follow from it. Triggers, so that it
-- also holds for servers of the version before.
CREATE TRIGGER results_changed
AFTER UPDATE OF id, league_id, ended_at, winner_seat, retracted_at ON results
BEGIN
    UPDATE leagues SET changes = changes + 1 WHERE id IN (OLD.league_id, NEW.league_id);
    DELETE FROM rating_snapshots
        WHERE league_id IN (OLD.league_id, NEW.league_id) AND last_result_id >= OLD.id;
END;

CREATE TRIGGER results_removed AFTER DELETE ON results
BEGIN
    UPDATE leagues SET changes = changes + 1 WHERE id = OLD.league_id;
    DELETE FROM rating_snapshots WHERE league_id = OLD.league_id AND last_result_id >= OLD.id;
END;

-- Other names of players change no ratings.
CREATE TRIGGER result_players_changed
AFTER UPDATE OF result_id, seat, identity_id, weight ON result_players
BEGIN
    UPDATE leagues SET changes = changes + 1
        WHERE id = (SELECT league_id FROM results WHERE results.id = OLD.result_id);
    DELETE FROM rating_snapshots
        WHERE league_id = (SELECT league_id FROM results WHERE results.id = OLD.result_id)
            AND last_result_id >= OLD.result_id;
END;
