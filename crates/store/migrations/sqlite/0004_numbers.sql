-- Games get a number each, which is short. The key of every event begins with it, and the entries of
-- those that are played at a time then share pages of the index, which are written as a whole.
CREATE TABLE numbered_games (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    state TEXT NOT NULL, -- open, live or finished
    public INTEGER NOT NULL,
    rules TEXT NOT NULL,
    league TEXT,
    rated INTEGER NOT NULL,
    seats TEXT NOT NULL, -- identities in seat order, null for nobody, as a JSON array
    detail TEXT NOT NULL
) STRICT;

INSERT INTO numbered_games (id, state, public, rules, league, rated, seats, detail)
    SELECT id, state, public, rules, league, rated, seats, detail FROM online_games ORDER BY id;

CREATE TABLE numbered_events (
    game INTEGER NOT NULL, -- its number
    sequence INTEGER NOT NULL, -- from 1, without gaps
    at INTEGER NOT NULL,
    due INTEGER, -- when something happens by itself unless another event comes first
    sender INTEGER NOT NULL, -- whose command it was; 0 is the server itself
    key TEXT NOT NULL, -- the sender's key for the command; the same for all its events
    body TEXT NOT NULL,
    PRIMARY KEY (game, sequence)
) STRICT;

INSERT INTO numbered_events (game, sequence, at, due, sender, key, body)
    SELECT g.number, e.sequence, e.at, e.due, e.sender, e.key, e.body
    FROM events e JOIN numbered_games g ON g.id = e.game ORDER BY e.rowid;

DROP TABLE events;
DROP TABLE online_games;
ALTER TABLE numbered_games RENAME TO online_games;
ALTER TABLE numbered_events RENAME TO events;
CREATE INDEX online_games_by_state ON online_games (state, id);

-- A command makes one game, whichever servers it is sent to. Where one has made two, the first has it.
UPDATE events SET key = 'again ' || game WHERE sequence = 1 AND sender <> 0 AND EXISTS (
    SELECT 1 FROM events AS first
    WHERE first.sequence = 1 AND first.sender = events.sender AND first.key = events.key
        AND (first.at, first.game) < (events.at, events.game));
CREATE UNIQUE INDEX events_creating ON events (sender, key) WHERE sequence = 1 AND sender <> 0;

-- Nobody asked when a token was last used.
ALTER TABLE tokens DROP COLUMN used_at;
