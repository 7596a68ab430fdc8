//! Running the screen in a terminal.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::anyhow;

use super::terminal::TerminalGuard;
use super::workers::{Message, Workers};
use super::{LoopAction, Screen, Setup, input};
use anyhow::Result;

/// Plays in the terminal until the user leaves.
pub fn run(setup: Setup) -> Result<()> {
    let (sender, messages) = channel();
    let mut screen = Screen::new(setup, Workers::new(sender.clone()), Instant::now());
    screen.wait_for_file(&messages)?;
    screen.run_in_terminal(&sender, &messages)
}

impl Screen {
    /// Takes the terminal, and gives it back at the end.
    pub(super) fn run_in_terminal(
        &mut self,
        sender: &Sender<Message>,
        messages: &Receiver<Message>,
    ) -> Result<()> {
        let mut taken = TerminalGuard::new()?;
        input::listen(sender)?;
        let end = self.run(&mut taken, messages);
        drop(taken);
        self.close_file(messages);
        if let LoopAction::Die(signal) = end? {
            input::die(signal);
        }
        match self.failure.take() {
            Some(reason) => Err(anyhow!(reason)),
            None => Ok(()),
        }
    }

    /// Waits for a moment until the file with the games is open, which it usually is by then. A
    /// file that was asked for and can't be used is better told of before the screen is taken.
    fn wait_for_file(&mut self, messages: &Receiver<Message>) -> Result<()> {
        const ENTER_DELAY: Duration = Duration::from_millis(300);
        let Some(storage) = &self.setup.storage else { return Ok(()) };
        let (must_be_usable, end) = (storage.must_be_usable, Instant::now() + ENTER_DELAY);
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

    /// Waits for a moment until the file with the games is closed. What is stored is stored anyway.
    fn close_file(&self, messages: &Receiver<Message>) {
        const ENTER_DELAY: Duration = Duration::from_secs(1);
        let Some(storage) = &self.storage else { return };
        storage.close();
        let end = Instant::now() + ENTER_DELAY;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match messages.recv_timeout(left) {
                Ok(Message::StorageClosed) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    /// Draws, waits until something happens, and goes on from there.
    fn run(
        &mut self,
        taken: &mut TerminalGuard,
        messages: &Receiver<Message>,
    ) -> std::io::Result<LoopAction> {
        loop {
            let now = Instant::now();
            taken.draw(|frame| self.draw(frame, now))?;
            let mut action = LoopAction::Ignore;
            while action == LoopAction::Ignore {
                action = match self.wait(messages) {
                    Some(message) => self.handle(message, Instant::now()),
                    None => LoopAction::Draw,
                };
            }
            // Whatever else has come by now is drawn together with it.
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
                LoopAction::Redraw => taken.redraw()?,
                LoopAction::Resume => taken.take_again()?,
                LoopAction::Suspend(whom) => taken.suspend(whom)?,
                LoopAction::Quit | LoopAction::Die(_) => return Ok(action),
            }
            self.tick(Instant::now());
        }
    }

    /// The next message, or `None` when it is time to draw although there is none.
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
