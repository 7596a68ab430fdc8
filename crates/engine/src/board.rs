//! The board of the solver and the general search, with line statistics kept up to date.
//!
//! A move updates only the lines through its cell. The rules decide legality and outcome; tests
//! hold this replica to them.

use std::sync::Arc;

use noughts_rules::{Cell, Line, Marks, OpeningStage, Position, Seat, Shape};

use crate::board_tables::BoardTables;
use crate::line_counts::{LineCounts, MAX_SEATS};

#[derive(Debug, Clone)]
pub(crate) struct Board {
    tables: Arc<BoardTables>,
    lines: LineCounts,
    /// The seats that have not resigned, in turn order, and the index of the one to move.
    active_seats: Vec<u8>,
    turn_index: usize,
    /// The stones that the seat to move may still place in this turn.
    stones_left: u8,
    moves: Vec<u16>,
}

impl Board {
    /// Whether a board replicates the rest of the game: everyone places stones of their own mark on
    /// one board, and nothing else happens.
    pub(crate) fn supports(position: &Position) -> bool {
        let parts = position.rules().parts();
        matches!(parts.shape, Shape::Grid { .. })
            && parts.marks == Marks::Own
            && parts.fade.is_none()
            && !parts.renju
            && position.opening_stage() == OpeningStage::Done
    }

    /// A board that counts the stones of lines, if each seat has a mark of its own and the board is
    /// one piece. Moves on it are only right in [supported](Board::supports) positions.
    pub(crate) fn counting(position: &Position) -> Option<Board> {
        let parts = position.rules().parts();
        let counts = matches!(parts.shape, Shape::Grid { .. }) && parts.marks == Marks::Own;
        counts.then(|| Board::new(position))
    }

    /// For a [supported](Board::supports) position.
    pub(crate) fn new(position: &Position) -> Board {
        Board::with_tables(position, BoardTables::new(position.rules()))
    }

    /// The board of a [supported](Board::supports) position as if only these lines were on it.
    pub(crate) fn with_fewer_lines(position: &Position, lines: &[Line]) -> Board {
        Board::with_tables(position, BoardTables::with_fewer_lines(position.rules(), lines))
    }

    fn with_tables(position: &Position, tables: BoardTables) -> Board {
        let rules = position.rules();
        let tables = Arc::new(tables);
        let mut lines = LineCounts::new(&tables);
        for cell in rules.cells() {
            let owner = position.mark_at(cell).and_then(|mark| position.owner(mark));
            if let Some(seat) = owner {
                lines.add_stone(&tables, tables.index(cell), seat.index());
            }
        }
        let active = rules.seats().filter(|&seat| !position.has_resigned(seat));
        let active_seats: Vec<u8> = active.map(|seat| seat.index() as u8).collect();
        let turn = position.turn().map_or(0, Seat::index);
        let turn_index = active_seats.iter().position(|&seat| usize::from(seat) == turn);
        Board {
            turn_index: turn_index.unwrap_or(0),
            active_seats,
            stones_left: position.stones_left().max(1),
            moves: Vec::with_capacity(lines.empty_count()),
            lines,
            tables,
        }
    }

    #[inline]
    pub(crate) fn tables(&self) -> &BoardTables {
        &self.tables
    }

    /// The seat to move.
    #[inline]
    pub(crate) fn turn(&self) -> usize {
        usize::from(self.active_seats[self.turn_index])
    }

    /// The stones that the seat to move may still place in this turn.
    #[inline]
    pub(crate) fn stones_left(&self) -> u8 {
        self.stones_left
    }

    /// The seats that have not resigned, in turn order.
    pub(crate) fn active_seats(&self) -> &[u8] {
        &self.active_seats
    }

    /// The seat after the one to move.
    pub(crate) fn next_turn(&self) -> usize {
        usize::from(self.active_seats[(self.turn_index + 1) % self.active_seats.len()])
    }

    /// With two seats left: the one that is not to move.
    #[inline]
    pub(crate) fn opponent(&self) -> usize {
        debug_assert_eq!(self.active_seats.len(), 2);
        usize::from(self.active_seats[1 - self.turn_index])
    }

    /// The number of empty cells.
    #[inline]
    pub(crate) fn empty_count(&self) -> usize {
        self.lines.empty_count()
    }

    #[inline]
    pub(crate) fn is_empty(&self, cell: usize) -> bool {
        self.lines.is_empty(cell)
    }

    /// The seat with a stone in a cell.
    pub(crate) fn owner(&self, cell: usize) -> Option<usize> {
        self.lines.owner(cell)
    }

    /// Whether the cell is playable while the game is on.
    #[inline]
    pub(crate) fn is_legal(&self, cell: usize) -> bool {
        self.is_empty(cell)
            && (!self.tables.gravity
                || self.tables.below(cell).is_none_or(|below| !self.is_empty(below)))
    }

    /// The playable cells while the game is on.
    pub(crate) fn legal_moves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tables.cell_count).filter(|&cell| self.is_legal(cell))
    }

    /// The seat to move takes a legal cell. Returns whether that completes a line.
    #[inline]
    pub(crate) fn play(&mut self, cell: usize) -> bool {
        let seat = self.turn();
        let completed = self.lines.add_stone(&self.tables, cell, seat);
        self.stones_left -= 1;
        if self.stones_left == 0 {
            self.stones_left = self.tables.stones_per_turn;
            let next = self.turn_index + 1;
            self.turn_index = if next == self.active_seats.len() { 0 } else { next };
        }
        self.moves.push(cell as u16);
        completed
    }

    /// Takes back the last move.
    #[inline]
    pub(crate) fn undo(&mut self) {
        let Some(cell) = self.moves.pop() else { return };
        if self.stones_left < self.tables.stones_per_turn {
            self.stones_left += 1;
        } else {
            self.stones_left = 1;
            self.turn_index = self.turn_index.checked_sub(1).unwrap_or(self.active_seats.len() - 1);
        }
        let seat = self.turn();
        self.lines.remove_stone(&self.tables, cell.into(), seat);
    }

    /// A null move: hands the turn to the next seat. Between two seats, passing twice changes
    /// nothing.
    pub(crate) fn pass(&mut self) {
        self.turn_index = (self.turn_index + 1) % self.active_seats.len();
    }

    /// The number of moves made on this board.
    pub(crate) fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Takes back all moves after this ply.
    pub(crate) fn undo_to(&mut self, ply: usize) {
        while self.moves.len() > ply {
            self.undo();
        }
    }

    /// The empty cells in which the seat completes a line, unordered.
    #[inline]
    pub(crate) fn winning_cells(&self, seat: usize) -> &[u16] {
        &self.lines.seat(seat).winning_cells
    }

    /// Whether the seat completes a line in this cell.
    #[inline]
    pub(crate) fn completes(&self, seat: usize, cell: usize) -> bool {
        self.lines.seat(seat).completions[cell] > 0
    }

    /// The Erdős–Selfridge potential: the sum of 2^stones over the lines open to the seat.
    #[inline]
    pub(crate) fn potential(&self, seat: usize) -> u64 {
        self.lines.seat(seat).potential
    }

    /// The number of lines with this many stones that are open to the seat.
    #[inline]
    pub(crate) fn open_lines_with(&self, seat: usize, stones: usize) -> usize {
        usize::from(self.lines.seat(seat).lines_by_stones[stones])
    }

    /// The most stones in a line open to the seat; `None` if no line is open.
    #[inline]
    pub(crate) fn most_stones_in_line(&self, seat: usize) -> Option<usize> {
        self.lines.seat(seat).lines_by_stones.iter().rposition(|&lines| lines > 0)
    }

    /// The number of lines through the cell that are open to the seat.
    #[inline]
    pub(crate) fn open_lines_through(&self, seat: usize, cell: usize) -> usize {
        usize::from(self.lines.seat(seat).open_lines[cell])
    }

    /// The summed weight of the open lines through the cell.
    #[inline]
    pub(crate) fn cell_weight(&self, seat: usize, cell: usize) -> u32 {
        self.lines.seat(seat).cell_weights[cell]
    }

    /// The lines open to the seat.
    pub(crate) fn open_lines(&self, seat: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.tables.line_count).filter(move |&line| self.stones_if_open(seat, line).is_some())
    }

    /// The seat's stones in a line that is open to it; `None` for other lines.
    #[inline]
    pub(crate) fn stones_if_open(&self, seat: usize, line: usize) -> Option<usize> {
        self.lines.stones_if_open(seat, line)
    }

    /// The other empty cell of a line that has two.
    #[inline]
    pub(crate) fn other_empty(&self, line: usize, cell: usize) -> usize {
        self.lines.empty_xor(line) ^ cell
    }

    /// The Zobrist key, shared by positions that are mirror images or differ only in dead cells.
    /// Includes the turn.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let turn = self.turn_index + MAX_SEATS * usize::from(self.stones_left - 1);
        self.lines.keys().canonical(turn)
    }

    pub(crate) fn cell(&self, index: usize) -> Cell {
        self.tables.cell(index)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use noughts_rules::{Goal, Move, Outcome, Rules, RulesParts};
    use proptest::prelude::*;

    use super::*;

    /// Rows in all directions, or lines as data.
    fn any_rules() -> impl Strategy<Value = Rules> {
        let numbers = (1u8..=8, 1u8..=8, 1u8..=3, 1u8..=6, 2u8..=4, 1u8..=3);
        let cells = proptest::collection::vec(any::<prop::sample::Index>(), 1..5);
        let lines = prop::option::of(proptest::collection::vec(cells, 1..20));
        (numbers, any::<[bool; 4]>(), lines).prop_map(|(numbers, flags, lines)| {
            let (rows, cols, levels, k, players, stones) = numbers;
            let [misere, gravity, wrap, exact] = flags;
            let goal = if misere && players == 2 { Goal::Avoid } else { Goal::Line };
            let parts = RulesParts::space(rows, cols, levels).k(k.min(rows.max(cols).max(levels)));
            let parts = parts.players(players).stones_per_turn(stones).goal(goal).gravity(gravity);
            let rules = parts.clone().wrap(wrap).exact(exact).build().unwrap();
            let Some(lines) = lines else { return rules };
            let line = |cells: Vec<prop::sample::Index>| {
                let cells = cells.iter().map(|cell| rules.cell_at(cell.index(rules.cell_count())));
                cells.flatten().collect::<BTreeSet<Cell>>().into_iter().collect()
            };
            parts.lines(lines.into_iter().map(line)).build().unwrap()
        })
    }

    /// The outcome in the terms of the rules after the mover completed a line or did not.
    fn outcome(board: &Board, mover: Seat, completed: bool) -> Option<Outcome> {
        if completed {
            let misere = board.tables.misere;
            let winner = if misere { 1 - mover.index() } else { mover.index() };
            return Seat::new(winner as u8).map(Outcome::Win);
        }
        (board.empty_count() == 0).then_some(Outcome::Draw)
    }

    /// All incremental state, in a form independent of the move order.
    fn snapshot(board: &Board) -> Vec<String> {
        let seat = |seat: usize| {
            let lines = board.lines.seat(seat);
            let mut winning = lines.winning_cells.clone();
            winning.sort_unstable();
            let (potential, weights) = (lines.potential, &lines.cell_weights);
            let (by_stones, open) = (&lines.lines_by_stones, &lines.open_lines);
            format!("{by_stones:?} {potential} {weights:?} {open:?} {winning:?}")
        };
        let turn = (board.turn(), board.stones_left());
        let key = format!("{} {turn:?} {}", board.key(), board.empty_count());
        (0..board.tables.players).map(seat).chain([key]).collect()
    }

    proptest! {
        /// Legality and outcome match the rules at every step of random games of random rules, and
        /// the incremental state equals that of a board built from scratch.
        #[test]
        fn board_agrees_with_the_rules(
            rules in any_rules(),
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 64),
        ) {
            let mut position = Position::new(&rules);
            let mut board = Board::new(&position);
            for choice in choices {
                let Some(mover) = position.turn() else { break };
                prop_assert_eq!(board.turn(), mover.index());
                let legal: Vec<Cell> = position.legal_moves().filter_map(Move::cell).collect();
                let ours: Vec<Cell> = board.legal_moves().map(|cell| board.cell(cell)).collect();
                prop_assert_eq!(&ours, &legal);
                for &cell in &legal {
                    let index = board.tables().index(cell);
                    let expected = board.completes(mover.index(), index);
                    let completed = board.play(index);
                    prop_assert_eq!(completed, expected);
                    let ours = outcome(&board, mover, completed);
                    prop_assert_eq!(ours, position.play(cell).unwrap(), "{} {}", position, cell);
                    board.undo();
                    position.undo().unwrap();
                }
                prop_assert_eq!(snapshot(&board), snapshot(&Board::new(&position)), "{}", position);
                let cell = *choice.get(&legal);
                position.play(cell).unwrap();
                board.play(board.tables().index(cell));
            }
        }
    }

    #[test]
    fn equivalent_positions_share_a_key() {
        let key = |text: &str| Board::new(&text.parse::<Position>().unwrap()).key();
        assert_eq!(key("3x3 x2/3/3 o"), key("3x3 2x/3/3 o"));
        assert_eq!(key("3x3 1x1/3/3 o"), key("3x3 3/2x/3 o"));
        assert_ne!(key("3x3 x2/3/3 o"), key("3x3 1x1/3/3 o"));
        assert_ne!(key("3x3+gravity 3/3/x2 o"), key("3x3+gravity 3/3/1x1 o"));
        assert_eq!(key("3x3+gravity 3/3/x2 o"), key("3x3+gravity 3/3/2x o"));
        // The owners of stones on no open line are irrelevant.
        assert_eq!(key("1x8:3 xoxo4 x"), key("1x8:3 oxxo4 x"));
        assert_eq!(key("1x7:3 xo1xoxo x"), key("1x7:3 1oxxoxo x"));
    }
}
