-- Results of leagues with the ratings after each of them, so that a server that starts need not compute them
-- again. They follow from the results: without them it only takes longer.

-- First, as servers of the version before lock it first.
LOCK TABLE leagues IN ACCESS EXCLUSIVE MODE;

CREATE TABLE rating_snapshots (
    league_id BIGINT NOT NULL REFERENCES leagues (id),
    last_result_id BIGINT NOT NULL,
    after_result_id BIGINT NOT NULL, -- the last of the snapshot before; 0 for the first
    version BIGINT NOT NULL, -- of the contents
    checksum BIGINT NOT NULL, -- of the contents
    contents BYTEA NOT NULL,
    PRIMARY KEY (league_id, last_result_id)
);

-- Ratings hardly compress.
ALTER TABLE rating_snapshots ALTER COLUMN contents SET STORAGE EXTERNAL;

-- How many results of the league were changed or removed after they had been stored.
ALTER TABLE leagues ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;

-- Whatever changes a result also removes the snapshots that have it or follow from it. Triggers, so that it
-- also holds for servers of the version before. They run once for each statement: many results may move at once.
CREATE FUNCTION results_changed(league BIGINT, first_result BIGINT, results BIGINT) RETURNS void
LANGUAGE sql AS $$
    UPDATE leagues SET changes = changes + results WHERE id = league;
    DELETE FROM rating_snapshots WHERE league_id = league AND last_result_id >= first_result;
$$;

CREATE FUNCTION on_changed_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM results_changed(league_id, min(id), count(*))
        FROM (SELECT id, league_id FROM old_rows UNION SELECT id, league_id FROM new_rows) AS changed
        GROUP BY league_id ORDER BY league_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION on_removed_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM results_changed(league_id, min(id), count(*))
        FROM old_rows GROUP BY league_id ORDER BY league_id;
    RETURN NULL;
END
$$;

-- Other names of players change no ratings.
CREATE FUNCTION on_changed_result_players() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM results_changed(league_id, min(id), count(*))
        FROM (SELECT result_id, seat, identity_id, weight FROM old_rows
            EXCEPT SELECT result_id, seat, identity_id, weight FROM new_rows) AS changed
        JOIN results ON results.id = changed.result_id
        GROUP BY league_id ORDER BY league_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER results_changed AFTER UPDATE ON results
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION on_changed_results();

CREATE TRIGGER results_removed AFTER DELETE ON results
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION on_removed_results();

CREATE TRIGGER result_players_changed AFTER UPDATE ON result_players
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION on_changed_result_players();
