//! Translates 256-colour escape sequences to the ANSI colours that every terminal knows.

use std::io::{self, Write};

/// Start and end of a style sequence.
const SEQUENCE_START: &[u8] = b"\x1b[";
const SEQUENCE_END: u8 = b'm';

/// A writer that rewrites the first sixteen of 256 colours as the classic sixteen. `crossterm`
/// writes them in a form that older terminals do not understand.
pub(crate) struct Ansi16<W> {
    output: W,
    /// Bytes since the last flush.
    waiting: Vec<u8>,
}

impl<W: Write> Ansi16<W> {
    pub(crate) fn new(output: W) -> Ansi16<W> {
        Ansi16 { output, waiting: Vec::new() }
    }
}

impl<W: Write> Write for Ansi16<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.output.write_all(&translated(&self.waiting));
        self.waiting.clear();
        written?;
        self.output.flush()
    }
}

fn translated(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) =
        rest.windows(SEQUENCE_START.len()).position(|window| window == SEQUENCE_START)
    {
        let (before, sequence) = rest.split_at(at + SEQUENCE_START.len());
        out.extend(before);
        let length = sequence.iter().take_while(|b| b.is_ascii_digit() || **b == b';').count();
        let (numbers, after) = sequence.split_at(length);
        match std::str::from_utf8(numbers) {
            Ok(numbers) if after.first() == Some(&SEQUENCE_END) => {
                out.extend(style(numbers).bytes())
            }
            _ => out.extend(numbers),
        }
        rest = after;
    }
    out.extend(rest);
    out
}

/// Rewrites the parameters of a style sequence: `38;5;3` becomes `33`.
fn style(numbers: &str) -> String {
    let numbers: Vec<&str> = numbers.split(';').collect();
    let mut out: Vec<String> = Vec::new();
    let mut rest = &numbers[..];
    while let [first, after @ ..] = rest {
        match (*first, after) {
            (kind @ ("38" | "48"), ["5", colour, others @ ..]) => {
                let base = if kind == "38" { 30 } else { 40 };
                match colour.parse::<u16>() {
                    Ok(colour @ 0..8) => out.push((base + colour).to_string()),
                    Ok(colour @ 8..16) => out.push((base + 60 + colour - 8).to_string()),
                    _ => out.push(format!("{kind};5;{colour}")),
                }
                rest = others;
            }
            _ => {
                out.push(first.to_string());
                rest = after;
            }
        }
    }
    out.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(written: &str, expected: &str) {
        let mut output = Vec::new();
        let mut ansi16 = Ansi16::new(&mut output);
        // Byte by byte: sequences may be split between writes.
        for byte in written.as_bytes() {
            ansi16.write_all(&[*byte]).unwrap();
        }
        ansi16.flush().unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }

    #[test]
    fn first_sixteen_colours_become_ansi() {
        check("\x1b[38;5;3mX", "\x1b[33mX");
        check("\x1b[38;5;14;48;5;9m", "\x1b[96;101m");
        check("\x1b[1m\x1b[38;5;5;49mX\x1b[0m", "\x1b[1m\x1b[35;49mX\x1b[0m");
    }

    #[test]
    fn other_sequences_pass_through() {
        for text in ["", "38;5;3m", "\x1b[38;5;200m", "\x1b[3;5H▀", "\x1b[?25l", "\x1b[", "\x1b[m"]
        {
            check(text, text);
        }
    }
}
