//! Idle games with all their sockets. The limit of open files of one process does not suffice, so
//! several processes hold them. Each reads its games from standard input.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use noughts_rules::{Game, Rules, Seat};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::client::{Client, ExpectedMove, SeatAddress, ServerKind};
use crate::setup::ReadyGame;

/// How many games one process holds.
const GAMES_PER_PROCESS: usize = 4_000;

/// How many games one process connects to, or moves in, at a time.
const MAX_CONCURRENT_GAMES: usize = 64;

/// Processes that hold games until this value is dropped.
#[derive(Debug)]
pub(crate) struct Holders(Vec<Holder>);

#[derive(Debug)]
struct Holder {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    games: usize,
}

impl Holders {
    /// Opens the sockets of all games.
    pub(crate) fn start(address: &str, rules: &Rules, games: &[ReadyGame]) -> Result<Holders> {
        let own = std::env::current_exe()?;
        let mut holders = Vec::new();
        for (number, chunk) in games.chunks(GAMES_PER_PROCESS).enumerate() {
            let mut child = Command::new(&own)
                .args([
                    "hold",
                    address,
                    &rules.to_string(),
                    &(number * GAMES_PER_PROCESS).to_string(),
                ])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()?;
            let mut input = child.stdin.take().context("the process has no input")?;
            let output = BufReader::new(child.stdout.take().context("the process has no output")?);
            for ReadyGame { game, tokens: [first, second] } in chunk {
                writeln!(input, "{game} {first} {second}")?;
            }
            writeln!(input)?;
            holders.push(Holder { child, input, output, games: chunk.len() });
        }
        let mut holders = Holders(holders);
        holders.expect("held")?;
        Ok(holders)
    }

    /// Makes a move in every game, which both clients must see.
    pub(crate) fn play(&mut self) -> Result<()> {
        for holder in &mut self.0 {
            writeln!(holder.input, "play")?;
        }
        self.expect("played")
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        for holder in &mut self.0 {
            let mut line = String::new();
            holder.output.read_line(&mut line)?;
            let expected = format!("{word} {}", holder.games);
            ensure!(line.trim() == expected, "expected {expected:?}, got {line:?}");
        }
        Ok(())
    }
}

impl Drop for Holders {
    fn drop(&mut self) {
        for holder in &mut self.0 {
            let _ = holder.child.kill();
            let _ = holder.child.wait();
        }
    }
}

/// The main function of a holding process.
pub(crate) async fn run(address: String, rules: Rules, number: usize) -> Result<()> {
    let mut lines = std::io::stdin().lines();
    let mut games = Vec::new();
    for line in lines.by_ref() {
        let line = line?;
        let Some((game, tokens)) = line.split_once(' ') else { break };
        let (first, second) = tokens.split_once(' ').context("expected two tokens")?;
        games.push(ReadyGame { game: game.into(), tokens: [first.into(), second.into()] });
    }
    let mut held: Vec<[Client; 2]> = Vec::with_capacity(games.len());
    let mut opening = JoinSet::new();
    for (index, game) in games.into_iter().enumerate() {
        if opening.len() >= MAX_CONCURRENT_GAMES
            && let Some(opened) = opening.join_next().await
        {
            held.push(opened??);
        }
        opening.spawn(connect(address.clone(), game, number + index));
    }
    while let Some(opened) = opening.join_next().await {
        held.push(opened??);
    }
    println!("held {}", held.len());
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT_GAMES));
    let (start, started) = watch::channel(());
    let mut playing = JoinSet::new();
    for players in held {
        let game = play_on_signal(players, rules.clone(), started.clone(), permits.clone());
        playing.spawn(game);
    }
    // Reading blocks this thread only: the games run on others.
    let Some(line) = lines.next() else { return Ok(()) };
    ensure!(line? == "play", "expected `play`");
    start.send(())?;
    let mut held = Vec::with_capacity(playing.len());
    while let Some(players) = playing.join_next().await {
        held.push(players??);
    }
    println!("played {}", held.len());
    // Holds the games until the parent closes the pipe.
    lines.next();
    Ok(())
}

/// Answers pings until the signal, then makes a move.
async fn play_on_signal(
    [mut first, mut second]: [Client; 2],
    rules: Rules,
    mut started: watch::Receiver<()>,
    permits: Arc<Semaphore>,
) -> Result<[Client; 2]> {
    tokio::select! {
        changed = started.changed() => changed?,
        ended = first.idle() => ended?,
        ended = second.idle() => ended?,
    }
    let _permit = permits.acquire().await?;
    let mut game = Game::with_default_players(&rules);
    let mv = game.position().legal_moves().next().context("no legal move")?;
    let expected = ExpectedMove::play(&mut game, mv)?;
    first.send_move(expected.mv).await?;
    first.read_own_move(&expected).await?;
    second.read_move(&expected).await?;
    Ok([first, second])
}

async fn connect(server: String, game: ReadyGame, number: usize) -> Result<[Client; 2]> {
    let connect = |seat: u8| {
        let token = &game.tokens[usize::from(seat)];
        let seat = Seat::new(seat).context("two players have seats")?;
        let address = SeatAddress { server: &server, game: &game.game, token, seat, number };
        anyhow::Ok(Client::connect(ServerKind::Noughts, address))
    };
    Ok([connect(0)?.await?, connect(1)?.await?])
}
