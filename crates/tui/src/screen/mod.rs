//! The screen: a stack of pages, and how messages reach them.

mod dispatch;
mod navigation;

use std::time::{Duration, Instant};

use noughts_rules::Rules;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

pub(crate) use navigation::Navigation;

use crate::game::GamePage;
use crate::help::HelpPage;
#[cfg(feature = "online")]
use crate::online::{OnlinePage, connect::ConnectPage, lobby::LobbyPage};
use crate::puzzles::PuzzlePage;
use crate::review::ReviewPage;
use crate::scoreboard::ScoreboardPage;
use crate::start::StartPage;
use crate::storage::StorageHandle;
use crate::stored::StoredPage;
use crate::terminal::SuspendTarget;
use crate::widgets::popup::Popup;
use crate::workers::{Message, RequestId, Workers};
use crate::{FirstPage, Setup};
use dispatch::is_control_c;

/// The smallest usable window: columns and rows.
const MIN_WINDOW: (u16, u16) = (16, 6);

/// The stack of pages; the top one is visible.
pub(crate) struct Screen {
    pub(crate) setup: Setup,
    pub(crate) workers: Workers,
    pub(crate) storage: Option<StorageHandle>,
    /// Set while the program waits for the last write before it ends.
    pub(crate) leaving: Option<LoopAction>,
    /// The error that ends the program.
    pub(crate) failure: Option<String>,
    pub(crate) pages: Vec<Page>,
}

pub(crate) enum Page {
    Start(Box<StartPage>),
    Game(Box<GamePage>),
    #[cfg(feature = "online")]
    Online(Box<OnlinePage>),
    #[cfg(feature = "online")]
    Connect(Box<ConnectPage>),
    #[cfg(feature = "online")]
    Lobby(Box<LobbyPage>),
    Help(HelpPage),
    Scoreboard(Box<ScoreboardPage>),
    Stored(Box<StoredPage>),
    Review(Box<ReviewPage>),
    Puzzles(Box<PuzzlePage>),
}

/// What the main loop does after a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopAction {
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
        let mut screen = Screen { setup, workers, storage, leaving: None, failure: None, pages };
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

    pub(crate) fn next_change(&self, now: Instant) -> Option<Duration> {
        self.pages.iter().find_map(|page| match page {
            Page::Game(page) => page.next_change(now),
            #[cfg(feature = "online")]
            Page::Online(page) => page.next_change(now),
            _ => None,
        })
    }

    /// Advances the clocks.
    pub(crate) fn tick(&mut self, now: Instant) {
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
            Some(Page::Connect(page)) => page.draw(frame, area, theme),
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

    pub(crate) fn handle(&mut self, message: Message, now: Instant) -> LoopAction {
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

    /// Whether an unfinished game is stored that is on the screen.
    pub(crate) fn keeps_a_game(&self) -> bool {
        self.game().is_some_and(|page| page.local_match().is_kept())
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
    pub(crate) fn game(&self) -> Option<&GamePage> {
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
    pub(crate) fn online(&self) -> Option<&OnlinePage> {
        self.pages.iter().find_map(|page| match page {
            Page::Online(page) => Some(&**page),
            _ => None,
        })
    }

    /// The lobby that is open, visible or not.
    #[cfg(feature = "online")]
    pub(crate) fn lobby_mut(&mut self) -> Option<&mut LobbyPage> {
        self.pages.iter_mut().find_map(|page| match page {
            Page::Lobby(page) => Some(&mut **page),
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

fn draw_too_small(frame: &mut Frame, area: Rect) {
    let (width, height) = MIN_WINDOW;
    let text = format!("This window is too small: at least {width}x{height} is needed.");
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}
