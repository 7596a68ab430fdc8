//! What changes in the store with the events of a game: lists, results, rematches.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use noughts_rules::Outcome;
use noughts_scores::{Outcome as ScoreOutcome, System};
use noughts_store::{
    Append, AppendError, CommandKey as StoredKey, GameId, GamePhase, IdentityId, IdentityKind,
    LeagueChoice, LeagueResult, Listing, ResultPlayer,
};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use tokio::sync::Notify;
use utoipa::ToSchema;

use crate::app::App;
use crate::game::{
    ClockRule, CommandKey, Event, Holder, Joining, Millis, OnlineGame, Phase, PlayerType, Setup,
};

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Summary {
    /// Who plays, in seat order.
    pub(crate) players: Vec<SummaryPlayer>,
    /// The clock, if there is one.
    pub(crate) clock: Option<ClockRule>,
    /// When it was created, in milliseconds since 1970.
    pub(crate) created_at: Millis,
    /// Who won: a seat from 0.
    pub(crate) winner: Option<u8>,
    /// How it ended: `line`, `draw`, `resigned`, `time`, `left`, `forfeit`, `aborted` or
    /// `abandoned`.
    pub(crate) how: Option<String>,
}

/// Someone in a game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct SummaryPlayer {
    /// The name; none while the seat is free.
    pub(crate) name: Option<String>,
    /// What kind of player; none while the seat is free.
    pub(crate) kind: Option<PlayerType>,
    /// For whom a free seat is kept.
    pub(crate) invited: Option<String>,
}

/// What has to be known of a game before something happens in it.
pub(super) struct Before {
    pub(super) seq: u32,
    pub(super) phase: Phase,
    pub(super) has_next: bool,
    pub(super) needs_players: bool,
    seated: u32,
}

impl Before {
    pub(super) fn of(game: &OnlineGame) -> Before {
        Before {
            seq: game.seq(),
            phase: game.phase(),
            has_next: game.next().is_some(),
            needs_players: game.needs_players(),
            seated: game.seated(),
        }
    }

    /// Whether everybody sits where they sat.
    pub(super) fn has_seats_of(&self, after: &OnlineGame) -> bool {
        self.seated == after.seated()
    }
}

/// Everything that is stored together when these events happen.
pub(super) fn append(
    app: &App,
    before: &Before,
    after: &OnlineGame,
    events: SmallVec<[String; 1]>,
    at: Millis,
    key: Option<(IdentityId, &CommandKey)>,
) -> Append {
    let changed = before.phase != after.phase();
    let ended = changed && after.phase() == Phase::Over;
    let listed = changed || !before.has_seats_of(after);
    Append {
        game: after.id(),
        expected: u64::from(before.seq),
        events,
        at,
        due: after.wake(),
        key: key.map(|(sender, key)| StoredKey { sender, key: key.shared() }),
        // Deciding began with a look at the keys of all events.
        key_is_fresh: true,
        listing: listed.then(|| Box::new(listing(app, after))),
        result: if ended { result(app, after).map(Box::new) } else { None },
    }
}

/// Commands that are making a game at this moment: sent twice at once, they make one.
#[derive(Debug, Default)]
pub(crate) struct Creating {
    commands: Mutex<HashSet<StoredKey>>,
    /// Tells those who sent one that is under way that one is not any more.
    made: Notify,
}

/// A command that is making a game.
struct Making {
    app: Arc<App>,
    command: StoredKey,
}

impl Making {
    /// Begins it, after the same that is under way, which has made the game then.
    async fn begin(app: &Arc<App>, command: StoredKey) -> Making {
        let Creating { commands, made } = &app.rooms.creating;
        loop {
            let mut other = pin!(made.notified());
            // From here on nothing is missed.
            other.as_mut().enable();
            let is_first = {
                let mut commands = commands.lock().unwrap_or_else(PoisonError::into_inner);
                commands.insert(command.clone())
            };
            if is_first {
                return Making { app: app.clone(), command };
            }
            other.await;
        }
    }

    async fn make(&self, setup: Setup) -> Result<GameId, CreateError> {
        let Making { app, command } = self;
        let made = app.storage.store.game_created_by(command).await;
        if let Some(game) = made.map_err(|error| CreateError(error.to_string()))? {
            return Ok(game);
        }
        create(app, app.new_game_id(), setup, Some(command.clone())).await
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        let Creating { commands, made } = &self.app.rooms.creating;
        commands.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.command);
        made.notify_waiters();
    }
}

/// Makes a game of somebody's wish. The same command again answers with the same game.
pub(crate) async fn create_once(
    app: &Arc<App>,
    setup: Setup,
    sender: IdentityId,
    key: &CommandKey,
) -> Result<GameId, CreateError> {
    let command = StoredKey { sender, key: key.shared() };
    let making = Making::begin(app, command).await;
    // Whoever asked may go away meanwhile. It is underway all the same.
    let made = app.lifecycle.tasks.spawn(async move { making.make(setup).await });
    made.await.map_err(|error| CreateError(error.to_string()))?
}

/// Makes a game, unless there is one with this key already. It is in memory then: whoever has made
/// it comes to see it.
pub(crate) async fn create(
    app: &Arc<App>,
    game: GameId,
    setup: Setup,
    key: Option<StoredKey>,
) -> Result<GameId, CreateError> {
    let failed = CreateError;
    let rules = app.rules.get(&setup.rules).map_err(|error| failed(error.to_string()))?;
    let at = app.now();
    let created = Event::Created(Box::new(setup.clone()));
    let state = OnlineGame::create(game, rules, setup, at);
    let state = state.map_err(|error| failed(error.to_string()))?;
    let append = Append {
        game,
        expected: 0,
        events: smallvec![created.to_json()],
        at,
        due: state.wake(),
        key,
        key_is_fresh: false,
        listing: Some(Box::new(listing(app, &state))),
        result: None,
    };
    // Another server may play in it as soon as it is in the log, and its notices must not be missed.
    let task = app.rooms.expect(app, game);
    match app.storage.writer.append(append).await {
        Ok(appended) => {
            if let Some(task) = task.filter(|_| !appended.repeated) {
                // A task that has gone is started again by whoever asks for the game.
                let _ = task.send(Box::new(state));
            }
            metrics::counter!("noughts_games_created_total").increment(1);
            Ok(game)
        }
        Err(AppendError::Conflict { .. }) => Ok(game),
        // Another server was faster with the same command.
        Err(AppendError::AlreadyCreated { game }) => Ok(game),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// Why a game could not be made.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct CreateError(String);

/// Makes the game after this one, unless that was done before.
pub(super) async fn begin_rematch(app: &Arc<App>, game: &OnlineGame) {
    let Some(next) = game.next() else { return };
    let mut setup = game.rematch();
    for seat in &mut setup.seats {
        if let Holder::Taken(joining) = &mut seat.holder
            && joining.kind == PlayerType::Guest
            && game.seats_of(joining.account).count() == 1
        {
            call_by_name(app, joining).await;
        }
    }
    if let Err(error) = create(app, next, setup, None).await {
        tracing::error!(%error, game = %game.id(), "could not begin a rematch");
    }
}

/// Who was a guest may have taken a name since.
async fn call_by_name(app: &App, joining: &mut Joining) {
    match app.accounts.identity(joining.account).await {
        Ok(Some(identity)) if identity.kind == IdentityKind::Account => {
            *joining = Joining::named(&identity);
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "could not look up a name"),
    }
}

fn listing(app: &App, game: &OnlineGame) -> Listing {
    let setup = game.setup();
    let seat = |holder: &Holder| match holder {
        Holder::Taken(joining) => Some(joining.account),
        Holder::Invited { account, .. } => Some(*account),
        Holder::Computer { level } => app.accounts.computer(level),
        Holder::Open => None,
    };
    Listing {
        phase: match game.phase() {
            Phase::Open => GamePhase::Open,
            Phase::Live => GamePhase::Live,
            Phase::Over => GamePhase::Finished,
        },
        public: setup.public,
        rules: setup.rules.clone(),
        league: setup.league.clone(),
        rated: setup.league.is_some(),
        seats: game.seats().iter().map(|place| seat(&place.holder)).collect(),
        detail: serde_json::to_string(&summary(game)).unwrap_or_default(),
    }
}

fn summary(game: &OnlineGame) -> Summary {
    let result = game.result_view();
    Summary {
        players: game
            .player_views()
            .into_iter()
            .map(|player| SummaryPlayer {
                name: player.name,
                kind: player.kind,
                invited: player.invited,
            })
            .collect(),
        clock: game.setup().clock,
        created_at: game.created_at(),
        winner: result.as_ref().and_then(|result| result.winner),
        how: result.map(|result| result.how.to_string()),
    }
}

/// What a rated game counts as.
fn result(app: &App, game: &OnlineGame) -> Option<LeagueResult> {
    let name = game.setup().league.as_deref()?;
    // The settings may be others than when the game began. It counts all the same, in the league that
    // is stored.
    let stored = || LeagueChoice { name: name.into(), system: System::Glicko2 };
    let league = app.config.league(name).unwrap_or_else(stored);
    let outcome = match game.ending()?.outcome()? {
        Outcome::Win(seat) => ScoreOutcome::Won { seat: seat.index() as u8 },
        Outcome::Draw => ScoreOutcome::Draw,
    };
    let players = game.seats().iter().zip(game.game()?.players()).map(|(seat, player)| {
        let identity = match &seat.holder {
            Holder::Taken(joining) => Some(joining.account),
            Holder::Computer { level } => app.accounts.computer(level),
            Holder::Open | Holder::Invited { .. } => None,
        };
        Some(ResultPlayer { identity: identity?, name: player.name().to_string() })
    });
    let players = players.collect::<Option<Vec<_>>>()?;
    Some(LeagueResult { league, players, outcome, record: game.game()?.to_string() })
}
