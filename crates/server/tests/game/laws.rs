//! What holds whatever anybody sends.

use proptest::prelude::*;

use super::*;

/// Anything that anybody could send, sensible or not.
fn any_order() -> impl Strategy<Value = (Order, Millis)> {
    let account = (1..=3i64).prop_map(IdentityId);
    let cell = (0..4u8, 0..4u8).prop_map(|(row, col)| noughts_rules::Cell::new(row, col).unwrap());
    let seat = (0..4u8).prop_map(|seat| Seat::new(seat).unwrap());
    let command = prop_oneof![
        8 => cell.prop_map(|cell| Command::Move { cell }),
        2 => account.clone().prop_map(join),
        2 => Just(Command::AskUndo),
        2 => any::<bool>().prop_map(|agree| Command::AnswerUndo { agree }),
        1 => Just(Command::Resign),
        1 => Just(Command::Abort),
        1 => Just(Command::Claim),
        1 => (0..3u8).prop_map(|id| Command::Rematch { next: key(id) }),
        1 => Just(Command::Tick),
        1 => (0..9_000i64).prop_map(|ms| Command::HoldClock { ms }),
        1 => seat.clone().prop_map(|seat| Command::Leave { seat }),
        1 => seat.clone().prop_map(|seat| Command::Return { seat }),
        1 => Just(Command::Forfeit),
    ];
    let actor = prop_oneof![
        8 => account.prop_map(Actor::Identity),
        1 => seat.clone().prop_map(Actor::Computer),
        1 => Just(Actor::Server),
    ];
    let seen = proptest::option::weighted(0.3, (0..30u32, "[a-c]"));
    (actor, seen, proptest::option::weighted(0.2, seat), command, 0..20_000i64).prop_map(
        |(actor, seen, seat, command, passed)| {
            let seen = seen.map(|(seq, key)| Seen { seq, key: CommandKey::new(&key).unwrap() });
            (Order { actor, seen, seat, command }, passed)
        },
    )
}

fn any_setup() -> impl Strategy<Value = Setup> {
    let holder = prop_oneof![
        4 => (1..=3i64).prop_map(|id| Holder::Taken(who(IdentityId(id)))),
        2 => Just(Holder::Open),
        1 => Just(Holder::Invited { account: BOB, name: "Bob".into() }),
        1 => Just(Holder::Computer { level: "easy".into() }),
    ];
    let clock = proptest::option::of((1_000..90_000u32, 0..5_000u32));
    (proptest::collection::vec(holder, 3), any::<bool>(), clock, any::<bool>()).prop_map(
        |(holders, three, clock, rated)| {
            let (rules, count) = if three { ("4x4:3+3p", 3) } else { ("3x3", 2) };
            let seats = holders.into_iter().take(count).map(seat).collect();
            Setup {
                clock: clock
                    .map(|(initial_ms, increment_ms)| ClockRule { initial_ms, increment_ms }),
                league: rated.then(|| "online".into()),
                ..setup(rules, seats)
            }
        },
    )
}

proptest! {
    /// Whatever is sent, what is stored reads back to the same game, and what was done is done.
    #[test]
    fn a_game_is_its_log(
        setup in any_setup(),
        orders in proptest::collection::vec(any_order(), 0..60),
    ) {
        let mut log = Log::new(setup);
        for (order, passed) in orders {
            log.now += passed;
            let (seq, over) = (log.state.seq(), log.how());
            match log.order(&order) {
                Ok(Decision::Events(events)) => {
                    prop_assert_eq!(log.state.seq(), seq + events.len() as u32);
                    if let (Actor::Identity(_), Some(_)) = (&order.actor, &order.seen)
                        && !events.is_empty()
                        && !matches!(order.command, Command::Tick | Command::HoldClock { .. }
                            | Command::Leave { .. } | Command::Return { .. })
                    {
                        let again = log.order(&order);
                        prop_assert_eq!(again, Ok(Decision::DoneBefore(log.state.seq())));
                    }
                }
                Ok(Decision::DoneBefore(before)) => prop_assert!(before <= seq),
                Err(_) => {
                    prop_assert_eq!(log.state.seq(), seq);
                    prop_assert_eq!(log.how(), over);
                }
            }
            prop_assert_eq!(log.state.due().is_none(), log.state.phase() == Phase::Over);
        }
        prop_assert_eq!(log.read_back(), log.state);
    }

    /// A log that was tampered with is refused, never believed and never a panic.
    #[test]
    fn any_events_are_a_game_or_an_error(
        setup in any_setup(),
        orders in proptest::collection::vec(any_order(), 0..40),
        dropped in any::<proptest::sample::Index>(),
    ) {
        let mut log = Log::new(setup);
        for (order, passed) in orders {
            log.now += passed;
            let _ = log.order(&order);
        }
        if !log.stored.is_empty() {
            let at = dropped.index(log.stored.len());
            log.stored.remove(at);
            let (setup, at) = log.created.clone();
            let mut state = OnlineGame::create(key(7), rules(&setup), setup, at).unwrap();
            let _ = log.stored.iter().try_for_each(|stored| apply(&mut state, stored));
        }
    }
}
