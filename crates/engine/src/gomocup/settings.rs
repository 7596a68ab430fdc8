//! What the manager's `INFO` commands set.

use std::time::Duration;

use noughts_rules::{Rules, RulesParts};

use super::{UNLIMITED_MILLIS, WIN_LENGTH};
use crate::Budget;

/// The bit of `INFO rule` by which overlines do not win.
const EXACT_RULE: u32 = 1;

/// The bit of `INFO rule` for renju.
const RENJU_RULE: u32 = 4;

/// The bit of `INFO rule` for caro.
const UNSUPPORTED_RULES: u32 = 8;

const MAX_THREADS: u64 = 1024;

/// Time reserved for the round trip to the manager.
const LATENCY_MILLIS: u64 = 30;

/// A move gets this fraction of the time left in the game.
const MOVES_TO_GO: u64 = 10;

/// The node limit when the manager asks for the fastest move.
const FASTEST_MOVE_NODES: u64 = 1000;

#[derive(Debug)]
pub(super) struct Settings {
    turn_millis: u64,
    game_millis_left: u64,
    max_nodes: Option<u64>,
    max_memory_bytes: Option<u64>,
    pub(super) threads: usize,
    rule: u32,
}

impl Default for Settings {
    /// The protocol's default is 30 seconds a turn.
    fn default() -> Settings {
        Settings {
            turn_millis: 30_000,
            game_millis_left: UNLIMITED_MILLIS,
            max_nodes: None,
            max_memory_bytes: None,
            threads: 1,
            rule: 0,
        }
    }
}

impl Settings {
    /// Applies the rest of an `INFO` command. Ignores unknown keys, as the protocol demands.
    pub(super) fn apply(&mut self, text: &str) {
        let (key, value) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
        let Ok(value) = value.trim().parse::<i64>() else { return };
        let value = value.max(0).unsigned_abs();
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn_millis = value,
            "timeout_match" if value > 0 => {
                self.game_millis_left = self.game_millis_left.min(value);
            }
            "time_left" => self.game_millis_left = value,
            "max_node" => self.max_nodes = (value > 0).then_some(value),
            "max_memory" => self.max_memory_bytes = (value > 0).then_some(value),
            "thread_num" => self.threads = value.clamp(1, MAX_THREADS) as usize,
            "rule" => self.rule = value as u32,
            _ => {}
        }
    }

    /// The rules on a board of this size, if they are valid.
    pub(super) fn rules(&self, rows: u8, cols: u8) -> Option<Rules> {
        let renju = self.rule & RENJU_RULE != 0;
        // Renju has its own rule for overlines.
        let exact = self.rule & EXACT_RULE != 0 && !renju;
        RulesParts::grid(rows, cols).k(WIN_LENGTH).exact(exact).renju(renju).build().ok()
    }

    /// The rule number, if the brain does not support it.
    pub(super) fn unsupported_rule(&self) -> Option<u32> {
        (self.rule & UNSUPPORTED_RULES != 0).then_some(self.rule)
    }

    /// The budget of the next move.
    pub(super) fn budget(&self) -> Budget {
        let mut budget = Budget::unlimited().with_threads(self.threads);
        if let Some(bytes) = self.max_memory_bytes {
            budget = budget.with_memory(bytes);
        }
        if self.turn_millis == 0 {
            budget = budget.with_nodes(FASTEST_MOVE_NODES);
        }
        let mut millis = if self.turn_millis == 0 { LATENCY_MILLIS } else { self.turn_millis };
        if self.game_millis_left < UNLIMITED_MILLIS {
            millis = millis.min(self.game_millis_left / MOVES_TO_GO);
        }
        let time = Duration::from_millis(millis.saturating_sub(LATENCY_MILLIS).max(1));
        budget = budget.with_time(time);
        match self.max_nodes {
            Some(nodes) => budget.with_nodes(nodes),
            None => budget,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(commands: &[&str], millis: u64, nodes: Option<u64>) {
        let mut settings = Settings::default();
        commands.iter().for_each(|command| settings.apply(command));
        let budget = settings.budget();
        assert_eq!(budget.time(), Some(Duration::from_millis(millis)), "{commands:?}");
        assert_eq!(budget.nodes(), nodes, "{commands:?}");
    }

    #[test]
    fn budget_follows_time_and_nodes() {
        check(&[], 29_970, None);
        check(&["timeout_turn 1000"], 970, None);
        check(&["timeout_turn 1000", "time_left 5000"], 470, None);
        check(&["timeout_match 5000", "timeout_match 9000"], 470, None);
        check(&["timeout_turn 0"], 1, Some(FASTEST_MOVE_NODES));
        check(&["timeout_turn 0", "max_node 50"], 1, Some(50));
        check(&["timeout_turn many", "unknown 1", ""], 29_970, None);
    }
}
