//! Opening choices: who plays which mark.

use crossterm::event::KeyCode;
use noughts_rules::{Game, Move, Position};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::theme::{TextRole, Theme};
use crate::widgets::click_map::ClickMap;
use crate::widgets::shortened;

/// The opening choices of the seat to move; none if it has to place a mark.
pub(crate) fn opening_choices(position: &Position) -> Vec<Move> {
    position.legal_moves().filter(|mv| mv.cell().is_none()).collect()
}

/// An opening choice in words.
pub(crate) fn choice_words(game: &Game, choice: Move) -> String {
    let symbol = |is_own: bool| {
        let mut seats = game.rules().seats();
        let seat = seats.find(|&seat| (game.turn() == Some(seat)) == is_own);
        seat.and_then(|seat| game.seat_symbol(seat)).map_or(String::new(), ToString::to_string)
    };
    match choice {
        Move::Swap => format!("Swap: take {}", symbol(false)),
        Move::Keep => format!("Keep {}", symbol(true)),
        Move::More => "Place two more stones".to_string(),
        mv => mv.to_string(),
    }
}

/// The question and the numbered choices, each of which can be clicked.
pub(crate) struct ChoiceBar {
    pub(crate) theme: Theme,
    pub(crate) question: String,
    pub(crate) choices: Vec<String>,
    pub(crate) selected: usize,
}

impl ChoiceBar {
    /// The text, place and width of each choice: side by side, or below each other.
    fn layout(&self, width: u16) -> Vec<(String, Rect)> {
        let texts = self.choices.iter().enumerate().map(|(i, choice)| {
            let mark = if i == self.selected { self.theme.pointer() } else { " " };
            shortened(&format!("{mark} {} {choice} ", i + 1), width.into())
        });
        let texts: Vec<(String, u16)> =
            texts.map(|text| (text.clone(), text.width() as u16)).collect();
        let needed: usize = texts.iter().map(|(_, width)| usize::from(*width) + 1).sum();
        let is_wide = needed <= usize::from(width);
        let (mut x, mut y) = (0, 1);
        let place = |(text, width): (String, u16)| {
            let area = Rect { x, y, width, height: 1 };
            if is_wide {
                x += width + 1;
            } else {
                y += 1;
            }
            (text, area)
        };
        texts.into_iter().map(place).collect()
    }

    pub(crate) fn height(&self, width: u16) -> u16 {
        self.layout(width).last().map_or(0, |(_, area)| area.bottom())
    }

    /// Makes the choices clickable.
    pub(crate) fn add_clicks(&self, area: Rect, click_map: &mut ClickMap) {
        for (number, (_, place)) in ('1'..).zip(self.layout(area.width)) {
            let place = Rect { x: area.x + place.x, y: area.y + place.y, ..place };
            click_map.add(place.intersection(area), KeyCode::Char(number));
        }
    }
}

impl Widget for ChoiceBar {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        Clear.render(area, buffer);
        let title = self.theme.role(TextRole::Title);
        Line::styled(self.question.as_str(), title).render(area, buffer);
        for (i, (text, place)) in self.layout(area.width).into_iter().enumerate() {
            let place = Rect { x: area.x + place.x, y: area.y + place.y, ..place };
            let is_selected = i == self.selected;
            let style = if is_selected { self.theme.selected() } else { Default::default() };
            Span::styled(text, style).render(place.intersection(area), buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rules: &str, moves: &str) -> Game {
        let mut game = Game::with_default_players(&rules.parse().unwrap());
        for mv in moves.split_whitespace() {
            game.play(game.turn().unwrap(), mv.parse::<Move>().unwrap()).unwrap();
        }
        game
    }

    fn words(game: &Game) -> Vec<String> {
        let choices = opening_choices(game.position());
        choices.into_iter().map(|choice| choice_words(game, choice)).collect()
    }

    #[test]
    fn choices_name_the_marks() {
        assert_eq!(words(&game("3x3+swap", "")), [""; 0]);
        assert_eq!(words(&game("3x3+swap", "B2")), ["Swap: take X", "Keep O"]);
        let swap2 = game("swap2", "H8 A1 A2");
        assert_eq!(words(&swap2), ["Swap: take X", "Keep O", "Place two more stones"]);
        // Then the first player chooses.
        let last = game("swap2", "H8 A1 A2 more A3 A4");
        assert_eq!(words(&last), ["Swap: take O", "Keep X"]);
    }

    #[test]
    fn narrow_bars_list_choices() {
        let choices = ["Swap: take X", "Keep O"].map(String::from).to_vec();
        let theme = Theme::new(true, false);
        let bar = ChoiceBar { theme, question: "Choose:".into(), choices, selected: 0 };
        assert_eq!((bar.height(60), bar.height(20)), (2, 3));
        let mut click_map = ClickMap::default();
        bar.add_clicks(Rect::new(4, 7, 20, 3), &mut click_map);
        assert_eq!(click_map.key_at(6, 8), Some(KeyCode::Char('1')));
        assert_eq!(click_map.key_at(6, 9), Some(KeyCode::Char('2')));
    }
}
