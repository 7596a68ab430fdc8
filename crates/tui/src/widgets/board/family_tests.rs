//! Levels, boards side by side, and boards in boards.

use ratatui::style::Modifier;

use super::tests::{ASCII, FINE, check, drawn, game};

#[test]
fn line_across_levels_is_marked() {
    let won = game("3x3x3", "X O", "A1 B1 2B2 B2 3C3");
    check(
        &drawn(&won, FINE, "", &[], (52, 10)),
        "
      Level 1         Level 2         Level 3
      1   2   3       1   2   3       1   2   3
    ╔═══╗───┬───┐   ┌───┬───┬───┐   ┌───┬───┬───┐
  A ║ X ║   │   │ A │   │   │   │ A │   │   │   │
    ╚═══╝───┼───┤   ├───╔═══╗───┤   ├───┼───┼───┤
  B │ O │ O │   │ B │   ║ X ║   │ B │   │   │   │
    ├───┼───┼───┤   ├───╚═══╝───┤   ├───┼───╔═══╗
  C │   │   │   │ C │   │   │   │ C │   │   ║(X)║
    └───┴───┴───┘   └───┴───┴───┘   └───┴───╚═══╝",
    );
    check(
        &drawn(&won, ASCII, "", &[], (38, 4)),
        "
 1  1  2  3  2  1  2  3  3  1  2  3
 A *X*-+--+  A  +--+--+  A  +--+--+
 B  O--O--+  B  +-*X*-+  B  +--+--+
 C  +--+--+  C  +--+--+  C  +--+->X<",
    );
}

#[test]
fn ultimate_shows_forced_and_won_boards() {
    let game = game("ultimate", "X O", "A1 A2 A4 A3 A7 B1 D1 B2 D4 B3");
    check(
        &drawn(&game, FINE, "F5", &[], (52, 22)),
        "
          1   2   3   4   5   6   7   8   9
        ┏━━━┯━━━┯━━━┳━━━┯━━━┯━━━┳━━━┯━━━┯━━━┓
      A ┃┌         ┐┃ X │   │   ┃ X │   │   ┃
        ┠  ▄█▀▀▀█▄  ╂───┼───┼───╂───┼───┼───┨
      B ┃  ██   ██  ┃   │   │   ┃   │   │   ┃
        ┠  ▀█▄▄▄█▀  ╂───┼───┼───╂───┼───┼───┨
      C ┃└         ┘┃   │   │   ┃   │   │   ┃
        ┣━━━┿━━━┿━━━╋━━━┿━━━┿━━━╔═══════════╗
      D ┃ X │   │   ┃ X │   │   ║   │   │   ║
        ┠───┼───┼───╂───┼───┼───║───┼───┼───║
      E ┃   │   │   ┃   │   │   ║   │   │   ║
        ┠───┼───┼───╂───┏━━━┓───║───┼───┼───║
      F ┃   │   │   ┃   ┃[ ]┃   ║   │   │   ║
        ┣━━━┿━━━┿━━━╋━━━┗━━━┛━━━╚═══════════╝
      G ┃   │   │   ┃   │   │   ┃   │   │   ┃
        ┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
      H ┃   │   │   ┃   │   │   ┃   │   │   ┃
        ┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
      I ┃   │   │   ┃   │   │   ┃   │   │   ┃
        ┗━━━┷━━━┷━━━┻━━━┷━━━┷━━━┻━━━┷━━━┷━━━┛",
    );
    check(
        &drawn(&game, FINE, "F5", &[], (29, 11)),
        "
   1  2  3  4  5  6  7  8  9
A ┌ ▄▀▀▀▄ ┐ X──┬──┐  X──┬──┐
B   █   █   ├──┼──┤  ├──┼──┤
C └ ▀▄▄▄▀ ┘ └──┴──┘  └──┴──┘
D  X──┬──┐  X──┬──┐  ┏━━┳━━┓
E  ├──┼──┤  ├──┼──┤  ┣━━╋━━┫
F  └──┴──┘  └─[┴]─┘  ┗━━┻━━┛
G  ┌──┬──┐  ┌──┬──┐  ┌──┬──┐
H  ├──┼──┤  ├──┼──┤  ├──┼──┤
I  └──┴──┘  └──┴──┘  └──┴──┘",
    );
    let ascii = crate::screenshot::text(&drawn(&game, ASCII, "F5", &[], (29, 11)));
    assert!(ascii.contains("D  X--+--+  X--+--+  #######"), "{ascii}");
}

#[test]
fn decided_ultimate_marks_its_boards() {
    let mut game = game("ultimate", "X O", "");
    while let Some(turn) = game.turn() {
        let first = game.position().legal_moves().next().unwrap();
        game.play(turn, first).unwrap();
    }
    check(
        &drawn(&game, FINE, "", &[], (29, 11)),
        "
   1  2  3  4  5  6  7  8  9
A   ▄▀▀▀▄    ▀▄ ▄▀    ▄▀▀▀▄
B   █   █      █      █   █
C   ▀▄▄▄▀    ▄▀ ▀▄    ▀▄▄▄▀
D * ▀▄ ▄▀ ** ▀▄ ▄▀ ** ▀▄ ▄▀ *
E     █        █        █
F * ▄▀ ▀▄ ** ▄▀ ▀▄ ** ▄▀ ▀▄ *
G  O──X──O  O──┬──┐  ┌──┬──┐
H  ├──┼──┤  ├──┼──┤  ├──┼──┤
I  └──┴──┘  └──┴──┘  └──┴──┘",
    );
    let lined = crate::screenshot::text(&drawn(&game, FINE, "", &[], (52, 22)));
    assert_eq!(lined.matches("═══════════").count(), 6, "{lined}");
}

#[test]
fn emoji_winners_fill_their_board() {
    let game = game("ultimate", "X 🛑", "A1 A2 A4 A3 A7 B1 D1 B2 D4 B3");
    let shown = crate::screenshot::text(&drawn(&game, FINE, "", &[], (60, 22)));
    assert_eq!(shown.matches("🛑🛑🛑").count(), 3, "{shown}");
}

#[test]
fn closed_boards_are_dim() {
    let game = game("notakto", "X O", "2A1 2B2 2C3");
    let buffer = drawn(&game, FINE, "", &[], (52, 12));
    check(
        &buffer,
        "
      Board 1     Board 2, closed     Board 3
      1   2   3       1   2   3       1   2   3
    ┌───┬───┬───┐   ╔═══╗───┬───┐   ┌───┬───┬───┐
  A │   │   │   │ A ║ X ║   │   │ A │   │   │   │
    ├───┼───┼───┤   ╚═══╬═══╗───┤   ├───┼───┼───┤
  B │   │   │   │ B │   ║ X ║   │ B │   │   │   │
    ├───┼───┼───┤   ├───╚═══╬═══╗   ├───┼───┼───┤
  C │   │   │   │ C │   │   ║(X)║ C │   │   │   │
    └───┴───┴───┘   └───┴───╚═══╝   └───┴───┴───┘",
    );
    let dim_marks = buffer.content.iter().filter(|cell| cell.symbol() == "X");
    assert!(dim_marks.clone().count() == 3);
    assert!(dim_marks.into_iter().all(|cell| cell.modifier.contains(Modifier::DIM)));
}

#[test]
fn next_mark_to_fade_is_shown() {
    let game = game("fade", "X O", "A1 B2 A2 C3 C1 B1");
    let buffer = drawn(&game, ASCII, "", &[], (11, 4));
    check(
        &buffer,
        "
   1  2  3
A :X:-X--+
B (O)-O--+
C  X--+--O",
    );
    let modifier = |x, y| buffer[(x, y)].modifier;
    assert!(modifier(3, 1).contains(Modifier::DIM) && !modifier(6, 1).contains(Modifier::DIM));
}

#[test]
fn chosen_marks_have_their_symbols() {
    let game = game("wild", "X O", "A1=o B2=x C3=o");
    check(
        &drawn(&game, ASCII, "", &[], (11, 4)),
        "\n   1  2  3\nA  O--+--+\nB  +--X--+\nC  +--+-(O)",
    );
}

#[test]
fn swapped_marks_keep_their_symbols() {
    let game = game("3x3+swap", "X O", "B2 swap A1");
    check(
        &drawn(&game, ASCII, "", &[], (11, 4)),
        "\n   1  2  3\nA (O)-+--+\nB  +--X--+\nC  +--+--+",
    );
}

#[test]
fn both_stones_of_a_turn_are_marked() {
    let game = game("5x5:5+2s", "X O", "C3 A1 A3");
    check(
        &drawn(&game, ASCII, "", &[], (17, 6)),
        "
   1  2  3  4  5
A (O)-+-(O)-+--+
B  +--+--+--+--+
C  +--+--X--+--+
D  +--+--+--+--+
E  +--+--+--+--+",
    );
}

#[test]
fn forbidden_boxes_are_marked() {
    let moves = "D3 I1 D4 I3 B5 I5 C5 I7";
    let shown = |moves: &str| {
        let game = game("9x9:5+renju", "X O", moves);
        crate::screenshot::text(&drawn(&game, ASCII, "", &[], (29, 10)))
    };
    // A double three for X, who is to move.
    assert!(shown(moves).contains("D  +--+--X--X--!--+--+--+--+"), "{}", shown(moves));
    assert!(!shown(&format!("{moves} H9")).contains('!'));
}
