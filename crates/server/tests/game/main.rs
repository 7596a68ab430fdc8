//! Online games as folds of their events: what commands become, and what is refused.

mod family;
mod fixtures;
mod laws;
mod presence;
mod undo;

use noughts_api::{
    CommandRequest, EndReason, ErrorCode, Event, GameId, GamePhase, GameSetup, IdempotencyKey,
    IdentityId, IdentityKind, Level, Millis, Participant, PlayerCommand, SeatHolder, SeatSetup,
    SeriesScore, TimeControl,
};
use noughts_rules::{Cell, Rules, Seat};
use noughts_server::game::{BrokenLog, Decision, OnlineGame, Refusal, ServerCommand, check_setup};

const ANN: IdentityId = IdentityId(1);
const BOB: IdentityId = IdentityId(2);
const CY: IdentityId = IdentityId(3);

/// A game with the events that led to it, as they would be stored.
struct Log {
    state: OnlineGame,
    created: (GameSetup, Millis),
    stored: Vec<Stored>,
    now: Millis,
    keys: u32,
}

/// A row of the log: the event, when it happened, and the command it came from.
type Stored = (String, Millis, Option<(IdentityId, IdempotencyKey)>);

fn apply(state: &mut OnlineGame, (json, at, key): &Stored) -> Result<Vec<Cell>, BrokenLog> {
    let key = key.as_ref().map(|(identity, key)| (*identity, key));
    state.apply(&serde_json::from_str(json).unwrap(), *at, key)
}

impl Log {
    fn new(setup: GameSetup) -> Log {
        let state = OnlineGame::create(game_id(7), rules(&setup), setup.clone(), 0).unwrap();
        Log { state, created: (setup, 0), stored: Vec::new(), now: 0, keys: 0 }
    }

    /// Decides and applies a player's request.
    fn request(
        &mut self,
        player: IdentityId,
        request: &CommandRequest,
    ) -> Result<Decision, Refusal> {
        let before = self.state.clone();
        let new_game = || game_id(8);
        let decision = self.state.decide(&participant(player), request, self.now, new_game);
        assert_eq!(self.state, before);
        if let Ok(Decision::Events(events)) = &decision {
            self.store(events, Some((player, request.key.clone())));
        }
        decision
    }

    fn store(&mut self, events: &[Event], key: Option<(IdentityId, IdempotencyKey)>) {
        for event in events {
            self.stored.push((serde_json::to_string(event).unwrap(), self.now, key.clone()));
            apply(&mut self.state, self.stored.last().unwrap()).unwrap();
        }
    }

    /// A command of a player who has seen everything, with a key of its own.
    fn by(&mut self, player: IdentityId, command: PlayerCommand) -> Result<Vec<Event>, Refusal> {
        self.keys += 1;
        let key = format!("key {}", self.keys);
        let request = request(command, self.state.seq(), &key);
        self.request(player, &request).map(events)
    }

    fn by_server(&mut self, command: ServerCommand) -> Result<Vec<Event>, Refusal> {
        let events = self.state.decide_server(&command, self.now)?;
        self.store(&events, None);
        Ok(events)
    }

    fn moves(&mut self, moves: &[(IdentityId, &str)]) {
        for (player, mv) in moves {
            self.by(*player, at(mv)).unwrap();
        }
    }

    /// The game that a reader of the log gets.
    fn read_back(&self) -> OnlineGame {
        let (setup, at) = self.created.clone();
        let created = serde_json::to_string(&Event::Created(Box::new(setup))).unwrap();
        let Ok(Event::Created(setup)) = serde_json::from_str(&created) else { panic!("{created}") };
        let mut state = OnlineGame::create(game_id(7), rules(&setup), *setup, at).unwrap();
        for stored in &self.stored {
            apply(&mut state, stored).unwrap();
        }
        state
    }

    fn result(&self) -> Option<(EndReason, Option<u8>)> {
        let result = self.state.result()?;
        Some((result.reason, result.winner.map(|seat| seat.index() as u8)))
    }
}

fn events(decision: Decision) -> Vec<Event> {
    match decision {
        Decision::Events(events) => events,
        Decision::Repeated(seq) => panic!("repeated, at {seq}"),
    }
}

fn request(command: PlayerCommand, seq: u32, key: &str) -> CommandRequest {
    CommandRequest { command, seq, key: IdempotencyKey::new(key).unwrap(), seat: None }
}

fn rules(setup: &GameSetup) -> Rules {
    setup.rules.parse().unwrap()
}

fn game_id(number: u8) -> GameId {
    GameId::from_bytes([number; 16])
}

fn second() -> Seat {
    Seat::new(1).unwrap()
}

fn participant(identity: IdentityId) -> Participant {
    let name = ["Ann", "Bob", "Cy"][identity.0 as usize - 1].to_string();
    Participant { identity, name, kind: IdentityKind::Account }
}

fn seat(holder: SeatHolder) -> SeatSetup {
    SeatSetup { holder, symbol: None }
}

fn taken(identity: IdentityId) -> SeatSetup {
    seat(SeatHolder::Taken(participant(identity)))
}

fn invited(identity: IdentityId) -> SeatSetup {
    seat(SeatHolder::Invited { identity, name: participant(identity).name })
}

fn computer() -> SeatSetup {
    seat(SeatHolder::Computer { level: Level::Easy })
}

fn setup(rules: &str, seats: Vec<SeatSetup>) -> GameSetup {
    GameSetup {
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
        tournament: None,
        first_move_ms: None,
    }
}

fn ann_and_bob() -> Log {
    Log::new(setup("3x3", vec![taken(ANN), taken(BOB)]))
}

fn at(mv: &str) -> PlayerCommand {
    PlayerCommand::Move { mv: mv.parse().unwrap() }
}

const JOIN: PlayerCommand = PlayerCommand::Join { symbol: None };

#[test]
fn game_from_seats_to_win() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(SeatHolder::Open)]));
    assert_eq!(log.state.phase(), GamePhase::Open);
    assert_eq!(log.by(ANN, at("A1")), Err(Refusal::NotStarted));
    log.by(BOB, JOIN).unwrap();
    assert_eq!(log.state.phase(), GamePhase::Live);
    log.moves(&[(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2")]);
    assert_eq!(log.by(BOB, at("C3")).unwrap_err().code(), ErrorCode::NotYourTurn);
    assert_eq!(log.by(ANN, at("B2")).unwrap_err().code(), ErrorCode::Taken);
    assert_eq!(log.by(ANN, at("D1")).unwrap_err().code(), ErrorCode::OffBoard);
    assert_eq!(log.by(CY, at("A3")), Err(Refusal::NotAPlayer));
    log.moves(&[(ANN, "A3")]);
    assert_eq!(log.result(), Some((EndReason::Line, Some(0))));
    assert_eq!(log.by(BOB, at("C3")), Err(Refusal::GameOver));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn stored_events_have_stable_names() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(SeatHolder::Open)]));
    log.by(BOB, JOIN).unwrap();
    log.moves(&[(ANN, "A1"), (BOB, "B1")]);
    log.by(ANN, PlayerCommand::RequestUndo).unwrap();
    log.by(BOB, PlayerCommand::AnswerUndo { accept: true }).unwrap();
    log.by_server(ServerCommand::Leave { seat: Seat::FIRST }).unwrap();
    log.now = 60_000;
    log.by(BOB, PlayerCommand::Claim).unwrap();
    let stored: Vec<&str> = log.stored.iter().map(|(json, ..)| json.as_str()).collect();
    assert_eq!(
        stored,
        [
            r#"{"type":"joined","seat":1,"player":{"identity":2,"name":"Bob","kind":"account"}}"#,
            r#"{"type":"moved","seat":0,"move":"A1"}"#,
            r#"{"type":"moved","seat":1,"move":"B1"}"#,
            r#"{"type":"undo_requested","seat":0,"to":0}"#,
            r#"{"type":"undo_accepted","seat":1}"#,
            r#"{"type":"undone","seat":0,"to":0}"#,
            r#"{"type":"left","seat":0}"#,
            r#"{"type":"eliminated","seat":0,"reason":"left"}"#,
        ]
    );
}

#[test]
fn repeated_commands_take_effect_once() {
    let mut log = ann_and_bob();
    let first = request(at("A1"), 1, "a");
    log.request(ANN, &first).unwrap();
    assert_eq!(log.request(ANN, &first), Ok(Decision::Repeated(2)));
    // Keys of different players are different keys.
    log.request(BOB, &request(at("B1"), 2, "a")).unwrap();
    assert_eq!(log.request(ANN, &first), Ok(Decision::Repeated(2)));
    assert_eq!(log.state.seq(), 3);
    let again = log.read_back().decide(&participant(ANN), &first, 0, || game_id(8));
    assert_eq!(again, Ok(Decision::Repeated(2)));
}

#[test]
fn commands_based_on_old_state_are_stale() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1")]);
    for seen in [0, 1, 3, u32::MAX] {
        let stale = log.request(BOB, &request(at("B1"), seen, "x"));
        assert_eq!(stale, Err(Refusal::Stale { seq: 2, seen }));
    }
    // A move does not depend on who disconnected.
    log.by_server(ServerCommand::Leave { seat: Seat::FIRST }).unwrap();
    assert!(log.request(BOB, &request(at("B1"), 2, "x")).is_ok());
}

#[test]
fn absence_counts_from_the_start() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(SeatHolder::Open)]));
    log.by_server(ServerCommand::Leave { seat: Seat::FIRST }).unwrap();
    assert_eq!(log.state.away_since(Seat::FIRST), Some(log.now));
    log.now += 1_000_000;
    log.by(BOB, JOIN).unwrap();
    assert_eq!(log.state.away_since(Seat::FIRST), Some(log.now));
    assert!(matches!(log.by(BOB, PlayerCommand::Claim), Err(Refusal::NotAway(_))));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn renaming_keeps_the_game() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1")]);
    let player = Participant { name: "Robert".into(), ..participant(BOB) };
    let rename = ServerCommand::Rename { player };
    let renamed = log.by_server(rename.clone()).unwrap();
    assert!(matches!(renamed[..], [Event::Renamed { .. }]));
    assert_eq!(log.by_server(rename), Ok(vec![]));
    let view = log.state.view(None, log.now);
    assert_eq!((view.players[1].name.as_deref(), view.moves.len()), (Some("Robert"), 2));
    assert_eq!(log.state.game().unwrap().players()[1].name(), "Robert");
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn abort_before_second_move_only() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1")]);
    log.by(BOB, PlayerCommand::Abort).unwrap();
    assert_eq!(log.result(), Some((EndReason::Aborted, None)));
    assert_eq!(log.by(ANN, PlayerCommand::RequestUndo), Err(Refusal::GameOver));

    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1")]);
    assert_eq!(log.by(ANN, PlayerCommand::Abort), Err(Refusal::TooLateToAbort));
    log.by(ANN, PlayerCommand::Resign).unwrap();
    assert_eq!(log.result(), Some((EndReason::Resigned, Some(1))));
}

#[test]
fn clock_runs_out_unattended() {
    let clock = Some(TimeControl { initial_ms: 60_000, increment_ms: 1_000 });
    let mut log = Log::new(GameSetup { clock, ..setup("3x3", vec![taken(ANN), taken(BOB)]) });
    log.now = 10_000;
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.state.view(None, 12_000).clock.unwrap().remaining_ms, [51_000, 58_000]);
    assert_eq!(log.state.deadline(), Some(70_000));
    log.now = 69_999;
    assert_eq!(log.by_server(ServerCommand::Tick), Ok(vec![]));
    // Downtime is never charged to a clock.
    log.by_server(ServerCommand::HoldClock { ms: 5_000 }).unwrap();
    log.now = 74_999;
    assert_eq!(log.by_server(ServerCommand::Tick), Ok(vec![]));
    log.now = 75_000;
    log.by_server(ServerCommand::Tick).unwrap();
    assert_eq!(log.result(), Some((EndReason::Time, Some(0))));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn outages_extend_absence() {
    let mut log = ann_and_bob();
    assert_eq!(log.by_server(ServerCommand::HoldClock { ms: 5_000 }), Ok(vec![]), "no clock runs");
    log.now = 1_000;
    log.by_server(ServerCommand::Leave { seat: second() }).unwrap();
    log.now = 6_000;
    log.by_server(ServerCommand::HoldClock { ms: 5_000 }).unwrap();
    assert_eq!(log.state.away_since(second()), Some(6_000));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn claim_after_long_absence() {
    let mut log = ann_and_bob();
    assert_eq!(log.by(ANN, PlayerCommand::Claim).unwrap_err().code(), ErrorCode::NotAway);
    log.now = 1_000;
    log.by_server(ServerCommand::Leave { seat: second() }).unwrap();
    assert_eq!(log.by_server(ServerCommand::Leave { seat: second() }), Ok(vec![]));
    for (now, wait) in
        [(1_000, "60 seconds"), (59_999, "2 seconds"), (60_000, "1 second"), (60_999, "1 second")]
    {
        log.now = now;
        let refusal = log.by(ANN, PlayerCommand::Claim).unwrap_err();
        assert!(refusal.to_string().ends_with(&format!("; wait {wait}")), "{refusal}");
    }
    assert_eq!(log.by(CY, PlayerCommand::Claim), Err(Refusal::NotAPlayer));
    log.now = 61_000;
    // Absent players can't claim against themselves.
    assert_eq!(log.by(BOB, PlayerCommand::Claim).unwrap_err().code(), ErrorCode::NotAway);
    log.by(ANN, PlayerCommand::Claim).unwrap();
    assert_eq!(log.result(), Some((EndReason::Left, Some(0))));

    let mut log = ann_and_bob();
    log.by_server(ServerCommand::Leave { seat: Seat::FIRST }).unwrap();
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.state.away_since(Seat::FIRST), None);
}

#[test]
fn idle_games_are_abandoned() {
    for seats in [vec![taken(ANN), taken(BOB)], vec![taken(ANN), seat(SeatHolder::Open)]] {
        let mut log = Log::new(setup("3x3", seats));
        log.now = 86_399_999;
        assert_eq!(log.by_server(ServerCommand::Tick), Ok(vec![]));
        log.now += 1;
        log.by_server(ServerCommand::Tick).unwrap();
        assert_eq!(log.result(), Some((EndReason::Abandoned, None)));
        assert_eq!(log.by_server(ServerCommand::Tick), Ok(vec![]));
    }
}

#[test]
fn rematch_starts_when_everyone_agrees() {
    let mut log = ann_and_bob();
    assert_eq!(log.by(ANN, PlayerCommand::Rematch), Err(Refusal::NotOver));
    log.by(ANN, PlayerCommand::Resign).unwrap();
    log.by(ANN, PlayerCommand::Rematch).unwrap();
    assert_eq!(log.by(ANN, PlayerCommand::Rematch), Err(Refusal::RematchOffered));
    assert_eq!(log.state.rematch(), None);
    log.by(BOB, PlayerCommand::Rematch).unwrap();
    assert_eq!(log.state.rematch(), Some(game_id(8)));
    let rematch = log.state.rematch_setup();
    let starter = rematch.seats[0].holder.identity();
    assert_eq!((starter, rematch.rematch_of), (Some(BOB), Some(game_id(7))));
    // Bob won the first game, and moves first in the second.
    let mut second = Log::new(rematch);
    let series = SeriesScore { wins: vec![1, 0], draws: 0 };
    assert_eq!(second.state.view(None, 0).series, Some(series));
    second.by(BOB, PlayerCommand::Resign).unwrap();
    let series = SeriesScore { wins: vec![1, 1], draws: 0 };
    assert_eq!(second.state.rematch_setup().series, Some(series));
}

#[test]
fn game_starts_from_position() {
    let cells = |text: &str| text.split(' ').map(|cell| cell.parse().unwrap()).collect();
    let played_on = |moves: &str| GameSetup {
        moves: cells(moves),
        ..setup("3x3", vec![taken(ANN), taken(BOB)])
    };
    assert_eq!(
        check_setup(&played_on("A1 A1"), &Rules::classic()).unwrap_err().code(),
        ErrorCode::Taken
    );
    let won = check_setup(&played_on("A1 B1 A2 B2 A3"), &Rules::classic());
    assert_eq!(won, Err(Refusal::GameOver));
    let mut log = Log::new(played_on("A1 B1 A2"));
    assert_eq!(log.by(BOB, PlayerCommand::RequestUndo), Err(Refusal::NothingToUndo));
    log.moves(&[(BOB, "B2"), (ANN, "A3")]);
    assert_eq!(log.result(), Some((EndReason::Line, Some(0))));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn seats_reserved_for_invited_players() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), invited(BOB)]));
    assert_eq!(log.by(CY, JOIN), Err(Refusal::NoFreeSeat));
    assert_eq!(log.by(ANN, JOIN), Err(Refusal::AlreadySeated));
    log.by(BOB, JOIN).unwrap();
    assert_eq!(log.by(CY, JOIN), Err(Refusal::NoFreeSeat));

    let mut log = Log::new(setup("3x3", vec![taken(ANN), seat(SeatHolder::Open)]));
    let same = PlayerCommand::Join { symbol: Some("X".into()) };
    assert_eq!(log.by(BOB, same).unwrap_err().code(), ErrorCode::SameSymbol);
}

#[test]
fn invalid_setups_are_refused() {
    let check = |setup: GameSetup, code: ErrorCode| {
        let refusal = check_setup(&setup, &rules(&setup)).unwrap_err();
        assert_eq!(refusal.code(), code, "{refusal}");
    };
    check(setup("3x3", vec![taken(ANN)]), ErrorCode::SeatCount);
    let both = vec![taken(ANN), taken(ANN)];
    assert_eq!(check_setup(&setup("3x3", both.clone()), &Rules::classic()), Ok(()));
    check(
        GameSetup { league: Some("l".into()), ..setup("3x3", both) },
        ErrorCode::RatedAgainstOneself,
    );
    let clock = Some(TimeControl { initial_ms: 0, increment_ms: 0 });
    check(
        GameSetup { clock, ..setup("3x3", vec![taken(ANN), taken(BOB)]) },
        ErrorCode::TimeControl,
    );
    let wide = SeatSetup { symbol: Some("XX".into()), ..taken(BOB) };
    check(setup("3x3", vec![taken(ANN), wide]), ErrorCode::Symbol);
}

#[test]
fn invited_players_join_or_decline() {
    let seats = vec![taken(ANN), seat(SeatHolder::Open), invited(BOB)];
    let mut log = Log::new(setup("7x7:4+3p", seats.clone()));
    let free_seat = CommandRequest { seat: Some(second()), ..request(JOIN, 1, "join") };
    assert_eq!(log.request(BOB, &free_seat), Err(Refusal::NoFreeSeat));
    assert_eq!(log.by(CY, PlayerCommand::Abort), Err(Refusal::NotAPlayer));
    log.by(CY, JOIN).unwrap();
    log.by(BOB, JOIN).unwrap();
    assert_eq!(log.state.phase(), GamePhase::Live);

    let mut log = Log::new(setup("7x7:4+3p", seats));
    log.by(BOB, PlayerCommand::Abort).unwrap();
    assert_eq!(log.result(), Some((EndReason::Aborted, None)));
    assert_eq!(log.read_back(), log.state);

    let twice = setup("7x7:4+3p", vec![taken(ANN), invited(BOB), invited(BOB)]);
    assert_eq!(check_setup(&twice, &rules(&twice)), Err(Refusal::InvitedTwice));
}

#[test]
fn eliminated_players_can_not_abort() {
    let mut log = Log::new(setup("7x7:4+3p", vec![taken(ANN), taken(BOB), taken(CY)]));
    log.by(ANN, PlayerCommand::Resign).unwrap();
    assert_eq!(log.by(ANN, PlayerCommand::Abort).unwrap_err().code(), ErrorCode::NotPlaying);
    log.by(BOB, PlayerCommand::Abort).unwrap();
}

/// Otherwise an absent player could lose time or rating in a game they never see.
#[test]
fn leaving_withdraws_costly_rematch_offer() {
    let clock = Some(TimeControl { initial_ms: 60_000, increment_ms: 0 });
    for (clock, waits) in [(clock, false), (None, true)] {
        let setup = GameSetup { clock, ..setup("3x3", vec![taken(ANN), taken(BOB)]) };
        let mut log = Log::new(setup);
        log.by(ANN, PlayerCommand::Resign).unwrap();
        log.by(ANN, PlayerCommand::Rematch).unwrap();
        log.by_server(ServerCommand::Leave { seat: Seat::FIRST }).unwrap();
        log.by_server(ServerCommand::Leave { seat: Seat::FIRST }).unwrap();
        log.by(BOB, PlayerCommand::Rematch).unwrap();
        assert_eq!(log.state.rematch().is_some(), waits);
        assert_eq!(log.read_back(), log.state);
    }
}
