//! What waits for a player's answer: challenges, offers of rematches, and games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use noughts_api::{
    Challenge, ErrorBody, GameId, GamePhase, GameView, IdentityId, Inbox, SeatHolder,
};
use noughts_store::{GameQuery, ListedGame, StoreError};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::error::ApiError;
use crate::app::App;
use crate::game::OnlineGame;

/// Games of a phase that are looked at.
const MAX_GAMES: u32 = 100;

/// Finished games that may have an offer of a rematch.
const MAX_FINISHED_GAMES: u32 = 5;

/// Older offers are forgotten, in milliseconds.
const MAX_OFFER_AGE: i64 = 3_600_000;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(inbox))
}

/// Get your inbox
///
/// Challenges to you and of yours, offers of rematches, and games that wait for your move. The lines of
/// `GET /stream` say when it changes.
#[utoipa::path(get, path = "/me/inbox", tag = "people",
    responses((status = 200, body = Inbox), (status = 401, body = ErrorBody)))]
async fn inbox(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Inbox>, ApiError> {
    let me = caller.id();
    let mut inbox = Inbox::default();
    for listed in games(&app, me, GamePhase::Open, MAX_GAMES).await? {
        let Some((game, view)) = look(&app, me, listed.game).await else { continue };
        if let Some(challenge) = challenge(&game, view) {
            let is_sent = game.seats_of(me).next().is_some();
            if is_sent { &mut inbox.sent } else { &mut inbox.received }.push(challenge);
        }
    }
    for listed in games(&app, me, GamePhase::Live, MAX_GAMES).await? {
        let Some((_, view)) = look(&app, me, listed.game).await else { continue };
        if view.is_your_turn() || view.awaits_your_undo_answer() {
            inbox.turns.push(view);
        }
    }
    let since = app.games.now() - MAX_OFFER_AGE;
    for listed in games(&app, me, GamePhase::Finished, MAX_FINISHED_GAMES).await? {
        if listed.at < since {
            continue;
        }
        let Some((_, view)) = look(&app, me, listed.game).await else { continue };
        let is_yours = |seat| view.your_seats.contains(seat);
        if view.rematch.is_none()
            && !view.rematch_offers.is_empty()
            && !view.rematch_offers.iter().any(is_yours)
        {
            inbox.rematches.push(view);
        }
    }
    Ok(Json(inbox))
}

async fn games(
    app: &App,
    player: IdentityId,
    phase: GamePhase,
    limit: u32,
) -> Result<Vec<ListedGame>, StoreError> {
    let query = GameQuery {
        phase: Some(phase),
        player: Some(player),
        public_only: false,
        rules: None,
        before: None,
        limit,
    };
    app.storage.log.games(&query).await
}

/// A game as a player sees it, who is not there because of that. None if it can't be read now.
async fn look(
    app: &Arc<App>,
    player: IdentityId,
    game: GameId,
) -> Option<(Box<OnlineGame>, GameView)> {
    let game = app.games.snapshot(game, None).await.ok()?.game;
    let view = app.games.view_for(&game, Some(player));
    Some((game, view))
}

/// The challenge that an open game is, if somebody is invited to it.
fn challenge(game: &OnlineGame, view: GameView) -> Option<Challenge> {
    let holders = || game.seats().iter().map(|seat| &seat.holder);
    let to = holders().find_map(|holder| match holder {
        SeatHolder::Invited { name, .. } => Some(name.clone()),
        _ => None,
    })?;
    let from = holders().find_map(|holder| match holder {
        SeatHolder::Taken(player) => Some(player.name.clone()),
        _ => None,
    })?;
    Some(Challenge { from, to, expires_at: game.deadline()?, game: Box::new(view) })
}
