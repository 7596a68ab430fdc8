//! The start page: players, board, names, clock and league. Enter plays with the options of the last
//! time.

mod choice;
mod layout;
mod reading;
mod view;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use noughts_engine::PlayerKind;
use noughts_play::{Continuation, Counting, PuzzleChoice, computer_name, short_duration};
use noughts_rules::notation::PRESETS;
use noughts_rules::{MAX_PLAYERS, ParseRulesError, Rules, Symbol};
use ratatui::layout::Rect;

use self::choice::Choice;
use super::Navigation;
use super::game_options::GameOptions;
use super::storage::StartData;
use super::widgets::click_map::ClickMap;
use super::widgets::sentence;
use super::widgets::text_field::TextField;

/// The choice after the presets: rules that the user types.
const CUSTOM: usize = PRESETS.len();

/// Rules to begin with, where none were typed yet.
const CUSTOM_EXAMPLE: &str = "5x5:4+misere";

/// The prefix of an engine's command among the kinds of players.
const ENGINE_PREFIX: &str = "engine:";

const NO_CLOCK: &str = "none";

const COUNTINGS: [(Counting, &str); 3] = [
    (Counting::Casual, "in the league"),
    (Counting::Uncounted, "not at all"),
    (Counting::Rated, "rated: no undo"),
];

/// An element of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormItem {
    Continue,
    Opponent,
    Board,
    Rules,
    /// Who plays a seat.
    Kind(usize),
    /// A person's name, or an engine's command.
    Name(usize),
    Symbol(usize),
    Clock,
    Think,
    Counting,
    League,
}

/// The state of the form.
pub(crate) struct StartPage {
    continuation: Option<Box<Continuation>>,
    /// Who can play a seat; the last one is an engine, whose command is typed.
    kinds: Vec<PlayerKind>,
    /// For each seat an index into the kinds, or the one after the last for an engine.
    seats: Vec<usize>,
    board: usize,
    rules: TextField,
    names: Vec<TextField>,
    engines: Vec<TextField>,
    symbols: Vec<TextField>,
    clock: Choice,
    think: Choice,
    counting: usize,
    league: Choice,
    focus: FormItem,
    notice: Option<String>,
    /// The first line of the form that is in view, where the window is low.
    first_line: u16,
    /// Clickable areas: the element, and the index of the value to select.
    places: Vec<(Rect, FormItem, Option<usize>)>,
    click_map: ClickMap,
}

impl StartPage {
    /// Fills in the options of the last time.
    pub(crate) fn new(options: &GameOptions, notice: Option<String>) -> StartPage {
        let players = 0..usize::from(MAX_PLAYERS);
        let mut kinds: Vec<PlayerKind> =
            [PlayerKind::HUMAN].into_iter().chain(PlayerKind::computers()).collect();
        let engine_command =
            |kind: &PlayerKind| kind.to_string().strip_prefix(ENGINE_PREFIX).map(str::to_string);
        for player in &options.players {
            if engine_command(&player.kind).is_none() && !kinds.contains(&player.kind) {
                kinds.push(player.kind.clone());
            }
        }
        let kind = |seat: usize| match options.players.get(seat) {
            Some(player) => player.kind.clone(),
            // Further seats are like the second one.
            None => options.kind(options.players.len().saturating_sub(1)),
        };
        let position = |kind: PlayerKind| kinds.iter().position(|known| *known == kind);
        let seats = players.clone().map(|p| position(kind(p)).unwrap_or(kinds.len())).collect();
        let name = |person: usize| options.players.get(person)?.name.as_deref();
        let symbol = |person: usize| options.players.get(person)?.symbol.as_ref();
        let known = |(_, text): &(&str, &str)| text.parse::<Rules>() == Ok(options.rules.clone());
        let board = PRESETS.iter().position(known).unwrap_or(CUSTOM);
        let own_rules = if board == CUSTOM { options.rules.to_string() } else { String::new() };
        let clock = options.clock.map_or(NO_CLOCK.to_string(), |clock| clock.to_string());
        let counting = COUNTINGS.iter().position(|(counting, _)| *counting == options.counting);
        StartPage {
            continuation: None,
            seats,
            board,
            rules: TextField::new(&own_rules),
            names: players.clone().map(|p| TextField::new(name(p).unwrap_or_default())).collect(),
            engines: players
                .clone()
                .map(|p| TextField::new(&engine_command(&kind(p)).unwrap_or_default()))
                .collect(),
            symbols: players
                .map(|p| TextField::new(symbol(p).map_or("", Symbol::as_str)))
                .collect(),
            kinds,
            clock: Choice::new(&[NO_CLOCK, "1m", "3m+2s", "5m+3s", "10m", "30m"], &clock),
            think: Choice::new(
                &["200ms", "1s", "3s", "10s", "30s"],
                &short_duration(options.think),
            ),
            counting: counting.unwrap_or(0),
            league: Choice::new(&[], &options.league),
            focus: FormItem::Opponent,
            notice,
            first_line: 0,
            places: Vec::new(),
            click_map: ClickMap::default(),
        }
    }

    /// Shows a notice above the keys.
    pub(crate) fn notify(&mut self, sentence: String) {
        self.notice = Some(sentence);
    }

    /// Shows what is stored: the game to go on with, and the leagues.
    pub(crate) fn show(&mut self, data: StartData) {
        self.continuation = data.continuation.map(Box::new);
        self.league.add(data.leagues);
        if self.continuation.is_none() && self.focus == FormItem::Continue {
            self.focus = FormItem::Opponent;
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    /// The chosen league.
    pub(crate) fn league(&self) -> String {
        self.league.text()
    }

    /// Whether the user writes rules of their own.
    pub(crate) fn is_custom(&self) -> bool {
        self.board == CUSTOM
    }

    /// The selected rules, or what is wrong with them.
    pub(crate) fn rules(&self) -> Result<Rules, String> {
        let own = self.rules.text();
        if self.is_custom() && own.trim().is_empty() {
            return Err(format!("Type the rules, such as {CUSTOM_EXAMPLE}; F1 lists the words."));
        }
        let text = PRESETS.get(self.board).map_or(own.trim(), |(_, text)| text);
        text.parse().map_err(|error: ParseRulesError| sentence(&error.to_string()))
    }

    /// The number of seats.
    fn seat_count(&self) -> usize {
        self.rules().map_or(2, |rules| rules.players())
    }

    /// Whether a seat has an engine.
    fn is_engine(&self, seat: usize) -> bool {
        self.seats[seat] == self.kinds.len()
    }

    /// Who plays each seat. An engine without a command is a person until it has one.
    fn seat_kinds(&self) -> Vec<PlayerKind> {
        let kind = |seat: usize| match self.kinds.get(self.seats[seat]) {
            Some(kind) => kind.clone(),
            None => {
                let command = self.engines[seat].text();
                let kind = format!("{ENGINE_PREFIX}{}", command.trim()).parse();
                kind.unwrap_or(PlayerKind::HUMAN)
            }
        };
        (0..self.seat_count()).map(kind).collect()
    }

    /// The opponent of a person in the first seat, if all other seats have the same kind.
    fn opponent(&self) -> Option<usize> {
        let seats = &self.seats[..self.seat_count()];
        let second = *seats.get(1)?;
        let is_usual = seats[0] == 0 && seats[1..].iter().all(|&kind| kind == second);
        is_usual.then_some(second).filter(|&kind| kind < self.kinds.len())
    }

    fn choose_opponent(&mut self, kind: usize) {
        self.seats.fill(kind);
        self.seats[0] = 0;
    }

    /// The elements from top to bottom.
    fn slots(&self) -> Vec<FormItem> {
        let mut slots = Vec::new();
        slots.extend(self.continuation.is_some().then_some(FormItem::Continue));
        slots.extend([FormItem::Opponent, FormItem::Board]);
        slots.extend(self.is_custom().then_some(FormItem::Rules));
        for (person, kind) in self.seat_kinds().iter().enumerate() {
            slots.push(FormItem::Kind(person));
            if kind.is_human() || self.is_engine(person) {
                slots.push(FormItem::Name(person));
            }
            slots.push(FormItem::Symbol(person));
        }
        slots.extend([FormItem::Clock, FormItem::Think, FormItem::Counting, FormItem::League]);
        slots
    }

    fn field(&mut self) -> Option<&mut TextField> {
        match self.focus {
            FormItem::Rules => Some(&mut self.rules),
            FormItem::Name(person) if self.is_engine(person) => self.engines.get_mut(person),
            FormItem::Name(person) => self.names.get_mut(person),
            FormItem::Symbol(person) => self.symbols.get_mut(person),
            _ => None,
        }
    }

    /// The focused choice that also takes a typed value.
    fn open_choice(&mut self) -> Option<&mut Choice> {
        match self.focus {
            FormItem::Clock => Some(&mut self.clock),
            FormItem::Think => Some(&mut self.think),
            FormItem::League => Some(&mut self.league),
            _ => None,
        }
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        match event {
            Event::Key(key) => {
                self.notice = None;
                self.handle_key(*key)
            }
            Event::Paste(text) => {
                if let Some(field) = self.field() {
                    field.insert(text);
                }
                Navigation::Stay
            }
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                let at = (mouse.column, mouse.row).into();
                let place = self.places.iter().find(|(area, ..)| area.contains(at));
                if let Some(&(_, slot, value)) = place {
                    self.focus = slot;
                    match (slot, value) {
                        (FormItem::Continue, _) => return self.go_on(),
                        (FormItem::Opponent, Some(value)) => self.choose_opponent(value),
                        (FormItem::Board, Some(value)) => self.board = value,
                        (_, Some(_)) => self.change(1),
                        _ => {}
                    }
                }
                Navigation::Stay
            }
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::ScrollDown => {
                self.step(1);
                Navigation::Stay
            }
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::ScrollUp => {
                self.step(-1);
                Navigation::Stay
            }
            _ => Navigation::Stay,
        }
    }

    fn handle_key(&mut self, key: KeyEvent) -> Navigation {
        match key.code {
            KeyCode::Enter if self.focus == FormItem::Continue => return self.go_on(),
            KeyCode::Enter => return self.play(),
            KeyCode::Down | KeyCode::Tab => self.step(1),
            KeyCode::Up | KeyCode::BackTab => self.step(-1),
            KeyCode::F(1) => return Navigation::Help,
            KeyCode::Esc if self.field().is_some() || self.open_choice().is_some() => {
                self.focus = FormItem::Opponent;
            }
            KeyCode::Esc => return Navigation::Quit,
            code => {
                if let Some(field) = self.field() {
                    field.handle(key);
                    return Navigation::Stay;
                }
                let is_plain = !key.modifiers.contains(KeyModifiers::CONTROL);
                if is_plain && self.open_choice().is_some_and(|choice| choice.handle(code)) {
                    return Navigation::Stay;
                }
                match code {
                    KeyCode::Char(_) if !is_plain => {}
                    KeyCode::Left | KeyCode::Char('h') => self.change(-1),
                    KeyCode::Right | KeyCode::Char('l') => self.change(1),
                    KeyCode::Char('j') => self.step(1),
                    KeyCode::Char('k') => self.step(-1),
                    KeyCode::Char(' ') => return self.play(),
                    KeyCode::Char('?') => return Navigation::Help,
                    KeyCode::Char('c') => return self.go_on(),
                    KeyCode::Char('p') => return Navigation::Puzzles(PuzzleChoice::default()),
                    KeyCode::Char('s') => return Navigation::Scoreboard,
                    KeyCode::Char('g') => return Navigation::StoredGames,
                    KeyCode::Char('o') => return Navigation::Connect,
                    KeyCode::Char('q') => return Navigation::Quit,
                    _ => {}
                }
            }
        }
        Navigation::Stay
    }

    fn go_on(&mut self) -> Navigation {
        match self.continuation.take() {
            Some(kept) => {
                if self.focus == FormItem::Continue {
                    self.focus = FormItem::Opponent;
                }
                Navigation::Continue(kept)
            }
            None => Navigation::Stay,
        }
    }

    fn play(&mut self) -> Navigation {
        match self.options() {
            Ok(options) => Navigation::Play(options),
            Err((slot, reason)) => {
                self.focus = slot;
                self.notice = Some(reason);
                Navigation::Stay
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
        let moved =
            |at: usize, count: usize| (at as isize + by).rem_euclid(count as isize) as usize;
        match self.focus {
            FormItem::Opponent => {
                let next = match self.opponent() {
                    Some(kind) => moved(kind, self.kinds.len()),
                    None => 0,
                };
                self.choose_opponent(next);
            }
            FormItem::Board => self.board = moved(self.board, CUSTOM + 1),
            FormItem::Kind(seat) => {
                self.seats[seat] = moved(self.seats[seat], self.kinds.len() + 1)
            }
            FormItem::Counting => self.counting = moved(self.counting, COUNTINGS.len()),
            FormItem::Clock => self.clock.change(by),
            FormItem::Think => self.think.change(by),
            FormItem::League => self.league.change(by),
            _ => {}
        }
    }

    /// The name that a computer in this seat gets.
    fn computer_name(&self, seat: usize) -> String {
        computer_name(&self.seat_kinds(), seat)
    }
}
