//! The processes that share a flow, and where this one runs its parts.

use std::sync::Arc;

use lbm_core::cut::{Alone, Decomposition, Transport, parts as parts_of};
use lbm_core::{Domain, Error, Facts};

use super::backend::{Backend, Placement};
use super::problem::Problem;

/// The processes that share a flow, and this one among those of its host.
pub(super) struct Processes {
    pub(super) transport: Arc<dyn Transport>,
    /// Its number among those of its host, and how many they are.
    local: [usize; 2],
    /// How many of them use its cores.
    on_its_cores: usize,
}

impl Processes {
    /// Those that are given, or those that a launcher of MPI started.
    ///
    /// # Errors
    /// Those of `lbm_mpi::Mpi::start`.
    pub(super) fn of(given: Option<Arc<dyn Transport>>) -> Result<Processes, Error> {
        #[cfg(feature = "mpi")]
        if given.is_none() && lbm_mpi::launched() {
            let mpi = lbm_mpi::Mpi::start()?;
            let (local, on_its_cores) = ([mpi.local_rank(), mpi.local_ranks()], mpi.ranks_on_its_cores());
            return Ok(Processes { transport: Arc::new(mpi), local, on_its_cores });
        }
        let transport = given.unwrap_or_else(|| Arc::new(Alone));
        Ok(Processes { transport, local: [0, 1], on_its_cores: 1 })
    }

    pub(super) fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    /// How many processes this one's host has.
    pub(super) fn on_this_host(&self) -> usize {
        self.local[1]
    }

    /// How a problem of this size is cut, if it is: into as many parts as there are GPUs and processes, if nothing else is said; and once in how many steps these
    /// exchange.
    pub(super) fn cut(
        &self,
        facts: &Facts,
        problem: &mut Problem,
        size: [usize; 3],
    ) -> Option<Decomposition> {
        let (Placement { gpus, parts, or_whole, .. }, ranks) = (problem.placement, self.ranks());
        let parts = if parts == 0 { ranks.max(gpus.count()) } else { parts };
        let cut = problem.decomposition.take();
        let cut = cut.or_else(|| (parts > 1 || ranks > 1).then(|| Decomposition::usual(facts, parts)));
        let domain = Domain::periodic(size).with_faces(problem.faces);
        let is_cut =
            |cut: &Decomposition| parts_of(facts, &domain, &[], cut).is_ok_and(|parts| parts.len() >= ranks);
        cut.map(|cut| problem.placement.spaced(cut)).filter(|cut| !or_whole || is_cut(cut))
    }

    /// Where this process runs its parts: of several, each has its share of the cores, and the first GPU stands for that of the process on its host.
    ///
    /// # Errors
    /// [`Error::Conflict`] for one GPU for several processes of a host that has enough for all.
    pub(super) fn place(&self, placement: Placement) -> Result<Placement, Error> {
        if self.ranks() == 1 {
            return Ok(placement);
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = placement.cpu.threads.unwrap_or_else(|| share(cores(), self.on_its_cores));
        let backend = match placement.backend {
            Backend::Cuda(index) if placement.gpus.count() == 0 => {
                Backend::Cuda(gpu_of_process(index, self.local)?)
            }
            other => other,
        };
        Ok(Placement { backend, cpu: placement.cpu.with_threads(threads), ..placement })
    }
}

/// What each of so many has of all, one at least.
fn share(all: usize, among: usize) -> usize {
    (all / among.max(1)).max(1)
}

/// The GPUs that this process sees; none where that cannot be known, which who opens one says.
fn gpus() -> usize {
    #[cfg(feature = "cuda")]
    return lbm_cuda::device::Device::count().unwrap_or(0);
    #[cfg(not(feature = "cuda"))]
    0
}

/// The GPU of a process, by its number on its host and how many there are, where this one was asked for: each takes its own.
///
/// # Errors
/// [`Error::Conflict`] for another GPU than the first for several processes of a host that has enough for all.
#[doc(hidden)]
pub fn gpu_of_process(asked: usize, local: [usize; 2]) -> Result<usize, Error> {
    own_gpu(asked, local, gpus())
}

/// The GPU of a process, by its number on its host and how many there are, where so many GPUs are seen and this one was asked for.
fn own_gpu(asked: usize, [local, processes]: [usize; 2], gpus: usize) -> Result<usize, Error> {
    match asked {
        // A launcher may show each process its own one only, which then is the first.
        0 => Ok(local % gpus.max(1)),
        _ if processes > 1 && gpus >= processes => Err(Error::conflict(
            format!(
                "{processes} processes of one host would all take cuda:{asked}, and each sees {gpus} GPUs"
            ),
            "take the device `cuda`, which is another GPU for each process",
        )),
        _ => Ok(asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_takes_a_gpu_of_its_own_if_there_are_enough() {
        let taken = |asked, processes, gpus| -> Vec<usize> {
            (0..processes).map(|local| own_gpu(asked, [local, processes], gpus).unwrap()).collect()
        };
        assert_eq!(taken(0, 4, 4), [0, 1, 2, 3]);
        assert_eq!(taken(0, 4, 8), [0, 1, 2, 3]);
        assert_eq!(taken(0, 4, 2), [0, 1, 0, 1]);
        assert_eq!(taken(0, 4, 1), [0; 4], "each sees its own one");
        assert_eq!(taken(0, 2, 0), [0; 2]);
        assert_eq!(taken(1, 4, 2), [1; 4]);
        let error = own_gpu(1, [0, 4], 4).unwrap_err().to_string();
        assert!(error.contains("4 processes") && error.contains("cuda:1"), "{error}");
    }

    #[test]
    fn cores_are_shared() {
        assert_eq!([share(8, 4), share(9, 4), share(2, 4), share(3, 0)], [2, 2, 1, 3]);
    }
}
