//! The server: one thread with a runtime of its own, apart from the flow's.

mod allowance;
mod checkpoint;
mod guard;
mod hosts;
mod listener;
mod socket;
mod token;
mod viewers;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::sync::{Semaphore, watch};

use self::hosts::Hosts;
use self::token::Token;
use self::viewers::Viewers;
use crate::drive::Command;
use crate::error::Error;
use crate::flow::{About, Refusal};
use crate::page;
use crate::publish::Watched;

/// How long connections have to close at the end.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a server is made of.
pub(crate) struct Setup {
    pub(crate) about: About,
    pub(crate) listener: TcpListener,
    pub(crate) address: SocketAddr,
    pub(crate) hosts: Vec<String>,
    pub(crate) commands: SyncSender<Command>,
    pub(crate) watched: Watched,
    pub(crate) largest_checkpoint: usize,
}

/// What all requests share.
struct Shared {
    about: About,
    hosts: Hosts,
    /// What the URL has: it opens everything.
    token: Token,
    /// What the cookie has: it opens the page's files only, since cookies go to every port of a host.
    cookie: Token,
    cookie_name: String,
    commands: SyncSender<Command>,
    watched: Watched,
    viewers: Viewers,
    /// Checkpoints up and down: one at a time.
    checkpoints: Semaphore,
    largest_checkpoint: usize,
    closing: watch::Receiver<bool>,
    /// Each open socket holds a receiver, so that the end can wait for them.
    sockets: watch::Sender<()>,
}

impl Shared {
    /// Hands a command to the flow. Never waits.
    fn command(&self, command: Command) -> Result<(), Refusal> {
        self.commands.try_send(command).map_err(|error| {
            Refusal::new(match error {
                TrySendError::Full(_) => "the flow has too much to do: try again",
                TrySendError::Disconnected(_) => "the flow has ended: start it again",
            })
        })
    }
}

/// A server with an address, not yet answering.
pub(crate) struct Server {
    shared: Arc<Shared>,
    listener: TcpListener,
    url: String,
    closing: watch::Sender<bool>,
}

impl Server {
    pub(crate) fn new(setup: Setup) -> Result<Server, Error> {
        let Setup { about, listener, address, hosts, commands, watched, largest_checkpoint } = setup;
        let hosts = Hosts::new(address.ip(), hosts)?;
        let (token, cookie) = (Token::random()?, Token::random()?);
        let url = format!("http://{}:{}/?token={}", hosts.first(), address.port(), token.text());
        let (closing, closed) = watch::channel(false);
        let shared = Arc::new(Shared {
            viewers: Viewers::new(&about),
            about,
            hosts,
            token,
            cookie,
            // Flows on different ports of a host keep apart.
            cookie_name: format!("lbm-live-{}", address.port()),
            commands,
            watched,
            checkpoints: Semaphore::new(1),
            largest_checkpoint,
            closing: closed,
            sockets: watch::Sender::default(),
        });
        Ok(Server { shared, listener, url, closing })
    }

    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// What counts the viewers.
    pub(crate) fn looking(&self) -> Arc<dyn Fn() -> usize + Send + Sync> {
        let shared = Arc::clone(&self.shared);
        Arc::new(move || shared.viewers.who().viewers)
    }

    /// Answers on a thread of its own.
    pub(crate) fn start(self) -> Result<Running, Error> {
        let start = |what: &str, source: std::io::Error| Error::Start(format!("no {what}: {source}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| start("runtime", source))?;
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(self.listener).map_err(|source| start("listener", source))?
        };
        let closed = self.shared.closing.clone();
        let shared = Arc::clone(&self.shared);
        let router = router(self.shared);
        let work = async move {
            let served = axum::serve(listener::Bounded::new(listener), router)
                .with_graceful_shutdown(until_closed(closed.clone()));
            let farewell = async {
                until_closed(closed).await;
                tokio::time::sleep(FAREWELL).await;
            };
            let all_closed = async {
                // It gives no error.
                let _ = served.await;
                shared.sockets.closed().await;
            };
            tokio::select! {
                () = all_closed => {}
                () = farewell => {}
            }
        };
        let thread = thread::Builder::new()
            .name("server".to_owned())
            .spawn(move || runtime.block_on(work))
            .map_err(|source| start("thread", source))?;
        Ok(Running { closing: self.closing, thread: Some(thread) })
    }
}

/// A server that answers, until this is dropped.
pub(crate) struct Running {
    closing: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Closes all connections.
    pub(crate) fn end(self) {
        drop(self);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.closing.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A panic of it was printed by it.
            let _ = thread.join();
        }
    }
}

/// Ends when the server is to close, or is gone.
async fn until_closed(mut closing: watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new()
        .route("/socket", get(socket::open))
        .route("/checkpoint", get(checkpoint::save).post(checkpoint::load));
    for (index, file) in page::FILES.iter().enumerate() {
        let answer = || async { ([(CONTENT_TYPE, file.kind())], file.text).into_response() };
        let path = if index == 0 { "/".to_owned() } else { format!("/{}", file.name) };
        router = router.route(&path, get(answer));
    }
    // Uploads have a bound of their own.
    router
        .layer(axum::extract::DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}
