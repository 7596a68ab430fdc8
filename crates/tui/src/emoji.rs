//! Emoji whose width terminals disagree about.
//!
//! A character with a variation selector, such as ❤️, is two columns wide; older terminals draw it
//! in one. A sequence such as 👨‍👩‍👧 or 👍🏽 is two columns wide as well; older terminals draw its
//! parts side by side. Whatever the terminal does, the cells beside it must stay intact.

use std::num::NonZeroU16;

use ratatui::buffer::{Buffer, CellDiffOption};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Variation selector 16: emoji presentation.
const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// Moves the cursor back by one column.
const BACKSPACE: &str = "\u{8}";

/// Makes a finished buffer safe for terminals of either kind.
pub(crate) fn normalise_emoji(buffer: &mut Buffer) {
    let row = usize::from(buffer.area.width).max(1);
    for at in 0..buffer.content.len() {
        let symbol = buffer.content[at].symbol();
        let width = symbol.width();
        let parts: usize = symbol.chars().filter_map(UnicodeWidthChar::width).sum();
        if parts <= width && !symbol.contains(EMOJI_PRESENTATION) {
            continue;
        }
        // Blanks below the character fill the columns that the terminal leaves out.
        let covered = format!("{}{}{symbol}", " ".repeat(width), BACKSPACE.repeat(width));
        let Some(forced) = u16::try_from(width).ok().and_then(NonZeroU16::new) else { continue };
        buffer.content[at].set_symbol(&covered);
        buffer.content[at].set_diff_option(CellDiffOption::ForcedWidth(forced));
        // Cells that the parts may have covered are drawn again.
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

    /// The screen after these lines were drawn, on a terminal that knows variation selectors but
    /// not sequences.
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
                normalise_emoji(frame.buffer_mut());
            };
            terminal.draw(draw).unwrap();
        }
        drop(terminal);
        parser.process(&sent);
        parser.screen().contents().trim_end().to_string()
    }

    #[test]
    fn neighbours_of_emoji_stay_intact() {
        for (lines, expected) in [
            (&["--------", "--❤️-[]-"][..], "--❤️-[]-"),
            (&["--❤️-[]-", "--❤️-()-"], "--❤️-()-"),
            (&["--❤️-[]-", "[]-----"], "[]-----"),
            // Parts side by side; only the first stays visible.
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
    fn emoji_are_backed_by_blanks() {
        let mut buffer = Buffer::with_lines(["-❤️-"]);
        normalise_emoji(&mut buffer);
        assert_eq!(buffer[(1, 0)].symbol(), "  \u{8}\u{8}❤️");
        assert_eq!(buffer[(3, 0)].symbol(), "-");
    }
}
