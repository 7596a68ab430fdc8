//! Files with openings, in the formats that engine authors use.
//!
//! Each line is an opening:
//!
//! - moves as this program writes them, separated by spaces: `H8 I9 J10`;
//! - Gomocup's lists, with `x,y` counted from the centre of the board: `0,0, 1,-1, 3,2`;
//! - the `pos` format of match runners, the column first: `h8i9j10`.
//!
//! Empty lines and those that begin with `#` or `;` are left out.

use noughts_rules::{Cell, Move, Position, Rules};

/// Why a file has no usable openings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningFileError {
    /// A line is in none of the formats.
    #[error("line {line}: expected moves such as `H8 I9`, `0,0, 1,-1` from the centre, or `h8i9`")]
    Format {
        /// The line number, from 1.
        line: usize,
    },
    /// The rules refuse a move.
    #[error("line {line}: {reason}")]
    Refused {
        /// The line number, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// An opening ends the game.
    #[error("line {line}: the game is over after this opening")]
    Over {
        /// The line number, from 1.
        line: usize,
    },
    /// There is no opening.
    #[error("expected an opening on each line, found none")]
    Empty,
}

/// Reads the openings of a file for games that begin with this position.
///
/// ```
/// use noughts_arena::read_openings;
/// use noughts_rules::{Position, Rules};
///
/// let rules: Rules = "gomoku".parse()?;
/// let openings = read_openings("H8 I9\n0,0, 1,1\nh8i9\n", &Position::new(&rules))?;
/// assert_eq!(openings[0], openings[1]);
/// assert_eq!(openings[0], openings[2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_openings(text: &str, start: &Position) -> Result<Vec<Vec<Move>>, OpeningFileError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let openings: Vec<Vec<Move>> = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']))
        .map(|(number, line)| read_line(number, line, start))
        .collect::<Result<_, _>>()?;
    if openings.is_empty() { Err(OpeningFileError::Empty) } else { Ok(openings) }
}

fn read_line(line: usize, text: &str, start: &Position) -> Result<Vec<Move>, OpeningFileError> {
    let rules = start.rules();
    let own = || text.split_whitespace().map(|word| rules.parse_move(word).ok()).collect();
    let cells = |cells: Option<Vec<Cell>>| -> Option<Vec<Move>> {
        Some(cells?.into_iter().map(Move::Place).collect())
    };
    // Two numbers with a comma are a box of ours, too, so offsets come first.
    let moves = cells(from_centre(text, rules)).or_else(|| cells(columns_first(text))).or_else(own);
    let moves: Vec<Move> = moves.ok_or(OpeningFileError::Format { line })?;
    let mut position = start.clone();
    for &mv in &moves {
        let played = position.play(mv);
        played
            .map_err(|refusal| OpeningFileError::Refused { line, reason: refusal.to_string() })?;
    }
    if position.turn().is_none() { Err(OpeningFileError::Over { line }) } else { Ok(moves) }
}

/// `0,0, 1,-1`: columns and rows from the centre.
fn from_centre(text: &str, rules: &Rules) -> Option<Vec<Cell>> {
    let numbers: Vec<i16> =
        text.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?;
    if !numbers.len().is_multiple_of(2) {
        return None;
    }
    let at = |offset: i16, side: u8| u8::try_from(i16::from(side) / 2 + offset).ok();
    let cell = |xy: &[i16]| Cell::new(at(xy[1], rules.rows())?, at(xy[0], rules.cols())?);
    numbers.chunks(2).map(cell).collect()
}

/// `h8i9`: the letter of a column and the number of a row, without spaces.
fn columns_first(text: &str) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest[letter.len_utf8()..].find(|c: char| !c.is_ascii_digit());
        let end = digits.map_or(rest.len(), |digits| letter.len_utf8() + digits);
        if !letter.is_ascii_lowercase() {
            return None;
        }
        let row: u8 = rest[1..end].parse().ok()?;
        cells.push(Cell::new(row.checked_sub(1)?, letter as u8 - b'a')?);
        rest = &rest[end..];
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &str, text: &str, expected: Result<&[&str], &str>) {
        let start = Position::new(&rules.parse().unwrap());
        let texts = |openings: Vec<Vec<Move>>| -> Vec<String> {
            let text =
                |moves: Vec<Move>| moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
            openings.into_iter().map(text).collect()
        };
        let read = read_openings(text, &start).map(texts).map_err(|error| error.to_string());
        let expected = expected.map(|lines| lines.iter().map(|line| line.to_string()).collect());
        assert_eq!(read, expected.map_err(str::to_string), "{text}");
    }

    #[test]
    fn lines_are_read_in_every_format() {
        check("gomoku", "# own\n\nH8 I9 J10\n", Ok(&["H8 I9 J10"]));
        check("gomoku", "0,0, 1,-1, 3,2\n-7,-7\n", Ok(&["H8 G9 J11", "A1"]));
        check("gomoku", "h8i9j10\nc1\n", Ok(&["H8 I9 J10", "A3"]));
        check("wild", "B2=o A1=x", Ok(&["B2=o A1=x"]));
    }

    #[test]
    fn wrong_lines_are_named() {
        let format = "expected moves such as `H8 I9`, `0,0, 1,-1` from the centre, or `h8i9`";
        check("gomoku", "H8\nrubbish", Err(&format!("line 2: {format}")));
        check("gomoku", "H8 H8", Err("line 1: H8 is taken, choose an empty box"));
        check("3x3", "A1 B1 A2 B2 A3", Err("line 1: the game is over after this opening"));
        check("gomoku", "; nothing\n", Err("expected an opening on each line, found none"));
    }
}
