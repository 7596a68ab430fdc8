//! A value that is chosen from a list or typed.

use crossterm::event::KeyCode;

/// The longest value that can be typed.
const MAX_CHARS: usize = 64;

/// A list of values, one of them selected, and the value that the user typed instead.
pub(super) struct Choice {
    values: Vec<String>,
    selected: usize,
    typed: Option<String>,
}

impl Choice {
    /// Selects a value, which is added to the list if it is not there.
    pub(super) fn new(values: &[&str], selected: &str) -> Choice {
        let mut choice = Choice { values: Vec::new(), selected: 0, typed: None };
        choice.add(values.iter().map(|value| value.to_string()).collect());
        choice.add(vec![selected.to_string()]);
        choice.selected = choice.values.iter().position(|value| value == selected).unwrap_or(0);
        choice
    }

    /// Adds values that are not in the list yet.
    pub(super) fn add(&mut self, values: Vec<String>) {
        for value in values {
            if !self.values.contains(&value) {
                self.values.push(value);
            }
        }
    }

    pub(super) fn text(&self) -> String {
        match &self.typed {
            Some(typed) => typed.trim().to_string(),
            None => self.values[self.selected].clone(),
        }
    }

    /// Whether the value is one of the list.
    pub(super) fn is_known(&self) -> bool {
        self.values.contains(&self.text())
    }

    /// Whether the value is being typed.
    pub(super) fn is_typed(&self) -> bool {
        self.typed.is_some()
    }

    /// Selects another value of the list.
    pub(super) fn change(&mut self, by: isize) {
        if self.typed.take().is_none() {
            let count = self.values.len() as isize;
            self.selected = (self.selected as isize + by).rem_euclid(count) as usize;
        }
    }

    /// Types a value; `false` if the key does not.
    pub(super) fn handle(&mut self, key: KeyCode) -> bool {
        match key {
            KeyCode::Char(c) => {
                let typed = self.typed.get_or_insert_default();
                if typed.chars().count() < MAX_CHARS {
                    typed.push(c);
                }
            }
            KeyCode::Backspace => {
                let mut text = self.text();
                text.pop();
                self.typed = Some(text);
            }
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_chosen_or_typed() {
        let mut choice = Choice::new(&["none", "5m"], "90s");
        assert_eq!(choice.text(), "90s");
        choice.change(1);
        assert_eq!(choice.text(), "none");
        "7m".chars().for_each(|c| assert!(choice.handle(KeyCode::Char(c))));
        assert_eq!((choice.text().as_str(), choice.is_known()), ("7m", false));
        assert!(choice.handle(KeyCode::Backspace));
        assert_eq!(choice.text(), "7");
        // The first arrow goes back to the list.
        choice.change(1);
        assert_eq!((choice.text().as_str(), choice.is_known()), ("none", true));
        assert!(!choice.handle(KeyCode::Left));
    }
}
