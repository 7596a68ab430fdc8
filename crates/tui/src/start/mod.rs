//! The start page: players, board and names. Enter plays with the options of the last time.

mod layout;
mod view;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use noughts_engine::PlayerKind;
use noughts_rules::notation::PRESETS;
use noughts_rules::{MAX_PLAYERS, ParseRulesError, Player, Rules, Seat, Symbol};
use noughts_scores::Name;
use ratatui::layout::Rect;

use super::Navigation;
use super::game_options::{GameOptions, PlayerOptions};
use super::widgets::click_map::ClickMap;
use super::widgets::text_field::TextField;

/// The choice after the presets: rules that the user types.
const CUSTOM: usize = PRESETS.len();

/// An element of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormItem {
    Opponent,
    Board,
    Rules,
    Name(usize),
    Symbol(usize),
}

/// The state of the form.
pub(crate) struct StartPage {
    opponents: Vec<Opponent>,
    opponent: usize,
    board: usize,
    rules: TextField,
    names: Vec<TextField>,
    symbols: Vec<TextField>,
    focus: FormItem,
    notice: Option<String>,
    /// Clickable areas: the element, and the index of the value to select.
    places: Vec<(Rect, FormItem, Option<usize>)>,
    click_map: ClickMap,
}

/// Who plays at the other seats.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Opponent {
    Person,
    Computer(PlayerKind),
    /// A mix of players that the form can't express, given on the command line.
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
    /// Fills in the options of the last time.
    pub(crate) fn new(options: &GameOptions, notice: Option<String>) -> StartPage {
        let kinds: Vec<PlayerKind> =
            (0..options.rules.players()).map(|person| options.kind(person)).collect();
        let computers = PlayerKind::computers().map(Opponent::Computer);
        let mut opponents: Vec<Opponent> =
            [Opponent::Person].into_iter().chain(computers).collect();
        if !opponents.iter().any(|opponent| opponent.kinds(kinds.len()) == kinds) {
            opponents.push(Opponent::Given(kinds.clone()));
        }
        let opponent = opponents.iter().position(|opponent| opponent.kinds(kinds.len()) == kinds);
        let known = |(_, text): &(&str, &str)| text.parse::<Rules>() == Ok(options.rules.clone());
        let board = PRESETS.iter().position(known).unwrap_or(CUSTOM);
        let players = 0..usize::from(MAX_PLAYERS);
        let name = |person: usize| options.players.get(person)?.name.as_deref();
        let symbol = |person: usize| options.players.get(person)?.symbol.as_ref();
        StartPage {
            opponent: opponent.unwrap_or(0),
            opponents,
            board,
            rules: TextField::new(&if board == CUSTOM {
                options.rules.to_string()
            } else {
                "5x5:4".into()
            }),
            names: players.clone().map(|p| TextField::new(name(p).unwrap_or_default())).collect(),
            symbols: players
                .map(|p| TextField::new(symbol(p).map_or("", Symbol::as_str)))
                .collect(),
            focus: FormItem::Opponent,
            notice,
            places: Vec::new(),
            click_map: ClickMap::default(),
        }
    }

    /// Shows a notice above the keys.
    pub(crate) fn notify(&mut self, sentence: String) {
        self.notice = Some(sentence);
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    /// The selected rules, or what is wrong with them.
    pub(crate) fn rules(&self) -> Result<Rules, String> {
        let own = self.rules.text();
        let text = PRESETS.get(self.board).map_or(&*own, |(_, text)| text);
        text.parse().map_err(|error: ParseRulesError| error.to_string())
    }

    /// The options, or the element that is wrong and why.
    fn options(&self) -> Result<GameOptions, (FormItem, String)> {
        let rules = self.rules().map_err(|error| (FormItem::Rules, error))?;
        let kinds = self.opponents[self.opponent].kinds(rules.players());
        let mut players: Vec<PlayerOptions> = Vec::new();
        for (person, kind) in kinds.into_iter().enumerate() {
            let (name, symbol) = (self.names[person].text(), self.symbols[person].text());
            let name = match name.trim() {
                "" => None,
                name => {
                    let wrong =
                        |error| (FormItem::Name(person), format!("That name won't do: {error}."));
                    let checked = Player::new(name, Symbol::default_for(Seat::FIRST));
                    Some(checked.map_err(wrong)?.name().to_string())
                }
            };
            let slot = FormItem::Symbol(person);
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
            players.push(PlayerOptions { kind, name, symbol });
        }
        let options = GameOptions { rules, players };
        self.check_names(&options)?;
        Ok(options)
    }

    /// The league could not tell two players with one name apart.
    fn check_names(&self, options: &GameOptions) -> Result<(), (FormItem, String)> {
        let people = options.people();
        let names: Vec<_> = people.iter().map(|player| Name::new(player.name())).collect();
        for (later, name) in names.iter().enumerate() {
            let Some(first) = names[..later].iter().position(|other| other == name) else {
                continue;
            };
            // Of a person and a computer, the person can choose another name.
            let slot = if options.kind(later).is_human() { later } else { first };
            let name = people[later].name();
            let text = format!("Two players are called {name}: each needs a name of their own.");
            return Err((FormItem::Name(slot), text));
        }
        Ok(())
    }

    /// The elements from top to bottom.
    fn slots(&self) -> Vec<FormItem> {
        let mut slots = vec![FormItem::Opponent, FormItem::Board];
        if self.board == CUSTOM {
            slots.push(FormItem::Rules);
        }
        let players = self.rules().map_or(2, |rules| rules.players());
        let kinds = self.opponents[self.opponent].kinds(players);
        for (person, kind) in kinds.iter().enumerate() {
            if kind.is_human() {
                slots.push(FormItem::Name(person));
            }
            slots.push(FormItem::Symbol(person));
        }
        slots
    }

    fn field(&mut self) -> Option<&mut TextField> {
        match self.focus {
            FormItem::Opponent | FormItem::Board => None,
            FormItem::Rules => Some(&mut self.rules),
            FormItem::Name(person) => self.names.get_mut(person),
            FormItem::Symbol(person) => self.symbols.get_mut(person),
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
                        (FormItem::Opponent, Some(value)) => self.opponent = value,
                        (FormItem::Board, Some(value)) => self.board = value,
                        _ => {}
                    }
                }
                Navigation::Stay
            }
            _ => Navigation::Stay,
        }
    }

    fn handle_key(&mut self, key: KeyEvent) -> Navigation {
        match key.code {
            KeyCode::Enter => return self.play(),
            KeyCode::Down | KeyCode::Tab => self.step(1),
            KeyCode::Up | KeyCode::BackTab => self.step(-1),
            KeyCode::F(1) => return Navigation::Help,
            KeyCode::Esc if self.field().is_some() => self.focus = FormItem::Opponent,
            KeyCode::Esc => return Navigation::Quit,
            _ => {
                if let Some(field) = self.field() {
                    field.handle(key);
                    return Navigation::Stay;
                }
                match key.code {
                    KeyCode::Char(_) if key.modifiers.contains(KeyModifiers::CONTROL) => {}
                    KeyCode::Left | KeyCode::Char('h') => self.change(-1),
                    KeyCode::Right | KeyCode::Char('l') => self.change(1),
                    KeyCode::Char('j') => self.step(1),
                    KeyCode::Char('k') => self.step(-1),
                    KeyCode::Char(' ') => return self.play(),
                    KeyCode::Char('?') => return Navigation::Help,
                    KeyCode::Char('s') => return Navigation::Scoreboard,
                    KeyCode::Char('g') => return Navigation::StoredGames,
                    KeyCode::Char('q') => return Navigation::Quit,
                    _ => {}
                }
            }
        }
        Navigation::Stay
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
        let (value, count) = match self.focus {
            FormItem::Opponent => (&mut self.opponent, self.opponents.len()),
            FormItem::Board => (&mut self.board, CUSTOM + 1),
            _ => return,
        };
        *value = (*value as isize + by).rem_euclid(count as isize) as usize;
    }
}
