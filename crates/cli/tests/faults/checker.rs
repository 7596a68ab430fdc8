//! Checks the log against what clients received, and everything derived from the log against it.

use std::collections::BTreeMap;

use noughts_api::{Event, GameId, GameView, IdentityId, PlayerCommand, SeatHolder};
use noughts_scores::{GameResult, League, Outcome as ScoreOutcome, Report, ResultId, System};
use noughts_server::game::OnlineGame;
use noughts_server::{LEAGUE, read_game};
use noughts_store::{LoggedEvent, Standings, Store};
use sqlx::Connection;

use crate::record::{GameRecord, Record};
use crate::server::{Agent, Database};

/// All violations found, as sentences.
pub(crate) async fn violations(
    database: &Database,
    record: &Record,
    address: Option<&str>,
) -> Vec<String> {
    let store = database.store().await;
    let mut violations = Vec::new();
    let mut games = BTreeMap::new();
    for (id, received) in record.games() {
        let logged = store.log().events(id, 0, 100_000).await.unwrap();
        check_received(id, &logged, &received, &mut violations);
        match read_game(&*store.log(), id).await {
            Ok(game) => drop(games.insert(id, game)),
            Err(error) => violations.push(format!("{id}: {error}")),
        }
    }
    if let Some(address) = address {
        let agent = Agent::of(address);
        for (id, game) in &games {
            check_served(game, &agent.game(*id), &mut violations);
        }
    }
    check_ratings(&store, database, &games, &mut violations).await;
    store.close().await;
    violations
}

/// Every acknowledged move is in the log exactly once, and every update agrees with the log.
fn check_received(
    id: GameId,
    logged: &[LoggedEvent],
    received: &GameRecord,
    violations: &mut Vec<String>,
) {
    let sequence: Vec<u64> = logged.iter().map(|event| event.sequence).collect();
    if sequence != (1..=logged.len() as u64).collect::<Vec<_>>() {
        violations.push(format!("{id}: the log has the sequence {sequence:?}"));
    }
    if logged.windows(2).any(|pair| pair[0].at > pair[1].at) {
        violations.push(format!("{id}: time goes backwards in the log"));
    }
    for acknowledged in &received.acknowledged {
        let request = &acknowledged.request;
        let has_key = |event: &&LoggedEvent| {
            event.key.as_ref().is_some_and(|stored| stored.key == request.key)
        };
        let found: Vec<&LoggedEvent> = logged.iter().filter(has_key).collect();
        let [event] = found[..] else {
            violations.push(format!("{id}: {request:?} is in the log {} times", found.len()));
            continue;
        };
        let is_same_move = match (parse(event), &request.command) {
            (Event::Moved { mv, .. }, PlayerCommand::Move { mv: sent }) => mv == *sent,
            _ => false,
        };
        if !is_same_move || event.sequence != u64::from(acknowledged.seq) {
            violations.push(format!("{id}: {acknowledged:?} is in the log as {event:?}"));
        }
    }
    for update in &received.updates {
        let has_sequence = |event: &&LoggedEvent| event.sequence == u64::from(update.seq);
        let stored: Vec<&LoggedEvent> = logged.iter().filter(has_sequence).collect();
        let is_same = matches!(stored[..], [stored]
            if stored.at == update.at && parse(stored) == update.event);
        if !is_same {
            violations.push(format!("{id}: received {update:?}, the log has {stored:?}"));
        }
    }
}

fn parse(event: &LoggedEvent) -> Event {
    serde_json::from_str(&event.body).unwrap()
}

/// The served view equals the log's. Connections may change between the two reads, so what depends
/// on them is left out.
fn check_served(game: &OnlineGame, served: &GameView, violations: &mut Vec<String>) {
    let logged = game.view(None, game.updated_at());
    let compared = |view: &GameView| {
        let GameView { phase, board, moves, turn, result, rated, .. } = view;
        format!("{phase:?} {board:?} {moves:?} {turn:?} {result:?} {rated}")
    };
    if compared(&logged) != compared(served) {
        violations.push(format!("{}: the log says {logged:?}, served {served:?}", game.id()));
    }
}

/// The stored results are those of the finished games, and the stored ratings follow from them.
async fn check_ratings(
    store: &Store,
    database: &Database,
    games: &BTreeMap<GameId, OnlineGame>,
    violations: &mut Vec<String>,
) {
    let results = results(database).await;
    for (key, game) in games {
        let counts = game.ending().is_some_and(|ending| ending.outcome().is_some());
        let found = results.iter().filter(|(_, _, other)| other == key).count();
        if found != usize::from(counts && game.setup().league.is_some()) {
            violations.push(format!("{key}: the game has {found} results"));
        }
    }
    let mut league = League::new(System::Glicko2);
    for (id, at, game) in &results {
        let Some(game) = games.get(game) else {
            violations.push(format!("{game}: a result without a game"));
            continue;
        };
        let Some(outcome) = game.ending().and_then(|ending| ending.outcome()) else { continue };
        let outcome = match outcome {
            noughts_rules::Outcome::Win(seat) => ScoreOutcome::Won { seat: seat.index() as u8 },
            noughts_rules::Outcome::Draw => ScoreOutcome::Draw,
        };
        let players = game.seats().iter().map(|seat| identity(&seat.holder));
        let result = GameResult::new(players, outcome).unwrap();
        league.report(&Report { id: ResultId(*id as u64), at: *at, result }).unwrap();
    }
    let standings = Standings::load(store).await.unwrap();
    let listed = |league: &League<IdentityId>| -> Vec<String> {
        league.top(1000).map(|standing| format!("{standing:?}")).collect()
    };
    let expected = listed(&league);
    let stored = standings.read(LEAGUE, listed).unwrap_or_default();
    if stored != expected {
        violations.push(format!("ratings are {stored:#?}, recomputed {expected:#?}"));
    }
}

fn identity(holder: &SeatHolder) -> IdentityId {
    holder.identity().expect("only people in the rated game")
}

/// The stored results: id, time, game.
async fn results(database: &Database) -> Vec<(i64, i64, GameId)> {
    const QUERY: &str = "SELECT results.id, ended_at, online_game_id FROM results
        JOIN records ON records.id = record_id ORDER BY results.id";
    let rows: Vec<(i64, i64, Vec<u8>)> = match database {
        Database::Sqlite(folder) => {
            let url = format!("sqlite:{}", folder.path().join("noughts.db").display());
            let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
            sqlx::query_as(QUERY).fetch_all(&mut connection).await.unwrap()
        }
        Database::Postgres(_, url) => {
            let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
            sqlx::query_as(QUERY).fetch_all(&mut connection).await.unwrap()
        }
    };
    let id = |bytes: Vec<u8>| GameId::from_bytes(bytes.try_into().unwrap());
    rows.into_iter().map(|(result, at, game)| (result, at, id(game))).collect()
}
