-- Games at the terminal that are not over, stored as they are played. Their records have the moves.
CREATE TABLE unfinished_games (
    record_id BIGINT PRIMARY KEY REFERENCES records (id),
    changed_at BIGINT NOT NULL,
    detail TEXT NOT NULL -- what a continuation needs: who plays each seat, the clocks, the league
);

CREATE INDEX unfinished_games_by_change ON unfinished_games (changed_at);
