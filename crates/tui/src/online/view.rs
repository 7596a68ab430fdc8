//! Drawing an online game.

use std::time::Instant;

use noughts_api::{EndReason, GamePhase, GameView};
use noughts_client::{describe_ratings, describe_reason, describe_result, player_label};
use noughts_play::ClockDisplay;
use noughts_rules::{Game, Seat};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::OnlinePage;
use super::commands::Command;
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
use crate::widgets::panel::{Panel, PlayerRow, player_style, sign};

pub(super) fn draw(
    page: &mut OnlinePage,
    frame: &mut Frame,
    area: Rect,
    theme: Theme,
    now: Instant,
) {
    let message = message(page);
    let parts = ScreenLayout::of(area, message.as_deref());
    let game = &page.game;
    let mut title = title(game.rules(), theme);
    if let Some(league) = &page.view.league {
        let rated = format!("{}rated in {league}", theme.separator());
        title.push_span(Span::styled(rated, theme.role(TextRole::Faint)));
    }
    frame.render_widget(title, parts.title);
    let mut click_map = ClickMap::default();
    let (choices, mut board_area) = (page.choices(), parts.board);
    if !choices.is_empty() {
        let words = choices.iter().map(|&choice| choice_words(game, choice));
        let (question, selected) = ("Your choice:".to_string(), page.picker.choice());
        let bar = ChoiceBar { theme, question, choices: words.collect(), selected };
        board_area = draw_choices(frame, parts.board, bar, &mut click_map);
    }
    let is_live = page.view.phase == GamePhase::Live;
    let has_cursor = is_live && page.is_playing() && choices.is_empty();
    let board = Board {
        game,
        theme,
        cursor: has_cursor.then(|| page.picker.cursor()),
        last: &last_cells(game),
        notes: &[],
    };
    frame.render_stateful_widget(board, board_area, &mut page.picker.board);
    let keys = keys(page, theme, now);
    draw_side(frame, parts.side, side(page, theme, now, &keys), &mut click_map);
    if let Some(message) = message {
        draw_message(frame, parts.message, &message, theme);
    }
    if let Some(dialog) = &mut page.dialog {
        click_map.clear();
        dialog.draw(frame, area, theme, &mut click_map);
    }
    page.click_map = click_map;
}

/// The line below the board: the last message, or who can join and how.
fn message(page: &OnlinePage) -> Option<String> {
    let is_open = page.view.phase == GamePhase::Open;
    let how_to_join = || {
        let mut invited = page.view.players.iter().filter_map(|player| player.invited.as_ref());
        match invited.next() {
            Some(name) => format!("{name} is challenged, and can accept or decline."),
            None => {
                format!("Others join with: noughts join {}", page.client.game_url(page.view.id))
            }
        }
    };
    page.message.clone().or_else(|| is_open.then(how_to_join))
}

fn side<'a>(page: &'a OnlinePage, theme: Theme, now: Instant, keys: &'a [KeyHint]) -> Panel<'a> {
    let (view, game) = (&page.view, &page.game);
    let winner = view.result.as_ref().and_then(|result| result.winner);
    let wins = |seat: Seat| {
        let before = view.series.as_ref()?.wins.get(seat.index())?;
        Some(before + u32::from(winner == Some(seat)))
    };
    let players = game.rules().seats().map(|seat| PlayerRow {
        wins: wins(seat),
        clock: page.clock.as_ref().map(|clock| ClockDisplay(clock.left(seat, now)).to_string()),
    });
    let is_draw =
        |reason| matches!(reason, EndReason::Draw | EndReason::Repetition | EndReason::MoveLimit);
    let drawn = view.result.as_ref().is_some_and(|result| is_draw(result.reason));
    Panel {
        theme,
        game,
        turn: view.turn,
        players: players.collect(),
        draws: view.series.as_ref().map(|series| series.draws + u32::from(drawn)),
        status: status(page, theme, now),
        shown: game.history().len(),
        lost: None,
        keys,
    }
}

/// The state of the game in words.
fn status(page: &OnlinePage, theme: Theme, now: Instant) -> Vec<Line<'static>> {
    let (view, dots) = (&page.view, theme.pick("…", "..."));
    let mut lines = Vec::new();
    if !page.is_connected {
        lines.push(Line::styled(format!("Reconnecting{dots}"), theme.role(TextRole::Bad)));
    }
    lines.extend(standing(page, theme));
    lines.extend(requests(page, dots).into_iter().map(Line::raw));
    if view.phase == GamePhase::Live {
        lines.extend(turn_notes(&page.game, theme));
    }
    if page.sent_at.is_some_and(|since| now.saturating_duration_since(since) >= NOTICEABLE_DELAY) {
        lines.push(Line::raw(format!("Sending{dots}")));
    }
    if view.phase == GamePhase::Live && page.is_playing() && !page.picker.typed().is_empty() {
        lines.push(Line::from(vec![
            Span::raw("Box: "),
            Span::styled(format!("{}_", page.picker.typed()), theme.role(TextRole::Focus)),
        ]));
    }
    lines.extend(own_symbols(page).map(|text| faint(text, theme)));
    let ratings = by_player(page, |seat| Some(view.players.get(seat.index())?.rating?.to_string()));
    lines.extend(ratings.map(|text| faint(format!("Rated: {text}"), theme)));
    if view.phase == GamePhase::Live {
        let lags = by_player(page, |seat| Some(format!("{} ms", (*page.lags.get(seat.index())?)?)));
        lines.extend(lags.map(|text| faint(format!("Lag: {text}"), theme)));
    }
    lines
}

/// Whose turn it is, or the result.
fn standing(page: &OnlinePage, theme: Theme) -> Vec<Line<'static>> {
    let view = &page.view;
    match view.phase {
        GamePhase::Open => {
            let waiting = format!("Waiting for players{}", theme.pick("…", "..."));
            vec![Line::styled(waiting, theme.role(TextRole::Title))]
        }
        GamePhase::Live if view.is_your_turn() => {
            vec![Line::styled("Your turn", theme.role(TextRole::Title))]
        }
        GamePhase::Live => {
            let turn = view.turn.and_then(|turn| {
                let name = page.game.player(turn)?.name().to_string();
                Some(Line::from(vec![
                    Span::styled(name, player_style(&page.game, turn, theme)),
                    Span::raw(" to move"),
                ]))
            });
            turn.into_iter().collect()
        }
        GamePhase::Finished => ended(view, &page.game, theme),
    }
}

/// Which symbols are the user's.
fn own_symbols(page: &OnlinePage) -> Option<String> {
    let seats = &page.view.your_seats;
    let signs: Vec<String> = seats.iter().map(|&seat| sign(&page.game, seat)).collect();
    if signs.is_empty() {
        return Some("You are watching".to_string());
    }
    let is_known = signs.iter().all(|sign| !sign.is_empty());
    let words = || format!("You play {}", signs.join(" and "));
    (is_known && page.view.phase != GamePhase::Finished).then(words)
}

fn ended(view: &GameView, game: &Game, theme: Theme) -> Vec<Line<'static>> {
    let Some(result) = &view.result else { return Vec::new() };
    let style = match result.winner {
        Some(seat) => player_style(game, seat, theme),
        None => theme.role(TextRole::Title),
    };
    let mut lines: Vec<Line> =
        describe_result(view).map(|text| Line::styled(text, style)).into_iter().collect();
    if !result.cells.is_empty() {
        lines.push(Line::raw(line_words(game.rules(), &result.cells)));
    }
    lines.extend(describe_reason(view).map(Line::raw));
    lines.extend(describe_ratings(view).map(Line::raw));
    lines
}

/// Undo requests, rematch offers and absences.
fn requests(page: &OnlinePage, dots: &str) -> Vec<String> {
    let view = &page.view;
    let mut lines = Vec::new();
    if let Some(undo) = &view.undo_request {
        lines.push(match view.your_seats.contains(&undo.seat) {
            true => format!("You asked to take back a move{dots}"),
            false => format!("{} asks to take back a move", player_label(view, undo.seat)),
        });
    }
    if view.phase == GamePhase::Finished && view.rematch.is_none() {
        lines.extend(view.rematch_offers.iter().map(|seat| match view.your_seats.contains(seat) {
            true => format!("You offered a rematch{dots}"),
            false => format!("{} wants a rematch", player_label(view, *seat)),
        }));
    } else if view.phase == GamePhase::Finished {
        lines.push(match page.is_seated() {
            true => format!("The rematch begins{dots}"),
            false => "There is a rematch".to_string(),
        });
    }
    if view.phase == GamePhase::Live {
        let away = page.others().filter(|&seat| page.is_away(seat));
        lines.extend(away.map(|seat| format!("{} is away", player_label(view, seat))));
    }
    lines
}

/// A value for each player, if any is known.
fn by_player(page: &OnlinePage, value: impl Fn(Seat) -> Option<String>) -> Option<String> {
    let player = |seat: Seat| {
        let sign = Some(sign(&page.game, seat)).filter(|sign| !sign.is_empty());
        let name = || page.game.player(seat).map(|player| player.name().to_string());
        Some(format!("{} {}", sign.or_else(name)?, value(seat)?))
    };
    let players: Vec<String> = page.game.rules().seats().filter_map(player).collect();
    (!players.is_empty()).then(|| players.join(", "))
}

fn faint(text: String, theme: Theme) -> Line<'static> {
    Line::styled(text, theme.role(TextRole::Faint))
}

/// The available keys.
fn keys(page: &OnlinePage, theme: Theme, now: Instant) -> Vec<KeyHint> {
    let view = &page.view;
    let arrows = theme.pick("←↓↑→", "arrows");
    let commands = page.commands();
    // Enter is guarded for a moment after the board has changed.
    let guarded = page.guard.holds(now).then(|| theme.pick("…", "..."));
    let soon = |what| guarded.unwrap_or(what);
    let mut keys = match view.phase {
        GamePhase::Live
            if page.is_playing() && (view.is_your_turn() || !page.picker.typed().is_empty()) =>
        {
            page.picker.key_hints(&page.game, &page.choices(), theme, guarded)
        }
        GamePhase::Live if page.is_playing() => hints(&[(arrows, "move")]),
        GamePhase::Finished if commands.contains(&Command::Rematch) => {
            hints(&[("Enter", soon("play again"))])
        }
        GamePhase::Finished if commands.contains(&Command::WatchRematch) => {
            hints(&[("Enter", soon("watch the rematch"))])
        }
        _ => Vec::new(),
    };
    let shown = |command: &Command| match command {
        // Shown as Enter.
        Command::Rematch | Command::WatchRematch => false,
        Command::Claim => page.others().any(|seat| page.is_away(seat)),
        _ => true,
    };
    let commands = commands.into_iter().filter(shown);
    let rules = page.game.rules();
    keys.extend(
        commands
            .map(|command| command_hint(rules, &page.keys.shown(command.key()), command.name())),
    );
    keys.push(("Esc".into(), "menu".into()));
    keys
}
