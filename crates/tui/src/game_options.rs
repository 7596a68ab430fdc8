//! The options of a game, and the file that remembers them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use noughts_engine::PlayerKind;
use noughts_rules::{Player, Rules, Symbol};
use serde::{Deserialize, Serialize};

use noughts_play::{Counting, TimeControl, computer_name, duration, free_symbol, short_duration};
use noughts_store::LeagueChoice;

/// The rules, the players, and how the game is played and counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOptions {
    /// The rules.
    pub rules: Rules,
    /// In order of play.
    pub players: Vec<PlayerOptions>,
    /// The clock; `None` to play without one.
    pub clock: Option<TimeControl>,
    /// Thinking time of a computer per move.
    pub think: Duration,
    /// The league in which games count.
    pub league: String,
    /// Whether and how games count.
    pub counting: Counting,
}

/// Thinking time of a computer per move unless another is chosen.
pub const DEFAULT_THINK: Duration = Duration::from_secs(1);

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
    /// A person against the computer on the classic board.
    fn default() -> GameOptions {
        let computer: PlayerKind = DEFAULT_OPPONENT.parse().expect("a level of the computer");
        let player = |kind| PlayerOptions { kind, name: None, symbol: None };
        GameOptions {
            players: vec![player(PlayerKind::HUMAN), player(computer)],
            ..GameOptions::of(Rules::classic())
        }
    }
}

/// The opponent of who plays for the first time.
const DEFAULT_OPPONENT: &str = "medium";

impl GameOptions {
    /// People play by these rules.
    pub fn of(rules: Rules) -> GameOptions {
        GameOptions {
            rules,
            players: Vec::new(),
            clock: None,
            think: DEFAULT_THINK,
            league: LeagueChoice::default().name,
            counting: Counting::Casual,
        }
    }

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
                Some(PlayerOptions { name: Some(name), .. }) => name.clone(),
                Some(chosen) if !chosen.kind.is_human() => computer_name(&kinds, seat.index()),
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
        let defaults = GameOptions::of(rules);
        let counting = COUNTINGS.iter().find(|(_, word)| saved.counting.as_deref() == Some(word));
        let think = saved.think.and_then(|think| duration(&think).ok());
        Some(GameOptions {
            players: players.collect::<Option<_>>()?,
            clock: saved.clock.and_then(|clock| clock.parse().ok()),
            think: think.unwrap_or(defaults.think),
            league: saved.league.unwrap_or(defaults.league),
            counting: counting.map_or(defaults.counting, |(counting, _)| *counting),
            rules: defaults.rules,
        })
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
            clock: self.clock.map(|clock| clock.to_string()),
            think: Some(short_duration(self.think)),
            league: Some(self.league.clone()),
            counting: COUNTINGS
                .iter()
                .find(|(counting, _)| *counting == self.counting)
                .map(|(_, word)| word.to_string()),
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
    clock: Option<String>,
    think: Option<String>,
    league: Option<String>,
    counting: Option<String>,
}

/// How countings are saved.
const COUNTINGS: [(Counting, &str); 3] =
    [(Counting::Uncounted, "no"), (Counting::Casual, "yes"), (Counting::Rated, "rated")];

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
            clock: Some("5m+3s".parse().unwrap()),
            think: Duration::from_millis(1500),
            league: "club".into(),
            counting: Counting::Rated,
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
        let mut options = GameOptions::of(Rules::classic());
        assert_eq!(shown(&options), "Player 1 (X), Player 2 (O)");
        options.players = vec![player("human", Some("Ann"), Some("O")), player("easy", None, None)];
        assert_eq!(shown(&options), "Ann (O), Computer (easy) (X)");
        options.players[1].name = Some("Deep Nought".into());
        assert_eq!(shown(&options), "Ann (O), Deep Nought (X)");
        options.players = vec![player("human", None, Some("Z")), player("human", None, Some("Z"))];
        assert_eq!(shown(&options), "Player 1 (Z), Player 2 (O)");
    }
}
