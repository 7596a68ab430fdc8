//! A terminal for the program to run in: a pseudo-terminal, and an emulator that knows what is on
//! its screen.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use portable_pty::{
    Child, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system,
};
use tempfile::TempDir;
use vt100::{MouseProtocolMode, Parser};

const PROGRAM: &str = env!("CARGO_BIN_EXE_noughts");

/// How long something that a test waits for may take on a busy machine.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    seen: Arc<Seen>,
    child: Box<dyn Child + Send + Sync>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    master: Box<dyn MasterPty + Send>,
    /// Kept open, so that the modes of the terminal can be looked at after the program has ended.
    _slave: Box<dyn SlavePty + Send>,
    /// `None` once it was taken for another start.
    folder: Option<TempDir>,
}

/// What the program has written, as a terminal shows it.
struct Seen {
    parser: Mutex<Parser>,
    /// All bytes that the program wrote, including those that leave nothing on the screen.
    written: Mutex<Vec<u8>>,
    changed: Condvar,
}

/// How to start the program.
pub(crate) struct Start<'a> {
    pub(crate) arguments: &'a str,
    /// Columns and rows.
    pub(crate) size: (u16, u16),
    pub(crate) environment: &'a [(&'a str, &'a str)],
}

impl Start<'_> {
    pub(crate) fn run(&self) -> Terminal {
        self.run_in(tempfile::tempdir().expect("a folder for the data"))
    }

    /// Starts the program with the data of an earlier start.
    pub(crate) fn run_in(&self, folder: TempDir) -> Terminal {
        self.spawn(CommandBuilder::new(PROGRAM), folder)
    }

    /// Starts the program by a shell script that ends with `exec "$0" "$@"`.
    pub(crate) fn run_by_script(&self, script: &str, folder: TempDir) -> Terminal {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script, PROGRAM]);
        self.spawn(command, folder)
    }

    fn spawn(&self, mut command: CommandBuilder, folder: TempDir) -> Terminal {
        let pair = native_pty_system().openpty(pty_size(self.size)).expect("a pseudo-terminal");
        command.args(self.arguments.split_whitespace());
        command.cwd(folder.path());
        command.env("NOUGHTS_DATA", folder.path().join("noughts.db"));
        command.env("NOUGHTS_SETTINGS", folder.path().join("settings.toml"));
        command.env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "NOUGHTS_PLAIN", "NOUGHTS_ASCII", "LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        for (name, value) in self.environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let (cols, rows) = self.size;
        let parser = Parser::new(nonzero(rows), nonzero(cols), 0);
        let (parser, written) = (Mutex::new(parser), Mutex::default());
        let seen = Arc::new(Seen { parser, written, changed: Condvar::new() });
        let writer = Arc::new(Mutex::new(pair.master.take_writer().expect("its input")));
        let reader = pair.master.try_clone_reader().expect("its output");
        watch(reader, seen.clone(), writer.clone());
        Terminal {
            seen,
            child,
            writer,
            master: pair.master,
            _slave: pair.slave,
            folder: Some(folder),
        }
    }
}

/// Shows what the program writes, and answers when it asks where the cursor is. What belongs
/// together, by the marks of synchronized output, is shown together.
fn watch(
    mut reader: Box<dyn Read + Send>,
    seen: Arc<Seen>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
) {
    const WHERE_IS_THE_CURSOR: &[u8] = b"\x1b[6n";
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        let mut waiting: Vec<u8> = Vec::new();
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            waiting.extend(&bytes[..count]);
            seen.written.lock().expect("nobody panicked with it").extend(&bytes[..count]);
            let shown: Vec<u8> = waiting.drain(..complete(&waiting)).collect();
            let mut parser = seen.parser.lock().expect("nobody panicked with it");
            parser.process(&shown);
            let (row, col) = parser.screen().cursor_position();
            drop(parser);
            if find(&shown, WHERE_IS_THE_CURSOR).is_some() {
                let answer = format!("\x1b[{};{}R", row + 1, col + 1);
                let mut writer = writer.lock().expect("nobody panicked with it");
                let _ = writer.write_all(answer.as_bytes());
            }
            seen.changed.notify_all();
        }
    });
}

/// How many of these bytes can be shown: all that are before an update that is not complete.
fn complete(bytes: &[u8]) -> usize {
    const BEGIN: &[u8] = b"\x1b[?2026h";
    const END: &[u8] = b"\x1b[?2026l";
    let mut shown = 0;
    while let Some(begin) = find(&bytes[shown..], BEGIN) {
        match find(&bytes[shown + begin..], END) {
            Some(end) => shown += begin + end + END.len(),
            None => return shown + begin,
        }
    }
    // The first bytes of a mark may be the last that have come.
    let cut = (1..BEGIN.len()).find(|&cut| bytes[shown..].ends_with(&BEGIN[..cut]));
    bytes.len() - cut.unwrap_or(0)
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// The program in a terminal of the usual size.
pub(crate) fn noughts_in_terminal(arguments: &str) -> Terminal {
    Start { arguments, size: (80, 24), environment: &[] }.run()
}

impl Terminal {
    /// Where the data is, and files that are saved without a folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.as_ref().expect("the folder is still here").path()
    }

    /// Kills the program as `kill -9` does, and keeps its data for another start.
    pub(crate) fn kill(mut self) -> TempDir {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.folder.take().expect("the folder is still here")
    }

    /// Waits for the end of the program, and keeps its data for another start.
    pub(crate) fn end_and_keep(mut self) -> TempDir {
        assert!(self.end().success());
        self.keep()
    }

    /// Keeps the data of a program that has ended.
    pub(crate) fn keep(mut self) -> TempDir {
        self.folder.take().expect("the folder is still here")
    }

    /// Types keys as a terminal sends them.
    pub(crate) fn send(&self, keys: &str) {
        self.send_bytes(keys.as_bytes());
    }

    pub(crate) fn send_bytes(&self, bytes: &[u8]) {
        let mut writer = self.writer.lock().expect("nobody panicked with it");
        writer.write_all(bytes).expect("the terminal is there");
        writer.flush().expect("the terminal is there");
    }

    /// Clicks at a place, counted from 0.
    pub(crate) fn click(&self, (col, row): (u16, u16)) {
        let (x, y) = (col + 1, row + 1);
        self.send(&format!("\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"));
    }

    pub(crate) fn resize(&self, size: (u16, u16)) {
        let mut parser = self.parser();
        parser.set_size(nonzero(size.1), nonzero(size.0));
        self.master.resize(pty_size(size)).expect("the terminal is there");
    }

    fn parser(&self) -> MutexGuard<'_, Parser> {
        self.seen.parser.lock().expect("nobody panicked with it")
    }

    /// Waits until something holds of the screen.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        let mut parser = self.parser();
        while !holds(parser.screen()) {
            let left = TEST_TIMEOUT.saturating_sub(start.elapsed());
            if left.is_zero() {
                let shown = parser.screen().contents();
                drop(parser);
                panic!("waited in vain for {what}:\n{shown}");
            }
            let waited = self.seen.changed.wait_timeout(parser, left);
            parser = waited.expect("nobody panicked with it").0;
        }
    }

    /// Waits until all of these texts are on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, texts: &[&str]) {
        self.wait_until(&format!("{texts:?}"), |screen| {
            let shown = screen.contents();
            texts.iter().all(|text| shown.contains(text))
        });
    }

    /// Waits until the program has written something that may leave nothing on the screen.
    #[cfg(all(feature = "online", feature = "server"))]
    #[track_caller]
    pub(crate) fn wait_for_bytes(&self, bytes: &str) {
        self.wait_until(&format!("{bytes:?}"), |_| {
            let written = self.seen.written.lock().expect("nobody panicked with it");
            find(&written, bytes.as_bytes()).is_some()
        });
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.parser().screen())
    }

    /// Where a text is on the screen: column and row of its first character.
    #[track_caller]
    pub(crate) fn find(&self, text: &str) -> (u16, u16) {
        let found = self.look(|screen| {
            let (_, cols) = screen.size();
            let rows: Vec<String> = screen.rows(0, cols.get()).collect();
            let row = rows.iter().position(|row| row.contains(text))?;
            let starts = |col: &u16| {
                let rest = screen.rows(*col, cols.get() - *col).nth(row);
                rest.is_some_and(|rest| rest.starts_with(text))
            };
            Some(((0..cols.get()).find(starts)?, row as u16))
        });
        found.unwrap_or_else(|| panic!("{text:?} is not there:\n{}", self.look(|s| s.contents())))
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.process_id().expect("it runs").to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(sent.expect("`kill` is there").success());
    }

    /// What the kernel says of the program: `T` where it is stopped.
    pub(crate) fn state(&self) -> String {
        let pid = self.child.process_id().expect("it runs").to_string();
        let output = Command::new("ps").args(["-o", "state=", "-p", &pid]).output();
        String::from_utf8_lossy(&output.expect("`ps` is there").stdout).trim().to_string()
    }

    /// Waits for the end of the program.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            if start.elapsed() > TEST_TIMEOUT {
                let _ = self.child.kill();
                panic!("the program does not end:\n{}", self.look(|screen| screen.contents()));
            }
            std::thread::yield_now();
        }
    }

    /// Waits until the screen and the modes of the terminal are as they were.
    #[track_caller]
    pub(crate) fn is_given_back(&self) {
        self.wait_until("the terminal to be given back", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == MouseProtocolMode::None
        });
        let modes = self.modes();
        assert!(modes.contains(" icanon") && modes.contains(" echo "), "{modes}");
    }

    pub(crate) fn modes(&self) -> String {
        let path = self.master.tty_name().expect("it has a name");
        let stty = Command::new("sh").args(["-c", "stty -a < \"$0\""]).arg(path).output();
        String::from_utf8_lossy(&stty.expect("`stty` is there").stdout).into_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn nonzero(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("a window has a size")
}
