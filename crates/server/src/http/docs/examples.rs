//! Examples of the bodies of requests and responses.

use serde_json::{Map, Value, json};

/// Schema → name of the example → value. `"@Name"` stands for the first example of another schema.
const EXAMPLES: &str = include_str!("examples.json");

/// Adds its examples to every body of JSON.
pub(super) fn add(document: &mut Value) {
    let examples = all();
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| item.as_object_mut().into_iter().flatten());
    for (_, operation) in operations {
        if let Some(body) = operation.get_mut("requestBody") {
            add_to_content(body, &examples);
        }
        let responses = operation["responses"].as_object_mut().into_iter().flatten();
        for (status, response) in responses {
            if status.starts_with('2') || status == "default" {
                add_to_content(response, &examples);
            }
        }
    }
}

/// Adds examples to the media types of a request or response.
fn add_to_content(body: &mut Value, examples: &Map<String, Value>) {
    let content = body.get_mut("content").and_then(Value::as_object_mut);
    for media_type in content.into_iter().flatten().map(|(_, media_type)| media_type) {
        let Some((schema, is_list)) = schema_of(media_type) else { continue };
        let Some(Value::Object(values)) = examples.get(schema) else { continue };
        let example = |value: &Value| match is_list {
            true => json!({"value": [value]}),
            false => json!({"value": value}),
        };
        let named = values.iter().map(|(name, value)| (name.clone(), example(value)));
        media_type["examples"] = Value::Object(named.collect());
    }
}

/// The name of the schema of a body, and whether the body is a list of them.
pub(super) fn schema_of(media_type: &Value) -> Option<(&str, bool)> {
    let schema = &media_type["schema"];
    let mut variants = schema["oneOf"].as_array().into_iter().flatten();
    let optional = variants.find(|variant| variant["$ref"].is_string());
    let [one, of_list, optional] =
        [Some(schema), schema.get("items"), optional].map(|schema| schema?["$ref"].as_str());
    let reference = one.or(of_list).or(optional)?;
    Some((reference.rsplit('/').next()?, of_list.is_some()))
}

/// All examples, by schema and name.
pub(super) fn all() -> Map<String, Value> {
    let mut examples: Map<String, Value> =
        serde_json::from_str(EXAMPLES).expect("a test reads the examples");
    let shared = examples.clone();
    examples.values_mut().for_each(|value| fill_in(value, &shared));
    examples
}

/// Replaces references by the examples that they name.
fn fill_in(value: &mut Value, shared: &Map<String, Value>) {
    match value {
        Value::String(text) => {
            let of_schema = text.strip_prefix('@').and_then(|name| shared.get(name)?.as_object());
            if let Some(example) = of_schema.and_then(|examples| examples.values().next()) {
                *value = example.clone();
                fill_in(value, shared);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| fill_in(value, shared)),
        Value::Object(fields) => fields.values_mut().for_each(|value| fill_in(value, shared)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use noughts_api::*;
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::*;

    /// Reads an example, and returns what the type makes of it.
    fn read<T: DeserializeOwned + Serialize>(example: &Value) -> Value {
        let value: T = serde_json::from_value(example.clone())
            .unwrap_or_else(|error| panic!("{error}: {example:#}"));
        serde_json::to_value(value).unwrap()
    }

    /// Whether all fields of an example are known to its type, with these values.
    #[track_caller]
    fn assert_within(example: &Value, read: &Value) {
        match (example, read) {
            (Value::Object(example), Value::Object(read)) => {
                for (name, value) in example {
                    assert_within(value, read.get(name).unwrap_or_else(|| panic!("{name}")));
                }
            }
            (Value::Array(example), Value::Array(read)) if example.len() == read.len() => {
                example.iter().zip(read).for_each(|(example, read)| assert_within(example, read));
            }
            _ => assert_eq!(example, read),
        }
    }

    macro_rules! readers {
        ($($type:ident),* $(,)?) => {
            [$((stringify!($type), read::<$type> as fn(&Value) -> Value)),*]
        };
    }

    #[test]
    fn examples_are_accepted_by_the_types() {
        let readers = readers![
            AccountExport,
            AnalysisRequest,
            AnalysisView,
            AttemptView,
            CommandReply,
            CommandRequest,
            Confirmation,
            CreatedToken,
            Credentials,
            DailyPuzzle,
            EmoteRequest,
            ErrorBody,
            GameSummary,
            GameUpdate,
            GameView,
            HeadToHead,
            Inbox,
            LeagueTable,
            LeagueView,
            LosingMove,
            Me,
            NameChange,
            NewGame,
            NewToken,
            NewTournament,
            PairingRequest,
            PasswordChange,
            PersonView,
            PlayerList,
            PlayerStatistics,
            PresetView,
            ProfileView,
            PuzzleAttemptRequest,
            PuzzleGame,
            PuzzleHint,
            PuzzleProgressView,
            PuzzleSolution,
            PuzzleView,
            RankView,
            RatingPoint,
            Recovery,
            RecoveryCode,
            RulesView,
            ServerMessage,
            Session,
            SessionView,
            StreamEvent,
            TokenView,
            TournamentExport,
            TournamentGame,
            TournamentState,
            TournamentSummary,
        ];
        let examples = all();
        for (name, read) in readers {
            let examples = examples.get(name).and_then(Value::as_object);
            for example in examples.unwrap_or_else(|| panic!("{name} has no example")).values() {
                assert_within(example, &read(example));
            }
        }
        let names = |names: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
            names.map(str::to_string).collect()
        };
        assert_eq!(
            names(&mut readers.iter().map(|(name, _)| *name)),
            names(&mut examples.keys().map(String::as_str))
        );
    }
}
