//! The description of the API: OpenAPI and AsyncAPI documents for programs, and a page for people.

mod asyncapi;
mod examples;
mod page;
mod variants;

use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use serde_json::Value;
use utoipa::OpenApi;
use utoipa::openapi;

use crate::app::App;

const STYLE: &str = include_str!("docs.css");

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
        (name = "people", description = "People"),
        (name = "rules", description = "Rules"),
        (name = "analysis", description = "Analysis"),
        (name = "puzzles", description = "Puzzles"),
        (name = "tournaments", description = "Tournaments"),
        (name = "leagues", description = "Leagues and players"),
    ),
    modifiers(&Security),
)]
struct Description;

/// The description without any operations.
pub(super) fn base() -> openapi::OpenApi {
    Description::openapi()
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

pub(super) fn router(description: openapi::OpenApi) -> Router<Arc<App>> {
    let openapi = openapi(description);
    let asyncapi = asyncapi::document(&openapi);
    let page = page::page(&openapi, &asyncapi);
    let json = |document: Value| {
        let text = document.to_string();
        get(async move || ([(header::CONTENT_TYPE, "application/json")], text).into_response())
    };
    Router::new()
        .route("/api/v1/openapi.json", json(openapi))
        .route("/api/v1/asyncapi.json", json(asyncapi))
        .route("/api/v1/docs", get(async move || Html(page)))
        .route(
            "/api/v1/docs.css",
            get(async || ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)),
        )
}

/// The OpenAPI document of all operations.
fn openapi(mut description: openapi::OpenApi) -> Value {
    complete_responses(&mut description);
    let mut document = serde_json::to_value(description).expect("descriptions are JSON");
    variants::name(&mut document);
    variants::rename_alias(&mut document, "i64", "Millis");
    examples::add(&mut document);
    document
}

/// Adds the error response to every operation, and missing descriptions to other responses.
fn complete_responses(description: &mut openapi::OpenApi) {
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
