//! An online game as a dialogue of lines.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::{Context, anyhow};
use noughts_api::{GamePhase, GameView, IdempotencyKey, PlayerCommand};
use noughts_client::{
    Client, ConnectionEvent, GameConnection, describe_event, describe_missed, describe_ratings,
    describe_reason, describe_result, player_label, replay,
};
use noughts_rules::Game;

use crate::board;
use crate::failure::Failure;
use crate::lines::LineReader;
use crate::turn::{explain_rules, question, read_move};

const HELP: &str = "Commands: undo, yes or no when another player asks to undo, resign, abort, \
    claim (when another player is away), rematch, board, help, quit.";

/// Something the dialogue waits for.
enum Input {
    Line(String),
    EndOfLines,
    Connection(ConnectionEvent),
}

/// Whether the dialogue goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

pub(super) struct Dialogue {
    client: Client,
    connection: GameConnection,
    view: GameView,
    input: Receiver<Input>,
    sender: Sender<Input>,
    /// Lines that were read ahead.
    lines: VecDeque<String>,
    is_at_end: bool,
    is_terminal: bool,
    /// The last sequence number that was printed.
    printed: Option<u32>,
    is_prompt_printed: bool,
    /// The command that has no answer yet.
    unanswered: Option<IdempotencyKey>,
}

impl Dialogue {
    pub(super) fn new(client: Client, view: GameView) -> Dialogue {
        let (sender, input) = channel();
        let lines = sender.clone();
        thread::spawn(move || read_lines(&lines));
        Dialogue {
            connection: open(&client, &view, sender.clone()),
            client,
            view,
            input,
            sender,
            lines: VecDeque::new(),
            is_at_end: false,
            is_terminal: io::stdin().is_terminal(),
            printed: None,
            is_prompt_printed: false,
            unanswered: None,
        }
    }

    pub(super) fn play(mut self) -> Result<(), Failure> {
        loop {
            // Everything that has happened comes before the next line.
            while let Ok(input) = self.input.try_recv() {
                self.receive(input)?;
            }
            self.print()?;
            let is_finished = self.view.phase == GamePhase::Finished;
            if is_finished && (self.is_at_end || self.view.your_seats.is_empty()) {
                return Ok(());
            }
            if self.is_ready_for_line()
                && let Some(line) = self.lines.pop_front()
            {
                if !self.is_terminal {
                    println!("{line}");
                }
                self.is_prompt_printed = false;
                if self.obey(line.trim()) == Flow::Quit {
                    return Ok(());
                }
                continue;
            }
            if self.is_at_end && self.is_ready_for_line() && self.view.is_your_turn() {
                return Err(anyhow!("the input ended before the game did").into());
            }
            let input = self.input.recv().context("there is no more input")?;
            self.receive(input)?;
        }
    }

    fn receive(&mut self, input: Input) -> Result<(), Failure> {
        match input {
            Input::Line(line) => self.lines.push_back(line),
            Input::EndOfLines => self.is_at_end = true,
            Input::Connection(event) => self.handle(event)?,
        }
        Ok(())
    }

    fn handle(&mut self, event: ConnectionEvent) -> Result<(), Failure> {
        match event {
            ConnectionEvent::Snapshot(view) => self.show(*view),
            ConnectionEvent::Update { view, update } => {
                let description = describe_event(&view, &update.event);
                description.iter().for_each(|text| println!("\n{text}"));
                self.show(*view);
            }
            ConnectionEvent::Reconnected(view) => {
                eprintln!("noughts: connected again");
                describe_missed(&self.view, &view).iter().for_each(|text| println!("\n{text}"));
                self.show(*view);
            }
            ConnectionEvent::Disconnected => eprintln!("noughts: connection lost, trying again"),
            ConnectionEvent::Accepted(key) => self.finish_command(Some(&key)),
            ConnectionEvent::Refused { key, error } => {
                println!("{}", error.message);
                self.finish_command(key.as_ref());
            }
            ConnectionEvent::Emote { seat, emote } => {
                println!("\n{}: {}", player_label(&self.view, seat), emote.text());
            }
            ConnectionEvent::Lag { .. } | ConnectionEvent::Spectators(_) => {}
            ConnectionEvent::Closed(reason) => return Err(anyhow!(reason).into()),
        }
        Ok(())
    }

    /// Events of the game before a rematch may come late.
    fn show(&mut self, view: GameView) {
        if view.id == self.view.id {
            self.view = view;
        }
    }

    fn finish_command(&mut self, key: Option<&IdempotencyKey>) {
        if self.unanswered.as_ref() == key {
            self.unanswered = None;
        }
    }

    /// Whether a line would be obeyed: a person may enter one at any time, but a program's lines
    /// wait until the game asks for one.
    fn is_ready_for_line(&self) -> bool {
        self.unanswered.is_none()
            && (self.is_terminal
                || self.view.is_your_turn()
                || self.view.awaits_your_undo_answer()
                || self.view.phase == GamePhase::Finished)
    }

    /// Prints what has changed, and a prompt.
    fn print(&mut self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.printed != Some(self.view.seq) {
            self.printed = Some(self.view.seq);
            self.is_prompt_printed = false;
            if self.view.phase == GamePhase::Open {
                writeln!(out, "Waiting for players: {}", self.client.game_url(self.view.id))?;
            } else {
                self.print_board(&mut out)?;
            }
            if let Some(result) = describe_result(&self.view) {
                writeln!(out, "\n{result}")?;
            }
            for text in describe_reason(&self.view).iter().chain(&describe_ratings(&self.view)) {
                writeln!(out, "{text}")?;
            }
        }
        if let Some(rematch) = self.view.rematch
            && !self.view.your_seats.is_empty()
        {
            writeln!(out, "\nThe rematch begins: {}", self.client.game_url(rematch))?;
            drop(out);
            self.view = self.client.game(rematch, 0).map_err(anyhow::Error::from)?;
            self.connection = open(&self.client, &self.view, self.sender.clone());
            (self.printed, self.unanswered) = (None, None);
            return self.print();
        }
        if let Some(prompt) = self.prompt().filter(|_| !self.is_prompt_printed) {
            write!(out, "{prompt}\n> ")?;
            out.flush()?;
            self.is_prompt_printed = true;
        }
        Ok(())
    }

    fn prompt(&self) -> Option<String> {
        if self.unanswered.is_some() {
            return None;
        }
        if self.view.awaits_your_undo_answer() {
            let seat = self.view.undo_request.as_ref()?.seat;
            let player = player_label(&self.view, seat);
            return Some(format!("{player} asks to take back a move. Agree? (yes or no)"));
        }
        if self.view.is_your_turn() {
            return Some(format!("\n{}", question(&self.game().ok()?, self.view.turn?)));
        }
        let is_seated = !self.view.your_seats.is_empty();
        let may_offer_rematch =
            self.view.phase == GamePhase::Finished && is_seated && !self.is_at_end;
        may_offer_rematch.then(|| "Enter rematch to play again, or quit:".to_string())
    }

    fn print_board(&self, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "\nBoard:\n{}", board::rows(&self.game()?).join("\n"))?;
        Ok(())
    }

    /// The game as the local dialogue knows it.
    fn game(&self) -> anyhow::Result<Game> {
        Ok(replay(&self.view)?)
    }

    fn print_help(&self) {
        if let Ok(game) = self.game() {
            println!("{}", explain_rules(game.rules()));
        }
        println!("{HELP}");
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> Flow {
        let must_answer = self.view.awaits_your_undo_answer();
        let is_finished = self.view.phase == GamePhase::Finished;
        let command = match line.to_ascii_lowercase().as_str() {
            "quit" => return Flow::Quit,
            "" => return Flow::Continue,
            "help" => {
                self.print_help();
                return Flow::Continue;
            }
            "board" => {
                self.printed = None;
                return Flow::Continue;
            }
            "yes" | "y" if must_answer => PlayerCommand::AnswerUndo { accept: true },
            "no" | "n" if must_answer => PlayerCommand::AnswerUndo { accept: false },
            "undo" => PlayerCommand::RequestUndo,
            "resign" => PlayerCommand::Resign,
            "abort" => PlayerCommand::Abort,
            "claim" => PlayerCommand::Claim,
            "rematch" | "yes" if is_finished => PlayerCommand::Rematch,
            "hint" | "score" => {
                println!("There is no {line} in online games. {HELP}");
                return Flow::Continue;
            }
            _ => match self
                .game()
                .map_err(|error| error.to_string())
                .and_then(|game| read_move(&game, line))
            {
                Ok(mv) => PlayerCommand::Move { mv },
                Err(explanation) => {
                    println!("{explanation}");
                    return Flow::Continue;
                }
            },
        };
        self.unanswered = Some(self.connection.send(self.view.seq, command));
        Flow::Continue
    }
}

fn open(client: &Client, view: &GameView, sender: Sender<Input>) -> GameConnection {
    let on_event = move |event| drop(sender.send(Input::Connection(event)));
    GameConnection::open(client, view.id, view.seq, on_event)
}

fn read_lines(sender: &Sender<Input>) {
    let mut lines = LineReader::new(io::stdin().lock());
    while let Ok(Some(line)) = lines.next() {
        if sender.send(Input::Line(line.into_owned())).is_err() {
            return;
        }
    }
    let _ = sender.send(Input::EndOfLines);
}
