//! Draws the start page.

use crossterm::event::KeyCode;
use noughts_engine::PlayerKind;
use noughts_rules::describe::{published_value, summary, title};
use noughts_rules::notation::PRESETS;
use noughts_rules::{Outcome, Player, Rules, Seat};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use unicode_width::UnicodeWidthStr;

use super::layout::{FormHeights, LABEL_WIDTH, beside_label, flow, form_area};
use super::{CUSTOM, FormItem, Opponent, StartPage};
use crate::screen_layout::{draw_message, message_height};
use crate::theme::{TextRole, Theme};
use crate::widgets::key_bar::{KeyBar, KeyHint, hints};
use crate::widgets::shortened;
use crate::widgets::text_field::TextField;
use noughts_play::computer_name;

const NAME_WIDTH: u16 = 24;
const SYMBOL_WIDTH: u16 = 6;

/// A row of values, one of them selected.
struct ChoiceRow<'a> {
    slot: FormItem,
    label: &'a str,
    values: &'a [String],
    chosen: usize,
}

impl StartPage {
    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        self.places.clear();
        self.click_map.clear();
        let keys = self.keys(theme);
        let keys = KeyBar { theme, keys: &keys };
        let boards = board_names(theme);
        let heights =
            FormHeights::of(self, area, &boards, keys.height(area.width.saturating_sub(2)));
        let free = area.height.saturating_sub(heights.logo + heights.form + heights.keys + 1);
        let mut y = area.y + free.min(6) / 2;
        let rows = |y: u16, height: u16| Rect { y, height, ..form_area(area) }.intersection(area);
        let row = |y: u16| rows(y, 1);

        if heights.logo > 2 {
            self.draw_logo(frame, rows(y, 3), theme);
        } else if heights.logo > 0 {
            let name = Line::styled("Noughts", theme.role(TextRole::Title));
            frame.render_widget(Paragraph::new(name), row(y));
        }
        y += heights.logo;
        let opponents: Vec<String> = self.opponents.iter().map(Opponent::name).collect();
        let values = ChoiceRow {
            slot: FormItem::Opponent,
            label: "Opponent",
            values: &opponents,
            chosen: self.opponent,
        };
        self.draw_values(frame, row(y), theme, values);
        y += 1;
        let values = ChoiceRow {
            slot: FormItem::Board,
            label: "Board",
            values: &boards,
            chosen: self.board,
        };
        self.draw_values(frame, rows(y, heights.boards), theme, values);
        y += heights.boards;
        if self.board == CUSTOM {
            self.draw_rules(frame, row(y), theme);
            y += 1;
        }
        if let Some(rules) = self.rules().ok().filter(|_| heights.description > 0) {
            let text = Paragraph::new(describe_game(&rules)).wrap(Wrap { trim: true });
            let text = text.style(theme.role(TextRole::Faint));
            frame.render_widget(text, beside_label(rows(y, heights.description)));
        }
        y += heights.description + 1;
        for (person, kind) in self.kinds().iter().enumerate() {
            self.draw_player(frame, row(y), theme, person, kind);
            y += 1;
        }
        y += 1;
        self.draw_button(frame, row(y), theme);

        let bottom = Rect {
            x: area.x + 1,
            y: area.bottom().saturating_sub(heights.keys),
            width: area.width.saturating_sub(2),
            height: heights.keys.min(area.height),
        };
        if let Some(notice) = &self.notice {
            let height = message_height(notice, area.width);
            let y = bottom.y.saturating_sub(height);
            let above = Rect { x: area.x, y, width: area.width, height };
            draw_message(frame, above.intersection(area), notice, theme);
        }
        self.click_map.add_keys(&keys, bottom.intersection(area));
        frame.render_widget(keys, bottom.intersection(area));
    }

    pub(super) fn kinds(&self) -> Vec<PlayerKind> {
        let players = self.rules().map_or(2, |rules| rules.players());
        self.opponents[self.opponent].kinds(players)
    }

    fn draw_logo(&self, frame: &mut Frame, area: Rect, theme: Theme) {
        let fine = [("▀▄ ▄▀", "▄▀▀▀▄"), ("  █  ", "█   █"), ("▄▀ ▀▄", "▀▄▄▄▀")];
        let ascii = [(r"\   /", r" .-. "), (r"  X  ", r"(   )"), (r"/   \", r" `-' ")];
        let words = ["", "N O U G H T S", "Be the first to complete a row."];
        let second = Seat::new(1).unwrap_or(Seat::FIRST);
        let lines = (if theme.ascii { ascii } else { fine }).into_iter().zip(words).enumerate();
        let lines = lines.map(|(i, ((x, o), words))| {
            let role = if i == 1 { TextRole::Title } else { TextRole::Faint };
            Line::from(vec![
                Span::styled(x, theme.seat(Seat::FIRST)),
                Span::raw("  "),
                Span::styled(o, theme.seat(second)),
                Span::raw("   "),
                Span::styled(words, theme.role(role)),
            ])
        });
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
    }

    /// Draws a label and its values: all if they fit, or else only the selected one.
    fn draw_values(&mut self, frame: &mut Frame, rows: Rect, theme: Theme, values: ChoiceRow) {
        let ChoiceRow { slot, label, values, chosen } = values;
        self.draw_label(frame, Rect { height: rows.height.min(1), ..rows }, theme, slot, label);
        let area = beside_label(rows);
        // Values from the second on are computers.
        let before_second = if slot == FormItem::Opponent { " computer:" } else { "" };
        let places = flow(values, before_second, area);
        let focused = self.focus == slot;
        if places.last().is_some_and(|last| last.bottom() <= area.bottom()) {
            if let (Some(second), false) = (places.get(1), before_second.is_empty()) {
                let width = before_second.len() as u16;
                let before = Rect { x: second.x - width, width, ..*second };
                let word = Span::styled(before_second, theme.role(TextRole::Faint));
                frame.render_widget(Paragraph::new(word), before);
            }
            for (i, (value, place)) in values.iter().zip(places).enumerate() {
                let (text, style) = match i == chosen {
                    true if focused => {
                        (format!("[{value}]"), theme.role(TextRole::Focus).patch(theme.selected()))
                    }
                    true => (format!("[{value}]"), theme.role(TextRole::Title)),
                    false => (format!(" {value} "), theme.role(TextRole::Plain)),
                };
                frame.render_widget(Paragraph::new(Span::styled(text, style)), place);
                self.places.push((place, slot, Some(i)));
            }
            return;
        }
        let area = Rect { height: area.height.min(1), ..area };
        let (left, right) = (theme.pick("◂", "<"), theme.pick("▸", ">"));
        let value = shortened(&values[chosen], usize::from(area.width.saturating_sub(4)));
        let style = theme.role(if focused { TextRole::Focus } else { TextRole::Title });
        let text = Span::styled(format!("{left} {value} {right}"), style);
        frame.render_widget(Paragraph::new(text), area);
        let next = (chosen + 1) % values.len();
        self.places.push((area, slot, Some(next)));
    }

    fn draw_rules(&mut self, frame: &mut Frame, row: Rect, theme: Theme) {
        self.draw_label(frame, row, theme, FormItem::Rules, "Rules");
        let area = beside_label(row);
        let field = Rect { width: NAME_WIDTH.min(area.width), ..area };
        self.draw_field(frame, field, theme, FormItem::Rules, &self.rules.clone(), "5x5:4");
        let rest = Rect {
            x: field.right() + 1,
            width: area.width.saturating_sub(field.width + 1),
            ..area
        };
        let (text, role) = match self.rules() {
            Ok(rules) => (title(&rules), TextRole::Faint),
            Err(error) => (error, TextRole::Bad),
        };
        let text = shortened(&text, usize::from(rest.width));
        frame.render_widget(Paragraph::new(Span::styled(text, theme.role(role))), rest);
    }

    fn draw_player(
        &mut self,
        frame: &mut Frame,
        row: Rect,
        theme: Theme,
        person: usize,
        kind: &PlayerKind,
    ) {
        let seat = Seat::new(person as u8).unwrap_or(Seat::FIRST);
        let default = Player::default_for(seat);
        let slots = [FormItem::Name(person), FormItem::Symbol(person)];
        let focus = if slots.contains(&self.focus) { self.focus } else { slots[0] };
        self.draw_label(frame, row, theme, focus, default.name());
        let area = beside_label(row);
        let name = Rect { width: NAME_WIDTH.min(area.width), ..area };
        if kind.is_human() {
            self.draw_field(
                frame,
                name,
                theme,
                slots[0],
                &self.names[person].clone(),
                default.name(),
            );
        } else {
            let own = computer_name(&self.kinds(), person);
            let text = Span::styled(own, theme.role(TextRole::Plain));
            frame.render_widget(Paragraph::new(text), name);
        }
        let label = Rect { x: name.right() + 2, width: 7, ..area }.intersection(area);
        frame.render_widget(
            Paragraph::new(Span::styled("symbol", theme.role(TextRole::Faint))),
            label,
        );
        let symbol = Rect { x: label.right() + 1, width: SYMBOL_WIDTH, ..area }.intersection(area);
        let default = default.symbol().to_string();
        self.draw_field(frame, symbol, theme, slots[1], &self.symbols[person].clone(), &default);
    }

    /// Draws an editable text, or its default faintly while it is empty.
    fn draw_field(
        &mut self,
        frame: &mut Frame,
        area: Rect,
        theme: Theme,
        slot: FormItem,
        field: &TextField,
        default: &str,
    ) {
        if area.is_empty() {
            return;
        }
        let (text, _) = field.view(area.width);
        let span = match text.is_empty() {
            true => Span::styled(default, theme.role(TextRole::Faint)),
            false => Span::styled(text, theme.role(TextRole::Title)),
        };
        frame.render_widget(Paragraph::new(span), area);
        self.places.push((area, slot, None));
        if self.focus == slot {
            frame.set_cursor_position(field.caret_in(area));
        }
    }

    fn draw_label(&self, frame: &mut Frame, row: Rect, theme: Theme, slot: FormItem, label: &str) {
        let focused = self.focus == slot;
        let mark = if focused { theme.pointer() } else { " " };
        let style = theme.role(if focused { TextRole::Focus } else { TextRole::Plain });
        let area = Rect { width: LABEL_WIDTH.min(row.width), ..row };
        frame.render_widget(Paragraph::new(Span::styled(format!("{mark} {label}"), style)), area);
    }

    fn draw_button(&mut self, frame: &mut Frame, row: Rect, theme: Theme) {
        let text = format!("  {} Enter: play  ", theme.pointer());
        let beside = beside_label(row);
        let area = if usize::from(beside.width) < text.width() { row } else { beside };
        let button = Rect { width: text.width() as u16, ..area }.intersection(area);
        let style = theme.role(TextRole::Good).patch(theme.selected());
        frame.render_widget(Paragraph::new(Span::styled(text, style)), button);
        self.click_map.add(button, KeyCode::Enter);
    }

    fn keys(&self, theme: Theme) -> Vec<KeyHint> {
        let (up_down, left_right) = (theme.pick("↑↓", "up/down"), theme.pick("←→", "left/right"));
        match self.focus {
            FormItem::Opponent | FormItem::Board => hints(&[
                ("Enter", "play"),
                (up_down, "navigate"),
                (left_right, "change"),
                ("s", "scoreboard"),
                ("g", "games"),
                ("?", "help"),
                ("q", "quit"),
            ]),
            _ => hints(&[
                ("Enter", "play"),
                (up_down, "navigate"),
                ("Esc", "to the top"),
                ("F1", "help"),
            ]),
        }
    }
}

/// The games of the chooser, shortly: all of them are kinds of tic-tac-toe.
fn board_names(theme: Theme) -> Vec<String> {
    let known = PRESETS.iter().filter_map(|(_, text)| text.parse().ok());
    let names = known.map(|rules: Rules| title(&rules).replace(" tic-tac-toe", ""));
    let names = names.chain(["Custom".to_string()]);
    names.map(|name| if theme.ascii { name.replace('è', "e") } else { name }).collect()
}

/// The game in a sentence, and what perfect play leads to where that is known.
fn describe_game(rules: &Rules) -> String {
    let value = published_value(rules).map(|value| match value.outcome {
        Outcome::Win(Seat::FIRST) => " With perfect play, the first player wins.",
        Outcome::Win(_) => " With perfect play, the second player wins.",
        Outcome::Draw => " With perfect play, the game is a draw.",
    });
    summary(rules) + value.unwrap_or_default()
}
