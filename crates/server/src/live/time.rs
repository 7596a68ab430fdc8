//! When a game's task looks at the time: clocks, what is overdue, and whether anybody needs it.

use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use super::task::{GameTask, Lost};
use crate::game::{Command, Millis, Phase};
use crate::storage::heartbeat as outages;

/// How soon a computer is asked again when there were too many before it.
pub(super) const ASK_AGAIN: Duration = Duration::from_millis(500);

impl GameTask {
    pub(super) async fn look_at_the_time(&mut self) -> Result<(), Lost> {
        self.tick().await?;
        self.ask_computer();
        Ok(())
    }

    pub(super) async fn tick(&mut self) -> Result<(), Lost> {
        Box::pin(self.hold_clock()).await?;
        // Nobody loses by time that may turn out to be an outage.
        while self.game.due().is_some_and(|due| due <= self.now())
            && !self.app.outages.may_be_one(self.now())
        {
            if !self.by_server(Command::Tick).await? {
                break;
            }
        }
        Ok(())
    }

    /// Gives back the time in which no server was there.
    pub(super) async fn hold_clock(&mut self) -> Result<(), Lost> {
        if self.app.outages.may_be_one(self.now()) {
            outages::be_sure(&self.app).await;
        }
        let hold = |task: &GameTask| {
            let ms = task.app.outages.since(task.game.last_at());
            (ms > 0).then_some(Command::HoldClock { ms })
        };
        self.by_server_if(hold).await.map(|_| ())
    }

    /// The time, which in a game never goes back.
    pub(super) fn now(&self) -> Millis {
        self.app.now().max(self.game.last_at())
    }

    /// Whether nobody uses it: a computer that has to wait for its turn to think does.
    pub(super) fn is_idle(&self) -> bool {
        self.used.elapsed() >= self.app.config.idle_after()
            && self.game.computer_to_move().is_none()
    }

    /// When the task has to look at the time although letters may come until then.
    fn urgent(&self) -> Option<Instant> {
        let ask = self.asks_in().map(|wait| Instant::now() + wait);
        let due = match self.game.phase() {
            Phase::Live if self.game.clocks().is_some() => self.game.due(),
            _ => None,
        };
        let falls = due.map(|due| {
            let left = Duration::from_millis(u64::try_from(due - self.now()).unwrap_or(0));
            let doubtful = self.app.outages.may_be_one(self.now());
            Instant::now() + if doubtful { left.max(ASK_AGAIN) } else { left }
        });
        ask.into_iter().chain(falls).min()
    }

    pub(super) fn set(&self, alarm: Pin<&mut Sleep>) {
        let idle = self.used + self.app.config.idle_after();
        let next = idle.max(Instant::now() + ASK_AGAIN);
        alarm.reset(self.urgent().map_or(next, |urgent| urgent.min(next)));
    }

    /// Most letters put the next look off: only what comes earlier needs the alarm to be set.
    pub(super) fn bring_forward(&self, alarm: Pin<&mut Sleep>) {
        if let Some(urgent) = self.urgent().filter(|urgent| *urgent < alarm.deadline()) {
            alarm.reset(urgent);
        }
    }
}
