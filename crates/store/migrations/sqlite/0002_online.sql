-- Whoever plays online: a guest, a named account, or a computer player.
CREATE TABLE identities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL, -- guest, account or computer
    name TEXT NOT NULL,
    skeleton TEXT NOT NULL UNIQUE, -- what all names that look like this one have in common
    password TEXT, -- its hash
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    hash BLOB PRIMARY KEY, -- SHA-256 of the token, which is nowhere stored
    identity INTEGER NOT NULL REFERENCES identities (id),
    kind TEXT NOT NULL, -- session or bot
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_of_identity ON tokens (identity, created_at);

-- The log: what happened in online games. Everything else about them follows from it. Rows stand in
-- the order in which they were written, with the key in an index beside them: that way the moves of
-- many games that are committed together share pages, which have to be written as a whole.
CREATE TABLE events (
    game BLOB NOT NULL,
    sequence INTEGER NOT NULL, -- from 1, without gaps
    at INTEGER NOT NULL,
    due INTEGER, -- when something happens by itself unless another event comes first
    sender INTEGER NOT NULL, -- whose command it was; 0 is the server itself
    key TEXT NOT NULL, -- the sender's key for the command; the same for all its events
    body TEXT NOT NULL,
    PRIMARY KEY (game, sequence)
) STRICT;

-- What lists show of online games.
CREATE TABLE online_games (
    id BLOB PRIMARY KEY,
    state TEXT NOT NULL, -- open, live or finished
    public INTEGER NOT NULL,
    rules TEXT NOT NULL,
    league TEXT,
    rated INTEGER NOT NULL,
    seats TEXT NOT NULL, -- identities in seat order, null for nobody, as a JSON array
    detail TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX online_games_by_state ON online_games (state, id);

-- Who has ever sat in which game.
CREATE TABLE online_players (
    identity INTEGER NOT NULL,
    game BLOB NOT NULL,
    PRIMARY KEY (identity, game)
) STRICT, WITHOUT ROWID;

-- Games and results of the server stand beside those of the terminal, each in leagues of its own:
-- a name that is typed at a terminal proves nothing.
ALTER TABLE games ADD COLUMN online BLOB;
CREATE UNIQUE INDEX games_online ON games (online) WHERE online IS NOT NULL;
ALTER TABLE leagues ADD COLUMN online INTEGER NOT NULL DEFAULT 0;
ALTER TABLE result_players ADD COLUMN identity INTEGER REFERENCES identities (id);
CREATE INDEX results_retracted ON results (league, id) WHERE retracted_at IS NOT NULL;
