//! The terminal: taking it over, and giving it back however the program ends.

use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

/// Whether the terminal is ours, so that it is given back once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. It is given back when this is dropped.
pub(crate) struct Taken {
    pub(crate) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Taken {
    pub(crate) fn new() -> io::Result<Taken> {
        give_back_on_panic();
        take()?;
        match Terminal::new(CrosstermBackend::new(stdout())) {
            Ok(terminal) => Ok(Taken { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Takes the terminal again, and draws everything anew the next time.
    pub(crate) fn take_again(&mut self) -> io::Result<()> {
        take()?;
        self.redraw()
    }

    /// Draws everything anew the next time, whatever others have left on the screen.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        // `clear` would ask the terminal where its cursor is, and the answer would go to the
        // thread that reads the keys.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Gives the terminal back, waits until the program is told to go on, and takes it again.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        self.take_again()
    }

    #[cfg(not(unix))]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    let taken = enable_raw_mode().and_then(|()| {
        execute!(
            stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste,
            cursor::Hide
        )
    });
    if taken.is_err() {
        give_back();
    }
    taken
}

/// Leaves the terminal as it was found. Where that is not possible there is nobody to tell.
pub(crate) fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// Gives the terminal back before a panic is reported. One in a thread that works behind the
/// screen ends the program as well: there would be nobody to answer for it.
fn give_back_on_panic() {
    let main = std::thread::current().id();
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        give_back();
        report(info);
        if std::thread::current().id() != main {
            std::process::exit(101);
        }
    }));
}
