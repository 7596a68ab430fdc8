//! What a game's task does because time passes: clocks, absence, and ending when nobody needs it.

use std::time::Duration;

use noughts_api::{GamePhase, Millis};
use tokio::time::Instant;

use super::game_task::{GameTask, OutOfSync};
use crate::game::ServerCommand;

/// How soon something that could not be done yet is tried again.
pub(super) const RETRY_INTERVAL: Duration = Duration::from_millis(500);

impl GameTask {
    /// The time, which never goes back within a game: one whose last event lies ahead of the clock,
    /// because a clock was wrong, goes on from there.
    pub(super) fn now(&self) -> Millis {
        (self.games.outages.steady() + self.time_offset).max(self.game.updated_at())
    }

    /// The time of the next event. An outage is given back before: the event would hide it. There can't be
    /// an event while nobody knows whether there is an outage, because the database does not answer.
    pub(super) async fn now_after_holding(&mut self) -> Result<Millis, OutOfSync> {
        let now = self.hold_clock_if_needed().await?;
        if self.games.outages.is_outage_possible_now() { Err(OutOfSync) } else { Ok(now) }
    }

    /// Gives back the time of outages, if there may be any. Returns the time.
    pub(super) async fn hold_clock_if_needed(&mut self) -> Result<Millis, OutOfSync> {
        // Read first: the clock may jump at any time.
        let now = self.now();
        let outages = &self.games.outages;
        if outages.outage_possible(now) || outages.since(self.game.updated_at()) > 0 {
            Box::pin(self.hold_clock()).await?;
            return Ok(self.now());
        }
        Ok(now)
    }

    /// Does everything that is due.
    pub(super) async fn check_timers(&mut self) -> Result<(), OutOfSync> {
        self.check_departures().await?;
        self.return_present_players().await?;
        self.end_overdue().await?;
        self.start_search();
        Ok(())
    }

    /// Ends turns without time left, and abandoned games.
    pub(super) async fn end_overdue(&mut self) -> Result<(), OutOfSync> {
        self.hold_clock().await?;
        // A possible outage must not cost anybody the game.
        while self.game.deadline().is_some_and(|deadline| deadline <= self.now())
            && !self.games.outages.outage_possible(self.now())
        {
            self.check_clock().await?;
            if !self.server_command(ServerCommand::Tick).await? {
                break;
            }
        }
        Ok(())
    }

    /// Nobody loses by a clock that runs ahead. If the server's was set back since the game was loaded,
    /// loading it again gives the right time.
    async fn check_clock(&self) -> Result<(), OutOfSync> {
        self.games.outages.check_clock().await;
        if self.games.outages.set_back() == self.set_back { Ok(()) } else { Err(OutOfSync) }
    }

    /// Gives back the time of outages.
    pub(super) async fn hold_clock(&mut self) -> Result<(), OutOfSync> {
        if self.games.outages.outage_possible(self.now()) {
            self.games.outages.confirm().await;
        }
        let hold = |task: &GameTask| {
            let ms = task.games.outages.since(task.game.updated_at());
            (ms > 0).then_some(ServerCommand::HoldClock { ms })
        };
        self.server_command_if(hold).await.map(|_| ())
    }

    /// Whether nobody needs the task. A computer that waits for its turn to think does.
    pub(super) fn is_idle(&self) -> bool {
        self.last_used.elapsed() >= self.games.config.idle_after()
            && self.subscribers.is_empty()
            && self.game.computer_to_move().is_none()
            && self.next_departure().is_none()
    }

    /// Whether the game can leave memory at once: few people look at a finished game again.
    pub(super) fn is_unwatched_and_over(&self) -> bool {
        self.game.phase() == GamePhase::Finished
            && self.subscribers.is_empty()
            && self.next_departure().is_none()
    }

    /// When the task has something to do, even if messages arrive before.
    pub(super) fn urgent_alarm(&self) -> Option<Instant> {
        let search = self.next_search().map(|wait| Instant::now() + wait);
        let deadline = match self.game.phase() {
            GamePhase::Live if self.game.clocks().is_some() => self.game.deadline(),
            _ => None,
        };
        let clock = deadline.map(|deadline| {
            let ms = u64::try_from(deadline - self.now()).unwrap_or(0);
            let remaining = Duration::from_millis(ms);
            let in_doubt = self.games.outages.outage_possible(self.now());
            Instant::now() + if in_doubt { remaining.max(RETRY_INTERVAL) } else { remaining }
        });
        search.into_iter().chain(clock).chain(self.next_departure()).min()
    }

    /// When the task looks at the time next.
    pub(super) fn next_alarm(&self) -> Instant {
        let idle = self.last_used + self.games.config.idle_after();
        let next = idle.max(Instant::now() + RETRY_INTERVAL);
        self.urgent_alarm().map_or(next, |urgent| urgent.min(next))
    }
}
