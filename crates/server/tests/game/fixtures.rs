//! The fixtures of `noughts-api`: what clients are held to is what the server sends.

use std::fs;
use std::path::Path;

use noughts_api::{GameUpdate, GameView};
use serde::Deserialize;

use super::*;

/// A log of events, and what one client sees of it. See the README beside the files.
#[derive(Deserialize)]
struct Fixture {
    viewer: Option<IdentityId>,
    id: GameId,
    log: Vec<LoggedEvent>,
    /// How many events the client has seen at the start.
    seen: usize,
    now: Millis,
    view: GameView,
    updates: Vec<GameUpdate>,
    result: GameView,
}

#[derive(Deserialize)]
struct LoggedEvent {
    at: Millis,
    event: Event,
}

fn check(name: &str, fixture: Fixture) {
    let Event::Created(setup) = &fixture.log[0].event else { panic!("{name}: not created") };
    let at = fixture.log[0].at;
    let mut game = OnlineGame::create(fixture.id, rules(setup), (**setup).clone(), at).unwrap();
    let mut updates = vec![game.update(fixture.log[0].event.clone(), at, Vec::new())];
    let mut views = vec![game.view(fixture.viewer, fixture.now)];
    for LoggedEvent { at, event } in &fixture.log[1..] {
        let changed = game.apply(event, *at, None);
        let changed = changed.unwrap_or_else(|error| panic!("{name}: {error}"));
        updates.push(game.update(event.clone(), *at, changed));
        views.push(game.view(fixture.viewer, fixture.now));
    }
    assert_eq!(views[fixture.seen - 1], fixture.view, "{name}");
    assert_eq!(updates[fixture.seen..], fixture.updates, "{name}");
    let last_at = fixture.log.last().map_or(at, |logged| logged.at);
    assert_eq!(game.view(fixture.viewer, last_at), fixture.result, "{name}");
}

#[test]
fn server_matches_the_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/fixtures");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    assert!(!files.is_empty());
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let fixture = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        check(&name, fixture);
    }
}
