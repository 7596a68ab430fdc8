//! Commands of the line dialogue.

use noughts_rules::Rules;

use crate::turn::explain_rules;

/// A command that works at any prompt, in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Undo,
    Hint,
    Score,
    Board,
    Resign,
    Quit,
}

impl Command {
    const ALL: [(&'static str, Command, &'static str); 7] = [
        ("help", Command::Help, "shows this help"),
        ("undo", Command::Undo, "takes back the last move"),
        ("hint", Command::Hint, "shows the best move"),
        ("score", Command::Score, "shows who has won how many games"),
        ("board", Command::Board, "shows the board again"),
        ("resign", Command::Resign, "resigns the game"),
        ("quit", Command::Quit, "ends the program"),
    ];

    pub(super) fn read(text: &str) -> Option<Command> {
        let known = Command::ALL.iter().find(|(word, ..)| text.eq_ignore_ascii_case(word));
        known.map(|(_, command, _)| *command)
    }
}

/// Explains the rules and the commands.
pub(super) fn help(rules: &Rules) -> String {
    let mut help = explain_rules(rules) + "\nCommands:";
    for (word, _, meaning) in Command::ALL {
        help += &format!("\n  {word:<7} {meaning}");
    }
    help
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_ignore_case() {
        assert_eq!(Command::read("HELP"), Some(Command::Help));
        assert_eq!(Command::read("quit"), Some(Command::Quit));
        assert_eq!(Command::read("A1"), None);
    }

    #[test]
    fn help_explains_the_variants() {
        let help = |text: &str| help(&text.parse().unwrap());
        assert!(
            help("3x3")
                .contains("The first to get 3 boxes in a row, across, down or diagonally, wins.")
        );
        assert!(help("3x3+misere").contains("loses."));
        assert!(help("6x7:4+gravity").contains("Marks fall"));
        assert!(help("4x4+wrap").contains("Edges join"));
        assert!(help("gomoku-standard").contains("exactly 5 boxes"));
        assert!(help("26x26:25+gravity+wrap+exact").lines().all(|line| line.len() < 80));
    }
}
