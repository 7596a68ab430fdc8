//! Durations as people write them.

use std::time::Duration;

/// Parses `500ms`, `2s`, `1.5s`, `10m`, or a plain number of seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = unit.unwrap_or((text, &1.0));
    let number: Option<f64> = number.trim().parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number * seconds).ok())
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected a duration such as 500ms, 2s or 1.5m".to_string())
}

/// A duration in the largest unit that gives a whole number: `10m`, `90s` or `1500ms`.
pub fn short_duration(duration: Duration) -> String {
    match duration.as_millis() {
        0 => "0s".into(),
        ms if ms % 3_600_000 == 0 => format!("{}h", ms / 3_600_000),
        ms if ms % 60_000 == 0 => format!("{}m", ms / 60_000),
        ms if ms % 1000 == 0 => format!("{}s", ms / 1000),
        ms => format!("{ms}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_parse_with_units() {
        for (text, milliseconds) in
            [("500ms", 500), ("2s", 2000), ("1.5s", 1500), ("10m", 600_000), ("3", 3000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "0s", "-1s", "soon", "1e400s", "NaN"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
