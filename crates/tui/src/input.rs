//! Threads that turn keys, the mouse and signals into messages.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;

use crossterm::event;

use super::workers::Message;

/// Starts the threads.
pub(crate) fn listen(sender: &Sender<Message>) -> io::Result<()> {
    signals(sender.clone())?;
    let sender = sender.clone();
    thread::spawn(move || {
        loop {
            let message = match event::read() {
                Ok(event) => Message::Input(event),
                Err(_) => Message::InputEnded,
            };
            let ended = matches!(message, Message::InputEnded);
            if sender.send(message).is_err() || ended {
                return;
            }
        }
    });
    Ok(())
}

#[cfg(unix)]
fn signals(sender: Sender<Message>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;
    use std::time::Duration;

    /// How long the screen may take to store the last result and end: a little longer than the
    /// store waits for a locked file.
    const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(12);

    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT])?;
    thread::spawn(move || {
        let mut is_ending = false;
        for signal in signals.forever() {
            let message = match signal {
                SIGTSTP => Message::Suspend,
                SIGCONT => Message::Resume,
                signal => Message::Terminate(signal),
            };
            let is_end = matches!(message, Message::Terminate(_));
            let _ = sender.send(message);
            if is_end && is_ending {
                end(signal);
            } else if is_end {
                is_ending = true;
                thread::spawn(move || {
                    thread::sleep(SHUTDOWN_TIMEOUT);
                    end(signal);
                });
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn signals(_: Sender<Message>) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn end(signal: i32) {
    super::terminal::give_back();
    die(signal);
}

/// Ends the program by the default action of the signal.
#[cfg(unix)]
pub(crate) fn die(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

#[cfg(not(unix))]
pub(crate) fn die(_: i32) {}
