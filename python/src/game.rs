//! Games with players.

use std::fmt;

use noughts_rules as rules;
use noughts_rules::notation::{psq, sgf};
use noughts_rules::{Refusal, Seat};
use pyo3::prelude::*;

use crate::errors::{refused, value_error};
use crate::event::{Event, Status};
use crate::moves::{parse_move, parse_seat};
use crate::outcome::Outcome;
use crate::position::{ActionTuple, Position, action_tuple, position_arg};
use crate::rules::Rules;

/// Someone who plays: a name and a symbol of one character.
///
/// >>> ann = noughts.Player("Ann", "❎")
/// >>> ann.name, ann.symbol
/// ('Ann', '❎')
#[pyclass(module = "noughts", frozen, eq, hash, str, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Player(rules::Player);

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Player {
    #[new]
    fn new(name: &str, symbol: &str) -> PyResult<Player> {
        let symbol = symbol.parse().map_err(value_error)?;
        rules::Player::new(name, symbol).map(Player).map_err(value_error)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The symbol.
    #[getter]
    fn symbol(&self) -> &str {
        self.0.symbol().as_str()
    }

    fn __repr__(&self) -> String {
        format!("Player({:?}, {:?})", self.name(), self.symbol())
    }

    fn __getnewargs__(&self) -> (&str, &str) {
        (self.name(), self.symbol())
    }
}

/// A game: players, a position and the moves that led to it. Every change returns its events.
///
/// >>> game = noughts.Game("3x3", [noughts.Player("Ann", "X"), noughts.Player("Bob", "O")])
/// >>> game.play("B2")
/// [Event.Moved(seat=0, move='B2', mark='x'), Event.Turn(seat=1, stones=1, board=None)]
/// >>> game.resign()[-1]
/// Event.Finished(status=Status.Won(seat=0, cells=[]))
/// >>> print(game)
/// rules 3x3
/// player X Ann
/// player O Bob
/// moves B2 resign:2
/// result X wins
/// >>> noughts.Game.parse(str(game)) == game
/// True
#[pyclass(module = "noughts", eq, str)]
#[derive(Clone, PartialEq)]
pub(crate) struct Game(rules::Game);

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Game {
    /// The seat with an index, or the seat to move.
    fn seat(&self, seat: Option<usize>) -> PyResult<Seat> {
        match seat {
            Some(index) => parse_seat(self.0.rules(), index),
            None => self.0.turn().ok_or_else(|| refused(Refusal::GameOver)),
        }
    }
}

fn events(result: Result<Vec<rules::Event>, Refusal>) -> PyResult<Vec<Event>> {
    Ok(result.map_err(refused)?.into_iter().map(Event::from).collect())
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (start, players=None))]
    fn new(start: &Bound<'_, PyAny>, players: Option<Vec<Player>>) -> PyResult<Game> {
        let position = position_arg(start)?;
        let default = || position.rules().seats().map(rules::Player::default_for).collect();
        let players = players.map_or_else(default, |players| {
            players.into_iter().map(|player| player.0).collect::<Vec<_>>()
        });
        rules::Game::from_position(position, players).map(Game).map_err(value_error)
    }

    /// Reads the text form of a game.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Game> {
        text.parse().map(Game).map_err(value_error)
    }

    /// Reads a game of gomoku or renju in SGF.
    #[staticmethod]
    fn from_sgf(text: &str) -> PyResult<Game> {
        sgf::read(text).map(Game).map_err(value_error)
    }

    /// Reads a game of gomoku or renju in Piskvork's format.
    #[staticmethod]
    fn from_psq(text: &str) -> PyResult<Game> {
        psq::read(text).map(Game).map_err(value_error)
    }

    /// Writes a game of gomoku or renju as SGF.
    fn to_sgf(&self) -> PyResult<String> {
        sgf::write(&self.0).map_err(value_error)
    }

    /// Writes a game of gomoku or renju in Piskvork's format.
    fn to_psq(&self) -> PyResult<String> {
        psq::write(&self.0).map_err(value_error)
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.rules().clone())
    }

    /// The players in the order of their seats.
    #[getter]
    fn players(&self) -> Vec<Player> {
        self.0.players().iter().cloned().map(Player).collect()
    }

    /// A copy of the position.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position().clone())
    }

    /// The state of the game, with the winning cells.
    #[getter]
    fn status(&self) -> Status {
        self.0.status().into()
    }

    /// How the game ended; `None` if it is not over.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome::from)
    }

    /// The seat to move; `None` if the game is over.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.0.turn().map(Seat::index)
    }

    /// Seats and moves without undone ones; `None` is a resignation.
    #[getter]
    fn history(&self) -> Vec<ActionTuple> {
        self.0.history().map(action_tuple).collect()
    }

    /// A seat makes a move; the seat to move unless another is given.
    #[pyo3(signature = (r#move, seat=None))]
    fn play(&mut self, r#move: &Bound<'_, PyAny>, seat: Option<usize>) -> PyResult<Vec<Event>> {
        let (seat, mv) = (self.seat(seat)?, parse_move(self.0.rules(), r#move)?);
        events(self.0.play(seat, mv))
    }

    /// A seat leaves the game; the seat to move unless another is given.
    #[pyo3(signature = (seat=None))]
    fn resign(&mut self, seat: Option<usize>) -> PyResult<Vec<Event>> {
        let seat = self.seat(seat)?;
        events(self.0.resign(seat))
    }

    /// Undoes the last move or resignation.
    fn undo(&mut self) -> PyResult<Vec<Event>> {
        events(self.0.undo())
    }

    /// Repeats what was undone last.
    fn redo(&mut self) -> PyResult<Vec<Event>> {
        events(self.0.redo())
    }

    /// A copy that is played on by itself.
    fn copy(&self) -> Game {
        self.clone()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?.unbind(), (slf.try_borrow()?.to_string(),)))
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.0.position())
    }
}
