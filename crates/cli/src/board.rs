//! A board as lines of text.

use noughts_rules::{Cell, EMPTY_MARK, Game, Symbol};

/// The minimum column width: most symbols fit, so boards look alike.
const MIN_WIDTH: usize = 2;

/// The rows of a board, aligned whatever the symbols' widths. Boards larger than 3x3 have row
/// letters and column numbers.
pub(crate) fn rows(game: &Game) -> Vec<String> {
    let rules = game.rules();
    let widest = game.players().iter().map(|player| player.symbol().width()).max();
    let width = widest.unwrap_or(0).max(MIN_WIDTH);
    let labelled = rules.rows() > 3 || rules.cols() > 3;

    let mut rows = Vec::new();
    if labelled {
        let numbers = (1..=rules.cols()).map(|col| format!("{col:<width$}"));
        rows.push(row(Some(' '), numbers));
    }
    for number in 0..rules.rows() {
        let label = labelled.then(|| char::from(b'A' + number));
        rows.push(row(label, (0..rules.cols()).map(|col| mark(game, number, col, width))));
    }
    rows
}

fn row(label: Option<char>, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = label.map(String::from).into_iter().chain(cells).collect();
    cells.join(" ").trim_end().to_string()
}

/// The content of a cell, padded to the column width.
fn mark(game: &Game, row: u8, col: u8, width: usize) -> String {
    let seat = Cell::new(row, col).and_then(|cell| game.position().seat_at(cell));
    let symbol: Option<&Symbol> = seat.map(|seat| game.players()[seat.index()].symbol());
    let (text, taken) = symbol.map_or((EMPTY_MARK, 1), |symbol| (symbol.as_str(), symbol.width()));
    format!("{text}{}", " ".repeat(width.saturating_sub(taken)))
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
        for cell in moves.split_whitespace() {
            game.play(game.turn().unwrap(), cell.parse().unwrap()).unwrap();
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
}
