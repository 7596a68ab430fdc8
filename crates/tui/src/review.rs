//! The review page: steps through a game with analysis.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, MouseEventKind};
use noughts_engine::{LosingMove, LosingMoveError, Value};
use noughts_play::{describe_move, describe_reason, player_label, verdict_words};
use noughts_rules::{Action, Game, Move, Status};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Navigation;
use super::analysis_cache::{AnalysisCache, move_words, verdict_of};
use super::position_notes::{last_cells, turn_notes};
use super::screen_layout::{InfoArea, ScreenLayout, draw_message, title};
use super::theme::Theme;
use super::widgets::board::{Board, BoardState};
use super::widgets::click_map::ClickMap;
use super::widgets::key_bar::{KeyBar, hints};
use super::widgets::panel::{Panel, PlayerRow, standing};
use super::workers::{Message, Search, Workers};

const LOSING_MOVE_TIME: Duration = Duration::from_secs(8);

pub(crate) struct ReviewPage {
    game: Game,
    /// The game after the actions so far.
    shown_game: Game,
    shown: usize,
    board: BoardState,
    analyses: AnalysisCache,
    /// Whether the cells show their values.
    values: bool,
    losing_move_search: Option<Search>,
    lost: Option<Result<Option<LosingMove>, LosingMoveError>>,
    click_map: ClickMap,
}

impl ReviewPage {
    /// Starts at the end of the game.
    pub(crate) fn new(game: Game, workers: Workers) -> ReviewPage {
        let over = game.turn().is_none();
        let losing_move_search =
            over.then(|| workers.find_losing_move(game.position(), LOSING_MOVE_TIME));
        let shown = game.history().len();
        ReviewPage {
            shown_game: game.clone(),
            shown,
            game,
            board: BoardState::default(),
            analyses: AnalysisCache::new(workers),
            values: true,
            losing_move_search,
            lost: None,
            click_map: ClickMap::default(),
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn receive(&mut self, message: &Message) {
        if self.analyses.receive(message) {
            return;
        }
        if let Message::LosingMoveFound { id, lost } = message
            && self.losing_move_search.as_ref().is_some_and(|search| search.id == *id)
        {
            self.losing_move_search = None;
            self.lost = Some(*lost);
        }
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        let last = self.game.history().len();
        let key = match event {
            Event::Key(key) => key.code,
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => KeyCode::Right,
                MouseEventKind::ScrollUp => KeyCode::Left,
                _ => return Navigation::Stay,
            },
            Event::Resize(..) => {
                self.show(self.shown);
                return Navigation::Stay;
            }
            _ => return Navigation::Stay,
        };
        match key {
            KeyCode::Esc | KeyCode::Char('q') => return Navigation::Back,
            KeyCode::Char('?') | KeyCode::F(1) => return Navigation::Help,
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
                self.request_analysis();
            }
            KeyCode::Char('m') => {
                if let Some(lost) = self.losing_move() {
                    self.show(lost.ply);
                }
            }
            _ => {}
        }
        Navigation::Stay
    }

    fn losing_move(&self) -> Option<LosingMove> {
        self.lost.as_ref()?.as_ref().ok().copied().flatten()
    }

    /// Shows the game after this many actions.
    fn show(&mut self, actions: usize) {
        self.shown = actions.min(self.game.history().len());
        self.shown_game = self.game.clone();
        while self.shown_game.history().len() > self.shown && self.shown_game.undo().is_ok() {}
        let last = last_cells(&self.shown_game);
        let at = self.next_move().and_then(Move::cell).or(last.first().copied());
        at.into_iter().for_each(|cell| self.board.viewport.follow(cell));
        self.request_analysis();
    }

    fn request_analysis(&mut self) {
        if self.values && self.shown_game.turn().is_some() {
            self.analyses.request(self.shown_game.position());
        }
    }

    /// The move that was played in the position shown.
    fn next_move(&self) -> Option<Move> {
        match self.game.history().nth(self.shown)? {
            Action::Move { mv, .. } => Some(mv),
            Action::Resign { .. } => None,
        }
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let verdict = self.verdict();
        let parts = ScreenLayout::of(area, verdict.as_deref());
        frame.render_widget(title(self.game.rules(), theme), parts.title);
        let notes = match self.values {
            true => self.analyses.notes(&self.shown_game, true),
            false => Vec::new(),
        };
        let cursor = self.next_move().and_then(Move::cell);
        let board = Board {
            game: &self.shown_game,
            theme,
            cursor,
            last: &last_cells(&self.shown_game),
            notes: &notes,
        };
        frame.render_stateful_widget(board, parts.board, &mut self.board);
        let mut keys = hints(&[
            (theme.pick("←→", "left/right"), "step"),
            ("Home", "start"),
            ("End", "end"),
            ("v", "analysis"),
        ]);
        if self.losing_move().is_some() {
            keys.push(("m".into(), "the mistake".into()));
        }
        keys.push(("Esc".into(), "back".into()));
        self.click_map.clear();
        let side = match parts.side {
            InfoArea::Panel(side) => side,
            InfoArea::Lines { status: above, keys: below, .. } => {
                frame.render_widget(Paragraph::new(self.status(theme).remove(0)), above);
                self.click_map.add_keys(&KeyBar { theme, keys: &keys }, below);
                frame.render_widget(KeyBar { theme, keys: &keys }, below);
                if let Some(verdict) = verdict.filter(|_| parts.message.bottom() <= below.y) {
                    draw_message(frame, parts.message, &verdict, theme);
                }
                return;
            }
        };
        if let Some(verdict) = verdict {
            draw_message(frame, parts.message, &verdict, theme);
        }
        let player = |_| PlayerRow { wins: None, clock: None };
        let panel = Panel {
            theme,
            game: &self.game,
            turn: self.game.turn(),
            players: self.game.rules().seats().map(player).collect(),
            draws: None,
            status: self.status(theme),
            shown: self.shown,
            lost: self.losing_move().map(|lost| lost.ply + 1),
            keys: &keys,
        };
        let keys_area = panel.keys_area(side);
        frame.render_widget(panel, side);
        self.click_map.add_keys(&KeyBar { theme, keys: &keys }, keys_area);
    }

    /// The position in words.
    fn status(&self, theme: Theme) -> Vec<Line<'static>> {
        let player = |action: Action| player_label(&self.shown_game, action.seat());
        let last = self.game.history().len();
        let done = match self.shown_game.history().next_back() {
            None if self.shown_game.position().stone_count() > 0 => "The first position".into(),
            None => "The empty board".to_string(),
            Some(action @ Action::Move { mv, .. }) => {
                let what = describe_move(&self.game, mv);
                format!("Move {} of {last}: {} {what}", self.shown, player(action))
            }
            Some(action @ Action::Resign { .. }) => format!("{} is out", player(action)),
        };
        let mut lines = vec![Line::raw(done)];
        if self.shown_game.turn().is_none() {
            lines.push(standing(&self.shown_game, theme));
            lines.extend(describe_reason(&self.shown_game).map(Line::raw));
        }
        lines.extend(turn_notes(&self.shown_game, theme));
        if self.analyses.is_running() {
            lines.push(Line::raw(format!("Analysing{}", theme.pick("…", "..."))));
        }
        let Some(mv) = self.next_move() else { return lines };
        let analysis = self.analyses.get(self.shown_game.position()).filter(|_| self.values);
        let worth = analysis.and_then(|analysis| verdict_of(analysis, mv));
        let mut next = vec![Span::raw(format!("Next: {mv}"))];
        if let Some(worth) = worth {
            next.push(Span::raw(", "));
            let words = verdict_words(self.shown_game.position(), worth);
            next.push(Span::styled(words, theme.role(theme.verdict(worth))));
        }
        lines.push(Line::from(next));
        if let Some(analysis) = analysis {
            let best = verdict_of(analysis, analysis.best).filter(|_| worth.is_some());
            let best = best.filter(|&best| Some(best) != worth);
            let words = |best| verdict_words(self.shown_game.position(), best);
            lines.extend(
                best.map(|best| Line::raw(format!("Best: {}, {}", analysis.best, words(best)))),
            );
        }
        lines
    }

    /// The losing move in words.
    fn verdict(&self) -> Option<String> {
        if self.losing_move_search.is_some() {
            return Some("Looking for the move that lost the game...".into());
        }
        let text = match self.lost.as_ref()? {
            Ok(Some(lost)) => {
                let player = player_label(&self.game, lost.seat);
                let (lost_at, missed) = match lost.missed.proven() {
                    Some(Value::Win { .. }) => ("Lost at", "was a win"),
                    Some(Value::Draw) => ("Lost at", "was a draw"),
                    Some(Value::Loss { .. }) | None => ("Probably lost at", "looks better"),
                };
                let number = lost.ply + 1;
                let better = move_words(&self.game, lost.better);
                format!("{lost_at} move {number}, {} by {player}: {better} {missed}.", lost.mv)
            }
            Ok(None) if matches!(self.game.status(), Status::Draw { .. }) => {
                "A draw: nobody made a losing move.".to_string()
            }
            Ok(None) => "No move of this game was a losing move.".to_string(),
            Err(error) => format!("The losing move can't be found: {error}."),
        };
        Some(text)
    }
}
