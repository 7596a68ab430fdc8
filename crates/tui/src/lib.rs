#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod analysis_cache;
mod ansi16;
mod dialog;
mod emoji;
mod game;
mod game_options;
mod help;
mod input;
mod keys;
mod local_match;
mod move_picker;
#[cfg(feature = "online")]
mod online;
mod position_notes;
mod puzzles;
mod review;
mod run;
mod scoreboard;
mod screen_layout;
mod screenshot;
mod scroll_view;
mod select_list;
mod start;
mod storage;
mod stored;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;
mod widgets;
mod workers;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use noughts_rules::{Game, Player, Position, Rules};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

pub use game_options::{DEFAULT_THINK, GameOptions, PlayerOptions};
pub use keys::Keys;
pub use local_match::ComputerSettings;
#[cfg(feature = "online")]
pub use online::{Preferences, join, lobby::lobby};
pub use run::run;
pub use screenshot::screenshot;
pub use storage::StorageOptions;
pub use theme::{Palette, Theme};

use game::GamePage;
use help::HelpPage;
use local_match::{KeptGame, LocalMatch, MatchSettings};
use noughts_play::{Continuation, Counting, MatchDetail, PuzzleChoice, Series};
#[cfg(feature = "online")]
use online::{OnlinePage, lobby::LobbyPage};
use puzzles::PuzzlePage;
use review::ReviewPage;
use scoreboard::ScoreboardPage;
use start::StartPage;
use storage::StorageHandle;
use stored::StoredPage;
use terminal::SuspendTarget;
use widgets::popup::Popup;
use workers::{Message, RequestId, Workers};

/// The smallest usable window: columns and rows.
const MIN_WINDOW: (u16, u16) = (16, 6);

/// What the full-screen game starts with.
pub struct Setup {
    /// Characters and colours.
    pub theme: Theme,
    /// The options on the start page, or those to play with at once.
    pub options: GameOptions,
    /// The first page.
    pub first: FirstPage,
    /// The computers' threads and seed.
    pub computers: ComputerSettings,
    /// Where games are stored; `None` to store nothing.
    pub storage: Option<StorageOptions>,
    /// The file that remembers the options for the next start.
    pub options_file: Option<PathBuf>,
    /// A notice to show first.
    pub notice: Option<String>,
    /// Whether to ring when it becomes the user's turn in an online game.
    pub bell: bool,
    /// The keys of commands.
    pub keys: Keys,
}

impl Setup {
    /// The stored games of a file.
    pub fn of_games(path: PathBuf, theme: Theme) -> Setup {
        Setup {
            theme,
            options: GameOptions::default(),
            first: FirstPage::Games,
            computers: ComputerSettings { threads: 1, seed: 0 },
            storage: Some(StorageOptions { path, must_be_usable: true }),
            options_file: None,
            notice: None,
            bell: true,
            keys: Keys::default(),
        }
    }

    /// Puzzles, and nothing else.
    pub fn of_puzzles(choice: PuzzleChoice, path: PathBuf, theme: Theme) -> Setup {
        Setup { first: FirstPage::Puzzles(choice), ..Setup::of_games(path, theme) }
    }

    /// The review of a game, and nothing else.
    pub fn of_review(game: Game, theme: Theme) -> Setup {
        Setup {
            theme,
            options: GameOptions::of(game.rules().clone()),
            first: FirstPage::Review(Box::new(game)),
            computers: ComputerSettings { threads: 1, seed: 0 },
            storage: None,
            options_file: None,
            notice: None,
            bell: true,
            keys: Keys::default(),
        }
    }
}

/// What is on the screen first.
pub enum FirstPage {
    /// The start page.
    Start,
    /// A match with the options, each game of which begins with this position, if any.
    Play(Option<Box<Position>>),
    /// A kept game.
    Continue(Box<Continuation>),
    /// The review of a game.
    Review(Box<Game>),
    /// The stored games.
    Games,
    /// Puzzles.
    Puzzles(PuzzleChoice),
}

/// The stack of pages; the top one is visible.
pub(crate) struct Screen {
    setup: Setup,
    workers: Workers,
    storage: Option<StorageHandle>,
    /// Set while the program waits for the last write before it ends.
    leaving: Option<LoopAction>,
    /// The error that ends the program.
    failure: Option<String>,
    pages: Vec<Page>,
    /// The server whose lobby is open.
    #[cfg(feature = "online")]
    client: Option<noughts_client::Client>,
}

enum Page {
    Start(Box<StartPage>),
    Game(Box<GamePage>),
    #[cfg(feature = "online")]
    Online(Box<OnlinePage>),
    #[cfg(feature = "online")]
    Lobby(Box<LobbyPage>),
    Help(HelpPage),
    Scoreboard(Box<ScoreboardPage>),
    Stored(Box<StoredPage>),
    Review(Box<ReviewPage>),
    Puzzles(Box<PuzzlePage>),
}

/// Where an event leads.
pub(crate) enum Navigation {
    Stay,
    /// To the page below this one.
    Back,
    Play(GameOptions),
    Continue(Box<Continuation>),
    Help,
    Scoreboard,
    StoredGames,
    Puzzles(PuzzleChoice),
    Review(Box<Game>),
    /// To the online game.
    #[cfg(feature = "online")]
    ToGame,
    /// To a game of the lobby's server.
    #[cfg(feature = "online")]
    OpenOnline(Box<noughts_api::GameView>),
    Quit,
    /// End the program with this error.
    #[cfg(feature = "online")]
    Fail(String),
}

/// What the main loop does after a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoopAction {
    /// Nothing has changed.
    Ignore,
    Draw,
    /// Draw every cell, even if it seems unchanged.
    Redraw,
    /// Take over the terminal again and draw every cell.
    Resume,
    Suspend(SuspendTarget),
    Quit,
    /// End as this signal would have.
    Die(i32),
}

impl Screen {
    pub(crate) fn new(mut setup: Setup, workers: Workers, now: Instant) -> Screen {
        let notice = setup.notice.take();
        let first = std::mem::replace(&mut setup.first, FirstPage::Start);
        let is_start = matches!(first, FirstPage::Start);
        let start = StartPage::new(&setup.options, notice.clone().filter(|_| is_start));
        let storage =
            setup.storage.clone().map(|storage| StorageHandle::new(storage, workers.sender()));
        storage.iter().for_each(StorageHandle::load_start);
        let pages = vec![Page::Start(Box::new(start))];
        let mut screen = Screen {
            setup,
            workers,
            storage,
            leaving: None,
            failure: None,
            pages,
            #[cfg(feature = "online")]
            client: None,
        };
        match first {
            FirstPage::Start => {}
            FirstPage::Play(start) => {
                let start = start.map(|start| *start);
                screen.play(screen.setup.options.clone(), start, notice, now);
            }
            FirstPage::Continue(kept) => screen.go_on(*kept, now),
            FirstPage::Review(game) => {
                screen.pages.clear();
                screen.navigate(Navigation::Review(game), now);
            }
            FirstPage::Games => {
                screen.pages.clear();
                screen.navigate(Navigation::StoredGames, now);
            }
            FirstPage::Puzzles(choice) => {
                screen.pages.clear();
                screen.navigate(Navigation::Puzzles(choice), now);
            }
        }
        screen
    }

    fn next_change(&self, now: Instant) -> Option<Duration> {
        self.pages.iter().find_map(|page| match page {
            Page::Game(page) => page.next_change(now),
            #[cfg(feature = "online")]
            Page::Online(page) => page.next_change(now),
            _ => None,
        })
    }

    /// Advances the clocks.
    fn tick(&mut self, now: Instant) {
        if let Some(page) = self.game_mut() {
            page.tick(now);
        }
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, now: Instant) {
        let (area, theme) = (frame.area(), self.setup.theme);
        if area.width < MIN_WINDOW.0 || area.height < MIN_WINDOW.1 {
            draw_too_small(frame, area);
            return;
        }
        match self.pages.last_mut() {
            Some(Page::Start(page)) => page.draw(frame, area, theme),
            Some(Page::Game(page)) => page.draw(frame, area, theme, now),
            #[cfg(feature = "online")]
            Some(Page::Online(page)) => page.draw(frame, area, theme, now),
            #[cfg(feature = "online")]
            Some(Page::Lobby(page)) => page.draw(frame, area, theme),
            Some(Page::Help(page)) => page.draw(frame, area, theme),
            Some(Page::Scoreboard(page)) => page.draw(frame, area, theme),
            Some(Page::Stored(page)) => page.draw(frame, area, theme),
            Some(Page::Review(page)) => page.draw(frame, area, theme),
            Some(Page::Puzzles(page)) => page.draw(frame, area, theme),
            None => {}
        }
        if self.leaving.is_some() {
            let dots = theme.pick("…", "...");
            let lines = vec![
                Line::raw(format!("Saving the game{dots}")),
                Line::raw("Press Ctrl-C to leave without it."),
            ];
            frame.render_widget(Popup { theme, title: "Leaving", lines, wrap: true }, area);
        }
    }

    fn handle(&mut self, message: Message, now: Instant) -> LoopAction {
        let is_stored = matches!(message, Message::Stored(_));
        let action = match (self.leaving, &message) {
            // While leaving, only a second Ctrl-C matters: it leaves at once.
            (Some(_), Message::Input(event)) if is_control_c(event) => LoopAction::Quit,
            (Some(_), Message::Input(_)) => LoopAction::Draw,
            _ => self.dispatch(message, now),
        };
        if matches!(action, LoopAction::Quit | LoopAction::Die(_)) && self.leaving.is_none() {
            // The clocks have run since the last move was stored.
            self.game().iter().for_each(|page| page.local_match().save(now));
        }
        let is_storing =
            self.storage.as_ref().is_some_and(|storage| storage.saving_since().is_some());
        match (action, self.leaving) {
            (LoopAction::Quit | LoopAction::Die(_), None) if is_storing => {
                self.leaving = Some(action);
                LoopAction::Draw
            }
            (_, Some(end)) if is_stored && !is_storing => end,
            _ => action,
        }
    }

    /// Sends a message to the page that it is for.
    fn dispatch(&mut self, message: Message, now: Instant) -> LoopAction {
        let event = match message {
            Message::Input(event) => event,
            Message::InputEnded => return LoopAction::Quit,
            Message::Suspend => return LoopAction::Suspend(SuspendTarget::Program),
            Message::Resume => return LoopAction::Resume,
            Message::Terminate(signal) => return LoopAction::Die(signal),
            message @ Message::ComputerDecided { .. } => {
                if let Some(page) = self.game_mut() {
                    page.receive(message, now);
                }
                return LoopAction::Draw;
            }
            message @ (Message::Analysed { .. } | Message::LosingMoveFound { .. }) => {
                for page in &mut self.pages {
                    if let Page::Review(page) = page {
                        page.receive(&message);
                    }
                }
                if let Some(page) = self.game_mut() {
                    page.receive(message, now);
                }
                return LoopAction::Draw;
            }
            Message::StorageOpened(opened) => {
                if let Err(error) = opened {
                    self.tell(format!("Games are not stored: {error:#}."));
                }
                return LoopAction::Draw;
            }
            Message::StorageClosed => return LoopAction::Ignore,
            Message::Stored(sentence) => {
                self.storage.iter().for_each(StorageHandle::mark_stored);
                sentence.into_iter().for_each(|sentence| self.tell(sentence));
                return LoopAction::Draw;
            }
            #[cfg(feature = "online")]
            Message::Online(event) => {
                let to =
                    self.online_mut().map_or(Navigation::Stay, |page| page.receive(event, now));
                return self.navigate(to, now);
            }
            #[cfg(feature = "online")]
            Message::Lobby(message) => {
                let page = self.pages.iter_mut().find_map(|page| match page {
                    Page::Lobby(page) => Some(page),
                    _ => None,
                });
                let to = page.map_or(Navigation::Stay, |page| page.receive(message));
                return self.navigate(to, now);
            }
            Message::ContinuationLoaded(Ok(kept)) => {
                // The game that is on the screen is kept, too.
                self.game().iter().for_each(|page| page.local_match().save(now));
                let bottom = matches!(self.pages.first(), Some(Page::Start(_)));
                self.pages.truncate(usize::from(bottom));
                self.go_on(*kept, now);
                return LoopAction::Draw;
            }
            Message::ContinuationLoaded(Err(error)) => {
                if let Some(Page::Stored(page)) = self.pages.last_mut() {
                    page.refuse(format!("The game can't be continued: {error:#}."));
                }
                return LoopAction::Draw;
            }
            Message::StartLoaded(data) => {
                if let Some(Page::Start(page)) = self.pages.first_mut() {
                    page.show(*data);
                }
                return LoopAction::Draw;
            }
            Message::PuzzlesOpened(opened) => {
                if let Some(page) = self.puzzles_mut() {
                    page.show(opened);
                }
                return LoopAction::Draw;
            }
            Message::PuzzleAnswered(answer) => {
                if let Some(page) = self.puzzles_mut() {
                    page.receive(*answer);
                }
                return LoopAction::Draw;
            }
            Message::LeagueLoaded { id, league } => {
                if let Some(Page::Scoreboard(page)) = self.page_of(id) {
                    page.show(league);
                }
                return LoopAction::Draw;
            }
            Message::GamesLoaded { id, games } => {
                if let Some(Page::Stored(page)) = self.page_of(id) {
                    page.show(games);
                }
                return LoopAction::Draw;
            }
        };
        match &event {
            Event::Key(key) if key.kind == KeyEventKind::Release => return LoopAction::Ignore,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                KeyCode::Char('c') => {
                    let asked = match self.pages.last_mut() {
                        Some(Page::Game(page)) => page.ask_before_quitting(),
                        _ => false,
                    };
                    return if asked { LoopAction::Draw } else { LoopAction::Quit };
                }
                KeyCode::Char('z') => return LoopAction::Suspend(SuspendTarget::Group),
                KeyCode::Char('l') => return LoopAction::Redraw,
                _ => {}
            },
            Event::Mouse(mouse) if matches!(mouse.kind, MouseEventKind::Moved) => {
                return LoopAction::Ignore;
            }
            Event::FocusGained | Event::FocusLost => return LoopAction::Ignore,
            _ => {}
        }
        let event = self.key_of_click(&event).unwrap_or(event);
        let to = match self.pages.last_mut() {
            Some(Page::Start(page)) => page.handle(&event),
            Some(Page::Game(page)) => page.handle(&event, now),
            #[cfg(feature = "online")]
            Some(Page::Online(page)) => page.handle(&event, now),
            #[cfg(feature = "online")]
            Some(Page::Lobby(page)) => page.handle(&event),
            Some(Page::Help(page)) => page.handle(&event),
            Some(Page::Scoreboard(page)) => page.handle(&event),
            Some(Page::Stored(page)) => page.handle(&event),
            Some(Page::Review(page)) => page.handle(&event),
            Some(Page::Puzzles(page)) => page.handle(&event),
            None => Navigation::Quit,
        };
        self.navigate(to, now)
    }

    /// The key hint that was clicked, as a key event.
    fn key_of_click(&self, event: &Event) -> Option<Event> {
        let Event::Mouse(mouse) = event else { return None };
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return None;
        }
        let click_map = match self.pages.last()? {
            Page::Start(page) => page.click_map(),
            Page::Game(page) => page.click_map(),
            #[cfg(feature = "online")]
            Page::Online(page) => page.click_map(),
            #[cfg(feature = "online")]
            Page::Lobby(page) => page.click_map(),
            Page::Help(page) => page.click_map(),
            Page::Scoreboard(page) => page.click_map(),
            Page::Stored(page) => page.click_map(),
            Page::Review(page) => page.click_map(),
            Page::Puzzles(page) => page.click_map(),
        };
        let key = click_map.key_at(mouse.column, mouse.row)?;
        Some(Event::Key(key.into()))
    }

    fn navigate(&mut self, to: Navigation, now: Instant) -> LoopAction {
        match to {
            Navigation::Stay => {}
            Navigation::Quit => return LoopAction::Quit,
            #[cfg(feature = "online")]
            Navigation::Fail(reason) => {
                self.failure = Some(reason);
                return LoopAction::Quit;
            }
            #[cfg(feature = "online")]
            Navigation::ToGame => {
                let game = self.pages.iter().position(|page| matches!(page, Page::Online(_)));
                self.pages.truncate(game.map_or(self.pages.len(), |game| game + 1));
            }
            #[cfg(feature = "online")]
            Navigation::OpenOnline(view) => {
                let to = self.open_online(*view, now);
                return self.navigate(to, now);
            }
            Navigation::Back if self.pages.len() == 1 => return LoopAction::Quit,
            Navigation::Back => {
                if let Some(Page::Game(page)) = self.pages.pop() {
                    page.local_match().save(now);
                }
                match self.pages.last() {
                    None => return LoopAction::Quit,
                    Some(Page::Start(_)) => {
                        self.storage.iter().for_each(StorageHandle::load_start);
                    }
                    Some(_) => {}
                }
            }
            Navigation::Play(options) => {
                let notice = self.remember(&options);
                self.play(options, None, notice, now);
            }
            Navigation::Continue(kept) => self.go_on(*kept, now),
            Navigation::Help => {
                let page = match self.pages.last() {
                    Some(Page::Start(page)) if page.is_custom() => HelpPage::of_custom_rules(),
                    _ => HelpPage::new(&self.rules(), self.is_online()).with_keys(self.setup.keys),
                };
                self.pages.push(Page::Help(page));
            }
            Navigation::Scoreboard => {
                let own = self.game().map_or(Vec::new(), |page| {
                    let players = page.local_match().game().players().iter();
                    players.map(|player: &Player| player.name().to_string()).collect()
                });
                let league = match self.pages.first() {
                    Some(Page::Start(page)) => page.league(),
                    _ => self.setup.options.league.clone(),
                };
                let page = ScoreboardPage::new(self.storage.clone(), &league, own);
                self.pages.push(Page::Scoreboard(Box::new(page)));
            }
            Navigation::StoredGames => {
                let page = StoredPage::new(self.storage.as_ref());
                self.pages.push(Page::Stored(Box::new(page)));
            }
            Navigation::Puzzles(choice) => {
                let file = self.setup.storage.as_ref().map(|storage| storage.path.clone());
                let page = PuzzlePage::new(self.workers.clone(), file, choice);
                self.pages.push(Page::Puzzles(Box::new(page)));
            }
            Navigation::Review(game) => {
                let page = ReviewPage::new(*game, self.workers.clone());
                self.pages.push(Page::Review(Box::new(page)));
            }
        }
        LoopAction::Draw
    }

    /// Saves the options for the next start. Returns what went wrong, if anything.
    fn remember(&mut self, options: &GameOptions) -> Option<String> {
        self.setup.options = options.clone();
        let error = options.save(self.setup.options_file.as_ref()?).err()?;
        Some(format!("Your options can't be saved: {error}."))
    }

    /// Begins a match. Its games begin with the position, if there is one.
    fn play(
        &mut self,
        options: GameOptions,
        start: Option<Position>,
        notice: Option<String>,
        now: Instant,
    ) {
        let people = options.people();
        let kinds = (0..people.len()).map(|person| options.kind(person)).collect();
        let is_rated = self.storage.is_some() && options.counting == Counting::Rated;
        let series = Series::new(&options.rules, people, kinds, is_rated);
        let series = match start {
            Some(start) => series.starting_from(start),
            None => series,
        };
        let detail = MatchDetail {
            league: options.league,
            counting: options.counting,
            ..MatchDetail::of_people(0)
        };
        let settings = MatchSettings {
            computers: self.setup.computers,
            think: options.think,
            control: options.clock,
            detail,
        };
        self.begin(series, settings, None, notice, now);
    }

    /// Goes on with a kept game.
    fn go_on(&mut self, kept: Continuation, now: Instant) {
        let Continuation { id, game, detail } = kept;
        let is_rated = self.storage.is_some() && detail.counting == Counting::Rated;
        let people = game.players().to_vec();
        let series = Series::new(game.rules(), people, detail.kinds.clone(), is_rated);
        let series = series.starting_from(game.start());
        let (control, left) = detail.clock.clone().unzip();
        let settings = MatchSettings {
            computers: self.setup.computers,
            think: detail.think.unwrap_or(self.setup.options.think),
            control,
            detail,
        };
        let kept = KeptGame { game, record: id, left: left.unwrap_or_default() };
        self.begin(series, settings, Some(kept), None, now);
    }

    fn begin(
        &mut self,
        series: Series,
        settings: MatchSettings,
        kept: Option<KeptGame>,
        notice: Option<String>,
        now: Instant,
    ) {
        let (workers, storage) = (self.workers.clone(), self.storage.clone());
        let local_match = LocalMatch::new(series, settings, workers, storage, kept, now);
        let keys = self.setup.keys;
        let page = GamePage::new(local_match, self.workers.clone(), notice, keys);
        self.pages.push(Page::Game(Box::new(page)));
    }

    /// Whether an unfinished game is stored that is on the screen.
    pub(crate) fn keeps_a_game(&self) -> bool {
        self.game().is_some_and(|page| page.local_match().is_kept())
    }

    /// Shows a sentence from the background on the page where the user sees it next.
    fn tell(&mut self, sentence: String) {
        if let Some(page) = self.game_mut() {
            page.explain(sentence);
        } else if let Some(Page::Start(page)) = self.pages.first_mut() {
            page.notify(sentence);
        }
    }

    /// The page that waits for this request.
    fn page_of(&mut self, id: RequestId) -> Option<&mut Page> {
        self.pages.iter_mut().find(|page| match page {
            Page::Scoreboard(page) => page.waits_for(id),
            Page::Stored(page) => page.waits_for(id),
            _ => false,
        })
    }

    /// The rules of the game in progress, or else those chosen on the start page.
    fn rules(&self) -> Rules {
        let game = self.pages.iter().find_map(|page| match page {
            Page::Game(page) => Some(page.local_match().game()),
            #[cfg(feature = "online")]
            Page::Online(page) => Some(page.game()),
            _ => None,
        });
        let chosen = self.pages.iter().find_map(|page| match page {
            Page::Start(page) => page.rules().ok(),
            _ => None,
        });
        let rules = game.map(|game| game.rules().clone()).or(chosen);
        rules.unwrap_or_else(|| self.setup.options.rules.clone())
    }

    /// The game in progress, visible or not.
    fn game(&self) -> Option<&GamePage> {
        self.pages.iter().find_map(|page| match page {
            Page::Game(page) => Some(&**page),
            _ => None,
        })
    }

    fn game_mut(&mut self) -> Option<&mut GamePage> {
        self.pages.iter_mut().find_map(|page| match page {
            Page::Game(page) => Some(&mut **page),
            _ => None,
        })
    }

    fn puzzles_mut(&mut self) -> Option<&mut PuzzlePage> {
        self.pages.iter_mut().find_map(|page| match page {
            Page::Puzzles(page) => Some(&mut **page),
            _ => None,
        })
    }

    #[cfg(feature = "online")]
    fn is_online(&self) -> bool {
        self.online().is_some()
    }

    #[cfg(not(feature = "online"))]
    fn is_online(&self) -> bool {
        false
    }

    #[cfg(feature = "online")]
    fn online(&self) -> Option<&OnlinePage> {
        self.pages.iter().find_map(|page| match page {
            Page::Online(page) => Some(&**page),
            _ => None,
        })
    }

    #[cfg(feature = "online")]
    fn online_mut(&mut self) -> Option<&mut OnlinePage> {
        self.pages.iter_mut().find_map(|page| match page {
            Page::Online(page) => Some(&mut **page),
            _ => None,
        })
    }
}

fn is_control_c(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

fn draw_too_small(frame: &mut Frame, area: Rect) {
    let (width, height) = MIN_WINDOW;
    let text = format!("This window is too small: at least {width}x{height} is needed.");
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}
