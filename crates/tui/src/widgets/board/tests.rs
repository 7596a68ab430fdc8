use noughts_engine::{Value, Verdict};
use noughts_rules::{Player, Rules};

use super::*;
use crate::screenshot::text;

pub(super) const FINE: Theme = Theme::new(false, true);
pub(super) const ASCII: Theme = Theme::new(true, false);

pub(super) fn game(rules: &str, symbols: &str, moves: &str) -> Game {
    let rules: Rules = rules.parse().unwrap();
    let player = |symbol: &str| Player::new("A", symbol.parse().unwrap()).unwrap();
    let mut game = Game::new(&rules, symbols.split(' ').map(player).collect::<Vec<_>>()).unwrap();
    for text in moves.split_whitespace() {
        let mv: noughts_rules::Move = text.parse().unwrap();
        game.play(game.turn().unwrap(), mv).unwrap();
    }
    game
}

/// Draws a board in a window of this size.
pub(super) fn drawn(
    game: &Game,
    theme: Theme,
    cursor: &str,
    notes: &[(&str, Note)],
    size: (u16, u16),
) -> Buffer {
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buffer = Buffer::empty(area);
    let last = crate::position_notes::last_cells(game);
    let notes: Vec<(Cell, Note)> =
        notes.iter().map(|(cell, note)| (cell.parse().unwrap(), note.clone())).collect();
    let board = Board { game, theme, cursor: cursor.parse().ok(), last: &last, notes: &notes };
    board.render(area, &mut buffer, &mut BoardState::default());
    buffer
}

#[track_caller]
pub(super) fn check(buffer: &Buffer, expected: &str) {
    let expected: String =
        expected.trim_matches('\n').lines().map(|l| format!("{}\n", l.trim_end())).collect();
    assert_eq!(text(buffer).trim_matches('\n'), expected.trim_matches('\n'), "\n{}", text(buffer));
}

#[test]
fn large_cells_have_large_shapes() {
    let game = game("2x2:2", "X O", "A1 B1");
    check(
        &drawn(&game, FINE, "A2", &[], (23, 10)),
        "
       1         2
  ┌─────────┏━━━━━━━━━┓
  │  ▀▄ ▄▀  ┃         ┃
A │    █    ┃         ┃
  │  ▄▀ ▀▄  ┃         ┃
  ├─────────┗━━━━━━━━━┛
  │┌ ▄▀▀▀▄ ┐│         │
B │  █   █  │         │
  │└ ▀▄▄▄▀ ┘│         │
  └─────────┴─────────┘",
    );
}

#[test]
fn winning_cells_are_framed_together() {
    let game = game("1x3:2", "X O", "A1 A3 A2");
    check(
        &drawn(&game, FINE, "", &[], (22, 4)),
        "
     1     2     3
  ╔═════╦═════╗─────┐
A ║  X  ║( X )║  O  │
  ╚═════╩═════╝─────┘",
    );
}

#[test]
fn wide_symbols_are_centred() {
    let game = game("2x2:2", "🇳🇴 👩‍🚀", "A1 B1");
    check(
        &drawn(&game, FINE, "", &[], (18, 6)),
        "
      1      2
  ┌──────┬──────┐
A │  🇳🇴  │      │
  ├──────┼──────┤
B │( 👩‍🚀 )│      │
  └──────┴──────┘",
    );
}

#[test]
fn no_symbol_breaks_grid_lines() {
    for symbol in ["﷽", "🏳\u{fe0f}\u{200d}🌈", "क्ष", "❤\u{fe0f}", "e\u{301}", "ｗ", "👨‍👩‍👧‍👦", "☆"]
    {
        let game = game("3x3", &format!("{symbol} Z"), "A1 B2 A2 C3 A3");
        for (width, height) in [(52, 22), (40, 14), (30, 10), (20, 8), (16, 5), (9, 3)] {
            let buffer = drawn(&game, FINE, "B1", &[], (width, height));
            let mut state = BoardState::default();
            let board = Board { game: &game, theme: FINE, cursor: None, last: &[], notes: &[] };
            board.render(buffer.area, &mut Buffer::empty(buffer.area), &mut state);
            let Some(geometry) = state.geometry.filter(|geometry| geometry.lined) else { continue };
            let area = geometry.block_area(0).unwrap();
            let sides = [area.x, area.right() - 1];
            for y in area.y + 1..area.bottom() - 1 {
                let lines = sides.map(|x| buffer[(x, y)].symbol());
                assert!(
                    lines.iter().all(|line| "│├┤║╠╣╚╝┃┏┗╔╗┓┛".contains(line)),
                    "{symbol}: {lines:?}"
                );
            }
        }
    }
}

#[test]
fn small_cells_are_line_crossings() {
    let game = game("4x4", "X O", "B2 C3");
    check(
        &drawn(&game, FINE, "B3", &[], (14, 5)),
        "
   1  2  3  4
A  ┌──┬──┬──┐
B  ├──X─[┼]─┤
C  ├──┼─(O)─┤
D  └──┴──┴──┘",
    );
    check(
        &drawn(&game, ASCII, "B2", &[], (14, 5)),
        "
   1  2  3  4
A  +--+--+--+
B  +-[X]-+--+
C  +--+-(O)-+
D  +--+--+--+",
    );
}

#[test]
fn small_winning_move_is_distinct() {
    let game = game("3x3", "X O", "A1 B1 A2 B2 A3");
    check(
        &drawn(&game, ASCII, "", &[], (11, 4)),
        "
   1  2  3
A *X**X*>X<
B  O--O--+
C  +--+--+",
    );
}

#[test]
fn partial_board_shows_arrows() {
    let game = game("26x26:5", "X O", "");
    check(
        &drawn(&game, FINE, "", &[], (9, 4)),
        "
   1  2▶
A  ┌──┬─
B  ├──┼─
▼",
    );
}

#[test]
fn values_have_letters_and_stars() {
    let note = |verdict, best| Note { verdict: Some(verdict), moves: None, best, mark: None };
    let notes = [
        ("A1", note(Verdict::Proven(Value::Win { plies: 5 }), true)),
        ("A2", note(Verdict::Proven(Value::Draw), false)),
        ("A3", note(Verdict::Proven(Value::Loss { plies: 24 }), false)),
        ("B1", note(Verdict::Estimate(-1234), false)),
        ("B2", note(Verdict::Estimate(900_000), false)),
        ("B3", Note { verdict: None, moves: None, best: true, mark: None }),
    ];
    let game = game("2x3:2", "X O", "");
    check(
        &drawn(&game, FINE, "", &notes, (40, 10)),
        "
          1         2         3
     ┌─────────┬─────────┬─────────┐
     │         │         │         │
   A │ ★ win 3 │  draw   │ loss 12 │
     │         │         │         │
     ├─────────┼─────────┼─────────┤
     │         │         │         │
   B │ ~-1234  │  ~win   │    ★    │
     │         │         │         │
     └─────────┴─────────┴─────────┘",
    );
    let small = drawn(&game, FINE, "", &notes, (11, 3));
    check(&small, "\n   1  2  3\nA ★W3 D L12\nB -9 ~W  ★");
}

#[test]
fn no_colours_without_support() {
    let game = game("3x3", "X O", "A1 B1 A2 B2 A3");
    let theme = Theme::new(false, false);
    let buffer = drawn(&game, theme, "A1", &[], (52, 22));
    for cell in &buffer.content {
        assert_eq!((cell.fg, cell.bg), Default::default());
    }
}
