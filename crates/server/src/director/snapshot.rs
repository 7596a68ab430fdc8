//! A tournament as clients see it.

use noughts_api::{
    IdentityId, IdentityKind, Millis, TournamentGame, TournamentSettings, TournamentStanding,
    TournamentSummary, TournamentView, TournamentYou,
};
use noughts_store::{ListedTournament, StoreError, TournamentListing};
use serde::{Deserialize, Serialize};

use super::Directors;
use crate::accounts::player_kind;
use crate::tournament::{PlayedGame, RankedPlayer, Tournament};

/// While games are played, a server looks after them at least this often, in case the one that should
/// have recorded their results stopped.
pub(super) const CHECK_INTERVAL_MS: Millis = 30_000;

/// A tournament at a moment, with the view that everyone gets, once as text.
pub(crate) struct Snapshot {
    pub(crate) tournament: Tournament,
    pub(crate) view: TournamentView,
    pub(crate) text: String,
}

impl Snapshot {
    /// A viewer's part in it.
    pub(crate) fn you(&self, viewer: IdentityId) -> TournamentYou {
        let tournament = &self.tournament;
        let number = tournament.player(viewer);
        TournamentYou {
            number: number.map(shown_number),
            active: number.is_some_and(|number| tournament.players()[number].is_active),
            game: tournament.game_of(viewer),
            creator: tournament.setup().creator == viewer,
        }
    }
}

/// What lists show of a tournament besides its phase. Names of players are not in it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TournamentDetail {
    #[serde(flatten)]
    settings: TournamentSettings,
    players: u32,
    started_at: Option<Millis>,
    ends_at: Option<Millis>,
}

impl TournamentDetail {
    /// A listed tournament as clients see it. None if another version wrote the entry.
    pub(crate) fn summary(listed: ListedTournament) -> Option<TournamentSummary> {
        let TournamentDetail { settings, players, started_at, ends_at } =
            serde_json::from_str(&listed.detail).ok()?;
        let (id, phase) = (listed.tournament, listed.phase);
        Some(TournamentSummary { id, phase, settings, players, started_at, ends_at })
    }
}

/// Players are numbered from 1.
pub(crate) fn shown_number(number: usize) -> u32 {
    u32::try_from(number + 1).unwrap_or(u32::MAX)
}

/// A game as clients see it.
pub(crate) fn game_view(game: &PlayedGame) -> TournamentGame {
    let [first, second] = game.players.map(shown_number);
    TournamentGame { game: game.game, round: game.round, first, second, outcome: game.outcome }
}

impl Directors {
    /// What lists show of a tournament, and when a server has to look after it.
    pub(super) fn listing(&self, tournament: &Tournament, now: Millis) -> TournamentListing {
        let check_at = (!tournament.pending_games().is_empty()).then_some(now + CHECK_INTERVAL_MS);
        let detail = TournamentDetail {
            settings: tournament.setup().settings.clone(),
            players: u32::try_from(tournament.active_players()).unwrap_or(u32::MAX),
            started_at: tournament.started_at(),
            ends_at: tournament.ends_at(),
        };
        TournamentListing {
            phase: tournament.phase(),
            due: tournament.due_at().into_iter().chain(check_at).min(),
            detail: serde_json::to_string(&detail).expect("details have string keys only"),
        }
    }

    pub(super) async fn take_snapshot(
        &self,
        tournament: &Tournament,
    ) -> Result<Snapshot, StoreError> {
        let setup = tournament.setup();
        let mut standings = Vec::new();
        for ranked in tournament.standings() {
            standings.push(self.standing(ranked).await?);
        }
        let view = TournamentView {
            id: tournament.id(),
            seq: tournament.seq(),
            phase: tournament.phase(),
            settings: setup.settings.clone(),
            creator: self.player(setup.creator).await?.0,
            created_at: tournament.created_at(),
            started_at: tournament.started_at(),
            ends_at: tournament.ends_at(),
            round: tournament.round(),
            rounds: tournament.rounds(),
            next_pairing_at: tournament.next_pairing_at(),
            standings,
            games: tournament.pending_games().iter().map(game_view).collect(),
        };
        let text = serde_json::to_string(&view).expect("views have string keys only");
        Ok(Snapshot { tournament: tournament.clone(), view, text })
    }

    async fn standing(&self, ranked: RankedPlayer) -> Result<TournamentStanding, StoreError> {
        let (name, kind) = self.player(ranked.player.identity).await?;
        let RankedPlayer { points, wins, draws, losses, byes, tie_breaks, .. } = ranked;
        Ok(TournamentStanding {
            rank: ranked.rank,
            number: shown_number(ranked.number),
            name,
            kind: if ranked.player.is_bot { IdentityKind::Bot } else { kind },
            points,
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            byes,
            tie_breaks,
            active: ranked.player.is_active,
        })
    }

    /// The name and kind of a player.
    pub(super) async fn player(
        &self,
        identity: IdentityId,
    ) -> Result<(String, IdentityKind), StoreError> {
        Ok(match self.accounts.identity(identity).await? {
            Some(identity) => (identity.name, player_kind(identity.kind)),
            None => ("Guest".into(), IdentityKind::Guest),
        })
    }
}
