//! `noughts bot`: a strategy as an online opponent.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use noughts_api::{ErrorCode, GameId, GamePhase, GameView, PairingRequest, PlayerCommand};
use noughts_client::{
    Address, Client, ClientError, ConnectionEvent, GameConnection, GameFilter, replay,
};
use noughts_engine::{Budget, PlayerKind, Strategy};
use noughts_play::{duration, now};
use noughts_rules::Rules;

use crate::failure::Failure;

/// How often the bot looks for invitations and new games. Everything else comes over WebSockets.
const GAME_LIST_INTERVAL: Duration = Duration::from_secs(2);

/// How many games of each phase the bot looks at.
const MAX_LISTED_GAMES: usize = 100;

/// The part of the bot's clock that is kept for the network.
const NETWORK_RESERVE: Duration = Duration::from_millis(200);

/// Put a computer player online as an opponent
///
/// Plays all games of the token's account, accepts invitations, and with --seek finds opponents. The token comes from the account's page or `POST /api/v1/tokens`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts bot --server http://localhost:8000 --token TOKEN --player hard\n  \
    noughts bot --server https://noughts.example --token TOKEN --player engine:./pbrain --seek gomoku")]
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
    /// Stop after this many finished games
    #[arg(long, value_name = "N")]
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
    let (sender, events) = channel();
    Bot { client, name, arguments, tables: HashMap::new(), sender, events, finished: 0 }.run()
}

struct Bot {
    client: Client,
    name: String,
    arguments: Arguments,
    tables: HashMap<GameId, Table>,
    sender: Sender<(GameId, ConnectionEvent)>,
    events: Receiver<(GameId, ConnectionEvent)>,
    /// How many games have ended.
    finished: usize,
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
        let mut next_look = Instant::now();
        while !self.is_done() {
            if Instant::now() >= next_look {
                if let Err(error) = self.find_games() {
                    check_token(&error)?;
                    eprintln!("noughts: {error}");
                }
                next_look = Instant::now() + GAME_LIST_INTERVAL;
            }
            let timeout = next_look.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(timeout) {
                Ok((game, event)) => {
                    self.receive(game, event);
                    while self.act() {}
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(self.abort_open_games().map_err(anyhow::Error::from)?)
    }

    fn is_done(&self) -> bool {
        self.arguments.games.is_some_and(|games| self.finished >= games)
    }

    /// Accepts invitations, connects to live games, and seeks an opponent if there are none.
    fn find_games(&mut self) -> Result<(), ClientError> {
        for game in self.list(GamePhase::Open)? {
            if !self.tables.contains_key(&game) {
                self.join(game)?;
            }
        }
        for game in self.list(GamePhase::Live)? {
            self.open(game, 0);
        }
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

    fn list(&self, phase: GamePhase) -> Result<Vec<GameId>, ClientError> {
        let (phase, limit) = (Some(phase), Some(MAX_LISTED_GAMES));
        let filter = GameFilter { player: Some(&self.name), phase, limit };
        Ok(self.client.games(&filter)?.iter().map(|game| game.id).collect())
    }

    /// Takes the seat of an invitation. Somebody else may have been faster.
    fn join(&mut self, game: GameId) -> Result<(), ClientError> {
        let view = self.client.game(game, 0)?;
        if !view.your_seats.is_empty() {
            self.open(game, view.seq);
            return Ok(());
        }
        match self.client.command(game, view.seq, PlayerCommand::Join { symbol: None }) {
            Ok(reply) => self.open(game, reply.seq),
            Err(ClientError::Refused(_)) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn open(&mut self, game: GameId, seq: u32) {
        let (client, sender) = (&self.client, &self.sender);
        self.tables.entry(game).or_insert_with(|| {
            let sender = sender.clone();
            let on_event = move |event| drop(sender.send((game, event)));
            let connection = GameConnection::open(client, game, seq, on_event);
            Table { connection, strategy: None, unhandled: None, is_open: false, seq }
        });
    }

    fn receive(&mut self, game: GameId, event: ConnectionEvent) {
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
            | ConnectionEvent::Disconnected => {}
        }
    }

    /// Acts in one of the games that have changed. False if there is none.
    fn act(&mut self) -> bool {
        // Everything that has happened comes before the next decision.
        while let Ok((game, event)) = self.events.try_recv() {
            self.receive(game, event);
        }
        let mut tables = self.tables.values_mut();
        let unhandled = tables.find_map(|table| Some((table.unhandled.take()?, table)));
        let Some(((received_at, view), table)) = unhandled else { return false };
        match view.phase {
            GamePhase::Open => {}
            GamePhase::Live => table.act(&view, received_at, &self.arguments),
            GamePhase::Finished => {
                let table = self.tables.remove(&view.id);
                if table.is_some_and(|table| table.strategy.is_some()) {
                    self.finished += 1;
                    println!("{}: {}", view.id, describe_outcome(&view));
                }
            }
        }
        true
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

/// Ends the program if the token is not valid any more.
fn check_token(error: &ClientError) -> Result<(), Failure> {
    match error.code() {
        Some(ErrorCode::BadToken) => Err(anyhow!("{error}").into()),
        _ => Ok(()),
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
