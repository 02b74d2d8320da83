//! What can go wrong, with the remedy.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::flow::Fault;

/// Why a flow cannot be shown, or ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}; give a free port, or port 0 for any")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// A name that is no host name.
    #[error("{name:?} is no host name: give one such as flow.example.org, without port and scheme")]
    Host {
        /// What was given.
        name: String,
    },
    /// What the flow says of itself is wrong.
    #[error("the flow says of itself: {0}")]
    About(String),
    /// The system lacks something that the server needs.
    #[error("the server cannot start: {0}")]
    Start(String),
    /// A file of recorded events cannot be written or read.
    #[error("{path}: {message}", path = .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        message: String,
    },
    /// The flow stopped by itself.
    #[error(transparent)]
    Fault(#[from] Fault),
}
