//! Computes the opening book of Connect Four.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::alpha_beta::{AlphaBeta, Score, Stones};
use super::book::{Entry, K, STONES, connect4, pack, unpack};
use super::columns::Columns;
use crate::budget::Budget;

/// Solves the positions of the opening book of Connect Four, which takes hours of processor time.
///
/// The book has the value of every position with eight stones in which nobody can win at once. With
/// it, the search is exact from the empty board on.
///
/// ```
/// use noughts_engine::Connect4BookBuilder;
///
/// let mut builder = Connect4BookBuilder::new(&[]);
/// assert_eq!(builder.missing(), 77_715);
/// builder.solve(1, std::time::Duration::ZERO);
/// assert!(builder.entries().is_empty());
/// ```
#[derive(Debug)]
pub struct Connect4BookBuilder {
    columns: Columns,
    /// Positions that share most of their successors are next to each other.
    positions: Vec<Stones>,
    scores: BTreeMap<u64, Score>,
}

/// Neighbouring positions that one thread solves with the same table.
const CHUNK: usize = 256;

/// 512 MiB for each thread.
const TABLE_BUCKETS: u64 = 1 << 23;

impl Connect4BookBuilder {
    /// Continues with the entries of an incomplete book. Others are dropped.
    #[must_use]
    pub fn new(entries: &[u8]) -> Connect4BookBuilder {
        let columns = Columns::new(&connect4());
        let (entries, _): (&[Entry], _) = entries.as_chunks();
        let mut builder =
            Connect4BookBuilder { positions: Vec::new(), scores: BTreeMap::new(), columns };
        builder.add_positions(Stones { own: 0, occupied: 0 }, STONES, &mut HashSet::new());
        let keys: HashSet<u64> = builder.positions.iter().map(|&at| builder.key(at)).collect();
        let entries = entries.iter().copied().map(unpack);
        builder.scores = entries.filter(|(key, _)| keys.contains(key)).collect();
        builder
    }

    /// Adds all positions `left` moves later in which the seat to move can't win at once.
    fn add_positions(&mut self, stones: Stones, left: usize, seen: &mut HashSet<u64>) {
        if !seen.insert(self.columns.symmetric_key(stones.own, stones.occupied)) {
            return;
        }
        let wins = self.columns.completions::<K>(stones.own);
        let playable = self.columns.playable(stones.occupied);
        if left == 0 {
            if playable & wins == 0 {
                self.positions.push(stones);
            }
            return;
        }
        for column in self.columns.from_centre.clone() {
            let cell = playable & column;
            if cell != 0 && cell & wins == 0 {
                self.add_positions(stones.after(cell), left - 1, seen);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn positions(&self) -> &[Stones] {
        &self.positions
    }

    /// The number of positions that are solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.scores.len()
    }

    /// The number of positions that are not solved yet.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.positions.len() - self.scores.len()
    }

    /// Solves positions on several threads for about this time.
    pub fn solve(&mut self, threads: usize, time: Duration) {
        let budget = Budget::unlimited().with_time(time);
        let unsolved = |stones: &&Stones| !self.scores.contains_key(&self.key(**stones));
        let unsolved: Vec<Stones> = self.positions.iter().filter(unsolved).copied().collect();
        let chunks: Vec<&[Stones]> = unsolved.chunks(CHUNK).collect();
        let next = AtomicUsize::new(0);
        let solved = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let columns = self.columns.clone();
                    let mut search =
                        AlphaBeta::<K>::with_table(columns, None, TABLE_BUCKETS, &budget);
                    while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                        for &stones in *chunk {
                            let Ok(score) = search.score(stones) else { return };
                            solved.lock().expect("no panics").push((self.key(stones), score));
                        }
                    }
                });
            }
        });
        self.scores.extend(solved.into_inner().expect("no panics"));
    }

    fn key(&self, stones: Stones) -> u64 {
        self.columns.symmetric_key(stones.own, stones.occupied)
    }

    /// The bytes of the book so far.
    #[must_use]
    pub fn entries(&self) -> Vec<u8> {
        self.scores.iter().flat_map(|(&key, &score)| pack(key, score)).collect()
    }
}
