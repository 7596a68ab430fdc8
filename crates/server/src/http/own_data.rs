//! What people may ask of the data about them: a copy, and deletion.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::Response;
use noughts_api::{
    AccountExport, CommandRequest, Confirmation, ErrorBody, ErrorCode, ExportedResult, GameId,
    GameSummary, IdempotencyKey, IdentityId, Me, Participant, PlayerCommand, TokenKind,
    TournamentSummary,
};
use noughts_rules::Seat;
use noughts_store::{GameQuery, Identity, IdentityKind, Relation, TournamentFilter};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accounts::rename_in_games;
use super::caller::{Caller, Cookie, Person};
use super::credentials::confirm_password;
use super::error::ApiError;
use super::input::JsonBody;
use super::leagues::standings_of;
use super::sessions::{session_views, signed_out, token_views};
use crate::accounts::{erasure, player_kind};
use crate::app::App;
use crate::director::{TournamentDetail, TournamentFailure, TournamentRequest};
use crate::limits::ClientAddress;
use crate::live;

/// Games that are read at once.
const PAGE_SIZE: u32 = 500;

/// A game may change while a player leaves it.
const MAX_LEAVE_ATTEMPTS: usize = 5;

const DISPOSITION: (HeaderName, &str) =
    (header::CONTENT_DISPOSITION, "attachment; filename=\"noughts.json\"");

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(export)).routes(routes!(delete))
}

/// Export your data
///
/// Everything that the server keeps about you, as one JSON object.
#[utoipa::path(get, path = "/me/export", tag = "accounts",
    responses((status = 200, body = AccountExport), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn export(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Person(caller): Person,
) -> Result<([(HeaderName, &'static str); 1], Json<AccountExport>), ApiError> {
    app.limits.check_sign_in(client)?;
    let mut bot_tokens = token_views(&app, &caller).await?;
    bot_tokens.retain(|token| token.kind == TokenKind::Bot);
    let results = app.storage.store.results_of(caller.id()).await?.into_iter();
    let results = results.map(|result| ExportedResult {
        league: result.league,
        game: result.game,
        at: result.at,
        seat: result.seat,
        winner: result.winner,
        weight: result.weight.percent(),
        retracted: result.retracted,
    });
    let export = AccountExport {
        following: names(&app, &caller, Relation::Follow).await?,
        blocked: names(&app, &caller, Relation::Block).await?,
        sessions: session_views(&app, &caller).await?,
        bot_tokens,
        ratings: standings_of(&app, caller.id()).await?,
        results: results.collect(),
        games: games(&app, &caller).await?,
        tournaments: tournaments(&app, caller.id()).await?,
        created_at: caller.identity.created_at,
        player: Me { id: caller.id(), kind: caller.kind(), name: caller.identity.name },
    };
    Ok(([DISPOSITION], Json(export)))
}

/// The names of those that a player follows or has blocked.
async fn names(app: &App, caller: &Caller, relation: Relation) -> Result<Vec<String>, ApiError> {
    let related = app.storage.store.related(caller.id(), relation).await?;
    Ok(related.into_iter().map(|identity| identity.name).collect())
}

async fn games(app: &App, caller: &Caller) -> Result<Vec<GameSummary>, ApiError> {
    let mut query = GameQuery {
        phase: None,
        player: Some(caller.id()),
        public_only: false,
        rules: None,
        before: None,
        limit: PAGE_SIZE,
    };
    let mut games = Vec::new();
    loop {
        let page = app.storage.log.games(&query).await?;
        query.before = page.last().map(|game| game.game);
        let is_last = page.len() < PAGE_SIZE as usize;
        games.extend(page.into_iter().filter_map(live::summary));
        if is_last {
            return Ok(games);
        }
    }
}

async fn tournaments(app: &App, player: IdentityId) -> Result<Vec<TournamentSummary>, ApiError> {
    let mut found = Vec::new();
    for filter in [TournamentFilter::Player(player), TournamentFilter::Creator(player)] {
        let mut before = None;
        loop {
            let page = app.storage.store.tournaments(filter, before, PAGE_SIZE).await?;
            before = page.last().map(|listed| listed.tournament);
            let is_last = page.len() < PAGE_SIZE as usize;
            found.extend(page);
            if is_last {
                break;
            }
        }
    }
    found.sort_unstable_by_key(|listed| std::cmp::Reverse(listed.tournament));
    found.dedup_by_key(|listed| listed.tournament);
    Ok(found.into_iter().filter_map(TournamentDetail::summary).collect())
}

/// Delete your account
///
/// Your name goes at once, and your tokens with it. Unfinished games are aborted or resigned. Your games
/// stay for those you played with, as those of a deleted player. This can't be undone.
#[utoipa::path(post, path = "/me/deletion", tag = "accounts", request_body = Confirmation,
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn delete(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    cookie: Cookie,
    Person(caller): Person,
    JsonBody(Confirmation { password }): JsonBody<Confirmation>,
) -> Result<Response, ApiError> {
    app.limits.check_sign_in(client)?;
    if caller.identity.kind == IdentityKind::Account {
        confirm_password(&app, client, &caller, password.unwrap_or_default()).await?;
    }
    let name = app.accounts.delete(caller.id()).await?.name;
    // Must finish even if the client disconnects.
    app.lifecycle.tasks.spawn(leave_games(
        app.clone(),
        Identity { name, kind: IdentityKind::Guest, ..caller.identity },
    ));
    Ok(signed_out(cookie))
}

/// Takes a deleted player out of all games.
async fn leave_games(app: Arc<App>, identity: Identity) {
    if let Err(error) = leave_tournaments(&app, &identity).await {
        tracing::warn!(%error, "could not take a deleted player out of tournaments");
    }
    match app.quota.unfinished_games(identity.id).await {
        Ok(games) => {
            rename_in_games(&app, &identity).await;
            for game in games {
                if let Err(error) = leave(&app, game, &identity).await {
                    tracing::warn!(%error, %game, "could not end a game of a deleted player");
                }
            }
        }
        Err(error) => tracing::warn!(%error, "could not find a deleted player's games"),
    }
    if let Err(error) = erasure::erase_deleted(&app.storage).await {
        tracing::warn!(%error, "could not take a deleted player's name out of games");
    }
}

/// Withdraws a deleted player from the latest tournaments, and cancels those that wait for them.
async fn leave_tournaments(app: &Arc<App>, identity: &Identity) -> Result<(), ApiError> {
    let (player, by) = (identity.id, identity.id);
    for (filter, request) in [
        (TournamentFilter::Creator(by), TournamentRequest::Cancel { by }),
        (TournamentFilter::Player(player), TournamentRequest::Leave { player }),
    ] {
        for listed in app.storage.store.tournaments(filter, None, PAGE_SIZE).await? {
            if listed.phase.is_over() {
                continue;
            }
            match app.directors.request(listed.tournament, request).await {
                Ok(_) | Err(TournamentFailure::Refused(_) | TournamentFailure::NoTournament) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
    }
    Ok(())
}

/// Aborts a game or, if it is too late for that, resigns for every seat of the player.
async fn leave(app: &Arc<App>, game: GameId, identity: &Identity) -> Result<(), ApiError> {
    let player = Arc::new(Participant {
        identity: identity.id,
        name: identity.name.clone(),
        kind: player_kind(identity.kind),
    });
    let seats: Vec<Seat> =
        app.games.snapshot(game, None).await?.game.seats_of(identity.id).collect();
    for attempt in 0..MAX_LEAVE_ATTEMPTS {
        let mut has_left = true;
        for seat in &seats {
            for command in [PlayerCommand::Abort, PlayerCommand::Resign] {
                let key = format!("deletion {attempt} {}", seat.index());
                let request = CommandRequest {
                    command,
                    seq: app.games.snapshot(game, None).await?.game.seq(),
                    key: IdempotencyKey::new(&key).ok_or(ApiError::Unavailable)?,
                    seat: Some(*seat),
                };
                let done = app.games.command(game, player.clone(), request, None).await;
                has_left = match done.map_err(ApiError::from) {
                    Ok(_) => break,
                    Err(error) => {
                        matches!(error.code(), ErrorCode::GameOver | ErrorCode::NotPlaying)
                    }
                };
            }
        }
        if has_left {
            return Ok(());
        }
    }
    Err(ApiError::Busy)
}
