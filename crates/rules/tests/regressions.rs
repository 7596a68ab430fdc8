//! Mistakes that were made elsewhere, each a bug report of some project, so that they are not made
//! here.

use noughts_rules::{Action, Cell, Event, Game, Player, Position, Refusal, Rules, Seat, Status};

fn cell(text: &str) -> Cell {
    text.parse().unwrap()
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn played(rules: &str, moves: &str) -> Game {
    let mut game = Game::with_default_players(&rules.parse::<Rules>().unwrap());
    for text in moves.split_whitespace() {
        game.play(game.turn().unwrap(), cell(text)).unwrap();
    }
    game
}

/// Only the last move can be taken back, and the turn goes to whoever made it.
#[test]
fn undo_gives_the_turn_back_to_whoever_moved() {
    let mut game = played("3x3", "A1 B2");
    let [undone, turn] = game.undo().unwrap();
    assert_eq!(undone, Event::MoveUndone { seat: seat(1), cell: cell("B2") });
    assert_eq!(turn, Event::Turn { seat: seat(1) });
    assert_eq!(game.position().seat_at(cell("A1")), Some(seat(0)));
    assert_eq!(game.position().seat_at(cell("B2")), None);
}

#[test]
fn undoing_the_last_move_of_a_game_reopens_it() {
    let mut game = played("3x3", "A1 B1 A2 B2 A3");
    assert!(matches!(game.status(), Status::Won { .. }));
    game.undo().unwrap();
    assert_eq!(game.status(), Status::InProgress { turn: seat(0) });
    assert!(game.position().is_legal(cell("A3")));
}

#[test]
fn the_last_move_of_a_finished_game_is_on_the_board_and_in_the_history() {
    let game = played("3x3", "A1 B1 A2 B2 A3");
    assert_eq!(game.position().seat_at(cell("A3")), Some(seat(0)));
    assert_eq!(game.history().last(), Some(Action::Move { seat: seat(0), cell: cell("A3") }));
}

/// Seats are played in the order in which the players are listed, in a rematch as well.
#[test]
fn the_order_of_the_players_is_the_order_of_the_turns() {
    let [ann, bob] = ["Ann", "Bob"].map(|name| name.to_string());
    let player = |name: &str, symbol: &str| Player::new(name, symbol.parse().unwrap()).unwrap();
    for names in [[&ann, &bob], [&bob, &ann]] {
        let players = [player(names[0], "a"), player(names[1], "b")];
        let mut game = Game::new(&Rules::classic(), players).unwrap();
        for (i, text) in ["A1", "A2", "A3", "B1"].iter().enumerate() {
            let turn = game.turn().unwrap();
            assert_eq!(game.player(turn).unwrap().name(), *names[i % 2]);
            game.play(turn, cell(text)).unwrap();
        }
    }
}

#[test]
fn whoever_left_a_game_of_three_neither_comes_back_nor_blocks_it() {
    let mut game = played("5x5:4+3p", "A1 A2 A3");
    game.resign(seat(1)).unwrap();
    for (text, mover) in [("B1", 0), ("B3", 2), ("C1", 0), ("C3", 2)] {
        assert_eq!(game.turn(), Some(seat(mover)));
        game.play(seat(mover), cell(text)).unwrap();
    }
    assert_eq!(
        game.play(seat(1), cell("E5")),
        Err(Refusal::NotYourTurn { seat: seat(1), turn: seat(0) })
    );
    assert_eq!(game.resign(seat(1)), Err(Refusal::NotPlaying { seat: seat(1) }));
}

#[test]
fn diagonals_off_the_main_ones_win() {
    let down = played("5x5:3", "A2 A1 B3 B1 C4");
    assert_eq!(
        down.status(),
        Status::Won { seat: seat(0), cells: ["A2", "B3", "C4"].map(cell).to_vec() }
    );
    let up = played("5x5:3", "E3 A1 D4 B1 C5");
    assert_eq!(
        up.status(),
        Status::Won { seat: seat(0), cells: ["C5", "D4", "E3"].map(cell).to_vec() }
    );
}

#[test]
fn a_win_that_fills_the_board_is_a_win() {
    let game = played("3x3", "A1 A2 A3 B1 B2 B3 C2 C1 C3");
    assert_eq!(
        game.status(),
        Status::Won { seat: seat(0), cells: ["A1", "B2", "C3"].map(cell).to_vec() }
    );
}

#[test]
fn a_move_that_completes_several_lines_shows_them_all() {
    let game = played("3x3", "A1 A2 A3 B1 C3 B3 C1 C2 B2");
    assert_eq!(
        game.status(),
        Status::Won { seat: seat(0), cells: ["A1", "A3", "B2", "C1", "C3"].map(cell).to_vec() }
    );
}

#[test]
fn rows_and_columns_are_not_swapped_on_boards_that_are_not_square() {
    let rules: Rules = "2x5:2".parse().unwrap();
    let mut position = Position::new(&rules);
    position.play(cell("B5")).unwrap();
    assert_eq!(position.seat_at(Cell::new(1, 4).unwrap()), Some(seat(0)));
    assert!(matches!(position.play(cell("E2")), Err(Refusal::OffBoard { rows: 2, cols: 5, .. })));
    assert_eq!(position.to_string(), "2x5 5/4x o");
}

#[test]
fn a_symbol_written_two_ways_is_one_symbol() {
    let player = |symbol: &str| Player::new("A", symbol.parse().unwrap()).unwrap();
    assert!(Game::new(&Rules::classic(), [player("é"), player("e\u{301}")]).is_err());
    assert!(Game::new(&Rules::classic(), [player("❤"), player("❤\u{fe0f}")]).is_err());
}

#[test]
fn a_run_longer_than_the_win_length_wins_unless_exact() {
    let moves = "A1 B1 A2 B2 A4 B4 A5 B5 A3";
    let game = played("2x7:3", "A1 B1 A2 B3 A4 B4 A5 B6 A3");
    let row = ["A1", "A2", "A3", "A4", "A5"].map(cell).to_vec();
    assert_eq!(game.status(), Status::Won { seat: seat(0), cells: row });
    let game = played("2x7:4+exact", moves);
    assert_eq!(game.status(), Status::InProgress { turn: seat(1) });
}

#[test]
fn a_line_may_cross_the_edge_where_edges_join() {
    let game = played("4x4:3+wrap", "A4 B1 A1 B2 A2");
    assert_eq!(
        game.status(),
        Status::Won { seat: seat(0), cells: ["A1", "A2", "A4"].map(cell).to_vec() }
    );
}

#[test]
fn with_gravity_a_stone_needs_something_below() {
    let mut game = played("connect4", "F1 F2");
    assert_eq!(
        game.play(seat(0), cell("D1")).unwrap_err().to_string(),
        "D1 has nothing below it: the lowest empty box in that column is E1"
    );
    game.play(seat(0), cell("E1")).unwrap();
}
