//! Quick pairing: with whoever waits for the same game, the nearest in rating first.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
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
use super::shares;
use crate::backend::Backend;
use crate::config::LEAGUE;
use crate::game::{
    Actor, ClockRule, Command, CommandKey, GameView, OnlineGame, Order, Seen, Setup,
};
use crate::live::{Failure, Summary};

/// Among how many waiting games one is chosen.
const CHOICE: u32 = 100;

/// How often, and how far apart, whoever has just opened a game looks for others who have.
const LOOKS: usize = 6;
const PAUSE: Duration = Duration::from_millis(100);

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
/// near. If nobody waits, a game is opened in which you wait: `POST …/abort` ends the waiting. Wait
/// with a WebSocket open, or look at the game every second or two: nobody is led into a game in which
/// nobody is there.
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
    if let Some(own) = waiting.own
        && begins_empty(&*backend.live.look(&backend, own).await?)
    {
        return Ok(created(show(&backend, &caller, own).await?));
    }
    shares::take(&backend, caller.id()).await?;
    if let Some(view) = join_one(&backend, &caller, &waiting.others).await? {
        return Ok(created(view));
    }
    let own = begin(&backend, &caller, setup.clone(), None).await?;
    let met = meet(&backend, &caller, &setup, &own, &waiting.others).await?;
    Ok(created(met.unwrap_or(own)))
}

/// Brings two together who looked at the same moment, found nobody, and opened a game each. Answers
/// the game in which the caller plays, if somebody was there. Those that were `known` before can't be
/// joined.
async fn meet(
    backend: &Arc<Backend>,
    caller: &Caller,
    setup: &Setup,
    own: &GameView,
    known: &[GameKey],
) -> Result<Option<GameView>, ApiError> {
    for look in 1..=LOOKS {
        let mut others = waiting(backend, caller, setup).await?.others;
        others.retain(|game| !known.contains(game));
        let (older, younger): (Vec<_>, Vec<_>) = others.into_iter().partition(|id| *id < own.id);
        // Whose game is younger joins the other.
        if let Some(view) = join_one(backend, caller, &older).await? {
            abort(backend, caller, own.id, None).await?;
            return Ok(Some(view));
        }
        if younger.is_empty() {
            return Ok(None);
        }
        if look < LOOKS {
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        // Nobody has come: this game was stored only after they had looked. If they come after all
        // before it is withdrawn, it is played.
        let seen = CommandKey::new("withdraw").map(|key| Seen { seq: own.seq, key });
        if !abort(backend, caller, own.id, seen).await? {
            return Ok(Some(show(backend, caller, own.id).await?));
        }
        if let Some(view) = join_one(backend, caller, &younger).await? {
            return Ok(Some(view));
        }
    }
    // Whoever was there has gone.
    Ok(Some(begin(backend, caller, setup.clone(), None).await?))
}

/// Joins the first game of a list that can be joined.
async fn join_one(
    backend: &Arc<Backend>,
    caller: &Caller,
    games: &[GameKey],
) -> Result<Option<GameView>, ApiError> {
    for &game in games {
        if is_inviting(backend, game).await?
            && let Some(view) = join(backend, caller, game).await?
        {
            return Ok(Some(view));
        }
    }
    Ok(None)
}

/// Whether somebody may be led into a game: not if it is half lost, nor if nobody is there.
async fn is_inviting(backend: &Arc<Backend>, game: GameKey) -> Result<bool, ApiError> {
    match backend.live.look(backend, game).await {
        Ok(game) => Ok(begins_empty(&game) && is_attended(backend, &game)),
        Err(Failure::NoGame) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
}

/// Whether those who wait are there. Of players at other servers it is known only when they leave.
fn is_attended(backend: &Backend, game: &OnlineGame) -> bool {
    let is_alone = backend.store.path().is_some();
    let (room, grace) = (backend.live.find(game.id()), backend.config.grace());
    let is_here = |who| room.as_ref().is_some_and(|room| room.is_here(who, grace));
    game.rules().seats().all(|seat| match game.seats()[seat.index()].holder.account() {
        Some(who) => game.away_since(seat).is_none() && (!is_alone || is_here(who)),
        None => true,
    })
}

/// Whether nothing was put on the board beforehand.
fn begins_empty(game: &OnlineGame) -> bool {
    game.setup().moves.is_empty()
}

/// Calls a game of the caller's off. Answers whether it could be.
async fn abort(
    backend: &Arc<Backend>,
    caller: &Caller,
    game: GameKey,
    seen: Option<Seen>,
) -> Result<bool, ApiError> {
    let (actor, command) = (Actor::Identity(caller.id()), Command::Abort);
    match backend.live.order(backend, game, Order { actor, seen, seat: None, command }).await {
        Ok(_) => Ok(true),
        Err(Failure::Refused(..)) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
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
