//! The builder, and what it builds: a bound address that runs a flow.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use crate::drive::Drive;
use crate::error::Error;
use crate::flow::{About, Flow};
use crate::publish::Publisher;
use crate::record::Recorder;
use crate::server::{Server, Setup};

/// How many commands wait for the flow at most.
const WAITING: usize = 256;

/// A flow that is to be shown, and how.
#[derive(Debug)]
pub struct Live<F> {
    flow: F,
    address: SocketAddr,
    hosts: Vec<String>,
    record: Option<PathBuf>,
    steps: Option<u64>,
    largest_checkpoint: usize,
}

impl<F: Flow> Live<F> {
    /// Shows this flow on 127.0.0.1:8080, without end and without a recording.
    #[must_use]
    pub fn new(flow: F) -> Live<F> {
        Live {
            flow,
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            hosts: Vec::new(),
            record: None,
            steps: None,
            largest_checkpoint: 1 << 30,
        }
    }

    /// Listens on this address; port 0 takes any free port.
    #[must_use]
    pub fn listen(mut self, address: SocketAddr) -> Live<F> {
        self.address = address;
        self
    }

    /// Answers to this host name, too, with any port; the first one is in the URL.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>) -> Live<F> {
        self.hosts.push(name.into());
        self
    }

    /// Writes all events with their steps to a new file, which [`read_events`](crate::read_events) reads.
    #[must_use]
    pub fn record(mut self, path: impl Into<PathBuf>) -> Live<F> {
        self.record = Some(path.into());
        self
    }

    /// Ends after this many steps, those before a reset among them.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Live<F> {
        self.steps = Some(steps);
        self
    }

    /// Takes checkpoints of at most this many bytes from viewers, instead of 1 GiB.
    #[must_use]
    pub fn largest_checkpoint(mut self, bytes: usize) -> Live<F> {
        self.largest_checkpoint = bytes;
        self
    }

    /// Binds the address, so that the URL is known. Viewers that connect wait until it runs.
    ///
    /// # Errors
    /// When the address is taken, a host name is none, or the recording cannot be started.
    pub fn bind(self) -> Result<Bound<F>, Error> {
        let about = self.flow.about();
        about.check().map_err(Error::About)?;
        let listener = TcpListener::bind(self.address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        let listener = listener.map_err(|source| Error::Listen { address: self.address, source })?;
        let address =
            listener.local_addr().map_err(|source| Error::Listen { address: self.address, source })?;
        let (send, commands) = sync_channel(WAITING);
        let (publisher, watched) = Publisher::start(about.fields.clone())?;
        let server = Server::new(Setup {
            about: about.clone(),
            listener,
            address,
            hosts: self.hosts,
            commands: send,
            watched,
            largest_checkpoint: self.largest_checkpoint,
        })?;
        let recorder = self.record.as_deref().map(Recorder::create).transpose()?;
        let stop = Arc::new(AtomicBool::new(false));
        let looking = server.looking();
        let drive = Drive {
            flow: self.flow,
            commands,
            publisher,
            recorder,
            stop,
            steps: self.steps,
            looking,
            now: Box::new(Instant::now),
        };
        Ok(Bound { url: server.url(), address, about, server, drive })
    }
}

/// A flow with an address, ready to run.
pub struct Bound<F> {
    url: String,
    address: SocketAddr,
    about: About,
    server: Server,
    drive: Drive<F>,
}

impl<F: Flow> Bound<F> {
    /// The URL of the page, with the token.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address that is listened on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What ends the run from another thread.
    #[must_use]
    pub fn stop(&self) -> Stop {
        Stop(Arc::clone(&self.drive.stop))
    }

    /// Runs the flow on this thread and shows it, until it is stopped or its steps are done; then closes all connections.
    ///
    /// # Errors
    /// When no thread could be started, the recording broke, or a flow whose number of steps was given stopped by itself.
    pub fn run(mut self) -> Result<Ended<F>, Error> {
        let running = self.server.start()?;
        let steps = self.drive.run(&self.about);
        running.end();
        Ok(Ended { steps: steps?, flow: self.drive.flow })
    }
}

/// Ends a run between two chunks of steps.
#[derive(Clone, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the run.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A flow after its run.
#[derive(Debug)]
pub struct Ended<F> {
    /// The flow in its last state.
    pub flow: F,
    /// Steps that were run, those before a reset among them.
    pub steps: u64,
}
