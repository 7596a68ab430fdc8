//! Someone else's engine as a player: a child process, with limits on its time.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use noughts_rules::{Cell, Position, Rules};

use super::process_group::Family;
use super::protocol::{self, Said};
use crate::{Budget, Choice, Strategy, StrategyError};

/// Plays what an external program answers.
///
/// The program is started when it is first asked, and ended with the player. It gets the time of
/// the budget, or five seconds a move where that has no limit. One that is dead, silent or plays
/// what it may not is an error; asked again after that, it is started anew. Nothing of it is left
/// when the player is gone, nor when this program ends, however it ends.
#[derive(Debug)]
pub struct External {
    path: PathBuf,
    running: Option<Running>,
}

/// What can go wrong with an external engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The program could not be started.
    #[error("{path}: {reason}")]
    NotStarted {
        /// The program.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The protocol has no words for these rules.
    #[error("external engines play five in a row for two on plain boards, not {0}")]
    Rules(String),
    /// The program ended.
    #[error("the engine ended without an answer")]
    Died,
    /// The program did not answer in time.
    #[error("the engine did not answer in time")]
    Silent,
    /// The program said that it can't.
    #[error("the engine refused: {0}")]
    Refused(String),
    /// The answer is not one of the protocol's.
    #[error("the engine said `{0}`, which is no answer")]
    Nonsense(String),
    /// The answer can't be played.
    #[error("the engine chose {0}, which can't be played")]
    Illegal(Cell),
    /// The budget's flag was set while the engine was thinking.
    #[error("the engine was stopped while it was thinking")]
    Stopped,
}

/// A move's time where the budget has no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Starting is not the turn's time.
const TIME_TO_START: Duration = Duration::from_secs(10);
/// How late an answer may be: the way of a line through pipes on a busy machine.
const GRACE: Duration = Duration::from_millis(500);
/// How often the stop flag is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How long an engine has to end by itself.
const TIME_TO_END: Duration = Duration::from_millis(100);
/// More than this no answer has.
const LONGEST_LINE: u64 = 4096;

impl External {
    /// A player that runs the program when it is first asked.
    #[must_use]
    pub fn new(path: impl AsRef<Path>) -> External {
        External { path: path.as_ref().to_owned(), running: None }
    }

    /// The engine, started and with a game of these rules.
    fn ready(&mut self, position: &Position, budget: &Budget) -> Result<Running, EngineError> {
        let rules = position.rules();
        if !protocol::speaks(rules) {
            return Err(EngineError::Rules(rules.to_string()));
        }
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.path)?,
        };
        running.begin(position, budget)?;
        Ok(running)
    }

    fn ask(&mut self, position: &Position, budget: &Budget) -> Result<Cell, EngineError> {
        let mut running = self.ready(position, budget)?;
        let time = budget.time().unwrap_or(DEFAULT_TIME);
        let infos = protocol::infos(position.rules(), time, budget.nodes());
        running.tell(&infos)?;
        running.tell(&protocol::question(position, running.left.as_ref()))?;
        let cell = match running.listen(Instant::now() + time + GRACE, budget)? {
            Said::Move(cell) => cell,
            other => return Err(unexpected(other)),
        };
        let mut left = position.clone();
        left.play(cell).map_err(|_| EngineError::Illegal(cell))?;
        // Only an engine that behaved is asked again; others end here.
        running.left = Some(left);
        self.running = Some(running);
        Ok(cell)
    }
}

impl Strategy for External {
    fn prepare(&mut self, position: &Position, budget: &Budget) -> Result<(), StrategyError> {
        self.running = Some(self.ready(position, budget)?);
        Ok(())
    }

    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        if position.outcome().is_some() {
            return Err(StrategyError::GameOver);
        }
        Ok(Choice::without_verdict(self.ask(position, budget)?))
    }
}

fn unexpected(said: Said) -> EngineError {
    match said {
        Said::Refusal(text) => EngineError::Refused(text),
        Said::Nonsense(text) => EngineError::Nonsense(text),
        Said::Ok | Said::Talk => EngineError::Nonsense("OK".to_owned()),
        Said::Move(cell) => EngineError::Illegal(cell),
    }
}

#[derive(Debug)]
struct Running {
    input: ChildStdin,
    lines: Receiver<String>,
    /// The rules of the game that was started.
    rules: Option<Rules>,
    /// Where the engine left the game; nothing before its first move in it.
    left: Option<Position>,
    /// Ends with this.
    _process: Family,
}

impl Running {
    fn start(path: &Path) -> Result<Running, EngineError> {
        let not_started =
            |reason: String| EngineError::NotStarted { path: path.to_owned(), reason };
        let mut command = Command::new(path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Family::start(command).map_err(|error| not_started(error.to_string()))?;
        let (Some(input), Some(output)) = (process.input(), process.output()) else {
            return Err(not_started("no pipes".to_owned()));
        };
        // Bounded, so that an engine that never stops talking waits instead of filling memory.
        let (sender, lines) = sync_channel(64);
        thread::spawn(move || forward_lines(output, &sender));
        Ok(Running { input, lines, rules: None, left: None, _process: process })
    }

    /// Makes sure that the engine has a game of these rules, and an empty board unless the position
    /// comes of the one that it left.
    fn begin(&mut self, position: &Position, budget: &Budget) -> Result<(), EngineError> {
        let rules = position.rules();
        let has_begun = self.rules.as_ref() == Some(rules);
        let goes_on = match &self.left {
            Some(left) => protocol::answer(left, position).is_some(),
            None => true,
        };
        if has_begun && goes_on {
            return Ok(());
        }
        self.left = None;
        // Not every engine knows how to begin again without being told the size once more.
        if has_begun {
            match self.propose(&["RESTART".to_owned()], budget) {
                Err(EngineError::Refused(_)) => {}
                answered => return answered,
            }
        }
        self.propose(&protocol::start(rules), budget)?;
        self.rules = Some(rules.clone());
        Ok(())
    }

    /// Begins a game with these lines, if the engine agrees.
    fn propose(&mut self, lines: &[String], budget: &Budget) -> Result<(), EngineError> {
        self.tell(lines)?;
        match self.listen(Instant::now() + TIME_TO_START, budget)? {
            Said::Ok => Ok(()),
            Said::Move(cell) => Err(EngineError::Nonsense(super::cell_text(cell))),
            other => Err(unexpected(other)),
        }
    }

    fn tell(&mut self, lines: &[String]) -> Result<(), EngineError> {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\r\n"]).collect();
        let sent = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| EngineError::Died)
    }

    /// The next answer, past everything that the engine says on its own account.
    fn listen(&mut self, deadline: Instant, budget: &Budget) -> Result<Said, EngineError> {
        loop {
            if budget.is_stopped() {
                return Err(EngineError::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => match protocol::understand(&line) {
                    Said::Talk if !left.is_zero() => {}
                    Said::Talk => return Err(EngineError::Silent),
                    said => return Ok(said),
                },
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(EngineError::Silent);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Running {
    /// The protocol gives an engine a second to end, but nobody should wait for a guest that
    /// leaves.
    fn drop(&mut self) {
        let _ = self.tell(&["END".to_owned()]);
        let deadline = Instant::now() + TIME_TO_END;
        // Whoever has closed its output has ended, or as good as that.
        while Instant::now() < deadline
            && self.lines.recv_timeout(GLANCE) != Err(RecvTimeoutError::Disconnected)
        {}
    }
}

/// Sends what the engine says line by line, until it ends or nobody listens.
fn forward_lines(output: impl Read, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}
