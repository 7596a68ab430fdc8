//! Names of players: which are allowed, and which look the same.

use caseless::Caseless;
use noughts_rules::{Player, Seat, Symbol};
use noughts_store::UniqueName;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::accounts::secrets::{hex, random};

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
    let is_reserved = |look: &str| RESERVED.iter().any(|name| look.starts_with(&looks(name)));
    if is_reserved(&unique.skeleton) || is_reserved(&unique.as_written) {
        return Err("names that begin like Computer or Guest are the server's own".into());
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
    // A capital I looks like a small l, but is not written any more when case is folded; and spaces
    // are hard to count. Nobody is called NUL, which PostgreSQL does not even take as a question.
    let is_seen = |c: &char| !c.is_whitespace() && *c != '\0';
    lower.chars().filter(is_seen).map(|c| if c == 'i' { 'l' } else { c }).collect()
}

/// The same for a name as it is written: some letters look like others only as capitals. Those that look
/// Latin are compared in whatever case.
fn looks_as_written(name: &str) -> String {
    let look = |c: char| if c.is_ascii() { looks(c.encode_utf8(&mut [0; 4])) } else { c.into() };
    skeleton(name).map(look).collect::<String>().nfc().collect()
}

fn unique(name: String) -> UniqueName {
    UniqueName { skeleton: looks(&name), as_written: looks_as_written(&name), name }
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

    /// Their small letters do not look the same.
    #[test]
    fn names_whose_capitals_look_the_same_are_the_same() {
        for (a, b) in [
            // Cyrillic and Greek.
            ("\u{413}ОА", "\u{393}ΟΑ"),
            // The first letter, Latin and Cyrillic or Greek.
            ("Bоб Ш", "\u{412}об Ш"),
            ("Bob", "\u{412}ob"),
            ("Bob", "\u{392}OB"),
            ("Hanna", "\u{41d}anna"),
            ("HOPA", "\u{41d}ора"),
        ] {
            assert_ne!(looks(a), looks(b), "{a} and {b}");
            let [a, b] = [a, b].map(|name| chosen(name).unwrap().as_written);
            assert_eq!(a, b);
        }
    }

    #[test]
    fn some_names_are_not_for_people() {
        assert_eq!(chosen(" Jane ").unwrap().name, "Jane");
        for text in [
            "Modern",
            "IAN",
            "M1",
            "Zoë",
            "Вова",
            "Нина",
            "Ηλίας",
            "Анна Ш",
            "Гога",
            "STRAẞE",
            "李",
        ] {
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
            // Cyrillic capitals.
            "CO\u{41c}PUTER (hard)",
            "COMPU\u{422}ER \u{2603}",
            "GUES\u{422} 1",
        ] {
            assert!(chosen(text).is_err(), "{text}");
        }
    }
}
