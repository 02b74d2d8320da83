//! The processes that an MPI launcher started share a flow: [`Mpi`] is a [`Transport`] over the launcher's MPI, whose library is loaded when it
//! is asked for. A binary starts on machines without any.
//!
//! # Which MPI
//!
//! | ABI | libraries | tried with |
//! |---|---|---|
//! | Open MPI | `libmpi.so.40` | Debian's 4.1.4 |
//! | MPICH and kin (Intel MPI, MVAPICH, Cray MPICH) | `libmpich.so.12`, `libmpi.so.12` | Debian's 4.0.2 |
//! | MPI 5.0, the standard's | `libmpi_abi.so.1` | 5.0.2 of `pip install mpich` |
//!
//! The launcher's variables (`OMPI_COMM_WORLD_SIZE`, `PMI_RANK`, `PMIX_RANK`) say which names the loader is asked for. `LBM_MPI` names the
//! library's file instead, where it is not on the loader's path or another one would be found first:
//!
//! ```text
//! LBM_MPI=/opt/mpich/lib/libmpi_abi.so.1 /opt/mpich/bin/mpiexec -n 4 program
//! ```
//!
//! A library that counts other ranks than the launcher started is not the launcher's, and is refused. So is one that takes calls from a single
//! thread only: `MPI_THREAD_SERIALIZED` is asked for, and calls are serialised by a lock. A program that has started MPI itself does so with
//! that level, before [`Mpi::start`], and ends it itself. Messages are in a communicator of their own.
//!
//! # The end
//!
//! MPI can be started once a process, so no value ends it: a program may drop one flow and make the next. What ends it is the end of the process
//! (`main` returns, [`std::process::exit`]). With status 0 a rank waits for the others, however long they work, and MPI is finalized. With
//! another status (an error that `main` returns, a panic of it) it waits 3 seconds, so that an error that all ranks meet is said by all, and
//! then aborts all: none waits for a rank that failed. Without glibc the status is not known, and there a program calls [`Mpi::abort`] where it fails.
//!
//! # What fails
//!
//! - A rank that is killed (`kill -9`, out of memory, a crash): the launcher ends all. Measured with 4 ranks of one host: Open MPI within 1.1 s,
//!   MPICH's hydra within 0.02 s. A program's own watch is not needed for it.
//! - A rank that is silent (stopped, its host or link gone without the launcher's notice): after a second of waiting, a rank asks those whose messages
//!   it waits for, each second. A thread of each process answers, whatever its other threads do, so a rank that compiles or writes a file for an hour is waited
//!   for. One that does not answer for `LBM_MPI_TIMEOUT` seconds, that has ended, or that has begun the same call and whose message still does not come
//!   in that time, is named on the standard error, and all ranks are aborted. The default, 25, ends all within 30 s; a thread that only answers is not kept
//!   from it for so long unless the machine stands still. Take more where ranks are suspended on purpose; 0 waits for ever. All ranks need the same value.
//! - An endless loop between two calls is not noticed: it looks like work. So does a device that waits for another one by NCCL.
//! - A message of another length than is waited for is an error on the rank that waits, which names both ranks and lengths (a longer one: what
//!   MPI says of it). So is any code that MPI returns. The call ends when none of its messages is under way.
//!
//! Waits yield the core, and sleep for moments after 2 ms, so that more ranks than cores make progress.

mod abi;
mod calls;
mod ending;
mod exchange;
mod heard;
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
        self.world.local().rank
    }

    /// How many processes its host has.
    #[must_use]
    pub fn local_ranks(&self) -> usize {
        self.world.local().ranks
    }

    /// How many of them may use the cores that this one may use, itself among them: where ranks are bound to cores of their own, one.
    #[must_use]
    pub fn ranks_on_its_cores(&self) -> usize {
        self.world.local().on_its_cores
    }

    /// Ends all ranks and this process at once with this code, so that none waits for this one.
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
