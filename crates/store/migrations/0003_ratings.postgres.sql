-- How much results count, and how often players met in a day.

ALTER TABLE result_players ADD COLUMN weight BIGINT NOT NULL DEFAULT 100; -- in percent

-- Rows of past days can be deleted: what follows from them is in the weights.
CREATE TABLE daily_games (
    league_id BIGINT NOT NULL,
    day BIGINT NOT NULL, -- since 1970, in UTC
    pair TEXT COLLATE "C" NOT NULL, -- two players or two addresses
    games BIGINT NOT NULL,
    PRIMARY KEY (league_id, day, pair)
);
