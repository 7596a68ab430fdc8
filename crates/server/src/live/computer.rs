//! Computer players: their searches run on the compute threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use noughts_api::{Level, Millis};
use noughts_engine::{Budget, PlayerKind};
use noughts_rules::{Move, Position, Seat};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::RecvError;

use super::game_task::{GameTask, OutOfSync};
use super::timers::RETRY_INTERVAL;
use crate::accounts::secrets::random;
use crate::game::ServerCommand;

/// How long a position is left to the computer of the server that made it.
const REMOTE_SEARCH_MS: Millis = 5_000;

/// With this much time left, or a quarter of the initial time, a computer waits no longer for its
/// turn to think: nobody wins by having it wait.
const HURRY_MS: Millis = 1_000;

/// How long it thinks then.
const HURRIED_THINK_TIME: Duration = Duration::from_millis(20);

/// How soon a hurried search is tried again if the queue was full.
const HURRIED_RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// A search that is queued or running. Dropping it cancels a queued one.
pub(super) struct Search {
    seat: Seat,
    /// The position it is about.
    state_seq: u32,
    is_hurried: bool,
    choice: oneshot::Receiver<Option<Move>>,
}

/// Waits for the running search: the move it chose, or none if it failed. An error means that the
/// search did not run.
pub(super) async fn finished(search: &mut Option<Search>) -> Result<Option<Move>, RecvError> {
    match search {
        Some(search) => (&mut search.choice).await,
        None => std::future::pending().await,
    }
}

impl GameTask {
    /// Starts a search if it is a computer's turn.
    pub(super) fn start_search(&mut self) {
        let Some((seat, level)) = self.game.computer_to_move() else {
            self.search = None;
            return;
        };
        let state_seq = self.game.state_seq();
        let is_hurried = self.hurries_in().is_some_and(|ms| ms <= 0);
        if self.is_searching(state_seq, is_hurried) {
            return;
        }
        let is_remote = self.remote_seq == Some(state_seq);
        if is_remote && self.now() < self.game.updated_at() + REMOTE_SEARCH_MS {
            return;
        }
        let Some(game) = self.game.game() else { return };
        let position = game.position().clone();
        let clock = self.game.clocks().map(|clocks| {
            let remaining = clocks.remaining(seat.index(), Some(seat.index()), self.now());
            let remaining = Duration::from_millis(u64::try_from(remaining).unwrap_or(0));
            let increment = Duration::from_millis(clocks.control().increment_ms.into());
            (Instant::now() + remaining, increment)
        });
        let think_time =
            if is_hurried { HURRIED_THINK_TIME } else { self.games.config.think_time() };
        // The clock runs while the search is queued.
        let budget = move || {
            let budget = Budget::unlimited().with_time(think_time);
            match clock {
                Some((deadline, increment)) => {
                    let remaining = deadline.saturating_duration_since(Instant::now());
                    budget.with_clock(remaining, increment)
                }
                None => budget,
            }
        };
        let (search, choice) = search(level, position, budget);
        let thinkers = &self.games.thinkers;
        let queued = match is_hurried {
            true => thinkers.submit_urgent(search),
            false => thinkers.submit(self.game.setup().creator, search),
        };
        if queued.is_err() {
            metrics::counter!("noughts_thinking_put_off_total").increment(1);
        }
        self.search = queued.is_ok().then_some(Search { seat, state_seq, is_hurried, choice });
    }

    fn is_searching(&self, state_seq: u32, is_hurried: bool) -> bool {
        self.search.as_ref().is_some_and(|search| {
            search.state_seq == state_seq && (search.is_hurried || !is_hurried)
        })
    }

    /// Milliseconds until the computer to move has to hurry, if it has a clock.
    fn hurries_in(&self) -> Option<Millis> {
        let ((seat, _), clocks) = (self.game.computer_to_move()?, self.game.clocks()?);
        let remaining = clocks.remaining(seat.index(), Some(seat.index()), self.now());
        Some(remaining - HURRY_MS.min(Millis::from(clocks.control().initial_ms) / 4))
    }

    /// When a search has to be started again.
    pub(super) fn next_search(&self) -> Option<Duration> {
        self.game.computer_to_move()?;
        let is_hurried = self.search.as_ref().is_some_and(|search| search.is_hurried);
        let hurry = self.hurries_in().filter(|_| !is_hurried).map(|ms| {
            // One that should hurry already found the queue full.
            HURRIED_RETRY_INTERVAL.max(Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
        });
        let retry = self.search.is_none().then_some(RETRY_INTERVAL);
        hurry.into_iter().chain(retry).min()
    }

    /// Plays what a computer chose, if the game has not moved on.
    pub(super) async fn play_choice(
        &mut self,
        choice: Result<Option<Move>, RecvError>,
    ) -> Result<(), OutOfSync> {
        let Some(search) = self.search.take() else { return Ok(()) };
        if let Ok(choice) = choice {
            let (seat, state_seq) = (search.seat, search.state_seq);
            let played = choice.map(|mv| ServerCommand::ComputerMove { seat, mv });
            let is_legal =
                |command: &ServerCommand| self.game.decide_server(command, self.now()).is_ok();
            let command = played.filter(is_legal).unwrap_or(ServerCommand::Forfeit { seat });
            self.server_command_if(|task| {
                (task.game.state_seq() == state_seq).then(|| command.clone())
            })
            .await?;
        }
        self.start_search();
        Ok(())
    }
}

/// A search to run on another thread, and where its choice arrives.
fn search(
    level: Level,
    position: Position,
    budget: impl FnOnce() -> Budget + Send + 'static,
) -> (impl FnOnce() + Send + 'static, oneshot::Receiver<Option<Move>>) {
    let kind = PlayerKind::computers().find(|kind| kind.to_string() == level.as_str());
    let strategy = kind.and_then(|kind| kind.strategy(u64::from_le_bytes(random())));
    let (sender, choice) = oneshot::channel();
    let search = move || {
        // The game has moved on.
        if sender.is_closed() {
            return;
        }
        let choose = || strategy.map(|mut strategy| strategy.choose(&position, &budget()));
        // A panic is a failure of this computer only.
        let chosen = catch_unwind(AssertUnwindSafe(choose)).ok().flatten();
        let _ = sender.send(chosen.and_then(Result::ok).map(|choice| choice.mv));
    };
    (search, choice)
}

#[cfg(test)]
mod tests {
    use noughts_rules::Rules;
    use noughts_rules::notation::PRESETS;

    use super::*;

    #[tokio::test]
    async fn outdated_searches_do_not_run() {
        let position = Position::new(&Rules::default());
        let run = || -> Budget { panic!("the search ran") };
        let (outdated, choice) = search(Level::Easy, position.clone(), run);
        drop(choice);
        outdated();
        let (current, choice) = search(Level::Easy, position, Budget::unlimited);
        current();
        assert!(choice.await.is_ok_and(|mv| mv.is_some()));
    }

    #[tokio::test]
    async fn every_level_plays_every_preset() {
        for level in Level::ALL {
            for (name, text) in PRESETS {
                let position = Position::new(&text.parse().unwrap());
                let (search, choice) = search(level, position.clone(), || {
                    Budget::unlimited().with_time(Duration::from_millis(1))
                });
                search();
                let mv = choice.await.unwrap().unwrap_or_else(|| panic!("{level}: {name}"));
                assert_eq!(position.check(mv), Ok(()), "{level}: {name}");
            }
        }
    }
}
