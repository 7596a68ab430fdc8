//! The players of a tournament on the command line.

use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use noughts_arena::{Entrant, MatchClock, Seating};
use noughts_engine::gomocup::ExternalEngine;
use noughts_engine::{Budget, PlayerKind, Strategy};
use noughts_play::{TimeControl, duration};
use noughts_rules::{Player, Seat, Symbol};

use super::engine_logs::EngineLogs;
use crate::engines;
use crate::failure::Failure;
use crate::numbers;

/// A player, its name in reports if that is not its kind, and limits of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contestant {
    kind: PlayerKind,
    name: Option<String>,
    limits: Limits,
    /// Keys and values of `INFO` commands for an engine.
    info: Vec<(String, String)>,
}

/// How much players may think; what is not limited here is as for everybody.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) clock: Option<TimeControl>,
}

/// A quick and reproducible default.
const DEFAULT_NODES: u64 = 20_000;

impl Limits {
    /// The limits of a player who has its own.
    fn or(self, others: Limits) -> Limits {
        Limits {
            nodes: self.nodes.or(others.nodes),
            time: self.time.or(others.time),
            clock: self.clock.or(others.clock),
        }
    }

    fn budget(self, threads: usize) -> Budget {
        let mut budget = Budget::unlimited().with_threads(threads);
        if let Some(nodes) = self.nodes {
            budget = budget.with_nodes(nodes);
        }
        if let Some(time) = self.time {
            budget = budget.with_time(time);
        }
        match self {
            Limits { nodes: None, time: None, clock: None } => budget.with_nodes(DEFAULT_NODES),
            _ => budget,
        }
    }
}

impl Contestant {
    pub(super) fn kind(&self) -> PlayerKind {
        self.kind.clone()
    }

    fn strategy(
        &self,
        name: &str,
        seating: &Seating,
        logs: Option<&EngineLogs>,
    ) -> Box<dyn Strategy> {
        match self.kind.engine() {
            Some(path) => Box::new(self.engine(path, name, seating, logs)),
            None => self.kind.strategy(seating.seed).expect("no person takes part"),
        }
    }

    fn engine(
        &self,
        path: &Path,
        name: &str,
        seating: &Seating,
        logs: Option<&EngineLogs>,
    ) -> ExternalEngine {
        let engine = ExternalEngine::new(path);
        let engine =
            self.info.iter().fold(engine, |engine, (key, value)| engine.with_option(key, value));
        match logs.and_then(|logs| logs.open(seating.game, name)) {
            Some(log) => engine.with_log(log),
            None => engine,
        }
    }
}

/// Parses `hard`, `hard,time=1s` or `engine:./rapfi --config c.toml,name=rapfi,nodes=100000`.
pub(super) fn parse(text: &str) -> Result<Contestant, String> {
    let mut kind = text;
    let (mut name, mut limits, mut info) = (None, Limits::default(), Vec::new());
    // A command may have commas too: only what ends in known options is taken off.
    while let Some((rest, option)) = kind.rsplit_once(',') {
        let Some((key, value)) = option.split_once('=') else { break };
        match key {
            "name" => {
                let player = Player::new(value, Symbol::default_for(Seat::FIRST));
                let player = player.map_err(|error| error.to_string())?;
                name = Some(player.name().to_string());
            }
            "nodes" => limits.nodes = Some(numbers::positive(value)?),
            "time" => limits.time = Some(duration(value)?),
            "clock" => limits.clock = Some(value.parse()?),
            _ => match key.strip_prefix("info.") {
                Some(key) if !key.is_empty() => {
                    info.insert(0, (key.to_string(), value.to_string()))
                }
                _ => break,
            },
        }
        kind = rest;
    }
    let kind = engines::computer(kind)?;
    if !info.is_empty() && kind.engine().is_none() {
        return Err(format!("`info.` options are for engines, {kind} is built in"));
    }
    Ok(Contestant { kind, name, limits, info })
}

/// The entrants. Each has a name of its own.
pub(super) fn entrants(
    contestants: Vec<Contestant>,
    limits: Limits,
    threads: usize,
    logs: Option<EngineLogs>,
) -> Result<Vec<Entrant>, Failure> {
    let kinds = contestants.iter().map(Contestant::kind).collect();
    let names: Vec<String> = contestants
        .iter()
        .zip(Entrant::all(kinds))
        .map(|(contestant, numbered)| contestant.name.clone().unwrap_or(numbered.name().into()))
        .collect();
    if let Some(name) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        return Err(Failure::Malformed(anyhow!("two players are called {}", name.1)));
    }
    let entrant = |(contestant, name): (Contestant, String)| {
        let limits = contestant.limits.or(limits);
        let (logs, shown) = (logs.clone(), name.clone());
        let entrant = Entrant::for_games(&name, move |seating| {
            contestant.strategy(&shown, seating, logs.as_ref())
        });
        let entrant = entrant.with_budget(limits.budget(threads));
        match limits.clock {
            Some(TimeControl { time, increment }) => {
                entrant.with_clock(MatchClock { time, increment })
            }
            None => entrant,
        }
    };
    Ok(contestants.into_iter().zip(names).map(entrant).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_have_options() {
        let engine =
            parse("engine:./rapfi --config a,b.toml,name=rapfi,time=1s,nodes=500").unwrap();
        assert_eq!(engine.kind.to_string(), "engine:./rapfi --config a,b.toml");
        assert_eq!(engine.name.as_deref(), Some("rapfi"));
        assert_eq!(engine.limits.time, Some(Duration::from_secs(1)));
        assert_eq!(engine.limits.nodes, Some(500));
        let engine = parse("engine:./x,info.max_memory=1,info.rule=4,clock=1m+1s").unwrap();
        assert_eq!(
            engine.info,
            [("max_memory", "1"), ("rule", "4")].map(|(k, v)| (k.into(), v.into()))
        );
        assert_eq!(engine.limits.clock, Some("1m+1s".parse().unwrap()));
        assert_eq!(parse("hard").unwrap().name, None);
        for wrong in ["human", "hard,name=", "hard,time=soon", "hard,depth=3", "hard,info.rule=4"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        let two = ["hard,name=a", "easy,name=a"].map(|text| parse(text).unwrap());
        assert!(entrants(two.into(), Limits::default(), 1, None).is_err());
    }

    #[test]
    fn own_limits_come_first() {
        let second = Some(Duration::from_secs(1));
        let own = Limits { time: second, ..Limits::default() };
        let others = Limits { nodes: Some(7), time: None, clock: None };
        assert_eq!(own.or(others), Limits { nodes: Some(7), time: second, clock: None });
        assert_eq!(own.budget(1).nodes(), None);
        assert_eq!(Limits::default().budget(1).nodes(), Some(DEFAULT_NODES));
    }
}
