//! The game loop with players that misbehave in every way.

use std::convert::Infallible;

use noughts_engine::{
    Budget, Choice, Computer, Decision, Forfeit, ForfeitReason, GameHost, GameObserver, LoopExit,
    PlayerKind, Strategy, StrategyError, apply_decision, run_game,
};
use noughts_rules::{Action, Cell, Event, Game, Mark, Outcome, Position, Refusal, Rules, Seat};

/// Plays a fixed list of decisions for whichever seat is to move.
struct Script {
    decisions: Vec<Decision>,
    persons: Vec<Seat>,
    events: Vec<Event>,
    forfeits: Vec<Forfeit>,
}

impl GameHost for Script {
    fn decide(&mut self, _: &Game, _: Seat) -> Result<Decision, Infallible> {
        Ok(if self.decisions.is_empty() { Decision::Stop } else { self.decisions.remove(0) })
    }
}

impl GameObserver for Script {
    type Error = Infallible;

    fn is_person(&self, seat: Seat) -> bool {
        self.persons.contains(&seat)
    }

    fn on_event(&mut self, _: &Game, event: &Event) -> Result<(), Infallible> {
        self.events.push(event.clone());
        Ok(())
    }

    fn on_forfeit(&mut self, _: &Game, forfeit: &Forfeit) -> Result<(), Infallible> {
        self.forfeits.push(forfeit.clone());
        Ok(())
    }
}

fn cell(text: &str) -> Cell {
    text.parse().unwrap()
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn play(decisions: Vec<Decision>, persons: Vec<Seat>) -> (Game, Script, LoopExit) {
    let mut game = Game::with_default_players(&Rules::classic());
    let mut host = Script { decisions, persons, events: Vec::new(), forfeits: Vec::new() };
    let Ok(exit) = run_game(&mut game, &mut host);
    (game, host, exit)
}

fn moves(cells: &str) -> Vec<Decision> {
    cells.split_whitespace().map(|text| Decision::Move(cell(text).into())).collect()
}

#[test]
fn observer_gets_events_in_order() {
    let (game, host, exit) = play(moves("A1 B1 A2 B2 A3"), vec![]);
    assert_eq!(exit, LoopExit::GameOver);
    assert_eq!(host.events.len(), 10);
    assert_eq!(
        host.events[0],
        Event::Moved { seat: seat(0), mv: cell("A1").into(), mark: Some(Mark::FIRST) }
    );
    assert_eq!(host.events[9], Event::Finished { status: game.status() });
}

#[test]
fn illegal_move_forfeits_the_game() {
    let (game, host, exit) = play(moves("A1 A1"), vec![]);
    assert_eq!(exit, LoopExit::GameOver);
    assert_eq!(game.position().outcome(), Some(Outcome::Win(seat(0))));
    let reason = ForfeitReason::Illegal(Refusal::Taken { cell: cell("A1") });
    assert_eq!(host.forfeits, [Forfeit { seat: seat(1), reason }]);
    assert_eq!(game.position().stone_count(), 1);
}

#[test]
fn undo_returns_to_persons_turn() {
    let mut decisions = moves("A1 B1 A2 B2");
    decisions.push(Decision::Undo);
    let (game, _, exit) = play(decisions.clone(), vec![seat(0)]);
    assert_eq!(exit, LoopExit::Stopped);
    assert_eq!((game.turn(), game.position().stone_count()), (Some(seat(0)), 2));
    let (game, _, _) = play(decisions, vec![seat(0), seat(1)]);
    assert_eq!((game.turn(), game.position().stone_count()), (Some(seat(1)), 3));
}

#[test]
fn resigning_seat_loses() {
    let (game, host, _) = play(vec![Decision::Resign], vec![]);
    assert_eq!(game.history().next(), Some(Action::Resign { seat: seat(0) }));
    assert_eq!(host.forfeits, []);
}

struct Fails;

impl Strategy for Fails {
    fn choose(&mut self, _: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        Err(StrategyError::GameOver)
    }
}

/// Can choose only after `prepare`.
#[derive(Default)]
struct NeedsPreparation {
    prepared: bool,
}

impl Strategy for NeedsPreparation {
    fn prepare(&mut self, _: &Position, _: &Budget) -> Result<(), StrategyError> {
        self.prepared = true;
        Ok(())
    }

    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let mv = position.legal_moves().next().filter(|_| self.prepared);
        mv.map(Choice::without_verdict).ok_or(StrategyError::GameOver)
    }
}

#[test]
fn strategy_is_prepared_before_choosing() {
    let game = Game::with_default_players(&Rules::classic());
    let decision =
        Computer::new(Box::new(NeedsPreparation::default()), Budget::unlimited()).decide(&game);
    assert_eq!(decision, Decision::Move("A1".parse().unwrap()));
}

#[test]
fn failing_strategy_forfeits() {
    let game = Game::with_default_players(&Rules::classic());
    let failed = Computer::new(Box::new(Fails), Budget::unlimited()).decide(&game);
    assert_eq!(failed, Decision::Forfeit(ForfeitReason::Failed(StrategyError::GameOver)));
    let kind: PlayerKind = "perfect".parse().unwrap();
    let fine = Computer::new(kind.strategy(1).unwrap(), Budget::unlimited()).decide(&game);
    assert!(matches!(fine, Decision::Move(_)));
}

#[test]
fn late_decisions_change_nothing() {
    let (mut game, mut host, _) = play(moves("A1 B1 A2 B2 A3"), vec![]);
    let (over, events) = (game.clone(), host.events.len());
    for decision in [Decision::Move(cell("C3").into()), Decision::Resign, Decision::Undo] {
        let Ok(()) = apply_decision(&mut game, &mut host, decision);
        assert_eq!((&game, host.events.len()), (&over, events));
    }
}

#[test]
fn seat_out_of_time_loses() {
    let mut decisions = moves("A1");
    decisions.push(Decision::Forfeit(ForfeitReason::OutOfTime));
    let (game, host, _) = play(decisions, vec![]);
    assert_eq!(game.position().outcome(), Some(Outcome::Win(seat(0))));
    assert_eq!(host.forfeits[0].reason.to_string(), "the time is up");
}
