//! Playing whole games concurrently.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use noughts_rules::{Game, Rules, Seat};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinSet;

use crate::client::{Client, ExpectedMove, SeatAddress, ServerKind};
use crate::measure::{Measurement, Samples};
use crate::process::{self, Server};
use crate::setup::ReadyGame;

/// What to play, and for how long.
#[derive(Debug, Clone)]
pub(crate) struct LoadPlan {
    pub(crate) rules: Rules,
    pub(crate) warm_up: Duration,
    pub(crate) duration: Duration,
    /// Moves a second of all games together; without a limit if missing.
    pub(crate) rate: Option<f64>,
    pub(crate) seed: u64,
}

/// The phase of a run, shared by all pairs of players.
#[derive(Debug, Default)]
struct Phase(AtomicU8);

const WARMING_UP: u8 = 0;
const MEASURING: u8 = 1;
const STOPPING: u8 = 2;

impl Phase {
    fn is(&self, phase: u8) -> bool {
        self.0.load(Ordering::Relaxed) == phase
    }

    fn set(&self, phase: u8) {
        self.0.store(phase, Ordering::Relaxed);
    }
}

/// Plays game after game with all pairs of players, and measures the server.
pub(crate) async fn play(
    server: &Server,
    kind: ServerKind,
    games: Vec<ReadyGame>,
    plan: &LoadPlan,
) -> Result<Measurement> {
    let phase = Arc::new(Phase(AtomicU8::new(WARMING_UP)));
    let count = games.len();
    let mut pairs = JoinSet::new();
    for (number, game) in games.into_iter().enumerate() {
        let interval = plan.rate.map(|rate| Duration::from_secs_f64(count as f64 / rate));
        let pair = Pair {
            kind,
            server: server.address.clone(),
            game,
            number,
            rules: plan.rules.clone(),
            rng: StdRng::seed_from_u64(plan.seed ^ number as u64),
            phase: phase.clone(),
            interval,
            samples: Samples::default(),
        };
        pairs.spawn(pair.run());
    }
    let mut samples = Samples::default();
    wait(&mut pairs, plan.warm_up, &mut samples).await?;
    eprintln!("measuring process {} for {:?}", server.id(), plan.duration);
    let before = (Instant::now(), server.cpu()?, process::own_cpu()?);
    phase.set(MEASURING);
    wait(&mut pairs, plan.duration, &mut samples).await?;
    phase.set(STOPPING);
    let after = (Instant::now(), server.cpu()?, process::own_cpu()?);
    while let Some(pair) = pairs.join_next().await {
        samples.merge(pair??);
    }
    Ok(Measurement::new(samples, after.0 - before.0, after.1 - before.1, after.2 - before.2))
}

/// Waits for a time, or until a pair fails.
async fn wait(
    pairs: &mut JoinSet<Result<Samples>>,
    time: Duration,
    samples: &mut Samples,
) -> Result<()> {
    let end = tokio::time::sleep(time);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => return Ok(()),
            Some(pair) = pairs.join_next() => samples.merge(pair??),
        }
    }
}

/// Two players and their games.
struct Pair {
    kind: ServerKind,
    server: String,
    game: ReadyGame,
    number: usize,
    rules: Rules,
    rng: StdRng,
    phase: Arc<Phase>,
    /// The time between two moves, if the rate is limited.
    interval: Option<Duration>,
    samples: Samples,
}

impl Pair {
    async fn run(mut self) -> Result<Samples> {
        if let Some(interval) = self.interval {
            tokio::time::sleep(interval.mul_f64(self.rng.random::<f64>())).await;
        }
        let mut round = 0;
        while !self.phase.is(STOPPING) {
            self.play_game(round).await.with_context(|| format!("in game {}", self.game.game))?;
            round += 1;
        }
        Ok(self.samples)
    }

    /// Plays a random game to its end, or until the run stops.
    async fn play_game(&mut self, round: u32) -> Result<()> {
        let mut clients = [self.connect(0).await?, self.connect(1).await?];
        let mut game = Game::with_default_players(&self.rules);
        let mut due = tokio::time::Instant::now();
        while let Some(turn) = game.turn().filter(|_| !self.phase.is(STOPPING)) {
            let chosen = self.rng.random_range(0..game.position().move_count());
            let mv = game.position().nth_move(chosen).context("no legal move")?;
            let expected = ExpectedMove::play(&mut game, mv)?;
            if let Some(interval) = self.interval {
                due += interval;
                tokio::time::sleep_until(due).await;
            }
            self.make_move(&mut clients, turn.index(), &expected).await?;
        }
        let is_finished = game.turn().is_none();
        self.samples.events += clients.iter().map(|client| client.events).sum::<usize>();
        if is_finished && self.phase.is(MEASURING) {
            self.samples.games += 1;
        }
        if is_finished && !self.phase.is(STOPPING) {
            self.start_next_game(&mut clients, round).await?;
        }
        for client in clients {
            client.close().await?;
        }
        Ok(())
    }

    async fn connect(&self, seat: u8) -> Result<Client> {
        let ReadyGame { game, tokens } = &self.game;
        let token = &tokens[usize::from(seat)];
        let seat = Seat::new(seat).context("two players have seats")?;
        let address = SeatAddress { server: &self.server, game, token, seat, number: self.number };
        Client::connect(self.kind, address).await
    }

    async fn make_move(
        &mut self,
        [first, second]: &mut [Client; 2],
        turn: usize,
        expected: &ExpectedMove,
    ) -> Result<()> {
        let (mover, opponent) = if turn == 0 { (first, second) } else { (second, first) };
        let is_measured = self.phase.is(MEASURING);
        let sent_at = Instant::now();
        mover.send_move(expected.mv).await?;
        let micros = || u32::try_from(sent_at.elapsed().as_micros()).unwrap_or(u32::MAX);
        let (acknowledged, seen) = tokio::try_join!(
            async { mover.read_own_move(expected).await.map(|()| micros()) },
            async { opponent.read_move(expected).await.map(|()| micros()) },
        )?;
        if is_measured {
            self.samples.acknowledged.push(acknowledged);
            self.samples.seen.push(seen);
        }
        Ok(())
    }

    async fn start_next_game(&mut self, clients: &mut [Client; 2], round: u32) -> Result<()> {
        if self.kind == ServerKind::Relay {
            self.game.game = format!("{}-{round}", self.number);
            return Ok(());
        }
        clients[0].rematch().await?;
        let rematch = clients[1].rematch().await?;
        self.game.game = rematch.context("both agreed, but there is no rematch")?.to_string();
        // The player who moved second starts.
        self.game.tokens.swap(0, 1);
        Ok(())
    }
}
