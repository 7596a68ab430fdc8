//! The threads that hash passwords, with a queue that is fair to addresses.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::pool::{Busy, Job, run_job, set_priority};

/// Passwords of one address that may wait.
const MAX_QUEUED_PER_ADDRESS: usize = 4;

/// Passwords of all addresses that may wait.
const MAX_QUEUED: usize = 1_000;

/// How often the counts of recent hashes are halved.
const HALVING_INTERVAL: Duration = Duration::from_secs(30);

/// Below serving threads, which are many, but well above searches.
const PRIORITY: i32 = 5;

/// Hashes passwords. The address that had the fewest hashes lately is served first, so that no number
/// of addresses that hash all the time keeps out one that comes now and then.
pub(crate) struct Hashers {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// By the address's recent hashes when the job came, then by arrival.
    queue: BTreeMap<(u32, u64), (IpAddr, Job)>,
    arrivals: u64,
    addresses: HashMap<IpAddr, Usage>,
    halved_at: Instant,
    closed: bool,
}

/// What an address uses.
#[derive(Default)]
struct Usage {
    queued: usize,
    recent: u32,
}

impl Hashers {
    pub(crate) fn new(threads: usize) -> Hashers {
        let state = State {
            queue: BTreeMap::new(),
            arrivals: 0,
            addresses: HashMap::new(),
            halved_at: Instant::now(),
            closed: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        for number in 0..threads.max(1) {
            let shared = shared.clone();
            let thread = std::thread::Builder::new().name(format!("hash {number}"));
            // Without threads, the queue fills up and hashing is refused.
            if let Err(error) = thread.spawn(move || shared.run_jobs()) {
                tracing::error!(%error, "could not start a thread for hashing");
            }
        }
        Hashers { shared }
    }

    /// Runs a job for an address and waits for its result. Dropping the future skips a job that is
    /// still queued.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        address: IpAddr,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let (sender, result) = oneshot::channel();
        let job = Box::new(move || {
            if !sender.is_closed() {
                let _ = sender.send(job());
            }
        });
        self.shared.lock().push(address, job)?;
        self.shared.changed.notify_one();
        result.await.map_err(|_| Busy)
    }
}

impl Drop for Hashers {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_jobs(&self) {
        set_priority(PRIORITY);
        let mut state = self.lock();
        while !state.closed {
            match state.pop() {
                Some(job) => {
                    drop(state);
                    run_job(job);
                    state = self.lock();
                }
                None => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

impl State {
    fn push(&mut self, address: IpAddr, job: Job) -> Result<(), Busy> {
        self.forget_old(Instant::now());
        let usage = self.addresses.entry(address).or_default();
        if usage.queued >= MAX_QUEUED_PER_ADDRESS {
            return Err(Busy);
        }
        let rank = usage.recent;
        if self.queue.len() >= MAX_QUEUED {
            // The greediest address gives way.
            match self.queue.last_entry() {
                Some(last) if last.key().0 > rank => {
                    let (loser, _) = last.remove();
                    self.leave_queue(loser);
                }
                _ => return Err(Busy),
            }
        }
        let usage = self.addresses.entry(address).or_default();
        usage.queued += 1;
        usage.recent = usage.recent.saturating_add(1);
        self.arrivals += 1;
        self.queue.insert((rank, self.arrivals), (address, job));
        Ok(())
    }

    fn pop(&mut self) -> Option<Job> {
        let (_, (address, job)) = self.queue.pop_first()?;
        self.leave_queue(address);
        Some(job)
    }

    fn leave_queue(&mut self, address: IpAddr) {
        if let Some(usage) = self.addresses.get_mut(&address) {
            usage.queued -= 1;
        }
    }

    /// Halves the counts of recent hashes from time to time, and drops addresses that have none.
    fn forget_old(&mut self, now: Instant) {
        if now - self.halved_at < HALVING_INTERVAL {
            return;
        }
        self.halved_at = now;
        self.addresses.retain(|_, usage| {
            usage.recent /= 2;
            usage.recent > 0 || usage.queued > 0
        });
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    fn empty() -> State {
        State {
            queue: BTreeMap::new(),
            arrivals: 0,
            addresses: HashMap::new(),
            halved_at: Instant::now(),
            closed: false,
        }
    }

    fn push(state: &mut State, number: u32) -> Result<(), Busy> {
        state.push(address(number), Box::new(|| ()))
    }

    /// The addresses in the order in which they are served.
    fn order(state: &State) -> Vec<IpAddr> {
        state.queue.values().map(|(address, _)| *address).collect()
    }

    #[test]
    fn newcomer_overtakes_busy_addresses() {
        let mut state = empty();
        for _ in 0..2 {
            for flooder in 1..=100 {
                push(&mut state, flooder).unwrap();
            }
        }
        // The first hash of each flooder is done.
        for _ in 0..100 {
            assert!(state.pop().is_some());
        }
        push(&mut state, 200).unwrap();
        assert_eq!(order(&state)[0], address(200));
    }

    #[test]
    fn queue_of_an_address_is_bounded() {
        let mut state = empty();
        for _ in 0..MAX_QUEUED_PER_ADDRESS {
            push(&mut state, 1).unwrap();
        }
        assert_eq!(push(&mut state, 1), Err(Busy));
        push(&mut state, 2).unwrap();
        state.pop();
        push(&mut state, 1).unwrap();
    }

    #[test]
    fn full_queue_drops_the_greediest() {
        let mut state = empty();
        for number in 0..MAX_QUEUED as u32 {
            push(&mut state, number / 2).unwrap();
        }
        push(&mut state, 1_000).unwrap();
        assert_eq!(state.queue.len(), MAX_QUEUED);
        assert!(order(&state).contains(&address(1_000)));
        // Its own second one is no better than the others' second ones.
        assert_eq!(push(&mut state, 1_000), Err(Busy));
    }

    #[test]
    fn counts_are_forgotten() {
        let mut state = empty();
        push(&mut state, 1).unwrap();
        state.pop();
        let later = state.halved_at + HALVING_INTERVAL;
        state.forget_old(later);
        assert!(state.addresses.is_empty());
    }

    #[tokio::test]
    async fn jobs_return_their_results() {
        let hashers = Hashers::new(2);
        assert_eq!(hashers.run(address(1), || 5).await, Ok(5));
        let panicked: Result<(), Busy> = hashers.run(address(1), || panic!("as planned")).await;
        assert_eq!(panicked, Err(Busy));
        assert_eq!(hashers.run(address(1), || 6).await, Ok(6));
    }
}
