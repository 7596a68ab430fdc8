//! Creating games on a server over HTTP.

use std::sync::Mutex;
use std::thread;

use anyhow::Result;
use noughts_api::{Level, NewGame, NewSeat, PlayerCommand};
use noughts_client::Client;

/// A game before its first move, and the tokens of its players in seat order.
#[derive(Debug, Clone)]
pub(crate) struct ReadyGame {
    pub(crate) game: String,
    pub(crate) tokens: [String; 2],
}

/// Requests at a time: enough for the server to commit several together.
const CONCURRENT_REQUESTS: usize = 16;

/// Creates games, each between two new guests.
pub(crate) fn create_games(server: &str, rules: &str, count: usize) -> Result<Vec<ReadyGame>> {
    let created = Mutex::new(Vec::with_capacity(count));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..CONCURRENT_REQUESTS)
            .map(|number| {
                let created = &created;
                scope.spawn(move || -> Result<()> {
                    let client = client(server);
                    for _ in (number..count).step_by(CONCURRENT_REQUESTS) {
                        let game = create_game(&client, rules)?;
                        created.lock().expect("no thread panics").push(game);
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    Ok(created.into_inner().expect("no thread panics"))
}

/// Makes computer players of the server search for as long as they may.
pub(crate) fn start_searches(server: &str, count: usize) -> Result<()> {
    let client = client(server);
    for _ in 0..count {
        let client = guest(&client)?;
        let computer = NewSeat::Computer { level: Level::Perfect, symbol: None };
        let game = client.create_game(new_game("15x15:5", computer))?;
        client.command(game.id, game.seq, PlayerCommand::Move { mv: game.legal[0] })?;
    }
    Ok(())
}

fn client(server: &str) -> Client {
    Client::new(&format!("http://{server}"), None)
}

fn create_game(client: &Client, rules: &str) -> Result<ReadyGame> {
    let [first, second] = [guest(client)?, guest(client)?];
    let game = first.create_game(new_game(rules, NewSeat::Anyone { symbol: None }))?;
    second.command(game.id, game.seq, PlayerCommand::Join { symbol: None })?;
    let token = |client: &Client| client.token().unwrap_or_default().to_string();
    Ok(ReadyGame { game: game.id.to_string(), tokens: [token(&first), token(&second)] })
}

fn guest(client: &Client) -> Result<Client> {
    Ok(client.with_token(client.create_guest()?.token))
}

fn new_game(rules: &str, opponent: NewSeat) -> NewGame {
    NewGame::new(rules, vec![NewSeat::Me { name: None, symbol: None }, opponent])
}
