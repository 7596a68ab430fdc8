//! The messages of WebSockets and streams, as an AsyncAPI document.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::examples;

/// Where messages go.
struct Channel {
    id: &'static str,
    /// The path, with its operation in the OpenAPI document.
    path: &'static str,
    /// The schema of the server's messages.
    sent: &'static str,
    /// The schema of the client's messages.
    received: Option<&'static str>,
}

const CHANNELS: [Channel; 5] = [
    Channel {
        id: "gameSocket",
        path: "/api/v1/games/{id}/socket",
        sent: "ServerMessage",
        received: Some("CommandRequest"),
    },
    Channel {
        id: "gameStream",
        path: "/api/v1/games/{id}/stream",
        sent: "ServerMessage",
        received: None,
    },
    Channel { id: "playerSocket", path: "/api/v1/socket", sent: "StreamEvent", received: None },
    Channel { id: "playerStream", path: "/api/v1/stream", sent: "StreamEvent", received: None },
    Channel {
        id: "tournamentStream",
        path: "/api/v1/tournaments/{id}/stream",
        sent: "TournamentState",
        received: None,
    },
];

/// The document, with the schemas of the OpenAPI document.
pub(super) fn document(openapi: &Value) -> Value {
    let (mut channels, mut operations, mut messages) = (Map::new(), Map::new(), Map::new());
    for Channel { id, path, sent, received } in CHANNELS {
        let operation = &openapi["paths"][path]["get"];
        let mut own_messages = Map::new();
        let directions = [("send", Some(sent)), ("receive", received)];
        for (action, schema) in directions.into_iter().filter_map(|(a, schema)| Some((a, schema?)))
        {
            let variants = variants(openapi, schema);
            let in_channel =
                |name: &String| json!({"$ref": format!("#/channels/{id}/messages/{name}")});
            operations.insert(
                format!("{action}.{id}"),
                json!({
                    "action": action,
                    "channel": {"$ref": format!("#/channels/{id}")},
                    "messages": variants.iter().map(|(name, _)| in_channel(name)).collect::<Vec<_>>(),
                }),
            );
            for (name, tag) in variants {
                own_messages
                    .insert(name.clone(), json!({"$ref": format!("#/components/messages/{name}")}));
                messages.insert(name.clone(), message(openapi, schema, &name, tag.as_deref()));
            }
        }
        let mut channel = json!({
            "address": path,
            "title": operation["summary"],
            "description": operation["description"],
            "messages": own_messages,
        });
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let in_path = parameters.filter(|parameter| parameter["in"] == "path");
        for parameter in in_path {
            let name = parameter["name"].as_str().unwrap_or_default();
            channel["parameters"][name] = json!({"description": parameter["description"]});
        }
        channels.insert(id.into(), channel);
    }
    let schemas = schemas_of(openapi, messages.keys());
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": openapi["info"]["title"],
            "version": openapi["info"]["version"],
            "description": "The messages of WebSockets and streams. Everything else is in openapi.json.",
            "license": openapi["info"]["license"],
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas},
    })
}

/// The messages that a schema stands for: the names of its variants with the values of their tags, or
/// the schema itself.
fn variants(openapi: &Value, schema: &str) -> Vec<(String, Option<String>)> {
    match openapi["components"]["schemas"][schema]["discriminator"]["mapping"].as_object() {
        Some(mapping) => {
            let name = |reference: &Value| referenced(reference).unwrap_or_default().to_string();
            mapping.iter().map(|(tag, variant)| (name(variant), Some(tag.clone()))).collect()
        }
        None => vec![(schema.into(), None)],
    }
}

/// A message of a schema, or of one of its variants.
fn message(openapi: &Value, schema: &str, name: &str, tag: Option<&str>) -> Value {
    let all = examples::all();
    let examples = all.get(schema).and_then(Value::as_object).into_iter().flatten();
    let is_own = |example: &Value| tag.is_none_or(|tag| example["type"] == tag);
    let examples: Vec<Value> = examples
        .filter(|(_, example)| is_own(example))
        .map(|(_, example)| json!({"payload": example}))
        .collect();
    json!({
        "name": name,
        "summary": openapi["components"]["schemas"][name]["description"],
        "payload": {"$ref": format!("#/components/schemas/{name}")},
        "examples": examples,
    })
}

/// Schemas and all that they refer to.
fn schemas_of<'a>(openapi: &Value, names: impl Iterator<Item = &'a String>) -> Map<String, Value> {
    let mut schemas = Map::new();
    let mut missing: BTreeSet<String> = names.cloned().collect();
    while let Some(name) = missing.pop_first() {
        let mut schema = openapi["components"]["schemas"][&name].clone();
        collect_references(&schema, &mut missing);
        // In AsyncAPI it is the name of the property alone.
        if let Some(discriminator) = schema.get_mut("discriminator") {
            *discriminator = discriminator["propertyName"].clone();
        }
        schemas.insert(name, schema);
        missing.retain(|name| !schemas.contains_key(name));
    }
    schemas
}

/// Adds the names of the schemas that a schema refers to.
fn collect_references(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            names.extend(fields.get("$ref").and_then(referenced).map(str::to_string));
            fields.values().for_each(|value| collect_references(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, names)),
        _ => {}
    }
}

/// The name of the schema that a reference leads to.
fn referenced(reference: &Value) -> Option<&str> {
    reference.as_str()?.rsplit('/').next()
}

#[cfg(test)]
mod tests {
    use noughts_api::{ServerMessage, StreamEvent, TournamentState};

    use super::*;

    /// The document of the types that have messages.
    fn document_of_types() -> Value {
        #[derive(utoipa::OpenApi)]
        #[openapi(components(schemas(
            noughts_api::CommandRequest,
            ServerMessage,
            StreamEvent,
            TournamentState
        )))]
        struct Types;
        let mut openapi = serde_json::to_value(<Types as utoipa::OpenApi>::openapi()).unwrap();
        super::super::variants::name(&mut openapi);
        document(&openapi)
    }

    #[test]
    fn messages_have_schemas_and_examples_that_the_types_accept() {
        let document = document_of_types();
        let messages = document["components"]["messages"].as_object().unwrap();
        for (channel, action, count) in [
            ("gameSocket", "send", 7),
            ("gameSocket", "receive", 1),
            ("gameStream", "send", 7),
            ("playerStream", "send", 5),
            ("playerSocket", "send", 5),
            ("tournamentStream", "send", 1),
        ] {
            let operation = &document["operations"][format!("{action}.{channel}")];
            let references = operation["messages"].as_array().unwrap();
            assert_eq!(references.len(), count, "{action} {channel}");
            for reference in references {
                let name = referenced(&reference["$ref"]).unwrap();
                let own = &document["channels"][channel]["messages"][name]["$ref"];
                assert_eq!(referenced(own), Some(name));
                assert!(document["components"]["schemas"][name].is_object(), "{name}");
                let examples = messages[name]["examples"].as_array().unwrap();
                assert!(!examples.is_empty(), "{name}");
                for example in examples {
                    let payload = example["payload"].clone();
                    let accepted = match (channel, action) {
                        ("playerStream" | "playerSocket", _) => {
                            serde_json::from_value::<StreamEvent>(payload).map(drop)
                        }
                        ("tournamentStream", _) => {
                            serde_json::from_value::<TournamentState>(payload).map(drop)
                        }
                        (_, "send") => serde_json::from_value::<ServerMessage>(payload).map(drop),
                        _ => {
                            serde_json::from_value::<noughts_api::CommandRequest>(payload).map(drop)
                        }
                    };
                    accepted.unwrap_or_else(|error| panic!("{name}: {error}"));
                }
            }
        }
    }

    #[test]
    fn all_references_lead_somewhere() {
        let document = document_of_types();
        let mut names = BTreeSet::new();
        collect_references(&document["components"]["schemas"], &mut names);
        assert!(names.len() > 10, "{names:?}");
        for name in names {
            assert!(document["components"]["schemas"][&name].is_object(), "{name}");
        }
    }
}
