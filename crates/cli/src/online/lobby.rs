//! The lobby of a server as a dialogue of lines.

use std::io::{self, IsTerminal, Write};

use noughts_api::{GamePhase, GameSummary, GameView, IdentityKind};
use noughts_client::{Client, Lobby, opponent_names, rules_and_level};

use super::dialogue::Dialogue;
use crate::failure::Failure;
use crate::lines::LineReader;

const HELP: &str = "Enter the number of a game, `new connect4` to find an opponent, `new 3x3 hard` to play \
    the computer, `challenge NAME` or `challenge NAME, connect4` (a player's number is a name, too), \
    `decline NUMBER`, `list` or `quit`.";

/// What a number stands for.
enum Entry {
    Open(Box<GameView>),
    Invitation(Box<GameView>),
    Rematch(Box<GameView>),
    Join(GameSummary),
    Player(String),
    Watch(GameSummary),
}

/// Lists games until one is chosen, and plays it.
pub(super) fn choose(client: Client, name: Option<&str>) -> Result<(), Failure> {
    match name {
        Some(name) => println!("Welcome to {}, {name}.", client.server()),
        None => println!("Games at {}:", client.server()),
    }
    let mut entries = list(&client)?;
    println!("{HELP}");
    loop {
        print!("> ");
        io::stdout().flush()?;
        let Some(line) = read_line()? else { return Ok(()) };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let opened = match word.to_ascii_lowercase().as_str() {
            "quit" | "exit" | "q" => return Ok(()),
            "" | "list" => {
                entries = list(&client)?;
                continue;
            }
            "help" | "?" => {
                println!("{HELP}");
                continue;
            }
            "new" => {
                let (rules, level) = rules_and_level(rest);
                let rules = if rules.is_empty() { "3x3" } else { rules };
                client.play(rules, level).map_err(|error| error.to_string())
            }
            "challenge" => {
                let (name, rules) = rest.split_once(',').unwrap_or((rest, "3x3"));
                let name = match entry(&entries, name) {
                    Ok(Entry::Player(name)) => name,
                    _ => name.trim(),
                };
                client.challenge(name, rules.trim()).map_err(|error| error.to_string())
            }
            "decline" => match entry(&entries, rest) {
                Ok(Entry::Invitation(game) | Entry::Open(game)) if is_challenge(game) => {
                    match client.decline(game.id) {
                        Ok(()) => entries = list(&client)?,
                        Err(error) => println!("{error}"),
                    }
                    continue;
                }
                Ok(_) => Err("That is no challenge.".to_string()),
                Err(reason) => Err(reason),
            },
            _ => entry(&entries, &line).and_then(|entry| open(&client, entry)),
        };
        match opened {
            Ok(view) => return Dialogue::new(client, view).play(),
            Err(reason) => println!("{reason}"),
        }
    }
}

/// Offers the unfinished games before a new one begins: the one to go on with, if any. Where nobody can
/// answer, it only says how to come back to them.
pub(super) fn offer_unfinished(client: &Client) -> Result<Option<GameView>, Failure> {
    if client.token().is_none() {
        return Ok(None);
    }
    let mut games = Lobby::load(client)?.yours;
    games.retain(|game| game.phase == GamePhase::Live);
    let Some(first) = games.first() else { return Ok(None) };
    if !io::stdin().is_terminal() {
        println!("You have an unfinished game: noughts join {}", client.game_url(first.id));
        return Ok(None);
    }
    println!("Your unfinished games:");
    for (number, game) in (1..).zip(&games) {
        println!("{number:>3}  {}", words_of_yours(game));
    }
    println!("Enter a number to go on with that game, or nothing to begin a new one.");
    loop {
        print!("> ");
        io::stdout().flush()?;
        let line = match read_line()? {
            Some(line) if !line.is_empty() => line,
            _ => return Ok(None),
        };
        let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.filter(|&place| place < games.len()) {
            Some(place) => return Ok(Some(games.swap_remove(place))),
            None => println!("Expected a number from 1 to {}, or nothing.", games.len()),
        }
    }
}

/// Reads a line and nothing beyond it, which is for the game.
fn read_line() -> io::Result<Option<String>> {
    let mut reader = LineReader::new(io::stdin().lock());
    let line = reader.next()?;
    Ok(line.map(|line| line.trim().to_string()))
}

/// Whether a game waits for the answer to a challenge.
fn is_challenge(game: &GameView) -> bool {
    game.phase == GamePhase::Open && game.players.iter().any(|player| player.invited.is_some())
}

fn words_of_yours(game: &GameView) -> String {
    let turn = if game.is_your_turn() { ", your turn" } else { "" };
    format!("{} with {}{turn}", game.rules, others(game))
}

/// The entry with a number.
fn entry<'a>(entries: &'a [Entry], text: &str) -> Result<&'a Entry, String> {
    let number = text.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let entry = number.and_then(|place| entries.get(place));
    entry.ok_or_else(|| format!("There is no {text:?} here. {HELP}"))
}

fn open(client: &Client, entry: &Entry) -> Result<GameView, String> {
    let opened = match entry {
        Entry::Open(game) => client.game(game.id, game.seq),
        Entry::Invitation(game) => client.join(game.id),
        Entry::Rematch(game) => client.accept_rematch(game.id),
        Entry::Join(game) => client.join(game.id),
        Entry::Player(name) => client.challenge(name, "3x3"),
        Entry::Watch(game) => client.game(game.id, 0),
    };
    opened.map_err(|error| error.to_string())
}

/// Prints the numbered games.
fn list(client: &Client) -> Result<Vec<Entry>, Failure> {
    let lobby = Lobby::load(client)?;
    let mut entries = Vec::new();
    let mut print = |heading: &str, games: Vec<(String, Entry)>| {
        if games.is_empty() {
            return;
        }
        println!("\n{heading}:");
        for (words, entry) in games {
            entries.push(entry);
            println!("{:>3}  {words}", entries.len());
        }
    };
    let yours = lobby.yours.iter();
    let yours = yours.map(|game| (words_of_yours(game), Entry::Open(game.clone().into())));
    print("Your unfinished games", yours.collect());
    let invitations = lobby.invitations.iter().map(|game| {
        (format!("{} with {}", game.rules, others(game)), Entry::Invitation(game.clone().into()))
    });
    print("Challenges to you", invitations.collect());
    let rematches = lobby.rematches.iter().map(|game| {
        (format!("{} with {}", game.rules, others(game)), Entry::Rematch(game.clone().into()))
    });
    print("Offered rematches", rematches.collect());
    let words = |game: &GameSummary| {
        let names = game.details.players.iter().filter_map(|player| player.name.as_deref());
        format!("{} {}", game.rules, names.collect::<Vec<_>>().join(", "))
    };
    let join = lobby.open_to_join().map(|game| (words(game), Entry::Join(game.clone())));
    print("Games to join", join.collect());
    let players = lobby.players.iter().map(|player| {
        let kind = if player.kind == IdentityKind::Bot { " (bot)" } else { "" };
        (format!("{}{kind}", player.name), Entry::Player(player.name.clone()))
    });
    print("Online, to challenge by number", players.collect());
    let watch = lobby.live_to_watch().map(|game| (words(game), Entry::Watch(game.clone())));
    print("Games to watch", watch.collect());
    if entries.is_empty() {
        println!("\nNobody else is here now.");
    }
    println!();
    Ok(entries)
}

/// The other players of a game.
fn others(game: &GameView) -> String {
    match opponent_names(game).join(", ") {
        names if names.is_empty() => "nobody yet".to_string(),
        names => names,
    }
}
