//! Names and symbols of players who chose none.

use noughts_engine::PlayerKind;
use noughts_rules::{Player, Rules, Seat, Symbol};

/// The name of a computer among players of these kinds, which is also its name in the league.
/// Computers with the same name are numbered.
pub fn computer_name(kinds: &[PlayerKind], person: usize) -> String {
    // An engine's path can be too long for a name, or contain characters that names can't have.
    let is_valid = |name: &String| Player::new(name, Symbol::default_for(Seat::FIRST)).is_ok();
    let unnumbered = |kind: &PlayerKind| {
        Some(format!("Computer ({kind})")).filter(is_valid).unwrap_or("Computer".into())
    };
    let name = unnumbered(&kinds[person]);
    let same = |kind: &&PlayerKind| !kind.is_human() && unnumbered(kind) == name;
    match kinds[..person].iter().filter(same).count() + 1 {
        1 => name,
        number => {
            let numbered = Some(format!("{name} {number}")).filter(is_valid);
            numbered.unwrap_or(format!("Computer {number}"))
        }
    }
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
        let long = format!("engine:/{}", "x".repeat(300));
        assert_eq!(names(&format!("{long},{long}")), ["Computer", "Computer 2"]);
    }
}
