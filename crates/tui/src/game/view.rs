//! How a game in play is drawn.

use std::time::Instant;

use noughts_engine::ForfeitReason;
use noughts_rules::{Action, Game, Rules, Status};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};

use super::commands::Command;
use super::{GamePage, Overlay};
use crate::aim::command_hint;
use crate::clerk::NOTICEABLE;
use crate::clock::Shown;
use crate::dialog::MenuCommand;
use crate::look::{Look, Tone};
use crate::widgets::board::Board;
use crate::widgets::clicks::Clicks;
use crate::widgets::keys::{KeyHint, Keys, hints};
use crate::widgets::note::Note;
use crate::widgets::panel::{self, Panel, PlayerRow, standing, wrapped_height};

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
    /// With room for all of a message.
    pub(crate) fn of(area: Rect, message: Option<&str>) -> Parts {
        let line = Constraint::Length(1);
        let height = message.map_or(1, |message| message_height(message, area.width));
        let said = Constraint::Length(height);
        if area.height < VERY_LOW {
            let [status, board, keys] =
                Layout::vertical([line, Constraint::Fill(1), line]).areas(area);
            let title = Rect::default();
            let y = area.bottom().saturating_sub(height).max(board.y);
            let message = Rect { y, height, ..area }.intersection(area);
            return Parts { title, board, message, side: Side::Lines { status, keys } };
        }
        if area.width < NARROW || area.height < LOW {
            let [title, status, board, message, keys] =
                Layout::vertical([line, line, Constraint::Fill(1), said, line]).areas(area);
            return Parts { title, board, message, side: Side::Lines { status, keys } };
        }
        let [title, body, message] =
            Layout::vertical([line, Constraint::Fill(1), said]).areas(area);
        let [board, _, panel, _] =
            Layout::horizontal([Constraint::Fill(1), line, Constraint::Length(panel::WIDTH), line])
                .areas(body);
        let panel = Rect { y: panel.y + 1, height: panel.height - 1, ..panel };
        Parts { title, board, message, side: Side::Panel(panel) }
    }
}

pub(super) fn draw(page: &mut GamePage, frame: &mut Frame, area: Rect, look: Look, now: Instant) {
    let message = message(page);
    let parts = Parts::of(area, message.as_deref());
    let game = page.sitting.game();
    frame.render_widget(title(game.rules(), look), parts.title);
    let notes = notes(page);
    let board = Board {
        game,
        look,
        cursor: game.turn().map(|_| page.aim.cursor()),
        last: last_move(game),
        notes: &notes,
    };
    frame.render_stateful_widget(board, parts.board, &mut page.aim.board);
    let status = status(page, look, now);
    let keys = keys(page, look, now);
    let mut clicks = Clicks::default();
    draw_side(frame, parts.side, side(page, look, now, status, &keys), &mut clicks);
    if let Some(message) = message {
        draw_message(frame, parts.message, &message, look);
    }
    if let Some(dialog) = &mut page.dialog {
        clicks.clear();
        dialog.draw(frame, area, look, &mut clicks);
    }
    page.clicks = clicks;
}

/// Draws what belongs to the board where there is room for it, and makes its keys clickable.
pub(crate) fn draw_side(frame: &mut Frame, side: Side, panel: Panel, clicks: &mut Clicks) {
    let look = panel.look;
    let keys = Keys { look, keys: panel.keys };
    match side {
        Side::Panel(area) => {
            clicks.add_keys(&keys, panel.keys_area(area));
            frame.render_widget(panel, area);
        }
        Side::Lines { status: above, keys: below } => {
            let mut line = Line::raw(" ");
            for (i, part) in panel.status.into_iter().enumerate() {
                if i > 0 {
                    line.push_span(Span::raw(look.separator()));
                }
                line.extend(part.spans.into_iter().map(|span| span.patch_style(part.style)));
            }
            frame.render_widget(Paragraph::new(line), above);
            clicks.add_keys(&keys, below);
            frame.render_widget(keys, below);
        }
    }
}

/// What is said below the board: the answer to a key, or else what is to be known of the game.
fn message(page: &GamePage) -> Option<String> {
    if page.message.is_some() {
        return page.message.clone();
    }
    let over = page.sitting.game().turn().is_none();
    let score = over.then(|| page.sitting.series().score().to_string());
    let said: Vec<String> = page.explanation.clone().into_iter().chain(score).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// Sentences in the last lines, instead of what is there.
pub(crate) fn draw_message(frame: &mut Frame, area: Rect, message: &str, look: Look) {
    frame.render_widget(Clear, area);
    let text = Paragraph::new(message).style(look.tone(Tone::Title)).wrap(Wrap { trim: true });
    frame.render_widget(text, area.inner(Margin::new(1, 0)));
}

/// How many lines sentences need. Beyond a few there is nothing left of the board.
pub(crate) fn message_height(message: &str, width: u16) -> u16 {
    const MOST: usize = 4;
    let width = usize::from(width.saturating_sub(2).max(1));
    wrapped_height(&Line::raw(message), width).min(MOST) as u16
}

/// The program's name and what is played.
pub(crate) fn title(rules: &Rules, look: Look) -> Line<'static> {
    Line::from(vec![
        Span::styled(" Noughts", look.tone(Tone::Title)),
        Span::raw(format!("{}{rules}", look.separator())),
        Span::styled(format!("{}{}", look.separator(), in_words(rules)), look.tone(Tone::Faint)),
    ])
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
        turn: game.turn(),
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
            (true, _) => {
                let left = page.sitting.departures();
                let left =
                    left.map(|(seat, why)| departure(game.players()[seat.index()].name(), why));
                left.collect::<Vec<_>>().join(" ")
            }
            (false, misere) => {
                let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
                let whose = if misere { "The other one's line" } else { "The line" };
                format!("{whose}: {}", names.join(" "))
            }
        };
        lines.push(Line::raw(how));
    }
    if page.sitting.lacks_proof() {
        lines.push(Line::raw("Not proven to be best."));
    }
    if page.sitting.storing(now).is_some_and(|since| since >= NOTICEABLE) {
        lines.push(Line::raw(format!("Saving{}", look.pick("…", "..."))));
    }
    if game.turn().is_none() {
        return lines;
    }
    if !page.aim.typed().is_empty() {
        lines.push(Line::from(vec![
            Span::raw("Box: "),
            Span::styled(format!("{}_", page.aim.typed()), look.tone(Tone::Focus)),
        ]));
    } else if page.study.is_working() {
        lines.push(Line::raw(format!("Analysing{}", look.pick("…", "..."))));
    } else if page.overlay == Overlay::Values {
        let analysis = page.study.of(game.position());
        let at = analysis.and_then(|a| a.cells.iter().find(|at| at.cell == page.aim.cursor()));
        lines.extend(at.map(|at| {
            let tone = look.tone(look.verdict(at.verdict));
            Line::styled(format!("{}: {}", at.cell, at.verdict), tone)
        }));
    }
    lines
}

/// Why a player does not play on.
fn departure(name: &str, why: Option<&ForfeitReason>) -> String {
    match why {
        None => format!("{name} gave up."),
        Some(ForfeitReason::OutOfTime) => format!("The time of {name} ran out."),
        Some(ForfeitReason::TooSlow { .. }) => format!("{name} took too long."),
        Some(ForfeitReason::Illegal(_)) => format!("{name} made an illegal move."),
        Some(ForfeitReason::Failed(_)) => format!("{name} failed to move."),
    }
}

/// The keys that work now.
fn keys(page: &GamePage, look: Look, now: Instant) -> Vec<KeyHint> {
    let over = page.sitting.game().turn().is_none();
    let thinking = page.sitting.thinking(now).is_some();
    let arrows = look.pick("←↓↑→", "arrows");
    // Not yet, where it would be too soon.
    let soon = |what| if page.guard.holds(now) { look.pick("…", "...") } else { what };
    let mut keys = match (over, thinking, page.aim.typed().is_empty()) {
        (true, ..) => hints(&[("Enter", soon("play again"))]),
        (_, true, _) => hints(&[("Enter", "move now")]),
        (_, _, true) => hints(&[(arrows, "move"), ("Enter", soon("take"))]),
        (_, _, false) => hints(&[("Enter", "take"), ("Esc", "clear")]),
    };
    let commands = page.commands().into_iter().filter(|command| !command.key().is_empty());
    let commands = commands.filter(|command| !(over && *command == Command::NewGame));
    let rules = page.sitting.game().rules();
    keys.extend(commands.map(|command| command_hint(rules, command.key(), command.name())));
    keys.push(("Esc".into(), "menu".into()));
    keys
}
