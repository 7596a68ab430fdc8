//! A game at a server for someone who must not wait: a thread asks the server, another hears what
//! happens, and both tell what they know.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::client::{Client, Failed};
use crate::events::{self, Heard, Listening};
use crate::order::Order;
use crate::view::View;
use crate::words::sentence;

/// What is told.
pub enum News {
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
pub enum Ask {
    /// How the game of this name is.
    Look(String),
    /// To do something in the game that was seen.
    Order(Box<View>, Order),
    /// To go on with the game of this name, and to hear of it.
    Follow(String),
}

/// Asks a server without waiting.
pub struct Link {
    asks: Sender<Ask>,
    server: String,
}

impl Link {
    /// Begins to tell of the game in a view.
    pub fn new(
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

    /// A link without a server, and the requests that it would send: for tests.
    pub fn to_nobody() -> (Link, Receiver<Ask>) {
        let (asks, asked) = channel();
        (Link { asks, server: "http://localhost:8000".into() }, asked)
    }

    pub fn ask(&self, ask: Ask) {
        // Nobody is asked any more when the program ends.
        let _ = self.asks.send(ask);
    }

    /// The address that others join a game by.
    pub fn address(&self, game: &str) -> String {
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

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;

    /// How long something that a test waits for may take on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A server that gives these answers, one after the other, and has no WebSockets.
    fn server(answers: Vec<(u16, Value)>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            let mut answers = answers.into_iter();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let is_socket = read_request(&stream).contains("/socket");
                let (status, body) = match is_socket {
                    true => (503, json!({})),
                    false => answers.next().unwrap_or((500, json!({}))),
                };
                let (body, end) = (body.to_string(), "connection: close");
                let length = body.len();
                let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {length}\r\n{end}");
                let _ = write!(stream, "{head}\r\n\r\n{body}");
            }
        });
        address
    }

    /// Reads all of a request, and answers its first line.
    fn read_request(stream: &TcpStream) -> String {
        let mut reader = BufReader::new(stream);
        let (mut first, mut length) = (String::new(), 0);
        let _ = reader.read_line(&mut first);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) <= 2 {
                break;
            }
            let line = line.to_ascii_lowercase();
            if let Some(number) = line.strip_prefix("content-length:") {
                length = number.trim().parse().unwrap();
            }
        }
        let _ = reader.read_exact(&mut vec![0; length]);
        first
    }

    fn view(seq: u32) -> Value {
        json!({"id": "g", "seq": seq, "phase": "live", "rules": "3x3", "turn": 0, "yours": [0],
            "players": [], "moves": [], "again": []})
    }

    #[test]
    fn a_refusal_comes_after_the_game_and_a_game_that_is_gone_ends_it() {
        let refusal = |code: &str, message: &str| json!({"code": code, "message": message});
        let address = server(vec![
            (409, refusal("taken", "B2 is taken, choose an empty box")),
            (200, view(4)),
            (503, refusal("unavailable", "the server can't be reached")),
            (200, view(5)),
            (404, refusal("no_game", "there is no such game")),
        ]);
        let (sender, news) = channel();
        let seen: View = serde_json::from_value(view(3)).unwrap();
        let tell = move |news| sender.send(news).is_ok();
        let link = Link::new(Client::new(&address, None), &seen, tell);
        let told = || loop {
            match news.recv_timeout(PATIENCE).expect("something is told") {
                News::Heard(_) => {}
                News::View(view) => return format!("view {}", view.seq),
                News::Answered(refusal) => return format!("answered {refusal:?}"),
                News::Gone(reason) => return format!("gone: {reason}"),
            }
        };
        link.ask(Ask::Order(Box::new(seen), Order::Move("B2".into())));
        assert_eq!(told(), "view 4");
        assert_eq!(told(), r#"answered Some("B2 is taken, choose an empty box.")"#);
        // What can't be had for the moment is asked for again.
        link.ask(Ask::Look("g".into()));
        assert_eq!(told(), "view 5");
        link.ask(Ask::Look("g".into()));
        assert_eq!(told(), "gone: there is no such game");
    }
}
