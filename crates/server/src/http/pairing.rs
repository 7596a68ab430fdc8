//! Quick pairing with players who wait for the same game, nearest in rating first.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use noughts_api::{
    CommandRequest, ErrorBody, GameId, GamePhase, GameSetup, GameView, IdempotencyKey, IdentityId,
    NewGame, NewSeat, PairingRequest, PlayerCommand, SummaryDetails,
};
use noughts_store::{CommandKey, GameQuery, ListedGame};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::create::setup;
use super::error::ApiError;
use super::games::{create_from, created, view};
use super::input::JsonBody;
use super::rules::requested_rules;
use crate::app::App;
use crate::game::{OnlineGame, Refusal};
use crate::limits::ClientAddress;
use crate::live::{Accepted, Failure};

/// The waiting games to choose from.
const MAX_CANDIDATES: usize = 100;

/// Pages of open games searched for candidates.
const MAX_SEARCHED_PAGES: usize = 10;

const PAGE_SIZE: u32 = 200;

/// How often a player who has just opened a game looks for others who did at the same moment.
const MAX_LOOKS: usize = 6;

const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// Attempts to abort a game that changes meanwhile.
const MAX_ABORT_ATTEMPTS: usize = 5;

/// The assumed rating of players without one.
const INITIAL_RATING: i64 = 1500;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(pair))
}

/// Find an opponent
///
/// Joins an open game with the same rules and clock, of a player with a similar rating. If there is
/// none, creates one in which you wait; the command `abort` ends that. Wait with a WebSocket open, or
/// show the game every second or two: games whose player is away are not joined.
#[utoipa::path(post, path = "/pairings", tag = "games", request_body = PairingRequest,
    responses((status = 201, body = GameView), (status = 401, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn pair(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    JsonBody(request): JsonBody<PairingRequest>,
) -> Result<Response, ApiError> {
    app.limits.check_new_game(client, caller.id(), 0)?;
    let rules = requested_rules(&app, &request.rules).map_err(ApiError::Invalid)?;
    let anyone = (1..rules.players()).map(|_| NewSeat::Anyone { symbol: None });
    let new_game = NewGame {
        rules: rules.to_string(),
        seats: [NewSeat::Me { name: None, symbol: None }].into_iter().chain(anyone).collect(),
        shuffle: true,
        rated: request.rated,
        league: None,
        clock: request.clock,
        public: true,
        moves: Vec::new(),
        away_seconds: None,
        key: None,
    };
    let setup = setup(&app, &caller, &new_game).await?;
    // Of casual games, the ratings of the same kind of game are compared.
    let league = setup.league.clone().unwrap_or_else(|| app.config.league_of(&rules).name);
    let pairing = PairingAttempt { app, caller, setup, league, key: request.key };
    Ok(created(pairing.pair().await?))
}

/// An attempt to pair a player who is looking for a game.
struct PairingAttempt {
    app: Arc<App>,
    caller: Caller,
    setup: GameSetup,
    /// Where ratings are compared.
    league: String,
    key: Option<IdempotencyKey>,
}

impl PairingAttempt {
    async fn pair(&self) -> Result<GameView, ApiError> {
        let PairingAttempt { app, caller, setup, key, .. } = self;
        if let Some(game) = self.previous_game().await? {
            return self.show(game).await;
        }
        let waiting = self.waiting().await?;
        if let Some(own) = waiting.own
            && starts_empty(&app.games.snapshot(own, None).await?.game)
        {
            // Of two waiting players, the one with the newer game joins the other.
            let older: Vec<_> = waiting.others.into_iter().filter(|game| *game < own).collect();
            return match self.join_one(&older).await? {
                Some(view) => self.abort(own).await.map(|()| view),
                None => self.show(own).await,
            };
        }
        let permit = app.quota.acquire(caller.id()).await?;
        if let Some(view) = self.join_one(&waiting.others).await? {
            return Ok(view);
        }
        drop(permit);
        let own = create_from(app, caller, setup.clone(), key.as_ref()).await?;
        Ok(self.meet(&own, &waiting.others).await?.unwrap_or(own))
    }

    /// The game that the same request led to before, unless it is over.
    async fn previous_game(&self) -> Result<Option<GameId>, ApiError> {
        let PairingAttempt { app, caller, key, .. } = self;
        let Some(key) = key else { return Ok(None) };
        for game in app.quota.unfinished_games(caller.id()).await? {
            if app.games.snapshot(game, None).await?.game.accepted_at(caller.id(), key).is_some() {
                return Ok(Some(game));
            }
        }
        let command = CommandKey { sender: caller.id(), key: key.clone() };
        let Some(game) = app.storage.store.game_created_by(&command).await? else {
            return Ok(None);
        };
        let phase = app.games.snapshot(game, None).await?.game.phase();
        Ok((phase != GamePhase::Finished).then_some(game))
    }

    /// Pairs players who looked at the same moment, found nobody, and each opened a game. Returns the
    /// game in which the caller plays, if there was somebody. The `known` games can't be joined.
    async fn meet(&self, own: &GameView, known: &[GameId]) -> Result<Option<GameView>, ApiError> {
        for look in 1..=MAX_LOOKS {
            let mut others = self.waiting().await?.others;
            others.retain(|game| !known.contains(game));
            let (older, younger): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|id| *id < own.id);
            // The player with the newer game joins the other.
            if let Some(view) = self.join_one(&older).await? {
                self.abort(own.id).await?;
                return Ok(Some(view));
            }
            if younger.is_empty() {
                return Ok(None);
            }
            if look < MAX_LOOKS {
                tokio::time::sleep(LOOK_INTERVAL).await;
                continue;
            }
            // Nobody came: they had looked before this game was stored. If somebody joins before it is
            // aborted, it is played.
            if !self.abort_at(own.id, own.seq).await? {
                return Ok(Some(self.show(own.id).await?));
            }
            if let Some(view) = self.join_one(&younger).await? {
                return Ok(Some(view));
            }
        }
        // The others have gone.
        let PairingAttempt { app, caller, setup, .. } = self;
        Ok(Some(create_from(app, caller, setup.clone(), None).await?))
    }

    /// Joins the first game of a list that can be joined.
    async fn join_one(&self, games: &[GameId]) -> Result<Option<GameView>, ApiError> {
        for &game in games {
            if is_joinable(&self.app, game).await?
                && let Some(view) = self.join(game).await?
            {
                return Ok(Some(view));
            }
        }
        Ok(None)
    }

    /// Aborts a game of the caller's that they don't need any more, if it can still be aborted.
    async fn abort(&self, game: GameId) -> Result<(), ApiError> {
        for _ in 0..MAX_ABORT_ATTEMPTS {
            let seq = self.app.games.snapshot(game, None).await?.game.seq();
            match self.command(game, PlayerCommand::Abort, seq, self.new_key()).await {
                Err(Failure::Refused(Refusal::Stale { .. }, _)) => {}
                Ok(_) | Err(Failure::Refused(..)) => return Ok(()),
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(())
    }

    /// Aborts a game of the caller's unless it has changed since `seq`. Returns whether it did.
    async fn abort_at(&self, game: GameId, seq: u32) -> Result<bool, ApiError> {
        match self.command(game, PlayerCommand::Abort, seq, self.new_key()).await {
            Ok(_) => Ok(true),
            Err(Failure::Refused(..)) => Ok(false),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn command(
        &self,
        game: GameId,
        command: PlayerCommand,
        seq: u32,
        key: IdempotencyKey,
    ) -> Result<Accepted, Failure> {
        let player = Arc::new(self.caller.participant());
        let request = CommandRequest { command, seq, key, seat: None };
        self.app.games.command(game, player, request, None).await
    }

    /// An idempotency key for a command of the server on behalf of the player.
    fn new_key(&self) -> IdempotencyKey {
        let id = self.app.games.new_game_id().to_string();
        IdempotencyKey::new(&id).expect("ids are short ASCII texts")
    }

    async fn waiting(&self) -> Result<Waiting, ApiError> {
        let PairingAttempt { app, caller, setup, league, .. } = self;
        let (mut own, mut others) = (None, Vec::new());
        let mut query = GameQuery {
            phase: Some(GamePhase::Open),
            player: None,
            public_only: true,
            rules: Some(setup.rules.clone()),
            before: None,
            limit: PAGE_SIZE,
        };
        let rating = rating(app, league, caller.id());
        let blocked = app.storage.store.blocked_either_way(caller.id()).await?;
        for _ in 0..MAX_SEARCHED_PAGES {
            let games = app.storage.log.games(&query).await?;
            for game in &games {
                let details: Option<SummaryDetails> =
                    serde_json::from_str(&game.listing.detail).ok();
                let Some(details) = details.filter(|details| matches(game, details, setup)) else {
                    continue;
                };
                let seats = || game.listing.seats.iter().zip(&details.players);
                let mut seated = seats().filter(|(_, player)| player.name.is_some());
                if seated.any(|(who, _)| *who == Some(caller.id())) {
                    // The oldest one is the last.
                    own = Some(game.game);
                    continue;
                }
                if game.listing.seats.iter().flatten().any(|player| blocked.contains(player)) {
                    continue;
                }
                let ratings = game.listing.seats.iter().flatten();
                let distance = |id: &IdentityId| (self::rating(app, league, *id) - rating).abs();
                others.push((ratings.map(distance).max().unwrap_or_default(), game.game));
            }
            query.before = games.last().map(|game| game.game);
            if games.len() < PAGE_SIZE as usize || others.len() >= MAX_CANDIDATES {
                break;
            }
        }
        // At equal distance, the oldest game comes first.
        others.sort();
        Ok(Waiting { others: others.into_iter().map(|(_, game)| game).collect(), own })
    }

    /// Joins a game, unless somebody else was faster.
    async fn join(&self, game: GameId) -> Result<Option<GameView>, ApiError> {
        let key = self.key.clone().unwrap_or_else(|| self.new_key());
        match self.command(game, PlayerCommand::Join { symbol: None }, 0, key).await {
            Ok(accepted) => {
                Ok(Some(self.app.games.view_for(&accepted.game, Some(self.caller.id()))))
            }
            Err(Failure::Refused(..) | Failure::NoGame) => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn show(&self, game: GameId) -> Result<GameView, ApiError> {
        view(&self.app, game, Some(self.caller.id()), 0).await
    }
}

/// Whether a game starts with an empty board, and its players are there.
async fn is_joinable(app: &Arc<App>, game: GameId) -> Result<bool, ApiError> {
    match app.games.snapshot(game, None).await {
        Ok(snapshot) => {
            Ok(starts_empty(&snapshot.game) && snapshot.is_complete(app.storage.is_shared))
        }
        Err(Failure::NoGame) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
}

fn starts_empty(game: &OnlineGame) -> bool {
    game.setup().moves.is_empty()
}

/// Open games that match a request.
struct Waiting {
    /// Of other players, nearest in rating first.
    others: Vec<GameId>,
    /// The caller's own.
    own: Option<GameId>,
}

/// Whether an open game has the requested league and clock, and a free seat for anybody.
fn matches(game: &ListedGame, details: &SummaryDetails, request: &GameSetup) -> bool {
    let mut players = details.players.iter();
    game.listing.league == request.league
        && details.clock == request.clock
        && players.any(|player| player.name.is_none() && player.invited.is_none())
}

fn rating(app: &App, league: &str, player: IdentityId) -> i64 {
    app.storage.rating(league, player).unwrap_or(INITIAL_RATING)
}
