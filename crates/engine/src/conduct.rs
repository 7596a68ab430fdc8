//! Conducting a game: the one loop that everything which plays a game goes through.

use std::time::{Duration, Instant};

use noughts_rules::{Cell, Event, Game, Refusal, Seat};

use crate::{Budget, Strategy, StrategyError, Verdict};

/// Whoever is present at a game: they know who sits where, and hear what happens.
///
/// The game does not know who is behind a seat, person or program.
pub trait Audience {
    /// Why it can't go on, such as an output that is closed.
    type Error;

    /// Whether a person sits there. Taking back a move goes back to a person's turn.
    fn is_person(&self, seat: Seat) -> bool;

    /// Hears what happened, the game being as it is afterwards.
    fn hear(&mut self, game: &Game, event: &Event) -> Result<(), Self::Error>;

    /// Hears that a seat loses, and why, before the game is over.
    fn hear_forfeit(&mut self, game: &Game, forfeit: &Forfeit) -> Result<(), Self::Error>;
}

/// Where a game takes place that waits for each decision: it asks whoever sits at a seat.
pub trait Host: Audience {
    /// Asks whoever has the turn.
    fn decide(&mut self, game: &Game, seat: Seat) -> Result<Decision, Self::Error>;
}

/// What whoever has the turn wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// To take a cell.
    Move(Cell),
    /// To give the game up.
    Resign,
    /// To take back the last move, and what computers answered since.
    Undo,
    /// To stop, leaving the game as it is.
    Stop,
    /// Nothing: it failed and loses.
    Forfeit(ForfeitReason),
}

/// A seat that loses for how it played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forfeit {
    /// Who loses.
    pub seat: Seat,
    /// Why.
    pub reason: ForfeitReason,
}

/// Why a seat loses without having lost on the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForfeitReason {
    /// Its move is against the rules.
    #[error("an illegal move, {0}")]
    Illegal(Refusal),
    /// It did not choose.
    #[error("{0}")]
    Failed(#[from] StrategyError),
    /// It took much longer than it had.
    #[error("too slow: it took {} ms of {} ms", taken.as_millis(), limit.as_millis())]
    TooSlow {
        /// How long it took.
        taken: Duration,
        /// How long it had.
        limit: Duration,
    },
    /// Its clock has run down.
    #[error("the time is up")]
    OutOfTime,
}

/// How the conduct of a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The game is over.
    Over,
    /// Someone wanted to stop.
    Stopped,
}

/// Conducts a game until it is over or someone stops it. Whoever plays an illegal move or fails
/// forfeits: the seat resigns, and the game goes on without it if enough are left.
pub fn conduct<H: Host>(game: &mut Game, host: &mut H) -> Result<Ending, H::Error> {
    while let Some(seat) = game.turn() {
        let decision = host.decide(game, seat)?;
        if decision == Decision::Stop {
            return Ok(Ending::Stopped);
        }
        carry_out(game, host, decision)?;
    }
    Ok(Ending::Over)
}

/// Does what whoever has the turn decided: one step of [`conduct`], for those who can't wait for
/// decisions but are told of them.
pub fn carry_out<A: Audience>(
    game: &mut Game,
    audience: &mut A,
    decision: Decision,
) -> Result<(), A::Error> {
    let Some(seat) = game.turn() else { return Ok(()) };
    match decision {
        Decision::Move(cell) => match game.play(seat, cell) {
            Ok(events) => tell(game, audience, &events),
            Err(refusal) => forfeit(game, audience, seat, ForfeitReason::Illegal(refusal)),
        },
        Decision::Resign => resign(game, audience, seat),
        Decision::Undo => undo(game, audience),
        Decision::Stop => Ok(()),
        Decision::Forfeit(reason) => forfeit(game, audience, seat, reason),
    }
}

/// Takes back the last move, and those before it up to the last one of a person.
pub fn undo<A: Audience>(game: &mut Game, audience: &mut A) -> Result<(), A::Error> {
    while let Ok(events) = game.undo() {
        tell(game, audience, &events)?;
        if game.turn().is_none_or(|seat| audience.is_person(seat)) {
            break;
        }
    }
    Ok(())
}

fn resign<A: Audience>(game: &mut Game, audience: &mut A, seat: Seat) -> Result<(), A::Error> {
    // It is the seat's turn, so it has not resigned before.
    match game.resign(seat) {
        Ok(events) => tell(game, audience, &events),
        Err(_) => Ok(()),
    }
}

fn forfeit<A: Audience>(
    game: &mut Game,
    audience: &mut A,
    seat: Seat,
    reason: ForfeitReason,
) -> Result<(), A::Error> {
    audience.hear_forfeit(game, &Forfeit { seat, reason })?;
    resign(game, audience, seat)
}

fn tell<A: Audience>(game: &Game, audience: &mut A, events: &[Event]) -> Result<(), A::Error> {
    events.iter().try_for_each(|event| audience.hear(game, event))
}

/// A strategy at a seat, with what it may spend on each move.
pub struct Computer {
    strategy: Box<dyn Strategy>,
    budget: Budget,
    verdict: Option<Verdict>,
}

/// What a strategy may take beyond its time: machines are busy now and then.
const GRACE: Duration = Duration::from_secs(2);

impl Computer {
    /// Seats a strategy.
    #[must_use]
    pub fn new(strategy: Box<dyn Strategy>, budget: Budget) -> Computer {
        Computer { strategy, budget, verdict: None }
    }

    /// What the strategy thought of its last choice, if it thought about that.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Lets the strategy choose.
    pub fn decide(&mut self, game: &Game) -> Decision {
        let budget = self.budget.clone();
        self.decide_within(game, &budget)
    }

    /// Lets the strategy choose with another budget than its own.
    pub fn decide_within(&mut self, game: &Game, budget: &Budget) -> Decision {
        if let Err(error) = self.strategy.prepare(game.position(), budget) {
            return Decision::Forfeit(error.into());
        }
        let start = Instant::now();
        let choice = self.strategy.choose(game.position(), budget);
        let taken = start.elapsed();
        self.verdict = choice.as_ref().ok().and_then(|choice| choice.verdict);
        match choice {
            Err(error) => Decision::Forfeit(error.into()),
            Ok(choice) => match overrun(taken, budget.time()) {
                Some(reason) => Decision::Forfeit(reason),
                None => Decision::Move(choice.cell),
            },
        }
    }
}

fn overrun(taken: Duration, limit: Option<Duration>) -> Option<ForfeitReason> {
    let limit = limit.filter(|limit| taken > *limit + GRACE)?;
    Some(ForfeitReason::TooSlow { taken, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_far_beyond_the_limit_is_too_slow() {
        let second = Duration::from_secs(1);
        assert_eq!(overrun(second, None), None);
        assert_eq!(overrun(second + GRACE, Some(second)), None);
        let reason = overrun(second + GRACE * 2, Some(second)).unwrap();
        assert_eq!(reason.to_string(), "too slow: it took 5000 ms of 1000 ms");
    }
}
