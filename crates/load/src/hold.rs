//! Many idle games with all their sockets. One process may not have as many files open as that
//! takes, so several hold them; each is told its games on standard input.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use noughts_rules::{Game, Rules};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::client::{Client, Expected, Kind};
use crate::setup::Pair;

/// How many games one process holds.
const GAMES: usize = 4_000;

/// How many connections one process makes at once, and in how many games it moves at once.
const AT_ONCE: usize = 64;

/// Processes that hold games until this is dropped.
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
    pub(crate) fn start(address: &str, rules: &Rules, pairs: &[Pair]) -> Result<Holders> {
        let own = std::env::current_exe()?;
        let mut holders = Vec::new();
        for (number, chunk) in pairs.chunks(GAMES).enumerate() {
            let mut child = Command::new(&own)
                .args(["hold", address, &rules.to_string(), &(number * GAMES).to_string()])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()?;
            let mut input = child.stdin.take().context("no input")?;
            let output = BufReader::new(child.stdout.take().context("no output")?);
            for Pair { game, tokens: [first, second] } in chunk {
                writeln!(input, "{game} {first} {second}")?;
            }
            writeln!(input)?;
            holders.push(Holder { child, input, output, games: chunk.len() });
        }
        let mut holders = Holders(holders);
        holders.wait_for("held")?;
        Ok(holders)
    }

    /// Makes a move in every game, which both ends must see.
    pub(crate) fn play(&mut self) -> Result<()> {
        for holder in &mut self.0 {
            writeln!(holder.input, "play")?;
        }
        self.wait_for("played")
    }

    fn wait_for(&mut self, word: &str) -> Result<()> {
        for holder in &mut self.0 {
            let mut line = String::new();
            holder.output.read_line(&mut line)?;
            let expected = format!("{word} {}", holder.games);
            ensure!(line.trim() == expected, "expected that {expected} games, got {line:?}");
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

/// What a holding process does.
pub(crate) async fn run(address: String, rules: Rules, number: usize) -> Result<()> {
    let mut lines = std::io::stdin().lines();
    let mut pairs = Vec::new();
    for line in lines.by_ref() {
        let line = line?;
        let Some((game, tokens)) = line.split_once(' ') else { break };
        let (first, second) = tokens.split_once(' ').context("expected two tokens")?;
        pairs.push(Pair { game: game.into(), tokens: [first.into(), second.into()] });
    }
    let mut held: Vec<[Client; 2]> = Vec::with_capacity(pairs.len());
    let mut opening = JoinSet::new();
    for (place, pair) in pairs.into_iter().enumerate() {
        if opening.len() >= AT_ONCE
            && let Some(opened) = opening.join_next().await
        {
            held.push(opened??);
        }
        opening.spawn(open(address.clone(), pair, number + place));
    }
    while let Some(opened) = opening.join_next().await {
        held.push(opened??);
    }
    println!("held {}", held.len());
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let (play, told) = watch::channel(());
    let mut playing = JoinSet::new();
    for pair in held {
        playing.spawn(play_when_told(pair, rules.clone(), told.clone(), turns.clone()));
    }
    // The games have threads of their own.
    let Some(line) = lines.next() else { return Ok(()) };
    ensure!(line? == "play", "expected `play`");
    play.send(())?;
    let mut held = Vec::with_capacity(playing.len());
    while let Some(pair) = playing.join_next().await {
        held.push(pair??);
    }
    println!("played {}", held.len());
    // Until there is nobody any more for whom they are held.
    lines.next();
    Ok(())
}

/// Answers what keeps the connections up until it is time to play, and plays a move.
async fn play_when_told(
    [mut first, mut second]: [Client; 2],
    rules: Rules,
    mut told: watch::Receiver<()>,
    turns: Arc<Semaphore>,
) -> Result<[Client; 2]> {
    tokio::select! {
        told = told.changed() => told?,
        ended = first.idle() => ended?,
        ended = second.idle() => ended?,
    }
    let _turn = turns.acquire().await?;
    let mut game = Game::with_default_players(&rules);
    let cell = rules.cells().next().context("no cells")?;
    let expected = Expected::play(&mut game, cell)?;
    first.send_move(expected.cell).await?;
    first.read_own(&expected).await?;
    second.read_move(&expected).await?;
    Ok([first, second])
}

async fn open(address: String, pair: Pair, number: usize) -> Result<[Client; 2]> {
    let Pair { game, tokens: [first, second] } = &pair;
    Ok([
        Client::connect(Kind::Noughts, &address, game, first, 0, number).await?,
        Client::connect(Kind::Noughts, &address, game, second, 1, number).await?,
    ])
}
