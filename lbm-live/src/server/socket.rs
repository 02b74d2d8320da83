//! A viewer's socket: what it sends is read and handed on, what it watches is sent when it can take it.
//!
//! Nothing is queued for a viewer. Each picture is followed by a ping; while several pings have no answer, no picture is sent, so what
//! buffers on the way hold, such as those of ssh, stays short too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Raw, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{mpsc, watch};
use tokio::time::{interval, sleep_until, timeout};

use super::allowance::{Allowance, Verdict};
use super::token::Token;
use super::viewers::Id;
use super::{Shared, until_closed};
use crate::drive::{Command, Refusals, Refused};
use crate::flow::Refusal;
use crate::protocol::answer::Answer;
use crate::protocol::{LONGEST_MASK, Message, Wish};

/// Pictures on their way at most.
const UNANSWERED: u64 = 4;
/// A viewer that takes nothing for so long is gone.
const GONE: Duration = Duration::from_secs(20);
/// How long a viewer has to answer a close.
const FAREWELL: Duration = Duration::from_millis(500);
/// A quiet socket is pinged this often.
const PING: Duration = Duration::from_secs(5);
/// Texts with numbers come at least this far apart.
const BETWEEN_STATUS: Duration = Duration::from_millis(100);
/// Refusals that wait for a viewer.
const REFUSALS: usize = 8;
/// Why a socket is closed: its code, and words for it.
type Reason = (u16, &'static str);

const ENDED: Reason = (1001, "the flow has ended");
const JUNK: Reason = (1008, "too many messages that are not understood");
const PINGS: Reason = (1008, "too many pings");

/// Opens a socket.
pub(super) async fn open(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    if shared.viewers.full() {
        let text = "As many viewers look as can: try again when one has left.\n";
        return (StatusCode::TOO_MANY_REQUESTS, text).into_response();
    }
    let key = match Token::random() {
        Ok(key) => key,
        Err(error) => return (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    };
    let most = LONGEST_MASK + 1024;
    upgrade.max_message_size(most).max_frame_size(most).on_upgrade(|socket| talk(shared, socket, key))
}

async fn talk(shared: Arc<Shared>, socket: WebSocket, key: Token) {
    let text = key.text().to_owned();
    let Some(id) = shared.viewers.enter(key) else { return };
    let _open = shared.sockets.subscribe();
    let (answered, pinged) = (watch::Sender::new(0), AtomicU64::new(0));
    let viewer = Viewer { id, key: text, shared: &shared, answered, pinged };
    let (mut sink, mut stream) = socket.split();
    let (refuse, refusals) = mpsc::channel(REFUSALS);
    let reason = tokio::select! {
        reason = viewer.read(&mut stream, refuse) => reason,
        _ = viewer.write(&mut sink, refusals) => None,
        () = until_closed(shared.closing.clone()) => Some(ENDED),
    };
    if let Some(view) = shared.viewers.leave(id) {
        // Where the flow has too much to do, the next view of that viewer does it.
        let _ = shared.command(Command::View(view));
    }
    let close = reason.map(|(code, reason)| CloseFrame { code, reason: reason.into() });
    let farewell = async {
        sink.send(Raw::Close(close)).await?;
        // A connection that is dropped with something unread is reset, and the reason lost.
        while stream.next().await.is_some_and(|raw| raw.is_ok()) {}
        Ok::<(), axum::Error>(())
    };
    let _ = timeout(FAREWELL, farewell).await;
}

/// A viewer while it is here.
struct Viewer<'a> {
    id: Id,
    key: String,
    shared: &'a Shared,
    /// The last ping that was answered.
    answered: watch::Sender<u64>,
    /// The last ping that was sent.
    pinged: AtomicU64,
}

impl Viewer<'_> {
    /// Reads until the socket ends, is silent for too long, or is to be closed for a reason.
    async fn read(&self, stream: &mut SplitStream<WebSocket>, refuse: Refusals) -> Option<Reason> {
        let mut allowance = Allowance::new(Instant::now());
        while let Ok(Some(Ok(raw))) = timeout(GONE, stream.next()).await {
            let (now, bytes) = (Instant::now(), raw_length(&raw));
            let done = match raw {
                Raw::Text(text) => Message::read(&text),
                Raw::Binary(_) => Err(Refusal::new("the message is not understood: send texts")),
                Raw::Pong(number) if self.pong(&number) => continue,
                Raw::Pong(_) => Err(Refusal::new("a pong without a ping: answer pings only")),
                Raw::Ping(_) if allowance.message(now, bytes) => continue,
                Raw::Ping(_) => return Some(PINGS),
                Raw::Close(_) => return None,
            };
            let (verdict, refusal) = match done {
                Err(refusal) => (allowance.junk(now, bytes), refusal),
                Ok(_) if !allowance.message(now, bytes) => {
                    (allowance.answer(now), Refusal::new("too many messages in a second: send fewer"))
                }
                Ok(message) => {
                    if let Err(refusal) = self.done(message, &refuse) {
                        let _ = refuse.try_send(refusal.into());
                    }
                    continue;
                }
            };
            match verdict {
                Verdict::Close => return Some(JUNK),
                Verdict::Silence => {}
                Verdict::Answer(1) => drop(refuse.try_send(refusal.into())),
                Verdict::Answer(count) => {
                    let refusal = Refusal::new(format!("{refusal} ({count} such messages)"));
                    drop(refuse.try_send(refusal.into()));
                }
            }
        }
        None
    }

    /// Notes the answer to a ping of ours; `false` if it answers none.
    fn pong(&self, number: &[u8]) -> bool {
        let Ok(number) = number.try_into().map(u64::from_le_bytes) else { return false };
        let expected = *self.answered.borrow() < number && number <= self.pinged.load(Ordering::Relaxed);
        if expected {
            self.answered.send_replace(number);
        }
        expected
    }

    /// Does what a message asks for, if this viewer may.
    fn done(&self, message: Message, refuse: &Refusals) -> Result<(), Refusal> {
        let Viewer { id, shared, .. } = *self;
        let (axis, slice) = shared.viewers.slice(id);
        let command = match message.wish(axis, slice) {
            Wish::View(view) => {
                let view = view.checked(&shared.about)?;
                shared.viewers.look(id, view.clone());
                if !shared.viewers.steers(id) {
                    return Ok(());
                }
                Command::View(view)
            }
            Wish::Steer => match shared.viewers.steer(id) {
                Some(view) => Command::View(view),
                None => return Ok(()),
            },
            _ if !shared.viewers.steers(id) => {
                return Err(Refusal::new("another viewer steers this flow: take over first"));
            }
            Wish::Event(event) => {
                event.check(&shared.about)?;
                Command::Event(event, refuse.clone())
            }
            Wish::Pause(paused) => Command::Pause(paused),
            Wish::Step => Command::Step(refuse.clone()),
        };
        shared.command(command)
    }

    /// Sends until the socket takes nothing more.
    async fn write(
        &self,
        sink: &mut SplitSink<WebSocket, Raw>,
        mut refusals: mpsc::Receiver<Refused>,
    ) -> Option<()> {
        let watched = &self.shared.watched;
        let (mut shown, mut reports) = (watched.shown.clone(), watched.report.clone());
        let (mut who, mut answered) = (self.shared.viewers.watch(), self.answered.subscribe());
        shown.mark_changed();
        let mut beat = interval(PING);
        // The number of the mask that was sent.
        let mut mask = 0;
        let mut fault = None;
        // Whether the numbers that were sent are old, and when they may be sent again.
        let (mut old, mut next) = (true, tokio::time::Instant::now());
        send(sink, Answer::About(&self.shared.about).text().into()).await?;
        send(sink, Answer::Key { key: &self.key }.text().into()).await?;
        loop {
            let pinged = self.pinged.load(Ordering::Relaxed);
            let ready = pinged - *answered.borrow_and_update() < UNANSWERED;
            if ready {
                watched.wanted.store(true, Ordering::Release);
            }
            tokio::select! {
                refusal = refusals.recv() => {
                    let Refused { why, partly } = refusal?;
                    let message = &why.to_string();
                    send(sink, Answer::Refused { message, partly }.text().into()).await?;
                }
                () = sleep_until(next), if old => {
                    (old, next) = (false, tokio::time::Instant::now() + BETWEEN_STATUS);
                    let report = Arc::clone(&reports.borrow_and_update());
                    let who = *who.borrow_and_update();
                    let status = Answer::Status {
                        step: report.step,
                        mlups: report.mlups,
                        paused: report.paused,
                        steering: who.steering == Some(self.id),
                        viewers: who.viewers,
                        flow: &report.flow,
                    };
                    send(sink, status.text().into()).await?;
                    if let Some(message) = report.fault.as_deref().filter(|_| report.fault != fault) {
                        send(sink, Answer::Fault { message }.text().into()).await?;
                    }
                    fault.clone_from(&report.fault);
                }
                changed = shown.changed(), if ready => {
                    changed.ok()?;
                    let Some(newest) = shown.borrow_and_update().clone() else { continue };
                    if let Some(of) = newest.mask.filter(|of| of.number != mask) {
                        mask = of.number;
                        send(sink, Raw::Binary(of.bytes)).await?;
                    }
                    send(sink, Raw::Binary(newest.picture)).await?;
                    for on_top in newest.on_top {
                        send(sink, Raw::Binary(on_top)).await?;
                    }
                    self.ping(sink).await?;
                }
                changed = reports.changed(), if !old => {
                    changed.ok()?;
                    old = true;
                }
                changed = who.changed(), if !old => {
                    changed.ok()?;
                    old = true;
                }
                changed = answered.changed() => {
                    changed.ok()?;
                }
                _ = beat.tick() => self.ping(sink).await?,
            }
        }
    }

    async fn ping(&self, sink: &mut SplitSink<WebSocket, Raw>) -> Option<()> {
        let number = self.pinged.load(Ordering::Relaxed) + 1;
        self.pinged.store(number, Ordering::Relaxed);
        send(sink, Raw::Ping(number.to_le_bytes().to_vec().into())).await
    }
}

fn raw_length(raw: &Raw) -> usize {
    match raw {
        Raw::Text(text) => text.len(),
        Raw::Binary(bytes) | Raw::Ping(bytes) | Raw::Pong(bytes) => bytes.len(),
        Raw::Close(_) => 0,
    }
}

/// Sends one message; `None` when the socket is gone.
async fn send(sink: &mut SplitSink<WebSocket, Raw>, message: Raw) -> Option<()> {
    timeout(GONE, sink.send(message)).await.ok()?.ok()
}
