//! Work on several threads whose results come in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Makes the things numbered from 0 to `count` on so many threads, and hands each over in the
/// order of the numbers until there are no more or the taker has enough. So what the taker does
/// with them is the same for any number of threads.
///
/// The flag is set at the end; a maker that sees it may give up and answer `None`.
pub fn in_order<T: Send, E>(
    count: u64,
    threads: usize,
    stop: &AtomicBool,
    make: impl Fn(u64) -> Option<T> + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let work = |done: SyncSender<(u64, T)>| {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let Some(made) = make(number) else { break };
            // Nobody listens any more when the taker has enough.
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
        let taken = hand_over(receiver, take);
        stop.store(true, Ordering::Relaxed);
        taken
    })
}

fn hand_over<T, E>(
    receiver: Receiver<(u64, T)>,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut turn = 0;
    for (number, made) in receiver {
        early.insert(number, made);
        while let Some(made) = early.remove(&turn) {
            turn += 1;
            if take(made)?.is_break() {
                return Ok(());
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
            // The first ones take the longest.
            let sum: u64 = (0..(100 - number) * 1000).map(std::hint::black_box).sum();
            std::hint::black_box(sum);
            Some(number)
        };
        let stop = AtomicBool::new(false);
        let Ok(()) = in_order(100, threads, &stop, make, |number| {
            taken.push(number);
            let full = taken.len() == enough;
            Ok::<_, std::convert::Infallible>(if full {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        assert!(stop.into_inner());
        taken
    }

    #[test]
    fn everything_comes_once_and_in_order() {
        for threads in [1, 2, 7, 200] {
            assert_eq!(taken(threads, usize::MAX), (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn enough_is_enough() {
        for threads in [1, 3] {
            assert_eq!(taken(threads, 10), (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_of_the_taker_ends_the_work() {
        let stop = AtomicBool::new(false);
        let failed = in_order(u64::MAX, 2, &stop, Some, |number| {
            if number == 5 { Err("full") } else { Ok(ControlFlow::Continue(())) }
        });
        assert_eq!(failed, Err("full"));
    }
}
