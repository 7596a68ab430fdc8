//! Measurements of a run.

use std::time::Duration;

/// Raw samples of one pair of players, or of all.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// Microseconds from sending a move until it was acknowledged.
    pub(crate) acknowledged: Vec<u32>,
    /// Microseconds from sending a move until the opponent saw it.
    pub(crate) seen: Vec<u32>,
    /// Games played to the end.
    pub(crate) games: usize,
    /// Events checked.
    pub(crate) events: usize,
}

impl Samples {
    pub(crate) fn merge(&mut self, other: Samples) {
        self.acknowledged.extend(other.acknowledged);
        self.seen.extend(other.seen);
        self.games += other.games;
        self.events += other.events;
    }
}

/// The performance of a server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measurement {
    pub(crate) moves_per_second: f64,
    /// Processor time of the server per move, in microseconds.
    pub(crate) cpu_per_move: f64,
    /// Processor time of the load generator per move, in microseconds.
    pub(crate) generator_cpu_per_move: f64,
    pub(crate) acknowledged: Quantiles,
    pub(crate) seen: Quantiles,
    pub(crate) games: usize,
    pub(crate) moves: usize,
}

/// Quantiles of a latency in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quantiles {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

impl Measurement {
    pub(crate) fn new(
        mut samples: Samples,
        time: Duration,
        server_cpu: Duration,
        generator_cpu: Duration,
    ) -> Measurement {
        let moves = samples.acknowledged.len();
        let per_move = |cpu: Duration| cpu.as_secs_f64() * 1e6 / moves.max(1) as f64;
        Measurement {
            moves_per_second: moves as f64 / time.as_secs_f64(),
            cpu_per_move: per_move(server_cpu),
            generator_cpu_per_move: per_move(generator_cpu),
            acknowledged: Quantiles::of(&mut samples.acknowledged),
            seen: Quantiles::of(&mut samples.seen),
            games: samples.games,
            moves,
        }
    }

    pub(crate) fn print(&self, name: &str) {
        println!(
            "{name:<24} {:>8.0} moves/s  server {:>5.1} µs/move  generator {:>5.1} µs/move  \
             acknowledged p50 {:>7.2} ms p99 {:>7.2} ms  seen p50 {:>7.2} ms p99 {:>7.2} ms  \
             ({} moves, {} games ended)",
            self.moves_per_second,
            self.cpu_per_move,
            self.generator_cpu_per_move,
            self.acknowledged.p50,
            self.acknowledged.p99,
            self.seen.p50,
            self.seen.p99,
            self.moves,
            self.games,
        );
    }
}

impl Quantiles {
    fn of(micros: &mut [u32]) -> Quantiles {
        micros.sort_unstable();
        let at = |share: f64| {
            let index =
                ((micros.len() as f64 * share) as usize).min(micros.len().saturating_sub(1));
            micros.get(index).map_or(0.0, |micros| f64::from(*micros) / 1e3)
        };
        Quantiles { p50: at(0.5), p99: at(0.99) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_full_and_empty_samples() {
        let mut micros: Vec<u32> = (1..=100).rev().map(|n| n * 1000).collect();
        let Quantiles { p50, p99 } = Quantiles::of(&mut micros);
        assert_eq!((p50, p99), (51.0, 100.0));
        assert_eq!(Quantiles::of(&mut []).p99, 0.0);
    }
}
