//! Leagues, standings and profiles.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{IdentityKind, Millis, Relation};

/// A league.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeagueView {
    /// The name: a kind of game such as `gomoku`, `other`, or one that the operator has chosen.
    pub name: String,
    /// The name in words, such as `Gomoku`.
    pub title: String,
    /// The rating system.
    pub system: String,
    /// The rules that are rated in it, if it is the league of a kind of game.
    pub rules: Vec<String>,
    /// How many players its table has.
    pub players: usize,
}

/// A player's row in a league table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StandingView {
    /// From 1; equal ratings share a rank. Null for players who are not in the table: guests, whose
    /// ratings are provisional, and players without a game that counts.
    pub rank: Option<usize>,
    /// The player.
    pub name: String,
    /// What kind of player.
    pub kind: IdentityKind,
    /// The rating.
    pub rating: i64,
    /// The rating deviation, if the system has one: `glicko2` in points, `weng-lin` on its own scale,
    /// where 25/3 corresponds to 200 points.
    pub deviation: Option<f64>,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
}

/// A page of a league table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueTable {
    /// The league.
    pub name: String,
    /// The rating system.
    pub system: String,
    /// How many players the table has.
    pub players: usize,
    /// This page's rows, best first.
    pub rows: Vec<StandingView>,
}

/// A player's rank with the players around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RankView {
    /// The players above; the nearest is last.
    pub above: Vec<StandingView>,
    /// The player.
    pub player: StandingView,
    /// The players below; the nearest is first.
    pub below: Vec<StandingView>,
}

/// A player's profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProfileView {
    /// The name.
    pub name: String,
    /// What kind of player.
    pub kind: IdentityKind,
    /// When the player was first seen, in milliseconds since 1970.
    pub created_at: Millis,
    /// Whether the player is connected.
    pub online: bool,
    /// What you have chosen about the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<Relation>,
    /// The player's standing in each league.
    pub leagues: Vec<LeagueStanding>,
}

/// A player's standing in one league.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueStanding {
    /// The league.
    pub league: String,
    /// The league in words.
    pub title: String,
    /// The standing.
    #[serde(flatten)]
    pub standing: StandingView,
}

/// A point of a rating history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingPoint {
    /// When the game ended, in milliseconds since 1970.
    pub at: Millis,
    /// The rating after the game.
    pub rating: i64,
    /// The rating deviation after the game, if the system has one.
    pub deviation: Option<f64>,
}

/// The score of two players against each other, in all leagues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HeadToHead {
    /// Games the first player won.
    pub wins: u32,
    /// Games the second player won.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
}
