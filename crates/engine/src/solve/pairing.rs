//! Draws by a pairing strategy (Hales and Jewett): if every line open to a seat can be given two
//! empty cells of its own, the other seat answers each move in a pair with the pair's other cell.

use crate::board::Board;

const NO_LINE: u16 = u16::MAX;

/// Searches for pairings by augmenting paths. Reuses its buffers.
#[derive(Debug, Default)]
pub(super) struct PairingSearch {
    lines: Vec<u16>,
    /// The line to which each cell is assigned.
    assigned: Vec<u16>,
    /// The last attempt that visited each cell.
    visited: Vec<u32>,
    attempt: u32,
}

impl PairingSearch {
    /// Whether each line open to the seat can be given two cells. If the seat is not to move, the
    /// other seat may take a cell first. The seat has no winning cell.
    pub(super) fn exists(&mut self, board: &Board, seat: usize) -> bool {
        let extra_move = board.turn() != seat;
        let open: usize = (0..board.tables().k).map(|n| board.open_lines_with(seat, n)).sum();
        // The extra move closes the lines through its cell.
        let closed = if extra_move { most_lines_through_cell(board, seat) } else { 0 };
        if 2 * (open - closed) > board.empty_count() {
            return false;
        }
        self.lines.clear();
        self.lines.extend(board.open_lines(seat).map(|line| line as u16));
        // Lines with the fewest empty cells have the least choice.
        self.lines.sort_unstable_by_key(|&line| {
            usize::MAX - board.stones_if_open(seat, line.into()).unwrap_or(0)
        });
        self.assigned.clear();
        self.assigned.resize(board.tables().cell_count, NO_LINE);
        self.visited.resize(board.tables().cell_count, 0);
        // The cells common to all lines without a pair.
        let mut common: Option<Vec<u16>> = None;
        for i in 0..self.lines.len() {
            let line = self.lines[i];
            let paired = (0..2).all(|_| {
                self.attempt += 1;
                self.assign_cell(board, line)
            });
            if paired {
                continue;
            }
            let cells = board.tables().cells_of(line.into());
            let common = common.get_or_insert_with(|| cells.to_vec());
            common.retain(|&cell| cells.contains(&cell) && board.is_empty(cell.into()));
            if !extra_move || common.is_empty() {
                return false;
            }
        }
        true
    }

    /// Assigns one more cell to the line, reassigning other lines if needed.
    fn assign_cell(&mut self, board: &Board, line: u16) -> bool {
        let cells = board.tables().cells_of(line.into());
        for free_only in [true, false] {
            for cell in cells.iter().map(|&cell| usize::from(cell)) {
                let owner = self.assigned[cell];
                let skip = if free_only { owner != NO_LINE } else { owner == line };
                if skip || !board.is_empty(cell) || self.visited[cell] == self.attempt {
                    continue;
                }
                self.visited[cell] = self.attempt;
                if owner == NO_LINE || self.assign_cell(board, owner) {
                    self.assigned[cell] = line;
                    return true;
                }
            }
        }
        false
    }
}

fn most_lines_through_cell(board: &Board, seat: usize) -> usize {
    let cells = (0..board.tables().cell_count).filter(|&cell| board.is_empty(cell));
    cells.map(|cell| board.open_lines_through(seat, cell)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use noughts_rules::Position;

    use super::*;

    fn has_pairing(text: &str) -> bool {
        let position: Position = text.parse().unwrap();
        let board = Board::new(&position);
        PairingSearch::default().exists(&board, position.turn().unwrap().index())
    }

    #[test]
    fn large_full_lines_have_pairings() {
        assert!(has_pairing("5x5 5/5/5/5/5 x"));
        assert!(has_pairing("6x6 6/6/6/6/6/6 x"));
        assert!(!has_pairing("4x4 4/4/4/4 x"));
        assert!(!has_pairing("3x3 3/3/3 x"));
    }

    /// Three lines on five cells are too many, but all go through the middle cell.
    #[test]
    fn extra_move_enables_a_pairing() {
        let board = Board::new(&"1x5:3 5 x".parse::<Position>().unwrap());
        assert!(!PairingSearch::default().exists(&board, board.turn()));
        assert!(PairingSearch::default().exists(&board, board.opponent()));
    }
}
