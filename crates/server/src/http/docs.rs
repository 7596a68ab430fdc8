//! The description of the API, for programs and for people.

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

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Noughts",
        description = "Tic-tac-toe and its whole family, online.\n\nSay who you are with \
            `Authorization: Bearer TOKEN`; `POST /api/v1/guests` gives you a token at once. Every \
            refusal is a JSON object with a stable `code` and a `message` for people. Commands \
            carry the last sequence number that you have seen (`seq`) and a `key` of your choice: \
            whoever is late gets 409 with the game as it is, and the same key again gets the same \
            answer. Cells are box names: a row letter and a column number from 1, `A1` at the top \
            left. Times are milliseconds since 1970.",
        license(name = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "identity", description = "Who you are"),
        (name = "games", description = "Playing and watching"),
        (name = "study", description = "Exports and analysis"),
        (name = "leagues", description = "Who is better"),
    ),
    modifiers(&Security),
)]
struct Introduction;

/// What the description begins with.
pub(super) fn introduction() -> openapi::OpenApi {
    Introduction::openapi()
}

/// Completes what operations answer. Any may be refused, for more reasons than the description of each can tell.
pub(super) fn add_refusals(description: &mut openapi::OpenApi) {
    use openapi::{Content, Ref, RefOr, ResponseBuilder};
    let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
    let refusal = ResponseBuilder::new().description("a refusal, with its code");
    let refusal = refusal.content("application/json", body).build();
    let named = |status: &str| {
        let status = status.parse::<u16>().ok().and_then(|code| StatusCode::from_u16(code).ok());
        status.and_then(|status| status.canonical_reason()).unwrap_or("an answer").to_lowercase()
    };
    for item in description.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            // Every answer has to have a description.
            for (status, answer) in &mut *responses {
                if let RefOr::T(answer) = answer
                    && answer.description.is_empty()
                {
                    answer.description = named(status);
                }
            }
            responses.insert("default".into(), refusal.clone().into());
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

/// The description as a page.
fn page(description: &openapi::OpenApi) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Noughts API</title>\
         <meta name=viewport content=\"width=device-width\"><link rel=stylesheet href=docs.css>\
         <main><h1>Noughts API</h1>",
    );
    let text = description.info.description.as_deref().unwrap_or_default();
    let _ = write!(html, "{}", paragraphs(text));
    html.push_str("<p>For programs: <a href=openapi.json>openapi.json</a> (OpenAPI 3.1).</p>");
    // The page is written from the same JSON that programs read.
    let json: serde_json::Value = serde_json::to_value(description).unwrap_or_default();
    for tag in description.tags.iter().flatten() {
        let about = tag.description.as_deref().unwrap_or_default();
        let _ = write!(html, "<h2 id={0}>{1}</h2>", escaped(&tag.name), escaped(about));
        for (path, item) in json["paths"].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                if operation["tags"][0] == tag.name.as_str() {
                    operation_section(&mut html, path, method, operation);
                }
            }
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

fn operation_section(html: &mut String, path: &str, method: &str, operation: &serde_json::Value) {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let _ = write!(
        html,
        "<section><h3><code>{} {}</code> {}</h3>{}",
        method.to_uppercase(),
        escaped(path),
        escaped(&text(&operation["summary"])),
        paragraphs(&text(&operation["description"])),
    );
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let rows: String = parameters
        .map(|parameter| {
            let (name, about) = (text(&parameter["name"]), text(&parameter["description"]));
            format!("<dt><code>{}</code><dd>{}", escaped(&name), escaped(&about))
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
    let answers: Vec<String> = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, answer)| {
            let body = reference(&answer["content"]).unwrap_or_default();
            format!("{} {body}", escaped(status))
        })
        .collect();
    let _ = write!(html, "<p>Answers: {}</p></section>", answers.join(", "));
}

/// Text with blank lines, lists and `code` as HTML.
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
