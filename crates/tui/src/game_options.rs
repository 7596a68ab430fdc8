//! What someone chose to play, and remembering it for the next time.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use noughts_engine::PlayerKind;
use noughts_rules::{Player, Rules, Symbol};
use serde::{Deserialize, Serialize};

use noughts_play::{computer_name, free_symbol};

/// Rules and who plays by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOptions {
    pub rules: Rules,
    /// In the order of play.
    pub players: Vec<PlayerOptions>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerOptions {
    pub kind: PlayerKind,
    /// A person's name; the usual one where there is none.
    pub name: Option<String>,
    /// The usual one where there is none.
    pub symbol: Option<Symbol>,
}

impl Default for GameOptions {
    /// Two people and the classic board.
    fn default() -> GameOptions {
        GameOptions { rules: Rules::classic(), players: Vec::new() }
    }
}

impl GameOptions {
    pub fn kind(&self, person: usize) -> PlayerKind {
        self.players.get(person).map_or(PlayerKind::HUMAN, |player| player.kind.clone())
    }

    /// The players with a name and a symbol each.
    pub fn people(&self) -> Vec<Player> {
        let mut people: Vec<Player> = Vec::new();
        let kinds: Vec<PlayerKind> =
            (0..self.rules.players()).map(|person| self.kind(person)).collect();
        let wanted = |person: usize| self.players.get(person)?.symbol.as_ref();
        for seat in self.rules.seats() {
            let default = Player::default_for(seat);
            let chosen = self.players.get(seat.index());
            let name = match chosen {
                Some(chosen) if !chosen.kind.is_human() => computer_name(&kinds, seat.index()),
                Some(PlayerOptions { name: Some(name), .. }) => name.clone(),
                _ => default.name().to_string(),
            };
            let later = (seat.index() + 1..self.rules.players()).filter_map(wanted).cloned();
            let mut taken: Vec<Symbol> = later.collect();
            taken.extend(people.iter().map(|player| player.symbol().clone()));
            let own = wanted(seat.index()).filter(|symbol| {
                // Of two who want the same the first gets it.
                !people.iter().any(|player| player.symbol() == *symbol)
            });
            let symbol = own.cloned().unwrap_or_else(|| free_symbol(&self.rules, seat, &taken));
            people.push(Player::new(&name, symbol).unwrap_or(default));
        }
        people
    }

    /// What was chosen the last time; `None` where nothing was, or where it can't be read.
    pub fn load(path: &Path) -> Option<GameOptions> {
        /// No choice takes more bytes.
        const LONGEST: u64 = 1 << 16;
        let mut text = String::new();
        File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
        let saved: Saved = serde_json::from_str(&text).ok()?;
        let rules: Rules = saved.rules.parse().ok()?;
        let player = |saved: SavedPlayer| {
            Some(PlayerOptions {
                kind: saved.kind.parse().ok()?,
                name: saved.name,
                symbol: saved.symbol.and_then(|symbol| symbol.parse().ok()),
            })
        };
        let players = saved.players.into_iter().take(rules.players()).map(player);
        Some(GameOptions { players: players.collect::<Option<_>>()?, rules })
    }

    /// Remembers it for the next time.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let saved = Saved {
            rules: self.rules.to_string(),
            players: self
                .players
                .iter()
                .map(|player| SavedPlayer {
                    kind: player.kind.to_string(),
                    name: player.name.clone(),
                    symbol: player.symbol.as_ref().map(Symbol::to_string),
                })
                .collect(),
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Beside it first, so that whoever reads at the same time sees the old one or this one.
        let beside = path.with_extension("tmp");
        fs::write(&beside, serde_json::to_string(&saved)?)?;
        fs::rename(&beside, path)
    }
}

#[derive(Serialize, Deserialize)]
struct Saved {
    rules: String,
    players: Vec<SavedPlayer>,
}

#[derive(Serialize, Deserialize)]
struct SavedPlayer {
    kind: String,
    name: Option<String>,
    symbol: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(kind: &str, name: Option<&str>, symbol: Option<&str>) -> PlayerOptions {
        PlayerOptions {
            kind: kind.parse().unwrap(),
            name: name.map(str::to_string),
            symbol: symbol.map(|symbol| symbol.parse().unwrap()),
        }
    }

    #[test]
    fn what_is_remembered_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("noughts.choice.json");
        assert_eq!(GameOptions::load(&path), None);
        let options = GameOptions {
            rules: "connect4".parse().unwrap(),
            players: vec![player("human", Some("Ann"), Some("❎")), player("hard", None, None)],
        };
        options.save(&path).unwrap();
        assert_eq!(GameOptions::load(&path), Some(options));
    }

    #[test]
    fn rubbish_is_as_good_as_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        for text in ["", "{", "[]", r#"{"rules":"99x99","players":[]}"#, "\u{0}"] {
            fs::write(&path, text).unwrap();
            assert_eq!(GameOptions::load(&path), None, "{text}");
        }
        assert_eq!(GameOptions::load(folder.path()), None);
    }

    #[test]
    fn everybody_has_a_name_and_a_symbol_of_their_own() {
        let shown = |options: &GameOptions| {
            options.people().iter().map(Player::to_string).collect::<Vec<_>>().join(", ")
        };
        let mut options = GameOptions::default();
        assert_eq!(shown(&options), "Player 1 (X), Player 2 (O)");
        options.players =
            vec![player("human", Some("Ann"), Some("O")), player("easy", Some("Bob"), None)];
        assert_eq!(shown(&options), "Ann (O), Computer (easy) (X)");
        options.players = vec![player("human", None, Some("Z")), player("human", None, Some("Z"))];
        assert_eq!(shown(&options), "Player 1 (Z), Player 2 (O)");
    }
}
