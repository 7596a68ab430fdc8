//! Appending a game's events to the log, together with its entry in lists and its result. Only then are
//! the events broadcast.

use noughts_api::{
    Event, GamePhase, GameSummary, GameUpdate, IdempotencyKey, IdentityId, IdentityKind, Millis,
    SeatHolder, SummaryDetails, SummaryPlayer,
};
use noughts_rules::Outcome;
use noughts_scores::{Outcome as ScoreOutcome, System};
use noughts_store::{
    Append, AppendError, CommandKey, LeagueChoice, LeagueResult, ListedGame, Listing, ResultPlayer,
};

use super::LiveGames;
use super::game_task::{GameTask, OutOfSync};
use crate::game::OnlineGame;

/// A rematch that was agreed on is created within this time, or not at all: it may have been removed since.
/// Longer than a wrong clock is likely to be off.
const MAX_REMATCH_DELAY_MS: Millis = 12 * 3600 * 1000;

/// What is compared to find out what an event changed.
pub(super) struct Before {
    pub(super) seq: u32,
    pub(super) phase: GamePhase,
    pub(super) has_rematch: bool,
    seats_seq: u32,
}

impl Before {
    pub(super) fn of(game: &OnlineGame) -> Before {
        Before {
            seq: game.seq(),
            phase: game.phase(),
            has_rematch: game.rematch().is_some(),
            seats_seq: game.seats_seq(),
        }
    }
}

/// The idempotency key as the log has it.
pub(super) fn command_key(sender: IdentityId, key: &IdempotencyKey) -> CommandKey {
    CommandKey { sender, key: key.clone() }
}

/// The stored form of an event.
pub(super) fn event_json(event: &Event) -> String {
    serde_json::to_string(event).expect("events have string keys only")
}

impl LiveGames {
    /// Everything to store when a game goes from `before` to `after` by these events.
    pub(super) fn append_for(
        &self,
        before: &Before,
        after: &OnlineGame,
        events: &[Event],
        at: Millis,
        key: Option<(IdentityId, &IdempotencyKey)>,
    ) -> Append {
        let phase_changed = before.phase != after.phase();
        let has_ended = phase_changed && after.phase() == GamePhase::Finished;
        let is_listed_anew = phase_changed || before.seats_seq != after.seats_seq();
        Append {
            game: after.id(),
            expected: u64::from(before.seq),
            events: events.iter().map(event_json).collect(),
            at,
            due: after.wake_at(),
            key: key.map(|(sender, key)| command_key(sender, key)),
            // The task has checked the keys of all events.
            key_is_fresh: true,
            listing: is_listed_anew.then(|| Box::new(self.listing(after))),
            result: if has_ended { self.league_result(after).map(Box::new) } else { None },
        }
    }

    /// The game's entry in lists.
    pub(super) fn listing(&self, game: &OnlineGame) -> Listing {
        let setup = game.setup();
        let identity = |holder: &SeatHolder| match holder {
            SeatHolder::Invited { identity, .. } => Some(*identity),
            holder => self.seated_identity(holder),
        };
        Listing {
            phase: game.phase(),
            public: setup.public,
            rules: setup.rules.clone(),
            league: setup.league.clone(),
            rated: setup.league.is_some(),
            aborted: game.ending().is_some_and(|ending| ending.outcome().is_none()),
            seats: game.seats().iter().map(|seat| identity(&seat.holder)).collect(),
            detail: serde_json::to_string(&details(game)).expect("details have string keys only"),
        }
    }

    /// The result of a rated game that counts.
    fn league_result(&self, game: &OnlineGame) -> Option<LeagueResult> {
        let outcome = match game.rated_outcome()? {
            Outcome::Win(seat) => ScoreOutcome::Won { seat: seat.index() as u8 },
            Outcome::Draw => ScoreOutcome::Draw,
        };
        let name = game.league()?;
        // The league may be missing from the configuration since the game began. The result counts
        // in the stored league all the same.
        let stored = || LeagueChoice { name: name.into(), system: System::Glicko2 };
        let league = self.config.league(name).unwrap_or_else(stored);
        let players = game.seats().iter().zip(game.game()?.players()).map(|(seat, player)| {
            let identity = self.seated_identity(&seat.holder)?;
            let is_provisional = matches!(&seat.holder,
                SeatHolder::Taken(player) if player.kind == IdentityKind::Guest);
            Some(ResultPlayer { identity, name: player.name().to_string(), is_provisional })
        });
        let players = players.collect::<Option<Vec<_>>>()?;
        Some(LeagueResult { league, players, outcome, record: game.game()?.to_string() })
    }
}

impl GameTask {
    /// Appends decided events to the log and broadcasts them. Returns false if another server
    /// appended first: the game is then as the log has it.
    pub(super) async fn append(
        &mut self,
        events: Vec<Event>,
        now: Millis,
        key: Option<(IdentityId, &IdempotencyKey)>,
    ) -> Result<bool, OutOfSync> {
        let before = Before::of(&self.game);
        let mut updates = Vec::with_capacity(events.len());
        for event in &events {
            let changed =
                self.game.apply(event, now, key).map_err(|error| self.out_of_sync(&error))?;
            updates.push(self.game.update(event.clone(), now, changed));
        }
        let append = self.games.append_for(&before, &self.game, &events, now, key);
        match self.games.storage.writer.append(append).await {
            Ok(appended) if !appended.repeated => {
                Box::pin(self.appended(&before, updates)).await;
                Ok(true)
            }
            // An earlier attempt had stored them after all. Commands with a key are found by it.
            Ok(_) => {
                Box::pin(self.reload(before.seq)).await?;
                Ok(key.is_none())
            }
            Err(AppendError::Conflict { .. }) => {
                metrics::counter!("noughts_conflicts_total").increment(1);
                Box::pin(self.reload(before.seq)).await?;
                Ok(false)
            }
            // The writer has logged why.
            Err(AppendError::Failed(_)) => Err(OutOfSync),
            Err(error) => Err(self.out_of_sync(&error)),
        }
    }

    /// What follows once events are in the log.
    async fn appended(&mut self, before: &Before, mut updates: Vec<GameUpdate>) {
        self.games.event_counter.increment(updates.len() as u64);
        if before.phase != GamePhase::Finished && self.game.phase() == GamePhase::Finished {
            metrics::counter!("noughts_games_ended_total").increment(1);
            self.games.count_result(&self.game).await;
            self.games.announce_ended_game(&self.game);
        }
        // Clients open the rematch as soon as it is announced.
        if self.game.rematch().is_some() {
            if before.has_rematch {
                self.create_rematch_if_missing().await;
            } else {
                self.games.create_rematch(&self.game).await;
            }
        }
        self.games.add_ratings_to(&self.game, &mut updates);
        self.subscribers.broadcast_updates(updates);
        self.games.tell_players(&self.game);
        self.start_search();
    }

    /// Loads the game again after an append failed. Events up to `known` are known.
    async fn reload(&mut self, known: u32) -> Result<(), OutOfSync> {
        let loaded = self.games.load_since(self.game.id(), known).await;
        let (game, updates) = loaded.map_err(|error| self.out_of_sync(&error))?;
        *self.game = game;
        self.apply_remote(updates).await;
        Ok(())
    }

    pub(super) async fn catch_up(&mut self) -> Result<(), OutOfSync> {
        let caught_up = self.games.catch_up(&mut self.game).await;
        let updates = caught_up.map_err(|error| self.out_of_sync(&error))?;
        self.apply_remote(updates).await;
        Ok(())
    }

    /// Reads what other servers did to the game, if somebody has seen more of it than this task.
    pub(super) async fn catch_up_to(&mut self, seq: u32) -> Result<(), OutOfSync> {
        if seq > self.game.seq() {
            Box::pin(self.catch_up()).await?;
        }
        Ok(())
    }

    /// Passes on what other servers did to the game.
    async fn apply_remote(&mut self, mut updates: Vec<GameUpdate>) {
        if !updates.is_empty() {
            self.games.count_result(&self.game).await;
            self.games.add_ratings_to(&self.game, &mut updates);
            // The server that recorded the agreement may have stopped before it created the rematch.
            self.create_rematch_if_missing().await;
            self.remote_seq = Some(self.game.state_seq());
            self.games.tell_players(&self.game);
        }
        self.subscribers.broadcast_updates(updates);
        self.start_search();
    }

    pub(super) async fn create_rematch_if_missing(&self) {
        let Some(rematch) = self.game.rematch() else { return };
        // One that was aborted may have been removed since.
        if self.now() - self.game.updated_at() > MAX_REMATCH_DELAY_MS {
            return;
        }
        if !matches!(self.games.storage.log.game(rematch).await, Ok(Some(_))) {
            self.games.create_rematch(&self.game).await;
        }
    }
}

fn details(game: &OnlineGame) -> SummaryDetails {
    let result = game.result();
    SummaryDetails {
        players: game
            .player_views()
            .into_iter()
            .map(|player| SummaryPlayer {
                name: player.name,
                kind: player.kind,
                invited: player.invited,
            })
            .collect(),
        clock: game.setup().clock,
        created_at: game.created_at(),
        winner: result.as_ref().and_then(|result| result.winner),
        reason: result.map(|result| result.reason),
    }
}

/// A listed game as clients see it. None if another version wrote the entry.
pub(crate) fn summary(listed: ListedGame) -> Option<GameSummary> {
    let details = serde_json::from_str(&listed.listing.detail).ok()?;
    Some(GameSummary {
        id: listed.game,
        phase: listed.listing.phase,
        rules: listed.listing.rules,
        rated: listed.listing.rated,
        league: listed.listing.league,
        updated_at: listed.at,
        details,
    })
}
