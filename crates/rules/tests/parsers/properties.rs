//! What must hold for any text, one property per parser. The fuzz targets include this file.

use noughts_rules::notation::{psq, sgf};
use noughts_rules::replay::Replay;
use noughts_rules::{
    Cell, Game, Move, Player, Position, PositionParts, Rules, Seat, Symbol, describe,
};

/// The name of a parser and its property.
type Property = (&'static str, fn(&str));

pub(crate) const PROPERTIES: [Property; 8] = [
    ("rules", rules),
    ("cell", cell),
    ("player", player),
    ("position", position),
    ("game", game),
    ("psq", psq),
    ("sgf", sgf),
    ("replay", replay),
];

/// Checks the property of one parser.
pub(crate) fn check(parser: &str, text: &str) {
    let property = PROPERTIES.iter().find(|(name, _)| *name == parser);
    let (_, property) = property.expect("the name of a parser");
    property(text);
}

fn rules(text: &str) {
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse::<Rules>().as_ref(), Ok(&rules));
        assert!(!describe::title(&rules).is_empty() && describe::summary(&rules).ends_with('.'));
        assert!(describe::how_to_play(&rules).len() > 2);
    }
}

fn cell(text: &str) {
    if let Ok(cell) = text.parse::<Cell>() {
        assert_eq!(cell.to_string().parse::<Cell>(), Ok(cell));
    }
    if let Ok(mv) = text.parse::<Move>() {
        assert_eq!(mv.to_string().parse::<Move>(), Ok(mv));
    }
}

fn player(text: &str) {
    if let Ok(symbol) = text.parse::<Symbol>() {
        assert!(symbol.width() > 0);
        assert_eq!(symbol.as_str().parse::<Symbol>(), Ok(symbol));
    }
    if let Ok(player) = Player::new(text, Symbol::default_for(Seat::FIRST)) {
        assert!(!player.name().chars().any(char::is_control));
    }
}

fn position(text: &str) {
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse::<Position>().as_ref(), Ok(&position));
        assert_eq!(PositionParts::of(&position).build().as_ref(), Ok(&position));
        let moves: Vec<Move> = position.legal_moves().collect();
        assert_eq!(moves.is_empty(), position.outcome().is_some());
        assert_eq!(moves.len(), position.move_count());
        for mv in moves {
            let mut next = position.clone();
            next.play(mv).expect("a legal move");
            next.undo().expect("a move was made");
            assert_eq!((next.key(), &next), (position.key(), &position));
        }
    }
}

fn game(text: &str) {
    if let Ok(game) = text.parse::<Game>() {
        let again: Game = game.to_string().parse().expect("written text parses");
        assert_eq!(again, game);
        assert!(again.history().eq(game.history()));
    }
}

fn psq(text: &str) {
    if let Ok(game) = psq::read(text) {
        let written = psq::write(&game).expect("a parsed game can be written");
        let again = psq::read(&written).expect("written text parses");
        assert!(again.history().eq(game.history()));
    }
}

fn sgf(text: &str) {
    if let Ok(game) = sgf::read(text) {
        let written = sgf::write(&game).expect("a parsed game can be written");
        let again = sgf::read(&written).expect("written text parses");
        assert_eq!(again, game);
        assert!(again.history().eq(game.history()));
    }
}

/// Each move has a result, or the list is refused.
fn replay(text: &str) {
    let mut replay = Replay::new(&Rules::classic());
    let mut results = 0;
    for line in text.lines() {
        match replay.line(line) {
            Ok(result) => results += u64::from(result.is_some()),
            Err(_) => return,
        }
    }
    if replay.end().is_ok() {
        let count = text.lines().next().and_then(|line| line.trim().parse::<u64>().ok());
        assert_eq!(count, Some(results));
    }
}
