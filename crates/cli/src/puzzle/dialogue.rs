//! Puzzles as a dialogue of lines.

use std::io::{self, BufRead, Write};

use noughts_engine::{AttemptError, PuzzleFeedback};
use noughts_play::{
    PuzzleSession, describe_feedback, describe_progress, describe_solution, not_stored,
    puzzle_task, sentence,
};
use noughts_rules::describe::{summary, title};
use noughts_store::StoreError;

use crate::board;
use crate::lines::LineReader;
use crate::turn::{explain_rules, read_move};

/// The commands as help lists them.
const COMMANDS: [(&str, &str); 7] = [
    ("help, ?", "shows this help"),
    ("hint", "shows three boxes, one is right; then the puzzle is not rated"),
    ("solution", "shows the solution, for those who give up"),
    ("again", "begins the puzzle anew"),
    ("next", "goes on to another puzzle"),
    ("board", "shows the board again"),
    ("quit, exit", "ends the program"),
];

/// Solves puzzles over an input and an output.
pub(super) struct Dialogue<R, W> {
    pub(super) lines: LineReader<R>,
    pub(super) output: W,
    /// Whether to echo what was read, which a terminal does by itself.
    pub(super) echo: bool,
    pub(super) session: PuzzleSession,
}

impl<R: BufRead, W: Write> Dialogue<R, W> {
    /// Goes through the puzzles until the user quits or the input ends.
    pub(super) fn run(&mut self) -> io::Result<()> {
        self.introduce()?;
        loop {
            let question = match self.session.attempt().is_solved() {
                true => "Enter next for another puzzle, or quit:",
                false => "Enter a move, or help:",
            };
            write!(self.output, "{question}\n> ")?;
            self.output.flush()?;
            let Some(line) = self.lines.next()?.map(|line| line.trim().to_string()) else {
                return writeln!(self.output);
            };
            if self.echo {
                writeln!(self.output, "{line}")?;
            }
            match line.to_ascii_lowercase().as_str() {
                "" if !self.session.attempt().is_solved() => {}
                "" | "next" => {
                    if !self.session.next_puzzle() {
                        return self.say("There are no more puzzles.");
                    }
                    self.introduce()?;
                }
                "quit" | "exit" => return Ok(()),
                "help" | "?" => self.help()?,
                "board" => self.show_board()?,
                "again" => {
                    self.session.start_over();
                    self.show_task()?;
                }
                "hint" => self.hint()?,
                "solution" => self.solution()?,
                _ if self.session.attempt().is_solved() => self.say("The puzzle is solved.")?,
                _ => self.play(&line)?,
            }
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    fn introduce(&mut self) -> io::Result<()> {
        let rules = self.session.puzzle().rules().clone();
        let difficulty = self.session.puzzle().difficulty();
        let daily = if self.session.is_daily() { "Puzzle of the day: " } else { "" };
        self.say(&format!("\n{daily}{}, difficulty {difficulty} of 5", title(&rules)))?;
        self.say(&summary(&rules))?;
        self.show_task()
    }

    fn show_task(&mut self) -> io::Result<()> {
        self.show_board()?;
        let task = puzzle_task(&self.session);
        self.say(&task)
    }

    fn show_board(&mut self) -> io::Result<()> {
        self.say("")?;
        let rows = board::rows(&self.session.game());
        rows.iter().try_for_each(|row| self.say(row))?;
        self.say("")
    }

    fn help(&mut self) -> io::Result<()> {
        let rules = explain_rules(self.session.puzzle().rules());
        self.say(&rules)?;
        self.say("Commands:")?;
        COMMANDS.iter().try_for_each(|(word, meaning)| self.say(&format!("  {word:<10} {meaning}")))
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.session.attempt().is_solved() {
            return self.say("The puzzle is solved.");
        }
        let (moves, stored) = self.session.hint();
        let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
        match &names[..] {
            [only] => self.say(&format!("Try {only}."))?,
            names => self.say(&format!("It is one of {}.", names.join(", ")))?,
        }
        self.check_stored(stored)
    }

    fn solution(&mut self) -> io::Result<()> {
        if self.session.attempt().is_solved() {
            return self.say("The puzzle is solved.");
        }
        let (moves, stored) = self.session.give_up();
        self.say(&describe_solution(&moves))?;
        self.check_stored(stored)
    }

    fn play(&mut self, text: &str) -> io::Result<()> {
        let mv = match read_move(&self.session.game(), text) {
            Ok(mv) => mv,
            Err(explanation) => return self.say(&explanation),
        };
        let before = self.session.attempt().position().clone();
        let (feedback, stored) = match self.session.play(mv) {
            Ok(answered) => answered,
            Err(error) => return self.say(&refusal(&error)),
        };
        let is_right = !matches!(feedback, PuzzleFeedback::Wrong { .. });
        if is_right {
            self.show_board()?;
        }
        for sentence in describe_feedback(&self.session, &before, mv, &feedback) {
            self.say(&sentence)?;
        }
        if self.session.attempt().is_solved() {
            let progress = describe_progress(&self.session);
            self.say(&progress)?;
        }
        self.check_stored(stored)
    }

    fn check_stored(&mut self, stored: Result<(), StoreError>) -> io::Result<()> {
        stored.or_else(|error| self.say(&not_stored(error)))
    }
}

/// Why a move has no answer.
fn refusal(error: &AttemptError) -> String {
    match error {
        AttemptError::Refused(refusal) => sentence(*refusal),
        _ => "Nobody has proven whether that works. Try another move.".to_string(),
    }
}
