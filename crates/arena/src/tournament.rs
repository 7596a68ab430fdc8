//! One game of a tournament.

use std::convert::Infallible;

use noughts_engine::{
    Budget, Computer, Decision, Forfeit, GameHost, GameObserver, LoopExit, PlayerKind, run_game,
};
use noughts_rules::{Cell, Event, Game, Outcome, Player, Rules, Seat, Symbol};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::opening::{NoOpening, opening};
use crate::schedule::Schedule;

/// What all games of a tournament have in common.
pub struct Contest {
    pub rules: Rules,
    pub entrants: Vec<Entrant>,
    pub schedule: Schedule,
    /// For each move, with the flag that ends the tournament.
    pub budget: Budget,
    /// How many moves of an opening stand on the board before the players are asked.
    pub opening_plies: usize,
    pub seed: u64,
}

/// A player of the tournament.
pub struct Entrant {
    kind: PlayerKind,
    name: String,
}

/// A game that was played to its end.
pub struct Played {
    pub game: Game,
    pub pairing: usize,
    /// What the pairing's first player got.
    pub result: PairingResult,
    /// Who lost without having lost on the board, by the number of the entrant, and why.
    pub forfeit: Option<(usize, String)>,
}

/// A result as the first player of a pairing sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingResult {
    Win,
    Draw,
    Loss,
}

impl Entrant {
    /// Names the players by their kinds. One that stands there twice gets a number.
    pub fn all(kinds: Vec<PlayerKind>) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let same = entrants.iter().filter(|entrant| entrant.kind == kind).count();
            let name = if same == 0 { kind.to_string() } else { format!("{kind} #{}", same + 1) };
            entrants.push(Entrant { kind, name });
        }
        entrants
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player as records name it: of a long path only the end fits.
    fn player(&self, seat: Seat) -> Player {
        const MOST_CHARACTERS: usize = 32;
        let surplus = self.name.chars().count().saturating_sub(MOST_CHARACTERS);
        let name: String = self.name.chars().skip(surplus).collect();
        Player::new(&name, Symbol::default_for(seat)).unwrap_or_else(|_| Player::default_for(seat))
    }
}

impl Contest {
    /// Plays the game with a number; `None` if the tournament ended before it did.
    ///
    /// Everything random follows from the seed and the number, so it does not matter who plays
    /// it, nor when.
    pub fn play(&self, number: u64) -> Result<Option<Played>, NoOpening> {
        let fixture = self.schedule.fixture(number);
        let mut entrants = self.schedule.pairings()[fixture.pairing];
        if fixture.swapped {
            entrants.reverse();
        }
        let opening_seed = derive(self.seed, Purpose::Opening, fixture.round);
        let opening = opening(&self.rules, self.opening_plies, opening_seed)?;

        let mut seeds = SmallRng::seed_from_u64(derive(self.seed, Purpose::Game, number));
        let mut room = Room {
            computers: entrants.map(|entrant| {
                let strategy = self.entrants[entrant].kind.strategy(seeds.random());
                Computer::new(strategy.expect("no person takes part"), self.budget.clone())
            }),
            opening: opening.into_iter(),
            budget: &self.budget,
            forfeit: None,
        };
        let players: Vec<Player> = self
            .rules
            .seats()
            .zip(entrants)
            .map(|(seat, entrant)| self.entrants[entrant].player(seat))
            .collect();
        let mut game = Game::new(&self.rules, players).expect("two seats with their own symbols");
        let Ok(ending) = run_game(&mut game, &mut room);
        let outcome = match (ending, game.position().outcome()) {
            (LoopExit::GameOver, Some(outcome)) => outcome,
            _ => return Ok(None),
        };
        Ok(Some(Played {
            game,
            pairing: fixture.pairing,
            result: PairingResult::new(outcome, fixture.swapped),
            forfeit: room.forfeit.map(|f| (entrants[f.seat.index()], f.reason.to_string())),
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

    pub fn half_points(self) -> usize {
        match self {
            PairingResult::Win => 2,
            PairingResult::Draw => 1,
            PairingResult::Loss => 0,
        }
    }
}

/// What a seed is for: openings and games must not share theirs.
enum Purpose {
    Opening,
    Game,
}

/// A seed of its own for everything that needs one.
fn derive(seed: u64, purpose: Purpose, number: u64) -> u64 {
    let stream: u64 = SmallRng::seed_from_u64(seed).random();
    let stream: u64 = SmallRng::seed_from_u64(stream ^ purpose as u64).random();
    stream.wrapping_add(number)
}

/// Where two computers meet.
struct Room<'a> {
    computers: [Computer; 2],
    opening: std::vec::IntoIter<Cell>,
    budget: &'a Budget,
    forfeit: Option<Forfeit>,
}

impl GameHost for Room<'_> {
    fn decide(&mut self, game: &Game, seat: Seat) -> Result<Decision, Infallible> {
        if let Some(cell) = self.opening.next() {
            return Ok(Decision::Move(cell));
        }
        let decision = self.computers[seat.index()].decide(game);
        // A search that was stopped answers something, but not what it would have answered.
        Ok(if self.budget.is_stopped() { Decision::Stop } else { decision })
    }
}

impl GameObserver for Room<'_> {
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
    fn the_second_of_a_kind_gets_a_number() {
        let kinds = ["easy", "hard", "easy"].map(|word| word.parse().unwrap());
        let entrants = Entrant::all(kinds.into());
        let names: Vec<&str> = entrants.iter().map(Entrant::name).collect();
        assert_eq!(names, ["easy", "hard", "easy #2"]);
    }

    #[test]
    fn records_name_a_long_path_by_its_end() {
        let kind = "engine:somewhere/deep/in/the/tree/pbrain-x".parse().unwrap();
        let player = Entrant::all(vec![kind])[0].player(Seat::FIRST);
        assert_eq!(player.name(), "ewhere/deep/in/the/tree/pbrain-x");
    }

    #[test]
    fn seeds_differ_by_what_they_are_for() {
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
