//! Another program's engine as a player: a child process with time limits.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use noughts_rules::{Cell, Position, Rules};

use super::engine_log::EngineLog;
use super::message::SearchInfo;
use super::process_group::ProcessGroup;
use super::protocol::{self, MoveLimits, Response};
use crate::{Budget, Choice, Strategy, StrategyError};

/// Plays the moves of an external program.
///
/// The program starts on first use and ends with the player. A move gets the time of the budget, or
/// five seconds if that is unlimited; on a clock, the engine hears what is left and divides it itself.
/// Its verdict and nodes are those of its last message that names them (`ev 84`, `Eval -M7`, `n 120K`). A program that exits, is late or chooses an illegal move is
/// an error and is restarted for the next move. No process outlives the player or this program,
/// however they end.
#[derive(Debug)]
pub struct ExternalEngine {
    path: PathBuf,
    /// Keys and values of further `INFO` commands.
    options: Vec<(String, String)>,
    log: Option<EngineLog>,
    process: Option<EngineProcess>,
}

/// Why an external engine failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program could not be started.
    #[error("{path}: {reason}")]
    NotStarted {
        /// The program.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// The protocol can't express the rules.
    #[error("external engines play five in a row for two on flat boards and renju, not {0}")]
    UnsupportedRules(String),
    /// The program exited.
    #[error("the engine exited without an answer")]
    Exited,
    /// The program did not answer in time.
    #[error("the engine did not answer in time")]
    TimedOut,
    /// The program answered with an error.
    #[error("the engine refused: {0}")]
    Refused(String),
    /// The answer does not follow the protocol.
    #[error("the engine gave an unexpected answer: `{0}`")]
    UnexpectedAnswer(String),
    /// The answer is an illegal move.
    #[error("the engine chose an illegal move, {0}")]
    IllegalMove(Cell),
    /// The budget's stop flag was set during the search.
    #[error("the engine was stopped during its search")]
    Stopped,
}

/// The time of a move if the budget is unlimited.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(5);
/// The time to start the program or a game, which does not count as thinking.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How late an answer may be, because pipes are slow on a busy machine.
const ANSWER_GRACE: Duration = Duration::from_millis(500);
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The time to exit after `END`. The protocol allows a second, but nobody should wait for that.
const EXIT_TIMEOUT: Duration = Duration::from_millis(100);
const MAX_LINE_BYTES: u64 = 4096;
/// An engine that floods its output waits once this many lines are pending.
const MAX_PENDING_LINES: usize = 64;

impl ExternalEngine {
    /// A player that starts the program on first use. If no file has this path, its words are a
    /// program and its arguments; quotes keep spaces in a word.
    #[must_use]
    pub fn new(path: impl AsRef<Path>) -> ExternalEngine {
        let path = path.as_ref().to_owned();
        ExternalEngine { path, options: Vec::new(), log: None, process: None }
    }

    /// Sends `INFO key value` before each of the engine's moves, after the commands of the protocol.
    #[must_use]
    pub fn with_option(mut self, key: &str, value: &str) -> ExternalEngine {
        self.options.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Logs what is sent to the engine and what it says.
    #[must_use]
    pub fn with_log(self, log: EngineLog) -> ExternalEngine {
        ExternalEngine { log: Some(log), ..self }
    }

    /// Takes the process, or starts one, and starts a game that fits the position.
    fn take_ready(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Result<EngineProcess, EngineError> {
        let rules = position.rules();
        if !protocol::supports(rules) {
            return Err(EngineError::UnsupportedRules(rules.to_string()));
        }
        let mut process = match self.process.take() {
            Some(process) => process,
            None => EngineProcess::spawn(&self.path, self.log.clone())?,
        };
        process.ensure_game(position, budget)?;
        Ok(process)
    }

    fn request_move(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Result<Choice, EngineError> {
        let mut process = self.take_ready(position, budget)?;
        let time = budget.move_limit().unwrap_or(DEFAULT_MOVE_TIME);
        let left = budget.clock_left();
        process.match_time = process.match_time.or(left);
        let limits =
            MoveLimits { turn: time, left, game: process.match_time, nodes: budget.nodes() };
        process.send(&protocol::info_commands(position.rules(), limits))?;
        let options = self.options.iter().map(|(key, value)| format!("INFO {key} {value}"));
        process.send(&options.collect::<Vec<_>>())?;
        process.info = SearchInfo::default();
        process.send(&protocol::move_request(position, process.position.as_ref()))?;
        let cell = match process.receive(Instant::now() + time + ANSWER_GRACE, budget)? {
            Response::Move(cell) => cell,
            other => return Err(unexpected(other)),
        };
        let mut after = position.clone();
        after.play(cell).map_err(|_| EngineError::IllegalMove(cell))?;
        process.position = Some(after);
        let SearchInfo { verdict, nodes } = process.info;
        budget.count_nodes(nodes.unwrap_or(0));
        // After an error the process is dropped instead.
        self.process = Some(process);
        Ok(Choice { mv: cell.into(), verdict })
    }
}

impl Strategy for ExternalEngine {
    fn prepare(&mut self, position: &Position, budget: &Budget) -> Result<(), StrategyError> {
        self.process = Some(self.take_ready(position, budget)?);
        Ok(())
    }

    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        if position.outcome().is_some() {
            return Err(StrategyError::GameOver);
        }
        Ok(self.request_move(position, budget)?)
    }
}

fn unexpected(response: Response) -> EngineError {
    match response {
        Response::Error(text) => EngineError::Refused(text),
        Response::Malformed(text) => EngineError::UnexpectedAnswer(text),
        Response::Ok | Response::Message => EngineError::UnexpectedAnswer("OK".to_owned()),
        Response::Move(cell) => EngineError::UnexpectedAnswer(super::cell_text(cell)),
    }
}

/// A program and its arguments.
fn command_words(path: &Path) -> (PathBuf, Vec<String>) {
    let Some(text) = path.to_str().filter(|_| !path.exists()) else {
        return (path.to_owned(), Vec::new());
    };
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in text.chars() {
        match (c, quote, words.last_mut()) {
            ('"' | '\'', None, _) => quote = Some(c),
            (c, Some(open), _) if c == open => quote = None,
            (c, None, Some(last)) if c.is_whitespace() => {
                if !last.is_empty() {
                    words.push(String::new());
                }
            }
            (c, _, Some(last)) => last.push(c),
            (_, _, None) => {}
        }
    }
    words.retain(|word| !word.is_empty());
    match words.split_first() {
        Some((program, arguments)) => (program.into(), arguments.to_vec()),
        None => (path.to_owned(), Vec::new()),
    }
}

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
struct EngineProcess {
    input: ChildStdin,
    lines: Receiver<String>,
    /// The rules of the current game.
    rules: Option<Rules>,
    /// The position after the engine's last move; `None` before its first in the current game.
    position: Option<Position>,
    /// What its clock showed at its first move in the current game.
    match_time: Option<Duration>,
    /// What the engine said of its search for the current move.
    info: SearchInfo,
    log: Option<EngineLog>,
    _process: ProcessGroup,
}

impl EngineProcess {
    fn spawn(path: &Path, log: Option<EngineLog>) -> Result<EngineProcess, EngineError> {
        let not_started =
            |reason: String| EngineError::NotStarted { path: path.to_owned(), reason };
        let (program, arguments) = command_words(path);
        let mut command = Command::new(program);
        command.args(arguments);
        let errors = if log.is_some() { Stdio::piped() } else { Stdio::null() };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut process =
            ProcessGroup::spawn(command).map_err(|error| not_started(error.to_string()))?;
        let (Some(input), Some(output)) = (process.take_stdin(), process.take_stdout()) else {
            return Err(not_started("no pipes".to_owned()));
        };
        let (sender, lines) = sync_channel(MAX_PENDING_LINES);
        thread::spawn(move || forward_lines(output, |line| sender.send(line).is_ok()));
        if let (Some(errors), Some(log)) = (process.take_stderr(), log.clone()) {
            thread::spawn(move || {
                forward_lines(errors, |line| {
                    log.failed(&line);
                    true
                });
            });
        }
        let info = SearchInfo::default();
        Ok(EngineProcess {
            input,
            lines,
            rules: None,
            position: None,
            match_time: None,
            info,
            log,
            _process: process,
        })
    }

    /// Starts a new game unless the engine already plays one with these rules in which the
    /// position is the next.
    fn ensure_game(&mut self, position: &Position, budget: &Budget) -> Result<(), EngineError> {
        let rules = position.rules();
        let same_rules = self.rules.as_ref() == Some(rules);
        let continues = match &self.position {
            Some(known) => protocol::single_move(known, position).is_some(),
            None => true,
        };
        if same_rules && continues {
            return Ok(());
        }
        (self.position, self.match_time) = (None, None);
        // Some engines support START but not RESTART.
        if same_rules {
            match self.start_game("RESTART", budget) {
                Err(EngineError::Refused(_)) => {}
                result => return result,
            }
        }
        self.start_game(&protocol::start_command(rules), budget)?;
        self.rules = Some(rules.clone());
        Ok(())
    }

    /// Sends a command that starts a game, which the engine must acknowledge.
    fn start_game(&mut self, command: &str, budget: &Budget) -> Result<(), EngineError> {
        self.send(&[command.to_owned()])?;
        match self.receive(Instant::now() + START_TIMEOUT, budget)? {
            Response::Ok => Ok(()),
            other => Err(unexpected(other)),
        }
    }

    fn send(&mut self, lines: &[String]) -> Result<(), EngineError> {
        if let Some(log) = &self.log {
            lines.iter().for_each(|line| log.sent(line));
        }
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\r\n"]).collect();
        let sent = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| EngineError::Exited)
    }

    /// The next response that is not a message to people.
    fn receive(&mut self, deadline: Instant, budget: &Budget) -> Result<Response, EngineError> {
        loop {
            if budget.is_stopped() {
                return Err(EngineError::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(STOP_POLL_INTERVAL)) {
                Ok(line) => {
                    if let Some(log) = &self.log {
                        log.received(&line);
                    }
                    match Response::parse(&line) {
                        Response::Message if !left.is_zero() => {
                            self.info.update(SearchInfo::parse(&line));
                        }
                        Response::Message => return Err(EngineError::TimedOut),
                        response => return Ok(response),
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Exited),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(EngineError::TimedOut);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.send(&["END".to_owned()]);
        let deadline = Instant::now() + EXIT_TIMEOUT;
        // The output closes when the engine exits.
        while Instant::now() < deadline
            && self.lines.recv_timeout(STOP_POLL_INTERVAL) != Err(RecvTimeoutError::Disconnected)
        {
        }
    }
}

/// Forwards the output line by line until it ends or `forward` returns false. Longer lines are split.
fn forward_lines(output: impl Read, forward: impl Fn(String) -> bool) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        if !forward(String::from_utf8_lossy(&line).into_owned()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_into_words() {
        let check = |text: &str, program: &str, arguments: &[&str]| {
            let words = command_words(Path::new(text));
            let arguments = arguments.iter().map(|word| word.to_string()).collect();
            assert_eq!(words, (program.into(), arguments), "{text}");
        };
        check("./rapfi", "./rapfi", &[]);
        check("./rapfi --config  c.toml", "./rapfi", &["--config", "c.toml"]);
        check("'my engine' -o 'a b' \"c d\"", "my engine", &["-o", "a b", "c d"]);
    }
}
