//! A thread pool for computations: a fixed number of threads and a bounded queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

pub(super) type Job = Box<dyn FnOnce() + Send>;

/// Runs jobs in order, at low priority: serving comes first when processors are scarce.
#[derive(Clone)]
pub(crate) struct Pool {
    jobs: SyncSender<Job>,
}

/// The queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many computations are waiting")]
pub(crate) struct Busy;

impl Pool {
    /// Starts the threads. They end when the last clone of the pool is dropped.
    #[must_use]
    pub(crate) fn new(name: &str, threads: usize, queue_length: usize) -> Pool {
        let (jobs, queue) = sync_channel::<Job>(queue_length);
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads.max(1) {
            let queue = queue.clone();
            let thread = thread::Builder::new().name(format!("{name} {number}"));
            // Without threads, the queue fills up and the pool is busy.
            if let Err(error) = thread.spawn(move || run_jobs(&queue)) {
                tracing::error!(%error, name, "could not start a thread");
            }
        }
        Pool { jobs }
    }

    /// Queues a job without waiting for it.
    pub(crate) fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Busy> {
        match self.jobs.try_send(Box::new(job)) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(Busy),
        }
    }

    /// Runs a job and waits for its result. Dropping the future skips a job that is still queued.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let (sender, result) = oneshot::channel();
        self.submit(move || {
            if !sender.is_closed() {
                let _ = sender.send(job());
            }
        })?;
        result.await.map_err(|_| Busy)
    }
}

/// The lowest priority: about a hundredth of the processor time of a serving thread.
const LOWEST_PRIORITY: i32 = 19;

/// Lowers the priority of this thread: 0 is that of serving threads. Only Linux has priorities of
/// single threads.
pub(super) fn set_priority(nice: i32) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(nice) {
        tracing::warn!(%error, "could not lower the priority of a compute thread");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}

/// A panic loses the job's result, not the thread.
pub(super) fn run_job(job: Job) {
    drop(catch_unwind(AssertUnwindSafe(job)));
}

fn run_jobs(queue: &Mutex<Receiver<Job>>) {
    set_priority(LOWEST_PRIORITY);
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => run_job(job),
            Err(_) => return,
        }
    }
}
