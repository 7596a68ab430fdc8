//! Thousands of simulations find nothing in the server, and every planted bug.

use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::world::lock;
use super::{Bug, simulate};

/// The seeds that the tests run unless the environment says otherwise.
const SEEDS: u64 = 1_000;

/// After so many seeds with violations, no further ones are run.
const MAX_FAILURES: usize = 5;

const THIS_TEST: &str = "simulation::tests::simulations_find_no_violation";

fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// The violations of a seed. A panic is one.
fn violations(seed: u64) -> (Vec<String>, usize) {
    match catch_unwind(|| simulate(seed, None)) {
        Ok(report) => (report.violations, report.acknowledged),
        Err(_) => (vec!["the simulation panicked".into()], 0),
    }
}

#[test]
fn simulations_find_no_violation() {
    if let Some(seed) = number_from_environment("NOUGHTS_SEED") {
        let report = simulate(seed, None);
        report.trace.iter().for_each(|line| println!("{line}"));
        assert_eq!(report.violations, [""; 0]);
        return;
    }
    let seeds = number_from_environment("NOUGHTS_SEEDS").unwrap_or(SEEDS);
    let (next, acknowledged) = (AtomicU64::new(0), AtomicUsize::new(0));
    let failures = Mutex::<Vec<String>>::default();
    let run = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds || lock(&failures).len() >= MAX_FAILURES {
                return;
            }
            let (found, commands) = violations(seed);
            acknowledged.fetch_add(commands, Ordering::Relaxed);
            if !found.is_empty() {
                lock(&failures).push(format!(
                    "{found:#?}\nTo repeat it:\nNOUGHTS_SEED={seed} cargo test \
                     --package noughts-server --lib {THIS_TEST} -- --nocapture"
                ));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(run)));
    });
    println!("{seeds} simulations, {} acknowledged commands", acknowledged.into_inner());
    let failures = lock(&failures);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn same_seed_gives_the_same_run() {
    for seed in 0..20 {
        let (first, second) = (simulate(seed, None), simulate(seed, None));
        assert!(!first.trace.is_empty());
        assert_eq!(first, second, "seed {seed}");
    }
}

#[test]
fn planted_bugs_are_found() {
    let bugs = [
        (Bug::EarlyAcknowledgement, "is in the log 0 times"),
        (Bug::LostTail, "is in the log 0 times"),
        (Bug::NoConcurrencyCheck, "is in the log as"),
        (Bug::ForgottenKeys, "is in the log 0 times"),
        (Bug::TornBatch, "is in the log 0 times"),
        (Bug::SeparateResults, "has 0 results"),
        (Bug::OwnClocks, "the clock jumped"),
        (Bug::FutureHeartbeats, "the clock stands still"),
        (Bug::SwallowedHeartbeats, "lost by time after"),
    ];
    for (bug, expected) in bugs {
        let finds = |seed: &u64| {
            let violations = simulate(*seed, Some(bug)).violations;
            violations.iter().any(|found| found.contains(expected))
        };
        let seed = (0..SEEDS).find(finds).unwrap_or_else(|| panic!("{bug:?} is not found"));
        println!("{bug:?} is found with seed {seed}: {expected}");
    }
}
