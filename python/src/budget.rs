//! Limits of searches, and searches that Ctrl-C interrupts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use noughts_engine::Budget;
use pyo3::prelude::*;

use crate::errors::value_error;

/// How often a search lets Python handle signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The budget of a search.
pub(crate) fn budget(nodes: Option<u64>, seconds: Option<f64>, threads: usize) -> PyResult<Budget> {
    let mut budget = Budget::unlimited().with_threads(threads);
    if let Some(nodes) = nodes {
        budget = budget.with_nodes(nodes);
    }
    if let Some(seconds) = seconds {
        budget = budget.with_time(Duration::try_from_secs_f64(seconds).map_err(value_error)?);
    }
    Ok(budget)
}

/// Runs a search on another thread, without the interpreter's lock, until it ends or Python raises
/// an exception for a signal.
pub(crate) fn run_search<T: Send>(
    py: Python<'_>,
    budget: Budget,
    search: impl FnOnce(&Budget) -> T + Send,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let budget = budget.with_stop(Arc::clone(&stop));
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel::<()>(0);
            let thread = scope.spawn(move || {
                // Dropped when the search ends or panics.
                let _running = sender;
                search(&budget)
            });
            let mut interrupted = Ok(());
            while receiver.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| py.check_signals());
                    stop.store(interrupted.is_err(), Ordering::Relaxed);
                }
            }
            let result = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map(|()| result)
        })
    })
}
