//! The processes that an MPI launcher started share a flow.

mod abi;
mod calls;
mod ending;
mod exchange;
mod launcher;
mod library;
mod watch;
mod world;

use std::sync::OnceLock;

use lbm_core::cut::Transport;
use lbm_core::error::Error;

use launcher::Launcher;
use world::World;

/// Why MPI cannot be used; kept, so that every start says the same.
#[derive(Clone, Debug)]
struct Refusal {
    what: String,
    remedy: String,
}

/// Whether a launcher of MPI started this process, with one rank or more. No library is looked for.
#[must_use]
pub fn launched() -> bool {
    Launcher::of_this_process().is_some()
}

/// MPI, started. All clones are the same one, for as long as the process lives.
#[derive(Clone)]
pub struct Mpi {
    world: &'static World,
}

impl std::fmt::Debug for Mpi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Mpi").field(&self.description()).finish()
    }
}

impl Mpi {
    /// Loads the library of the launcher's MPI and starts it; a second call gives what the first gave. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where no library is found, the library is not the launcher's, or it fails;
    /// [`Error::OutOfRange`] where `LBM_MPI_TIMEOUT` is no number of seconds.
    pub fn start() -> Result<Mpi, Error> {
        static STARTED: OnceLock<Result<&'static World, Refusal>> = OnceLock::new();
        let timeout = watch::timeout()?;
        match STARTED.get_or_init(|| World::start(timeout)) {
            Ok(world) => Ok(Mpi { world }),
            Err(refusal) => {
                Err(Error::Unavailable { what: refusal.what.clone(), remedy: refusal.remedy.clone() })
            }
        }
    }

    /// The number of this process among those on its host, from 0 on: which device is its own.
    #[must_use]
    pub fn local_rank(&self) -> usize {
        self.world.local_rank()
    }

    /// Ends all ranks at once with this code, so that none waits for this one.
    pub fn abort(&self, code: i32) -> ! {
        self.world.abort(code)
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.world.rank
    }

    fn ranks(&self) -> usize {
        self.world.ranks
    }

    fn exchange(&self, leaving: &[(usize, &[u8])], arriving: &mut [(usize, &mut [u8])]) -> Result<(), Error> {
        self.world.exchange(leaving, arriving)
    }

    fn share(&self, from: usize, bytes: &mut [u8]) -> Result<(), Error> {
        self.world.share(from, bytes)
    }

    fn description(&self) -> String {
        self.world.description()
    }
}
