//! What a manager tells an engine, and what it makes of the answers.

use std::time::Duration;

use noughts_rules::{Cell, Position, Rules};

use super::{FIVE, UNLIMITED, cell_text, parse_cell};

/// Whether the protocol can express the rules: five in a row for two.
pub(super) fn speaks(rules: &Rules) -> bool {
    let plain = !rules.misere() && !rules.gravity() && !rules.wrap();
    plain && rules.k() == FIVE && rules.players() == 2
}

/// The lines that begin a game. The engine answers the last with `OK`.
pub(super) fn start(rules: &Rules) -> Vec<String> {
    let (rows, cols) = (rules.rows(), rules.cols());
    vec![if rows == cols { format!("START {rows}") } else { format!("RECTSTART {cols},{rows}") }]
}

/// The lines that say how much time there is and what wins.
pub(super) fn infos(rules: &Rules, turn: Duration, nodes: Option<u64>) -> Vec<String> {
    let mut lines = vec![
        format!("INFO timeout_turn {}", turn.as_millis()),
        "INFO timeout_match 0".to_owned(),
        format!("INFO time_left {UNLIMITED}"),
        "INFO max_memory 0".to_owned(),
        format!("INFO rule {}", u8::from(rules.exact())),
    ];
    lines.extend(nodes.map(|nodes| format!("INFO max_node {nodes}")));
    lines
}

/// The lines that ask for a move in a position of a game that goes on. `known` is the position that
/// the engine left, where it is in the middle of a game.
pub(super) fn question(position: &Position, known: Option<&Position>) -> Vec<String> {
    if position.stones() == 0 {
        return vec!["BEGIN".to_owned()];
    }
    if let Some(cell) = known.and_then(|known| answer(known, position)) {
        return vec![format!("TURN {}", cell_text(cell))];
    }
    let stones_of = |own: bool| {
        let is_own = move |seat| (Some(seat) == position.turn()) == own;
        let cells = position.rules().cells();
        cells.filter(move |&cell| position.seat_at(cell).is_some_and(is_own))
    };
    // Many engines take the stones for moves in turn, and do not look at whose they are.
    let (mut own, mut others) = (stones_of(true), stones_of(false));
    let own_begins = stones_of(true).count() >= stones_of(false).count();
    let mut lines = vec!["BOARD".to_owned()];
    let mut is_own = own_begins;
    loop {
        let (next, whose) = if is_own { (own.next(), 1) } else { (others.next(), 2) };
        match next {
            Some(cell) => lines.push(format!("{},{whose}", cell_text(cell))),
            None => break,
        }
        is_own = !is_own;
    }
    lines.extend(own.map(|cell| format!("{},1", cell_text(cell))));
    lines.extend(others.map(|cell| format!("{},2", cell_text(cell))));
    lines.push("DONE".to_owned());
    lines
}

/// The one move that leads from a position to another, if one does.
pub(super) fn answer(from: &Position, to: &Position) -> Option<Cell> {
    if from.rules() != to.rules() || from.stones() + 1 != to.stones() {
        return None;
    }
    let mut differing = to.rules().cells().filter(|&cell| from.seat_at(cell) != to.seat_at(cell));
    let cell = differing.next()?;
    let is_answer = differing.next().is_none() && to.seat_at(cell) == from.turn();
    is_answer.then_some(cell)
}

/// What a line of an engine means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    Ok,
    Move(Cell),
    /// It can't or won't.
    Refusal(String),
    /// Messages for people.
    Talk,
    Nonsense(String),
}

pub(super) fn understand(line: &str) -> Said {
    let line = line.trim();
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    match word.as_str() {
        "" | "MESSAGE" | "DEBUG" | "SUGGEST" => Said::Talk,
        "OK" => Said::Ok,
        "ERROR" | "UNKNOWN" => Said::Refusal(shown(line)),
        _ => match parse_cell(line) {
            Some(cell) => Said::Move(cell),
            None => Said::Nonsense(shown(line)),
        },
    }
}

/// The most characters of an engine's words that people get to see.
const MOST_SHOWN: usize = 200;

/// The words of an engine as people may see them: nothing that a terminal would obey.
fn shown(line: &str) -> String {
    let mut text = String::new();
    for character in line.chars() {
        let part: String = match character {
            '\'' | '"' | '\\' => character.to_string(),
            _ => character.escape_debug().to_string(),
        };
        if text.chars().count() + part.chars().count() > MOST_SHOWN {
            return text + "…";
        }
        text += &part;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerKind;
    use crate::gomocup::Brain;

    /// What this side says, the other side understands.
    #[test]
    fn manager_and_brain_understand_each_other() {
        let strategy = "medium".parse::<PlayerKind>().unwrap().strategy(1).unwrap();
        let mut brain = Brain::new(strategy);
        for text in ["15x15:5", "7x9:5+exact", "6x5"] {
            let rules: Rules = text.parse().unwrap();
            let mut position = Position::new(&rules);
            let mut tell = |lines: Vec<String>| -> Vec<String> {
                lines.iter().flat_map(|line| brain.respond(line).lines).collect()
            };
            assert_eq!(tell(start(&rules)), ["OK"]);
            assert_eq!(tell(infos(&rules, Duration::from_secs(1), Some(100))), [""; 0]);
            for _ in 0..8 {
                let answer = tell(question(&position, None));
                let [line] = &answer[..] else { panic!("{answer:?}") };
                let Said::Move(cell) = understand(line) else { panic!("{line}") };
                if position.play(cell).unwrap().is_some() {
                    break;
                }
            }
        }
    }

    fn position(moves: &str) -> Position {
        let mut position = Position::new(&"15x15:5".parse().unwrap());
        for cell in moves.split(' ') {
            position.play(cell.parse().unwrap()).unwrap();
        }
        position
    }

    /// What is shown to an engine that takes stones for moves in turn is the position all the same.
    #[test]
    fn the_stones_of_a_board_stand_in_turn() {
        let board = |moves| question(&position(moves), None).join(" ");
        assert_eq!(board("H8"), "BOARD 7,7,2 DONE");
        assert_eq!(board("H8 A1"), "BOARD 7,7,1 0,0,2 DONE");
        assert_eq!(board("H8 A1 H9 A2 H10"), "BOARD 7,7,2 0,0,1 8,7,2 1,0,1 9,7,2 DONE");
    }

    #[test]
    fn an_engine_that_knows_the_game_is_told_the_last_move() {
        let known = position("H8 A1");
        assert_eq!(question(&position("H8 A1 H9"), Some(&known)), ["TURN 8,7"]);
        // Another game, one that was taken back, and one with a move too many.
        for moves in ["H8", "H8 A2 H9", "H8 A1", "H8 A1 H9 A2"] {
            assert_eq!(question(&position(moves), Some(&known))[0], "BOARD", "{moves}");
        }
    }

    #[test]
    fn what_an_engine_says_does_nothing_to_a_terminal() {
        let check = |line: &str, expected: &str| {
            assert_eq!(understand(line), Said::Nonsense(expected.to_owned()));
        };
        check("I \"can't\" – ✓", "I \"can't\" – ✓");
        check("\x1b]0;gotcha\x07\x1b[2J", r"\u{1b}]0;gotcha\u{7}\u{1b}[2J");
        check("a\u{9b}b\u{202e}c\rd", r"a\u{9b}b\u{202e}c\rd");
        check(&"x".repeat(5000), &format!("{}…", "x".repeat(200)));
        let refusal = understand("ERROR \x1b[31m");
        assert_eq!(refusal, Said::Refusal(r"ERROR \u{1b}[31m".to_owned()));
    }

    #[test]
    fn answers_are_told_apart() {
        let check = |line: &str, expected: Said| assert_eq!(understand(line), expected, "{line}");
        check("OK", Said::Ok);
        check("OK - everything is good\r", Said::Ok);
        check("7,8\r\n", Said::Move(Cell::new(8, 7).unwrap()));
        check("MESSAGE thinking", Said::Talk);
        check("ERROR too large", Said::Refusal("ERROR too large".to_owned()));
        check("99,1", Said::Nonsense("99,1".to_owned()));
        check("resign", Said::Nonsense("resign".to_owned()));
    }
}
