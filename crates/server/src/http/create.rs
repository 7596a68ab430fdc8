//! From what someone wants to play to the setup of a game.

use noughts_rules::{Player, Seat, Symbol};
use serde::Deserialize;
use utoipa::ToSchema;

use super::caller::Caller;
use super::error::ApiError;
use crate::accounts::names;
use crate::accounts::secrets::random;
use crate::app::App;
use crate::config::{LEAGUE, LEAGUE_OF_MANY};
use crate::game::{ClockRule, CommandKey, Holder, Joining, Refusal, SeatSetup, Setup, StoredCell};

/// A game that someone wants.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The rules, such as `3x3`, `15x15:5+exact`, `6x7:4+gravity` or a preset such as `connect4`.
    #[serde(default = "classic")]
    #[schema(default = "3x3")]
    pub(super) rules: String,
    /// Who sits where, in the order of play.
    pub(super) seats: Vec<NewSeat>,
    /// Whether chance decides who sits where.
    #[serde(default)]
    pub(super) shuffle: bool,
    /// Whether the game counts.
    #[serde(default)]
    pub(super) rated: bool,
    /// In which league it counts; the server's own if it is missing.
    pub(super) league: Option<String>,
    /// The clocks; none if they are missing.
    pub(super) clock: Option<ClockRule>,
    /// Whether everyone finds the game in lists. If not, only who has its link.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub(super) public: bool,
    /// Moves that are made already, from which a casual game is played on.
    #[serde(default)]
    pub(super) moves: Vec<String>,
    /// Seconds after which a player who stays away can be claimed against: 10 to 604800.
    #[schema(minimum = 10, maximum = 604_800)]
    pub(super) away_seconds: Option<u32>,
    /// Your name for this command: sent again, it makes no second game.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    pub(super) key: Option<CommandKey>,
}

/// For whom a seat is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(
    tag = "for",
    rename_all = "snake_case",
    deny_unknown_fields,
    expecting = r#"an object such as {"for":"me"}"#
)]
pub(crate) enum NewSeat {
    /// You.
    Me {
        /// What you are called in this game, where everybody plays at one screen.
        name: Option<String>,
        /// What your cells show.
        symbol: Option<String>,
    },
    /// Whoever comes first.
    Anyone {
        /// What their cells show.
        symbol: Option<String>,
    },
    /// The player with this name.
    Player {
        /// The name.
        name: String,
        /// What their cells show.
        symbol: Option<String>,
    },
    /// A computer.
    Computer {
        /// `random`, `easy`, `medium`, `hard` or `perfect`.
        level: String,
        /// What its cells show.
        symbol: Option<String>,
    },
}

fn classic() -> String {
    "3x3".into()
}

fn yes() -> bool {
    true
}

/// The setup that someone asks for, or why there is none.
pub(super) async fn setup(app: &App, caller: &Caller, wanted: &NewGame) -> Result<Setup, ApiError> {
    let rules = app.rules.get(&wanted.rules);
    let rules = rules.map_err(|error| ApiError::Invalid(format!("rules: {error}")))?;
    let (expected, got) = (rules.players(), wanted.seats.len());
    if got != expected {
        return Err(Refusal::SeatCount { expected, got }.into());
    }
    let mut seats = Vec::new();
    for seat in &wanted.seats {
        seats.push(self::seat(app, caller, seat, wanted).await?);
    }
    // Whoever makes a game plays in it: otherwise nothing would bound how many one can make.
    if !wanted.seats.iter().any(|seat| matches!(seat, NewSeat::Me { .. })) {
        return Err(ApiError::Invalid("seats: expected one that is for `me`".into()));
    }
    if wanted.shuffle {
        shuffle(&mut seats);
    }
    let waits = seats.iter().any(|seat| !seat.holder.is_seated());
    let setup = Setup {
        v: 1,
        rules: rules.to_string(),
        seats,
        league: league(app, wanted, rules.players())?,
        clock: wanted.clock,
        public: wanted.public,
        creator: caller.id(),
        away_ms: match wanted.away_seconds {
            Some(seconds @ 10..=604_800) => i64::from(seconds) * 1_000,
            Some(_) => {
                let expected = "away_seconds: expected 10 to 604800";
                return Err(ApiError::Invalid(expected.into()));
            }
            None => app.config.away_ms(),
        },
        idle_ms: app.config.abandon_ms(),
        open_ms: waits.then(|| app.config.open_ms()),
        rematch_of: None,
        series: None,
        moves: moves(wanted)?,
    };
    setup.check(&rules).map_err(|refusal| match refusal.status() {
        // Nothing has happened yet that could be in the way: it is the wish that makes no sense.
        409 => ApiError::Invalid(format!("moves: {refusal}")),
        _ => refusal.into(),
    })?;
    Ok(setup)
}

/// The moves from which the game is played on.
fn moves(wanted: &NewGame) -> Result<Vec<StoredCell>, ApiError> {
    if wanted.rated && !wanted.moves.is_empty() {
        return Err(ApiError::Invalid("moves: a rated game begins with an empty board".into()));
    }
    let cell = |text: &String| match text.parse() {
        Ok(cell) => Ok(StoredCell(cell)),
        Err(error) => Err(ApiError::Invalid(format!("moves: {error}"))),
    };
    wanted.moves.iter().map(cell).collect()
}

async fn seat(
    app: &App,
    caller: &Caller,
    seat: &NewSeat,
    wanted: &NewGame,
) -> Result<SeatSetup, ApiError> {
    let (holder, symbol) = match seat {
        NewSeat::Me { name, symbol } => {
            let mut me = caller.joining();
            if let Some(name) = name {
                me = named(app, me, name, wanted).await?;
            }
            (Holder::Taken(me), symbol)
        }
        NewSeat::Anyone { symbol } => (Holder::Open, symbol),
        NewSeat::Player { name, symbol } => {
            let found = app.storage.store.identity_named(&names::case_skeleton(name)).await?;
            let (identity, _) = found.ok_or(ApiError::NoPlayer)?;
            if identity.id == caller.id() {
                let expected = "seats: expected another player's name, or `me` for your own seat";
                return Err(ApiError::Invalid(expected.into()));
            }
            (Holder::Invited { account: identity.id, name: identity.name }, symbol)
        }
        NewSeat::Computer { level, symbol } => (Holder::Computer { level: level.clone() }, symbol),
    };
    Ok(SeatSetup { holder, symbol: symbol.clone() })
}

/// People who play at one screen say who they are. Nobody else may be called what they like: they
/// could pass for someone else, and so could these where everyone sees the game.
async fn named(app: &App, me: Joining, name: &str, wanted: &NewGame) -> Result<Joining, ApiError> {
    let is_here = |seat: &NewSeat| matches!(seat, NewSeat::Me { .. } | NewSeat::Computer { .. });
    if wanted.rated || !wanted.seats.iter().all(is_here) {
        let expected = "name: only people who play at one screen, and not rated, choose names";
        return Err(ApiError::Invalid(expected.into()));
    }
    let player = Player::new(name, Symbol::default_for(Seat::FIRST)).map_err(Refusal::Name)?;
    if wanted.public {
        let name =
            names::validate(name).map_err(|why| ApiError::Invalid(format!("name: {why}")))?;
        if app.storage.store.lookalikes(&name).await?.iter().any(|taker| *taker != me.account) {
            let whose = "name: that is somebody else's, who would seem to play in a public game";
            return Err(ApiError::Invalid(whose.into()));
        }
    }
    Ok(Joining { name: player.name().to_string(), ..me })
}

/// The league in which the game counts, if it does.
fn league(app: &App, wanted: &NewGame, players: usize) -> Result<Option<String>, ApiError> {
    if !wanted.rated {
        return match wanted.league {
            Some(_) => Err(ApiError::Invalid("league: only rated games count in one".into())),
            None => Ok(None),
        };
    }
    let default = if players == 2 { LEAGUE } else { LEAGUE_OF_MANY };
    let name = wanted.league.as_deref().unwrap_or(default);
    let league = app.config.league(name).ok_or(ApiError::NoLeague)?;
    let most = league.system.max_players();
    if players > most {
        let system = league.system;
        let reason = format!("league: {system} rates games of {most} players, not of {players}");
        return Err(ApiError::Invalid(reason));
    }
    Ok(Some(league.name))
}

/// Puts the seats into an order of chance (Fisher–Yates).
fn shuffle(seats: &mut [SeatSetup]) {
    for last in (1..seats.len()).rev() {
        let chosen = u64::from_le_bytes(random()) % (last as u64 + 1);
        seats.swap(last, chosen as usize);
    }
}
