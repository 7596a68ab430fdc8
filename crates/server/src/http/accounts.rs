//! Guests, accounts, sessions and bot tokens.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_api::{
    CreatedToken, Credentials, ErrorBody, Me, NewToken, Participant, PasswordChange, Session,
    TokenView,
};
use noughts_store::{Identity, IdentityKind, StoreError, TokenHash, TokenKind};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller, Person, clear_cookie, set_cookie};
use super::error::ApiError;
use super::input::{JsonBody, PathParams};
use crate::accounts::{
    ChangeError, MAX_TOKENS_PER_IDENTITY, SESSION_LABEL, names, passwords, player_kind, secrets,
};
use crate::app::App;
use crate::clock;
use crate::limits::ClientAddress;

/// Longer names and passwords are wrong without a look at the store. In bytes.
const MAX_CREDENTIAL_LENGTH: usize = 1024;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(create_guest))
        .routes(routes!(create_account))
        .routes(routes!(sign_in, sign_out_everywhere))
        .routes(routes!(sign_out))
        .routes(routes!(me))
        .routes(routes!(change_password))
        .routes(routes!(create_token, tokens))
        .routes(routes!(revoke_token))
}

/// Create a guest
///
/// Anyone can play at once. Keep the token: it is the only proof of who you are.
#[utoipa::path(post, path = "/guests", tag = "accounts",
    responses((status = 201, body = Session), (status = 429, body = ErrorBody)))]
async fn create_guest(
    State(app): State<Arc<App>>,
    client: ClientAddress,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    let at = clock::now();
    // Random names rarely collide.
    for _ in 0..3 {
        let name = names::guest();
        match app.storage.store.create_identity(IdentityKind::Guest, &name, None, at).await {
            Err(StoreError::NameTaken { .. }) => {}
            identity => return begin_session(&app, identity?, None).await,
        }
    }
    Err(ApiError::Busy)
}

/// Create an account
///
/// A name with a password keeps your rating. A guest keeps its games.
#[utoipa::path(post, path = "/names", tag = "accounts", request_body = Credentials,
    responses((status = 201, body = Session), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn create_account(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    AnyCaller(caller): AnyCaller,
    JsonBody(credentials): JsonBody<Credentials>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    let name = names::validate(&credentials.name).map_err(ApiError::BadName)?;
    check_password(&credentials.password)?;
    if caller.as_ref().is_some_and(|caller| caller.identity.kind != IdentityKind::Guest) {
        return Err(ApiError::AlreadyNamed);
    }
    let hash = hash_password(&app, credentials.password).await?;
    let created = match &caller {
        Some(guest) => app.accounts.upgrade_guest(guest.id(), name, hash).await,
        None => {
            let (kind, at) = (IdentityKind::Account, clock::now());
            let created = app.storage.store.create_identity(kind, &name, Some(&hash), at).await;
            created.map_err(ChangeError::Store)
        }
    };
    match created {
        Err(ChangeError::Store(StoreError::NameTaken { .. })) => Err(ApiError::NameTaken),
        Err(ChangeError::Store(StoreError::NotAGuest)) => Err(ApiError::AlreadyNamed),
        created => {
            let account = created?;
            rename_in_games(&app, &account).await;
            begin_session(&app, account, caller.map(|guest| guest.token.hash)).await
        }
    }
}

/// Gives an account its new name in all unfinished games.
async fn rename_in_games(app: &Arc<App>, account: &Identity) {
    let games = match app.quota.unfinished_games(account.id).await {
        Ok(games) => games,
        Err(error) => return tracing::warn!(%error, "could not find a player's games to rename"),
    };
    for game in games {
        let player = Participant {
            identity: account.id,
            name: account.name.clone(),
            kind: player_kind(account.kind),
        };
        if let Err(failure) = app.games.rename(game, player).await {
            tracing::warn!(?failure, %game, "could not rename a player");
        }
    }
}

/// Sign in
#[utoipa::path(post, path = "/sessions", tag = "accounts", request_body = Credentials,
    responses((status = 201, body = Session), (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn sign_in(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    JsonBody(Credentials { name, password }): JsonBody<Credentials>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    if name.len() > MAX_CREDENTIAL_LENGTH {
        return Err(ApiError::WrongPassword);
    }
    let found = app.storage.store.identity_named(&names::case_skeleton(&name)).await?;
    let (identity, hash) = match found {
        Some((identity, Some(hash))) => (Some(identity), hash),
        // Response time must not reveal which names exist.
        _ => (None, passwords::UNMATCHABLE_HASH.to_string()),
    };
    let matches = verify_password(&app, password, hash).await?;
    match identity.filter(|_| matches) {
        Some(identity) => begin_session(&app, identity, None).await,
        None => Err(ApiError::WrongPassword),
    }
}

/// Sign out
///
/// Revokes your token and closes its connections. If you began as a guest in this session, the
/// guest's token is revoked, too.
#[utoipa::path(delete, path = "/sessions/current", tag = "accounts",
    responses((status = 204), (status = 401, body = ErrorBody)))]
async fn sign_out(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, ApiError> {
    app.accounts.revoke(&caller.token).await?;
    Ok(signed_out(&app))
}

/// Sign out everywhere
///
/// Revokes all your sessions and closes their connections. Bot tokens stay.
#[utoipa::path(delete, path = "/sessions", tag = "accounts",
    responses((status = 204), (status = 401, body = ErrorBody)))]
async fn sign_out_everywhere(
    State(app): State<Arc<App>>,
    Person(caller): Person,
) -> Result<Response, ApiError> {
    app.accounts.revoke_sessions(caller.id()).await?;
    Ok(signed_out(&app))
}

/// Get your identity
#[utoipa::path(get, path = "/me", tag = "accounts",
    responses((status = 200, body = Me), (status = 401, body = ErrorBody)))]
async fn me(caller: Caller) -> Json<Me> {
    Json(Me { id: caller.id(), kind: caller.kind(), name: caller.identity.name })
}

/// Change your password
///
/// Revokes all your sessions and begins a new one.
#[utoipa::path(put, path = "/me/password", tag = "accounts", request_body = PasswordChange,
    responses((status = 201, body = Session), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn change_password(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Person(caller): Person,
    JsonBody(PasswordChange { current, new }): JsonBody<PasswordChange>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    check_password(&new)?;
    let found =
        app.storage.store.identity_named(&names::case_skeleton(&caller.identity.name)).await?;
    let Some((identity, Some(hash))) = found.filter(|(found, _)| found.id == caller.id()) else {
        return Err(ApiError::AccountNeeded);
    };
    if !verify_password(&app, current, hash).await? {
        return Err(ApiError::WrongCurrentPassword);
    }
    let hash = hash_password(&app, new).await?;
    app.accounts.set_password(identity.id, hash).await?;
    begin_session(&app, identity, None).await
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
    if app.storage.store.tokens(caller.id()).await?.len() >= MAX_TOKENS_PER_IDENTITY {
        return Err(ApiError::TooMany("you have too many tokens: revoke one first"));
    }
    let token = secrets::token();
    let hash = secrets::hash(&token);
    let at = clock::now();
    app.storage.store.create_token(hash, caller.id(), TokenKind::Bot, label, at).await?;
    Ok((StatusCode::CREATED, Json(CreatedToken { token, id: hash.to_string() })).into_response())
}

/// List your tokens
#[utoipa::path(get, path = "/tokens", tag = "accounts",
    responses((status = 200, body = [TokenView]), (status = 401, body = ErrorBody)))]
async fn tokens(
    State(app): State<Arc<App>>,
    Person(caller): Person,
) -> Result<Json<Vec<TokenView>>, ApiError> {
    let tokens = app.storage.store.tokens(caller.id()).await?;
    let views = tokens.into_iter().map(|token| {
        let (kind, label) = match token.kind {
            TokenKind::Bot => (noughts_api::TokenKind::Bot, token.label),
            TokenKind::Session => (noughts_api::TokenKind::Session, SESSION_LABEL.into()),
        };
        TokenView { id: token.hash.to_string(), kind, label, created_at: token.created_at }
    });
    Ok(Json(views.collect()))
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
    let tokens = app.storage.store.tokens(caller.id()).await?;
    let token = tokens.iter().find(|token| token.hash.to_string() == id);
    match app.accounts.revoke(token.ok_or(ApiError::NoToken)?).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::NoToken),
    }
}

/// Signs an identity in.
async fn begin_session(
    app: &App,
    identity: Identity,
    guest: Option<TokenHash>,
) -> Result<Response, ApiError> {
    let token = app.accounts.begin_session(identity.id, guest).await?;
    let cookie = set_cookie(&token, app.config.secure_cookies.unwrap_or(false));
    let player = Me { id: identity.id, name: identity.name, kind: player_kind(identity.kind) };
    let session = Session { token, player };
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(session)).into_response())
}

fn signed_out(app: &App) -> Response {
    let cookie = clear_cookie(app.config.secure_cookies.unwrap_or(false));
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

fn check_password(password: &str) -> Result<(), ApiError> {
    if passwords::is_valid(password) { Ok(()) } else { Err(ApiError::BadPassword) }
}

async fn hash_password(app: &App, password: String) -> Result<String, ApiError> {
    let hash = app.compute.hashers.run(move || passwords::hash(&password)).await?;
    hash.map_err(|error| {
        tracing::error!(%error, "could not hash a password");
        ApiError::Unavailable
    })
}

async fn verify_password(app: &App, password: String, hash: String) -> Result<bool, ApiError> {
    if password.len() > MAX_CREDENTIAL_LENGTH {
        return Ok(false);
    }
    Ok(app.compute.hashers.run(move || passwords::verify(&password, &hash)).await?)
}
