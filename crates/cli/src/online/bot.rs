//! `noughts bot`: a strategy as an online opponent.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use noughts_api::{
    EndReason, ErrorCode, GameId, GamePhase, GameView, PairingRequest, ParseTournamentIdError,
    PlayerCommand, StreamEvent, TournamentId,
};
use noughts_client::{Address, Client, ClientError, ConnectionEvent, GameConnection, replay};
use noughts_engine::{Budget, PlayerKind, Strategy};
use noughts_play::{duration, now};
use noughts_rules::Rules;

use crate::failure::Failure;

/// How often a bot without games seeks one, if it is asked to.
const SEEK_INTERVAL: Duration = Duration::from_secs(2);

/// The pause before a lost event stream is opened again.
const STREAM_PAUSE: Duration = Duration::from_secs(1);

/// The part of the bot's clock that is kept for the network.
const NETWORK_RESERVE: Duration = Duration::from_millis(200);

/// Put a computer player online as an opponent
///
/// Plays all games of the token's account, accepts invitations and rematches, and with --seek finds opponents. With --tournament it joins a tournament that allows bots. The token comes from the account's page or `POST /api/v1/tokens`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts bot --server http://localhost:8000 --token TOKEN --player hard\n  \
    noughts bot --server https://noughts.example --token TOKEN --player engine:./pbrain --seek gomoku\n  \
    noughts bot --server https://noughts.example --token TOKEN --tournament 01hf7yat0060rk4csm6mv3ee1s")]
pub(crate) struct Arguments {
    /// The address of the server
    #[arg(long, value_name = "URL")]
    server: String,
    /// The token of the bot
    #[arg(long, env = "NOUGHTS_TOKEN", hide_env_values = true)]
    token: String,
    /// Who plays: random, easy, medium, hard, perfect, mcts, alpha-beta or engine:PATH
    #[arg(long, default_value = "hard")]
    player: PlayerKind,
    /// The longest time to think about a move
    #[arg(long, default_value = "1s", value_parser = duration)]
    think: Duration,
    /// Find opponents for these rules whenever there is no other game
    #[arg(long, value_name = "RULES")]
    seek: Option<Rules>,
    /// Seek rated games
    #[arg(long, requires = "seek")]
    rated: bool,
    /// Join the tournament with this id, or at this address
    #[arg(long, value_name = "ID", value_parser = tournament_id)]
    tournament: Option<TournamentId>,
    /// Stop after this many finished games
    #[arg(long, value_name = "N", value_parser = crate::numbers::plies)]
    games: Option<usize>,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.player.is_human() {
        return Err(Failure::malformed(anyhow!("a bot is a computer: choose another --player")));
    }
    let address: Address = arguments.server.parse().map_err(Failure::malformed)?;
    let client = Client::new(&address.server, Some(arguments.token.clone()));
    let name = client.me().map_err(anyhow::Error::from)?.name;
    println!("{name} plays {} at {}", arguments.player, address.server);
    if let Some(id) = arguments.tournament {
        let joined = client.join_tournament(id).map_err(anyhow::Error::from)?.tournament;
        println!("joined {}", joined.settings.name);
    }
    let (sender, events) = channel();
    follow(client.clone(), sender.clone());
    Bot { client, arguments, tables: HashMap::new(), sender, events, finished: HashSet::new() }
        .run()
}

/// The id of a tournament, alone or at the end of its page's address.
fn tournament_id(text: &str) -> Result<TournamentId, ParseTournamentIdError> {
    text.rsplit('/').next().unwrap_or(text).parse()
}

/// Passes on the bot's event stream, which is opened again when it ends, as long as the bot runs.
fn follow(client: Client, sender: Sender<Input>) {
    thread::spawn(move || {
        loop {
            let followed =
                client.follow(|event| sender.send(Input::Stream(Box::new(event))).is_ok());
            let outcome = followed.map_err(|error| sender.send(Input::StreamFailed(error)));
            if matches!(outcome, Err(Err(_))) {
                return;
            }
            thread::sleep(STREAM_PAUSE);
        }
    });
}

/// What the bot listens to.
enum Input {
    /// Something in any of its games.
    Stream(Box<StreamEvent>),
    /// The event stream could not be opened.
    StreamFailed(ClientError),
    /// Something in a game that it is connected to.
    Game(GameId, ConnectionEvent),
}

struct Bot {
    client: Client,
    arguments: Arguments,
    tables: HashMap<GameId, Table>,
    sender: Sender<Input>,
    events: Receiver<Input>,
    /// The games that have ended.
    finished: HashSet<GameId>,
}

/// A game of the bot.
struct Table {
    connection: GameConnection,
    /// Of its own for each game, because engines remember their games. None until the game is live.
    strategy: Option<Box<dyn Strategy>>,
    /// The latest view and when it came, unless the bot has acted on it already.
    unhandled: Option<(Instant, Box<GameView>)>,
    is_open: bool,
    /// The last event that was seen.
    seq: u32,
}

impl Bot {
    fn run(&mut self) -> Result<(), Failure> {
        let mut next_seek = Instant::now();
        while !self.is_done() {
            if Instant::now() >= next_seek {
                report(self.seek())?;
                next_seek = Instant::now() + SEEK_INTERVAL;
            }
            let timeout = next_seek.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(timeout) {
                Ok(input) => {
                    self.receive(input)?;
                    while self.act()? {}
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(self.abort_open_games().map_err(anyhow::Error::from)?)
    }

    fn is_done(&self) -> bool {
        self.arguments.games.is_some_and(|games| self.finished.len() >= games)
    }

    /// Finds an opponent if there is no game.
    fn seek(&mut self) -> Result<(), ClientError> {
        if let Some(rules) = &self.arguments.seek
            && self.tables.is_empty()
        {
            let (rules, rated) = (rules.to_string(), self.arguments.rated);
            let request = PairingRequest { rules, rated, clock: None, key: None };
            let game = self.client.pair(request)?;
            self.open(game.id, game.seq);
        }
        Ok(())
    }

    /// Accepts invitations and rematches, and connects to games.
    fn answer(&mut self, event: &StreamEvent) -> Result<(), ClientError> {
        let game = event.game();
        match event {
            StreamEvent::Challenge { .. } => {
                let join = PlayerCommand::Join { symbol: None };
                if let Some(seq) = self.accept(game, join)? {
                    self.open(game.id, seq);
                }
            }
            StreamEvent::GameStarted { .. } | StreamEvent::YourTurn { .. } => {
                self.open(game.id, game.seq);
            }
            // The rematch begins with an event of its own.
            StreamEvent::RematchOffered { .. } => {
                self.accept(game, PlayerCommand::Rematch)?;
            }
            // Otherwise its connection says so, too.
            StreamEvent::GameEnded { .. } => {
                if !self.tables.contains_key(&game.id) {
                    self.count(game);
                }
            }
        }
        Ok(())
    }

    /// Accepts an offer. None if it was withdrawn, or somebody else was faster.
    fn accept(&self, game: &GameView, command: PlayerCommand) -> Result<Option<u32>, ClientError> {
        match self.client.command(game.id, game.seq, command) {
            Ok(reply) => Ok(Some(reply.seq)),
            Err(ClientError::Refused(error)) if error.code != ErrorCode::BadToken => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(&mut self, game: GameId, seq: u32) {
        let (client, sender) = (&self.client, &self.sender);
        self.tables.entry(game).or_insert_with(|| {
            let sender = sender.clone();
            let on_event = move |event| drop(sender.send(Input::Game(game, event)));
            let connection = GameConnection::open(client, game, seq, on_event);
            Table { connection, strategy: None, unhandled: None, is_open: false, seq }
        });
    }

    fn receive(&mut self, input: Input) -> Result<(), Failure> {
        match input {
            Input::Stream(event) => report(self.answer(&event)),
            Input::StreamFailed(error) => report(Err(error)),
            Input::Game(game, event) => {
                self.update(game, event);
                Ok(())
            }
        }
    }

    fn update(&mut self, game: GameId, event: ConnectionEvent) {
        let Some(table) = self.tables.get_mut(&game) else { return };
        match event {
            ConnectionEvent::Snapshot(view)
            | ConnectionEvent::Reconnected(view)
            | ConnectionEvent::Update { view, .. } => {
                (table.is_open, table.seq) = (view.phase == GamePhase::Open, view.seq);
                table.unhandled = Some((Instant::now(), view));
            }
            // A snapshot came before.
            ConnectionEvent::Refused { error, .. } if error.code == ErrorCode::Stale => {}
            ConnectionEvent::Refused { error, .. } => {
                eprintln!("noughts: {game}: {}", error.message);
            }
            ConnectionEvent::Closed(reason) => {
                eprintln!("noughts: {game}: {reason}");
                self.tables.remove(&game);
            }
            ConnectionEvent::Accepted(_)
            | ConnectionEvent::Lag { .. }
            | ConnectionEvent::Emote { .. }
            | ConnectionEvent::Spectators(_)
            | ConnectionEvent::Disconnected => {}
        }
    }

    /// Acts in one of the games that have changed. False if there is none.
    fn act(&mut self) -> Result<bool, Failure> {
        // Everything that has happened comes before the next decision.
        while let Ok(input) = self.events.try_recv() {
            self.receive(input)?;
        }
        let mut tables = self.tables.values_mut();
        let unhandled = tables.find_map(|table| Some((table.unhandled.take()?, table)));
        let Some(((received_at, view), table)) = unhandled else { return Ok(false) };
        match view.phase {
            GamePhase::Open => {}
            GamePhase::Live => table.act(&view, received_at, &self.arguments),
            GamePhase::Finished => {
                self.tables.remove(&view.id);
                self.count(&view);
            }
        }
        Ok(true)
    }

    /// Counts a game that has ended, once, unless it was not played.
    fn count(&mut self, view: &GameView) {
        let Some(result) = &view.result else { return };
        let was_played = !matches!(result.reason, EndReason::Aborted | EndReason::Abandoned);
        if was_played && self.finished.insert(view.id) {
            println!("{}: {}", view.id, describe_outcome(view));
        }
    }

    /// Leaves nobody waiting for a bot that has stopped.
    fn abort_open_games(&self) -> Result<(), ClientError> {
        for (game, table) in self.tables.iter().filter(|(_, table)| table.is_open) {
            let view = self.client.game(*game, table.seq)?;
            if view.phase == GamePhase::Open {
                self.client.command(*game, view.seq, PlayerCommand::Abort)?;
            }
        }
        Ok(())
    }
}

impl Table {
    /// Answers an undo request, or moves.
    fn act(&mut self, view: &GameView, received_at: Instant, arguments: &Arguments) {
        let kind = &arguments.player;
        let strategy = self.strategy.get_or_insert_with(|| {
            kind.strategy(now() as u64).expect("people were refused at the start")
        });
        let command = if view.awaits_your_undo_answer() {
            PlayerCommand::AnswerUndo { accept: true }
        } else if view.is_your_turn() {
            let budget = budget(view, received_at, arguments.think);
            choose(strategy.as_mut(), view, &budget)
        } else {
            return;
        };
        self.connection.send(view.seq, command);
    }
}

/// The strategy's move. A strategy that fails resigns.
fn choose(strategy: &mut dyn Strategy, view: &GameView, budget: &Budget) -> PlayerCommand {
    let chosen = replay(view).map_err(|error| error.to_string()).and_then(|game| {
        strategy.choose(game.position(), budget).map_err(|error| error.to_string())
    });
    match chosen {
        Ok(choice) => PlayerCommand::Move { mv: choice.mv },
        Err(error) => {
            eprintln!("noughts: {}: {error}", view.id);
            PlayerCommand::Resign
        }
    }
}

/// The time for a move: what the clock leaves, and at most `think`.
fn budget(view: &GameView, received_at: Instant, think: Duration) -> Budget {
    let budget = Budget::unlimited().with_time(think);
    let (Some(clock), Some(turn)) = (&view.clock, view.turn) else { return budget };
    let remaining = clock.remaining_ms.get(turn.index()).copied().unwrap_or_default();
    let remaining = Duration::from_millis(u64::try_from(remaining).unwrap_or(0));
    let increment = Duration::from_millis(clock.control.increment_ms.into());
    let remaining = remaining.saturating_sub(received_at.elapsed() + NETWORK_RESERVE);
    budget.with_clock(remaining, increment)
}

/// Prints what failed. Fails if the token is not valid any more.
fn report(outcome: Result<(), ClientError>) -> Result<(), Failure> {
    match outcome {
        Err(error) if error.code() == Some(ErrorCode::BadToken) => Err(anyhow!("{error}").into()),
        Err(error) => {
            eprintln!("noughts: {error}");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

fn describe_outcome(view: &GameView) -> String {
    let Some(result) = &view.result else { return "finished".into() };
    let reason = serde_json::to_value(result.reason).unwrap_or_default();
    let reason = reason.as_str().unwrap_or_default();
    match result.winner {
        Some(seat) if view.your_seats.contains(&seat) => format!("won ({reason})"),
        Some(_) => format!("lost ({reason})"),
        None => reason.into(),
    }
}
