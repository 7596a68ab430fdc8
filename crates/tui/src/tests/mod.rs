//! Tests of the screen without a terminal: keys in, text out.

mod analysis;
mod family;
mod play;
mod start;
mod store;
mod windows;

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use noughts_rules::{Game, Rules};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::start::StartPage;
use crate::terminal::SuspendTarget;
use crate::workers::{Message, Workers};
use noughts_play::{Counting, Database};

/// Generous, because test machines are busy.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A screen, its messages, and a clock that only tests advance.
struct TestScreen {
    screen: Screen,
    messages: Receiver<Message>,
    terminal: Terminal<TestBackend>,
    now: Instant,
}

fn setup(rules: &str, kinds: &str) -> Setup {
    let rules: Rules = rules.parse().unwrap();
    let player =
        |kind: &str| PlayerOptions { kind: kind.parse().unwrap(), name: None, symbol: None };
    Setup {
        theme: Theme::new(false, true),
        options: GameOptions {
            players: kinds.split(',').map(player).collect(),
            ..GameOptions::of(rules)
        },
        first: FirstPage::Play(None),
        computers: ComputerSettings { threads: 1, seed: 1 },
        storage: None,
        options_file: None,
        notice: None,
        bell: true,
        keys: Keys::default(),
    }
}

/// With a storage file.
fn stored(setup: Setup, file: &Path) -> Setup {
    let storage = StorageOptions { path: file.to_path_buf(), must_be_usable: true };
    Setup {
        storage: Some(storage),
        options_file: Some(file.with_extension("choice.json")),
        ..setup
    }
}

fn stage(setup: Setup) -> TestScreen {
    let (sender, messages) = channel();
    let now = Instant::now();
    let screen = Screen::new(setup, Workers::new(sender), now);
    let terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    TestScreen { screen, messages, terminal, now }
}

impl TestScreen {
    fn key(&mut self, code: KeyCode) -> LoopAction {
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        // Drawn after every key, as in a terminal.
        let action = self.screen.handle(Message::Input(event), self.now);
        self.shown();
        action
    }

    /// Advances the clock past the Enter guard.
    fn pause(&mut self) {
        self.now += game::ENTER_DELAY;
    }

    fn press(&mut self, codes: &[KeyCode]) {
        for &code in codes {
            self.key(code);
        }
    }

    fn type_text(&mut self, text: &str) {
        text.chars().for_each(|c| {
            self.key(KeyCode::Char(c));
        });
    }

    fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.screen.handle(Message::Input(Event::Mouse(mouse)), self.now);
        self.shown();
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.screen.handle(Message::Input(Event::Resize(width, height)), self.now);
        self.shown();
    }

    /// The text on the screen.
    fn shown(&mut self) -> String {
        self.terminal.draw(|frame| self.screen.draw(frame, self.now)).unwrap();
        screenshot::text(self.terminal.backend().buffer())
    }

    /// Waits until the storage file is open.
    fn wait_until_opened(&mut self) {
        loop {
            let message = self.messages.recv_timeout(TEST_TIMEOUT).expect("an answer");
            let is_opened = matches!(message, Message::StorageOpened(Ok(())));
            self.screen.handle(message, self.now);
            if is_opened {
                return;
            }
        }
    }

    /// Handles messages until the screen shows this text.
    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        while !self.shown().contains(text) {
            match self.messages.recv_timeout(TEST_TIMEOUT) {
                Ok(message) => self.screen.handle(message, self.now),
                Err(_) => panic!("waited for {text:?} in vain:\n{}", self.shown()),
            };
        }
    }

    #[track_caller]
    fn assert_shows(&mut self, texts: &[&str]) {
        let shown = self.shown();
        for text in texts {
            assert!(shown.contains(text), "{text:?} is not there:\n{shown}");
        }
    }

    #[track_caller]
    fn assert_hides(&mut self, text: &str) {
        let shown = self.shown();
        assert!(!shown.contains(text), "{text:?} is there:\n{shown}");
    }
}
