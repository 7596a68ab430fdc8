//! The plans of PostgreSQL for the queries that every move makes: each touches one partition of the
//! events, by its index, however many games there are.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use noughts_store::{
    Append, Batch, CommandKey, GameId, GamePhase, IdempotencyKey, IdentityId, Listing, Store,
};
use noughts_testing::Postgres;
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The plans that PostgreSQL has reported, as JSON.
static PLANS: Mutex<Vec<Value>> = Mutex::new(Vec::new());

/// Collects the notices of connections.
struct Notices;

impl Subscriber for Notices {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::postgres::notice"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Message;

impl Visit for Message {
    fn record_debug(&mut self, _: &Field, value: &dyn fmt::Debug) {
        self.record(&format!("{value:?}"));
    }

    fn record_str(&mut self, _: &Field, value: &str) {
        self.record(value);
    }
}

impl Message {
    /// Keeps the plan in a notice such as `duration: 0.1 ms  plan: {…}`.
    fn record(&self, text: &str) {
        if let Some(start) = text.find('{')
            && let Ok(plan) = serde_json::from_str(&text[start..])
        {
            PLANS.lock().unwrap_or_else(PoisonError::into_inner).push(plan);
        }
    }
}

/// Has PostgreSQL report the plan of every statement, with what was executed.
fn explained(url: &str) -> String {
    let settings = [
        ("session_preload_libraries", "auto_explain"),
        ("auto_explain.log_min_duration", "0"),
        ("auto_explain.log_analyze", "on"),
        ("auto_explain.log_format", "json"),
        ("client_min_messages", "log"),
    ];
    let separator = if url.contains('?') { '&' } else { '?' };
    let options = settings.map(|(name, value)| format!("options[{name}]={value}")).join("&");
    format!("{url}{separator}{options}")
}

/// The partitions that a plan has read, and whether it has read one without an index.
fn partitions_read(plan: &Value, partitions: &mut BTreeSet<String>, has_scanned: &mut bool) {
    if let Some(relation) = plan["Relation Name"].as_str()
        && relation.starts_with("events")
        && plan["Actual Loops"].as_f64() != Some(0.0)
        && plan["Node Type"] != "ModifyTable"
    {
        partitions.insert(relation.to_string());
        *has_scanned |= plan["Node Type"] == "Seq Scan";
    }
    for child in plan["Plans"].as_array().into_iter().flatten() {
        partitions_read(child, partitions, has_scanned);
    }
}

fn take_plans() -> Vec<Value> {
    std::mem::take(&mut *PLANS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Checks the plans reported since the last call. Returns how many of them read events.
fn check_plans(what: &str) -> usize {
    let mut found = 0;
    for plan in take_plans() {
        let (mut partitions, mut has_scanned) = (BTreeSet::new(), false);
        partitions_read(&plan["Plan"], &mut partitions, &mut has_scanned);
        assert!(partitions.len() <= 1, "{what} reads {partitions:?}: {plan:#}");
        assert!(!partitions.contains("events"), "the table is not partitioned: {plan:#}");
        assert!(!has_scanned, "{what} scans a table: {plan:#}");
        found += partitions.len();
    }
    found
}

fn game(number: u8) -> GameId {
    GameId::new(1_700_000_000_000 + i64::from(number), [number; 10])
}

fn append(number: u8, expected: u64, is_fresh: bool) -> Append {
    Append {
        game: game(number),
        expected,
        events: vec!["event".to_string()].into(),
        at: 1,
        due: None,
        key: Some(CommandKey {
            sender: IdentityId(1),
            key: IdempotencyKey::new(&format!("{number} {expected}")).unwrap(),
        }),
        key_is_fresh: is_fresh,
        listing: (expected == 0).then(|| {
            Box::new(Listing {
                phase: GamePhase::Live,
                public: true,
                rules: "3x3".into(),
                league: None,
                rated: false,
                aborted: false,
                seats: vec![Some(IdentityId(1)), None],
                detail: "{}".into(),
            })
        }),
        result: None,
    }
}

async fn store_event(store: &Store, append: Append) {
    let mut batch = Batch::default();
    batch.push(append).unwrap();
    store.log().append(&batch).await.unwrap().remove(0).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hot_queries_touch_one_partition() {
    let Some(postgres) = Postgres::shared() else { return };
    tracing::subscriber::set_global_default(Notices).unwrap();
    let store = Store::connect(&explained(&postgres.database().await)).await.unwrap();
    for number in 0..100 {
        store_event(&store, append(number, 0, true)).await;
    }
    take_plans();
    // Otherwise the partitions would not show.
    let games: Vec<GameId> = (0..100).map(game).collect();
    assert_eq!(store.log().sequences(&games).await.unwrap().len(), 100);
    let mut partitions = BTreeSet::new();
    take_plans()
        .iter()
        .for_each(|plan| partitions_read(&plan["Plan"], &mut partitions, &mut false));
    assert!(partitions.len() > 10, "{partitions:?}");

    // Enough repetitions for plans that don't know the parameters.
    for sequence in 1..10 {
        store_event(&store, append(1, sequence, sequence % 2 == 0)).await;
    }
    assert!(check_plans("an append") >= 9);
    let mut stale = Batch::default();
    stale.push(append(1, 1, true)).unwrap();
    for _ in 0..10 {
        assert!(store.log().append(&stale).await.unwrap()[0].as_ref().unwrap().repeated);
    }
    assert!(check_plans("a refused append") >= 10);
    for since in 0..10 {
        assert_eq!(
            store.log().events(game(1), since, 100).await.unwrap().len(),
            10 - since as usize
        );
    }
    assert!(check_plans("reading events") >= 10);
    for _ in 0..10 {
        assert_eq!(store.log().sequences(&[game(1)]).await.unwrap()[&game(1)], 10);
    }
    assert!(check_plans("asking for the sequence") >= 10);
    for _ in 0..10 {
        assert_eq!(store.log().game(game(1)).await.unwrap().unwrap().sequence, 10);
    }
    assert!(check_plans("asking for a game") >= 10);
    let command = append(1, 0, true).key.unwrap();
    for _ in 0..10 {
        assert_eq!(store.game_created_by(&command).await.unwrap(), Some(game(1)));
    }
    assert_eq!(check_plans("looking for a key"), 0, "not in the events at all");
}
