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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// In renju, also after a swap, the cells that complete a line are those that win, a double four
    /// that may be played leaves two of them, and the incremental state equals that of a new board.
    #[test]
    fn pattern_board_agrees_with_renju(
        swapped in any::<bool>(),
        moves in proptest::collection::vec(any::<prop::sample::Index>(), 70),
    ) {
        let rules: Rules = "9x9:5+renju+swap".parse().unwrap();
        let mut position = Position::new(&rules);
        position.play("E5".parse::<Cell>().unwrap()).unwrap();
        let choice = if swapped { noughts_rules::Move::Swap } else { noughts_rules::Move::Keep };
        position.play(choice).unwrap();
        let mut board = PatternBoard::new(&position).unwrap();
        for choice in moves {
            let cells: Vec<CellIndex> = board.empty_cells().collect();
            for &cell in &cells {
                let at = rules.cell_at(board.unpadded(cell)).unwrap();
                prop_assert_eq!(board.may_play(cell), position.is_legal(at), "{}: {}", position, at);
                if !board.may_play(cell) {
                    continue;
                }
                let threat = board.threat(board.turn(), cell);
                let outcome = position.clone().play(at).unwrap();
                prop_assert_eq!(threat == Threat::Line, outcome.is_some(), "{}: {}", position, at);
                if threat == Threat::DoubleFour {
                    let seat = board.turn();
                    board.play(cell);
                    prop_assert!(board.completion_count(seat) > 1, "{}: {}", position, at);
                    board.undo();
                }
            }
            let quiet = |cell: &&CellIndex| {
                board.may_play(**cell) && board.threat(board.turn(), **cell) < Threat::Line
            };
            let quiet: Vec<CellIndex> = cells.iter().filter(quiet).copied().collect();
            if quiet.is_empty() {
                break;
            }
            let cell = *choice.get(&quiet);
            position.play(rules.cell_at(board.unpadded(cell)).unwrap()).unwrap();
            board.play(cell);
            if position.outcome().is_some() {
                break;
            }
            let fresh = PatternBoard::new(&position).unwrap();
            prop_assert_eq!(snapshot(&board), snapshot(&fresh), "{}", position);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The network's evaluation of a position does not depend on which others were evaluated on the
    /// way to it.
    #[test]
    fn network_eval_agrees_with_new_board(
        exact in any::<bool>(),
        steps in proptest::collection::vec((any::<prop::sample::Index>(), 0..10), 60),
    ) {
        let exact = if exact { "+exact" } else { "" };
        let rules: Rules = format!("11x12:5{exact}").parse().unwrap();
        let mut position = Position::new(&rules);
        let mut board = PatternBoard::new(&position).unwrap();
        prop_assert!(board.network.is_some());
        for (choice, step) in steps {
            if step < 3 && board.ply() > 0 {
                board.undo();
                position.undo().unwrap();
                continue;
            }
            let quiet = |&cell: &CellIndex| board.threat(board.turn(), cell) < Threat::Line;
            let quiet: Vec<CellIndex> = board.empty_cells().filter(quiet).collect();
            let cell = *choice.get(&quiet);
            position.play(rules.cell_at(board.unpadded(cell)).unwrap()).unwrap();
            board.play(cell);
            if step > 6 {
                let fresh = PatternBoard::new(&position).unwrap().static_eval();
                prop_assert_eq!(board.static_eval(), fresh, "{}", position);
            }
        }
    }
}

/// The network was trained for five in a row on boards of at least eleven rows and columns.
#[test]
fn other_rules_are_evaluated_by_patterns() {
    let has_network = |rules: &str| {
        let position = Position::new(&rules.parse().unwrap());
        PatternBoard::new(&position).unwrap().network.is_some()
    };
    assert!(has_network("15x15:5") && has_network("19x19:5+exact"));
    assert!(!has_network("10x15:5") && !has_network("15x15:4") && !has_network("renju"));
}
