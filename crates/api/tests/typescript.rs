//! Generates the declarations that the web page is type-checked against.
//!
//! `UPDATE_TYPES=1 cargo test -p noughts-api --test typescript` writes them anew.

use std::env;
use std::fs;

use noughts_api::{
    AccountExport, AnalysisRequest, AnalysisView, AttemptView, CommandReply, CommandRequest,
    Confirmation, CreatedToken, Credentials, DailyPuzzle, EmoteRequest, ErrorBody, GameSummary,
    GameView, HeadToHead, Inbox, LeagueTable, LeagueView, LosingMove, NameChange, NewGame,
    NewToken, NewTournament, PairingRequest, PasswordChange, PlayerList, PlayerStatistics,
    PresetView, ProfileView, PuzzleAttemptRequest, PuzzleGame, PuzzleHint, PuzzleProgressView,
    PuzzleSolution, PuzzleView, RankView, RatingPoint, Recovery, RecoveryCode, RulesView,
    ServerMessage, Session, SessionView, TokenView, TournamentGame, TournamentState,
    TournamentSummary,
};
use serde_json::Value;
use utoipa::OpenApi;

const DECLARATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/web/js/api.d.ts");

const HEADER: &str = "\
// The types of the API. Generated from the crate `noughts-api`; to update:
// UPDATE_TYPES=1 cargo test -p noughts-api --test typescript
";

/// Requests and replies; the types they refer to come along.
#[derive(OpenApi)]
#[openapi(components(schemas(
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
    GameView,
    HeadToHead,
    Inbox,
    LeagueTable,
    LeagueView,
    LosingMove,
    NameChange,
    NewGame,
    NewToken,
    NewTournament,
    PairingRequest,
    PasswordChange,
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
    TokenView,
    TournamentGame,
    TournamentState,
    TournamentSummary,
)))]
struct Api;

#[test]
fn typescript_declarations_are_current() {
    let api = serde_json::to_value(Api::openapi()).unwrap();
    let mut text = String::from(HEADER);
    for (name, schema) in api["components"]["schemas"].as_object().unwrap() {
        let (doc, name) = (doc(schema, ""), type_name(name));
        text += &format!("\n{doc}export type {name} = {};\n", type_of(schema, ""));
    }
    if env::var_os("UPDATE_TYPES").is_some() {
        fs::write(DECLARATIONS, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(DECLARATIONS).unwrap(), text, "see the head of this file");
}

/// utoipa calls an alias by the type it stands for.
fn type_name(schema: &str) -> &str {
    if schema == "i64" { "Millis" } else { schema }
}

/// A JSON schema as a TypeScript type.
fn type_of(schema: &Value, indent: &str) -> String {
    let all = |key: &str| schema[key].as_array();
    let join = |schemas: &[Value], operator: &str| {
        let types: Vec<_> = schemas.iter().map(|schema| type_of(schema, indent)).collect();
        types.join(operator)
    };
    if let Some(reference) = schema["$ref"].as_str() {
        return type_name(reference.rsplit('/').next().unwrap()).into();
    }
    if let Some(variants) = all("oneOf") {
        return join(variants, " | ");
    }
    if let Some(parts) = all("allOf") {
        return join(parts, " & ");
    }
    if let Some(values) = all("enum") {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    let types = types.iter().map(|name| match name.as_str() {
        Some("integer") => "number".into(),
        Some("array") => array_of(&schema["items"], indent),
        Some("object") => object(schema, indent),
        Some(name) => name.to_string(),
        None => panic!("no type: {schema}"),
    });
    types.collect::<Vec<_>>().join(" | ")
}

fn array_of(items: &Value, indent: &str) -> String {
    let item = type_of(items, indent);
    if item.contains(' ') { format!("({item})[]") } else { format!("{item}[]") }
}

fn object(schema: &Value, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let required: Vec<_> = schema["required"].as_array().into_iter().flatten().collect();
    let mut text = String::from("{\n");
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let mark = if required.iter().any(|required| *required == name) { "" } else { "?" };
        let of = type_of(property, &inner);
        text += &format!("{}{inner}{name}{mark}: {of};\n", doc(property, &inner));
    }
    text + indent + "}"
}

fn doc(schema: &Value, indent: &str) -> String {
    let Some(text) = schema["description"].as_str() else { return String::new() };
    let lines: Vec<String> =
        text.lines().map(|line| format!(" {line}").trim_end().into()).collect();
    format!("{indent}/**{} */\n", lines.join(&format!("\n{indent} *")))
}
