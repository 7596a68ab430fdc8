-- Accounts: sessions that expire, recovery codes, former names and deletion.

ALTER TABLE identities ADD COLUMN recovery_hash BLOB; -- SHA-256 of the recovery code
ALTER TABLE identities ADD COLUMN deleted_at INTEGER;
ALTER TABLE identities ADD COLUMN erased_at INTEGER; -- when the name of a deleted player was out of all games

CREATE INDEX identities_to_erase ON identities (id) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;

ALTER TABLE tokens ADD COLUMN last_used_at INTEGER; -- null if not used since it was created
ALTER TABLE tokens ADD COLUMN device TEXT; -- what began the session, such as Firefox on Linux
ALTER TABLE tokens ADD COLUMN address TEXT; -- from where: an IPv4 address or an IPv6 /64 network

-- Names that identities gave up. Nobody else gets them for a while.
CREATE TABLE former_names (
    case_skeleton TEXT PRIMARY KEY,
    written_skeleton TEXT NOT NULL,
    identity_id INTEGER NOT NULL REFERENCES identities (id),
    reserved_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX former_names_as_written ON former_names (written_skeleton);
CREATE INDEX former_names_by_identity ON former_names (identity_id);

-- A session that a guest began by signing up had the guest's token as its label, and that token
-- stayed valid.
UPDATE tokens SET revoked_at = created_at WHERE revoked_at IS NULL AND lower(hex(hash)) IN (
    SELECT label FROM tokens WHERE kind = 'session' AND length(label) = 64);
UPDATE tokens SET label = 'session' WHERE kind = 'session';
