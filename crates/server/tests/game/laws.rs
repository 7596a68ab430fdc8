//! Properties that hold for any sequence of commands.

use noughts_rules::Move;
use proptest::prelude::*;

use super::*;

/// Somebody's command, sensible or not.
#[derive(Debug, Clone)]
enum Action {
    Player(IdentityId, CommandRequest),
    Server(ServerCommand),
}

fn any_seat() -> impl Strategy<Value = Seat> + Clone {
    (0..4u8).prop_map(|seat| Seat::new(seat).unwrap())
}

fn any_move() -> impl Strategy<Value = Move> + Clone {
    (0..4u8, 0..4u8).prop_map(|(row, col)| Cell::new(row, col).unwrap().into())
}

fn any_player_command() -> impl Strategy<Value = PlayerCommand> {
    prop_oneof![
        8 => any_move().prop_map(|mv| PlayerCommand::Move { mv }),
        2 => Just(JOIN),
        2 => Just(PlayerCommand::RequestUndo),
        2 => any::<bool>().prop_map(|accept| PlayerCommand::AnswerUndo { accept }),
        1 => Just(PlayerCommand::Resign),
        1 => Just(PlayerCommand::Abort),
        1 => Just(PlayerCommand::Claim),
        1 => Just(PlayerCommand::Rematch),
    ]
}

fn any_server_command() -> impl Strategy<Value = ServerCommand> {
    prop_oneof![
        Just(ServerCommand::Tick),
        (0..9_000i64).prop_map(|ms| ServerCommand::HoldClock { ms }),
        any_seat().prop_map(|seat| ServerCommand::Leave { seat }),
        any_seat().prop_map(|seat| ServerCommand::Return { seat }),
        (any_seat(), any_move()).prop_map(|(seat, mv)| ServerCommand::ComputerMove { seat, mv }),
        any_seat().prop_map(|seat| ServerCommand::Forfeit { seat }),
    ]
}

/// An action with the sequence number that its sender has seen (the current one if none), and the time
/// that passes before it.
fn any_action() -> impl Strategy<Value = (Action, Option<u32>, Millis)> {
    let player = (1..=3i64).prop_map(IdentityId);
    let seat = proptest::option::weighted(0.2, any_seat());
    let key = "[a-z]{1,2}";
    let request =
        (player, any_player_command(), key, seat).prop_map(|(player, command, key, seat)| {
            Action::Player(player, CommandRequest { seat, ..request(command, 0, &key) })
        });
    let action = prop_oneof![4 => request, 1 => any_server_command().prop_map(Action::Server)];
    (action, proptest::option::weighted(0.2, 0..30u32), 0..20_000i64)
}

fn any_setup() -> impl Strategy<Value = GameSetup> {
    let seat = prop_oneof![
        4 => (1..=3i64).prop_map(|id| taken(IdentityId(id))),
        2 => Just(seat(SeatHolder::Open)),
        1 => Just(invited(BOB)),
        1 => Just(computer()),
    ];
    let clock = proptest::option::of((1_000..90_000u32, 0..5_000u32));
    (proptest::collection::vec(seat, 3), any::<bool>(), clock, any::<bool>()).prop_map(
        |(mut seats, three, clock, rated)| {
            let (rules, count) = if three { ("4x4:3+3p", 3) } else { ("3x3", 2) };
            seats.truncate(count);
            GameSetup {
                clock: clock
                    .map(|(initial_ms, increment_ms)| TimeControl { initial_ms, increment_ms }),
                league: rated.then(|| "online".into()),
                ..setup(rules, seats)
            }
        },
    )
}

impl Log {
    /// Does what an action asks for. Returns the events, or none if it was repeated.
    fn act(
        &mut self,
        (action, seen, passed): (Action, Option<u32>, Millis),
    ) -> Result<Option<Vec<Event>>, Refusal> {
        self.now += passed;
        match action {
            Action::Player(player, mut request) => {
                request.seq = seen.unwrap_or(self.state.seq());
                match self.request(player, &request)? {
                    Decision::Events(events) => {
                        let again = self.request(player, &request);
                        assert_eq!(again, Ok(Decision::Repeated(self.state.seq())));
                        Ok(Some(events))
                    }
                    Decision::Repeated(_) => Ok(None),
                }
            }
            Action::Server(command) => self.by_server(command).map(Some),
        }
    }
}

/// Whether removing an event of a log leaves two moves of one turn order out of step.
fn breaks_turn_order(log: &[Stored], removed: usize) -> bool {
    let moved = |stored: Option<&Stored>| match serde_json::from_str(&stored?.0).unwrap() {
        Event::Moved { seat, .. } => Some(seat),
        _ => None,
    };
    match (moved(log.get(removed)), moved(log.get(removed + 1))) {
        (Some(seat), Some(next)) => seat != next,
        _ => false,
    }
}

proptest! {
    #[test]
    fn a_game_is_its_log(
        setup in any_setup(),
        actions in proptest::collection::vec(any_action(), 0..60),
    ) {
        let mut log = Log::new(setup);
        for action in actions {
            let (seq, result) = (log.state.seq(), log.result());
            match log.act(action) {
                Ok(Some(events)) => prop_assert_eq!(log.state.seq(), seq + events.len() as u32),
                Ok(None) => prop_assert_eq!(log.state.seq(), seq),
                Err(_) => {
                    prop_assert_eq!(log.state.seq(), seq);
                    prop_assert_eq!(log.result(), result);
                }
            }
            let is_finished = log.state.phase() == GamePhase::Finished;
            prop_assert_eq!(log.state.deadline().is_none(), is_finished);
        }
        prop_assert_eq!(log.read_back(), log.state);
    }

    #[test]
    fn clients_follow_by_updates(
        setup in any_setup(),
        actions in proptest::collection::vec(any_action(), 0..60),
    ) {
        let mut log = Log::new(setup);
        let mut views = [None, Some(ANN), Some(CY)].map(|viewer| log.state.view(viewer, log.now));
        for action in actions {
            log.act(action).ok();
        }
        let (setup, at) = log.created.clone();
        let mut state = OnlineGame::create(game_id(7), rules(&setup), setup, at).unwrap();
        for stored in &log.stored {
            let changed = apply(&mut state, stored).unwrap();
            let event = serde_json::from_str(&stored.0).unwrap();
            let update = state.update(event, stored.1, changed);
            for view in &mut views {
                view.apply(&update);
                prop_assert_eq!(&*view, &state.view(view.viewer, stored.1));
            }
        }
    }

    /// A log that lacks an event is refused, or read as the game that the other events make.
    #[test]
    fn incomplete_logs_are_refused_or_consistent(
        setup in any_setup(),
        actions in proptest::collection::vec(any_action(), 1..40),
        removed in any::<proptest::sample::Index>(),
    ) {
        let mut log = Log::new(setup);
        for action in actions {
            log.act(action).ok();
        }
        prop_assume!(!log.stored.is_empty());
        let removed = removed.index(log.stored.len());
        let must_fail = breaks_turn_order(&log.stored, removed);
        log.stored.remove(removed);
        let (setup, at) = log.created.clone();
        let mut state = OnlineGame::create(game_id(7), rules(&setup), setup, at).unwrap();
        let read = log.stored.iter().try_for_each(|stored| apply(&mut state, stored).map(drop));
        match read {
            Ok(()) => {
                prop_assert!(!must_fail, "a seat moved twice in a row");
                prop_assert_eq!(state.seq() as usize, 1 + log.stored.len());
                if let Some(game) = state.game() {
                    let mut position = noughts_rules::Position::new(state.rules());
                    for action in game.history() {
                        match action {
                            noughts_rules::Action::Move { mv, .. } => position.play(mv).map(|_| ()),
                            noughts_rules::Action::Resign { seat } => position.resign(seat).map(|_| ()),
                        }.unwrap();
                    }
                    prop_assert_eq!(&position, game.position());
                }
            }
            Err(broken) => prop_assert_eq!(broken.seq, state.seq() + 1),
        }
    }
}
