//! Bugs reported in other tic-tac-toe and gomoku projects, one test each.

use std::collections::HashMap;

use noughts_rules::{
    Action, Cell, Event, Game, Mark, Move, Player, Position, Refusal, Rules, Seat, Status,
};

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

fn check_won(game: &Game, winner: u8, cells: &[&str]) {
    let cells = cells.iter().map(|text| cell(text)).collect();
    assert_eq!(game.status(), Status::Won { seat: seat(winner), cells });
}

/// The bug: a player took back the opponent's move.
#[test]
fn undo_returns_turn_to_mover() {
    let mut game = played("3x3", "A1 B2");
    let [undone, turn] = game.undo().unwrap().try_into().unwrap();
    assert_eq!(undone, Event::MoveUndone { seat: seat(1), mv: cell("B2").into() });
    assert_eq!(turn, Event::Turn { seat: seat(1), stones: 1, board: None });
    assert_eq!(game.position().mark_at(cell("A1")), Some(Mark::FIRST));
    assert_eq!(game.position().mark_at(cell("B2")), None);
}

#[test]
fn undoing_the_win_reopens_game() {
    let mut game = played("3x3", "A1 B1 A2 B2 A3");
    assert!(matches!(game.status(), Status::Won { .. }));
    game.undo().unwrap();
    assert_eq!(game.status(), Status::InProgress { turn: seat(0) });
    assert!(game.position().is_legal(cell("A3")));
}

#[test]
fn winning_move_is_on_the_board() {
    let game = played("3x3", "A1 B1 A2 B2 A3");
    assert_eq!(game.position().mark_at(cell("A3")), Some(Mark::FIRST));
    assert_eq!(game.history().last(), Some(Action::Move { seat: seat(0), mv: cell("A3").into() }));
}

/// The bug: after a rematch, players were listed in one order and moved in another.
#[test]
fn players_move_in_listed_order() {
    let player = |name: &str, symbol: &str| Player::new(name, symbol.parse().unwrap()).unwrap();
    for names in [["Ann", "Bob"], ["Bob", "Ann"]] {
        let players = [player(names[0], "a"), player(names[1], "b")];
        let mut game = Game::new(&Rules::classic(), players).unwrap();
        for (i, text) in ["A1", "A2", "A3", "B1"].iter().enumerate() {
            let turn = game.turn().unwrap();
            assert_eq!(game.player(turn).unwrap().name(), names[i % 2]);
            game.play(turn, cell(text)).unwrap();
        }
    }
}

#[test]
fn resigned_seat_of_three_is_skipped() {
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
fn short_diagonals_win() {
    let down = played("5x5:3", "A2 A1 B3 B1 C4");
    check_won(&down, 0, &["A2", "B3", "C4"]);
    let up = played("5x5:3", "E3 A1 D4 B1 C5");
    check_won(&up, 0, &["C5", "D4", "E3"]);
}

#[test]
fn win_on_full_board_counts() {
    let game = played("3x3", "A1 A2 A3 B1 B2 B3 C2 C1 C3");
    check_won(&game, 0, &["A1", "B2", "C3"]);
}

#[test]
fn status_shows_all_completed_lines() {
    let game = played("3x3", "A1 A2 A3 B1 C3 B3 C1 C2 B2");
    check_won(&game, 0, &["A1", "A3", "B2", "C1", "C3"]);
}

#[test]
fn rows_and_columns_stay_apart() {
    let rules: Rules = "2x5:2".parse().unwrap();
    let mut position = Position::new(&rules);
    position.play(cell("B5")).unwrap();
    assert_eq!(position.mark_at(Cell::new(1, 4).unwrap()), Some(Mark::FIRST));
    assert!(matches!(position.play(cell("E2")), Err(Refusal::OffBoard { rows: 2, cols: 5, .. })));
    assert_eq!(position.to_string(), "2x5 5/4x o");
}

#[test]
fn equivalent_symbols_are_refused_together() {
    let player = |symbol: &str| Player::new("A", symbol.parse().unwrap()).unwrap();
    assert!(Game::new(&Rules::classic(), [player("é"), player("e\u{301}")]).is_err());
    assert!(Game::new(&Rules::classic(), [player("❤"), player("❤\u{fe0f}")]).is_err());
}

#[test]
fn overline_wins_unless_exact() {
    let game = played("2x7:3", "A1 B1 A2 B3 A4 B4 A5 B6 A3");
    check_won(&game, 0, &["A1", "A2", "A3", "A4", "A5"]);
    let game = played("2x7:4+exact", "A1 B1 A2 B2 A4 B4 A5 B5 A3");
    assert_eq!(game.status(), Status::InProgress { turn: seat(1) });
}

#[test]
fn wrapped_line_crosses_the_edge() {
    let game = played("4x4:3+wrap", "A4 B1 A1 B2 A2");
    check_won(&game, 0, &["A1", "A2", "A4"]);
}

#[test]
fn floating_stone_is_refused() {
    let mut game = played("connect4", "F1 F2");
    assert_eq!(
        game.play(seat(0), cell("D1")).unwrap_err().to_string(),
        "D1 has nothing below it: the lowest empty box in that column is E1"
    );
    game.play(seat(0), cell("E1")).unwrap();
}

/// The numbers of two stones once cancelled those of the two seats.
#[test]
fn keys_of_stones_and_seats_differ() {
    fn collect(position: &mut Position, plies: usize, texts: &mut HashMap<u64, String>) {
        let text = texts.entry(position.key()).or_insert_with(|| position.to_string());
        assert_eq!(*text, position.to_string());
        let moves: Vec<Move> = position.legal_moves().collect();
        for mv in moves.into_iter().filter(|_| plies > 0) {
            if position.play(mv) == Ok(None) {
                collect(position, plies - 1, texts);
            }
            position.undo().unwrap();
        }
    }
    for rules in ["3x3+2s", "3x3+3p", "3x3+wild", "3x3+notakto", "3x3+fade3"] {
        let mut position = Position::new(&rules.parse::<Rules>().unwrap());
        collect(&mut position, 5, &mut HashMap::new());
    }
}
