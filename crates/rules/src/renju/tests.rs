use proptest::prelude::*;

use super::*;

mod definition;

/// Positions with the verdict on every empty cell. The file describes its format and sources.
const POSITIONS: &str = include_str!("../../tests/data/renju.txt");

/// A position of the data file, or a random one.
#[derive(Debug, Clone)]
struct Diagram {
    name: String,
    cells: Vec<Vec<char>>,
}

impl Diagram {
    fn board(&self) -> RenjuBoard {
        let mut board = RenjuBoard::new(self.cells.len() as u8, self.cells[0].len() as u8);
        for (row, col, cell) in self.cells() {
            match cell {
                'x' => board.place(row, col, Stone::Black),
                'w' => board.place(row, col, Stone::White),
                _ => (),
            }
        }
        board
    }

    fn cells(&self) -> impl Iterator<Item = (u8, u8, char)> {
        let row = |(row, cells): (usize, &Vec<char>)| {
            let cells = cells.clone().into_iter().enumerate();
            cells.map(move |(col, cell)| (row as u8, col as u8, cell))
        };
        self.cells.iter().enumerate().flat_map(row)
    }

    /// The same stones with a letter on each empty cell for its verdict.
    fn judged_by(&self, verdict: impl Fn(u8, u8) -> Verdict) -> String {
        let mut text = String::new();
        for (row, col, cell) in self.cells() {
            text.extend((col == 0 && row > 0).then_some('\n'));
            text.push(if matches!(cell, 'x' | 'w') { cell } else { letter(verdict(row, col)) });
        }
        text
    }
}

impl std::fmt::Display for Diagram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows: Vec<String> = self.cells.iter().map(|row| row.iter().collect()).collect();
        f.write_str(&rows.join("\n"))
    }
}

fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Five => '5',
        Verdict::Forbidden(Forbidden::Overline) => 'o',
        Verdict::Forbidden(Forbidden::DoubleFour) => 'f',
        Verdict::Forbidden(Forbidden::DoubleThree) => 'd',
        Verdict::Allowed => '.',
    }
}

fn diagrams() -> Vec<Diagram> {
    let blocks = POSITIONS.split("\n== ").skip(1);
    let parse = |block: &str| {
        let (name, rest) = block.split_once('\n').unwrap();
        let rows = rest.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Diagram { name: name.to_owned(), cells: rows.map(|row| row.chars().collect()).collect() }
    };
    blocks.map(parse).collect()
}

#[test]
fn positions_have_the_published_forbidden_cells() {
    for diagram in diagrams() {
        let board = diagram.board();
        let judged = diagram.judged_by(|row, col| board.verdict(row, col));
        assert_eq!(judged, diagram.to_string(), "{}\n{judged}", diagram.name);
    }
}

#[test]
fn positions_have_the_same_verdicts_turned_and_mirrored() {
    for mut diagram in diagrams() {
        for _ in 0..4 {
            diagram.cells = transposed(&diagram.cells);
            let board = diagram.board();
            let judged = diagram.judged_by(|row, col| board.verdict(row, col));
            assert_eq!(judged, diagram.to_string(), "{}", diagram.name);
            diagram.cells.reverse();
        }
    }
}

fn transposed(cells: &[Vec<char>]) -> Vec<Vec<char>> {
    (0..cells[0].len()).map(|col| cells.iter().map(|row| row[col]).collect()).collect()
}

#[test]
fn forbidden_is_none_for_a_five() {
    let mut board = RenjuBoard::new(15, 15);
    for col in 3..7 {
        board.place(7, col, Stone::Black);
    }
    assert_eq!(board.verdict(7, 7), Verdict::Five);
    assert_eq!(board.forbidden(7, 7), None);
}

#[test]
fn removing_a_stone_restores_the_board() {
    let empty = RenjuBoard::new(26, 19);
    for stone in [Stone::Black, Stone::White] {
        for (row, col) in [(0, 0), (25, 18), (0, 18), (25, 0), (12, 9)] {
            let mut board = empty.clone();
            board.place(row, col, stone);
            assert!(board != empty);
            board.remove(row, col);
            assert!(board == empty);
        }
    }
}

/// Boards with more or fewer stones; those with many black stones have the most forbidden cells.
fn random_diagram() -> impl Strategy<Value = Diagram> {
    (5..=20usize, 5..=20usize, 5..45u32, 0..30u32).prop_flat_map(|(rows, cols, black, white)| {
        let cell =
            prop_oneof![black => Just('x'), white => Just('w'), 100 - black - white => Just('.')];
        let row = prop::collection::vec(cell, cols);
        prop::collection::vec(row, rows)
            .prop_map(|cells| Diagram { name: "random".to_owned(), cells })
    })
}

proptest! {
    #[test]
    fn verdicts_follow_the_definition(diagram in random_diagram()) {
        let board = diagram.board();
        let judged = diagram.judged_by(|row, col| board.verdict(row, col));
        let expected = diagram.judged_by(|row, col| definition::verdict(&diagram.cells, row, col));
        prop_assert_eq!(&judged, &expected, "{}\nexpected\n{}", judged, expected);
    }
}
