//! Undo, redo, and games that begin with a position.

use noughts_rules::notation::{psq, sgf};
use noughts_rules::{Event, Game, Outcome, Player, Position, Refusal, Rules, Seat};

fn play(game: &mut Game, moves: &str) -> Vec<Event> {
    let rules = game.rules().clone();
    let play = |text| game.play_turn(rules.parse_move(text).unwrap()).unwrap();
    moves.split_whitespace().flat_map(play).collect()
}

fn game_from(position: &str) -> Game {
    let position: Position = position.parse().unwrap();
    let players: Vec<Player> = position.rules().seats().map(Player::default_for).collect();
    Game::from_position(position, players).unwrap()
}

#[test]
fn the_seat_to_move_plays_until_the_game_is_over() {
    let mut game = Game::with_default_players(&Rules::classic());
    assert_eq!(play(&mut game, "A1 B1 A2 B2 A3").len(), 10);
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::FIRST)));
    let late = game.rules().parse_move("C3").unwrap();
    assert_eq!(game.play_turn(late), Err(Refusal::GameOver));
}

#[test]
fn redo_repeats_what_was_undone() {
    let mut game = Game::with_default_players(&Rules::classic());
    let mut events = play(&mut game, "A1 B1 A2");
    events.extend(game.resign(Seat::FIRST).unwrap());
    let ended = game.clone();
    while game.undo().is_ok() {}
    assert_eq!(game.undone().len(), 4);
    let mut redone = Vec::new();
    while let Ok(more) = game.redo() {
        redone.extend(more);
    }
    assert_eq!(redone, events);
    assert_eq!(game, ended);
    assert!(game.history().eq(ended.history()));
    assert_eq!(game.redo(), Err(Refusal::NothingToRedo));
}

#[test]
fn new_action_discards_what_was_undone() {
    let mut game = Game::with_default_players(&Rules::classic());
    play(&mut game, "A1 B1");
    game.undo().unwrap();
    play(&mut game, "C1");
    assert_eq!(game.redo(), Err(Refusal::NothingToRedo));
    game.undo().unwrap();
    game.resign(Seat::FIRST).unwrap();
    assert_eq!(game.undone().len(), 0);
}

/// A refused move is no new action.
#[test]
fn refused_move_keeps_what_was_undone() {
    let mut game = Game::with_default_players(&Rules::classic());
    play(&mut game, "A1 B1");
    game.undo().unwrap();
    let taken = game.rules().parse_move("A1").unwrap();
    assert!(game.play_turn(taken).is_err());
    assert_eq!(game.redo().unwrap().len(), 2);
}

#[test]
fn game_goes_on_from_a_position() {
    let mut game = game_from("3x3 xx1/oo1/3 x");
    play(&mut game, "A3");
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::FIRST)));
    assert_eq!(game.start().to_string(), "3x3 xx1/oo1/3 x");
    let read: Game = game.to_string().parse().unwrap();
    assert_eq!((read.start(), &read), (game.start(), &game));
    game.undo().unwrap();
    assert_eq!(game.undo(), Err(Refusal::NothingToUndo));
}

#[test]
fn players_must_fit_the_position() {
    let position: Position = "4x4:3+3p 4/4/4/4 x".parse().unwrap();
    let two: Vec<Player> = [0, 1].map(|n| Player::default_for(Seat::new(n).unwrap())).into();
    assert!(Game::from_position(position, two).is_err());
}

#[test]
fn files_of_gomoku_begin_with_an_empty_board() {
    let mut game = game_from("15x15:5 x14/15/15/15/15/15/15/15/15/15/15/15/15/15/15 o");
    play(&mut game, "H8");
    let expected = "expected a game from the empty board";
    assert_eq!(psq::write(&game).unwrap_err().to_string(), expected);
    assert_eq!(sgf::write(&game).unwrap_err().to_string(), expected);
}
