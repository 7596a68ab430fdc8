//! Emoji that terminals do not agree about.
//!
//! A sign with a variation selector, such as ❤️, is two columns wide, and older terminals give it
//! one. A sign of several parts, such as 👨‍👩‍👧 or 👍🏽, is two columns wide as well, and older
//! terminals draw the parts side by side. Whatever a terminal does, what is beside such a sign must
//! stay whole.

use std::num::NonZeroU16;

use ratatui::buffer::{Buffer, CellDiffOption};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Makes a sign look like an emoji.
const SELECTOR: char = '\u{fe0f}';

/// Back by one column.
const BACK: &str = "\u{8}";

/// Prepares a picture for terminals of every kind, once all of it is drawn.
pub(crate) fn settle(buffer: &mut Buffer) {
    let row = usize::from(buffer.area.width).max(1);
    for at in 0..buffer.content.len() {
        let symbol = buffer.content[at].symbol();
        let width = symbol.width();
        let parts: usize = symbol.chars().filter_map(UnicodeWidthChar::width).sum();
        if parts <= width && !symbol.contains(SELECTOR) {
            continue;
        }
        // Where only the first column of the sign is covered, there is a blank in the others.
        let covered = format!("{}{}{symbol}", " ".repeat(width), BACK.repeat(width));
        let Some(forced) = u16::try_from(width).ok().and_then(NonZeroU16::new) else { continue };
        buffer.content[at].set_symbol(&covered);
        buffer.content[at].set_diff_option(CellDiffOption::ForcedWidth(forced));
        // Where the parts are drawn side by side, what they cover is drawn again.
        let end = (at + parts.max(width)).min((at / row + 1) * row);
        for cell in &mut buffer.content[(at + width).min(end)..end] {
            if cell.diff_option == CellDiffOption::None {
                cell.set_diff_option(CellDiffOption::AlwaysUpdate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::CrosstermBackend;
    use ratatui::layout::Rect;
    use ratatui::{TerminalOptions, Viewport};

    use super::*;

    /// What a terminal shows that knows selected signs but no parts of signs, after it was shown these
    /// lines one after the other.
    fn shown(lines: &[&str]) -> String {
        let [rows, columns] = [1, 20].map(|n| NonZeroU16::new(n).unwrap());
        let mut parser = vt100::Parser::new(rows, columns, 0);
        let area = Rect::new(0, 0, 20, 1);
        let options = TerminalOptions { viewport: Viewport::Fixed(area) };
        let mut sent = Vec::new();
        let backend = CrosstermBackend::new(&mut sent);
        let mut terminal = Terminal::with_options(backend, options).unwrap();
        for line in lines {
            let draw = |frame: &mut ratatui::Frame| {
                frame.render_widget(*line, area);
                settle(frame.buffer_mut());
            };
            terminal.draw(draw).unwrap();
        }
        drop(terminal);
        parser.process(&sent);
        parser.screen().contents().trim_end().to_string()
    }

    #[test]
    fn what_is_beside_a_doubtful_sign_stays_whole() {
        for (lines, expected) in [
            (&["--------", "--❤️-[]-"][..], "--❤️-[]-"),
            (&["--❤️-[]-", "--❤️-()-"], "--❤️-()-"),
            (&["--❤️-[]-", "[]-----"], "[]-----"),
            // Parts side by side, of which the first is seen.
            (&["----------", "--👨‍👩‍👧-[]--x"], "--👨\u{200d}-[]--x"),
            (&["--👨‍👩‍👧-[]--x", "--👨‍👩‍👧-()--x"], "--👨\u{200d}-()--x"),
            (&["--👨‍👩‍👧-[]--x", "-----[]--x"], "-----[]--x"),
            (&["----------", "--👍🏽-[]--x"], "--👍-[]--x"),
            (&["--🐻‍❄️-[]--x", "--🐻‍❄️-()--x"], "--🐻\u{200d}-()--x"),
            (&["-🐻‍❄️👨‍👩‍👧❤️-x", "-🐻‍❄️❤️👨‍👩‍👧-x"], "-🐻\u{200d}❤️👨\u{200d}-x"),
        ] {
            assert_eq!(shown(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_terminal_that_gives_a_sign_one_column_shows_a_blank_in_the_other() {
        let mut buffer = Buffer::with_lines(["-❤️-"]);
        settle(&mut buffer);
        assert_eq!(buffer[(1, 0)].symbol(), "  \u{8}\u{8}❤️");
        assert_eq!(buffer[(3, 0)].symbol(), "-");
    }
}
