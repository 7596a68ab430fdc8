//! The computer players and their names.

mod attention;
mod perfect;
mod random;
mod registry;
mod skill;
mod skilled;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::LazyLock;

pub use perfect::Perfect;
pub use random::Random;
pub use registry::{NamedPlayer, Players, RegisterError};
pub use skilled::Skilled;

use crate::gomocup::ExternalEngine;
use crate::{Mcts, PositionAlphaBeta, Strategy};

/// The number of levels among the built-in players, which come first.
const LEVELS: usize = 5;

static BUILT_IN: LazyLock<Players> = LazyLock::new(|| {
    Players::new()
        .with("random", |seed| Box::new(Random::new(seed)))
        .with("easy", |seed| Box::new(Skilled::easy(seed)))
        .with("medium", |seed| Box::new(Skilled::medium(seed)))
        .with("hard", |seed| Box::new(Skilled::hard(seed)))
        .with("perfect", |seed| Box::new(Perfect::new(seed)))
        .with("mcts", |seed| Box::new(Mcts::new(seed)))
        .with("alpha-beta", |_| Box::new(PositionAlphaBeta))
});

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
/// # Ok::<(), noughts_engine::ParsePlayerKindError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlayerKind(Kind);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Kind {
    Human,
    Computer(NamedPlayer),
    /// The path of an external engine.
    Engine(PathBuf),
}

/// The text names no kind of player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a player: expected {HUMAN}, {computers} or {ENGINE_PREFIX}PATH")]
pub struct ParsePlayerKindError {
    text: String,
    /// The names of the computer players.
    computers: String,
}

/// The error quotes at most this many characters.
const MAX_QUOTED_CHARS: usize = 40;

impl PlayerKind {
    /// A person, whom the program has to ask.
    pub const HUMAN: PlayerKind = PlayerKind(Kind::Human);

    /// The levels of the computer, from weakest to strongest.
    pub fn computers() -> impl Iterator<Item = PlayerKind> {
        BUILT_IN.iter().take(LEVELS).cloned().map(PlayerKind::from)
    }

    /// Whether a person plays.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.0 == Kind::Human
    }

    /// The path of an external engine, or its command.
    #[must_use]
    pub fn engine(&self) -> Option<&Path> {
        match &self.0 {
            Kind::Engine(path) => Some(path),
            Kind::Human | Kind::Computer(_) => None,
        }
    }

    /// A player of this kind; `None` for a person. The same seed and node limits give the same
    /// moves, except from external engines.
    #[must_use]
    pub fn strategy(&self, seed: u64) -> Option<Box<dyn Strategy>> {
        match &self.0 {
            Kind::Human => None,
            Kind::Computer(player) => Some(player.strategy(seed)),
            Kind::Engine(path) => Some(Box::new(ExternalEngine::new(path))),
        }
    }

    fn parse(text: &str, players: &Players) -> Result<PlayerKind, ParsePlayerKindError> {
        let word = text.trim();
        if word == HUMAN {
            return Ok(PlayerKind::HUMAN);
        }
        if let Some(path) = word.strip_prefix(ENGINE_PREFIX).filter(|path| !path.is_empty()) {
            return Ok(PlayerKind(Kind::Engine(path.into())));
        }
        players.get(word).cloned().map(PlayerKind::from).ok_or_else(|| {
            let names: Vec<&str> = players.iter().map(NamedPlayer::name).collect();
            ParsePlayerKindError {
                text: word.chars().take(MAX_QUOTED_CHARS).collect(),
                computers: names.join(", "),
            }
        })
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Human => f.write_str(HUMAN),
            Kind::Computer(player) => player.fmt(f),
            Kind::Engine(path) => write!(f, "{ENGINE_PREFIX}{}", path.display()),
        }
    }
}

impl From<NamedPlayer> for PlayerKind {
    fn from(player: NamedPlayer) -> PlayerKind {
        PlayerKind(Kind::Computer(player))
    }
}

/// Knows the built-in players; [`Players::parse`] knows those of a program too.
impl FromStr for PlayerKind {
    type Err = ParsePlayerKindError;

    fn from_str(text: &str) -> Result<PlayerKind, ParsePlayerKindError> {
        PlayerKind::parse(text, &BUILT_IN)
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
             perfect, mcts, alpha-beta or engine:PATH"
        );
    }
}
