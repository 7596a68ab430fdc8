//! Asks for players that the flags do not name.

use std::io::{BufRead, Write};

use noughts_engine::PlayerKind;
use noughts_play::{computer_name, free_symbol};
use noughts_rules::{Player, Rules, Seat, Symbol};

use super::commands::{Command, help};
use super::prompt::{DialogueEnd, Prompt, Reply};

/// The players given by flags.
pub(super) struct PlayerFlags {
    pub(super) kinds: Vec<PlayerKind>,
    pub(super) names: Vec<String>,
    pub(super) symbols: Vec<Symbol>,
}

impl PlayerFlags {
    pub(super) fn kind(&self, person: usize) -> PlayerKind {
        self.kinds.get(person).cloned().unwrap_or(PlayerKind::HUMAN)
    }
}

/// Asks each person for a missing name and symbol. Computers have defaults.
pub(super) fn ask_players<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    rules: &Rules,
    flags: &PlayerFlags,
) -> Result<Vec<Player>, DialogueEnd> {
    let mut people: Vec<Player> = Vec::new();
    let kinds: Vec<PlayerKind> = rules.seats().map(|seat| flags.kind(seat.index())).collect();
    for seat in rules.seats() {
        let kind = flags.kind(seat.index());
        let name = match flags.names.get(seat.index()) {
            Some(name) => name.clone(),
            None if !kind.is_human() => computer_name(&kinds, seat.index()),
            None => ask_name(prompt, rules, seat)?,
        };
        let symbol = match flags.symbols.get(seat.index()) {
            Some(symbol) => symbol.clone(),
            None => {
                // Symbols that flags give to later players are taken too.
                let chosen = people.iter().map(Player::symbol).chain(&flags.symbols);
                let taken: Vec<Symbol> = chosen.cloned().collect();
                let default = free_symbol(rules, seat, &taken);
                // Everyone plays the first player's marks in notakto.
                let is_shown = seat.index() < rules.marks().len();
                if kind.is_human() && is_shown {
                    ask_symbol(prompt, rules, seat, default, &taken)?
                } else {
                    default
                }
            }
        };
        people.push(Player::new(&name, symbol).expect("the name was checked"));
    }
    Ok(people)
}

fn ask_name<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    rules: &Rules,
    seat: Seat,
) -> Result<String, DialogueEnd> {
    loop {
        let text = ask(prompt, rules, &format!("Enter Player {seat} Name:"))?;
        if text.is_empty() {
            return Ok(Player::default_for(seat).name().to_string());
        }
        match Player::new(&text, Symbol::default_for(seat)) {
            Ok(player) => return Ok(player.name().to_string()),
            Err(error) => prompt.say(&format!("That name won't do: {error}."))?,
        }
    }
}

fn ask_symbol<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    rules: &Rules,
    seat: Seat,
    default: Symbol,
    taken: &[Symbol],
) -> Result<Symbol, DialogueEnd> {
    loop {
        let text = ask(prompt, rules, &format!("Enter Player {seat} Character ({default}):"))?;
        if text.is_empty() {
            return Ok(default);
        }
        match text.parse::<Symbol>() {
            Ok(symbol) if taken.contains(&symbol) => {
                prompt.say(&format!("{symbol} is taken, choose another character."))?;
            }
            Ok(symbol) => return Ok(symbol),
            Err(error) => prompt.say(&format!("That character won't do: {error}."))?,
        }
    }
}

/// Asks until the answer is no command.
fn ask<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    rules: &Rules,
    question: &str,
) -> Result<String, DialogueEnd> {
    loop {
        match prompt.ask(question)? {
            Reply::Text(text) => return Ok(text),
            Reply::Command(Command::Help) => prompt.say(&help(rules))?,
            Reply::Command(_) => prompt.say("The game has not begun yet.")?,
        }
    }
}
