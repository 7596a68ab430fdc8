-- Puzzles. Solver 0 is the person at the terminal; the others are identities.
CREATE TABLE puzzle_results (
    solver_id INTEGER NOT NULL,
    puzzle_id TEXT NOT NULL,
    tried_at INTEGER NOT NULL,
    solved_at INTEGER,
    PRIMARY KEY (solver_id, puzzle_id)
) STRICT, WITHOUT ROWID;

-- The days, counted from 1970 in UTC, on which the puzzle of the day was solved.
CREATE TABLE daily_puzzles (
    day INTEGER NOT NULL,
    solver_id INTEGER NOT NULL,
    PRIMARY KEY (day, solver_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX daily_puzzles_by_solver ON daily_puzzles (solver_id, day);

CREATE TABLE puzzle_ratings (
    solver_id INTEGER PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL
) STRICT;
