//! The players of a tournament.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts_engine::{Budget, NamedPlayer, PlayerKind, Strategy};
use noughts_rules::{Player, Position, Seat, State, Symbol};

use crate::seated::{MatchClock, SeatedPlayer};

/// A flag that ends searches.
pub(crate) type Stop = Arc<AtomicBool>;

/// Creates a strategy for a game.
type Factory<S> = Box<dyn Fn(&Seating) -> Box<dyn Strategy<S>> + Send + Sync>;

/// A computer player of a tournament.
pub struct Entrant<S: State = Position> {
    name: String,
    factory: Factory<S>,
    budget: Option<Budget>,
    clock: Option<MatchClock>,
}

/// A game for which a player is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seating {
    /// The number of the game, from 0.
    pub game: u64,
    /// The player's seat.
    pub seat: Seat,
    /// For the player's randomness.
    pub seed: u64,
}

impl<S: State> Entrant<S> {
    /// A player with a name for reports.
    pub fn new(
        name: &str,
        factory: impl Fn(u64) -> Box<dyn Strategy<S>> + Send + Sync + 'static,
    ) -> Entrant<S> {
        Entrant::for_games(name, move |seating| factory(seating.seed))
    }

    /// A player who is made knowing the game.
    pub fn for_games(
        name: &str,
        factory: impl Fn(&Seating) -> Box<dyn Strategy<S>> + Send + Sync + 'static,
    ) -> Entrant<S> {
        Entrant { name: name.into(), factory: Box::new(factory), budget: None, clock: None }
    }

    /// Gives the player another budget for each move than the others have.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Entrant<S> {
        Entrant { budget: Some(budget), ..self }
    }

    /// Gives the player a clock for each game. A player who overruns it by more than 0.1 s forfeits.
    #[must_use]
    pub fn with_clock(self, clock: MatchClock) -> Entrant<S> {
        Entrant { clock: Some(clock), ..self }
    }

    /// Players of a registry; equal ones are numbered.
    pub fn named(players: impl IntoIterator<Item = NamedPlayer<S>>) -> Vec<Entrant<S>>
    where
        S: 'static,
    {
        let entrants = players.into_iter();
        numbered(
            entrants
                .map(|player| Entrant::new(&player.to_string(), move |seed| player.strategy(seed))),
        )
    }

    /// The name in reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player at a game, with this budget unless it has its own.
    pub(crate) fn seat(&self, seating: &Seating, budget: &Budget, stop: &Stop) -> SeatedPlayer<S> {
        let budget = self.budget.as_ref().unwrap_or(budget).clone().with_stop(Arc::clone(stop));
        SeatedPlayer::new((self.factory)(seating), budget, self.clock)
    }
}

impl Entrant {
    /// Names players by their kinds; equal kinds are numbered.
    pub fn all(kinds: Vec<PlayerKind>) -> Vec<Entrant> {
        numbered(kinds.into_iter().map(|kind| {
            Entrant::new(&kind.to_string(), move |seed| {
                kind.strategy(seed).expect("no person takes part")
            })
        }))
    }

    /// The player's name in records: long paths are cut at the start.
    pub(crate) fn player(&self, seat: Seat) -> Player {
        const MAX_NAME_LENGTH: usize = 32;
        let surplus = self.name.chars().count().saturating_sub(MAX_NAME_LENGTH);
        let name: String = self.name.chars().skip(surplus).collect();
        Player::new(&name, Symbol::default_for(seat)).unwrap_or_else(|_| Player::default_for(seat))
    }
}

/// Numbers entrants with the same name from the second on.
fn numbered<S: State>(entrants: impl Iterator<Item = Entrant<S>>) -> Vec<Entrant<S>> {
    let mut seen: Vec<String> = Vec::new();
    let number = |mut entrant: Entrant<S>| {
        let same = seen.iter().filter(|name| **name == entrant.name).count();
        seen.push(entrant.name.clone());
        if same > 0 {
            entrant.name = format!("{} #{}", entrant.name, same + 1);
        }
        entrant
    };
    entrants.map(number).collect()
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
}
