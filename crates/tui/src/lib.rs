//! The full-screen game.
//!
//! [`Screen`] hears messages, changes and draws itself; it knows no terminal, so that a test can
//! tell it what happens and look at what it draws. Only [`mod@run`] has a terminal, and threads that
//! wait for keys, for signals and for searches; when none of them has anything to tell, nothing
//! runs.

mod aim;
mod choice;
mod clerk;
mod clock;
mod desk;
mod dialog;
mod emoji;
mod game;
mod help;
mod input;
mod list;
mod look;
mod online;
mod picture;
mod review;
mod run;
mod scoreboard;
mod scroll;
mod sitting;
mod sixteen;
mod start;
mod stored;
mod study;
mod terminal;
#[cfg(test)]
mod tests;
mod widgets;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use noughts_rules::{Game, Player, Rules};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

pub use choice::{Choice, PlayerChoice};
pub use clerk::Books;
pub use clock::TimeControl;
pub use look::Look;
pub use online::join;
pub use picture::picture;
pub use run::run;
pub use sitting::Pace;

use clerk::Clerk;
use desk::{Desk, Message, Ticket};
use game::GamePage;
use help::HelpPage;
use noughts_play::Counting;
use noughts_play::Series;
use online::OnlinePage;
use review::ReviewPage;
use scoreboard::ScoreboardPage;
use sitting::Sitting;
use start::StartPage;
use stored::StoredPage;
use terminal::Suspended;
use widgets::popup::Popup;

/// The smallest window in which anything can be seen.
const SMALLEST: (u16, u16) = (16, 6);

/// How the program was started.
pub struct Setup {
    pub look: Look,
    /// What is chosen when the first screen is shown, or played if it is not.
    pub choice: Choice,
    /// Whether to play at once.
    pub at_once: bool,
    pub pace: Pace,
    /// Where games are stored, if they are.
    pub books: Option<Books>,
    /// Where the choice is remembered.
    pub memory: Option<PathBuf>,
    /// Something to be said at the beginning.
    pub notice: Option<String>,
}

/// The pages of the full-screen game, the one that is seen on top.
pub(crate) struct Screen {
    setup: Setup,
    desk: Desk,
    clerk: Option<Clerk>,
    /// How the program ends as soon as everything is stored.
    leaving: Option<Flow>,
    /// Why the program ends, where nobody wanted it to.
    failure: Option<String>,
    pages: Vec<Page>,
}

enum Page {
    Start(StartPage),
    Game(Box<GamePage>),
    Online(Box<OnlinePage>),
    Help(HelpPage),
    Scoreboard(Box<ScoreboardPage>),
    Stored(StoredPage),
    Review(Box<ReviewPage>),
}

/// Where a page wants to go.
pub(crate) enum Go {
    Stay,
    /// To the page below.
    Back,
    Play(Choice),
    Help,
    Scoreboard,
    StoredGames,
    Review(Box<Game>),
    /// To the first page, whatever is in front of it.
    First,
    Quit,
    /// There is nothing to go on with, for this reason.
    Fail(String),
}

/// What is to be done after a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// Nothing has changed.
    Ignore,
    Draw,
    /// Draw everything, whatever is on the screen.
    Redraw,
    /// Take the terminal again and draw everything.
    Resume,
    Suspend(Suspended),
    Quit,
    /// End as this signal would.
    Die(i32),
}

impl Screen {
    pub(crate) fn new(mut setup: Setup, desk: Desk, now: Instant) -> Screen {
        let notice = setup.notice.take();
        let start = StartPage::new(&setup.choice, notice.clone().filter(|_| !setup.at_once));
        let clerk = setup.books.clone().map(|books| Clerk::new(books, desk.sender()));
        let pages = vec![Page::Start(start)];
        let mut screen = Screen { setup, desk, clerk, leaving: None, failure: None, pages };
        if screen.setup.at_once {
            screen.play(screen.setup.choice.clone(), notice, now);
        }
        screen
    }

    fn next_change(&self, now: Instant) -> Option<Duration> {
        let game = self.game().and_then(|page| page.next_change(now));
        game.or_else(|| self.online().and_then(|page| page.next_change(now)))
    }

    /// Lets time pass.
    fn tick(&mut self, now: Instant) {
        if let Some(page) = self.game_mut() {
            page.tick(now);
        }
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, now: Instant) {
        let (area, look) = (frame.area(), self.setup.look);
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            draw_too_small(frame, area);
            return;
        }
        match self.pages.last_mut() {
            Some(Page::Start(page)) => page.draw(frame, area, look),
            Some(Page::Game(page)) => page.draw(frame, area, look, now),
            Some(Page::Online(page)) => page.draw(frame, area, look, now),
            Some(Page::Help(page)) => page.draw(frame, area, look),
            Some(Page::Scoreboard(page)) => page.draw(frame, area, look),
            Some(Page::Stored(page)) => page.draw(frame, area, look),
            Some(Page::Review(page)) => page.draw(frame, area, look),
            None => {}
        }
        if self.leaving.is_some() {
            let dots = look.pick("…", "...");
            let lines = vec![
                Line::raw(format!("The last result is being stored{dots}")),
                Line::raw("Ctrl-C leaves without it."),
            ];
            frame.render_widget(Popup { look, title: "Leaving", lines, wrap: true }, area);
        }
    }

    fn handle(&mut self, message: Message, now: Instant) -> Flow {
        let is_stored = matches!(message, Message::Stored(_));
        let flow = match (self.leaving, &message) {
            // Nothing else is of interest any more, but asking to end again means at once.
            (Some(_), Message::Input(event)) if !is_control_c(event) => Flow::Draw,
            _ => self.follow(message, now),
        };
        let is_storing = self.clerk.as_ref().is_some_and(|clerk| clerk.storing_since().is_some());
        match (flow, self.leaving) {
            (Flow::Quit | Flow::Die(_), None) if is_storing => {
                self.leaving = Some(flow);
                Flow::Draw
            }
            (_, Some(end)) if is_stored && !is_storing => end,
            _ => flow,
        }
    }

    /// Does what a message asks for.
    fn follow(&mut self, message: Message, now: Instant) -> Flow {
        let event = match message {
            Message::Input(event) => event,
            Message::InputEnded => return Flow::Quit,
            Message::Suspend => return Flow::Suspend(Suspended::Program),
            Message::Resume => return Flow::Resume,
            Message::Terminate(signal) => return Flow::Die(signal),
            message @ Message::Thought { .. } => {
                if let Some(page) = self.game_mut() {
                    page.hear(message, now);
                }
                return Flow::Draw;
            }
            message @ (Message::Analysed { .. } | Message::Traced { .. }) => {
                for page in &mut self.pages {
                    if let Page::Review(page) = page {
                        page.hear(&message);
                    }
                }
                if let Some(page) = self.game_mut() {
                    page.hear(message, now);
                }
                return Flow::Draw;
            }
            Message::Opened(opened) => {
                if let Err(error) = opened {
                    self.tell(format!("Games are not stored: {error:#}."));
                }
                return Flow::Draw;
            }
            Message::Closed => return Flow::Ignore,
            Message::Stored(sentence) => {
                self.clerk.iter().for_each(Clerk::check_off);
                sentence.into_iter().for_each(|sentence| self.tell(sentence));
                return Flow::Draw;
            }
            Message::Online(news) => {
                let go = self.online_mut().map_or(Go::Stay, |page| page.hear(news, now));
                return self.go(go, now);
            }
            Message::Table { ticket, found } => {
                if let Some(Page::Scoreboard(page)) = self.page_of(ticket) {
                    page.show(found);
                }
                return Flow::Draw;
            }
            Message::Games { ticket, games } => {
                if let Some(Page::Stored(page)) = self.page_of(ticket) {
                    page.show(games);
                }
                return Flow::Draw;
            }
        };
        match &event {
            Event::Key(key) if key.kind == KeyEventKind::Release => return Flow::Ignore,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                KeyCode::Char('c') => return Flow::Quit,
                KeyCode::Char('z') => return Flow::Suspend(Suspended::Group),
                KeyCode::Char('l') => return Flow::Redraw,
                _ => {}
            },
            Event::Mouse(mouse) if matches!(mouse.kind, MouseEventKind::Moved) => {
                return Flow::Ignore;
            }
            Event::FocusGained | Event::FocusLost => return Flow::Ignore,
            _ => {}
        }
        let event = self.key_of_click(&event).unwrap_or(event);
        let go = match self.pages.last_mut() {
            Some(Page::Start(page)) => page.handle(&event),
            Some(Page::Game(page)) => page.handle(&event, now),
            Some(Page::Online(page)) => page.handle(&event, now),
            Some(Page::Help(page)) => page.handle(&event),
            Some(Page::Scoreboard(page)) => page.handle(&event),
            Some(Page::Stored(page)) => page.handle(&event),
            Some(Page::Review(page)) => page.handle(&event),
            None => Go::Quit,
        };
        self.go(go, now)
    }

    /// The key that a click stands for, if it was at one.
    fn key_of_click(&self, event: &Event) -> Option<Event> {
        let Event::Mouse(mouse) = event else { return None };
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return None;
        }
        let clicks = match self.pages.last()? {
            Page::Start(page) => page.clicks(),
            Page::Game(page) => page.clicks(),
            Page::Online(page) => page.clicks(),
            Page::Help(page) => page.clicks(),
            Page::Scoreboard(page) => page.clicks(),
            Page::Stored(page) => page.clicks(),
            Page::Review(page) => page.clicks(),
        };
        let key = clicks.key_at(mouse.column, mouse.row)?;
        Some(Event::Key(key.into()))
    }

    fn go(&mut self, go: Go, now: Instant) -> Flow {
        match go {
            Go::Stay => {}
            Go::Quit => return Flow::Quit,
            Go::Fail(reason) => {
                self.failure = Some(reason);
                return Flow::Quit;
            }
            Go::First => self.pages.truncate(1),
            Go::Back => {
                self.pages.pop();
                if self.pages.is_empty() {
                    return Flow::Quit;
                }
            }
            Go::Play(choice) => {
                let notice = self.remember(&choice);
                self.play(choice, notice, now);
            }
            Go::Help => {
                let page = HelpPage::new(&self.rules(), self.online().is_some());
                self.pages.push(Page::Help(page));
            }
            Go::Scoreboard => {
                let own = self.game().map_or(Vec::new(), |page| {
                    let players = page.sitting().game().players().iter();
                    players.map(|player: &Player| player.name().to_string()).collect()
                });
                let league = self.setup.books.as_ref().map_or("", |books| &books.league.name);
                let page = ScoreboardPage::new(self.clerk.clone(), league, own);
                self.pages.push(Page::Scoreboard(Box::new(page)));
            }
            Go::StoredGames => {
                self.pages.push(Page::Stored(StoredPage::new(self.clerk.as_ref())));
            }
            Go::Review(game) => {
                let page = ReviewPage::new(*game, self.desk.clone());
                self.pages.push(Page::Review(Box::new(page)));
            }
        }
        Flow::Draw
    }

    /// Remembers a choice for the next time. Answers what went wrong, if something did.
    fn remember(&mut self, choice: &Choice) -> Option<String> {
        self.setup.choice = choice.clone();
        let error = choice.save(self.setup.memory.as_ref()?).err()?;
        Some(format!("Your choice can't be remembered: {error}."))
    }

    fn play(&mut self, choice: Choice, notice: Option<String>, now: Instant) {
        let setup = &self.setup;
        let people = choice.people();
        let kinds = (0..people.len()).map(|person| choice.kind(person)).collect();
        let is_rated = setup.books.as_ref().is_some_and(|books| books.counting == Counting::Rated);
        let series = Series::new(&choice.rules, people, kinds, is_rated);
        let (desk, clerk) = (self.desk.clone(), self.clerk.clone());
        let sitting = Sitting::new(series, setup.pace, desk, clerk, now);
        let page = GamePage::new(sitting, self.desk.clone(), notice);
        self.pages.push(Page::Game(Box::new(page)));
    }

    /// Says something that was found out behind the screen, where it is seen next.
    fn tell(&mut self, sentence: String) {
        if let Some(page) = self.game_mut() {
            page.explain(sentence);
        } else if let Some(Page::Start(page)) = self.pages.first_mut() {
            page.notify(sentence);
        }
    }

    /// The page that waits for an answer.
    fn page_of(&mut self, ticket: Ticket) -> Option<&mut Page> {
        self.pages.iter_mut().find(|page| match page {
            Page::Scoreboard(page) => page.waits_for(ticket),
            Page::Stored(page) => page.waits_for(ticket),
            _ => false,
        })
    }

    fn rules(&self) -> Rules {
        let game = self.game().map(|page| page.sitting().game());
        let game = game.or_else(|| self.online().map(OnlinePage::game));
        game.map_or_else(|| self.setup.choice.rules.clone(), |game| game.rules().clone())
    }

    /// The game in play, seen or not.
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

    fn online(&self) -> Option<&OnlinePage> {
        self.pages.iter().find_map(|page| match page {
            Page::Online(page) => Some(&**page),
            _ => None,
        })
    }

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
    let (width, height) = SMALLEST;
    let text = format!("This window is too small: {width}x{height} is the least.");
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}
