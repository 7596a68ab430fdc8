//! Asking and answering in lines of text.

use std::io::{self, BufRead, Write};

use crate::lines::Lines;

/// A conversation: questions go out, lines come in.
pub(super) struct Prompt<R, W> {
    lines: Lines<R>,
    output: W,
    /// Whether what was read is written after the prompt, which a terminal does by itself.
    echo: bool,
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    pub(super) fn new(input: R, output: W, echo: bool) -> Self {
        Prompt { lines: Lines::new(input), output, echo }
    }

    /// Writes a line.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Writes a question and reads what the user has to say to it, without white space around
    /// it; `None` at the end of the input.
    pub(super) fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        write!(self.output, "{question}\n> ")?;
        self.output.flush()?;
        let Some(line) = self.lines.next()? else {
            writeln!(self.output)?;
            self.output.flush()?;
            return Ok(None);
        };
        if self.echo {
            writeln!(self.output, "{line}")?;
        }
        Ok(Some(line.trim().to_string()))
    }
}
