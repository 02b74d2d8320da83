//! Checkpoints up and down, one at a time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::sync::oneshot;

use super::Shared;
use crate::drive::Command;
use crate::flow::Refusal;

/// How long an upload may take.
const LONGEST: Duration = Duration::from_secs(600);

/// The header with the key of who steers.
const KEY: &str = "x-lbm-key";

type Answer = (StatusCode, String);

/// Gives the flow's state.
pub(super) async fn save(State(shared): State<Arc<Shared>>) -> Result<Response, Answer> {
    let _permit = shared.checkpoints.try_acquire().map_err(|_| busy())?;
    let (send, answer) = oneshot::channel();
    let bytes = shared.ask(Command::Save(send), answer).await?;
    let headers = [
        (CONTENT_TYPE, "application/octet-stream"),
        (CONTENT_DISPOSITION, "attachment; filename=\"flow.checkpoint\""),
    ];
    Ok((headers, bytes).into_response())
}

/// Continues the flow from what is sent by who steers.
pub(super) async fn load(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, Answer> {
    shared.check_steers(&headers)?;
    let most = shared.largest_checkpoint;
    let too_large = || {
        let text = format!("A checkpoint has at most {most} bytes here: send one of this flow.\n");
        (StatusCode::PAYLOAD_TOO_LARGE, text)
    };
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let _permit = shared.checkpoints.try_acquire().map_err(|_| busy())?;
    let late = |_| {
        let text = format!("The checkpoint took more than {} s: send it again.\n", LONGEST.as_secs());
        (StatusCode::REQUEST_TIMEOUT, text)
    };
    let bytes = tokio::time::timeout(LONGEST, to_bytes(body, most)).await.map_err(late)?;
    let bytes = bytes.map_err(|_| too_large())?;
    // Another may have taken over while it came.
    shared.check_steers(&headers)?;
    let (send, answer) = oneshot::channel();
    shared.ask(Command::Load(bytes.to_vec(), send), answer).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl Shared {
    /// Refuses what does not come from who steers.
    fn check_steers(&self, headers: &HeaderMap) -> Result<(), Answer> {
        let key = headers.get(KEY).and_then(|key| key.to_str().ok());
        if key.is_some_and(|key| self.viewers.key_steers(key)) {
            return Ok(());
        }
        let text = format!(
            "Only who steers this flow loads: take over first, and send the socket's key as {KEY}.\n"
        );
        Err((StatusCode::FORBIDDEN, text))
    }

    /// Waits for the flow's answer, which comes between two chunks of steps.
    async fn ask<T>(
        &self,
        command: Command,
        answer: oneshot::Receiver<Result<T, Refusal>>,
    ) -> Result<T, Answer> {
        let text = |refusal: Refusal| format!("{refusal}\n");
        self.command(command).map_err(|refusal| (StatusCode::TOO_MANY_REQUESTS, text(refusal)))?;
        let ended = |_| (StatusCode::GONE, "The flow has ended: start it again.\n".to_owned());
        answer.await.map_err(ended)?.map_err(|refusal| (StatusCode::CONFLICT, text(refusal)))
    }
}

fn busy() -> Answer {
    let text = "Another checkpoint is on its way: try again when it is done.\n";
    (StatusCode::TOO_MANY_REQUESTS, text.to_owned())
}
