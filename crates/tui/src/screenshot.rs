//! A screenshot as text, for the documentation.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use noughts_engine::PlayerKind;
use noughts_rules::Rules;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr;

use super::workers::{Message, Workers};
use super::{ComputerSettings, FirstPage, GameOptions, Keys, PlayerOptions, Screen, Setup, Theme};

/// A game with the analysis shown.
pub fn screenshot() -> String {
    let player = |name: &str| PlayerOptions {
        kind: PlayerKind::HUMAN,
        name: Some(name.to_string()),
        symbol: None,
    };
    let setup = Setup {
        theme: Theme::new(false, true),
        options: GameOptions {
            players: vec![player("Ann"), player("Bob")],
            ..GameOptions::of(Rules::classic())
        },
        first: FirstPage::Play(None),
        computers: ComputerSettings { threads: 1, seed: 1 },
        storage: None,
        options_file: None,
        notice: None,
        bell: true,
        keys: Keys::default(),
    };
    let (sender, messages) = channel();
    let now = Instant::now();
    let mut screen = Screen::new(setup, Workers::new(sender), now);
    for key in "b2a1c2v".chars() {
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
        screen.handle(Message::Input(Event::Key(key)), now);
    }
    if let Ok(message) = messages.recv() {
        screen.handle(message, now);
    }
    let Ok(mut terminal) = Terminal::new(TestBackend::new(80, 24));
    // Drawn twice, so that the Enter guard has expired.
    for now in [now, now + Duration::from_secs(1)] {
        let Ok(_) = terminal.draw(|frame| screen.draw(frame, now));
    }
    text(terminal.backend().buffer())
}

/// The characters of a buffer without styles.
pub(crate) fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut text = String::new();
    for y in area.rows().map(|row| row.y) {
        let mut line = String::new();
        let mut x = area.x;
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            // A wide symbol covers the cell after it.
            x += symbol.width().max(1) as u16;
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
