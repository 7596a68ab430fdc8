//! The one loop through which every local game is played.

use std::time::{Duration, Instant};

use noughts_rules::{Event, Game, Move, Position, Refusal, Seat, State};

use crate::{Budget, Strategy, StrategyError, Verdict};

/// Receives the events of a game and knows which seats people hold.
pub trait GameObserver {
    /// Why the observer can't continue, such as a closed output.
    type Error;

    /// Whether a person holds the seat. Undo goes back to a person's turn.
    fn is_person(&self, seat: Seat) -> bool;

    /// Called after each event, with the game as it then stands.
    fn on_event(&mut self, game: &Game, event: &Event) -> Result<(), Self::Error>;

    /// Called when a seat forfeits, before it resigns.
    fn on_forfeit(&mut self, game: &Game, forfeit: &Forfeit) -> Result<(), Self::Error>;
}

/// A [`GameObserver`] that also asks the seats for their decisions.
pub trait GameHost: GameObserver {
    /// Waits for the decision of the seat to move.
    fn decide(&mut self, game: &Game, seat: Seat) -> Result<Decision, Self::Error>;
}

/// What the seat to move does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Makes a move.
    Move(Move),
    /// Resigns.
    Resign,
    /// Takes back the last move and the computers' replies to it.
    Undo,
    /// Leaves the loop and the game as it is.
    Stop,
    /// Loses without a move.
    Forfeit(ForfeitReason),
}

/// A seat that loses without being beaten on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forfeit {
    /// The seat that loses.
    pub seat: Seat,
    /// Why.
    pub reason: ForfeitReason,
}

/// Why a seat forfeits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForfeitReason {
    /// Its move is illegal.
    #[error("an illegal move, {0}")]
    Illegal(Refusal),
    /// Its strategy failed.
    #[error("{0}")]
    Failed(#[from] StrategyError),
    /// It far exceeded the time limit of its move.
    #[error("too slow: it took {} ms of {} ms", taken.as_millis(), limit.as_millis())]
    TooSlow {
        /// The time it took.
        taken: Duration,
        /// The time it had.
        limit: Duration,
    },
    /// Its clock ran out.
    #[error("the time is up")]
    OutOfTime,
}

/// Why [`run_game`] returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopExit {
    /// The game is over.
    GameOver,
    /// A seat decided to stop.
    Stopped,
}

/// Plays a game until it is over or a seat stops it. An illegal move or a failure forfeits: the
/// seat resigns, and the game continues while two seats are left.
pub fn run_game<H: GameHost>(game: &mut Game, host: &mut H) -> Result<LoopExit, H::Error> {
    while let Some(seat) = game.turn() {
        let decision = host.decide(game, seat)?;
        if decision == Decision::Stop {
            return Ok(LoopExit::Stopped);
        }
        apply_decision(game, host, decision)?;
    }
    Ok(LoopExit::GameOver)
}

/// Applies a decision of the seat to move: one step of [`run_game`], for event-driven callers.
pub fn apply_decision<O: GameObserver>(
    game: &mut Game,
    observer: &mut O,
    decision: Decision,
) -> Result<(), O::Error> {
    let Some(seat) = game.turn() else { return Ok(()) };
    match decision {
        Decision::Move(mv) => match game.play(seat, mv) {
            Ok(events) => notify(game, observer, &events),
            Err(refusal) => forfeit(game, observer, seat, ForfeitReason::Illegal(refusal)),
        },
        Decision::Resign => resign(game, observer, seat),
        Decision::Undo => undo_to_person(game, observer),
        Decision::Stop => Ok(()),
        Decision::Forfeit(reason) => forfeit(game, observer, seat, reason),
    }
}

/// Takes back moves until it is a person's turn, at least one.
pub fn undo_to_person<O: GameObserver>(game: &mut Game, observer: &mut O) -> Result<(), O::Error> {
    while let Ok(events) = game.undo() {
        notify(game, observer, &events)?;
        if game.turn().is_none_or(|seat| observer.is_person(seat)) {
            break;
        }
    }
    Ok(())
}

fn resign<O: GameObserver>(game: &mut Game, observer: &mut O, seat: Seat) -> Result<(), O::Error> {
    // The seat to move has not resigned before, so this is never refused.
    match game.resign(seat) {
        Ok(events) => notify(game, observer, &events),
        Err(_) => Ok(()),
    }
}

fn forfeit<O: GameObserver>(
    game: &mut Game,
    observer: &mut O,
    seat: Seat,
    reason: ForfeitReason,
) -> Result<(), O::Error> {
    observer.on_forfeit(game, &Forfeit { seat, reason })?;
    resign(game, observer, seat)
}

fn notify<O: GameObserver>(
    game: &Game,
    observer: &mut O,
    events: &[Event],
) -> Result<(), O::Error> {
    events.iter().try_for_each(|event| observer.on_event(game, event))
}

/// A strategy at a seat, with its budget for each move.
pub struct Computer<S: State = Position> {
    strategy: Box<dyn Strategy<S>>,
    budget: Budget,
    verdict: Option<Verdict>,
    taken: Duration,
}

/// How far a strategy may exceed its time limit, because machines get busy.
const OVERRUN_GRACE: Duration = Duration::from_secs(2);

impl<S: State> Computer<S> {
    /// Seats a strategy.
    #[must_use]
    pub fn new(strategy: Box<dyn Strategy<S>>, budget: Budget) -> Computer<S> {
        Computer { strategy, budget, verdict: None, taken: Duration::ZERO }
    }

    /// The strategy's verdict on its last choice, if it gave one.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The time that the last choice took.
    #[must_use]
    pub fn taken(&self) -> Duration {
        self.taken
    }

    /// Lets the strategy choose a move, which may be illegal, or says why it forfeits.
    pub fn choose(&mut self, state: &S) -> Result<S::Move, ForfeitReason> {
        let budget = self.budget.clone();
        self.choose_within(state, &budget)
    }

    /// Like [`choose`](Computer::choose), within another budget.
    pub fn choose_within(&mut self, state: &S, budget: &Budget) -> Result<S::Move, ForfeitReason> {
        (self.verdict, self.taken) = (None, Duration::ZERO);
        self.strategy.prepare(state, budget)?;
        let start = Instant::now();
        let choice = self.strategy.choose(state, budget);
        let taken = start.elapsed();
        self.taken = taken;
        let choice = choice?;
        self.verdict = choice.verdict;
        match overrun(taken, budget.move_limit()) {
            Some(reason) => Err(reason),
            None => Ok(choice.mv),
        }
    }
}

impl Computer {
    /// Lets the strategy choose.
    pub fn decide(&mut self, game: &Game) -> Decision {
        self.choose(game.position()).map_or_else(Decision::Forfeit, Decision::Move)
    }

    /// Lets the strategy choose within another budget.
    pub fn decide_within(&mut self, game: &Game, budget: &Budget) -> Decision {
        let choice = self.choose_within(game.position(), budget);
        choice.map_or_else(Decision::Forfeit, Decision::Move)
    }
}

fn overrun(taken: Duration, limit: Option<Duration>) -> Option<ForfeitReason> {
    let limit = limit.filter(|limit| taken > *limit + OVERRUN_GRACE)?;
    Some(ForfeitReason::TooSlow { taken, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_overruns_are_forgiven() {
        let second = Duration::from_secs(1);
        assert_eq!(overrun(second, None), None);
        assert_eq!(overrun(second + OVERRUN_GRACE, Some(second)), None);
        let reason = overrun(second + OVERRUN_GRACE * 2, Some(second)).unwrap();
        assert_eq!(reason.to_string(), "too slow: it took 5000 ms of 1000 ms");
    }
}
