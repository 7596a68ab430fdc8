//! Quick pairing: with whoever waits for the same game, the nearest in rating first.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use noughts_store::{
    CommandKey as StoredKey, GameId, GamePhase, GameQuery, IdentityId, ListedGame,
};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::create::{NewGame, NewSeat, setup};
use super::error::{ApiError, ErrorBody};
use super::games::{begin, created};
use super::input::Body;
use crate::app::App;
use crate::config::LEAGUE;
use crate::game::{
    Actor, ClockRule, Command, CommandKey, GameView, OnlineGame, Order, Phase, Seen, Setup,
};
use crate::live::{self, Failure, Summary};

/// Among how many waiting games one is chosen.
const CHOICE: usize = 100;

/// How many games with the same rules are looked at for that, so many at a time.
const PAGES: usize = 10;
const PAGE: u32 = 200;

/// How often, and how far apart, whoever has just opened a game looks for others who have.
const LOOKS: usize = 6;
const PAUSE: Duration = Duration::from_millis(100);

/// What a newcomer is taken for.
const NEWCOMER: i64 = 1500;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
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
    /// Your name for this command: sent again, it leads to the same game.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    key: Option<CommandKey>,
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
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(wish): Body<Wish>,
) -> Result<Response, ApiError> {
    app.limits.check_command(caller.id())?;
    let rules = app.rules.get(&wish.rules);
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
    let setup = setup(&app, &caller, &wanted).await?;
    let pairing = Pairing { app, caller, setup, key: wish.key };
    Ok(created(pairing.pair().await?))
}

/// Somebody who looks for a game.
struct Pairing {
    app: Arc<App>,
    caller: Caller,
    setup: Setup,
    key: Option<CommandKey>,
}

impl Pairing {
    async fn pair(&self) -> Result<GameView, ApiError> {
        let Pairing { app, caller, setup, key } = self;
        if let Some(game) = self.found_before().await? {
            return self.show(game).await;
        }
        let waiting = self.waiting().await?;
        if let Some(own) = waiting.own
            && begins_empty(&*app.rooms.look(app, own).await?)
        {
            // Of two who both wait, whose game is younger joins the other.
            let older: Vec<_> = waiting.others.into_iter().filter(|game| *game < own).collect();
            return match self.join_one(&older).await? {
                Some(view) => self.abort(own, None).await.map(|_| view),
                None => self.show(own).await,
            };
        }
        let permit = app.quota.acquire(caller.id()).await?;
        if let Some(view) = self.join_one(&waiting.others).await? {
            return Ok(view);
        }
        drop(permit);
        let own = begin(app, caller, setup.clone(), key.as_ref()).await?;
        Ok(self.meet(&own, &waiting.others).await?.unwrap_or(own))
    }

    /// The game to which the same command has led before, unless it is over.
    async fn found_before(&self) -> Result<Option<GameId>, ApiError> {
        let Pairing { app, caller, key, .. } = self;
        let Some(key) = key else { return Ok(None) };
        for game in app.quota.unfinished_games(caller.id()).await? {
            if app.rooms.look(app, game).await?.done(caller.id(), key).is_some() {
                return Ok(Some(game));
            }
        }
        let command = StoredKey { sender: caller.id(), key: key.shared() };
        let Some(made) = app.storage.store.game_created_by(&command).await? else {
            return Ok(None);
        };
        let is_over = app.rooms.look(app, made).await?.phase() == Phase::Over;
        Ok((!is_over).then_some(made))
    }

    /// Brings two together who looked at the same moment, found nobody, and opened a game each. Answers
    /// the game in which the caller plays, if somebody was there. Those that were `known` before can't be
    /// joined.
    async fn meet(&self, own: &GameView, known: &[GameId]) -> Result<Option<GameView>, ApiError> {
        for look in 1..=LOOKS {
            let mut others = self.waiting().await?.others;
            others.retain(|game| !known.contains(game));
            let (older, younger): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|id| *id < own.id);
            // Whose game is younger joins the other.
            if let Some(view) = self.join_one(&older).await? {
                self.abort(own.id, None).await?;
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
            if !self.abort(own.id, seen).await? {
                return Ok(Some(self.show(own.id).await?));
            }
            if let Some(view) = self.join_one(&younger).await? {
                return Ok(Some(view));
            }
        }
        // Whoever was there has gone.
        let Pairing { app, caller, setup, .. } = self;
        Ok(Some(begin(app, caller, setup.clone(), None).await?))
    }

    /// Joins the first game of a list that can be joined.
    async fn join_one(&self, games: &[GameId]) -> Result<Option<GameView>, ApiError> {
        for &game in games {
            if is_inviting(&self.app, game).await?
                && let Some(view) = self.join(game).await?
            {
                return Ok(Some(view));
            }
        }
        Ok(None)
    }

    /// Calls a game of the caller's off. Answers whether it could be.
    async fn abort(&self, game: GameId, seen: Option<Seen>) -> Result<bool, ApiError> {
        let Pairing { app, caller, .. } = self;
        let (actor, command) = (Actor::Identity(caller.id()), Command::Abort);
        match app.rooms.order(app, game, Order { actor, seen, seat: None, command }).await {
            Ok(_) => Ok(true),
            Err(Failure::Refused(..)) => Ok(false),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn waiting(&self) -> Result<Waiting, ApiError> {
        let Pairing { app, caller, setup, .. } = self;
        let (mut own, mut others) = (None, Vec::new());
        let mut query = GameQuery {
            phase: Some(GamePhase::Open),
            player: None,
            public_only: true,
            rules: Some(setup.rules.clone()),
            before: None,
            limit: PAGE,
        };
        let league = setup.league.as_deref();
        let rating = rating(app, league, caller.id());
        for _ in 0..PAGES {
            let games = app.storage.log.games(&query).await?;
            for game in &games {
                let summary: Option<Summary> = serde_json::from_str(&game.listing.detail).ok();
                let Some(summary) = summary.filter(|summary| fits(game, summary, setup)) else {
                    continue;
                };
                let seats = || game.listing.seats.iter().zip(&summary.players);
                let mut seated = seats().filter(|(_, player)| player.name.is_some());
                if seated.any(|(who, _)| *who == Some(caller.id())) {
                    // The one in which they have waited longest.
                    own = Some(game.game);
                    continue;
                }
                let ratings = game.listing.seats.iter().flatten();
                let distance = |id: &IdentityId| (self::rating(app, league, *id) - rating).abs();
                others.push((ratings.map(distance).max().unwrap_or_default(), game.game));
            }
            query.before = games.last().map(|game| game.game);
            if games.len() < PAGE as usize || others.len() >= CHOICE {
                break;
            }
        }
        // Of those who are equally near, who has waited longest comes first.
        others.sort();
        Ok(Waiting { others: others.into_iter().map(|(_, game)| game).collect(), own })
    }

    /// Joins a game, unless someone else was faster.
    async fn join(&self, game: GameId) -> Result<Option<GameView>, ApiError> {
        let Pairing { app, caller, key, .. } = self;
        let command = Command::Join { who: caller.joining(), symbol: None };
        let actor = Actor::Identity(caller.id());
        // Joining does not depend on what was seen of the game.
        let seen = key.clone().map(|key| Seen { seq: 0, key });
        let order = Order { actor, seen, seat: None, command };
        match app.rooms.order(app, game, order).await {
            Ok(done) => Ok(Some(app.view_for(&done.game, Some(caller.id())))),
            Err(Failure::Refused(..) | Failure::NoGame) => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn show(&self, game: GameId) -> Result<GameView, ApiError> {
        let Pairing { app, caller, .. } = self;
        let game = app.rooms.look(app, game).await?;
        live::attend(app, &game, caller.id()).await;
        live::expect_back(app, &game, caller.id());
        Ok(app.view_for(&game, Some(caller.id())))
    }
}

/// Whether somebody may be led into a game: not if it is half lost, nor if nobody is there.
async fn is_inviting(app: &Arc<App>, game: GameId) -> Result<bool, ApiError> {
    match app.rooms.look(app, game).await {
        Ok(game) => Ok(begins_empty(&game) && is_attended(app, &game)),
        Err(Failure::NoGame) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
}

/// Whether those who wait are there. Of players at other servers it is known only when they leave.
fn is_attended(app: &App, game: &OnlineGame) -> bool {
    let is_alone = app.storage.store.path().is_some();
    let (room, grace) = (app.rooms.find(game.id()), app.config.grace());
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

/// Games that wait for a player.
struct Waiting {
    /// Of others, the nearest in rating first.
    others: Vec<GameId>,
    /// Of the caller's own.
    own: Option<GameId>,
}

/// Whether a game that waits is such a one, and has a seat for anybody.
fn fits(game: &ListedGame, summary: &Summary, wanted: &Setup) -> bool {
    let mut players = summary.players.iter();
    game.listing.league == wanted.league
        && summary.clock == wanted.clock
        && players.any(|player| player.name.is_none() && player.invited.is_none())
}

fn rating(app: &App, league: Option<&str>, player: IdentityId) -> i64 {
    app.storage.rating(league.unwrap_or(LEAGUE), player).unwrap_or(NEWCOMER)
}
