//! How the first screen is drawn.

use crossterm::event::KeyCode;
use noughts_engine::PlayerKind;
use noughts_rules::{Player, Seat};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::{BOARDS, OWN, Opponent, Slot, StartPage};
use crate::game::{draw_message, in_words, message_height};
use crate::look::{Look, Tone};
use crate::widgets::field::Field;
use crate::widgets::keys::{KeyHint, Keys, hints};
use crate::widgets::shortened;
use noughts_play::computer_name;

const LABEL: u16 = 12;
const NAME: u16 = 24;
const SYMBOL: u16 = 6;

/// Something to be chosen from several values.
struct Values<'a> {
    slot: Slot,
    label: &'a str,
    values: &'a [String],
    chosen: usize,
}

impl StartPage {
    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look) {
        self.places.clear();
        self.clicks.clear();
        let slots = self.slots();
        let players = slots.iter().filter(|slot| matches!(slot, Slot::Symbol(_))).count() as u16;
        let own = u16::from(self.board == OWN);
        // Two choices with a line between them, the players, the button, and lines between those.
        let form = 2 + own + 1 + players + 2 + 1;
        let keys = self.keys(look);
        let keys = Keys { look, keys: &keys };
        // What there is room for: the form first, then a line of keys, then the name, and then the
        // other keys.
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
            self.draw_logo(frame, Rect { x: left, y, width, height: 3 }.intersection(area), look);
        } else if title > 0 {
            let name = Line::styled("Noughts", look.tone(Tone::Title));
            frame.render_widget(Paragraph::new(name), row(y));
        }
        y += if logo == 5 { 6 } else { title };
        let opponents: Vec<String> = self.opponents.iter().map(Opponent::name).collect();
        let values = Values {
            slot: Slot::Opponent,
            label: "Opponent",
            values: &opponents,
            chosen: self.opponent,
        };
        self.draw_values(frame, row(y), look, values);
        y += 1;
        let boards = BOARDS.map(|(name, _)| {
            if look.ascii && name == "Misère" { "Misere".to_string() } else { name.to_string() }
        });
        let values =
            Values { slot: Slot::Board, label: "Board", values: &boards, chosen: self.board };
        self.draw_values(frame, row(y), look, values);
        if own > 0 {
            y += 1;
            self.draw_rules(frame, row(y), look);
        }
        y += 2;
        for (person, kind) in self.kinds().iter().enumerate() {
            self.draw_player(frame, row(y), look, person, kind);
            y += 1;
        }
        y += 1;
        self.draw_button(frame, row(y), look);

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
            draw_message(frame, above.intersection(area), notice, look);
        }
        self.clicks.add_keys(&keys, bottom.intersection(area));
        frame.render_widget(keys, bottom.intersection(area));
    }

    fn kinds(&self) -> Vec<PlayerKind> {
        let players = self.rules().map_or(2, |rules| rules.players());
        self.opponents[self.opponent].kinds(players)
    }

    fn draw_logo(&self, frame: &mut Frame, area: Rect, look: Look) {
        let fine = [("▀▄ ▄▀", "▄▀▀▀▄"), ("  █  ", "█   █"), ("▄▀ ▀▄", "▀▄▄▄▀")];
        let ascii = [(r"\   /", r" .-. "), (r"  X  ", r"(   )"), (r"/   \", r" `-' ")];
        let words = ["", "N O U G H T S", "Get a row before the others do."];
        let second = Seat::new(1).unwrap_or(Seat::FIRST);
        let lines = (if look.ascii { ascii } else { fine }).into_iter().zip(words).enumerate();
        let lines = lines.map(|(i, ((x, o), words))| {
            let tone = if i == 1 { Tone::Title } else { Tone::Faint };
            Line::from(vec![
                Span::styled(x, look.seat(Seat::FIRST)),
                Span::raw("  "),
                Span::styled(o, look.seat(second)),
                Span::raw("   "),
                Span::styled(words, look.tone(tone)),
            ])
        });
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
    }

    /// A label, and the values to choose from: all of them where there is room, else the chosen.
    fn draw_values(&mut self, frame: &mut Frame, row: Rect, look: Look, values: Values) {
        let Values { slot, label, values, chosen } = values;
        self.draw_label(frame, row, look, slot, label);
        let area = beside_label(row);
        // People first, then computers.
        let before_second = if slot == Slot::Opponent { " computer:" } else { "" };
        let all: usize = values.iter().map(|value| value.width() + 2).sum();
        let all = all + before_second.len();
        let focused = self.focus == slot;
        let mut x = area.x;
        if all <= usize::from(area.width) {
            for (i, value) in values.iter().enumerate() {
                if i == 1 && !before_second.is_empty() {
                    let width = before_second.len() as u16;
                    let word = Span::styled(before_second, look.tone(Tone::Faint));
                    frame.render_widget(Paragraph::new(word), Rect { x, width, ..area });
                    x += width;
                }
                let width = value.width() as u16 + 2;
                let place = Rect { x, width, ..area };
                let (text, style) = match i == chosen {
                    true if focused => {
                        (format!("[{value}]"), look.tone(Tone::Focus).patch(look.selected()))
                    }
                    true => (format!("[{value}]"), look.tone(Tone::Title)),
                    false => (format!(" {value} "), look.tone(Tone::Plain)),
                };
                frame.render_widget(Paragraph::new(Span::styled(text, style)), place);
                self.places.push((place, slot, Some(i)));
                x += width;
            }
            return;
        }
        let (left, right) = (look.pick("◂", "<"), look.pick("▸", ">"));
        let value = shortened(&values[chosen], usize::from(area.width.saturating_sub(4)));
        let style = look.tone(if focused { Tone::Focus } else { Tone::Title });
        let text = Span::styled(format!("{left} {value} {right}"), style);
        frame.render_widget(Paragraph::new(text), area);
        let next = (chosen + 1) % values.len();
        self.places.push((area, slot, Some(next)));
    }

    fn draw_rules(&mut self, frame: &mut Frame, row: Rect, look: Look) {
        self.draw_label(frame, row, look, Slot::Rules, "Rules");
        let area = beside_label(row);
        let field = Rect { width: NAME.min(area.width), ..area };
        self.draw_field(frame, field, look, Slot::Rules, &self.rules.clone(), "5x5:4");
        let rest = Rect {
            x: field.right() + 1,
            width: area.width.saturating_sub(field.width + 1),
            ..area
        };
        let (text, tone) = match self.rules() {
            Ok(rules) => (in_words(&rules), Tone::Faint),
            Err(error) => (error, Tone::Bad),
        };
        let text = shortened(&text, usize::from(rest.width));
        frame.render_widget(Paragraph::new(Span::styled(text, look.tone(tone))), rest);
    }

    fn draw_player(
        &mut self,
        frame: &mut Frame,
        row: Rect,
        look: Look,
        person: usize,
        kind: &PlayerKind,
    ) {
        let seat = Seat::new(person as u8).unwrap_or(Seat::FIRST);
        let default = Player::default_for(seat);
        let slots = [Slot::Name(person), Slot::Symbol(person)];
        let focus = if slots.contains(&self.focus) { self.focus } else { slots[0] };
        self.draw_label(frame, row, look, focus, default.name());
        let area = beside_label(row);
        let name = Rect { width: NAME.min(area.width), ..area };
        if kind.is_human() {
            self.draw_field(
                frame,
                name,
                look,
                slots[0],
                &self.names[person].clone(),
                default.name(),
            );
        } else {
            let own = computer_name(&self.kinds(), person);
            let text = Span::styled(own, look.tone(Tone::Plain));
            frame.render_widget(Paragraph::new(text), name);
        }
        let label = Rect { x: name.right() + 2, width: 7, ..area }.intersection(area);
        frame.render_widget(Paragraph::new(Span::styled("symbol", look.tone(Tone::Faint))), label);
        let symbol = Rect { x: label.right() + 1, width: SYMBOL, ..area }.intersection(area);
        let default = default.symbol().to_string();
        self.draw_field(frame, symbol, look, slots[1], &self.symbols[person].clone(), &default);
    }

    /// A text that can be edited; what stands for an empty one is faint.
    fn draw_field(
        &mut self,
        frame: &mut Frame,
        area: Rect,
        look: Look,
        slot: Slot,
        field: &Field,
        default: &str,
    ) {
        if area.is_empty() {
            return;
        }
        let (text, _) = field.view(area.width);
        let span = match text.is_empty() {
            true => Span::styled(default, look.tone(Tone::Faint)),
            false => Span::styled(text, look.tone(Tone::Title)),
        };
        frame.render_widget(Paragraph::new(span), area);
        self.places.push((area, slot, None));
        if self.focus == slot {
            frame.set_cursor_position(field.caret_in(area));
        }
    }

    fn draw_label(&self, frame: &mut Frame, row: Rect, look: Look, slot: Slot, label: &str) {
        let focused = self.focus == slot;
        let mark = if focused { look.pointer() } else { " " };
        let style = look.tone(if focused { Tone::Focus } else { Tone::Plain });
        let area = Rect { width: LABEL.min(row.width), ..row };
        frame.render_widget(Paragraph::new(Span::styled(format!("{mark} {label}"), style)), area);
    }

    fn draw_button(&mut self, frame: &mut Frame, row: Rect, look: Look) {
        let text = format!("  {} Enter: play  ", look.pointer());
        let beside = beside_label(row);
        let area = if usize::from(beside.width) < text.width() { row } else { beside };
        let button = Rect { width: text.width() as u16, ..area }.intersection(area);
        let style = look.tone(Tone::Good).patch(look.selected());
        frame.render_widget(Paragraph::new(Span::styled(text, style)), button);
        self.clicks.add(button, KeyCode::Enter);
    }

    fn keys(&self, look: Look) -> Vec<KeyHint> {
        let (up_down, left_right) = (look.pick("↑↓", "up/down"), look.pick("←→", "left/right"));
        match self.focus {
            Slot::Opponent | Slot::Board => hints(&[
                ("Enter", "play"),
                (up_down, "go"),
                (left_right, "change"),
                ("s", "scoreboard"),
                ("g", "games"),
                ("?", "help"),
                ("q", "quit"),
            ]),
            _ => {
                hints(&[("Enter", "play"), (up_down, "go"), ("Esc", "to the top"), ("F1", "help")])
            }
        }
    }
}

fn beside_label(row: Rect) -> Rect {
    Rect { x: row.x + LABEL.min(row.width), width: row.width.saturating_sub(LABEL), ..row }
}
