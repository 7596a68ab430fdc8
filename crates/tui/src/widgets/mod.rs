//! Widgets: each draws itself into a buffer. Only the text field handles keys.

pub(crate) mod board;
pub(crate) mod click_map;
pub(crate) mod key_bar;
pub(crate) mod note;
pub(crate) mod panel;
pub(crate) mod popup;
mod shapes;
pub(crate) mod text_field;

/// Shortens a text to this many columns, marking the cut.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    use unicode_segmentation::UnicodeSegmentation;
    use unicode_width::UnicodeWidthStr;

    if text.width() <= width {
        return text.to_string();
    }
    let mut short = String::new();
    for grapheme in text.graphemes(true) {
        if short.width() + grapheme.width() + 1 > width {
            break;
        }
        short.push_str(grapheme);
    }
    if width > 0 {
        short.push('~');
    }
    short
}

/// An error as a sentence: `expected a name` becomes `Expected a name.`
pub(crate) fn sentence(error: &str) -> String {
    let mut chars = error.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::{sentence, shortened};

    #[test]
    fn errors_become_sentences() {
        assert_eq!(sentence("expected a name"), "Expected a name.");
        assert_eq!(sentence("`x` is no board"), "`x` is no board.");
    }

    #[test]
    fn texts_shorten_by_display_width() {
        assert_eq!(shortened("Ann", 3), "Ann");
        assert_eq!(shortened("Annabel", 4), "Ann~");
        assert_eq!(shortened("漢字漢字", 4), "漢~");
        assert_eq!(shortened("Ann", 0), "");
    }
}
