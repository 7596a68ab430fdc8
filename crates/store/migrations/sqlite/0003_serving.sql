-- Servers that use this file, and when each was last there.
CREATE TABLE servers (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    stopped INTEGER NOT NULL -- 1 where it said goodbye
) STRICT;

-- When no server was there: that time is taken off nobody's clock.
CREATE TABLE outages (
    began INTEGER PRIMARY KEY,
    ended INTEGER NOT NULL
) STRICT;

-- Finds the game that a command has made.
CREATE INDEX events_creating ON events (sender, key) WHERE sequence = 1;
