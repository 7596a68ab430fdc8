//! Random order and best times.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Draws items in random order, again and again.
pub(crate) struct Shuffle<T> {
    items: Vec<T>,
    state: u64,
}

impl<T: Copy> Shuffle<T> {
    pub(crate) fn new(items: impl Iterator<Item = T>) -> Self {
        Shuffle { items: items.collect(), state: 0x9e37_79b9_7f4a_7c15 }
    }

    pub(crate) fn draw(&mut self) -> impl Iterator<Item = T> {
        (0..self.items.len()).map(|i| {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            let left = (self.items.len() - i) as u64;
            let j = i + (((self.state >> 32) * left) >> 32) as usize;
            self.items.swap(i, j);
            self.items[i]
        })
    }
}

/// The best time of each task. The tasks alternate, so that other load on the machine hits all.
pub(crate) fn best_times<const N: usize>(
    rounds: u32,
    mut tasks: [&mut dyn FnMut() -> u64; N],
) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (best, task) in best.iter_mut().zip(&mut tasks) {
            let start = Instant::now();
            black_box(task());
            *best = start.elapsed().min(*best);
        }
    }
    best
}

/// The best rate of moves per second in each kind of random game. The kinds alternate.
pub(crate) fn rates<const N: usize>(
    rounds: u32,
    games: u32,
    mut play: [&mut dyn FnMut() -> u64; N],
) -> [f64; N] {
    let mut best = [0f64; N];
    for _ in 0..rounds {
        for (best, play) in best.iter_mut().zip(&mut play) {
            let start = Instant::now();
            let moves: u64 = (0..games).map(|_| play()).sum();
            *best = best.max(moves as f64 / start.elapsed().as_secs_f64());
        }
    }
    best
}
