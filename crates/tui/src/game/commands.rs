//! Commands of a local game, by key or from the menu.

use std::time::Instant;

use noughts_engine::Decision;

use super::{GamePage, Overlay};
use crate::Navigation;
use crate::dialog::{Confirm, Dialog, Menu, MenuCommand, Save};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Undo,
    Redo,
    Hint,
    Values,
    SwapSides,
    Save,
    Resign,
    NewGame,
    Review,
    Scoreboard,
    StoredGames,
    Help,
    Leave,
    /// Ends the program; asked for by Ctrl-C.
    Quit,
}

impl Command {
    /// Key, name beside the board, and title in the menu.
    ///
    /// No key is one of the first fifteen letters, which name rows of the usual boards. On larger
    /// boards a command whose key names a row is reached through the menu.
    const ALL: [(Command, &'static str, &'static str, &'static str); 13] = [
        (Command::Undo, "u", "undo", "Take back the last move"),
        (Command::Redo, "r", "redo", "Redo the last move"),
        (Command::Hint, "t", "hint", "Hint: mark the best boxes"),
        (Command::Values, "v", "analysis", "Analysis: what each box is worth"),
        (Command::Review, "v", "review", "Review the game, with analysis"),
        (Command::SwapSides, "z", "swap sides", "Swap sides"),
        (Command::Save, "s", "save", "Save the game to a file"),
        (Command::Resign, "w", "resign", "Resign"),
        (Command::NewGame, "p", "new game", "New game"),
        (Command::Scoreboard, "", "scoreboard", "Scoreboard"),
        (Command::StoredGames, "", "games", "Stored games"),
        (Command::Help, "?", "help", "How to play, and all keys"),
        (Command::Leave, "q", "leave", "Leave the game"),
    ];

    pub(super) fn of_key(key: char) -> Option<Command> {
        let known = |(_, own, ..): &&(Command, &str, &str, &str)| own.chars().eq([key]);
        Command::ALL.iter().find(known).map(|(command, ..)| *command)
    }

    fn texts(self) -> (&'static str, &'static str, &'static str) {
        let own = Command::ALL.iter().find(|(command, ..)| *command == self);
        own.map_or(("", "", ""), |(_, key, name, title)| (*key, *name, *title))
    }

    pub(super) fn name(self) -> &'static str {
        self.texts().1
    }
}

impl MenuCommand for Command {
    fn key(self) -> &'static str {
        self.texts().0
    }

    fn title(self) -> &'static str {
        self.texts().2
    }
}

impl GamePage {
    /// The commands that apply now, in menu order.
    pub(super) fn commands(&self) -> Vec<Command> {
        let game = self.local_match.game();
        let (over, moved) = (game.turn().is_none(), game.history().len() > 0);
        let person = self.local_match.person_to_move().is_some();
        let unaided = self.is_unaided();
        let works = |command: &Command| match command {
            Command::Undo => self.local_match.check_undo().is_ok(),
            Command::Redo => self.local_match.can_redo(),
            Command::Hint => person && !unaided,
            Command::Values => !over && !unaided,
            Command::SwapSides => !over,
            Command::Resign => person && moved,
            Command::Review => over,
            Command::NewGame => moved && (over || !unaided),
            Command::Save => moved,
            Command::Scoreboard | Command::StoredGames | Command::Help | Command::Leave => true,
            Command::Quit => false,
        };
        Command::ALL.iter().map(|(command, ..)| *command).filter(works).collect()
    }

    /// Whether the game is rated and not over: nobody gets help, or drops it for another game.
    fn is_unaided(&self) -> bool {
        self.local_match.series().is_rated() && self.local_match.game().turn().is_some()
    }

    pub(super) fn menu(&self) -> Dialog<Command> {
        Dialog::Menu(Menu::new(self.commands(), self.keys))
    }

    /// Performs a command, or asks first if something would be lost.
    pub(super) fn perform(&mut self, command: Command, now: Instant) -> Navigation {
        let game = self.local_match.game();
        let in_play = game.turn().is_some() && self.local_match.has_moves();
        let is_kept = self.local_match.is_kept();
        let refusal = match command {
            Command::Hint | Command::Values if self.is_unaided() => {
                Some("This game is rated: there are no hints and no analysis.")
            }
            Command::NewGame if in_play && self.is_unaided() => {
                Some("This game is rated: resign it before you start another.")
            }
            _ => None,
        };
        if let Some(refusal) = refusal {
            self.message = Some(refusal.into());
            return Navigation::Stay;
        }
        let question = match command {
            Command::Resign if self.local_match.person_to_move().is_some() => {
                let turn = self.local_match.person_to_move().map_or(0, |seat| seat.index());
                Some(format!("{}, do you want to resign?", game.players()[turn].name()))
            }
            Command::NewGame if in_play && is_kept => {
                Some("Start another game? This one is kept.".to_string())
            }
            Command::NewGame if in_play => Some("Abandon this game and start another?".to_string()),
            Command::SwapSides if in_play && !self.local_match.series().is_rated() => {
                Some("Swap sides? The board stays as it is.".to_string())
            }
            Command::Leave if is_kept => {
                Some("Leave this game? It is kept, and can be continued.".to_string())
            }
            Command::Leave if in_play => Some("Leave this game? It is not over.".to_string()),
            _ => None,
        };
        match question {
            Some(question) => {
                // Nothing is lost by leaving a game that is kept.
                let yes = command == Command::Leave && is_kept;
                self.dialog = Some(Dialog::Confirm(Confirm { question, command, yes }));
                Navigation::Stay
            }
            None => self.perform_confirmed(command, now),
        }
    }

    pub(super) fn perform_confirmed(&mut self, command: Command, now: Instant) -> Navigation {
        let done = match command {
            Command::Undo => {
                let undone = self.local_match.undo(now);
                // Announcements about the undone end no longer hold.
                if undone.is_ok() {
                    self.explanation = None;
                }
                undone
            }
            Command::Redo => self.local_match.redo(now),
            Command::SwapSides => self.local_match.swap_sides(now),
            Command::Resign => {
                self.local_match.decide(Decision::Resign, now);
                Ok(())
            }
            Command::NewGame => {
                self.begin_next(now);
                Ok(())
            }
            Command::Hint => return self.show(Overlay::Hint),
            Command::Values if self.local_match.game().turn().is_some() => {
                return self.show(Overlay::Values);
            }
            Command::Values | Command::Review => {
                return Navigation::Review(Box::new(self.local_match.game().clone()));
            }
            Command::Save => {
                self.dialog = Some(Dialog::Save(Save::new(self.local_match.game())));
                return Navigation::Stay;
            }
            Command::Scoreboard => return Navigation::Scoreboard,
            Command::StoredGames => return Navigation::StoredGames,
            Command::Help => return Navigation::Help,
            Command::Leave => return Navigation::Back,
            Command::Quit => return Navigation::Quit,
        };
        match done {
            Ok(()) => self.changed(),
            Err(reason) => self.message = Some(reason),
        }
        Navigation::Stay
    }

    /// Toggles an overlay.
    fn show(&mut self, overlay: Overlay) -> Navigation {
        self.message = None;
        if self.overlay == overlay {
            self.overlay = Overlay::Nothing;
            return Navigation::Stay;
        }
        if overlay == Overlay::Hint && self.local_match.person_to_move().is_none() {
            return Navigation::Stay;
        }
        self.overlay = overlay;
        self.request_analysis();
        let analysis = self.analyses.get(self.local_match.game().position());
        if let (Overlay::Hint, Some(analysis)) = (overlay, analysis) {
            self.message = Some(super::hint(self.local_match.game(), analysis));
        }
        Navigation::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_finds_its_command() {
        for (command, key, ..) in Command::ALL {
            if let Some(key) = key.chars().next() {
                let found = Command::of_key(key).unwrap();
                assert_eq!(found.key(), command.key());
                assert!(!('a'..='o').contains(&key), "{key} names a row of many boards");
            }
        }
    }
}
