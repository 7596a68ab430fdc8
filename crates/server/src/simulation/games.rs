//! The games of a simulation.

use std::sync::Arc;

use noughts_api::{
    GameId, GameSetup, IdempotencyKey, IdentityId, Millis, SeatHolder, SeatSetup, TimeControl,
};
use noughts_store::CommandKey;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Duration, sleep, timeout};

use super::player::{Player, participant};
use super::world::World;

/// A game may go on this long after the last fault.
const PLAY_TIMEOUT: Duration = Duration::from_secs(1800);

/// How soon somebody who could not create a game tries again.
const RETRY_DELAY: Duration = Duration::from_millis(200);

const RULES: [&str; 4] = ["3x3", "4x4:3", "5x5:4", "3x3+misere"];

const AWAY_MS: Millis = 60_000;
const IDLE_MS: Millis = 24 * 3600 * 1000;

/// A game that two people play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) id: GameId,
    /// Whether Bob moves first, as in every other rematch.
    pub(super) is_swapped: bool,
}

pub(super) fn setup(rules: &str, seats: [SeatHolder; 2], clock_ms: Option<u32>) -> GameSetup {
    GameSetup {
        v: 1,
        rules: rules.into(),
        seats: seats.map(|holder| SeatSetup { holder, symbol: None }).into(),
        league: None,
        clock: clock_ms.map(|initial_ms| TimeControl { initial_ms, increment_ms: 0 }),
        public: true,
        creator: IdentityId(1),
        away_ms: AWAY_MS,
        idle_ms: IDLE_MS,
        open_ms: None,
        rematch_of: None,
        series: None,
        moves: Vec::new(),
        tournament: None,
        first_move_ms: None,
    }
}

/// Plays all games to their end, with all rematches.
pub(super) async fn play_all(world: Arc<World>) {
    let count = 1 + world.up_to(3);
    let mut games = JoinSet::new();
    for number in 0..count {
        games.spawn(play_series(world.clone(), number));
    }
    games.join_all().await;
}

async fn play_series(world: Arc<World>, number: u64) {
    world.delay(5_000).await;
    let clock_ms = world.chance(50).then_some(30_000);
    let seats = [SeatHolder::Taken(participant(0)), SeatHolder::Open];
    let mut setup = setup(world.pick(&RULES), seats, clock_ms);
    setup.league = world.chance(60).then(|| "Online".into());
    let mut game = Game { id: create(&world, &setup, number).await, is_swapped: false };
    loop {
        world.record.game(game.id);
        let play = |person| tokio::spawn(Player::new(world.clone(), game, person).run());
        let players = [play(0), play(1)];
        let mut rematch = None;
        for player in players {
            match player.await {
                Ok(agreed) => rematch = rematch.or(agreed),
                Err(error) => world.violation(game.id, format!("a player failed: {error}")),
            }
        }
        let Some(id) = rematch.filter(|_| !world.is_healed()) else { return };
        game = Game { id, is_swapped: !game.is_swapped };
    }
}

/// Creates a game by a command that is sent again until it succeeds, perhaps to other servers.
async fn create(world: &Arc<World>, setup: &GameSetup, number: u64) -> GameId {
    let key = IdempotencyKey::new(&format!("create {number}")).expect("a valid key");
    let key = CommandKey { sender: IdentityId(1), key };
    loop {
        let index = world.up_to(world.server_count() as u64 - 1) as usize;
        if let Some(server) = world.server(index) {
            let id = server.games.new_game_id();
            let created = tokio::select! {
                biased;
                () = server.disconnected.cancelled() => None,
                created = server.games.create(id, setup.clone(), Some(key.clone())) => created.ok(),
            };
            // Sometimes the answer gets lost.
            if let Some(game) = created.filter(|_| !world.fault(20)) {
                return game;
            }
        }
        sleep(RETRY_DELAY).await;
    }
}

/// Waits for all games to end, now that nothing fails any more.
pub(super) async fn wait_for_end(world: &World, mut playing: JoinHandle<()>) {
    if timeout(PLAY_TIMEOUT, &mut playing).await.is_err() {
        playing.abort();
        let games: Vec<GameId> = world.record.games().into_keys().collect();
        world.violation(games[0], format!("one of the games does not end: {games:?}"));
    }
}
