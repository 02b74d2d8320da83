//! Probes from text, and tables that go on.

use std::fs;

use lbm_core::{Domain, Face};

use super::parse::{list, probe};
use super::{Across, Kind, Log, Placed, Point, Probe, Row, Spot, Table};
use crate::cases::case::find;
use crate::cases::pushed::Pushed;
use crate::cases::settings::Settings;
use crate::simulation::{Body, Points};

#[test]
fn a_list_says_probes() {
    let text = "flow-rate section=west; pressure name=mid section=x:10,y:2:9; pressure-drop from=1.5,2.0 to=east; \
                point at=3.5,4,0.5; line from=0,1 to=8,1 points=9; force body=surface:0 about=1,2,3 speed=0.1 area=8; \
                permeability axis=y;";
    let probes = list(text).unwrap();
    let plane = Across::Plane { axis: 0, at: 10, within: [None, Some(2..9), None] };
    let force = Pushed {
        body: Body::Surface(0),
        interval: 1,
        about: [0.0; 3],
        speed: 0.1,
        axes: [0, 1],
        area: Some(8.0),
        unit: 1.0,
    };
    let at = |numbers: &[f64]| Point(numbers.to_vec());
    let about = Some(at(&[1.0, 2.0, 3.0]));
    let kinds = [
        ("flow-rate", Kind::FlowRate(Across::Face(Face::West))),
        ("mid", Kind::Pressure(plane)),
        (
            "pressure-drop",
            Kind::PressureDrop([Spot::Point(at(&[1.5, 2.0])), Spot::Section(Across::Face(Face::East))]),
        ),
        ("point", Kind::Point(at(&[3.5, 4.0, 0.5]))),
        ("line", Kind::Line { ends: [at(&[0.0, 1.0]), at(&[8.0, 1.0])], points: 9 }),
        ("force", Kind::Force { pushed: force, about }),
        ("permeability", Kind::Permeability { axis: 1, between: None }),
    ];
    let expected = kinds.map(|(name, kind)| Probe { name: name.to_owned(), kind });
    assert_eq!(probes, expected);
    let axes = |text: &str| match list(&format!("force body=car {text}")).unwrap().remove(0).kind {
        Kind::Force { pushed, .. } => pushed.axes,
        other => panic!("{other:?}"),
    };
    assert_eq!(axes("along=y"), [1, 0]);
    assert_eq!(axes("lift=z"), [0, 2]);
    assert_eq!(axes("along=z lift=x"), [2, 0]);
    // A case file hands entries.
    assert_eq!(
        probe(&[("section", "x:10,y:2:9"), ("name", "mid"), ("kind", "pressure")]).unwrap(),
        probes[1]
    );
}

#[test]
fn what_is_no_probe_is_refused() {
    for (text, said) in [
        ("flow-rat section=west", "did you mean `flow-rate`?"),
        ("flow-rate", "`section` of a probe is missing"),
        ("flow-rate section=x:-1", "place of a plane = -1"),
        ("flow-rate section=x:1,y:2", "section of a probe"),
        ("flow-rate at=west", "unknown entry of a probe `at`"),
        ("flow-rate section=west section=east", "`section` twice"),
        ("flow-rate west", "`west` is no entry of a probe"),
        ("point at=1", "two or three numbers"),
        ("point at=1,b", "at of a probe = b"),
        ("point name=a/b at=1,2", "name of a probe = a/b"),
        ("force body=car area=-1", "area of a force = -1"),
        ("force body=car along=w", "axis of a probe = w"),
        ("force body=car along=y lift=y", "drag and lift are along one axis, y"),
        ("permeability from=west", "one of `from` and `to`"),
        ("permeability axis=w", "x, y or z"),
        ("line name=probes from=0,1 to=8,1", "a line is named `probes`, and runs write a `probes.csv`"),
        ("line name=Controller from=0,1 to=8,1", "such as `Controller_line`"),
        ("line name=u_centre_reference from=0,1 to=8,1", "of their own"),
    ] {
        let message = list(text).map(|_| ()).expect_err(text).to_string();
        assert!(message.contains(said), "`{said}` is not in: {message}");
    }
}

#[test]
fn a_section_is_a_patch_of_any_name() {
    for name in ["inlet.left", "Cap (1)", "inlet.001", "1", "a:b,c", "w:1:2", " top of it"] {
        for key in ["section", "from"] {
            let kind = if key == "section" { "pressure" } else { "pressure-drop" };
            let (patch, other) = (Across::Patch(name.to_owned()), if key == "section" { "" } else { "to" });
            let entries = [("kind", kind), (key, name), (other, "east")];
            let given = if other.is_empty() { &entries[..2] } else { &entries[..] };
            let expected = match key {
                "section" => Kind::Pressure(patch),
                _ => Kind::PressureDrop([Spot::Section(patch), Spot::Section(Across::Face(Face::East))]),
            };
            assert_eq!(probe(given).unwrap().kind, expected, "{name}");
        }
    }
    // Only a line has a file of its own.
    assert!(list("point name=probes at=1,2").is_ok());
}

#[test]
fn a_point_has_as_many_numbers_as_the_box_dimensions() {
    let point = |numbers: &[f64]| Point(numbers.to_vec());
    assert_eq!(point(&[1.0, 2.0]).within(2).unwrap(), [1.0, 2.0, 0.5]);
    assert_eq!(point(&[1.0, 2.0, 0.25]).within(2).unwrap(), [1.0, 2.0, 0.25]);
    assert_eq!(point(&[1.0, 2.0, 3.0]).within(3).unwrap(), [1.0, 2.0, 3.0]);
    let message = point(&[1.0, 2.0]).within(3).unwrap_err().to_string();
    assert!(message.contains("point of a probe = [1.0, 2.0] is out of range: 3 numbers"), "{message}");
}

#[test]
fn settings_have_each_name_once() {
    let mut settings = Settings::of(find("cylinder2d").unwrap());
    settings.set("probes", "point at=1,2; point name=wake at=2,3").unwrap();
    let other = |name: &str| Probe { name: name.to_owned(), kind: Kind::Point(Point(vec![0.5; 3])) };
    let message = settings.add_probe(other("wake")).unwrap_err().to_string();
    assert!(message.contains("two probes are named `wake`"), "{message}");
    settings.add_probe(other("front")).unwrap();
    let names: Vec<&str> = settings.probes().iter().map(|probe| &probe.name[..]).collect();
    assert_eq!(names, ["point", "wake", "front"]);
    let message = settings.set("probes", "point at=1,2; point at=2,3").unwrap_err().to_string();
    assert!(message.contains("two probes are named `point`"), "{message}");
    // The command line wins over a file.
    settings.set("probes", "flow-rate section=west").unwrap();
    assert_eq!(settings.probes().len(), 1);
}

fn table() -> Table {
    let pushed = Pushed {
        body: Body::Geometry,
        interval: 5,
        about: [0.0; 3],
        speed: 0.1,
        axes: [0, 1],
        area: None,
        unit: 100.0,
    };
    Table::new("forces.csv", 5, 100.0, vec![(String::new(), Placed::Force(pushed))])
}

#[test]
fn a_table_goes_on_where_a_run_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forces.csv");
    let row = |step: u64| {
        let values = [step as f64 / 3.0, -1e-17, 0.0, 0.0, 0.0, 1.0, 0.1, 0.2].to_vec();
        Row { step, time: step as f64 / 100.0, values }
    };
    let mut first = table();
    let mut log = Log::begin(folder.path(), &mut first, 0).unwrap();
    assert!(first.rows.is_empty());
    let all: Vec<Row> = [0, 5, 10].map(row).to_vec();
    all.iter().for_each(|row| log.add(row).unwrap());
    drop(log);
    let text = fs::read_to_string(&path).unwrap();
    let head = "step,time,force_x,force_y,force_z,torque_x,torque_y,torque_z,c_d,c_l";
    assert_eq!(text.lines().next(), Some(head));
    // The last row was cut off.
    fs::write(&path, format!("{text}15,0.2")).unwrap();
    let mut second = table();
    Log::begin(folder.path(), &mut second, 10).unwrap();
    assert_eq!(second.rows, all[..2]);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
    // Rows of other columns are not taken up.
    fs::write(&path, text.replace("c_l", "c_z")).unwrap();
    let mut third = table();
    Log::begin(folder.path(), &mut third, 10).unwrap();
    assert!(third.rows.is_empty());
}

#[test]
fn a_value_that_is_no_number_is_an_empty_cell() {
    let folder = tempfile::tempdir().unwrap();
    let row = |step: u64, c_l: f64| {
        let values = [&[f64::NAN][..], &[0.5; 6], &[c_l]].concat();
        Row { step, time: step as f64 / 100.0, values }
    };
    let mut log = Log::begin(folder.path(), &mut table(), 0).unwrap();
    [row(0, f64::NAN), row(5, 0.25), row(10, 1.0)].iter().for_each(|row| log.add(row).unwrap());
    drop(log);
    let text = fs::read_to_string(folder.path().join("forces.csv")).unwrap();
    let half = ",0.5".repeat(6);
    assert!(text.ends_with(&format!("\n0,0.0,{half},\n5,0.05,{half},0.25\n10,0.1,{half},1.0\n")), "{text}");
    // They are read back, and what was cut off is not.
    fs::write(folder.path().join("forces.csv"), text + &format!("15,0.15,{half},")).unwrap();
    let mut again = table();
    Log::begin(folder.path(), &mut again, 20).unwrap();
    let values: Vec<[f64; 2]> = again.rows.iter().map(|row| [row.values[0], row.values[7]]).collect();
    assert!(values.len() == 3 && values.iter().all(|[force, _]| force.is_nan()), "{values:?}");
    assert!(values[0][1].is_nan() && values[1][1] == 0.25, "{values:?}");
}

#[test]
fn a_line_has_a_row_a_point_and_goes_on_too() {
    let folder = tempfile::tempdir().unwrap();
    let points = Points::along(&Domain::periodic([8, 4, 1]), [0.5, 1.5, 0.5], [6.5, 1.5, 0.5], 4).unwrap();
    let line = || Table::of_line("axis", 5, 100.0, Placed::Line(points.clone()));
    let row = |step: u64| {
        let values = (0..32).map(|n| step as f64 + f64::from(n) / 3.0).collect();
        Row { step, time: step as f64 / 100.0, values }
    };
    let mut log = Log::begin(folder.path(), &mut line(), 0).unwrap();
    [0, 5, 10].map(row).iter().for_each(|row| log.add(row).unwrap());
    drop(log);
    let text = fs::read_to_string(folder.path().join("axis.csv")).unwrap();
    assert!(text.starts_with("step,time,x,y,z,distance,pressure,u_x,u_y,u_z\n0,0.0,0.0,"), "{text}");
    assert_eq!(text.lines().count(), 1 + 3 * 4);
    let mut second = line();
    Log::begin(folder.path(), &mut second, 10).unwrap();
    let kept = fs::read_to_string(folder.path().join("axis.csv")).unwrap();
    assert!(second.rows.is_empty() && text.starts_with(&kept));
    assert_eq!(kept.lines().count(), 1 + 2 * 4);
}
