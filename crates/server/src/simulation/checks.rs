//! What is checked besides the log: clocks, and commands that were refused.

use std::sync::Arc;

use noughts_api::{EndReason, Event, GameId, Millis, SeatHolder};
use noughts_checker::{Check, CountedResult, serving_violation};
use noughts_scores::Weight;
use noughts_store::{Log, LoggedEvent};
use tokio::time::{Duration, Instant, sleep, timeout};

use super::database::Health;
use super::games::setup;
use super::player::participant;
use super::world::World;
use crate::game::OnlineGame;

/// The clock of the games that nobody plays.
const SILENT_CLOCK_MS: u32 = 3_000;

/// How late such a game may end.
const END_TOLERANCE: Duration = Duration::from_secs(3);

/// How often availability is measured, in milliseconds.
const SAMPLE_MS: u64 = 250;

/// For how long a server may show a game as it was, even if a notice was lost.
const SERVING_TOLERANCE: Duration = Duration::from_secs(12);

/// Servers charge shorter outages to the clocks, in milliseconds.
const OUTAGE_THRESHOLD_MS: Millis = 6_500;

/// Measures for how long games could be played.
pub(super) async fn watch_availability(world: Arc<World>) {
    let mut down_ms = 0;
    loop {
        sleep(Duration::from_millis(SAMPLE_MS)).await;
        let has_server = (0..world.server_count()).any(|index| world.server(index).is_some());
        down_ms += SAMPLE_MS as Millis;
        if has_server && world.database.health() == Health::Up {
            if down_ms <= OUTAGE_THRESHOLD_MS {
                world.add_available(down_ms);
            }
            down_ms = 0;
        }
    }
}

/// On every server, a game in which nobody moves ends by time, and no clock is held.
pub(super) async fn clocks_run_everywhere(world: &Arc<World>) {
    for index in 0..world.server_count() {
        let server = world.server(index).expect("all servers run");
        let id = server.games.new_game_id();
        let seats = [0, 1].map(|person| SeatHolder::Taken(participant(person)));
        let setup = setup("3x3", seats, Some(SILENT_CLOCK_MS));
        if let Err(error) = server.games.create(id, setup, None).await {
            world.violation(id, format!("could not be created: {error}"));
            continue;
        }
        let start = Instant::now();
        let clock = Duration::from_millis(SILENT_CLOCK_MS.into());
        let ended = timeout(clock + END_TOLERANCE, async {
            while stored_result(world, id).await != Some(EndReason::Time) {
                sleep(Duration::from_millis(50)).await;
            }
        });
        if ended.await.is_err() {
            world.violation(id, format!("server {index}: the clock stands still"));
        } else if start.elapsed() < clock - Duration::from_millis(100) {
            world.violation(id, format!("server {index}: the clock jumped"));
        }
        let events = world.database.log.events(id, 0, 100).await.unwrap_or_default();
        if events.iter().any(|event| event.body.contains("clock_held")) {
            world.violation(id, format!("server {index}: a clock was held: {events:?}"));
        }
    }
}

async fn stored_result(world: &World, id: GameId) -> Option<EndReason> {
    let game = crate::read_game(&world.database.log, id).await.ok()?;
    Some(game.result()?.reason)
}

/// All violations, as sentences.
pub(super) async fn violations(world: &Arc<World>) -> Vec<String> {
    let log = &world.database.log;
    note_unplayed_rematches(world).await;
    let mut check = Check::of_log(log, &world.record).await;
    let results: Vec<CountedResult> = (1..)
        .zip(log.results())
        .map(|(id, stored)| CountedResult {
            id,
            at: stored.at,
            game: stored.game,
            weight: Weight::FULL,
        })
        .collect();
    check.results(&results);
    for index in 0..world.server_count() {
        for id in world.record.games().into_keys() {
            if let Some(violation) = wrongly_served(world, index, id).await {
                check.violation(id, format!("server {index}: {violation}"));
            }
        }
    }
    for (id, key) in world.refused_moves() {
        let logged = log.events(id, 0, 10_000).await.unwrap_or_default();
        let is_stored =
            |event: &&LoggedEvent| event.key.as_ref().is_some_and(|stored| stored.key == key);
        if let Some(event) = logged.iter().find(is_stored) {
            check.violation(id, format!("refused, but stored: {event:?}"));
        }
    }
    for id in world.record.games().into_keys() {
        let logged = log.events(id, 0, 10_000).await.unwrap_or_default();
        if let Some(violation) = unfair_loss(world, id, &logged) {
            check.violation(id, violation);
        }
    }
    check.violations().into_iter().chain(world.violations()).collect()
}

/// What is wrong with a game as a server shows it, if anything. Clocks may still end the game, and the
/// server hears of that a little later.
async fn wrongly_served(world: &World, index: usize, id: GameId) -> Option<String> {
    let server = world.server(index).expect("all servers run");
    let deadline = Instant::now() + SERVING_TOLERANCE;
    loop {
        let served = match server.games.snapshot(id, None).await {
            Ok(snapshot) => server.games.view_for(&snapshot.game, None),
            Err(error) => return Some(error.to_string()),
        };
        let violation = serving_violation(&world.database.log, &served).await?;
        if Instant::now() >= deadline {
            return Some(violation);
        }
        sleep(Duration::from_millis(SAMPLE_MS)).await;
    }
}

/// Players may miss that they agreed to a rematch. It ends all the same.
async fn note_unplayed_rematches(world: &World) {
    let mut games: Vec<GameId> = world.record.games().into_keys().collect();
    while let Some(id) = games.pop() {
        let game = crate::read_game(&world.database.log, id).await.ok();
        if let Some(rematch) = game.and_then(|game| game.rematch()) {
            world.record.game(rematch);
            games.push(rematch);
        }
    }
}

/// Whether somebody lost by time who had time left: at least half of it must have passed during
/// their turns, while games could be played.
fn unfair_loss(world: &World, id: GameId, logged: &[LoggedEvent]) -> Option<String> {
    let mut events = logged.iter().map(|logged| {
        (
            serde_json::from_str::<Event>(&logged.body),
            logged.at,
            world.stored_at(id, logged.sequence),
        )
    });
    let (Ok(Event::Created(setup)), at, _) = events.next()? else { return None };
    let initial_ms = Millis::from(setup.clock?.initial_ms);
    let rules = setup.rules.parse().ok()?;
    let mut game = OnlineGame::create(id, rules, *setup, at).ok()?;
    let mut spent = [0, 0];
    let mut last = 0;
    for (event, at, stored_at) in events {
        if let Some(seat) = game.turn() {
            spent[seat.index()] += stored_at - last;
        }
        last = stored_at;
        game.apply(&event.ok()?, at, None).ok()?;
    }
    let result = game.result()?;
    let loser = 1 - result.winner?.index();
    let is_unfair = result.reason == EndReason::Time && spent[loser] < initial_ms / 2;
    is_unfair.then(|| format!("seat {loser} lost by time after {} ms", spent[loser]))
}
