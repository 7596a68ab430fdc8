//! Values from unstructured data, held to the properties of the parsers.

#[path = "parsers/properties.rs"]
mod properties;

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use noughts_rules::{Game, Move, Player, Position, Rules, Symbol};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn value<'a, T: Arbitrary<'a>>(data: &'a [u8]) -> T {
    Unstructured::new(data).arbitrary().expect("short data are filled up")
}

proptest! {
    #[test]
    fn values_read_back_from_text(data in prop::collection::vec(any::<u8>(), 0..500)) {
        properties::check("rules", &value::<Rules>(&data).to_string());
        properties::check("cell", &value::<Move>(&data).to_string());
        properties::check("player", value::<Symbol>(&data).as_str());
        properties::check("player", value::<Player>(&data).name());
        properties::check("position", &value::<Position>(&data).to_string());
        let game: Game = value(&data);
        prop_assert_eq!(&game.to_string().parse::<Game>().unwrap(), &game);
    }
}

/// Every kind of game comes up.
#[test]
fn rules_are_varied() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let data = prop::collection::vec(any::<u8>(), 64);
    let mut words = BTreeSet::new();
    for _ in 0..2_000 {
        let data = data.new_tree(&mut runner).unwrap().current();
        let rules: Rules = value(&data);
        words.extend(rules.to_string().split('+').skip(1).map(String::from));
    }
    for word in [
        "ultimate", "notakto", "wild", "order", "misere", "gravity", "wrap", "exact", "fade3",
        "renju", "2s", "swap", "swap2", "3p",
    ] {
        assert!(words.contains(word), "{word} is missing from {words:?}");
    }
}
