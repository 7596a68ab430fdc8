//! The layout of the start page.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::{CUSTOM, StartPage};

pub(super) const LABEL_WIDTH: u16 = 12;

/// The lines that the parts of the page get. In small windows the form comes first, then a line of
/// keys, the title, all boards, more keys, the description and the logo.
pub(super) struct FormHeights {
    /// The title, or the logo.
    pub(super) logo: u16,
    pub(super) boards: u16,
    pub(super) description: u16,
    /// All of the form.
    pub(super) form: u16,
    pub(super) keys: u16,
}

impl FormHeights {
    pub(super) fn of(page: &StartPage, area: Rect, boards: &[String], keys: u16) -> FormHeights {
        /// The most lines of a description, so that the form does not move.
        const DESCRIPTION: u16 = 3;
        const TITLE: u16 = 2;
        const LOGO: u16 = 5;
        let own = u16::from(page.board == CUSTOM);
        // The opponent, the board, the button, and blank lines around the players.
        let form = 5 + own + page.kinds().len() as u16;
        // A blank line and a line of keys below the form.
        let mut spare = area.height.saturating_sub(form + 2);
        let mut grant = |wanted: u16| {
            let granted = if wanted <= spare { wanted } else { 0 };
            spare -= granted;
            granted
        };
        let title = grant(TITLE);
        let lines = flow(boards, "", beside_label(form_area(area)));
        let more_boards = grant(lines.last().map_or(0, |last| last.y - area.y));
        let more_keys = (1..keys).map(|_| grant(1)).sum::<u16>();
        let description = grant(DESCRIPTION);
        let is_wide = title > 0 && area.width >= 50;
        let logo = title + if is_wide { grant(LOGO - TITLE) } else { 0 };
        FormHeights {
            logo,
            boards: 1 + more_boards,
            description,
            form: form + more_boards + description,
            keys: (1 + more_keys).min(area.height),
        }
    }
}

/// The columns of the form, centred in wide windows.
pub(super) fn form_area(area: Rect) -> Rect {
    let x = area.x + if area.width >= 70 { (area.width - 68) / 2 } else { 1 };
    Rect { x, width: area.right().saturating_sub(x + 1), ..area }
}

pub(super) fn beside_label(row: Rect) -> Rect {
    let width = LABEL_WIDTH.min(row.width);
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
