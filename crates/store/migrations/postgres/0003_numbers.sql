-- Games get a number each, which is short: the key of every event begins with it.
ALTER TABLE online_games ADD COLUMN number BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE;

CREATE TABLE numbered_events (
    game BIGINT NOT NULL, -- its number
    sequence BIGINT NOT NULL, -- from 1, without gaps
    at BIGINT NOT NULL,
    due BIGINT, -- when something happens by itself unless another event comes first
    sender BIGINT NOT NULL, -- whose command it was; 0 is the server itself
    key TEXT NOT NULL, -- the sender's key for the command; the same for all its events
    body TEXT NOT NULL
);

INSERT INTO numbered_events (game, sequence, at, due, sender, key, body)
    SELECT g.number, e.sequence, e.at, e.due, e.sender, e.key, e.body
    FROM events e JOIN online_games g ON g.id = e.game;

DROP TABLE events;
ALTER TABLE numbered_events RENAME TO events;
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (game, sequence);

-- A command makes one game, whichever servers it is sent to. Where one has made two, the first has it.
UPDATE events SET key = 'again ' || game WHERE sequence = 1 AND sender <> 0 AND EXISTS (
    SELECT 1 FROM events AS first
    WHERE first.sequence = 1 AND first.sender = events.sender AND first.key = events.key
        AND (first.at, first.game) < (events.at, events.game));
CREATE UNIQUE INDEX events_creating ON events (sender, key) WHERE sequence = 1 AND sender <> 0;

-- Nobody asked when a token was last used.
ALTER TABLE tokens DROP COLUMN used_at;
