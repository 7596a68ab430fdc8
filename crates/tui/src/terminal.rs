//! Takes over the terminal, and restores it however the program ends.

use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::backend::CrosstermBackend;

use ratatui::{Frame, Terminal};

use super::ansi16::Ansi16;
use super::emoji;

/// Whether the terminal is taken over, so that it is restored once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal in raw mode on its alternate screen. Dropping this restores it.
pub(crate) struct TerminalGuard {
    terminal: Terminal<CrosstermBackend<Ansi16<Stdout>>>,
    /// The title of the window, if it was set.
    #[cfg(feature = "online")]
    title: Option<&'static str>,
}

impl TerminalGuard {
    pub(crate) fn new() -> io::Result<TerminalGuard> {
        give_back_on_panic();
        take()?;
        match Terminal::new(CrosstermBackend::new(Ansi16::new(stdout()))) {
            Ok(terminal) => Ok(TerminalGuard {
                terminal,
                #[cfg(feature = "online")]
                title: None,
            }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Draws a frame as one synchronized update.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        execute!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            draw(frame);
            emoji::normalise_emoji(frame.buffer_mut());
        })?;
        execute!(stdout(), EndSynchronizedUpdate)
    }

    /// Sets the title of the window.
    #[cfg(feature = "online")]
    pub(crate) fn set_title(&mut self, title: &'static str) -> io::Result<()> {
        if self.title.replace(title) == Some(title) {
            return Ok(());
        }
        execute!(stdout(), crossterm::terminal::SetTitle(title))
    }

    /// Resets the title of the window, if it was set.
    #[cfg(feature = "online")]
    pub(crate) fn reset_title(&mut self) -> io::Result<()> {
        match self.title.take() {
            // The shell sets its own title again.
            Some(_) => execute!(stdout(), crossterm::terminal::SetTitle("")),
            None => Ok(()),
        }
    }

    /// Rings the bell.
    #[cfg(feature = "online")]
    pub(crate) fn ring(&self) -> io::Result<()> {
        stdout().write_all(b"\x07")?;
        stdout().flush()
    }

    /// Takes over the terminal again after it was restored.
    pub(crate) fn take_again(&mut self) -> io::Result<()> {
        take()?;
        self.redraw()
    }

    /// Makes the next frame draw every cell, whatever is on the screen.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        // `clear` would ask the terminal for its cursor position, and the input thread would
        // receive the answer.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Restores the terminal, stops until continued, and takes it over again.
    pub(crate) fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()> {
        give_back();
        stop(whom)?;
        self.take_again()
    }
}

/// What a suspension stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SuspendTarget {
    /// This process: the signal came from outside, and others got their own.
    Program,
    /// The process group, as the terminal would, so that the shell returns.
    Group,
}

#[cfg(unix)]
fn stop(whom: SuspendTarget) -> io::Result<()> {
    use rustix::process::{Signal, kill_current_process_group};
    match whom {
        SuspendTarget::Program => {
            signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
        }
        // Not SIGTSTP, which this program handles as a request to suspend.
        SuspendTarget::Group => Ok(kill_current_process_group(Signal::STOP)?),
    }
}

#[cfg(not(unix))]
fn stop(_: SuspendTarget) -> io::Result<()> {
    Ok(())
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        #[cfg(feature = "online")]
        let _ = self.reset_title();
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

/// Restores the terminal. Errors are ignored because there is nowhere to report them.
pub(crate) fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// Restores the terminal before a panic is reported. A panic on another thread ends the program as
/// well, because the screen would wait for it in vain.
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

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;
    use std::process::Command;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::*;

    /// Set when a test runs this binary again to panic in a terminal.
    const PANIC: &str = "NOUGHTS_TEST_PANIC";

    /// Helper process of the test below: panics on demand.
    #[test]
    fn panic_helper_process() {
        let Ok(way) = std::env::var(PANIC) else { return };
        let _taken = TerminalGuard::new().unwrap();
        match way.as_str() {
            "here" => panic!("as it was asked to"),
            _ => std::thread::spawn(|| panic!("as it was asked to")).join().unwrap(),
        }
    }

    #[test]
    fn panic_restores_terminal_before_report() {
        for way in ["here", "behind the screen"] {
            let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
            let pair = native_pty_system().openpty(size).unwrap();
            let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
            command.args(["--exact", "terminal::tests::panic_helper_process", "--nocapture"]);
            command.env(PANIC, way);
            command.env("TERM", "xterm");
            let mut reader = pair.master.try_clone_reader().unwrap();
            let reading = std::thread::spawn(move || {
                let mut output = Vec::new();
                // Some systems report the end of a pseudo-terminal as an error.
                let _ = reader.read_to_end(&mut output);
                String::from_utf8_lossy(&output).into_owned()
            });
            let status = pair.slave.spawn_command(command).unwrap().wait().unwrap();
            assert!(!status.success());
            let path = pair.master.tty_name().unwrap();
            let modes = Command::new("sh")
                .args(["-c", "stty -a < \"$0\""])
                .arg(path)
                .output()
                .expect("stty is there");
            let modes = String::from_utf8_lossy(&modes.stdout).into_owned();
            assert!(modes.contains(" icanon") && modes.contains(" echo "), "{modes}");
            drop(pair);
            let output = reading.join().unwrap();
            let (given_back, reported) =
                (output.find("\u{1b}[?1049l").unwrap(), output.find("as it was asked to").unwrap());
            assert!(given_back < reported, "{output:?}");
        }
    }
}
