//! Tournaments, and how each game of one is played.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts_engine::{
    Budget, Computer, Decision, Forfeit, GameHost, GameObserver, LoopExit, PlayerKind, run_game,
};
use noughts_rules::{Event, Game, Move, Outcome, Player, Rules, Seat, Symbol};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::openings::{NoOpening, opening};
use crate::parallel::run_in_order;
use crate::report::TournamentReport;
use crate::results::Results;
use crate::schedule::Schedule;
use crate::sprt::{Hypotheses, Sprt};

/// A tournament to be played.
pub struct Tournament {
    /// The rules; for two players.
    pub rules: Rules,
    /// The players.
    pub entrants: Vec<Entrant>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The budget of each move.
    pub budget: Budget,
    /// The length of the random openings; 0 for none.
    pub opening_plies: usize,
    /// The seed of openings and players.
    pub seed: u64,
}

/// A computer player of the tournament.
pub struct Entrant {
    kind: PlayerKind,
    name: String,
}

/// A finished game.
pub struct PlayedGame {
    /// The game.
    pub game: Game,
    /// The index of its pairing.
    pub pairing: usize,
    /// The result for the pairing's first player.
    pub result: PairingResult,
    /// The entrant who forfeited the game, and why.
    pub forfeit: Option<(usize, String)>,
}

/// The result for the first player of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingResult {
    /// The first player won.
    Win,
    /// A draw.
    Draw,
    /// The first player lost.
    Loss,
}

impl Entrant {
    /// Names players by their kinds; equal kinds are numbered.
    pub fn all(kinds: Vec<PlayerKind>) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let same = entrants.iter().filter(|entrant| entrant.kind == kind).count();
            let name = if same == 0 { kind.to_string() } else { format!("{kind} #{}", same + 1) };
            entrants.push(Entrant { kind, name });
        }
        entrants
    }

    /// The name in reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player's name in records: long paths are cut at the start.
    fn player(&self, seat: Seat) -> Player {
        const MAX_NAME_LENGTH: usize = 32;
        let surplus = self.name.chars().count().saturating_sub(MAX_NAME_LENGTH);
        let name: String = self.name.chars().skip(surplus).collect();
        Player::new(&name, Symbol::default_for(seat)).unwrap_or_else(|_| Player::default_for(seat))
    }
}

impl Tournament {
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
        mut on_game: impl FnMut(&PlayedGame, Option<&Sprt>) -> Result<(), E>,
    ) -> Result<TournamentReport, E> {
        let budget = self.budget.clone().with_stop(Arc::clone(stop));
        let mut results = Results::new(&self.schedule);
        let mut sprt = test.map(Sprt::new);
        let play = |number| self.play(number, &budget).transpose();
        let count = |played: Result<PlayedGame, NoOpening>| -> Result<_, E> {
            let played = played?;
            if let Some(sprt) = &mut sprt {
                sprt.count(played.result.half_points());
            }
            on_game(&played, sprt.as_ref())?;
            results.count(played);
            let decided = sprt.as_ref().is_some_and(|sprt| sprt.accepted().is_some());
            Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        run_in_order(self.schedule.games(), threads, stop, play, count)?;
        Ok(TournamentReport::new(self, &results, sprt.as_ref()))
    }

    /// Plays the game with this number; `None` if it was stopped.
    ///
    /// All randomness is derived from the seed and the number, so that threads and order do not
    /// matter.
    ///
    /// Everything random follows from the seed and the number, so it does not matter who plays
    /// it, nor when.
    fn play(&self, number: u64, budget: &Budget) -> Result<Option<PlayedGame>, NoOpening> {
        let fixture = self.schedule.fixture(number);
        let mut entrants = self.schedule.pairings()[fixture.pairing];
        if fixture.swapped {
            entrants.reverse();
        }
        let opening_seed = derive(self.seed, Purpose::Opening, fixture.round);
        let opening = opening(&self.rules, self.opening_plies, opening_seed)?;

        let mut seeds = SmallRng::seed_from_u64(derive(self.seed, Purpose::Game, number));
        let mut host = TournamentHost {
            computers: entrants.map(|entrant| {
                let strategy = self.entrants[entrant].kind.strategy(seeds.random());
                Computer::new(strategy.expect("no person takes part"), budget.clone())
            }),
            opening: opening.into_iter(),
            budget,
            forfeit: None,
        };
        let players: Vec<Player> = self
            .rules
            .seats()
            .zip(entrants)
            .map(|(seat, entrant)| self.entrants[entrant].player(seat))
            .collect();
        let mut game = Game::new(&self.rules, players).expect("two seats with their own symbols");
        let Ok(ending) = run_game(&mut game, &mut host);
        let outcome = match (ending, game.position().outcome()) {
            (LoopExit::GameOver, Some(outcome)) => outcome,
            _ => return Ok(None),
        };
        Ok(Some(PlayedGame {
            game,
            pairing: fixture.pairing,
            result: PairingResult::new(outcome, fixture.swapped),
            forfeit: host.forfeit.map(|f| (entrants[f.seat.index()], f.reason.to_string())),
        }))
    }
}

impl PairingResult {
    fn new(outcome: Outcome, swapped: bool) -> PairingResult {
        match outcome {
            Outcome::Draw => PairingResult::Draw,
            Outcome::Win(seat) if (seat == Seat::FIRST) != swapped => PairingResult::Win,
            Outcome::Win(_) => PairingResult::Loss,
        }
    }

    fn half_points(self) -> usize {
        match self {
            PairingResult::Win => 2,
            PairingResult::Draw => 1,
            PairingResult::Loss => 0,
        }
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

/// Asks the two computers for their moves, after the opening.
struct TournamentHost<'a> {
    computers: [Computer; 2],
    opening: std::vec::IntoIter<Move>,
    budget: &'a Budget,
    forfeit: Option<Forfeit>,
}

impl GameHost for TournamentHost<'_> {
    fn decide(&mut self, game: &Game, seat: Seat) -> Result<Decision, Infallible> {
        if let Some(mv) = self.opening.next() {
            return Ok(Decision::Move(mv));
        }
        let decision = self.computers[seat.index()].decide(game);
        // A stopped search returns a move, but not the one that it would have chosen.
        Ok(if self.budget.is_stopped() { Decision::Stop } else { decision })
    }
}

impl GameObserver for TournamentHost<'_> {
    type Error = Infallible;

    fn is_person(&self, _: Seat) -> bool {
        false
    }

    fn on_event(&mut self, _: &Game, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }

    fn on_forfeit(&mut self, _: &Game, forfeit: &Forfeit) -> Result<(), Infallible> {
        self.forfeit = Some(forfeit.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_kinds_are_numbered() {
        let kinds = ["easy", "hard", "easy"].map(|word| word.parse().unwrap());
        let entrants = Entrant::all(kinds.into());
        let names: Vec<&str> = entrants.iter().map(Entrant::name).collect();
        assert_eq!(names, ["easy", "hard", "easy #2"]);
    }

    #[test]
    fn long_paths_keep_their_end() {
        let kind = "engine:somewhere/deep/in/the/tree/pbrain-x".parse().unwrap();
        let player = Entrant::all(vec![kind])[0].player(Seat::FIRST);
        assert_eq!(player.name(), "ewhere/deep/in/the/tree/pbrain-x");
    }

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
