//! Which page gets a message.

use std::time::Instant;

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use super::{LoopAction, Navigation, Page, Screen};
use crate::storage::StorageHandle;
use crate::terminal::SuspendTarget;
use crate::workers::Message;

impl Screen {
    /// Sends a message to the page that it is for.
    pub(super) fn dispatch(&mut self, message: Message, now: Instant) -> LoopAction {
        let event = match message {
            Message::Input(event) => event,
            Message::InputEnded => return LoopAction::Quit,
            Message::Suspend => return LoopAction::Suspend(SuspendTarget::Program),
            Message::Resume => return LoopAction::Resume,
            Message::Terminate(signal) => return LoopAction::Die(signal),
            message @ Message::ComputerDecided { .. } => {
                if let Some(page) = self.game_mut() {
                    page.receive(message, now);
                }
                return LoopAction::Draw;
            }
            message @ (Message::Analysed { .. } | Message::LosingMoveFound { .. }) => {
                for page in &mut self.pages {
                    if let Page::Review(page) = page {
                        page.receive(&message);
                    }
                }
                if let Some(page) = self.game_mut() {
                    page.receive(message, now);
                }
                return LoopAction::Draw;
            }
            Message::StorageOpened(opened) => {
                if let Err(error) = opened {
                    self.tell(format!("Games are not stored: {error:#}."));
                }
                return LoopAction::Draw;
            }
            Message::StorageClosed => return LoopAction::Ignore,
            Message::Stored(sentence) => {
                self.storage.iter().for_each(StorageHandle::mark_stored);
                sentence.into_iter().for_each(|sentence| self.tell(sentence));
                return LoopAction::Draw;
            }
            #[cfg(feature = "online")]
            Message::Online(event) => {
                let to =
                    self.online_mut().map_or(Navigation::Stay, |page| page.receive(event, now));
                return self.navigate(to, now);
            }
            #[cfg(feature = "online")]
            Message::Lobby(id, message) => {
                let to = self.receive_in_lobby(id, message);
                return self.navigate(to, now);
            }
            #[cfg(feature = "online")]
            Message::SignedIn { id, signed_in } => return self.receive_signed_in(id, *signed_in),
            Message::ContinuationLoaded(Ok(kept)) => {
                // The game that is on the screen is kept, too.
                self.game().iter().for_each(|page| page.local_match().save(now));
                let bottom = matches!(self.pages.first(), Some(Page::Start(_)));
                self.pages.truncate(usize::from(bottom));
                self.go_on(*kept, now);
                return LoopAction::Draw;
            }
            Message::ContinuationLoaded(Err(error)) => {
                if let Some(Page::Stored(page)) = self.pages.last_mut() {
                    page.refuse(format!("The game can't be continued: {error:#}."));
                }
                return LoopAction::Draw;
            }
            Message::StartLoaded(data) => {
                if let Some(Page::Start(page)) = self.pages.first_mut() {
                    page.show(*data);
                }
                return LoopAction::Draw;
            }
            Message::PuzzlesOpened(opened) => {
                if let Some(page) = self.puzzles_mut() {
                    page.show(opened);
                }
                return LoopAction::Draw;
            }
            Message::PuzzleAnswered(answer) => {
                if let Some(page) = self.puzzles_mut() {
                    page.receive(*answer);
                }
                return LoopAction::Draw;
            }
            Message::LeagueLoaded { id, league } => {
                if let Some(Page::Scoreboard(page)) = self.page_of(id) {
                    page.show(league);
                }
                return LoopAction::Draw;
            }
            Message::GamesLoaded { id, games } => {
                if let Some(Page::Stored(page)) = self.page_of(id) {
                    page.show(games);
                }
                return LoopAction::Draw;
            }
        };
        match &event {
            Event::Key(key) if key.kind == KeyEventKind::Release => return LoopAction::Ignore,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                KeyCode::Char('c') => {
                    let asked = match self.pages.last_mut() {
                        Some(Page::Game(page)) => page.ask_before_quitting(),
                        #[cfg(feature = "online")]
                        Some(Page::Online(page)) => page.ask_before_quitting(),
                        _ => false,
                    };
                    return if asked { LoopAction::Draw } else { LoopAction::Quit };
                }
                KeyCode::Char('z') => return LoopAction::Suspend(SuspendTarget::Group),
                KeyCode::Char('l') => return LoopAction::Redraw,
                _ => {}
            },
            Event::Mouse(mouse) if matches!(mouse.kind, MouseEventKind::Moved) => {
                return LoopAction::Ignore;
            }
            Event::FocusGained | Event::FocusLost => return LoopAction::Ignore,
            _ => {}
        }
        let event = self.key_of_click(&event).unwrap_or(event);
        let to = match self.pages.last_mut() {
            Some(Page::Start(page)) => page.handle(&event),
            Some(Page::Game(page)) => page.handle(&event, now),
            #[cfg(feature = "online")]
            Some(Page::Online(page)) => page.handle(&event, now),
            #[cfg(feature = "online")]
            Some(Page::Connect(page)) => page.handle(&event),
            #[cfg(feature = "online")]
            Some(Page::Lobby(page)) => page.handle(&event),
            Some(Page::Help(page)) => page.handle(&event),
            Some(Page::Scoreboard(page)) => page.handle(&event),
            Some(Page::Stored(page)) => page.handle(&event),
            Some(Page::Review(page)) => page.handle(&event),
            Some(Page::Puzzles(page)) => page.handle(&event),
            None => Navigation::Quit,
        };
        self.navigate(to, now)
    }

    /// The key hint that was clicked, as a key event.
    fn key_of_click(&self, event: &Event) -> Option<Event> {
        let Event::Mouse(mouse) = event else { return None };
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return None;
        }
        let click_map = match self.pages.last()? {
            Page::Start(page) => page.click_map(),
            Page::Game(page) => page.click_map(),
            #[cfg(feature = "online")]
            Page::Online(page) => page.click_map(),
            #[cfg(feature = "online")]
            Page::Connect(page) => page.click_map(),
            #[cfg(feature = "online")]
            Page::Lobby(page) => page.click_map(),
            Page::Help(page) => page.click_map(),
            Page::Scoreboard(page) => page.click_map(),
            Page::Stored(page) => page.click_map(),
            Page::Review(page) => page.click_map(),
            Page::Puzzles(page) => page.click_map(),
        };
        let key = click_map.key_at(mouse.column, mouse.row)?;
        Some(Event::Key(key.into()))
    }

    /// Shows a sentence from the background on the page where the user sees it next.
    fn tell(&mut self, sentence: String) {
        if let Some(page) = self.game_mut() {
            page.explain(sentence);
        } else if let Some(Page::Start(page)) = self.pages.first_mut() {
            page.notify(sentence);
        }
    }
}

pub(super) fn is_control_c(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
