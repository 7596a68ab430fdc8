//! Results, league tables, stored games, and locked files.

use super::*;

/// Another program that locks the file.
struct Other {
    runtime: tokio::runtime::Runtime,
    connection: sqlx::SqliteConnection,
}

impl Other {
    fn take(file: &Path) -> Other {
        use sqlx::Connection;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
        let mut connection =
            runtime.block_on(sqlx::SqliteConnection::connect_with(&options)).unwrap();
        let begin = sqlx::query("BEGIN EXCLUSIVE");
        runtime.block_on(begin.execute(&mut connection)).unwrap();
        Other { runtime, connection }
    }

    fn release(mut self) {
        let end = sqlx::query("COMMIT");
        self.runtime.block_on(end.execute(&mut self.connection)).unwrap();
    }
}

#[test]
fn screen_responds_while_file_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut stage = stage(stored(setup("3x3", "human,human"), &file));
    stage.wait_until_opened();
    let other = Other::take(&file);
    stage.type_text("b2a1a2c1c2");
    stage.assert_shows(&["Player 1 (X) wins!", "Score: Player 1 1, Player 2 0, draws 0"]);
    stage.assert_hides("Saving");
    // A slow write is announced, and keys still work.
    stage.now += stage.screen.next_change(stage.now).expect("a time to tell");
    stage.assert_shows(&["Saving…"]);
    stage.type_text("?");
    stage.assert_shows(&["How to play 3x3"]);
    stage.press(&[KeyCode::Esc]);
    // Leaving waits for the write, and says so.
    stage.type_text("q");
    assert_eq!(stage.key(KeyCode::Char('q')), LoopAction::Draw);
    stage.assert_shows(&["Saving the game…", "Press Ctrl-C to leave without it."]);
    other.release();
    let mut action = LoopAction::Draw;
    while action != LoopAction::Quit {
        let message = stage.messages.recv_timeout(TEST_TIMEOUT).unwrap();
        action = stage.screen.handle(message, stage.now);
    }
    let data = Database::open(&file).unwrap();
    assert_eq!(data.games(None, 9).unwrap().len(), 1);
    let league = data.league("local").unwrap().unwrap();
    assert!(league.standing(&noughts_scores::Name::new("Player 1").unwrap()).is_some());
}

#[test]
fn second_control_c_leaves_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut stage = stage(stored(setup("3x3", "human,human"), &file));
    stage.wait_until_opened();
    let _other = Other::take(&file);
    stage.type_text("b2a1a2c1c2");
    let control_c = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    let mut press = || stage.screen.handle(Message::Input(control_c.clone()), stage.now);
    assert_eq!((press(), press()), (LoopAction::Draw, LoopAction::Quit));
}

#[test]
fn screen_starts_while_file_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    drop(Database::open(&file).unwrap());
    let other = Other::take(&file);
    let mut stage = stage(stored(setup("3x3", "human,human"), &file));
    stage.type_text("b2a1a2c1c2");
    stage.assert_shows(&["Player 1 (X) wins!"]);
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.assert_shows(&["Stored games", "Loading…"]);
    other.release();
    stage.wait_for("Player 1, Player 2");
}

#[test]
fn undo_keeps_the_previous_result() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(stored(setup("3x3", "human,human"), &folder.path().join("n.db")));
    stage.type_text("b2a1a2c1c2pb2u");
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("Player 1, Player 2");
    stage.assert_hides("retracted");
}

#[test]
fn uncounted_reason_stays_visible() {
    let folder = tempfile::tempdir().unwrap();
    let mut own = stored(setup("3x3", "human,human"), &folder.path().join("n.db"));
    own.options.players.iter_mut().for_each(|player| player.name = Some("Ann".into()));
    let mut stage = stage(own);
    stage.type_text("b2wy");
    stage.wait_for("This game does not count: two players are called Ann.");
    stage.press(&[KeyCode::Up, KeyCode::Char('t')]);
    stage.assert_shows(&["This game does not count: two players are called Ann."]);
    stage.type_text("p");
    stage.assert_hides("does not count");
}

#[test]
fn games_with_several_computers_count() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut stage = stage(stored(setup("3x3+3p", "human,easy,easy"), &file));
    stage.assert_shows(&["Computer (easy)", "Computer (easy) 2"]);
    let over =
        |stage: &TestScreen| stage.screen.game().unwrap().local_match().game().turn().is_none();
    while !over(&stage) {
        if stage.screen.game().unwrap().local_match().person_to_move().is_some() {
            stage.type_text("wy");
        } else {
            let message = stage.messages.recv_timeout(TEST_TIMEOUT).unwrap();
            stage.screen.handle(message, stage.now);
        }
    }
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Up]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("Computer (easy) 2");
    stage.assert_hides("does not count");
}

#[test]
fn long_names_leave_winner_visible() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut own = stored(setup("5x5:4+3p", "human,human,human"), &file);
    for (player, letter) in own.options.players.iter_mut().zip(["A", "B", "C"]) {
        player.name = Some(letter.repeat(32));
    }
    let mut stage = stage(own);
    stage.type_text("a1wywy");
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("AAAA~  AAAAAAAAAAAAAAA~");
    stage.assert_shows(&["winner"]);
    stage.resize(120, 24);
    stage.assert_shows(&["AAAAAA, BBBBBB"]);
}

#[test]
fn long_record_scrolls() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(stored(setup("3x3", "human,human"), &folder.path().join("n.db")));
    stage.type_text("b2a1a2c1c2");
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Up]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("rank  name");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Player 1, rank 1 of 2"]);
    let whole = stage.shown();
    // The last line above the keys.
    let last = whole.lines().rev().skip(1).map(str::trim).find(|line| !line.is_empty()).unwrap();
    stage.resize(60, 7);
    stage.assert_hides(last);
    stage.assert_shows(&["scroll"]);
    stage.press(&[KeyCode::End]);
    stage.assert_shows(&[last]);
}

#[test]
fn rated_result_is_final() {
    let folder = tempfile::tempdir().unwrap();
    let mut rated = stored(setup("3x3", "human,human"), &folder.path().join("n.db"));
    rated.options.counting = Counting::Rated;
    let mut stage = stage(rated);
    stage.type_text("b2z");
    stage.assert_shows(&["This game is rated: sides can't be swapped any more."]);
    stage.type_text("wy");
    stage.assert_hides("u undo");
    stage.type_text("u");
    stage.assert_shows(&["This game is rated: moves can't be taken back."]);
}

#[test]
fn unfinished_games_are_continued() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut own = stored(setup("3x3", "human,hard"), &file);
    own.options.clock = Some("5m+3s".parse().unwrap());
    let mut stage = stage(own);
    stage.wait_until_opened();
    stage.type_text("b2");
    stage.wait_for("Player 1 to move");
    let moves: Vec<_> = stage.screen.game().unwrap().local_match().game().history().collect();
    stage.now += Duration::from_secs(40);
    stage.type_text("q");
    stage.assert_shows(&["Leave this game? It is kept, and can be continued."]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("Continue: 3x3 against hard, move 3");
    drop(stage);
    // Another start of the program.
    let first = Setup { first: FirstPage::Start, ..setup("gomoku", "human,human") };
    let mut stage = self::stage(stored(first, &file));
    stage.wait_for("Continue: 3x3 against hard, move 3");
    stage.type_text("c");
    stage.assert_shows(&["Noughts · 3x3", "O Computer (har~", "Player 1 to move", "4:23"]);
    let again: Vec<_> = stage.screen.game().unwrap().local_match().game().history().collect();
    assert_eq!(moves, again);
    stage.type_text("wy");
    stage.assert_shows(&["Computer (hard) (O) wins!"]);
    stage.type_text("q");
    stage.wait_for("Enter: play");
    let data = Database::open(&file).unwrap();
    assert!(data.continuation(None).unwrap().is_none());
    let games = data.games(None, 9).unwrap();
    assert_eq!(games.len(), 1);
    assert!(games[0].result.is_some());
}

#[test]
fn another_game_keeps_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut stage = stage(stored(setup("3x3", "human,human"), &file));
    stage.wait_until_opened();
    stage.type_text("b2a1p");
    stage.assert_shows(&["Start another game? This one is kept."]);
    stage.type_text("yc3");
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("not over");
    let data = Database::open(&file).unwrap();
    assert_eq!(data.games(None, 9).unwrap().len(), 2);
}
