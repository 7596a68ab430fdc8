//! Which stored games a list shows.

use noughts_rules::{Outcome, Player};
use noughts_store::StoredGame;

use crate::database::date;

/// What listed games have in common. The default is all games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Words that all occur in a player's name, the rules, the result, the date or the number.
    pub words: Vec<String>,
    /// A part of a player's name.
    pub player: Option<String>,
    /// The canonical text of the rules.
    pub rules: Option<String>,
    /// How the game ended.
    pub result: Option<GameEnd>,
    /// A part of the winner's name.
    pub winner: Option<String>,
    /// The first and the last day, as `2026-01-31`.
    pub since: Option<String>,
    /// The last day.
    pub until: Option<String>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEnd {
    /// A player won.
    Win,
    /// Nobody won.
    Draw,
    /// It is not over.
    Unfinished,
}

/// How a stored game ended, with the name of the winner.
pub fn game_end(stored: &StoredGame) -> (GameEnd, Option<&str>) {
    match stored.game.outcome() {
        Some(Outcome::Win(seat)) => (GameEnd::Win, stored.game.player(seat).map(Player::name)),
        Some(Outcome::Draw) => (GameEnd::Draw, None),
        None => (GameEnd::Unfinished, None),
    }
}

impl GameFilter {
    /// A filter for these words.
    pub fn of_words(text: &str) -> GameFilter {
        let words = text.split_whitespace().map(str::to_lowercase).collect();
        GameFilter { words, ..GameFilter::default() }
    }

    /// Whether a game passes.
    pub fn matches(&self, stored: &StoredGame) -> bool {
        let game = &stored.game;
        let names: Vec<String> =
            game.players().iter().map(|player| player.name().to_lowercase()).collect();
        let (end, winner) = game_end(stored);
        let (rules, day) = (game.rules().to_string(), date(stored.at));
        let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let in_words = match end {
            GameEnd::Win => "won",
            GameEnd::Draw => "draw",
            GameEnd::Unfinished => "not over unfinished",
        };
        let id = stored.id.to_string();
        let text = format!("{}\n{rules}\n{in_words}\n{day}", names.join("\n"));
        self.words.iter().all(|word| text.contains(word) || id == *word)
            && self.player.as_ref().is_none_or(|part| names.iter().any(|name| has(name, part)))
            && self.rules.as_ref().is_none_or(|wanted| *wanted == rules)
            && self.result.is_none_or(|wanted| wanted == end)
            && self.winner.as_ref().is_none_or(|part| winner.is_some_and(|name| has(name, part)))
            && self.since.as_ref().is_none_or(|since| day[..10.min(day.len())] >= **since)
            && self.until.as_ref().is_none_or(|until| day[..10.min(day.len())] <= **until)
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::Game;
    use noughts_store::RecordId;

    use super::*;

    #[test]
    fn games_are_found_by_what_they_have() {
        let won = "rules 3x3\nplayer X Ann\nplayer O Bob\nmoves A1 B1 A2 B2 A3\nresult X wins";
        let game: Game = won.parse().unwrap();
        // Noon of 2 January 1970, which is that day in most time zones.
        let stored = StoredGame { id: RecordId(7), at: 36 * 3_600_000, game, result: None };
        let check = |filter: GameFilter, expected: bool| {
            assert_eq!(filter.matches(&stored), expected, "{filter:?}");
        };
        let some = |text: &str| Some(text.to_string());
        check(GameFilter::default(), true);
        check(GameFilter::of_words("ann 3X3 won"), true);
        check(GameFilter::of_words("7"), true);
        check(GameFilter::of_words("ann draw"), false);
        check(GameFilter { player: some("BO"), ..GameFilter::default() }, true);
        check(GameFilter { player: some("Cy"), ..GameFilter::default() }, false);
        check(GameFilter { winner: some("ann"), ..GameFilter::default() }, true);
        check(GameFilter { winner: some("bob"), ..GameFilter::default() }, false);
        check(GameFilter { rules: some("3x3"), ..GameFilter::default() }, true);
        check(GameFilter { result: Some(GameEnd::Draw), ..GameFilter::default() }, false);
        check(GameFilter { since: some("1970-01-01"), ..GameFilter::default() }, true);
        check(GameFilter { since: some("1971-01-01"), ..GameFilter::default() }, false);
        check(GameFilter { until: some("1969-12-31"), ..GameFilter::default() }, false);
    }
}
