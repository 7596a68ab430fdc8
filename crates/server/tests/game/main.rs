//! Online games as folds of their events: what commands become, and what is refused.

mod laws;
mod undo;

use noughts_api::ErrorCode;
use noughts_rules::{Rules, Seat};
use noughts_server::game::{
    Actor, BrokenLog, ClockRule, Command, CommandKey, Decision, Event, Holder, Joining, Millis,
    OnlineGame, Order, Phase, PlayerType, Refusal, SeatSetup, Seen, Series, Setup, StoredCell,
};
use noughts_store::{GameId, IdentityId};

const ANN: IdentityId = IdentityId(1);
const BOB: IdentityId = IdentityId(2);
const CY: IdentityId = IdentityId(3);

/// A log in the making: the state and the events that led to it, as they would be stored.
struct Log {
    state: OnlineGame,
    created: (Setup, Millis),
    stored: Vec<Stored>,
    now: Millis,
    keys: u32,
}

/// A row of the log: the event, when it happened, and whose command it was.
type Stored = (String, Millis, Option<(IdentityId, CommandKey)>);

fn apply(state: &mut OnlineGame, (json, at, key): &Stored) -> Result<(), BrokenLog> {
    let key = key.as_ref().map(|(account, key)| (*account, key));
    state.apply(&serde_json::from_str(json).unwrap(), *at, key)
}

impl Log {
    fn new(setup: Setup) -> Log {
        let state = OnlineGame::create(key(7), rules(&setup), setup.clone(), 0).unwrap();
        Log { state, created: (setup, 0), stored: Vec::new(), now: 0, keys: 0 }
    }

    fn order(&mut self, order: &Order) -> Result<Decision, Refusal> {
        let before = self.state.clone();
        let decision = self.state.decide(order, self.now);
        assert_eq!(self.state, before);
        if let Ok(Decision::Events(events)) = &decision {
            let key = match (&order.actor, &order.seen) {
                (Actor::Identity(account), Some(seen)) => Some((*account, seen.key.clone())),
                _ => None,
            };
            for event in events {
                self.stored.push((event.to_json(), self.now, key.clone()));
                apply(&mut self.state, self.stored.last().unwrap()).unwrap();
            }
        }
        decision
    }

    /// An order by someone who has seen everything, with a key of its own.
    fn by(&mut self, account: IdentityId, command: Command) -> Result<Vec<Event>, Refusal> {
        self.keys += 1;
        let key = CommandKey::new(&format!("key {}", self.keys)).unwrap();
        let seen = Some(Seen { seq: self.state.seq(), key });
        let order = Order { actor: Actor::Identity(account), seen, seat: None, command };
        self.order(&order).map(events)
    }

    fn by_server(&mut self, command: Command) -> Vec<Event> {
        self.order(&Order::of_server(command)).map(events).unwrap()
    }

    fn moves(&mut self, moves: &[(IdentityId, &str)]) {
        for (account, cell) in moves {
            self.by(*account, Command::Move { cell: cell.parse().unwrap() }).unwrap();
        }
    }

    /// What someone gets who reads the log.
    fn read_back(&self) -> OnlineGame {
        let (setup, at) = self.created.clone();
        let created = Event::Created(Box::new(setup)).to_json();
        let Ok(Event::Created(setup)) = serde_json::from_str(&created) else { panic!("{created}") };
        let mut state = OnlineGame::create(key(7), rules(&setup), *setup, at).unwrap();
        self.stored.iter().for_each(|stored| apply(&mut state, stored).unwrap());
        state
    }

    fn how(&self) -> Option<(&'static str, Option<u8>)> {
        let result = self.state.view(None, self.now).result?;
        Some((result.how, result.winner))
    }
}

fn events(decision: Decision) -> Vec<Event> {
    match decision {
        Decision::Events(events) => events.into_vec(),
        Decision::DoneBefore(seq) => panic!("done before, at {seq}"),
    }
}

fn rules(setup: &Setup) -> Rules {
    setup.rules.parse().unwrap()
}

fn key(number: u8) -> GameId {
    GameId::from_bytes([number; 16])
}

fn who(account: IdentityId) -> Joining {
    let name = ["Ann", "Bob", "Cy"][account.0 as usize - 1].to_string();
    Joining { account, name, kind: PlayerType::Named }
}

fn seat(holder: Holder) -> SeatSetup {
    SeatSetup { holder, symbol: None }
}

fn taken(account: IdentityId) -> SeatSetup {
    seat(Holder::Taken(who(account)))
}

fn setup(rules: &str, seats: Vec<SeatSetup>) -> Setup {
    Setup {
        v: 1,
        rules: rules.into(),
        seats,
        league: None,
        clock: None,
        public: true,
        creator: ANN,
        away_ms: 60_000,
        idle_ms: 86_400_000,
        open_ms: None,
        rematch_of: None,
        series: None,
        moves: Vec::new(),
    }
}

fn ann_and_bob() -> Log {
    Log::new(setup("3x3", vec![taken(ANN), taken(BOB)]))
}

fn at(cell: &str) -> Command {
    Command::Move { cell: cell.parse().unwrap() }
}

fn join(account: IdentityId) -> Command {
    Command::Join { who: who(account), symbol: None }
}

#[test]
fn a_game_from_the_first_seat_to_the_last_move() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(Holder::Open)]));
    assert_eq!(log.state.phase(), Phase::Open);
    assert_eq!(log.by(ANN, at("A1")), Err(Refusal::NotStarted));
    log.by(BOB, join(BOB)).unwrap();
    assert_eq!(log.state.phase(), Phase::Live);
    log.moves(&[(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2")]);
    assert_eq!(log.by(BOB, at("C3")).unwrap_err().code(), ErrorCode::NotYourTurn);
    assert_eq!(log.by(ANN, at("B2")).unwrap_err().code(), ErrorCode::Taken);
    assert_eq!(log.by(ANN, at("D1")).unwrap_err().code(), ErrorCode::OffBoard);
    assert_eq!(log.by(CY, at("A3")), Err(Refusal::NotAPlayer));
    log.moves(&[(ANN, "A3")]);
    assert_eq!(log.how(), Some(("line", Some(0))));
    assert_eq!(log.by(BOB, at("C3")), Err(Refusal::GameOver));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn events_are_stored_under_stable_names() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(Holder::Open)]));
    log.by(BOB, join(BOB)).unwrap();
    log.moves(&[(ANN, "A1"), (BOB, "B1")]);
    log.by(ANN, Command::AskUndo).unwrap();
    log.by(BOB, Command::AnswerUndo { agree: true }).unwrap();
    log.by_server(Command::Leave { seat: Seat::FIRST });
    log.now = 60_000;
    log.by(BOB, Command::Claim).unwrap();
    let stored: Vec<&str> = log.stored.iter().map(|(json, ..)| json.as_str()).collect();
    assert_eq!(
        stored,
        [
            r#"{"type":"joined","seat":1,"account":2,"name":"Bob","kind":"named"}"#,
            r#"{"type":"moved","seat":0,"cell":"A1"}"#,
            r#"{"type":"moved","seat":1,"cell":"B1"}"#,
            r#"{"type":"undo_asked","seat":0,"to":0}"#,
            r#"{"type":"undo_agreed","seat":1}"#,
            r#"{"type":"undone","seat":0,"to":0}"#,
            r#"{"type":"left","seat":0}"#,
            r#"{"type":"resigned","seat":0,"why":"left"}"#,
        ]
    );
}

#[test]
fn a_command_sent_again_is_done_once() {
    let mut log = ann_and_bob();
    let seen = |seq, key| Some(Seen { seq, key: CommandKey::new(key).unwrap() });
    let order = |account, seen, cell| Order {
        actor: Actor::Identity(account),
        seen,
        seat: None,
        command: at(cell),
    };
    let first = order(ANN, seen(1, "a"), "A1");
    log.order(&first).unwrap();
    assert_eq!(log.order(&first), Ok(Decision::DoneBefore(2)));
    // Another player's key of the same name is another key.
    log.order(&order(BOB, seen(2, "a"), "B1")).unwrap();
    assert_eq!(log.order(&first), Ok(Decision::DoneBefore(2)));
    assert_eq!(log.state.seq(), 3);
    assert_eq!(log.read_back().decide(&first, 0), Ok(Decision::DoneBefore(2)));
}

#[test]
fn who_has_not_seen_the_last_move_is_told_so() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1")]);
    for seq in [0, 1, 3, u32::MAX] {
        let seen = Some(Seen { seq, key: CommandKey::new("x").unwrap() });
        let order = Order { actor: Actor::Identity(BOB), seen, seat: None, command: at("B1") };
        assert_eq!(log.order(&order), Err(Refusal::Stale { seq: 2, seen: seq }));
    }
    // That someone left for a while is nothing that a move depends on.
    log.by_server(Command::Leave { seat: Seat::FIRST });
    let seen = Some(Seen { seq: 2, key: CommandKey::new("x").unwrap() });
    let order = Order { actor: Actor::Identity(BOB), seen, seat: None, command: at("B1") };
    assert!(log.order(&order).is_ok());
}

/// Nobody could refuse, and the rating would say nothing.
/// Who has gone while they waited is away, but only from when there was a game.
#[test]
fn who_waits_can_leave() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(Holder::Open)]));
    log.by_server(Command::Leave { seat: Seat::FIRST });
    assert_eq!(log.state.away_since(Seat::FIRST), Some(log.now));
    log.now += 1_000_000;
    let who = Joining { account: BOB, name: "Bob".into(), kind: PlayerType::Guest };
    log.by(BOB, Command::Join { who, symbol: None }).unwrap();
    assert_eq!(log.state.away_since(Seat::FIRST), Some(log.now));
    assert!(matches!(log.by(BOB, Command::Claim), Err(Refusal::NotAway(_))));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn who_takes_a_name_is_called_by_it() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1")]);
    let who = Joining { account: BOB, name: "Robert".into(), kind: PlayerType::Named };
    let renamed = log.by_server(Command::Rename { who: who.clone() });
    assert!(matches!(renamed[..], [Event::Renamed { .. }]));
    assert_eq!(log.by_server(Command::Rename { who }), []);
    let view = log.state.view(None, log.now);
    assert_eq!((view.players[1].name.as_deref(), view.moves.len()), (Some("Robert"), 2));
    assert_eq!(log.state.game().unwrap().players()[1].name(), "Robert");
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn a_game_is_aborted_before_the_second_move_only() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1")]);
    log.by(BOB, Command::Abort).unwrap();
    assert_eq!(log.how(), Some(("aborted", None)));
    assert_eq!(log.by(ANN, Command::AskUndo), Err(Refusal::GameOver));

    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1")]);
    assert_eq!(log.by(ANN, Command::Abort), Err(Refusal::TooLateToAbort));
    log.by(ANN, Command::Resign).unwrap();
    assert_eq!(log.how(), Some(("resigned", Some(1))));
}

#[test]
fn a_flag_falls_without_anybody_there() {
    let clock = Some(ClockRule { initial_ms: 60_000, increment_ms: 1_000 });
    let mut log = Log::new(Setup { clock, ..setup("3x3", vec![taken(ANN), taken(BOB)]) });
    log.now = 10_000;
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.state.view(None, 12_000).clock.unwrap().left_ms, [51_000, 58_000]);
    assert_eq!(log.state.due(), Some(70_000));
    log.now = 69_999;
    assert_eq!(log.by_server(Command::Tick), []);
    // The servers were down for a while: that is nobody's time.
    log.by_server(Command::HoldClock { ms: 5_000 });
    log.now = 74_999;
    assert_eq!(log.by_server(Command::Tick), []);
    log.now = 75_000;
    log.by_server(Command::Tick);
    assert_eq!(log.how(), Some(("time", Some(0))));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn nobody_can_come_back_in_an_outage() {
    let mut log = ann_and_bob();
    let second = Seat::new(1).unwrap();
    assert_eq!(log.by_server(Command::HoldClock { ms: 5_000 }), [], "nothing waits");
    log.now = 1_000;
    log.by_server(Command::Leave { seat: second });
    log.now = 6_000;
    log.by_server(Command::HoldClock { ms: 5_000 });
    assert_eq!(log.state.away_since(second), Some(6_000));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn who_stays_away_too_long_can_be_claimed_against() {
    let mut log = ann_and_bob();
    assert_eq!(log.by(ANN, Command::Claim).unwrap_err().code(), ErrorCode::NotAway);
    log.now = 1_000;
    let second = Seat::new(1).unwrap();
    log.by_server(Command::Leave { seat: second });
    assert_eq!(log.by_server(Command::Leave { seat: second }), []);
    for (now, wait) in
        [(1_000, "60 seconds"), (59_999, "2 seconds"), (60_000, "1 second"), (60_999, "1 second")]
    {
        log.now = now;
        let refusal = log.by(ANN, Command::Claim).unwrap_err();
        assert!(refusal.to_string().ends_with(&format!("wait {wait} more")), "{refusal}");
    }
    assert_eq!(log.by(CY, Command::Claim), Err(Refusal::NotAPlayer));
    log.now = 61_000;
    // Whoever is away can't claim against themselves.
    assert_eq!(log.by(BOB, Command::Claim).unwrap_err().code(), ErrorCode::NotAway);
    log.by(ANN, Command::Claim).unwrap();
    assert_eq!(log.how(), Some(("left", Some(0))));

    let mut log = ann_and_bob();
    log.by_server(Command::Leave { seat: Seat::FIRST });
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.state.away_since(Seat::FIRST), None);
}

#[test]
fn a_game_that_nobody_touches_is_abandoned() {
    for seats in [vec![taken(ANN), taken(BOB)], vec![taken(ANN), seat(Holder::Open)]] {
        let mut log = Log::new(setup("3x3", seats));
        log.now = 86_399_999;
        assert_eq!(log.by_server(Command::Tick), []);
        log.now += 1;
        log.by_server(Command::Tick);
        assert_eq!(log.how(), Some(("abandoned", None)));
        assert_eq!(log.by_server(Command::Tick), []);
    }
}

#[test]
fn a_rematch_when_everyone_wants_one() {
    let mut log = ann_and_bob();
    let next = |id| Command::Rematch { next: key(id) };
    assert_eq!(log.by(ANN, next(8)), Err(Refusal::NotOver));
    log.by(ANN, Command::Resign).unwrap();
    log.by(ANN, next(8)).unwrap();
    assert_eq!(log.by(ANN, next(9)), Err(Refusal::RematchAsked));
    assert_eq!(log.state.next(), None);
    log.by(BOB, next(10)).unwrap();
    assert_eq!(log.state.next(), Some(key(10)));
    let again = log.state.rematch();
    let starter = again.seats[0].holder.account();
    assert_eq!((starter, again.rematch_of), (Some(BOB), Some(key(7))));
    // Bob won the first game, and sits first in the second.
    let mut second = Log::new(again);
    assert_eq!(second.state.view(None, 0).series, Some(Series { wins: vec![1, 0], draws: 0 }));
    second.by(BOB, Command::Resign).unwrap();
    assert_eq!(second.state.rematch().series, Some(Series { wins: vec![1, 1], draws: 0 }));
}

#[test]
fn a_game_that_is_played_on_from_a_position() {
    let cells =
        |text: &str| text.split(' ').map(|cell| StoredCell(cell.parse().unwrap())).collect();
    let played_on =
        |moves: &str| Setup { moves: cells(moves), ..setup("3x3", vec![taken(ANN), taken(BOB)]) };
    assert_eq!(played_on("A1 A1").check(&Rules::classic()).unwrap_err().code(), ErrorCode::Taken);
    let won = played_on("A1 B1 A2 B2 A3").check(&Rules::classic());
    assert_eq!(won, Err(Refusal::GameOver));
    let mut log = Log::new(played_on("A1 B1 A2"));
    assert_eq!(log.by(BOB, Command::AskUndo), Err(Refusal::NothingToUndo));
    log.moves(&[(BOB, "B2"), (ANN, "A3")]);
    assert_eq!(log.how(), Some(("line", Some(0))));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn seats_are_for_those_they_are_kept_for() {
    let bob = Holder::Invited { account: BOB, name: "Bob".into() };
    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(bob)]));
    assert_eq!(log.by(CY, join(CY)), Err(Refusal::NoFreeSeat));
    assert_eq!(log.by(ANN, join(ANN)), Err(Refusal::AlreadySeated));
    log.by(BOB, join(BOB)).unwrap();
    assert_eq!(log.by(CY, join(CY)), Err(Refusal::NoFreeSeat));

    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(Holder::Open)]));
    let same = Command::Join { who: who(BOB), symbol: Some("X".into()) };
    assert_eq!(log.by(BOB, same).unwrap_err().code(), ErrorCode::SameSymbol);
}

#[test]
fn setups_that_make_no_game_are_refused() {
    let check = |setup: Setup, code: ErrorCode| {
        let refusal = setup.check(&rules(&setup)).unwrap_err();
        assert_eq!(refusal.code(), code, "{refusal}");
    };
    check(setup("3x3", vec![taken(ANN)]), ErrorCode::SeatCount);
    let level = |level: &str| seat(Holder::Computer { level: level.into() });
    check(setup("3x3", vec![taken(ANN), level("engine:/bin/sh")]), ErrorCode::Invalid);
    check(setup("3x3", vec![taken(ANN), level("human")]), ErrorCode::Invalid);
    let both = vec![taken(ANN), taken(ANN)];
    assert_eq!(setup("3x3", both.clone()).check(&Rules::classic()), Ok(()));
    check(Setup { league: Some("l".into()), ..setup("3x3", both) }, ErrorCode::RatedAgainstOneself);
    let clock = Some(ClockRule { initial_ms: 0, increment_ms: 0 });
    check(Setup { clock, ..setup("3x3", vec![taken(ANN), taken(BOB)]) }, ErrorCode::TimeControl);
    let wide = SeatSetup { symbol: Some("XX".into()), ..taken(BOB) };
    check(setup("3x3", vec![taken(ANN), wide]), ErrorCode::Symbol);
}

fn invited(account: IdentityId) -> SeatSetup {
    seat(Holder::Invited { account, name: who(account).name })
}

#[test]
fn whoever_is_invited_comes_to_the_seat_that_is_kept_or_declines() {
    let seats = vec![taken(ANN), seat(Holder::Open), invited(BOB)];
    let mut log = Log::new(setup("7x7:4+3p", seats.clone()));
    let seat = Seat::new(1);
    let seen = Some(Seen { seq: 1, key: CommandKey::new("join").unwrap() });
    let order = Order { actor: Actor::Identity(BOB), seen, seat, command: join(BOB) };
    assert_eq!(log.order(&order), Err(Refusal::NoFreeSeat));
    assert_eq!(log.by(CY, Command::Abort), Err(Refusal::NotAPlayer));
    log.by(CY, join(CY)).unwrap();
    log.by(BOB, join(BOB)).unwrap();
    assert_eq!(log.state.phase(), Phase::Live);

    let mut log = Log::new(setup("7x7:4+3p", seats));
    log.by(BOB, Command::Abort).unwrap();
    assert_eq!(log.how(), Some(("aborted", None)));
    assert_eq!(log.read_back(), log.state);

    let twice = setup("7x7:4+3p", vec![taken(ANN), invited(BOB), invited(BOB)]);
    assert_eq!(twice.check(&rules(&twice)), Err(Refusal::InvitedTwice));
}

#[test]
fn whoever_is_out_does_not_call_the_game_off() {
    let mut log = Log::new(setup("7x7:4+3p", vec![taken(ANN), taken(BOB), taken(CY)]));
    log.by(ANN, Command::Resign).unwrap();
    assert_eq!(log.by(ANN, Command::Abort).unwrap_err().code(), ErrorCode::NotPlaying);
    log.by(BOB, Command::Abort).unwrap();
}

/// Somebody else's yes would otherwise cost them a game that they never see.
#[test]
fn who_has_gone_waits_for_no_rematch_that_could_cost_something() {
    let clock = Some(ClockRule { initial_ms: 60_000, increment_ms: 0 });
    for (clock, waits) in [(clock, false), (None, true)] {
        let setup = Setup { clock, ..setup("3x3", vec![taken(ANN), taken(BOB)]) };
        let mut log = Log::new(setup);
        log.by(ANN, Command::Resign).unwrap();
        log.by(ANN, Command::Rematch { next: key(8) }).unwrap();
        log.by_server(Command::Leave { seat: Seat::FIRST });
        log.by_server(Command::Leave { seat: Seat::FIRST });
        log.by(BOB, Command::Rematch { next: key(9) }).unwrap();
        assert_eq!(log.state.next().is_some(), waits);
        assert_eq!(log.read_back(), log.state);
    }
}
