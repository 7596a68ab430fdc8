//! Becoming someone: guests, names with passwords, tokens for programs.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_api::ErrorBody;
use noughts_api::{IdentityKind as PlayerKind, Millis, Participant};
use noughts_store::{Identity, IdentityId, IdentityKind, StoreError, Token, TokenHash, TokenKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller, Person, clear_cookie, set_cookie};
use super::error::ApiError;
use super::input::{Body, InPath};
use crate::accounts::{names, secrets};
use crate::app::App;
use crate::limits::ClientAddress;

/// How many tokens one identity can have.
const MOST_TOKENS: usize = 50;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(create_guest))
        .routes(routes!(create_name))
        .routes(routes!(sign_in, sign_out_everywhere))
        .routes(routes!(sign_out))
        .routes(routes!(me))
        .routes(routes!(change_password))
        .routes(routes!(create_token, tokens))
        .routes(routes!(revoke_token))
}

/// Who you are.
#[derive(Debug, Serialize, ToSchema)]
struct Me {
    /// Your name.
    name: String,
    /// What kind of player you are.
    kind: PlayerKind,
}

/// A session that begins.
#[derive(Debug, Serialize, ToSchema)]
struct Session {
    /// The token, for `Authorization: Bearer`. Browsers have it in a cookie.
    token: String,
    /// Who you are.
    player: Me,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Credentials {
    /// 1 to 32 characters.
    #[schema(min_length = 1)]
    name: String,
    /// 8 to 256 characters.
    #[schema(min_length = 8, max_length = 256)]
    password: String,
}

/// Become a guest
///
/// Anyone can play at once. The token is what makes you you: keep it.
#[utoipa::path(post, path = "/guests", tag = "identity",
    responses((status = 201, body = Session), (status = 429, body = ErrorBody)))]
async fn create_guest(
    State(app): State<Arc<App>>,
    client: ClientAddress,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    let at = app.now();
    for _ in 0..3 {
        let name = names::guest();
        match app.storage.store.create_identity(IdentityKind::Guest, &name, None, at).await {
            Err(StoreError::NameTaken { .. }) => {}
            identity => return begin_session(&app, identity?, None).await,
        }
    }
    Err(ApiError::Busy)
}

/// Choose a name
///
/// A name with a password keeps your rating. If you are a guest, your games come along.
#[utoipa::path(post, path = "/names", tag = "identity", request_body = Credentials,
    responses((status = 201, body = Session), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn create_name(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    AnyCaller(caller): AnyCaller,
    Body(wanted): Body<Credentials>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    let name = names::validate(&wanted.name).map_err(ApiError::BadName)?;
    check_password(&wanted.password)?;
    if caller.as_ref().is_some_and(|caller| caller.identity.kind != IdentityKind::Guest) {
        return Err(ApiError::AlreadyNamed);
    }
    let hash = hash_password(&app, wanted.password).await?;
    let named = match &caller {
        Some(guest) => {
            let (store, id) = (app.storage.store.clone(), guest.id());
            let upgrade = async move { store.upgrade_guest(id, &name, &hash).await };
            change(&app, id, Vec::new(), upgrade).await?
        }
        None => {
            let at = app.now();
            app.storage.store.create_identity(IdentityKind::Account, &name, Some(&hash), at).await
        }
    };
    match named {
        Err(StoreError::NameTaken { .. }) => Err(ApiError::NameTaken),
        Err(StoreError::NotAGuest) => Err(ApiError::AlreadyNamed),
        named => {
            let named = named?;
            rename_in_games(&app, &named).await;
            begin_session(&app, named, caller.map(|guest| guest.token.hash)).await
        }
    }
}

/// Has someone's games go on under the name that they have taken.
async fn rename_in_games(app: &Arc<App>, named: &Identity) {
    let games = match app.quota.unfinished_games(named.id).await {
        Ok(games) => games,
        Err(error) => return tracing::warn!(%error, "could not find the games of a name"),
    };
    for game in games {
        let name = named.name.clone();
        let player = Participant { identity: named.id, name, kind: PlayerKind::Account };
        if let Err(failure) = app.games.rename(game, player).await {
            tracing::warn!(?failure, %game, "could not rename a player");
        }
    }
}

/// Sign in
#[utoipa::path(post, path = "/sessions", tag = "identity", request_body = Credentials,
    responses((status = 201, body = Session), (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn sign_in(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Body(given): Body<Credentials>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    if given.name.len() > 1024 || given.password.len() > 1024 {
        return Err(ApiError::WrongPassword);
    }
    let found = app.storage.store.identity_named(&names::case_skeleton(&given.name)).await?;
    let (identity, hash) = match found {
        Some((identity, Some(hash))) => (Some(identity), hash),
        // Whether there is such a name is not to be told by how long the answer takes.
        _ => (None, NOBODY.to_string()),
    };
    let matches = verify_password(&app, given.password, hash).await?;
    match identity.filter(|_| matches) {
        Some(identity) => begin_session(&app, identity, None).await,
        None => Err(ApiError::WrongPassword),
    }
}

/// Sign out
///
/// Ends the token with which you ask, and its connections; where you were a guest when you chose a
/// name, the guest's too.
#[utoipa::path(delete, path = "/sessions/current", tag = "identity",
    responses((status = 204), (status = 401, body = ErrorBody)))]
async fn sign_out(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, ApiError> {
    revoke(&app, &caller.token).await?;
    Ok(signed_out(&app))
}

/// Sign out everywhere
///
/// Ends all your sessions and their connections. Tokens of programs stay.
#[utoipa::path(delete, path = "/sessions", tag = "identity",
    responses((status = 204), (status = 401, body = ErrorBody)))]
async fn sign_out_everywhere(
    State(app): State<Arc<App>>,
    Person(caller): Person,
) -> Result<Response, ApiError> {
    end_sessions(&app, caller.id()).await?;
    Ok(signed_out(&app))
}

/// Who am I
#[utoipa::path(get, path = "/me", tag = "identity",
    responses((status = 200, body = Me), (status = 401, body = ErrorBody)))]
async fn me(caller: Caller) -> Json<Me> {
    Json(Me { kind: caller.kind(), name: caller.identity.name })
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasswordChange {
    /// The password until now.
    old: String,
    /// The password from now on, 8 to 256 characters.
    #[schema(min_length = 8, max_length = 256)]
    new: String,
}

/// Change the password
///
/// Ends all your sessions and begins another.
#[utoipa::path(put, path = "/me/password", tag = "identity", request_body = PasswordChange,
    responses((status = 201, body = Session), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn change_password(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Person(caller): Person,
    Body(wanted): Body<PasswordChange>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    check_password(&wanted.new)?;
    let found =
        app.storage.store.identity_named(&names::case_skeleton(&caller.identity.name)).await?;
    let Some((identity, Some(hash))) = found.filter(|(found, _)| found.id == caller.id()) else {
        return Err(ApiError::AccountNeeded);
    };
    if wanted.old.len() > 1024 || !verify_password(&app, wanted.old, hash).await? {
        return Err(ApiError::WrongCurrentPassword);
    }
    let hash = hash_password(&app, wanted.new).await?;
    let (store, id, at) = (app.storage.store.clone(), caller.id(), app.now());
    let sessions = sessions_of(&app, id).await?;
    let set = async move { store.set_password(id, &hash, at).await };
    change(&app, id, sessions, set).await??;
    begin_session(&app, identity, None).await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewToken {
    /// What you call it: 1 to 64 characters.
    #[schema(min_length = 1, max_length = 64)]
    label: String,
}

/// A token that was made.
#[derive(Debug, Serialize, ToSchema)]
struct MadeToken {
    /// The token, which is shown only this once.
    token: String,
    /// What it is known by.
    id: String,
}

/// A token of yours.
#[derive(Debug, Serialize, ToSchema)]
struct TokenView {
    /// What it is known by.
    id: String,
    /// `session` or `bot`.
    kind: &'static str,
    /// What you call it.
    label: String,
    /// When it was made, in milliseconds since 1970.
    created_at: Millis,
}

/// Make a token for a program
///
/// Whoever has it plays under your name, marked as a bot. Only people with a name can make one.
#[utoipa::path(post, path = "/tokens", tag = "identity", request_body = NewToken,
    responses((status = 201, body = MadeToken), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn create_token(
    State(app): State<Arc<App>>,
    Person(caller): Person,
    Body(wanted): Body<NewToken>,
) -> Result<Response, ApiError> {
    if caller.kind() != PlayerKind::Account {
        return Err(ApiError::AccountNeeded);
    }
    let label = wanted.label.trim();
    let fits = (1..=64).contains(&label.chars().count());
    if !fits || label.chars().any(char::is_control) {
        let expected = "expected a label of 1 to 64 characters without control characters";
        return Err(ApiError::Invalid(expected.into()));
    }
    if app.storage.store.tokens(caller.id()).await?.len() >= MOST_TOKENS {
        return Err(ApiError::TooMany("you have too many tokens: revoke some first"));
    }
    let token = secrets::token();
    let hash = secrets::hash(&token);
    let at = app.now();
    app.storage.store.create_token(hash, caller.id(), TokenKind::Bot, label, at).await?;
    Ok((StatusCode::CREATED, Json(MadeToken { token, id: hash.to_string() })).into_response())
}

/// Your tokens
#[utoipa::path(get, path = "/tokens", tag = "identity",
    responses((status = 200, body = [TokenView]), (status = 401, body = ErrorBody)))]
async fn tokens(
    State(app): State<Arc<App>>,
    Person(caller): Person,
) -> Result<Json<Vec<TokenView>>, ApiError> {
    let tokens = app.storage.store.tokens(caller.id()).await?;
    let view = tokens.into_iter().map(|token| TokenView {
        id: token.hash.to_string(),
        kind: token.kind.as_str(),
        label: match token.kind {
            TokenKind::Bot => token.label,
            TokenKind::Session => SESSION.into(),
        },
        created_at: token.created_at,
    });
    Ok(Json(view.collect()))
}

/// Revoke a token
#[utoipa::path(delete, path = "/tokens/{id}", tag = "identity",
    params(("id" = String, Path, description = "What the token is known by")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn revoke_token(
    State(app): State<Arc<App>>,
    Person(caller): Person,
    InPath(id): InPath<String>,
) -> Result<StatusCode, ApiError> {
    let tokens = app.storage.store.tokens(caller.id()).await?;
    let token = tokens.iter().find(|token| token.hash.to_string() == id);
    match revoke(&app, token.ok_or(ApiError::NoToken)?).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::NoToken),
    }
}

/// What a session is called that follows no other.
const SESSION: &str = "session";

/// Gives someone a token. Where it follows that of a guest, who goes on with it until they sign out,
/// it is called by that.
async fn begin_session(
    app: &Arc<App>,
    identity: Identity,
    of_guest: Option<TokenHash>,
) -> Result<Response, ApiError> {
    // The oldest sessions make room.
    let tokens = app.storage.store.tokens(identity.id).await?;
    let sessions = tokens.iter().filter(|token| token.kind == TokenKind::Session);
    let excess = (tokens.len() + 1).saturating_sub(MOST_TOKENS);
    for old in sessions.take(excess) {
        revoke(app, old).await?;
    }
    let token = secrets::token();
    let (hash, at) = (secrets::hash(&token), app.now());
    let label = of_guest.map_or(SESSION.into(), |guest| guest.to_string());
    app.storage.store.create_token(hash, identity.id, TokenKind::Session, &label, at).await?;
    let cookie = set_cookie(&token, app.config.secure_cookies.unwrap_or(false));
    let kind = match identity.kind {
        IdentityKind::Account => PlayerKind::Account,
        IdentityKind::Guest | IdentityKind::Computer => PlayerKind::Guest,
    };
    let session = Session { token, player: Me { name: identity.name, kind } };
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(session)).into_response())
}

/// Revokes a token, with that of the guest whom it follows. Answers whether it was in force.
async fn revoke(app: &Arc<App>, token: &Token) -> Result<bool, ApiError> {
    let (store, whose, at) = (app.storage.store.clone(), token.identity, app.now());
    let tokens = app.storage.store.tokens(whose).await?;
    let is_followed =
        |other: &&Token| token.kind == TokenKind::Session && other.hash.to_string() == token.label;
    let followed = tokens.iter().find(is_followed).map(|other| other.hash);
    let hash = token.hash;
    let revoked = async move {
        if let Some(followed) = followed {
            store.revoke_token(whose, followed, at).await?;
        }
        store.revoke_token(whose, hash, at).await
    };
    Ok(change(app, whose, followed.into_iter().chain([hash]).collect(), revoked).await??)
}

async fn end_sessions(app: &Arc<App>, whose: IdentityId) -> Result<(), ApiError> {
    let sessions = sessions_of(app, whose).await?;
    let (store, at) = (app.storage.store.clone(), app.now());
    let revoked = async move { store.revoke_tokens(whose, TokenKind::Session, at).await };
    change(app, whose, sessions, revoked).await??;
    Ok(())
}

async fn sessions_of(app: &App, whose: IdentityId) -> Result<Vec<TokenHash>, ApiError> {
    let tokens = app.storage.store.tokens(whose).await?;
    let sessions = tokens.iter().filter(|token| token.kind == TokenKind::Session);
    Ok(sessions.map(|token| token.hash).collect())
}

/// Changes someone, or revokes tokens of theirs. It is done to the end even if whoever asked has
/// gone: otherwise the change could be stored, and tokens that are no more still be known.
async fn change<T: Send + 'static>(
    app: &Arc<App>,
    whom: IdentityId,
    revoked: Vec<TokenHash>,
    change: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<Result<T, StoreError>, ApiError> {
    let of_task = app.clone();
    let done = app.lifecycle.tasks.spawn(async move {
        let done = change.await;
        // What failed may have been stored all the same.
        of_task.identity_changed(whom, if done.is_ok() { &revoked } else { &[] });
        done
    });
    done.await.map_err(|error| {
        tracing::error!(%error, "could not change an identity");
        ApiError::Unavailable
    })
}

fn signed_out(app: &App) -> Response {
    let cookie = clear_cookie(app.config.secure_cookies.unwrap_or(false));
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

fn check_password(password: &str) -> Result<(), ApiError> {
    let fits = (8..=256).contains(&password.chars().count());
    if fits { Ok(()) } else { Err(ApiError::BadPassword) }
}

/// A hash that no password has, with the same parameters as all others.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm90aGluZyBhdCBhbGw$\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

async fn hash_password(app: &App, password: String) -> Result<String, ApiError> {
    let hash = app.compute.hashers.run(move || {
        let hash: Result<PasswordHash, _> = Argon2::default().hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string())
    });
    hash.await?.map_err(|error| {
        tracing::error!(%error, "could not hash a password");
        ApiError::Unavailable
    })
}

async fn verify_password(app: &App, password: String, hash: String) -> Result<bool, ApiError> {
    let verified = app.compute.hashers.run(move || {
        let hash = PasswordHash::new(&hash).ok()?;
        Some(Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    });
    Ok(verified.await?.unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_nobody_takes_as_long_as_any() {
        let hash = PasswordHash::new(NOBODY).unwrap();
        assert!(Argon2::default().verify_password(b"anything", &hash).is_err());
        let real: PasswordHash = Argon2::default().hash_password(b"anything").unwrap();
        assert_eq!(real.params.to_string(), hash.params.to_string());
        assert_eq!(real.algorithm, hash.algorithm);
    }
}
