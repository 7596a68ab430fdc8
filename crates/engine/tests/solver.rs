//! The solver against plain minimax and published values (sources with each table).

mod minimax;

use std::collections::{BTreeSet, HashMap};

use noughts_engine::{Budget, SolveError, Value, solve};
use noughts_rules::{Cell, Goal, Move, Outcome, Position, Rules, RulesParts};
use proptest::prelude::*;

use minimax::minimax;

fn value(position: &Position) -> Value {
    solve(position, &Budget::unlimited()).expect("two seats").value.expect("no limit")
}

fn start(rules: &str) -> Position {
    Position::new(&rules.parse::<Rules>().expect("rules"))
}

#[test]
fn matches_minimax_everywhere_on_3x3() {
    for rules in ["3x3", "3x3+misere", "3x3+gravity"] {
        let mut memo = HashMap::new();
        minimax(&mut start(rules), &mut memo);
        for (position, &expected) in &memo {
            assert_eq!(value(position), expected, "{position}");
        }
    }
}

/// Positions of all line games with at most 11 empty cells, if they allow that.
fn late_positions() -> impl Strategy<Value = Position> {
    let index = any::<prop::sample::Index>;
    let lines = proptest::collection::vec(proptest::collection::vec(index(), 1..5), 1..12);
    let moves = proptest::collection::vec(index(), 90);
    let numbers = (1u8..=5, 2u8..=6, 1u8..=3, 2u8..=5, 6usize..=11);
    let options = (any::<[bool; 4]>(), prop::option::weighted(0.3, lines));
    (numbers, options, moves).prop_map(|(numbers, (flags, lines), moves)| {
        let (rows, cols, levels, k, empty) = numbers;
        let [misere, gravity, wrap, exact] = flags;
        let goal = if misere { Goal::Avoid } else { Goal::Line };
        let parts = RulesParts::space(rows, cols, levels).k(k.min(rows.max(cols).max(levels)));
        let parts = parts.goal(goal).gravity(gravity);
        let mut rules = parts.clone().wrap(wrap).exact(exact).build().expect("valid parts");
        if let Some(lines) = lines {
            let cell = |index: &prop::sample::Index| {
                rules.cell_at(index.index(rules.cell_count())).expect("a cell of the board")
            };
            let line = |line: &Vec<_>| {
                let cells: BTreeSet<Cell> = line.iter().map(cell).collect();
                cells.into_iter().collect()
            };
            rules = parts.lines(lines.iter().map(line)).build().expect("valid lines");
        }
        let mut position = Position::new(&rules);
        for choice in moves {
            let left = position.rules().cell_count() - position.stone_count();
            let quiet: Vec<Move> =
                position.legal_moves().filter(|&mv| !ends(&position, mv)).collect();
            if left <= empty || quiet.is_empty() {
                break;
            }
            position.play(*choice.get(&quiet)).expect("legal");
        }
        position
    })
}

fn ends(position: &Position, mv: Move) -> bool {
    position.clone().play(mv).expect("legal").is_some()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn matches_minimax_in_every_variant(mut position in late_positions()) {
        let empty = position.rules().cell_count() - position.stone_count();
        prop_assume!(empty <= 11);
        let expected = minimax(&mut position, &mut HashMap::new());
        prop_assert_eq!(value(&position), expected, "{}", position);
    }

    /// The principal variation is legal and ends with the outcome and length of the value.
    #[test]
    fn pv_ends_as_the_value_says(position in late_positions()) {
        prop_assume!(position.rules().cell_count() - position.stone_count() <= 11);
        let solution = solve(&position, &Budget::unlimited()).unwrap();
        let value = solution.value.unwrap();
        let turn = position.turn().unwrap();
        let mut end = position.clone();
        for &mv in &solution.pv {
            prop_assert_eq!(end.outcome(), None);
            end.play(mv).unwrap();
        }
        match (value, end.outcome()) {
            (Value::Draw, outcome) => prop_assert_eq!(outcome, Some(Outcome::Draw)),
            (Value::Win { plies }, Some(Outcome::Win(seat))) => {
                prop_assert_eq!(seat, turn);
                prop_assert_eq!(solution.pv.len(), usize::from(plies));
            }
            (Value::Loss { plies }, Some(Outcome::Win(seat))) => {
                prop_assert_ne!(seat, turn);
                prop_assert_eq!(solution.pv.len(), usize::from(plies));
            }
            other => prop_assert!(false, "{position}: {other:?}"),
        }
    }
}

/// Van den Herik, Uiterwijk and van Rijswijck, "Games solved: now and in the future", Artificial
/// Intelligence 134 (2002), table of mnk-games; n x n with k = n >= 5 by the Hales–Jewett pairing.
#[test]
fn matches_published_values() {
    for (rules, first_wins) in [
        ("3x3", false),
        ("2x9:3", false),
        ("3x4:3", true),
        ("4x4:3", true),
        ("3x8:3", true),
        ("8x8:3", true),
        ("4x4", false),
        ("4x5:4", false),
        ("4x6:4", false),
        ("5x5:4", false),
        ("5x6:4", true),
        ("6x6:4", true),
        ("5x5", false),
        ("5x6:5", false),
        ("6x6", false),
        ("7x7:6", false),
        ("8x8", false),
    ] {
        let won = matches!(value(&start(rules)), Value::Win { .. });
        assert_eq!(won, first_wins, "{rules}");
        if !won {
            assert_eq!(value(&start(rules)), Value::Draw, "{rules}");
        }
    }
}

/// The first player wins on 4x3 and everything larger; source as above.
#[test]
fn matches_published_three_in_a_row() {
    for rows in 1..=8u8 {
        for cols in rows.max(3)..=8 {
            let won = matches!(value(&start(&format!("{rows}x{cols}:3"))), Value::Win { .. });
            assert_eq!(won, rows >= 3 && cols > 3, "{rows}x{cols}");
        }
    }
}

/// Connect Four on small boards: Tromp, "John's Connect Four Playground".
#[test]
fn matches_published_gravity_boards() {
    for rules in ["4x4+gravity", "4x5:4+gravity", "5x5:4+gravity", "5x6:4+gravity", "6x5:4+gravity"]
    {
        assert_eq!(value(&start(rules)), Value::Draw, "{rules}");
    }
}

/// Known result, confirmed by full enumeration in `matches_minimax_everywhere_on_3x3`: every other
/// first move loses.
#[test]
fn only_the_centre_draws_misere_3x3() {
    for mv in start("misere").legal_moves() {
        let mut position = start("misere");
        position.play(mv).unwrap();
        let draws = value(&position) == Value::Draw;
        assert_eq!(draws, mv.to_string() == "B2", "{mv}");
    }
}

/// Without a proof there is no value, never a guess.
#[test]
fn exhausted_budget_gives_no_value() {
    for rules in ["3x3", "4x4"] {
        let mut known = 0;
        for nodes in 0..300 {
            let solution = solve(&start(rules), &Budget::unlimited().with_nodes(nodes)).unwrap();
            assert!(solution.nodes <= nodes);
            known += u32::from(solution.value.is_some());
            assert!(matches!(solution.value, None | Some(Value::Draw)));
        }
        assert!((1..300).contains(&known), "{rules}");
    }
}

#[test]
fn unsolvable_positions_are_refused() {
    let solve = |position: &Position| solve(position, &Budget::unlimited()).unwrap_err();
    assert_eq!(solve(&start("5x5:4+3p")), SolveError::ManySeats { seats: 3 });
    assert_eq!(solve(&"3x3 xxx/oo1/3 -".parse().unwrap()), SolveError::GameOver);
}

/// The stones of resigned seats stay on the board.
#[test]
fn two_remaining_seats_are_solved() {
    let position: Position = "4x4:3+3p xoa1/1x2/1o2/4 x a".parse().unwrap();
    assert_eq!(value(&position), minimax(&mut position.clone(), &mut HashMap::new()));
}

/// Three in a row on 3x3x3: Golomb and Hales, "Hypercube tic-tac-toe" (2002); the length by an
/// independent prototype.
#[test]
fn first_player_wins_three_in_space() {
    assert_eq!(value(&start("3x3x3")), Value::Win { plies: 7 });
    assert_eq!(value(&start("3x3x3+gravity")), Value::Win { plies: 9 });
}
