//! Reads lines of untrusted text.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// Longer lines are cut; none that means anything is longer.
const MAX_LINE_BYTES: u64 = 4096;

/// A line reader with bounded memory.
pub(crate) struct LineReader<R> {
    input: R,
    line: Vec<u8>,
}

impl<R: BufRead> LineReader<R> {
    pub(crate) fn new(input: R) -> LineReader<R> {
        LineReader { input, line: Vec::new() }
    }

    /// The next line without its line break; `None` at the end. Invalid UTF-8 is replaced, and very
    /// long lines are cut.
    pub(crate) fn next(&mut self) -> io::Result<Option<Cow<'_, str>>> {
        self.line.clear();
        (&mut self.input).take(MAX_LINE_BYTES).read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        if self.line.last() != Some(&b'\n') {
            self.skip_rest()?;
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Ok(Some(String::from_utf8_lossy(line)))
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        loop {
            let read = self.input.fill_buf()?;
            let (skip, end) = match read.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (read.len(), read.is_empty()),
            };
            self.input.consume(skip);
            if end {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_input_reads_as_lines() {
        let long = "x".repeat(10_000);
        let input = format!("a\r\n\n{long}\nb");
        let mut lines = LineReader::new(input.as_bytes());
        assert_eq!(lines.next().unwrap().as_deref(), Some("a"));
        assert_eq!(lines.next().unwrap().as_deref(), Some(""));
        assert_eq!(lines.next().unwrap().map(|line| line.len()), Some(MAX_LINE_BYTES as usize));
        assert_eq!(lines.next().unwrap().as_deref(), Some("b"));
        assert_eq!(lines.next().unwrap(), None);

        let mut lines = LineReader::new(&b"\xff\xfe"[..]);
        assert_eq!(lines.next().unwrap().as_deref(), Some("\u{fffd}\u{fffd}"));
    }
}
