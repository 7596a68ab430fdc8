#![no_main]

#[path = "../../crates/rules/tests/parsers/properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::check("replay", text));
