//! Who is there: watchers come and go, players leave and come back.

use noughts_rules::Seat;
use noughts_store::IdentityId;
use tokio::sync::oneshot;

use super::load::load_since;
use super::room::Watcher;
use super::task::{GameTask, Lost};
use super::{Failure, wire};
use crate::game::{Actor, Command, Order};

impl GameTask {
    pub(super) async fn watch(
        &mut self,
        watcher: Watcher,
        since: Option<u32>,
        answer: oneshot::Sender<Result<(), Failure>>,
    ) -> Result<(), Lost> {
        let now = self.now();
        let missed = match since {
            // Where there is nothing to send, or something that never was, the whole game is.
            Some(seq) if seq < self.game.seq() => {
                match load_since(&self.backend, self.game.id(), seq).await {
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
        let texts: Vec<String> = match since {
            Some(seq) if seq <= self.game.seq() => missed.map(|event| event.text).collect(),
            _ => vec![wire::state(&self.game, watcher.identity, now)],
        };
        for text in texts {
            if watcher.outbox.put(&text).is_err() {
                // More was missed than may wait: the whole game is shorter.
                let _ = answer.send(Err(Failure::TooMuchMissed));
                return Ok(());
            }
        }
        let identity = watcher.identity;
        self.room.add(watcher);
        let _ = answer.send(Ok(()));
        let seats: Vec<Seat> =
            identity.map(|who| self.game.seats_of(who).collect()).unwrap_or_default();
        for seat in seats {
            self.by_server(Command::Return { seat }).await?;
        }
        Ok(())
    }

    pub(super) async fn gone(&mut self, identity: IdentityId) -> Result<(), Lost> {
        if self.room.is_here(identity) {
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
                holder.account().is_some_and(|who| !is_sender(who) && !self.room.is_here(who))
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
