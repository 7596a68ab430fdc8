//! Guests, accounts and tokens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    GameId, GameSummary, IdentityId, IdentityKind, LeagueStanding, Millis, TournamentSummary,
};

/// Who you are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The number of your identity.
    pub id: IdentityId,
    /// Your name.
    pub name: String,
    /// What kind of player you are.
    pub kind: IdentityKind,
}

/// A new session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Session {
    /// The token, for `Authorization: Bearer`. Browsers get it in a cookie.
    pub token: String,
    /// Who you are.
    pub player: Me,
    /// The recovery code of a new account, shown only once: it sets a new password if the old one is
    /// lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_code: Option<String>,
}

/// One of your sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    /// The id by which it can be ended.
    pub id: String,
    /// The device, such as `Firefox on Linux`, if it said.
    pub device: Option<String>,
    /// The address it began from: an IPv4 address, or the first half of an IPv6 address.
    pub address: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub created_at: Millis,
    /// When it was used last, to within an hour.
    pub last_used_at: Millis,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// A new name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameChange {
    /// 1 to 32 characters.
    #[schema(min_length = 1)]
    pub name: String,
}

/// A name and its password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// 1 to 32 characters.
    #[schema(min_length = 1)]
    pub name: String,
    /// 8 to 256 characters.
    #[schema(min_length = 8, max_length = 256)]
    pub password: String,
}

/// A change of password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    /// The current password.
    pub current: String,
    /// The new password, 8 to 256 characters.
    #[schema(min_length = 8, max_length = 256)]
    pub new: String,
}

/// Your password, to confirm what can't be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// The current password. Guests have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 256)]
    pub password: Option<String>,
}

/// A recovery code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCode {
    /// The code, shown only once.
    pub code: String,
}

/// A new password for an account whose password is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The account's name.
    #[schema(min_length = 1)]
    pub name: String,
    /// Its recovery code.
    pub code: String,
    /// The new password, 8 to 256 characters.
    #[schema(min_length = 8, max_length = 256)]
    pub password: String,
}

/// Everything that the server keeps about you.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AccountExport {
    /// Who you are.
    pub player: Me,
    /// When you were first seen, in milliseconds since 1970.
    pub created_at: Millis,
    /// Your sessions.
    pub sessions: Vec<SessionView>,
    /// Your bot tokens.
    pub bot_tokens: Vec<TokenView>,
    /// The players you follow.
    #[serde(default)]
    pub following: Vec<String>,
    /// The players you have blocked.
    #[serde(default)]
    pub blocked: Vec<String>,
    /// Your ratings.
    pub ratings: Vec<LeagueStanding>,
    /// Your rated results, oldest first.
    pub results: Vec<ExportedResult>,
    /// Your games, newest first. `GET /games/{id}/export` has their moves.
    pub games: Vec<GameSummary>,
    /// The tournaments that you joined or created.
    #[serde(default)]
    pub tournaments: Vec<TournamentSummary>,
}

/// One of your rated results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExportedResult {
    /// The league.
    pub league: String,
    /// The game.
    pub game: GameId,
    /// When the game ended, in milliseconds since 1970.
    pub at: Millis,
    /// Your seat, from 0.
    pub seat: u8,
    /// The winner's seat; null for a draw.
    pub winner: Option<u8>,
    /// How much the result counts for you, in percent.
    #[schema(maximum = 100)]
    pub weight: u8,
    /// Whether the result was retracted, so that it does not count.
    pub retracted: bool,
}

/// A token to create for a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// A label of your choice: 1 to 64 characters.
    #[schema(min_length = 1, max_length = 64)]
    pub label: String,
}

/// A token that was just created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedToken {
    /// The token, shown only once.
    pub token: String,
    /// The id by which it can be revoked.
    pub id: String,
}

/// One of your tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenView {
    /// The id by which it can be revoked.
    pub id: String,
    /// What it is for.
    pub kind: TokenKind,
    /// Its label.
    pub label: String,
    /// When it was created, in milliseconds since 1970.
    pub created_at: Millis,
}

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A browser or a terminal, until it signs out.
    Session,
    /// A bot, until the token is revoked.
    Bot,
}

impl TokenKind {
    /// All kinds.
    pub const ALL: [TokenKind; 2] = [TokenKind::Session, TokenKind::Bot];

    /// The kind as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TokenKind::Session => "session",
            TokenKind::Bot => "bot",
        }
    }
}
