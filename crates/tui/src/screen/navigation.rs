//! From page to page.

use std::time::Instant;

use noughts_play::{Continuation, Counting, MatchDetail, PuzzleChoice, Series};
use noughts_rules::{Game, Player, Position};

use super::{LoopAction, Page, Screen};
use crate::GameOptions;
use crate::game::GamePage;
use crate::help::HelpPage;
use crate::local_match::{KeptGame, LocalMatch, MatchSettings};
use crate::puzzles::PuzzlePage;
use crate::review::ReviewPage;
use crate::scoreboard::ScoreboardPage;
use crate::storage::StorageHandle;
use crate::stored::StoredPage;

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
    /// To the page that asks for a server.
    Connect,
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

impl Screen {
    pub(crate) fn navigate(&mut self, to: Navigation, now: Instant) -> LoopAction {
        match to {
            Navigation::Stay => {}
            Navigation::Quit => return LoopAction::Quit,
            #[cfg(feature = "online")]
            Navigation::Fail(reason) => {
                let lobby = self.pages.iter().position(|page| matches!(page, Page::Lobby(_)));
                let Some(lobby) = lobby else {
                    self.failure = Some(reason);
                    return LoopAction::Quit;
                };
                self.pages.truncate(lobby + 1);
                self.lobby_mut().into_iter().for_each(|page| page.explain(reason.clone()));
            }
            #[cfg(feature = "online")]
            Navigation::Connect => self.ask_for_server(),
            #[cfg(not(feature = "online"))]
            Navigation::Connect => {}
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
                match self.pages.last_mut() {
                    None => return LoopAction::Quit,
                    Some(Page::Start(_)) => {
                        self.storage.iter().for_each(StorageHandle::load_start);
                    }
                    #[cfg(feature = "online")]
                    Some(Page::Lobby(page)) => page.refresh(),
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
                    #[cfg(feature = "online")]
                    Some(Page::Connect(_) | Page::Lobby(_)) => HelpPage::of_lobby(),
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
    pub(super) fn play(
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
    pub(super) fn go_on(&mut self, kept: Continuation, now: Instant) {
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
}
