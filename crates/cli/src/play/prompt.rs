//! Prompts in lines of text.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};

use super::commands::Command;
use crate::lines::LineReader;

/// Questions and answers over an input and an output.
pub(super) struct Prompt<R, W> {
    lines: LineReader<R>,
    output: W,
    /// Whether to echo what was read, which a terminal does by itself.
    echo: bool,
}

/// An answer to a question.
pub(super) enum Reply {
    Text(String),
    Command(Command),
}

/// Why a dialogue ended.
pub(super) enum DialogueEnd {
    /// The user quit.
    Quit,
    /// The input ended while an answer was needed.
    InputEnded,
    Failed(io::Error),
}

impl From<io::Error> for DialogueEnd {
    fn from(error: io::Error) -> DialogueEnd {
        DialogueEnd::Failed(error)
    }
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    pub(super) fn new(input: R, output: W, echo: bool) -> Self {
        Prompt { lines: LineReader::new(input), output, echo }
    }

    /// Writes a line.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Asks a question and reads the answer, trimmed.
    pub(super) fn ask(&mut self, question: &str) -> Result<Reply, DialogueEnd> {
        loop {
            write!(self.output, "{question}\n> ")?;
            self.output.flush()?;
            let Some(line) = self.lines.next()? else {
                writeln!(self.output)?;
                self.output.flush()?;
                return Err(DialogueEnd::InputEnded);
            };
            if self.echo {
                writeln!(self.output, "{line}")?;
            }
            // The reader replaced bytes that are no UTF-8.
            if matches!(line, Cow::Owned(_)) {
                writeln!(self.output, "That is not UTF-8 text, which is expected here.")?;
                continue;
            }
            let text = line.trim();
            return match Command::read(text) {
                Some(Command::Quit) => Err(DialogueEnd::Quit),
                Some(command) => Ok(Reply::Command(command)),
                None => Ok(Reply::Text(text.to_string())),
            };
        }
    }
}
