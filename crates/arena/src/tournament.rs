//! Tournaments.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts_engine::{Budget, Computer};
use noughts_rules::{Action, Game, Move, Player, Position, Seat, State};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::entrant::Entrant;
use crate::openings::{NoOpening, Openings};
use crate::parallel::run_in_order;
use crate::played_game::{PairingResult, PlayedGame, play};
use crate::report::TournamentReport;
use crate::results::Results;
use crate::schedule::Schedule;
use crate::sprt::{Hypotheses, Sprt};

/// A tournament to be played, in any game of two seats.
pub struct Tournament<S: State = Position> {
    /// The name of the game in the report; for a game of the family, its rules.
    pub game: String,
    /// The start of every game; of two seats.
    pub start: S,
    /// The players.
    pub entrants: Vec<Entrant<S>>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The budget of each move.
    pub budget: Budget,
    /// How games begin.
    pub openings: Openings<S>,
    /// The seed of openings and players.
    pub seed: u64,
}

impl<S: State> Tournament<S>
where
    S: Sync,
    S::Move: Send + Sync,
    S::Refusal: Display,
{
    /// Plays on this many threads until all games are over, the test is decided, `on_game` fails,
    /// or `stop` is set. `on_game` gets the games in the order of the schedule, and the state of
    /// the test.
    ///
    /// # Errors
    ///
    /// Returns the error of `on_game`, or [`NoOpening`] as one.
    pub fn run<E: From<NoOpening>>(
        &self,
        threads: usize,
        stop: &Arc<AtomicBool>,
        test: Option<Hypotheses>,
        on_game: impl FnMut(&PlayedGame<S::Move>, Option<&Sprt>) -> Result<(), E>,
    ) -> Result<TournamentReport, E> {
        self.resume(Vec::new(), threads, stop, test, on_game)
    }

    /// Like [`run`](Tournament::run), after the first games of the schedule, which were played
    /// before. `on_game` does not get them again.
    pub fn resume<E: From<NoOpening>>(
        &self,
        played: Vec<PlayedGame<S::Move>>,
        threads: usize,
        stop: &Arc<AtomicBool>,
        test: Option<Hypotheses>,
        mut on_game: impl FnMut(&PlayedGame<S::Move>, Option<&Sprt>) -> Result<(), E>,
    ) -> Result<TournamentReport, E> {
        let budget = self.budget.clone().with_stop(Arc::clone(stop));
        let mut results = Results::new(&self.schedule);
        let mut sprt = test.map(Sprt::new);
        let first = played.len() as u64;
        for played in played {
            sprt.iter_mut().for_each(|sprt| sprt.count(played.result.half_points()));
            results.count(played);
        }
        if sprt.as_ref().is_some_and(|sprt| sprt.accepted().is_some()) {
            return Ok(TournamentReport::new(self, &results, sprt.as_ref()));
        }
        let play = |number| self.play(number, &budget).transpose();
        let count = |played: Result<PlayedGame<S::Move>, NoOpening>| -> Result<_, E> {
            let played = played?;
            if let Some(sprt) = &mut sprt {
                sprt.count(played.result.half_points());
            }
            on_game(&played, sprt.as_ref())?;
            results.count(played);
            let decided = sprt.as_ref().is_some_and(|sprt| sprt.accepted().is_some());
            Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        run_in_order(first, self.schedule.games(), threads, stop, play, count)?;
        Ok(TournamentReport::new(self, &results, sprt.as_ref()))
    }

    /// Plays the game with this number; `None` if it was stopped.
    ///
    /// All randomness is derived from the seed and the number, so that threads and order do not
    /// matter.
    fn play(&self, number: u64, budget: &Budget) -> Result<Option<PlayedGame<S::Move>>, NoOpening> {
        let fixture = self.schedule.fixture(number);
        let mut entrants = self.schedule.pairings()[fixture.pairing];
        if fixture.swapped {
            entrants.reverse();
        }
        let opening_seed = derive(self.seed, Purpose::Opening, fixture.round);
        let opening = self.openings.find(&self.start, opening_seed, fixture.round);
        let opening = opening.ok_or_else(|| self.no_opening())?;

        let mut seeds = SmallRng::seed_from_u64(derive(self.seed, Purpose::Game, number));
        let mut computers = entrants.map(|entrant| {
            Computer::new(self.entrants[entrant].strategy(seeds.random()), budget.clone())
        });
        let course = play(&self.start, opening, &mut computers, budget);
        Ok(course.map(|course| PlayedGame {
            moves: course.moves,
            outcome: course.outcome,
            pairing: fixture.pairing,
            entrants,
            result: PairingResult::new(course.outcome, fixture.swapped),
            forfeit: course.forfeit.map(|(seat, reason)| (entrants[seat.index()], reason)),
        }))
    }

    fn no_opening(&self) -> NoOpening {
        NoOpening { game: self.game.clone(), plies: self.openings.plies }
    }
}

impl Tournament {
    /// A game as a record, with the names of its players; a forfeit becomes a resignation. `None` if
    /// the tournament does not start from the empty board.
    pub fn record(&self, played: &PlayedGame) -> Option<Game> {
        let rules = self.start.rules();
        let seats = rules.seats().zip(played.entrants);
        let players: Vec<Player> =
            seats.map(|(seat, entrant)| self.entrants[entrant].player(seat)).collect();
        let mut game = Game::new(rules, players).ok()?;
        if *game.position() != self.start {
            return None;
        }
        for &mv in &played.moves {
            game.play(game.turn()?, mv).ok()?;
        }
        if played.forfeit.is_some() {
            game.resign(game.turn()?).ok()?;
        }
        Some(game)
    }
}

impl Tournament {
    /// The game with this number from its record; `None` if it is not that game, or not over.
    pub fn replayed(&self, number: u64, record: &Game) -> Option<PlayedGame> {
        let fixture = (number < self.schedule.games()).then(|| self.schedule.fixture(number))?;
        let mut entrants = self.schedule.pairings()[fixture.pairing];
        if fixture.swapped {
            entrants.reverse();
        }
        let seats = record.rules().seats().zip(entrants);
        let names = seats.map(|(seat, entrant)| self.entrants[entrant].player(seat));
        let is_ours =
            record.rules() == self.start.rules() && names.eq(record.players().iter().cloned());
        let outcome = record.outcome().filter(|_| is_ours)?;
        let resigned = record.history().find_map(|action| match action {
            Action::Resign { seat } => Some(seat),
            Action::Move { .. } => None,
        });
        let reason = |seat: Seat| (entrants[seat.index()], "forfeited before a resumption".into());
        Some(PlayedGame {
            moves: record.history().filter_map(moved).collect(),
            outcome,
            pairing: fixture.pairing,
            entrants,
            result: PairingResult::new(outcome, fixture.swapped),
            forfeit: resigned.map(reason),
        })
    }
}

fn moved(action: Action) -> Option<Move> {
    match action {
        Action::Move { mv, .. } => Some(mv),
        Action::Resign { .. } => None,
    }
}

/// Separate random streams for openings and games.
enum Purpose {
    Opening,
    Game,
}

/// Derives the seed of one opening or game.
fn derive(seed: u64, purpose: Purpose, number: u64) -> u64 {
    let stream: u64 = SmallRng::seed_from_u64(seed).random();
    let stream: u64 = SmallRng::seed_from_u64(stream ^ purpose as u64).random();
    stream.wrapping_add(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ_by_purpose() {
        let seeds = [
            derive(1, Purpose::Game, 0),
            derive(1, Purpose::Game, 1),
            derive(1, Purpose::Opening, 0),
            derive(2, Purpose::Game, 0),
        ];
        for (i, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..i].contains(seed));
        }
    }
}
