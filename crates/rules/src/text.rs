//! Untrusted text.

/// Whether a character would disturb the line it is printed on: control characters, line and
/// paragraph separators, bidirectional marks and noncharacters. Names and symbols never contain
/// one.
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

/// The beginning of a text, safe to print in an error message.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 24;
    let mut shown: String = text
        .chars()
        .take(MAX_CHARS)
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        shown.push('…');
    }
    shown
}
