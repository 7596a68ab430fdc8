//! Reading tournaments from their logs.

use noughts_api::TournamentId;
use noughts_store::{LoggedTournamentEvent, Store, StoreError};

use crate::tournament::{BrokenTournamentLog, Tournament, TournamentEvent};

/// Events read from the log at once.
const PAGE_SIZE: u32 = 1024;

/// Why a tournament can't be loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error("there is no such tournament")]
    NoTournament,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Broken(#[from] BrokenTournamentLog),
}

/// The stored form of an event.
pub(super) fn event_json(event: &TournamentEvent) -> String {
    serde_json::to_string(event).expect("events have string keys only")
}

/// Loads a tournament.
pub(super) async fn load(store: &Store, id: TournamentId) -> Result<Tournament, LoadError> {
    let mut first = store.tournament_events(id, 0, 1).await?;
    let first = first.pop().ok_or(LoadError::NoTournament)?;
    let TournamentEvent::Created(setup) = parse(&first)? else {
        let reason = "expected `created`".into();
        return Err(BrokenTournamentLog { seq: 1, reason }.into());
    };
    let mut tournament = Tournament::create(id, *setup, first.at)?;
    catch_up(store, &mut tournament).await?;
    Ok(tournament)
}

/// Applies what the log has beyond a tournament's last event. Returns whether there was anything.
pub(super) async fn catch_up(
    store: &Store,
    tournament: &mut Tournament,
) -> Result<bool, LoadError> {
    let since = tournament.seq();
    loop {
        let events = store.tournament_events(tournament.id(), tournament.seq(), PAGE_SIZE).await?;
        for logged in &events {
            tournament.apply(&parse(logged)?, logged.at)?;
        }
        if events.len() < PAGE_SIZE as usize {
            return Ok(tournament.seq() > since);
        }
    }
}

fn parse(logged: &LoggedTournamentEvent) -> Result<TournamentEvent, BrokenTournamentLog> {
    serde_json::from_str(&logged.body)
        .map_err(|error| BrokenTournamentLog { seq: logged.sequence, reason: error.to_string() })
}
