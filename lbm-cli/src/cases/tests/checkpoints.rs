//! Checkpoints that are written beside the steps.

use std::fs;
use std::path::Path;

use lbm_core::Error;

use crate::cases::{Files, Observer, Outcome, Progress, Run, Settings, StartedState, find};
use crate::simulation::{Backend, Initial, Problem, StartedCheckpoint, Viscosity};
use crate::variants;

/// Hands all to the files, as the command does, and ends the run after so many checkpoints.
struct Written<'a> {
    files: &'a mut Files,
    checkpoints: usize,
    most: usize,
}

impl Observer for Written<'_> {
    fn progress(&mut self, _progress: &Progress) {}

    fn frame(&mut self, state: StartedState) -> Result<(), Error> {
        self.files.frame(state)
    }

    fn checkpoint(&mut self, path: &Path, state: StartedCheckpoint) -> Result<(), Error> {
        self.checkpoints += 1;
        self.files.write_checkpoint(path, state)
    }

    fn checkpoints_written(&mut self) -> Result<(), Error> {
        self.files.checkpoints_written()
    }

    fn interrupted(&self) -> bool {
        self.checkpoints >= self.most
    }
}

/// Runs a small cavity to its end: what came out, and how many checkpoints were handed over.
fn cavity(
    backend: Backend,
    folder: &Path,
    checkpoint: Option<&Path>,
    most: usize,
) -> Result<(Outcome, usize), Error> {
    let case = find("cavity2d")?;
    let mut settings = Settings::of(case).on(backend.into());
    for pair in ["size=16", "tolerance=0", "steps=60", "checkpoint=10", "output=20", "threads=1"] {
        settings.set_pair(pair)?;
    }
    let mut run = Run::new(case, settings)?;
    let mut files = Files::new(folder, &mut run)?;
    run.checkpoint = Some(checkpoint.map_or_else(|| files.checkpoint(), Path::to_owned));
    let mut observer = Written { files: &mut files, checkpoints: 0, most };
    let outcome = run.run(&mut observer)?;
    let checkpoints = observer.checkpoints;
    files.finish(&run, &outcome)?;
    Ok((outcome, checkpoints))
}

#[test]
fn the_last_checkpoint_is_whole_when_the_run_is_over() {
    if lbm::cuda::testing::cxx_or_skip("the_last_checkpoint_is_whole_when_the_run_is_over").is_none() {
        return;
    }
    let [cpu, device, ended] = [0, 1, 2].map(|_| tempfile::tempdir().unwrap());
    assert_eq!(cavity(Backend::Cpu, cpu.path(), None, usize::MAX).unwrap().1, 6);
    assert_eq!(cavity(Backend::CudaOnHost, device.path(), None, usize::MAX).unwrap().1, 6);
    for file in ["checkpoint.lbm", "fields_000000020.vti", "fields_000000060.vti"] {
        let [cpu, device] = [&cpu, &device].map(|folder| fs::read(folder.path().join(file)).unwrap());
        assert!(cpu == device, "{file}");
    }
    let left: Vec<_> = fs::read_dir(device.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".partial")), "{left:?}");
    // One that is asked for at the end is the last.
    let (outcome, checkpoints) = cavity(Backend::CudaOnHost, ended.path(), None, 3).unwrap();
    assert_eq!((outcome.state.step, checkpoints), (30, 4));
    let header = lbm_core::checkpoint::Checkpoint::read(&ended.path().join("checkpoint.lbm")).unwrap();
    assert_eq!(header.step, 30);
}

#[test]
fn a_checkpoint_that_cannot_be_written_ends_the_run_with_its_cause() {
    if lbm::cuda::testing::cxx_or_skip("a_checkpoint_that_cannot_be_written_ends_the_run_with_its_cause")
        .is_none()
    {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere").join("checkpoint.lbm");
    for backend in [Backend::Cpu, Backend::CudaOnHost] {
        let error = cavity(backend, folder.path(), Some(&path), usize::MAX).map(|_| ()).unwrap_err();
        assert!(matches!(&error, Error::File { action: "write", .. }), "{error}");
        assert!(error.to_string().contains("nowhere"), "{error}");
    }
}

/// A flow in every precision goes on from its file with the same bits, in another scheme; the file is read as it was written.
#[test]
fn every_precision_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let [path, again] = ["state.lbm", "again.lbm"].map(|name| folder.path().join(name));
    let others = variants::in_every_precision("d2q9-trt-guo", "aosoa128-dense-esoteric-pull");
    for (variant, other) in
        variants::in_every_precision("d2q9-trt-guo", "soa-dense-two-lattice-pull").iter().zip(others)
    {
        let swirl =
            |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (y as f64).sin(), 0.001 * x as f64, 0.0]);
        let problem = |initial| Problem {
            size: Some([9, 6].into()),
            viscosity: Some(Viscosity::Value(0.02)),
            initial,
            ..Problem::default()
        };
        let mut through = variant.build(problem(Some(Box::new(swirl)))).unwrap();
        through.run(7).unwrap();
        through.checkpoint(&path).unwrap();
        let mut resumed = other.build(problem(None)).unwrap();
        resumed.restart(&path).unwrap();
        assert_eq!(resumed.time_step(), 7);
        assert!(resumed.populations().unwrap() == through.populations().unwrap(), "{}", variant.name);
        resumed.checkpoint(&again).unwrap();
        let mut back = variant.build(problem(None)).unwrap();
        back.restart(&again).unwrap();
        for flow in [&mut through, &mut resumed, &mut back] {
            flow.run(5).unwrap();
        }
        let expected = through.populations().unwrap();
        for flow in [resumed, back] {
            assert!(flow.populations().unwrap() == expected, "{} from {}", flow.variant(), variant.name);
        }
    }
}
