//! Games conducted with players who misbehave in each way.

use std::convert::Infallible;

use noughts_engine::{
    Audience, Budget, Choice, Computer, Decision, Ending, Forfeit, ForfeitReason, Host, PlayerKind,
    Strategy, StrategyError, carry_out, conduct,
};
use noughts_rules::{Action, Cell, Event, Game, Outcome, Position, Refusal, Rules, Seat};

/// Plays the decisions of a script, one after the other, whoever has the turn.
struct Script {
    decisions: Vec<Decision>,
    persons: Vec<Seat>,
    heard: Vec<Event>,
    forfeits: Vec<Forfeit>,
}

impl Host for Script {
    fn decide(&mut self, _: &Game, _: Seat) -> Result<Decision, Infallible> {
        Ok(if self.decisions.is_empty() { Decision::Stop } else { self.decisions.remove(0) })
    }
}

impl Audience for Script {
    type Error = Infallible;

    fn is_person(&self, seat: Seat) -> bool {
        self.persons.contains(&seat)
    }

    fn hear(&mut self, _: &Game, event: &Event) -> Result<(), Infallible> {
        self.heard.push(event.clone());
        Ok(())
    }

    fn hear_forfeit(&mut self, _: &Game, forfeit: &Forfeit) -> Result<(), Infallible> {
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

fn conducted(decisions: Vec<Decision>, persons: Vec<Seat>) -> (Game, Script, Ending) {
    let mut game = Game::with_default_players(&Rules::classic());
    let mut host = Script { decisions, persons, heard: Vec::new(), forfeits: Vec::new() };
    let Ok(ending) = conduct(&mut game, &mut host);
    (game, host, ending)
}

fn moves(cells: &str) -> Vec<Decision> {
    cells.split_whitespace().map(|text| Decision::Move(cell(text))).collect()
}

#[test]
fn everything_that_happens_is_heard_in_order() {
    let (game, host, ending) = conducted(moves("A1 B1 A2 B2 A3"), vec![]);
    assert_eq!(ending, Ending::Over);
    assert_eq!(host.heard.len(), 10);
    assert_eq!(host.heard[0], Event::Moved { seat: seat(0), cell: cell("A1") });
    assert_eq!(host.heard[9], Event::Finished { status: game.status() });
}

#[test]
fn an_illegal_move_forfeits_and_changes_nothing_else() {
    let (game, host, ending) = conducted(moves("A1 A1"), vec![]);
    assert_eq!(ending, Ending::Over);
    assert_eq!(game.position().outcome(), Some(Outcome::Win(seat(0))));
    let reason = ForfeitReason::Illegal(Refusal::Taken { cell: cell("A1") });
    assert_eq!(host.forfeits, [Forfeit { seat: seat(1), reason }]);
    assert_eq!(game.position().stones(), 1);
}

#[test]
fn taking_back_goes_back_to_a_persons_turn() {
    let mut decisions = moves("A1 B1 A2 B2");
    decisions.push(Decision::Undo);
    let (game, _, ending) = conducted(decisions.clone(), vec![seat(0)]);
    assert_eq!(ending, Ending::Stopped);
    assert_eq!((game.turn(), game.position().stones()), (Some(seat(0)), 2));
    let (game, _, _) = conducted(decisions, vec![seat(0), seat(1)]);
    assert_eq!((game.turn(), game.position().stones()), (Some(seat(1)), 3));
}

#[test]
fn whoever_resigns_loses() {
    let (game, host, _) = conducted(vec![Decision::Resign], vec![]);
    assert_eq!(game.history().next(), Some(Action::Resign { seat: seat(0) }));
    assert_eq!(host.forfeits, []);
}

struct Fails;

impl Strategy for Fails {
    fn choose(&mut self, _: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        Err(StrategyError::GameOver)
    }
}

/// Can choose once it is ready.
#[derive(Default)]
struct Slow {
    ready: bool,
}

impl Strategy for Slow {
    fn prepare(&mut self, _: &Position, _: &Budget) -> Result<(), StrategyError> {
        self.ready = true;
        Ok(())
    }

    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let cell = position.legal_moves().next().filter(|_| self.ready);
        cell.map(Choice::unjudged).ok_or(StrategyError::GameOver)
    }
}

#[test]
fn a_strategy_is_made_ready_before_its_turn_begins() {
    let game = Game::with_default_players(&Rules::classic());
    let decision = Computer::new(Box::new(Slow::default()), Budget::unlimited()).decide(&game);
    assert_eq!(decision, Decision::Move("A1".parse().unwrap()));
}

#[test]
fn a_strategy_that_fails_forfeits() {
    let game = Game::with_default_players(&Rules::classic());
    let failed = Computer::new(Box::new(Fails), Budget::unlimited()).decide(&game);
    assert_eq!(failed, Decision::Forfeit(ForfeitReason::Failed(StrategyError::GameOver)));
    let kind: PlayerKind = "perfect".parse().unwrap();
    let fine = Computer::new(kind.strategy(1).unwrap(), Budget::unlimited()).decide(&game);
    assert!(matches!(fine, Decision::Move(_)));
}

#[test]
fn a_decision_that_comes_after_the_end_changes_nothing() {
    let (mut game, mut host, _) = conducted(moves("A1 B1 A2 B2 A3"), vec![]);
    let (over, heard) = (game.clone(), host.heard.len());
    for decision in [Decision::Move(cell("C3")), Decision::Resign, Decision::Undo] {
        let Ok(()) = carry_out(&mut game, &mut host, decision);
        assert_eq!((&game, host.heard.len()), (&over, heard));
    }
}

#[test]
fn whoever_is_out_of_time_loses() {
    let mut decisions = moves("A1");
    decisions.push(Decision::Forfeit(ForfeitReason::OutOfTime));
    let (game, host, _) = conducted(decisions, vec![]);
    assert_eq!(game.position().outcome(), Some(Outcome::Win(seat(0))));
    assert_eq!(host.forfeits[0].reason.to_string(), "the time is up");
}
