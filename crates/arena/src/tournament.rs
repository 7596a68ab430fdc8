//! Tournaments.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts_engine::Budget;
use noughts_rules::{Action, Game, Move, Outcome, Player, Position, Seat, State};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::adjudication::{Adjudicated, Adjudication};
use crate::entrant::{Entrant, Seating};
use crate::openings::{NoOpening, Openings};
use crate::parallel::run_in_order;
use crate::played_game::{CourseEnd, Ending, MoveStatistics, PlayedGame, play};
use crate::report::TournamentReport;
use crate::results::Results;
use crate::schedule::{Fixture, Schedule, Stage, Stages};
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
    /// The budget of each move of players without their own.
    pub budget: Budget,
    /// How games begin.
    pub openings: Openings<S>,
    /// How games end early.
    pub adjudication: Adjudication,
    /// The seed of openings and players.
    pub seed: u64,
}

/// Why a tournament can't be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// No opening was found.
    #[error(transparent)]
    NoOpening(#[from] NoOpening),
    /// A game to resume after is not that of the schedule.
    #[error("game {number} is of another tournament: resume with the same arguments")]
    OtherTournament {
        /// The number of the game, from 1.
        number: u64,
    },
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
    /// Returns the error of `on_game`, or a [`TournamentError`] as one.
    pub fn run<E: From<TournamentError>>(
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
    pub fn resume<E: From<TournamentError>>(
        &self,
        played: Vec<PlayedGame<S::Move>>,
        threads: usize,
        stop: &Arc<AtomicBool>,
        test: Option<Hypotheses>,
        mut on_game: impl FnMut(&PlayedGame<S::Move>, Option<&Sprt>) -> Result<(), E>,
    ) -> Result<TournamentReport, E> {
        let mut results = Results::new(self.entrants.len(), &self.schedule);
        let mut sprt = test.map(Sprt::new);
        let mut stages = Stages::new(&self.schedule);
        let (mut begin, mut played) = (0, played.into_iter());
        while let Some(stage) = stages.next() {
            let mut half_points = vec![[0; 2]; stage.pairs.len()];
            let mut finished = 0;
            for played in played.by_ref().take(usize::try_from(stage.games()).unwrap_or(usize::MAX))
            {
                let number = begin + finished + 1;
                if played.entrants != stage.fixture(finished).entrants {
                    return Err(TournamentError::OtherTournament { number }.into());
                }
                sprt.iter_mut().for_each(|sprt| sprt.count(played.half_points_of_first()));
                stage.add_half_points(&played, &mut half_points);
                results.count(played);
                finished += 1;
            }
            let resumed = finished;
            if !is_decided(sprt.as_ref()) {
                let play =
                    |number| self.play(begin + number, stage.fixture(number), stop).transpose();
                let take = |played: Result<PlayedGame<S::Move>, NoOpening>| -> Result<_, E> {
                    let played = played.map_err(TournamentError::from)?;
                    sprt.iter_mut().for_each(|sprt| sprt.count(played.half_points_of_first()));
                    on_game(&played, sprt.as_ref())?;
                    stage.add_half_points(&played, &mut half_points);
                    results.count(played);
                    finished += 1;
                    Ok(match is_decided(sprt.as_ref()) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    })
                };
                run_in_order(resumed, stage.games(), threads, stop, play, take)?;
            }
            if finished < stage.games() {
                break;
            }
            begin += finished;
            stages.report(&stage, &half_points);
        }
        if played.next().is_some() {
            return Err(TournamentError::OtherTournament { number: begin + 1 }.into());
        }
        Ok(TournamentReport::new(self, &results, &stages, sprt.as_ref()))
    }

    /// Plays the game with this number; `None` if it was stopped.
    ///
    /// All randomness is derived from the seed and the number, so that threads and order do not
    /// matter.
    fn play(
        &self,
        number: u64,
        fixture: Fixture,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<PlayedGame<S::Move>>, NoOpening> {
        let Fixture { entrants, opening } = fixture;
        let opening_seed = derive(self.seed, Purpose::Opening, opening);
        let opening = self.openings.find(&self.start, opening_seed, opening);
        let opening = opening.ok_or_else(|| self.no_opening())?;

        let mut seeds = SmallRng::seed_from_u64(derive(self.seed, Purpose::Game, number));
        let mut seat = |seat: Seat| {
            let seating = Seating { game: number, seat, seed: seeds.random() };
            self.entrants[entrants[seat.index()]].seat(&seating, &self.budget, stop)
        };
        let mut players = [seat(Seat::FIRST), seat(second_seat())];
        let stopped = Budget::unlimited().with_stop(Arc::clone(stop));
        let course = play(&self.start, opening, &mut players, &self.adjudication, &stopped);
        Ok(course.map(|course| PlayedGame {
            moves: course.moves,
            outcome: course.outcome,
            entrants,
            ending: match course.end {
                CourseEnd::Rules => Ending::Rules,
                CourseEnd::Adjudicated(adjudicated) => Ending::Adjudicated(adjudicated),
                CourseEnd::Forfeit(seat, reason) => {
                    Ending::Forfeit { entrant: entrants[seat.index()], reason }
                }
            },
            statistics: players.map(|player| player.statistics()),
        }))
    }

    fn no_opening(&self) -> NoOpening {
        NoOpening { game: self.game.clone(), plies: self.openings.plies }
    }
}

impl Stage {
    /// Adds the half points of a game to those of its pair.
    fn add_half_points<M>(&self, played: &PlayedGame<M>, half_points: &mut [[u32; 2]]) {
        for (pair, sum) in self.pairs.iter().zip(half_points) {
            for (seat, points) in played.half_points().into_iter().enumerate() {
                let side = pair.iter().position(|&player| player == played.entrants[seat]);
                let other = pair.contains(&played.entrants[1 - seat]);
                if let (Some(side), true) = (side, other) {
                    sum[side] += points;
                }
            }
        }
    }
}

impl Tournament {
    /// A game as a record, with the names of its players. A forfeit becomes a resignation, and a game
    /// that was adjudicated as a draw remains unfinished. `None` if the tournament does not start from the
    /// empty board.
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
        if let (Outcome::Win(winner), None) = (played.outcome, game.outcome()) {
            game.resign(Seat::new(1 - winner.index() as u8)?).ok()?;
        }
        Some(game)
    }

    /// A game of this tournament from its record; `None` if it is of other players or rules. A record does
    /// not tell a forfeit from a resignation: where the tournament adjudicates resignations, it counts as
    /// one. A game that is not over was adjudicated as a draw.
    pub fn replayed(&self, record: &Game) -> Option<PlayedGame> {
        let entrant = |seat: Seat| {
            let name = record.player(seat)?.clone();
            self.entrants.iter().position(|entrant| entrant.player(seat) == name)
        };
        let entrants = [entrant(Seat::FIRST)?, entrant(second_seat())?];
        if record.rules() != self.start.rules() {
            return None;
        }
        let resigned = record.history().find_map(|action| match action {
            Action::Resign { seat } => Some(seat),
            Action::Move { .. } => None,
        });
        let ending = match (record.outcome(), resigned) {
            (None, _) => Ending::Adjudicated(Adjudicated::Draw),
            (_, Some(_)) if self.adjudication.resign.is_some() => {
                Ending::Adjudicated(Adjudicated::Resignation)
            }
            (_, Some(seat)) => Ending::Forfeit {
                entrant: entrants[seat.index()],
                reason: "forfeited before a resumption".into(),
            },
            (_, None) => Ending::Rules,
        };
        Some(PlayedGame {
            moves: record.history().filter_map(moved).collect(),
            outcome: record.outcome().unwrap_or(Outcome::Draw),
            entrants,
            ending,
            statistics: [MoveStatistics::default(); 2],
        })
    }
}

fn is_decided(sprt: Option<&Sprt>) -> bool {
    sprt.is_some_and(|sprt| sprt.accepted().is_some())
}

fn second_seat() -> Seat {
    Seat::new(1).expect("games have two seats")
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
