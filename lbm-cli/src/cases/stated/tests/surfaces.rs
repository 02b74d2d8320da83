//! What files say of patches of bodies' surfaces, beside the same flows in Rust.

use lbm_core::geometry::{Complement, Mesh, MeshBody, Surface as Skin};

use super::*;
use crate::cases::probes::Row;
use crate::simulation::{SurfacePart, SurfacePatch};

/// Keeps the rows of tables.
#[derive(Default)]
pub(super) struct Rows(pub(super) Vec<Row>);

impl Observer for Rows {
    fn progress(&mut self, _: &Progress) {}

    fn row(&mut self, _: &str, row: &Row) -> Result<(), Error> {
        self.0.push(row.clone());
        Ok(())
    }
}

const VESSEL: &str = "lattice = 'D3Q19'\nsize = [26, 16, 8]\nviscosity = 0.1\nprecision = 'f64'\ncollision = 'trt'\nsteps = 60\n\
    probe_interval = 20\n[[probes]]\nkind = 'flow-rate'\nsection = 'mouth'\n[[probes]]\nkind = 'pressure-drop'\nfrom = 'mouth'\nto = 'outlet'\n\
    [[bodies]]\nname = 'vessel'\nfile = 'pipe.stl'\nscale = 4.6\nat = [13, 7.9, 4.1]\nfluid_inside = true\nrule = 'bouzidi'\n\
    [[bodies.patches]]\nname = 'mouth'\npart = 'inlet'\n\
    rule = { name = 'bouzidi', velocity = { profile = 'parabolic', peak = [0, 0.04, 0], ramp = 30 } }\n\
    [[bodies.patches]]\nname = 'outlet'\nrule = 'anti-bounce-back'\n\
    [forces]\nbody = 'outlet'\narea = 16\nevery = 20\n";

/// A vessel of a file, its inlet and outlet by the names that its surface has.
#[test]
fn a_vessel_with_inlet_and_outlet_can_be_stated() {
    let folder = tempfile::tempdir().unwrap();
    let (stl, path) = (folder.path().join("pipe.stl"), folder.path().join("flow.toml"));
    MeshBody::TorusPipe.mesh(16).unwrap().write_stl(&stl).unwrap();
    std::fs::write(&path, VESSEL).unwrap();
    let (case, settings) = read_case_file(&path).unwrap();
    let mut run = Run::new(case, settings).unwrap();
    let mut rows = Rows::default();
    let state = run.run(&mut rows).unwrap().state;
    // Beside the same in Rust: the paraboloid is about the middle of the opening.
    let mesh = Mesh::read(&stl).unwrap().scaled(4.6);
    let bounds = mesh.bounds();
    let at = [13.0, 7.9, 4.1];
    let mesh = mesh.moved([0, 1, 2].map(|axis| at[axis] - (bounds.low[axis] + bounds.high[axis]) / 2.0));
    let opening = mesh.extents()[mesh.names().iter().position(|name| name == "inlet").unwrap()];
    let enters = move |point: [f64; 3]| {
        let square: f64 = (0..3).map(|axis| (point[axis] - opening.middle[axis]).powi(2)).sum();
        let depth = (1.0 - square.sqrt() / opening.radius()).clamp(0.0, 1.0);
        [0.0, 0.04 * depth * (2.0 - depth), 0.0]
    };
    let inlet = PlacedRule::named("bouzidi").with_at("velocity", enters);
    let inlet = inlet.in_time("velocity", lbm_core::rules::Course::ramp(30).unwrap());
    let patch =
        |name: &str, part: &str, rule| SurfacePatch::new(name, 0, SurfacePart::Named(part.to_owned()), rule);
    let problem = Problem {
        size: Some([26, 16, 8].into()),
        viscosity: Some(Viscosity::Value(0.1)),
        surfaces: vec![Surface::new(
            Box::new(Complement(Skin::of(mesh).unwrap())),
            PlacedRule::named("bouzidi"),
        )],
        surface_patches: vec![
            patch("mouth", "inlet", inlet),
            patch("outlet", "outlet", PlacedRule::named("anti-bounce-back")),
        ],
        ..Problem::default()
    };
    let mut flow = crate::variants::build("d3q19-trt-f64-soa-dense-two-lattice-pull", problem).unwrap();
    flow.run(60).unwrap();
    let off = state.velocity.iter().flatten().zip(flow.velocity().unwrap().into_iter().flatten());
    assert!(crate::cases::largest(off.map(|(a, b)| a - b)) < 1e-14);
    assert!(state.velocity.iter().any(|u| u[1] > 0.02));
    let row = rows.0.iter().rev().find(|row| row.step == 60 && row.values.len() == 2).unwrap();
    let expected = [
        flow.mass_into("mouth").unwrap(),
        flow.pressure_on("mouth").unwrap() - flow.pressure_on("outlet").unwrap(),
    ];
    assert!(row.values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-13), "{row:?} {expected:?}");
    assert!(expected[0] < -0.2, "{expected:?}");
    let samples = Sample::all(run.rows());
    assert!(samples.last().unwrap().force[1] != 0.0);
}

/// Voxels have half-way walls, and where a shape says so inlets and outlets.
#[test]
fn voxels_may_have_patches() {
    let text = "lattice = 'D2Q9'\nviscosity = 0.1\nsteps = 80\n[[bodies]]\nname = 'ends'\nshape = 'box:-9,-1,0,2,99,1'\n\
                unite = ['box:18,-1,0,99,99,1']\n[[bodies.patches]]\nname = 'in'\nshape = 'box:0,-9,0,9,99,1'\n\
                rule = { name = 'half-way', velocity = [0.03, 0] }\n\
                [[bodies.patches]]\nname = 'out'\nshape = 'box:9,-9,0,99,99,1'\nrule = 'anti-bounce-back'\n";
    let (shape, _) = last(read(&format!("size = [20, 6]\n{text}")).unwrap(), &[]);
    let folder = tempfile::tempdir().unwrap();
    let nodes: Vec<u8> = (0..120).map(|node| u8::from(!(2..18).contains(&(node % 20)))).collect();
    std::fs::write(folder.path().join("ends.raw"), nodes).unwrap();
    let of_file =
        text.replace("shape = 'box:-9,-1,0,2,99,1'\nunite = ['box:18,-1,0,99,99,1']", "file = 'ends.raw'");
    assert!(of_file.contains("ends.raw"));
    let path = folder.path().join("flow.toml");
    std::fs::write(&path, format!("size = [20, 6]\n{of_file}")).unwrap();
    let (voxels, _) = last(read_case_file(&path).unwrap(), &[]);
    assert!(shape == voxels && shape.velocity.iter().any(|u| u[0] > 0.02));
}

/// A rule of links stands at voxels as at a shape that is met half-way: one that moves, one that slips.
#[test]
fn voxels_may_have_a_rule() {
    let text = "lattice = 'D2Q9'\nsize = [20, 8]\nviscosity = 0.1\nsteps = 80\nforce = [1e-5, 0]\n[[bodies]]\nname = 'block'\n\
                shape = 'box:6,2,0,12,4,1'\n";
    let folder = tempfile::tempdir().unwrap();
    let solid = |node: usize| (6..12).contains(&(node % 20)) && (2..4).contains(&(node / 20));
    let nodes: Vec<u8> = (0..160).map(|node| u8::from(solid(node))).collect();
    std::fs::write(folder.path().join("block.raw"), nodes).unwrap();
    let path = folder.path().join("flow.toml");
    let rules =
        ["{ name = 'half-way', velocity = [0, 0.03] }", "'staircase-slip'", "'bouzidi'", "'half-way'"];
    let mut all = Vec::new();
    for rule in rules {
        let text = format!("{text}rule = {rule}\n");
        let (shape, _) = last(read(&text).unwrap(), &[]);
        let of_file = text.replace("shape = 'box:6,2,0,12,4,1'", "file = 'block.raw'");
        std::fs::write(&path, of_file).unwrap();
        let (voxels, _) = last(read_case_file(&path).unwrap(), &[]);
        assert!(shape == voxels && shape.velocity.iter().any(|u| u[0] > 1e-4), "{rule}");
        all.push(voxels);
    }
    // Half-way is where the interpolation is the half-way wall.
    assert!(all[0] != all[1] && all[1] != all[2] && all[2] == all[3]);
}

/// Shapes that are added to a vessel and taken from it leave its inlet and outlet their names.
#[test]
fn parts_keep_their_names_when_shapes_are_added() {
    let folder = tempfile::tempdir().unwrap();
    MeshBody::TorusPipe.mesh(16).unwrap().write_stl(&folder.path().join("pipe.stl")).unwrap();
    let path = folder.path().join("flow.toml");
    let with = |more: &str| {
        let text = VESSEL.replace("rule = 'bouzidi'\n", &format!("rule = 'bouzidi'\n{more}"));
        std::fs::write(&path, text).unwrap();
        last(read_case_file(&path).unwrap(), &[])
    };
    let (plain, _) = with("");
    let (same, _) = with("unite = ['sphere:0.5,15.5,0.5,0.8']\n");
    assert!(plain == same && plain.velocity.iter().any(|u| u[1] > 0.02));
    let (other, _) = with("unite = ['sphere:0.5,15.5,0.5,0.8']\nsubtract = ['box:8,12,2,18,15.5,6']\n");
    assert!(other.velocity.iter().any(|u| u[1] > 0.02) && plain != other);
}

/// Shapes that are added or taken away, and hold no node.
#[test]
fn shapes_that_hold_no_node_are_warned_of() {
    let body = |rest: &str| {
        let text = format!(
            "lattice = 'D2Q9'\nsize = [20, 20]\nviscosity = 0.1\nsteps = 1\n[[bodies]]\nname = 'b'\nshape = 'box:3,3,0,9,9,1'\n{rest}"
        );
        let (case, settings) = read(&text).unwrap();
        case.flow_of(&settings).unwrap().notes.join("\n")
    };
    let notes =
        body("unite = ['sphere:15,15,0.5,0.2', 'box:12,3,0,14,5,1']\nsubtract = ['box:30,3,0,34,9,1']\n");
    assert!(notes.contains("`unite` of the body `b`: 1 of 2 shapes hold no node"), "{notes}");
    assert!(notes.contains("`subtract` of the body `b`: 1 of 1 shapes hold no node"), "{notes}");
    let notes = body("unite = ['sphere:15.5,15.5,0.5,0.2']\nsubtract = ['box:4,4,0,5,5,1']\n");
    assert!(!notes.contains("hold no node"), "{notes}");
}

/// The pressure at the inlet of a vessel holds what enters there.
#[test]
fn a_flow_rate_can_be_held_at_an_inlet_of_a_surface() {
    let folder = tempfile::tempdir().unwrap();
    MeshBody::TorusPipe.mesh(16).unwrap().write_stl(&folder.path().join("pipe.stl")).unwrap();
    let path = folder.path().join("flow.toml");
    let (before, behind) = VESSEL.split_once("rule = { name = 'bouzidi', velocity").unwrap();
    let (_, behind) = behind.split_once('\n').unwrap();
    let held = "rule = { name = 'anti-bounce-back', density = { value = 1.1, held = true } }\n";
    let text = format!("flow_rate = -0.02\n{before}{held}{behind}").replace("rule = 'bouzidi'\n", "");
    std::fs::write(&path, text.replace("steps = 60", "steps = 20000")).unwrap();
    let (case, settings) = read_case_file(&path).unwrap();
    let mut rows = Rows::default();
    let mut run = Run::new(case, settings).unwrap();
    run.run(&mut rows).unwrap();
    // The table of the controller has two columns, as that of the probes: the mass that leaves through the mouth is the first of both.
    let last = rows.0.iter().rev().find(|row| row.values.len() == 2).unwrap();
    assert!((last.values[0] / -0.02 - 1.0).abs() < 0.1, "{last:?}");
}

/// A named region of voxels is a part of their surface: an inlet, say.
#[test]
fn regions_of_voxels_may_be_patches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flow.toml");
    let labels: Vec<u8> = (0..120)
        .map(|node| match node % 20 {
            0 | 1 => 3,
            18 | 19 => 7,
            _ => 0,
        })
        .collect();
    let header = "NRRD0004\ntype: uint8\ndimension: 2\nsizes: 20 6\nencoding: raw\n\n";
    std::fs::write(folder.path().join("ends.nrrd"), [header.as_bytes(), &labels].concat()).unwrap();
    let run = |patches: [&str; 2], more: &str| {
        let [inlet, outlet] = patches;
        let text = format!(
            "lattice = 'D2Q9'\nviscosity = 0.1\nsteps = 80\n[[bodies]]\nname = 'ends'\nfile = 'ends.nrrd'\n{more}\n[[bodies.patches]]\nname = 'in'\n{inlet}\n\
             rule = {{ name = 'half-way', velocity = [0.03, 0] }}\n[[bodies.patches]]\nname = 'out'\n{outlet}\nrule = 'anti-bounce-back'\n"
        );
        std::fs::write(&path, text).unwrap();
        read_case_file(&path).map(|read| last(read, &[]).0)
    };
    let shapes = ["shape = 'box:0,-9,0,9,99,1'", "shape = 'box:9,-9,0,99,99,1'"];
    let parts = ["part = 'label 3'", "part = 'label 7'"];
    let of_shapes = run(shapes, "").unwrap();
    assert!(of_shapes == run(parts, "").unwrap() && of_shapes.velocity.iter().any(|u| u[0] > 0.02));
    // A segment that is fluid, of others around it that are solid.
    let segments: Vec<u8> = labels.iter().map(|&label| if label == 0 { 5 } else { label }).collect();
    let write = |name: &str, labels: &[u8]| {
        std::fs::write(folder.path().join(name), [header.as_bytes(), labels].concat()).unwrap();
    };
    write("ends.nrrd", &segments);
    assert!(of_shapes == run(parts, "part = 'label 5'\nfluid_inside = true").unwrap());
    // One that is fluid has no surface.
    let message = run(["part = 'label 5'", parts[1]], "part = 'label 5'\nfluid_inside = true").map(|_| ());
    assert!(message.as_ref().unwrap_err().to_string().contains("label 3, label 7"), "{message:?}");
    write("ends.nrrd", &labels);
    // What is added has no name, and the rule of the body.
    let block = "unite = ['box:2,2,0,3,4,1']";
    let part = run(parts, block).unwrap();
    assert!(part.velocity.iter().any(|u| u[0] > 0.02) && part != run(shapes, block).unwrap());
    let message = run(["part = 'label 4'", parts[1]], "").map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("did you mean `label 3`?") || message.contains("label 3, label 7"), "{message}");
}

#[test]
fn patches_of_faces_may_have_rules_of_links() {
    let text = |faces: &str, rest: &str| {
        format!(
            "lattice = 'D2Q9'\nsize = [20, 11]\nviscosity = 0.1\nsteps = 60\n[faces]\nsouth = 'wall'\nnorth = 'wall'\n{faces}\n{rest}"
        )
    };
    let patch = |name: &str, face: &str, rule: &str| {
        format!("[[patches]]\nname = '{name}'\nface = '{face}'\nlow = 0\nhigh = 11\nrule = {rule}\n")
    };
    let rules = ["{ name = 'half-way', velocity = [0.03, 0] }", "'anti-bounce-back'"];
    let whole = format!("west = {}\neast = {}", rules[0], rules[1]);
    let (whole, _) = last(read(&text(&whole, "")).unwrap(), &[]);
    let patches = [patch("in", "west", rules[0]), patch("out", "east", rules[1])].concat();
    let (patches, _) = last(read(&text("", &patches)).unwrap(), &[]);
    assert!(whole == patches && whole.velocity.iter().any(|u| u[0] > 0.02));
}

#[test]
fn faults_of_surface_patches_have_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    MeshBody::TorusPipe.mesh(8).unwrap().write_stl(&folder.path().join("pipe.stl")).unwrap();
    let path = folder.path().join("flow.toml");
    let cases: [(&str, &str, &[&str]); 6] = [
        ("part = 'inlet'", "part = 'inlt'", &["line 24, column 8", "did you mean `inlet`?"]),
        ("part = 'inlet'", "", &["line 23, column 8", "wall, inlet, outlet"]),
        ("part = 'inlet'", "part = 'inlet'\nshape = 'sphere:1,2,3,4'", &["line 25, column 9", "keep one"]),
        ("'anti-bounce-back'", "'zou-he-pressure'", &["for nodes at a face", "anti-bounce-back"]),
        ("name = 'outlet'", "name = 'mouth'\npart = 'outlet'", &["another patch of this body"]),
        ("[forces]\nbody = 'outlet'", "[forces]\nbody = 'outlt'", &["did you mean `outlet`?"]),
    ];
    for (from, to, parts) in cases {
        assert!(VESSEL.contains(from), "{from}");
        std::fs::write(&path, VESSEL.replace(from, to)).unwrap();
        let message = read_case_file(&path).map(|_| ()).expect_err("must be refused").to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{to}\n{message}");
    }
}
