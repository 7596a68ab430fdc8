//! A player during a game, with its clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use noughts_engine::{Budget, Computer, ForfeitReason, Strategy, Verdict};
use noughts_rules::State;

use crate::played_game::MoveStatistics;

/// The time of a player for a game, and the increment after each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchClock {
    /// The time at the start.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// How far a clock may be overrun, because machines get busy.
const CLOCK_MARGIN: Duration = Duration::from_millis(100);

pub(crate) struct SeatedPlayer<S: State> {
    computer: Computer<S>,
    budget: Budget,
    /// The time left, and the increment.
    clock: Option<MatchClock>,
    nodes: Arc<AtomicU64>,
    statistics: MoveStatistics,
}

impl<S: State> SeatedPlayer<S> {
    pub(crate) fn new(
        strategy: Box<dyn Strategy<S>>,
        budget: Budget,
        clock: Option<MatchClock>,
    ) -> SeatedPlayer<S> {
        let nodes = Arc::new(AtomicU64::new(0));
        let budget = budget.with_node_counter(Arc::clone(&nodes));
        let computer = Computer::new(strategy, budget.clone());
        SeatedPlayer { computer, budget, clock, nodes, statistics: MoveStatistics::default() }
    }

    /// Lets the player choose a move, which may be illegal, or says why it forfeits.
    pub(crate) fn choose(&mut self, state: &S) -> Result<(S::Move, Option<Verdict>), String> {
        let budget = match self.clock {
            Some(clock) => self.budget.clone().with_clock(clock.time, clock.increment),
            None => self.budget.clone(),
        };
        let choice = self.computer.choose_within(state, &budget);
        let taken = self.computer.taken();
        self.statistics.count_move(taken);
        if let Some(clock) = &mut self.clock {
            if taken > clock.time + CLOCK_MARGIN {
                return Err(ForfeitReason::OutOfTime.to_string());
            }
            clock.time = clock.time.saturating_sub(taken) + clock.increment;
        }
        let mv = choice.map_err(|reason| reason.to_string())?;
        Ok((mv, self.computer.verdict()))
    }

    pub(crate) fn statistics(&self) -> MoveStatistics {
        MoveStatistics { nodes: self.nodes.load(Ordering::Relaxed), ..self.statistics }
    }
}
