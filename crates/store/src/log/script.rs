//! Several statements with many rows each, as one query for SQLite.

use std::sync::{Arc, OnceLock};

use sqlx::encode::Encode;
use sqlx::sqlite::{Sqlite, SqliteArguments};
use sqlx::{Arguments, AssertSqlSafe, SqliteConnection, Type};

/// Scripts for 1, 2, 4… up to 2048 rows are kept.
const SIZES: usize = 12;

/// A statement, of which some have a list of rows in the middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    head: &'static str,
    columns: usize,
    tail: &'static str,
}

impl Part {
    pub(super) const fn fixed(text: &'static str) -> Part {
        Part { head: text, columns: 0, tail: "" }
    }

    /// A statement with rows of so many columns. It has to leave out rows of nulls.
    pub(super) const fn rows(head: &'static str, columns: usize, tail: &'static str) -> Part {
        Part { head, columns, tail }
    }
}

/// Statements that are run one after the other, all with the same number of rows.
pub(super) struct Script {
    parts: &'static [Part],
    texts: [OnceLock<Arc<str>>; SIZES],
}

impl Script {
    pub(super) const fn new(parts: &'static [Part]) -> Script {
        Script { parts, texts: [const { OnceLock::new() }; SIZES] }
    }

    /// A query with room for so many rows in each part that has rows.
    pub(super) fn query(&'static self, rows: usize) -> Query {
        let rows = rows.next_power_of_two();
        let text = match self.texts.get(rows.trailing_zeros() as usize) {
            Some(text) => text.get_or_init(|| self.text(rows)).clone(),
            None => self.text(rows),
        };
        let parts = self.parts.iter().map(|part| part.columns * rows);
        let values = parts.clone().sum();
        let mut arguments = SqliteArguments::default();
        arguments.reserve(values, 0);
        Query { text, arguments, parts: parts.filter(|&values| values > 0).collect(), end: 0 }
    }

    fn text(&self, rows: usize) -> Arc<str> {
        let part = |part: &Part| {
            let row = format!("({})", vec!["?"; part.columns].join(","));
            let rows = if part.columns > 0 { vec![row; rows].join(",") } else { String::new() };
            format!("{}{rows}{}\n", part.head, part.tail)
        };
        self.parts.iter().map(part).collect::<String>().into()
    }
}

/// A script on its way to the database. Values are bound row by row; [`Query::next_part`] stands
/// between the rows of one part and those of the next.
pub(super) struct Query {
    text: Arc<str>,
    arguments: SqliteArguments,
    /// How many values each part has that is not finished.
    parts: std::collections::VecDeque<usize>,
    /// How many values the finished parts have.
    end: usize,
}

impl Query {
    pub(super) fn bind<'q, T: Encode<'q, Sqlite> + Type<Sqlite>>(&mut self, value: T) {
        // Only values of other kinds than those used here can fail.
        let bound = self.arguments.add(value);
        debug_assert!(bound.is_ok());
    }

    /// Fills up what is left of the part with nulls.
    pub(super) fn next_part(&mut self) {
        self.end += self.parts.pop_front().unwrap_or(0);
        while self.arguments.len() < self.end {
            self.bind(None::<i64>);
        }
    }

    /// Runs all statements. What is not bound of the last part is null.
    pub(super) async fn execute(
        self,
        connection: &mut SqliteConnection,
    ) -> Result<(), sqlx::Error> {
        let query = sqlx::query_with(AssertSqlSafe(self.text), self.arguments);
        query.execute(connection).await.map(drop)
    }
}
