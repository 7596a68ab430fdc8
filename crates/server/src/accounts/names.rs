//! Names of players: which are valid, and which look alike.

use caseless::Caseless;
use noughts_api::Level;
use noughts_rules::{Player, Seat, Symbol};
use noughts_store::UniqueName;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use super::secrets::random;

/// Prefixes of the names that the server gives.
const RESERVED_PREFIXES: [&str; 2] = ["Computer", "Guest"];

/// Checks a name that a person has chosen.
pub(crate) fn validate(text: &str) -> Result<UniqueName, String> {
    let player = Player::new(text, Symbol::default_for(Seat::FIRST));
    let name = player.map_err(|error| error.to_string())?.name().to_string();
    // They have a meaning of their own in URL paths.
    if name == "." || name == ".." {
        return Err("a name can't consist of dots".into());
    }
    let unique = unique(name);
    if unique.skeleton.is_empty() {
        return Err("a name needs a visible character".into());
    }
    let is_reserved =
        |look: &str| RESERVED_PREFIXES.iter().any(|name| look.starts_with(&case_skeleton(name)));
    if is_reserved(&unique.skeleton) || is_reserved(&unique.as_written) {
        return Err("names that look like Computer or Guest are reserved".into());
    }
    Ok(unique)
}

/// A random name for a guest.
pub(crate) fn guest() -> UniqueName {
    unique(format!("Guest {}", hex::encode(random::<4>())))
}

pub(crate) fn computer(level: Level) -> UniqueName {
    unique(format!("Computer ({level})"))
}

/// The skeleton that all names share which look alike in any case, by the confusables of Unicode TS 39.
pub(crate) fn case_skeleton(name: &str) -> String {
    let folded = |text: &str| text.nfd().default_case_fold().nfc().collect::<String>();
    let lower = folded(&skeleton(&folded(name)).collect::<String>());
    // A capital I looks like a small l, which case folding hides; spaces are hard to count; and
    // PostgreSQL refuses NUL even in a query.
    let is_seen = |c: &char| !c.is_whitespace() && *c != '\0';
    lower.chars().filter(is_seen).map(|c| if c == 'i' { 'l' } else { c }).collect()
}

/// The skeleton of a name as written: some letters look like others only as capitals. Letters that
/// look Latin are compared in any case.
fn written_skeleton(name: &str) -> String {
    let fold = |c: char| {
        if c.is_ascii() { case_skeleton(c.encode_utf8(&mut [0; 4])) } else { c.into() }
    };
    skeleton(name).map(fold).collect::<String>().nfc().collect()
}

fn unique(name: String) -> UniqueName {
    UniqueName { skeleton: case_skeleton(&name), as_written: written_skeleton(&name), name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_share_a_skeleton() {
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
            assert_eq!(case_skeleton(a), case_skeleton(b), "{a} and {b}");
        }
        for (a, b) in [("Ann", "Anna"), ("Bob", "Rob"), ("Zoe", "Zoë")] {
            assert_ne!(case_skeleton(a), case_skeleton(b), "{a} and {b}");
        }
    }

    /// Their small letters do not look the same.
    #[test]
    fn look_alike_capitals_share_a_skeleton() {
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
            assert_ne!(case_skeleton(a), case_skeleton(b), "{a} and {b}");
            let [a, b] = [a, b].map(|name| validate(name).unwrap().as_written);
            assert_eq!(a, b);
        }
    }

    #[test]
    fn reserved_and_invisible_names_refused() {
        assert_eq!(validate(" Jane ").unwrap().name, "Jane");
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
            assert!(validate(text).is_ok(), "{text}");
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
            assert!(validate(text).is_err(), "{text}");
        }
    }
}
