//! Taking moves back: who must agree, and what comes with it.

use super::*;

#[test]
fn undo_is_a_question_to_the_others() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.by(BOB, Command::AskUndo), Err(Refusal::NothingToUndo));
    log.by(ANN, Command::AskUndo).unwrap();
    assert_eq!(log.by(ANN, Command::AskUndo), Err(Refusal::UndoPending));
    assert_eq!(log.by(ANN, Command::AnswerUndo { agree: true }), Err(Refusal::NoUndoAsked));
    log.by(BOB, Command::AnswerUndo { agree: false }).unwrap();
    assert_eq!(log.by(BOB, Command::AnswerUndo { agree: true }), Err(Refusal::NoUndoAsked));

    log.by(ANN, Command::AskUndo).unwrap();
    log.moves(&[(BOB, "B1")]);
    assert_eq!(log.by(BOB, Command::AnswerUndo { agree: true }), Err(Refusal::NoUndoAsked));

    // Ann's last move goes, and Bob's answer to it.
    log.by(ANN, Command::AskUndo).unwrap();
    log.by(BOB, Command::AnswerUndo { agree: true }).unwrap();
    assert_eq!(log.state.view(None, 0).moves, [""; 0]);
    assert_eq!(log.state.turn(), Some(Seat::FIRST));
}

#[test]
fn computers_and_players_at_one_screen_need_no_answer() {
    let computer = seat(Holder::Computer { level: "easy".into() });
    let mut log = Log::new(setup("3x3", vec![taken(ANN), computer]));
    log.moves(&[(ANN, "A1")]);
    let second = Seat::new(1).unwrap();
    assert_eq!(log.state.computer_to_move(), Some((second, "easy")));
    let order = Order { actor: Actor::Computer(second), seen: None, seat: None, command: at("B2") };
    log.order(&order).unwrap();
    assert!(matches!(log.by(ANN, Command::AskUndo).unwrap()[..], [Event::Undone { to: 0, .. }]));

    let mut log = Log::new(setup("3x3", vec![taken(ANN), taken(ANN)]));
    log.moves(&[(ANN, "A1"), (ANN, "B1")]);
    assert!(matches!(log.by(ANN, Command::AskUndo).unwrap()[..], [Event::Undone { to: 1, .. }]));
}

#[test]
fn in_rated_games_computers_do_not_agree() {
    let easy = seat(Holder::Computer { level: "easy".into() });
    let rated = Setup { league: Some("online".into()), ..setup("3x3", vec![taken(ANN), easy]) };
    let mut log = Log::new(rated);
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.by(ANN, Command::AskUndo), Err(Refusal::NobodyToAsk));
}

#[test]
fn what_a_rematch_came_after_stays_as_it_is() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2"), (ANN, "A3")]);
    let next = GameId::new(1, [7; 10]);
    log.by(ANN, Command::Rematch { next }).unwrap();
    log.by(BOB, Command::Rematch { next }).unwrap();
    assert_eq!(log.by(BOB, Command::AskUndo), Err(Refusal::GameOver));
}

#[test]
fn what_is_taken_back_brings_no_time() {
    let clock = Some(ClockRule { initial_ms: 60_000, increment_ms: 10_000 });
    let easy = seat(Holder::Computer { level: "easy".into() });
    let mut log = Log::new(Setup { clock, ..setup("3x3", vec![taken(ANN), easy]) });
    for _ in 0..5 {
        log.moves(&[(ANN, "A1")]);
        log.by(ANN, Command::AskUndo).unwrap();
    }
    let left = log.state.clocks().unwrap().left(0, Some(0), log.now);
    assert!(left <= 60_000, "{left}");
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn only_casual_games_are_reopened() {
    let moves = [(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2"), (ANN, "A3")];
    let mut log = ann_and_bob();
    log.moves(&moves);
    log.by(ANN, Command::AskUndo).unwrap();
    log.by(BOB, Command::AnswerUndo { agree: true }).unwrap();
    assert_eq!((log.state.phase(), log.state.turn()), (Phase::Live, Some(Seat::FIRST)));

    let rated =
        Setup { league: Some("online".into()), ..setup("3x3", vec![taken(ANN), taken(BOB)]) };
    let mut log = Log::new(rated);
    log.moves(&moves);
    assert_eq!(log.by(ANN, Command::AskUndo), Err(Refusal::RatedIsFinal));
}

#[test]
fn an_undo_that_is_asked_for_ends_with_the_rematch() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2"), (ANN, "A3")]);
    log.by(ANN, Command::AskUndo).unwrap();
    let next = GameId::new(1, [7; 10]);
    log.by(ANN, Command::Rematch { next }).unwrap();
    log.by(BOB, Command::Rematch { next }).unwrap();
    assert_eq!(log.by(BOB, Command::AnswerUndo { agree: true }), Err(Refusal::NoUndoAsked));
    assert_eq!(log.state.view(None, 0).undo, None);
}

#[test]
fn a_game_in_which_much_was_taken_back_is_played_on() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), taken(ANN)]));
    let refused = (0..10_000).find_map(|_| {
        log.moves(&[(ANN, "A1")]);
        log.by(ANN, Command::AskUndo).err()
    });
    assert_eq!(refused, Some(Refusal::TooManyUndos));
    log.moves(&[(ANN, "B1"), (ANN, "A2"), (ANN, "B2"), (ANN, "A3")]);
    assert_eq!(log.how(), Some(("line", Some(0))));
}
