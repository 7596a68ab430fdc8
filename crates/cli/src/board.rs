//! A board as lines of text.

use noughts_rules::{Cell, EMPTY_MARK, Game, Refusal, Rules, Seat, Shape, Zone};

/// The minimum column width: most symbols fit, so boards look alike.
const MIN_WIDTH: usize = 2;

/// An empty box that can't be taken now: its board is closed, the move must go to another board, or
/// renju forbids it.
const BLOCKED_MARK: &str = ".";

/// Levels, and boards side by side, fill lines up to this width.
const MAX_LINE_WIDTH: usize = 80;

/// The space between levels or boards side by side.
const GAP: &str = "   ";

/// The rows of a board, aligned whatever the symbols' widths, and below them what the marks do not
/// show. Boards larger than 3x3 have row letters and column numbers.
pub(crate) fn rows(game: &Game) -> Vec<String> {
    let drawing = Drawing::new(game);
    let blocks: Vec<Block> = (0..game.rules().levels()).map(|level| drawing.block(level)).collect();
    let width = blocks.iter().map(|block| block.width).max().unwrap_or(0);
    let side_by_side = ((MAX_LINE_WIDTH + GAP.len()) / (width + GAP.len())).max(1);
    let mut rows = Vec::new();
    for blocks in blocks.chunks(side_by_side) {
        if !rows.is_empty() {
            rows.push(String::new());
        }
        rows.extend((0..blocks[0].lines.len()).map(|number| {
            let lines: Vec<&str> = blocks.iter().map(|block| &*block.lines[number]).collect();
            lines.join(GAP).trim_end().to_string()
        }));
    }
    rows.extend(notes(game));
    rows
}

/// A level, or one of several boards: lines of the same width.
struct Block {
    lines: Vec<String>,
    width: usize,
}

struct Drawing<'a> {
    game: &'a Game,
    /// The width of a cell.
    width: usize,
    has_labels: bool,
    /// Rows and columns of a small board: a line is drawn behind them.
    group: (u8, u8),
}

impl Drawing<'_> {
    fn new(game: &Game) -> Drawing<'_> {
        let rules = game.rules();
        let widest = rules.marks().map(|mark| game.mark_symbol(mark).width()).max();
        let group = match rules.shape() {
            Shape::Nested { rows, cols } => (rows, cols),
            _ => (rules.rows(), rules.cols()),
        };
        Drawing {
            game,
            width: widest.unwrap_or(0).max(MIN_WIDTH),
            has_labels: rules.rows() > 3 || rules.cols() > 3 || rules.levels() > 1,
            group,
        }
    }

    fn block(&self, level: u8) -> Block {
        let rules = self.game.rules();
        let heading = heading(self.game, level);
        let mut lines = Vec::new();
        if self.has_labels {
            let width = self.width;
            let numbers = (1..=rules.cols()).map(|col| format!("{col:<width$}"));
            lines.push(self.line(Some(' '), numbers.collect(), " "));
        }
        for row in 0..rules.rows() {
            if row > 0 && row % self.group.0 == 0 {
                let dashes = vec!["-".repeat(self.width); rules.cols().into()];
                lines.push(self.line(Some(' '), dashes, "-"));
            }
            let cells = (0..rules.cols()).filter_map(|col| Cell::in_space(level, row, col));
            let label = self.has_labels.then(|| char::from(b'A' + row));
            lines.push(self.line(label, cells.map(|cell| self.cell(cell)).collect(), " "));
        }
        let groups = usize::from(rules.cols() / self.group.1);
        let cells = usize::from(rules.cols()) * (self.width + 1) - 1 + (groups - 1) * "| ".len();
        let label = if self.has_labels { "A ".len() } else { 0 };
        let grid_width = label + cells;
        let width = grid_width.max(heading.as_ref().map_or(0, String::len));
        lines.iter_mut().for_each(|line| line.push_str(&" ".repeat(width - grid_width)));
        if let Some(heading) = heading {
            lines.insert(0, format!("{heading:<width$}"));
        }
        Block { lines, width }
    }

    /// A line of cells, with the edges of small boards.
    fn line(&self, label: Option<char>, cells: Vec<String>, fill: &str) -> String {
        let edge = if fill == "-" { "-+-" } else { " | " };
        let groups = cells.chunks(self.group.1.into()).map(|cells| cells.join(fill));
        let label = label.map(|label| format!("{label} ")).unwrap_or_default();
        label + &groups.collect::<Vec<_>>().join(edge)
    }

    /// The content of a cell, padded to the column width.
    fn cell(&self, cell: Cell) -> String {
        let position = self.game.position();
        let symbol = position.mark_at(cell).map(|mark| self.game.mark_symbol(mark));
        let (text, taken) = match symbol {
            Some(symbol) => (symbol.as_str(), symbol.width()),
            None if is_blocked(self.game, cell) => (BLOCKED_MARK, 1),
            None => (EMPTY_MARK, 1),
        };
        format!("{text}{}", " ".repeat(self.width.saturating_sub(taken)))
    }
}

/// Whether these rules block empty boxes.
pub(crate) fn has_blocked_boxes(rules: &Rules) -> bool {
    rules.zones().len() > 0 || rules.parts().renju
}

fn is_blocked(game: &Game, cell: Cell) -> bool {
    let position = game.position();
    let is_closed = |zone: Zone| position.is_closed(zone);
    let is_elsewhere = |zone: Zone| position.board_to_play().is_some_and(|due| due != zone);
    match game.rules().zone(cell) {
        Some(zone) => is_closed(zone) || is_elsewhere(zone),
        None if game.rules().parts().renju => {
            matches!(position.check(cell), Err(Refusal::Forbidden { .. }))
        }
        None => false,
    }
}

/// The heading of a level, or of one of several boards.
fn heading(game: &Game, level: u8) -> Option<String> {
    let rules = game.rules();
    let number = level + 1;
    match rules.shape() {
        Shape::Boards { boards: 2.., .. } => {
            let zone = Cell::in_space(level, 0, 0).and_then(|cell| rules.zone(cell));
            let is_closed = zone.is_some_and(|zone| game.position().is_closed(zone));
            Some(format!("Board {number}{}", if is_closed { " (closed)" } else { "" }))
        }
        _ => (rules.levels() > 1).then(|| format!("Level {number}")),
    }
}

/// What the marks do not show: won and full boards, and exchanged marks.
fn notes(game: &Game) -> Vec<String> {
    let (rules, position) = (game.rules(), game.position());
    let mut notes = Vec::new();
    let mut list = |what: String, is_listed: &dyn Fn(Zone) -> bool| {
        let zones = rules.zones().filter(|&zone| is_listed(zone));
        let names: Vec<String> = zones.map(|zone| rules.zone_name(zone)).collect();
        if !names.is_empty() {
            notes.push(format!("{what}: {}", names.join(" ")));
        }
    };
    if matches!(rules.shape(), Shape::Nested { .. }) {
        for mark in rules.marks() {
            let is_won = |zone| position.zone_winner(zone) == Some(mark);
            list(format!("Boards won by {}", game.mark_symbol(mark)), &is_won);
        }
        let is_full = |zone| position.is_closed(zone) && position.zone_winner(zone).is_none();
        list("Full boards".into(), &is_full);
    }
    if position.is_swapped() {
        let plays = |seat: Seat| {
            Some(format!("{} plays {}", game.player(seat)?.name(), game.seat_symbol(seat)?))
        };
        let players: Vec<String> = rules.seats().filter_map(plays).collect();
        notes.push(format!("{}.", players.join(", ")));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_rules::{Player, Rules};

    fn check(rules: &str, symbols: &str, moves: &str, expected: &str) {
        let rules: Rules = rules.parse().unwrap();
        let player = |symbol: &str| Player::new("A", symbol.parse().unwrap()).unwrap();
        let players: Vec<Player> = symbols.split_whitespace().map(player).collect();
        let mut game = Game::new(&rules, players).unwrap();
        for text in moves.split_whitespace() {
            let mv = rules.parse_move(text).unwrap();
            game.play(game.turn().unwrap(), mv).unwrap();
        }
        assert_eq!(rows(&game).join("\n"), expected);
    }

    #[test]
    fn columns_align_for_any_symbols() {
        check("3x3", "X O", "A1 B2", "X  _  _\n_  O  _\n_  _  _");
        check("3x3", "❎ 🛑", "A1 B2 C3", "❎ _  _\n_  🛑 _\n_  _  ❎");
        check("3x3", "🇳🇴 é", "A1 B2 A2", "🇳🇴 🇳🇴 _\n_  é  _\n_  _  _");
        check("3x3", "👩‍🚀 e\u{301}", "A1 B2 A2", "👩‍🚀 👩‍🚀 _\n_  é  _\n_  _  _");
    }

    #[test]
    fn large_boards_have_labels() {
        check("2x4:2", "X O", "B3", "  1  2  3  4\nA _  _  _  _\nB _  _  X  _");
        let widest =
            "  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26";
        check("1x26:5", "X O", "", &format!("{widest}\nA{}", " _ ".repeat(26).trim_end()));
        assert!(widest.len() <= 80);
    }

    #[test]
    fn levels_stand_side_by_side() {
        check(
            "3x3x3",
            "X O",
            "2B3 C1",
            "\
Level 1      Level 2      Level 3
  1  2  3      1  2  3      1  2  3
A _  _  _    A _  _  _    A _  _  _
B _  _  _    B _  _  X    B _  _  _
C O  _  _    C _  _  _    C _  _  _",
        );
        let large = Game::with_default_players(&"8x8x4:4".parse().unwrap());
        let rows = rows(&large);
        assert!(rows.iter().all(|row| row.len() <= MAX_LINE_WIDTH));
        assert_eq!((rows[0].matches("Level").count(), rows.len()), (2, 2 * 10 + 1));
    }

    #[test]
    fn ultimate_shows_small_boards() {
        check(
            "ultimate",
            "X O",
            "B2 E5",
            "\
\x20 1  2  3  | 4  5  6  | 7  8  9
A .  .  .  | .  .  .  | .  .  .
B .  X  .  | .  .  .  | .  .  .
C .  .  .  | .  .  .  | .  .  .
  ---------+----------+---------
D .  .  .  | _  _  _  | .  .  .
E .  .  .  | _  O  _  | .  .  .
F .  .  .  | _  _  _  | .  .  .
  ---------+----------+---------
G .  .  .  | .  .  .  | .  .  .
H .  .  .  | .  .  .  | .  .  .
I .  .  .  | .  .  .  | .  .  .",
        );
    }

    #[test]
    fn won_boards_are_listed() {
        check(
            "ultimate",
            "X O",
            "A1 A2 A4 B2 D4 C2 G4",
            "\
\x20 1  2  3  | 4  5  6  | 7  8  9
A X  O  .  | X  _  _  | _  _  _
B .  O  .  | _  _  _  | _  _  _
C .  O  .  | _  _  _  | _  _  _
  ---------+----------+---------
D _  _  _  | X  _  _  | _  _  _
E _  _  _  | _  _  _  | _  _  _
F _  _  _  | _  _  _  | _  _  _
  ---------+----------+---------
G _  _  _  | X  _  _  | _  _  _
H _  _  _  | _  _  _  | _  _  _
I _  _  _  | _  _  _  | _  _  _
Boards won by O: A1",
        );
    }

    #[test]
    fn closed_boards_are_marked() {
        check(
            "3x3+notakto+2b",
            "X O",
            "A1 2B2 A2 A3",
            "\
Board 1 (closed)   Board 2
  1  2  3            1  2  3
A X  X  X          A _  _  _
B .  .  .          B _  X  _
C .  .  .          C _  _  _",
        );
    }

    #[test]
    fn forbidden_boxes_are_marked() {
        let rules: Rules = "renju".parse().unwrap();
        let mut game = Game::with_default_players(&rules);
        // Two open threes of the first player cross on H8.
        for text in ["H9", "A1", "H10", "A15", "J8", "O1", "K8", "O15"] {
            game.play(game.turn().unwrap(), rules.parse_move(text).unwrap()).unwrap();
        }
        let blocked = |game: &Game| rows(game)[8].matches(BLOCKED_MARK).count();
        assert_eq!(blocked(&game), 1, "{}", rows(&game).join("\n"));
        game.undo().unwrap();
        assert_eq!(blocked(&game), 0, "{}", rows(&game).join("\n"));
    }

    #[test]
    fn swapped_marks_are_named() {
        check("3x3+swap", "X O", "B2 swap", "_  _  _\n_  X  _\n_  _  _\nA plays O, A plays X.");
    }
}
