//! Games of tournaments that have ended: their tournaments go on.

use noughts_api::{ExitReason, GameId, TournamentId, TournamentOutcome};
use noughts_rules::{Outcome, Seat};
use tokio::sync::broadcast;

use super::LiveGames;
use crate::game::{Ending, OnlineGame};

/// Ended games that wait for their tournaments. Those that are missed are found when the tournament looks
/// after its games.
pub(super) const MAX_WAITING_ENDED_GAMES: usize = 1024;

/// A game of a tournament that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EndedGame {
    pub(crate) tournament: TournamentId,
    pub(crate) game: GameId,
    pub(crate) outcome: TournamentOutcome,
    /// Which of the two players have not made a move before the other won on time or by their absence.
    pub(crate) absent: [bool; 2],
}

/// What a tournament needs to know of its game, if that has ended.
pub(crate) fn ended_game(game: &OnlineGame) -> Option<EndedGame> {
    let outcome = match game.ending()?.outcome() {
        Some(Outcome::Win(seat)) => TournamentOutcome::won_by(seat),
        Some(Outcome::Draw) => TournamentOutcome::Draw,
        None => TournamentOutcome::None,
    };
    let has_vanished = matches!(
        game.ending()?,
        Ending::Eliminated { last_exit: ExitReason::Time | ExitReason::Left, .. }
    );
    let is_absent = |index| Seat::new(index).is_some_and(|seat| !game.has_moved(seat));
    let absent = [0, 1].map(|index| has_vanished && is_absent(index));
    Some(EndedGame { tournament: game.setup().tournament?, game: game.id(), outcome, absent })
}

impl LiveGames {
    /// Announces a game that has ended here, if it belongs to a tournament.
    pub(super) fn announce_ended_game(&self, game: &OnlineGame) {
        if let Some(ended) = ended_game(game) {
            // Fails if nobody follows, which is fine.
            let _ = self.ended_games.send(ended);
        }
    }

    /// Follows the games of tournaments that end here.
    pub(crate) fn follow_ended_games(&self) -> broadcast::Receiver<EndedGame> {
        self.ended_games.subscribe()
    }
}
