//! The OpenAPI description, as JSON and as a page.

use std::fmt::Write;
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi;

use crate::app::App;

const STYLE: &str = include_str!("docs.css");

/// A game against the computer in three languages: id, title and program. Tests run them as printed.
const QUICK_START: [(&str, &str, &str); 3] = [
    ("curl", "curl", include_str!("quick_start/curl.sh")),
    ("python", "Python", include_str!("quick_start/python.py")),
    ("javascript", "JavaScript", include_str!("quick_start/javascript.js")),
];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Noughts",
        description = "Tic-tac-toe and its whole family, online.\n\nAuthenticate with \
            `Authorization: Bearer TOKEN`; `POST /api/v1/guests` gives you a token at once. Every \
            error is a JSON object with a stable `code` and a `message` for people. Commands carry \
            the sequence number of the last event you have seen (`seq`) and an idempotency `key` \
            of your choice: a command based on an outdated game gets 409 with the current game, \
            and the same key gets the same reply. Reads of a game with `seq` include that event, \
            whichever server answers. Boxes are written as a row letter and a column \
            number from 1, with `A1` at the top left; on a second level or board, `2A1`. Moves are \
            boxes; boxes with a mark where the mover chooses it, such as `B3=o`; or the opening \
            choices `swap`, `keep` and `more`. Times are milliseconds since 1970.",
        license(name = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "accounts", description = "Accounts and sessions"),
        (name = "games", description = "Games"),
        (name = "tournaments", description = "Tournaments"),
        (name = "rules", description = "Rules"),
        (name = "analysis", description = "Analysis"),
        (name = "puzzles", description = "Puzzles"),
        (name = "leagues", description = "Leagues and players"),
    ),
    modifiers(&Security),
)]
struct Description;

/// The description without any operations.
pub(super) fn base() -> openapi::OpenApi {
    Description::openapi()
}

/// Adds the error response to every operation, and missing descriptions to other responses.
pub(super) fn complete_responses(description: &mut openapi::OpenApi) {
    use openapi::{Content, Ref, RefOr, ResponseBuilder};
    let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
    let error = ResponseBuilder::new().description("an error").content("application/json", body);
    let error = error.build();
    let reason = |status: &str| {
        let status = status.parse::<u16>().ok().and_then(|code| StatusCode::from_u16(code).ok());
        status.and_then(|status| status.canonical_reason()).unwrap_or("response").to_lowercase()
    };
    for item in description.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            // OpenAPI requires a description.
            for (status, response) in &mut *responses {
                if let RefOr::T(response) = response
                    && response.description.is_empty()
                {
                    response.description = reason(status);
                }
            }
            responses.insert("default".into(), error.clone().into());
        }
    }
}

struct Security;

impl utoipa::Modify for Security {
    fn modify(&self, description: &mut openapi::OpenApi) {
        use openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
        let components = description.components.get_or_insert_default();
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme("token", bearer);
        let none = SecurityRequirement::default();
        let token = SecurityRequirement::new("token", Vec::<String>::new());
        description.security = Some(vec![none, token]);
    }
}

pub(super) fn router(description: &openapi::OpenApi) -> Router<Arc<App>> {
    let json = description.to_json().unwrap_or_default();
    let page = page(description);
    let json_type = [(header::CONTENT_TYPE, "application/json")];
    Router::new()
        .route(
            "/api/v1/openapi.json",
            get(move || async move { (json_type, json).into_response() }),
        )
        .route("/api/v1/docs", get(move || async move { axum::response::Html(page) }))
        .route(
            "/api/v1/docs.css",
            get(|| async { ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE) }),
        )
}

/// The description as an HTML page.
fn page(description: &openapi::OpenApi) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Noughts API</title>\
         <meta name=viewport content=\"width=device-width\"><link rel=stylesheet href=docs.css>\
         <main><h1>Noughts API</h1>",
    );
    let text = description.info.description.as_deref().unwrap_or_default();
    let _ = write!(html, "{}", paragraphs(text));
    html.push_str("<p>For programs: <a href=openapi.json>openapi.json</a> (OpenAPI 3.1).</p>");
    let json: serde_json::Value = serde_json::to_value(description).unwrap_or_default();
    contents(&mut html, description, &json);
    quick_start(&mut html);
    for tag in description.tags.iter().flatten() {
        let title = tag.description.as_deref().unwrap_or_default();
        let _ = write!(html, "<h2 id={0}>{1}</h2>", escaped(&tag.name), escaped(title));
        for (path, method, operation) in operations(&json, &tag.name) {
            operation_section(&mut html, path, method, operation);
        }
    }
    html.push_str("<h2 id=schemas>Objects</h2>");
    for (name, schema) in json["components"]["schemas"].as_object().into_iter().flatten() {
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        let _ = write!(
            html,
            "<details id=\"{0}\"><summary>{0}</summary><pre>{1}</pre></details>",
            escaped(name),
            escaped(&text)
        );
    }
    html.push_str("</main></html>");
    html
}

/// The operations with a tag: path, method and description.
fn operations<'a>(
    json: &'a serde_json::Value,
    tag: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str, &'a serde_json::Value)> {
    let paths = json["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(|(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    all.filter(move |(_, _, operation)| operation["tags"][0] == tag)
}

/// The table of contents.
fn contents(html: &mut String, description: &openapi::OpenApi, json: &serde_json::Value) {
    html.push_str("<nav><ul><li><a href=\"#quick-start\">Quick start</a>");
    for tag in description.tags.iter().flatten() {
        let title = tag.description.as_deref().unwrap_or_default();
        let _ = write!(html, "<li><a href=\"#{}\">{}</a><ul>", escaped(&tag.name), escaped(title));
        for (path, method, operation) in operations(json, &tag.name) {
            let (anchor, summary) = (anchor(path, method), operation["summary"].as_str());
            let summary = escaped(summary.unwrap_or_default());
            let _ = write!(html, "<li><a href=\"#{anchor}\">{summary}</a>");
        }
        html.push_str("</ul>");
    }
    html.push_str("<li><a href=\"#schemas\">Objects</a></ul></nav>");
}

/// The id of an operation's section.
fn anchor(path: &str, method: &str) -> String {
    escaped(&format!("{method}-{path}"))
}

fn quick_start(html: &mut String) {
    html.push_str(
        "<h2 id=quick-start>Quick start</h2><p>A guest, a game against the computer, and moves. The \
         streams are lines of JSON; a WebSocket also takes commands.</p>",
    );
    for (id, title, program) in QUICK_START {
        let program = escaped(program);
        let _ = write!(html, "<h3>{title}</h3><pre id=\"quick-start-{id}\">{program}</pre>");
    }
}

fn operation_section(html: &mut String, path: &str, method: &str, operation: &serde_json::Value) {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let _ = write!(
        html,
        "<section id=\"{}\"><h3><code>{} {}</code> {}</h3>{}",
        anchor(path, method),
        method.to_uppercase(),
        escaped(path),
        escaped(&text(&operation["summary"])),
        paragraphs(&text(&operation["description"])),
    );
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let rows: String = parameters
        .map(|parameter| {
            let (name, description) = (text(&parameter["name"]), text(&parameter["description"]));
            format!("<dt><code>{}</code><dd>{}", escaped(&name), escaped(&description))
        })
        .collect();
    if !rows.is_empty() {
        let _ = write!(html, "<dl>{rows}</dl>");
    }
    let reference = |content: &serde_json::Value| {
        let schema = &content["application/json"]["schema"];
        let name = schema["$ref"].as_str().or(schema["items"]["$ref"].as_str())?;
        let name = name.rsplit('/').next()?;
        Some(format!("<a href=\"#{0}\">{0}</a>", escaped(name)))
    };
    if let Some(body) = reference(&operation["requestBody"]["content"]) {
        let _ = write!(html, "<p>Body: {body}</p>");
    }
    let responses: Vec<String> = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, response)| {
            let body = reference(&response["content"]).unwrap_or_default();
            format!("{} {body}", escaped(status))
        })
        .collect();
    let _ = write!(html, "<p>Responses: {}</p></section>", responses.join(", "));
}

/// Markdown paragraphs, lists and `code` as HTML.
fn paragraphs(text: &str) -> String {
    let mut html = String::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let mut code = false;
        html.push_str("<p>");
        for (i, part) in escaped(paragraph).split('`').enumerate() {
            if i > 0 {
                html.push_str(if code { "</code>" } else { "<code>" });
                code = !code;
            }
            html.push_str(&part.replace("\n- ", "<br>• ").replace('\n', " "));
        }
        html.push_str(if code { "</code></p>" } else { "</p>" });
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
