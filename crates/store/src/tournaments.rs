//! The log of online tournaments, and what lists show of them.
//!
//! As in the log of games, an append names the sequence that its sender saw, and of two servers that saw
//! the same, the second gets a conflict.

use noughts_api::{IdempotencyKey, TournamentId, TournamentPhase};

use crate::database::{read, write};
use crate::{IdentityId, Store, StoreError};

/// New events of a tournament, with what changes because of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentAppend {
    /// The tournament.
    pub tournament: TournamentId,
    /// The number of events that the sender has seen, at least 1.
    pub expected: u32,
    /// The events as text, at least one. They are opaque to the store.
    pub events: Vec<String>,
    /// When they happened, in milliseconds since 1970.
    pub at: i64,
    /// The players who joined for the first time.
    pub joined: Vec<IdentityId>,
    /// What lists show from now on.
    pub listing: TournamentListing,
}

/// What lists show of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentListing {
    /// Where it is in its life.
    pub phase: TournamentPhase,
    /// When a server has to act unless another event comes first.
    pub due: Option<i64>,
    /// The caller's text.
    pub detail: String,
}

/// A tournament to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentCreation {
    /// Its id.
    pub tournament: TournamentId,
    /// The player who creates it.
    pub creator: IdentityId,
    /// The idempotency key of the request.
    pub key: Option<IdempotencyKey>,
    /// Whether it is listed.
    pub public: bool,
    /// The first event as text.
    pub event: String,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// What lists show.
    pub listing: TournamentListing,
}

/// A stored event of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedTournamentEvent {
    /// Its sequence number, from 1.
    pub sequence: u32,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// The event as text.
    pub body: String,
}

/// A tournament in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTournament {
    /// Its id.
    pub tournament: TournamentId,
    /// Where it is in its life.
    pub phase: TournamentPhase,
    /// The text of the caller that stored it.
    pub detail: String,
}

/// Which tournaments to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TournamentFilter {
    /// Public ones in a phase.
    Public(TournamentPhase),
    /// Those that a player has joined.
    Player(IdentityId),
    /// Those that a player has created.
    Creator(IdentityId),
}

impl Store {
    /// Creates a tournament. If the same request created one before, returns that.
    pub async fn create_tournament(
        &self,
        creation: &TournamentCreation,
    ) -> Result<TournamentId, StoreError> {
        let TournamentCreation { tournament, creator, key, public, event, at, listing } = creation;
        let id = &tournament.as_bytes()[..];
        let key = key.as_ref().map(IdempotencyKey::as_str);
        let existing: Option<Vec<u8>> = write!(&*self.database, connection => {
            let inserted = sqlx::query(
                "INSERT INTO tournaments
                     (id, creator_id, idempotency_key, phase, public, sequence, due_at, detail)
                 VALUES ($1, $2, $3, $4, $5, 1, $6, $7) ON CONFLICT DO NOTHING",
            )
            .bind(id)
            .bind(creator.0)
            .bind(key)
            .bind(listing.phase.as_str())
            .bind(i64::from(*public))
            .bind(listing.due)
            .bind(&listing.detail)
            .execute(&mut *connection)
            .await?
            .rows_affected();
            if inserted == 0 {
                let created = sqlx::query_scalar(
                    "SELECT id FROM tournaments WHERE creator_id = $1 AND idempotency_key = $2",
                );
                return Ok(created.bind(creator.0).bind(key).fetch_optional(connection).await?);
            }
            sqlx::query(
                "INSERT INTO tournament_events (tournament_id, sequence, at, body)
                 VALUES ($1, 1, $2, $3)",
            )
            .bind(id)
            .bind(at)
            .bind(event)
            .execute(connection)
            .await?;
            Ok(None)
        })?;
        match existing {
            Some(id) => parse_id(&id).ok_or_else(|| self.damaged()),
            None => Ok(*tournament),
        }
    }

    /// Appends events to a tournament. Returns false if the tournament is not at the expected event.
    pub async fn append_to_tournament(
        &self,
        append: &TournamentAppend,
    ) -> Result<bool, StoreError> {
        let TournamentAppend { tournament, expected, events, at, joined, listing } = append;
        let id = &tournament.as_bytes()[..];
        write!(&*self.database, connection => {
            // Locks the row on PostgreSQL: another server's append waits, and then finds a newer sequence.
            let updated = sqlx::query(
                "UPDATE tournaments SET sequence = $1, phase = $2, due_at = $3, detail = $4
                 WHERE id = $5 AND sequence = $6",
            )
            .bind(i64::from(*expected) + events.len() as i64)
            .bind(listing.phase.as_str())
            .bind(listing.due)
            .bind(&listing.detail)
            .bind(id)
            .bind(i64::from(*expected))
            .execute(&mut *connection)
            .await?
            .rows_affected();
            if updated == 0 {
                return Ok(false);
            }
            for (sequence, body) in (i64::from(*expected) + 1..).zip(events) {
                sqlx::query(
                    "INSERT INTO tournament_events (tournament_id, sequence, at, body)
                     VALUES ($1, $2, $3, $4)",
                )
                .bind(id)
                .bind(sequence)
                .bind(at)
                .bind(body)
                .execute(&mut *connection)
                .await?;
            }
            for player in joined {
                sqlx::query(
                    "INSERT INTO tournament_players (identity_id, tournament_id) VALUES ($1, $2)
                     ON CONFLICT DO NOTHING",
                )
                .bind(player.0)
                .bind(id)
                .execute(&mut *connection)
                .await?;
            }
            Ok(true)
        })
    }

    /// Sets when a server has to act next, unless the tournament has changed since event `seen`.
    pub async fn postpone_tournament(
        &self,
        tournament: TournamentId,
        seen: u32,
        due: i64,
    ) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            sqlx::query("UPDATE tournaments SET due_at = $1 WHERE id = $2 AND sequence = $3")
                .bind(due)
                .bind(&tournament.as_bytes()[..])
                .bind(i64::from(seen))
                .execute(connection)
                .await?;
            Ok(())
        })
    }

    /// Up to `limit` events of a tournament after the first `since`, in order.
    pub async fn tournament_events(
        &self,
        tournament: TournamentId,
        since: u32,
        limit: u32,
    ) -> Result<Vec<LoggedTournamentEvent>, StoreError> {
        let rows: Vec<(i64, i64, String)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT sequence, at, body FROM tournament_events
             WHERE tournament_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3",
        )
        .bind(&tournament.as_bytes()[..])
        .bind(i64::from(since))
        .bind(i64::from(limit))
        .fetch_all(executor)
        .await)?;
        let event = |(sequence, at, body)| {
            let sequence = u32::try_from(sequence).ok()?;
            Some(LoggedTournamentEvent { sequence, at, body })
        };
        rows.into_iter().map(event).collect::<Option<_>>().ok_or_else(|| self.damaged())
    }

    /// The tournaments in which a server has to act until a time, most urgent first.
    pub async fn due_tournaments(
        &self,
        until: i64,
        limit: u32,
    ) -> Result<Vec<TournamentId>, StoreError> {
        let rows: Vec<Vec<u8>> = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT id FROM tournaments WHERE due_at <= $1 ORDER BY due_at LIMIT $2",
        )
        .bind(until)
        .bind(i64::from(limit))
        .fetch_all(executor)
        .await)?;
        let ids = rows.iter().map(|id| parse_id(id));
        ids.collect::<Option<_>>().ok_or_else(|| self.damaged())
    }

    /// Tournaments, youngest first; those before the given one.
    pub async fn tournaments(
        &self,
        filter: TournamentFilter,
        before: Option<TournamentId>,
        limit: u32,
    ) -> Result<Vec<ListedTournament>, StoreError> {
        // All of them mention the same parameters, so that they are bound alike.
        let (sql, phase, identity) = match filter {
            TournamentFilter::Public(phase) => (
                "SELECT id, phase, detail FROM tournaments
                 WHERE public = 1 AND phase = $1 AND $2 = 0 AND id < $3 ORDER BY id DESC LIMIT $4",
                phase.as_str(),
                0,
            ),
            TournamentFilter::Player(player) => (
                "SELECT id, phase, detail FROM tournament_players
                 JOIN tournaments ON tournaments.id = tournament_id
                 WHERE $1 = '' AND identity_id = $2 AND tournament_id < $3
                 ORDER BY tournament_id DESC LIMIT $4",
                "",
                player.0,
            ),
            TournamentFilter::Creator(creator) => (
                "SELECT id, phase, detail FROM tournaments
                 WHERE $1 = '' AND creator_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4",
                "",
                creator.0,
            ),
        };
        let before = before.unwrap_or(TournamentId::from_bytes([255; 16]));
        let rows: Vec<(Vec<u8>, String, String)> = read!(&*self.database, executor =>
            sqlx::query_as(sql)
                .bind(phase)
                .bind(identity)
                .bind(&before.as_bytes()[..])
                .bind(i64::from(limit))
                .fetch_all(executor)
                .await)?;
        let listed = |(id, phase, detail): (Vec<u8>, String, String)| {
            let (tournament, phase) = (parse_id(&id)?, parse_phase(&phase)?);
            Some(ListedTournament { tournament, phase, detail })
        };
        rows.into_iter().map(listed).collect::<Option<_>>().ok_or_else(|| self.damaged())
    }

    /// How many tournaments a player has created since a time, and how many of theirs are not over.
    pub async fn tournaments_created(
        &self,
        creator: IdentityId,
        since: i64,
    ) -> Result<(u64, u64), StoreError> {
        let (recent, unfinished): (i64, i64) = read!(&*self.database, executor => sqlx::query_as(
            "SELECT (SELECT count(*) FROM tournaments WHERE creator_id = $1 AND id >= $2),
                 (SELECT count(*) FROM tournaments
                  WHERE creator_id = $1 AND phase IN ('waiting', 'running'))",
        )
        .bind(creator.0)
        // Ids begin with the time of their creation.
        .bind(&TournamentId::new(since, [0; 10]).as_bytes()[..])
        .fetch_one(executor)
        .await)?;
        Ok((recent as u64, unfinished as u64))
    }
}

fn parse_id(id: &[u8]) -> Option<TournamentId> {
    Some(TournamentId::from_bytes(id.try_into().ok()?))
}

fn parse_phase(text: &str) -> Option<TournamentPhase> {
    use TournamentPhase::{Cancelled, Finished, Running, Waiting};
    [Waiting, Running, Finished, Cancelled].into_iter().find(|phase| phase.as_str() == text)
}
