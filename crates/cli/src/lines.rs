//! Reading lines of text that may be anything.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// No line that means anything here is longer, so no more of one is kept.
const LONGEST: u64 = 4096;

/// Lines of an input, one at a time, in a fixed amount of memory.
pub(crate) struct Lines<R> {
    input: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Lines<R> {
        Lines { input, line: Vec::new() }
    }

    /// The next line without its end, or `None` at the end of the input. What is not UTF-8 is
    /// replaced, and of a very long line only the beginning is kept.
    pub(crate) fn next(&mut self) -> io::Result<Option<Cow<'_, str>>> {
        self.line.clear();
        (&mut self.input).take(LONGEST).read_until(b'\n', &mut self.line)?;
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
    fn lines_of_any_kind() {
        let long = "x".repeat(10_000);
        let input = format!("a\r\n\n{long}\nb");
        let mut lines = Lines::new(input.as_bytes());
        assert_eq!(lines.next().unwrap().as_deref(), Some("a"));
        assert_eq!(lines.next().unwrap().as_deref(), Some(""));
        assert_eq!(lines.next().unwrap().map(|line| line.len()), Some(LONGEST as usize));
        assert_eq!(lines.next().unwrap().as_deref(), Some("b"));
        assert_eq!(lines.next().unwrap(), None);

        let mut lines = Lines::new(&b"\xff\xfe"[..]);
        assert_eq!(lines.next().unwrap().as_deref(), Some("\u{fffd}\u{fffd}"));
    }
}
