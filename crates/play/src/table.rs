//! Text tables.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

/// Rows under headings, in aligned columns. A column is right-aligned if its first row is a number.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub fn new(heads: impl IntoIterator<Item = impl Into<String>>) -> Table {
        Table { rows: vec![heads.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// Writes all lines.
    pub fn print(&self, output: &mut impl Write) -> io::Result<()> {
        self.lines().try_for_each(|line| writeln!(output, "{line}"))
    }

    /// The lines of text.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let column = |i: usize| self.rows.iter().filter_map(move |row| row.get(i));
        let columns: Vec<(usize, bool)> = (0..self.rows[0].len())
            .map(|i| {
                let width = column(i).map(|cell| cell.width()).max().unwrap_or(0);
                let first = column(i).nth(1).map_or("", String::as_str);
                (width, first.parse::<f64>().is_ok())
            })
            .collect();
        self.rows.iter().map(move |row| {
            let cells = row.iter().zip(&columns).map(|(cell, &(width, is_number))| {
                let space = " ".repeat(width - cell.width());
                if is_number { format!("{space}{cell}") } else { format!("{cell}{space}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_align_right_words_left() {
        let mut table = Table::new(["rank", "name", "wins"]);
        table.push(["1", "漢字", "10"]);
        table.push(["2", "Al", "9"]);
        let lines: Vec<String> = table.lines().collect();
        assert_eq!(lines, ["rank  name  wins", "   1  漢字    10", "   2  Al       9"]);
    }
}
