//! What lists show of online games.

use std::fmt;
use std::str::FromStr;

use super::GameId;
use crate::IdentityId;

/// How far a game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits for players.
    Open,
    /// It is being played.
    Live,
    /// It is over, or was called off.
    Finished,
}

impl State {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Live => "live",
            State::Finished => "finished",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for State {
    type Err = UnknownState;

    fn from_str(text: &str) -> Result<State, UnknownState> {
        let states = [State::Open, State::Live, State::Finished];
        states.into_iter().find(|state| state.as_str() == text).ok_or(UnknownState)
    }
}

/// A text that names no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected open, live or finished")]
pub struct UnknownState;

/// What lists show of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// How far it has come.
    pub state: State,
    /// Whether everybody sees it, or only who has its link.
    pub public: bool,
    /// The rules as text.
    pub rules: String,
    /// The league in which it counts or will count.
    pub league: Option<String>,
    /// Whether it is rated.
    pub rated: bool,
    /// Who sits where.
    pub seats: Vec<Option<IdentityId>>,
    /// Whatever else is shown. The store does not look into it.
    pub detail: String,
}

impl Listing {
    /// The seats as they are stored: a JSON array.
    pub(super) fn seats_text(&self) -> String {
        let seat = |seat: &Option<IdentityId>| seat.map_or("null".into(), |id| id.to_string());
        format!("[{}]", self.seats.iter().map(seat).collect::<Vec<_>>().join(","))
    }
}

/// Reads seats as they are stored.
pub(super) fn parse_seats(text: &str) -> Option<Vec<Option<IdentityId>>> {
    let seat = |seat: &str| match seat {
        "null" => Some(None),
        number => number.parse().ok().map(|number| Some(IdentityId(number))),
    };
    match text.strip_prefix('[')?.strip_suffix(']')? {
        "" => Some(Vec::new()),
        seats => seats.split(',').map(seat).collect(),
    }
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedGame {
    /// The game.
    pub game: GameId,
    /// What is shown.
    pub listing: Listing,
    /// How many events it has.
    pub sequence: u64,
    /// When the last of them happened.
    pub at: i64,
    /// When something happens by itself.
    pub due: Option<i64>,
}

/// Which games a list has. All conditions must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameQuery {
    /// Only games in this state.
    pub state: Option<State>,
    /// Only games in which this identity sits.
    pub player: Option<IdentityId>,
    /// Only games that everybody may see.
    pub public_only: bool,
    /// Only games with these rules.
    pub rules: Option<String>,
    /// Only games with a lower key: the last one of the page before.
    pub before: Option<GameId>,
    /// The longest list.
    pub most: u32,
}

/// A game in which something happens by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueGame {
    /// The game.
    pub game: GameId,
    /// When, in milliseconds since 1970.
    pub due: i64,
}
