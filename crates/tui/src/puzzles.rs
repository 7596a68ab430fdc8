//! The page of puzzles.

use std::path::PathBuf;

use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_engine::{AttemptError, PuzzleFeedback};
use noughts_play::{
    Database, PuzzleChoice, PuzzleSession, capitalised, describe_feedback, describe_progress,
    describe_solution, not_stored, puzzle_task, sentence,
};
use noughts_rules::{Game, Move, Position, Rules};
use noughts_store::StoreError;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Navigation;
use super::move_picker::{MovePicker, PickerEvent};
use super::position_notes::{last_cells, turn_notes};
use super::screen_layout::{ScreenLayout, draw_message, draw_side, title};
use super::theme::{TextRole, Theme};
use super::widgets::board::Board;
use super::widgets::click_map::ClickMap;
use super::widgets::key_bar::{KeyHint, hints};
use super::widgets::panel::{Panel, PlayerRow};
use super::workers::{Message, Workers};

/// Puzzles one after the other, the one of the day first.
pub(crate) struct PuzzlePage {
    workers: Workers,
    /// `None` while a thread has it.
    session: Option<Box<PuzzleSession>>,
    /// The position as it was last.
    game: Game,
    picker: MovePicker,
    /// What the last move did.
    message: Option<String>,
    /// Why there are no puzzles.
    error: Option<String>,
    click_map: ClickMap,
}

/// The answer to a move, with the session that gave it.
pub(crate) struct PuzzleAnswer {
    session: Box<PuzzleSession>,
    mv: Move,
    before: Position,
    answer: Result<(PuzzleFeedback, Result<(), StoreError>), AttemptError>,
}

impl PuzzlePage {
    /// Opens the puzzles on a thread, because another program may lock the file for seconds.
    pub(crate) fn new(
        workers: Workers,
        storage: Option<PathBuf>,
        choice: PuzzleChoice,
    ) -> PuzzlePage {
        workers.run(move || Message::PuzzlesOpened(open(storage, &choice)));
        let rules = Rules::classic();
        PuzzlePage {
            workers,
            session: None,
            game: Game::with_default_players(&rules),
            picker: MovePicker::new(&rules),
            message: None,
            error: None,
            click_map: ClickMap::default(),
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn show(&mut self, opened: anyhow::Result<Option<Box<PuzzleSession>>>) {
        match opened {
            Ok(Some(session)) => {
                self.session = Some(session);
                self.begin();
            }
            Ok(None) => self.error = Some("There is no such puzzle.".into()),
            Err(error) => self.error = Some(format!("The puzzles can't be opened: {error:#}.")),
        }
    }

    pub(crate) fn receive(&mut self, answer: PuzzleAnswer) {
        let PuzzleAnswer { session, mv, before, answer } = answer;
        let mut sentences = match &answer {
            Ok((feedback, _)) => describe_feedback(&session, &before, mv, feedback),
            Err(AttemptError::Refused(refusal)) => vec![sentence(*refusal)],
            Err(_) => vec!["Nobody has proven whether that works. Try another move.".into()],
        };
        if let Ok((_, Err(error))) = answer {
            sentences.push(not_stored(error));
        }
        self.game = session.game();
        last_cells(&self.game).into_iter().for_each(|cell| self.picker.board.viewport.follow(cell));
        self.picker.enter_board_to_play(self.game.position());
        self.session = Some(session);
        self.message = Some(sentences.join(" "));
    }

    /// Shows the present puzzle from its start.
    fn begin(&mut self) {
        let Some(session) = &self.session else { return };
        self.game = session.game();
        self.picker = MovePicker::new(self.game.rules());
        self.picker.enter_board_to_play(self.game.position());
        self.message = None;
    }

    fn is_solved(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.attempt().is_solved())
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        match event {
            Event::Key(key) => return self.handle_key(*key),
            Event::Mouse(mouse) => {
                if let PickerEvent::Play(mv) = self.picker.handle_mouse(self.game.position(), mouse)
                {
                    self.play(mv);
                }
            }
            Event::Resize(..) => self.picker.resize(),
            _ => {}
        }
        Navigation::Stay
    }

    fn handle_key(&mut self, key: KeyEvent) -> Navigation {
        match self.picker.handle_key(self.game.position(), &[], key) {
            PickerEvent::Play(mv) => self.play(mv),
            PickerEvent::Refused(reason) => self.message = Some(reason),
            PickerEvent::Character(c) => return self.perform(c),
            PickerEvent::No => match key.code {
                KeyCode::Enter | KeyCode::Char(' ') if self.is_solved() => self.next(),
                KeyCode::Enter | KeyCode::Char(' ') => {
                    let mv = self.picker.selected_move(self.game.position(), &[]);
                    self.picker.clear();
                    self.play(mv);
                }
                KeyCode::Esc => return Navigation::Back,
                KeyCode::F(1) => return Navigation::Help,
                _ => {}
            },
            PickerEvent::CursorMoved | PickerEvent::Done | PickerEvent::Confirmed => {}
        }
        Navigation::Stay
    }

    /// A command. No key is one of the letters that name rows of the usual boards.
    fn perform(&mut self, key: char) -> Navigation {
        match key {
            'q' => return Navigation::Back,
            '?' => return Navigation::Help,
            't' => self.hint(),
            'v' => self.give_up(),
            'r' => {
                self.session.iter_mut().for_each(|session| session.start_over());
                self.begin();
            }
            'p' => self.next(),
            _ => {}
        }
        Navigation::Stay
    }

    fn play(&mut self, mv: Move) {
        self.picker.clear();
        if let Err(refusal) = self.game.position().check(mv) {
            if !self.is_solved() {
                self.message = Some(sentence(refusal));
            }
            return;
        }
        let Some(mut session) = self.session.take_if(|session| !session.attempt().is_solved())
        else {
            return;
        };
        mv.cell().into_iter().for_each(|cell| self.picker.go_to(cell));
        self.message = None;
        self.workers.run(move || {
            let before = session.attempt().position().clone();
            let answer = session.play(mv);
            Message::PuzzleAnswered(Box::new(PuzzleAnswer { session, mv, before, answer }))
        });
    }

    fn hint(&mut self) {
        let Some(session) = self.session.as_mut().filter(|s| !s.attempt().is_solved()) else {
            return;
        };
        let (moves, stored) = session.hint();
        let names: Vec<String> = moves.iter().map(|mv| capitalised(&mv.to_string())).collect();
        let text = match &names[..] {
            [only] => format!("Try {only}."),
            names => format!("It is one of {}.", names.join(", ")),
        };
        self.message = Some(with_error(text, stored));
    }

    fn give_up(&mut self) {
        let Some(session) = self.session.as_mut().filter(|s| !s.attempt().is_solved()) else {
            return;
        };
        let (moves, stored) = session.give_up();
        self.message = Some(with_error(describe_solution(&moves), stored));
    }

    fn next(&mut self) {
        let Some(session) = &mut self.session else { return };
        match session.next_puzzle() {
            true => self.begin(),
            false => self.message = Some("There are no more puzzles.".into()),
        }
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let message = self.error.clone().or_else(|| self.message.clone());
        let parts = ScreenLayout::of(area, message.as_deref());
        frame.render_widget(title(self.game.rules(), theme), parts.title);
        let is_open = self.session.is_some() && !self.is_solved();
        let board = Board {
            game: &self.game,
            theme,
            cursor: is_open.then(|| self.picker.cursor()),
            last: &last_cells(&self.game),
            notes: &[],
        };
        frame.render_stateful_widget(board, parts.board, &mut self.picker.board);
        let keys = self.keys(theme);
        let mut click_map = ClickMap::default();
        let panel = Panel {
            theme,
            game: &self.game,
            turn: self.game.turn(),
            players: self
                .game
                .rules()
                .seats()
                .map(|_| PlayerRow { wins: None, clock: None })
                .collect(),
            draws: None,
            status: self.status(theme),
            shown: self.game.history().len(),
            lost: None,
            keys: &keys,
        };
        draw_side(frame, parts.side, panel, &mut click_map);
        if let Some(message) = message {
            draw_message(frame, parts.message, &message, theme);
        }
        self.click_map = click_map;
    }

    fn status(&self, theme: Theme) -> Vec<Line<'static>> {
        let Some(session) = &self.session else {
            let dots = theme.pick("…", "...");
            return match self.error {
                Some(_) => Vec::new(),
                None => vec![Line::raw(format!("One moment{dots}"))],
            };
        };
        let difficulty = session.puzzle().difficulty();
        let heading = match session.is_daily() {
            true => format!("Puzzle of the day, difficulty {difficulty}"),
            false => format!("Puzzle, difficulty {difficulty}"),
        };
        let mut lines = vec![
            Line::styled(puzzle_task(session), theme.role(TextRole::Title)),
            Line::raw(heading),
        ];
        if self.is_solved() {
            lines.push(Line::styled("Solved", theme.role(TextRole::Good)));
        } else {
            lines.extend(turn_notes(&self.game, theme));
        }
        lines.push(Line::styled(describe_progress(session), theme.role(TextRole::Faint)));
        if !self.picker.typed().is_empty() {
            lines.push(Line::from(vec![
                Span::raw("Box: "),
                Span::styled(format!("{}_", self.picker.typed()), theme.role(TextRole::Focus)),
            ]));
        }
        lines
    }

    fn keys(&self, theme: Theme) -> Vec<KeyHint> {
        let mut keys = match self.is_solved() {
            true => hints(&[("Enter", "next"), ("r", "again")]),
            false => {
                let mut keys = self.picker.key_hints(&self.game, &[], theme, None);
                let own = [("t", "hint"), ("v", "solution"), ("r", "again"), ("p", "another")];
                keys.extend(hints(&own));
                keys
            }
        };
        keys.push(("Esc".into(), "back".into()));
        keys
    }
}

/// The puzzles of a choice. Without a file, nothing is stored.
fn open(
    storage: Option<PathBuf>,
    choice: &PuzzleChoice,
) -> anyhow::Result<Option<Box<PuzzleSession>>> {
    let database = storage.map(|path| Database::open_writable(&path)).transpose()?;
    Ok(PuzzleSession::open(choice, database)?.map(Box::new))
}

fn with_error(text: String, stored: Result<(), StoreError>) -> String {
    match stored {
        Ok(()) => text,
        Err(error) => format!("{text} {}", not_stored(error)),
    }
}
