//! Guests, accounts and tokens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{IdentityId, IdentityKind, Millis};

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
