//! The first screen: who plays what. One key plays what was played the last time.

use crossterm::event::{Event, KeyCode, KeyEvent, MouseButton, MouseEventKind};
use noughts_engine::PlayerKind;
use noughts_rules::{MAX_PLAYERS, Player, Rules, Seat, Symbol};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::Go;
use super::choice::{Choice, PlayerChoice};
use super::game::describe;
use super::look::{Look, Tone};
use super::widgets::field::Field;
use super::widgets::keys::{KeyHint, Keys, hints};
use super::widgets::shortened;
use crate::play::people::computer_name;

/// Boards by name, with the text form of their rules. The last one is for the user to write.
const BOARDS: [(&str, &str); 6] = [
    ("3x3", "3x3"),
    ("4x4", "4x4"),
    ("Gomoku", "gomoku"),
    ("Connect Four", "connect4"),
    ("Misère", "misere"),
    ("Your own", ""),
];
const OWN: usize = BOARDS.len() - 1;

const LABEL: u16 = 12;
const NAME: u16 = 24;
const SYMBOL: u16 = 6;

/// Something that can be chosen or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Opponent,
    Board,
    Rules,
    Name(usize),
    Symbol(usize),
}

/// The choice as it is being made.
pub(crate) struct StartPage {
    opponents: Vec<Opponent>,
    opponent: usize,
    board: usize,
    rules: Field,
    names: Vec<Field>,
    symbols: Vec<Field>,
    focus: Slot,
    notice: Option<String>,
    /// What can be clicked, and which of its values that chooses.
    places: Vec<(Rect, Slot, Option<usize>)>,
    play_button: Rect,
}

/// Who sits at the other seats.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Opponent {
    Person,
    Computer(PlayerKind),
    /// Players in an order that can't be chosen here, as they were given.
    Given(Vec<PlayerKind>),
}

impl Opponent {
    fn kinds(&self, players: usize) -> Vec<PlayerKind> {
        match self {
            Opponent::Person => vec![PlayerKind::HUMAN; players],
            Opponent::Computer(kind) => {
                let mut kinds = vec![kind.clone(); players];
                kinds[0] = PlayerKind::HUMAN;
                kinds
            }
            Opponent::Given(kinds) => {
                let mut kinds = kinds.clone();
                kinds.resize(players, PlayerKind::HUMAN);
                kinds
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Opponent::Person => "a person".into(),
            Opponent::Computer(kind) => kind.to_string(),
            Opponent::Given(kinds) => {
                kinds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl StartPage {
    /// Begins with what was chosen before.
    pub(crate) fn new(choice: &Choice, notice: Option<String>) -> StartPage {
        let kinds: Vec<PlayerKind> =
            (0..choice.rules.players()).map(|person| choice.kind(person)).collect();
        let computers = PlayerKind::computers().map(Opponent::Computer);
        let mut opponents: Vec<Opponent> =
            [Opponent::Person].into_iter().chain(computers).collect();
        if !opponents.iter().any(|opponent| opponent.kinds(kinds.len()) == kinds) {
            opponents.push(Opponent::Given(kinds.clone()));
        }
        let opponent = opponents.iter().position(|opponent| opponent.kinds(kinds.len()) == kinds);
        let known = |(_, text): &(&str, &str)| text.parse::<Rules>() == Ok(choice.rules.clone());
        let board = BOARDS[..OWN].iter().position(known).unwrap_or(OWN);
        let players = 0..usize::from(MAX_PLAYERS);
        let name = |person: usize| choice.players.get(person)?.name.as_deref();
        let symbol = |person: usize| choice.players.get(person)?.symbol.as_ref();
        StartPage {
            opponent: opponent.unwrap_or(0),
            opponents,
            board,
            rules: Field::new(&if board == OWN {
                choice.rules.to_string()
            } else {
                "5x5:4".into()
            }),
            names: players.clone().map(|p| Field::new(name(p).unwrap_or_default())).collect(),
            symbols: players.map(|p| Field::new(symbol(p).map_or("", Symbol::as_str))).collect(),
            focus: Slot::Opponent,
            notice,
            places: Vec::new(),
            play_button: Rect::default(),
        }
    }

    /// The rules as they are chosen, or what is wrong with them.
    fn rules(&self) -> Result<Rules, String> {
        match BOARDS[self.board].1 {
            "" => self.rules.text().parse::<Rules>().map_err(|error| error.to_string()),
            text => text.parse::<Rules>().map_err(|error| error.to_string()),
        }
    }

    /// What was chosen, or where and why it can't be played.
    fn choice(&self) -> Result<Choice, (Slot, String)> {
        let rules = self.rules().map_err(|error| (Slot::Rules, error))?;
        let kinds = self.opponents[self.opponent].kinds(rules.players());
        let mut players: Vec<PlayerChoice> = Vec::new();
        for (person, kind) in kinds.into_iter().enumerate() {
            let (name, symbol) = (self.names[person].text(), self.symbols[person].text());
            let name = match name.trim() {
                "" => None,
                name => {
                    let wrong =
                        |error| (Slot::Name(person), format!("That name won't do: {error}."));
                    let checked = Player::new(name, Symbol::default_for(Seat::FIRST));
                    Some(checked.map_err(wrong)?.name().to_string())
                }
            };
            let slot = Slot::Symbol(person);
            let symbol: Option<Symbol> = match symbol.trim() {
                "" => None,
                symbol => Some(
                    symbol
                        .parse()
                        .map_err(|error| (slot, format!("That symbol won't do: {error}.")))?,
                ),
            };
            let is_taken = players.iter().any(|other| symbol.is_some() && other.symbol == symbol);
            if is_taken {
                return Err((slot, "Someone else has that symbol, choose another.".into()));
            }
            players.push(PlayerChoice { kind, name, symbol });
        }
        Ok(Choice { rules, players })
    }

    /// Everything that can be chosen, from the top.
    fn slots(&self) -> Vec<Slot> {
        let mut slots = vec![Slot::Opponent, Slot::Board];
        if self.board == OWN {
            slots.push(Slot::Rules);
        }
        let players = self.rules().map_or(2, |rules| rules.players());
        let kinds = self.opponents[self.opponent].kinds(players);
        for (person, kind) in kinds.iter().enumerate() {
            if kind.is_human() {
                slots.push(Slot::Name(person));
            }
            slots.push(Slot::Symbol(person));
        }
        slots
    }

    fn field(&mut self) -> Option<&mut Field> {
        match self.focus {
            Slot::Opponent | Slot::Board => None,
            Slot::Rules => Some(&mut self.rules),
            Slot::Name(person) => self.names.get_mut(person),
            Slot::Symbol(person) => self.symbols.get_mut(person),
        }
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Go {
        match event {
            Event::Key(key) => {
                self.notice = None;
                self.handle_key(*key)
            }
            Event::Paste(text) => {
                if let Some(field) = self.field() {
                    field.insert(text);
                }
                Go::Stay
            }
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                let at = (mouse.column, mouse.row).into();
                if self.play_button.contains(at) {
                    return self.play();
                }
                let place = self.places.iter().find(|(area, ..)| area.contains(at));
                if let Some(&(_, slot, value)) = place {
                    self.focus = slot;
                    match (slot, value) {
                        (Slot::Opponent, Some(value)) => self.opponent = value,
                        (Slot::Board, Some(value)) => self.board = value,
                        _ => {}
                    }
                }
                Go::Stay
            }
            _ => Go::Stay,
        }
    }

    fn handle_key(&mut self, key: KeyEvent) -> Go {
        match key.code {
            KeyCode::Enter => return self.play(),
            KeyCode::Down | KeyCode::Tab => self.step(1),
            KeyCode::Up | KeyCode::BackTab => self.step(-1),
            KeyCode::F(1) => return Go::Help,
            KeyCode::Esc if self.field().is_some() => self.focus = Slot::Opponent,
            KeyCode::Esc => return Go::Quit,
            _ => {
                if let Some(field) = self.field() {
                    field.handle(key);
                    return Go::Stay;
                }
                match key.code {
                    KeyCode::Left | KeyCode::Char('h') => self.change(-1),
                    KeyCode::Right | KeyCode::Char('l') => self.change(1),
                    KeyCode::Char('j') => self.step(1),
                    KeyCode::Char('k') => self.step(-1),
                    KeyCode::Char(' ') => return self.play(),
                    KeyCode::Char('?') => return Go::Help,
                    KeyCode::Char('s') => return Go::Scoreboard,
                    KeyCode::Char('g') => return Go::StoredGames,
                    KeyCode::Char('q') => return Go::Quit,
                    _ => {}
                }
            }
        }
        Go::Stay
    }

    fn play(&mut self) -> Go {
        match self.choice() {
            Ok(choice) => Go::Play(choice),
            Err((slot, reason)) => {
                self.focus = slot;
                self.notice = Some(reason);
                Go::Stay
            }
        }
    }

    fn step(&mut self, by: isize) {
        let slots = self.slots();
        let at = slots.iter().position(|slot| *slot == self.focus).unwrap_or(0);
        let next = (at as isize + by).rem_euclid(slots.len() as isize);
        self.focus = slots[next as usize];
    }

    fn change(&mut self, by: isize) {
        let (value, count) = match self.focus {
            Slot::Opponent => (&mut self.opponent, self.opponents.len()),
            Slot::Board => (&mut self.board, BOARDS.len()),
            _ => return,
        };
        *value = (*value as isize + by).rem_euclid(count as isize) as usize;
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look) {
        self.places.clear();
        let slots = self.slots();
        let players = slots.iter().filter(|slot| matches!(slot, Slot::Symbol(_))).count() as u16;
        let own = u16::from(self.board == OWN);
        // Two choices with a line between them, the players, the button, and lines between those.
        let form = 2 + own + 1 + players + 2 + 1;
        let keys = self.keys(look);
        let keys = Keys { look, keys: &keys };
        let keys_height = keys.height(area.width.saturating_sub(2));
        let bottom = 1 + keys_height;
        let logo = if area.height >= form + bottom + 8 && area.width >= 50 { 5 } else { 1 };
        let left = area.x + if area.width >= 70 { (area.width - 68) / 2 } else { 1 };
        let width = area.right().saturating_sub(left + 1);
        let free = area.height.saturating_sub(logo + form + bottom + 1);
        let mut y = area.y + free.min(6) / 2;
        let row = |y: u16| Rect { x: left, y, width, height: 1 }.intersection(area);

        if logo == 5 {
            self.draw_logo(frame, Rect { x: left, y, width, height: 3 }.intersection(area), look);
        } else {
            let name = Line::styled("Noughts", look.tone(Tone::Title));
            frame.render_widget(Paragraph::new(name), row(y));
        }
        y += logo + 1;
        let opponents: Vec<String> = self.opponents.iter().map(Opponent::name).collect();
        self.draw_values(
            frame,
            row(y),
            look,
            Slot::Opponent,
            "Opponent",
            &opponents,
            self.opponent,
        );
        y += 1;
        let boards = BOARDS.map(|(name, _)| {
            if look.ascii && name == "Misère" { "Misere".to_string() } else { name.to_string() }
        });
        self.draw_values(frame, row(y), look, Slot::Board, "Board", &boards, self.board);
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
            let line = Line::styled(notice.as_str(), look.tone(Tone::Title));
            let above = Rect { y: bottom.y.saturating_sub(1), height: 1, ..bottom };
            frame.render_widget(Paragraph::new(line), above.intersection(area));
        }
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
    #[expect(clippy::too_many_arguments, reason = "each is something else")]
    fn draw_values(
        &mut self,
        frame: &mut Frame,
        row: Rect,
        look: Look,
        slot: Slot,
        label: &str,
        values: &[String],
        chosen: usize,
    ) {
        self.draw_label(frame, row, look, slot, label);
        let area = beside_label(row);
        let all: usize = values.iter().map(|value| value.width() + 2).sum();
        let focused = self.focus == slot;
        let mut x = area.x;
        if all <= usize::from(area.width) {
            for (i, value) in values.iter().enumerate() {
                let width = value.width() as u16 + 2;
                let place = Rect { x, width, ..area };
                let (text, style) = match i == chosen {
                    true if focused => {
                        (format!("[{value}]"), look.tone(Tone::Focus).patch(look.selected()))
                    }
                    true => (format!("[{value}]"), look.tone(Tone::Title)),
                    false => (format!(" {value} "), look.tone(Tone::Faint)),
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
            Ok(rules) => (format!("= {}", describe(&rules)), Tone::Faint),
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
            let text = Span::styled(computer_name(kind), look.tone(Tone::Plain));
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
        let area = beside_label(row);
        let text = format!("  {} Enter: play  ", look.pointer());
        self.play_button = Rect { width: text.width() as u16, ..area }.intersection(area);
        let style = look.tone(Tone::Good).patch(look.selected());
        frame.render_widget(Paragraph::new(Span::styled(text, style)), self.play_button);
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
