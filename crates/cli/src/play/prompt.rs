//! Asking and answering in lines of text.

use std::io::{self, BufRead, Write};

use super::commands::Command;
use crate::lines::Lines;

/// A conversation: questions go out, lines come in.
pub(super) struct Prompt<R, W> {
    lines: Lines<R>,
    output: W,
    /// Whether what was read is written after the prompt, which a terminal does by itself.
    echo: bool,
}

/// What someone answered.
pub(super) enum Answer {
    Text(String),
    Command(Command),
}

/// Why the conversation is over.
pub(super) enum End {
    /// Someone said so.
    Quit,
    /// There was no more input when an answer was needed.
    InputEnded,
    Failed(io::Error),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> End {
        End::Failed(error)
    }
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    pub(super) fn new(input: R, output: W, echo: bool) -> Self {
        Prompt { lines: Lines::new(input), output, echo }
    }

    /// Writes a line.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Writes a question and reads what the user has to say to it, without white space around it.
    pub(super) fn ask(&mut self, question: &str) -> Result<Answer, End> {
        write!(self.output, "{question}\n> ")?;
        self.output.flush()?;
        let Some(line) = self.lines.next()? else {
            writeln!(self.output)?;
            self.output.flush()?;
            return Err(End::InputEnded);
        };
        if self.echo {
            writeln!(self.output, "{line}")?;
        }
        let text = line.trim();
        match Command::read(text) {
            Some(Command::Quit) => Err(End::Quit),
            Some(command) => Ok(Answer::Command(command)),
            None => Ok(Answer::Text(text.to_string())),
        }
    }
}
