//! Kinds of games: games of one kind are played against each other in one league.

use super::title;
use crate::notation::PRESETS;
use crate::{Opening, Rules, RulesParts};

/// The kind of all games that have none of their own.
pub const OTHER_KIND: &str = "other";

/// Presets that are of the kind of another one.
const SAME_KIND: [(&str, &str); 2] = [("gomoku-standard", "gomoku"), ("swap2", "gomoku")];

/// The kind of a game: the name of its preset, or `other`. How it opens makes no difference, nor does
/// whether longer lines win in gomoku. Games of more than two players are `other`.
///
/// ```
/// use noughts_rules::describe::kind;
///
/// assert_eq!(kind(&"3x3".parse()?), "classic");
/// assert_eq!(kind(&"15x15:5+exact+swap2".parse()?), "gomoku");
/// assert_eq!(kind(&"7x7:4+wrap".parse()?), "other");
/// # Ok::<(), noughts_rules::ParseRulesError>(())
/// ```
#[must_use]
pub fn kind(rules: &Rules) -> &'static str {
    let base = RulesParts { opening: Opening::Free, ..rules.parts().clone() };
    let Ok(base) = base.build() else { return OTHER_KIND };
    let text = base.to_string();
    let Some((preset, _)) = PRESETS.iter().find(|(_, rules)| *rules == text) else {
        return OTHER_KIND;
    };
    SAME_KIND.iter().find(|(other, _)| other == preset).map_or(preset, |(_, kind)| kind)
}

/// All kinds in the order of the presets; the last one is `other`.
///
/// ```
/// use noughts_rules::describe::kinds;
///
/// assert_eq!(kinds().next(), Some("classic"));
/// assert_eq!(kinds().last(), Some("other"));
/// ```
pub fn kinds() -> impl Iterator<Item = &'static str> {
    let is_own = |preset: &&str| SAME_KIND.iter().all(|(other, _)| other != preset);
    PRESETS.iter().map(|(preset, _)| *preset).filter(is_own).chain([OTHER_KIND])
}

/// The name of a kind, such as `Gomoku`; `None` if there is no such kind.
///
/// ```
/// use noughts_rules::describe::kind_title;
///
/// assert_eq!(kind_title("connect4").as_deref(), Some("Connect Four"));
/// assert_eq!(kind_title("other").as_deref(), Some("Other games"));
/// assert_eq!(kind_title("chess"), None);
/// ```
#[must_use]
pub fn kind_title(kind: &str) -> Option<String> {
    if kind == OTHER_KIND {
        return Some("Other games".into());
    }
    let kind = kinds().find(|known| *known == kind)?;
    Some(title(&kind.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_a_kind_of_its_own_or_of_gomoku() {
        for (preset, rules) in PRESETS {
            let expected = match preset {
                "gomoku-standard" | "swap2" => "gomoku",
                preset => preset,
            };
            assert_eq!(kind(&rules.parse().unwrap()), expected);
            assert!(kinds().any(|kind| kind == expected));
            assert!(kind_title(expected).is_some());
        }
    }

    #[test]
    fn other_games_share_a_kind() {
        for rules in ["3x3:1", "5x5:4", "3x3+gravity", "4x4:3+3p", "15x15:5+3p", "19x19:5"] {
            assert_eq!(kind(&rules.parse().unwrap()), OTHER_KIND, "{rules}");
        }
        assert_eq!(kind(&"15x15:5+exact+swap".parse().unwrap()), "gomoku");
        assert_eq!(kind(&"3x3+swap".parse().unwrap()), "classic");
    }
}
