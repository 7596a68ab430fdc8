//! Quick pairing: with whoever waits for the same game, the nearest in rating first.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use noughts_store::{GameKey, GameQuery, IdentityId, ListedGame, State as ListState};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::create::{NewGame, NewSeat, setup};
use super::error::{ApiError, ErrorBody};
use super::games::{begin, created, shown};
use super::input::Body;
use crate::backend::Backend;
use crate::config::LEAGUE;
use crate::game::{Actor, ClockRule, Command, GameView, Order, Setup};
use crate::live::{Failure, Summary};

/// Among how many waiting games one is chosen.
const CHOICE: u32 = 100;

/// What a newcomer is taken for.
const NEWCOMER: i64 = 1500;

pub(super) fn router() -> OpenApiRouter<Arc<Backend>> {
    OpenApiRouter::new().routes(routes!(pair))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// The rules.
    #[serde(default = "classic")]
    #[schema(default = "3x3")]
    rules: String,
    /// Whether the game counts.
    #[serde(default)]
    rated: bool,
    /// The clocks; none if they are missing.
    clock: Option<ClockRule>,
}

fn classic() -> String {
    "3x3".into()
}

/// Play with whoever waits
///
/// Joins a game that waits for a player, with the same rules and clock, of someone whose rating is
/// near. If nobody waits, a game is opened in which you wait: `POST …/abort` ends the waiting.
#[utoipa::path(post, path = "/pairings", tag = "games", request_body = Wish,
    responses((status = 201, body = GameView), (status = 401, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn pair(
    State(backend): State<Arc<Backend>>,
    caller: Caller,
    Body(wish): Body<Wish>,
) -> Result<Response, ApiError> {
    backend.limits.command(caller.id())?;
    let rules = backend.rules.get(&wish.rules);
    let rules = rules.map_err(|error| ApiError::Invalid(format!("rules: {error}")))?;
    let anyone = (1..rules.players()).map(|_| NewSeat::Anyone { symbol: None });
    let wanted = NewGame {
        rules: rules.to_string(),
        seats: [NewSeat::Me { name: None, symbol: None }].into_iter().chain(anyone).collect(),
        shuffle: true,
        rated: wish.rated,
        league: None,
        clock: wish.clock,
        public: true,
        moves: Vec::new(),
        away_seconds: None,
        key: None,
    };
    let setup = setup(&backend, &caller, &wanted).await?;
    let waiting = waiting(&backend, &caller, &setup).await?;
    if let Some(view) = waiting.own {
        return Ok(created(show(&backend, &caller, view).await?));
    }
    for game in waiting.others {
        if let Some(view) = join(&backend, &caller, game).await? {
            return Ok(created(view));
        }
    }
    let own = begin(&backend, &caller, setup.clone(), None).await?;
    // Two who look at the same moment find nobody: then the one who opened later joins the other.
    let others = self::waiting(&backend, &caller, &setup).await?.others;
    for game in others.into_iter().filter(|game| *game < own.id) {
        if let Some(view) = join(&backend, &caller, game).await? {
            let order = Order {
                actor: Actor::Identity(caller.id()),
                seen: None,
                seat: None,
                command: Command::Abort,
            };
            return match backend.live.order(&backend, own.id, order).await {
                Ok(_) | Err(Failure::Refused(..)) => Ok(created(view)),
                Err(failure) => Err(failure.into()),
            };
        }
    }
    Ok(created(own).into_response())
}

/// Games that wait for a player.
struct Waiting {
    /// Of others, the nearest in rating first.
    others: Vec<GameKey>,
    /// Of the caller's own.
    own: Option<GameKey>,
}

async fn waiting(backend: &Backend, caller: &Caller, setup: &Setup) -> Result<Waiting, ApiError> {
    let query = GameQuery {
        state: Some(ListState::Open),
        player: None,
        public_only: true,
        rules: Some(setup.rules.clone()),
        before: None,
        most: CHOICE,
    };
    let games = backend.log.games(&query).await?;
    let fits = |game: &&ListedGame| {
        let summary: Option<Summary> = serde_json::from_str(&game.listing.detail).ok();
        let is_free = |summary: &Summary| {
            summary.players.iter().any(|player| player.name.is_none() && player.invited.is_none())
        };
        game.listing.league == setup.league
            && summary.is_some_and(|summary| summary.clock == setup.clock && is_free(&summary))
    };
    let (own, others): (Vec<&ListedGame>, Vec<&ListedGame>) =
        games.iter().filter(fits).partition(|game| game.listing.seats.contains(&Some(caller.id())));
    let league = setup.league.as_deref();
    let rating = rating(backend, league, caller.id());
    let mut others: Vec<(i64, GameKey)> = others
        .into_iter()
        .map(|game| {
            let ratings = game.listing.seats.iter().flatten();
            let distance = |id: &IdentityId| (self::rating(backend, league, *id) - rating).abs();
            (ratings.map(distance).max().unwrap_or_default(), game.game)
        })
        .collect();
    // Of those who are equally near, who has waited longest comes first.
    others.sort();
    Ok(Waiting {
        others: others.into_iter().map(|(_, game)| game).collect(),
        own: own.last().map(|game| game.game),
    })
}

fn rating(backend: &Backend, league: Option<&str>, player: IdentityId) -> i64 {
    backend.rating(league.unwrap_or(LEAGUE), player).unwrap_or(NEWCOMER)
}

/// Joins a game, unless someone else was faster.
async fn join(
    backend: &Arc<Backend>,
    caller: &Caller,
    game: GameKey,
) -> Result<Option<GameView>, ApiError> {
    let command = Command::Join { who: caller.joining(), symbol: None };
    let actor = Actor::Identity(caller.id());
    let order = Order { actor, seen: None, seat: None, command };
    match backend.live.order(backend, game, order).await {
        Ok(done) => Ok(Some(shown(backend, &done.game, Some(caller.id())))),
        Err(Failure::Refused(..) | Failure::NoGame) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

async fn show(
    backend: &Arc<Backend>,
    caller: &Caller,
    game: GameKey,
) -> Result<GameView, ApiError> {
    let game = backend.live.look(backend, game).await?;
    Ok(shown(backend, &game, Some(caller.id())))
}
