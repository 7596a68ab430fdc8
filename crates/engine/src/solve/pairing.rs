//! Draws by pairing: if every line still open to a seat has two empty cells of its own, the other
//! seat answers each move into such a pair with the pair's other cell, and no line is ever filled
//! (Hales and Jewett).

use crate::board::Board;

const NOBODY: u16 = u16::MAX;

/// Looks for pairings, keeping its memory between the searches.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    lines: Vec<u16>,
    /// Which line has each cell.
    holder: Vec<u16>,
    /// The last attempt in which each cell was asked for.
    asked: Vec<u32>,
    attempt: u32,
}

impl Pairing {
    /// Whether there are two cells of its own for each line open to the seat. The seat cannot
    /// complete a line; if it is not to move, the other seat may first take a cell.
    pub(super) fn exists(&mut self, board: &Board, seat: usize) -> bool {
        let first_a_move = board.turn() != seat;
        let open: usize = (0..board.geometry().k).map(|n| board.open_with(seat, n)).sum();
        // A move closes the lines through its cell.
        let closed = if first_a_move { self.most_through_a_cell(board, seat) } else { 0 };
        if 2 * (open - closed) > board.empty() {
            return false;
        }
        self.lines.clear();
        self.lines.extend(board.open_lines(seat).map(|line| line as u16));
        // Lines with few cells left have the least choice.
        self.lines.sort_unstable_by_key(|&line| {
            usize::MAX - board.stones_if_open(seat, line.into()).unwrap_or(0)
        });
        self.holder.clear();
        self.holder.resize(board.geometry().cells, NOBODY);
        self.asked.resize(board.geometry().cells, 0);
        // The cells through which all lines go that found no pair.
        let mut meeting: Option<Vec<u16>> = None;
        for i in 0..self.lines.len() {
            let line = self.lines[i];
            let paired = (0..2).all(|_| {
                self.attempt += 1;
                self.find_cell(board, line)
            });
            if paired {
                continue;
            }
            let cells = board.geometry().cells_of(line.into());
            let meeting = meeting.get_or_insert_with(|| cells.to_vec());
            meeting.retain(|&cell| cells.contains(&cell) && board.is_empty(cell.into()));
            if !first_a_move || meeting.is_empty() {
                return false;
            }
        }
        true
    }

    fn most_through_a_cell(&self, board: &Board, seat: usize) -> usize {
        let cells = (0..board.geometry().cells).filter(|&cell| board.is_empty(cell));
        cells.map(|cell| board.open_through(seat, cell)).max().unwrap_or(0)
    }

    /// Gives the line one more cell, moving other lines to other cells where that helps.
    fn find_cell(&mut self, board: &Board, line: u16) -> bool {
        let cells = board.geometry().cells_of(line.into());
        for free_only in [true, false] {
            for cell in cells.iter().map(|&cell| usize::from(cell)) {
                let holder = self.holder[cell];
                let skip = if free_only { holder != NOBODY } else { holder == line };
                if skip || !board.is_empty(cell) || self.asked[cell] == self.attempt {
                    continue;
                }
                self.asked[cell] = self.attempt;
                if holder == NOBODY || self.find_cell(board, holder) {
                    self.holder[cell] = line;
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::Position;

    use super::*;

    fn has_pairing(text: &str) -> bool {
        let position: Position = text.parse().unwrap();
        let board = Board::new(&position);
        Pairing::default().exists(&board, position.turn().unwrap().index())
    }

    #[test]
    fn five_in_a_row_on_five_by_five_is_a_draw_by_pairing() {
        assert!(has_pairing("5x5 5/5/5/5/5 x"));
        assert!(has_pairing("6x6 6/6/6/6/6/6 x"));
        assert!(!has_pairing("4x4 4/4/4/4 x"));
        assert!(!has_pairing("3x3 3/3/3 x"));
    }

    /// Three lines on five cells are too many, but the middle cell is on all of them.
    #[test]
    fn a_move_in_hand_makes_room_for_a_pairing() {
        let board = Board::new(&"1x5:3 5 x".parse::<Position>().unwrap());
        assert!(!Pairing::default().exists(&board, board.turn()));
        assert!(Pairing::default().exists(&board, board.opponent()));
    }
}
