//! Piskvork's `.psq` files, in which Gomocup publishes its games.
//!
//! A header `Piskvorky WIDTHxHEIGHT, ...`; a line `x,y,milliseconds` per move, with `x` and `y`
//! from 1; the names of the two players; `-1`; and a line `winner,rule`.

use std::fmt::Write;

use super::NotGomoku;
use super::gomoku;
use crate::text::excerpt;
use crate::{Cell, Game, Outcome, Refusal, RulesError, Seat};

/// Why a text does not parse as a `.psq` game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePsqError {
    /// The first line is not Piskvork's header.
    #[error("line 1: expected `Piskvorky WIDTHxHEIGHT,` such as `Piskvorky 15x15, 11:11, 0`")]
    Header,
    /// The board size is out of range.
    #[error("line 1: {0}")]
    Size(#[from] RulesError),
    /// The rule is not supported, such as caro.
    #[error("unsupported rule `{0}`: expected Freestyle, Standard or Renju")]
    Rule(String),
    /// A move is off the board.
    #[error("line {line}: expected x from 1 to {cols} and y from 1 to {rows}")]
    OffBoard {
        /// The line number, from 1.
        line: usize,
        /// Columns of the board.
        cols: u8,
        /// Rows of the board.
        rows: u8,
    },
    /// The rules refuse a move.
    #[error("line {line}: {refusal}")]
    Refused {
        /// The line number, from 1.
        line: usize,
        /// The reason.
        refusal: Refusal,
    },
}

/// Reads a game. Players get the names in the file and the default symbols. If the file names a
/// winner but nobody has five, the other player resigned.
pub fn read(text: &str) -> Result<Game, ParsePsqError> {
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let (cols, rows) =
        lines.next().and_then(|(_, line)| header(line)).ok_or(ParsePsqError::Header)?;

    let is_move = |(_, line): &(usize, &str)| numbers::<3>(line).is_some();
    let moves = lines.clone().take_while(is_move);
    let mut tail = lines.skip_while(is_move).map(|(_, line)| line);
    let names = [tail.next(), tail.next()];
    let footer = tail.filter_map(|line| line.split_once(',')).next();
    let (winner, rule) = footer.unwrap_or(("", ""));
    let rule = gomoku::Rule::named(rule).ok_or_else(|| ParsePsqError::Rule(excerpt(rule)))?;

    let mut game = gomoku::game(&rule.on_board(rows, cols)?, names);
    for (line, text) in moves {
        let cell = numbers(text).and_then(|[x, y, _]| cell(x, y));
        let cell = cell.ok_or(ParsePsqError::OffBoard { line, cols, rows })?;
        game.play_turn(cell).map_err(|refusal| ParsePsqError::Refused { line, refusal })?;
    }
    let winner = match winner {
        "1" => Seat::new(0),
        "2" => Seat::new(1),
        _ => None,
    };
    gomoku::resign_loser(&mut game, winner);
    Ok(game)
}

/// Writes a game of gomoku, with 0 ms for each move.
pub fn write(game: &Game) -> Result<String, NotGomoku> {
    gomoku::check(game)?;
    let rules = game.rules();
    let mut text = format!("Piskvorky {}x{}, 11:11, 0\n", rules.cols(), rules.rows());
    for action in game.history() {
        if let Some(cell) = action.cell() {
            let _ = writeln!(text, "{},{},0", cell.col() + 1, cell.row() + 1);
        }
    }
    for player in game.players() {
        let _ = writeln!(text, "{}", player.name());
    }
    let winner = match game.position().outcome() {
        Some(Outcome::Win(seat)) => seat.index() + 1,
        _ => 0,
    };
    let _ = writeln!(text, "-1\n{winner},{}", gomoku::rule_name(rules));
    Ok(text)
}

fn header(line: &str) -> Option<(u8, u8)> {
    let (size, _) = line.strip_prefix("Piskvorky ")?.split_once(',')?;
    let (cols, rows) = size.trim().split_once('x')?;
    Some((cols.parse().ok()?, rows.parse().ok()?))
}

fn numbers<const N: usize>(line: &str) -> Option<[u64; N]> {
    let mut numbers = [0; N];
    let mut words = line.splitn(N + 1, ',');
    for number in &mut numbers {
        *number = words.next()?.trim().parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

fn cell(x: u64, y: u64) -> Option<Cell> {
    let index = |n: u64| u8::try_from(n.checked_sub(1)?).ok();
    Cell::new(index(y)?, index(x)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piskvork_file_is_read() {
        let game = read(
            "Piskvorky 20x15, 11:11, 0\r\n1,2,0\r\n3,4,1532\r\npbrain-a.zip\r\npbrain-b.exe\r\n-1\r\n1,Freestyle\r\n",
        )
        .unwrap();
        assert_eq!(game.rules().to_string(), "15x20:5");
        assert_eq!(
            game.to_string(),
            "rules 15x20:5\nplayer X pbrain-a.zip\nplayer O pbrain-b.exe\n\
             moves B1 D3 resign:2\nresult X wins"
        );
    }

    #[test]
    fn writing_restores_the_file() {
        let text = "Piskvorky 7x6, 11:11, 0\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\nAnn\nBob\n-1\n1,Standard\n";
        assert_eq!(write(&read(text).unwrap()).unwrap(), text);
    }

    #[test]
    fn errors_say_what_was_expected() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text).unwrap_err().to_string(), expected, "{text:?}");
        };
        let header =
            "line 1: expected `Piskvorky WIDTHxHEIGHT,` such as `Piskvorky 15x15, 11:11, 0`";
        check("", header);
        check("Piskvorky 15, 1", header);
        check(
            "Piskvorky 30x30, 11:11, 0",
            "line 1: board size 30x30 is out of range: expected 1 to 26 rows and 1 to 26 columns",
        );
        check(
            "Piskvorky 3x3, 11:11, 0",
            "line 1: 5 in a row does not fit: expected a win length of 1 to 3 on this board",
        );
        check(
            "Piskvorky 15x15, 11:11, 0\n1,1,0\n1,1,0",
            "line 3: A1 is taken, choose an empty box",
        );
        check(
            "Piskvorky 15x15, 11:11, 0\n0,1,0",
            "line 2: expected x from 1 to 15 and y from 1 to 15",
        );
        check(
            "Piskvorky 15x15, 11:11, 0\n16,1,0",
            "line 2: A16 is not on the board: rows go from A to O, columns from 1 to 15",
        );
        check(
            "Piskvorky 15x15, 11:11, 0\na\nb\n-1\n1,Caro",
            "unsupported rule `Caro`: expected Freestyle, Standard or Renju",
        );
        let classic = Game::with_default_players(&crate::Rules::classic());
        assert_eq!(
            write(&classic).unwrap_err().to_string(),
            "3x3 is not gomoku: expected five in a row for two players on a flat board, with exact or renju at most"
        );
    }
}
