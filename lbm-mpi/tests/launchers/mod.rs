//! The launchers that are there, and a program under them.

#[path = "../../../tests/skipped/mod.rs"]
mod skipped;

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub use self::skipped::skipped;

/// An ABI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    OpenMpi,
    Mpich,
    Standard,
}

/// An MPI with its launcher.
pub struct Mpi {
    pub kind: Kind,
    launcher: PathBuf,
    program: PathBuf,
    /// What `LBM_MPI` is set to.
    library: Option<PathBuf>,
}

/// What ranks said on both streams, whether all ended well, and how long it took.
#[derive(Debug)]
pub struct Ran {
    pub text: String,
    pub passed: bool,
    pub took: Duration,
}

/// No run takes longer than this: a tier of variants some minutes, a few messages some seconds.
const LIMIT: Duration = Duration::from_secs(300);

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Starts a program by each MPI that is there, one at a time: there are more ranks than cores as it is. What is missing is said, and an error where
/// `LBM_REQUIRE_MPI` asks for it.
pub fn each(program: &Path, work: impl Fn(&Mpi)) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let standard = env::var_os("LBM_MPI_STANDARD").map(PathBuf::from);
    let library =
        standard.as_ref().map(|folder| folder.join("lib/libmpi_abi.so.1")).filter(|file| file.is_file());
    let found = [
        (
            Kind::OpenMpi,
            on_path("mpirun.openmpi"),
            None,
            "mpirun.openmpi is not on the path: install openmpi-bin",
        ),
        (Kind::Mpich, on_path("mpirun.mpich"), None, "mpirun.mpich is not on the path: install mpich"),
        (
            Kind::Standard,
            library.as_ref().and(standard).map(|folder| folder.join("bin/mpiexec.hydra")),
            library,
            "LBM_MPI_STANDARD names no MPICH 5: set it to what .ci/mpi prints",
        ),
    ];
    for (kind, launcher, library, missing) in found {
        match launcher {
            Some(launcher) => work(&Mpi { kind, launcher, program: program.to_owned(), library }),
            None => {
                assert!(env::var_os("LBM_REQUIRE_MPI").is_none_or(|value| value != "1"), "{missing}");
                skipped(missing);
            }
        }
    }
}

impl Mpi {
    /// Starts ranks; what they say goes to a file.
    fn start(&self, ranks: usize, task: &[&str], variables: &[(&str, &str)], said: &File) -> Child {
        let mut command = Command::new(&self.launcher);
        if self.kind == Kind::OpenMpi {
            command.args(["--oversubscribe", "--allow-run-as-root"]);
        }
        command.env_remove("LBM_MPI").env_remove("LBM_MPI_TIMEOUT");
        command.envs(self.library.iter().map(|library| ("LBM_MPI", library)));
        command.envs(variables.iter().copied());
        command.arg("-n").arg(ranks.to_string()).arg(&self.program).args(task);
        command.stdin(Stdio::null()).stdout(said.try_clone().unwrap()).stderr(said.try_clone().unwrap());
        command.spawn().unwrap()
    }

    /// Runs ranks to their end.
    pub fn run(&self, ranks: usize, task: &[&str], variables: &[(&str, &str)]) -> Ran {
        let said = Said::new();
        let since = Instant::now();
        let child = self.start(ranks, task, variables, &said.file);
        finish(child, &said, since)
    }

    /// Four ranks do a task until one of them gets a signal, which `ready` names by its process once they are in the midst of it; the time is from there
    /// on.
    pub fn signalled(
        &self,
        signal: &str,
        task: &[&str],
        variables: &[(&str, &str)],
        ready: impl Fn(&str) -> Option<u32>,
    ) -> Ran {
        let said = Said::new();
        let begun = Instant::now();
        let child = self.start(4, task, variables, &said.file);
        let process = loop {
            if let Some(process) = ready(&said.text()) {
                break process.to_string();
            }
            assert!(begun.elapsed() < LIMIT, "they do not start: {}", said.text());
            thread::sleep(Duration::from_millis(20));
        };
        let since = Instant::now();
        assert!(Command::new("kill").arg(format!("-{signal}")).arg(process).status().unwrap().success());
        finish(child, &said, since)
    }
}

/// Waits for a launcher.
fn finish(mut child: Child, said: &Said, since: Instant) -> Ran {
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if since.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("no end after {LIMIT:?}: {}", said.text());
        }
        thread::sleep(Duration::from_millis(10));
    };
    Ran { took: since.elapsed(), passed: status.success(), text: said.text() }
}

/// A file for what ranks say: a pipe would stay open with a rank that does not end.
struct Said {
    file: File,
    path: tempfile::TempPath,
}

impl Said {
    fn new() -> Said {
        let (file, path) = tempfile::NamedTempFile::new().unwrap().into_parts();
        Said { file, path }
    }

    fn text(&self) -> String {
        let mut bytes = Vec::new();
        File::open(&self.path).unwrap().read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
