//! The name of a box while it is being typed: a level where there are several, a row, a column.

use noughts_play::takes_columns;
use noughts_rules::{Cell, Rules, Shape};

/// What has been typed so far, such as `2B1`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TypedName(String);

/// What a digit did to a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NameEvent {
    /// The name may go on.
    Moved,
    /// No longer name is possible.
    Complete,
    /// The digit names nothing; the sentence says why.
    Refused(String),
}

impl TypedName {
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn delete_last(&mut self) {
        self.0.pop();
    }

    /// The small board before the point, and the rest of the name.
    fn split_board(&self) -> (Option<&str>, &str) {
        match self.0.split_once('.') {
            Some((board, rest)) => (Some(board), rest),
            None => (None, &self.0),
        }
    }

    /// The row and column of the small board before the point, from 0.
    pub(super) fn board(&self) -> Option<(u8, u8)> {
        let cell: Cell = self.split_board().0?.parse().ok()?;
        Some((cell.row(), cell.col()))
    }

    /// Whether the name can go on with a point: it names a small board, not a box of one.
    pub(super) fn is_board(&self, rules: &Rules) -> bool {
        let Shape::Nested { rows, cols } = rules.shape() else { return false };
        let is_within = |at: Option<u8>, end: u8| at.is_some_and(|at| at < end);
        self.split_board().0.is_none()
            && is_within(self.row(), rows)
            && is_within(self.column(), cols)
    }

    /// Goes on with a box of the small board that was named.
    pub(super) fn push_point(&mut self) {
        self.0.push('.');
    }

    /// The digits before the letter of the row, the letter, and the digits after it.
    fn parts(&self) -> (&str, Option<char>, &str) {
        let name = self.split_board().1.trim_end_matches('=');
        match name.find(|c: char| c.is_ascii_alphabetic()) {
            Some(at) => (&name[..at], name[at..].chars().next(), &name[at + 1..]),
            None => (name, None, ""),
        }
    }

    /// The level, from 0; names without a level are on the first.
    pub(super) fn level(&self) -> u8 {
        self.parts().0.parse::<u8>().map_or(0, |number| number.saturating_sub(1))
    }

    pub(super) fn row(&self) -> Option<u8> {
        self.parts().1.map(|letter| letter as u8 - b'A')
    }

    /// The column, from 0.
    pub(super) fn column(&self) -> Option<u8> {
        self.parts().2.parse::<u8>().ok()?.checked_sub(1)
    }

    /// Goes on with a row after a level, or begins again.
    pub(super) fn push_letter(&mut self, letter: char) {
        if self.row().is_some() {
            let end = self.0.find('.').map_or(0, |point| point + 1);
            self.0.truncate(end);
        }
        self.0.push(letter);
    }

    pub(super) fn push_equals(&mut self) {
        if !self.0.ends_with('=') {
            self.0.push('=');
        }
    }

    pub(super) fn push_digit(&mut self, rules: &Rules, digit: char) -> NameEvent {
        // Where marks fall, the number of a column names a move.
        if self.row().is_none() && takes_columns(rules) {
            return self.push_column_digit(rules, digit);
        }
        if self.row().is_none() && rules.levels() == 1 {
            let text = "Begin with the letter of the row: B2, for example.";
            return NameEvent::Refused(text.into());
        }
        self.0.truncate(self.0.trim_end_matches('=').len());
        self.0.push(digit);
        let (level, row, column) = self.parts();
        let (number, kind, all) = match (row, rules.shape()) {
            (Some(_), Shape::Nested { cols, .. }) if self.0.contains('.') => {
                (column, "columns of a small board", cols)
            }
            (Some(_), _) => (column, "columns", rules.cols()),
            (None, Shape::Boards { .. }) => (level, "boards", rules.levels()),
            (None, _) => (level, "levels", rules.levels()),
        };
        match number.parse::<u8>() {
            Ok(number) if (1..=all).contains(&number) => {
                let is_complete = row.is_some() && u16::from(number) * 10 > u16::from(all);
                if is_complete { NameEvent::Complete } else { NameEvent::Moved }
            }
            _ => {
                let name = std::mem::take(&mut self.0);
                let range = format!("{kind} go from 1 to {all}");
                NameEvent::Refused(format!("{name} is not on the board: {range}."))
            }
        }
    }
}

impl TypedName {
    /// The number of a column without a row, from 0.
    pub(super) fn bare_column(&self) -> Option<u8> {
        let (level, row, _) = self.parts();
        level.parse::<u8>().ok()?.checked_sub(1).filter(|_| row.is_none())
    }

    fn push_column_digit(&mut self, rules: &Rules, digit: char) -> NameEvent {
        self.0.push(digit);
        let columns = rules.cols();
        match self.0.parse::<u8>() {
            Ok(number) if (1..=columns).contains(&number) => {
                match u16::from(number) * 10 > u16::from(columns) {
                    true => NameEvent::Complete,
                    false => NameEvent::Moved,
                }
            }
            _ => {
                let name = std::mem::take(&mut self.0);
                NameEvent::Refused(format!(
                    "There is no column {name}: columns go from 1 to {columns}."
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the last key of a name does.
    fn check(rules: &str, keys: &str, expected: NameEvent) {
        let rules: Rules = rules.parse().unwrap();
        let (mut name, mut event) = (TypedName::default(), NameEvent::Moved);
        for key in keys.chars() {
            if key.is_ascii_digit() {
                event = name.push_digit(&rules, key);
            } else {
                name.push_letter(key);
                event = NameEvent::Moved;
            }
        }
        assert_eq!(event, expected, "{rules} {keys}");
    }

    #[test]
    fn names_end_when_no_longer_one_exists() {
        check("3x3", "B2", NameEvent::Complete);
        check("15x15:5", "B1", NameEvent::Moved);
        check("15x15:5", "B12", NameEvent::Complete);
        check("4x4x4", "2", NameEvent::Moved);
        check("4x4x4", "2B", NameEvent::Moved);
        check("4x4x4", "2B3", NameEvent::Complete);
        check("4x4x12", "12D4", NameEvent::Complete);
        check("4x4x4", "2BC3", NameEvent::Complete);
        check("connect4", "4", NameEvent::Complete);
        check("connect4", "A4", NameEvent::Complete);
        check("6x12:4+gravity", "1", NameEvent::Moved);
        check("6x12:4+gravity", "12", NameEvent::Complete);
    }

    #[test]
    fn digits_beyond_the_board_are_refused() {
        let check = |rules, keys, reason: &str| {
            check(rules, keys, NameEvent::Refused(reason.into()));
        };
        check("3x3", "2", "Begin with the letter of the row: B2, for example.");
        check("3x3", "A9", "A9 is not on the board: columns go from 1 to 3.");
        check("connect4", "8", "There is no column 8: columns go from 1 to 7.");
        check("4x4x4", "5", "5 is not on the board: levels go from 1 to 4.");
        check("3x3+notakto+2b", "3", "3 is not on the board: boards go from 1 to 2.");
    }
}
