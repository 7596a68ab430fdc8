//! What is said between this program and an engine.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A log of the lines to (`>`) and from (`<`) an engine, and of its errors (`!`), with the seconds since
/// the log began. A log that can't be written is given up: the game is more important.
#[derive(Clone)]
pub struct EngineLog {
    begin: Instant,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
}

impl EngineLog {
    /// A log into a file or anything else that can be written.
    pub fn new(writer: impl Write + Send + 'static) -> EngineLog {
        EngineLog { begin: Instant::now(), writer: Arc::new(Mutex::new(Box::new(writer))) }
    }

    pub(super) fn sent(&self, line: &str) {
        self.write('>', line);
    }

    pub(super) fn received(&self, line: &str) {
        self.write('<', line);
    }

    pub(super) fn failed(&self, line: &str) {
        self.write('!', line);
    }

    fn write(&self, direction: char, line: &str) {
        let seconds = self.begin.elapsed().as_secs_f64();
        let text = format!("{seconds:9.3} {direction} {}\n", line.trim_end());
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            *writer = Box::new(std::io::sink());
        }
    }
}

impl fmt::Debug for EngineLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineLog").finish_non_exhaustive()
    }
}
