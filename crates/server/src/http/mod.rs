//! HTTP: the routes, and the middleware around them.

mod accounts;
mod analysis;
mod caller;
mod create;
mod credentials;
mod device;
mod docs;
mod emotes;
mod error;
mod export;
mod games;
mod headers;
mod inbox;
mod input;
mod leagues;
mod operation;
mod origin;
mod own_data;
mod page;
mod pairing;
mod people;
mod player_socket;
mod preview;
mod puzzles;
mod rules;
mod sessions;
mod socket;
mod statistics;
mod stream;
mod stream_reports;
mod tournament_export;
mod tournaments;

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::csrf::{CsrfLayer, ProtectionError};
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use error::ApiError;
pub(crate) use operation::metrics_router;
use page::Page;

/// All routes.
pub(crate) fn router(app: Arc<App>) -> io::Result<Router> {
    let api = OpenApiRouter::new()
        .merge(accounts::router())
        .merge(sessions::router())
        .merge(own_data::router())
        .merge(games::router())
        .merge(pairing::router())
        .merge(socket::router())
        .merge(stream::router())
        .merge(player_socket::router())
        .merge(export::router())
        .merge(analysis::router())
        .merge(rules::router())
        .merge(puzzles::router())
        .merge(tournaments::router())
        .merge(tournament_export::router())
        .merge(leagues::router())
        .merge(people::router())
        .merge(inbox::router())
        .merge(emotes::router())
        .merge(statistics::router());
    let api = OpenApiRouter::with_openapi(docs::base()).nest("/api/v1", api);
    let (api, description) = api.split_for_parts();
    let page = Page::load(&app.config)?;
    let fallback = page.clone();
    let limited = api
        .merge(docs::router(description))
        .layer(from_fn(headers::allow_reading))
        .merge(preview::router(page.clone()))
        .fallback(move |method: Method, uri: Uri, headers: HeaderMap| async move {
            fallback.not_found(&method, &uri, &headers)
        })
        .method_not_allowed_fallback(|| async { ApiError::NoMethod })
        .layer(cross_site(&app))
        .layer(from_fn_with_state(app.clone(), input::limit))
        .layer(from_fn_with_state(app.clone(), input::read));
    // Without rate limits: monitoring polls often, and the page has many files.
    Ok(limited
        .merge(operation::router())
        .merge(page.router())
        .layer(from_fn(headers::require_host))
        .layer(from_fn(headers::secure))
        .layer(from_fn(operation::observe))
        .with_state(app))
}

/// Refuses cross-site requests, which browsers send with the user's cookie.
fn cross_site(app: &App) -> CsrfLayer<fn(ProtectionError) -> Response> {
    let refuse: fn(ProtectionError) -> Response = |_| ApiError::CrossSite.into_response();
    let layer = CsrfLayer::new();
    // `Config::check` accepted them, but the library may be stricter.
    let trusted = app.config.origins.iter().fold(layer, |layer, origin| {
        layer.clone().add_trusted_origin(origin).unwrap_or_else(|error| {
            tracing::warn!(%error, origin, "ignored an invalid origin");
            layer
        })
    });
    trusted.with_rejection_response(refuse)
}
