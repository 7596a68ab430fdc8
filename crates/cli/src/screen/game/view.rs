//! How a game in play is drawn.

use std::time::Instant;

use noughts_rules::{Action, Game, Rules, Status};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::commands::Command;
use super::{GamePage, Overlay};
use crate::screen::clock::Shown;
use crate::screen::look::{Look, Tone};
use crate::screen::widgets::board::{Board, Note};
use crate::screen::widgets::keys::{KeyHint, Keys, hints};
use crate::screen::widgets::panel::{self, Panel, PlayerRow, standing};

/// Below this many columns there is no panel beside the board.
pub(crate) const NARROW: u16 = 60;

/// The parts of a screen with a board.
pub(crate) struct Parts {
    pub(crate) title: Rect,
    pub(crate) board: Rect,
    /// Beside the board, where there is room.
    pub(crate) panel: Option<Rect>,
    pub(crate) message: Rect,
}

impl Parts {
    pub(crate) fn of(area: Rect) -> Parts {
        let [title, body, message] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
                .areas(area);
        if area.width < NARROW || area.height < 14 {
            return Parts { title, board: body, panel: None, message };
        }
        let [board, _, panel, _] = Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(panel::WIDTH),
            Constraint::Length(1),
        ])
        .areas(body);
        let panel = Rect { y: panel.y + 1, height: panel.height - 1, ..panel };
        Parts { title, board, panel: Some(panel), message }
    }
}

pub(super) fn draw(page: &mut GamePage, frame: &mut Frame, area: Rect, look: Look, now: Instant) {
    let parts = Parts::of(area);
    let game = page.sitting.game();
    frame.render_widget(title(game.rules(), look), parts.title);
    let notes = notes(page);
    let board = Board {
        game,
        look,
        cursor: game.turn().map(|_| page.cursor),
        last: last_move(game),
        notes: &notes,
    };
    frame.render_stateful_widget(board, parts.board, &mut page.board);
    let status = status(page, look, now);
    let keys = keys(page, look, now);
    match parts.panel {
        Some(area) => frame.render_widget(side(page, look, now, status, &keys), area),
        None => {
            let top = status.into_iter().next().unwrap_or_default();
            frame.render_widget(Paragraph::new(top).right_aligned(), parts.title);
        }
    }
    match &page.message {
        Some(message) => {
            let line = Line::styled(format!(" {message}"), look.tone(Tone::Title));
            frame.render_widget(Paragraph::new(line), parts.message);
        }
        None if parts.panel.is_none() => {
            frame.render_widget(Keys { look, keys: &keys }, parts.message);
        }
        None => {}
    }
    if let Some(dialog) = &mut page.dialog {
        dialog.draw(frame, area, look);
    }
}

/// The program's name and what is played.
pub(crate) fn title(rules: &Rules, look: Look) -> Paragraph<'static> {
    let line = vec![
        Span::styled(" Noughts", look.tone(Tone::Title)),
        Span::styled(format!("{}{}", look.separator(), describe(rules)), look.tone(Tone::Faint)),
    ];
    Paragraph::new(Line::from(line))
}

/// The rules in a few words.
pub(crate) fn describe(rules: &Rules) -> String {
    let k = rules.k();
    let goal = if rules.misere() { format!("{k} in a row loses") } else { format!("{k} in a row") };
    format!("{rules}, {goal}")
}

pub(crate) fn last_move(game: &Game) -> Option<noughts_rules::Cell> {
    match game.history().next_back() {
        Some(Action::Move { cell, .. }) => Some(cell),
        _ => None,
    }
}

fn notes(page: &GamePage) -> Vec<(noughts_rules::Cell, Note)> {
    let position = page.sitting.game().position();
    match page.overlay {
        _ if page.sitting.person_to_move().is_none() => Vec::new(),
        Overlay::Nothing => Vec::new(),
        Overlay::Hint => page.study.notes(position, false),
        Overlay::Values => page.study.notes(position, true),
    }
}

fn side<'a>(
    page: &'a GamePage,
    look: Look,
    now: Instant,
    status: Vec<Line<'a>>,
    keys: &'a [KeyHint],
) -> Panel<'a> {
    let sitting = &page.sitting;
    let (game, score) = (sitting.game(), sitting.series().score());
    let players = game.rules().seats().map(|seat| PlayerRow {
        wins: Some(score.wins(sitting.series().person(seat))),
        clock: sitting.clock().map(|clock| Shown(clock.left(seat, now)).to_string()),
    });
    Panel {
        look,
        game,
        players: players.collect(),
        draws: Some(score.draws()),
        status,
        shown: game.history().len(),
        lost: None,
        keys,
    }
}

/// How it stands, in words.
fn status(page: &GamePage, look: Look, now: Instant) -> Vec<Line<'static>> {
    let game = page.sitting.game();
    let mut lines = Vec::new();
    match page.sitting.thinking(now) {
        Some(since) => {
            let turn = game.turn().map_or(0, |seat| seat.index());
            let name = game.players()[turn].name();
            let dots = look.pick("…", "...");
            let seconds = since.as_secs();
            let text = match seconds {
                0 => format!("{name} thinks{dots}"),
                _ => format!("{name} thinks{dots} {seconds} s"),
            };
            lines.push(Line::styled(text, look.tone(Tone::Title)));
        }
        None => lines.push(standing(game, look)),
    }
    if let Status::Won { cells, .. } = game.status() {
        let how = match (cells.is_empty(), game.rules().misere()) {
            (true, _) => "The others gave up.".to_string(),
            (false, misere) => {
                let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
                let whose = if misere { "The other one's line" } else { "The line" };
                format!("{whose}: {}", names.join(" "))
            }
        };
        lines.push(Line::raw(how));
    }
    if game.turn().is_none() {
        lines.push(Line::raw(page.sitting.series().score().to_string()));
        return lines;
    }
    if !page.typed.is_empty() {
        lines.push(Line::from(vec![
            Span::raw("Box: "),
            Span::styled(format!("{}_", page.typed), look.tone(Tone::Focus)),
        ]));
    } else if page.study.is_working() {
        lines.push(Line::raw(format!("Analysing{}", look.pick("…", "..."))));
    } else if page.overlay == Overlay::Values {
        let analysis = page.study.of(game.position());
        let at = analysis.and_then(|a| a.cells.iter().find(|at| at.cell == page.cursor));
        lines.extend(at.map(|at| {
            let tone = look.tone(look.verdict(at.verdict));
            Line::styled(format!("{}: {}", at.cell, at.verdict), tone)
        }));
    }
    lines
}

/// The keys that work now.
fn keys(page: &GamePage, look: Look, now: Instant) -> Vec<KeyHint> {
    let over = page.sitting.game().turn().is_none();
    let thinking = page.sitting.thinking(now).is_some();
    let arrows = look.pick("←↓↑→", "arrows");
    let mut keys = match (over, thinking, page.typed.is_empty()) {
        (true, ..) => hints(&[("Enter", "play again")]),
        (_, true, _) => hints(&[("Enter", "move now")]),
        (_, _, true) => hints(&[(arrows, "move"), ("Enter", "take")]),
        (_, _, false) => hints(&[("Enter", "take"), ("Esc", "clear")]),
    };
    let commands = page.commands().into_iter().filter(|command| !command.key().is_empty());
    let commands = commands.filter(|command| !(over && *command == Command::NewGame));
    keys.extend(commands.map(|command| (command.key().into(), command.name().into())));
    keys.push(("Esc".into(), "menu".into()));
    keys
}
