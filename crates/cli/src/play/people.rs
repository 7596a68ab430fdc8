//! Who plays: asking for what flags do not say.

use std::io::{BufRead, Write};

use noughts_engine::PlayerKind;
use noughts_rules::{Player, Rules, Seat, Symbol};

use super::commands::{Command, help};
use super::prompt::{Answer, End, Prompt};

/// What flags say about who plays.
pub(super) struct Given {
    pub(super) kinds: Vec<PlayerKind>,
    pub(super) names: Vec<String>,
    pub(super) symbols: Vec<Symbol>,
}

impl Given {
    pub(super) fn kind(&self, person: usize) -> PlayerKind {
        self.kinds.get(person).cloned().unwrap_or(PlayerKind::HUMAN)
    }
}

/// Asks each person for what was not given: first the name, then the symbol. Computers have both.
pub(super) fn introduce<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    rules: &Rules,
    given: &Given,
) -> Result<Vec<Player>, End> {
    let mut people: Vec<Player> = Vec::new();
    let kinds: Vec<PlayerKind> = rules.seats().map(|seat| given.kind(seat.index())).collect();
    for seat in rules.seats() {
        let kind = given.kind(seat.index());
        let name = match given.names.get(seat.index()) {
            Some(name) => name.clone(),
            None if !kind.is_human() => computer_name(&kinds, seat.index()),
            None => ask_name(prompt, rules, seat)?,
        };
        let symbol = match given.symbols.get(seat.index()) {
            Some(symbol) => symbol.clone(),
            None => {
                // Those that flags give to later players are taken as well.
                let chosen = people.iter().map(Player::symbol).chain(&given.symbols);
                let taken: Vec<Symbol> = chosen.cloned().collect();
                let default = free_symbol(rules, seat, &taken);
                if kind.is_human() {
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

/// The name of a computer among players of these kinds, which is also its name in the league.
/// Those that would have the same are numbered.
pub(crate) fn computer_name(kinds: &[PlayerKind], person: usize) -> String {
    // The path of an engine can be longer than a name, or have characters that no name has.
    let usable = |name: &String| Player::new(name, Symbol::default_for(Seat::FIRST)).is_ok();
    let alone = |kind: &PlayerKind| {
        Some(format!("Computer ({kind})")).filter(usable).unwrap_or("Computer".into())
    };
    let name = alone(&kinds[person]);
    let same = |kind: &&PlayerKind| !kind.is_human() && alone(kind) == name;
    match kinds[..person].iter().filter(same).count() + 1 {
        1 => name,
        number => {
            Some(format!("{name} {number}")).filter(usable).unwrap_or(format!("Computer {number}"))
        }
    }
}

fn ask_name<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    rules: &Rules,
    seat: Seat,
) -> Result<String, End> {
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
) -> Result<Symbol, End> {
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

/// The seat's own symbol, or another where someone else has chosen that.
pub(crate) fn free_symbol(rules: &Rules, seat: Seat, taken: &[Symbol]) -> Symbol {
    let own = Symbol::default_for(seat);
    if !taken.contains(&own) {
        return own;
    }
    let mut others = rules.seats().map(Symbol::default_for);
    others.find(|symbol| !taken.contains(symbol)).unwrap_or(own)
}

/// Asks until the answer is not a command.
fn ask<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    rules: &Rules,
    question: &str,
) -> Result<String, End> {
    loop {
        match prompt.ask(question)? {
            Answer::Text(text) => return Ok(text),
            Answer::Command(Command::Help) => prompt.say(&help(rules))?,
            Answer::Command(_) => prompt.say("The game has not begun yet.")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computers_that_share_a_name_are_numbered() {
        let names = |kinds: &str| {
            let kinds: Vec<PlayerKind> = kinds.split(',').map(|k| k.parse().unwrap()).collect();
            (0..kinds.len()).map(|person| computer_name(&kinds, person)).collect::<Vec<_>>()
        };
        assert_eq!(
            names("easy,hard,easy,easy"),
            ["Computer (easy)", "Computer (hard)", "Computer (easy) 2", "Computer (easy) 3"]
        );
        let long = format!("engine:/{}", "x".repeat(300));
        assert_eq!(names(&format!("{long},{long}")), ["Computer", "Computer 2"]);
    }
}
