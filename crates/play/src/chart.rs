//! A bar chart of a rating over time.

const HEIGHT: usize = 5;
const WIDTH: usize = 60;

/// Block characters by eighths of their height.
const EIGHTHS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// One column per value, labelled with the highest and the lowest value. If there are more values
/// than columns, each column shows the last of its share.
pub(crate) fn lines(values: &[i64]) -> Vec<String> {
    let (Some(&low), Some(&high)) = (values.iter().min(), values.iter().max()) else {
        return Vec::new();
    };
    let columns = values.len().min(WIDTH);
    let shown = (1..=columns).map(|column| values[column * values.len() / columns - 1]);
    let eighths: Vec<usize> = shown.map(|value| height(value, low, high)).collect();
    let label = high.to_string().len().max(low.to_string().len());
    (0..HEIGHT)
        .rev()
        .map(|row| {
            let name = match row {
                0 => low.to_string(),
                row if row + 1 == HEIGHT => high.to_string(),
                _ => String::new(),
            };
            let bars: String = eighths.iter().map(|&eighths| part(eighths, row)).collect();
            format!("{name:>label$} {}", bars.trim_end())
        })
        .collect()
}

/// The height of a column in eighths of a character, at least one.
fn height(value: i64, low: i64, high: i64) -> usize {
    let most = (HEIGHT * EIGHTHS.len()) as i128 - 1;
    let range = (i128::from(high) - i128::from(low)).max(1);
    (1 + (i128::from(value) - i128::from(low)) * most / range) as usize
}

/// The character of a column in this row, counted from the bottom.
fn part(eighths: usize, row: usize) -> char {
    match eighths.saturating_sub(row * EIGHTHS.len()) {
        0 => ' ',
        left => EIGHTHS[left.min(EIGHTHS.len()) - 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chart_labels_highest_and_lowest() {
        let chart = lines(&[1500, 1516, 1508]);
        assert_eq!(chart, ["1516  █", "      █", "      █▄", "      ██", "1500 ▁██"]);
    }

    #[test]
    fn chart_takes_any_values() {
        assert_eq!(lines(&[]), Vec::<String>::new());
        assert_eq!(lines(&[7]).last().unwrap(), "7 ▁");
        let many: Vec<i64> = (0..1000).collect();
        assert_eq!(lines(&many)[0].chars().last(), Some('█'));
        assert!(lines(&many).iter().all(|line| line.chars().count() <= WIDTH + 4));
        assert_eq!(lines(&[i64::MIN, i64::MAX]).len(), HEIGHT);
    }
}
