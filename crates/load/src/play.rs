//! Playing whole games, many at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use noughts_rules::{Cell, Game, Rules};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinSet;

use crate::client::{Client, Expected, Kind};
use crate::measure::{Measured, Tally};
use crate::process::{self, Server};
use crate::setup::Pair;

/// What is played, and for how long.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) rules: Rules,
    pub(crate) warm_up: Duration,
    pub(crate) time: Duration,
    /// Moves a second in all games together; as fast as they go if it is missing.
    pub(crate) rate: Option<f64>,
    pub(crate) seed: u64,
}

/// Where a run is.
#[derive(Debug, Default)]
struct Stage(AtomicU8);

/// Before it, connections are made and everything warms up.
const MEASURING: u8 = 1;
const OVER: u8 = 2;

impl Stage {
    fn is(&self, stage: u8) -> bool {
        self.0.load(Ordering::Relaxed) == stage
    }
}

/// Plays in all pairs at once, game after game, and measures the server meanwhile.
pub(crate) async fn play(
    server: &Server,
    kind: Kind,
    pairs: Vec<Pair>,
    plan: &Plan,
) -> Result<Measured> {
    let stage = Arc::new(Stage::default());
    let count = pairs.len();
    let mut tables = JoinSet::new();
    for (number, pair) in pairs.into_iter().enumerate() {
        let interval = plan.rate.map(|rate| Duration::from_secs_f64(count as f64 / rate));
        let table = Table {
            kind,
            address: server.address.clone(),
            pair,
            number,
            rules: plan.rules.clone(),
            random: StdRng::seed_from_u64(plan.seed ^ number as u64),
            stage: stage.clone(),
            interval,
            tally: Tally::default(),
        };
        tables.spawn(table.run());
    }
    let mut all = Tally::default();
    wait(&mut tables, plan.warm_up, &mut all).await?;
    eprintln!("measuring process {} for {:?}", server.id(), plan.time);
    let before = (Instant::now(), server.cpu()?, process::own_cpu()?);
    stage.0.store(MEASURING, Ordering::Relaxed);
    wait(&mut tables, plan.time, &mut all).await?;
    stage.0.store(OVER, Ordering::Relaxed);
    let after = (Instant::now(), server.cpu()?, process::own_cpu()?);
    while let Some(table) = tables.join_next().await {
        all.add(table??);
    }
    Ok(Measured::new(all, after.0 - before.0, after.1 - before.1, after.2 - before.2))
}

/// Waits for a time. Whatever fails meanwhile ends the run.
async fn wait(tables: &mut JoinSet<Result<Tally>>, time: Duration, all: &mut Tally) -> Result<()> {
    let end = tokio::time::sleep(time);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => return Ok(()),
            Some(table) = tables.join_next() => all.add(table??),
        }
    }
}

/// Two players and their games.
struct Table {
    kind: Kind,
    address: String,
    pair: Pair,
    number: usize,
    rules: Rules,
    random: StdRng,
    stage: Arc<Stage>,
    interval: Option<Duration>,
    tally: Tally,
}

impl Table {
    async fn run(mut self) -> Result<Tally> {
        if let Some(interval) = self.interval {
            tokio::time::sleep(interval.mul_f64(self.random.random::<f64>())).await;
        }
        let mut round = 0;
        while !self.stage.is(OVER) {
            self.game(round).await.with_context(|| format!("in game {}", self.pair.game))?;
            round += 1;
        }
        Ok(self.tally)
    }

    /// Plays a game to its end, or until the time is over.
    async fn game(&mut self, round: u32) -> Result<()> {
        let mut ends = [self.connect(0).await?, self.connect(1).await?];
        let mut game = Game::with_default_players(&self.rules);
        let mut cells: Vec<Cell> = self.rules.cells().collect();
        cells.shuffle(&mut self.random);
        let mut due = tokio::time::Instant::now();
        while let Some(turn) = game.turn().filter(|_| !self.stage.is(OVER)) {
            let legal = |cell: &Cell| game.position().check(*cell).is_ok();
            let chosen = cells.iter().rposition(legal).context("no legal move")?;
            let expected = Expected::play(&mut game, cells.swap_remove(chosen))?;
            if let Some(interval) = self.interval {
                due += interval;
                tokio::time::sleep_until(due).await;
            }
            self.make_move(&mut ends, turn.index(), &expected).await?;
        }
        let ended = game.turn().is_none();
        for end in &ends {
            self.tally.events += end.events;
        }
        if ended && self.stage.is(MEASURING) {
            self.tally.games += 1;
        }
        if ended && !self.stage.is(OVER) {
            self.next_game(&mut ends, round).await?;
        }
        for end in ends {
            end.close().await?;
        }
        Ok(())
    }

    async fn connect(&self, seat: u8) -> Result<Client> {
        let token = &self.pair.tokens[usize::from(seat)];
        let (address, game) = (&self.address, &self.pair.game);
        Client::connect(self.kind, address, game, token, seat, self.number).await
    }

    async fn make_move(
        &mut self,
        [first, second]: &mut [Client; 2],
        turn: usize,
        expected: &Expected,
    ) -> Result<()> {
        let (own, other) = if turn == 0 { (first, second) } else { (second, first) };
        let measured = self.stage.is(MEASURING);
        let sent = Instant::now();
        own.send_move(expected.cell).await?;
        let micros = || u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX);
        let (acknowledged, seen) =
            tokio::try_join!(async { own.read_own(expected).await.map(|()| micros()) }, async {
                other.read_move(expected).await.map(|()| micros())
            },)?;
        if measured {
            self.tally.acknowledged.push(acknowledged);
            self.tally.seen.push(seen);
        }
        Ok(())
    }

    async fn next_game(&mut self, ends: &mut [Client; 2], round: u32) -> Result<()> {
        if self.kind == Kind::Relay {
            self.pair.game = format!("{}-{round}", self.number);
            return Ok(());
        }
        ends[0].rematch().await?;
        let next = ends[1].rematch().await?;
        self.pair.game = next.context("no rematch, although both wanted one")?;
        // Who moved second begins.
        self.pair.tokens.swap(0, 1);
        Ok(())
    }
}
