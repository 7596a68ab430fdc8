//! Names of players: which are valid, and which look alike.

use std::collections::HashSet;
use std::sync::LazyLock;

use caseless::Caseless;
use noughts_api::{IdentityId, Level};
use noughts_rules::{Player, Seat, Symbol};
use noughts_store::UniqueName;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

use super::secrets::random;

/// Prefixes of the names that the server gives.
const RESERVED_PREFIXES: [&str; 3] = ["Computer", "Guest", DELETED];

/// The name of deleted players, before their number.
const DELETED: &str = "Deleted player";

/// Names that seem to speak for the server. Digits and punctuation around them change nothing.
const RESERVED_NAMES: [&str; 26] = [
    "admin",
    "administration",
    "administrator",
    "anonymous",
    "anyone",
    "bot",
    "deleted",
    "help",
    "me",
    "mod",
    "moderation",
    "moderator",
    "nobody",
    "noughts",
    "null",
    "official",
    "operator",
    "owner",
    "player",
    "root",
    "security",
    "server",
    "staff",
    "support",
    "system",
    "team",
];

/// What guests are called. The page shows the animal beside the name.
const ADJECTIVES: [&str; 32] = [
    "Amber", "Bold", "Brisk", "Bright", "Calm", "Clever", "Coral", "Cosy", "Curly", "Dapper",
    "Eager", "Fern", "Gentle", "Golden", "Happy", "Hazel", "Jolly", "Keen", "Kind", "Lively",
    "Lucky", "Merry", "Misty", "Noble", "Plucky", "Quick", "Quiet", "Rusty", "Sunny", "Swift",
    "Velvet", "Witty",
];

const ANIMALS: [&str; 32] = [
    "Fox", "Otter", "Owl", "Whale", "Frog", "Bear", "Crab", "Hedgehog", "Panda", "Bee", "Koala",
    "Tiger", "Penguin", "Turtle", "Octopus", "Snail", "Rabbit", "Duck", "Swan", "Parrot",
    "Dolphin", "Squirrel", "Sloth", "Badger", "Beetle", "Lizard", "Llama", "Flamingo", "Mouse",
    "Lion", "Seal", "Camel",
];

/// Accents and other marks in a row. Burmese words have four.
const MAX_MARKS: usize = 4;

/// Checks a name that a person has chosen.
pub(crate) fn validate(text: &str) -> Result<UniqueName, String> {
    let player = Player::new(text, Symbol::default_for(Seat::FIRST));
    let name = player.map_err(|error| error.to_string())?.name().to_string();
    // They have a meaning of their own in URL paths.
    if name == "." || name == ".." {
        return Err("a name can't consist of dots".into());
    }
    check_marks(&name)?;
    let unique = unique(name);
    if unique.case_skeleton.is_empty() {
        return Err("a name needs a visible character".into());
    }
    let has_prefix =
        |look: &str| RESERVED_PREFIXES.iter().any(|name| look.starts_with(&case_skeleton(name)));
    if has_prefix(&unique.case_skeleton) || has_prefix(&unique.written_skeleton) {
        return Err("names that look like Computer, Guest or Deleted player are reserved".into());
    }
    if is_reserved(&unique) {
        return Err("this name is reserved: it seems to speak for the server".into());
    }
    Ok(unique)
}

/// Refuses letters that are buried in marks, and marks without a letter.
fn check_marks(name: &str) -> Result<(), String> {
    let mut in_a_row = 0;
    for (place, c) in name.nfd().enumerate() {
        in_a_row = if is_combining_mark(c) { in_a_row + 1 } else { 0 };
        if place == 0 && in_a_row > 0 {
            return Err("a name can't begin with an accent".into());
        }
        if in_a_row > MAX_MARKS {
            return Err(format!("a letter can have at most {MAX_MARKS} accents"));
        }
    }
    Ok(())
}

fn is_reserved(name: &UniqueName) -> bool {
    static RESERVED: LazyLock<HashSet<String>> =
        LazyLock::new(|| RESERVED_NAMES.iter().map(|name| case_skeleton(name)).collect());
    // A digit may stand for a letter, as in "adm1n", or follow the name, as in "admin1".
    let word = name.name.trim_matches(|c: char| !c.is_alphabetic());
    let looks = [&*name.case_skeleton, &*name.written_skeleton];
    let words = [case_skeleton(word), written_skeleton(word)];
    let is_symbol = |c: char| !c.is_alphanumeric();
    let mut all = looks.into_iter().chain(words.iter().map(String::as_str));
    all.any(|look| RESERVED.contains(&look.replace(is_symbol, "")))
}

/// A random name for a guest, such as `Amber Fox`. Later attempts have a number, which grows longer.
pub(crate) fn guest(attempt: u32) -> UniqueName {
    let pick = |words: &[&'static str; 32], byte: u8| words[usize::from(byte) % words.len()];
    let [adjective, animal] = random::<2>();
    let name = format!("{} {}", pick(&ADJECTIVES, adjective), pick(&ANIMALS, animal));
    let numbers = 100_u32.pow(attempt.min(4));
    unique(match attempt {
        0 => name,
        _ => format!("{name} {}", 2 + u32::from_le_bytes(random()) % numbers),
    })
}

/// The name of a deleted player.
pub(crate) fn deleted(id: IdentityId) -> UniqueName {
    unique(format!("{DELETED} {id}"))
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
    UniqueName {
        case_skeleton: case_skeleton(&name),
        written_skeleton: written_skeleton(&name),
        name,
    }
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

    #[test]
    fn guests_are_called_like_animals() {
        let names: HashSet<String> = (0..200).map(|_| guest(0).name).collect();
        assert!(names.len() > 100, "{names:?}");
        for attempt in 0..4 {
            let name = guest(attempt).name;
            let mut words = name.split(' ');
            assert!(ADJECTIVES.contains(&words.next().unwrap()), "{name}");
            assert!(ANIMALS.contains(&words.next().unwrap()), "{name}");
            assert_eq!(words.next().is_some(), attempt > 0, "{name}");
            validate(&name).unwrap();
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
            let [a, b] = [a, b].map(|name| validate(name).unwrap().written_skeleton);
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

    #[test]
    fn names_of_authority_are_reserved() {
        for text in [
            "admin",
            "ADMIN",
            "Adm1n",
            "admin42",
            "_Moderator_",
            "аdministrator", // Cyrillic а
            "S-u-p-p-o-r-t",
            "N0ughts",
            "sys tem",
            "R\u{200b}oot",
            "Deleted player 7",
        ] {
            assert!(validate(text).is_err(), "{text}");
        }
        for text in ["Modern", "Admiral", "Staffan", "Botticelli", "Helpmann", "Meg", "Root 2 go"] {
            assert!(validate(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn marks_on_a_letter_are_bounded() {
        for text in ["Zoë", "Việt", "z\u{302}\u{323}", "မြွေ", "हिन्दी", "שָׁלוֹם", "ผู้ใหญ่"]
        {
            assert!(validate(text).is_ok(), "{text}");
        }
        let zalgo = format!("Z{}", "\u{301}".repeat(31));
        assert_eq!(validate(&zalgo).unwrap_err(), "a letter can have at most 4 accents");
        assert!(validate("\u{301}a").is_err());
    }
}
