//! The options of a game, and the file that remembers them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use noughts_engine::PlayerKind;
use noughts_rules::{Player, Rules, Symbol};
use serde::{Deserialize, Serialize};

use noughts_play::{computer_name, free_symbol};

/// The rules and the players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOptions {
    /// The rules.
    pub rules: Rules,
    /// In order of play.
    pub players: Vec<PlayerOptions>,
}

/// The options of one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerOptions {
    /// A person or a computer.
    pub kind: PlayerKind,
    /// A person's name; `None` for the default.
    pub name: Option<String>,
    /// `None` for the default symbol.
    pub symbol: Option<Symbol>,
}

impl Default for GameOptions {
    /// Two people on the classic board.
    fn default() -> GameOptions {
        GameOptions { rules: Rules::classic(), players: Vec::new() }
    }
}

impl GameOptions {
    /// Who plays at this place in the order of play.
    pub fn kind(&self, person: usize) -> PlayerKind {
        self.players.get(person).map_or(PlayerKind::HUMAN, |player| player.kind.clone())
    }

    /// The players with names and symbols; each symbol is used once.
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
                // The first of two with the same symbol keeps it.
                !people.iter().any(|player| player.symbol() == *symbol)
            });
            let symbol = own.cloned().unwrap_or_else(|| free_symbol(&self.rules, seat, &taken));
            people.push(Player::new(&name, symbol).unwrap_or(default));
        }
        people
    }

    /// Loads the saved options; `None` if there are none or they are unreadable.
    pub fn load(path: &Path) -> Option<GameOptions> {
        /// Options are never longer.
        const MAX_BYTES: u64 = 1 << 16;
        let mut text = String::new();
        File::open(path).ok()?.take(MAX_BYTES).read_to_string(&mut text).ok()?;
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

    /// Saves the options.
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
        // Written to a temporary file and renamed, so that readers see the old or the new version.
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
    fn saved_options_load_back() {
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
    fn unreadable_options_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        for text in ["", "{", "[]", r#"{"rules":"99x99","players":[]}"#, "\u{0}"] {
            fs::write(&path, text).unwrap();
            assert_eq!(GameOptions::load(&path), None, "{text}");
        }
        assert_eq!(GameOptions::load(folder.path()), None);
    }

    #[test]
    fn names_and_symbols_are_filled_in() {
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
