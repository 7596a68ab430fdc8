//! Names of players: which are allowed, and which look the same.

use caseless::Caseless;
use noughts_rules::{Player, Seat, Symbol};
use noughts_store::UniqueName;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::secret::{hex, random};

/// How names begin that the server gives.
const RESERVED: [&str; 2] = ["Computer", "Guest"];

/// The name that a text is, or why it is none.
pub(crate) fn chosen(text: &str) -> Result<UniqueName, String> {
    let player = Player::new(text, Symbol::default_for(Seat::FIRST));
    let name = player.map_err(|error| error.to_string())?.name().to_string();
    // They stand in addresses, where these mean something else.
    if name == "." || name == ".." {
        return Err("a name needs more than dots".into());
    }
    let unique = unique(name);
    if unique.skeleton.is_empty() {
        return Err("expected a name that can be seen".into());
    }
    let as_written = looks(&skeleton(&unique.name).collect::<String>());
    let is_reserved = |look: &str| RESERVED.iter().any(|name| look.starts_with(&looks(name)));
    if is_reserved(&unique.skeleton) || is_reserved(&as_written) {
        return Err("names that begin like Computer or Guest are the server's own".into());
    }
    // Some capitals of other scripts look Latin, and their small letters, by which names are compared,
    // do not.
    let is_latin = |c: char| c.is_ascii() || !c.is_alphabetic();
    if as_written != unique.skeleton && as_written.chars().all(is_latin) {
        return Err("expected a name that does not pass for one in other letters".into());
    }
    Ok(unique)
}

/// A name for someone who has not chosen one.
pub(crate) fn of_guest() -> UniqueName {
    unique(format!("Guest {}", hex(&random::<4>())))
}

/// The name of a computer player.
pub(crate) fn of_computer(level: &str) -> UniqueName {
    unique(format!("Computer ({level})"))
}

/// What all names have in common that look like this one.
pub(crate) fn looks(name: &str) -> String {
    let folded = |text: &str| text.nfd().default_case_fold().nfc().collect::<String>();
    let lower = folded(&skeleton(&folded(name)).collect::<String>());
    // A capital I looks like a small l, but is not written any more when case is folded; and
    // spaces are hard to count.
    lower.chars().filter(|c| !c.is_whitespace()).map(|c| if c == 'i' { 'l' } else { c }).collect()
}

fn unique(name: String) -> UniqueName {
    let skeleton = looks(&name);
    UniqueName { name, skeleton }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same_are_the_same() {
        for (a, b) in [
            ("Ann", "ANN"),
            ("paypal", "раураl"),
            ("Ian", "lan"),
            ("Ian", "1an"),
            ("Bob", "B0b"),
            ("modern", "rnodern"),
            ("Zoë", "zoe\u{308}"),
            ("Ann Lee", "AnnLee"),
            ("Straße", "STRASSE"),
            ("Ann", "A\u{200b}n\u{ad}n\u{3164}"),
        ] {
            assert_eq!(looks(a), looks(b), "{a} and {b}");
        }
        for (a, b) in [("Ann", "Anna"), ("Bob", "Rob"), ("Zoe", "Zoë")] {
            assert_ne!(looks(a), looks(b), "{a} and {b}");
        }
    }

    #[test]
    fn some_names_are_not_for_people() {
        assert_eq!(chosen(" Jane ").unwrap().name, "Jane");
        for text in
            ["Modern", "IAN", "M1", "Zoë", "Вова", "Нина", "Ηλίας", "Анна Ш", "STRAẞE", "李"]
        {
            assert!(chosen(text).is_ok(), "{text}");
        }
        for text in [
            "",
            ".",
            "..",
            "a\u{202e}b",
            "x\u{1b}[1m",
            "Computer (hard)",
            "СOMPUTER",
            "guest 12",
            "Gue st",
            "\u{200b}",
            "\u{3164} \u{2800}",
            "\u{ad}Guest",
            // Cyrillic or Greek capitals.
            "\u{412}ob",
            "\u{392}OB",
            "\u{41d}anna",
            "\u{397}anna 2",
            "CO\u{41c}PUTER (hard)",
            "COMPU\u{422}ER \u{2603}",
            "GUES\u{422} 1",
        ] {
            assert!(chosen(text).is_err(), "{text}");
        }
    }
}
