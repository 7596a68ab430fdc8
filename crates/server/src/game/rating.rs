//! Whether a finished rated game counts.

use noughts_api::{SeatHolder, Uncounted};
use noughts_rules::{Action, Game, Outcome, Seat};

use super::OnlineGame;

/// How many turns every player must have had.
const MIN_TURNS: usize = 2;

/// Why a finished game does not count, if it does not.
pub(crate) fn uncounted(game: &Game, is_computer: impl Fn(Seat) -> bool) -> Option<Uncounted> {
    let failed = game.history().any(
        // Computers never resign: one that is out of the game forfeited, or ran out of time.
        |action| matches!(action, Action::Resign { seat } if is_computer(seat)),
    );
    let is_too_short = game.rules().seats().any(|seat| turns(game, seat) < MIN_TURNS);
    match (failed, is_too_short) {
        (true, _) => Some(Uncounted::ComputerFailed),
        (false, true) => Some(Uncounted::TooShort),
        (false, false) => None,
    }
}

/// The turns in which a seat moved. A turn can have several moves.
fn turns(game: &Game, seat: Seat) -> usize {
    let mut last_mover = None;
    let mut turns = 0;
    for action in game.history() {
        if let Action::Move { seat: mover, .. } = action
            && last_mover.replace(mover) != Some(mover)
            && mover == seat
        {
            turns += 1;
        }
    }
    turns
}

impl OnlineGame {
    /// The league of a rated game.
    #[must_use]
    pub fn league(&self) -> Option<&str> {
        self.setup().league.as_deref()
    }

    /// Why a finished rated game does not count, although it has an outcome.
    pub(super) fn uncounted(&self) -> Option<Uncounted> {
        self.league()?;
        self.ending()?.outcome()?;
        let is_computer = |seat: Seat| {
            let holder = self.seats().get(seat.index()).map(|seat| &seat.holder);
            matches!(holder, Some(SeatHolder::Computer { .. }))
        };
        uncounted(self.game()?, is_computer)
    }

    /// The outcome of a finished rated game that counts.
    #[must_use]
    pub fn rated_outcome(&self) -> Option<Outcome> {
        self.league()?;
        let outcome = self.ending()?.outcome()?;
        self.uncounted().is_none().then_some(outcome)
    }
}
