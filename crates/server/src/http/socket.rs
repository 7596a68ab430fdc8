//! A game over a WebSocket: events come as they happen, commands go the other way.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use noughts_api::ErrorBody;
use noughts_rules::{Cell, Seat};
use noughts_store::{GameId, IdentityId, TokenHash};
use serde::Deserialize;
use tokio::sync::oneshot;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller};
use super::connection::Connection;
use super::error::ApiError;
use super::games::game_permit;
use super::input::{Asked, Object, OfGame};
use super::origin::SameSite;
use super::upgrade::Upgrade;
use crate::app::App;
use crate::game::{Actor, Command, CommandKey, Order, Seen, Text};
use crate::limits::{AddressPermit, ClientAddress, CommandLimiter};
use crate::live::{self, Answer, Frames, Letter, Outbox, Room, Watcher};

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(socket))
}

/// What a client has seen.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Resume {
    /// The sequence number of the last event that you have seen: what happened since comes first.
    /// Without it, the whole game does.
    since: Option<u32>,
}

/// Play or watch over a WebSocket
///
/// Texts are JSON objects. From the server:
///
/// - `{"type":"state","game":{…}}`: the whole game, as `GET /games/{id}` has it;
/// - events, `{"seq":5,"at":…,"type":"moved","seat":0,"cell":"A1","turn":1}`: `turn` is whose turn
///   it is afterwards, `result` how the game ended, `clock` what is left of everyone's time,
///   `legal` which cells can be taken next where gravity decides that. The types are `created`,
///   `joined`, `renamed`, `moved`, `undo_asked`, `undo_agreed`, `undo_refused`, `undone` (`to` actions are
///   left), `resigned` (`why`), `aborted`, `abandoned`, `left`, `returned`, `clock_held`,
///   `rematch_asked`, `rematch_withdrawn` (who asked has gone, where there is a clock or a rating to
///   lose) and `rematch` (`game` is the next one). Sequence numbers have no gaps;
/// - `{"type":"done","key":"…","seq":5}`: your command was done;
/// - `{"type":"refused","key":"…","code":"not_your_turn","message":"…"}`, with the whole `game`
///   where you did not know it;
/// - `{"type":"lag","seat":0,"ms":43}`: how long messages take to a player and back.
///
/// To the server, each with the last `seq` that you have seen and a `key` of your choice:
/// `{"do":"move","cell":"A1","seq":4,"key":"k7"}`, and likewise `undo`, `answer_undo` (with
/// `agree`), `resign`, `abort`, `claim`, `rematch`; `seat` tells your seats apart if you have
/// several. After a lost connection, come back with `since`.
///
/// The server closes with 1012 when it restarts (come back), 4401 when you were signed out, 1008
/// when you do not read what it sends or ping it too often, 1009 after a message of more than 4 kB,
/// and 1003 after one that is not text.
#[utoipa::path(get, path = "/games/{id}/socket", tag = "games",
    params(("id" = String, Path, description = "The game"), Resume),
    responses((status = 101, description = "the WebSocket opens"),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 426, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn socket(
    State(app): State<Arc<App>>,
    _: SameSite,
    client: ClientAddress,
    AnyCaller(caller): AnyCaller,
    OfGame(game): OfGame,
    Asked(resume): Asked<Resume>,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let mut upgrade = upgrade?;
    let permit = app.limits.open_socket(client)?;
    let room = app.rooms.room(game);
    if room.watchers() >= app.config.watchers_per_game()
        && !is_player(&app, game, caller.as_ref()).await?
    {
        return Err(ApiError::TooMany("too many watch this game already"));
    }
    // Watching begins before the connection is there, so that a game that does not exist is told
    // by its status.
    let outbox = Arc::new(Outbox::default());
    let watcher = Watcher::new(caller.as_ref().map(Caller::id), outbox.clone());
    let id = watcher.id;
    let who = caller.map(|caller| Who { identity: caller.id(), token: caller.token.hash });
    let limiter = who.map(|who| app.limits.command_limiter(who.identity));
    let watching = Watching { app: app.clone(), room, id, who, outbox, permit, limiter };
    watch(&watching, watcher, resume.since).await?;
    let response = std::mem::take(&mut upgrade.response);
    app.lifecycle.connections.spawn(async move {
        if let Some((stream, read)) = upgrade.stream().await {
            let connections = watching.app.lifecycle.connections.clone();
            // A task of its own, which has no room for what came before.
            connections.spawn(Connection::new(watching, stream, read).serve());
        }
    });
    Ok(response)
}

/// Whoever plays is let in, however many watch.
async fn is_player(
    app: &Arc<App>,
    game: GameId,
    caller: Option<&Caller>,
) -> Result<bool, ApiError> {
    let Some(caller) = caller else { return Ok(false) };
    Ok(app.rooms.look(app, game).await?.seats_of(caller.id()).next().is_some())
}

/// Joins the watchers, from where the client has seen the game.
async fn watch(watching: &Watching, watcher: Watcher, since: Option<u32>) -> Result<(), ApiError> {
    let (answer, answered) = oneshot::channel();
    let letter = Letter::Watch { watcher: Box::new(watcher), since, answer };
    watching.app.rooms.send_to(&watching.app, &watching.room, letter).await;
    Ok(answered.await.map_err(|_| ApiError::Unavailable)??)
}

/// Who is connected, and by which right.
#[derive(Debug, Clone, Copy)]
pub(super) struct Who {
    pub(super) identity: IdentityId,
    pub(super) token: TokenHash,
}

/// Someone who watches. When it is dropped, they do not any more.
pub(super) struct Watching {
    pub(super) app: Arc<App>,
    pub(super) room: Arc<Room>,
    id: u64,
    pub(super) who: Option<Who>,
    /// What the client is told. The room closes it when the client is too slow.
    pub(super) outbox: Arc<Outbox>,
    permit: AddressPermit,
    /// How much the client may say, if they have said who they are.
    limiter: Option<CommandLimiter>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.room.leave(self.id);
        let who = self.who.map(|who| who.identity).filter(|who| self.room.misses(*who));
        live::leave_later(&self.app, self.room.clone(), who);
    }
}

/// What a client sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Incoming<'a> {
    r#do: &'a str,
    seq: u32,
    key: CommandKey,
    #[serde(borrow)]
    cell: Option<Text<'a>>,
    agree: Option<bool>,
    seat: Option<u8>,
}

/// The order in a letter, if it begins another game, which not everybody may have.
pub(super) fn beginning(letter: &Letter) -> Option<&Order> {
    match letter {
        Letter::Order(order) if matches!(order.0.command, Command::Rematch { .. }) => {
            Some(&order.0)
        }
        _ => None,
    }
}

/// What a text from a client comes to: a letter to the game, or a refusal of the command with this key.
pub(super) type Heard = Result<Letter, (Option<CommandKey>, ApiError)>;

impl Incoming<'_> {
    fn command(&self, app: &App) -> Result<Command, ApiError> {
        Ok(match self.r#do {
            "move" => Command::Move { cell: self.cell()? },
            "undo" => Command::AskUndo,
            "answer_undo" => {
                let agree = self.agree.ok_or(ApiError::Invalid("expected `agree`".into()))?;
                Command::AnswerUndo { agree }
            }
            "resign" => Command::Resign,
            "abort" => Command::Abort,
            "claim" => Command::Claim,
            "rematch" => Command::Rematch { next: app.new_game_id() },
            _ => {
                let expected =
                    "do: expected move, undo, answer_undo, resign, abort, claim or rematch";
                return Err(ApiError::Invalid(expected.into()));
            }
        })
    }

    fn cell(&self) -> Result<Cell, ApiError> {
        let text = self.cell.as_ref().ok_or(ApiError::Invalid("expected `cell`".into()))?;
        text.0.parse().map_err(|error| ApiError::Invalid(format!("cell: {error}")))
    }
}

impl Watching {
    /// Hears a command for the game.
    pub(super) fn hear(&self, text: &str) -> Heard {
        let Object(incoming): Object<Incoming> = serde_json::from_str(text).map_err(|error| {
            let not_one = ApiError::Malformed(format!("not a command: {error}"));
            (None, self.count().err().unwrap_or(not_one))
        })?;
        let failed = |error| (Some(incoming.key.clone()), error);
        self.count().map_err(failed)?;
        let who = self.who.ok_or(ApiError::SignInNeeded).map_err(failed)?;
        let command = incoming.command(&self.app).map_err(failed)?;
        let seat = match incoming.seat {
            Some(seat) => Some(
                Seat::new(seat)
                    .ok_or_else(|| failed(ApiError::Invalid("seats go from 0 to 7".into())))?,
            ),
            None => None,
        };
        let seen = Some(Seen { seq: incoming.seq, key: incoming.key });
        let order = Order { actor: Actor::Identity(who.identity), seen, seat, command };
        Ok(Letter::Order(Box::new((order, Answer::Watcher(self.id)))))
    }

    /// Passes a letter on to the game, however long that takes, unless it can't be.
    pub(super) async fn pass_on(
        &self,
        letter: Letter,
    ) -> Result<(), (Option<CommandKey>, ApiError)> {
        let (app, room) = (&self.app, &self.room);
        let Some((who, order)) = self.who.zip(beginning(&letter)) else {
            app.rooms.send_to(app, room, letter).await;
            return Ok(());
        };
        let key = order.seen.as_ref().map(|seen| seen.key.clone());
        let permit = game_permit(app, who.identity, room.key(), key.as_ref());
        let _permit = permit.await.map_err(|error| (key, error))?;
        app.rooms.send_to(app, room, letter).await;
        // Letters are opened in turn: when this one is answered, the next game is stored, if there is
        // one.
        let _ = app.rooms.look(app, room.key()).await;
        Ok(())
    }

    /// Counts a message of the client.
    pub(super) fn count(&self) -> Result<(), ApiError> {
        Ok(self.app.limits.check_message(self.limiter.as_ref(), &self.permit)?)
    }

    /// Lets everyone in the game see how far away a player is.
    pub(super) fn tell_lag(&self, lag: Duration) {
        let Some(who) = self.who else { return };
        let ms = u64::try_from(lag.as_millis()).unwrap_or(u64::MAX);
        let seats = self.room.seats_of(who.identity).into_iter();
        let mut news: Frames = seats.map(|seat| live::lag(seat, ms)).collect();
        self.room.tell(&mut news, None);
    }
}
