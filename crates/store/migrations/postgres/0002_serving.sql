-- Servers that use this database, and when each was last there.
CREATE TABLE servers (
    id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    stopped BIGINT NOT NULL -- 1 where it said goodbye
);

-- When no server was there: that time is taken off nobody's clock.
CREATE TABLE outages (
    began BIGINT PRIMARY KEY,
    ended BIGINT NOT NULL
);

-- Finds the game that a command has made.
CREATE INDEX events_creating ON events (sender, key) WHERE sequence = 1;
