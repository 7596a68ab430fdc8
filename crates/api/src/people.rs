//! Other players: who is there, whom you follow, and what waits for your answer.

use noughts_rules::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{GameView, IdentityKind, Millis};

/// Another player, as you see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PersonView {
    /// The name.
    pub name: String,
    /// What kind of player: `bot` for an account that only its bot is connected to.
    pub kind: IdentityKind,
    /// Whether they are connected.
    pub online: bool,
    /// Whether you follow them.
    pub following: bool,
}

/// Players who are there, or whose names begin with a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerList {
    /// How many players are connected.
    pub online: usize,
    /// Those you follow first, then by name; without yourself, and without those you have blocked or
    /// who have blocked you.
    pub players: Vec<PersonView>,
}

/// What you have chosen about another player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// You follow them.
    Following,
    /// You have blocked them: they can't challenge you or send you emotes, and you are not paired.
    Blocked,
}

/// What waits for your answer, or for that of others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Inbox {
    /// Challenges to you: the command `join` accepts, `abort` declines.
    pub received: Vec<Challenge>,
    /// Your own challenges: the command `abort` withdraws.
    pub sent: Vec<Challenge>,
    /// Finished games whose players offer you a rematch: the command `rematch` accepts.
    pub rematches: Vec<GameView>,
    /// Games that wait for your move, or for your answer to an undo request.
    pub turns: Vec<GameView>,
}

/// A game that a player is invited to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Challenge {
    /// Who challenges.
    pub from: String,
    /// Who is challenged.
    pub to: String,
    /// When it expires, in milliseconds since 1970.
    pub expires_at: Millis,
    /// The game.
    pub game: Box<GameView>,
}

/// What players say to each other during a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Emote {
    /// "Hello!"
    Hello,
    /// "Good luck!"
    GoodLuck,
    /// "Nice move!"
    NiceMove,
    /// "Thanks!"
    Thanks,
    /// "Oops!"
    Oops,
    /// "Let me think."
    Thinking,
    /// "Good game!"
    GoodGame,
    /// "One more?"
    OneMore,
}

impl Emote {
    /// All emotes.
    pub const ALL: [Emote; 8] = [
        Emote::Hello,
        Emote::GoodLuck,
        Emote::NiceMove,
        Emote::Thanks,
        Emote::Oops,
        Emote::Thinking,
        Emote::GoodGame,
        Emote::OneMore,
    ];

    /// The emote as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Emote::Hello => "hello",
            Emote::GoodLuck => "good_luck",
            Emote::NiceMove => "nice_move",
            Emote::Thanks => "thanks",
            Emote::Oops => "oops",
            Emote::Thinking => "thinking",
            Emote::GoodGame => "good_game",
            Emote::OneMore => "one_more",
        }
    }

    /// The emote in English words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Emote::Hello => "Hello!",
            Emote::GoodLuck => "Good luck!",
            Emote::NiceMove => "Nice move!",
            Emote::Thanks => "Thanks!",
            Emote::Oops => "Oops!",
            Emote::Thinking => "Let me think.",
            Emote::GoodGame => "Good game!",
            Emote::OneMore => "One more?",
        }
    }
}

/// An emote to send to everyone at a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EmoteRequest {
    /// The emote.
    pub emote: Emote,
    /// The seat that says it, if you hold several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u8>, maximum = 7)]
    pub seat: Option<Seat>,
}

/// How a player has done, in the newest of their finished games.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct PlayerStatistics {
    /// How many games are counted: at most the newest 1,000. Of other players, only public games.
    pub games: u32,
    /// By kind of game, the most played first.
    pub kinds: Vec<KindRecord>,
    /// By opponent in games of two, the most met first; at most 20.
    pub opponents: Vec<OpponentRecord>,
}

/// How a player has done in a kind of game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KindRecord {
    /// The kind: a preset such as `gomoku`, or `other`.
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
}

/// How a player has done against another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpponentRecord {
    /// The opponent.
    pub name: String,
    /// What kind of player.
    pub kind: IdentityKind,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emotes_are_called_as_in_json() {
        for emote in Emote::ALL {
            assert_eq!(serde_json::to_value(emote).unwrap(), emote.as_str());
        }
    }
}
