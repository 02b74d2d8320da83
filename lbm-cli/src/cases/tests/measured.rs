//! Probes, controllers, averages and selected fields of cases.

use std::fs;
use std::path::Path;

use super::{Files, Run, Watcher, small};
use crate::cases::probes::Row;
use crate::cases::{Observer, Progress, StartedState};
use lbm_core::Error;

/// Hands rows to their files, as the command does.
struct Written<'a>(&'a mut Files);

impl Observer for Written<'_> {
    fn progress(&mut self, _progress: &Progress) {}

    fn row(&mut self, file: &str, row: &Row) -> Result<(), Error> {
        self.0.row(file, row)
    }

    fn frame(&mut self, state: StartedState) -> Result<(), Error> {
        self.0.frame(state)
    }
}

/// Runs to the end, from a checkpoint if there is one, and gives the texts of these files.
fn texts(run: &mut Run, folder: &Path, restart: bool, files: &[&str]) -> Vec<String> {
    if restart {
        run.simulation.restart(folder.join("checkpoint.lbm")).unwrap();
    }
    let mut all = Files::new(folder, run).unwrap();
    run.checkpoint = Some(all.checkpoint());
    let outcome = run.run(&mut Written(&mut all)).unwrap();
    for path in all.finish(run, &outcome).unwrap() {
        assert!(path.metadata().unwrap().len() > 0, "{}", path.display());
    }
    files.iter().map(|file| fs::read_to_string(folder.join(file)).expect(file)).collect()
}

/// The numbers of the last row, behind step and time, under the names of the columns.
fn last(text: &str) -> Vec<(String, f64)> {
    let (head, row) = (text.lines().next().unwrap(), text.lines().last().unwrap());
    let cells = row.split(',').map(|cell| cell.parse().unwrap());
    head.split(',').map(str::to_owned).zip(cells).skip(2).collect()
}

const PROBES: &str = "flow-rate section=x:3; pressure-drop from=west to=8.5,8.5; point name=middle at=8,8; \
                      line name=across from=8.5,0.5 to=8.5,15.5 points=16; permeability axis=x";

#[test]
fn probes_are_tables_and_plots() {
    let folder = tempfile::tempdir().unwrap();
    let settings = format!("probes={PROBES}");
    let mut run = small("poiseuille2d", &[&settings, "probe_interval=500"]);
    let texts = texts(&mut run, folder.path(), false, &["probes.csv", "across.csv"]);
    let height = 16.0;
    // The force is chosen for 0.05 in the middle; sums over middles of nodes have H^3 + H / 2 where the integral has H^3.
    let rate = 2.0 / 3.0 * 0.05 * height * (1.0 + 0.5 / (height * height));
    let exact = [
        ("flow-rate.flow_rate", rate),
        ("pressure-drop.pressure_drop", 0.0),
        ("middle.pressure", 0.0),
        // Between the two nodes beside the middle.
        ("middle.u_x", 0.05 * (1.0 - 1.0 / (height * height))),
        ("middle.u_y", 0.0),
        ("middle.u_z", 0.0),
        ("permeability.permeability", (height * height + 0.5) / 12.0),
    ];
    let found = last(&texts[0]);
    assert_eq!(found.len(), exact.len());
    for ((name, value), (expected_name, expected)) in found.iter().zip(exact) {
        assert_eq!(name, expected_name);
        // As near as the criterion has the flow be to its steady state.
        assert!((value - expected).abs() <= 1e-5 * expected.abs() + 1e-9, "{name}: {value} {expected}");
    }
    assert!(texts[0].lines().nth(1).unwrap().starts_with("0,0.0,"));
    // Each point at each look, and where the run ends.
    let cells: Vec<f64> =
        texts[1].lines().rev().nth(7).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    let looks = (texts[1].lines().count() - 1) / 16;
    assert!(looks > 2 && texts[1].lines().count() == 1 + 16 * looks && cells.len() == 10);
    assert_eq!(cells[0], run.simulation.time_step() as f64);
    let middle = &cells[2..];
    let exact = 0.05 * (1.0 - 1.0 / (height * height));
    assert!(
        (middle[1] - 8.5).abs() + (middle[3] - 8.0).abs() < 1e-12 && (middle[5] / exact - 1.0).abs() < 1e-5,
        "{middle:?}"
    );
    assert!(folder.path().join("probes.png").exists() && !folder.path().join("probes_2.png").exists());
}

/// The steps of the rows of a table.
fn steps(text: &str) -> Vec<u64> {
    text.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn tables_end_where_the_run_does() {
    let tables = |case: &str, pairs: &[&str], files: &[&str]| {
        let (folder, mut run) = (tempfile::tempdir().unwrap(), small(case, pairs));
        (texts(&mut run, folder.path(), false, files), run.simulation.time_step())
    };
    let cylinder = |steps: &str| {
        let pairs = ["probes=point at=30,20", "probe_interval=50", "film=0", steps];
        tables("cylinder2d", &pairs, &["probes.csv", "forces.csv"]).0
    };
    let (short, long) = (cylinder("steps=150"), cylinder("steps=170"));
    assert_eq!(steps(&short[0]), [0, 50, 100, 150]);
    assert_eq!(steps(&long[0]), [0, 50, 100, 150, 170]);
    for (short, long) in short.iter().zip(&long) {
        // A row of the end is one more, and no other.
        let (before, _) = short.trim_end().rsplit_once('\n').unwrap();
        assert!(long.starts_with(before), "{short}\n{long}");
        assert!(steps(long).is_sorted_by(|a, b| a < b) && steps(long).ends_with(&[170]), "{long}");
    }
    // The same where a run is over before, and a controller does nothing more.
    let probes = ["probes=flow-rate section=x:3", "probe_interval=1000003"];
    let (rows, end) = tables("poiseuille2d", &probes, &["probes.csv"]);
    assert!(end < 100_000 && steps(&rows[0]) == [0, end], "{end}: {}", rows[0]);
    let pairs = [&probes[..], &["flow_rate=0.2", "tolerance=0", "steps=331"]].concat();
    let (rows, _) = tables("poiseuille2d", &pairs, &["probes.csv", "controller.csv"]);
    assert_eq!(steps(&rows[0]), [0, 331]);
    let acted = steps(&rows[1]);
    assert!(acted.iter().all(|step| step.is_multiple_of(acted[1])) && !acted.contains(&331), "{acted:?}");
}

#[test]
fn more_plots_than_a_picture_takes_are_in_a_second_one() {
    let plots = |points: usize| {
        let folder = tempfile::tempdir().unwrap();
        let probes: Vec<String> = (0..points).map(|n| format!("point name=p{n} at=8,{n}.5")).collect();
        let settings = format!("probes={}", probes.join(";"));
        let mut run = small("poiseuille2d", &[&settings, "probe_interval=5", "steps=10"]);
        texts(&mut run, folder.path(), false, &["probes.csv"]);
        ["probes.png", "probes_2.png", "probes_3.png"].map(|name| folder.path().join(name).exists())
    };
    // Four columns each, twelve in a picture.
    assert_eq!(plots(3), [true, false, false]);
    assert_eq!(plots(4), [true, true, false]);
}

#[test]
fn a_controlled_run_goes_on_with_the_same_tables_and_bits() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = ["probes.csv", "controller.csv", "across.csv"];
    let make = |steps: &str| {
        let probes = format!("probes={PROBES}");
        let rate = "flow_rate=0.2";
        small("poiseuille2d", &[&probes, "probe_interval=50", rate, "tolerance=0", "checkpoint=150", steps])
    };
    let mut uninterrupted = make("steps=300");
    let expected = texts(&mut uninterrupted, whole.path(), false, &files);
    texts(&mut make("steps=150"), parts.path(), false, &files);
    let mut resumed = make("steps=300");
    assert_eq!(texts(&mut resumed, parts.path(), true, &files), expected);
    let populations = |run: &Run| run.simulation.populations().unwrap();
    assert_eq!(populations(&resumed), populations(&uninterrupted));
    assert!(expected[1].lines().count() > 5, "{}", expected[1]);
    // Held once there was time, whatever the force was chosen for.
    let mut long = small("poiseuille2d", &["flow_rate=0.2"]);
    let outcome = long.run(&mut Watcher::patient()).unwrap();
    let rate = long.tables[0].rows.last().unwrap().values[0];
    assert!((rate / 0.2 - 1.0).abs() < 1e-4, "{rate}");
    // It begins at rest with a force, and goes there without an overshoot.
    let most = long.tables[0].rows.iter().map(|row| row.values[0]).fold(0.0, f64::max);
    assert!(most < 0.2 * 1.01, "{most}");
    assert!(outcome.evaluation.measures[0].measured < 1e-4, "{}", outcome.evaluation.measures[0]);
}

#[test]
fn a_pressure_is_controlled_where_it_drives() {
    let settings =
        ["drive=pressure", "diameter=8", "porosity=0.8", "fill=true", "flow_rate=0.02", "steps=3000"];
    let mut run = small("porous", &settings);
    run.run(&mut Watcher::patient()).unwrap();
    // The estimate alone gives half. Where pores take the push at once, few acts hold it.
    let rate = run.tables[0].rows.last().unwrap().values[0];
    assert!((rate / 0.02 - 1.0).abs() < 1e-3, "{rate}");
}

#[test]
fn fields_averages_and_parts_of_the_box_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["pressure", "vorticity", "q", "wall_shear_stress"];
    let fields = format!("fields=velocity,{}", names.join(","));
    let part = ["region=2:10,0:7", "every=2", "average_every=10", "average_from=20", "output=25", "steps=60"];
    let mut run = small("poiseuille2d", &[&[&fields[..]], &part[..]].concat());
    let mut files = Files::new(folder.path(), &mut run).unwrap();
    let outcome = run.run(&mut Written(&mut files)).unwrap();
    let written = files.finish(&run, &outcome).unwrap();
    for name in names {
        assert!(written.contains(&folder.path().join(format!("{name}.png"))), "{name}");
    }
    assert_eq!(run.averages.as_ref().unwrap().samples(), 5);
    let head = |file: &str| {
        let bytes = fs::read(folder.path().join(file)).unwrap();
        let end = bytes.windows(13).position(|some| some == b"<AppendedData").unwrap();
        String::from_utf8(bytes[..end].to_vec()).unwrap()
    };
    let frame = head("fields_000000025.vti");
    assert!(
        frame.contains("WholeExtent=\"0 4 0 4 0 1\" Origin=\"1.5 -0.5 -0.5\" Spacing=\"2.0 2.0 2.0\""),
        "{frame}"
    );
    for name in names {
        assert!(frame.contains(&format!("Name=\"{name}\"")), "{frame}");
    }
    assert!(frame.contains("Scalars=\"pressure\" Vectors=\"velocity\"") && !frame.contains("density"));
    let averages = head("averages.vti");
    assert!(averages.contains("Name=\"reynolds_stress\" NumberOfComponents=\"6\""), "{averages}");
}

#[test]
fn what_a_flow_has_not_is_refused() {
    let refused = |case: &str, pair: &str, said: &str| {
        let settings = crate::cases::find(case).unwrap();
        let mut settings = super::Settings::of(settings);
        let run = settings
            .set_pair("size=16")
            .and_then(|()| settings.set_pair(pair))
            .and_then(|()| Run::new(crate::cases::find(case).unwrap(), settings));
        let message = run.map(|_| ()).expect_err(pair).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    };
    refused("couette2d", "probes=flow-rate section=x:16", "place of a plane across x = 16");
    refused("couette2d", "probes=point at=17,1", "x of a point = 17");
    refused("couette2d", "region=0:17", "region = 0:17");
    refused("couette2d", "probes=permeability axis=x", "nothing is known to drive the flow: d2q9-");
    refused(
        "poiseuille2d",
        "probes=permeability axis=y",
        "`force` along y = 0 is out of range: anything but 0",
    );
    refused("couette2d", "probes=force body=nosuch", "unknown body `nosuch`");
    refused("couette2d", "fields=speed", "unknown field `speed`");
    refused("couette2d", "flow_rate=0.1", "unknown setting `flow_rate`");
}
