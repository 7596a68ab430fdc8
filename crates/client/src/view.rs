//! Games as a server shows them, as far as the terminal needs to know.

use std::time::Duration;

use anyhow::{Context, anyhow};
use noughts_rules::{Game, Player, Rules, Seat};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct View {
    pub id: String,
    pub seq: u32,
    pub phase: Phase,
    pub rules: String,
    pub turn: Option<usize>,
    pub yours: Vec<usize>,
    pub players: Vec<Seated>,
    /// Box names, or `resign:N` for player N.
    pub moves: Vec<String>,
    pub result: Option<Ended>,
    /// Where it counts.
    pub league: Option<String>,
    pub clock: Option<Clocks>,
    pub undo: Option<Undo>,
    /// The seats that would play again.
    pub again: Vec<usize>,
    pub next: Option<String>,
    pub series: Option<Series>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Open,
    Live,
    Over,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Seated {
    pub name: Option<String>,
    pub symbol: String,
    /// `computer` where nobody can be away.
    pub kind: Option<String>,
    pub invited: Option<String>,
    pub rating: Option<i64>,
    pub out: bool,
    pub away_since: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Ended {
    pub winner: Option<usize>,
    pub how: String,
    pub cells: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Clocks {
    /// Milliseconds of each seat when the server looked at them.
    pub left_ms: Vec<i64>,
    /// What each move adds, in milliseconds.
    #[serde(default)]
    pub increment_ms: u64,
    /// When the player to move runs out of time: only then a clock runs.
    pub deadline: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Undo {
    pub seat: usize,
    pub agreed: Vec<usize>,
}

/// How the games before a rematch ended.
#[derive(Debug, Clone, Deserialize)]
pub struct Series {
    pub wins: Vec<u32>,
    pub draws: u32,
}

impl View {
    /// Whether it is the turn of whoever looks.
    pub fn is_own_turn(&self) -> bool {
        self.turn.is_some_and(|turn| self.yours.contains(&turn))
    }

    /// What whoever looks has left on their clock, if it is their turn and there are clocks.
    pub fn own_time(&self) -> Option<Duration> {
        let turn = self.turn.filter(|turn| self.yours.contains(turn))?;
        let left = *self.clock.as_ref()?.left_ms.get(turn)?;
        Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
    }

    /// Whether another player asks whoever looks to agree to something.
    pub fn is_asked(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| {
            !self.yours.contains(&undo.seat)
                && self.yours.iter().any(|seat| !undo.agreed.contains(seat))
        })
    }

    /// How a player is called, with their symbol.
    pub fn player(&self, seat: usize) -> String {
        match self.players.get(seat) {
            Some(Seated { name: Some(name), symbol, .. }) => format!("{name} ({symbol})"),
            Some(Seated { name: None, symbol, .. }) => format!("someone ({symbol})"),
            None => format!("player {}", seat + 1),
        }
    }

    /// The board and what was played on it, to be shown: what counts is what the server says.
    pub fn game(&self) -> anyhow::Result<Game> {
        let rules: Rules = self.rules.parse()?;
        let player = |seated: &Seated| {
            let name = seated.name.as_ref().or(seated.invited.as_ref());
            let name = name.map_or("(free seat)", String::as_str);
            anyhow::Ok(Player::new(name, seated.symbol.parse()?)?)
        };
        let players = self.players.iter().map(player).collect::<anyhow::Result<Vec<_>>>()?;
        let mut game = Game::new(&rules, players)?;
        for action in &self.moves {
            match action.strip_prefix("resign:") {
                Some(number) => {
                    let number: u8 = number.parse()?;
                    let seat = number.checked_sub(1).and_then(Seat::new);
                    game.resign(seat.with_context(|| format!("no player {number}"))?)?;
                }
                None => {
                    let turn = game.turn().ok_or_else(|| anyhow!("{action} after the end"))?;
                    game.play(turn, action.parse()?)?;
                }
            }
        }
        Ok(game)
    }
}

/// A refusal of a server.
#[derive(Debug, Clone, Deserialize)]
pub struct Refused {
    pub code: String,
    pub message: String,
}

impl Refused {
    /// Whether the same request may be answered later.
    pub fn is_for_the_moment(&self) -> bool {
        ["unavailable", "busy", "too_fast"].contains(&self.code.as_str())
    }
}
