//! The terminal: taking it over, and giving it back however the program ends.

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

/// Whether the terminal is ours, so that it is given back once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. It is given back when this is dropped.
pub(crate) struct TerminalGuard {
    terminal: Terminal<CrosstermBackend<Ansi16<Stdout>>>,
}

impl TerminalGuard {
    pub(crate) fn new() -> io::Result<TerminalGuard> {
        give_back_on_panic();
        take()?;
        match Terminal::new(CrosstermBackend::new(Ansi16::new(stdout()))) {
            Ok(terminal) => Ok(TerminalGuard { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Draws, and lets the terminal show all of it at once.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        execute!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            draw(frame);
            emoji::settle(frame.buffer_mut());
        })?;
        execute!(stdout(), EndSynchronizedUpdate)
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
    pub(crate) fn suspend(&mut self, whom: SuspendTarget) -> io::Result<()> {
        give_back();
        stop(whom)?;
        self.take_again()
    }
}

/// Who is to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SuspendTarget {
    /// This program: those who started it have heard for themselves.
    Program,
    /// Everyone whom the terminal would stop, such as whoever started this program and waits for
    /// it, so that the shell comes back.
    Group,
}

#[cfg(unix)]
fn stop(whom: SuspendTarget) -> io::Result<()> {
    use rustix::process::{Signal, kill_current_process_group};
    match whom {
        SuspendTarget::Program => {
            signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
        }
        // Not the signal that asks for it, which is heard as a wish to suspend.
        SuspendTarget::Group => Ok(kill_current_process_group(Signal::STOP)?),
    }
}

#[cfg(not(unix))]
fn stop(_: SuspendTarget) -> io::Result<()> {
    Ok(())
}

impl Drop for TerminalGuard {
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
        EndSynchronizedUpdate,
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

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;
    use std::process::Command;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::*;

    /// What is set where this program is run again by a test, to panic in a terminal.
    const PANIC: &str = "NOUGHTS_TEST_PANIC";

    /// Not a test of its own: it panics, in the way that its caller asks for.
    #[test]
    fn panicking_program() {
        let Ok(way) = std::env::var(PANIC) else { return };
        let _taken = TerminalGuard::new().unwrap();
        match way.as_str() {
            "here" => panic!("as it was asked to"),
            _ => std::thread::spawn(|| panic!("as it was asked to")).join().unwrap(),
        }
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_is_reported() {
        for way in ["here", "behind the screen"] {
            let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
            let pair = native_pty_system().openpty(size).unwrap();
            let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
            command.args(["--exact", "terminal::tests::panicking_program", "--nocapture"]);
            command.env(PANIC, way);
            command.env("TERM", "xterm");
            let mut reader = pair.master.try_clone_reader().unwrap();
            let reading = std::thread::spawn(move || {
                let mut output = Vec::new();
                // The end of a pseudo-terminal is an error on some systems.
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
