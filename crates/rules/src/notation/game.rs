//! The text form of games: rules, players, moves and result, a line each.
//!
//! ```text
//! rules 3x3
//! player X John
//! player O Jane
//! moves A1 B2 A2 C1 A3
//! result X wins
//! ```
//!
//! A resignation stands among the moves as `resign:` and the number of the player. The result is
//! `SYMBOL wins`, `draw` or `in progress`, and must be what the moves lead to.

use std::fmt;
use std::str::FromStr;

use super::RulesTextError;
use crate::text::excerpt;
use crate::{
    Action, Cell, CellError, Game, NameError, Outcome, Player, PlayersError, Refusal, Rules, Seat,
    SymbolError,
};

/// Why a text is not the text of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A line is not the one that belongs there.
    #[error("line {line}: expected `{expected}`")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// How it should have begun.
        expected: &'static str,
    },
    /// The rules can't be read.
    #[error("rules: {0}")]
    Rules(#[from] RulesTextError),
    /// A player's symbol can't be read.
    #[error("player {0}: {1}")]
    Symbol(Seat, SymbolError),
    /// A player's name can't be read.
    #[error("player {0}: {1}")]
    Name(Seat, NameError),
    /// The players can't play by the rules together.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// A move can't be read.
    #[error("move {number}, `{text}`: {error}")]
    Cell {
        /// Which move, from 1.
        number: usize,
        /// Its text, or the beginning of it.
        text: String,
        /// What is wrong.
        error: CellError,
    },
    /// A move or resignation is against the rules.
    #[error("move {number}: {refusal}")]
    Refused {
        /// Which move, from 1.
        number: usize,
        /// What is wrong.
        refusal: Refusal,
    },
    /// The result is not what the moves lead to.
    #[error("the moves lead to the result `{expected}`, not `{got}`")]
    Result {
        /// What the moves lead to.
        expected: String,
        /// What is said.
        got: String,
    },
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rules {}", self.rules())?;
        for player in self.players() {
            writeln!(f, "player {} {}", player.symbol(), player.name())?;
        }
        f.write_str("moves")?;
        for action in self.history() {
            match action {
                Action::Move { cell, .. } => write!(f, " {cell}")?,
                Action::Resign { seat } => write!(f, " {RESIGN}{seat}")?,
            }
        }
        write!(f, "\nresult {}", result(self))
    }
}

const RESIGN: &str = "resign:";

fn result(game: &Game) -> String {
    match game.position().outcome() {
        None => "in progress".into(),
        Some(Outcome::Draw) => "draw".into(),
        Some(Outcome::Win(seat)) => format!("{} wins", game.players()[seat.index()].symbol()),
    }
}

impl FromStr for Game {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Game, GameError> {
        let mut lines = Lines { lines: text.trim_end().lines(), number: 0 };
        let rules: Rules = lines.next("rules")?.parse()?;
        let mut players = Vec::new();
        for seat in rules.seats() {
            let player = lines.next("player")?;
            let (symbol, name) = player.split_once(' ').unwrap_or((player, ""));
            let symbol = symbol.parse().map_err(|error| GameError::Symbol(seat, error))?;
            players.push(Player::new(name, symbol).map_err(|error| GameError::Name(seat, error))?);
        }
        let mut game = Game::new(&rules, players)?;
        for (i, word) in lines.next("moves")?.split_whitespace().enumerate() {
            play(&mut game, i + 1, word)?;
        }
        let (expected, got) = (result(&game), lines.next("result")?);
        if expected != got {
            return Err(GameError::Result { expected, got: excerpt(got) });
        }
        lines.end()?;
        Ok(game)
    }
}

fn play(game: &mut Game, number: usize, word: &str) -> Result<(), GameError> {
    let done = match word.strip_prefix(RESIGN) {
        Some(player) => {
            match player.parse::<u8>().ok().and_then(|n| Seat::new(n.checked_sub(1)?)) {
                Some(seat) => game.resign(seat),
                None => return Err(malformed(number, word, CellError::Malformed)),
            }
        }
        None => {
            let cell: Cell = word.parse().map_err(|error| malformed(number, word, error))?;
            game.play(game.turn().unwrap_or(Seat::FIRST), cell)
        }
    };
    done.map(|_| ()).map_err(|refusal| GameError::Refused { number, refusal })
}

fn malformed(number: usize, word: &str, error: CellError) -> GameError {
    GameError::Cell { number, text: excerpt(word), error }
}

struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// What follows the word with which the next line must begin.
    fn next(&mut self, expected: &'static str) -> Result<&'a str, GameError> {
        self.number += 1;
        let line = self.lines.next().and_then(|line| line.strip_prefix(expected));
        let rest =
            line.and_then(|rest| if rest.is_empty() { Some("") } else { rest.strip_prefix(' ') });
        rest.map(str::trim_end).ok_or(GameError::Line { line: self.number, expected })
    }

    fn end(mut self) -> Result<(), GameError> {
        match self.lines.next() {
            None => Ok(()),
            Some(_) => Err(GameError::Line { line: self.number + 1, expected: "end of text" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: &str =
        "rules 3x3\nplayer X John\nplayer 🛑 Jane Doe\nmoves A1 B1 A2 B2 A3\nresult X wins";

    #[test]
    fn reads_back() {
        for text in [
            WON,
            "rules 3x3\nplayer X A\nplayer O B\nmoves\nresult in progress",
            "rules 1x2:2\nplayer X A\nplayer O B\nmoves A2 A1\nresult draw",
            "rules 3x3\nplayer X A\nplayer O B\nmoves A1 resign:1\nresult O wins",
            "rules 4x4+3p\nplayer X A\nplayer O B\nplayer é C\nmoves A1 resign:2 A2 A3\nresult in progress",
        ] {
            let game: Game = text.parse().unwrap();
            assert_eq!(game.to_string(), text);
        }
    }

    #[test]
    fn refusals_say_what_was_expected() {
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
            "players 1 and 2 have the same symbol, each needs one of their own",
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
        check("X wins", "X wins\nmore", "line 6: expected `end of text`");
    }
}
