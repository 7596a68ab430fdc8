//! The computer players and their names.

mod easy;
mod hard;
mod medium;
mod perfect;
mod random;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

pub use easy::Easy;
pub use hard::Hard;
pub use medium::Medium;
pub use perfect::Perfect;
pub use random::Random;

use crate::Strategy;
use crate::gomocup::ExternalEngine;

/// Creates a computer player from a seed.
type Factory = fn(u64) -> Box<dyn Strategy>;

/// The computer players from weakest to strongest.
const COMPUTERS: [(&str, Factory); 5] = [
    ("random", |seed| Box::new(Random::new(seed))),
    ("easy", |seed| Box::new(Easy::new(seed))),
    ("medium", |seed| Box::new(Medium::new(seed))),
    ("hard", |seed| Box::new(Hard::new(seed))),
    ("perfect", |seed| Box::new(Perfect::new(seed))),
];

const HUMAN: &str = "human";

/// Prefix of the path of an engine that speaks the Gomocup protocol.
const ENGINE_PREFIX: &str = "engine:";

/// A kind of player, parsed from its name.
///
/// ```
/// use noughts_engine::PlayerKind;
///
/// let kind: PlayerKind = "hard".parse()?;
/// assert_eq!(kind.to_string(), "hard");
/// assert!(kind.strategy(1).is_some());
/// assert!("human".parse::<PlayerKind>()?.strategy(1).is_none());
/// # Ok::<(), noughts_engine::PlayerKindError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlayerKind(Kind);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Kind {
    Human,
    /// An index into [`COMPUTERS`].
    Computer(usize),
    /// The path of an external engine.
    Engine(PathBuf),
}

/// The text names no kind of player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a player: expected {HUMAN}, {computers} or {ENGINE_PREFIX}PATH",
    computers = COMPUTERS.map(|(name, _)| name).join(", "))]
pub struct PlayerKindError {
    text: String,
}

/// The error quotes at most this many characters.
const MAX_QUOTED_CHARS: usize = 40;

impl PlayerKind {
    /// A person, whom the program has to ask.
    pub const HUMAN: PlayerKind = PlayerKind(Kind::Human);

    /// The built-in computer players, from weakest to strongest.
    pub fn computers() -> impl Iterator<Item = PlayerKind> {
        (0..COMPUTERS.len()).map(|index| PlayerKind(Kind::Computer(index)))
    }

    /// Whether a person plays.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.0 == Kind::Human
    }

    /// A player of this kind; `None` for a person. The same seed and node limits give the same
    /// moves, except from external engines.
    #[must_use]
    pub fn strategy(&self, seed: u64) -> Option<Box<dyn Strategy>> {
        match &self.0 {
            Kind::Human => None,
            Kind::Computer(index) => Some(COMPUTERS[*index].1(seed)),
            Kind::Engine(path) => Some(Box::new(ExternalEngine::new(path))),
        }
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Human => f.write_str(HUMAN),
            Kind::Computer(index) => f.write_str(COMPUTERS[*index].0),
            Kind::Engine(path) => write!(f, "{ENGINE_PREFIX}{}", path.display()),
        }
    }
}

impl FromStr for PlayerKind {
    type Err = PlayerKindError;

    fn from_str(text: &str) -> Result<PlayerKind, PlayerKindError> {
        let word = text.trim();
        if word == HUMAN {
            return Ok(PlayerKind::HUMAN);
        }
        if let Some(path) = word.strip_prefix(ENGINE_PREFIX).filter(|path| !path.is_empty()) {
            return Ok(PlayerKind(Kind::Engine(path.into())));
        }
        let index = COMPUTERS.iter().position(|(name, _)| *name == word);
        index
            .map(|index| PlayerKind(Kind::Computer(index)))
            .ok_or_else(|| PlayerKindError { text: word.chars().take(MAX_QUOTED_CHARS).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_parses_back() {
        let engine = "engine:some/where/pbrain-x".parse().unwrap();
        for kind in PlayerKind::computers().chain([PlayerKind::HUMAN, engine]) {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
    }

    #[test]
    fn unknown_name_lists_valid_ones() {
        let error = "grandmaster".parse::<PlayerKind>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`grandmaster` is not a player: expected human, random, easy, medium, hard, \
             perfect or engine:PATH"
        );
    }
}
