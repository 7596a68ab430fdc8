//! Names for the variants of enums, without which generated clients call them `Type0` and `Type1`.

use std::slice;

use serde_json::{Map, Value, json};

/// Moves each variant with a title into a schema of its own, with that name, and says which property
/// tells the variants apart.
pub(super) fn name(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    let schemas = schemas.expect("the description has schemas");
    let mut named = Map::new();
    for schema in schemas.values_mut() {
        let Some(variants) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else {
            continue;
        };
        let mut tag = None;
        let mut mapping = Map::new();
        for variant in variants {
            let Some(title) = take_title(variant) else { continue };
            let reference = json!({"$ref": format!("#/components/schemas/{title}")});
            if let Some((property, value)) = mark_tag(variant) {
                mapping.insert(value, reference["$ref"].clone());
                tag = Some(property);
            }
            let other = named.insert(title, std::mem::replace(variant, reference));
            debug_assert!(other.is_none(), "two variants have the title of {other:?}");
        }
        if let Some(property) = tag {
            schema["discriminator"] = json!({"propertyName": property, "mapping": mapping});
        }
    }
    schemas.extend(named);
}

/// The objects that a variant consists of.
fn parts(variant: &mut Value) -> &mut [Value] {
    if variant.get("allOf").is_some_and(Value::is_array) {
        variant["allOf"].as_array_mut().expect("it is an array")
    } else {
        slice::from_mut(variant)
    }
}

/// Takes the title out of a variant, wherever in it that is.
fn take_title(variant: &mut Value) -> Option<String> {
    let own = variant.get("title").and_then(Value::as_str).map(str::to_string);
    let titles = parts(variant).iter_mut().filter_map(|part| part.as_object_mut()?.remove("title"));
    let of_parts: Vec<Value> = titles.collect();
    own.or_else(|| of_parts.first()?.as_str().map(str::to_string))
}

/// Finds the property of a variant that can have one value only, makes it a constant, and returns both.
fn mark_tag(variant: &mut Value) -> Option<(String, String)> {
    for part in parts(variant) {
        let properties = part.get_mut("properties").and_then(Value::as_object_mut);
        for (name, property) in properties.into_iter().flatten() {
            if let Some([Value::String(value)]) = property["enum"].as_array().map(Vec::as_slice) {
                let (name, value) = (name.clone(), value.clone());
                *property = json!({"type": "string", "const": value});
                return Some((name, value));
            }
        }
    }
    None
}

/// Gives the schema of an alias, which is called by the type that it stands for, its own name.
pub(super) fn rename_alias(document: &mut Value, of: &str, name: &str) {
    fn rename_references(value: &mut Value, old: &str, new: &str) {
        match value {
            Value::String(text) if text == old => new.clone_into(text),
            Value::Array(values) => {
                values.iter_mut().for_each(|value| rename_references(value, old, new));
            }
            Value::Object(fields) => {
                fields.values_mut().for_each(|value| rename_references(value, old, new));
            }
            _ => {}
        }
    }
    let schemas = document["components"]["schemas"].as_object_mut();
    if let Some(schemas) = schemas
        && let Some(schema) = schemas.remove(of)
    {
        schemas.insert(name.into(), schema);
    }
    let reference = |name: &str| format!("#/components/schemas/{name}");
    rename_references(document, &reference(of), &reference(name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_become_schemas() {
        let mut document = json!({"components": {"schemas": {
            "Shape": {"oneOf": [
                {"title": "Circle", "properties": {"type": {"enum": ["circle"]}, "radius": {}}},
                {"allOf": [{"$ref": "#/components/schemas/i64"}, {
                    "title": "Square",
                    "properties": {"type": {"enum": ["square"]}},
                }]},
            ]},
            "i64": {"type": "integer"},
        }}});
        name(&mut document);
        rename_alias(&mut document, "i64", "Side");
        let circle = json!({"type": "string", "const": "circle"});
        let square = json!({"type": "string", "const": "square"});
        assert_eq!(
            document["components"]["schemas"],
            json!({
                "Shape": {
                    "oneOf": [
                        {"$ref": "#/components/schemas/Circle"},
                        {"$ref": "#/components/schemas/Square"},
                    ],
                    "discriminator": {"propertyName": "type", "mapping": {
                        "circle": "#/components/schemas/Circle",
                        "square": "#/components/schemas/Square",
                    }},
                },
                "Circle": {"properties": {"type": circle, "radius": {}}},
                "Square": {"allOf": [
                    {"$ref": "#/components/schemas/Side"},
                    {"properties": {"type": square}},
                ]},
                "Side": {"type": "integer"},
            })
        );
    }
}
