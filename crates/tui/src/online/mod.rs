//! The screen for a game at a server.
//!
//! The server decides; what is shown is what it said last. Threads talk to it and tell the page, so
//! that nothing on the screen waits for the network.

mod commands;
#[cfg(test)]
mod tests;
mod view;

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use anyhow::Context;
use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_rules::{Cell, Game, Seat};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::cell_picker::{CellPicker, PickerEvent, landing_cell};
use super::clock::Clock;
use super::dialog::{Dialog, DialogResult};
use super::game::{EnterGuard, last_move, save};
use super::storage::NOTICEABLE_DELAY;
use super::theme::Theme;
use super::widgets::click_map::ClickMap;
use super::workers::{Message, Workers};
use super::{GameOptions, Navigation, Page, PlaySettings, Screen, Setup};
use commands::Command;
use noughts_client::{
    Ask, Client, Happened, Heard, Link, News, Order, Phase, View, happened, missed,
};
use noughts_play::capitalised;

/// More than this happens nowhere before it is shown.
const MOST_TOLD: usize = 8;

/// A game at a server with everything that is seen of it.
pub(crate) struct OnlinePage {
    link: Link,
    view: View,
    /// The game of the view, to be drawn.
    game: Game,
    clock: Option<Clock>,
    picker: CellPicker,
    dialog: Option<Dialog<Command>>,
    guard: EnterGuard,
    /// Whether this is another board than the one that keys were typed for: it was not drawn yet.
    is_unseen_board: bool,
    message: Option<String>,
    connection: Connection,
    /// What happened since the game was looked at.
    told: Vec<Happened>,
    /// The last sequence number that was heard of.
    heard_until: u32,
    looking: Looking,
    /// Since when an order is on its way.
    sent: Option<Instant>,
    /// The rematch that was asked for.
    following: Option<String>,
    /// How long messages take to each seat and back, in milliseconds, where that is known.
    lags: Vec<Option<u64>>,
    click_map: ClickMap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Connection {
    There,
    Lost,
    /// It is there again, and what was missed is not known yet.
    Back,
}

/// Whether the server was asked how the game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looking {
    No,
    Asked,
    /// Something has happened since it was asked.
    AskAgain,
}

/// Plays or watches a game at a server, in the terminal, until the user leaves.
pub fn join(theme: Theme, client: Client, view: View) -> anyhow::Result<()> {
    let (sender, messages) = channel();
    let told = sender.clone();
    let link = Link::new(client, &view, move |news| told.send(Message::Online(news)).is_ok());
    let page = OnlinePage::new(link, view, Instant::now())?;
    let mut screen = Screen::of_online(theme, page, Workers::new(sender.clone()));
    screen.run_in_terminal(&sender, &messages)?;
    if let Some(farewell) = screen.online().and_then(OnlinePage::farewell) {
        println!("{farewell}");
    }
    Ok(())
}

impl Screen {
    /// With nothing but a game at a server.
    fn of_online(theme: Theme, page: OnlinePage, workers: Workers) -> Screen {
        let settings = PlaySettings { think: Duration::ZERO, threads: 1, seed: 0, control: None };
        let setup = Setup {
            theme,
            options: GameOptions::default(),
            start_immediately: false,
            settings,
            storage: None,
            options_file: None,
            notice: None,
        };
        let pages = vec![Page::Online(Box::new(page))];
        Screen { setup, workers, storage: None, leaving: None, failure: None, pages }
    }
}

impl OnlinePage {
    fn new(link: Link, view: View, now: Instant) -> anyhow::Result<OnlinePage> {
        let game = shown_game(&view)?;
        let mut page = OnlinePage {
            link,
            picker: CellPicker::new(game.rules()),
            clock: clock(&view, now),
            lags: vec![None; view.players.len()],
            view,
            game,
            dialog: None,
            guard: EnterGuard::Unseen,
            is_unseen_board: false,
            message: None,
            connection: Connection::There,
            told: Vec::new(),
            heard_until: 0,
            looking: Looking::No,
            sent: None,
            following: None,
            click_map: ClickMap::default(),
        };
        page.follow_if_seated();
        Ok(page)
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    /// Whether one of the seats belongs to whoever looks.
    fn is_seated(&self) -> bool {
        !self.view.yours.is_empty()
    }

    /// Whether whoever looks is still in the game.
    fn plays(&self) -> bool {
        let is_in = |seat: &usize| self.view.players.get(*seat).is_some_and(|player| !player.out);
        self.view.phase != Phase::Over && self.view.yours.iter().any(is_in)
    }

    /// The seats of others who are in the game.
    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        let players = self.view.players.iter().enumerate();
        let is_other = |seat: &usize| !self.view.yours.contains(seat);
        players.filter(|(_, player)| !player.out).map(|(seat, _)| seat).filter(is_other)
    }

    fn is_computer(&self, seat: usize) -> bool {
        self.view.players[seat].kind.as_deref() == Some("computer")
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme, now: Instant) {
        self.guard.see(now);
        self.is_unseen_board = false;
        view::draw(self, frame, area, theme, now);
    }

    /// When there is something else to be shown although nothing happened.
    pub(crate) fn next_change(&self, now: Instant) -> Option<Duration> {
        // A clock that is at its end changes no more: the server says what that means.
        let clock = self.clock.as_ref().filter(|clock| clock.fallen(now).is_none());
        let clock = clock.and_then(|clock| clock.next_change(now));
        let sent = self.sent.map(|since| NOTICEABLE_DELAY.saturating_sub(now - since));
        let sent = sent.filter(|left| !left.is_zero());
        clock.into_iter().chain(sent).chain(self.guard.left(now)).min()
    }

    /// Hears of the server.
    pub(crate) fn receive(&mut self, news: News, now: Instant) -> Navigation {
        match news {
            News::Heard(Heard::Event(event)) => {
                self.heard_until = self.heard_until.max(event.seq.unwrap_or(0));
                if self.told.len() < MOST_TOLD {
                    self.told.push(event);
                }
                self.look_again();
            }
            News::Heard(Heard::Lag { seat, ms }) => {
                self.lags.iter_mut().skip(seat).take(1).for_each(|lag| *lag = Some(ms));
            }
            News::Heard(Heard::Lost) => self.connection = Connection::Lost,
            News::Heard(Heard::Back) => {
                self.connection = Connection::Back;
                self.look_again();
            }
            News::View(view) => return self.show(*view, now),
            News::Answered(refusal) => {
                self.sent = None;
                self.message = refusal.or(self.message.take());
            }
            News::Heard(Heard::Ended(reason)) | News::Gone(reason) => {
                if self.view.phase != Phase::Over {
                    return Navigation::Fail(reason);
                }
                // How it ended stays to be seen.
                self.message = Some(format!("{}.", capitalised(&reason)));
            }
        }
        Navigation::Stay
    }

    /// Asks how the game is, once at a time however much happens.
    fn look_again(&mut self) {
        if self.looking == Looking::No {
            self.looking = Looking::Asked;
            self.link.ask(Ask::Look(self.view.id.clone()));
        } else {
            self.looking = Looking::AskAgain;
        }
    }

    /// Turns to the game as it is.
    fn show(&mut self, view: View, now: Instant) -> Navigation {
        if std::mem::replace(&mut self.looking, Looking::No) == Looking::AskAgain {
            self.look_again();
        }
        let is_next = view.id != self.view.id;
        if is_next && self.following.as_ref() != Some(&view.id) {
            return Navigation::Stay;
        }
        if !is_next && view.seq < self.view.seq {
            // Another server, which has not heard of everything yet.
            return Navigation::Stay;
        }
        let game = match shown_game(&view) {
            Ok(game) => game,
            Err(error) => return Navigation::Fail(format!("{error:#}")),
        };
        let before = std::mem::replace(&mut self.view, view);
        self.game = game;
        self.clock = clock(&self.view, now);
        if is_next {
            self.begin_next();
        } else {
            self.changed(&before);
        }
        if self.view.seq < self.heard_until && self.looking == Looking::No {
            self.look_again();
        }
        self.follow_if_seated();
        if is_next { Navigation::First } else { Navigation::Stay }
    }

    /// Forgets what belongs to the game before.
    fn begin_next(&mut self) {
        self.picker = CellPicker::new(self.game.rules());
        (self.guard, self.is_unseen_board) = (EnterGuard::Unseen, true);
        (self.dialog, self.message, self.following) = (None, None, None);
        self.lags = vec![None; self.view.players.len()];
        self.told.clear();
        self.heard_until = 0;
    }

    /// Says what happened, and minds what was meant for the position before.
    fn changed(&mut self, before: &View) {
        if before.moves != self.view.moves {
            self.message = None;
            if let Some(cell) = last_move(&self.game) {
                self.picker.board.viewport.follow(cell);
            }
        }
        if before.phase != self.view.phase {
            self.dialog = None;
        }
        if before.turn != self.view.turn || before.phase != self.view.phase {
            self.guard = EnterGuard::Unseen;
        }
        let told = std::mem::take(&mut self.told);
        let mut words: Vec<String> =
            told.iter().filter_map(|event| happened(&self.view, event)).collect();
        if self.connection == Connection::Back {
            self.connection = Connection::There;
            words.insert(0, "Connected again.".into());
            words.extend(missed(before, &self.view));
        }
        if !words.is_empty() {
            self.message = Some(words.join(" "));
        }
    }

    pub(crate) fn handle(&mut self, event: &Event, now: Instant) -> Navigation {
        match event {
            Event::Key(key) => return self.handle_key(*key, now),
            Event::Mouse(mouse) => match self.dialog.take() {
                Some(dialog) => {
                    let answer = dialog.click(mouse);
                    return self.answer(answer, now);
                }
                None => {
                    if let PickerEvent::Take(cell) = self.picker.handle_mouse(mouse) {
                        self.take(cell, now);
                    }
                }
            },
            Event::Paste(text) => {
                if let Some(Dialog::Save(save)) = &mut self.dialog {
                    save.field.insert(text);
                }
            }
            Event::Resize(..) => self.picker.resize(),
            _ => {}
        }
        Navigation::Stay
    }

    fn handle_key(&mut self, key: KeyEvent, now: Instant) -> Navigation {
        if self.is_unseen_board {
            return Navigation::Stay;
        }
        if let Some(dialog) = self.dialog.take() {
            let answer = dialog.handle(key);
            return self.answer(answer, now);
        }
        let message = self.message.take();
        match self.picker.handle_key(self.game.rules(), key) {
            PickerEvent::CursorMoved if self.view.phase == Phase::Live => self.guard.lift(),
            PickerEvent::CursorMoved | PickerEvent::Done => {}
            PickerEvent::Take(cell) => self.take(cell, now),
            PickerEvent::Confirmed => self.message = message,
            PickerEvent::Refused(reason) => self.message = Some(reason),
            PickerEvent::Character(c) => {
                if let Some(command) = self.command_of(c) {
                    return self.perform(command, now);
                }
            }
            PickerEvent::No => match key.code {
                KeyCode::Enter | KeyCode::Char(' ') => return self.confirm(now),
                KeyCode::Esc => self.dialog = Some(self.menu()),
                KeyCode::F(1) => return Navigation::Help,
                _ => {}
            },
        }
        Navigation::Stay
    }

    /// Takes the box, or plays again: whatever is to be done.
    fn confirm(&mut self, now: Instant) -> Navigation {
        let is_live = self.view.phase == Phase::Live;
        let is_named = !self.picker.typed().is_empty() && is_live;
        self.picker.clear();
        if !is_named && !self.guard.admits(now) {
            return Navigation::Stay;
        }
        if is_live {
            self.take(self.picker.cursor(), now);
            return Navigation::Stay;
        }
        let again = |command: &Command| matches!(command, Command::Rematch | Command::WatchNext);
        match self.commands().into_iter().find(again) {
            Some(command) => self.perform(command, now),
            None => Navigation::Stay,
        }
    }

    /// Asks the server for a box.
    fn take(&mut self, cell: Cell, now: Instant) {
        if !self.is_seated() {
            self.message = Some("You only watch this game.".into());
        } else if let Some(turn) = self.view.turn.filter(|_| !self.view.is_own_turn()) {
            self.message = Some(format!("It is the turn of {}.", self.view.player(turn)));
        } else if self.view.phase != Phase::Over {
            let cell = landing_cell(self.game.position(), cell);
            self.picker.go_to(cell);
            self.order(Order::Move(cell.to_string()), now);
        }
    }

    /// Does what was answered to a dialog.
    fn answer(&mut self, answer: DialogResult<Command>, now: Instant) -> Navigation {
        match answer {
            DialogResult::Wait(dialog) => self.dialog = Some(dialog),
            DialogResult::Cancel => {}
            DialogResult::Chosen(command) => return self.perform(command, now),
            DialogResult::Confirmed(command) => return self.perform_confirmed(command, now),
            DialogResult::SaveAs(chosen) => match save(&self.game, &chosen.field.text()) {
                Ok(path) => self.message = Some(format!("Saved as {path}.")),
                Err(reason) => self.dialog = Some(Dialog::Save(chosen.refused(reason))),
            },
        }
        Navigation::Stay
    }

    /// What is said to a player who leaves a game that is not over.
    fn farewell(&self) -> Option<String> {
        let address = self.link.address(&self.view.id);
        self.plays().then(|| format!("To come back: noughts join {address}"))
    }
}

fn shown_game(view: &View) -> anyhow::Result<Game> {
    view.game().context("the server sent no game that makes sense")
}

/// The server's clocks, as they go on from here.
fn clock(view: &View, now: Instant) -> Option<Clock> {
    let clocks = view.clock.as_ref().filter(|clocks| clocks.left_ms.len() == view.players.len())?;
    let left = |ms: &i64| Duration::from_millis(u64::try_from(*ms).unwrap_or(0));
    let turn = view.turn.filter(|_| clocks.deadline.is_some()).and_then(seat);
    Some(Clock::copied(clocks.left_ms.iter().map(left).collect(), turn, now))
}

fn seat(index: usize) -> Option<Seat> {
    u8::try_from(index).ok().and_then(Seat::new)
}
