//! Guests and accounts: signing up, names, passwords and recovery.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use noughts_api::{
    Confirmation, Credentials, ErrorBody, Me, NameChange, Participant, PasswordChange, Recovery,
    RecoveryCode, Session,
};
use noughts_store::{Identity, IdentityKind, StoreError};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller, Person};
use super::credentials::{confirm_password, hash_password};
use super::error::ApiError;
use super::input::JsonBody;
use super::sessions::SessionStarter;
use crate::accounts::{names, passwords, player_kind, recovery};
use crate::app::App;
use crate::clock;
use crate::limits::ClientAddress;

/// How many names are tried for a guest. From the second on they have numbers, which rarely collide.
const MAX_GUEST_NAMES: u32 = 4;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(create_guest))
        .routes(routes!(create_account))
        .routes(routes!(recover))
        .routes(routes!(me))
        .routes(routes!(change_name))
        .routes(routes!(change_password))
        .routes(routes!(create_recovery_code))
}

/// Create a guest
///
/// Anyone can play at once. Keep the token: it is the only proof of who you are.
#[utoipa::path(post, path = "/guests", tag = "accounts",
    responses((status = 201, body = Session), (status = 429, body = ErrorBody)))]
async fn create_guest(
    State(app): State<Arc<App>>,
    starter: SessionStarter,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(starter.client)?;
    let at = clock::now();
    for attempt in 0..MAX_GUEST_NAMES {
        let name = names::guest(attempt);
        match app.storage.store.create_identity(IdentityKind::Guest, &name, None, at).await {
            Err(StoreError::NameTaken { .. }) => {}
            identity => return starter.begin(&app, identity?, None).await,
        }
    }
    Err(ApiError::Busy)
}

/// Create an account
///
/// A name with a password keeps your rating. A guest keeps its games, and gets a new token: its old
/// one is revoked. Keep the recovery code in the reply: it sets a new password if you lose yours.
#[utoipa::path(post, path = "/names", tag = "accounts", request_body = Credentials,
    responses((status = 201, body = Session), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn create_account(
    State(app): State<Arc<App>>,
    starter: SessionStarter,
    AnyCaller(caller): AnyCaller,
    JsonBody(credentials): JsonBody<Credentials>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(starter.client)?;
    let name = names::validate(&credentials.name).map_err(ApiError::BadName)?;
    passwords::check(&credentials.password, &name.name)?;
    if caller.as_ref().is_some_and(|caller| caller.identity.kind != IdentityKind::Guest) {
        return Err(ApiError::AlreadyNamed);
    }
    let hash = hash_password(&app, starter.client, credentials.password).await?;
    let account = match &caller {
        Some(guest) => app.accounts.upgrade_guest(guest.id(), name, hash).await?,
        None => {
            let (kind, at) = (IdentityKind::Account, clock::now());
            match app.storage.store.create_identity(kind, &name, Some(&hash), at).await {
                Err(StoreError::NameTaken { .. }) => return Err(ApiError::NameTaken),
                created => created?,
            }
        }
    };
    if caller.is_some() {
        rename_in_games(&app, &account).await;
    }
    let code = new_recovery_code(&app, &account).await?;
    starter.begin(&app, account, Some(code)).await
}

/// Gives an account its new name in all unfinished games.
pub(super) async fn rename_in_games(app: &Arc<App>, account: &Identity) {
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

async fn new_recovery_code(app: &App, account: &Identity) -> Result<String, ApiError> {
    let code = recovery::code();
    app.storage.store.set_recovery_code(account.id, recovery::hash(&code)).await?;
    Ok(code)
}

/// Recover an account
///
/// Sets a new password with the recovery code. All sessions and bot tokens of the account are revoked,
/// and a new session begins. The code is used up; the reply has the next one.
#[utoipa::path(post, path = "/recoveries", tag = "accounts", request_body = Recovery,
    responses((status = 201, body = Session), (status = 401, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn recover(
    State(app): State<Arc<App>>,
    starter: SessionStarter,
    JsonBody(Recovery { name, code, password }): JsonBody<Recovery>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(starter.client)?;
    passwords::check(&password, &name)?;
    let code = recovery::hash(&code);
    let found = app.storage.store.identity_named(&names::case_skeleton(&name)).await?;
    let (account, _) = found.ok_or(ApiError::WrongCode)?;
    if !app.storage.store.has_recovery_code(account.id, code).await? {
        return Err(ApiError::WrongCode);
    }
    let hash = hash_password(&app, starter.client, password).await?;
    let next_code = recovery::code();
    app.accounts.recover(account.id, code, hash, recovery::hash(&next_code)).await?;
    starter.begin(&app, account, Some(next_code)).await
}

/// Get your identity
#[utoipa::path(get, path = "/me", tag = "accounts",
    responses((status = 200, body = Me), (status = 401, body = ErrorBody)))]
async fn me(caller: Caller) -> Json<Me> {
    Json(Me { id: caller.id(), kind: caller.kind(), name: caller.identity.name })
}

/// Change your name
///
/// Games, results and ratings stay yours. For 90 days nobody else gets an account's old name, and its
/// owner can take it back; three names can be changed in that time. A guest's old name is free at once.
#[utoipa::path(put, path = "/me/name", tag = "accounts", request_body = NameChange,
    responses((status = 200, body = Me), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn change_name(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Person(caller): Person,
    JsonBody(NameChange { name }): JsonBody<NameChange>,
) -> Result<Json<Me>, ApiError> {
    app.limits.check_sign_in(client)?;
    let name = names::validate(&name).map_err(ApiError::BadName)?;
    let account = app.accounts.rename(caller.id(), name).await?;
    rename_in_games(&app, &account).await;
    Ok(Json(Me { id: account.id, kind: player_kind(account.kind), name: account.name }))
}

/// Change your password
///
/// Revokes all your sessions and bot tokens, and begins a new session.
#[utoipa::path(put, path = "/me/password", tag = "accounts", request_body = PasswordChange,
    responses((status = 201, body = Session), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn change_password(
    State(app): State<Arc<App>>,
    starter: SessionStarter,
    Person(caller): Person,
    JsonBody(PasswordChange { current, new }): JsonBody<PasswordChange>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(starter.client)?;
    passwords::check(&new, &caller.identity.name)?;
    confirm_password(&app, starter.client, &caller, current).await?;
    let hash = hash_password(&app, starter.client, new).await?;
    app.accounts.set_password(caller.id(), hash).await?;
    starter.begin(&app, caller.identity, None).await
}

/// Get a new recovery code
///
/// The one before becomes invalid.
#[utoipa::path(post, path = "/me/recovery-code", tag = "accounts", request_body = Confirmation,
    responses((status = 201, body = RecoveryCode), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn create_recovery_code(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Person(caller): Person,
    JsonBody(Confirmation { password }): JsonBody<Confirmation>,
) -> Result<(StatusCode, Json<RecoveryCode>), ApiError> {
    app.limits.check_sign_in(client)?;
    confirm_password(&app, client, &caller, password.unwrap_or_default()).await?;
    let code = new_recovery_code(&app, &caller.identity).await?;
    Ok((StatusCode::CREATED, Json(RecoveryCode { code })))
}
