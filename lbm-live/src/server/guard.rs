//! What every request passes: its host, its origin, its token. And the headers of every answer.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::hosts::same_origin;
use crate::page;

/// What every answer has.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; connect-src 'self'; img-src 'self' blob: data:; object-src 'none'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    // The URL has the token.
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses what has no right to be answered.
pub(super) async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let first = request.uri().path() == "/";
    let mut response = match shared.check(&request) {
        Ok(()) => next.run(request).await,
        Err(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if first && response.status().is_success() {
        let (name, value) = (&shared.cookie_name, shared.cookie.text());
        let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
    }
    response
}

impl Shared {
    fn check(&self, request: &Request) -> Result<(), &'static str> {
        let host = only(request.headers(), &HOST)?;
        let Some(host) = host.filter(|host| self.hosts.allow(host)) else {
            return Err("This name is not known here: allow it as a host, or use localhost.\n");
        };
        if only(request.headers(), &ORIGIN)?.is_some_and(|origin| !same_origin(origin, host)) {
            return Err("Pages of another origin are refused: open the URL that was printed.\n");
        }
        if self.has_token(request.uri().query()) || self.has_cookie(request) {
            return Ok(());
        }
        Err("The token is missing or wrong: open the URL that was printed.\n")
    }

    fn has_token(&self, query: Option<&str>) -> bool {
        let mut parts = query.unwrap_or_default().split('&');
        parts.find_map(|part| part.strip_prefix("token=")).is_some_and(|token| self.token.is(token))
    }

    /// The cookie opens files of the page, but not the page itself, the socket or checkpoints.
    fn has_cookie(&self, request: &Request) -> bool {
        let file = request.uri().path().strip_prefix('/');
        let of_page = page::FILES.iter().any(|known| Some(known.name) == file);
        let cookies = request.headers().get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut cookies =
            cookies.flat_map(|value| value.split(';')).filter_map(|part| part.trim().split_once('='));
        request.method() == Method::GET
            && of_page
            && cookies.any(|(name, value)| name == self.cookie_name && self.cookie.is(value))
    }
}

/// The one value of a header; more than one is refused.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, &'static str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.to_str().unwrap_or("?"));
    if values.next().is_some() {
        return Err("A header comes twice.\n");
    }
    Ok(value)
}
