//! A game at a server for someone who must not wait: a thread asks the server, another hears what
//! happens, and both tell what they know.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::client::{Client, Failed};
use super::events::{self, Heard, Listening};
use super::order::Order;
use super::view::View;
use super::words::sentence;

/// What is told.
pub(crate) enum News {
    Heard(Heard),
    /// The game as it is.
    View(Box<View>),
    /// The last order was done, or was not for this reason.
    Answered(Option<String>),
    /// The game can't be had any more, for this reason.
    Gone(String),
}

/// What the server is asked.
#[derive(Debug, Clone)]
pub(crate) enum Ask {
    /// How the game of this name is.
    Look(String),
    /// To do something in the game that was seen.
    Order(Box<View>, Order),
    /// To go on with the game of this name, and to hear of it.
    Follow(String),
}

/// Asks a server without waiting.
pub(crate) struct Link {
    asks: Sender<Ask>,
    server: String,
}

impl Link {
    /// Begins to tell of the game in a view.
    pub(crate) fn new(
        client: Client,
        view: &View,
        tell: impl Fn(News) -> bool + Clone + Send + 'static,
    ) -> Link {
        let (asks, asked) = channel();
        let server = client.server.clone();
        let _listening = Some(listen(&client, view, &tell));
        thread::spawn(move || Worker { client, _listening, tell }.work(&asked));
        Link { asks, server }
    }

    /// One that asks nobody, and what it would ask.
    #[cfg(test)]
    pub(crate) fn to_nobody() -> (Link, Receiver<Ask>) {
        let (asks, asked) = channel();
        (Link { asks, server: "http://localhost:8000".into() }, asked)
    }

    pub(crate) fn ask(&self, ask: Ask) {
        // Nobody is asked any more when the program ends.
        let _ = self.asks.send(ask);
    }

    /// The address that others join a game by.
    pub(crate) fn address(&self, game: &str) -> String {
        format!("{}/game/{game}", self.server)
    }
}

fn listen(
    client: &Client,
    view: &View,
    tell: &(impl Fn(News) -> bool + Clone + Send + 'static),
) -> Listening {
    let tell = tell.clone();
    events::listen(client, &view.id, view.seq, move |heard| tell(News::Heard(heard)))
}

struct Worker<T> {
    client: Client,
    /// Kept for as long as it is listened to.
    _listening: Option<Listening>,
    tell: T,
}

impl<T: Fn(News) -> bool + Clone + Send + 'static> Worker<T> {
    /// Asks one thing after the other until nobody wants to know anything.
    fn work(mut self, asked: &Receiver<Ask>) {
        let mut waiting: VecDeque<Ask> = VecDeque::new();
        loop {
            waiting.extend(asked.try_iter());
            let Some(ask) = waiting.pop_front().or_else(|| asked.recv().ok()) else { return };
            if let Ask::Look(_) = ask {
                // One look is as good as many.
                waiting.retain(|other| !matches!(other, Ask::Look(_)));
            }
            let goes_on = match &ask {
                Ask::Look(game) => match self.client.view(game) {
                    Ok(view) => (self.tell)(News::View(Box::new(view))),
                    Err(failed) => self.again(failed, ask, &mut waiting),
                },
                Ask::Follow(game) => match self.client.view(game) {
                    // What happens in it is told after how it was.
                    Ok(view) => {
                        let told = (self.tell)(News::View(Box::new(view.clone())));
                        self._listening = Some(listen(&self.client, &view, &self.tell));
                        told
                    }
                    Err(failed) => self.again(failed, ask, &mut waiting),
                },
                Ask::Order(seen, order) => {
                    let refused = self.client.order(seen, order).err().map(reason);
                    // What came of it is seen before anything else can be asked for.
                    match self.client.view(&seen.id) {
                        Ok(view) => (self.tell)(News::View(Box::new(view))),
                        Err(_) => {
                            waiting.push_back(Ask::Look(seen.id.clone()));
                            true
                        }
                    };
                    (self.tell)(News::Answered(refused))
                }
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Asks again later what may be answered then. Answers whether that makes sense.
    fn again(&self, failed: Failed, ask: Ask, waiting: &mut VecDeque<Ask>) -> bool {
        match failed {
            Failed::Refused(refused) if !refused.is_for_the_moment() => {
                (self.tell)(News::Gone(refused.message))
            }
            // The client has waited already.
            _ => {
                waiting.push_back(ask);
                true
            }
        }
    }
}

fn reason(failed: Failed) -> String {
    match failed {
        Failed::Refused(refused) => sentence(&refused.message),
        Failed::Lost(error) => sentence(&format!("the server does not answer: {error:#}")),
    }
}
