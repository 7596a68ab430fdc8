//! Players: a name and a symbol.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::is_unprintable;
use crate::{Rules, Seat, Symbol};

const MAX_NAME_GRAPHEMES: usize = 32;
const MAX_NAME_BYTES: usize = 1024;

/// A person or a program in a game: a name and a symbol.
///
/// ```
/// use noughts_rules::Player;
///
/// let jane = Player::new("Jane", "🛑".parse()?)?;
/// assert_eq!(jane.to_string(), "Jane (🛑)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::serde::RawPlayer"))]
pub struct Player {
    name: Box<str>,
    symbol: Symbol,
}

/// Why a text is not a valid player name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The text is empty or white space.
    #[error("expected a name of 1 to {MAX_NAME_GRAPHEMES} characters, got none")]
    Empty,
    /// More than 32 graphemes, or more than 1024 bytes.
    #[error("expected a name of at most {MAX_NAME_GRAPHEMES} characters")]
    TooLong,
    /// The text contains a character that [`is_unprintable`].
    #[error("expected a name without control characters")]
    Unprintable,
}

/// Why these players can't play together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayersError {
    /// The rules are for another number of players.
    #[error("expected {expected} players, got {got}")]
    Count {
        /// The number of players in the rules.
        expected: usize,
        /// The number of players given.
        got: usize,
    },
    /// Two players chose the same symbol.
    #[error("players {first} and {second} have the same symbol: each needs a different one")]
    SameSymbol {
        /// The earlier of the two.
        first: Seat,
        /// The later of the two.
        second: Seat,
    },
}

impl Player {
    /// A player with this name and symbol. The name is trimmed and stored in Unicode NFC.
    pub fn new(name: &str, symbol: Symbol) -> Result<Player, NameError> {
        Ok(Player { name: normalise_name(name)?, symbol })
    }

    /// `Player 1` with the symbol X, `Player 2` with O, and so on.
    #[must_use]
    pub fn default_for(seat: Seat) -> Player {
        Player { name: format!("Player {seat}").into(), symbol: Symbol::default_for(seat) }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The symbol.
    #[must_use]
    pub fn symbol(&self) -> &Symbol {
        &self.symbol
    }
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name, self.symbol)
    }
}

/// Whether these players, in seat order, can play by these rules.
pub(crate) fn check_players(rules: &Rules, players: &[Player]) -> Result<(), PlayersError> {
    let (expected, got) = (rules.players(), players.len());
    if expected != got {
        return Err(PlayersError::Count { expected, got });
    }
    for (second, player) in rules.seats().zip(players) {
        for (first, earlier) in rules.seats().zip(&players[..second.index()]) {
            if earlier.symbol == player.symbol {
                return Err(PlayersError::SameSymbol { first, second });
            }
        }
    }
    Ok(())
}

fn normalise_name(text: &str) -> Result<Box<str>, NameError> {
    let text = text.trim();
    if text.len() > MAX_NAME_BYTES {
        return Err(NameError::TooLong);
    }
    if text.chars().any(is_unprintable) {
        return Err(NameError::Unprintable);
    }
    let name: String = text.nfc().collect();
    match name.graphemes(true).count() {
        0 => Err(NameError::Empty),
        n if n > MAX_NAME_GRAPHEMES => Err(NameError::TooLong),
        _ => Ok(name.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, NameError>) {
        let got = Player::new(text, Symbol::default_for(Seat::FIRST));
        assert_eq!(got.as_ref().map(Player::name), expected.as_ref().copied(), "{text:?}");
    }

    #[test]
    fn names_are_trimmed_normalised_and_checked() {
        check("Jane", Ok("Jane"));
        check("  Jane Doe ", Ok("Jane Doe"));
        check("Zoe\u{308}", Ok("Zoë"));
        check(&"👩‍🚀".repeat(32), Ok(&"👩‍🚀".repeat(32)));
        check("", Err(NameError::Empty));
        check(" \t", Err(NameError::Empty));
        check(&"a".repeat(33), Err(NameError::TooLong));
        check(&format!("a{}", "\u{301}".repeat(2000)), Err(NameError::TooLong));
        check("a\u{1b}[31m", Err(NameError::Unprintable));
        check("a\u{202e}b", Err(NameError::Unprintable));
        check("a\nb", Err(NameError::Unprintable));
    }

    #[test]
    fn players_need_different_symbols() {
        let player = |symbol: &str| Player::new("A", symbol.parse().unwrap()).unwrap();
        let rules = Rules::classic();
        assert_eq!(check_players(&rules, &[player("a"), player("b")]), Ok(()));
        assert_eq!(
            check_players(&rules, &[player("é"), player("e\u{301}")]),
            Err(PlayersError::SameSymbol {
                first: Seat::from_index(0),
                second: Seat::from_index(1)
            })
        );
        assert_eq!(
            check_players(&rules, &[player("a")]),
            Err(PlayersError::Count { expected: 2, got: 1 })
        );
    }
}
