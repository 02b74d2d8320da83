//! Several ranks of each MPI that is there: what they bring to each other, and that all end where one fails.

mod launchers;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use launchers::{Kind, Mpi, Ran};

/// The example's binary, which Cargo builds beside this test.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples/ranks");
    assert!(program.is_file(), "{} is not built: run `cargo test -p lbm-mpi`", program.display());
    program
}

/// How the version of an MPI begins.
fn version(kind: Kind) -> &'static str {
    match kind {
        Kind::OpenMpi => "Open MPI",
        Kind::Mpich | Kind::Standard => "MPICH",
    }
}

/// Sends a signal to one of four ranks that exchange.
fn signalled(mpi: &Mpi, signal: &str, variables: &[(&str, &str)]) -> Ran {
    mpi.signalled(signal, &["on"], variables, |text| {
        let ready = text.matches(" is rank ").count() == 4;
        let line = text.lines().find(|line| line.ends_with(" is rank 2")).filter(|_| ready)?;
        // They are in the midst of it.
        std::thread::sleep(Duration::from_millis(300));
        line.split_whitespace().nth(1)?.parse().ok()
    })
}

fn each(work: impl Fn(&Mpi)) {
    launchers::each(&program(), work);
}

/// Four ranks bring messages and share; so does one rank.
#[test]
fn messages_arrive() {
    each(|mpi| {
        for ranks in [4, 3, 1] {
            let ran = mpi.run(ranks, &["bring"], &[]);
            assert!(ran.passed, "{ran:?}");
            for rank in 0..ranks {
                let begin = format!("done: {} ", version(mpi.kind));
                let end = format!(", rank {rank} of {ranks}, local rank {rank}");
                let done = ran.text.lines().any(|line| line.starts_with(&begin) && line.ends_with(&end));
                assert!(done, "{begin}..{end}: {ran:?}");
            }
        }
    });
}

#[test]
fn a_message_of_another_length_is_refused_and_all_go_on() {
    each(|mpi| {
        let ran = mpi.run(4, &["misfit"], &[]);
        assert!(ran.passed, "{ran:?}");
        assert!(ran.text.contains("5 for 10: rank 0 on "), "{ran:?}");
        assert!(ran.text.contains(" sends 5 bytes where 10 are due; all ranks must run"), "{ran:?}");
        assert!(ran.text.contains("20 for 10: rank 0 on "), "{ran:?}");
        assert!(ran.text.contains("fails: ") && ran.text.contains("truncated"), "{ran:?}");
        let ran = mpi.run(4, &["nobody"], &[]);
        assert!(!ran.passed, "{ran:?}");
        assert!(ran.text.contains("refused: rank = 4 is out of range: 0 to 3"), "{ran:?}");
    });
}

#[test]
fn a_rank_that_fails_ends_all_within_seconds() {
    each(|mpi| {
        for (task, says) in
            [("abort", ""), ("panic", "rank 3 on "), ("panic", " ended with status 101: all ranks end")]
        {
            let ran = mpi.run(4, &[task], &[]);
            assert!(!ran.passed && ran.took < Duration::from_secs(10), "{task}: {ran:?}");
            assert!(ran.text.contains(says), "{task}: {ran:?}");
        }
    });
}

#[test]
fn a_rank_that_leaves_or_stops_is_named_and_one_that_works_is_waited_for() {
    each(|mpi| {
        let ran = mpi.run(4, &["leave"], &[("LBM_MPI_TIMEOUT", "3")]);
        assert!(!ran.passed && ran.took < Duration::from_secs(10), "{ran:?}");
        assert!(ran.text.contains("rank 0 on ") && ran.text.contains("it has ended after call 4"), "{ran:?}");
        let ran = signalled(mpi, "STOP", &[("LBM_MPI_TIMEOUT", "3")]);
        assert!(!ran.passed && ran.took < Duration::from_secs(10), "{ran:?}");
        assert!(ran.text.contains("it answers no more: all ranks end (LBM_MPI_TIMEOUT=3)"), "{ran:?}");
        let ran = mpi.run(4, &["long"], &[("LBM_MPI_TIMEOUT", "2")]);
        assert!(ran.passed && ran.took >= Duration::from_secs(5), "{ran:?}");
    });
}

#[test]
fn a_rank_that_is_killed_ends_all() {
    each(|mpi| {
        let ran = signalled(mpi, "KILL", &[]);
        assert!(!ran.passed && ran.took < Duration::from_secs(30), "{ran:?}");
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    each(|mpi| {
        let ran = mpi.run(2, &["bring"], &[("LBM_MPI", "/nowhere/libmpi.so")]);
        assert!(!ran.passed, "{ran:?}");
        assert!(
            ran.text.contains("refused: LBM_MPI is /nowhere/libmpi.so, which is no MPI that can be loaded"),
            "{ran:?}"
        );
        let ran = mpi.run(2, &["bring"], &[("LBM_MPI_TIMEOUT", "soon")]);
        assert!(ran.text.contains("refused: LBM_MPI_TIMEOUT = soon is out of range"), "{ran:?}");
        let other = match mpi.kind {
            Kind::OpenMpi => "libmpich.so.12",
            Kind::Mpich | Kind::Standard => "libmpi.so.40",
        };
        let ran = mpi.run(2, &["bring"], &[("LBM_MPI", other)]);
        assert!(!ran.passed, "{ran:?}");
        let known = ran.text.contains("started 2 processes, but")
            && ran.text.contains(" sees 1: it is another MPI's");
        assert!(known || ran.text.contains("no MPI that can be loaded"), "{ran:?}");
    });
}

/// Without a launcher nothing is loaded, and a start without a library is an error.
#[test]
fn alone_it_is_not_launched() {
    let since = Instant::now();
    let program = program();
    let output = Command::new(program).arg("bring").env("LBM_MPI", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("LBM_MPI is /nowhere"), "{output:?}");
    assert!(since.elapsed() < Duration::from_secs(10));
}
