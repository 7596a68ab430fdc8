//! Signing in and out, sessions and bot tokens.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_api::{
    CreatedToken, Credentials, ErrorBody, Me, NewToken, Session, SessionView, TokenView,
};
use noughts_store::{Identity, IdentityKind, Origin, Token, TokenKind};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{Caller, Cookie, Person};
use super::credentials::sign_in_identity;
use super::device::device;
use super::error::ApiError;
use super::input::{JsonBody, PathParams};
use crate::accounts::{MAX_TOKENS_PER_IDENTITY, player_kind, secrets};
use crate::app::App;
use crate::clock;
use crate::limits::ClientAddress;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(sign_in, sessions, sign_out_everywhere))
        .routes(routes!(sign_out))
        .routes(routes!(end_session))
        .routes(routes!(create_token, tokens))
        .routes(routes!(revoke_token))
}

/// Begins sessions for the client of a request.
pub(super) struct SessionStarter {
    pub(super) client: ClientAddress,
    pub(super) cookie: Cookie,
    device: Option<String>,
}

impl FromRequestParts<Arc<App>> for SessionStarter {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Ok(cookie) = Cookie::from_request_parts(parts, app).await;
        Ok(SessionStarter {
            client: ClientAddress::from_request_parts(parts, app).await?,
            cookie,
            device: device(&parts.headers),
        })
    }
}

impl SessionStarter {
    /// Signs an identity in. A new account gets its recovery code with the session.
    pub(super) async fn begin(
        self,
        app: &App,
        identity: Identity,
        recovery_code: Option<String>,
    ) -> Result<Response, ApiError> {
        // Addresses of guests are not kept: they have no password to guess.
        let is_account = identity.kind == IdentityKind::Account;
        let address = is_account.then(|| self.client.to_string());
        let origin = Origin { device: self.device, address };
        let token = app.accounts.begin_session(identity.id, origin).await?;
        let cookie = self.cookie.set(&token);
        let player = Me { id: identity.id, name: identity.name, kind: player_kind(identity.kind) };
        let session = Session { token, player, recovery_code };
        Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(session)).into_response())
    }
}

/// Sign in
#[utoipa::path(post, path = "/sessions", tag = "accounts", request_body = Credentials,
    responses((status = 201, body = Session), (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn sign_in(
    State(app): State<Arc<App>>,
    starter: SessionStarter,
    JsonBody(credentials): JsonBody<Credentials>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(starter.client)?;
    let identity = sign_in_identity(&app, starter.client, credentials).await?;
    starter.begin(&app, identity, None).await
}

/// List your sessions
#[utoipa::path(get, path = "/sessions", tag = "accounts",
    responses((status = 200, body = [SessionView]), (status = 401, body = ErrorBody)))]
async fn sessions(
    State(app): State<Arc<App>>,
    Person(caller): Person,
) -> Result<Json<Vec<SessionView>>, ApiError> {
    Ok(Json(session_views(&app, &caller).await?))
}

pub(super) async fn session_views(
    app: &App,
    caller: &Caller,
) -> Result<Vec<SessionView>, ApiError> {
    let tokens = app.accounts.valid_tokens(caller.id()).await?;
    let sessions = tokens.into_iter().filter(|token| token.kind == TokenKind::Session);
    let view = |token: Token| SessionView {
        id: token.hash.to_string(),
        device: token.origin.device,
        address: token.origin.address,
        created_at: token.created_at,
        last_used_at: token.last_used_at,
        current: token.hash == caller.token.hash,
    };
    Ok(sessions.map(view).collect())
}

/// Sign out
///
/// Revokes your token and closes its connections.
#[utoipa::path(delete, path = "/sessions/current", tag = "accounts",
    responses((status = 204), (status = 401, body = ErrorBody)))]
async fn sign_out(
    State(app): State<Arc<App>>,
    cookie: Cookie,
    caller: Caller,
) -> Result<Response, ApiError> {
    app.accounts.revoke(&caller.token).await?;
    Ok(signed_out(cookie))
}

/// Sign out everywhere
///
/// Revokes all your sessions and closes their connections. Bot tokens stay.
#[utoipa::path(delete, path = "/sessions", tag = "accounts",
    responses((status = 204), (status = 401, body = ErrorBody)))]
async fn sign_out_everywhere(
    State(app): State<Arc<App>>,
    cookie: Cookie,
    Person(caller): Person,
) -> Result<Response, ApiError> {
    app.accounts.revoke_sessions(caller.id()).await?;
    Ok(signed_out(cookie))
}

/// The reply to a client whose session is over.
pub(super) fn signed_out(cookie: Cookie) -> Response {
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie.clear())]).into_response()
}

/// End a session
///
/// Signs another device out and closes its connections.
#[utoipa::path(delete, path = "/sessions/{id}", tag = "accounts",
    params(("id" = String, Path, description = "The id of the session")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn end_session(
    State(app): State<Arc<App>>,
    Person(caller): Person,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, ApiError> {
    revoke(&app, &caller, &id, Some(TokenKind::Session)).await
}

/// Create a bot token
///
/// A program that uses it plays under your name, marked as a bot. Requires an account.
#[utoipa::path(post, path = "/tokens", tag = "accounts", request_body = NewToken,
    responses((status = 201, body = CreatedToken), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn create_token(
    State(app): State<Arc<App>>,
    Person(caller): Person,
    JsonBody(NewToken { label }): JsonBody<NewToken>,
) -> Result<Response, ApiError> {
    if caller.identity.kind != IdentityKind::Account {
        return Err(ApiError::AccountNeeded);
    }
    let label = label.trim();
    if !(1..=64).contains(&label.chars().count()) || label.chars().any(char::is_control) {
        let expected = "label: expected 1 to 64 characters without control characters";
        return Err(ApiError::Invalid(expected.into()));
    }
    if app.accounts.valid_tokens(caller.id()).await?.len() >= MAX_TOKENS_PER_IDENTITY {
        return Err(ApiError::TooMany("you have too many tokens: revoke one first"));
    }
    let token = secrets::token();
    let hash = secrets::hash(&token);
    let at = clock::now();
    app.storage.store.create_token(hash, caller.id(), TokenKind::Bot, label, at).await?;
    Ok((StatusCode::CREATED, Json(CreatedToken { token, id: hash.to_string() })).into_response())
}

/// List your tokens
///
/// Those of sessions and of bots.
#[utoipa::path(get, path = "/tokens", tag = "accounts",
    responses((status = 200, body = [TokenView]), (status = 401, body = ErrorBody)))]
async fn tokens(
    State(app): State<Arc<App>>,
    Person(caller): Person,
) -> Result<Json<Vec<TokenView>>, ApiError> {
    Ok(Json(token_views(&app, &caller).await?))
}

pub(super) async fn token_views(app: &App, caller: &Caller) -> Result<Vec<TokenView>, ApiError> {
    let view = |token: Token| TokenView {
        id: token.hash.to_string(),
        kind: token.kind,
        label: token.label,
        created_at: token.created_at,
    };
    Ok(app.accounts.valid_tokens(caller.id()).await?.into_iter().map(view).collect())
}

/// Revoke a token
#[utoipa::path(delete, path = "/tokens/{id}", tag = "accounts",
    params(("id" = String, Path, description = "The id of the token")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn revoke_token(
    State(app): State<Arc<App>>,
    Person(caller): Person,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, ApiError> {
    revoke(&app, &caller, &id, None).await
}

/// Revokes one of the caller's tokens, perhaps only of one kind.
async fn revoke(
    app: &App,
    caller: &Caller,
    id: &str,
    kind: Option<TokenKind>,
) -> Result<StatusCode, ApiError> {
    let tokens = app.storage.store.tokens(caller.id()).await?;
    let is_meant =
        |token: &&Token| token.hash.to_string() == id && kind.is_none_or(|kind| token.kind == kind);
    match app.accounts.revoke(tokens.iter().find(is_meant).ok_or(ApiError::NoToken)?).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::NoToken),
    }
}
