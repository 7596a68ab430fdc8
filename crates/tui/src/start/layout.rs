//! The layout of the start page.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::{FormItem, StartPage};

const LABEL_WIDTH: u16 = 12;

/// A row of the form, which may take several lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormRow {
    Continue,
    Opponent,
    Boards,
    Rules,
    Description,
    Blank,
    Player(usize),
    /// One or two options side by side.
    Options(FormItem, Option<FormItem>),
    Button,
}

/// The rows with their heights, and the heights of what is around them. In small windows the form
/// comes first, then a line of keys, the title, all boards, more keys, the description and the logo.
pub(super) struct FormLayout {
    /// The title, or the logo.
    pub(super) logo: u16,
    pub(super) rows: Vec<(FormRow, u16)>,
    pub(super) keys: u16,
}

/// In narrower windows a line has only one option.
const MIN_OPTIONS_WIDTH: u16 = 60;

impl FormLayout {
    pub(super) fn of(page: &StartPage, area: Rect, boards: &[String], keys: u16) -> FormLayout {
        /// The most lines of a description, so that the form does not move.
        const DESCRIPTION: u16 = 3;
        const TITLE: u16 = 2;
        const LOGO: u16 = 5;
        let mut rows = Vec::new();
        rows.extend(page.continuation.is_some().then_some((FormRow::Continue, 1)));
        rows.extend([(FormRow::Opponent, 1), (FormRow::Boards, 1)]);
        rows.extend(page.is_custom().then_some((FormRow::Rules, 1)));
        rows.push((FormRow::Description, 0));
        let player = PlayerFields::of(beside_label(form_area(area))).height;
        rows.extend((0..page.seat_count()).map(|seat| (FormRow::Player(seat), player)));
        let options = [FormItem::Clock, FormItem::Think, FormItem::Counting, FormItem::League];
        match area.width >= MIN_OPTIONS_WIDTH {
            true => rows.extend(
                options.chunks(2).map(|pair| (FormRow::Options(pair[0], Some(pair[1])), 1)),
            ),
            false => rows.extend(options.map(|option| (FormRow::Options(option, None), 1))),
        }
        rows.push((FormRow::Button, 1));
        let form: u16 = rows.iter().map(|(_, height)| height).sum();
        // A line of keys below the form.
        let mut spare = area.height.saturating_sub(form + 1);
        let mut grant = |wanted: u16| {
            let granted = if wanted <= spare { wanted } else { 0 };
            spare -= granted;
            granted
        };
        let title = grant(TITLE);
        let lines = flow(boards, "", beside_label(form_area(area)));
        let more_boards = grant(lines.last().map_or(0, |last| last.y - area.y));
        let more_keys = (1..keys).map(|_| grant(1)).sum::<u16>();
        let blank = grant(1);
        let description = grant(DESCRIPTION);
        let more_blanks = [grant(1), grant(1), grant(1)];
        let is_wide = title > 0 && area.width >= 50;
        let logo = title + if is_wide { grant(LOGO - TITLE) } else { 0 };
        for (row, height) in &mut rows {
            match row {
                FormRow::Boards => *height += more_boards,
                FormRow::Description => *height = description,
                _ => {}
            }
        }
        let mut space = |before: FormRow, height: u16| {
            let at = rows.iter().position(|(row, _)| *row == before);
            if let (Some(at), 1..) = (at, height) {
                rows.insert(at, (FormRow::Blank, height));
            }
        };
        space(FormRow::Player(0), more_blanks[0]);
        let first_options = match area.width >= MIN_OPTIONS_WIDTH {
            true => FormRow::Options(FormItem::Clock, Some(FormItem::Think)),
            false => FormRow::Options(FormItem::Clock, None),
        };
        space(first_options, more_blanks[1]);
        space(FormRow::Button, blank);
        // Below the game to go on with.
        if page.continuation.is_some() {
            space(FormRow::Opponent, more_blanks[2]);
        }
        FormLayout { logo, rows, keys: (1 + more_keys).min(area.height) }
    }

    pub(super) fn form_height(&self) -> u16 {
        self.rows.iter().map(|(_, height)| height).sum()
    }

    /// The lines of the row with this element: the first one and the one after the last.
    pub(super) fn lines_of(&self, item: FormItem) -> (u16, u16) {
        let mut y = 0;
        for (row, height) in &self.rows {
            if row.has(item) {
                return (y, y + height);
            }
            y += height;
        }
        (0, 1)
    }
}

impl FormRow {
    fn has(self, item: FormItem) -> bool {
        match (self, item) {
            (FormRow::Continue, FormItem::Continue)
            | (FormRow::Opponent, FormItem::Opponent)
            | (FormRow::Boards, FormItem::Board)
            | (FormRow::Rules, FormItem::Rules) => true,
            (
                FormRow::Player(seat),
                FormItem::Kind(own) | FormItem::Name(own) | FormItem::Symbol(own),
            ) => seat == own,
            (FormRow::Options(first, second), item) => first == item || second == Some(item),
            _ => false,
        }
    }
}

/// Where the fields of a player are, beside the label: on one line if they fit, or else on several.
pub(super) struct PlayerFields {
    pub(super) kind: Rect,
    pub(super) name: Rect,
    pub(super) symbol_label: Rect,
    pub(super) symbol: Rect,
    height: u16,
}

impl PlayerFields {
    pub(super) fn of(area: Rect) -> PlayerFields {
        const KIND: u16 = 11;
        const NAME: u16 = 24;
        const SYMBOL_LABEL: u16 = 7;
        const SYMBOL: u16 = 5;
        let line = |x: u16, width: u16, y: u16| {
            let width = width.min(area.width.saturating_sub(x));
            Rect { x: area.x + x, y: area.y + y, width, height: 1 }
        };
        let one_line = KIND + 1 + NAME + 2 + SYMBOL_LABEL + SYMBOL;
        if area.width >= one_line {
            let symbol = KIND + 1 + NAME + 2;
            return PlayerFields {
                kind: line(0, KIND, 0),
                name: line(KIND + 1, NAME, 0),
                symbol_label: line(symbol, SYMBOL_LABEL, 0),
                symbol: line(symbol + SYMBOL_LABEL, SYMBOL, 0),
                height: 1,
            };
        }
        if area.width >= KIND + 1 + SYMBOL_LABEL + 3 {
            return PlayerFields {
                kind: line(0, KIND, 0),
                symbol_label: line(KIND + 1, SYMBOL_LABEL, 0),
                symbol: line(KIND + 1 + SYMBOL_LABEL, SYMBOL, 0),
                name: line(0, NAME, 1),
                height: 2,
            };
        }
        PlayerFields {
            kind: line(0, KIND, 0),
            name: line(0, NAME, 1),
            symbol_label: line(0, 0, 2),
            symbol: line(0, SYMBOL, 2),
            height: 3,
        }
    }
}

/// The columns of the form, centred in wide windows.
pub(super) fn form_area(area: Rect) -> Rect {
    let x = area.x + if area.width >= 70 { (area.width - 68) / 2 } else { 1 };
    Rect { x, width: area.right().saturating_sub(x + 1), ..area }
}

pub(super) fn beside_label(row: Rect) -> Rect {
    let width = if row.width >= 2 * LABEL_WIDTH { LABEL_WIDTH } else { row.width / 2 };
    Rect { x: row.x + width, width: row.width - width, ..row }
}

/// The places of values side by side, on as many lines as they need. Each has a bracket on both
/// sides if it is selected.
pub(super) fn flow(values: &[String], before_second: &str, area: Rect) -> Vec<Rect> {
    let (mut x, mut y) = (area.x, area.y);
    let place = |(i, value): (usize, &String)| {
        let before = if i == 1 { before_second.width() as u16 } else { 0 };
        let width = value.width() as u16 + 2;
        if x > area.x && x + before + width > area.right() {
            (x, y) = (area.x, y + 1);
        }
        let place = Rect { x: x + before, y, width, height: 1 };
        x = place.right();
        place
    };
    values.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_player_is_visible() {
        for width in 5..100 {
            let area = Rect::new(0, 0, width, 3);
            let fields = PlayerFields::of(area);
            for field in [fields.kind, fields.name, fields.symbol] {
                assert!(field.width >= 3 && area.contains((field.x, field.y).into()), "{width}");
            }
        }
    }
}
