//! The three compiled paths mean the same: games that take a fast path go alike on the general one.

use proptest::prelude::*;

use super::Position;
use crate::layout::Path;
use crate::{Cell, Goal, Move, Rules, RulesParts, Seat};

/// Games on the simple path and on that of line games.
fn line_games() -> impl Strategy<Value = Rules> {
    let side = prop_oneof![4 => 1..=4u8, 1 => 5..=9u8];
    let levels = prop_oneof![2 => Just(1u8), 1 => 2..=4u8];
    let sides = (side.clone(), side, levels);
    let parts = (sides, 1..=5u8, 2..=4u8, any::<[bool; 4]>()).prop_map(
        |((rows, cols, levels), k, players, [misere, gravity, wrap, exact])| {
            let k = k.min(rows.max(cols).max(levels));
            let players = if misere { 2 } else { players };
            let goal = if misere { Goal::Avoid } else { Goal::Line };
            let parts = RulesParts::space(rows, cols, levels).k(k).players(players).goal(goal);
            parts.gravity(gravity).wrap(wrap).exact(exact)
        },
    );
    let cell = (0..2u8, 0..3u8, 0..3u8);
    let line = prop::collection::btree_set(cell, 1..5);
    let lines = (prop::collection::vec(line, 1..12), any::<bool>()).prop_map(|(lines, gravity)| {
        let line = |cells: &std::collections::BTreeSet<(u8, u8, u8)>| -> Vec<Cell> {
            cells.iter().map(|&(l, r, c)| Cell::on_board(l, r, c)).collect()
        };
        let lines: Vec<Vec<Cell>> = lines.iter().map(line).collect();
        RulesParts::space(3, 3, 2).lines(lines).gravity(gravity)
    });
    prop_oneof![3 => parts, 1 => lines].prop_map(|parts| parts.build().expect("valid parts"))
}

#[derive(Debug, Clone)]
enum Step {
    Play(u16),
    Undo,
    Resign(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        20 => any::<u16>().prop_map(Step::Play),
        3 => Just(Step::Undo),
        1 => (0..4u8).prop_map(Step::Resign),
    ];
    prop::collection::vec(step, 0..120)
}

fn check_alike(fast: &Position, general: &Position) {
    assert_eq!(fast.to_string(), general.to_string());
    assert_eq!(fast.status(), general.status());
    assert_eq!((fast.turn(), fast.move_count()), (general.turn(), general.move_count()));
    assert!(fast.legal_moves().eq(general.legal_moves()));
    assert!((0..5).all(|n| fast.nth_move(n) == general.nth_move(n)));
    let legal = |position: &Position| {
        let mut legal = vec![false; position.rules().move_index_count()];
        position.fill_legal(&mut legal);
        legal
    };
    assert_eq!(legal(fast), legal(general));
    assert!(fast.history().eq(general.history()));
}

#[test]
fn the_three_paths_are_taken() {
    for (text, path) in [
        ("3x3", Path::Simple),
        ("3x3+misere", Path::Simple),
        ("6x7:4+gravity", Path::Lines),
        ("15x15:5", Path::Lines),
        ("4x4x4", Path::Lines),
        ("3x3:[A1-A2]", Path::Simple),
        ("3x3+wild", Path::General),
    ] {
        let rules: Rules = text.parse().unwrap();
        assert_eq!(rules.layout().path(), path, "{text}");
        assert_eq!(rules.on_general_path().layout().path(), Path::General);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn fast_paths_match_the_general_one(rules in line_games(), steps in steps()) {
        let mut fast = Position::new(&rules);
        let mut general = Position::new(&rules.on_general_path());
        check_alike(&fast, &general);
        for step in steps {
            match step {
                Step::Play(choice) => {
                    let cell = rules.cell_at(usize::from(choice) % rules.cell_count()).unwrap();
                    for mv in [Move::Place(cell), Move::Mark(cell, crate::Mark::FIRST), Move::Swap] {
                        prop_assert_eq!(fast.check(mv), general.check(mv));
                        prop_assert_eq!(fast.play(mv), general.play(mv));
                    }
                }
                Step::Undo => prop_assert_eq!(fast.undo(), general.undo()),
                Step::Resign(seat) => {
                    let seat = Seat::from_index(seat);
                    prop_assert_eq!(fast.resign(seat), general.resign(seat));
                }
            }
            check_alike(&fast, &general);
        }
        fast.clear();
        general.clear();
        check_alike(&fast, &general);
    }
}
