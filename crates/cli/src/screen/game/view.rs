//! How a game in play is drawn.

use std::time::Instant;

use noughts_rules::{Action, Game, Rules, Status};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

use super::commands::Command;
use super::{GamePage, Overlay};
use crate::screen::clerk::NOTICEABLE;
use crate::screen::clock::Shown;
use crate::screen::look::{Look, Tone};
use crate::screen::widgets::board::Board;
use crate::screen::widgets::clicks::Clicks;
use crate::screen::widgets::keys::{KeyHint, Keys, hints};
use crate::screen::widgets::note::Note;
use crate::screen::widgets::panel::{self, Panel, PlayerRow, standing};

/// Below this many columns or rows there is no panel beside the board.
const NARROW: u16 = 60;
const LOW: u16 = 18;

/// Below this many rows there is no title either, and messages stand in front of the keys.
const VERY_LOW: u16 = 10;

/// The parts of a screen with a board.
pub(crate) struct Parts {
    pub(crate) title: Rect,
    pub(crate) board: Rect,
    pub(crate) message: Rect,
    pub(crate) side: Side,
}

/// Where there is room for what belongs to the board.
pub(crate) enum Side {
    /// Beside it.
    Panel(Rect),
    /// Only in a line above it, and one for the keys below.
    Lines { status: Rect, keys: Rect },
}

impl Parts {
    pub(crate) fn of(area: Rect) -> Parts {
        let line = Constraint::Length(1);
        if area.height < VERY_LOW {
            let [status, board, keys] =
                Layout::vertical([line, Constraint::Fill(1), line]).areas(area);
            let title = Rect::default();
            return Parts { title, board, message: keys, side: Side::Lines { status, keys } };
        }
        if area.width < NARROW || area.height < LOW {
            let [title, status, board, message, keys] =
                Layout::vertical([line, line, Constraint::Fill(1), line, line]).areas(area);
            return Parts { title, board, message, side: Side::Lines { status, keys } };
        }
        let [title, body, message] =
            Layout::vertical([line, Constraint::Fill(1), line]).areas(area);
        let [board, _, panel, _] =
            Layout::horizontal([Constraint::Fill(1), line, Constraint::Length(panel::WIDTH), line])
                .areas(body);
        let panel = Rect { y: panel.y + 1, height: panel.height - 1, ..panel };
        Parts { title, board, message, side: Side::Panel(panel) }
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
    let mut clicks = Clicks::default();
    match parts.side {
        Side::Panel(area) => {
            let panel = side(page, look, now, status, &keys);
            clicks.add_keys(&Keys { look, keys: &keys }, panel.keys_area(area));
            frame.render_widget(panel, area);
        }
        Side::Lines { status: above, keys: below } => {
            let mut line = Line::raw(" ");
            for (i, part) in status.into_iter().enumerate() {
                if i > 0 {
                    line.push_span(Span::raw(look.separator()));
                }
                line.extend(part.spans.into_iter().map(|span| span.patch_style(part.style)));
            }
            frame.render_widget(Paragraph::new(line), above);
            clicks.add_keys(&Keys { look, keys: &keys }, below);
            frame.render_widget(Keys { look, keys: &keys }, below);
        }
    }
    let score = page.sitting.series().score().to_string();
    let over = page.sitting.game().turn().is_none();
    if let Some(message) =
        page.message.as_ref().or(page.explanation.as_ref()).or(over.then_some(&score))
    {
        draw_message(frame, parts.message, message, look);
    }
    if let Some(dialog) = &mut page.dialog {
        clicks.clear();
        dialog.draw(frame, area, look, &mut clicks);
    }
    page.clicks = clicks;
}

/// A sentence in the last line, instead of what is there.
pub(crate) fn draw_message(frame: &mut Frame, area: Rect, message: &str, look: Look) {
    frame.render_widget(Clear, area);
    let line = Line::styled(format!(" {message}"), look.tone(Tone::Title));
    frame.render_widget(Paragraph::new(line), area);
}

/// The program's name and what is played.
pub(crate) fn title(rules: &Rules, look: Look) -> Paragraph<'static> {
    let line = vec![
        Span::styled(" Noughts", look.tone(Tone::Title)),
        Span::raw(format!("{}{rules}", look.separator())),
        Span::styled(format!("{}{}", look.separator(), in_words(rules)), look.tone(Tone::Faint)),
    ];
    Paragraph::new(Line::from(line))
}

/// What the rules are about, in a few words.
pub(crate) fn in_words(rules: &Rules) -> String {
    let exactly = if rules.exact() { "exactly " } else { "" };
    let loses = if rules.misere() { " loses" } else { "" };
    let mut words = format!("{exactly}{} in a row{loses}", rules.k());
    if rules.gravity() {
        words += ", marks fall";
    }
    if rules.wrap() {
        words += ", edges join";
    }
    if rules.players() > 2 {
        words += &format!(", {} players", rules.players());
    }
    words
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
    if page.sitting.storing(now).is_some_and(|since| since >= NOTICEABLE) {
        lines.push(Line::raw(format!("Saving{}", look.pick("…", "..."))));
    }
    if game.turn().is_none() {
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
