//! Holds the protocol types and the clients' fold to the files in `fixtures/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use noughts_api::{Event, GameId, GameUpdate, GameView, IdentityId, Millis};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    about: String,
    viewer: Option<IdentityId>,
    id: GameId,
    now: Millis,
    log: Vec<LoggedEvent>,
    seen: usize,
    view: GameView,
    updates: Vec<GameUpdate>,
    result: GameView,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LoggedEvent {
    at: Millis,
    event: Event,
}

/// The name and text of every fixture.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let json = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let texts: Vec<_> =
        json.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect();
    assert!(texts.len() >= 20, "only {} fixtures", texts.len());
    texts
}

/// The name and content of every fixture.
fn fixtures() -> impl Iterator<Item = (String, Fixture)> {
    texts().into_iter().map(|(name, text)| {
        let fixture = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, fixture)
    })
}

#[test]
fn updates_lead_to_the_result() {
    for (name, Fixture { mut view, updates, result, .. }) in fixtures() {
        updates.iter().for_each(|update| view.apply(update));
        assert_eq!(view, result, "{name}");
    }
}

#[test]
fn updates_follow_the_log() {
    for (name, fixture) in fixtures() {
        let unseen = &fixture.log[fixture.seen..];
        assert_eq!(fixture.updates.len(), unseen.len(), "{name}");
        for ((update, logged), seq) in fixture.updates.iter().zip(unseen).zip(fixture.seen + 1..) {
            let expected = (u32::try_from(seq).unwrap(), logged.at, &logged.event);
            assert_eq!((update.seq, update.at, &update.event), expected, "{name}");
        }
        for view in [&fixture.view, &fixture.result] {
            assert_eq!((view.id, view.viewer), (fixture.id, fixture.viewer), "{name}");
        }
    }
}

#[test]
fn fixtures_read_back_unchanged() {
    for (name, text) in texts() {
        let expected: Value = serde_json::from_str(&text).unwrap();
        let fixture: Fixture = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_value(&fixture).unwrap(), expected, "{name}");
    }
}

#[test]
fn fixtures_cover_every_event() {
    let events = fixtures().flat_map(|(_, fixture)| fixture.log).map(|logged| {
        let event = serde_json::to_value(&logged.event).unwrap();
        event["type"].as_str().unwrap().to_string()
    });
    let types: BTreeSet<String> = events.collect();
    let expected = [
        "abandoned",
        "aborted",
        "clock_held",
        "created",
        "eliminated",
        "joined",
        "left",
        "moved",
        "rematch_offered",
        "rematch_started",
        "rematch_withdrawn",
        "renamed",
        "returned",
        "undo_accepted",
        "undo_declined",
        "undo_requested",
        "undone",
    ];
    assert!(types.iter().eq(expected), "{types:?}");
}
