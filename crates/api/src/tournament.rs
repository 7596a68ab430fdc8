//! Online tournaments.

use noughts_rules::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{GameId, IdempotencyKey, IdentityKind, Millis, TimeControl, TournamentId};

/// A tournament to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    /// Its name: 2 to 60 characters.
    #[schema(min_length = 2, max_length = 60, example = "Friday club")]
    pub name: String,
    /// Who meets whom, and for how long.
    pub format: TournamentFormat,
    /// The rules, for two players.
    #[serde(default = "classic")]
    #[schema(default = "3x3")]
    pub rules: String,
    /// The time control of every game.
    pub clock: TimeControl,
    /// Whether the games are rated.
    #[serde(default)]
    pub rated: bool,
    /// Whether bots may join.
    #[serde(default)]
    pub bots: bool,
    /// Whether the tournament and its games are listed. Otherwise only people with the link find it.
    #[serde(default)]
    pub public: bool,
    /// When it starts, in milliseconds since 1970, at most 30 days ahead. If missing, you start it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<Millis>,
    /// An idempotency key: sent again, the request creates no second tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    pub key: Option<IdempotencyKey>,
}

fn classic() -> String {
    "3x3".into()
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    deny_unknown_fields,
    expecting = r#"an object such as {"type":"swiss","rounds":5}"#
)]
pub enum TournamentFormat {
    /// Free players are paired with others of a similar score, until the time is over. Players come
    /// and go.
    #[schema(title = "ArenaFormat")]
    Arena {
        /// How long it lasts.
        #[schema(minimum = 1, maximum = 240)]
        minutes: u16,
    },
    /// Everyone meets everyone.
    #[schema(title = "RoundRobinFormat")]
    RoundRobin {
        /// How often: 1, or 2 with the first move going to each player once.
        #[schema(minimum = 1, maximum = 2)]
        cycles: u8,
    },
    /// In each round, players meet others with the same score whom they have not met.
    #[schema(title = "SwissFormat")]
    Swiss {
        /// The number of rounds.
        #[schema(minimum = 1, maximum = 30)]
        rounds: u8,
    },
}

/// Where a tournament is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TournamentPhase {
    /// Players join; it has not started.
    Waiting,
    /// It is played.
    Running,
    /// It is over.
    Finished,
    /// It did not take place.
    Cancelled,
}

impl TournamentPhase {
    /// The phase as it is written, such as `running`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TournamentPhase::Waiting => "waiting",
            TournamentPhase::Running => "running",
            TournamentPhase::Finished => "finished",
            TournamentPhase::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more happens in it.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, TournamentPhase::Finished | TournamentPhase::Cancelled)
    }
}

/// What a tournament was created with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentSettings {
    /// Its name.
    pub name: String,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// The text form of the rules.
    #[schema(example = "3x3")]
    pub rules: String,
    /// The time control of every game.
    pub clock: TimeControl,
    /// The league of rated games; missing if the games are casual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// Whether bots may join.
    pub bots: bool,
    /// Whether the tournament and its games are listed.
    pub public: bool,
    /// When it starts; missing if its creator starts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<Millis>,
}

/// A tournament with what concerns you: the answer to every request about it, and a line of
/// `GET /api/v1/tournaments/{id}/stream`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentState {
    /// The tournament, the same for everyone.
    pub tournament: TournamentView,
    /// The time of the server, in milliseconds since 1970.
    pub at: Millis,
    /// Your part in it, if you sent a token.
    pub you: Option<TournamentYou>,
}

/// A tournament as everyone sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentView {
    /// Its id.
    pub id: TournamentId,
    /// The sequence number of its last event.
    pub seq: u32,
    /// Where it is in its life.
    pub phase: TournamentPhase,
    /// What it was created with.
    #[serde(flatten)]
    pub settings: TournamentSettings,
    /// The name of the player who created it.
    pub creator: String,
    /// When it was created, in milliseconds since 1970.
    pub created_at: Millis,
    /// When it started.
    pub started_at: Option<Millis>,
    /// When it ends or ended: known in advance for an arena.
    pub ends_at: Option<Millis>,
    /// The round that is played, from 1; 0 before the first. An arena has none.
    pub round: u16,
    /// The number of rounds, once it is known; 0 for an arena.
    pub rounds: u16,
    /// When the next games are paired, if that is only a matter of time.
    pub next_pairing_at: Option<Millis>,
    /// The players, best first.
    pub standings: Vec<TournamentStanding>,
    /// The games that are being played.
    pub games: Vec<TournamentGame>,
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentStanding {
    /// The rank, from 1. Players that no tie-break separates share one.
    pub rank: u32,
    /// The number of the player, from 1, in the order in which they joined.
    pub number: u32,
    /// The name.
    pub name: String,
    /// What kind of player it is.
    pub kind: IdentityKind,
    /// Points: 2 for a win or a bye, 1 for a draw.
    pub points: u32,
    /// Games played to a result.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Rounds that counted as won without a game.
    pub byes: u32,
    /// What separates players with the same number of points.
    pub tie_breaks: TieBreaks,
    /// Whether the player is paired: false after leaving, or after not coming to a game.
    pub active: bool,
}

/// Tie-breaks, in points as in `points`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct TieBreaks {
    /// Buchholz: the sum of the opponents' points. A bye counts as an opponent with one's own points.
    pub buchholz: u32,
    /// Sonneborn–Berger: the points of the opponents one has beaten, and half of those one has drawn
    /// with; doubled, to be a whole number.
    pub sonneborn_berger: u32,
    /// Points in the games among those with the same number of points.
    pub head_to_head: u32,
}

/// A game of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentGame {
    /// The game.
    pub game: GameId,
    /// The round, from 1; in an arena, the number of the pairing.
    pub round: u16,
    /// The number of the player who moves first.
    pub first: u32,
    /// The number of the player who moves second.
    pub second: u32,
    /// The result; missing while it is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TournamentOutcome>,
}

/// How a game of a tournament ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TournamentOutcome {
    /// The player who moved first has won.
    First,
    /// The player who moved second has won.
    Second,
    /// A draw.
    Draw,
    /// The game was aborted, or the tournament ended before it.
    None,
}

impl TournamentOutcome {
    /// The outcome of a game that a seat has won.
    #[must_use]
    pub fn won_by(seat: Seat) -> TournamentOutcome {
        if seat == Seat::FIRST { TournamentOutcome::First } else { TournamentOutcome::Second }
    }
}

/// Your part in a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentYou {
    /// Your number, if you have joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Whether you are paired.
    pub active: bool,
    /// The game that you are playing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// Whether you created the tournament: you may start and cancel it.
    pub creator: bool,
}

/// A tournament with all of its games, as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentExport {
    /// The tournament with its table.
    pub tournament: TournamentView,
    /// All games, in the order in which they were paired.
    pub games: Vec<TournamentGame>,
}

/// A tournament in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TournamentSummary {
    /// Its id.
    pub id: TournamentId,
    /// Where it is in its life.
    pub phase: TournamentPhase,
    /// What it was created with.
    #[serde(flatten)]
    pub settings: TournamentSettings,
    /// The number of players who have joined and not left.
    pub players: u32,
    /// When it started.
    pub started_at: Option<Millis>,
    /// When it ends or ended: known in advance for an arena.
    pub ends_at: Option<Millis>,
}
