//! Who is there: watchers come and go, players leave and come back.

use std::collections::HashSet;
use std::sync::Arc;

use noughts_rules::Seat;
use noughts_store::IdentityId;
use tokio::sync::oneshot;

use super::frames::Frames;
use super::load::load_since;
use super::outbox::Outbox;
use super::room::{Room, Watcher};
use super::task::{GameTask, Lost};
use super::{Failure, Letter, wire};
use crate::app::App;
use crate::game::{Actor, Command, OnlineGame, Order, Phase};

impl GameTask {
    pub(super) async fn watch(
        &mut self,
        watcher: Watcher,
        since: Option<u32>,
        answer: oneshot::Sender<Result<(), Failure>>,
    ) -> Result<(), Lost> {
        let missed = match since {
            // Where there is nothing to send, or something that never was, the whole game is.
            Some(seq) if seq < self.game.seq() => {
                match load_since(&self.app, self.game.id(), seq).await {
                    Ok((_, missed)) => missed,
                    Err(_) => {
                        let _ = answer.send(Err(Failure::Unavailable));
                        return Err(Lost);
                    }
                }
            }
            _ => Vec::new(),
        };
        // What others appended meanwhile comes with the next notice.
        let missed = missed.into_iter().filter(|event| event.seq <= self.game.seq());
        let missed: Frames = missed.map(|event| event.text).collect();
        let frames = match since {
            Some(seq) if seq <= self.game.seq() && Outbox::takes(&missed) => missed,
            // Where more was missed than may wait, the whole game is shorter.
            _ => Frames::of(&wire::state(self.app.view_for(&self.game, watcher.identity))),
        };
        // It is empty, and takes them.
        let _ = watcher.outbox.put(&frames);
        let (id, identity) = (watcher.id, watcher.identity);
        self.room.add(watcher, &mut self.news);
        if answer.send(Ok(())).is_err() {
            // Whoever asked has gone, and said so before they were here.
            self.room.leave(id);
            return Ok(());
        }
        let seats: Vec<Seat> =
            identity.map(|who| self.game.seats_of(who).collect()).unwrap_or_default();
        for seat in seats {
            self.by_server(Command::Return { seat }).await?;
        }
        Ok(())
    }

    fn is_here(&self, who: IdentityId) -> bool {
        self.room.is_here(who, self.app.config.grace())
    }

    /// Players who are here are not away, whatever another server says that does not see them.
    pub(super) async fn welcome_back(&mut self) -> Result<(), Lost> {
        let is_here = |seat: &Seat| {
            let account = self.game.seats()[seat.index()].holder.account();
            account.is_some_and(|who| self.is_here(who))
        };
        let away = self.game.rules().seats().filter(|&seat| self.game.away_since(seat).is_some());
        let back: Vec<Seat> = away.filter(is_here).collect();
        for seat in back {
            self.by_server(Command::Return { seat }).await?;
        }
        Ok(())
    }

    /// After an outage nobody is connected who does not come back. Who has not done so in time is
    /// away.
    pub(super) fn miss_players(&self) {
        if self.game.phase() == Phase::Over || self.app.outages.since(self.game.last_at()) == 0 {
            return;
        }
        let people = self.game.seats().iter().filter_map(|seat| seat.holder.account());
        for identity in people.collect::<HashSet<_>>() {
            leave_later(&self.app, self.room.clone(), Some(identity));
        }
    }

    pub(super) async fn gone(&mut self, identity: IdentityId) -> Result<(), Lost> {
        if self.is_here(identity) {
            return Ok(());
        }
        let seats: Vec<Seat> = self.game.seats_of(identity).collect();
        for seat in seats {
            self.by_server(Command::Leave { seat }).await?;
        }
        Ok(())
    }

    /// Whoever claims sees somebody missing whom no server has missed yet: from then on they are
    /// away. Answers whether someone is.
    pub(super) async fn note_absence(&mut self, order: &Order) -> Result<bool, Failure> {
        let missing: Vec<Seat> = self
            .game
            .rules()
            .seats()
            .filter(|seat| {
                let holder = &self.game.seats()[seat.index()].holder;
                let is_sender = |who| order.actor == Actor::Identity(who);
                holder.account().is_some_and(|who| !is_sender(who) && !self.is_here(who))
            })
            .collect();
        let mut noted = false;
        for seat in missing {
            noted |= self
                .by_server(Command::Leave { seat })
                .await
                .map_err(|Lost| Failure::Unavailable)?;
        }
        Ok(noted)
    }
}

/// A player looks at their game by a request, as programs do that keep no connection: they are here.
pub(crate) async fn attend(app: &Arc<App>, game: &OnlineGame, who: IdentityId) {
    if game.seats_of(who).next().is_none() {
        return;
    }
    let room = app.rooms.room(game.id());
    room.note_look(who);
    if game.seats_of(who).any(|seat| game.away_since(seat).is_some()) {
        app.rooms.send_to(app, &room, Letter::CatchUp).await;
    }
}

/// Has the game note if somebody who waits for others does not come back. A server alone knows who is
/// there; others hear of it only by this.
pub(crate) fn expect_back(app: &Arc<App>, game: &OnlineGame, who: IdentityId) {
    if game.phase() == Phase::Open && app.storage.store.path().is_none() {
        leave_later(app, app.rooms.room(game.id()), Some(who));
    }
}

/// Has the game look a little later whether someone has left: a page that is loaded again is not
/// away.
pub(crate) fn leave_later(app: &Arc<App>, room: Arc<Room>, who: Option<IdentityId>) {
    let app = app.clone();
    let tasks = app.lifecycle.tasks.clone();
    tasks.spawn(async move {
        if let Some(identity) = who.filter(|_| !app.lifecycle.stop.is_cancelled()) {
            tokio::select! {
                () = tokio::time::sleep(app.config.grace()) => {
                    app.rooms.send_to(&app, &room, Letter::Gone { identity }).await;
                }
                () = app.lifecycle.stop.cancelled() => {}
            }
        }
        let game = room.key();
        drop(room);
        app.rooms.tidy(game);
    });
}
