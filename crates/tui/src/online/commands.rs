//! The commands of an online game, by key or from the menu.

use std::time::Instant;

use noughts_api::{EndReason, GamePhase, PlayerCommand};

use super::{OnlinePage, Request};
use crate::Navigation;
use crate::dialog::{Confirm, Dialog, Menu, MenuCommand, Save};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    AcceptUndo,
    DeclineUndo,
    Undo,
    Claim,
    Abort,
    Resign,
    Rematch,
    WatchRematch,
    Review,
    Save,
    Help,
    Leave,
    /// Ends the program, from whatever page.
    Quit,
}

impl Command {
    /// The key, the label beside the board, and the title in the menu. Commands with the same key are
    /// never available together.
    const ALL: [(Command, &'static str, &'static str, &'static str); 12] = [
        (Command::AcceptUndo, "y", "accept", "Accept the undo request"),
        (Command::DeclineUndo, "n", "decline", "Decline the undo request"),
        (Command::Undo, "u", "undo", "Ask to take back your last move"),
        (Command::Claim, "z", "claim", "Claim the win: a player has been away too long"),
        (Command::Abort, "w", "abort", "Abort: the game does not count"),
        (Command::Resign, "w", "resign", "Resign"),
        (Command::Rematch, "p", "rematch", "Play again"),
        (Command::WatchRematch, "p", "rematch", "Watch the rematch"),
        (Command::Review, "v", "review", "Step through the game, with analysis"),
        (Command::Save, "s", "save", "Save the game to a file"),
        (Command::Help, "?", "help", "How to play, and all keys"),
        (Command::Leave, "q", "leave", "Leave"),
    ];

    fn texts(self) -> (&'static str, &'static str, &'static str) {
        let own = Command::ALL.iter().find(|(command, ..)| *command == self);
        own.map_or(("", "", ""), |(_, key, name, title)| (*key, *name, *title))
    }

    pub(super) fn name(self) -> &'static str {
        self.texts().1
    }

    /// What the server is asked to do.
    fn player_command(self) -> Option<PlayerCommand> {
        Some(match self {
            Command::AcceptUndo => PlayerCommand::AnswerUndo { accept: true },
            Command::DeclineUndo => PlayerCommand::AnswerUndo { accept: false },
            Command::Undo => PlayerCommand::RequestUndo,
            Command::Claim => PlayerCommand::Claim,
            Command::Abort => PlayerCommand::Abort,
            Command::Resign => PlayerCommand::Resign,
            Command::Rematch => PlayerCommand::Rematch,
            _ => return None,
        })
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

impl OnlinePage {
    /// The available commands, in menu order. The server has the last word.
    pub(super) fn commands(&self) -> Vec<Command> {
        let view = &self.view;
        let (moved, playing) = (!view.moves.is_empty(), self.is_playing());
        let (live, finished) = (view.phase == GamePhase::Live, view.phase == GamePhase::Finished);
        let early = view.moves.len() < 2;
        // It ended by a move, which can be taken back.
        let on_board = view.result.as_ref().is_some_and(|result| {
            use EndReason::{Draw, Line, MoveLimit, NoLine, Repetition};
            matches!(result.reason, Line | NoLine | Draw | Repetition | MoveLimit)
        });
        let works = |command: &Command| match command {
            Command::AcceptUndo | Command::DeclineUndo => view.awaits_your_undo_answer(),
            Command::Undo => {
                let reopens = on_board && !view.rated && self.is_seated();
                moved && view.undo_request.is_none() && (live && playing || reopens)
            }
            Command::Claim => live && playing && self.others().any(|seat| !self.is_computer(seat)),
            Command::Abort => playing && !finished && early,
            Command::Resign => playing && live && !early,
            Command::Rematch => {
                let is_yours = |seat| view.your_seats.contains(seat);
                let offered = view.rematch_offers.iter().any(is_yours);
                finished && self.is_seated() && !offered && view.rematch.is_none()
            }
            Command::WatchRematch => finished && !self.is_seated() && view.rematch.is_some(),
            Command::Review => finished && moved,
            Command::Save => moved,
            Command::Help | Command::Leave => true,
            Command::Quit => false,
        };
        Command::ALL.iter().map(|(command, ..)| *command).filter(works).collect()
    }

    pub(super) fn menu(&self) -> Dialog<Command> {
        Dialog::Menu(Menu::new(self.commands(), self.keys))
    }

    pub(super) fn command_of(&self, key: char) -> Option<Command> {
        self.commands().into_iter().find(|command| command.key().chars().eq([key]))
    }

    /// Performs a command, after a confirmation if something would be lost.
    pub(super) fn perform(&mut self, command: Command, now: Instant) -> Navigation {
        let question = match command {
            Command::Resign => Some("Resign this game?"),
            Command::Abort => Some("Abort this game? It will not count."),
            Command::Leave if self.is_playing() => match self.view.phase {
                GamePhase::Open => Some("Leave? The game still waits for players."),
                GamePhase::Live => Some("Leave? The game goes on without you."),
                GamePhase::Finished => None,
            },
            _ => None,
        };
        match question {
            Some(question) => {
                let question = question.to_string();
                self.dialog = Some(Dialog::Confirm(Confirm { question, command, yes: false }));
                Navigation::Stay
            }
            None => self.perform_confirmed(command, now),
        }
    }

    pub(super) fn perform_confirmed(&mut self, command: Command, now: Instant) -> Navigation {
        if let Some(command) = command.player_command() {
            self.send(command, now);
            return Navigation::Stay;
        }
        match command {
            Command::WatchRematch => self.open_rematch(),
            Command::Review => return Navigation::Review(Box::new(self.game.clone())),
            Command::Save => self.dialog = Some(Dialog::Save(Save::new(&self.game))),
            Command::Help => return Navigation::Help,
            Command::Leave => return Navigation::Back,
            Command::Quit => return Navigation::Quit,
            _ => {}
        }
        Navigation::Stay
    }

    /// Sends a command, unless the one before has no answer yet.
    pub(super) fn send(&mut self, command: PlayerCommand, now: Instant) {
        if self.sent_at.is_some() {
            self.message = Some("Still waiting for the server's answer.".into());
            return;
        }
        (self.sent_at, self.message) = (Some(now), None);
        (self.on_request)(Request::Send { seq: self.view.seq, command });
    }

    /// Players go on to the rematch by themselves.
    pub(super) fn open_rematch_if_seated(&mut self) {
        if self.is_seated() {
            self.open_rematch();
        }
    }

    pub(super) fn open_rematch(&mut self) {
        if let Some(rematch) = self.view.rematch.filter(|rematch| self.opening != Some(*rematch)) {
            self.opening = Some(rematch);
            (self.on_request)(Request::Open { game: rematch, seq: 0 });
        }
    }
}
