//! Draws the start page.

use crossterm::event::KeyCode;
use noughts_engine::PlayerKind;
use noughts_rules::{Player, Seat};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::{BOARDS, CUSTOM, FormItem, Opponent, StartPage};
use crate::game::{draw_message, in_words, message_height};
use crate::theme::{TextRole, Theme};
use crate::widgets::key_bar::{KeyBar, KeyHint, hints};
use crate::widgets::shortened;
use crate::widgets::text_field::TextField;
use noughts_play::computer_name;

const LABEL_WIDTH: u16 = 12;
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
        let slots = self.slots();
        let players =
            slots.iter().filter(|slot| matches!(slot, FormItem::Symbol(_))).count() as u16;
        let own = u16::from(self.board == CUSTOM);
        // Two value rows, the players and the button, with blank lines between.
        let form = 2 + own + 1 + players + 2 + 1;
        let keys = self.keys(theme);
        let keys = KeyBar { theme, keys: &keys };
        // In small windows the form comes first, then one line of keys, the title, and more keys.
        let title = if area.height >= form + 3 { 2 } else { 0 };
        let room = area.height.saturating_sub(form + title);
        let keys_height = keys.height(area.width.saturating_sub(2)).min(room);
        let bottom = 1 + keys_height;
        let logo = if area.height >= form + bottom + 8 && area.width >= 50 { 5 } else { 1 };
        let left = area.x + if area.width >= 70 { (area.width - 68) / 2 } else { 1 };
        let width = area.right().saturating_sub(left + 1);
        let free = area.height.saturating_sub(logo + 1 + form + bottom);
        let mut y = area.y + free.min(6) / 2;
        let row = |y: u16| Rect { x: left, y, width, height: 1 }.intersection(area);

        if logo == 5 {
            self.draw_logo(frame, Rect { x: left, y, width, height: 3 }.intersection(area), theme);
        } else if title > 0 {
            let name = Line::styled("Noughts", theme.role(TextRole::Title));
            frame.render_widget(Paragraph::new(name), row(y));
        }
        y += if logo == 5 { 6 } else { title };
        let opponents: Vec<String> = self.opponents.iter().map(Opponent::name).collect();
        let values = ChoiceRow {
            slot: FormItem::Opponent,
            label: "Opponent",
            values: &opponents,
            chosen: self.opponent,
        };
        self.draw_values(frame, row(y), theme, values);
        y += 1;
        let boards = BOARDS.map(|(name, _)| {
            if theme.ascii && name == "Misère" { "Misere".to_string() } else { name.to_string() }
        });
        let values = ChoiceRow {
            slot: FormItem::Board,
            label: "Board",
            values: &boards,
            chosen: self.board,
        };
        self.draw_values(frame, row(y), theme, values);
        if own > 0 {
            y += 1;
            self.draw_rules(frame, row(y), theme);
        }
        y += 2;
        for (person, kind) in self.kinds().iter().enumerate() {
            self.draw_player(frame, row(y), theme, person, kind);
            y += 1;
        }
        y += 1;
        self.draw_button(frame, row(y), theme);

        let bottom = Rect {
            x: area.x + 1,
            y: area.bottom().saturating_sub(keys_height),
            width: area.width.saturating_sub(2),
            height: keys_height.min(area.height),
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

    fn kinds(&self) -> Vec<PlayerKind> {
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

    /// Draws a label and its values: all that fit, or else only the selected one.
    fn draw_values(&mut self, frame: &mut Frame, row: Rect, theme: Theme, values: ChoiceRow) {
        let ChoiceRow { slot, label, values, chosen } = values;
        self.draw_label(frame, row, theme, slot, label);
        let area = beside_label(row);
        // Values from the second on are computers.
        let before_second = if slot == FormItem::Opponent { " computer:" } else { "" };
        let all: usize = values.iter().map(|value| value.width() + 2).sum();
        let all = all + before_second.len();
        let focused = self.focus == slot;
        let mut x = area.x;
        if all <= usize::from(area.width) {
            for (i, value) in values.iter().enumerate() {
                if i == 1 && !before_second.is_empty() {
                    let width = before_second.len() as u16;
                    let word = Span::styled(before_second, theme.role(TextRole::Faint));
                    frame.render_widget(Paragraph::new(word), Rect { x, width, ..area });
                    x += width;
                }
                let width = value.width() as u16 + 2;
                let place = Rect { x, width, ..area };
                let (text, style) = match i == chosen {
                    true if focused => {
                        (format!("[{value}]"), theme.role(TextRole::Focus).patch(theme.selected()))
                    }
                    true => (format!("[{value}]"), theme.role(TextRole::Title)),
                    false => (format!(" {value} "), theme.role(TextRole::Plain)),
                };
                frame.render_widget(Paragraph::new(Span::styled(text, style)), place);
                self.places.push((place, slot, Some(i)));
                x += width;
            }
            return;
        }
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
            Ok(rules) => (in_words(&rules), TextRole::Faint),
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

fn beside_label(row: Rect) -> Rect {
    Rect {
        x: row.x + LABEL_WIDTH.min(row.width),
        width: row.width.saturating_sub(LABEL_WIDTH),
        ..row
    }
}
