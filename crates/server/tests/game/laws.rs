//! Properties that hold for any sequence of commands.

use noughts_rules::Move;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

use super::*;

/// Somebody's command, sensible or not.
#[derive(Debug, Clone)]
enum Action {
    Player(IdentityId, CommandRequest),
    Server(ServerCommand),
    /// Whoever is to move makes a legal move.
    LegalMove(Index, String),
}

fn any_seat() -> impl Strategy<Value = Seat> + Clone {
    (0..4u8).prop_map(|seat| Seat::new(seat).unwrap())
}

fn any_move() -> impl Strategy<Value = Move> + Clone {
    let cell = (0..3u8, 0..4u8, 0..4u8);
    let cell = cell.prop_map(|(level, row, col)| Cell::in_space(level, row, col).unwrap());
    let mark = (0..3u8).prop_map(|mark| noughts_rules::Mark::new(mark).unwrap());
    prop_oneof![
        4 => cell.clone().prop_map(Move::Place),
        1 => (cell, mark).prop_map(|(cell, mark)| Move::Mark(cell, mark)),
        1 => select(vec![Move::Swap, Move::Keep, Move::More]),
    ]
}

/// Rules of the whole family, with up to two variants that fit.
fn any_rules() -> impl Strategy<Value = Rules> {
    let board = select(vec![
        "3x3",
        "4x4:3",
        "5x6:4",
        "6x6:5",
        "3x3x3",
        "2x3x4:3",
        "3x3:[A1-A2-A3,B1-C1,A1-B2-C3-A3]",
        "3x3+ultimate",
        "3x3+notakto",
        "3x3+notakto+2b",
        "3x3+wild",
        "3x3+order",
        "9x9:5+renju",
    ]);
    let variants =
        vec!["misere", "gravity", "wrap", "exact", "3p", "fade3", "2s", "swap", "swap2", "wild"];
    (board, subsequence(variants, 0..=2)).prop_filter_map("combination", |(board, variants)| {
        let text = variants.iter().fold(board.to_string(), |text, variant| text + "+" + variant);
        text.parse().ok()
    })
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
    let legal = (any::<Index>(), key).prop_map(|(index, key)| Action::LegalMove(index, key));
    let server = any_server_command().prop_map(Action::Server);
    let action = prop_oneof![4 => request, 1 => server, 5 => legal];
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
    (proptest::collection::vec(seat, 3), any_rules(), clock, any::<bool>()).prop_map(
        |(mut seats, rules, clock, rated)| {
            seats.truncate(rules.players());
            GameSetup {
                clock: clock
                    .map(|(initial_ms, increment_ms)| TimeControl { initial_ms, increment_ms }),
                league: rated.then(|| "classic".into()),
                ..setup(&rules.to_string(), seats)
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
            Action::LegalMove(index, key) => match self.legal_move(index, &key) {
                Some(action) => self.act((action, seen, 0)),
                None => Ok(None),
            },
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

impl Log {
    fn legal_move(&self, index: Index, key: &str) -> Option<Action> {
        let seat = self.state.turn()?;
        let legal = self.state.view(None, self.now).legal;
        let mv = *index.get(&legal);
        Some(match &self.state.seats()[seat.index()].holder {
            SeatHolder::Taken(player) => {
                let request = request(PlayerCommand::Move { mv }, 0, key);
                Action::Player(player.identity, CommandRequest { seat: Some(seat), ..request })
            }
            _ => Action::Server(ServerCommand::ComputerMove { seat, mv }),
        })
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
        removed in any::<Index>(),
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
