//! The main loop of the screen in a terminal.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::anyhow;

#[cfg(feature = "online")]
use super::Page;
use super::terminal::TerminalGuard;
use super::workers::{Message, Workers};
use super::{LoopAction, Screen, Setup, input};
use anyhow::Result;

/// What is said after leaving an unfinished game.
const KEPT: &str = "The game is kept: `noughts play --continue` goes on with it.";

/// Plays in the terminal until the user leaves.
pub fn run(setup: Setup) -> Result<()> {
    let (sender, messages) = channel();
    let mut screen = Screen::new(setup, Workers::new(sender.clone()), Instant::now());
    screen.wait_for_file(&messages)?;
    screen.run_in_terminal(&sender, &messages)
}

impl Screen {
    /// Takes over the terminal and runs the main loop.
    pub(super) fn run_in_terminal(
        &mut self,
        sender: &Sender<Message>,
        messages: &Receiver<Message>,
    ) -> Result<()> {
        let mut terminal = TerminalGuard::new()?;
        input::listen(sender)?;
        let end = self.run(&mut terminal, messages);
        drop(terminal);
        self.close_file(messages);
        if let LoopAction::Die(signal) = end? {
            input::die(signal);
        }
        if self.keeps_a_game() {
            println!("{KEPT}");
        }
        #[cfg(feature = "online")]
        if let Some(farewell) = self.online().and_then(|page| page.farewell()) {
            println!("{farewell}");
        }
        match self.failure.take() {
            Some(reason) => Err(anyhow!(reason)),
            None => Ok(()),
        }
    }

    /// Waits briefly until the storage file is open. An error about a file that was named on the
    /// command line is better reported before the screen is terminal over.
    fn wait_for_file(&mut self, messages: &Receiver<Message>) -> Result<()> {
        const OPEN_TIMEOUT: Duration = Duration::from_millis(300);
        let Some(storage) = &self.setup.storage else { return Ok(()) };
        let (must_be_usable, end) = (storage.must_be_usable, Instant::now() + OPEN_TIMEOUT);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = messages.recv_timeout(left) else { return Ok(()) };
            match message {
                Message::StorageOpened(Err(error)) if must_be_usable => return Err(error),
                message => {
                    let is_opened = matches!(message, Message::StorageOpened(_));
                    self.handle(message, Instant::now());
                    if is_opened {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Waits briefly until the storage file is closed. Results are stored already.
    fn close_file(&self, messages: &Receiver<Message>) {
        const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
        let Some(storage) = &self.storage else { return };
        storage.close();
        let end = Instant::now() + CLOSE_TIMEOUT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match messages.recv_timeout(left) {
                Ok(Message::StorageClosed) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    /// The main loop: draw, wait for a message, handle it.
    fn run(
        &mut self,
        terminal: &mut TerminalGuard,
        messages: &Receiver<Message>,
    ) -> std::io::Result<LoopAction> {
        loop {
            let now = Instant::now();
            terminal.draw(|frame| self.draw(frame, now))?;
            #[cfg(feature = "online")]
            self.announce_turn(terminal)?;
            let mut action = LoopAction::Ignore;
            while action == LoopAction::Ignore {
                action = match self.wait(messages) {
                    Some(message) => self.handle(message, Instant::now()),
                    None => LoopAction::Draw,
                };
            }
            // Messages that are already there are drawn together.
            while action == LoopAction::Draw {
                match messages.try_recv() {
                    Ok(message) => {
                        action = match self.handle(message, Instant::now()) {
                            LoopAction::Ignore => LoopAction::Draw,
                            action => action,
                        }
                    }
                    Err(_) => break,
                }
            }
            match action {
                LoopAction::Ignore | LoopAction::Draw => {}
                LoopAction::Redraw => terminal.redraw()?,
                LoopAction::Resume => terminal.take_again()?,
                LoopAction::Suspend(whom) => terminal.suspend(whom)?,
                LoopAction::Quit | LoopAction::Die(_) => return Ok(action),
            }
            self.tick(Instant::now());
        }
    }

    /// Rings when it becomes the user's turn in an online game, and says it in the window's title.
    #[cfg(feature = "online")]
    fn announce_turn(&mut self, terminal: &mut TerminalGuard) -> std::io::Result<()> {
        let has_bell = self.setup.bell;
        let (mut rings, mut title) = (false, None);
        for page in &mut self.pages {
            match page {
                Page::Online(page) => {
                    rings |= page.take_bell();
                    title = Some(page.window_title());
                }
                Page::Lobby(page) => {
                    rings |= page.take_bell();
                    title = Some(page.window_title());
                }
                _ => {}
            }
        }
        match title {
            Some(title) => terminal.set_title(title)?,
            None => terminal.reset_title()?,
        }
        if rings && has_bell { terminal.ring() } else { Ok(()) }
    }

    /// The next message; `None` when the screen changes without one.
    fn wait(&self, messages: &Receiver<Message>) -> Option<Message> {
        match self.next_change(Instant::now()) {
            None => Some(messages.recv().unwrap_or(Message::InputEnded)),
            Some(wait) => match messages.recv_timeout(wait) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Message::InputEnded),
            },
        }
    }
}
