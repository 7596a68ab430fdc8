-- What a server of the first version writes, in its own words, for the player and the game with the number %N (1 to 9).
-- Tables and columns that it does not know must have defaults.

INSERT INTO identities (kind, name, case_skeleton, written_skeleton, password_hash, created_at)
    VALUES ('guest', 'Guest %N', 'guest %N', 'guest %N', NULL, 10) ON CONFLICT DO NOTHING RETURNING id;
UPDATE identities
    SET kind = 'account', name = 'Old %N', case_skeleton = 'old %N', written_skeleton = 'old %N',
        password_hash = 'hash'
    WHERE case_skeleton = 'guest %N' AND kind = 'guest';
UPDATE identities SET password_hash = 'other' WHERE case_skeleton = 'old %N' AND kind = 'account';
INSERT INTO tokens (hash, identity_id, kind, label, created_at)
    SELECT decode(repeat('0%N', 32), 'hex'), id, 'session', 'session', 10 FROM identities
    WHERE case_skeleton = 'old %N';

INSERT INTO games (id, phase, public, rules, league, rated, seats, detail)
    SELECT decode(repeat('0%N', 16), 'hex'), 'live', 1, '3x3', 'online', 1, '[' || id || ',null]', ''
    FROM identities WHERE case_skeleton = 'old %N'
    ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, public = excluded.public,
        rules = excluded.rules, league = excluded.league, rated = excluded.rated,
        seats = excluded.seats, detail = excluded.detail;
INSERT INTO game_players (identity_id, game_id)
    SELECT id, decode(repeat('0%N', 16), 'hex') FROM identities WHERE case_skeleton = 'old %N'
    ON CONFLICT DO NOTHING;
INSERT INTO events (game_number, sequence, at, due_at, sender_id, idempotency_key, body)
    SELECT number, coalesce((SELECT max(sequence) FROM events WHERE game_number = number), 0) + 1,
        20, NULL, 0, '', 'old event'
    FROM games WHERE id = decode(repeat('0%N', 16), 'hex')
    ON CONFLICT DO NOTHING;
UPDATE games SET phase = 'finished' WHERE id = decode(repeat('0%N', 16), 'hex');

INSERT INTO leagues (name, system, online) VALUES ('online', 'glicko2', 1) ON CONFLICT DO NOTHING;
INSERT INTO records (online_game_id, stored_at, notation)
    VALUES (decode(repeat('0%N', 16), 'hex'), 30, '');
INSERT INTO results (league_id, record_id, ended_at, winner_seat)
    SELECT leagues.id, records.id, 30, 0 FROM leagues, records
    WHERE name = 'online' AND online_game_id = decode(repeat('0%N', 16), 'hex');
INSERT INTO result_players (result_id, seat, name, identity_id)
    SELECT results.id, 0, 'Old %N', NULL FROM results JOIN records ON records.id = record_id
    WHERE online_game_id = decode(repeat('0%N', 16), 'hex');

INSERT INTO servers (id, seen_at, stopped) VALUES (%N, 40, 0)
    ON CONFLICT (id) DO UPDATE SET seen_at = 40, stopped = 0;
INSERT INTO outages (began_at, ended_at) VALUES (%N, 9) ON CONFLICT DO NOTHING;
