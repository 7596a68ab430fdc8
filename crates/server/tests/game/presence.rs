//! Players who disconnect and come back.

use noughts_rules::Seat;

use super::*;

/// Clients that connect and disconnect all the time must not fill the log.
#[test]
fn restless_players_write_few_events() {
    const DAY_MS: Millis = 24 * 3600 * 1000;
    const STEP_MS: Millis = 6_000;
    let mut log = Log::new(setup("3x3", vec![taken(ANN), taken(BOB)]));
    let mut events = 0;
    for _ in 0..DAY_MS / STEP_MS {
        events += log.by_server(ServerCommand::Leave { seat: Seat::FIRST }).unwrap().len();
        events += log.by_server(ServerCommand::Return { seat: Seat::FIRST }).unwrap().len();
        log.now += STEP_MS;
    }
    // Twenty times at once, and then every ten minutes, each with a return.
    assert!((40..=2 * (20 + 144)).contains(&events), "{events}");
    // The other player is not affected.
    assert_eq!(log.by_server(ServerCommand::Leave { seat: second() }).unwrap().len(), 1);
    assert_eq!(log.read_back(), log.state);
}
