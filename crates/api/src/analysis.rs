//! Analysis of positions, games and rules.

use noughts_rules::{Cell, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A position to analyse: its text form, or rules and moves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The position, such as `3x3 x2/1o1/3 x`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The moves that lead to the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
}

/// The value of every move in a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisView {
    /// The position.
    pub position: String,
    /// The seat to move.
    #[schema(value_type = Option<u8>)]
    pub turn: Option<Seat>,
    /// The best move.
    #[schema(value_type = String)]
    pub best: Cell,
    /// The principal variation: best play from here, as far as it was found.
    #[schema(value_type = Vec<String>)]
    pub line: Vec<Cell>,
    /// Every legal move.
    pub cells: Vec<MoveValue>,
}

/// The value of a move for the seat that makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoveValue {
    /// The move.
    #[schema(value_type = String)]
    pub cell: Cell,
    /// What it leads to.
    pub kind: ValueKind,
    /// Plies until the win or loss.
    pub plies: Option<u16>,
    /// The score of an estimate: above 0 is good.
    pub score: Option<i32>,
}

/// What a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// A proven win.
    Win,
    /// A proven draw.
    Draw,
    /// A proven loss.
    Loss,
    /// Nothing is proven.
    Estimate,
}

/// The move that lost a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LosingMove {
    /// How many actions came before it.
    pub ply: usize,
    /// The seat that made it.
    #[schema(value_type = u8)]
    pub seat: Seat,
    /// The move.
    #[schema(value_type = String)]
    pub cell: Cell,
    /// A better move.
    #[schema(value_type = String)]
    pub better: Cell,
    /// What the better move would have kept. `estimate` means that it is not proven, but the search saw
    /// no loss before this move.
    pub missed: ValueKind,
}

/// Rules in all their parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RulesView {
    /// The text form.
    pub rules: String,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// How many cells in a row make a line.
    pub k: u8,
    /// How many players.
    pub players: usize,
    /// Whether completing a line loses.
    pub misere: bool,
    /// Whether moves fall to the lowest empty cell.
    pub gravity: bool,
    /// Whether the edges of the board are joined.
    pub wrap: bool,
    /// Whether longer lines do not count.
    pub exact: bool,
    /// The game-theoretic value for the first player, if it is published or quickly proven.
    pub value: Option<RulesValue>,
}

/// What perfect play leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RulesValue {
    /// For the first player.
    pub result: ValueKind,
    /// Plies until the win or loss, if known.
    pub plies: Option<u16>,
    /// Where it is published; null if the server proved it.
    pub source: Option<String>,
}
