//! The lobby of a server as a dialogue of lines.

use std::io::{self, Write};

use noughts_api::{GameSummary, GameView};
use noughts_client::{Client, Lobby, rules_and_level};

use super::dialogue::Dialogue;
use crate::failure::Failure;
use crate::lines::LineReader;

const HELP: &str = "Enter the number of a game, `new connect4` to find an opponent, `new 3x3 hard` to play the \
    computer, `challenge NAME` or `challenge NAME, connect4`, `decline NUMBER`, `list` or `quit`.";

/// What a number stands for.
enum Entry {
    Open(Box<GameView>),
    Invitation(Box<GameView>),
    Join(GameSummary),
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
        // The game reads the lines after this one itself.
        let line = match LineReader::new(io::stdin().lock()).next()? {
            Some(line) => line.trim().to_string(),
            None => return Ok(()),
        };
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
                client.challenge(name.trim(), rules.trim()).map_err(|error| error.to_string())
            }
            "decline" => match entry(&entries, rest) {
                Ok(Entry::Invitation(game)) => {
                    match client.decline(game.id) {
                        Ok(()) => entries = list(&client)?,
                        Err(error) => println!("{error}"),
                    }
                    continue;
                }
                Ok(_) => Err("That is no invitation.".to_string()),
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
        Entry::Join(game) => client.join(game.id),
        Entry::Watch(game) => client.game(game.id, 0),
    };
    opened.map_err(|error| error.to_string())
}

/// Prints the numbered games.
fn list(client: &Client) -> Result<Vec<Entry>, Failure> {
    let lobby = Lobby::load(client).map_err(anyhow::Error::from)?;
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
    let yours = lobby.yours.iter().map(|game| {
        let turn = if game.is_your_turn() { ", your turn" } else { "" };
        (format!("{} with {}{turn}", game.rules, others(game)), Entry::Open(game.clone().into()))
    });
    print("Your unfinished games", yours.collect());
    let invitations = lobby.invitations.iter().map(|game| {
        (format!("{} with {}", game.rules, others(game)), Entry::Invitation(game.clone().into()))
    });
    print("You are invited", invitations.collect());
    let words = |game: &GameSummary| {
        let names = game.details.players.iter().filter_map(|player| player.name.as_deref());
        format!("{} {}", game.rules, names.collect::<Vec<_>>().join(", "))
    };
    let join = lobby.open_to_join().map(|game| (words(game), Entry::Join(game.clone())));
    print("Games to join", join.collect());
    let watch = lobby.live_to_watch().map(|game| (words(game), Entry::Watch(game.clone())));
    print("Games to watch", watch.collect());
    if entries.is_empty() {
        println!("\nNobody plays here now.");
    }
    println!();
    Ok(entries)
}

/// The other players of a game.
fn others(game: &GameView) -> String {
    let others = game.players.iter().filter(|player| !game.your_seats.contains(&player.seat));
    let names = others.filter_map(|player| player.name.as_deref().or(player.invited.as_deref()));
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "nobody yet".to_string() } else { names.join(", ") }
}
