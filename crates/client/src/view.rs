//! Games as a server shows them, as far as the terminal needs to know.

use std::time::Duration;

use anyhow::{Context, anyhow};
use noughts_rules::{Game, Player, Rules, Seat};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct View {
    pub(crate) id: String,
    pub(crate) seq: u32,
    pub(crate) phase: Phase,
    pub(crate) rules: String,
    pub(crate) turn: Option<usize>,
    pub(crate) yours: Vec<usize>,
    pub(crate) players: Vec<Seated>,
    /// Box names, or `resign:N` for player N.
    pub(crate) moves: Vec<String>,
    pub(crate) result: Option<Ended>,
    /// Where it counts.
    pub(crate) league: Option<String>,
    pub(crate) clock: Option<Clocks>,
    pub(crate) undo: Option<Undo>,
    /// The seats that would play again.
    pub(crate) again: Vec<usize>,
    pub(crate) next: Option<String>,
    pub(crate) series: Option<Series>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    Open,
    Live,
    Over,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Seated {
    pub(crate) name: Option<String>,
    pub(crate) symbol: String,
    /// `computer` where nobody can be away.
    pub(crate) kind: Option<String>,
    pub(crate) invited: Option<String>,
    pub(crate) rating: Option<i64>,
    pub(crate) out: bool,
    pub(crate) away_since: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Ended {
    pub(crate) winner: Option<usize>,
    pub(crate) how: String,
    pub(crate) cells: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Clocks {
    /// Milliseconds of each seat when the server looked at them.
    pub(crate) left_ms: Vec<i64>,
    /// What each move adds, in milliseconds.
    #[serde(default)]
    pub(crate) increment_ms: u64,
    /// When the player to move runs out of time: only then a clock runs.
    pub(crate) deadline: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Undo {
    pub(crate) seat: usize,
    pub(crate) agreed: Vec<usize>,
}

/// How the games before a rematch ended.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Series {
    pub(crate) wins: Vec<u32>,
    pub(crate) draws: u32,
}

impl View {
    /// Whether it is the turn of whoever looks.
    pub(crate) fn is_own_turn(&self) -> bool {
        self.turn.is_some_and(|turn| self.yours.contains(&turn))
    }

    /// What whoever looks has left on their clock, if it is their turn and there are clocks.
    pub(crate) fn own_time(&self) -> Option<Duration> {
        let turn = self.turn.filter(|turn| self.yours.contains(turn))?;
        let left = *self.clock.as_ref()?.left_ms.get(turn)?;
        Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
    }

    /// Whether another player asks whoever looks to agree to something.
    pub(crate) fn is_asked(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| {
            !self.yours.contains(&undo.seat)
                && self.yours.iter().any(|seat| !undo.agreed.contains(seat))
        })
    }

    /// How a player is called, with their symbol.
    pub(crate) fn player(&self, seat: usize) -> String {
        match self.players.get(seat) {
            Some(Seated { name: Some(name), symbol, .. }) => format!("{name} ({symbol})"),
            Some(Seated { name: None, symbol, .. }) => format!("someone ({symbol})"),
            None => format!("player {}", seat + 1),
        }
    }

    /// The board and what was played on it, to be shown: what counts is what the server says.
    pub(crate) fn game(&self) -> anyhow::Result<Game> {
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
pub(crate) struct Refused {
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Refused {
    /// Whether the same request may be answered later.
    pub(super) fn is_for_the_moment(&self) -> bool {
        ["unavailable", "busy", "too_fast"].contains(&self.code.as_str())
    }
}
