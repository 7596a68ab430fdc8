//! The screen without a terminal: keys go in, and what is drawn is looked at.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use crossterm::event::{KeyEvent, MouseEvent};
use noughts_store::LeagueChoice;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::data::{Data, DataArguments};

/// How long something that a test waits for may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A screen with a window, and what tells it of its own work.
struct Stage {
    screen: Screen,
    messages: Receiver<Message>,
    terminal: Terminal<TestBackend>,
    now: Instant,
}

fn setup(rules: &str, kinds: &str) -> Setup {
    let rules: Rules = rules.parse().unwrap();
    let player =
        |kind: &str| PlayerChoice { kind: kind.parse().unwrap(), name: None, symbol: None };
    Setup {
        look: Look { ascii: false, colour: true },
        choice: Choice { rules, players: kinds.split(',').map(player).collect() },
        at_once: true,
        pace: Pace { think: Duration::from_secs(1), threads: 1, seed: 1, control: None },
        books: None,
        memory: None,
        notice: None,
    }
}

/// With a file for what lasts.
fn stored(setup: Setup, file: &Path) -> Setup {
    let books = Books {
        data: DataArguments { data: Some(file.to_path_buf()) },
        must_be_usable: true,
        league: LeagueChoice::default(),
        counting: Counting::Casually,
    };
    Setup { books: Some(books), memory: Some(file.with_extension("choice.json")), ..setup }
}

fn stage(setup: Setup) -> Stage {
    let (sender, messages) = channel();
    let now = Instant::now();
    let screen = Screen::new(setup, Desk::new(sender), now);
    let terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    Stage { screen, messages, terminal, now }
}

impl Stage {
    fn key(&mut self, code: KeyCode) -> Flow {
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        // It is drawn after every key, as it is in a terminal.
        let flow = self.screen.handle(Message::Input(event), self.now);
        self.shown();
        flow
    }

    /// Lets what is seen be seen for a moment.
    fn pause(&mut self) {
        self.now += game::MOMENT;
    }

    fn press(&mut self, codes: &[KeyCode]) {
        for &code in codes {
            self.key(code);
        }
    }

    fn type_text(&mut self, text: &str) {
        text.chars().for_each(|c| {
            self.key(KeyCode::Char(c));
        });
    }

    fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.screen.handle(Message::Input(Event::Mouse(mouse)), self.now);
        self.shown();
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.screen.handle(Message::Input(Event::Resize(width, height)), self.now);
        self.shown();
    }

    /// What is on the screen.
    fn shown(&mut self) -> String {
        self.terminal.draw(|frame| self.screen.draw(frame, self.now)).unwrap();
        picture::text(self.terminal.backend().buffer())
    }

    /// Lets the file with the games be opened.
    fn wait_until_opened(&mut self) {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            let is_opened = matches!(message, Message::Opened(Ok(())));
            self.screen.handle(message, self.now);
            if is_opened {
                return;
            }
        }
    }

    /// Lets work behind the screen go on until something is seen.
    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        while !self.shown().contains(text) {
            match self.messages.recv_timeout(PATIENCE) {
                Ok(message) => self.screen.handle(message, self.now),
                Err(_) => panic!("waited for {text:?} in vain:\n{}", self.shown()),
            };
        }
    }

    #[track_caller]
    fn sees(&mut self, texts: &[&str]) {
        let shown = self.shown();
        for text in texts {
            assert!(shown.contains(text), "{text:?} is not there:\n{shown}");
        }
    }

    #[track_caller]
    fn misses(&mut self, text: &str) {
        let shown = self.shown();
        assert!(!shown.contains(text), "{text:?} is there:\n{shown}");
    }
}

#[test]
fn one_key_plays_what_was_played_the_last_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noughts.db");
    let first = Setup { at_once: false, choice: Choice::default(), ..setup("3x3", "human,human") };
    let mut stage_one = stage(stored(first, &file));
    stage_one.sees(&["N O U G H T S", "[a person]", "[3x3]", "Enter: play"]);
    // Down to the board, along to Connect Four, up, along to the easy computer, down to the name.
    use KeyCode::{Down, Enter, Right, Up};
    stage_one.press(&[Down, Right, Right, Right, Up, Right, Right, Down, Down]);
    stage_one.type_text("Ann");
    stage_one.press(&[Enter]);
    stage_one.sees(&["6x7:4+gravity", "X Ann", "O Computer (easy)", "Ann to move"]);

    let remembered = Choice::load(&file.with_extension("choice.json")).unwrap();
    let again = Setup { at_once: false, choice: remembered, ..setup("3x3", "human,human") };
    let mut stage_two = stage(again);
    stage_two.sees(&["[easy]", "[Connect Four]", "Ann"]);
    stage_two.press(&[Enter]);
    stage_two.sees(&["6x7:4+gravity", "X Ann", "O Computer (easy)"]);
}

#[test]
fn rules_names_and_symbols_of_your_own() {
    use KeyCode::{Backspace, Down, Enter, Left};
    let start = Setup { at_once: false, choice: Choice::default(), ..setup("3x3", "human,human") };
    let mut stage = stage(start);
    stage.press(&[Down, Left]);
    stage.sees(&["[Your own]", "5x5:4                    4 in a row"]);
    stage.press(&[Down]);
    stage.press(&[Backspace; 5]);
    stage.type_text("3x4:9");
    stage.press(&[Enter]);
    stage.sees(&["no line of 9 fits"]);
    stage.press(&[Backspace; 5]);
    stage.type_text("3x4:3+3p");
    stage.sees(&["Player 3"]);
    stage.press(&[Down, Down]);
    stage.type_text("XX");
    stage.press(&[Enter]);
    stage.sees(&["That symbol won't do: expected exactly one character, got more."]);
    stage.press(&[Backspace, Backspace]);
    stage.screen.handle(Message::Input(Event::Paste("👩\u{200d}🚀".into())), stage.now);
    stage.press(&[Enter]);
    stage.sees(&["3x4+3p", "▸ 👩\u{200d}🚀 Player 1"]);
}

#[test]
fn a_game_by_typed_boxes_until_somebody_wins() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(stored(setup("3x3", "human,human"), &folder.path().join("n.db")));
    stage.type_text("b2b2");
    stage.sees(&["B2 is taken, choose an empty box."]);
    stage.type_text("a9");
    stage.sees(&["A9 is not on the board: columns go from 1 to 3."]);
    stage.type_text("a1a2c1c2");
    stage.sees(&[
        "Player 1 (X) wins!",
        "The line: A2 B2 C2",
        "Score: Player 1 1, Player 2 0, draws 0",
    ]);
    stage.pause();
    stage.sees(&["╠═══════════╣", "Enter play again"]);
    // The end is taken back with its score, and done again.
    stage.type_text("u");
    stage.sees(&["Player 1 to move", "r redo"]);
    stage.type_text("r");
    stage.sees(&["Player 1 (X) wins!"]);
    stage.pause();
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["▸ O Player 2             0", "X Player 1             1"]);
    // The scoreboard and the stored game.
    stage.press(&[KeyCode::Esc]);
    stage.sees(&["Menu", "Scoreboard"]);
    stage.press(&[KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("rank  name");
    stage.sees(&["Scoreboard", "[local]", "* ", "Player 1"]);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["Player 1, rank 1 of 2 in the league local", "1 won, 0 lost, 0 drawn"]);
    stage.press(&[KeyCode::Esc, KeyCode::Esc, KeyCode::Esc]);
    stage.press(&[KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("taken back");
    stage.sees(&["Stored games", "Player 1, Player 2"]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("Lost at move 4, C1 by Player 2 (O): C2 was a draw.");
}

/// Another program that has the file for itself.
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
fn the_screen_goes_on_while_another_program_has_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut stage = stage(stored(setup("3x3", "human,human"), &file));
    stage.wait_until_opened();
    let other = Other::take(&file);
    stage.type_text("b2a1a2c1c2");
    stage.sees(&["Player 1 (X) wins!", "Score: Player 1 1, Player 2 0, draws 0"]);
    stage.misses("Saving");
    // It is told as soon as somebody could wonder, and keys are answered all the while.
    stage.now += stage.screen.next_change(stage.now).expect("a time to tell");
    stage.sees(&["Saving…"]);
    stage.type_text("?");
    stage.sees(&["How to play 3x3"]);
    stage.press(&[KeyCode::Esc]);
    // Leaving waits, and says so.
    stage.type_text("q");
    assert_eq!(stage.key(KeyCode::Char('q')), Flow::Draw);
    stage.sees(&["The last result is being stored…", "Ctrl-C leaves without it."]);
    other.release();
    let message = stage.messages.recv_timeout(PATIENCE).unwrap();
    assert_eq!(stage.screen.handle(message, stage.now), Flow::Quit);
    let data = Data::open(&DataArguments { data: Some(file) }).unwrap();
    assert_eq!(data.wait(data.store.games(None, 9)).unwrap().len(), 1);
    assert!(data.wait(data.store.league("local")).unwrap().unwrap().standing("Player 1").is_some());
}

#[test]
fn leaving_at_once_is_asked_for_by_a_second_control_c() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut stage = stage(stored(setup("3x3", "human,human"), &file));
    stage.wait_until_opened();
    let _other = Other::take(&file);
    stage.type_text("b2a1a2c1c2");
    let control_c = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    let mut press = || stage.screen.handle(Message::Input(control_c.clone()), stage.now);
    assert_eq!((press(), press()), (Flow::Draw, Flow::Quit));
}

#[test]
fn the_screen_comes_up_while_another_program_has_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    drop(Data::open(&DataArguments { data: Some(file.clone()) }).unwrap());
    let other = Other::take(&file);
    let mut stage = stage(stored(setup("3x3", "human,human"), &file));
    stage.type_text("b2a1a2c1c2");
    stage.sees(&["Player 1 (X) wins!"]);
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.sees(&["Stored games", "Reading…"]);
    other.release();
    stage.wait_for("Player 1, Player 2");
}

#[test]
fn taking_back_a_move_leaves_the_result_of_the_game_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(stored(setup("3x3", "human,human"), &folder.path().join("n.db")));
    stage.type_text("b2a1a2c1c2pb2u");
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("Player 1, Player 2");
    stage.misses("taken back");
}

#[test]
fn enter_does_not_skip_the_result_nor_move_in_the_next_game() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a1a2c1c2");
    stage.press(&[KeyCode::Enter, KeyCode::Enter]);
    stage.sees(&["Player 1 (X) wins!", "Enter …"]);
    stage.pause();
    stage.sees(&["Enter play again"]);
    // Everything that was typed before the board was drawn is forgotten.
    for code in [KeyCode::Enter, KeyCode::Enter, KeyCode::Char('a'), KeyCode::Char('1')] {
        stage.screen.handle(Message::Input(Event::Key(code.into())), stage.now);
    }
    stage.sees(&["Player 2 to move"]);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["Player 2 to move", "Enter …"]);
    assert_eq!(stage.screen.next_change(stage.now), Some(game::MOMENT));
    stage.pause();
    // The frame is in the middle again.
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["1 B2", "Player 1 to move"]);
}

#[test]
fn enter_that_comes_after_the_move_it_asked_for_takes_no_box() {
    let setup = setup("gomoku", "human,perfect");
    let think = Duration::from_secs(3600);
    let mut stage = stage(Setup { pace: Pace { think, ..setup.pace }, ..setup });
    stage.type_text("H8");
    stage.press(&[KeyCode::Enter, KeyCode::Down]);
    stage.wait_for("Player 1 to move");
    let moves = |stage: &Stage| stage.screen.game().unwrap().sitting().game().history().len();
    stage.press(&[KeyCode::Enter, KeyCode::Enter]);
    assert_eq!(moves(&stage), 2);
    // Whoever moves the frame has seen the board.
    stage.press(&[KeyCode::End, KeyCode::Enter]);
    assert_eq!(moves(&stage), 3);
}

#[test]
fn why_a_game_does_not_count_stays_to_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut own = stored(setup("3x3", "human,human"), &folder.path().join("n.db"));
    own.choice.players.iter_mut().for_each(|player| player.name = Some("Ann".into()));
    let mut stage = stage(own);
    stage.type_text("b2wy");
    stage.wait_for("This game does not count: two players are called Ann.");
    stage.press(&[KeyCode::Up, KeyCode::Char('t')]);
    stage.sees(&["This game does not count: two players are called Ann."]);
    stage.type_text("p");
    stage.misses("does not count");
}

#[test]
fn games_against_several_computers_count() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut stage = stage(stored(setup("3x3+3p", "human,easy,easy"), &file));
    stage.sees(&["Computer (easy)", "Computer (easy) 2"]);
    let over = |stage: &Stage| stage.screen.game().unwrap().sitting().game().turn().is_none();
    while !over(&stage) {
        if stage.screen.game().unwrap().sitting().person_to_move().is_some() {
            stage.type_text("wy");
        } else {
            let message = stage.messages.recv_timeout(PATIENCE).unwrap();
            stage.screen.handle(message, stage.now);
        }
    }
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Up]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("Computer (easy) 2");
    stage.misses("does not count");
}

#[test]
fn two_people_of_one_name_are_asked_for_another() {
    use KeyCode::{Down, Enter};
    let start = Setup { at_once: false, choice: Choice::default(), ..setup("3x3", "human,human") };
    let mut stage = stage(start);
    stage.press(&[Down, Down]);
    stage.type_text("Ann");
    stage.press(&[Down, Down]);
    stage.type_text("ANN");
    stage.press(&[Enter]);
    stage.sees(&["Two players are called ANN: each needs a name of their own.", "▸ Player 2"]);
    stage.type_text("A");
    stage.press(&[Enter]);
    stage.sees(&["O ANNA"]);
}

#[test]
fn long_names_leave_room_for_the_winner() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let mut own = stored(setup("5x5:4+3p", "human,human,human"), &file);
    for (player, letter) in own.choice.players.iter_mut().zip(["A", "B", "C"]) {
        player.name = Some(letter.repeat(32));
    }
    let mut stage = stage(own);
    stage.type_text("a1wywy");
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("AAAA~  AAAAAAAAAAAAAAA~");
    stage.sees(&["winner"]);
    stage.resize(120, 24);
    stage.sees(&["AAAAAA, BBBBBB"]);
}

#[test]
fn long_sentences_are_shown_whole() {
    let folder = tempfile::tempdir().unwrap();
    let notice = "Games are not stored: can't use a file in a folder with a name that is so long \
                  that this sentence does not fit into one line of the window.";
    let mut stage = stage(Setup { notice: Some(notice.into()), ..setup("3x3", "human,human") });
    stage.sees(&["so long", "of the window."]);
    stage.resize(40, 12);
    stage.sees(&["of the window."]);
    let start = Setup { at_once: false, ..setup("3x3", "human,human") };
    let file = folder.path().join("n.db");
    let mut stage = self::stage(Setup { notice: Some(notice.into()), ..stored(start, &file) });
    stage.sees(&["so long", "of the window."]);
}

#[test]
fn what_is_chosen_in_the_menu_stays_in_sight() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.resize(20, 8);
    stage.press(&[KeyCode::Esc]);
    stage.sees(&["▸ Hint", "Menu ▼"]);
    for _ in 0..20 {
        stage.press(&[KeyCode::Down]);
        stage.sees(&["▸ "]);
    }
    stage.press(&[KeyCode::End]);
    stage.sees(&["▸ Leave the game", "Menu ▲"]);
}

#[test]
fn a_record_that_is_longer_than_the_window_scrolls() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(stored(setup("3x3", "human,human"), &folder.path().join("n.db")));
    stage.type_text("b2a1a2c1c2");
    stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Up]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("rank  name");
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["Player 1, rank 1 of 2"]);
    let whole = stage.shown();
    // Above the keys.
    let last = whole.lines().rev().skip(1).map(str::trim).find(|line| !line.is_empty()).unwrap();
    stage.resize(60, 7);
    stage.misses(last);
    stage.sees(&["scroll"]);
    stage.press(&[KeyCode::End]);
    stage.sees(&[last]);
}

#[test]
fn a_letter_that_names_a_row_begins_a_box() {
    let mut stage = stage(setup("26x26:5", "human,human"));
    stage.type_text("x7");
    stage.sees(&["1 X7", "Player 2 to move", "Esc u undo"]);
    stage.type_text("u26");
    stage.sees(&["1 X7     U26"]);
    stage.press(&[KeyCode::Esc]);
    stage.type_text("u");
    stage.misses("U26");
}

#[test]
fn stepping_through_a_game_shows_what_was_missed() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a1a2c1c2v");
    stage.wait_for("C1??");
    stage.sees(&["Move 5 of 5: Player 1 (X)"]);
    stage.type_text("m");
    stage.wait_for("Next: C1, loss in 2");
    stage.sees(&["★ draw", "Best: C2, draw", "Move 3 of 5"]);
    stage.press(&[KeyCode::Home]);
    stage.sees(&["The empty board", "Next: B2"]);
    stage.press(&[KeyCode::Esc]);
    stage.sees(&["Player 1 (X) wins!"]);
}

#[test]
fn hints_and_analysis() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a2");
    stage.type_text("t");
    stage.wait_for("A1, A3, B1, B3 and 2 more are best: win in 5.");
    stage.sees(&["★"]);
    stage.type_text("a1");
    stage.misses("★");
    stage.type_text("v");
    stage.wait_for("loss 2");
    stage.sees(&["★ loss 4", "loss 2"]);
    // The frame is at A1, which is taken; at C3 it tells what that is worth.
    stage.press(&[KeyCode::PageDown, KeyCode::End]);
    stage.sees(&["C3: loss in 4"]);
    stage.type_text("v");
    stage.misses("loss");
}

#[test]
fn what_is_not_proven_is_told_apart() {
    let mut stage = stage(setup("9x9:5", "human,human"));
    stage.type_text("e5v");
    stage.screen.handle(Message::Input(Event::Key(KeyCode::Esc.into())), stage.now);
    stage.wait_for("★");
    let shown = stage.shown();
    // A guess is a number without a letter where cells are small.
    let guesses = ["│ 0 │", "│ + │", "│ - │", "│-1 │", "│+1 │"];
    assert!(guesses.iter().any(|guess| shown.contains(guess)), "{shown}");
    stage.press(&[KeyCode::Up]);
    stage.sees(&["D5: estimate"]);
}

#[test]
fn a_computer_answers_while_the_screen_goes_on() {
    let mut stage = stage(setup("3x3", "human,perfect"));
    stage.type_text("a1");
    stage.sees(&["Computer (perfect) thinks"]);
    // Help can be read meanwhile, and the answer comes all the same.
    stage.type_text("?");
    stage.sees(&["How to play 3x3"]);
    while stage.screen.game().unwrap().sitting().game().history().len() < 2 {
        let message = stage.messages.recv_timeout(PATIENCE).unwrap();
        stage.screen.handle(message, stage.now);
    }
    stage.press(&[KeyCode::Esc]);
    stage.sees(&["1 A1     B2", "Player 1 to move"]);
    stage.type_text("u");
    stage.misses("A1 ");
}

#[test]
fn a_computer_can_be_hurried() {
    let setup = setup("gomoku", "human,perfect");
    let think = Duration::from_secs(3600);
    let mut stage = stage(Setup { pace: Pace { think, ..setup.pace }, ..setup });
    stage.type_text("H8");
    stage.sees(&["Computer (perfect) thinks", "Enter move now"]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("Player 1 to move");
}

#[test]
fn sides_are_swapped_and_the_computer_goes_on() {
    let mut stage = stage(setup("3x3", "human,perfect"));
    stage.type_text("x");
    stage.sees(&["▸ X Computer (perfect)", "  O Player 1"]);
    stage.wait_for("Player 1 to move");
    // Once there is something to lose it is asked for.
    stage.type_text("x");
    stage.sees(&["Swap sides?", "▸ No"]);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["  X Computer (perfect)", "▸ O Player 1"]);
}

#[test]
fn resigning_and_leaving_are_asked_about() {
    let mut stage = stage(setup("3x3", "human,human"));
    assert_eq!(stage.key(KeyCode::Char('q')), Flow::Draw);
    stage.sees(&["N O U G H T S"]);
    stage.press(&[KeyCode::Enter]);
    stage.type_text("b2w");
    stage.sees(&["Player 2, do you give this game up?", "▸ No"]);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["Player 2 to move"]);
    stage.type_text("w");
    stage.press(&[KeyCode::Right, KeyCode::Enter]);
    stage.sees(&["Player 1 (X) wins!", "Player 2 gave up."]);
    stage.pause();
    stage.press(&[KeyCode::Enter]);
    stage.type_text("b2p");
    stage.sees(&["Break this game off and begin another?"]);
    stage.type_text("n");
    stage.type_text("qy");
    stage.sees(&["N O U G H T S"]);
    assert_eq!(stage.key(KeyCode::Char('q')), Flow::Quit);
}

#[test]
fn clicks_take_boxes_and_choose() {
    let mut stage = stage(setup("3x3", "human,human"));
    let find = |stage: &mut Stage, text: &str| {
        let shown = stage.shown();
        let (row, line) = shown.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let column = line.chars().take(line[..line.find(text).unwrap()].chars().count()).count();
        (column as u16, row as u16)
    };
    let (column, row) = find(&mut stage, "A │");
    stage.click(column + 5, row);
    stage.sees(&["1 A1", "Player 2 to move"]);
    // Beside the board nothing happens.
    stage.click(0, 0);
    stage.sees(&["Player 2 to move"]);
    stage.press(&[KeyCode::Esc]);
    let (column, row) = find(&mut stage, "Leave the game");
    stage.click(column, row);
    let (column, row) = find(&mut stage, "Yes");
    stage.click(column, row);
    let (column, row) = find(&mut stage, "Gomoku");
    stage.click(column + 1, row);
    stage.sees(&["[Gomoku]"]);
    let (column, row) = find(&mut stage, "Enter: play");
    stage.click(column, row);
    stage.sees(&["15x15:5"]);
    // Keys that are shown can be clicked as well.
    let (column, row) = find(&mut stage, "? help");
    stage.click(column, row);
    stage.sees(&["How to play 15x15:5"]);
    let (column, row) = find(&mut stage, "Esc back");
    stage.click(column, row);
    stage.sees(&["Player 1 to move"]);
}

#[test]
fn names_of_more_than_one_digit_are_confirmed() {
    let mut stage = stage(setup("gomoku", "human,human"));
    stage.type_text("A1");
    stage.sees(&["Box: A1_"]);
    stage.type_text("0");
    stage.sees(&["1 A10", "Player 2 to move"]);
    stage.type_text("c1");
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["1 A10    C1"]);
    stage.type_text("H7");
    stage.sees(&["3 H7"]);
    stage.type_text("D1");
    stage.press(&[KeyCode::Backspace, KeyCode::Backspace, KeyCode::Enter]);
    stage.misses("Box:");
}

#[test]
fn where_things_fall_any_box_of_a_column_will_do() {
    let mut stage = stage(setup("connect4", "human,human"));
    stage.type_text("a3a3");
    stage.sees(&["1 F3     E3"]);
}

#[test]
fn the_clock_runs_and_ends_the_game() {
    let control = Some("1m+2s".parse().unwrap());
    let setup = setup("3x3", "human,human");
    let mut stage = stage(Setup { pace: Pace { control, ..setup.pace }, ..setup });
    stage.sees(&["Player 1       1:00  0"]);
    stage.pause();
    assert_eq!(stage.screen.next_change(stage.now), None);
    stage.type_text("b2");
    stage.now += Duration::from_secs(20);
    stage.sees(&["Player 2       0:40  0", "Player 1       1:02  0"]);
    assert!(stage.screen.next_change(stage.now).is_some());
    stage.now += Duration::from_secs(40);
    stage.screen.tick(stage.now);
    stage.sees(&["Player 2 (O) forfeits: the time is up.", "Player 1 (X) wins!"]);
    stage.sees(&["The time of Player 2 ran", "  1 B2     out"]);
    stage.misses("gave up");
    // The reason stays to be read.
    stage.press(&[KeyCode::Up, KeyCode::Char('z')]);
    stage.sees(&["Player 2 (O) forfeits: the time is up."]);
    stage.pause();
    assert_eq!(stage.screen.next_change(stage.now), None);
    stage.type_text("u");
    stage.sees(&["The time was up: this end can't be taken back."]);
}

#[test]
fn control_and_a_letter_is_not_the_letter() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2");
    let control_u = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    stage.screen.handle(Message::Input(Event::Key(control_u)), stage.now);
    stage.sees(&["1 B2", "Player 2 to move"]);
    for (key, flow) in
        [('c', Flow::Quit), ('l', Flow::Redraw), ('z', Flow::Suspend(Suspended::Group))]
    {
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
        assert_eq!(stage.screen.handle(Message::Input(Event::Key(key)), stage.now), flow);
    }
}

#[test]
fn a_rated_end_is_final() {
    let folder = tempfile::tempdir().unwrap();
    let mut rated = stored(setup("3x3", "human,human"), &folder.path().join("n.db"));
    rated.books.as_mut().unwrap().counting = Counting::Rated;
    let mut stage = stage(rated);
    stage.type_text("b2x");
    stage.sees(&["This game is rated: sides can't be swapped any more."]);
    stage.type_text("wy");
    stage.misses("u undo");
    stage.type_text("u");
    stage.sees(&["This game is rated: its end can't be taken back."]);
}

#[test]
fn a_choice_that_cannot_be_remembered_does_not_stop_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let memory = Some(file.join("in/a/file"));
    let start = Setup { at_once: false, memory, ..setup("3x3", "human,human") };
    let mut stage = stage(start);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["Your choice can't be remembered", "Player 1 to move"]);
}

#[test]
fn a_game_is_saved_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("our game.txt");
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2s");
    stage.sees(&["Save the game", "game-1.txt"]);
    let control_u = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    stage.screen.handle(Message::Input(Event::Key(control_u)), stage.now);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["A file needs a name."]);
    stage.screen.handle(Message::Input(Event::Paste(path.display().to_string())), stage.now);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["Saved as "]);
    let saved: Game = std::fs::read_to_string(path).unwrap().parse().unwrap();
    assert_eq!(saved.history().len(), 1);
}

#[test]
fn every_page_fits_into_every_window() {
    let folder = tempfile::tempdir().unwrap();
    for (rules, kinds) in
        [("3x3", "human,human"), ("26x26:5", "human,human"), ("5x9:4+8p", "human")]
    {
        // One way to each page, and a dialog of each kind.
        for keys in ["", "b2t", "b2v", "b2w", "b2s", "?", "q", "q?", "qs", "qg", "b2wyv", "b2wy"] {
            let mut stage = stage(stored(setup(rules, kinds), &folder.path().join("n.db")));
            stage.type_text(keys);
            for (width, height) in
                (0..90).step_by(7).flat_map(|w| (0..30).step_by(3).map(move |h| (w, h)))
            {
                stage.resize(width, height);
            }
            for (width, height) in [(1, 1), (1, 50), (200, 1), (16, 6), (300, 100)] {
                stage.resize(width, height);
            }
            stage.press(&[KeyCode::Esc]);
            for (width, height) in [(40, 12), (1, 1), (20, 7), (80, 24)] {
                stage.resize(width, height);
            }
        }
    }
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.resize(20, 5);
    stage.sees(&["This window is too"]);
    stage.resize(20, 7);
    stage.sees(&["Player 1 to move", "A "]);
}

#[test]
fn any_keys_in_any_order_do_no_harm() {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    let folder = tempfile::tempdir().unwrap();
    let special = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Tab,
        KeyCode::Backspace,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageDown,
    ];
    for seed in 0..8 {
        let mut random = SmallRng::seed_from_u64(seed);
        let rules = ["3x3", "connect4", "2x2:2+3p", "3x3+misere"][seed as usize % 4];
        let mut stage = stage(stored(setup(rules, "human,random"), &folder.path().join("n.db")));
        stage.screen.setup.memory = None;
        for _ in 0..400 {
            let code = match random.random_range(0..3) {
                0 => special[random.random_range(0..special.len())],
                // Without `s`, which would leave files where the test runs.
                1 => KeyCode::Char(
                    [
                        'a', 'b', '1', '2', 'u', 'r', 't', 'v', 'x', 'w', 'p', 'y', 'q', '?', 'm',
                        'l', 'é',
                    ][random.random_range(0..17)],
                ),
                _ => KeyCode::Char(char::from(random.random_range(b'A'..=b'R'))),
            };
            if stage.key(code) == Flow::Quit {
                stage.screen.pages.push(Page::Start(StartPage::new(&Choice::default(), None)));
            }
            while let Ok(message) = stage.messages.try_recv() {
                stage.screen.handle(message, stage.now);
            }
        }
    }
}
