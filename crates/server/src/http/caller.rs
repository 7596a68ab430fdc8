//! Authentication: a token in a cookie or in the header `Authorization`.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use noughts_api::{IdentityKind, Participant};
use noughts_store::{Identity, IdentityId, Token, TokenKind};

use super::error::ApiError;
use super::input::Https;
use crate::accounts::{player_kind, secrets};
use crate::app::App;

const COOKIE_NAME: &str = "noughts";

/// Browsers keep a cookie for at most 400 days.
const COOKIE_MAX_AGE_SECONDS: u32 = 400 * 24 * 3600;

/// The authenticated sender of a request.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) identity: Identity,
    pub(crate) token: Token,
}

/// The sender of a request, authenticated or not.
#[derive(Debug, Clone)]
pub(crate) struct AnyCaller(pub(crate) Option<Caller>);

impl Caller {
    pub(crate) fn id(&self) -> IdentityId {
        self.identity.id
    }

    pub(crate) fn kind(&self) -> IdentityKind {
        match self.token.kind {
            TokenKind::Bot => IdentityKind::Bot,
            TokenKind::Session => player_kind(self.identity.kind),
        }
    }

    /// The caller as a player of a game.
    pub(crate) fn participant(&self) -> Participant {
        Participant { identity: self.id(), name: self.identity.name.clone(), kind: self.kind() }
    }
}

/// A person, not a bot: only people manage their accounts.
pub(crate) struct Person(pub(crate) Caller);

impl FromRequestParts<Arc<App>> for Person {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        if caller.token.kind == TokenKind::Bot {
            Err(ApiError::NotForBots)
        } else {
            Ok(Person(caller))
        }
    }
}

impl AnyCaller {
    pub(crate) fn id(&self) -> Option<IdentityId> {
        self.0.as_ref().map(Caller::id)
    }
}

impl FromRequestParts<Arc<App>> for AnyCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Some(token) = token(&parts.headers)? else { return Ok(AnyCaller(None)) };
        let found = app.accounts.authenticate(secrets::hash(token)).await?;
        // A wrong token is an error, unlike none: its sender expects to be known.
        let (identity, token) = found.ok_or(ApiError::BadToken)?;
        Ok(AnyCaller(Some(Caller { identity, token })))
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let AnyCaller(caller) = AnyCaller::from_request_parts(parts, app).await?;
        caller.ok_or(ApiError::SignInNeeded)
    }
}

/// The token of a request. The header takes precedence over the cookie.
fn token(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let text = value.to_str().ok().and_then(|text| text.split_once(' '));
        return match text {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
                Ok(Some(token.trim()))
            }
            _ => Err(ApiError::BadToken),
        };
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(name, _)| name.trim() == COOKIE_NAME).map(|(_, token)| token.trim());
    Ok(found.filter(|token| !token.is_empty()))
}

/// Writes the cookie of a session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cookie {
    /// Whether browsers may send it over HTTPS only.
    secure: bool,
}

impl FromRequestParts<Arc<App>> for Cookie {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let https = parts.extensions.get().is_some_and(|Https(https)| *https);
        Ok(Cookie { secure: app.config.secure_cookies.unwrap_or(https) })
    }
}

impl Cookie {
    /// The header that stores a token in a browser.
    pub(crate) fn set(self, token: &str) -> HeaderValue {
        self.header(token, COOKIE_MAX_AGE_SECONDS)
    }

    /// The header that removes the token from a browser.
    pub(crate) fn clear(self) -> HeaderValue {
        self.header("", 0)
    }

    fn header(self, token: &str, max_age_seconds: u32) -> HeaderValue {
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!(
            "{COOKIE_NAME}={token}; Path=/; Max-Age={max_age_seconds}; HttpOnly; SameSite=Lax{secure}"
        );
        HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
    }
}
