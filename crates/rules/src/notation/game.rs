//! The text form of games: rules, players, moves and result, one line each.
//!
//! ```text
//! rules 3x3
//! player X John
//! player O Jane
//! moves A1 B2 A2 C1 A3
//! result X wins
//! ```
//!
//! A resignation appears among the moves as `resign:` and the number of the player. The result is
//! `SYMBOL wins`, `draw` or `in progress`, and must match the moves. After a swap, the symbol is that
//! of the marks with which the winner ended. A game that began with another position than its rules'
//! first has a line `start` with that position before the moves.

use std::fmt;
use std::str::FromStr;

use super::ParseRulesError;
use crate::text::excerpt;
use crate::{
    Action, Game, NameError, Outcome, ParseCellError, ParseMoveError, ParsePositionError,
    ParseSymbolError, Player, PlayersError, Position, Refusal, Rules, Seat,
};

/// Why a text does not parse as a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseGameError {
    /// A line has the wrong keyword.
    #[error("line {line}: expected `{expected}`")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The expected keyword.
        expected: &'static str,
    },
    /// The rules do not parse.
    #[error("rules: {0}")]
    Rules(#[from] ParseRulesError),
    /// A player's symbol is invalid.
    #[error("player {0}: {1}")]
    Symbol(Seat, ParseSymbolError),
    /// A player's name is invalid.
    #[error("player {0}: {1}")]
    Name(Seat, NameError),
    /// The players can't play together.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// The start does not parse.
    #[error("start: {0}")]
    Start(#[from] ParsePositionError),
    /// The start is a position of other rules.
    #[error("start: expected a position of {expected}, not of {got}")]
    StartRules {
        /// The rules of the game.
        expected: String,
        /// The rules of the position.
        got: String,
    },
    /// A move does not parse.
    #[error("move {number}, `{text}`: {error}")]
    Move {
        /// The move number, from 1.
        number: usize,
        /// The beginning of its text.
        text: String,
        /// The reason.
        error: ParseMoveError,
    },
    /// The rules refuse a move or resignation.
    #[error("move {number}: {refusal}")]
    Refused {
        /// The move number, from 1.
        number: usize,
        /// The reason.
        refusal: Refusal,
    },
    /// The result does not match the moves.
    #[error("the moves lead to the result `{expected}`, not `{got}`")]
    Result {
        /// The result of the moves.
        expected: String,
        /// The result in the text.
        got: String,
    },
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rules {}", self.rules())?;
        for player in self.players() {
            writeln!(f, "player {} {}", player.symbol(), player.name())?;
        }
        let start = self.start();
        if start != Position::new(self.rules()) {
            writeln!(f, "start {start}")?;
        }
        f.write_str("moves")?;
        for action in self.history() {
            match action {
                Action::Move { mv, .. } => write!(f, " {mv}")?,
                Action::Resign { seat } => write!(f, " {RESIGN}{seat}")?,
            }
        }
        write!(f, "\nresult {}", result(self))
    }
}

const RESIGN: &str = "resign:";
const START: &str = "start";

fn result(game: &Game) -> String {
    match game.position().outcome() {
        None => "in progress".into(),
        Some(Outcome::Draw) => "draw".into(),
        Some(Outcome::Win(seat)) => match game.seat_symbol(seat) {
            Some(symbol) => format!("{symbol} wins"),
            None => format!("player {seat} wins"),
        },
    }
}

impl FromStr for Game {
    type Err = ParseGameError;

    fn from_str(text: &str) -> Result<Game, ParseGameError> {
        let mut lines = Lines { lines: text.trim_end().lines(), number: 0 };
        let rules: Rules = lines.next("rules")?.parse()?;
        let mut players = Vec::new();
        for seat in rules.seats() {
            let player = lines.next("player")?;
            let (symbol, name) = player.split_once(' ').unwrap_or((player, ""));
            let symbol = symbol.parse().map_err(|error| ParseGameError::Symbol(seat, error))?;
            players.push(
                Player::new(name, symbol).map_err(|error| ParseGameError::Name(seat, error))?,
            );
        }
        let mut game = Game::from_position(lines.start(&rules)?, players)?;
        for (i, word) in lines.next("moves")?.split_whitespace().enumerate() {
            play(&mut game, i + 1, word)?;
        }
        let (expected, got) = (result(&game), lines.next("result")?);
        if expected != got {
            return Err(ParseGameError::Result { expected, got: excerpt(got) });
        }
        lines.end()?;
        Ok(game)
    }
}

fn play(game: &mut Game, number: usize, word: &str) -> Result<(), ParseGameError> {
    let done = match word.strip_prefix(RESIGN) {
        Some(player) => {
            match player.parse::<u8>().ok().and_then(|n| Seat::new(n.checked_sub(1)?)) {
                Some(seat) => game.resign(seat),
                None => return Err(malformed(number, word, ParseCellError::Malformed.into())),
            }
        }
        None => {
            let mv =
                game.rules().parse_move(word).map_err(|error| malformed(number, word, error))?;
            game.play_turn(mv)
        }
    };
    done.map(|_| ()).map_err(|refusal| ParseGameError::Refused { number, refusal })
}

fn malformed(number: usize, word: &str, error: ParseMoveError) -> ParseGameError {
    ParseGameError::Move { number, text: excerpt(word), error }
}

struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// The rest of the next line, which must begin with the keyword.
    fn next(&mut self, expected: &'static str) -> Result<&'a str, ParseGameError> {
        self.number += 1;
        let line = self.lines.next().and_then(|line| line.strip_prefix(expected));
        let rest =
            line.and_then(|rest| if rest.is_empty() { Some("") } else { rest.strip_prefix(' ') });
        rest.map(str::trim_end).ok_or(ParseGameError::Line { line: self.number, expected })
    }

    /// The position of the line `start`; the first one of the rules if there is no such line.
    fn start(&mut self, rules: &Rules) -> Result<Position, ParseGameError> {
        if !self.lines.clone().next().is_some_and(|line| line.starts_with(START)) {
            return Ok(Position::new(rules));
        }
        let start: Position = self.next(START)?.parse()?;
        if start.rules() == rules {
            return Ok(start);
        }
        let [expected, got] = [rules, start.rules()].map(Rules::to_string);
        Err(ParseGameError::StartRules { expected, got })
    }

    fn end(mut self) -> Result<(), ParseGameError> {
        match self.lines.next() {
            None => Ok(()),
            Some(_) => Err(ParseGameError::Line { line: self.number + 1, expected: "end of text" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: &str =
        "rules 3x3\nplayer X John\nplayer 🛑 Jane Doe\nmoves A1 B1 A2 B2 A3\nresult X wins";

    #[test]
    fn games_round_trip() {
        for text in [
            WON,
            "rules 3x3\nplayer X A\nplayer O B\nmoves\nresult in progress",
            "rules 1x2:2\nplayer X A\nplayer O B\nmoves A2 A1\nresult draw",
            "rules 3x3\nplayer X A\nplayer O B\nmoves A1 resign:1\nresult O wins",
            "rules 3x3+wild\nplayer X A\nplayer O B\nmoves B2=o A1=x C3=o A3=x A2=x\nresult X wins",
            "rules 3x3+swap\nplayer X A\nplayer O B\nmoves B2 swap A1 C1 C3 A3\nresult X wins",
            "rules 2x2x2\nplayer X A\nplayer O B\nmoves A1 2A1 2B2\nresult X wins",
            "rules 3x3\nplayer X A\nplayer O B\nstart 3x3 xx1/oo1/3 x\nmoves A3\nresult X wins",
            "rules 3x3\nplayer X A\nplayer O B\nstart 3x3 xxx/oo1/3 -\nmoves\nresult X wins",
            "rules 4x4+3p\nplayer X A\nplayer O B\nplayer é C\nmoves A1 resign:2 A2 A3\nresult in progress",
        ] {
            let game: Game = text.parse().unwrap();
            assert_eq!(game.to_string(), text);
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let check = |from: &str, to: &str, expected: &str| {
            let text = WON.replace(from, to);
            assert_eq!(text.parse::<Game>().unwrap_err().to_string(), expected, "{text}");
        };
        check("rules", "rule", "line 1: expected `rules`");
        check("player X John\n", "", "line 3: expected `player`");
        check(
            "player X John",
            "player X",
            "player 1: expected a name of 1 to 32 characters, got none",
        );
        check(
            "player X John",
            "player XX John",
            "player 1: expected exactly one character, got more",
        );
        check(
            "player X",
            "player 🛑",
            "players 1 and 2 have the same symbol: each needs a different one",
        );
        check("B1", "A1", "move 2: A1 is taken, choose an empty box");
        check(
            "B1",
            "D1",
            "move 2: D1 is not on the board: rows go from A to C, columns from 1 to 3",
        );
        check(
            "B1",
            "B",
            "move 2, `B`: expected a box such as A1 (row letter, column number) or row,col from 0 such as 0,0",
        );
        check("A3", "A3 C3", "move 6: the game is over");
        check(
            "B1",
            "resign:9",
            "move 2, `resign:9`: expected a box such as A1 (row letter, column number) or row,col from 0 such as 0,0",
        );
        check("X wins", "draw", "the moves lead to the result `X wins`, not `draw`");
        check(
            "moves A1",
            "start 3x4 4/4/4 x\nmoves A1",
            "start: expected a position of 3x3, not of 3x4",
        );
        check(
            "moves A1",
            "start 3x3 3/3 x\nmoves A1",
            "start: expected 3 rows of 3 cells, separated by `/`",
        );
        check("X wins", "X wins\nmore", "line 6: expected `end of text`");
    }
}
