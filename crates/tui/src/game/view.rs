//! Draws the page of a local game.

use std::time::Instant;

use noughts_engine::ForfeitReason;
use noughts_play::describe_reason;
use noughts_rules::{Action, Cell, Game, Goal, Move, Rules, Shape, Status, Zone, describe};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};

use super::commands::Command;
use super::{GamePage, Overlay};
use crate::analysis_cache::{choice_value, moves_in};
use crate::clock::ClockDisplay;
use crate::dialog::MenuCommand;
use crate::move_picker::command_hint;
use crate::move_picker::opening::{ChoiceBar, choice_words};
use crate::storage::NOTICEABLE_DELAY;
use crate::theme::{TextRole, Theme};
use crate::turn_notes::turn_notes;
use crate::widgets::board::Board;
use crate::widgets::click_map::ClickMap;
use crate::widgets::key_bar::{KeyBar, KeyHint, hints};
use crate::widgets::note::Note;
use crate::widgets::panel::{self, Panel, PlayerRow, standing, wrapped_height};

/// In smaller windows there is no panel beside the board.
const MIN_PANEL_WIDTH: u16 = 60;
const MIN_PANEL_HEIGHT: u16 = 18;

/// In lower windows there is no title, and messages cover the keys.
const MIN_TITLE_HEIGHT: u16 = 10;

/// The layout of a page with a board.
pub(crate) struct ScreenLayout {
    pub(crate) title: Rect,
    pub(crate) board: Rect,
    pub(crate) message: Rect,
    pub(crate) side: InfoArea,
}

/// Where the players, status and keys go.
pub(crate) enum InfoArea {
    /// In a panel beside the board.
    Panel(Rect),
    /// In one line above the board and one for the keys below.
    Lines { status: Rect, keys: Rect },
}

impl ScreenLayout {
    /// A layout with room for the whole message.
    pub(crate) fn of(area: Rect, message: Option<&str>) -> ScreenLayout {
        let line = Constraint::Length(1);
        let height = message.map_or(1, |message| message_height(message, area.width));
        let announcements = Constraint::Length(height);
        if area.height < MIN_TITLE_HEIGHT {
            let [status, board, keys] =
                Layout::vertical([line, Constraint::Fill(1), line]).areas(area);
            let title = Rect::default();
            let y = area.bottom().saturating_sub(height).max(board.y);
            let message = Rect { y, height, ..area }.intersection(area);
            return ScreenLayout { title, board, message, side: InfoArea::Lines { status, keys } };
        }
        if area.width < MIN_PANEL_WIDTH || area.height < MIN_PANEL_HEIGHT {
            let [title, status, board, message, keys] =
                Layout::vertical([line, line, Constraint::Fill(1), announcements, line])
                    .areas(area);
            return ScreenLayout { title, board, message, side: InfoArea::Lines { status, keys } };
        }
        let [title, body, message] =
            Layout::vertical([line, Constraint::Fill(1), announcements]).areas(area);
        let [board, _, panel, _] =
            Layout::horizontal([Constraint::Fill(1), line, Constraint::Length(panel::WIDTH), line])
                .areas(body);
        let panel = Rect { y: panel.y + 1, height: panel.height - 1, ..panel };
        ScreenLayout { title, board, message, side: InfoArea::Panel(panel) }
    }
}

pub(super) fn draw(page: &mut GamePage, frame: &mut Frame, area: Rect, theme: Theme, now: Instant) {
    let message = message(page);
    let parts = ScreenLayout::of(area, message.as_deref());
    let game = page.local_match.game();
    frame.render_widget(title(game.rules(), theme), parts.title);
    let notes = notes(page);
    let mut click_map = ClickMap::default();
    let choices = page.choices();
    let mut area = parts.board;
    if let Some(choices) = choice_bar(page, &choices, theme) {
        area = draw_choices(frame, parts.board, choices, &mut click_map);
    }
    let board = Board {
        game,
        theme,
        cursor: game.turn().filter(|_| choices.is_empty()).map(|_| page.picker.cursor()),
        last: &last_cells(game),
        notes: &notes,
    };
    frame.render_stateful_widget(board, area, &mut page.picker.board);
    let status = status(page, theme, now);
    let keys = keys(page, theme, now);
    draw_side(frame, parts.side, side(page, theme, now, status, &keys), &mut click_map);
    if let Some(message) = message {
        draw_message(frame, parts.message, &message, theme);
    }
    if let Some(dialog) = &mut page.dialog {
        click_map.clear();
        dialog.draw(frame, area, theme, &mut click_map);
    }
    page.click_map = click_map;
}

/// The opening choices of the person to move, with their values if those are shown.
fn choice_bar(page: &GamePage, choices: &[Move], theme: Theme) -> Option<ChoiceBar> {
    let game = page.local_match.game();
    let turn = page.local_match.person_to_move().filter(|_| !choices.is_empty())?;
    let analysis = page.analyses.get(game.position());
    let analysis = analysis.filter(|_| page.overlay != Overlay::Nothing);
    let words = |&choice: &Move| {
        let mut words = choice_words(game, choice);
        if let Some(analysis) = analysis {
            words += &choice_value(analysis, choice, page.overlay == Overlay::Values, theme);
        }
        words
    };
    Some(ChoiceBar {
        theme,
        question: format!("{}, choose:", game.players()[turn.index()].name()),
        choices: choices.iter().map(words).collect(),
        selected: page.picker.choice(),
    })
}

/// Draws opening choices below the board. Returns the area that is left for the board.
pub(crate) fn draw_choices(
    frame: &mut Frame,
    board: Rect,
    choices: ChoiceBar,
    click_map: &mut ClickMap,
) -> Rect {
    let inside = board.inner(Margin::new(1, 0));
    let height = choices.height(inside.width).min(board.height);
    let below = Rect { y: board.bottom() - height, height, ..inside };
    choices.add_clicks(below, click_map);
    frame.render_widget(choices, below);
    Rect { height: board.height - height, ..board }
}

/// Draws players, status and keys, and makes the keys clickable.
pub(crate) fn draw_side(frame: &mut Frame, side: InfoArea, panel: Panel, click_map: &mut ClickMap) {
    let theme = panel.theme;
    let keys = KeyBar { theme, keys: panel.keys };
    match side {
        InfoArea::Panel(area) => {
            click_map.add_keys(&keys, panel.keys_area(area));
            frame.render_widget(panel, area);
        }
        InfoArea::Lines { status: above, keys: below } => {
            let mut line = Line::raw(" ");
            for (i, part) in panel.status.into_iter().enumerate() {
                if i > 0 {
                    line.push_span(Span::raw(theme.separator()));
                }
                line.extend(part.spans.into_iter().map(|span| span.patch_style(part.style)));
            }
            frame.render_widget(Paragraph::new(line), above);
            click_map.add_keys(&keys, below);
            frame.render_widget(keys, below);
        }
    }
}

/// The message below the board: the reply to a key, or else the lasting message and the score.
fn message(page: &GamePage) -> Option<String> {
    if page.message.is_some() {
        return page.message.clone();
    }
    let over = page.local_match.game().turn().is_none();
    let score = over.then(|| page.local_match.series().score().to_string());
    let announcements: Vec<String> = page.explanation.clone().into_iter().chain(score).collect();
    (!announcements.is_empty()).then(|| announcements.join(" "))
}

/// Draws a message over the last lines.
pub(crate) fn draw_message(frame: &mut Frame, area: Rect, message: &str, theme: Theme) {
    frame.render_widget(Clear, area);
    let text = Paragraph::new(message).style(theme.role(TextRole::Title)).wrap(Wrap { trim: true });
    frame.render_widget(text, area.inner(Margin::new(1, 0)));
}

/// The lines that a message takes, limited so that the board stays visible.
pub(crate) fn message_height(message: &str, width: u16) -> u16 {
    const MAX_LINES: usize = 4;
    let width = usize::from(width.saturating_sub(2).max(1));
    wrapped_height(&Line::raw(message), width).min(MAX_LINES) as u16
}

/// The title: the program and the rules.
pub(crate) fn title(rules: &Rules, theme: Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(" Noughts", theme.role(TextRole::Title)),
        Span::raw(format!("{}{rules}", theme.separator())),
        Span::styled(
            format!("{}{}", theme.separator(), describe::title(rules)),
            theme.role(TextRole::Faint),
        ),
    ])
}

/// The cells of the last turn: all of them if a turn has several stones.
pub(crate) fn last_cells(game: &Game) -> Vec<Cell> {
    let stones = usize::from(game.rules().parts().stones_per_turn);
    let Some(last) = game.history().next_back() else { return Vec::new() };
    let turn = game.history().rev().take(stones).take_while(|action| action.seat() == last.seat());
    turn.filter_map(Action::cell).collect()
}

fn notes(page: &GamePage) -> Vec<(Cell, Note)> {
    let game = page.local_match.game();
    match page.overlay {
        _ if page.local_match.person_to_move().is_none() => Vec::new(),
        Overlay::Nothing => Vec::new(),
        Overlay::Hint => page.analyses.notes(game, false),
        Overlay::Values => page.analyses.notes(game, true),
    }
}

fn side<'a>(
    page: &'a GamePage,
    theme: Theme,
    now: Instant,
    status: Vec<Line<'a>>,
    keys: &'a [KeyHint],
) -> Panel<'a> {
    let local_match = &page.local_match;
    let (game, score) = (local_match.game(), local_match.series().score());
    let players = game.rules().seats().map(|seat| PlayerRow {
        wins: Some(score.wins(local_match.series().person(seat))),
        clock: local_match.clock().map(|clock| ClockDisplay(clock.left(seat, now)).to_string()),
    });
    Panel {
        theme,
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

/// The state of the game in words.
fn status(page: &GamePage, theme: Theme, now: Instant) -> Vec<Line<'static>> {
    let game = page.local_match.game();
    let mut lines = Vec::new();
    match page.local_match.thinking(now) {
        Some(since) => {
            let turn = game.turn().map_or(0, |seat| seat.index());
            let name = game.players()[turn].name();
            let dots = theme.pick("…", "...");
            let seconds = since.as_secs();
            let text = match seconds {
                0 => format!("{name} thinks{dots}"),
                _ => format!("{name} thinks{dots} {seconds} s"),
            };
            lines.push(Line::styled(text, theme.role(TextRole::Title)));
        }
        None => lines.push(standing(game, theme)),
    }
    lines.extend(ending(page).into_iter().map(Line::raw));
    lines.extend(turn_notes(game, theme));
    if page.local_match.is_unproven() {
        lines.push(Line::raw("Not proven to be best."));
    }
    if page.local_match.saving(now).is_some_and(|since| since >= NOTICEABLE_DELAY) {
        lines.push(Line::raw(format!("Saving{}", theme.pick("…", "..."))));
    }
    if game.turn().is_none() {
        return lines;
    }
    if !page.picker.typed().is_empty() {
        lines.push(Line::from(vec![
            Span::raw("Box: "),
            Span::styled(format!("{}_", page.picker.typed()), theme.role(TextRole::Focus)),
        ]));
    } else if page.analyses.is_running() {
        lines.push(Line::raw(format!("Analysing{}", theme.pick("…", "..."))));
    } else if page.overlay == Overlay::Values {
        let analysis = page.analyses.get(game.position());
        let at = analysis.map_or(Vec::new(), |a| moves_in(a, page.picker.cursor()));
        lines.extend(at.into_iter().map(|at| {
            let role = theme.role(theme.verdict(at.verdict));
            Line::styled(format!("{}: {}", at.mv, at.verdict), role)
        }));
    }
    lines
}

/// How the game ended: the line, who left, or another reason.
fn ending(page: &GamePage) -> Vec<String> {
    let game = page.local_match.game();
    let how = match game.status() {
        Status::Won { cells, .. } if !cells.is_empty() => vec![line_words(game.rules(), &cells)],
        Status::Won { .. } => {
            let left = page.local_match.departures();
            left.map(|(seat, why)| departure(game.players()[seat.index()].name(), why)).collect()
        }
        _ => Vec::new(),
    };
    how.into_iter().chain(describe_reason(game)).collect()
}

/// The completed line in words.
pub(crate) fn line_words(rules: &Rules, cells: &[Cell]) -> String {
    if matches!(rules.shape(), Shape::Nested { .. }) {
        let mut boards: Vec<Zone> = cells.iter().filter_map(|&cell| rules.zone(cell)).collect();
        boards.sort_unstable();
        boards.dedup();
        let names: Vec<String> = boards.into_iter().map(|board| rules.zone_name(board)).collect();
        return format!("The boards: {}", names.join(" "));
    }
    let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
    let loses = matches!(rules.parts().goal, Goal::Avoid | Goal::LastBoard);
    let whose = if loses { "The loser's line" } else { "The line" };
    format!("{whose}: {}", names.join(" "))
}

/// Why a player is out of the game.
fn departure(name: &str, why: Option<&ForfeitReason>) -> String {
    match why {
        None => format!("{name} resigned."),
        Some(ForfeitReason::OutOfTime) => format!("{name} ran out of time."),
        Some(ForfeitReason::TooSlow { .. }) => format!("{name} took too long."),
        Some(ForfeitReason::Illegal(_)) => format!("{name} made an illegal move."),
        Some(ForfeitReason::Failed(_)) => format!("{name} failed to move."),
    }
}

/// Hints for the keys that work now.
fn keys(page: &GamePage, theme: Theme, now: Instant) -> Vec<KeyHint> {
    let over = page.local_match.game().turn().is_none();
    let thinking = page.local_match.thinking(now).is_some();
    // Enter does nothing while the guard holds.
    let guarded = page.guard.holds(now).then(|| theme.pick("…", "..."));
    let mut keys = match (over, thinking) {
        (true, _) => hints(&[("Enter", guarded.unwrap_or("play again"))]),
        (_, true) => hints(&[("Enter", "move now")]),
        _ => page.picker.key_hints(page.local_match.game(), &page.choices(), theme, guarded),
    };
    let commands = page.commands().into_iter().filter(|command| !command.key().is_empty());
    let commands = commands.filter(|command| !(over && *command == Command::NewGame));
    let rules = page.local_match.game().rules();
    keys.extend(commands.map(|command| command_hint(rules, command.key(), command.name())));
    keys.push(("Esc".into(), "menu".into()));
    keys
}
