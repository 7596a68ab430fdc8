//! What lists show of online games.

use noughts_api::GamePhase;

use super::GameId;
use crate::IdentityId;

/// What lists show of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The phase of the game.
    pub phase: GamePhase,
    /// Whether lists show the game to everyone. Others need its link.
    pub public: bool,
    /// The rules as text.
    pub rules: String,
    /// The league in which the game counts.
    pub league: Option<String>,
    /// Whether the game is rated.
    pub rated: bool,
    /// The identities in seat order.
    pub seats: Vec<Option<IdentityId>>,
    /// Whether the game ended without a result. It is removed some time later.
    pub aborted: bool,
    /// Further data of the server, opaque to the store.
    pub detail: String,
}

impl Listing {
    /// The seats as stored: a JSON array.
    pub(super) fn seats_json(&self) -> String {
        serde_json::json!(self.seats).to_string()
    }
}

/// Parses seats as stored.
pub(super) fn parse_seats(json: &str) -> Option<Vec<Option<IdentityId>>> {
    serde_json::from_str(json).ok()
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedGame {
    /// The game.
    pub game: GameId,
    /// What lists show of it.
    pub listing: Listing,
    /// The number of its events.
    pub sequence: u64,
    /// The time of the last event, in milliseconds since 1970.
    pub at: i64,
    /// When the server has to act unless another event comes first.
    pub due: Option<i64>,
}

/// The conditions of a list. All of them must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameQuery {
    /// Only games in this phase.
    pub phase: Option<GamePhase>,
    /// Only games in which this identity has a seat.
    pub player: Option<IdentityId>,
    /// Only public games.
    pub public_only: bool,
    /// Only games with these rules.
    pub rules: Option<String>,
    /// Only games with a lower id, such as the last one of the page before.
    pub before: Option<GameId>,
    /// The page size.
    pub limit: u32,
}

/// A game in which the server has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueGame {
    /// The game.
    pub game: GameId,
    /// When, in milliseconds since 1970.
    pub due: i64,
}
