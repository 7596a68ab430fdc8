//! The board against one built from scratch, and against [`Board`].

use noughts_rules::{Cell, Rules};
use proptest::prelude::*;

use super::*;
use crate::board::Board;

/// All incremental state of the empty cells.
fn snapshot(board: &PatternBoard) -> Vec<String> {
    let cell = |cell: CellIndex| {
        let cell = usize::from(cell);
        let threats = [&board.threats[0], &board.threats[1]].map(|threats| threats.by_cell[cell]);
        format!("{cell} {:?} {threats:?}", board.cells[cell].shapes)
    };
    let totals = board.threats.iter().map(|threats| &threats.totals);
    let totals = totals.map(|totals| format!("{:?} {:?}", totals.eval, &totals.counts[1..]));
    let key = format!("{} {} {}", board.key(), board.turn(), board.empty_count());
    board.empty_cells().map(cell).chain(totals).chain([key]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The incremental state equals that of a board built from scratch, and both boards agree
    /// on the cells that complete a line.
    #[test]
    fn pattern_board_agrees_with_board(
        (rows, cols, k) in (1u8..=9, 1u8..=9, 3u8..=6),
        exact in any::<bool>(),
        moves in proptest::collection::vec(any::<prop::sample::Index>(), 60),
    ) {
        prop_assume!(k <= rows.max(cols) && (k < 6 || !exact));
        let exact = if exact { "+exact" } else { "" };
        let rules: Rules = format!("{rows}x{cols}:{k}{exact}").parse().unwrap();
        let mut position = Position::new(&rules);
        let mut patterns = PatternBoard::new(&position).unwrap();
        for choice in moves {
            let legal: Vec<Cell> = position.legal_moves().filter_map(|mv| mv.cell()).collect();
            if legal.is_empty() {
                break;
            }
            let board = Board::new(&position);
            for cell in patterns.empty_cells().collect::<Vec<_>>() {
                for seat in 0..2 {
                    let completes = patterns.threat(seat, cell) == Threat::Line;
                    let index = patterns.unpadded(cell);
                    prop_assert_eq!(completes, board.completes(seat, index), "{}", position);
                    prop_assert_eq!(patterns.padded(index), cell);
                }
                patterns.play(cell);
                patterns.undo();
            }
            prop_assert_eq!(snapshot(&patterns), snapshot(&PatternBoard::new(&position).unwrap()));
            let cell = *choice.get(&legal);
            patterns.play(patterns.padded(board.tables().index(cell)));
            if position.play(cell).unwrap().is_some() {
                break;
            }
        }
    }
}
