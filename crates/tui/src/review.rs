//! Stepping through a game, with what each move was worth.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, MouseEventKind};
use noughts_engine::{LosingMove, LosingMoveError, Value};
use noughts_rules::{Action, Game, Status};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Go;
use super::desk::{Desk, Job, Message};
use super::game::{Parts, Side, draw_message, last_move, title};
use super::look::Look;
use super::study::Study;
use super::widgets::board::{Board, BoardState};
use super::widgets::clicks::Clicks;
use super::widgets::keys::{Keys, hints};
use super::widgets::panel::{Panel, PlayerRow, standing};

/// How long looking for the losing move may take.
const TIME: Duration = Duration::from_secs(8);

pub(crate) struct ReviewPage {
    game: Game,
    /// The game as it was after so many actions.
    then: Game,
    shown: usize,
    board: BoardState,
    study: Study,
    /// Whether cells tell what they are worth.
    values: bool,
    tracing: Option<Job>,
    lost: Option<Result<Option<LosingMove>, LosingMoveError>>,
    clicks: Clicks,
}

impl ReviewPage {
    /// Begins at the end of the game.
    pub(crate) fn new(game: Game, desk: Desk) -> ReviewPage {
        let over = game.turn().is_none();
        let tracing = over.then(|| desk.trace(game.position(), TIME));
        let shown = game.history().len();
        ReviewPage {
            then: game.clone(),
            shown,
            game,
            board: BoardState::default(),
            study: Study::new(desk),
            values: true,
            tracing,
            lost: None,
            clicks: Clicks::default(),
        }
    }

    pub(crate) fn clicks(&self) -> &Clicks {
        &self.clicks
    }

    pub(crate) fn hear(&mut self, message: &Message) {
        if self.study.hear(message) {
            return;
        }
        if let Message::Traced { ticket, lost } = message
            && self.tracing.as_ref().is_some_and(|job| job.ticket == *ticket)
        {
            self.tracing = None;
            self.lost = Some(*lost);
        }
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Go {
        let last = self.game.history().len();
        let key = match event {
            Event::Key(key) => key.code,
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => KeyCode::Right,
                MouseEventKind::ScrollUp => KeyCode::Left,
                _ => return Go::Stay,
            },
            Event::Resize(..) => {
                self.show(self.shown);
                return Go::Stay;
            }
            _ => return Go::Stay,
        };
        match key {
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            KeyCode::Char('?') | KeyCode::F(1) => return Go::Help,
            KeyCode::Right | KeyCode::Down | KeyCode::Enter | KeyCode::Char('l' | 'j' | ' ') => {
                self.show(self.shown + 1);
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Backspace | KeyCode::Char('h' | 'k') => {
                self.show(self.shown.saturating_sub(1));
            }
            KeyCode::Home => self.show(0),
            KeyCode::End => self.show(last),
            KeyCode::Char('v') => {
                self.values = !self.values;
                self.study_position();
            }
            KeyCode::Char('m') => {
                if let Some(lost) = self.losing_move() {
                    self.show(lost.ply);
                }
            }
            _ => {}
        }
        Go::Stay
    }

    fn losing_move(&self) -> Option<LosingMove> {
        self.lost.as_ref()?.as_ref().ok().copied().flatten()
    }

    /// Shows the game after so many actions.
    fn show(&mut self, actions: usize) {
        self.shown = actions.min(self.game.history().len());
        self.then = self.game.clone();
        while self.then.history().len() > self.shown && self.then.undo().is_ok() {}
        let at = self.next_move().or(last_move(&self.then));
        at.into_iter().for_each(|cell| self.board.viewport.follow(cell));
        self.study_position();
    }

    fn study_position(&mut self) {
        if self.values && self.then.turn().is_some() {
            self.study.begin(self.then.position());
        }
    }

    /// What was played in the position that is shown.
    fn next_move(&self) -> Option<noughts_rules::Cell> {
        match self.game.history().nth(self.shown) {
            Some(Action::Move { cell, .. }) => Some(cell),
            _ => None,
        }
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look) {
        let verdict = self.verdict();
        let parts = Parts::of(area, verdict.as_deref());
        frame.render_widget(title(self.game.rules(), look), parts.title);
        let notes = match self.values {
            true => self.study.notes(self.then.position(), true),
            false => Vec::new(),
        };
        let cursor = self.next_move();
        let board =
            Board { game: &self.then, look, cursor, last: last_move(&self.then), notes: &notes };
        frame.render_stateful_widget(board, parts.board, &mut self.board);
        let mut keys = hints(&[
            (look.pick("←→", "left/right"), "step"),
            ("Home", "start"),
            ("End", "end"),
            ("v", "analysis"),
        ]);
        if self.losing_move().is_some() {
            keys.push(("m".into(), "the mistake".into()));
        }
        keys.push(("Esc".into(), "back".into()));
        self.clicks.clear();
        let side = match parts.side {
            Side::Panel(side) => side,
            Side::Lines { status: above, keys: below } => {
                frame.render_widget(Paragraph::new(self.status(look).remove(0)), above);
                self.clicks.add_keys(&Keys { look, keys: &keys }, below);
                frame.render_widget(Keys { look, keys: &keys }, below);
                if let Some(verdict) = verdict.filter(|_| parts.message.bottom() <= below.y) {
                    draw_message(frame, parts.message, &verdict, look);
                }
                return;
            }
        };
        if let Some(verdict) = verdict {
            draw_message(frame, parts.message, &verdict, look);
        }
        let player = |_| PlayerRow { wins: None, clock: None };
        let panel = Panel {
            look,
            game: &self.game,
            turn: self.game.turn(),
            players: self.game.rules().seats().map(player).collect(),
            draws: None,
            status: self.status(look),
            shown: self.shown,
            lost: self.losing_move().map(|lost| lost.ply + 1),
            keys: &keys,
        };
        let keys_area = panel.keys_area(side);
        frame.render_widget(panel, side);
        self.clicks.add_keys(&Keys { look, keys: &keys }, keys_area);
    }

    /// What is shown, in words.
    fn status(&self, look: Look) -> Vec<Line<'static>> {
        let player = |action: Action| &self.game.players()[action.seat().index()];
        let last = self.game.history().len();
        let done = match self.then.history().next_back() {
            None => "The empty board".to_string(),
            Some(action @ Action::Move { cell, .. }) => {
                format!("Move {} of {last}: {} takes {cell}", self.shown, player(action))
            }
            Some(action @ Action::Resign { .. }) => format!("{} is out", player(action)),
        };
        let mut lines = vec![Line::raw(done)];
        if self.then.turn().is_none() {
            lines.push(standing(&self.then, look));
        }
        if self.study.is_working() {
            lines.push(Line::raw(format!("Analysing{}", look.pick("…", "..."))));
        }
        if let Some(cell) = self.next_move() {
            let analysis = self.study.of(self.then.position()).filter(|_| self.values);
            let worth = analysis.and_then(|a| a.cells.iter().find(|at| at.cell == cell));
            let mut next = vec![Span::raw(format!("Next: {cell}"))];
            if let Some(worth) = worth {
                next.push(Span::raw(", "));
                let tone = look.tone(look.verdict(worth.verdict));
                next.push(Span::styled(worth.verdict.to_string(), tone));
            }
            lines.push(Line::from(next));
            if let (Some(analysis), Some(worth)) = (analysis, worth) {
                let best = analysis.cells.iter().find(|at| at.cell == analysis.best);
                if let Some(best) = best.filter(|best| best.verdict != worth.verdict) {
                    lines.push(Line::raw(format!("Best: {}, {}", best.cell, best.verdict)));
                }
            }
        }
        lines
    }

    /// Where the game was lost, in words.
    fn verdict(&self) -> Option<String> {
        if self.tracing.is_some() {
            return Some("Looking for the move that lost the game...".into());
        }
        let text = match self.lost.as_ref()? {
            Ok(Some(lost)) => {
                let player = &self.game.players()[lost.seat.index()];
                let (lost_at, missed) = match lost.missed.proven() {
                    Some(Value::Win { .. }) => ("Lost at", "was a win"),
                    Some(Value::Draw) => ("Lost at", "was a draw"),
                    Some(Value::Loss { .. }) | None => ("It seems lost at", "looks better"),
                };
                let number = lost.ply + 1;
                format!(
                    "{lost_at} move {number}, {} by {player}: {} {missed}.",
                    lost.cell, lost.better
                )
            }
            Ok(None) if self.game.status() == Status::Draw => {
                "A draw: nobody made a losing move.".to_string()
            }
            Ok(None) => "No move of this game was a losing one.".to_string(),
            Err(error) => format!("Where it was lost is not known: {error}."),
        };
        Some(text)
    }
}
