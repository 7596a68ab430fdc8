//! Threads for computing, apart from those that serve: a fixed number, with a queue that is bounded.
//! Where there are too few processors for all, they give way to those that serve.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that compute what they are given, in order.
#[derive(Clone)]
pub(crate) struct Pool {
    jobs: SyncSender<Job>,
}

/// So much waits already that it makes no sense to wait behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too much is waiting to be computed: try again later")]
pub(crate) struct Busy;

impl Pool {
    /// So many threads, and a queue so long. The threads end when the last clone is dropped.
    #[must_use]
    pub(crate) fn new(name: &str, threads: usize, queue: usize) -> Pool {
        let (jobs, waiting) = sync_channel::<Job>(queue);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..threads.max(1) {
            let waiting = waiting.clone();
            let named = thread::Builder::new().name(format!("{name} {number}"));
            // Without a thread the queue fills up and says so.
            if let Err(error) = named.spawn(move || work(&waiting)) {
                tracing::error!(%error, name, "could not start a thread");
            }
        }
        Pool { jobs }
    }

    /// Has something computed, without waiting for it.
    pub(crate) fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Busy> {
        match self.jobs.try_send(Box::new(job)) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(Busy),
        }
    }

    /// Has something computed and waits for it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let (answer, answered) = oneshot::channel();
        self.submit(move || {
            // Whoever asked may have gone, and then nobody needs the answer.
            if !answer.is_closed() {
                let _ = answer.send(job());
            }
        })?;
        answered.await.map_err(|_| Busy)
    }
}

/// As far behind as there is: little more than a hundredth of what a thread that serves gets, where
/// both want the same processor.
#[cfg(target_os = "linux")]
const NICE: i32 = 19;

/// Gives way to other threads. Linux knows that of single threads, and others of whole programs only.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::warn!(%error, "computing does not give way to serving");
    }
}

fn work(waiting: &Mutex<Receiver<Job>>) {
    give_way();
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            // A job that panics costs its own answer, not the thread.
            Ok(job) => drop(std::panic::catch_unwind(std::panic::AssertUnwindSafe(job))),
            Err(_) => return,
        }
    }
}
