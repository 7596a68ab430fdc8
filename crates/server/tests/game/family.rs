//! Games that are more than one stone of one's own in turn: openings, choices of mark, sub-boards,
//! turns of several stones and fading marks.

use noughts_rules::{Mark, Move};

use super::*;

fn ann_and_bob_play(rules: &str) -> Log {
    Log::new(setup(rules, vec![taken(ANN), taken(BOB)]))
}

impl Log {
    /// Whoever is to move plays these moves.
    fn play(&mut self, moves: &str) {
        for mv in moves.split_whitespace() {
            let player = [ANN, BOB][self.state.turn().unwrap().index()];
            self.by(player, at(mv)).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        }
    }

    /// The code with which the seat to move is refused a move.
    fn refused(&mut self, mv: &str) -> ErrorCode {
        let player = [ANN, BOB][self.state.turn().unwrap().index()];
        self.by(player, at(mv)).unwrap_err().code()
    }

    fn moves_played(&self) -> Vec<String> {
        self.state.view(None, self.now).moves
    }

    /// The seat that plays each mark.
    fn owners(&self) -> Vec<Option<u8>> {
        let owners = self.state.view(None, self.now).details.owners;
        owners.into_iter().map(|owner| owner.map(|seat| seat.index() as u8)).collect()
    }

    fn undo_by(&mut self, player: IdentityId) {
        let other = if player == ANN { BOB } else { ANN };
        self.by(player, PlayerCommand::RequestUndo).unwrap();
        self.by(other, PlayerCommand::AnswerUndo { accept: true }).unwrap();
    }
}

#[test]
fn refusals_of_the_family_have_codes() {
    for (rules, moves, mv, code) in [
        ("3x3+ultimate", "A1", "D4", ErrorCode::OtherBoard),
        ("3x3+ultimate", "A1 B2 E5 D4 A2 A4 A3 A7", "B1", ErrorCode::ClosedBoard),
        ("3x3+notakto+2b", "A1 B2 A2 C1 A3", "B1", ErrorCode::ClosedBoard),
        ("3x3x3", "", "4A1", ErrorCode::OffBoard),
        ("3x3x3+gravity", "", "2A1", ErrorCode::Floating),
        ("3x3+wild", "", "B2", ErrorCode::WhichMark),
        ("3x3", "", "B2=x", ErrorCode::NoChoiceOfMark),
        ("3x3", "", "swap", ErrorCode::NoChoiceDue),
        ("3x3+swap", "B2", "A1", ErrorCode::ChoiceDue),
        ("3x3+swap", "B2", "more", ErrorCode::ChoiceDue),
        ("3x3+fade3", "A1 C1 B2 C2 A3 B1", "A1", ErrorCode::Taken),
        ("15x15:5+renju", "H3 A1 H4 A3 H5 A5 H7 A7 H8 A9", "H6", ErrorCode::Forbidden),
    ] {
        let mut log = ann_and_bob_play(rules);
        log.play(moves);
        assert_eq!(log.refused(mv), code, "{rules}: {mv}");
    }
}

#[test]
fn clock_runs_over_a_whole_turn() {
    let clock = Some(TimeControl { initial_ms: 60_000, increment_ms: 5_000 });
    let setup = GameSetup { clock, ..setup("6x6:6+2s", vec![taken(ANN), taken(BOB)]) };
    let mut log = Log::new(setup);
    let remaining = |log: &Log| log.state.view(None, log.now).clock.unwrap().remaining_ms;
    log.now = 1_000;
    log.play("A1");
    log.now = 11_000;
    log.play("B1");
    assert_eq!(log.state.turn(), Some(second()));
    assert_eq!(log.state.view(None, 0).details.stones_left, 1);
    assert_eq!((remaining(&log), log.state.deadline()), (vec![64_000, 50_000], Some(61_000)));
    log.now = 21_000;
    log.play("B2");
    assert_eq!(remaining(&log), [64_000, 45_000]);
    // Both stones go, and the increment once.
    log.undo_by(BOB);
    assert_eq!(
        (log.moves_played(), remaining(&log)),
        (vec!["A1".to_string()], vec![64_000, 40_000])
    );
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn undo_takes_back_a_turn() {
    let mut log = ann_and_bob_play("6x6:6+2s");
    log.play("A1 B1 B2 C1");
    // Ann is in the middle of her turn.
    log.undo_by(ANN);
    assert_eq!(log.moves_played(), ["A1", "B1", "B2"]);
    log.play("C1 C2 D1");
    log.undo_by(ANN);
    assert_eq!(log.moves_played(), ["A1", "B1", "B2"]);
    log.undo_by(BOB);
    assert_eq!(log.moves_played(), ["A1"]);
    assert_eq!(log.state.turn(), Some(second()));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn opening_choices_can_be_undone() {
    let mut log = ann_and_bob_play("7x7:5+swap2");
    log.play("D4 D5 E4");
    assert_eq!(log.state.turn(), Some(second()));
    log.play("swap");
    assert_eq!((log.owners(), log.state.turn()), (vec![Some(1), Some(0)], Some(Seat::FIRST)));
    log.undo_by(BOB);
    assert_eq!((log.owners(), log.state.turn()), (vec![Some(0), Some(1)], Some(second())));
    // Two more stones, and Ann chooses.
    log.play("more C3 C4 keep");
    assert_eq!(log.owners(), [Some(0), Some(1)]);
    log.undo_by(ANN);
    assert_eq!(log.moves_played(), ["D4", "D5", "E4", "more", "C3", "C4"]);
    log.undo_by(BOB);
    assert_eq!(log.moves_played(), ["D4", "D5", "E4"]);
    log.undo_by(ANN);
    assert_eq!(log.moves_played(), [""; 0]);
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn abort_until_second_player_moves() {
    let mut log = ann_and_bob_play("7x7:5+swap2");
    log.play("D4 D5 E4");
    log.by(BOB, PlayerCommand::Abort).unwrap();
    assert_eq!(log.result(), Some((EndReason::Aborted, None)));
    let mut log = ann_and_bob_play("7x7:5+swap2");
    log.play("D4 D5 E4 keep");
    assert_eq!(log.by(BOB, PlayerCommand::Abort), Err(Refusal::TooLateToAbort));
}

#[test]
fn swapped_marks_last_one_game() {
    let mut log = ann_and_bob_play("3x3+swap");
    // Bob takes over the X in the centre, so Ann plays O.
    log.play("B2 swap A2 A1 B1 C3");
    assert_eq!(log.result(), Some((EndReason::Line, Some(1))));
    let view = log.state.view(None, log.now);
    assert_eq!(view.result.unwrap().cells, ["A1", "B2", "C3"].map(|cell| cell.parse().unwrap()));
    assert_eq!(view.board[0][0][0], Some(Mark::FIRST));
    log.by(ANN, PlayerCommand::Rematch).unwrap();
    log.by(BOB, PlayerCommand::Rematch).unwrap();
    let rematch = Log::new(log.state.rematch_setup());
    assert_eq!(rematch.state.seats()[0].holder.identity(), Some(BOB));
    assert_eq!(rematch.owners(), [Some(0), Some(1)]);
    let series = SeriesScore { wins: vec![1, 0], draws: 0 };
    assert_eq!(rematch.state.view(None, 0).series, Some(series));
}

#[test]
fn repetition_is_a_draw() {
    let mut log = ann_and_bob_play("3x3+fade3");
    log.play("A1 A3 A2 B1 B3 C1");
    let fading = |log: &Log| log.state.view(None, 0).details.fading.map(|cell| cell.to_string());
    assert_eq!(fading(&log).as_deref(), Some("A1"));
    log.play("C3 C2");
    assert_eq!(fading(&log).as_deref(), Some("A2"));
    log.play("A1 A3 A2 B1 B3 C1 C3 C2 A1 A3 A2 B1 B3 C1");
    assert_eq!(log.result(), Some((EndReason::Repetition, None)));
    assert_eq!(fading(&log), None);
    log.undo_by(BOB);
    assert_eq!((log.state.phase(), log.moves_played().len()), (GamePhase::Live, 21));
    assert_eq!(log.read_back(), log.state);
}

#[test]
fn full_board_without_line_wins() {
    let mut log = ann_and_bob_play("3x3+order");
    log.play("A1=x A2=o A3=x B1=x B2=o B3=o C1=o C2=x C3=x");
    assert_eq!(log.result(), Some((EndReason::NoLine, Some(1))));
}

#[test]
fn sub_boards_close_in_the_view() {
    let mut log = ann_and_bob_play("3x3+ultimate");
    log.play("A1 B2 E5 D4 A2 A4 A3");
    let details = log.state.view(None, 0).details;
    assert_eq!(details.board_to_play.map(|board| board.index()), Some(2));
    let closed = |board: &noughts_api::SubBoard| (board.closed, board.winner);
    let boards: Vec<_> = details.boards.iter().map(closed).collect();
    assert_eq!(boards[0], (true, Some(Mark::FIRST)));
    assert!(boards[1..].iter().all(|board| *board == (false, None)));
    // The closed board leaves the choice to Ann.
    log.play("A7");
    let view = log.state.view(None, 0);
    assert_eq!((view.details.board_to_play, view.legal.len()), (None, 81 - 8 - 5));
    assert!(!view.legal.contains(&"B1".parse::<Move>().unwrap()));
}

#[test]
fn last_board_of_notakto_loses() {
    let mut log = ann_and_bob_play("3x3+notakto+2b");
    log.play("A1 A2 A3 2A1 2A2");
    let view = log.state.view(None, 0);
    assert_eq!(
        view.details.boards.iter().map(|board| board.closed).collect::<Vec<_>>(),
        [true, false]
    );
    assert_eq!((view.details.owners, view.board.len()), (vec![None], 2));
    log.play("2A3");
    assert_eq!(log.result(), Some((EndReason::Line, Some(0))));
}

/// Logs of versions before there were other moves than cells.
#[test]
fn logs_of_cells_still_load() {
    let created = r#"{"type":"created","v":1,"rules":"3x3","seats":[
        {"holder":{"type":"taken","identity":1,"name":"Ann","kind":"account"}},
        {"holder":{"type":"taken","identity":2,"name":"Bob","kind":"guest"}}],
        "public":true,"creator":1,"away_ms":60000,"idle_ms":86400000,"moves":["B2"]}"#;
    let Ok(Event::Created(setup)) = serde_json::from_str(created) else { panic!("{created}") };
    let mut state = OnlineGame::create(game_id(7), rules(&setup), *setup, 0).unwrap();
    let moved = r#"{"type":"moved","seat":1,"cell":"A1"}"#;
    apply(&mut state, &(moved.into(), 1_000, None)).unwrap();
    assert_eq!(state.view(None, 0).moves, ["B2", "A1"]);
    assert_eq!(state.turn(), Some(Seat::FIRST));
}
