//! What engines tell people about their search, as far as it is customary.

use std::fmt::Write;
use std::time::Duration;

use noughts_rules::Cell;

use crate::search::MATE;
use crate::{SearchLine, Value, Verdict};

/// The evaluation and the nodes in a line such as `MESSAGE depth 12 ev 84 n 120K` or
/// `MESSAGE Depth 9-17 | Eval -M7 | Node 2.1M`. The protocol has no rule for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SearchInfo {
    pub(super) verdict: Option<Verdict>,
    pub(super) nodes: Option<u64>,
}

impl SearchInfo {
    pub(super) fn parse(line: &str) -> SearchInfo {
        let mut info = SearchInfo::default();
        let mut words = line
            .split(|c: char| c.is_whitespace() || ":=|,;()".contains(c))
            .filter(|word| !word.is_empty())
            .peekable();
        while let Some(word) = words.next() {
            let Some(next) = words.peek() else { break };
            match word.to_ascii_lowercase().as_str() {
                "ev" | "eval" | "evaluation" | "score" => {
                    info.verdict = parse_score(next).or(info.verdict);
                }
                "n" | "node" | "nodes" => info.nodes = parse_count(next).or(info.nodes),
                _ => {}
            }
        }
        info
    }

    /// Takes over what a later line says.
    pub(super) fn update(&mut self, later: SearchInfo) {
        self.verdict = later.verdict.or(self.verdict);
        self.nodes = later.nodes.or(self.nodes);
    }
}

/// Tells people about a search, in words that [`SearchInfo::parse`] and other programs of the field
/// read.
pub(super) fn describe(
    verdict: Verdict,
    search: Option<&SearchLine>,
    nodes: u64,
    time: Duration,
) -> String {
    let mut text = "MESSAGE".to_owned();
    // Writing to a string does not fail.
    if let Some(search) = search {
        let _ = write!(text, " depth {}", search.depth);
    }
    let ms = time.as_millis().max(1);
    let _ = write!(text, " ev {} n {nodes}", score_text(verdict));
    let _ = write!(text, " n/ms {} tm {}", u128::from(nodes) / ms, time.as_millis());
    let pv = search.map_or(&[][..], |search| &search.pv).iter().filter_map(|mv| mv.cell());
    for (i, cell) in pv.enumerate() {
        let _ = write!(text, "{}{}", if i == 0 { " pv " } else { " " }, field_name(cell));
    }
    text
}

/// A score, or `+M5` and `-M4` with the plies until the win or loss that the search saw.
fn score_text(verdict: Verdict) -> String {
    let value = match verdict {
        Verdict::Proven(value) => Some(value),
        Verdict::Estimate(_) => verdict.estimated_value(),
    };
    match (value, verdict) {
        (Some(Value::Win { plies }), _) => format!("+M{plies}"),
        (Some(Value::Loss { plies }), _) => format!("-M{plies}"),
        (None, Verdict::Estimate(score)) => score.to_string(),
        _ => "0".to_owned(),
    }
}

/// A cell as gomoku players name it: the letter of its column, then its row from 1.
fn field_name(cell: Cell) -> String {
    format!("{}{}", char::from(b'A' + cell.col()), cell.row() + 1)
}

/// Parses `84`, `-120`, `+M5` or `-M7`: moves of both sides until the end.
fn parse_score(word: &str) -> Option<Verdict> {
    let (sign, rest) = match word.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, word.strip_prefix('+').unwrap_or(word)),
    };
    let score = match rest.strip_prefix(['M', 'm']) {
        Some(plies) => {
            MATE.checked_sub(plies.trim_start_matches('#').parse::<u16>().ok()?.into())?
        }
        None => rest.parse::<i32>().ok()?.clamp(0, MATE / 2 - 1),
    };
    Some(Verdict::Estimate(sign * score))
}

/// Parses `1234`, `120K` or `2.1M`.
fn parse_count(word: &str) -> Option<u64> {
    let (digits, unit) = match word.char_indices().last()? {
        (end, 'k' | 'K') => (&word[..end], 1e3),
        (end, 'm' | 'M') => (&word[..end], 1e6),
        (end, 'g' | 'G' | 'b' | 'B') => (&word[..end], 1e9),
        _ => (word, 1.0),
    };
    let count: f64 = digits.parse().ok()?;
    (0.0..1e18).contains(&count).then_some((count * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_described_as_they_are_read() {
        let pv = ["H8", "I10"].map(|cell| cell.parse().unwrap());
        let line = SearchLine { depth: 12, pv: pv.to_vec() };
        let told = |verdict, search| describe(verdict, search, 1500, Duration::from_millis(50));
        let full = "MESSAGE depth 12 ev -84 n 1500 n/ms 30 tm 50 pv H8 J9";
        assert_eq!(told(Verdict::Estimate(-84), Some(&line)), full);
        for (verdict, score) in [
            (Verdict::Proven(Value::Win { plies: 5 }), MATE - 5),
            (Verdict::Estimate(4 - MATE), 4 - MATE),
            (Verdict::Proven(Value::Draw), 0),
        ] {
            let read = SearchInfo::parse(&told(verdict, None));
            let expected =
                SearchInfo { verdict: Some(Verdict::Estimate(score)), nodes: Some(1500) };
            assert_eq!(read, expected);
        }
    }

    #[test]
    fn customary_messages_are_understood() {
        let check = |line: &str, score: Option<i32>, nodes: Option<u64>| {
            let expected = SearchInfo { verdict: score.map(Verdict::Estimate), nodes };
            assert_eq!(SearchInfo::parse(line), expected, "{line}");
        };
        check("MESSAGE depth 12 ev 84 n 120K tm 500", Some(84), Some(120_000));
        check("MESSAGE Depth 9-17 | Eval -M7 | Node 2.1M", Some(7 - MATE), Some(2_100_000));
        check("MESSAGE eval=+M5", Some(MATE - 5), None);
        check("MESSAGE score: -31", Some(-31), None);
        check("MESSAGE evaluating the event", None, None);
        check("MESSAGE eval unknown nodes many", None, None);
        check("MESSAGE eval 99999999999 n -5", None, None);
        check("", None, None);
    }
}
