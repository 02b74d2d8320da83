//! Every case, small; and how a run ends.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lbm_core::Error;
use lbm_core::geometry::MeshBody;

use super::probes::parse::WRITTEN;
use super::watch::Look;
use super::*;

mod checkpoints;
mod measured;
mod models;
mod vessels;

/// Interrupts after so many reports, and counts frames.
struct Watcher {
    frames: Vec<u64>,
    reports_left: usize,
}

impl Watcher {
    fn patient() -> Watcher {
        Watcher { frames: Vec::new(), reports_left: usize::MAX }
    }
}

impl Observer for Watcher {
    fn progress(&mut self, _progress: &Progress) {
        self.reports_left = self.reports_left.saturating_sub(1);
    }

    fn frame(&mut self, state: StartedState) -> Result<(), Error> {
        self.frames.push(state.step());
        Ok(())
    }

    fn interrupted(&self) -> bool {
        self.reports_left == 0
    }
}

/// A ball as STL, for all tests.
fn ball() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let path = FOLDER.get_or_init(|| tempfile::tempdir().unwrap()).path().join("ball.stl");
        MeshBody::Sphere.mesh(16).unwrap().write_stl(&path).unwrap();
        path
    })
}

fn small(case: &str, pairs: &[&str]) -> Run {
    let case = find(case).unwrap();
    let mut settings = Settings::of(case);
    let size = match case.name {
        "vessel" => "size=68",
        "cylinder2d" => "size=10",
        "sphere" | "body" => "size=6",
        "droplet" => "size=36",
        "rising-bubble" | "rayleigh-taylor" => "size=16",
        "emulsion" => "size=48",
        _ => "size=16",
    };
    let body = format!("file={}", ball().display());
    let own: &[&str] = match case.name {
        "cylinder2d" => &["re=20"],
        "sphere" => &["width=3"],
        "emulsion" => &["rows=1"],
        "body" => &[&body],
        _ => &[],
    };
    // Other addressings are not in the table of this crate's unit tests.
    let dense: &[&str] = if ["porous", "vessel"].contains(&case.name) { &["addressing=dense"] } else { &[] };
    for pair in [&[size, "threads=1"], own, dense, pairs].concat() {
        settings.set_pair(pair).unwrap();
    }
    Run::new(case, settings).unwrap()
}

#[test]
fn every_case_declares_what_it_reads_and_writes_its_results() {
    for case in ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut run =
            small(case.name, &["steps=60", "output=25", "physical_length=0.1", "physical_viscosity=1e-6"]);
        let mut files = Files::new(folder.path(), &mut run).unwrap();
        let mut watcher = Watcher::patient();
        let outcome = run.run(&mut watcher).unwrap();
        assert_eq!((outcome.ended, outcome.state.step), (Ended::Steps, 60), "{}", case.name);
        assert_eq!(watcher.frames, [0, 25, 50]);
        assert!(!outcome.evaluation.profiles.is_empty());
        for path in files.finish(&run, &outcome).unwrap() {
            assert!(path.metadata().unwrap().len() > 0, "{}", path.display());
            // No line of a probe may take the place of one of these.
            let name = path.file_stem().unwrap().to_str().unwrap();
            let known = WRITTEN.contains(&name.strip_suffix("_reference").unwrap_or(name));
            assert!(known || path.extension().unwrap() != "csv", "{}", path.display());
        }
        let summary = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        assert_eq!(summary["case"], case.name);
        assert_eq!(summary["steps"], 60);
        let scale = |name: &str| summary["si"][name].as_f64();
        assert!(scale("time_step_s").unwrap() > 0.0);
        // A force of one is so much of a force a volume in the volume of a node, or in its square.
        let powers = [("force_scale_n", 3), ("force_scale_n_m", 2)];
        let found = powers.iter().find_map(|&(name, power)| Some((scale(name)?, power)));
        let (force, length) = (found.unwrap(), scale("node_spacing_m").unwrap());
        let exact = scale("force_density_scale_n_m3").unwrap() * length.powi(force.1);
        assert!((force.0 / exact - 1.0).abs() < 1e-12, "{}: {force:?}", case.name);
    }
}

/// At the end of its range; with TRT it diverges there.
#[test]
fn a_sphere_bears_its_greatest_reynolds_number() {
    let run = |more: &[&str]| {
        let pairs = ["size=8", "before=2", "behind=3", "re=300", "steps=1000", "tolerance=0"];
        small("sphere", &[&pairs[..], more].concat()).run(&mut Watcher::patient())
    };
    let drag = run(&[]).unwrap().evaluation.measures[0].measured;
    assert!(drag > 0.5 && drag < 1.5, "{drag}");
    assert!(run(&["collision=trt"]).is_err_and(|error| error.to_string().contains("unstable")));
}

#[test]
fn couette_flow_gets_steady_and_is_exact() {
    let mut run = small("couette2d", &[]);
    let outcome = run.run(&mut Watcher::patient()).unwrap();
    assert_eq!(outcome.ended, Ended::Steady);
    assert!(outcome.evaluation.measures[0].measured < 1e-11);
}

#[test]
fn sheared_fluid_follows_the_exact_transient_and_gets_steady() {
    let mut early = small("shear3d", &["steps=65"]);
    let outcome = early.run(&mut Watcher::patient()).unwrap();
    // 0.0027 is the lattice's leading error (see `validate::shear`), 0.23 what the transient itself still amounts to.
    let error = outcome.evaluation.measures[0].measured;
    assert!(error > 1e-3 && error < 4e-3, "{error}");
    let outcome = small("shear3d", &[]).run(&mut Watcher::patient()).unwrap();
    assert_eq!(outcome.ended, Ended::Steady);
    assert!(outcome.evaluation.measures[0].measured < 1e-11);
}

/// Few small spheres: the flow settles over many of the times in which it diffuses over their radius.
#[test]
fn a_slow_flow_through_pores_is_waited_for() {
    let settings = ["diameter=2", "porosity=0.997", "steps=6000"];
    let outcome = small("porous", &settings).run(&mut Watcher::patient()).unwrap();
    let permeability = |look: &Look| look.value.unwrap();
    let all = [&settings[..], &["tolerance=0"]].concat();
    let last = small("porous", &all).run(&mut Watcher::patient()).unwrap().looks;
    let settled = permeability(last.last().unwrap());
    let error = |look: &Look| (permeability(look) / settled - 1.0).abs();
    assert_eq!(outcome.ended, Ended::Steady);
    assert!(error(outcome.looks.last().unwrap()) <= 1e-4, "{:e}", error(outcome.looks.last().unwrap()));
    // No change from look to look of more than the tolerance is far from steady.
    let still = outcome.looks.iter().find(|look| look.change <= 1e-4).unwrap();
    assert!(error(still) > 4e-3, "{:e} at step {}", error(still), still.step);
}

/// A full velocity beside a wall at rest would grow without bounds within 200 steps.
#[test]
fn a_tunnel_may_have_walls() {
    let tunnel = |settings: &[&str]| {
        let common = ["size=8", "before=1.5", "behind=2", "velocity=0.1", "steps=400", "tolerance=0"];
        let outcome =
            small("sphere", &[&common[..], settings].concat()).run(&mut Watcher::patient()).unwrap();
        outcome.evaluation.measures[1].measured
    };
    let [wall, slip] = ["sides=wall", "sides=slip"].map(|sides| tunnel(&[sides]));
    assert!(wall > slip && slip > 1.0, "{wall} {slip}");
}

#[test]
fn what_enters_may_rise_from_rest() {
    let greatest = |settings: &[&str]| {
        let all = [&["re=20", "steps=20", "film=0"], settings].concat();
        let state = small("cylinder2d", &all).run(&mut Watcher::patient()).unwrap().state;
        largest(state.velocity.iter().map(|u| u[0]))
    };
    let [at_once, later, last] = [&[][..], &["ramp=2000"], &["ramp=20"]].map(greatest);
    assert!(at_once > 0.04 && later < 1e-4 && last > 0.04, "{at_once} {later} {last}");
}

/// 16 nodes from plate to plate; in a pipe of as many the wall cuts links.
#[test]
fn a_pulse_is_that_of_womersley() {
    for settings in [
        &["shape=plates"][..],
        &["shape=plates", "drive=inlet", "period=2000", "womersley=2", "steps=8125"],
        &["shape=pipe", "size=12"],
    ] {
        let all = [&["period=256", "steps=5200"], settings].concat();
        let outcome = small("womersley", &all).run(&mut Watcher::patient()).unwrap();
        let error = outcome.evaluation.measures[0].measured;
        assert!(error < 0.03, "{settings:?}: {error}");
    }
}

#[test]
fn the_published_points_of_the_cavities_are_found() {
    for (case, re, points) in [("cavity2d", 400.0, 17), ("cavity2d", 500.0, 0), ("cavity3d", 1000.0, 17)] {
        let run = small(case, &["steps=10", &format!("re={re}")]);
        let evaluation = (run.case.evaluate)(&run.settings, &run.state().unwrap(), &[]);
        assert_eq!(evaluation.profiles[0].reference.len(), points);
    }
}

#[test]
fn an_interrupt_ends_cleanly_and_a_restart_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.lbm");
    let mut run = small("cavity2d", &["tolerance=0"]);
    run.checkpoint = Some(path.clone());
    let outcome = run.run(&mut Watcher { frames: Vec::new(), reports_left: 2 }).unwrap();
    assert_eq!(outcome.ended, Ended::Interrupted);
    let mut resumed = small("cavity2d", &[]);
    resumed.simulation.restart(&path).unwrap();
    assert_eq!(resumed.simulation.time_step(), outcome.state.step);
}

#[test]
fn a_divergence_names_the_last_good_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.lbm");
    let pairs = ["re=1e5", "velocity=0.3", "collision=bgk", "size=32", "checkpoint=10"];
    let mut run = small("cavity2d", &pairs);
    run.checkpoint = Some(path.clone());
    let error = run.run(&mut Watcher::patient()).unwrap_err();
    let Error::Diverged { step, checkpoint: Some(kept), .. } = error else { panic!("{error}") };
    assert_eq!(kept, path);
    let mut resumed = small("cavity2d", &pairs);
    resumed.simulation.restart(&path).unwrap();
    assert!(resumed.simulation.time_step() < step);
    resumed.simulation.check_finite().unwrap();
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let refused = |pair: &str| {
        let case = find("cavity2d").unwrap();
        let mut settings = Settings::of(case);
        settings.set_pair(pair).unwrap();
        Run::new(case, settings).map(|_| ()).unwrap_err().to_string()
    };
    let message = refused("streaming=moments");
    assert!(message.contains("do not carry the collision; take `--set collision=regularized`"), "{message}");
    let message = refused("precision=f16in64");
    assert!(message.contains("trt on D2Q9 in f16in64 is not compiled in for the CPU"), "{message}");
    assert!(message.contains("solver! { Mine {\n    lattice: D2Q9,\n    collision: Trt,\n"), "{message}");
    let message = refused("layout=tile-best");
    assert!(message.contains("take the addressing `--set addressing=tiled4`"), "{message}");
}

#[test]
fn physical_scales_come_in_pairs() {
    let case = find("cavity2d").unwrap();
    let mut settings = Settings::of(case);
    settings.set_pair("physical_length=0.1").unwrap();
    let message = Run::new(case, settings).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("physical_viscosity"), "{message}");
}

/// Has frames written as the command does, and spoils the folder at a step.
struct Spoiling<'a> {
    files: &'a mut Files,
    at: u64,
    spoil: &'a dyn Fn(),
    last: u64,
}

impl Observer for Spoiling<'_> {
    fn progress(&mut self, _progress: &Progress) {}

    fn frame(&mut self, state: StartedState) -> Result<(), Error> {
        self.last = state.step();
        if state.step() == self.at {
            (self.spoil)();
        }
        self.files.frame(state)
    }
}

/// Waits until the frame of a step stands in the index.
fn wait_until_written(folder: &Path, step: u64) {
    let name = format!("fields_{step:09}.vti");
    let index = || std::fs::read_to_string(folder.join("fields.pvd")).unwrap_or_default();
    while !index().contains(&name) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// The thread that writes ends at the first frame that it cannot write. The steps learn of it when they hand it another, at the
/// latest when all places to wait are taken, and do not wait for ever.
#[test]
fn a_folder_that_goes_missing_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut run = small("couette2d", &["steps=2000", "output=1", "tolerance=0"]);
    let mut files = Files::new(&out, &mut run).unwrap();
    let spoil = || {
        wait_until_written(&out, 4);
        std::fs::rename(&out, folder.path().join("elsewhere")).unwrap();
    };
    let mut observer = Spoiling { files: &mut files, at: 5, spoil: &spoil, last: 0 };
    let error = run.run(&mut observer).unwrap_err();
    let last = observer.last;
    assert!((6..=20).contains(&last), "the run went on until step {last}");
    let message = error.to_string();
    assert!(matches!(error, Error::File { action: "write", .. }), "{message}");
    assert!(message.contains("out/fields_") && message.contains("the folder exists"), "{message}");
    // Whoever goes on in spite of it learns so, and waits for nobody.
    let size = run.simulation.size();
    let fields = run.simulation.start_fields(0..size.iter().product::<usize>()).unwrap();
    let message = files.frame(StartedState::of(size, fields)).unwrap_err().to_string();
    assert!(message.contains("given up"), "{message}");
    assert!(!out.exists());
    assert!(folder.path().join("elsewhere/fields_000000004.vti").exists());
}

/// The last frame may be the one that cannot be written.
#[test]
fn a_folder_that_goes_missing_at_the_end_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut run = small("couette2d", &["steps=6", "output=3", "tolerance=0"]);
    let mut files = Files::new(&out, &mut run).unwrap();
    let spoil = || {
        wait_until_written(&out, 3);
        std::fs::rename(&out, folder.path().join("elsewhere")).unwrap();
    };
    let mut observer = Spoiling { files: &mut files, at: 6, spoil: &spoil, last: 0 };
    let outcome = run.run(&mut observer).unwrap();
    let message = files.finish(&run, &outcome).unwrap_err().to_string();
    assert!(message.contains("out/fields_000000006.vti"), "{message}");
}

/// What shows how a flow diverged is what its user looks at.
#[test]
fn frames_before_a_divergence_are_written() {
    let folder = tempfile::tempdir().unwrap();
    // Steps are so short that frames always wait.
    let pairs = ["re=1e5", "velocity=0.3", "collision=bgk", "size=32", "output=2"];
    let mut run = small("cavity2d", &pairs);
    let mut files = Files::new(folder.path(), &mut run).unwrap();
    let mut observer = Spoiling { files: &mut files, at: u64::MAX, spoil: &|| (), last: 0 };
    assert!(matches!(run.run(&mut observer), Err(Error::Diverged { .. })));
    let last = observer.last;
    drop(files);
    let index = std::fs::read_to_string(folder.path().join("fields.pvd")).unwrap();
    for step in (0..=last).step_by(2) {
        let name = format!("fields_{step:09}.vti");
        assert!(folder.path().join(&name).exists() && index.contains(&name), "{name} of {last}");
    }
}

#[test]
fn a_summary_says_where_the_time_went() {
    let folder = tempfile::tempdir().unwrap();
    let start = std::time::Instant::now();
    let mut run = small("couette2d", &["steps=300", "output=100"]);
    let mut files = Files::new(folder.path(), &mut run).unwrap();
    let mut observer = Spoiling { files: &mut files, at: u64::MAX, spoil: &|| (), last: 0 };
    let outcome = run.run(&mut observer).unwrap();
    files.finish(&run, &outcome).unwrap();
    let wall = start.elapsed().as_secs_f64();
    let summary = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let spent = &summary["spent_seconds"];
    let seconds = |name: &str| spent[name].as_f64().unwrap();
    let names = ["before_first_step", "steps", "looks", "files", "after_last_step"];
    assert!(names.iter().all(|name| seconds(name) > 0.0), "{spent}");
    assert!((seconds("steps") / summary["seconds"].as_f64().unwrap() - 1.0).abs() < 0.01, "{spent}");
    let all: f64 = names.iter().map(|name| seconds(name)).sum();
    assert!(all <= wall && all > 0.8 * wall, "{all} s of {wall} s");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    std::fs::write(&taken, b"").unwrap();
    let mut run = small("couette2d", &[]);
    assert!(matches!(Files::new(&taken, &mut run), Err(Error::File { .. })));
    assert!(Files::new(Path::new("/proc/none"), &mut run).is_err());
}
