//! Popups in front of the board: the menu, confirmations, and saving.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::Game;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::keys::Keys;
use super::theme::{TextRole, Theme};
use super::widgets::click_map::ClickMap;
use super::widgets::popup::Popup;
use super::widgets::text_field::TextField;

/// A command of a menu.
pub(crate) trait MenuCommand: Copy {
    /// Its key; empty if it has none.
    fn key(self) -> &'static str;
    /// Its title in the menu.
    fn title(self) -> &'static str;
}

pub(crate) enum Dialog<C> {
    Menu(Menu<C>),
    Confirm(Confirm<C>),
    Save(Save),
}

/// The result of a key or a click.
pub(crate) enum DialogResult<C> {
    /// The dialog stays open.
    Wait(Dialog<C>),
    Cancel,
    /// A menu command was chosen.
    Chosen(C),
    /// A question was answered with yes.
    Confirmed(C),
    SaveAs(Save),
}

pub(crate) struct Menu<C> {
    commands: Vec<C>,
    keys: Keys,
    selected: usize,
    /// Index of the first visible command.
    first: usize,
    /// Where the commands were drawn last.
    area: Rect,
}

pub(crate) struct Confirm<C> {
    pub(crate) question: String,
    pub(crate) command: C,
    pub(crate) yes: bool,
}

pub(crate) struct Save {
    pub(crate) field: TextField,
    refusal: Option<String>,
}

impl<C> Menu<C> {
    pub(crate) fn new(commands: Vec<C>, keys: Keys) -> Menu<C> {
        Menu { commands, keys, selected: 0, first: 0, area: Rect::default() }
    }
}

impl Save {
    /// Proposes the name of a new file.
    pub(crate) fn new(game: &Game) -> Save {
        let gomoku = noughts_rules::notation::psq::write(game).is_ok();
        let extension = if gomoku { "psq" } else { "txt" };
        let names = (1..1000).map(|number| format!("game-{number}.{extension}"));
        let free = names.into_iter().find(|name| !std::path::Path::new(name).exists());
        Save { field: TextField::new(&free.unwrap_or_default()), refusal: None }
    }

    pub(crate) fn refused(self, reason: String) -> Save {
        Save { refusal: Some(reason), ..self }
    }
}

impl<C: MenuCommand> Dialog<C> {
    pub(crate) fn handle(self, key: KeyEvent) -> DialogResult<C> {
        if key.code == KeyCode::Esc {
            return DialogResult::Cancel;
        }
        match self {
            Dialog::Menu(menu) => menu.handle(key),
            Dialog::Confirm(confirm) => confirm.handle(key),
            Dialog::Save(mut save) => {
                if key.code == KeyCode::Enter {
                    return DialogResult::SaveAs(save);
                }
                if save.field.handle(key) {
                    save.refusal = None;
                }
                DialogResult::Wait(Dialog::Save(save))
            }
        }
    }

    pub(crate) fn click(self, mouse: &MouseEvent) -> DialogResult<C> {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return DialogResult::Wait(self);
        }
        match self {
            Dialog::Menu(menu) => {
                if !menu.area.contains((mouse.column, mouse.row).into()) {
                    return DialogResult::Cancel;
                }
                let row = menu.first + usize::from(mouse.row - menu.area.y);
                let command = menu.commands.get(row).copied();
                command.map_or(DialogResult::Wait(Dialog::Menu(menu)), DialogResult::Chosen)
            }
            dialog => DialogResult::Wait(dialog),
        }
    }

    /// Draws the dialog and adds what can be clicked.
    pub(crate) fn draw(
        &mut self,
        frame: &mut Frame,
        area: Rect,
        theme: Theme,
        click_map: &mut ClickMap,
    ) {
        match self {
            Dialog::Menu(menu) => menu.draw(frame, area, theme),
            Dialog::Confirm(confirm) => confirm.draw(frame, area, theme, click_map),
            Dialog::Save(save) => save.draw(frame, area, theme),
        }
    }
}

impl<C: MenuCommand> Menu<C> {
    fn handle(mut self, key: KeyEvent) -> DialogResult<C> {
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
                return DialogResult::Chosen(self.commands[self.selected]);
            }
            KeyCode::Char(c) => {
                let usual = self.keys.usual(c);
                let own = |command: &&C| command.key().chars().eq(usual);
                if let Some(&command) = self.commands.iter().find(own) {
                    return DialogResult::Chosen(command);
                }
            }
            _ => {}
        }
        DialogResult::Wait(Dialog::Menu(self))
    }

    fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let width = self.commands.iter().map(|command| command.title().len()).max().unwrap_or(0);
        // The border takes two lines.
        let height = usize::from(area.height.saturating_sub(2).max(1));
        let least = (self.selected + 1).saturating_sub(height);
        self.first = self.first.clamp(least, self.selected);
        let more = self.commands.len().saturating_sub(self.first + height);
        let title = match (self.first, more) {
            (0, 0) => "Menu".to_string(),
            (_, 0) => format!("Menu {}", theme.pick("▲", "^")),
            (0, _) => format!("Menu {}", theme.pick("▼", "v")),
            _ => format!("Menu {}", theme.pick("▲▼", "^v")),
        };
        let commands = self.commands.iter().enumerate().skip(self.first).take(height);
        let lines = commands.map(|(i, command)| {
            let is_selected = i == self.selected;
            let mark = if is_selected { theme.pointer() } else { " " };
            let text = format!("{mark} {:<width$}  ", command.title());
            let style = if is_selected { theme.selected() } else { Default::default() };
            let key = Span::styled(
                format!("{:<1}", self.keys.shown(command.key())),
                theme.role(TextRole::Key),
            );
            Line::from(vec![Span::styled(text, style), key])
        });
        let popup = Popup { theme, title: &title, lines: lines.collect(), wrap: false };
        self.area = popup.inside(area);
        frame.render_widget(popup, area);
    }
}

impl<C: MenuCommand> Confirm<C> {
    fn handle(mut self, key: KeyEvent) -> DialogResult<C> {
        match key.code {
            KeyCode::Char('y' | 'Y') => return DialogResult::Confirmed(self.command),
            KeyCode::Char('n' | 'N') => return DialogResult::Cancel,
            KeyCode::Enter | KeyCode::Char(' ') if self.yes => {
                return DialogResult::Confirmed(self.command);
            }
            KeyCode::Enter | KeyCode::Char(' ') => return DialogResult::Cancel,
            KeyCode::Left | KeyCode::Right | KeyCode::Tab | KeyCode::Up | KeyCode::Down => {
                self.yes = !self.yes;
            }
            KeyCode::Char('h' | 'j' | 'k' | 'l') => self.yes = !self.yes,
            _ => {}
        }
        DialogResult::Wait(Dialog::Confirm(self))
    }

    fn draw(&self, frame: &mut Frame, area: Rect, theme: Theme, click_map: &mut ClickMap) {
        let choice = |text: &str, chosen: bool| {
            let mark = if chosen { theme.pointer() } else { " " };
            let style = if chosen { theme.selected() } else { Default::default() };
            Span::styled(format!("{mark} {text} "), style)
        };
        let buttons = vec![choice("No", !self.yes), Span::raw("   "), choice("Yes", self.yes)];
        let (no, yes) = (buttons[0].width() as u16, buttons[2].width() as u16);
        let lines = vec![Line::raw(self.question.as_str()), Line::default(), Line::from(buttons)];
        let popup = Popup { theme, title: "Confirm", lines, wrap: false };
        let inside = popup.inside(area);
        frame.render_widget(popup, area);
        let row = Rect { y: inside.y + 2, height: 1, ..inside };
        click_map.add(Rect { width: no, ..row }.intersection(inside), KeyCode::Char('n'));
        let yes = Rect { x: row.x + no + 3, width: yes, ..row };
        click_map.add(yes.intersection(inside), KeyCode::Char('y'));
    }
}

impl Save {
    fn draw(&self, frame: &mut Frame, area: Rect, theme: Theme) {
        const WIDTH: u16 = 44;
        let (text, _) = self.field.view(WIDTH - 2);
        let last = match &self.refusal {
            Some(reason) => Line::styled(reason.as_str(), theme.role(TextRole::Bad)),
            None => Line::styled("Enter saves, Esc cancels.", theme.role(TextRole::Faint)),
        };
        let lines = vec![
            Line::raw("File name (for gomoku also .psq or .sgf):"),
            Line::from(vec![
                Span::styled(format!("{} ", theme.pointer()), theme.role(TextRole::Focus)),
                Span::raw(text),
            ]),
            last,
        ];
        let popup = Popup { theme, title: "Save the game", lines, wrap: true };
        let inside = popup.inside(area);
        frame.render_widget(popup, area);
        if inside.height > 1 {
            let width = inside.width.saturating_sub(2).min(WIDTH - 2);
            let field = Rect { x: inside.x + 2, y: inside.y + 1, width, height: 1 };
            frame.set_cursor_position(self.field.caret_in(field));
        }
    }
}
