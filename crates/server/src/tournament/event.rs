//! What happens in a tournament, as it is stored.

use noughts_api::{GameId, IdentityId, Millis, TournamentOutcome, TournamentSettings};
use serde::{Deserialize, Serialize};

/// Something that happened in a tournament. Logs are read for ever, so the names are stable. Players are
/// identities: their names are looked up when they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TournamentEvent {
    /// The tournament was created.
    Created(Box<TournamentSetup>),
    /// A player joined, or came back.
    Joined {
        /// The player.
        player: IdentityId,
        /// Whether a bot plays for the player.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
    },
    /// A player is not paired any more.
    Withdrawn {
        /// The player.
        player: IdentityId,
        /// Why.
        reason: WithdrawalReason,
    },
    /// The tournament started.
    Started,
    /// Games were paired: a round, or those who were free in an arena.
    Paired {
        /// The games.
        games: Vec<PairedGame>,
        /// Players who count as winners of this round without a game.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        byes: Vec<IdentityId>,
    },
    /// A game ended.
    GameEnded {
        /// The game.
        game: GameId,
        /// How.
        outcome: TournamentOutcome,
    },
    /// The tournament is over.
    Finished,
    /// The tournament did not take place.
    Cancelled,
}

/// What a tournament was created with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentSetup {
    /// The version of the events in this log.
    pub v: u8,
    /// What its creator chose.
    pub settings: TournamentSettings,
    /// Who created it.
    pub creator: IdentityId,
    /// The pause before a round, and between pairings of an arena, in milliseconds.
    pub break_ms: Millis,
    /// How long each player has for the first move of a game, in milliseconds.
    pub first_move_ms: Millis,
    /// How long it may wait to be started, in milliseconds.
    pub waiting_ms: Millis,
    /// How long a player may be away before the opponent can claim the game, in milliseconds.
    pub away_ms: Millis,
    /// How long a game may be idle, in milliseconds.
    pub idle_ms: Millis,
}

/// Why a player is not paired any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithdrawalReason {
    /// The player left.
    Left,
    /// The player did not come to a game.
    NoShow,
}

/// A game that was paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedGame {
    /// The game. It is created after the pairing is stored.
    pub game: GameId,
    /// The player who moves first.
    pub first: IdentityId,
    /// The player who moves second.
    pub second: IdentityId,
}
