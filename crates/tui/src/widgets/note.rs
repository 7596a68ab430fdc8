//! The note in an empty cell: its value, and whether it is best.

use noughts_engine::{Value, Verdict};
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use crate::theme::{TextRole, Theme};

/// The note of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// Its value.
    pub(crate) verdict: Option<Verdict>,
    /// The winner's own moves until the end, where that is proven.
    pub(crate) moves: Option<u16>,
    /// Whether no other cell is better.
    pub(crate) best: bool,
    /// The symbol of the mark that has this value, where the mover chooses and only one has.
    pub(crate) mark: Option<String>,
}

impl Note {
    /// The longest text that fits into this many columns.
    pub(crate) fn text(&self, width: u16, theme: Theme) -> Option<String> {
        let star = theme.star();
        let mut texts =
            self.verdict.map_or(Vec::new(), |verdict| labels(verdict, self.moves, width));
        if let Some(mark) = &self.mark {
            let marked = |text: &String| [format!("{mark} {text}"), format!("{mark}{text}")];
            texts = texts.iter().flat_map(marked).chain(texts.iter().cloned()).collect();
            texts.push(mark.clone());
        }
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

/// Texts for a verdict, longest first. Estimates begin with `~` or have no letter.
fn labels(verdict: Verdict, moves: Option<u16>, width: u16) -> Vec<String> {
    /// Above this score the search saw the end of the game.
    const PROVEN_SCORE: i32 = 500_000;
    match verdict {
        Verdict::Proven(value @ Value::Win { .. }) => {
            let moves = moves.or(value.winner_moves()).unwrap_or(0);
            vec![format!("win {moves}"), format!("W{moves}"), "W".into()]
        }
        Verdict::Proven(value @ Value::Loss { .. }) => {
            let moves = moves.or(value.winner_moves()).unwrap_or(0);
            vec![format!("loss {moves}"), format!("L{moves}"), "L".into()]
        }
        Verdict::Proven(Value::Draw) => vec!["draw".into(), "D".into()],
        Verdict::Estimate(score) if score > PROVEN_SCORE => vec!["~win".into(), "~W".into()],
        Verdict::Estimate(score) if score < -PROVEN_SCORE => vec!["~loss".into(), "~L".into()],
        Verdict::Estimate(score) => {
            // In hundreds if space is short; a number without a letter is an estimate.
            let hundreds = (score.unsigned_abs().saturating_add(50) / 100).min(9);
            let short = match (score, hundreds) {
                (0, _) => "0".to_string(),
                // Too small for hundreds: only the sign.
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
    fn short_estimates_keep_their_sign() {
        let theme = Theme::new(true, false);
        let text = |score, width| {
            Note { verdict: Some(Verdict::Estimate(score)), moves: None, best: false, mark: None }
                .text(width, theme)
                .unwrap()
        };
        let small = [-1234, -97, -49, 0, 49, 97, 250, 12_345].map(|score| text(score, 3));
        assert_eq!(small, ["-9", "-1", "-", "0", "+", "+1", "+3", "+9"]);
        assert_eq!(text(97, 9), "~+97");
    }
}
