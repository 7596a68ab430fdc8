-- Accounts: sessions that expire, recovery codes, former names and deletion.

ALTER TABLE identities ADD COLUMN recovery_hash BYTEA; -- SHA-256 of the recovery code
ALTER TABLE identities ADD COLUMN deleted_at BIGINT;
ALTER TABLE identities ADD COLUMN erased_at BIGINT; -- when the name of a deleted player was out of all games

CREATE INDEX identities_to_erase ON identities (id) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;

ALTER TABLE tokens ADD COLUMN last_used_at BIGINT; -- null if not used since it was created
ALTER TABLE tokens ADD COLUMN device TEXT; -- what began the session, such as Firefox on Linux
ALTER TABLE tokens ADD COLUMN address TEXT; -- from where: an IPv4 address or an IPv6 /64 network

-- Names that identities gave up. Nobody else gets them for a while.
CREATE TABLE former_names (
    case_skeleton TEXT COLLATE "C" PRIMARY KEY,
    written_skeleton TEXT COLLATE "C" NOT NULL,
    identity_id BIGINT NOT NULL REFERENCES identities (id),
    reserved_until BIGINT NOT NULL
);

CREATE INDEX former_names_as_written ON former_names (written_skeleton);
CREATE INDEX former_names_by_identity ON former_names (identity_id);

-- A session that a guest began by signing up had the guest's token as its label, and that token
-- stayed valid.
UPDATE tokens SET revoked_at = created_at WHERE revoked_at IS NULL AND encode(hash, 'hex') IN (
    SELECT label FROM tokens WHERE kind = 'session' AND length(label) = 64);
UPDATE tokens SET label = 'session' WHERE kind = 'session';
