//! What tells the levels apart.

use super::attention::Attention;
use crate::search::SearchLimits;

/// What a level notices, how far it looks ahead, and how carefully it chooses.
#[derive(Debug)]
pub(super) struct Skill {
    pub(super) attention: Attention,
    /// The search on the lines that the level notices.
    pub(super) limits: SearchLimits,
    pub(super) max_nodes: u64,
    /// The nodes of a search in games that are not played on lines of one's own.
    pub(super) max_any_game_nodes: u64,
    /// A move that is worse than the best by this much, in units of a line with one stone, is chosen
    /// less often by a factor of e.
    pub(super) tolerance: f64,
    /// Whether the level knows a good first move on large boards.
    pub(super) knows_openings: bool,
}

/// Looks no further than the next stone, and overlooks a line now and then.
pub(super) const EASY: Skill = Skill {
    attention: Attention { threat: 0.08, run: 0.05, pair: 0.2, single: 0.9 },
    limits: SearchLimits { max_depth: 0, root_width: 24, width: 12 },
    max_nodes: 20_000,
    max_any_game_nodes: 600,
    tolerance: 2.0,
    knows_openings: false,
};

/// Sees all threats and long runs, and the reply to its move.
pub(super) const MEDIUM: Skill = Skill {
    attention: Attention { threat: 0.0, run: 0.0, pair: 0.05, single: 0.6 },
    limits: SearchLimits { max_depth: 1, root_width: 24, width: 12 },
    max_nodes: 20_000,
    max_any_game_nodes: 5_000,
    tolerance: 0.25,
    knows_openings: true,
};

/// Plans ahead, and rarely overlooks anything.
pub(super) const HARD: Skill = Skill {
    attention: Attention { threat: 0.0, run: 0.0, pair: 0.01, single: 0.15 },
    limits: SearchLimits { max_depth: 5, root_width: 24, width: 12 },
    max_nodes: 10_000,
    max_any_game_nodes: 100_000,
    tolerance: 0.5,
    knows_openings: true,
};
