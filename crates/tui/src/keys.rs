//! Keys of one's own for the commands of a game.

use std::collections::BTreeMap;

/// What keys can be chosen for, with the usual key. Where a command and another one are never there
/// together, they share a name.
const ACTIONS: [(&str, char); 12] = [
    ("undo", 'u'),
    ("redo", 'r'),
    ("hint", 't'),
    ("analysis", 'v'),
    ("sides", 'z'),
    ("save", 's'),
    ("resign", 'w'),
    ("new-game", 'p'),
    ("help", '?'),
    ("leave", 'q'),
    ("accept", 'y'),
    ("decline", 'n'),
];

/// The keys of the commands of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keys([char; ACTIONS.len()]);

impl Default for Keys {
    fn default() -> Keys {
        Keys(ACTIONS.map(|(_, key)| key))
    }
}

impl Keys {
    /// The names of what keys can be chosen for, with their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, char)> + '_ {
        ACTIONS.iter().map(|(name, _)| *name).zip(self.0)
    }

    /// Keys by the names of actions; the others have their usual keys.
    ///
    /// # Errors
    ///
    /// A sentence if a name is unknown, a text is not a key that can be chosen, or two actions would
    /// share a key.
    ///
    /// ```
    /// use noughts_tui::Keys;
    ///
    /// let chosen = |name: &str, key: &str| [(name.to_string(), key.to_string())].into();
    /// assert!(Keys::chosen(&chosen("undo", "x")).is_ok());
    /// assert_eq!(
    ///     Keys::chosen(&chosen("undo", "r")).unwrap_err(),
    ///     "undo and redo have the same key r",
    /// );
    /// ```
    pub fn chosen(keys: &BTreeMap<String, String>) -> Result<Keys, String> {
        let mut chosen = Keys::default();
        for (name, text) in keys {
            let Some(place) = ACTIONS.iter().position(|(known, _)| known == name) else {
                let names = ACTIONS.map(|(name, _)| name).join(", ");
                return Err(format!("expected one of {names}, not {name}"));
            };
            let usual = ACTIONS[place].1;
            // The usual key of an action may be one that others can't have, such as `n`.
            if !text.chars().eq([usual]) {
                chosen.0[place] = key(text).map_err(|expected| format!("{name}: {expected}"))?;
            }
        }
        for (i, key) in chosen.0.iter().enumerate() {
            if let Some(first) = chosen.0[..i].iter().position(|other| other == key) {
                let [first, second] = [first, i].map(|place| ACTIONS[place].0);
                return Err(format!("{first} and {second} have the same key {key}"));
            }
        }
        Ok(chosen)
    }

    /// The usual key of the action that this key was chosen for; `None` if it is nothing's key.
    pub(crate) fn usual(self, key: char) -> Option<char> {
        let place = self.0.iter().position(|chosen| *chosen == key);
        match place {
            Some(place) => Some(ACTIONS[place].1),
            None => (!ACTIONS.iter().any(|(_, usual)| *usual == key)).then_some(key),
        }
    }

    /// The key for the action that usually has this one, as legends show it.
    pub(crate) fn shown(self, usual: &str) -> String {
        let is_usual = |(_, key): &(&str, char)| usual.chars().eq([*key]);
        match ACTIONS.iter().position(is_usual) {
            Some(place) => self.0[place].to_string(),
            None => usual.to_string(),
        }
    }
}

/// A key that can be chosen: a letter that names no row of the usual boards, or a sign.
fn key(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    let (Some(key), None) = (characters.next(), characters.next()) else {
        return Err(format!("expected one character, not {text:?}"));
    };
    let is_sign = key.is_ascii_punctuation() && !['.', '='].contains(&key);
    match key {
        'p'..='z' => Ok(key),
        'a'..='o' => Err(format!("{key} names a row of a board: expected p to z or a sign")),
        _ if is_sign => Ok(key),
        _ => Err(format!("expected a small letter from p to z or a sign, not {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(keys: &[(&str, &str)]) -> Result<Keys, String> {
        let owned = |(name, key): &(&str, &str)| (name.to_string(), key.to_string());
        Keys::chosen(&keys.iter().map(owned).collect())
    }

    #[test]
    fn chosen_keys_replace_the_usual_ones() {
        let keys = chosen(&[("undo", "x"), ("leave", "u"), ("hint", ";")]).unwrap();
        assert_eq!(
            (keys.usual('x'), keys.usual('u'), keys.usual('q')),
            (Some('u'), Some('q'), None)
        );
        assert_eq!(
            (keys.shown("u"), keys.shown("t"), keys.shown("r")),
            ("x".into(), ";".into(), "r".into())
        );
        assert_eq!((keys.usual('5'), keys.shown("Enter")), (Some('5'), "Enter".into()));
        assert_eq!(chosen(&[]), Ok(Keys::default()));
        assert_eq!(chosen(&[("decline", "n")]), Ok(Keys::default()));
    }

    #[test]
    fn wrong_keys_are_explained() {
        let check = |keys: &[(&str, &str)], expected: &str| {
            let error = chosen(keys).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        check(&[("jump", "x")], "expected one of undo, redo, hint,");
        check(&[("undo", "xy")], "undo: expected one character, not \"xy\"");
        check(&[("undo", "e")], "undo: e names a row of a board");
        check(&[("undo", "5")], "undo: expected a small letter from p to z or a sign");
        check(&[("undo", "x"), ("redo", "x")], "undo and redo have the same key x");
        check(&[("hint", "s")], "hint and save have the same key s");
    }
}
