//! Windows in front of the board: the menu, questions, and where to save.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::Game;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::look::{Look, Tone};
use super::widgets::clicks::Clicks;
use super::widgets::field::Field;
use super::widgets::popup::Popup;

/// What can be chosen from a menu.
pub(crate) trait MenuCommand: Copy {
    /// The key that chooses it; empty if there is none.
    fn key(self) -> &'static str;
    /// What the menu says that it does.
    fn title(self) -> &'static str;
}

pub(crate) enum Dialog<C> {
    Menu(Menu<C>),
    Confirm(Confirm<C>),
    Save(Save),
}

/// What came of a key or a click.
pub(crate) enum Answer<C> {
    /// The dialog goes on.
    Wait(Dialog<C>),
    Cancel,
    /// A command of the menu.
    Chosen(C),
    /// Someone said yes.
    Confirmed(C),
    SaveAs(Save),
}

pub(crate) struct Menu<C> {
    commands: Vec<C>,
    selected: usize,
    /// The first command that there is room for.
    first: usize,
    /// Where the commands were drawn.
    area: Rect,
}

pub(crate) struct Confirm<C> {
    pub(crate) question: String,
    pub(crate) command: C,
    pub(crate) yes: bool,
}

pub(crate) struct Save {
    pub(crate) field: Field,
    refusal: Option<String>,
}

impl<C> Menu<C> {
    pub(crate) fn new(commands: Vec<C>) -> Menu<C> {
        Menu { commands, selected: 0, first: 0, area: Rect::default() }
    }
}

impl Save {
    /// Proposes a name that no file has.
    pub(crate) fn new(game: &Game) -> Save {
        let gomoku = noughts_rules::notation::psq::write(game).is_ok();
        let extension = if gomoku { "psq" } else { "txt" };
        let names = (1..1000).map(|number| format!("game-{number}.{extension}"));
        let free = names.into_iter().find(|name| !std::path::Path::new(name).exists());
        Save { field: Field::new(&free.unwrap_or_default()), refusal: None }
    }

    pub(crate) fn refused(self, reason: String) -> Save {
        Save { refusal: Some(reason), ..self }
    }
}

impl<C: MenuCommand> Dialog<C> {
    pub(crate) fn handle(self, key: KeyEvent) -> Answer<C> {
        if key.code == KeyCode::Esc {
            return Answer::Cancel;
        }
        match self {
            Dialog::Menu(menu) => menu.handle(key),
            Dialog::Confirm(confirm) => confirm.handle(key),
            Dialog::Save(mut save) => {
                if key.code == KeyCode::Enter {
                    return Answer::SaveAs(save);
                }
                if save.field.handle(key) {
                    save.refusal = None;
                }
                Answer::Wait(Dialog::Save(save))
            }
        }
    }

    pub(crate) fn click(self, mouse: &MouseEvent) -> Answer<C> {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return Answer::Wait(self);
        }
        match self {
            Dialog::Menu(menu) => {
                if !menu.area.contains((mouse.column, mouse.row).into()) {
                    return Answer::Cancel;
                }
                let row = menu.first + usize::from(mouse.row - menu.area.y);
                let command = menu.commands.get(row).copied();
                command.map_or(Answer::Wait(Dialog::Menu(menu)), Answer::Chosen)
            }
            dialog => Answer::Wait(dialog),
        }
    }

    /// Draws it, and tells what of it can be clicked as if it were a key.
    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look, clicks: &mut Clicks) {
        match self {
            Dialog::Menu(menu) => menu.draw(frame, area, look),
            Dialog::Confirm(confirm) => confirm.draw(frame, area, look, clicks),
            Dialog::Save(save) => save.draw(frame, area, look),
        }
    }
}

impl<C: MenuCommand> Menu<C> {
    fn handle(mut self, key: KeyEvent) -> Answer<C> {
        let last = self.commands.len() - 1;
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => {
                self.selected = self.selected.checked_sub(1).unwrap_or(last);
            }
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                self.selected = if self.selected == last { 0 } else { self.selected + 1 };
            }
            KeyCode::Home => self.selected = 0,
            KeyCode::End => self.selected = last,
            KeyCode::Enter | KeyCode::Char(' ') => {
                return Answer::Chosen(self.commands[self.selected]);
            }
            KeyCode::Char(c) => {
                let own = |command: &&C| command.key().chars().eq([c]);
                if let Some(&command) = self.commands.iter().find(own) {
                    return Answer::Chosen(command);
                }
            }
            _ => {}
        }
        Answer::Wait(Dialog::Menu(self))
    }

    fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look) {
        let width = self.commands.iter().map(|command| command.title().len()).max().unwrap_or(0);
        // The frame takes two lines.
        let height = usize::from(area.height.saturating_sub(2).max(1));
        let least = (self.selected + 1).saturating_sub(height);
        self.first = self.first.clamp(least, self.selected);
        let more = self.commands.len().saturating_sub(self.first + height);
        let title = match (self.first, more) {
            (0, 0) => "Menu".to_string(),
            (_, 0) => format!("Menu {}", look.pick("▲", "^")),
            (0, _) => format!("Menu {}", look.pick("▼", "v")),
            _ => format!("Menu {}", look.pick("▲▼", "^v")),
        };
        let commands = self.commands.iter().enumerate().skip(self.first).take(height);
        let lines = commands.map(|(i, command)| {
            let is_selected = i == self.selected;
            let mark = if is_selected { look.pointer() } else { " " };
            let text = format!("{mark} {:<width$}  ", command.title());
            let style = if is_selected { look.selected() } else { Default::default() };
            let key = Span::styled(format!("{:<1}", command.key()), look.tone(Tone::Key));
            Line::from(vec![Span::styled(text, style), key])
        });
        let popup = Popup { look, title: &title, lines: lines.collect(), wrap: false };
        self.area = popup.inside(area);
        frame.render_widget(popup, area);
    }
}

impl<C: MenuCommand> Confirm<C> {
    fn handle(mut self, key: KeyEvent) -> Answer<C> {
        match key.code {
            KeyCode::Char('y' | 'Y') => return Answer::Confirmed(self.command),
            KeyCode::Char('n' | 'N') => return Answer::Cancel,
            KeyCode::Enter | KeyCode::Char(' ') if self.yes => {
                return Answer::Confirmed(self.command);
            }
            KeyCode::Enter | KeyCode::Char(' ') => return Answer::Cancel,
            KeyCode::Left | KeyCode::Right | KeyCode::Tab | KeyCode::Up | KeyCode::Down => {
                self.yes = !self.yes;
            }
            KeyCode::Char('h' | 'j' | 'k' | 'l') => self.yes = !self.yes,
            _ => {}
        }
        Answer::Wait(Dialog::Confirm(self))
    }

    fn draw(&self, frame: &mut Frame, area: Rect, look: Look, clicks: &mut Clicks) {
        let choice = |text: &str, chosen: bool| {
            let mark = if chosen { look.pointer() } else { " " };
            let style = if chosen { look.selected() } else { Default::default() };
            Span::styled(format!("{mark} {text} "), style)
        };
        let buttons = vec![choice("No", !self.yes), Span::raw("   "), choice("Yes", self.yes)];
        let (no, yes) = (buttons[0].width() as u16, buttons[2].width() as u16);
        let lines = vec![Line::raw(self.question.as_str()), Line::default(), Line::from(buttons)];
        let popup = Popup { look, title: "Sure?", lines, wrap: false };
        let inside = popup.inside(area);
        frame.render_widget(popup, area);
        let row = Rect { y: inside.y + 2, height: 1, ..inside };
        clicks.add(Rect { width: no, ..row }.intersection(inside), KeyCode::Char('n'));
        let yes = Rect { x: row.x + no + 3, width: yes, ..row };
        clicks.add(yes.intersection(inside), KeyCode::Char('y'));
    }
}

impl Save {
    fn draw(&self, frame: &mut Frame, area: Rect, look: Look) {
        const WIDTH: u16 = 44;
        let (text, _) = self.field.view(WIDTH - 2);
        let last = match &self.refusal {
            Some(reason) => Line::styled(reason.as_str(), look.tone(Tone::Bad)),
            None => Line::styled("Enter saves, Esc does not.", look.tone(Tone::Faint)),
        };
        let lines = vec![
            Line::raw("The file; .psq and .sgf for gomoku, else text:"),
            Line::from(vec![
                Span::styled(format!("{} ", look.pointer()), look.tone(Tone::Focus)),
                Span::raw(text),
            ]),
            last,
        ];
        let popup = Popup { look, title: "Save the game", lines, wrap: true };
        let inside = popup.inside(area);
        frame.render_widget(popup, area);
        if inside.height > 1 {
            let width = inside.width.saturating_sub(2).min(WIDTH - 2);
            let field = Rect { x: inside.x + 2, y: inside.y + 1, width, height: 1 };
            frame.set_cursor_position(self.field.caret_in(field));
        }
    }
}
