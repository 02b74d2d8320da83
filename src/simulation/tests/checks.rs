//! Everything that `build` refuses says what was found, what is allowed and what to do.

use lbm_core::{Error, Face, FaceRule, Geometry};

use super::handwritten::Plain;
use crate::simulation::{Builder, Initial, Solver};

fn valid() -> Builder<Plain> {
    Plain::builder().size([8, 8]).viscosity(0.1)
}

/// The message of a refusal, which must hold all of `parts`.
fn refused(builder: Builder<Plain>, parts: &[&str]) {
    let message = builder.build().expect_err("must be refused").to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

fn wall(u: f64, v: f64) -> FaceRule {
    FaceRule::Wall { velocity: [u, v, 0.0] }
}

#[test]
fn the_valid_flow_is_built() {
    assert!(valid().build().is_ok());
    assert_eq!(valid().size([8, 4, 1]).build().unwrap().size(), [8, 4, 1]);
    let by_reynolds = Plain::builder().size([8, 8]).reynolds(100.0, 8.0, 0.1).build().unwrap();
    assert!((by_reynolds.viscosity().unwrap() - 0.008).abs() < 1e-15);
}

#[test]
fn sizes() {
    refused(Plain::builder().viscosity(0.1), &["size of the box is missing", ".size([..])"]);
    refused(valid().size([8, 0]), &["[8, 0]", "at least 1 node"]);
    refused(valid().size([8]), &["[8]", "D2Q9 has 2 axes"]);
    refused(valid().size([8, 8, 2]), &["[8, 8, 2]", "1 node thick"]);
    refused(valid().size(vec![8, 8, 1, 1]), &["2 axes"]);
    refused(valid().size([1 << 32, 1 << 20]), &["GiB are free", "176 bytes"]);
    refused(valid().size([usize::MAX, usize::MAX]), &["GiB are free"]);
}

#[test]
fn viscosities() {
    refused(Plain::builder().size([8, 8]), &["viscosity is missing", ".reynolds("]);
    for nu in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        refused(valid().viscosity(nu), &["viscosity", "out of range"]);
    }
    refused(valid().viscosity(1e-9), &["tau"]);
    refused(valid().reynolds(1e9, 8.0, 0.1), &["viscosity", "lower the Reynolds number"]);
    refused(valid().reynolds(-1.0, 8.0, 0.1), &["Reynolds number = -1"]);
    refused(valid().reynolds(100.0, f64::NAN, 0.1), &["reference length = NaN"]);
    refused(valid().reynolds(100.0, 8.0, 0.5), &["reference velocity", "0.5", "at most 0.3"]);
    refused(valid().reynolds(100.0, 8.0, 0.0), &["reference velocity", "above 0"]);
}

#[test]
fn faces() {
    refused(valid().face(Face::North, FaceRule::WALL), &["South is periodic", "both"]);
    let channel = || valid().face(Face::South, FaceRule::WALL);
    refused(channel().face(Face::North, wall(0.31, 0.0)), &["North", "0.31", "at most 0.3"]);
    refused(channel().face(Face::North, wall(0.1, 0.01)), &["North", "normal"]);
    refused(channel().face(Face::North, wall(f64::NAN, 0.0)), &["NaN"]);
    let spanwise = FaceRule::Wall { velocity: [0.0, 0.0, 0.1] };
    refused(channel().face(Face::North, spanwise), &["D2Q9 has 2 axes"]);
    refused(
        valid().face(Face::Top, FaceRule::WALL).face(Face::Bottom, FaceRule::WALL),
        &["Bottom is not periodic"],
    );
}

#[test]
fn states_forces_and_solids() {
    let fast = |[x, _, _]: [usize; 3]| Initial::velocity([if x == 3 { 0.4 } else { 0.0 }, 0.0, 0.0]);
    refused(valid().initial(fast), &["initial velocity at node (3, 0, 0)", "at most 0.3"]);
    refused(valid().initial(|_| Initial { density: 0.0, ..Initial::default() }), &["initial density"]);
    refused(valid().initial(|_| Initial::velocity([0.0, 0.0, 0.1])), &["2 axes"]);
    let gradient = Some([[f64::NAN; 3]; 3]);
    refused(valid().initial(move |_| Initial { gradient, ..Initial::default() }), &["gradient"]);
    refused(valid().force([f64::NAN, 0.0, 0.0]), &["force", "finite"]);
    refused(valid().force([0.0, 0.0, 1e-4]), &["2 axes"]);
    refused(valid().solid(|_| true), &["all 64 nodes", "solid"]);
    refused(valid().moving_solid([0.5, 0.0, 0.0], |[x, _, _]| x == 0), &["moving solid", "0.3"]);
}

#[test]
fn geometries() {
    let half = || Geometry::from_nodes([8, 8, 1], (0..64).map(|node| u8::from(node < 32)).collect()).unwrap();
    let other = Geometry::empty([8, 9, 1]).unwrap();
    refused(valid().geometry(other), &["size [8, 8, 1]", "the geometry has [8, 9, 1] nodes"]);
    refused(Plain::builder().viscosity(0.1).geometry(Geometry::empty([8; 3]).unwrap()), &["D2Q9 has 2 axes"]);
    refused(valid().geometry(Geometry::from_nodes([8, 8, 1], vec![1; 64]).unwrap()), &["0 of 64"]);
    refused(valid().geometry(half()).solid(|[_, y, _]| y > 1), &["all 64 nodes", ".geometry(..)"]);

    // Its size is the box's, and what it makes solid stays at rest whatever predicates say.
    let moving = |[x, _, _]: [usize; 3]| x == 0;
    let flow = Plain::builder().viscosity(0.1).geometry(half()).moving_solid([0.0, 0.1, 0.0], moving);
    let flow = flow.build().unwrap();
    let (domain, rows) = (flow.domain(), flow.domain().flags.chunks(8));
    assert_eq!((domain.size, domain.solids.len()), ([8, 8, 1], 2));
    assert!(rows.clone().take(4).all(|row| row == [1; 8]));
    assert!(rows.skip(4).all(|row| row == [2, 0, 0, 0, 0, 0, 0, 0]));
    let empty = valid().geometry(Geometry::empty([8, 8, 1]).unwrap()).build().unwrap();
    assert!(empty.domain().flags.is_empty());
}

#[test]
fn parameters_and_threads() {
    refused(valid().parameter("magik", 0.2), &["unknown parameter `magik`", "did you mean `magic`?"]);
    refused(valid().parameter("magic", f64::NAN), &["parameter magic"]);
    refused(valid().parameter("viscosity", 0.1), &["setter of its own"]);
    refused(valid().threads(0), &["threads = 0"]);
    let set = valid().parameter("magic", 0.1).parameter("magic", 0.2).build().unwrap();
    assert_eq!(set.parameter("magic"), Some(0.2));
    assert_eq!(valid().build().unwrap().parameter("magic"), Some(0.25));
}

#[test]
fn an_error_is_typed() {
    let error = valid().size([8, 0]).build().unwrap_err();
    assert!(matches!(error, Error::OutOfRange { .. }));
    let error = valid().face(Face::North, FaceRule::WALL).build().unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }));
}

#[test]
fn names_have_one_meaning() {
    let body = |name: &str| valid().solid(|[x, ..]| x == 3).named(name);
    for (name, said) in [
        ("top", "a face of the box"),
        (" West", "a face of the box"),
        ("geometry", "all solid nodes"),
        ("solid:0", "a body by its number"),
        ("x:10", "a plane of nodes"),
    ] {
        refused(body(name), &[&format!("a body is named `{name}`, which says {said}"), "`body_"]);
    }
    refused(body(" "), &["a body has an empty name", "give it a name"]);
    for name in ["topmost", "inlet.left", "Cap (1)", "inlet.001", "1", "a:b"] {
        assert!(body(name).build().is_ok(), "{name}");
    }
    assert!(super::super::check_name("patch", "south").is_err());
}

#[test]
fn a_line_has_so_many_points() {
    use crate::simulation::Points;
    let flow = valid().build().unwrap();
    let along = |count| Points::along(flow.domain(), [0.5; 3], [7.5, 0.5, 0.5], count);
    assert_eq!(along(2).unwrap().points().len(), 2);
    for count in [1, 1_000_001, 2_000_000_000] {
        let message = along(count).map(|_| ()).unwrap_err().to_string();
        let said = format!("points of a line = {count} is out of range: 2 to 1000000");
        assert!(message.contains(&said), "{message}");
    }
}
