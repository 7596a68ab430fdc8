//! A reference VCF search that shares nothing with the engine: plain recursion over every move,
//! without a table.

use noughts_rules::{Cell, Position, Rules};

/// The plies of the shortest VCF of the seat to move; `None` if there is none within `max_fours`
/// fours and `max_nodes` positions.
pub(crate) fn shortest_vcf(
    position: &Position,
    max_fours: usize,
    max_nodes: usize,
) -> Option<usize> {
    let mut grid = Grid::new(position);
    let mut nodes = max_nodes;
    for fours in 0..=max_fours {
        if grid.attacker_wins(fours, &mut nodes)? {
            return Some(2 * fours + 1);
        }
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Empty,
    Attacker,
    Defender,
}

struct Grid {
    rows: i32,
    cols: i32,
    k: i32,
    cells: Vec<Content>,
}

const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Grid {
    fn new(position: &Position) -> Grid {
        let rules: &Rules = position.rules();
        let plain = !rules.wrap() && !rules.exact() && !rules.gravity() && !rules.misere();
        assert!(plain && rules.players() == 2, "only plain rules for two seats are supported");
        let owner = |cell: Cell| position.mark_at(cell).and_then(|mark| position.owner(mark));
        let content = |cell: Cell| match owner(cell) {
            None => Content::Empty,
            seat if seat == position.turn() => Content::Attacker,
            Some(_) => Content::Defender,
        };
        Grid {
            rows: rules.rows().into(),
            cols: rules.cols().into(),
            k: rules.k().into(),
            cells: rules.cells().map(content).collect(),
        }
    }

    /// Whether the attacker, to move, wins after at most `fours` fours. `None` if no nodes are
    /// left.
    fn attacker_wins(&mut self, fours: usize, nodes: &mut usize) -> Option<bool> {
        *nodes = nodes.checked_sub(1)?;
        if self.completing_cell(Content::Attacker).is_some() {
            return Some(true);
        }
        if fours == 0 {
            return Some(false);
        }
        for (row, col) in self.empty_cells() {
            self.put(row, col, Content::Attacker);
            let mut wins = false;
            // The defender must block unless it completes a line itself. If the attacker has two
            // winning cells, blocking one leaves the other.
            if let Some((reply_row, reply_col)) = self.completing_cell_near(row, col)
                && self.completing_cell(Content::Defender).is_none()
            {
                self.put(reply_row, reply_col, Content::Defender);
                wins = self.attacker_wins(fours - 1, nodes)?;
                self.put(reply_row, reply_col, Content::Empty);
            }
            self.put(row, col, Content::Empty);
            if wins {
                return Some(true);
            }
        }
        Some(false)
    }

    /// A cell in which the side completes a line.
    fn completing_cell(&self, side: Content) -> Option<(i32, i32)> {
        self.empty_cells().into_iter().find(|&(row, col)| self.completes(row, col, side))
    }

    /// A cell in which the attacker completes a line through this stone.
    fn completing_cell_near(&self, row: i32, col: i32) -> Option<(i32, i32)> {
        DIRECTIONS.into_iter().find_map(|(down, right)| {
            (1 - self.k..self.k)
                .map(|step| (row + step * down, col + step * right))
                .filter(|&(row, col)| self.at(row, col) == Some(Content::Empty))
                .find(|&(row, col)| self.completes_along(row, col, Content::Attacker, down, right))
        })
    }

    /// Whether the side completes a line in this empty cell.
    fn completes(&self, row: i32, col: i32, side: Content) -> bool {
        DIRECTIONS.iter().any(|&(down, right)| self.completes_along(row, col, side, down, right))
    }

    fn completes_along(&self, row: i32, col: i32, side: Content, down: i32, right: i32) -> bool {
        let run = |down: i32, right: i32| {
            (1..self.k)
                .take_while(|step| self.at(row + step * down, col + step * right) == Some(side))
                .count() as i32
        };
        run(down, right) + run(-down, -right) + 1 >= self.k
    }

    fn empty_cells(&self) -> Vec<(i32, i32)> {
        let all = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
        all.filter(|&(row, col)| self.at(row, col) == Some(Content::Empty)).collect()
    }

    fn at(&self, row: i32, col: i32) -> Option<Content> {
        let inside = (0..self.rows).contains(&row) && (0..self.cols).contains(&col);
        inside.then(|| self.cells[(row * self.cols + col) as usize])
    }

    fn put(&mut self, row: i32, col: i32, content: Content) {
        self.cells[(row * self.cols + col) as usize] = content;
    }
}
