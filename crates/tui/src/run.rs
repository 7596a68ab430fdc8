//! Running the screen in a terminal.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::anyhow;

use super::desk::{Desk, Message};
use super::terminal::Taken;
use super::{Flow, Screen, Setup, input};
use anyhow::Result;

/// Plays in the terminal until the user leaves.
pub fn run(setup: Setup) -> Result<()> {
    let (sender, messages) = channel();
    let mut screen = Screen::new(setup, Desk::new(sender.clone()), Instant::now());
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
        let mut taken = Taken::new()?;
        input::listen(sender)?;
        let end = self.run(&mut taken, messages);
        drop(taken);
        self.close_file(messages);
        if let Flow::Die(signal) = end? {
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
        const MOMENT: Duration = Duration::from_millis(300);
        let Some(books) = &self.setup.books else { return Ok(()) };
        let (must_be_usable, end) = (books.must_be_usable, Instant::now() + MOMENT);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = messages.recv_timeout(left) else { return Ok(()) };
            match message {
                Message::Opened(Err(error)) if must_be_usable => return Err(error),
                message => {
                    let is_opened = matches!(message, Message::Opened(_));
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
        const MOMENT: Duration = Duration::from_secs(1);
        let Some(clerk) = &self.clerk else { return };
        clerk.close();
        let end = Instant::now() + MOMENT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match messages.recv_timeout(left) {
                Ok(Message::Closed) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    /// Draws, waits until something happens, and goes on from there.
    fn run(&mut self, taken: &mut Taken, messages: &Receiver<Message>) -> std::io::Result<Flow> {
        loop {
            let now = Instant::now();
            taken.draw(|frame| self.draw(frame, now))?;
            let mut flow = Flow::Ignore;
            while flow == Flow::Ignore {
                flow = match self.wait(messages) {
                    Some(message) => self.handle(message, Instant::now()),
                    None => Flow::Draw,
                };
            }
            // Whatever else has come by now is drawn together with it.
            while flow == Flow::Draw {
                match messages.try_recv() {
                    Ok(message) => {
                        flow = match self.handle(message, Instant::now()) {
                            Flow::Ignore => Flow::Draw,
                            flow => flow,
                        }
                    }
                    Err(_) => break,
                }
            }
            match flow {
                Flow::Ignore | Flow::Draw => {}
                Flow::Redraw => taken.redraw()?,
                Flow::Resume => taken.take_again()?,
                Flow::Suspend(whom) => taken.suspend(whom)?,
                Flow::Quit | Flow::Die(_) => return Ok(flow),
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
