//! Draws the page of a local game.

use std::time::Instant;

use noughts_engine::ForfeitReason;
use noughts_play::{ClockDisplay, describe_reason, verdict_words};
use noughts_rules::{Cell, Move, Status};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::commands::Command;
use super::{GamePage, Overlay};
use crate::analysis_cache::{choice_value, moves_in};
use crate::dialog::MenuCommand;
use crate::move_picker::command_hint;
use crate::move_picker::opening::{ChoiceBar, choice_words};
use crate::position_notes::{last_cells, line_words, turn_notes};
use crate::screen_layout::{ScreenLayout, draw_choices, draw_message, draw_side, title};
use crate::storage::NOTICEABLE_DELAY;
use crate::theme::{TextRole, Theme};
use crate::widgets::board::Board;
use crate::widgets::click_map::ClickMap;
use crate::widgets::key_bar::{KeyHint, hints};
use crate::widgets::note::Note;
use crate::widgets::panel::{Panel, PlayerRow, standing};

pub(super) fn draw(page: &mut GamePage, frame: &mut Frame, area: Rect, theme: Theme, now: Instant) {
    let message = message(page);
    let parts = ScreenLayout::of(area, message.as_deref());
    let game = page.local_match.game();
    frame.render_widget(title(game.rules(), theme), parts.title);
    let notes = notes(page);
    let mut click_map = ClickMap::default();
    let choices = page.choices();
    let board_area = match choice_bar(page, &choices, theme) {
        Some(choices) => draw_choices(frame, parts.board, choices, &mut click_map),
        None => parts.board,
    };
    let board = Board {
        game,
        theme,
        cursor: game.turn().filter(|_| choices.is_empty()).map(|_| page.picker.cursor()),
        last: &last_cells(game),
        notes: &notes,
    };
    frame.render_stateful_widget(board, board_area, &mut page.picker.board);
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
            words += &choice_value(
                game.position(),
                analysis,
                choice,
                page.overlay == Overlay::Values,
                theme,
            );
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
    if page.local_match.is_paused() && game.turn().is_some() {
        lines.push(Line::raw("Paused."));
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
            let words = verdict_words(game.position(), at.verdict);
            Line::styled(format!("{}: {words}", at.mv), role)
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

/// Why a player is out of the game.
fn departure(name: &str, why: Option<&ForfeitReason>) -> String {
    match why {
        None => format!("{name} resigned."),
        Some(ForfeitReason::OutOfTime) => format!("{name} ran out of time."),
        Some(ForfeitReason::TooSlow { .. }) => format!("{name} took too long."),
        Some(ForfeitReason::Illegal(_)) => format!("{name} made an illegal move."),
        Some(_) => format!("{name} failed to move."),
    }
}

/// Hints for the keys that work now.
fn keys(page: &GamePage, theme: Theme, now: Instant) -> Vec<KeyHint> {
    let over = page.local_match.game().turn().is_none();
    let thinking = page.local_match.thinking(now).is_some();
    // Enter does nothing while the guard holds.
    let guarded = page.guard.holds(now).then(|| theme.pick("…", "..."));
    let mut keys = match (over, thinking) {
        (false, _) if page.local_match.is_exhibition() => {
            let what = if page.local_match.is_paused() { "go on" } else { "pause" };
            hints(&[("Space", what)])
        }
        (true, _) => hints(&[("Enter", guarded.unwrap_or("play again"))]),
        (_, true) => hints(&[("Enter", "move now")]),
        _ => page.picker.key_hints(page.local_match.game(), &page.choices(), theme, guarded),
    };
    let commands = page.commands().into_iter().filter(|command| !command.key().is_empty());
    let commands = commands.filter(|command| !(over && *command == Command::NewGame));
    let rules = page.local_match.game().rules();
    keys.extend(
        commands
            .map(|command| command_hint(rules, &page.keys.shown(command.key()), command.name())),
    );
    keys.push(("Esc".into(), "menu".into()));
    keys
}
