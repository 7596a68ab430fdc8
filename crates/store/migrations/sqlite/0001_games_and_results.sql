-- A game that was played, as its text form.
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL, -- when it was stored, milliseconds since 1970
    record TEXT NOT NULL
) STRICT;

CREATE TABLE leagues (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    system TEXT NOT NULL
) STRICT;

-- What counts in a league. Ratings are a function of these rows in the order of their ids.
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league INTEGER NOT NULL REFERENCES leagues (id),
    game INTEGER NOT NULL REFERENCES games (id),
    at INTEGER NOT NULL,
    winner INTEGER, -- the seat; none for a draw
    retracted_at INTEGER
) STRICT;

CREATE INDEX results_of_league ON results (league, id);
CREATE INDEX results_of_game ON results (game);

CREATE TABLE result_players (
    result INTEGER NOT NULL REFERENCES results (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (result, seat)
) STRICT, WITHOUT ROWID;
