//! Analysis of positions, games and rules.

use noughts_rules::{Move, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::BoardShape;

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
    pub best: Move,
    /// The principal variation: best play from here, as far as it was found.
    #[schema(value_type = Vec<String>)]
    pub line: Vec<Move>,
    /// Every legal move.
    pub moves: Vec<MoveValue>,
}

/// The value of a move for the seat that makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    #[schema(value_type = String)]
    pub mv: Move,
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
    #[serde(rename = "move")]
    #[schema(value_type = String)]
    pub mv: Move,
    /// A better move.
    #[schema(value_type = String)]
    pub better: Move,
    /// What the better move would have kept. `estimate` means that it is not proven, but the search saw
    /// no loss before this move.
    pub missed: ValueKind,
}

/// Rules: what clients need to explain them and to draw the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RulesView {
    /// The text form.
    pub rules: String,
    /// The name of the game.
    pub title: String,
    /// The game in one sentence.
    pub summary: String,
    /// How to play, sentence by sentence.
    pub how_to_play: Vec<String>,
    /// The shape of the board.
    pub shape: BoardShape,
    /// How many cells in a row make a line, or the length of the longest of listed lines.
    pub k: u8,
    /// How many players.
    pub players: usize,
    /// Whether moves fall to the lowest empty cell.
    pub gravity: bool,
    /// Whether the mover chooses the mark.
    pub choice_of_mark: bool,
    /// The game-theoretic value for the first player, if it is published or quickly proven.
    pub value: Option<RulesValue>,
}

/// A well-known game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PresetView {
    /// A short name, which stands for the rules wherever they are asked for.
    pub name: String,
    /// The text form of the rules.
    pub rules: String,
    /// The name of the game.
    pub title: String,
    /// The game in one sentence.
    pub summary: String,
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
