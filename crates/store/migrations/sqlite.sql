-- The schema on SQLite. postgres.sql has the same tables and columns.
-- Times are in milliseconds since 1970; yes and no are 1 and 0.

-- Guests, accounts (guests with a name of their own and a password) and computer players.
CREATE TABLE identities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL, -- guest, account or computer
    name TEXT NOT NULL,
    case_skeleton TEXT NOT NULL UNIQUE, -- equal for names that look alike regardless of case
    written_skeleton TEXT NOT NULL UNIQUE, -- equal for names that look alike as written
    password_hash TEXT, -- accounts only
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    hash BLOB PRIMARY KEY, -- SHA-256 of the token; the token itself is not stored
    identity_id INTEGER NOT NULL REFERENCES identities (id),
    kind TEXT NOT NULL, -- session or bot
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_by_identity ON tokens (identity_id, created_at);

-- Finished games in text form, played at the terminal or online.
CREATE TABLE records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    stored_at INTEGER NOT NULL,
    notation TEXT NOT NULL,
    online_game_id BLOB UNIQUE -- games.id; null for games at the terminal
) STRICT;

-- A league takes the results of either terminal games or online games: a name typed at a terminal
-- proves nothing.
CREATE TABLE leagues (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    system TEXT NOT NULL, -- the rating system
    online INTEGER NOT NULL
) STRICT;

-- Ratings are a function of these rows in the order of their ids.
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    record_id INTEGER NOT NULL REFERENCES records (id),
    ended_at INTEGER NOT NULL,
    winner_seat INTEGER, -- null for a draw
    retracted_at INTEGER
) STRICT;

CREATE INDEX results_by_league ON results (league_id, id);
CREATE INDEX results_by_record ON results (record_id);
CREATE INDEX retracted_results ON results (league_id, id) WHERE retracted_at IS NOT NULL;

CREATE TABLE result_players (
    result_id INTEGER NOT NULL REFERENCES results (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL, -- at the time of the game
    identity_id INTEGER REFERENCES identities (id), -- null for players at the terminal
    PRIMARY KEY (result_id, seat)
) STRICT, WITHOUT ROWID;

-- Online games: what lists show of them. Everything else follows from their events.
CREATE TABLE games (
    number INTEGER PRIMARY KEY, -- short, because it begins the key of every event
    id BLOB NOT NULL UNIQUE, -- a ULID
    phase TEXT NOT NULL, -- open, live or finished
    public INTEGER NOT NULL,
    rules TEXT NOT NULL,
    league TEXT,
    rated INTEGER NOT NULL,
    seats TEXT NOT NULL, -- a JSON array of identity ids in seat order, null for a free seat
    detail TEXT NOT NULL -- further data of the server
) STRICT;

CREATE INDEX games_by_phase ON games (phase, id);

-- The games that an identity ever had a seat in.
CREATE TABLE game_players (
    identity_id INTEGER NOT NULL,
    game_id BLOB NOT NULL,
    PRIMARY KEY (identity_id, game_id)
) STRICT, WITHOUT ROWID;

-- The log: the events of online games. Rows lie in insertion order with the key in an index beside
-- them, so events that are committed together share pages.
CREATE TABLE events (
    game_number INTEGER NOT NULL,
    sequence INTEGER NOT NULL, -- from 1, without gaps
    at INTEGER NOT NULL,
    due_at INTEGER, -- when the server acts unless another event comes first
    sender_id INTEGER NOT NULL, -- the identity that sent the command; 0 is the server
    idempotency_key TEXT NOT NULL, -- the same for all events of a command
    body TEXT NOT NULL,
    PRIMARY KEY (game_number, sequence)
) STRICT;

-- A command creates one game, whichever servers receive it.
CREATE UNIQUE INDEX events_creating_games ON events (sender_id, idempotency_key)
    WHERE sequence = 1 AND sender_id <> 0;

CREATE TABLE servers (
    id INTEGER PRIMARY KEY,
    seen_at INTEGER NOT NULL, -- the last heartbeat
    stopped INTEGER NOT NULL -- whether it shut down in order
) STRICT;

-- When no server was running. Clocks of games are not charged for it.
CREATE TABLE outages (
    began_at INTEGER PRIMARY KEY,
    ended_at INTEGER NOT NULL
) STRICT;
