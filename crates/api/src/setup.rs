//! What a game is created with, and who plays in it.

use noughts_rules::Move;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{GameId, IdempotencyKey, IdentityId, TournamentId};

/// A game to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The rules, such as `3x3` (which is the default), `15x15:5+exact`, `3x3+ultimate`, or a preset
    /// such as `connect4`.
    #[serde(default = "classic")]
    pub rules: String,
    /// Who plays, in turn order.
    pub seats: Vec<NewSeat>,
    /// Whether to shuffle the seats.
    #[serde(default)]
    pub shuffle: bool,
    /// Whether the game is rated.
    #[serde(default)]
    pub rated: bool,
    /// The league of a rated game; that of its kind of game if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// The time control; none if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Whether the game is listed, as it is by default. Otherwise only people with the link find it.
    #[serde(default = "yes")]
    pub public: bool,
    /// Moves already made, to start a casual game from a position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// How many seconds a player may be away before the others can claim the game: 10 to 604800.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 10, maximum = 604_800)]
    pub away_seconds: Option<u32>,
    /// An idempotency key: sent again, the request creates no second game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    pub key: Option<IdempotencyKey>,
}

impl NewGame {
    /// A listed casual game without a clock.
    #[must_use]
    pub fn new(rules: impl Into<String>, seats: Vec<NewSeat>) -> NewGame {
        NewGame {
            rules: rules.into(),
            seats,
            shuffle: false,
            rated: false,
            league: None,
            clock: None,
            public: true,
            moves: Vec::new(),
            away_seconds: None,
            key: None,
        }
    }
}

/// Who a seat of a new game is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "for",
    rename_all = "snake_case",
    deny_unknown_fields,
    expecting = r#"an object such as {"for":"me"}"#
)]
pub enum NewSeat {
    /// You.
    #[schema(title = "SeatForMe")]
    Me {
        /// Your name in this game, if everyone plays on one screen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The symbol for your cells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// The first person to join.
    #[schema(title = "SeatForAnyone")]
    Anyone {
        /// The symbol for their cells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// The player with this name.
    #[schema(title = "SeatForPlayer")]
    Player {
        /// The name.
        name: String,
        /// The symbol for their cells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// A computer player.
    #[schema(title = "SeatForComputer")]
    Computer {
        /// Its level.
        level: Level,
        /// The symbol for its cells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
}

/// A request to be paired with anyone who is waiting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairingRequest {
    /// The rules; `3x3` by default.
    #[serde(default = "classic")]
    pub rules: String,
    /// Whether the game is rated.
    #[serde(default)]
    pub rated: bool,
    /// The time control; none if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// An idempotency key: sent again, the request leads to the same game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    pub key: Option<IdempotencyKey>,
}

fn classic() -> String {
    "3x3".into()
}

fn yes() -> bool {
    true
}

/// What a game was created with: the first event of every log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameSetup {
    /// The version of the events in this log.
    pub v: u8,
    /// The text form of the rules.
    pub rules: String,
    /// Who may sit where, in seat order.
    pub seats: Vec<SeatSetup>,
    /// The league of a rated game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// The time control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Whether the game is listed.
    pub public: bool,
    /// The identity that created it.
    pub creator: IdentityId,
    /// How long a player may be away before the others can claim the game, in milliseconds.
    pub away_ms: i64,
    /// How long a live game may be idle before it is abandoned, in milliseconds.
    pub idle_ms: i64,
    /// The same while it waits for players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_ms: Option<i64>,
    /// The game this is a rematch of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<GameId>,
    /// The score of the rematch series so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesScore>,
    /// The moves the game starts with, if it starts from a position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub moves: Vec<Move>,
    /// The tournament the game belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentId>,
    /// How long each player of a game with a clock has for the first move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_move_ms: Option<i64>,
}

/// The score of a series of rematches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeriesScore {
    /// Games won, in seat order.
    pub wins: Vec<u32>,
    /// Games drawn.
    pub draws: u32,
}

/// One seat of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatSetup {
    /// Who holds the seat.
    pub holder: SeatHolder,
    /// The symbol, if it is not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
}

/// Who holds a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SeatHolder {
    /// Nobody yet; the first person to join takes it.
    #[schema(title = "OpenSeat")]
    Open,
    /// Nobody yet; the seat is kept for this identity.
    #[schema(title = "InvitedSeat")]
    Invited {
        /// Who is invited.
        identity: IdentityId,
        /// Their name.
        name: String,
    },
    /// A person or a bot.
    #[schema(title = "TakenSeat")]
    Taken(Participant),
    /// A computer player.
    #[schema(title = "ComputerSeat")]
    Computer {
        /// Its level.
        level: Level,
    },
}

impl SeatHolder {
    /// The identity that holds the seat or is invited to it.
    #[must_use]
    pub fn identity(&self) -> Option<IdentityId> {
        match self {
            SeatHolder::Taken(participant) => Some(participant.identity),
            SeatHolder::Invited { identity, .. } => Some(*identity),
            SeatHolder::Open | SeatHolder::Computer { .. } => None,
        }
    }

    /// Whether a player sits there.
    #[must_use]
    pub fn is_seated(&self) -> bool {
        matches!(self, SeatHolder::Taken(_) | SeatHolder::Computer { .. })
    }
}

/// A person or a bot in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Participant {
    /// Who they are.
    pub identity: IdentityId,
    /// The name the others see.
    pub name: String,
    /// What kind of player they are.
    pub kind: IdentityKind,
}

/// What kind of player somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdentityKind {
    /// A person without an account.
    Guest,
    /// A person with a name and a password.
    Account,
    /// A program that plays for an account.
    Bot,
    /// A computer player of the server.
    Computer,
}

/// The level of a computer player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Plays any legal move.
    Random,
    /// For beginners.
    Easy,
    /// For casual players.
    Medium,
    /// For experienced players.
    Hard,
    /// Plays as well as it can.
    Perfect,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 5] =
        [Level::Random, Level::Easy, Level::Medium, Level::Hard, Level::Perfect];

    /// The level's name, such as `hard`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Perfect => "perfect",
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// How much time each player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimeControl {
    /// Milliseconds for the whole game: 1 second to 7 days.
    #[schema(minimum = 1000, maximum = 604_800_000)]
    pub initial_ms: u32,
    /// Milliseconds each move adds: at most 1 hour.
    #[schema(maximum = 3_600_000)]
    #[serde(default)]
    pub increment_ms: u32,
}

impl TimeControl {
    /// Whether the times are within the limits.
    #[must_use]
    pub fn is_valid(self) -> bool {
        (1_000..=604_800_000).contains(&self.initial_ms) && self.increment_ms <= 3_600_000
    }
}
