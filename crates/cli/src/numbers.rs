//! Numbers on the command line.

use std::ops::RangeInclusive;

/// Parses a whole number. An error says what was expected.
fn between<T: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<T, String> {
    let (first, last) = (range.start(), range.end());
    let number = text.trim().parse().ok().filter(|number| range.contains(number));
    let expected = match (*first, *last) {
        (0, u64::MAX) => "expected a whole number".to_string(),
        (first, u64::MAX) => format!("expected a whole number from {first} on"),
        (first, last) => format!("expected a whole number from {first} to {last}"),
    };
    number.and_then(|number| T::try_from(number).ok()).ok_or(expected)
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<u16, String> {
    /// More threads than any machine has cores.
    const MAX_THREADS: u64 = 1024;
    between(text, 1..=MAX_THREADS)
}

/// The seed of random choices.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    between(text, 0..=u64::MAX)
}

/// A number from 1 on.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    between(text, 1..=u64::MAX)
}

/// A number of games of a tournament.
pub(crate) fn games(text: &str) -> Result<u32, String> {
    /// Keeps counts far from overflow.
    const MAX_GAMES: u64 = 1_000_000;
    between(text, 1..=MAX_GAMES)
}

/// A number of moves.
pub(crate) fn plies(text: &str) -> Result<usize, String> {
    between(text, 0..=u64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_was_expected() {
        assert_eq!(threads("4"), Ok(4));
        for text in ["abc", "0", "-1", "1025", "1.5", ""] {
            assert_eq!(threads(text), Err("expected a whole number from 1 to 1024".into()));
        }
        assert_eq!(seed("x"), Err("expected a whole number".into()));
        assert_eq!(positive("0"), Err("expected a whole number from 1 on".into()));
    }
}
