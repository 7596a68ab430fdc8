//! Parallel work whose results are consumed in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Makes the items `first` to `count` on several threads and passes them to `take` in order, until it
/// breaks or fails. The outcome does not depend on the number of threads.
///
/// `stop` may be set to end early, and is set when `take` does; a maker that sees it may return `None`.
pub(crate) fn run_in_order<T: Send, E>(
    first: u64,
    count: u64,
    threads: usize,
    stop: &AtomicBool,
    make: impl Fn(u64) -> Option<T> + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(first);
    let work = |done: SyncSender<(u64, T)>| {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let Some(made) = make(number) else { break };
            // The receiver is dropped when `take` is done.
            if done.send((number, made)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(threads);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        take_in_order(first, receiver, stop, take)
    })
}

fn take_in_order<T, E>(
    first: u64,
    receiver: Receiver<(u64, T)>,
    stop: &AtomicBool,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut turn = first;
    for (number, made) in receiver {
        early.insert(number, made);
        while let Some(made) = early.remove(&turn) {
            turn += 1;
            let taken = take(made);
            if !matches!(taken, Ok(ControlFlow::Continue(()))) {
                stop.store(true, Ordering::Relaxed);
                return taken.map(|_| ());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(threads: usize, enough: usize) -> Vec<u64> {
        let mut taken = Vec::new();
        let make = |number: u64| {
            // Early items take longest, so that they finish out of order.
            let sum: u64 = (0..(100 - number) * 1000).map(std::hint::black_box).sum();
            std::hint::black_box(sum);
            Some(number)
        };
        let stop = AtomicBool::new(false);
        let Ok(()) = run_in_order(0, 100, threads, &stop, make, |number| {
            taken.push(number);
            let full = taken.len() == enough;
            Ok::<_, std::convert::Infallible>(if full {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        assert_eq!(stop.into_inner(), enough <= 100);
        taken
    }

    #[test]
    fn items_arrive_once_in_order() {
        for threads in [1, 2, 7, 200] {
            assert_eq!(taken(threads, usize::MAX), (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn break_ends_the_work() {
        for threads in [1, 3] {
            assert_eq!(taken(threads, 10), (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn error_ends_the_work() {
        let stop = AtomicBool::new(false);
        let failed = run_in_order(0, u64::MAX, 2, &stop, Some, |number| {
            if number == 5 { Err("full") } else { Ok(ControlFlow::Continue(())) }
        });
        assert_eq!(failed, Err("full"));
    }
}
