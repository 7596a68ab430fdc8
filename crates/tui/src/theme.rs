//! Characters and styles of the screen.

use noughts_engine::{Value, Verdict};
use noughts_rules::{Mark, Seat};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::{border, line};

/// Which characters and colours the terminal supports. Only the sixteen ANSI colours are used, and
/// nothing is shown by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Draw with ASCII only, except for the players' own names and symbols.
    pub ascii: bool,
    /// Use colours.
    pub colour: bool,
    /// Which colours.
    pub palette: Palette,
}

/// The colours of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// Bright players on a dark background.
    #[default]
    Dark,
    /// Dark players on a light background.
    Light,
    /// Bold text without faint parts, and the colours that differ most.
    Contrast,
}

impl Palette {
    /// The palettes by name.
    pub const ALL: [(&'static str, Palette); 3] =
        [("dark", Palette::Dark), ("light", Palette::Light), ("contrast", Palette::Contrast)];
}

/// The role of a piece of text, which decides its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextRole {
    Plain,
    /// Grid lines and labels.
    Faint,
    Title,
    /// The name of a key.
    Key,
    /// The element with the keyboard focus.
    Focus,
    Good,
    Even,
    Bad,
}

impl Theme {
    /// A theme in the default colours.
    #[must_use]
    pub const fn new(ascii: bool, colour: bool) -> Theme {
        Theme { ascii, colour, palette: Palette::Dark }
    }

    pub(crate) fn role(self, role: TextRole) -> Style {
        let (colour, modifier) = match role {
            TextRole::Plain => (Color::Reset, Modifier::empty()),
            TextRole::Faint => (Color::Reset, Modifier::DIM),
            TextRole::Title => (Color::Reset, Modifier::BOLD),
            TextRole::Key => (Color::Cyan, Modifier::BOLD),
            TextRole::Focus => (Color::Yellow, Modifier::BOLD),
            TextRole::Good => (Color::Green, Modifier::BOLD),
            TextRole::Even => (Color::Yellow, Modifier::empty()),
            TextRole::Bad => (Color::Red, Modifier::empty()),
        };
        let (colour, modifier) = match (self.palette, role) {
            (Palette::Light, TextRole::Key) => (Color::Blue, Modifier::BOLD),
            (Palette::Light, TextRole::Focus | TextRole::Even) => (Color::Magenta, modifier),
            (Palette::Contrast, TextRole::Faint) => (Color::Reset, Modifier::empty()),
            (Palette::Contrast, TextRole::Key | TextRole::Focus) => {
                (Color::LightYellow, Modifier::BOLD)
            }
            (Palette::Contrast, TextRole::Good) => (Color::LightGreen, Modifier::BOLD),
            (Palette::Contrast, TextRole::Bad) => (Color::LightRed, Modifier::BOLD),
            _ => (colour, modifier),
        };
        self.style(colour, modifier)
    }

    /// The selected item of a list.
    pub(crate) fn selected(self) -> Style {
        self.style(Color::Reset, Modifier::REVERSED)
    }

    /// The colour of a seat.
    pub(crate) fn seat(self, seat: Seat) -> Style {
        self.player(seat.index())
    }

    /// The colour of a mark: that of the seat that begins with it.
    pub(crate) fn mark(self, mark: Mark) -> Style {
        self.player(mark.index())
    }

    fn player(self, index: usize) -> Style {
        const COLOURS: [Color; 8] = [
            Color::LightCyan,
            Color::LightMagenta,
            Color::LightGreen,
            Color::LightYellow,
            Color::LightBlue,
            Color::LightRed,
            Color::Cyan,
            Color::Magenta,
        ];
        const ON_LIGHT: [Color; 8] = [
            Color::Blue,
            Color::Red,
            Color::Green,
            Color::Magenta,
            Color::Cyan,
            Color::Yellow,
            Color::LightBlue,
            Color::LightRed,
        ];
        const CONTRAST: [Color; 8] = [
            Color::LightYellow,
            Color::LightCyan,
            Color::LightGreen,
            Color::LightMagenta,
            Color::LightRed,
            Color::LightBlue,
            Color::Yellow,
            Color::Cyan,
        ];
        let colours = match self.palette {
            Palette::Dark => COLOURS,
            Palette::Light => ON_LIGHT,
            Palette::Contrast => CONTRAST,
        };
        self.style(colours[index % colours.len()], Modifier::BOLD)
    }

    fn style(self, colour: Color, modifier: Modifier) -> Style {
        let style = Style::new().add_modifier(modifier);
        if self.colour && colour != Color::Reset { style.fg(colour) } else { style }
    }

    /// Picks the Unicode or the ASCII variant of a text.
    pub(crate) fn pick<'a>(self, fine: &'a str, ascii: &'a str) -> &'a str {
        if self.ascii { ascii } else { fine }
    }

    /// The lines between cells.
    pub(crate) fn light(self) -> line::Set<'static> {
        if self.ascii { ascii_lines("-", "|", "+") } else { line::NORMAL }
    }

    /// Lines where rows or columns of heavy lines cross light ones.
    pub(crate) fn mixed(self, heavy_row: bool, heavy_col: bool) -> line::Set<'static> {
        match (heavy_row, heavy_col) {
            (false, false) => self.light(),
            _ if self.ascii => self.heavy(),
            (true, true) => line::THICK,
            (true, false) => line::Set {
                horizontal_down: "┯",
                horizontal_up: "┷",
                cross: "┿",
                vertical_left: "┥",
                vertical_right: "┝",
                ..line::THICK
            },
            (false, true) => line::Set {
                vertical_right: "┠",
                vertical_left: "┨",
                cross: "╂",
                horizontal_down: "┰",
                horizontal_up: "┸",
                ..line::THICK
            },
        }
    }

    /// The frame of the cursor.
    pub(crate) fn heavy(self) -> line::Set<'static> {
        if self.ascii { ascii_lines("#", "#", "#") } else { line::THICK }
    }

    /// The frame of winning cells.
    pub(crate) fn double(self) -> line::Set<'static> {
        if self.ascii { ascii_lines("*", "*", "*") } else { line::DOUBLE }
    }

    /// The border of popups.
    pub(crate) fn border(self) -> border::Set<'static> {
        if !self.ascii {
            return border::ROUNDED;
        }
        border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        }
    }

    /// The corners that mark the last move.
    pub(crate) fn corners(self) -> [&'static str; 4] {
        if self.ascii { [",", ".", "`", "'"] } else { ["┌", "┐", "└", "┘"] }
    }

    pub(crate) fn star(self) -> &'static str {
        self.pick("★", "*")
    }

    /// The pointer at the player to move and at the selected item.
    pub(crate) fn pointer(self) -> &'static str {
        self.pick("▸", ">")
    }

    pub(crate) fn separator(self) -> &'static str {
        self.pick(" · ", " - ")
    }

    pub(crate) fn verdict(self, verdict: Verdict) -> TextRole {
        match verdict {
            Verdict::Proven(Value::Win { .. }) => TextRole::Good,
            Verdict::Proven(Value::Loss { .. }) => TextRole::Bad,
            Verdict::Proven(Value::Draw) => TextRole::Even,
            Verdict::Estimate(score) if score > 0 => TextRole::Good,
            Verdict::Estimate(score) if score < 0 => TextRole::Bad,
            Verdict::Estimate(_) => TextRole::Even,
        }
    }
}

fn ascii_lines(
    horizontal: &'static str,
    vertical: &'static str,
    joint: &'static str,
) -> line::Set<'static> {
    line::Set {
        vertical,
        horizontal,
        top_right: joint,
        top_left: joint,
        bottom_right: joint,
        bottom_left: joint,
        vertical_left: joint,
        vertical_right: joint,
        horizontal_down: joint,
        horizontal_up: joint,
        cross: joint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palettes_tell_players_apart() {
        for (name, palette) in Palette::ALL {
            let theme = Theme { palette, ..Theme::new(false, true) };
            let seats = (0..8).map(|seat| theme.seat(Seat::new(seat).unwrap()).fg);
            let mut colours: Vec<_> = seats.collect();
            assert!(colours.iter().all(Option::is_some));
            colours.sort_by_key(|colour| format!("{colour:?}"));
            colours.dedup();
            assert_eq!(colours.len(), 8, "{name}");
        }
    }

    #[test]
    fn emphasis_survives_without_colours() {
        let theme = Theme::new(false, false);
        assert_eq!(theme.role(TextRole::Good), Style::new().add_modifier(Modifier::BOLD));
        assert_eq!(theme.seat(Seat::FIRST).fg, None);
    }
}
