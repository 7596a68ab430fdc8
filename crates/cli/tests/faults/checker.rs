//! Holds the log against what clients were told, and what is derived from the log against it.

use std::collections::BTreeMap;

use noughts_scores::{GameResult, League, Outcome as ScoreOutcome, Report, ResultId, System};
use noughts_server::game::OnlineGame;
use noughts_server::{LEAGUE, read_game};
use noughts_store::{GameId, LoggedEvent, Standings, Store};
use serde_json::Value;
use sqlx::Connection;

use crate::record::{GameRecord, Record};
use crate::server::{Agent, Place};

/// Everything that is wrong, in sentences. Nothing, if all is well.
pub(crate) async fn check(place: &Place, record: &Record, address: Option<&str>) -> Vec<String> {
    let store = place.store().await;
    let mut wrong = Vec::new();
    let mut logged = BTreeMap::new();
    for (key, told) in record.games() {
        let events = events(&store, key.parse().unwrap()).await;
        check_told(&key, &events, &told, &mut wrong);
        match read_game(&*store.log(), key.parse().unwrap()).await {
            Ok(game) => drop(logged.insert(key, game)),
            Err(error) => wrong.push(format!("{key}: {error}")),
        }
    }
    if let Some(address) = address {
        let agent = Agent::of(address);
        for (key, game) in &logged {
            check_served(game, &agent.get(&format!("games/{key}")), &mut wrong);
        }
    }
    check_ratings(&store, place, &logged, &mut wrong).await;
    store.close().await;
    wrong
}

async fn events(store: &Store, game: GameId) -> Vec<LoggedEvent> {
    store.log().events(game, 0, 100_000).await.unwrap()
}

/// Every acknowledged move is in the log exactly once, and whatever was told is what the log says.
fn check_told(key: &str, events: &[LoggedEvent], told: &GameRecord, wrong: &mut Vec<String>) {
    let numbers: Vec<u64> = events.iter().map(|event| event.sequence).collect();
    if numbers != (1..=events.len() as u64).collect::<Vec<_>>() {
        wrong.push(format!("{key}: the log has the sequence {numbers:?}"));
    }
    if events.windows(2).any(|pair| pair[0].at > pair[1].at) {
        wrong.push(format!("{key}: time goes back in the log"));
    }
    for done in &told.done {
        let of_command = |event: &&LoggedEvent| {
            event.key.as_ref().is_some_and(|stored| *stored.key == *done.key)
        };
        let found: Vec<&LoggedEvent> = events.iter().filter(of_command).collect();
        let [event] = found[..] else {
            wrong.push(format!("{key}: {done:?} is in the log {} times", found.len()));
            continue;
        };
        let body: Value = serde_json::from_str(&event.body).unwrap();
        let is_it = body["type"] == "moved" && body["cell"] == done.cell;
        if !is_it || event.sequence != done.seq {
            wrong.push(format!("{key}: {done:?} is in the log as {event:?}"));
        }
    }
    for event in &told.events {
        let seq = event["seq"].as_u64().unwrap();
        let stored: Vec<&LoggedEvent> = events.iter().filter(|e| e.sequence == seq).collect();
        let is_it = |stored: &LoggedEvent| {
            let body: Value = serde_json::from_str(&stored.body).unwrap();
            let fields = body.as_object().unwrap();
            event["at"] == stored.at && fields.iter().all(|(name, value)| event[name] == *value)
        };
        if stored.len() != 1 || !is_it(stored[0]) {
            wrong.push(format!("{key}: {event} was told, the log has {stored:?}"));
        }
    }
}

/// What is served is what the log says. Somebody may come or go between the two looks: what depends
/// on that is left out.
fn check_served(game: &OnlineGame, served: &Value, wrong: &mut Vec<String>) {
    let stored = serde_json::to_value(game.view(None, game.updated_at())).unwrap();
    for field in ["phase", "position", "board", "moves", "turn", "result", "rated"] {
        if stored[field] != served[field] {
            let (stored, served) = (&stored[field], &served[field]);
            wrong.push(format!("{}: {field} is {stored}, served {served}", game.id()));
        }
    }
}

/// The results in the database are those of the games that ended, and the ratings that follow from
/// them are those that the store has.
async fn check_ratings(
    store: &Store,
    place: &Place,
    games: &BTreeMap<String, OnlineGame>,
    wrong: &mut Vec<String>,
) {
    let results = results(place).await;
    let keys: Vec<&GameId> = results.iter().map(|(_, _, game)| game).collect();
    for (key, game) in games {
        let counts = game.ending().is_some_and(|ending| ending.outcome().is_some());
        let found = keys.iter().filter(|other| ***other == game.id()).count();
        if found != usize::from(counts && game.setup().league.is_some()) {
            wrong.push(format!("{key}: the game has {found} results"));
        }
    }
    let mut league = League::new(System::Glicko2);
    for (id, at, game) in &results {
        let Some(game) = games.get(&game.to_string()) else {
            wrong.push(format!("{game}: a result of a game that nobody played"));
            continue;
        };
        let Some(outcome) = game.ending().and_then(|ending| ending.outcome()) else { continue };
        let outcome = match outcome {
            noughts_rules::Outcome::Win(seat) => ScoreOutcome::Won { seat: seat.index() as u8 },
            noughts_rules::Outcome::Draw => ScoreOutcome::Draw,
        };
        let players = game.seats().iter().map(|seat| match seat.holder.identity() {
            Some(identity) => identity.to_string(),
            None => format!("{:?}", seat.holder),
        });
        let players: Vec<String> = players.collect();
        let result = GameResult::new(players.iter().map(String::as_str), outcome).unwrap();
        league.report(&Report { id: ResultId(*id as u64), at: *at, result }).unwrap();
    }
    let standings = Standings::load(store).await.unwrap();
    let listed = |league: &League| -> Vec<String> {
        league.top(1000).map(|standing| format!("{standing:?}")).collect()
    };
    let expected = listed(&league);
    let stored = standings.read(LEAGUE, listed).unwrap_or_default();
    if stored != expected {
        wrong.push(format!("ratings are {stored:#?}, recomputed {expected:#?}"));
    }
}

/// Results as they stand in the database: id, time, game.
async fn results(place: &Place) -> Vec<(i64, i64, GameId)> {
    const QUERY: &str = "SELECT results.id, results.at, games.online FROM results
        JOIN games ON games.id = results.game ORDER BY results.id";
    let rows: Vec<(i64, i64, Vec<u8>)> = match place {
        Place::Sqlite(folder) => {
            let url = format!("sqlite:{}", folder.path().join("noughts.db").display());
            let mut database = sqlx::SqliteConnection::connect(&url).await.unwrap();
            sqlx::query_as(QUERY).fetch_all(&mut database).await.unwrap()
        }
        Place::Postgres(_, url) => {
            let mut database = sqlx::PgConnection::connect(url).await.unwrap();
            sqlx::query_as(QUERY).fetch_all(&mut database).await.unwrap()
        }
    };
    let key = |bytes: Vec<u8>| GameId::from_bytes(bytes.try_into().unwrap());
    rows.into_iter().map(|(id, at, game)| (id, at, key(game))).collect()
}
