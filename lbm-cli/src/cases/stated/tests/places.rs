//! Where a file has what is found wrong when its flow is built.

use super::*;
use crate::cases::located_in_case_file;

/// What is said of a file whose flow cannot be built.
fn said(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flow.toml");
    std::fs::write(&path, text).unwrap();
    let built = read_case_file(&path).and_then(|(case, settings)| Run::new(case, settings).map(|_| ()));
    located_in_case_file(built.expect_err("must be refused"), &path).to_string()
}

#[test]
fn faults_of_built_flows_have_line_and_column() {
    // Between two nodes.
    let patch =
        "[[patches]]\nname = 'inlet'\nface = 'west'\nlow = 2.6\nhigh = 3.4\nrule = 'zou-he-pressure'\n";
    let ends = "[faces]\nwest = 'zou-he-pressure'\neast = 'zou-he-pressure'\n";
    let probe = |kind: &str, rest: &str| format!("[[probes]]\nkind = '{kind}'\n{rest}");
    let cases: Vec<(String, &[&str])> = vec![
        // Of two rules of a name the one at the face.
        (
            format!("{ends}[[bodies]]\nname = 'b'\nshape = 'box:18,-1,-1,30,30,2'\n"),
            &["line 7, column 8", "`zou-he-pressure` stands at the face East"],
        ),
        // A title is no name.
        (format!("title = 'inlet'\n{patch}"), &["line 7, column 8", "the patch `inlet`"]),
        (probe("point", "at = [1e9, 2]"), &["line 7, column 6", "x of a point = 1000000000"]),
        (probe("point", "name = 'p'\nat = [1, 2, 30]"), &["line 8, column 6", "`at` of the probe `p`: z of a point"]),
        (probe("line", "from = [1, 1]\nto = [100, 1]"), &["line 8, column 6", "x of a point = 100"]),
        (
            probe("line", "from = [1, 1]\nto = [2, 1]\npoints = 2000000000"),
            &["line 9, column 10", "points of a line = 2000000000 is out of range: 2 to 1000000"],
        ),
        (probe("pressure", "section = 'x:100'"), &["line 7, column 11", "0 to 19"]),
        (probe("pressure", "section = 'Cap (1)'"), &["line 7, column 11", "unknown patch `Cap (1)`"]),
        ("[faces]\nnorth = 'wall'".to_owned(), &["line 6, column 9", "face South is periodic"]),
        // A patch of a face that has no other entry.
        (
            "[[patches]]\nname = 'slit'\nface = 'south'\nlow = 2\nhigh = 4\nrule = 'zou-he-pressure'".to_owned(),
            &["line 7, column 8", "face North is periodic"],
        ),
        // The velocity of a rule, not that of the flow.
        (
            "velocity = 0.01\n[[bodies]]\nname = 'b'\nshape = 'sphere:9,5,0.5,3'\n\
             rule = { name = 'bouzidi', velocity = { profile = 'rotation', rate = 0.2, centre = [9, 5] } }"
                .to_owned(),
            &["line 9, column 39", "`velocity` of the rule `bouzidi`"],
        ),
        ("region = '10:90'".to_owned(), &["line 5, column 10", "region = 10:90"]),
        (
            "addressing = 'tiled4'\nstreaming = 'moments'".to_owned(),
            &["line 6, column 13", "this streaming stores moments"],
        ),
        (
            "addressing = 'fluid-index-array'\nlayout = 'tile-paper'\nstreaming = 'aa'".to_owned(),
            &["line 6, column 10", "this layout"],
        ),
        (
            "[[bodies]]\nname = 'b'\nshape = 'box:-1,-1,-1,30,30,2'".to_owned(),
            &["line 5", "nodes of the box are solid", "`bodies` of the file"],
        ),
        (
            "force = [1e-6, 0]\nflow_rate = 0.1\n[faces]\nwest = { name = 'zou-he-velocity', velocity = [0.1, 0] }\n\
             east = 'zou-he-pressure'"
                .to_owned(),
            &["line 8, column 17", "`zou-he-velocity` counts with the body force"],
        ),
    ];
    for (text, parts) in cases {
        let message = said(&format!("{HEAD}{text}"));
        assert!(parts.iter().all(|part| message.contains(part)), "{text}\n{message}");
    }
    for (text, parts) in [
        ("case = 'cylinder2d'\nsize = 33\n", ["line 2, column 8", "size = 33"]),
        (
            "title = 'x'\nlattice = 'D2Q9'\nsize = [9, 9]\nviscosity = 0\n",
            ["line 4, column 13", "viscosity = 0 is out of range"],
        ),
        ("lattice = 'D2Q9'\nsize = [9, 9]\nviscosity = 1e-9\n", ["line 3, column 13", "tau"]),
        ("case = 'body'\nsize = 20\n", ["line 1, column 8", "`file` is missing"]),
        ("case = 'duct'\nsize = 8\nprobes = 'point at=1,2'\n", ["line 3, column 10", "3 numbers"]),
        ("lattice = 'D4Q9'\n", ["line 1, column 11", "known here: D2Q9, D3Q19, D3Q15, D3Q27"]),
    ] {
        let message = said(text);
        assert!(parts.iter().all(|part| message.contains(part)), "{text}\n{message}");
    }
}

/// Axes of drag and lift, and the area across the first of them.
#[test]
fn coefficients_are_along_the_axes_that_are_given() {
    let flow = |forces: &str| {
        let text = format!(
            "lattice = 'D2Q9'\nsize = [20, 40]\nviscosity = 0.1\nsteps = 8\nvelocity = 0.1\n[initial]\nvelocity = [0, 0.1]\n\
             [[bodies]]\nname = 'plate'\nshape = 'box:6,18,-1,14,20,2'\nrule = 'bouzidi'\n[forces]\nbody = 'plate'\nevery = 8\n{forces}"
        );
        let (case, settings) = read(&text).unwrap();
        let mut run = Run::new(case, settings).unwrap();
        let outcome = run.run(&mut Quiet).unwrap();
        let sample = *Sample::all(run.rows()).last().unwrap();
        (run.notes.join("\n"), sample, outcome.evaluation.measures[2].name.clone())
    };
    let (notes, along_x, lift) = flow("");
    assert!(notes.contains("reference area 2.0000: the shape of `plate` across x"), "{notes}");
    assert!(lift.contains("along y"), "{lift}");
    let (notes, along_y, lift) = flow("along = 'y'\n");
    assert!(notes.contains("reference area 8.0000: the shape of `plate` across y"), "{notes}");
    assert!(lift.contains("along x"), "{lift}");
    assert_eq!(along_x.force, along_y.force);
    let coefficient = |sample: &Sample, axis: usize, area: f64| 2.0 * sample.force[axis] / (0.1 * 0.1 * area);
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * b.abs() + 1e-12, "{a} {b}");
    near(along_x.coefficients[0], coefficient(&along_x, 0, 2.0));
    near(along_y.coefficients[0], coefficient(&along_y, 1, 8.0));
    near(along_y.coefficients[1], coefficient(&along_y, 0, 8.0));
    assert!(along_y.coefficients[0] > 0.1, "{along_y:?}");
    for (forces, said) in [
        ("lift = 'x'\n", ["line 16, column 8", "along one axis"]),
        ("along = 'z'\n", ["line 16, column 9", "the lattice has 2 axes"]),
        ("along = 'w'\n", ["line 16, column 9", "unknown axis `w`"]),
    ] {
        let body = "[[bodies]]\nname = 'a'\nshape = 'sphere:9,5,0.5,2'\n[forces]\nbody = 'a'\narea = 4\n";
        let message = fault(&format!("{HEAD}\n\n\n\n\n{body}{forces}"));
        assert!(said.iter().all(|part| message.contains(part)), "{forces}\n{message}");
    }
}
