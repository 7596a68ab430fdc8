#![no_main]

#[allow(dead_code)]
#[path = "../../crates/rules/tests/parsers/properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::player(text));
