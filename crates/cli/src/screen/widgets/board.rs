//! The board.

use noughts_rules::{Cell, Game, Status};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::line;
use ratatui::widgets::StatefulWidget;
use unicode_width::UnicodeWidthStr;

use super::grid::{Grid, Viewport};
use super::note::Note;
use super::shapes::shape;
use crate::screen::look::{Look, Tone};

/// A board with what is to be seen on it.
pub(crate) struct Board<'a> {
    pub(crate) game: &'a Game,
    pub(crate) look: Look,
    /// Where the keys are.
    pub(crate) cursor: Option<Cell>,
    /// What the move just made was.
    pub(crate) last: Option<Cell>,
    /// What stands in empty cells.
    pub(crate) notes: &'a [(Cell, Note)],
}

/// What a board remembers from one drawing to the next.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoardState {
    pub(crate) viewport: Viewport,
    /// Where the cells were drawn.
    pub(crate) grid: Option<Grid>,
}

impl BoardState {
    /// The cell that was drawn at a place of the screen.
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        self.grid?.cell_at(x, y)
    }
}

impl StatefulWidget for Board<'_> {
    type State = BoardState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut BoardState) {
        let widest = self.game.players().iter().map(|player| player.symbol().width()).max();
        let widest = u16::try_from(widest.unwrap_or(1)).unwrap_or(u16::MAX).min(40);
        let area = area.intersection(buffer.area);
        state.grid = Grid::fit(self.game.rules(), widest, area, &mut state.viewport);
        let Some(grid) = state.grid else {
            buffer.set_stringn(area.x, area.y, "No room", usize::from(area.width), Style::new());
            return;
        };
        let winning = self.winning();
        self.labels(&grid, buffer);
        if grid.lined {
            self.lines(&grid, &winning, buffer);
        }
        for cell in grid.cells() {
            self.cell(&grid, cell, winning.contains(&cell), buffer);
        }
        if let (true, Some(cursor)) = (grid.lined, self.cursor) {
            let style = self.look.tone(Tone::Focus);
            frame(buffer, grid.rect(cursor), self.look.heavy(), style);
        }
    }
}

impl Board<'_> {
    fn winning(&self) -> Vec<Cell> {
        match self.game.status() {
            Status::Won { cells, .. } => cells,
            _ => Vec::new(),
        }
    }

    /// Row letters, column numbers, and signs that there is more of the board.
    fn labels(&self, grid: &Grid, buffer: &mut Buffer) {
        let faint = self.look.tone(Tone::Faint);
        let left = grid.area.x - 2;
        let head = grid.area.y - 1;
        for cell in grid.cells() {
            let Some(rect) = grid.rect(cell) else { continue };
            let focus = |same: bool| if same { self.look.tone(Tone::Focus) } else { faint };
            if cell.col() == grid.first_col {
                let letter = char::from(b'A' + cell.row()).to_string();
                let style = focus(self.cursor.is_some_and(|cursor| cursor.row() == cell.row()));
                buffer.set_string(left, rect.y + (rect.height - 1) / 2, letter, style);
            }
            if cell.row() == grid.first_row {
                let number = (cell.col() + 1).to_string();
                let style = focus(self.cursor.is_some_and(|cursor| cursor.col() == cell.col()));
                let x = rect.x + (rect.width.saturating_sub(number.len() as u16 - 1)) / 2;
                buffer.set_stringn(x, head, number, usize::from(rect.width), style);
            }
        }
        let more = [
            (grid.first_row > 0, left, head, ("▲", "^")),
            (grid.first_row + grid.rows < grid.all_rows, left, grid.area.bottom(), ("▼", "v")),
            (grid.first_col > 0, left + 1, head, ("◀", "<")),
            (
                grid.first_col + grid.cols < grid.all_cols,
                grid.area.right().saturating_sub(1),
                head,
                ("▶", ">"),
            ),
        ];
        for (_, x, y, (fine, ascii)) in more.into_iter().filter(|(is_more, ..)| *is_more) {
            if let Some(at) = buffer.cell_mut((x, y)) {
                at.set_symbol(self.look.pick(fine, ascii)).set_style(self.look.tone(Tone::Key));
            }
        }
    }

    /// The lines between cells, and around those that have won.
    fn lines(&self, grid: &Grid, winning: &[Cell], buffer: &mut Buffer) {
        let style = self.look.tone(Tone::Faint);
        let set = self.look.light();
        let Rect { x, y, width, height } = grid.area;
        let (across, down) = (grid.width + 1, grid.height + 1);
        for row in 0..height {
            for col in 0..width {
                let (on_row, on_col) = (row % down == 0, col % across == 0);
                let (top, bottom) = (row == 0, row + 1 == height);
                let (left, right) = (col == 0, col + 1 == width);
                let symbol = match (on_row, on_col) {
                    (false, false) => continue,
                    (true, false) => set.horizontal,
                    (false, true) => set.vertical,
                    (true, true) => match (top, bottom, left, right) {
                        (true, _, true, _) => set.top_left,
                        (true, _, _, true) => set.top_right,
                        (_, true, true, _) => set.bottom_left,
                        (_, true, _, true) => set.bottom_right,
                        (true, ..) => set.horizontal_down,
                        (_, true, ..) => set.horizontal_up,
                        (_, _, true, _) => set.vertical_right,
                        (_, _, _, true) => set.vertical_left,
                        _ => set.cross,
                    },
                };
                buffer[(x + col, y + row)].set_symbol(symbol).set_style(style);
            }
        }
        let style = self.look.tone(Tone::Good);
        for &cell in winning {
            frame(buffer, grid.rect(cell), self.look.double(), style);
        }
        for rect in winning.iter().filter_map(|&cell| grid.rect(cell)) {
            join(buffer, rect, self.look.double());
        }
    }

    fn cell(&self, grid: &Grid, cell: Cell, won: bool, buffer: &mut Buffer) {
        let Some(rect) = grid.rect(cell) else { return };
        if !grid.lined {
            self.crossing(cell, rect, buffer);
        }
        match self.game.position().seat_at(cell) {
            Some(seat) => {
                let symbol = self.game.players()[seat.index()].symbol();
                let mut style = self.look.seat(seat);
                if won {
                    style = style.add_modifier(Modifier::REVERSED);
                }
                match shape(symbol, rect.width, rect.height, self.look.ascii) {
                    // A shape is seen as one by what it leaves out.
                    Some(shape) => {
                        let style = style.remove_modifier(Modifier::REVERSED);
                        let top = rect.y + (rect.height - shape.len() as u16) / 2;
                        for (y, line) in (top..).zip(shape) {
                            centred(buffer, Rect { y, height: 1, ..rect }, line, style);
                        }
                    }
                    None => centred(buffer, middle(rect), symbol.as_str(), style),
                }
            }
            None => {
                if let Some((_, note)) = self.notes.iter().find(|(at, _)| *at == cell) {
                    self.note(note, rect, buffer);
                }
            }
        }
        self.marks(grid, cell, rect, won, buffer);
    }

    /// What tells the last move, a winning cell and the cursor by shape.
    fn marks(&self, grid: &Grid, cell: Cell, rect: Rect, won: bool, buffer: &mut Buffer) {
        let is_last = self.last == Some(cell);
        let sides = |buffer: &mut Buffer, left: &str, right: &str, style: Style| {
            let y = middle(rect).y;
            buffer[(rect.x, y)].set_symbol(left).set_style(style);
            buffer[(rect.right() - 1, y)].set_symbol(right).set_style(style);
        };
        if !grid.lined && won && is_last {
            sides(buffer, ">", "<", self.look.tone(Tone::Good));
        } else if !grid.lined && won {
            sides(buffer, "*", "*", self.look.tone(Tone::Good));
        } else if is_last && rect.height == 1 {
            sides(buffer, "(", ")", self.look.tone(Tone::Title));
        } else if is_last {
            let style = self.look.tone(Tone::Title);
            let [a, b, c, d] = self.look.corners();
            let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
            for (x, y, corner) in
                [(rect.x, rect.y, a), (right, rect.y, b), (rect.x, bottom, c), (right, bottom, d)]
            {
                buffer[(x, y)].set_symbol(corner).set_style(style);
            }
        }
        if !grid.lined && self.cursor == Some(cell) {
            sides(buffer, "[", "]", self.look.tone(Tone::Focus));
        }
    }

    /// An empty cell as a crossing of lines, as on the boards that gomoku is played on.
    fn crossing(&self, cell: Cell, rect: Rect, buffer: &mut Buffer) {
        let set = self.look.light();
        let (rows, cols) = (self.game.rules().rows(), self.game.rules().cols());
        let (top, bottom) = (cell.row() == 0, cell.row() + 1 == rows);
        let (left, right) = (cell.col() == 0, cell.col() + 1 == cols);
        let joint = match (top, bottom, left, right) {
            (true, true, ..) => set.horizontal,
            (_, _, true, true) => set.vertical,
            (true, _, true, _) => set.top_left,
            (true, _, _, true) => set.top_right,
            (_, true, true, _) => set.bottom_left,
            (_, true, _, true) => set.bottom_right,
            (true, ..) => set.horizontal_down,
            (_, true, ..) => set.horizontal_up,
            (_, _, true, _) => set.vertical_right,
            (_, _, _, true) => set.vertical_left,
            _ => set.cross,
        };
        let style = self.look.tone(Tone::Faint);
        let joint_x = rect.x + (rect.width - 1) / 2;
        for x in rect.x..rect.right() {
            let symbol = match x.cmp(&joint_x) {
                std::cmp::Ordering::Equal => joint,
                std::cmp::Ordering::Less if left => " ",
                std::cmp::Ordering::Greater if right => " ",
                _ => set.horizontal,
            };
            buffer[(x, rect.y)].set_symbol(symbol).set_style(style);
        }
    }

    fn note(&self, note: &Note, rect: Rect, buffer: &mut Buffer) {
        let Some(text) = note.text(rect.width, self.look) else { return };
        for x in rect.x..rect.right() {
            buffer[(x, middle(rect).y)].set_symbol(" ");
        }
        centred(buffer, middle(rect), &text, note.style(self.look));
    }
}

/// The middle row of a cell.
fn middle(rect: Rect) -> Rect {
    Rect { y: rect.y + (rect.height - 1) / 2, height: 1, ..rect }
}

/// A text in the middle of a row, by its true width. Of one that is too wide only a part is shown.
fn centred(buffer: &mut Buffer, row: Rect, text: &str, style: Style) {
    let width = u16::try_from(text.width()).unwrap_or(u16::MAX);
    let x = row.x + row.width.saturating_sub(width) / 2;
    buffer.set_stringn(x, row.y, text, usize::from(row.width), style);
}

/// Joins the corners of the lines around a cell to those of its neighbours.
fn join(buffer: &mut Buffer, inside: Rect, set: line::Set) {
    for x in [inside.x - 1, inside.right()] {
        for y in [inside.y - 1, inside.bottom()] {
            let goes = |x: Option<u16>, y: Option<u16>, along: &str| {
                let at = x.zip(y).and_then(|at| buffer.cell(at));
                at.is_some_and(|at| at.symbol() == along)
            };
            let up = goes(Some(x), y.checked_sub(1), set.vertical);
            let down = goes(Some(x), y.checked_add(1), set.vertical);
            let left = goes(x.checked_sub(1), Some(y), set.horizontal);
            let right = goes(x.checked_add(1), Some(y), set.horizontal);
            let symbol = match (up, down, left, right) {
                (true, true, true, true) => set.cross,
                (true, true, true, false) => set.vertical_left,
                (true, true, false, true) => set.vertical_right,
                (true, false, true, true) => set.horizontal_up,
                (false, true, true, true) => set.horizontal_down,
                _ => continue,
            };
            buffer[(x, y)].set_symbol(symbol);
        }
    }
}

/// Lines around a cell.
fn frame(buffer: &mut Buffer, inside: Option<Rect>, set: line::Set, style: Style) {
    let Some(inside) = inside else { return };
    let (left, right) = (inside.x - 1, inside.right());
    let (top, bottom) = (inside.y - 1, inside.bottom());
    let mut put = |x, y, symbol: &str| {
        // Without the lines' faintness.
        buffer[(x, y)].set_symbol(symbol).set_style(Style::reset().patch(style));
    };
    for x in left + 1..right {
        put(x, top, set.horizontal);
        put(x, bottom, set.horizontal);
    }
    for y in top + 1..bottom {
        put(left, y, set.vertical);
        put(right, y, set.vertical);
    }
    put(left, top, set.top_left);
    put(right, top, set.top_right);
    put(left, bottom, set.bottom_left);
    put(right, bottom, set.bottom_right);
}

#[cfg(test)]
mod tests {
    use noughts_engine::{Value, Verdict};
    use noughts_rules::{Player, Rules};

    use super::*;
    use crate::screen::picture::text;

    const FINE: Look = Look { ascii: false, colour: true };
    const ASCII: Look = Look { ascii: true, colour: false };

    fn game(rules: &str, symbols: &str, moves: &str) -> Game {
        let rules: Rules = rules.parse().unwrap();
        let player = |symbol: &str| Player::new("A", symbol.parse().unwrap()).unwrap();
        let mut game =
            Game::new(&rules, symbols.split(' ').map(player).collect::<Vec<_>>()).unwrap();
        for cell in moves.split_whitespace() {
            game.play(game.turn().unwrap(), cell.parse().unwrap()).unwrap();
        }
        game
    }

    /// What is drawn of a board in a window.
    fn drawn(
        game: &Game,
        look: Look,
        cursor: &str,
        notes: &[(&str, Note)],
        size: (u16, u16),
    ) -> Buffer {
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buffer = Buffer::empty(area);
        let last = game.history().next_back().and_then(|action| match action {
            noughts_rules::Action::Move { cell, .. } => Some(cell),
            noughts_rules::Action::Resign { .. } => None,
        });
        let notes: Vec<(Cell, Note)> =
            notes.iter().map(|(cell, note)| (cell.parse().unwrap(), note.clone())).collect();
        let board = Board { game, look, cursor: cursor.parse().ok(), last, notes: &notes };
        board.render(area, &mut buffer, &mut BoardState::default());
        buffer
    }

    #[track_caller]
    fn check(buffer: &Buffer, expected: &str) {
        let expected: String =
            expected.trim_matches('\n').lines().map(|l| format!("{}\n", l.trim_end())).collect();
        assert_eq!(
            text(buffer).trim_matches('\n'),
            expected.trim_matches('\n'),
            "\n{}",
            text(buffer)
        );
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
    fn wide_symbols_are_in_the_middle_by_their_true_width() {
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
    fn no_symbol_breaks_the_lines() {
        for symbol in ["﷽", "🏳\u{fe0f}\u{200d}🌈", "क्ष", "❤\u{fe0f}", "e\u{301}", "ｗ", "👨‍👩‍👧‍👦", "☆"]
        {
            let game = game("3x3", &format!("{symbol} Z"), "A1 B2 A2 C3 A3");
            for (width, height) in [(52, 22), (40, 14), (30, 10), (20, 8), (16, 5), (9, 3)] {
                let buffer = drawn(&game, FINE, "B1", &[], (width, height));
                let mut state = BoardState::default();
                let board = Board { game: &game, look: FINE, cursor: None, last: None, notes: &[] };
                board.render(buffer.area, &mut Buffer::empty(buffer.area), &mut state);
                let Some(grid) = state.grid.filter(|grid| grid.lined) else { continue };
                let sides = [grid.area.x, grid.area.right() - 1];
                for y in grid.area.y + 1..grid.area.bottom() - 1 {
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
    fn small_cells_are_crossings_of_lines() {
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
    fn the_last_move_of_a_line_is_told_apart_where_cells_are_small() {
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
    fn a_part_of_a_board_says_that_there_is_more() {
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
    fn worth_is_lettered_and_the_best_has_a_star() {
        let note = |verdict, best| Note { verdict: Some(verdict), best };
        let notes = [
            ("A1", note(Verdict::Proven(Value::Win { plies: 3 }), true)),
            ("A2", note(Verdict::Proven(Value::Draw), false)),
            ("A3", note(Verdict::Proven(Value::Loss { plies: 12 }), false)),
            ("B1", note(Verdict::Estimate(-1234), false)),
            ("B2", note(Verdict::Estimate(900_000), false)),
            ("B3", Note { verdict: None, best: true }),
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
    fn without_colours_no_cell_has_one() {
        let game = game("3x3", "X O", "A1 B1 A2 B2 A3");
        let look = Look { ascii: false, colour: false };
        let buffer = drawn(&game, look, "A1", &[], (52, 22));
        for cell in &buffer.content {
            assert_eq!((cell.fg, cell.bg), Default::default());
        }
    }
}
