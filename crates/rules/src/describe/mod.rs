//! Games in words: a title, a kind, a sentence for choosers, how to play, and what perfect play leads
//! to.
//!
//! ```
//! use noughts_rules::{Rules, describe};
//!
//! let rules: Rules = "connect4".parse()?;
//! assert_eq!(describe::title(&rules), "Connect Four");
//! assert_eq!(describe::summary(&rules), "Pieces fall; four in a row wins.");
//! assert_eq!(describe::title(&"5x7:4+gravity".parse()?), "5x7, 4 in a row, gravity");
//! # Ok::<(), noughts_rules::ParseRulesError>(())
//! ```

mod how_to_play;
mod kind;
mod published;
mod summary;
mod title;

pub use how_to_play::how_to_play;
pub use kind::{OTHER_KIND, kind, kind_title, kinds};
pub use published::{PublishedValue, published_value};
pub use summary::summary;
pub use title::title;

/// A small number as a word, as in "three in a row".
fn number_word(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(n).map_or_else(|| n.to_string(), |word| (*word).into())
}

/// The text with a capital at the beginning.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
