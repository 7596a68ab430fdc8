//! Undo: who has to agree, and what it changes besides the board.

use super::*;

#[test]
fn others_decide_about_undo() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.by(BOB, PlayerCommand::RequestUndo), Err(Refusal::NothingToUndo));
    log.by(ANN, PlayerCommand::RequestUndo).unwrap();
    assert_eq!(log.by(ANN, PlayerCommand::RequestUndo), Err(Refusal::UndoPending));
    assert_eq!(
        log.by(ANN, PlayerCommand::AnswerUndo { accept: true }),
        Err(Refusal::NoUndoRequest)
    );
    log.by(BOB, PlayerCommand::AnswerUndo { accept: false }).unwrap();
    assert_eq!(
        log.by(BOB, PlayerCommand::AnswerUndo { accept: true }),
        Err(Refusal::NoUndoRequest)
    );

    log.by(ANN, PlayerCommand::RequestUndo).unwrap();
    log.moves(&[(BOB, "B1")]);
    assert_eq!(
        log.by(BOB, PlayerCommand::AnswerUndo { accept: true }),
        Err(Refusal::NoUndoRequest)
    );

    // Ann's last move goes, and Bob's answer to it.
    log.by(ANN, PlayerCommand::RequestUndo).unwrap();
    log.by(BOB, PlayerCommand::AnswerUndo { accept: true }).unwrap();
    assert_eq!(log.state.view(None, 0).moves, [""; 0]);
    assert_eq!(log.state.turn(), Some(Seat::FIRST));
}

#[test]
fn undo_needs_no_answer_locally() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), computer()]));
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.state.computer_to_move(), Some((second(), Level::Easy)));
    let mv = "B2".parse().unwrap();
    log.by_server(ServerCommand::ComputerMove { seat: second(), mv }).unwrap();
    assert!(matches!(
        log.by(ANN, PlayerCommand::RequestUndo).unwrap()[..],
        [Event::Undone { to: 0, .. }]
    ));

    let mut log = Log::new(setup("3x3", vec![taken(ANN), taken(ANN)]));
    log.moves(&[(ANN, "A1"), (ANN, "B1")]);
    assert!(matches!(
        log.by(ANN, PlayerCommand::RequestUndo).unwrap()[..],
        [Event::Undone { to: 1, .. }]
    ));
}

#[test]
fn computers_decline_undo_when_rated() {
    let rated =
        GameSetup { league: Some("classic".into()), ..setup("3x3", vec![taken(ANN), computer()]) };
    let mut log = Log::new(rated);
    log.moves(&[(ANN, "A1")]);
    assert_eq!(log.by(ANN, PlayerCommand::RequestUndo), Err(Refusal::NobodyToAsk));
}

#[test]
fn no_undo_after_rematch() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2"), (ANN, "A3")]);
    log.by(ANN, PlayerCommand::Rematch).unwrap();
    log.by(BOB, PlayerCommand::Rematch).unwrap();
    assert_eq!(log.by(BOB, PlayerCommand::RequestUndo), Err(Refusal::GameOver));
}

#[test]
fn undone_moves_gain_no_time() {
    let clock = Some(TimeControl { initial_ms: 60_000, increment_ms: 10_000 });
    let mut log = Log::new(GameSetup { clock, ..setup("3x3", vec![taken(ANN), computer()]) });
    for _ in 0..5 {
        log.moves(&[(ANN, "A1")]);
        log.by(ANN, PlayerCommand::RequestUndo).unwrap();
    }
    let left = log.state.clocks().unwrap().remaining(0, Some(0), log.now);
    assert!(left <= 60_000, "{left}");
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn only_casual_games_reopen() {
    let moves = [(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2"), (ANN, "A3")];
    let mut log = ann_and_bob();
    log.moves(&moves);
    log.by(ANN, PlayerCommand::RequestUndo).unwrap();
    log.by(BOB, PlayerCommand::AnswerUndo { accept: true }).unwrap();
    assert_eq!((log.state.phase(), log.state.turn()), (GamePhase::Live, Some(Seat::FIRST)));

    let rated =
        GameSetup { league: Some("classic".into()), ..setup("3x3", vec![taken(ANN), taken(BOB)]) };
    let mut log = Log::new(rated);
    log.moves(&moves);
    assert_eq!(log.by(ANN, PlayerCommand::RequestUndo), Err(Refusal::RatedIsFinal));
}

#[test]
fn rematch_ends_undo_request() {
    let mut log = ann_and_bob();
    log.moves(&[(ANN, "A1"), (BOB, "B1"), (ANN, "A2"), (BOB, "B2"), (ANN, "A3")]);
    log.by(ANN, PlayerCommand::RequestUndo).unwrap();
    log.by(ANN, PlayerCommand::Rematch).unwrap();
    log.by(BOB, PlayerCommand::Rematch).unwrap();
    assert_eq!(
        log.by(BOB, PlayerCommand::AnswerUndo { accept: true }),
        Err(Refusal::NoUndoRequest)
    );
    assert_eq!(log.state.view(None, 0).undo_request, None);
}

#[test]
fn undo_has_a_limit() {
    let mut log = Log::new(setup("3x3", vec![taken(ANN), taken(ANN)]));
    let refused = (0..10_000).find_map(|_| {
        log.moves(&[(ANN, "A1")]);
        log.by(ANN, PlayerCommand::RequestUndo).err()
    });
    assert_eq!(refused, Some(Refusal::TooManyUndos));
    log.moves(&[(ANN, "B1"), (ANN, "A2"), (ANN, "B2"), (ANN, "A3")]);
    assert_eq!(log.result(), Some((EndReason::Line, Some(0))));
}
