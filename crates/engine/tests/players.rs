//! Properties of all computer players, and behaviour of single ones.

use std::time::{Duration, Instant};

use noughts_engine::{Budget, Perfect, PlayerKind, Strategy, StrategyError, Value, Verdict};
use noughts_rules::{Cell, Goal, Move, Outcome, Position, Rules, RulesParts, Seat};
use proptest::prelude::*;
use proptest::strategy::Strategy as Generate;

fn few_nodes() -> Budget {
    Budget::unlimited().with_nodes(300)
}

/// Random positions of random rules.
fn any_position() -> impl Generate<Value = Position> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let moves = proptest::collection::vec(any::<prop::sample::Index>(), 0..40);
    (1u8..=9, 1u8..=9, 1u8..=6, 2u8..=8, flags, moves).prop_map(
        |(rows, cols, k, players, (misere, gravity, wrap, exact), moves)| {
            let goal = if misere && players == 2 { Goal::Avoid } else { Goal::Line };
            let parts = RulesParts::grid(rows, cols).k(k.min(rows.max(cols))).players(players);
            let parts = parts.goal(goal).gravity(gravity).wrap(wrap).exact(exact);
            let mut position = Position::new(&parts.build().unwrap());
            for choice in moves {
                let legal: Vec<Move> = position.legal_moves().collect();
                if position.play(*choice.get(&legal)).unwrap().is_some() {
                    position.undo().unwrap();
                    break;
                }
            }
            position
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_player_plays_legal_moves(position in any_position(), seed in any::<u64>()) {
        for kind in PlayerKind::computers() {
            let choice = kind.strategy(seed).unwrap().choose(&position, &few_nodes()).unwrap();
            prop_assert!(position.is_legal(choice.mv), "{} in {}: {}", kind, position, choice.mv);
        }
    }

    #[test]
    fn empty_budget_still_gives_a_move(position in any_position()) {
        let budget = Budget::unlimited().with_nodes(0);
        for kind in PlayerKind::computers() {
            let choice = kind.strategy(1).unwrap().choose(&position, &budget).unwrap();
            prop_assert!(position.is_legal(choice.mv));
        }
    }

    #[test]
    fn same_seed_gives_same_moves(position in any_position(), seed in any::<u64>()) {
        for kind in PlayerKind::computers() {
            let choose = || kind.strategy(seed).unwrap().choose(&position, &few_nodes());
            prop_assert_eq!(choose(), choose());
        }
    }
}

#[test]
fn finished_game_is_refused() {
    let over: Position = "3x3 xxx/oo1/3 -".parse().unwrap();
    for kind in PlayerKind::computers() {
        let choice = kind.strategy(1).unwrap().choose(&over, &few_nodes());
        assert_eq!(choice, Err(StrategyError::GameOver));
    }
}

/// Plays the strategy against every sequence of opposing moves and counts its losses.
fn losses(position: &mut Position, strategy: &mut dyn Strategy, seat: Seat) -> usize {
    match position.outcome() {
        Some(Outcome::Win(winner)) => return usize::from(winner != seat),
        Some(Outcome::Draw) => return 0,
        None => {}
    }
    let moves: Vec<Move> = if position.turn() == Some(seat) {
        vec![strategy.choose(position, &Budget::unlimited()).unwrap().mv]
    } else {
        position.legal_moves().collect()
    };
    let mut count = 0;
    for mv in moves {
        position.play(mv).unwrap();
        count += losses(position, strategy, seat);
        position.undo().unwrap();
    }
    count
}

#[test]
fn perfect_never_loses_3x3() {
    for rules in ["3x3", "3x3+misere"] {
        let rules: Rules = rules.parse().unwrap();
        for seat in rules.seats() {
            let mut perfect = Perfect::new(3);
            assert_eq!(losses(&mut Position::new(&rules), &mut perfect, seat), 0, "{rules} {seat}");
        }
    }
}

fn move_and_verdict(text: &str, kind: &str, budget: &Budget) -> (String, Option<Verdict>) {
    let position: Position = text.parse().unwrap();
    let kind: PlayerKind = kind.parse().unwrap();
    let choice = kind.strategy(5).unwrap().choose(&position, budget).unwrap();
    (choice.mv.to_string(), choice.verdict)
}

#[test]
fn perfect_wins_fast_and_loses_late() {
    let check = |text: &str, cell: &str, value: Value| {
        let (got, verdict) = move_and_verdict(text, "perfect", &Budget::unlimited());
        assert_eq!((got.as_str(), verdict), (cell, Some(Verdict::Proven(value))), "{text}");
    };
    check("3x3 xx1/oo1/3 x", "A3", Value::Win { plies: 1 });
    // Any other move loses at once.
    check("3x3 xo1/1x1/3 o", "C3", Value::Loss { plies: 4 });
}

#[test]
fn perfect_estimates_large_boards() {
    let empty = Position::new(&"15x15:5".parse().unwrap()).to_string();
    let (_, verdict) = move_and_verdict(&empty, "perfect", &few_nodes());
    assert!(matches!(verdict, Some(Verdict::Estimate(_))));
}

/// With gravity, the centre is the bottom cell of the middle column.
#[test]
fn large_boards_open_in_the_centre() {
    for kind in ["medium", "hard", "perfect"].map(|kind| kind.parse::<PlayerKind>().unwrap()) {
        for (rules, middle) in [("15x15:5", "H8"), ("9x9:5+exact", "E5"), ("9x9:4+gravity", "I5")] {
            let position = Position::new(&rules.parse().unwrap());
            for seed in 0..10 {
                let choice = kind.strategy(seed).unwrap().choose(&position, &few_nodes()).unwrap();
                assert_eq!(choice.mv.to_string(), middle, "{kind} on {rules}");
            }
        }
    }
}

#[test]
fn medium_and_better_win_and_block() {
    for kind in ["medium", "hard", "perfect"] {
        let check = |text: &str, cell: &str| {
            let (got, _) = move_and_verdict(text, kind, &few_nodes());
            assert_eq!(got, cell, "{kind} in {text}");
        };
        check("3x3 xx1/oo1/3 x", "A3");
        check("3x3 xx1/o2/3 o", "A3");
        check("6x7:4+gravity 7/7/7/x6/x5o/x5o o", "C1");
        check("7x7:4+3p 7/xxx4/7/ooo4/7/aaa4/7 x", "B4");
        check("7x7:4+3p 7/xx5/7/ooo3x/7/aa5/7 a", "D4");
        check("10x10:5 10/10/oxxxx5/10/o9/9o/10/10/10/10 o", "C6");
    }
}

/// How many of these seeds make the player choose one of these cells.
fn chosen(text: &str, kind: &str, cells: &[&str], seeds: u64) -> u64 {
    let position: Position = text.parse().unwrap();
    let kind: PlayerKind = kind.parse().unwrap();
    let chooses = |seed: &u64| {
        let choice = kind.strategy(*seed).unwrap().choose(&position, &few_nodes()).unwrap();
        cells.contains(&&*choice.mv.to_string())
    };
    (0..seeds).filter(chooses).count() as u64
}

#[test]
fn easy_wins_and_usually_blocks() {
    for (text, cell) in [
        ("3x3 xx1/oo1/3 x", "A3"),
        ("6x7:4+gravity 7/7/7/x6/x5o/x4oo x", "C1"),
        ("4x4x4 x3/4/4/4|1x2/4/4/4|2x1/o3/4/4|4/o3/4/o3 x", "4A4"),
        ("10x10:5 10/10/oxxxx5/10/o9/9o/9o/10/10/10 x", "C6"),
        ("7x7:4+3p 7/xxx4/7/ooo4/7/aaa4/7 x", "B4"),
    ] {
        assert_eq!(chosen(text, "easy", &[cell], 40), 40, "{text}");
    }
    let mut blocks = 0;
    let positions = [
        ("3x3 xx1/o2/3 o", "A3"),
        ("3x3 x2/1xo/3 o", "C3"),
        ("6x7:4+gravity 7/7/7/x6/x5o/x5o o", "C1"),
        ("4x4x4 x3/4/4/4|1x2/4/4/4|2x1/o3/4/4|4/o3/4/4 o", "4A4"),
        ("10x10:5 10/10/oxxxx5/10/o9/9o/10/10/10/10 o", "C6"),
        ("10x10:5 10/1o8/2x7/3x6/4x5/5x4/10/10/oo8/10 o", "G7"),
    ];
    for (text, cell) in positions {
        let count = chosen(text, "easy", &[cell], 200);
        assert!((140..200).contains(&count), "{count} of 200 in {text}");
        blocks += count;
    }
    assert!(blocks * 10 >= positions.len() as u64 * 200 * 8, "{blocks}");
}

/// An open three becomes a line unless the next move stops it.
#[test]
fn medium_and_better_answer_open_threes() {
    for kind in ["medium", "hard", "perfect"] {
        let check = |text: &str, cells: &[&str]| {
            assert_eq!(chosen(text, kind, cells, 40), 40, "{kind} in {text}");
        };
        check("9x9:5 9/9/o8/3xxx3/o8/9/9/9/9 o", &["D3", "D7"]);
        let diagonal = "15x15:5 15/o14/15/15/4x10/5x9/6x8/15/15/15/15/15/15/15/14o o";
        check(diagonal, &["D4", "H8"]);
        check("15x15:5 o14/15/15/15/6xx1x5/15/15/15/15/15/15/15/15/15/14o o", &["E6", "E9", "E11"]);
    }
}

/// X threatens two lines by fours alone: B5, which threatens B6, and then E5.
#[test]
fn hard_plans() {
    let text = "10x10:5 10/oxxx6/4x5/4x5/10/10/o7o1/10/2o7/9o x";
    assert!(chosen(text, "hard", &["B5"], 20) >= 18);
}

#[test]
fn easy_overlooks_diagonals_more_than_rows() {
    let row = "9x9:5 9/9/oxxxx4/9/9/9/9/9/7oo o";
    let diagonal = "9x9:5 9/1o7/2x6/3x5/4x4/5x3/9/9/7oo o";
    let blocks_row = chosen(row, "easy", &["C6"], 1000);
    let blocks_diagonal = chosen(diagonal, "easy", &["G7"], 1000);
    assert!(blocks_row > blocks_diagonal + 10, "{blocks_row} and {blocks_diagonal}");
}

/// Counts the wins and the losses of the first kind, which takes each seat in turn.
fn results_of_first(rules: &str, kinds: &[&str], games: usize) -> [usize; 2] {
    let rules: Rules = rules.parse().unwrap();
    let winner_is_first = |game: usize| {
        let seat_of_first = game % kinds.len();
        let mut players: Vec<_> = (0..kinds.len())
            .map(|seat| kinds[(seat + kinds.len() - seat_of_first) % kinds.len()])
            .map(|kind| kind.parse::<PlayerKind>().unwrap().strategy(game as u64).unwrap())
            .collect();
        let mut position = Position::new(&rules);
        while let Some(turn) = position.turn() {
            let choice = players[turn.index()].choose(&position, &few_nodes()).unwrap();
            position.play(choice.mv).unwrap();
        }
        match position.outcome() {
            Some(Outcome::Win(winner)) => Some(winner.index() == seat_of_first),
            _ => None,
        }
    };
    let results: Vec<bool> = (0..games).filter_map(winner_is_first).collect();
    [true, false].map(|won| results.iter().filter(|&&result| result == won).count())
}

#[test]
fn stronger_levels_win_with_three_seats() {
    for kind in ["easy", "medium", "hard", "perfect"] {
        let [wins, losses] = results_of_first("6x6:4+3p", &[kind, "random", "random"], 30);
        assert!(wins > 15, "{kind} won {wins} and lost {losses} of 30 against two of random");
    }
    // Those who block lines seldom lose, so most games are drawn.
    for kind in ["hard", "perfect"] {
        let [wins, losses] = results_of_first("6x6:4+3p", &[kind, "easy", "easy"], 60);
        assert!(wins > losses, "{kind} won {wins} and lost {losses} of 60 against two of easy");
    }
}

#[test]
fn time_limit_is_respected() {
    let mut position = Position::new(&"15x15:5".parse().unwrap());
    // The first move needs no search.
    position.play("H8".parse::<Cell>().unwrap()).unwrap();
    let budget = Budget::unlimited().with_time(Duration::from_millis(200));
    for kind in PlayerKind::computers() {
        let start = Instant::now();
        kind.strategy(1).unwrap().choose(&position, &budget).unwrap();
        // Generous, for busy machines.
        assert!(start.elapsed() < Duration::from_secs(2), "{kind}");
    }
}
