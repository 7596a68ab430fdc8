-- Puzzles. Solver 0 is the person at the terminal; the others are identities.
CREATE TABLE puzzle_results (
    solver_id BIGINT NOT NULL,
    puzzle_id TEXT NOT NULL,
    tried_at BIGINT NOT NULL,
    solved_at BIGINT,
    PRIMARY KEY (solver_id, puzzle_id)
);

-- The days, counted from 1970 in UTC, on which the puzzle of the day was solved.
CREATE TABLE daily_puzzles (
    day BIGINT NOT NULL,
    solver_id BIGINT NOT NULL,
    PRIMARY KEY (day, solver_id)
);

CREATE INDEX daily_puzzles_by_solver ON daily_puzzles (solver_id, day);

CREATE TABLE puzzle_ratings (
    solver_id BIGINT PRIMARY KEY,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL
);
