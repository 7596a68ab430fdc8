//! The players of a tournament on the command line.

use anyhow::anyhow;
use noughts_arena::Entrant;
use noughts_engine::PlayerKind;
use noughts_rules::{Player, Seat, Symbol};

use crate::engines;
use crate::failure::Failure;

/// A player, and its name in reports if that is not its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contestant {
    kind: PlayerKind,
    name: Option<String>,
}

impl Contestant {
    pub(super) fn kind(&self) -> PlayerKind {
        self.kind.clone()
    }
}

/// Parses `hard` or `engine:./rapfi --config c.toml,name=rapfi`.
pub(super) fn parse(text: &str) -> Result<Contestant, String> {
    let (kind, name) = match text.rsplit_once(",name=") {
        Some((kind, name)) => {
            let player = Player::new(name, Symbol::default_for(Seat::FIRST));
            let player = player.map_err(|error| error.to_string())?;
            (kind, Some(player.name().to_string()))
        }
        None => (text, None),
    };
    Ok(Contestant { kind: engines::computer(kind)?, name })
}

/// The entrants. Each has a name of its own.
pub(super) fn entrants(contestants: Vec<Contestant>) -> Result<Vec<Entrant>, Failure> {
    let kinds = contestants.iter().map(Contestant::kind).collect();
    let by_kind = Entrant::all(kinds);
    let named = contestants.into_iter().zip(by_kind).map(|(contestant, entrant)| {
        let Some(name) = contestant.name else { return entrant };
        let kind = contestant.kind;
        Entrant::new(&name, move |seed| kind.strategy(seed).expect("no person takes part"))
    });
    let entrants: Vec<Entrant> = named.collect();
    for (i, entrant) in entrants.iter().enumerate() {
        let name = entrant.name();
        if entrants[..i].iter().any(|other| other.name() == name) {
            return Err(Failure::Malformed(anyhow!("two players are called {name}")));
        }
    }
    Ok(entrants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_have_names() {
        let engine = parse("engine:./rapfi --config c.toml,name=rapfi").unwrap();
        assert_eq!(engine.kind.to_string(), "engine:./rapfi --config c.toml");
        assert_eq!(engine.name.as_deref(), Some("rapfi"));
        assert_eq!(parse("hard").unwrap().name, None);
        assert!(parse("human").is_err());
        assert!(parse("hard,name=").is_err());
        let two = ["hard,name=a", "easy,name=a"].map(|text| parse(text).unwrap());
        assert!(entrants(two.into()).is_err());
    }
}
