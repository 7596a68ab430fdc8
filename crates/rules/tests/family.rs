//! One suite for every game of the family.

mod naive;

use std::sync::LazyLock;

use noughts_rules::notation::PRESETS;
use noughts_rules::{
    Cell, Game, Goal, Mark, Marks, Move, ParseRulesError, Position, PositionParts, Rules,
    RulesError, RulesParts, Symbol, laws,
};

/// Games that cover every option and the combinations that interact.
static GAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("data/family.txt").lines().collect());

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_game_obeys_the_laws() {
    for text in GAMES.iter() {
        let rules = rules(text);
        let games = (2_000 / rules.cell_count().pow(2)).clamp(1, 20);
        laws::check(&Position::new(&rules), games, 17);
    }
}

/// Plays random games and calls back before every move and at the end.
fn play_out(text: &str, games: u64, mut visit: impl FnMut(&mut Game)) {
    let rules = rules(text);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ text.len() as u64;
    for _ in 0..games {
        let mut game = Game::with_default_players(&rules);
        visit(&mut game);
        while let Some(turn) = game.turn() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let moves: Vec<Move> = game.position().legal_moves().collect();
            game.play(turn, moves[(random >> 33) as usize % moves.len()]).unwrap();
            visit(&mut game);
        }
    }
}

#[test]
fn text_forms_read_back_at_every_step() {
    for text in GAMES.iter() {
        assert_eq!(rules(text).to_string(), *text);
        let mut step = 0;
        play_out(text, 3, |game| {
            let position = game.position();
            let read: Position = position.to_string().parse().unwrap_or_else(|error| {
                panic!("{position}: {error}");
            });
            assert_eq!(&read, position);
            assert_eq!(read.key(), position.key(), "{position}");
            assert_eq!(read.status().outcome(), position.outcome(), "{position}");
            assert!(read.legal_moves().eq(position.legal_moves()), "{position}");
            assert_eq!(PositionParts::of(position).build().as_ref(), Ok(position));
            step += 1;
            if step % 7 == 0 || game.turn().is_none() {
                let read: Game = game.to_string().parse().unwrap();
                assert_eq!(&read, game);
            }
        });
    }
}

/// Seats may resign at any time, in any stage of any game.
#[test]
fn resignations_read_back_and_are_undone() {
    for text in GAMES.iter() {
        let mut step = 0;
        play_out(text, 2, |game| {
            step += 1;
            if game.turn().is_none() || step % 3 > 0 {
                return;
            }
            for seat in game.rules().seats() {
                let mut resigned = game.position().clone();
                resigned.resign(seat).unwrap();
                let read: Position = resigned.to_string().parse().unwrap_or_else(|error| {
                    panic!("{resigned}: {error}");
                });
                assert_eq!(read, resigned);
                assert_eq!(read.key(), resigned.key(), "{resigned}");
                assert!(read.legal_moves().eq(resigned.legal_moves()), "{resigned}");
                resigned.undo().unwrap();
                assert_eq!(&resigned, game.position());
                assert_eq!(resigned.key(), game.position().key());
                assert!(resigned.legal_moves().eq(game.position().legal_moves()));
            }
        });
    }
}

/// Legality and outcome match a slow and independent reading of the rules.
#[test]
fn status_matches_a_naive_reading() {
    for text in GAMES.iter() {
        play_out(text, 10, |game| naive::check(game.position()));
    }
}

#[test]
fn arrays_agree_with_moves() {
    for text in GAMES.iter() {
        play_out(text, 2, |game| {
            let (rules, position) = (game.rules().clone(), game.position());
            let mut legal = vec![true; rules.move_index_count()];
            position.fill_legal(&mut legal);
            let mut marks = vec![9; rules.cell_count()];
            position.fill_marks(&mut marks);
            for (index, is_legal) in legal.iter().enumerate() {
                let mv = rules.move_at(index).unwrap();
                assert_eq!(rules.move_index(mv), Some(index), "{text}: {mv}");
                assert_eq!(position.is_legal(mv), *is_legal, "{position}: {mv}");
                assert_eq!(position.check(mv).is_ok(), *is_legal, "{position}: {mv}");
            }
            assert_eq!(rules.move_at(legal.len()), None);
            assert_eq!(legal.iter().filter(|legal| **legal).count(), position.move_count());
            for (cell, mark) in rules.cells().zip(marks) {
                let expected = position.mark_at(cell).map_or(0, |mark| mark.index() as u8 + 1);
                assert_eq!(mark, expected);
            }
            let mut short = [true; 5];
            position.fill_legal(&mut short);
            assert!(legal.starts_with(&short[..legal.len().min(5)]));
        });
    }
}

#[test]
fn refused_moves_change_nothing() {
    let everywhere = (0..3).flat_map(|level| {
        (0..7).flat_map(move |row| (0..7).filter_map(move |col| Cell::in_space(level, row, col)))
    });
    let [x, o, a] = [0, 1, 2].map(|i| Mark::new(i).unwrap());
    let tries: Vec<Move> = everywhere
        .flat_map(|cell| {
            [Move::Place(cell), Move::Mark(cell, x), Move::Mark(cell, o), Move::Mark(cell, a)]
        })
        .chain([Move::Swap, Move::Keep, Move::More])
        .collect();
    for text in GAMES.iter() {
        play_out(text, 1, |game| {
            let before = game.clone();
            let turn = game.turn().unwrap_or(noughts_rules::Seat::FIRST);
            for &mv in &tries {
                if !game.position().is_legal(mv) {
                    let refusal = game.play(turn, mv).unwrap_err();
                    assert_eq!(game.position().check(mv), Err(refusal));
                    assert!(!refusal.to_string().is_empty());
                }
            }
            assert_eq!(*game, before);
            assert_eq!(game.position().key(), before.position().key());
        });
    }
}

#[test]
fn symmetric_games_go_alike() {
    for text in GAMES.iter() {
        let rules = rules(text);
        let symmetries: Vec<Vec<usize>> = rules.symmetries().collect();
        let mut images: Vec<Position> = Vec::new();
        play_out(text, 2, |game| {
            let Some(mv) = game.history().next_back() else {
                images = symmetries.iter().map(|_| Position::new(&rules)).collect();
                return;
            };
            let noughts_rules::Action::Move { mv, .. } = mv else { unreachable!() };
            for (image, symmetry) in images.iter_mut().zip(&symmetries) {
                let image_of =
                    |cell| rules.cell_at(symmetry[rules.cell_index(cell).unwrap()]).unwrap();
                let mv = match mv {
                    Move::Place(cell) => Move::Place(image_of(cell)),
                    Move::Mark(cell, mark) => Move::Mark(image_of(cell), mark),
                    choice => choice,
                };
                assert_eq!(image.play(mv), Ok(game.position().outcome()), "{text}: {mv}");
                assert_eq!(image.move_count(), game.position().move_count(), "{text}: {mv}");
            }
        });
    }
}

#[test]
fn presets_are_canonical() {
    for (name, text) in PRESETS {
        assert_eq!(rules(name).to_string(), text);
    }
}

/// Options with their names in refusals.
const OPTIONS: [(&str, &str); 15] = [
    ("ultimate", "ultimate"),
    ("notakto", "notakto"),
    ("2b", "a game on several boards"),
    ("wild", "wild"),
    ("order", "order"),
    ("misere", "misere"),
    ("gravity", "gravity"),
    ("wrap", "wrap"),
    ("exact", "exact"),
    ("fade5", "fade"),
    ("renju", "renju"),
    ("2s", "several stones a turn"),
    ("swap", "swap"),
    ("swap2", "swap2"),
    ("3p", "players"),
];

/// Any two options make a game that obeys the laws, or are refused by name.
#[test]
fn pairs_of_options_play_or_are_refused() {
    let boards = [
        ("5x5", ""),
        ("3x3x3", "a board with levels"),
        ("4x4:3", ""),
        ("5x5:[A1-A2-A3-A4,B1-B2-B3-B4]", "a list of lines"),
    ];
    let (mut played, mut refused) = (0, 0);
    for (board, board_name) in boards {
        let fits = |option: &str| format!("{board}+{option}").parse::<Rules>().is_ok();
        for (first, first_name) in OPTIONS {
            for (second, second_name) in OPTIONS {
                if first == second {
                    continue;
                }
                let text = format!("{board}+{first}+{second}");
                match text.parse::<Rules>() {
                    Ok(rules) => {
                        assert_eq!(rules.to_string().parse(), Ok(rules.clone()), "{text}");
                        laws::check(&Position::new(&rules), 1, 3);
                        played += 1;
                    }
                    Err(ParseRulesError::Rules(RulesError::Combination {
                        first, second, ..
                    })) => {
                        let mut known = vec![first_name, second_name];
                        if !fits(first_name) || !fits(second_name) {
                            known.push(board_name);
                        }
                        assert!(known.contains(&first) && known.contains(&second), "{text}");
                        refused += 1;
                    }
                    Err(ParseRulesError::Rules(error)) => {
                        let error = error.to_string();
                        let known = [first_name, second_name, "several boards", "marks left"];
                        assert!(known.iter().any(|name| error.contains(name)), "{text}: {error}");
                        refused += 1;
                    }
                    Err(error) => panic!("{text}: {error}"),
                }
            }
        }
    }
    assert!(played > 200 && refused > 200, "{played} played, {refused} refused");
}

#[test]
fn equal_rules_have_equal_parts() {
    let flat = RulesParts::grid(3, 3).marks(Marks::One).goal(Goal::LastBoard).build().unwrap();
    assert_eq!(flat, rules("3x3+notakto"));
    assert_eq!(flat, RulesParts::notakto(3, 3, 1).build().unwrap());
    assert_eq!(RulesParts::space(4, 4, 1).build().unwrap(), rules("4x4"));
}

#[test]
fn misplaced_boards_are_refused() {
    for (text, expected) in [
        ("3x3+2b", "only notakto is played on several boards"),
        ("ultimate+2b", "only notakto is played on several boards"),
        (
            "3x3x3+notakto+2b",
            "a game on several boards does not go with a board with levels: its boards are flat",
        ),
        ("notakto+ultimate", "ultimate does not go with notakto: it needs a mark for each player"),
        ("swap2+swap", "swap does not go with swap2: each is an opening of its own"),
        ("order-and-chaos+swap", "order does not go with swap: it needs a mark for each player"),
    ] {
        assert_eq!(text.parse::<Rules>().unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn swapped_seats_play_with_the_others_symbol() {
    let game: Game =
        "rules 3x3+swap\nplayer X A\nplayer O B\nmoves B2 swap A1 C1 C3 A3\nresult X wins"
            .parse()
            .unwrap();
    let [first, second] = [0, 1].map(|i| noughts_rules::Seat::new(i).unwrap());
    assert_eq!(game.seat_symbol(first).map(Symbol::to_string).as_deref(), Some("O"));
    assert_eq!(game.position().outcome(), Some(noughts_rules::Outcome::Win(second)));
}

/// Marks count by their age even if more than 64 stay.
#[test]
fn keys_tell_fading_marks_of_any_age_apart() {
    let rules = rules("20x20+fade70");
    let key = |last: &str| {
        let mut position = Position::new(&rules);
        let mut cells = rules.cells();
        for _ in 0..126 {
            position.play(cells.next().unwrap()).unwrap();
        }
        for cell in [last, "T1"] {
            position.play(cell.parse::<Cell>().unwrap()).unwrap();
        }
        assert_eq!(position.fade_order(Mark::FIRST).len(), 64);
        position.key()
    };
    assert_ne!(key("S1"), key("S2"));
}
