//! The manager's side of the protocol: commands to an engine, and parsing of its responses.

use std::time::Duration;

use noughts_rules::{Cell, Position, Rules, RulesParts};

use super::{UNLIMITED_MILLIS, WIN_LENGTH, cell_text, parse_cell};

/// Whether the protocol can express the rules: five in a row for two, or renju.
pub(super) fn supports(rules: &Rules) -> bool {
    let parts = RulesParts::grid(rules.rows(), rules.cols()).k(WIN_LENGTH);
    let parts = parts.exact(rules.exact()).renju(rules.parts().renju);
    parts.build().as_ref() == Ok(rules)
}

/// The command that starts a game. The engine answers `OK`.
pub(super) fn start_command(rules: &Rules) -> String {
    let (rows, cols) = (rules.rows(), rules.cols());
    if rows == cols { format!("START {rows}") } else { format!("RECTSTART {cols},{rows}") }
}

/// The limits of a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveLimits {
    /// The time of this move.
    pub(super) turn: Duration,
    /// The time left in the game.
    pub(super) left: Option<Duration>,
    /// The time of the whole game.
    pub(super) game: Option<Duration>,
    pub(super) nodes: Option<u64>,
}

/// The commands that set the limits of a move and the rule.
pub(super) fn info_commands(rules: &Rules, limits: MoveLimits) -> Vec<String> {
    let MoveLimits { turn, left, game, nodes } = limits;
    let match_time = game.map_or(0, |time| time.as_millis());
    let left = left.map_or(UNLIMITED_MILLIS.into(), |left| left.as_millis());
    let mut lines = vec![
        format!("INFO timeout_turn {}", turn.as_millis()),
        format!("INFO timeout_match {match_time}"),
        format!("INFO time_left {left}"),
        "INFO max_memory 0".to_owned(),
        format!("INFO rule {}", if rules.parts().renju { 4 } else { u8::from(rules.exact()) }),
    ];
    lines.extend(nodes.map(|nodes| format!("INFO max_node {nodes}")));
    lines
}

/// The lines that ask for a move in an ongoing game. `known` is the position after the engine's
/// last move, if it has made one.
pub(super) fn move_request(position: &Position, known: Option<&Position>) -> Vec<String> {
    if position.stone_count() == 0 {
        return vec!["BEGIN".to_owned()];
    }
    if let Some(cell) = known.and_then(|known| single_move(known, position)) {
        return vec![format!("TURN {}", cell_text(cell))];
    }
    let stones = |own: bool| {
        let is_own = move |mark| (position.owner(mark) == position.turn()) == own;
        let cells = position.rules().cells();
        cells.filter(move |&cell| position.mark_at(cell).is_some_and(is_own))
    };
    // Many engines ignore the owner and take the stones for moves in turn, so the stones alternate.
    let (mut own, mut opposing) = (stones(true), stones(false));
    let own_begins = stones(true).count() >= stones(false).count();
    let mut lines = vec!["BOARD".to_owned()];
    let mut is_own = own_begins;
    loop {
        let (next, owner) = if is_own { (own.next(), 1) } else { (opposing.next(), 2) };
        match next {
            Some(cell) => lines.push(format!("{},{owner}", cell_text(cell))),
            None => break,
        }
        is_own = !is_own;
    }
    lines.extend(own.map(|cell| format!("{},1", cell_text(cell))));
    lines.extend(opposing.map(|cell| format!("{},2", cell_text(cell))));
    lines.push("DONE".to_owned());
    lines
}

/// The move that leads from one position to the other, if a single one does.
pub(super) fn single_move(from: &Position, to: &Position) -> Option<Cell> {
    if from.rules() != to.rules() || from.stone_count() + 1 != to.stone_count() {
        return None;
    }
    let mut differing = to.rules().cells().filter(|&cell| from.mark_at(cell) != to.mark_at(cell));
    let cell = differing.next()?;
    let is_single = differing.next().is_none() && to.mark_at(cell) == from.mark_to_place();
    is_single.then_some(cell)
}

/// A line from an engine.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Response {
    Ok,
    Move(Cell),
    /// The engine reports an error.
    Error(String),
    /// A message to people.
    Message,
    Malformed(String),
}

impl Response {
    pub(super) fn parse(line: &str) -> Response {
        let line = line.trim();
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match word.as_str() {
            "" | "MESSAGE" | "DEBUG" | "SUGGEST" => Response::Message,
            "OK" => Response::Ok,
            "ERROR" | "UNKNOWN" => Response::Error(sanitise(line)),
            _ => match parse_cell(line) {
                Some(cell) => Response::Move(cell),
                None => Response::Malformed(sanitise(line)),
            },
        }
    }
}

/// An engine's text is shown up to this length.
const MAX_SHOWN_CHARS: usize = 200;

/// Escapes everything that a terminal might interpret.
fn sanitise(line: &str) -> String {
    let mut text = String::new();
    for character in line.chars() {
        let part: String = match character {
            '\'' | '"' | '\\' => character.to_string(),
            _ => character.escape_debug().to_string(),
        };
        if text.chars().count() + part.chars().count() > MAX_SHOWN_CHARS {
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

    #[test]
    fn brain_answers_every_request() {
        let strategy = "medium".parse::<PlayerKind>().unwrap().strategy(1).unwrap();
        let mut brain = Brain::new(strategy);
        for text in ["15x15:5", "7x9:5+exact", "6x5", "9x9:5+renju"] {
            let rules: Rules = text.parse().unwrap();
            let mut position = Position::new(&rules);
            let mut send = |lines: Vec<String>| -> Vec<String> {
                lines.iter().flat_map(|line| brain.respond(line).lines).collect()
            };
            assert_eq!(send(vec![start_command(&rules)]), ["OK"]);
            let turn = Duration::from_secs(1);
            let limits = MoveLimits { turn, left: None, game: None, nodes: Some(100) };
            let infos = info_commands(&rules, limits);
            assert_eq!(send(infos), [""; 0]);
            for _ in 0..8 {
                let reply = send(move_request(&position, None));
                let [line] = &reply[..] else { panic!("{reply:?}") };
                let Response::Move(cell) = Response::parse(line) else { panic!("{line}") };
                if position.play(cell).unwrap().is_some() {
                    break;
                }
            }
        }
    }

    #[test]
    fn engines_hear_the_time_left() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let commands = |left, game| {
            let limits = MoveLimits { turn: Duration::from_secs(2), left, game, nodes: None };
            info_commands(&"15x15:5".parse().unwrap(), limits).join("; ")
        };
        let expected = "INFO timeout_turn 2000; INFO timeout_match 90000; INFO time_left 61000; ";
        assert!(commands(seconds(61), seconds(90)).starts_with(expected));
        assert!(commands(None, None).contains("INFO timeout_match 0; INFO time_left 2147483647; "));
    }

    fn position(moves: &str) -> Position {
        let mut position = Position::new(&"15x15:5".parse().unwrap());
        for cell in moves.split(' ') {
            position.play(cell.parse::<Cell>().unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn board_lists_stones_in_turn() {
        let board = |moves| move_request(&position(moves), None).join(" ");
        assert_eq!(board("H8"), "BOARD 7,7,2 DONE");
        assert_eq!(board("H8 A1"), "BOARD 7,7,1 0,0,2 DONE");
        assert_eq!(board("H8 A1 H9 A2 H10"), "BOARD 7,7,2 0,0,1 8,7,2 1,0,1 9,7,2 DONE");
    }

    #[test]
    fn known_game_needs_only_a_turn() {
        let known = position("H8 A1");
        assert_eq!(move_request(&position("H8 A1 H9"), Some(&known)), ["TURN 8,7"]);
        // Another game, one with a move undone, and one with a move too many.
        for moves in ["H8", "H8 A2 H9", "H8 A1", "H8 A1 H9 A2"] {
            assert_eq!(move_request(&position(moves), Some(&known))[0], "BOARD", "{moves}");
        }
    }

    #[test]
    fn control_characters_are_escaped() {
        let check = |line: &str, expected: &str| {
            assert_eq!(Response::parse(line), Response::Malformed(expected.to_owned()));
        };
        check("I \"can't\" – ✓", "I \"can't\" – ✓");
        check("\x1b]0;gotcha\x07\x1b[2J", r"\u{1b}]0;gotcha\u{7}\u{1b}[2J");
        check("a\u{9b}b\u{202e}c\rd", r"a\u{9b}b\u{202e}c\rd");
        check(&"x".repeat(5000), &format!("{}…", "x".repeat(200)));
        let error = Response::parse("ERROR \x1b[31m");
        assert_eq!(error, Response::Error(r"ERROR \u{1b}[31m".to_owned()));
    }

    #[test]
    fn every_kind_of_response_parses() {
        let check =
            |line: &str, expected: Response| assert_eq!(Response::parse(line), expected, "{line}");
        check("OK", Response::Ok);
        check("OK - everything is good\r", Response::Ok);
        check("7,8\r\n", Response::Move(Cell::new(8, 7).unwrap()));
        check("MESSAGE thinking", Response::Message);
        check("ERROR too large", Response::Error("ERROR too large".to_owned()));
        check("99,1", Response::Malformed("99,1".to_owned()));
        check("resign", Response::Malformed("resign".to_owned()));
    }
}
