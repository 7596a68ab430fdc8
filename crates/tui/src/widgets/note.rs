//! What is written into an empty cell: what it is worth, and whether it is best.

use noughts_engine::{Value, Verdict};
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use crate::theme::{TextRole, Theme};

/// What is said of an empty cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// What it is worth.
    pub(crate) verdict: Option<Verdict>,
    /// Whether there is none better.
    pub(crate) best: bool,
}

impl Note {
    /// What there is room for in so many columns.
    pub(crate) fn text(&self, width: u16, theme: Theme) -> Option<String> {
        let star = theme.star();
        let mut texts = self.verdict.map_or(Vec::new(), |verdict| labels(verdict, width));
        if self.best {
            let starred = |text: &String| [format!("{star} {text}"), format!("{star}{text}")];
            texts = texts.iter().flat_map(starred).collect();
            texts.push(star.to_string());
        }
        texts.into_iter().find(|text| text.width() <= usize::from(width))
    }

    pub(crate) fn style(&self, theme: Theme) -> Style {
        let role = self.verdict.map_or(TextRole::Good, |verdict| theme.verdict(verdict));
        let emphasis =
            if self.best { Modifier::BOLD | Modifier::UNDERLINED } else { Modifier::empty() };
        theme.role(role).add_modifier(emphasis)
    }
}

/// What a verdict is called, from the longest to the shortest. What is not proven begins with `~`,
/// or has no letter.
fn labels(verdict: Verdict, width: u16) -> Vec<String> {
    /// Beyond this the search saw the end of the game.
    const SEEN: i32 = 500_000;
    match verdict {
        Verdict::Proven(Value::Win { plies }) => {
            vec![format!("win {plies}"), format!("W{plies}"), "W".into()]
        }
        Verdict::Proven(Value::Loss { plies }) => {
            vec![format!("loss {plies}"), format!("L{plies}"), "L".into()]
        }
        Verdict::Proven(Value::Draw) => vec!["draw".into(), "D".into()],
        Verdict::Estimate(score) if score > SEEN => vec!["~win".into(), "~W".into()],
        Verdict::Estimate(score) if score < -SEEN => vec!["~loss".into(), "~L".into()],
        Verdict::Estimate(score) => {
            // In hundreds where there is little room; a number without a letter is a guess.
            let hundreds = (score.unsigned_abs().saturating_add(50) / 100).min(9);
            let short = match (score, hundreds) {
                (0, _) => "0".to_string(),
                // Better or worse all the same.
                (1.., 0) => "+".to_string(),
                (_, 0) => "-".to_string(),
                (1.., hundreds) => format!("+{hundreds}"),
                (_, hundreds) => format!("-{hundreds}"),
            };
            if width < 6 { vec![short] } else { vec![format!("~{score:+}"), short] }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_keep_their_sign_where_there_is_little_room() {
        let theme = Theme { ascii: true, colour: false };
        let text = |score, width| {
            Note { verdict: Some(Verdict::Estimate(score)), best: false }
                .text(width, theme)
                .unwrap()
        };
        let small = [-1234, -97, -49, 0, 49, 97, 250, 12_345].map(|score| text(score, 3));
        assert_eq!(small, ["-9", "-1", "-", "0", "+", "+1", "+3", "+9"]);
        assert_eq!(text(97, 9), "~+97");
    }
}
