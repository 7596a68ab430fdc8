//! What perfect play leads to, where that is published.

use crate::{Outcome, Rules, Seat};

/// The outcome of perfect play, and who found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishedValue {
    /// The outcome if nobody makes a mistake.
    pub outcome: Outcome,
    /// Authors and year.
    pub source: &'static str,
}

const FIRST: Outcome = Outcome::Win(Seat::FIRST);
const SECOND: Outcome = Outcome::Win(Seat::from_index(1));

/// By the text form of the rules.
const VALUES: [(&str, Outcome, &str); 14] = [
    ("3x3", Outcome::Draw, ENUMERATION),
    ("3x3+misere", Outcome::Draw, ENUMERATION),
    ("3x3+wild", FIRST, ENUMERATION),
    ("15x15:5", FIRST, "V. Allis, 1994"),
    ("7x7:5", Outcome::Draw, HSU),
    ("8x8:5", Outcome::Draw, HSU),
    ("6x7:4+gravity", FIRST, "J. D. Allen and V. Allis, 1988"),
    ("3x3x3", FIRST, "S. W. Golomb and A. W. Hales, 2002"),
    ("4x4x4", FIRST, "O. Patashnik, 1980"),
    ("3x3+notakto", FIRST, PLAMBECK),
    ("3x3+notakto+2b", SECOND, PLAMBECK),
    ("3x3+notakto+3b", FIRST, PLAMBECK),
    ("3x3+notakto+4b", SECOND, PLAMBECK),
    ("3x3+notakto+5b", FIRST, PLAMBECK),
];

const ENUMERATION: &str = "enumeration of all games";
const HSU: &str = "W.-Y. Hsu et al., 2020";
const PLAMBECK: &str = "T. E. Plambeck and G. Whitehead, 2013";

/// The shortest line that nobody is ever able to complete against a good defence, on any board.
const ZETTERS_LENGTH: u8 = 8;

/// The outcome of perfect play, if it is published.
///
/// ```
/// use noughts_rules::describe::published_value;
/// use noughts_rules::{Outcome, Seat};
///
/// let gomoku = published_value(&"gomoku".parse()?).unwrap();
/// assert_eq!(gomoku.outcome, Outcome::Win(Seat::FIRST));
/// assert_eq!(gomoku.source, "V. Allis, 1994");
/// assert_eq!(published_value(&"connect6".parse()?), None);
/// # Ok::<(), noughts_rules::ParseRulesError>(())
/// ```
#[must_use]
pub fn published_value(rules: &Rules) -> Option<PublishedValue> {
    let text = rules.to_string();
    if let Some(&(_, outcome, source)) = VALUES.iter().find(|(known, ..)| *known == text) {
        return Some(PublishedValue { outcome, source });
    }
    let draw = |source| Some(PublishedValue { outcome: Outcome::Draw, source });
    let (rows, cols, k) = (rules.rows(), rules.cols(), rules.k());
    // Longer rows may win or not: the defence leaves no row of k at all.
    let is_ordinary = rules.is_plain()
        && rules.players() == 2
        && !rules.misere()
        && !rules.gravity()
        && !rules.wrap();
    if is_ordinary && rows == cols && k == rows && k >= 5 {
        draw("A. W. Hales and R. I. Jewett, 1963")
    } else if is_ordinary && k >= ZETTERS_LENGTH {
        draw("T. G. L. Zetters, 1980")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solved_games_have_sources() {
        for (text, expected) in [
            ("connect4", Some((FIRST, "J. D. Allen and V. Allis, 1988"))),
            ("gomoku", Some((FIRST, "V. Allis, 1994"))),
            ("qubic", Some((FIRST, "O. Patashnik, 1980"))),
            ("notakto", Some((FIRST, "T. E. Plambeck and G. Whitehead, 2013"))),
            ("10x12:8", Some((Outcome::Draw, "T. G. L. Zetters, 1980"))),
            ("6x6", Some((Outcome::Draw, "A. W. Hales and R. I. Jewett, 1963"))),
            ("3x3", Some((Outcome::Draw, "enumeration of all games"))),
            ("10x10+wrap", None),
            ("10x10+gravity", None),
            ("10x10+3p", None),
            ("gomoku-standard", None),
            ("gomoku+swap2", None),
            ("ultimate", None),
        ] {
            let found = published_value(&text.parse().unwrap());
            assert_eq!(found.map(|value| (value.outcome, value.source)), expected, "{text}");
        }
    }

    #[test]
    fn rules_are_written_canonically() {
        for (text, ..) in VALUES {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), text);
        }
    }
}
