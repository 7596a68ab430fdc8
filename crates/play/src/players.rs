//! Names and symbols of players who chose none.

use noughts_engine::PlayerKind;
use noughts_rules::{Player, Rules, Seat, Symbol};

/// How the names of computers begin. People can't have such names.
const COMPUTER: &str = "Computer";

/// Whether a name is one that [`computer_name`] gives, in any case.
pub fn is_computer_name(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let Some(rest) = name.strip_prefix(&COMPUTER.to_lowercase()) else { return false };
    rest.is_empty() || rest.starts_with(" (") || rest.trim_start().parse::<u32>().is_ok()
}

/// The name of a computer among players of these kinds, which is also its name in the league.
/// Computers with the same name are numbered.
pub fn computer_name(kinds: &[PlayerKind], person: usize) -> String {
    let kind = &kinds[person];
    let earlier = kinds[..person].iter().filter(|other| *other == kind).count();
    let number = if earlier == 0 { String::new() } else { format!(" {}", earlier + 1) };
    format!("{COMPUTER} ({}){number}", short_kind(kind))
}

/// FNV-1a, which is the same in every version of the program.
const FNV_OFFSET: u32 = 0x811c_9dc5;
const FNV_PRIME: u32 = 0x0100_0193;

/// A kind in so few characters that names with it are valid. What is shortened ends with a hash, so
/// that two engines keep two names.
fn short_kind(kind: &PlayerKind) -> String {
    /// Leaves room for the rest of a name with a number.
    const MAX_CHARS: usize = 18;
    let text = kind.to_string();
    let is_valid = |text: &str| {
        let name = format!("{COMPUTER} ({text}) 8");
        text.chars().count() <= MAX_CHARS
            && Player::new(&name, Symbol::default_for(Seat::FIRST)).is_ok()
    };
    if is_valid(&text) {
        return text;
    }
    let program = text.split_whitespace().next().unwrap_or_default();
    let program = program.rsplit(['/', '\\', ':']).next().unwrap_or_default();
    let letters = program.chars().filter(|c| c.is_alphanumeric() || "-_.".contains(*c));
    let hash = text
        .bytes()
        .fold(FNV_OFFSET, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(FNV_PRIME));
    let hash = (hash >> 16) ^ (hash & 0xffff);
    let short = format!("{} {hash:04x}", letters.take(MAX_CHARS - 5).collect::<String>());
    if is_valid(&short) { short } else { format!("{hash:04x}") }
}

/// The seat's default symbol, or another default if that one is taken.
pub fn free_symbol(rules: &Rules, seat: Seat, taken: &[Symbol]) -> Symbol {
    let own = Symbol::default_for(seat);
    if !taken.contains(&own) {
        return own;
    }
    let mut others = rules.seats().map(Symbol::default_for);
    others.find(|symbol| !taken.contains(symbol)).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_computer_names_are_numbered() {
        let names = |kinds: &str| {
            let kinds: Vec<PlayerKind> = kinds.split(',').map(|k| k.parse().unwrap()).collect();
            (0..kinds.len()).map(|person| computer_name(&kinds, person)).collect::<Vec<_>>()
        };
        assert_eq!(
            names("easy,hard,easy,easy"),
            ["Computer (easy)", "Computer (hard)", "Computer (easy) 2", "Computer (easy) 3"]
        );
        let long = |name: &str| format!("engine:/{}/{name}", "x".repeat(300));
        let two = names(&format!("{},{},{0}", long("rapfi"), long("pbrain-embryo")));
        assert!(two[0].starts_with("Computer (rapfi "), "{two:?}");
        assert!(two[1].starts_with("Computer (pbrain-embryo "), "{two:?}");
        assert_eq!(two[2], format!("{} 2", two[0]));
        let same_file = names("engine:/a/long/way/to/engine,engine:/another/way/to/engine");
        assert_ne!(same_file[0], same_file[1]);
        for name in two.iter().chain(&same_file) {
            assert!(is_computer_name(name) && Player::new(name, "X".parse().unwrap()).is_ok());
        }
    }

    #[test]
    fn people_have_other_names() {
        for name in ["Computer (hard)", "computer (Hard) 2", " Computer", "COMPUTER 3"] {
            assert!(is_computer_name(name), "{name}");
        }
        for name in ["Ann", "Computerfan", "My Computer (hard)", "Computer Ann"] {
            assert!(!is_computer_name(name), "{name}");
        }
    }
}
