//! An online game as a dialogue of lines.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::{Context, anyhow};
use noughts_client::{
    Client, Failed, Heard, Listening, Order, Phase, View, ending, happened, missed, printable,
    reason, sentence,
};
use noughts_rules::Cell;

use crate::board;
use crate::failure::Failure;
use crate::lines::LineReader;

/// What the dialogue waits for.
enum Input {
    Line(String),
    /// There are no more lines.
    End,
    Heard(Heard),
}

pub(super) struct Dialogue {
    client: Client,
    view: View,
    /// Kept for as long as it is listened to.
    _listening: Option<Listening>,
    input: Receiver<Input>,
    sender: Sender<Input>,
    /// Lines that nobody has asked for yet.
    lines: VecDeque<String>,
    ended: bool,
    is_terminal: bool,
    /// The last sequence number that was shown.
    shown: Option<u32>,
    asked: bool,
}

const HELP: &str = "Enter a box such as B2. Or: undo, yes or no when another player asks to undo, \
    resign, abort, claim (when another player is away), rematch, board, help, quit.";

impl Dialogue {
    pub(super) fn new(client: Client, view: View) -> Dialogue {
        let (sender, input) = channel();
        let is_terminal = io::stdin().is_terminal();
        let lines = sender.clone();
        thread::spawn(move || read_lines(&lines));
        Dialogue {
            client,
            view,
            _listening: None,
            input,
            sender,
            lines: VecDeque::new(),
            ended: false,
            is_terminal,
            shown: None,
            asked: false,
        }
    }

    pub(super) fn play(mut self) -> Result<(), Failure> {
        self.listen();
        loop {
            // What was heard meanwhile comes before what is said next.
            while let Ok(input) = self.input.try_recv() {
                self.take(input)?;
            }
            self.show()?;
            if self.view.phase == Phase::Over && (self.ended || self.view.yours.is_empty()) {
                return Ok(());
            }
            if self.wants_line()
                && let Some(line) = self.lines.pop_front()
            {
                if !self.is_terminal {
                    println!("{line}");
                }
                self.asked = false;
                if !self.answer(line.trim())? {
                    return Ok(());
                }
                continue;
            }
            if self.ended && self.wants_line() && self.view.is_own_turn() {
                return Err(anyhow!("the input ended before the game did").into());
            }
            let input = self.input.recv().context("nothing more can happen")?;
            self.take(input)?;
        }
    }

    fn take(&mut self, input: Input) -> Result<(), Failure> {
        match input {
            Input::Line(line) => self.lines.push_back(line),
            Input::End => self.ended = true,
            Input::Heard(Heard::Event(event)) => {
                self.view = self.client.view(&self.view.id)?;
                happened(&self.view, &event).iter().for_each(|words| println!("\n{words}"));
            }
            Input::Heard(Heard::Lag { .. }) => {}
            Input::Heard(Heard::Lost) => eprintln!("noughts: connection lost, trying again"),
            Input::Heard(Heard::Back) => {
                eprintln!("noughts: connected again");
                let view = self.client.view(&self.view.id)?;
                missed(&self.view, &view).iter().for_each(|words| println!("\n{words}"));
                self.view = view;
            }
            Input::Heard(Heard::Ended(why)) => return Err(anyhow!(why).into()),
        }
        Ok(())
    }

    fn listen(&mut self) {
        let sender = self.sender.clone();
        let hear = move |heard| sender.send(Input::Heard(heard)).is_ok();
        self._listening =
            Some(noughts_client::listen(&self.client, &self.view.id, self.view.seq, hear));
    }

    /// Whether a line would be answered: a person may say something at any time, but what a
    /// program has written beforehand waits until it is asked for.
    fn wants_line(&self) -> bool {
        self.is_terminal
            || self.view.is_own_turn()
            || self.view.is_asked()
            || self.view.phase == Phase::Over
    }

    /// Shows what has changed, and asks.
    fn show(&mut self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.shown != Some(self.view.seq) {
            self.shown = Some(self.view.seq);
            self.asked = false;
            if self.view.phase == Phase::Open {
                writeln!(out, "Waiting for players: {}/game/{}", self.client.server, self.view.id)?;
            } else {
                self.show_board(&mut out)?;
            }
            if let Some(ending) = ending(&self.view) {
                writeln!(out, "\n{ending}")?;
            }
            if let Some(reason) = reason(&self.view) {
                writeln!(out, "{reason}")?;
            }
        }
        if let Some(next) = self.view.next.clone()
            && !self.view.yours.is_empty()
        {
            writeln!(out, "\nThe rematch begins: {}/game/{next}", self.client.server)?;
            drop(out);
            self.view = self.client.view(&next)?;
            self.shown = None;
            self.listen();
            return self.show();
        }
        if self.asked {
            return Ok(());
        }
        let question = if self.view.is_asked() {
            let asker = self.view.undo.as_ref().map_or(0, |undo| undo.seat);
            Some(format!(
                "{} asks to take back a move. Agree? (yes or no)",
                self.view.player(asker)
            ))
        } else if self.view.is_own_turn() {
            let seat = self.view.turn.unwrap_or_default();
            Some(format!("\nPlayer {}: Enter box:", seat + 1))
        } else if self.view.phase == Phase::Over && !self.view.yours.is_empty() && !self.ended {
            Some("Say rematch to play again, or quit:".to_string())
        } else {
            None
        };
        if let Some(question) = question {
            write!(out, "{question}\n> ")?;
            out.flush()?;
            self.asked = true;
        }
        Ok(())
    }

    fn show_board(&self, out: &mut impl Write) -> Result<(), Failure> {
        let game = self.view.game().context("the server sent no game")?;
        writeln!(out, "\nBoard:\n{}", board::rows(&game).join("\n"))?;
        Ok(())
    }

    /// Does what a line says. Answers whether the dialogue goes on.
    fn answer(&mut self, line: &str) -> Result<bool, Failure> {
        let order = match line.to_ascii_lowercase().as_str() {
            "quit" => return Ok(false),
            "" => return Ok(true),
            "help" => {
                println!("{HELP}");
                return Ok(true);
            }
            "board" => {
                self.shown = None;
                return Ok(true);
            }
            "yes" | "y" if self.view.is_asked() => Order::Answer { agree: true },
            "no" | "n" if self.view.is_asked() => Order::Answer { agree: false },
            "undo" => Order::Undo,
            "resign" => Order::Resign,
            "abort" => Order::Abort,
            "claim" => Order::Claim,
            "rematch" | "yes" if self.view.phase == Phase::Over => Order::Rematch,
            "hint" | "score" => {
                println!("There is no {line} in a game online. {HELP}");
                self.asked = false;
                return Ok(true);
            }
            _ if line.parse::<Cell>().is_err() => {
                println!("{} is not a box. {HELP}", printable(line));
                self.asked = false;
                return Ok(true);
            }
            _ => Order::Move(line.to_string()),
        };
        match self.client.order(&self.view, &order) {
            Ok(()) => {}
            Err(Failed::Refused(refused)) => println!("{}", sentence(&refused.message)),
            Err(failed) => return Err(failed.into()),
        }
        self.view = self.client.view(&self.view.id)?;
        Ok(true)
    }
}

fn read_lines(sender: &Sender<Input>) {
    let mut lines = LineReader::new(io::stdin().lock());
    while let Ok(Some(line)) = lines.next() {
        if sender.send(Input::Line(line.into_owned())).is_err() {
            return;
        }
    }
    let _ = sender.send(Input::End);
}
