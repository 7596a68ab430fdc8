//! What texts from outside have in common.

/// Whether a character would disturb the line it is printed on: control characters, line and
/// paragraph separators, the marks that turn the writing direction, and noncharacters. No name and
/// no symbol has one; whoever prints other texts from outside can keep them out too.
///
/// ```
/// use noughts_rules::is_unprintable;
///
/// assert!("\u{1b}[2J".contains(is_unprintable));
/// assert!("Ann\u{202e}".contains(is_unprintable));
/// assert!(!"Zoë".contains(is_unprintable));
/// ```
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{fdd0}'..='\u{fdef}')
        || c as u32 & 0xfffe == 0xfffe
}

/// At most the first few characters of a text, made safe to print in an error message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut shown: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
