//! Computer players by name.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use noughts_rules::{Position, State};

use super::{HUMAN, ParsePlayerKindError, PlayerKind};
use crate::{AlphaBeta, Mcts, Random, Strategy};

/// Creates a player from a seed.
type Factory<S> = dyn Fn(u64) -> Box<dyn Strategy<S>> + Send + Sync;

/// A list of computer players by name, to which programs add their own.
///
/// ```
/// use noughts_engine::{Budget, Choice, Players, Strategy, StrategyError};
/// use noughts_rules::Position;
///
/// /// Takes the first free cell.
/// struct Lazy;
///
/// impl Strategy for Lazy {
///     fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
///         position.legal_moves().next().map(Choice::without_verdict).ok_or(StrategyError::GameOver)
///     }
/// }
///
/// let mut players = Players::built_in();
/// players.register("lazy", |_seed| Box::new(Lazy))?;
/// let kind = players.parse("lazy")?;
/// assert_eq!(kind.to_string(), "lazy");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Players<S: State = Position> {
    players: Vec<NamedPlayer<S>>,
}

/// A computer player with a name.
pub struct NamedPlayer<S: State = Position>(Arc<Named<S>>);

struct Named<S: State> {
    name: String,
    factory: Box<Factory<S>>,
}

/// Why a player can't be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The name is empty or contains other characters than letters, digits, hyphens and underscores.
    #[error("`{0}` is not a name of a player: expected letters, digits, `-` and `_`")]
    Name(String),
    /// The name is taken.
    #[error("there is already a player `{0}`")]
    Taken(String),
}

impl<S: State> Players<S> {
    /// No players.
    #[must_use]
    pub fn new() -> Players<S> {
        Players { players: Vec::new() }
    }

    /// The players that play any game: `random` and `mcts`, and `alpha-beta`, which only sees the ends
    /// of games and needs two seats.
    #[must_use]
    pub fn of_any_game() -> Players<S> {
        Players::new()
            .with("random", |seed| Box::new(Random::new(seed)))
            .with("mcts", |seed| Box::new(Mcts::new(seed)))
            .with("alpha-beta", |_| Box::new(AlphaBeta::default()))
    }

    /// Adds a player under a new name. The factory creates one from a seed.
    ///
    /// # Errors
    ///
    /// If the name is taken, or is not a name.
    pub fn register(
        &mut self,
        name: &str,
        factory: impl Fn(u64) -> Box<dyn Strategy<S>> + Send + Sync + 'static,
    ) -> Result<(), RegisterError> {
        let is_valid = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_valid) {
            return Err(RegisterError::Name(name.into()));
        }
        if name == HUMAN || self.get(name).is_some() {
            return Err(RegisterError::Taken(name.into()));
        }
        let named = Named { name: name.into(), factory: Box::new(factory) };
        self.players.push(NamedPlayer(Arc::new(named)));
        Ok(())
    }

    /// Adds a player whose name is known to be new.
    pub(super) fn with(
        mut self,
        name: &str,
        factory: impl Fn(u64) -> Box<dyn Strategy<S>> + Send + Sync + 'static,
    ) -> Players<S> {
        self.register(name, factory).expect("a new name");
        self
    }

    /// The player of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&NamedPlayer<S>> {
        self.iter().find(|player| player.name() == name)
    }

    /// All players in the order in which they were registered.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &NamedPlayer<S>> {
        self.players.iter()
    }
}

impl Players {
    /// The players of the family: the levels from weakest to strongest, then the searches by name.
    #[must_use]
    pub fn built_in() -> Players {
        super::BUILT_IN.clone()
    }

    /// Parses `human`, the name of a player, or `engine:PATH`.
    ///
    /// # Errors
    ///
    /// If the text is none of them.
    pub fn parse(&self, text: &str) -> Result<PlayerKind, ParsePlayerKindError> {
        PlayerKind::parse(text, self)
    }
}

impl<S: State> NamedPlayer<S> {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// A player. The same seed gives the same player.
    #[must_use]
    pub fn strategy(&self, seed: u64) -> Box<dyn Strategy<S>> {
        (self.0.factory)(seed)
    }
}

impl<S: State> Default for Players<S> {
    fn default() -> Self {
        Players::new()
    }
}

impl<S: State> Clone for Players<S> {
    fn clone(&self) -> Self {
        Players { players: self.players.clone() }
    }
}

impl<S: State> fmt::Debug for Players<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<S: State> Clone for NamedPlayer<S> {
    fn clone(&self) -> Self {
        NamedPlayer(Arc::clone(&self.0))
    }
}

/// Players are equal if they were registered together.
impl<S: State> PartialEq for NamedPlayer<S> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<S: State> Eq for NamedPlayer<S> {}

impl<S: State> Hash for NamedPlayer<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// Prints the name.
impl<S: State> fmt::Display for NamedPlayer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<S: State> fmt::Debug for NamedPlayer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamedPlayer({})", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use noughts_rules::Rules;

    #[test]
    fn registered_player_is_parsed_by_name() {
        let mut players = Players::built_in();
        players.register("my-random", |seed| Box::new(Random::new(seed))).unwrap();
        let kind = players.parse(" my-random ").unwrap();
        assert_eq!(players.parse(&kind.to_string()), Ok(kind.clone()));
        let position = Position::new(&Rules::classic());
        let choose = |seed| {
            let mut player = kind.strategy(seed).unwrap();
            player.choose(&position, &Budget::unlimited()).unwrap()
        };
        assert_eq!(choose(5), choose(5));
        assert!("my-random".parse::<PlayerKind>().is_err());
        let error = players.parse("mine").unwrap_err().to_string();
        assert!(error.contains("my-random"), "{error}");
    }

    #[test]
    fn names_are_new_and_simple() {
        let mut players = Players::built_in();
        let mut register = |name: &str| players.register(name, |seed| Box::new(Random::new(seed)));
        for name in ["human", "hard", "mcts"] {
            assert_eq!(register(name), Err(RegisterError::Taken(name.into())));
        }
        for name in ["", "a b", "engine:x", "a,b"] {
            assert_eq!(register(name), Err(RegisterError::Name(name.into())));
        }
        assert_eq!(register("Élan_2-x"), Ok(()));
    }
}
