//! Making games on a server, for the sockets to play.

use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use ureq::Agent;

/// A game that waits for its first move, and the tokens of its two players in seat order.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub(crate) game: String,
    pub(crate) tokens: [String; 2],
}

/// How many requests are under way at once: enough for commits to be shared.
const THREADS: usize = 16;

/// Makes so many games, each of two guests of its own.
pub(crate) fn pairs(address: &str, rules: &str, count: usize) -> Result<Vec<Pair>> {
    let made = Mutex::new(Vec::with_capacity(count));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|number| {
                let made = &made;
                scope.spawn(move || -> Result<()> {
                    let agent = Agent::new_with_defaults();
                    for _ in (number..count).step_by(THREADS) {
                        let pair = pair(&agent, address, rules)?;
                        made.lock().expect("nobody panics here").push(pair);
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("nobody panics here"))
    })?;
    Ok(made.into_inner().expect("nobody panics here"))
}

/// Has so many computers of the server think, as long as they may.
pub(crate) fn think(address: &str, count: usize) -> Result<()> {
    let agent = Agent::new_with_defaults();
    let wanted = json!({
        "rules": "15x15:5",
        "seats": [{"for": "me"}, {"for": "computer", "level": "perfect"}],
    });
    for _ in 0..count {
        let token = guest(&agent, address)?;
        let game = post(&agent, address, "games", Some(&token), &wanted)?;
        let path = format!("games/{}/commands", game["id"].as_str().context("no id")?);
        let command = json!({"type": "move", "cell": "A1"});
        let played = json!({"command": command, "seq": game["seq"], "key": "first"});
        post(&agent, address, &path, Some(&token), &played)?;
    }
    Ok(())
}

fn pair(agent: &Agent, address: &str, rules: &str) -> Result<Pair> {
    let tokens = [guest(agent, address)?, guest(agent, address)?];
    let wanted = json!({"rules": rules, "seats": [{"for": "me"}, {"for": "anyone"}]});
    let game = post(agent, address, "games", Some(&tokens[0]), &wanted)?;
    let game = game["id"].as_str().context("no id")?.to_string();
    let join = json!({"command": {"type": "join"}, "seq": 0, "key": "join"});
    post(agent, address, &format!("games/{game}/commands"), Some(&tokens[1]), &join)?;
    Ok(Pair { game, tokens })
}

/// The token of somebody new.
fn guest(agent: &Agent, address: &str) -> Result<String> {
    let session = post(agent, address, "guests", None, &json!({}))?;
    Ok(session["token"].as_str().context("no token")?.into())
}

fn post(
    agent: &Agent,
    address: &str,
    path: &str,
    token: Option<&str>,
    body: &Value,
) -> Result<Value> {
    let mut request = agent.post(format!("http://{address}/api/v1/{path}"));
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let mut answer = request.send_json(body).with_context(|| format!("POST {path}"))?;
    Ok(answer.body_mut().read_json()?)
}
