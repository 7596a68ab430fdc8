//! How a game at a server is drawn.

use std::time::Instant;

use noughts_rules::{Game, Seat};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::commands::Command;
use super::{Connection, OnlinePage, seat};
use crate::cell_picker::command_hint;
use crate::clock::ClockDisplay;
use crate::dialog::MenuCommand;
use crate::game::{ScreenLayout, draw_message, draw_side, last_move, title};
use crate::storage::NOTICEABLE_DELAY;
use crate::theme::{TextRole, Theme};
use crate::widgets::board::Board;
use crate::widgets::click_map::ClickMap;
use crate::widgets::key_bar::{KeyHint, hints};
use crate::widgets::panel::{Panel, PlayerRow};
use noughts_client::{Phase, View, ending, reason};

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
    let has_cursor = page.view.phase == Phase::Live && page.plays();
    let board = Board {
        game,
        theme,
        cursor: has_cursor.then(|| page.picker.cursor()),
        last: last_move(game),
        notes: &[],
    };
    frame.render_stateful_widget(board, parts.board, &mut page.picker.board);
    let keys = keys(page, theme, now);
    let mut click_map = ClickMap::default();
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

/// What is said below the board: the answer to a key or what happened, or else how others come in.
fn message(page: &OnlinePage) -> Option<String> {
    let waits = page.view.phase == Phase::Open;
    let address = || format!("Others join with: noughts join {}", page.link.address(&page.view.id));
    page.message.clone().or_else(|| waits.then(address))
}

fn side<'a>(page: &'a OnlinePage, theme: Theme, now: Instant, keys: &'a [KeyHint]) -> Panel<'a> {
    let (view, game) = (&page.view, &page.game);
    let winner = view.result.as_ref().and_then(|result| result.winner);
    let wins = |seat: Seat| {
        let before = view.series.as_ref()?.wins.get(seat.index())?;
        Some(before + u32::from(winner == Some(seat.index())))
    };
    let players = game.rules().seats().map(|seat| PlayerRow {
        wins: wins(seat),
        clock: page.clock.as_ref().map(|clock| ClockDisplay(clock.left(seat, now)).to_string()),
    });
    let drawn = view.result.as_ref().is_some_and(|result| result.how == "draw");
    Panel {
        theme,
        game,
        turn: view.turn.and_then(seat),
        players: players.collect(),
        draws: view.series.as_ref().map(|series| series.draws + u32::from(drawn)),
        status: status(page, theme, now),
        shown: game.history().len(),
        lost: None,
        keys,
    }
}

/// How it stands, in words.
fn status(page: &OnlinePage, theme: Theme, now: Instant) -> Vec<Line<'static>> {
    let (view, dots) = (&page.view, theme.pick("…", "..."));
    let mut lines = Vec::new();
    if page.connection == Connection::Lost {
        lines.push(Line::styled(format!("Reconnecting{dots}"), theme.role(TextRole::Bad)));
    }
    lines.extend(standing(page, theme));
    lines.extend(requests(page, dots).into_iter().map(Line::raw));
    if page.sent.is_some_and(|since| now.saturating_duration_since(since) >= NOTICEABLE_DELAY) {
        lines.push(Line::raw(format!("Sending{dots}")));
    }
    if view.phase == Phase::Live && page.plays() && !page.picker.typed().is_empty() {
        lines.push(Line::from(vec![
            Span::raw("Box: "),
            Span::styled(format!("{}_", page.picker.typed()), theme.role(TextRole::Focus)),
        ]));
    }
    lines.extend(own_seat(page).map(|text| faint(text, theme)));
    let ratings = told_of_players(page, |seat| view.players[seat].rating.map(|n| n.to_string()));
    lines.extend(ratings.map(|text| faint(format!("Rated: {text}"), theme)));
    if view.phase == Phase::Live {
        let lags = told_of_players(page, |seat| Some(format!("{} ms", page.lags[seat]?)));
        lines.extend(lags.map(|text| faint(format!("Lag: {text}"), theme)));
    }
    lines
}

/// Whose turn it is, or how the game ended.
fn standing(page: &OnlinePage, theme: Theme) -> Vec<Line<'static>> {
    let view = &page.view;
    match view.phase {
        Phase::Open => {
            let waiting = format!("Waiting for players{}", theme.pick("…", "..."));
            vec![Line::styled(waiting, theme.role(TextRole::Title))]
        }
        Phase::Live if view.is_own_turn() => {
            vec![Line::styled("Your turn", theme.role(TextRole::Title))]
        }
        Phase::Live => {
            let turn = view.turn.and_then(seat).and_then(|turn| {
                let name = page.game.player(turn)?.name().to_string();
                Some(Line::from(vec![Span::styled(name, theme.seat(turn)), Span::raw(" to move")]))
            });
            turn.into_iter().collect()
        }
        Phase::Over => ended(view, &page.game, theme),
    }
}

/// Which symbol is one's own.
fn own_seat(page: &OnlinePage) -> Option<String> {
    let symbols = page.view.yours.iter().filter_map(|&seat| page.game.players().get(seat));
    let symbols: Vec<String> = symbols.map(|player| player.symbol().to_string()).collect();
    match symbols.as_slice() {
        [] => Some("You watch".to_string()),
        _ if page.view.phase == Phase::Over => None,
        symbols => Some(format!("You play {}", symbols.join(" and "))),
    }
}

fn ended(view: &View, game: &Game, theme: Theme) -> Vec<Line<'static>> {
    let Some(result) = &view.result else { return Vec::new() };
    let style = match result.winner.and_then(seat) {
        Some(seat) => theme.seat(seat),
        None => theme.role(TextRole::Title),
    };
    let mut lines: Vec<Line> =
        ending(view).map(|text| Line::styled(text, style)).into_iter().collect();
    if !result.cells.is_empty() {
        let whose = if game.rules().misere() { "The other one's line" } else { "The line" };
        lines.push(Line::raw(format!("{whose}: {}", result.cells.join(" "))));
    }
    lines.extend(reason(view).map(Line::raw));
    lines
}

/// What players ask each other, and who is not there to be asked.
fn requests(page: &OnlinePage, dots: &str) -> Vec<String> {
    let view = &page.view;
    let mut lines = Vec::new();
    if let Some(undo) = &view.undo {
        lines.push(match view.yours.contains(&undo.seat) {
            true => format!("You asked to take back a move{dots}"),
            false => format!("{} asks to take back a move", view.player(undo.seat)),
        });
    }
    if view.phase == Phase::Over && view.next.is_none() {
        lines.extend(view.again.iter().map(|seat| match view.yours.contains(seat) {
            true => format!("You asked for a rematch{dots}"),
            false => format!("{} wants to play again", view.player(*seat)),
        }));
    } else if view.phase == Phase::Over {
        lines.push(match page.is_seated() {
            true => format!("The rematch begins{dots}"),
            false => "There is a rematch".to_string(),
        });
    }
    if view.phase == Phase::Live {
        let away = page.others().filter(|&seat| view.players[seat].away_since.is_some());
        lines.extend(away.map(|seat| format!("{} is away", view.player(seat))));
    }
    lines
}

/// Something of each player for whom it is known.
fn told_of_players(page: &OnlinePage, told: impl Fn(usize) -> Option<String>) -> Option<String> {
    let player = |(seat, player): (usize, &noughts_rules::Player)| {
        Some(format!("{} {}", player.symbol(), told(seat)?))
    };
    let players: Vec<String> = page.game.players().iter().enumerate().filter_map(player).collect();
    (!players.is_empty()).then(|| players.join(", "))
}

fn faint(text: String, theme: Theme) -> Line<'static> {
    Line::styled(text, theme.role(TextRole::Faint))
}

/// The keys that work now.
fn keys(page: &OnlinePage, theme: Theme, now: Instant) -> Vec<KeyHint> {
    let view = &page.view;
    let arrows = theme.pick("←↓↑→", "arrows");
    let commands = page.commands();
    // Not yet, where it would be too soon.
    let soon = |what| if page.guard.holds(now) { theme.pick("…", "...") } else { what };
    let mut keys = match view.phase {
        Phase::Live if page.plays() && !page.picker.typed().is_empty() => {
            hints(&[("Enter", "take"), ("Esc", "clear")])
        }
        Phase::Live if view.is_own_turn() => hints(&[(arrows, "move"), ("Enter", soon("take"))]),
        Phase::Live if page.plays() => hints(&[(arrows, "move")]),
        Phase::Over if commands.contains(&Command::Rematch) => {
            hints(&[("Enter", soon("play again"))])
        }
        Phase::Over if commands.contains(&Command::WatchNext) => {
            hints(&[("Enter", soon("watch the rematch"))])
        }
        _ => Vec::new(),
    };
    let is_away = |seat: usize| view.players[seat].away_since.is_some();
    let shown = |command: &Command| match command {
        // Enter does it.
        Command::Rematch | Command::WatchNext => false,
        Command::Claim => page.others().any(is_away),
        _ => true,
    };
    let commands = commands.into_iter().filter(shown);
    let rules = page.game.rules();
    keys.extend(commands.map(|command| command_hint(rules, command.key(), command.name())));
    keys.push(("Esc".into(), "menu".into()));
    keys
}
