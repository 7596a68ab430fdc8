//! Draws the start page.

use crossterm::event::KeyCode;
use noughts_rules::describe::{published_value, summary, title};
use noughts_rules::notation::PRESETS;
use noughts_rules::{Outcome, Player, Rules, Seat, Symbol};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use unicode_width::UnicodeWidthStr;

use super::layout::{FormLayout, FormRow, PlayerFields, beside_label, flow, form_area};
use super::{COUNTINGS, CUSTOM_EXAMPLE, FormItem, StartPage};
use crate::screen_layout::{draw_message, message_height};
use crate::theme::{TextRole, Theme};
use crate::widgets::key_bar::{KeyBar, KeyHint, hints};
use crate::widgets::shortened;
use crate::widgets::text_field::TextField;

/// The column of the second option of a line, counted from the form.
const SECOND_OPTION: u16 = 36;

/// A row of values, one of them selected.
struct ChoiceRow<'a> {
    slot: FormItem,
    label: &'a str,
    values: &'a [String],
    /// `None` if none of them is.
    chosen: Option<usize>,
}

impl StartPage {
    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        self.places.clear();
        self.click_map.clear();
        let keys = self.keys(theme);
        let keys = KeyBar { theme, keys: &keys };
        let boards = board_names(theme);
        let layout = FormLayout::of(self, area, &boards, keys.height(area.width.saturating_sub(2)));
        let form_height = layout.form_height();
        let free = area.height.saturating_sub(layout.logo + form_height + layout.keys + 1);
        let top = area.y + free.min(6) / 2;
        if layout.logo > 2 {
            self.draw_logo(frame, Rect { y: top, height: 3, ..form_area(area) }, theme);
        } else if layout.logo > 0 {
            let name = Line::styled("Noughts", theme.role(TextRole::Title));
            let row = Rect { y: top, height: 1, ..form_area(area) };
            frame.render_widget(Paragraph::new(name), row.intersection(area));
        }
        let form = Rect {
            y: top + layout.logo,
            height: (area.bottom().saturating_sub(layout.keys))
                .saturating_sub(top + layout.logo)
                .min(form_height),
            ..form_area(area)
        };
        self.draw_form(frame, form, theme, &layout, &boards);
        let bottom = Rect {
            x: area.x + 1,
            y: area.bottom().saturating_sub(layout.keys),
            width: area.width.saturating_sub(2),
            height: layout.keys.min(area.height),
        };
        if let Some(notice) = &self.notice {
            let height = message_height(notice, area.width);
            let y = bottom.y.saturating_sub(height);
            let above = Rect { x: area.x, y, width: area.width, height };
            draw_message(frame, above.intersection(area), notice, theme);
        }
        let bottom = bottom.intersection(area);
        self.click_map.add_keys(&keys, bottom);
        frame.render_widget(keys, bottom);
    }

    /// Draws the rows that are in view: in a low window those around the focus.
    fn draw_form(
        &mut self,
        frame: &mut Frame,
        form: Rect,
        theme: Theme,
        layout: &FormLayout,
        boards: &[String],
    ) {
        let (focus_top, focus_bottom) = layout.lines_of(self.focus);
        let last = layout.form_height().saturating_sub(form.height);
        let first = self.first_line.min(focus_top).min(last);
        self.first_line = first.max(focus_bottom.saturating_sub(form.height));
        let mut line = 0;
        for &(row, height) in &layout.rows {
            let (top, bottom) = (line, line + height);
            line = bottom;
            if top < self.first_line || height == 0 {
                continue;
            }
            let y = form.y + (top - self.first_line);
            let rows = Rect { y, height, ..form }.intersection(form);
            if !rows.is_empty() {
                self.draw_row(frame, rows, theme, row, boards);
            }
        }
    }

    fn draw_row(
        &mut self,
        frame: &mut Frame,
        rows: Rect,
        theme: Theme,
        row: FormRow,
        boards: &[String],
    ) {
        match row {
            FormRow::Blank => {}
            FormRow::Continue => self.draw_continuation(frame, rows, theme),
            FormRow::Opponent => {
                let name = |(i, kind): (usize, &noughts_engine::PlayerKind)| match i {
                    0 => "a person".to_string(),
                    _ => kind.to_string(),
                };
                let values: Vec<String> = self.kinds.iter().enumerate().map(name).collect();
                let (slot, chosen) = (FormItem::Opponent, self.opponent());
                let values = ChoiceRow { slot, label: "Opponent", values: &values, chosen };
                self.draw_values(frame, rows, theme, values);
            }
            FormRow::Boards => {
                let (slot, chosen) = (FormItem::Board, Some(self.board));
                let values = ChoiceRow { slot, label: "Board", values: boards, chosen };
                self.draw_values(frame, rows, theme, values);
            }
            FormRow::Rules => self.draw_rules(frame, rows, theme),
            FormRow::Description => {
                let (text, role) = match self.rules() {
                    Ok(rules) => (describe_game(&rules), TextRole::Faint),
                    Err(error) => (error, TextRole::Bad),
                };
                let text = Paragraph::new(text).wrap(Wrap { trim: true }).style(theme.role(role));
                frame.render_widget(text, beside_label(rows));
            }
            FormRow::Player(person) => self.draw_player(frame, rows, theme, person),
            FormRow::Options(first, second) => {
                let width = if second.is_some() { SECOND_OPTION - 1 } else { rows.width };
                self.draw_option(frame, Rect { width, ..rows }, theme, first);
                if let Some(second) = second {
                    let x = rows.x + SECOND_OPTION;
                    let width = rows.right().saturating_sub(x);
                    self.draw_option(frame, Rect { x, width, ..rows }, theme, second);
                }
            }
            FormRow::Button => self.draw_button(frame, rows, theme),
        }
    }

    fn draw_continuation(&mut self, frame: &mut Frame, row: Rect, theme: Theme) {
        let Some(kept) = &self.continuation else { return };
        let text = format!("Continue: {}", kept.summary());
        let focused = self.focus == FormItem::Continue;
        let mark = if focused { theme.pointer() } else { " " };
        let text = shortened(&format!("{mark} {text}"), usize::from(row.width));
        let style = match focused {
            true => theme.role(TextRole::Focus).patch(theme.selected()),
            false => theme.role(TextRole::Good),
        };
        frame.render_widget(Paragraph::new(Span::styled(text, style)), row);
        self.places.push((row, FormItem::Continue, None));
    }

    /// Draws an option with its value, which arrows change.
    fn draw_option(&mut self, frame: &mut Frame, row: Rect, theme: Theme, item: FormItem) {
        let (label, value, typed) = match item {
            FormItem::Clock => ("Clock", self.clock.text(), self.clock.is_typed()),
            FormItem::Think => ("Thinking", self.think.text(), self.think.is_typed()),
            FormItem::League => ("League", self.league.text(), self.league.is_typed()),
            _ => ("Counts", COUNTINGS[self.counting].1.to_string(), false),
        };
        self.draw_label(frame, row, theme, item, label);
        let area = beside_label(row);
        self.draw_stepper(frame, area, theme, item, &value, typed);
    }

    /// Draws a value between arrows, or as typed text.
    fn draw_stepper(
        &mut self,
        frame: &mut Frame,
        area: Rect,
        theme: Theme,
        item: FormItem,
        value: &str,
        typed: bool,
    ) {
        let focused = self.focus == item;
        let style = theme.role(if focused { TextRole::Focus } else { TextRole::Title });
        let width = usize::from(area.width.saturating_sub(4));
        let value = shortened(value, width);
        let (left, right) = (theme.pick("◂", "<"), theme.pick("▸", ">"));
        let text = match (focused, typed) {
            (true, true) => format!("{value}_"),
            (true, false) => format!("{left} {value} {right}"),
            (false, _) => value,
        };
        frame.render_widget(Paragraph::new(Span::styled(text, style)), area);
        self.places.push((area, item, Some(0)));
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
                let (text, style) = match Some(i) == chosen {
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
        let value = chosen.map_or("as below", |chosen| &*values[chosen]);
        let value = shortened(value, usize::from(area.width.saturating_sub(4)));
        let style = theme.role(if focused { TextRole::Focus } else { TextRole::Title });
        let text = Span::styled(format!("{left} {value} {right}"), style);
        frame.render_widget(Paragraph::new(text), area);
        let next = chosen.map_or(0, |chosen| (chosen + 1) % values.len());
        self.places.push((area, slot, Some(next)));
    }

    fn draw_rules(&mut self, frame: &mut Frame, row: Rect, theme: Theme) {
        self.draw_label(frame, row, theme, FormItem::Rules, "Rules");
        let example = format!("such as {CUSTOM_EXAMPLE}");
        let field = self.rules.clone();
        self.draw_field(frame, beside_label(row), theme, FormItem::Rules, &field, &example);
    }

    fn draw_player(&mut self, frame: &mut Frame, rows: Rect, theme: Theme, person: usize) {
        let seat = Seat::new(person as u8).unwrap_or(Seat::FIRST);
        let default = Player::default_for(seat);
        let slots = [FormItem::Kind(person), FormItem::Name(person), FormItem::Symbol(person)];
        let focus = if slots.contains(&self.focus) { self.focus } else { slots[0] };
        self.draw_label(frame, Rect { height: 1, ..rows }, theme, focus, default.name());
        let fields = PlayerFields::of(beside_label(rows));
        let within = |field: Rect| field.intersection(rows);
        let is_person = self.seats[person] == 0;
        let kind = match self.kinds.get(self.seats[person]) {
            Some(_) if is_person => "person".to_string(),
            Some(kind) => kind.to_string(),
            None => "engine".to_string(),
        };
        self.draw_stepper(frame, within(fields.kind), theme, slots[0], &kind, false);
        let name = within(fields.name);
        if self.is_engine(person) {
            let field = self.engines[person].clone();
            self.draw_field(frame, name, theme, slots[1], &field, "command of the engine");
        } else if is_person {
            let field = self.names[person].clone();
            self.draw_field(frame, name, theme, slots[1], &field, default.name());
        } else {
            let own = Span::styled(self.computer_name(person), theme.role(TextRole::Plain));
            frame.render_widget(Paragraph::new(own), name);
        }
        let label = Span::styled("symbol", theme.role(TextRole::Faint));
        frame.render_widget(Paragraph::new(label), within(fields.symbol_label));
        let (field, default) = (self.symbols[person].clone(), self.default_symbol(person));
        self.draw_field(frame, within(fields.symbol), theme, slots[2], &field, &default);
    }

    /// The symbol that a seat gets if none is typed.
    fn default_symbol(&self, person: usize) -> String {
        let seat = Seat::new(person as u8).unwrap_or(Seat::FIRST);
        let Ok(rules) = self.rules() else { return Symbol::default_for(seat).to_string() };
        let symbols = self.symbols.iter().map(|field| field.text().trim().parse().ok());
        let player = |symbol| crate::PlayerOptions {
            kind: noughts_engine::PlayerKind::HUMAN,
            name: None,
            symbol,
        };
        let players = symbols.take(rules.players()).map(player).collect();
        let options = crate::GameOptions { players, ..crate::GameOptions::of(rules) };
        options.people().get(person).map_or(String::new(), |player| player.symbol().to_string())
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
        let area = Rect { width: beside_label(row).x - row.x, ..row };
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
        let mut keys = match self.focus {
            FormItem::Continue => hints(&[("Enter", "continue"), (up_down, "navigate")]),
            FormItem::Name(_) | FormItem::Symbol(_) | FormItem::Rules => {
                return hints(&[
                    ("Enter", "play"),
                    (up_down, "navigate"),
                    ("Esc", "to the top"),
                    ("F1", "help"),
                ]);
            }
            FormItem::Clock | FormItem::Think | FormItem::League => {
                return hints(&[
                    ("Enter", "play"),
                    (up_down, "navigate"),
                    (left_right, "change, or type"),
                    ("Esc", "to the top"),
                    ("F1", "help"),
                ]);
            }
            _ => hints(&[("Enter", "play"), (up_down, "navigate"), (left_right, "change")]),
        };
        if self.continuation.is_some() && self.focus != FormItem::Continue {
            keys.extend(hints(&[("c", "continue")]));
        }
        if cfg!(feature = "online") {
            keys.extend(hints(&[("o", "play online")]));
        }
        keys.extend(hints(&[("p", "puzzles"), ("s", "scoreboard"), ("g", "games")]));
        keys.extend(hints(&[("?", "help"), ("q", "quit")]));
        keys
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
