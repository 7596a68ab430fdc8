//! Which puzzles come, and what is stored of them.

use noughts_play::{Database, PuzzleChoice, PuzzleFilter, PuzzleSession};
use noughts_rules::{Game, Move, Rules};

fn of_rules(rules: &str, difficulty: Option<u8>) -> PuzzleChoice {
    let filter = PuzzleFilter { rules: Some(rules.parse().unwrap()), difficulty };
    PuzzleChoice { filter, ..PuzzleChoice::default() }
}

fn open(choice: &PuzzleChoice, database: Option<Database>) -> PuzzleSession {
    PuzzleSession::open(choice, database).unwrap().expect("a puzzle")
}

#[test]
fn puzzle_of_the_day_comes_first() {
    let mut session = open(&PuzzleChoice::default(), None);
    assert!(session.is_daily());
    let daily = session.puzzle().clone();
    assert!(session.next_puzzle() && !session.is_daily());
    assert_ne!(*session.puzzle(), daily);
    let session = open(&PuzzleChoice { daily: true, ..of_rules("3x3", None) }, None);
    assert_eq!(*session.puzzle(), daily);
}

#[test]
fn filters_choose_game_and_difficulty() {
    let rules: Rules = "connect4".parse().unwrap();
    let mut session = open(&of_rules("connect4", Some(4)), None);
    loop {
        assert_eq!((session.puzzle().rules(), session.puzzle().difficulty()), (&rules, 4));
        if !session.next_puzzle() {
            break;
        }
    }
    assert!(PuzzleSession::open(&of_rules("19x19:6+2s", None), None).unwrap().is_none());
}

#[test]
fn results_are_stored_and_solved_puzzles_come_last() {
    let folder = tempfile::tempdir().unwrap();
    let database = || Some(Database::open(&folder.path().join("noughts.db")).unwrap());
    let choice = of_rules("3x3", None);
    let mut first = open(&choice, database());
    let solved = first.puzzle().clone();
    while !first.attempt().is_solved() {
        let (_, stored) = first.play(first.attempt().solution()[0]).unwrap();
        stored.unwrap();
    }
    assert_eq!(first.progress().solved, 1);
    assert!(first.progress().rating.value > 1500.0);
    drop(first);
    let mut again = open(&choice, database());
    assert_ne!(*again.puzzle(), solved);
    while again.next_puzzle() {}
    assert_eq!(*again.puzzle(), solved);
}

#[test]
fn own_games_have_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("noughts.db")).unwrap();
    let mut game = Game::with_default_players(&Rules::classic());
    for cell in ["A1", "A2", "B2", "C3", "B1", "B3", "C1"] {
        game.play_turn(cell.parse::<Move>().unwrap()).unwrap();
    }
    database.record_end(None, &game, 1, None).unwrap();
    let own = PuzzleChoice { own: true, ..PuzzleChoice::default() };
    let session = open(&own, Some(database));
    assert_eq!(session.puzzle().position().to_string(), "3x3 x2/3/3 o");
}
