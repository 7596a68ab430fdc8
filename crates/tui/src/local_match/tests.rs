use std::sync::mpsc::{Receiver, channel};

use noughts_rules::{Outcome, Player, Rules};

use super::turns::WATCHING_PACE;
use super::*;
use crate::workers::Message;

const SECOND: Duration = Duration::from_secs(1);

struct Table {
    local_match: LocalMatch,
    messages: Receiver<Message>,
    now: Instant,
}

fn sit(kinds: [&str; 2], control: Option<&str>) -> Table {
    sit_at("3x3", kinds, control)
}

fn sit_at(rules: &str, kinds: [&str; 2], control: Option<&str>) -> Table {
    let (sender, messages) = channel();
    let rules: Rules = rules.parse().unwrap();
    let people = rules.seats().map(Player::default_for).collect();
    let kinds = kinds.iter().map(|kind| kind.parse().unwrap()).collect();
    let series = Series::new(&rules, people, kinds, false);
    let control = control.map(|control| control.parse().unwrap());
    let settings = MatchSettings {
        computers: ComputerSettings { threads: 1, seed: 1 },
        think: SECOND,
        control,
        detail: MatchDetail::of_people(2),
    };
    let now = Instant::now();
    Table {
        local_match: LocalMatch::new(series, settings, Workers::new(sender), None, None, now),
        messages,
        now,
    }
}

impl Table {
    fn play(&mut self, cells: &str) {
        for cell in cells.split_whitespace() {
            self.local_match.decide(Decision::Move(cell.parse().unwrap()), self.now);
        }
    }

    /// Waits for the computer's move.
    fn wait(&mut self) {
        while self.local_match.thinking(self.now).is_some() {
            let message = self.messages.recv_timeout(60 * SECOND).expect("an answer");
            self.local_match.receive(message, self.now);
        }
    }

    fn moves(&self) -> String {
        let history = self.local_match.game().history();
        let cells = history.map(|action| match action {
            Action::Move { mv, .. } => mv.to_string(),
            Action::Resign { .. } => "resigned".into(),
        });
        cells.collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn undone_moves_can_be_redone() {
    let mut table = sit(["human", "human"], None);
    table.play("A1 B1 A2 B2 A3");
    assert_eq!(
        table.local_match.series().score().to_string(),
        "Score: Player 1 1, Player 2 0, draws 0"
    );
    table.local_match.undo(table.now).unwrap();
    table.local_match.undo(table.now).unwrap();
    assert_eq!(table.moves(), "A1 B1 A2");
    assert_eq!(
        table.local_match.series().score().to_string(),
        "Score: Player 1 0, Player 2 0, draws 0"
    );
    table.local_match.redo(table.now).unwrap();
    table.local_match.redo(table.now).unwrap();
    assert_eq!(table.moves(), "A1 B1 A2 B2 A3");
    assert_eq!(
        table.local_match.series().score().to_string(),
        "Score: Player 1 1, Player 2 0, draws 0"
    );
    assert!(table.local_match.redo(table.now).is_err());
    table.local_match.undo(table.now).unwrap();
    table.play("C3");
    assert!(!table.local_match.can_redo());
}

#[test]
fn undo_takes_back_the_reply_too() {
    let mut table = sit(["human", "perfect"], None);
    table.play("A1");
    assert!(table.local_match.thinking(table.now).is_some());
    // Only the player to move can decide.
    table.play("C3");
    table.wait();
    assert_eq!(table.moves(), "A1 B2");
    table.local_match.undo(table.now).unwrap();
    assert_eq!(table.moves(), "");
    table.local_match.redo(table.now).unwrap();
    assert_eq!(table.moves(), "A1 B2");
}

#[test]
fn stale_choice_is_not_played() {
    let mut table = sit(["human", "perfect"], None);
    table.play("A1");
    table.local_match.undo(table.now).unwrap();
    assert!(table.local_match.thinking(table.now).is_none());
    table.play("B2");
    // The first message returns the computer, the second is its move.
    loop {
        let message = table.messages.recv_timeout(60 * SECOND).expect("an answer");
        if table.local_match.receive(message, table.now) {
            break;
        }
    }
    assert_eq!(table.local_match.game().history().len(), 2);
    assert!(table.moves().starts_with("B2 "));
}

#[test]
fn computer_gets_configured_threads() {
    struct Asks(std::sync::mpsc::Sender<usize>);
    impl noughts_engine::Strategy for Asks {
        fn choose(
            &mut self,
            position: &noughts_rules::Position,
            budget: &Budget,
        ) -> Result<noughts_engine::Choice, noughts_engine::StrategyError> {
            self.0.send(budget.threads()).unwrap();
            let cell = position.legal_moves().next().unwrap();
            Ok(noughts_engine::Choice::without_verdict(cell))
        }
    }
    let (sender, asked) = channel();
    let mut table = sit(["human", "perfect"], None);
    table.local_match.settings.computers.threads = 3;
    let computer = Computer::new(Box::new(Asks(sender)), Budget::unlimited());
    table.local_match.computers[1] = ComputerSlot::Here(Box::new(computer));
    table.play("A1");
    table.wait();
    assert_eq!(asked.recv(), Ok(3));
}

#[test]
fn forfeits_differ_from_resignations() {
    let mut table = sit(["human", "human"], None);
    table.play("A1");
    table.local_match.decide_and_clear_redo(Decision::Forfeit(ForfeitReason::OutOfTime), table.now);
    let second = Seat::new(1).unwrap();
    let left = |table: &Table| {
        let left = table.local_match.departures();
        left.map(|(seat, why)| (seat, why.cloned())).collect::<Vec<_>>()
    };
    assert_eq!(left(&table), [(second, Some(ForfeitReason::OutOfTime))]);
    // Redoing restores the forfeit; resigning anew does not.
    table.local_match.undo(table.now).unwrap();
    table.local_match.redo(table.now).unwrap();
    assert_eq!(left(&table), [(second, Some(ForfeitReason::OutOfTime))]);
    table.local_match.undo(table.now).unwrap();
    table.local_match.decide(Decision::Resign, table.now);
    assert_eq!(left(&table), [(second, None)]);
}

#[test]
fn swapping_sides_keeps_the_board() {
    let mut table = sit(["human", "perfect"], None);
    table.play("A1");
    table.wait();
    table.local_match.swap_sides(table.now).unwrap();
    table.wait();
    let players: Vec<String> =
        table.local_match.game().players().iter().map(Player::to_string).collect();
    assert_eq!(players, ["Player 2 (X)", "Player 1 (O)"]);
    assert_eq!(table.local_match.game().history().len(), 3);
    assert!(table.local_match.person_to_move().is_some());
}

#[test]
fn loss_on_time_is_final() {
    let mut table = sit(["human", "human"], Some("5s+1s"));
    let start = table.now;
    table.play("A1");
    assert!(!table.local_match.tick(start + 4 * SECOND));
    table.now = start + 4 * SECOND;
    table.play("B2");
    assert!(!table.local_match.tick(start + 9 * SECOND));
    assert!(table.local_match.tick(start + 10 * SECOND));
    assert_eq!(
        table.local_match.game().position().outcome(),
        Some(Outcome::Win(Seat::new(1).unwrap()))
    );
    let announcements = table.local_match.take_announcements().unwrap();
    assert_eq!(announcements, "Player 1 (X) forfeits: the time is up.");
    assert!(table.local_match.undo(start + 10 * SECOND).is_err());
    assert_eq!(table.local_match.next_change(start + 10 * SECOND), None);
}

#[test]
fn other_player_starts_next_game() {
    let mut table = sit(["human", "human"], None);
    table.play("A1 B1 A2 B2 A3");
    table.local_match.new_game(table.now);
    assert_eq!(table.local_match.game().players()[0].name(), "Player 2");
    // An abandoned game is started again by the same player.
    table.play("A1");
    table.local_match.new_game(table.now);
    assert_eq!(table.local_match.game().players()[0].name(), "Player 2");
}

#[test]
fn unproven_perfect_moves_are_flagged() {
    for (rules, cell, is_unproven) in [("3x3", "B2", false), ("gomoku", "H8", true)] {
        let mut table = sit_at(rules, ["human", "perfect"], None);
        table.play(cell);
        table.wait();
        assert_eq!(table.local_match.is_unproven(), is_unproven, "{rules}");
        table.local_match.undo(table.now).unwrap();
        assert!(!table.local_match.is_unproven());
    }
}

#[test]
fn undo_and_redo_create_no_time() {
    let mut table = sit(["human", "human"], Some("10s+2s"));
    let left = |table: &Table| {
        let clock = table.local_match.clock().unwrap();
        clock.all_left(table.now).iter().map(Duration::as_secs).collect::<Vec<_>>()
    };
    table.play("A1");
    table.now += 3 * SECOND;
    table.play("B1");
    assert_eq!(left(&table), [12, 9]);
    table.now += SECOND;
    for _ in 0..10 {
        table.local_match.undo(table.now).unwrap();
        assert_eq!(left(&table), [12, 10]);
        table.local_match.redo(table.now).unwrap();
        assert_eq!(left(&table), [11, 9]);
    }
    // Another move instead of the undone one gets its increment once.
    table.local_match.undo(table.now).unwrap();
    table.play("C1");
    assert_eq!(left(&table), [12, 12]);
}

#[test]
fn computers_play_at_a_pace_and_pause() {
    let mut table = sit(["random", "random"], None);
    let moves = |table: &Table| table.local_match.game().history().len();
    assert!(table.local_match.thinking(table.now).is_none());
    assert_eq!(table.local_match.next_change(table.now), Some(WATCHING_PACE));
    table.now += WATCHING_PACE;
    table.local_match.tick(table.now);
    table.wait();
    assert_eq!(moves(&table), 1);
    table.local_match.toggle_pause(table.now);
    assert_eq!(table.local_match.next_change(table.now), None);
    table.now += 5 * WATCHING_PACE;
    table.local_match.tick(table.now);
    assert_eq!((moves(&table), table.local_match.thinking(table.now)), (1, None));
    table.local_match.toggle_pause(table.now);
    table.now += WATCHING_PACE;
    table.local_match.tick(table.now);
    table.wait();
    assert_eq!(moves(&table), 2);
}
