//! A game at a server on the full screen.
//!
//! The server decides; the page shows its last view of the game. A [`GameConnection`] talks to the
//! server on a thread of its own, so nothing on the screen waits for the network.

mod commands;
pub(crate) mod connect;
mod input;
pub(crate) mod lobby;
#[cfg(test)]
mod tests;
mod view;

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use noughts_api::{Event, GameId, GamePhase, GameView, IdentityKind, PlayerCommand};
use noughts_client::{
    Client, ConnectionEvent, GameConnection, describe_event, describe_missed, player_label, replay,
};
use noughts_play::Clock;
use noughts_rules::{Game, Seat};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::dialog::{Confirm, Dialog};
use super::game::EnterGuard;
use super::keys::Keys;
use super::move_picker::MovePicker;
use super::position_notes::last_cells;
use super::storage::NOTICEABLE_DELAY;
use super::theme::Theme;
use super::widgets::click_map::ClickMap;
use super::workers::{Message, Workers};
use super::{ComputerSettings, FirstPage, GameOptions, Navigation, Page, Screen, Setup};
use commands::Command;

/// A game at a server.
pub(crate) struct OnlinePage {
    client: Client,
    /// Carries out the page's requests without blocking.
    on_request: Box<dyn FnMut(Request)>,
    view: GameView,
    /// The view's game, for drawing.
    game: Game,
    /// Whether it has just become the user's turn.
    is_ringing: bool,
    clock: Option<Clock>,
    picker: MovePicker,
    keys: Keys,
    dialog: Option<Dialog<Command>>,
    guard: EnterGuard,
    /// Whether the board has changed to another game and was not drawn yet: keys typed before were
    /// meant for the old one.
    is_unseen_board: bool,
    message: Option<String>,
    is_connected: bool,
    /// When the command was sent that has no answer yet.
    sent_at: Option<Instant>,
    /// The rematch that is being opened.
    opening: Option<GameId>,
    /// The round-trip time of each seat in milliseconds, if known.
    lags: Vec<Option<u64>>,
    click_map: ClickMap,
}

/// What the page asks of its connection.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Request {
    /// Connect to this game, seen up to `seq`, instead of the one before.
    Open { game: GameId, seq: u32 },
    /// Send a command by a player who has seen the game up to `seq`.
    Send { seq: u32, command: PlayerCommand },
}

/// How people like their screen.
#[derive(Debug, Clone, Copy)]
pub struct Preferences {
    /// Characters and colours.
    pub theme: Theme,
    /// Whether to ring when it becomes the user's turn.
    pub bell: bool,
    /// The keys of commands.
    pub keys: Keys,
}

/// Plays or watches a game at a server, in the terminal, until the user leaves.
pub fn join(preferences: Preferences, client: Client, view: GameView) -> anyhow::Result<()> {
    let (sender, messages) = channel();
    let on_request = connect(client.clone(), {
        let sender = sender.clone();
        move |event| drop(sender.send(Message::Online(event)))
    });
    let page = OnlinePage::new(client, view, preferences.keys, Instant::now(), on_request)?;
    let page = Page::Online(Box::new(page));
    let mut screen = Screen::of_page(preferences, page, Workers::new(sender.clone()));
    screen.run_in_terminal(&sender, &messages)
}

/// Carries out a page's requests over one connection at a time.
fn connect(
    client: Client,
    on_event: impl FnMut(ConnectionEvent) + Clone + Send + 'static,
) -> impl FnMut(Request) {
    let mut connection = None;
    move |request| match request {
        Request::Open { game, seq } => {
            connection = Some(GameConnection::open(&client, game, seq, on_event.clone()));
        }
        Request::Send { seq, command } => {
            if let Some(connection) = &connection {
                connection.send(seq, command);
            }
        }
    }
}

impl Screen {
    /// With nothing but a page of a server.
    fn of_page(preferences: Preferences, page: Page, workers: Workers) -> Screen {
        let Preferences { theme, bell, keys } = preferences;
        let setup = Setup {
            theme,
            options: GameOptions::default(),
            first: FirstPage::Start,
            computers: ComputerSettings { threads: 1, seed: 0 },
            storage: None,
            options_file: None,
            notice: None,
            bell,
            keys,
        };
        Screen { setup, workers, storage: None, leaving: None, failure: None, pages: vec![page] }
    }
}

impl OnlinePage {
    fn new(
        client: Client,
        view: GameView,
        keys: Keys,
        now: Instant,
        on_request: impl FnMut(Request) + 'static,
    ) -> anyhow::Result<OnlinePage> {
        let game = replay(&view)?;
        let mut page = OnlinePage {
            is_ringing: false,
            client,
            on_request: Box::new(on_request),
            picker: MovePicker::new(game.rules()),
            keys,
            clock: clock(&view, now),
            lags: vec![None; view.players.len()],
            view,
            game,
            dialog: None,
            guard: EnterGuard::Unseen,
            is_unseen_board: false,
            message: None,
            is_connected: true,
            sent_at: None,
            opening: None,
            click_map: ClickMap::default(),
        };
        (page.on_request)(Request::Open { game: page.view.id, seq: page.view.seq });
        page.open_rematch_if_seated();
        Ok(page)
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    /// Whether the user has a seat.
    fn is_seated(&self) -> bool {
        !self.view.your_seats.is_empty()
    }

    /// Whether the user is still in the game.
    fn is_playing(&self) -> bool {
        let is_in =
            |seat: &Seat| self.view.players.get(seat.index()).is_some_and(|player| !player.out);
        self.view.phase != GamePhase::Finished && self.view.your_seats.iter().any(is_in)
    }

    /// The seats of others who are in the game.
    fn others(&self) -> impl Iterator<Item = Seat> + '_ {
        let players = self.view.players.iter().filter(|player| !player.out);
        players.map(|player| player.seat).filter(|seat| !self.view.your_seats.contains(seat))
    }

    fn is_computer(&self, seat: Seat) -> bool {
        let player = self.view.players.get(seat.index());
        player.is_some_and(|player| player.kind == Some(IdentityKind::Computer))
    }

    fn is_away(&self, seat: Seat) -> bool {
        let player = self.view.players.get(seat.index());
        player.is_some_and(|player| player.away_since.is_some())
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme, now: Instant) {
        self.guard.see(now);
        self.is_unseen_board = false;
        view::draw(self, frame, area, theme, now);
    }

    /// How long what is shown stays the same if nothing happens.
    pub(crate) fn next_change(&self, now: Instant) -> Option<Duration> {
        // An expired clock does not change any more: the server says what that means.
        let clock = self.clock.as_ref().filter(|clock| clock.fallen(now).is_none());
        let clock = clock.and_then(|clock| clock.next_change(now));
        let sent = self.sent_at.map(|since| NOTICEABLE_DELAY.saturating_sub(now - since));
        let sent = sent.filter(|left| !left.is_zero());
        clock.into_iter().chain(sent).chain(self.guard.left(now)).min()
    }

    /// Handles an event of the connection.
    pub(crate) fn receive(&mut self, event: ConnectionEvent, now: Instant) -> Navigation {
        match event {
            ConnectionEvent::Snapshot(view) => return self.show(*view, None, now),
            ConnectionEvent::Update { view, update } => {
                let is_undone = matches!(update.event, Event::Undone { .. });
                // That the others agreed is still worth reading when the move is taken back.
                let answer = if is_undone { self.message.take() } else { None };
                let message = describe_event(&view, &update.event).or(answer);
                return self.show(*view, message, now);
            }
            ConnectionEvent::Reconnected(view) => {
                self.is_connected = true;
                let missed = describe_missed(&self.view, &view);
                let message = ["Connected again.".to_string()].into_iter().chain(missed);
                let message = message.collect::<Vec<_>>().join(" ");
                return self.show(*view, Some(message), now);
            }
            ConnectionEvent::Disconnected => self.is_connected = false,
            ConnectionEvent::Accepted(_) => self.sent_at = None,
            ConnectionEvent::Refused { error, .. } => {
                self.sent_at = None;
                self.message = Some(error.message);
            }
            ConnectionEvent::Lag { seat, ms } => {
                self.lags.iter_mut().skip(seat.index()).take(1).for_each(|lag| *lag = Some(ms));
            }
            ConnectionEvent::Emote { seat, emote } => {
                let who = player_label(&self.view, seat);
                self.message = Some(format!("{who}: {}", emote.text()));
            }
            ConnectionEvent::Spectators(_) => {}
            ConnectionEvent::Closed(reason) => {
                if self.view.phase != GamePhase::Finished {
                    return Navigation::Fail(reason);
                }
                // The result stays on the screen.
                self.message = Some(reason);
            }
        }
        Navigation::Stay
    }

    /// Shows a view of this game or of the rematch that is being opened.
    fn show(&mut self, view: GameView, message: Option<String>, now: Instant) -> Navigation {
        let is_rematch = view.id != self.view.id;
        if is_rematch && self.opening != Some(view.id) {
            return Navigation::Stay;
        }
        if !is_rematch && view.seq < self.view.seq {
            // A server that does not know the latest events yet.
            return Navigation::Stay;
        }
        let game = match replay(&view) {
            Ok(game) => game,
            Err(error) => return Navigation::Fail(error.to_string()),
        };
        let before = std::mem::replace(&mut self.view, view);
        self.game = game;
        self.clock = clock(&self.view, now);
        if is_rematch {
            self.begin_rematch();
        } else {
            self.follow_changes(&before);
            self.message = message.or(self.message.take());
        }
        self.open_rematch_if_seated();
        if is_rematch { Navigation::ToGame } else { Navigation::Stay }
    }

    /// Resets what belongs to the game before.
    fn begin_rematch(&mut self) {
        self.picker = MovePicker::new(self.game.rules());
        (self.guard, self.is_unseen_board) = (EnterGuard::Unseen, true);
        (self.dialog, self.message, self.opening) = (None, None, None);
        (self.sent_at, self.is_connected) = (None, true);
        self.lags = vec![None; self.view.players.len()];
    }

    /// Whether the user should hear that it is their turn; once for each turn.
    pub(super) fn take_bell(&mut self) -> bool {
        std::mem::take(&mut self.is_ringing)
    }

    /// The title of the window.
    pub(super) fn window_title(&self) -> &'static str {
        match self.view.is_your_turn() {
            true => "Your turn - Noughts",
            false => "Noughts",
        }
    }

    /// Drops what was meant for the position before.
    fn follow_changes(&mut self, before: &GameView) {
        if before.moves != self.view.moves {
            self.message = None;
            for cell in last_cells(&self.game) {
                self.picker.board.viewport.follow(cell);
            }
            self.picker.clear();
            if self.view.is_your_turn() {
                self.picker.enter_board_to_play(self.game.position());
            }
        }
        if before.phase != self.view.phase {
            self.dialog = None;
        }
        if before.turn != self.view.turn || before.phase != self.view.phase {
            self.guard = EnterGuard::Unseen;
            self.is_ringing = self.view.is_your_turn() && !before.is_your_turn();
        }
    }

    /// Asks before the program ends in an unfinished game of the user; `false` if nothing needs asking,
    /// or it was asked already.
    pub(crate) fn ask_before_quitting(&mut self) -> bool {
        let is_asked = matches!(&self.dialog, Some(Dialog::Confirm(confirm)) if confirm.command == Command::Quit);
        if is_asked || !self.is_playing() {
            return false;
        }
        let question = "Quit? The game goes on without you.".to_string();
        let command = Command::Quit;
        self.dialog = Some(Dialog::Confirm(Confirm { question, command, yes: true }));
        true
    }

    /// What a player reads who leaves an unfinished game.
    pub(crate) fn farewell(&self) -> Option<String> {
        let url = self.client.game_url(self.view.id);
        self.is_playing().then(|| format!("To come back: noughts join {url}"))
    }
}

/// The server's clocks, which go on running here.
fn clock(view: &GameView, now: Instant) -> Option<Clock> {
    let is_complete = |remaining: &[i64]| remaining.len() == view.players.len();
    let clock = view.clock.as_ref().filter(|clock| is_complete(&clock.remaining_ms))?;
    let remaining = |ms: &i64| Duration::from_millis(u64::try_from(*ms).unwrap_or(0));
    let turn = view.turn.filter(|_| clock.deadline.is_some());
    Some(Clock::copied(clock.remaining_ms.iter().map(remaining).collect(), turn, now))
}
