//! Commands of the line dialogue.

use noughts_rules::Rules;

use crate::turn::explain_rules;

/// A command that works at any prompt, in any case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Undo,
    Redo,
    Hint,
    Analysis,
    Score,
    Board,
    /// With the name of the file, if it was given.
    Save(String),
    Resign,
    Quit,
}

impl Command {
    /// The commands without a file, with their other words.
    fn simple(word: &str) -> Option<Command> {
        Some(match word.to_ascii_lowercase().as_str() {
            "help" | "?" => Command::Help,
            "undo" => Command::Undo,
            "redo" => Command::Redo,
            "hint" => Command::Hint,
            "analysis" => Command::Analysis,
            "score" => Command::Score,
            "board" => Command::Board,
            "resign" => Command::Resign,
            "quit" | "exit" => Command::Quit,
            _ => return None,
        })
    }

    pub(super) fn read(text: &str) -> Option<Command> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word.eq_ignore_ascii_case("save") {
            true => Some(Command::Save(rest.trim().to_string())),
            false => Command::simple(text),
        }
    }
}

/// The commands as help lists them.
const COMMANDS: [(&str, &str); 10] = [
    ("help, ?", "shows this help"),
    ("undo", "takes back the last move"),
    ("redo", "plays the move again that was taken back"),
    ("hint", "shows the best move"),
    ("analysis", "shows what each box is worth"),
    ("score", "shows who has won how many games"),
    ("board", "shows the board again"),
    ("save FILE", "saves the game: as .txt, or gomoku as .psq or .sgf"),
    ("resign", "resigns the game"),
    ("quit, exit", "ends the program; an unfinished game is kept"),
];

/// Explains the rules and the commands.
pub(super) fn help(rules: &Rules) -> String {
    let mut help = explain_rules(rules) + "\nCommands:";
    for (word, meaning) in COMMANDS {
        help += &format!("\n  {word:<10} {meaning}");
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
        assert_eq!(Command::read("?"), Some(Command::Help));
        assert_eq!(Command::read("exit"), Some(Command::Quit));
        assert_eq!(Command::read("Save a b.txt"), Some(Command::Save("a b.txt".into())));
        assert_eq!(Command::read("save"), Some(Command::Save(String::new())));
        assert_eq!(Command::read("A1"), None);
        assert_eq!(Command::read("0 1"), None);
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
