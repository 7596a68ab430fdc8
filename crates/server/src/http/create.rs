//! From a request for a game to its setup.

use noughts_api::{
    GamePhase, GameSetup, IdentityId, NewGame, NewSeat, Participant, SeatHolder, SeatSetup,
    SummaryDetails,
};
use noughts_rules::{Move, Player, Rules, Seat, Symbol};
use noughts_store::{GameQuery, ListedGame};

use super::caller::Caller;
use super::error::ApiError;
use super::rules::requested_rules;
use crate::accounts::names;
use crate::accounts::secrets::random;
use crate::app::App;
use crate::game::{Refusal, check_setup};

/// How many challenges of a player may wait for an answer.
const MAX_CHALLENGES: usize = 10;

/// How many open games a player may have with the same other one.
const MAX_CHALLENGES_TO_ONE: usize = 5;

/// Open games of a player that are looked at.
const MAX_OPEN_GAMES: u32 = 200;

/// The setup of a requested game.
pub(super) async fn setup(
    app: &App,
    caller: &Caller,
    request: &NewGame,
) -> Result<GameSetup, ApiError> {
    let rules = requested_rules(app, &request.rules).map_err(ApiError::Invalid)?;
    let (expected, got) = (rules.players(), request.seats.len());
    if got != expected {
        return Err(Refusal::SeatCount { expected, got }.into());
    }
    let mut seats = Vec::new();
    for seat in &request.seats {
        seats.push(self::seat(app, caller, seat, request).await?);
    }
    // Creators play: the limit of unfinished games would not bound them otherwise.
    if !request.seats.iter().any(|seat| matches!(seat, NewSeat::Me { .. })) {
        return Err(ApiError::Invalid("seats: expected a seat for `me`".into()));
    }
    if request.shuffle {
        shuffle(&mut seats);
    }
    check_challenges(app, caller, &seats).await?;
    let is_open = seats.iter().any(|seat| !seat.holder.is_seated());
    let setup = GameSetup {
        v: 1,
        rules: rules.to_string(),
        seats,
        league: rated_league(app, request.rated, request.league.as_deref(), &rules)?,
        clock: request.clock,
        public: request.public,
        creator: caller.id(),
        away_ms: match request.away_seconds {
            Some(seconds @ 10..=604_800) => i64::from(seconds) * 1_000,
            Some(_) => {
                let expected = "away_seconds: expected 10 to 604800";
                return Err(ApiError::Invalid(expected.into()));
            }
            None => app.config.away_ms(),
        },
        idle_ms: app.config.abandon_ms(),
        open_ms: is_open.then(|| app.config.open_ms()),
        rematch_of: None,
        series: None,
        moves: moves(request)?,
        tournament: None,
        first_move_ms: None,
    };
    check_setup(&setup, &rules).map_err(|refusal| {
        if refusal.depends_on_state() {
            ApiError::Invalid(format!("moves: {refusal}"))
        } else {
            refusal.into()
        }
    })?;
    Ok(setup)
}

/// Whether the caller may invite the people that seats are kept for.
async fn check_challenges(app: &App, caller: &Caller, seats: &[SeatSetup]) -> Result<(), ApiError> {
    let invited = |seat: &SeatSetup| match &seat.holder {
        SeatHolder::Invited { identity, .. } => Some(*identity),
        _ => None,
    };
    let invited: Vec<IdentityId> = seats.iter().filter_map(invited).collect();
    if invited.is_empty() {
        return Ok(());
    }
    let blocked = app.storage.store.blocked_either_way(caller.id()).await?;
    if invited.iter().any(|identity| blocked.contains(identity)) {
        return Err(ApiError::Blocked);
    }
    let query = GameQuery {
        phase: Some(GamePhase::Open),
        player: Some(caller.id()),
        public_only: false,
        rules: None,
        before: None,
        limit: MAX_OPEN_GAMES,
    };
    let open = app.storage.log.games(&query).await?;
    let sent = open.iter().filter(|game| is_challenge_of(game, caller.id())).count();
    if sent >= MAX_CHALLENGES {
        let reason = "too many of your challenges wait for an answer: withdraw some first";
        return Err(ApiError::TooMany(reason));
    }
    let to_one = |identity: &IdentityId| {
        open.iter().filter(|game| game.listing.seats.contains(&Some(*identity))).count()
    };
    if invited.iter().map(to_one).max().unwrap_or(0) >= MAX_CHALLENGES_TO_ONE {
        return Err(ApiError::TooMany("too many games wait for you and this player already"));
    }
    Ok(())
}

/// Whether an open game waits for somebody whom a player has invited.
fn is_challenge_of(game: &ListedGame, player: IdentityId) -> bool {
    let details: Option<SummaryDetails> = serde_json::from_str(&game.listing.detail).ok();
    let mut seats =
        details.iter().flat_map(|details| game.listing.seats.iter().zip(&details.players));
    seats.any(|(seat, other)| other.invited.is_some() && *seat != Some(player))
}

/// The moves the game starts with.
fn moves(request: &NewGame) -> Result<Vec<Move>, ApiError> {
    if request.rated && !request.moves.is_empty() {
        return Err(ApiError::Invalid("moves: a rated game starts with an empty board".into()));
    }
    let parse = |text: &String| match text.parse() {
        Ok(mv) => Ok(mv),
        Err(error) => Err(ApiError::Invalid(format!("moves: {error}"))),
    };
    request.moves.iter().map(parse).collect()
}

async fn seat(
    app: &App,
    caller: &Caller,
    seat: &NewSeat,
    request: &NewGame,
) -> Result<SeatSetup, ApiError> {
    let (holder, symbol) = match seat {
        NewSeat::Me { name, symbol } => {
            let mut me = caller.participant();
            if let Some(name) = name {
                me = named(app, me, name, request).await?;
            }
            (SeatHolder::Taken(me), symbol)
        }
        NewSeat::Anyone { symbol } => (SeatHolder::Open, symbol),
        NewSeat::Player { name, symbol } => {
            let found = app.storage.store.identity_named(&names::case_skeleton(name)).await?;
            let (identity, _) = found.ok_or(ApiError::NoPlayer)?;
            if identity.id == caller.id() {
                let expected = "seats: expected another player's name, or `me` for your own seat";
                return Err(ApiError::Invalid(expected.into()));
            }
            (SeatHolder::Invited { identity: identity.id, name: identity.name }, symbol)
        }
        NewSeat::Computer { level, symbol } => (SeatHolder::Computer { level: *level }, symbol),
    };
    Ok(SeatSetup { holder, symbol: symbol.clone() })
}

/// Gives the creator another name in a game where everyone shares one screen. Elsewhere, and in public
/// games, chosen names could impersonate others.
async fn named(
    app: &App,
    me: Participant,
    name: &str,
    request: &NewGame,
) -> Result<Participant, ApiError> {
    let is_local = |seat: &NewSeat| matches!(seat, NewSeat::Me { .. } | NewSeat::Computer { .. });
    if request.rated || !request.seats.iter().all(is_local) {
        let expected = "name: only players of casual games on one screen choose names";
        return Err(ApiError::Invalid(expected.into()));
    }
    let player = Player::new(name, Symbol::default_for(Seat::FIRST)).map_err(Refusal::Name)?;
    if request.public {
        let name =
            names::validate(name).map_err(|why| ApiError::Invalid(format!("name: {why}")))?;
        if app.storage.store.lookalikes(&name).await?.iter().any(|taker| *taker != me.identity) {
            let taken =
                "name: it belongs to somebody else, who would seem to play in a public game";
            return Err(ApiError::Invalid(taken.into()));
        }
    }
    Ok(Participant { name: player.name().to_string(), ..me })
}

/// The league of a rated game: the requested one, or that of its kind of game.
pub(super) fn rated_league(
    app: &App,
    rated: bool,
    requested: Option<&str>,
    rules: &Rules,
) -> Result<Option<String>, ApiError> {
    if !rated {
        return match requested {
            Some(_) => Err(ApiError::Invalid("league: only rated games have one".into())),
            None => Ok(None),
        };
    }
    if !app.rated_rules.contains(rules) {
        let reason = format!("rated: {rules} is not rated here; see the rules of the leagues");
        return Err(ApiError::Invalid(reason));
    }
    let own = app.config.league_of(rules);
    let league = match requested {
        None => own.clone(),
        Some(name) => app.config.league(name).ok_or(ApiError::NoLeague)?,
    };
    if app.config.is_built_in(&league.name) && league != own {
        let reason = format!("league: {rules} is rated in the league {}", own.name);
        return Err(ApiError::Invalid(reason));
    }
    let players = rules.players();
    let max_players = league.system.max_players();
    if players > max_players {
        let system = league.system;
        let reason = format!(
            "league: {system} rates games of up to {max_players} players, not of {players}"
        );
        return Err(ApiError::Invalid(reason));
    }
    Ok(Some(league.name))
}

/// Shuffles the seats (Fisher–Yates).
fn shuffle(seats: &mut [SeatSetup]) {
    for last in (1..seats.len()).rev() {
        let chosen = u64::from_le_bytes(random()) % (last as u64 + 1);
        seats.swap(last, chosen as usize);
    }
}
