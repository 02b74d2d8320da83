//! All ranks as one of them sees them: the library that is started, who they are, and how all are ended.

use std::ffi::c_int;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lbm_core::error::Error;

use crate::calls::Calls;
use crate::launcher::Launcher;
use crate::watch::Watch;
use crate::{Refusal, ending, library, watch};

/// The bytes that a host's name, or what else a rank says of itself, has at most when it goes to the other ranks.
const NAME: usize = 64;

/// How long who aborts waits for a call of MPI to return.
const ABORTS_WITHIN: Duration = Duration::from_secs(2);

/// How long a launcher takes to read what a process says.
const SAID_WITHIN: Duration = Duration::from_millis(100);

/// Set before all are aborted, so that the end of this process does nothing more.
pub(crate) static ABORTING: AtomicBool = AtomicBool::new(false);

/// The ranks, seen from this one.
pub(crate) struct World {
    calls: Mutex<Box<dyn Calls>>,
    /// Held through an exchange: tags and the watch are for one at a time.
    pub(crate) turn: Mutex<()>,
    pub(crate) rank: usize,
    pub(crate) ranks: usize,
    /// Whether this crate started MPI, and so ends it.
    pub(crate) ours: bool,
    /// E.g. `Open MPI 4.1.4`.
    version: String,
    local: OnceLock<Local>,
    hosts: OnceLock<Vec<String>>,
    pub(crate) watch: Watch,
}

/// This process among those of its host.
#[derive(Clone, Copy)]
pub(crate) struct Local {
    /// Its number among them.
    pub(crate) rank: usize,
    /// How many they are.
    pub(crate) ranks: usize,
    /// How many of them may use the cores that this one may use, itself among them.
    pub(crate) on_its_cores: usize,
    /// Whether these are more than the cores.
    pub(crate) is_crowded: bool,
}

/// A rank as an MPI function's argument.
pub(crate) fn int(number: usize) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}

/// A lock, whatever became of who held it last.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    /// Loads and starts MPI. A process does so once.
    pub(crate) fn start(timeout: Option<Duration>) -> Result<&'static World, Refusal> {
        let launcher = Launcher::of_this_process();
        let mut calls = library::find(launcher.as_ref())?;
        let refused = |calls: &dyn Calls, code, what: &str| Refusal {
            what: format!("MPI fails to {what}: {}", calls.error(code)),
            remedy: "see what its launcher prints; try the launcher with another program".to_owned(),
        };
        let ours = !calls.initialized().map_err(|code| refused(&*calls, code, "answer"))?;
        let granted = calls.init();
        let granted = granted.map_err(|code| refused(&*calls, code, "start"))?;
        let version = calls.version().map_err(|code| refused(&*calls, code, "say its version"))?;
        let version = short(&version);
        let ranks = calls.size().map_err(|code| refused(&*calls, code, "count ranks"))?;
        let ranks = usize::try_from(ranks).unwrap_or(1).max(1);
        let rank = calls.rank().map_err(|code| refused(&*calls, code, "number ranks"))?;
        let rank = usize::try_from(rank).unwrap_or(0);
        if let Some(launcher) = &launcher
            && launcher.size.is_some_and(|size| size != ranks)
        {
            let size = launcher.size.unwrap_or(0);
            if ours && ranks == 1 {
                calls.finalize();
            }
            return Err(Refusal {
                what: format!(
                    "{} started {size} processes, but {version} sees {ranks}: it is another MPI's",
                    launcher.name
                ),
                remedy: format!(
                    "start with the launcher of {version}, or name the launcher's library in LBM_MPI"
                ),
            });
        }
        if !granted {
            if ours && ranks == 1 {
                calls.finalize();
            }
            return Err(Refusal {
                what: format!("{version} takes calls from one thread only (no MPI_THREAD_SERIALIZED)"),
                remedy: "use one that is built with threads; who starts MPI before lbm asks for that level"
                    .to_owned(),
            });
        }
        calls.own_world().map_err(|code| refused(&*calls, code, "make a communicator"))?;
        let host = calls.host().map_err(|code| refused(&*calls, code, "name its host"))?;
        let world: &World = Box::leak(Box::new(World {
            calls: Mutex::new(calls),
            turn: Mutex::new(()),
            rank,
            ranks,
            ours,
            version,
            local: OnceLock::new(),
            hosts: OnceLock::new(),
            watch: Watch::new(timeout),
        }));
        ending::register(world);
        if ranks > 1 {
            watch::keep(world);
        }
        let gather = |what: &str| {
            world.gather(what).map_err(|error| Refusal {
                what: format!("the ranks do not hear each other: {error}"),
                remedy: "see what the launcher prints; try it with another program".to_owned(),
            })
        };
        let (hosts, cores) = (gather(&host)?, gather(&cores())?);
        let found = launcher.and_then(|launcher| launcher.local_rank);
        let here: Vec<usize> = (0..ranks).filter(|&other| hosts[other] == hosts[rank]).collect();
        let counted = here.iter().filter(|&&other| other < rank).count();
        let on_its_cores = here.iter().filter(|&&other| cores[other] == cores[rank]).count();
        let is_crowded = on_its_cores > thread::available_parallelism().map_or(1, usize::from);
        let local = Local { rank: found.unwrap_or(counted), ranks: here.len(), on_its_cores, is_crowded };
        let _ = world.local.set(local);
        let _ = world.hosts.set(hosts);
        Ok(world)
    }

    /// What each rank says, such as the name of its host.
    fn gather(&self, own: &str) -> Result<Vec<String>, Error> {
        let mut mine = [0; NAME];
        let length = own.len().min(NAME);
        mine[..length].copy_from_slice(&own.as_bytes()[..length]);
        let mut all = vec![0; NAME * self.ranks];
        if self.rank == 0 {
            let mut arriving: Vec<(usize, &mut [u8])> = all.chunks_mut(NAME).enumerate().collect();
            self.exchange(&[(0, &mine)], &mut arriving)?;
        } else {
            self.exchange(&[(0, &mine)], &mut [])?;
        }
        self.share(0, &mut all)?;
        let name = |bytes: &[u8]| {
            String::from_utf8_lossy(bytes).trim_end_matches('\0').replace(char::is_control, "?")
        };
        Ok(all.chunks(NAME).map(name).collect())
    }

    /// The one right to call MPI.
    pub(crate) fn calls(&self) -> MutexGuard<'_, Box<dyn Calls>> {
        lock(&self.calls)
    }

    /// The same, unless a call takes longer than this.
    pub(crate) fn calls_within(&self, limit: Duration) -> Option<MutexGuard<'_, Box<dyn Calls>>> {
        let since = Instant::now();
        loop {
            match self.calls.try_lock() {
                Ok(calls) => return Some(calls),
                Err(std::sync::TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(_) if since.elapsed() > limit => return None,
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// This process among those of its host.
    pub(crate) fn local(&self) -> Local {
        self.local.get().copied().unwrap_or(Local { rank: 0, ranks: 1, on_its_cores: 1, is_crowded: false })
    }

    /// A rank in words, e.g. `rank 2 on node7`.
    pub(crate) fn name(&self, rank: usize) -> String {
        match self.hosts.get().and_then(|hosts| hosts.get(rank)) {
            Some(host) => format!("rank {rank} on {host}"),
            None => format!("rank {rank}"),
        }
    }

    /// MPI and this rank, e.g. `Open MPI 4.1.4, rank 2 of 4`.
    pub(crate) fn description(&self) -> String {
        format!("{}, rank {} of {}", self.version, self.rank, self.ranks)
    }

    /// Ends all ranks.
    pub(crate) fn abort(&self, code: i32) -> ! {
        ABORTING.store(true, Ordering::SeqCst);
        let _ = std::io::stdout().flush();
        // So that the launcher passes on what was said.
        thread::sleep(SAID_WITHIN);
        if let Some(calls) = self.calls_within(ABORTS_WITHIN) {
            calls.abort(code);
            // Where it returns, the launcher still ends the others.
            ending::leave(code);
        }
        // A call of MPI does not return. A signal ends this process, and so the launcher ends the others.
        process::abort()
    }
}

/// The cores that this process may use, as a word that is the same for the same ones; empty where the system does not say.
fn cores() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let mut hash = DefaultHasher::new();
    list.map_or_else(String::new, |list| {
        list.trim().hash(&mut hash);
        format!("{:016x}", hash.finish())
    })
}

/// What a library says it is, without how it was built.
fn short(version: &str) -> String {
    let line = version.lines().next().unwrap_or_default();
    if let Some(number) = line.strip_prefix("MPICH Version:") {
        return format!("MPICH {}", number.trim());
    }
    let name = line.split(',').next().unwrap_or_default();
    name.strip_prefix("Open MPI v")
        .map_or_else(|| name.trim().to_owned(), |number| format!("Open MPI {number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_short() {
        assert_eq!(short("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"), "Open MPI 4.1.4");
        assert_eq!(short("MPICH Version:      5.0.2\nMPICH ABI: 0"), "MPICH 5.0.2");
        assert_eq!(
            short("Intel(R) MPI Library 2021.9 for Linux* OS"),
            "Intel(R) MPI Library 2021.9 for Linux* OS"
        );
    }
}
