//! The engine's side of the protocol, as a state machine: a line in, lines out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use noughts_rules::{Cell, Position, Rules};

use super::board_setup::{self, Owner, Stone};
use super::swap2::{self, Answer};
use super::{EXACT, OTHER_GAMES, UNLIMITED, cell_text, parse_cell};
use crate::{Budget, Strategy};

/// An engine that a manager talks to. It does no input or output itself.
///
/// ```
/// use noughts_engine::{PlayerKind, gomocup::Brain};
///
/// let strategy = "medium".parse::<PlayerKind>()?.strategy(1).expect("not a person");
/// let mut brain = Brain::new(strategy);
/// assert_eq!(brain.respond("START 15").lines, ["OK"]);
/// assert_eq!(brain.respond("INFO timeout_turn 1000").lines, [""; 0]);
/// let reply = brain.respond("TURN 7,7");
/// assert!(reply.lines[0].contains(','));
/// assert!(brain.respond("END").end);
/// # Ok::<(), noughts_engine::PlayerKindError>(())
/// ```
pub struct Brain {
    strategy: Box<dyn Strategy>,
    /// Rows and columns; `None` until the manager has started a game.
    size: Option<(u8, u8)>,
    stones: Vec<Stone>,
    /// The stones that are being read, line by line.
    reading: Option<Reading>,
    limits: Limits,
    stop: Arc<AtomicBool>,
}

/// What the brain answers to a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// To be sent and flushed, each on a line of its own.
    pub lines: Vec<String>,
    /// Whether the manager said that it is over.
    pub end: bool,
}

/// Stones that come in lines of their own, and what was wrong with them.
#[derive(Debug)]
struct Reading {
    of: List,
    flaw: Option<String>,
}

#[derive(Debug)]
enum List {
    /// The board as it stands; the brain is to move.
    Board,
    /// The stones of an opening in their order, black's first.
    Opening(Vec<Cell>),
}

/// What `INFO` has said.
#[derive(Debug)]
struct Limits {
    turn: u64,
    left: u64,
    nodes: Option<u64>,
    memory: Option<u64>,
    threads: usize,
    rule: u32,
}

impl Default for Limits {
    /// The protocol's own: half a minute a turn.
    fn default() -> Limits {
        Limits { turn: 30_000, left: UNLIMITED, nodes: None, memory: None, threads: 1, rule: 0 }
    }
}

impl Reply {
    fn line(text: impl Into<String>) -> Reply {
        Reply { lines: vec![text.into()], end: false }
    }

    fn of(result: Result<String, String>) -> Reply {
        Reply::line(result.unwrap_or_else(|text| format!("ERROR {text}")))
    }
}

impl Brain {
    /// A brain that plays as the strategy does.
    #[must_use]
    pub fn new(strategy: Box<dyn Strategy>) -> Brain {
        Brain {
            strategy,
            size: None,
            stones: Vec::new(),
            reading: None,
            limits: Limits::default(),
            stop: Arc::default(),
        }
    }

    /// The same brain, which stops thinking soon after someone sets the flag, and answers then.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Brain {
        self.stop = stop;
        self
    }

    /// The same brain, searching on so many threads unless the manager says otherwise.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Brain {
        self.limits.threads = threads.max(1);
        self
    }

    /// Answers a line of the manager.
    pub fn respond(&mut self, line: &str) -> Reply {
        let line = line.trim();
        if let Some(reading) = self.reading.take() {
            return self.read_stone(reading, line);
        }
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command.to_ascii_uppercase().as_str() {
            "" => Reply::default(),
            "START" => Reply::of(self.start(rest.trim(), rest.trim())),
            "RECTSTART" => {
                let (cols, rows) = rest.split_once(',').unwrap_or((rest, ""));
                Reply::of(self.start(rows.trim(), cols.trim()))
            }
            "RESTART" => Reply::of(self.restart()),
            "BEGIN" => Reply::of(self.choose()),
            "TURN" => Reply::of(self.turn(rest)),
            "BOARD" => self.read(List::Board),
            "SWAP2BOARD" => self.read(List::Opening(Vec::new())),
            "PLAY" => Reply::of(self.play(rest)),
            "TAKEBACK" => Reply::of(self.take_back(rest)),
            "INFO" => {
                self.inform(rest);
                Reply::default()
            }
            "ABOUT" => Reply::line(about()),
            "END" => Reply { lines: Vec::new(), end: true },
            _ => Reply::line(format!("UNKNOWN {}", excerpt(line))),
        }
    }

    fn start(&mut self, rows: &str, cols: &str) -> Result<String, String> {
        let side = |text: &str| text.parse::<u8>().ok();
        let size = side(rows).zip(side(cols));
        let size = size.filter(|&(rows, cols)| self.rules(rows, cols).is_some());
        let text = "the size is not supported: expected sides of 1 to 26, one of them at least 5";
        self.size = Some(size.ok_or(text)?);
        self.restart()
    }

    fn restart(&mut self) -> Result<String, String> {
        self.size.ok_or(NOT_STARTED)?;
        self.stones.clear();
        Ok("OK".to_owned())
    }

    fn turn(&mut self, text: &str) -> Result<String, String> {
        let cell = parse_cell(text).ok_or_else(|| not_a_cell(text))?;
        self.put(cell, Owner::Opponent)?;
        self.choose().inspect_err(|_| {
            self.stones.pop();
        })
    }

    fn take_back(&mut self, text: &str) -> Result<String, String> {
        let cell = parse_cell(text).ok_or_else(|| not_a_cell(text))?;
        let place = self.stones.iter().rposition(|stone| stone.cell == cell);
        self.stones.remove(place.ok_or_else(|| format!("{} is empty", cell_text(cell)))?);
        Ok("OK".to_owned())
    }

    /// The move that the manager wants the brain to make.
    fn play(&mut self, text: &str) -> Result<String, String> {
        let cell = parse_cell(text).ok_or_else(|| not_a_cell(text))?;
        self.put(cell, Owner::Brain)?;
        Ok(cell_text(cell))
    }

    /// Begins to read stones for an empty board.
    fn read(&mut self, of: List) -> Reply {
        self.stones.clear();
        self.reading = Some(Reading { of, flaw: None });
        Reply::default()
    }

    /// Takes a line of a list, which `DONE` ends.
    fn read_stone(&mut self, mut reading: Reading, line: &str) -> Reply {
        if line.eq_ignore_ascii_case("DONE") {
            return Reply::of(match (reading.flaw, reading.of) {
                (Some(flaw), _) => Err(flaw),
                (None, List::Board) => self.choose(),
                (None, List::Opening(stones)) => self.agree(&stones),
            });
        }
        let read = match &mut reading.of {
            List::Board => self.read_stone_of_board(line),
            List::Opening(stones) => self.read_stone_of_opening(stones, line),
        };
        if let Err(flaw) = read {
            reading.flaw.get_or_insert(flaw);
        }
        self.reading = Some(reading);
        Reply::default()
    }

    fn read_stone_of_board(&mut self, line: &str) -> Result<(), String> {
        let stone = line.rsplit_once(',').and_then(|(cell, field)| {
            let owner = match field.trim() {
                "1" => Owner::Brain,
                "2" => Owner::Opponent,
                "3" => Owner::Nobody,
                _ => return None,
            };
            Some((parse_cell(cell)?, owner))
        });
        let expected =
            || format!("`{}`: expected x,y and 1, 2 or 3 after it, or DONE", excerpt(line));
        let (cell, owner) = stone.ok_or_else(expected)?;
        self.put(cell, owner)
    }

    fn read_stone_of_opening(&self, stones: &mut Vec<Cell>, line: &str) -> Result<(), String> {
        let expected = || format!("`{}`: expected x,y or DONE", excerpt(line));
        let cell = parse_cell(line).ok_or_else(expected)?;
        if stones.len() == LONGEST_OPENING {
            return Err(OPENING_LENGTHS.to_owned());
        }
        stones.push(cell);
        Ok(())
    }

    /// The brain's part in swap2, which depends on how many stones there are.
    fn agree(&mut self, stones: &[Cell]) -> Result<String, String> {
        let rules = self.position()?.rules().clone();
        let budget = self.limits.budget().with_stop(Arc::clone(&self.stop));
        if stones.is_empty() {
            let stones = swap2::propose(&rules, &mut *self.strategy, &budget);
            let stones = stones.map_err(|error| error.to_string())?;
            return Ok(stones.map(cell_text).join(" "));
        }
        if ![3, LONGEST_OPENING].contains(&stones.len()) {
            return Err(OPENING_LENGTHS.to_owned());
        }
        let position = swap2::position(&rules, stones)
            .map_err(|cell| format!("{} can't be played in this opening", cell_text(cell)))?;
        let answer = swap2::answer(&position, &mut *self.strategy, &budget);
        Ok(match answer.map_err(|error| error.to_string())? {
            Answer::Swap => "SWAP".to_owned(),
            Answer::Stay(cell) => cell_text(cell),
        })
    }

    fn put(&mut self, cell: Cell, owner: Owner) -> Result<(), String> {
        let (rows, cols) = self.size.ok_or(NOT_STARTED)?;
        if cell.row() >= rows || cell.col() >= cols {
            return Err(format!("{} is not on the board", cell_text(cell)));
        }
        if self.stones.iter().any(|stone| stone.cell == cell) {
            return Err(format!("{} is taken", cell_text(cell)));
        }
        self.stones.push(Stone { cell, owner });
        Ok(())
    }

    /// Lets the strategy move where the board stands.
    fn choose(&mut self) -> Result<String, String> {
        let position = self.position()?;
        let budget = self.limits.budget().with_stop(Arc::clone(&self.stop));
        let choice = self.strategy.choose(&position, &budget).map_err(|error| error.to_string())?;
        if !position.is_legal(choice.cell) {
            return Err(format!("no move found: {} cannot be played", cell_text(choice.cell)));
        }
        self.stones.push(Stone { cell: choice.cell, owner: Owner::Brain });
        Ok(cell_text(choice.cell))
    }

    fn position(&self) -> Result<Position, String> {
        let (rows, cols) = self.size.ok_or(NOT_STARTED)?;
        if self.limits.rule & OTHER_GAMES != 0 {
            return Err(format!("rule {} is not supported", self.limits.rule));
        }
        let rules = self.rules(rows, cols).ok_or(NOT_STARTED)?;
        board_setup::position(&rules, &self.stones).map_err(|error| error.to_string())
    }

    fn rules(&self, rows: u8, cols: u8) -> Option<Rules> {
        let exact = self.limits.rule & EXACT != 0;
        board_setup::rules(rows, cols, exact, 2)
    }

    fn inform(&mut self, text: &str) {
        let (key, value) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
        let Ok(value) = value.trim().parse::<i64>() else { return };
        let value = value.max(0).unsigned_abs();
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.limits.turn = value,
            "timeout_match" if value > 0 => self.limits.left = self.limits.left.min(value),
            "time_left" => self.limits.left = value,
            "max_node" => self.limits.nodes = (value > 0).then_some(value),
            "max_memory" => self.limits.memory = (value > 0).then_some(value),
            "thread_num" => self.limits.threads = value.clamp(1, MOST_THREADS) as usize,
            "rule" => self.limits.rule = value as u32,
            _ => {}
        }
    }
}

impl Limits {
    fn budget(&self) -> Budget {
        // What the way to the manager and back may cost.
        const MARGIN: u64 = 30;
        // A game is rarely decided in fewer moves than this.
        const MOVES_TO_COME: u64 = 10;
        const AS_FAST_AS_POSSIBLE: u64 = 1000;
        let mut budget = Budget::unlimited().with_threads(self.threads);
        if let Some(memory) = self.memory {
            budget = budget.with_memory(memory);
        }
        if self.turn == 0 {
            budget = budget.with_nodes(AS_FAST_AS_POSSIBLE);
        }
        let mut time = if self.turn == 0 { MARGIN } else { self.turn };
        if self.left < UNLIMITED {
            time = time.min(self.left / MOVES_TO_COME);
        }
        budget = budget.with_time(Duration::from_millis(time.saturating_sub(MARGIN).max(1)));
        match self.nodes {
            Some(nodes) => budget.with_nodes(nodes),
            None => budget,
        }
    }
}

/// More than this no manager needs.
const MOST_THREADS: u64 = 1024;

/// The most stones that an opening has when colours are chosen.
const LONGEST_OPENING: usize = 5;

const OPENING_LENGTHS: &str = "expected no stones, three or five before DONE";

const NOT_STARTED: &str = "no game: expected START or RECTSTART first";

fn not_a_cell(text: &str) -> String {
    format!("`{}`: expected x,y", excerpt(text))
}

fn excerpt(text: &str) -> String {
    text.trim().chars().take(60).collect()
}

fn about() -> String {
    let (version, author) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"));
    format!(r#"name="Noughts", version="{version}", author="{author}", country="World""#)
}
