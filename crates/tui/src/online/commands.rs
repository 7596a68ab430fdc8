//! What can be done in a game at a server, by a key or from the menu.

use std::time::Instant;

use super::OnlinePage;
use crate::Navigation;
use crate::dialog::{Confirm, Dialog, Menu, MenuCommand, Save};
use noughts_client::{Ask, Order, Phase};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Agree,
    Refuse,
    Undo,
    Claim,
    Abort,
    Resign,
    Rematch,
    WatchNext,
    Review,
    Save,
    Help,
    Leave,
}

impl Command {
    /// The key, what the command is called beside the board, and in the menu. Where two have the
    /// same key, only one of them can be done at a time.
    const ALL: [(Command, &'static str, &'static str, &'static str); 12] = [
        (Command::Agree, "y", "agree", "Let the other player take back the move"),
        (Command::Refuse, "n", "refuse", "Let the move stay"),
        (Command::Undo, "u", "undo", "Ask to take back your last move"),
        (Command::Claim, "x", "claim", "Claim the game: a player has left"),
        (Command::Abort, "w", "abort", "Abort: the game does not count"),
        (Command::Resign, "w", "resign", "Resign"),
        (Command::Rematch, "p", "rematch", "Play again"),
        (Command::WatchNext, "p", "rematch", "Watch the rematch"),
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
    fn order(self) -> Option<Order> {
        Some(match self {
            Command::Agree => Order::Answer { agree: true },
            Command::Refuse => Order::Answer { agree: false },
            Command::Undo => Order::Undo,
            Command::Claim => Order::Claim,
            Command::Abort => Order::Abort,
            Command::Resign => Order::Resign,
            Command::Rematch => Order::Rematch,
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
    /// What can be done, in the order of the menu. Whether it may be is for the server to say.
    pub(super) fn commands(&self) -> Vec<Command> {
        let view = &self.view;
        let (moved, plays) = (!view.moves.is_empty(), self.plays());
        let (live, over) = (view.phase == Phase::Live, view.phase == Phase::Over);
        let early = view.moves.len() < 2;
        let on_board = view.result.as_ref().is_some_and(|r| r.how == "line" || r.how == "draw");
        let works = |command: &Command| match command {
            Command::Agree | Command::Refuse => view.is_asked(),
            Command::Undo => {
                let casually = on_board && view.league.is_none();
                moved && view.undo.is_none() && (live && plays || casually && self.is_seated())
            }
            Command::Claim => live && plays && self.others().any(|seat| !self.is_computer(seat)),
            Command::Abort => plays && !over && early,
            Command::Resign => plays && live && !early,
            Command::Rematch => {
                let asked = view.again.iter().any(|seat| view.yours.contains(seat));
                over && self.is_seated() && !asked && view.next.is_none()
            }
            Command::WatchNext => over && !self.is_seated() && view.next.is_some(),
            Command::Review => over && moved,
            Command::Save => moved,
            Command::Help | Command::Leave => true,
        };
        Command::ALL.iter().map(|(command, ..)| *command).filter(works).collect()
    }

    pub(super) fn menu(&self) -> Dialog<Command> {
        Dialog::Menu(Menu::new(self.commands()))
    }

    pub(super) fn command_of(&self, key: char) -> Option<Command> {
        self.commands().into_iter().find(|command| command.key().chars().eq([key]))
    }

    /// Does it, or asks first where something would be lost.
    pub(super) fn perform(&mut self, command: Command, now: Instant) -> Navigation {
        let question = match command {
            Command::Resign => Some("Do you give this game up?"),
            Command::Abort => Some("Abort this game? It will not count."),
            Command::Leave if self.plays() => match self.view.phase {
                Phase::Open => Some("Leave? The game still waits for players."),
                Phase::Live => Some("Leave? The game goes on without you."),
                Phase::Over => None,
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
        if let Some(order) = command.order() {
            self.order(order, now);
            return Navigation::Stay;
        }
        match command {
            Command::WatchNext => self.follow(),
            Command::Review => return Navigation::Review(Box::new(self.game.clone())),
            Command::Save => self.dialog = Some(Dialog::Save(Save::new(&self.game))),
            Command::Help => return Navigation::Help,
            Command::Leave => return Navigation::Quit,
            _ => {}
        }
        Navigation::Stay
    }

    /// Sends an order, one after the other.
    pub(super) fn order(&mut self, order: Order, now: Instant) {
        if self.sent.is_some() {
            self.message = Some("What you asked for last is still on its way.".into());
            return;
        }
        (self.sent, self.message) = (Some(now), None);
        self.link.ask(Ask::Order(Box::new(self.view.clone()), order));
    }

    /// Players go on with the rematch by themselves.
    pub(super) fn follow_if_seated(&mut self) {
        if self.is_seated() {
            self.follow();
        }
    }

    /// Goes on with the rematch.
    pub(super) fn follow(&mut self) {
        if let Some(next) = self.view.next.clone()
            && self.following.as_ref() != Some(&next)
        {
            self.following = Some(next.clone());
            self.link.ask(Ask::Follow(next));
        }
    }
}
