//! The engine's side of the protocol as a state machine: a line in, lines out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use noughts_rules::{Cell, Position, Rules};

use super::board_setup::{self, Owner, Stone};
use super::settings::Settings;
use super::swap2::{self, ColourChoice};
use super::{cell_text, message, parse_cell};
use crate::{Budget, Strategy};

/// An engine for a Gomocup manager. It does no input or output itself.
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
/// # Ok::<(), noughts_engine::ParsePlayerKindError>(())
/// ```
pub struct Brain {
    strategy: Box<dyn Strategy>,
    /// Rows and columns; `None` until the manager starts a game.
    size: Option<(u8, u8)>,
    stones: Vec<Stone>,
    /// The list that the manager is sending, one stone a line.
    pending_list: Option<StoneList>,
    settings: Settings,
    stop: Arc<AtomicBool>,
    /// What to say about the last search before its move.
    message: Option<String>,
}

/// The reply to one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The lines to send and flush.
    pub lines: Vec<String>,
    /// Whether the manager ended the session.
    pub end: bool,
}

/// A list of stones that ends with `DONE`.
#[derive(Debug)]
struct StoneList {
    kind: ListKind,
    /// The first error in the list.
    error: Option<String>,
}

#[derive(Debug)]
enum ListKind {
    /// All stones on the board, in any order. The brain is to move.
    Board,
    /// The stones of a swap2 opening in the order of moves, black first.
    Opening(Vec<Cell>),
}

impl Reply {
    fn line(text: impl Into<String>) -> Reply {
        Reply { lines: vec![text.into()], end: false }
    }

    fn from_result(result: Result<String, String>) -> Reply {
        Reply::line(result.unwrap_or_else(|text| format!("ERROR {text}")))
    }
}

impl Brain {
    /// A brain that plays the strategy's moves.
    #[must_use]
    pub fn new(strategy: Box<dyn Strategy>) -> Brain {
        Brain {
            strategy,
            size: None,
            stones: Vec::new(),
            pending_list: None,
            settings: Settings::default(),
            stop: Arc::default(),
            message: None,
        }
    }

    /// Makes the brain answer soon after the flag is set.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Brain {
        self.stop = stop;
        self
    }

    /// Sets the number of search threads until the manager sets another.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Brain {
        self.settings.threads = threads.max(1);
        self
    }

    /// Handles a line from the manager. Before the move of a strategy that evaluates its moves comes a
    /// line such as `MESSAGE depth 12 ev 84 n 120000 n/ms 240 tm 500 pv H8 I9`.
    pub fn respond(&mut self, line: &str) -> Reply {
        let mut reply = self.reply_to(line.trim());
        reply.lines.splice(0..0, self.message.take());
        reply
    }

    fn reply_to(&mut self, line: &str) -> Reply {
        if let Some(list) = self.pending_list.take() {
            return self.continue_list(list, line);
        }
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command.to_ascii_uppercase().as_str() {
            "" => Reply::default(),
            "START" => Reply::from_result(self.start(rest.trim(), rest.trim())),
            "RECTSTART" => {
                let (cols, rows) = rest.split_once(',').unwrap_or((rest, ""));
                Reply::from_result(self.start(rows.trim(), cols.trim()))
            }
            "RESTART" => Reply::from_result(self.restart()),
            "BEGIN" => Reply::from_result(self.choose()),
            "TURN" => Reply::from_result(self.turn(rest)),
            "BOARD" => self.begin_list(ListKind::Board),
            "SWAP2BOARD" => self.begin_list(ListKind::Opening(Vec::new())),
            "PLAY" => Reply::from_result(self.play(rest)),
            "TAKEBACK" => Reply::from_result(self.take_back(rest)),
            "INFO" => {
                self.settings.apply(rest);
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
        let error = "the size is not supported: expected sides of 1 to 26, one of them at least 5";
        self.size = Some(size.ok_or(error)?);
        self.restart()
    }

    fn restart(&mut self) -> Result<String, String> {
        self.size.ok_or(NOT_STARTED)?;
        self.stones.clear();
        Ok("OK".to_owned())
    }

    /// Takes the opponent's move and answers it.
    fn turn(&mut self, text: &str) -> Result<String, String> {
        let cell = parse_cell(text).ok_or_else(|| not_a_cell(text))?;
        self.add_stone(cell, Owner::Opponent)?;
        self.choose().inspect_err(|_| {
            self.stones.pop();
        })
    }

    fn take_back(&mut self, text: &str) -> Result<String, String> {
        let cell = parse_cell(text).ok_or_else(|| not_a_cell(text))?;
        let index = self.stones.iter().rposition(|stone| stone.cell == cell);
        self.stones.remove(index.ok_or_else(|| format!("{} is empty", cell_text(cell)))?);
        Ok("OK".to_owned())
    }

    /// Plays the move that the manager dictates.
    fn play(&mut self, text: &str) -> Result<String, String> {
        let cell = parse_cell(text).ok_or_else(|| not_a_cell(text))?;
        self.add_stone(cell, Owner::Brain)?;
        Ok(cell_text(cell))
    }

    fn begin_list(&mut self, kind: ListKind) -> Reply {
        self.stones.clear();
        self.pending_list = Some(StoneList { kind, error: None });
        Reply::default()
    }

    fn continue_list(&mut self, mut list: StoneList, line: &str) -> Reply {
        if line.eq_ignore_ascii_case("DONE") {
            return Reply::from_result(match (list.error, list.kind) {
                (Some(error), _) => Err(error),
                (None, ListKind::Board) => self.choose(),
                (None, ListKind::Opening(stones)) => self.swap2(&stones),
            });
        }
        let result = match &mut list.kind {
            ListKind::Board => self.add_board_stone(line),
            ListKind::Opening(stones) => add_opening_stone(stones, line),
        };
        if let Err(error) = result {
            list.error.get_or_insert(error);
        }
        self.pending_list = Some(list);
        Reply::default()
    }

    fn add_board_stone(&mut self, line: &str) -> Result<(), String> {
        let stone = line.rsplit_once(',').and_then(|(cell, field)| {
            let owner = match field.trim() {
                "1" => Owner::Brain,
                "2" => Owner::Opponent,
                "3" => Owner::Nobody,
                _ => return None,
            };
            Some((parse_cell(cell)?, owner))
        });
        let malformed =
            || format!("`{}`: expected x,y and 1, 2 or 3 after it, or DONE", excerpt(line));
        let (cell, owner) = stone.ok_or_else(malformed)?;
        self.add_stone(cell, owner)
    }

    /// Proposes a swap2 opening or chooses a colour, depending on the number of stones.
    fn swap2(&mut self, stones: &[Cell]) -> Result<String, String> {
        let rules = self.position()?.rules().clone();
        let budget = self.budget();
        if stones.is_empty() {
            let stones = swap2::propose_opening(&rules, &mut *self.strategy, &budget);
            let stones = stones.map_err(|error| error.to_string())?;
            return Ok(stones.map(cell_text).join(" "));
        }
        if ![3, MAX_OPENING_STONES].contains(&stones.len()) {
            return Err(OPENING_STONES.to_owned());
        }
        let position = swap2::play_opening(&rules, stones)
            .map_err(|cell| format!("{} can't be played in this opening", cell_text(cell)))?;
        let choice = swap2::choose_colour(&position, &mut *self.strategy, &budget);
        Ok(match choice.map_err(|error| error.to_string())? {
            ColourChoice::Swap => "SWAP".to_owned(),
            ColourChoice::Stay(cell) => cell_text(cell),
        })
    }

    fn add_stone(&mut self, cell: Cell, owner: Owner) -> Result<(), String> {
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

    /// Plays the strategy's move.
    fn choose(&mut self) -> Result<String, String> {
        let position = self.position()?;
        let (start, nodes) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let budget = self.budget().with_node_counter(Arc::clone(&nodes));
        let choice = self.strategy.choose(&position, &budget).map_err(|error| error.to_string())?;
        let Some(cell) = choice.mv.cell().filter(|&cell| position.is_legal(cell)) else {
            return Err(format!("no move found: {} cannot be played", choice.mv));
        };
        self.stones.push(Stone { cell, owner: Owner::Brain });
        self.message = choice.verdict.map(|verdict| {
            let nodes = nodes.load(Ordering::Relaxed);
            message::describe(verdict, self.strategy.last_search(), nodes, start.elapsed())
        });
        Ok(cell_text(cell))
    }

    fn position(&self) -> Result<Position, String> {
        let (rows, cols) = self.size.ok_or(NOT_STARTED)?;
        if let Some(rule) = self.settings.unsupported_rule() {
            return Err(format!("rule {rule} is not supported"));
        }
        let rules = self.rules(rows, cols).ok_or(NOT_STARTED)?;
        board_setup::position(&rules, &self.stones).map_err(|error| error.to_string())
    }

    fn rules(&self, rows: u8, cols: u8) -> Option<Rules> {
        self.settings.rules(rows, cols)
    }

    fn budget(&self) -> Budget {
        self.settings.budget().with_stop(Arc::clone(&self.stop))
    }
}

fn add_opening_stone(stones: &mut Vec<Cell>, line: &str) -> Result<(), String> {
    let malformed = || format!("`{}`: expected x,y or DONE", excerpt(line));
    let cell = parse_cell(line).ok_or_else(malformed)?;
    if stones.len() == MAX_OPENING_STONES {
        return Err(OPENING_STONES.to_owned());
    }
    stones.push(cell);
    Ok(())
}

/// The most stones on the board when a swap2 colour is chosen.
const MAX_OPENING_STONES: usize = 5;

const OPENING_STONES: &str = "expected no stones, three or five before DONE";

const NOT_STARTED: &str = "no game: expected START or RECTSTART first";

fn not_a_cell(text: &str) -> String {
    format!("`{}`: expected x,y", excerpt(text))
}

/// The beginning of a line, for error messages.
fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    text.trim().chars().take(MAX_CHARS).collect()
}

fn about() -> String {
    let (version, author) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"));
    format!(r#"name="Noughts", version="{version}", author="{author}", country="World""#)
}
