//! VCF and VCT on both boards: positions of real games, known patterns and the solver.

use noughts_rules::{Cell, Move, Outcome, Position};
use proptest::prelude::*;

use super::board::{CellIndex, ThreatBoard};
use super::vcf::{self, ForcedWin, NoVcfTable};
use super::vct;
use crate::board::Board;
use crate::budget::{Budget, Meter};
use crate::search::pattern::PatternBoard;
use crate::solve::Prover;
use crate::verdict::Value;

/// A board that can be built from any position of these tests.
trait TestBoard: ThreatBoard {
    fn from_position(position: &Position) -> Self;
    /// The index of the cell in the rules.
    fn rules_index(&self, cell: CellIndex) -> usize;
}

impl TestBoard for Board {
    fn from_position(position: &Position) -> Board {
        Board::new(position)
    }

    fn rules_index(&self, cell: CellIndex) -> usize {
        cell.into()
    }
}

impl TestBoard for PatternBoard {
    fn from_position(position: &Position) -> PatternBoard {
        PatternBoard::new(position).unwrap()
    }

    fn rules_index(&self, cell: CellIndex) -> usize {
        self.unpadded(cell)
    }
}

fn find_vcf<B: ThreatBoard>(board: &mut B) -> Option<ForcedWin> {
    vcf::find(board, &mut NoVcfTable::new(), &mut Meter::new(&Budget::unlimited()), 20_000)
}

fn find_vct<B: ThreatBoard>(board: &mut B, nodes: u64) -> Option<ForcedWin> {
    let mut meter = Meter::new(&Budget::unlimited().with_nodes(nodes));
    vct::find(board, &mut NoVcfTable::new(), &mut meter)
}

/// Plays out a VCF against its forced replies and returns its length.
fn play_out_vcf<B: TestBoard>(text: &str) -> usize {
    let mut position: Position = text.parse().unwrap();
    let winner = position.turn().map(Outcome::Win);
    for ply in (1..).step_by(2) {
        let mut board = B::from_position(&position);
        let key = board.key();
        let win = find_vcf(&mut board).unwrap_or_else(|| panic!("no VCF found: {position}"));
        assert_eq!(board.key(), key, "the board is restored");
        let cell = |cell| position.rules().cell_at(board.rules_index(cell)).unwrap();
        let own = cell(win.cell);
        if win.plies == 1 {
            assert_eq!(position.play(own), Ok(winner), "{text}");
            return ply;
        }
        let mut after = B::from_position(&position);
        after.play(win.cell);
        let reply = cell(after.completion(board.turn()).expect("a four"));
        assert_eq!(position.play(own), Ok(None), "{text}");
        assert_eq!(position.play(reply), Ok(None), "{text}");
    }
    unreachable!()
}

/// `tests/vcf` confirms the lengths in the file by an independent search.
#[test]
fn finds_vcf_of_real_games() {
    let lines = include_str!("../../../tests/data/vcf.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let (shortest, position) = line.split_once(' ').unwrap();
        let shortest: usize = shortest.parse().unwrap();
        assert!(play_out_vcf::<PatternBoard>(position) >= shortest, "too short: {line}");
        assert!(play_out_vcf::<Board>(position) >= shortest, "too short: {line}");
    }
}

/// B5 threatens B6; after that reply E5 threatens both A5 and F5.
#[test]
fn vcf_combines_several_fours() {
    let text = "10x10:5 10/oxxx6/4x5/4x5/10/10/o7o1/10/2o7/7o2 x";
    assert_eq!(play_out_vcf::<PatternBoard>(text), 5);
    assert_eq!(play_out_vcf::<Board>(text), 5);
}

/// Plays the VCT against every defence, and the first move against every legal reply.
fn play_out_vct<B: TestBoard>(board: &mut B, max_plies: u32, any_reply: Option<&[CellIndex]>) {
    let win = find_vct(board, 300_000).expect("still a win");
    assert!(win.plies <= max_plies, "{} instead of {max_plies}", win.plies);
    if win.plies > 1 {
        let me = board.turn();
        board.play(win.cell);
        let defences = match board.completion(me) {
            Some(block) => vec![block],
            None => board.defences(),
        };
        let replies = any_reply.map_or(defences, <[CellIndex]>::to_vec);
        for reply in replies.into_iter().filter(|&reply| reply != win.cell) {
            assert_eq!(board.completion_count(board.turn()), 0, "the defender wins");
            board.play(reply);
            play_out_vct(board, win.plies - 2, None);
            board.undo();
        }
        board.undo();
    }
}

/// The lengths are upper bounds of the win, so they may differ between the boards.
fn check_vct(text: &str, board_plies: u32, pattern_plies: u32) {
    fn check<B: TestBoard>(text: &str, plies: u32, empty: impl Fn(&B) -> Vec<CellIndex>) {
        let mut board = B::from_position(&text.parse().unwrap());
        let win = find_vct(&mut board, 300_000).expect("a win");
        assert_eq!(win.plies, plies, "{text}");
        let empty = empty(&board);
        play_out_vct(&mut board, plies, Some(&empty));
    }
    check::<Board>(text, board_plies, |board| {
        board.legal_moves().map(|cell| cell as u16).collect()
    });
    check::<PatternBoard>(text, pattern_plies, |board| board.empty_cells().collect());
}

#[test]
fn finds_vct_of_known_patterns() {
    // F6 makes two open threes.
    check_vct("11x11:5 o9o/11/11/5x5/5x5/6xx3/11/11/11/11/o9o x", 5, 5);
    // E6 makes a four and a three that is open once the four is answered.
    check_vct("11x11:5 o9o/11/11/11/1oxxx6/5x5/5x5/11/11/11/o9o x", 5, 5);
    // Three stones with no opponent near need several threes in a row.
    check_vct("11x11:5 o9o/11/11/11/11/4xx5/5x5/11/11/11/o10 x", 13, 15);
}

#[test]
fn finds_no_vct_without_threats() {
    for text in [
        "11x11:5 11/11/11/11/11/5x5/5o5/11/11/11/11 x",
        "11x11:5 11/11/11/11/11/4xx5/11/11/11/11/o10 o",
    ] {
        let position: Position = text.parse().unwrap();
        assert_eq!(find_vct(&mut Board::new(&position), 10_000), None, "{text}");
        let mut board = PatternBoard::new(&position).unwrap();
        assert_eq!(find_vct(&mut board, 10_000), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The solver confirms every win, and none is shorter than possible.
    #[test]
    fn solver_confirms_forced_wins(
        rules in prop::sample::select(vec!["6x6:4", "6x6:4+exact"]),
        moves in proptest::collection::vec(any::<prop::sample::Index>(), 2..14),
    ) {
        let mut position = Position::new(&rules.parse().unwrap());
        for choice in moves {
            let legal: Vec<Cell> = position.legal_moves().filter_map(Move::cell).collect();
            if position.play(*choice.get(&legal)).unwrap().is_some() {
                position.undo().unwrap();
                break;
            }
        }
        let (mut board, mut patterns) = (Board::new(&position), PatternBoard::new(&position).unwrap());
        let wins = [
            find_vcf(&mut board),
            find_vcf(&mut patterns),
            find_vct(&mut board, 5_000),
            find_vct(&mut patterns, 5_000),
        ];
        for win in wins.into_iter().flatten() {
            let mut prover = Prover::new(&position, &Budget::unlimited()).unwrap();
            let Ok(Value::Win { plies }) = prover.value() else {
                return Err(TestCaseError::fail(format!("{position}: {win:?}")));
            };
            prop_assert!(u32::from(plies) <= win.plies);
        }
    }
}

/// Whether the win found in each position refutes every reply that the rules allow.
fn refutes_every_reply(
    position: &mut Position,
    win: ForcedWin,
    find: fn(&mut PatternBoard) -> Option<ForcedWin>,
) -> bool {
    let turn = position.turn();
    let cell = PatternBoard::new(position).unwrap().unpadded(win.cell);
    let cell = position.rules().cell_at(cell).unwrap();
    let wins = match position.play(cell).expect("a legal move") {
        Some(outcome) => Some(outcome) == turn.map(Outcome::Win),
        None => {
            let replies: Vec<Move> = position.legal_moves().collect();
            replies.into_iter().all(|reply| {
                let ongoing = position.play(reply).unwrap().is_none();
                let next = ongoing.then(|| find(&mut PatternBoard::new(position).unwrap()));
                let wins =
                    next.flatten().is_some_and(|next| refutes_every_reply(position, next, find));
                position.undo().unwrap();
                wins
            })
        }
    };
    position.undo().unwrap();
    wins
}

/// Wins in renju by VCF, and by VCT for the seat without restrictions.
fn find_in_renju(board: &mut PatternBoard) -> Option<ForcedWin> {
    let win = find_vcf(board);
    let complete = board.knows_all_defences(board.turn());
    win.or_else(|| if complete { find_vct(board, 1_000) } else { None })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// A forced win in renju needs no forbidden move, and no reply refutes it.
    #[test]
    fn renju_wins_hold_against_every_reply(
        moves in proptest::collection::vec(any::<prop::sample::Index>(), 8..50),
    ) {
        let mut position = Position::new(&"8x8:5+renju".parse().unwrap());
        for choice in moves {
            let legal: Vec<Move> = position.legal_moves().collect();
            if position.play(*choice.get(&legal)).unwrap().is_some() {
                position.undo().unwrap();
                break;
            }
        }
        let mut board = PatternBoard::new(&position).unwrap();
        if let Some(win) = find_in_renju(&mut board).filter(|win| win.plies <= 9) {
            let holds = refutes_every_reply(&mut position, win, find_in_renju);
            prop_assert!(holds, "{position}: {win:?}");
        }
    }
}

/// F4 makes a four that only E4 would stop, where X would have six in a row.
#[test]
fn white_wins_by_a_forbidden_block() {
    let text = "11x11:5+renju 3x7/3o7/3o7/3o7/xxx1xx5/11/11/11/11/11/8o1o o";
    let position: Position = text.parse().unwrap();
    let mut board = PatternBoard::new(&position).unwrap();
    let win = find_vcf(&mut board).expect("a win");
    let cell = position.rules().cell_at(board.unpadded(win.cell)).unwrap();
    assert_eq!((cell.to_string().as_str(), win.plies), ("F4", 3));
}
