//! Who can be asked to play, by name.

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
use crate::gomocup::External;

/// What makes a computer player with a seed.
type Make = fn(u64) -> Box<dyn Strategy>;

/// The computer players from weakest to strongest. Another kind is one more line, and its file.
const COMPUTERS: [(&str, Make); 5] = [
    ("random", |seed| Box::new(Random::new(seed))),
    ("easy", |seed| Box::new(Easy::new(seed))),
    ("medium", |seed| Box::new(Medium::new(seed))),
    ("hard", |seed| Box::new(Hard::new(seed))),
    ("perfect", |seed| Box::new(Perfect::new(seed))),
];

const HUMAN: &str = "human";

/// What stands before the path of a program that speaks the Gomocup protocol.
const ENGINE: &str = "engine:";

/// A kind of player, as chosen by a short text.
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
    /// By its place in the list.
    Computer(usize),
    /// Someone else's program.
    Engine(PathBuf),
}

/// Why a text is not a kind of player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a player: expected {HUMAN}, {computers} or {ENGINE}PATH",
    computers = COMPUTERS.map(|(name, _)| name).join(", "))]
pub struct PlayerKindError {
    text: String,
}

/// The most characters of a refused text that its error repeats.
const EXCERPT: usize = 40;

impl PlayerKind {
    /// A person: whoever runs the game asks them.
    pub const HUMAN: PlayerKind = PlayerKind(Kind::Human);

    /// Every computer player that needs nothing but a seed, from weakest to strongest.
    pub fn computers() -> impl Iterator<Item = PlayerKind> {
        (0..COMPUTERS.len()).map(|place| PlayerKind(Kind::Computer(place)))
    }

    /// Whether it is a person who plays.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.0 == Kind::Human
    }

    /// A player of this kind; `None` for a person. With the same seed and budgets of nodes it
    /// plays the same moves, unless it is an external engine.
    #[must_use]
    pub fn strategy(&self, seed: u64) -> Option<Box<dyn Strategy>> {
        match &self.0 {
            Kind::Human => None,
            Kind::Computer(place) => Some(COMPUTERS[*place].1(seed)),
            Kind::Engine(path) => Some(Box::new(External::new(path))),
        }
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Human => f.write_str(HUMAN),
            Kind::Computer(place) => f.write_str(COMPUTERS[*place].0),
            Kind::Engine(path) => write!(f, "{ENGINE}{}", path.display()),
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
        if let Some(path) = word.strip_prefix(ENGINE).filter(|path| !path.is_empty()) {
            return Ok(PlayerKind(Kind::Engine(path.into())));
        }
        let place = COMPUTERS.iter().position(|(name, _)| *name == word);
        place
            .map(|place| PlayerKind(Kind::Computer(place)))
            .ok_or_else(|| PlayerKindError { text: word.chars().take(EXCERPT).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back() {
        let engine = "engine:some/where/pbrain-x".parse().unwrap();
        for kind in PlayerKind::computers().chain([PlayerKind::HUMAN, engine]) {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
    }

    #[test]
    fn what_is_no_player_is_named_with_what_there_is() {
        let error = "grandmaster".parse::<PlayerKind>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`grandmaster` is not a player: expected human, random, easy, medium, hard, \
             perfect or engine:PATH"
        );
    }
}
