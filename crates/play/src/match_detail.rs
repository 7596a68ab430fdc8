//! What the continuation of a stored game needs besides its moves.

use std::time::Duration;

use noughts_engine::PlayerKind;
use noughts_rules::Game;
use noughts_store::{LeagueChoice, RecordId, UnfinishedGame};
use serde::{Deserialize, Serialize};

use crate::clock::TimeControl;
use crate::recorder::Counting;

/// Who plays a game, how it counts, and its clocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchDetail {
    /// Who plays each seat.
    pub kinds: Vec<PlayerKind>,
    /// The league in which it counts.
    pub league: String,
    /// Whether and how it counts.
    pub counting: Counting,
    /// The time control, and the times left by seat.
    pub clock: Option<(TimeControl, Vec<Duration>)>,
    /// Thinking time of computers.
    pub think: Option<Duration>,
}

/// The form in which details are stored.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Stored {
    players: Vec<String>,
    league: String,
    counting: String,
    clock: Option<String>,
    left_ms: Vec<u64>,
    think_ms: Option<u64>,
}

const COUNTINGS: [(Counting, &str); 3] =
    [(Counting::Uncounted, "uncounted"), (Counting::Casual, "casual"), (Counting::Rated, "rated")];

impl MatchDetail {
    /// People play, and the game counts in the default league.
    #[must_use]
    pub fn of_people(seats: usize) -> MatchDetail {
        MatchDetail {
            kinds: vec![PlayerKind::HUMAN; seats],
            league: LeagueChoice::default().name,
            counting: Counting::Casual,
            clock: None,
            think: None,
        }
    }

    pub(crate) fn to_text(&self) -> String {
        let counting = COUNTINGS.iter().find(|(counting, _)| *counting == self.counting);
        let left = self.clock.iter().flat_map(|(_, left)| left);
        let stored = Stored {
            players: self.kinds.iter().map(PlayerKind::to_string).collect(),
            league: self.league.clone(),
            counting: counting.map_or("", |(_, word)| word).to_string(),
            clock: self.clock.as_ref().map(|(control, _)| control.to_string()),
            left_ms: left.map(|left| left.as_millis() as u64).collect(),
            think_ms: self.think.map(|think| think.as_millis() as u64),
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Reads a stored detail. What is missing or unreadable gets a default.
    fn read(text: &str, seats: usize) -> MatchDetail {
        let stored: Stored = serde_json::from_str(text).unwrap_or_default();
        let defaults = MatchDetail::of_people(seats);
        let counting = COUNTINGS.iter().find(|(_, word)| *word == stored.counting);
        let left = stored.left_ms.into_iter().map(Duration::from_millis).collect();
        let kinds = stored.players.iter().map(|kind| kind.parse().unwrap_or(PlayerKind::HUMAN));
        let mut kinds: Vec<PlayerKind> = kinds.collect();
        kinds.resize(seats, PlayerKind::HUMAN);
        MatchDetail {
            kinds,
            league: if stored.league.is_empty() { defaults.league } else { stored.league },
            counting: counting.map_or(defaults.counting, |(counting, _)| *counting),
            clock: stored.clock.and_then(|control| Some((control.parse().ok()?, left))),
            think: stored.think_ms.map(Duration::from_millis),
        }
    }
}

/// A stored game to go on with.
#[derive(Debug, Clone)]
pub struct Continuation {
    /// Its record.
    pub id: RecordId,
    /// The game as it was left.
    pub game: Game,
    /// Who plays, how it counts, and the clocks.
    pub detail: MatchDetail,
}

impl From<UnfinishedGame> for Continuation {
    fn from(unfinished: UnfinishedGame) -> Continuation {
        let game = unfinished.stored.game;
        let detail = MatchDetail::read(&unfinished.detail, game.players().len());
        Continuation { id: unfinished.stored.id, game, detail }
    }
}

impl Continuation {
    /// The game in a few words: `3x3 against hard, move 5`.
    #[must_use]
    pub fn summary(&self) -> String {
        let others: Vec<String> = match self.detail.kinds.iter().any(PlayerKind::is_human) {
            true => {
                let computers = self.detail.kinds.iter().filter(|kind| !kind.is_human());
                computers.map(PlayerKind::to_string).collect()
            }
            false => Vec::new(),
        };
        let players = match others.is_empty() {
            false => format!("against {}", others.join(", ")),
            true => {
                let names: Vec<&str> = self.game.players().iter().map(|p| p.name()).collect();
                names.join(" - ")
            }
        };
        let number = self.game.history().len() + 1;
        format!("{} {players}, move {number}", self.game.rules())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_read_back() {
        let seconds = |seconds: &[u64]| seconds.iter().map(|&s| Duration::from_secs(s)).collect();
        let detail = MatchDetail {
            kinds: vec![PlayerKind::HUMAN, "hard".parse().unwrap()],
            league: "club".into(),
            counting: Counting::Rated,
            clock: Some(("5m+3s".parse().unwrap(), seconds(&[299, 7]))),
            think: Some(Duration::from_millis(1500)),
        };
        assert_eq!(MatchDetail::read(&detail.to_text(), 2), detail);
    }

    #[test]
    fn unreadable_details_have_defaults() {
        for text in ["", "{", r#"{"players":["nobody"],"counting":"?","clock":"soon"}"#] {
            assert_eq!(MatchDetail::read(text, 3), MatchDetail::of_people(3), "{text}");
        }
    }

    #[test]
    fn summaries_name_the_opponent() {
        let mut game = Game::with_default_players(&"3x3".parse().unwrap());
        game.play_turn(game.rules().parse_move("B2").unwrap()).unwrap();
        let detail = MatchDetail::of_people(2);
        let mut going_on = Continuation { id: RecordId(1), game, detail };
        assert_eq!(going_on.summary(), "3x3 Player 1 - Player 2, move 2");
        going_on.detail.kinds[1] = "hard".parse().unwrap();
        assert_eq!(going_on.summary(), "3x3 against hard, move 2");
    }
}
