//! The launchers that are there, and the example `ranks` under them.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

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

/// No run takes longer than this.
const LIMIT: Duration = Duration::from_secs(60);

/// The example's binary, which Cargo builds beside this test.
pub fn program() -> PathBuf {
    let test = env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples/ranks");
    assert!(program.is_file(), "{} is not built: run `cargo test -p lbm-mpi`", program.display());
    program
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Does something with each MPI that is there, one at a time: there are more ranks than cores as it is. What is missing is said, and an error where
/// `LBM_REQUIRE_MPI` asks for it.
pub fn each(work: impl Fn(&Mpi)) {
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
            Some(launcher) => work(&Mpi { kind, launcher, library }),
            None => {
                assert!(env::var_os("LBM_REQUIRE_MPI").is_none_or(|value| value != "1"), "{missing}");
                eprintln!("skipped: {missing}");
            }
        }
    }
}

impl Mpi {
    /// How its version begins.
    pub fn version(&self) -> &'static str {
        match self.kind {
            Kind::OpenMpi => "Open MPI",
            Kind::Mpich | Kind::Standard => "MPICH",
        }
    }

    /// Starts ranks; what they say goes to a file.
    fn start(&self, ranks: usize, task: &[&str], variables: &[(&str, &str)], said: &File) -> Child {
        let mut command = Command::new(&self.launcher);
        if self.kind == Kind::OpenMpi {
            command.args(["--oversubscribe", "--allow-run-as-root"]);
        }
        command.env_remove("LBM_MPI").env_remove("LBM_MPI_TIMEOUT");
        command.envs(self.library.iter().map(|library| ("LBM_MPI", library)));
        command.envs(variables.iter().copied());
        command.arg("-n").arg(ranks.to_string()).arg(program()).args(task);
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

    /// Four ranks exchange until one of them gets a signal; the time is from there on.
    pub fn signalled(&self, signal: &str, variables: &[(&str, &str)]) -> Ran {
        let said = Said::new();
        let begun = Instant::now();
        let child = self.start(4, &["on"], variables, &said.file);
        let process = loop {
            let text = said.text();
            let ready = text.matches(" is rank ").count() == 4;
            let line = text.lines().find(|line| line.ends_with(" is rank 2")).filter(|_| ready);
            if let Some(line) = line {
                break line.split_whitespace().nth(1).unwrap().to_owned();
            }
            assert!(begun.elapsed() < LIMIT, "rank 2 does not start: {text}");
            thread::sleep(Duration::from_millis(20));
        };
        // They are in the midst of it.
        thread::sleep(Duration::from_millis(300));
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
