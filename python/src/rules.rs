//! Rules.

use std::fmt;

use noughts_rules as rules;
use noughts_rules::describe;
use noughts_rules::notation::PRESETS;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::value_error;
use crate::moves::{parse_cell, parse_move};
use crate::outcome::Outcome;

/// The rules of a game, from their text or the name of a preset.
///
/// >>> rules = noughts.Rules("connect4")
/// >>> str(rules), rules.title
/// ('6x7:4+gravity', 'Connect Four')
/// >>> rules.rows, rules.cols, rules.k, rules.players
/// (6, 7, 4, 2)
/// >>> noughts.Rules("3x3+wild").move_count
/// 18
/// >>> noughts.Rules("3x2+gravity+ultimate")
/// Traceback (most recent call last):
///     ...
/// ValueError: ultimate does not go with gravity: stones would fall from board to board
#[pyclass(module = "noughts", frozen, eq, hash, str)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rules(pub(crate) rules::Rules);

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Rules given as such or as text.
pub(crate) fn rules_arg(arg: &Bound<'_, PyAny>) -> PyResult<rules::Rules> {
    if let Ok(rules) = arg.cast::<Rules>() {
        return Ok(rules.get().0.clone());
    }
    match arg.cast::<PyString>() {
        Ok(text) => text.to_cow()?.parse().map_err(value_error),
        Err(_) => Err(PyTypeError::new_err(format!("expected rules or their text, not {arg}"))),
    }
}

/// The shape of a board as an array: rows and columns, after the levels if there are several.
pub(crate) fn board_shape(rules: &rules::Rules) -> Vec<usize> {
    let [levels, rows, cols] = [rules.levels(), rules.rows(), rules.cols()].map(usize::from);
    if levels == 1 { vec![rows, cols] } else { vec![levels, rows, cols] }
}

#[pymethods]
impl Rules {
    #[new]
    fn new(text: &str) -> PyResult<Rules> {
        text.parse().map(Rules).map_err(value_error)
    }

    /// The names of well-known games and their rules as text.
    #[staticmethod]
    fn presets() -> Vec<(&'static str, &'static str)> {
        PRESETS.to_vec()
    }

    /// The rows of the board.
    #[getter]
    fn rows(&self) -> u8 {
        self.0.rows()
    }

    /// The columns of the board.
    #[getter]
    fn cols(&self) -> u8 {
        self.0.cols()
    }

    /// The levels of the board, or the number of boards side by side; 1 on flat boards.
    #[getter]
    fn levels(&self) -> u8 {
        self.0.levels()
    }

    /// The shape of a board as an array: rows and columns, after the levels if there are several.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, board_shape(&self.0))
    }

    /// The length of a winning line.
    #[getter]
    fn k(&self) -> u8 {
        self.0.k()
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.0.players()
    }

    /// The number of different marks: one for each player, unless they share them.
    #[getter]
    fn mark_count(&self) -> usize {
        self.0.marks().len()
    }

    /// The number of cells.
    #[getter]
    fn cell_count(&self) -> usize {
        self.0.cell_count()
    }

    /// The number of move indices, and the length of a mask of moves.
    ///
    /// They are the cells in the order of the board; where the mover chooses the mark, all cells with
    /// X and then all with O; then `swap`, `keep` and `more` if the rules have an opening choice.
    #[getter]
    fn move_count(&self) -> usize {
        self.0.move_index_count()
    }

    /// Whether completing a line loses.
    #[getter]
    fn misere(&self) -> bool {
        self.0.misere()
    }

    /// Whether stones fall.
    #[getter]
    fn gravity(&self) -> bool {
        self.0.gravity()
    }

    /// Whether opposite edges are joined.
    #[getter]
    fn wrap(&self) -> bool {
        self.0.wrap()
    }

    /// Whether a line that is too long does not win.
    #[getter]
    fn exact(&self) -> bool {
        self.0.exact()
    }

    /// How many stones of each mark stay on the board, where they fade.
    #[getter]
    fn fade(&self) -> Option<u8> {
        self.0.parts().fade
    }

    /// The name of the game, such as `Connect Four`.
    #[getter]
    fn title(&self) -> String {
        describe::title(&self.0)
    }

    /// What the game is about, in a sentence.
    #[getter]
    fn summary(&self) -> String {
        describe::summary(&self.0)
    }

    /// How to play, in sentences.
    #[getter]
    fn how_to_play(&self) -> Vec<String> {
        describe::how_to_play(&self.0)
    }

    /// What perfect play leads to and who found it, if that is published.
    ///
    /// >>> noughts.Rules("connect4").published_value
    /// (Outcome(winner=0), 'J. D. Allen and V. Allis, 1988')
    #[getter]
    fn published_value(&self) -> Option<(Outcome, &'static str)> {
        let value = describe::published_value(&self.0)?;
        Some((value.outcome.into(), value.source))
    }

    /// The index of a cell: `A1` is 0.
    fn cell_index(&self, cell: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        Ok(self.0.cell_index(parse_cell(&self.0, cell)?))
    }

    /// The name of a cell.
    fn cell_name(&self, cell: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(parse_cell(&self.0, cell)?.to_string())
    }

    /// The index of a move.
    ///
    /// >>> noughts.Rules("3x3+wild").move_index("B2=o")
    /// 13
    fn move_index(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        let found = parse_move(&self.0, r#move)?;
        let index = self.0.move_index(found);
        index.ok_or_else(|| value_error(format!("{} has no move {found}", self.0)))
    }

    /// The text of a move.
    ///
    /// >>> noughts.Rules("3x3+wild").move_name(13)
    /// 'B2=o'
    fn move_name(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(parse_move(&self.0, r#move)?.to_string())
    }

    /// All lines that can win, as lists of cell indices.
    fn lines(&self) -> Vec<Vec<usize>> {
        let index = |cell: &rules::Cell| self.0.cell_index(*cell);
        self.0.lines().iter().map(|line| line.cells().iter().filter_map(index).collect()).collect()
    }

    /// The rotations and reflections that leave the game the same, as permutations of the cell
    /// indices: `symmetry[i]` is where cell `i` ends up.
    ///
    /// >>> [symmetry[0] for symmetry in noughts.Rules("3x3").symmetries()]
    /// [0, 2, 6, 8, 0, 6, 2, 8]
    fn symmetries(&self) -> Vec<Vec<usize>> {
        self.0.symmetries().collect()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}
