//! Flows of case files beside the same flows of cases; examples; what is wrong with a file.

use std::path::Path;

mod beside;
mod faults;
mod node_fields;
mod openings;
mod placed;
mod places;
mod surfaces;

use super::*;
use crate::cases::{Observer, Progress, Run, find, read_case_file};

struct Quiet;

impl Observer for Quiet {
    fn progress(&mut self, _: &Progress) {}
}

fn read(text: &str) -> Result<(&'static Case, Settings), Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flow.toml");
    std::fs::write(&path, text).unwrap();
    read_case_file(&path)
}

/// The last state of what a file or a case states, with further settings.
fn last((case, mut settings): (&'static Case, Settings), pairs: &[&str]) -> (State, Vec<Sample>) {
    pairs.iter().for_each(|pair| settings.set_pair(pair).unwrap());
    let mut run = Run::new(case, settings).unwrap();
    let state = run.run(&mut Quiet).unwrap().state;
    (state, Sample::all(run.rows()))
}

fn of_case(name: &str, pairs: &[&str]) -> (State, Vec<Sample>) {
    let case = find(name).unwrap();
    last((case, Settings::of(case)), pairs)
}

#[test]
fn a_stated_flow_has_the_bits_of_the_case() {
    let text = "lattice = 'd2q9'\nsize = [16, 16]\ncollision = 'bgk'\nvelocity = 0.1\nviscosity = 0.1\n\
                [faces]\nsouth = 'wall'\nnorth = { name = 'wall', velocity = [0.1, 0.0] }\n";
    let steps = ["steps=120", "threads=1"];
    let (stated, _) = last(read(text).unwrap(), &steps);
    let (case, _) = of_case("couette2d", &[&steps[..], &["size=16"]].concat());
    assert!(stated == case && stated.velocity.iter().any(|u| u[0] > 0.01));
}

/// The step, its inlet a patch with a parabola, beside the case.
#[test]
fn the_step_can_be_stated() {
    let text = "lattice = 'D2Q9'\nsize = [104, 16]\nre = 100\nvelocity = 0.06666666666666667\nlength = 16\nsteps = 300\n\
                [parameters]\nmagic = 0.1875\n[faces]\neast = 'regularized-pressure'\nsouth = 'wall'\nnorth = 'wall'\n\
                [[patches]]\nname = 'inlet'\nface = 'west'\nlow = 8\nhigh = 16\n\
                rule = { name = 'regularized-velocity', velocity = { profile = 'parabolic', peak = [0.1, 0] } }\n\
                [[bodies]]\nname = 'step'\nshape = 'box:-1,-1,-1,40,8,2'\n";
    let (stated, _) = last(read(text).unwrap(), &[]);
    let (case, _) = of_case(
        "backstep2d",
        &["size=8", "length=8", "collision=trt", "steps=300", "tolerance=0", "checkpoint=0"],
    );
    assert_eq!(stated.size, case.size);
    let off = stated.velocity.iter().zip(&case.velocity).flat_map(|(a, b)| [a[0] - b[0], a[1] - b[1]]);
    assert!(crate::cases::largest(off) < 1e-13);
    assert!(case.velocity.iter().any(|u| u[0] > 0.05));
}

/// A rule of nodes that holds before walls has the corners of its face; one of links cannot.
#[test]
fn an_inlet_can_hold_before_walls() {
    let text = |west: &str| {
        let faces =
            format!("[faces]\nwest = {west}\neast = 'zou-he-pressure'\nsouth = 'wall'\nnorth = 'wall'\n");
        format!("lattice = 'D2Q9'\nsize = [12, 8]\nviscosity = 0.1\nsteps = 60\n{faces}")
    };
    let inlet = |more: &str| text(&format!("{{ name = 'zou-he-velocity', velocity = [0.04, 0]{more} }}"));
    let velocities = |more: &str| last(read(&inlet(more)).unwrap(), &[]).0.velocity;
    let [left_out, last, first] = ["", ", before_walls = false", ", before_walls = true"].map(velocities);
    assert_eq!(left_out, last);
    assert_ne!(left_out, first);
    let links = text("{ name = 'half-way', before_walls = true }");
    let said = read(&links).err().unwrap().to_string();
    assert!(said.contains("cannot hold before walls") && said.contains("line 6, column 44"), "{said}");
}

/// Where a patch meets the rule of another face, what stands first in the file holds.
#[test]
fn patches_hold_in_the_order_of_the_file() {
    let velocities = |rest: &str| {
        let text = format!("lattice = 'D2Q9'\nsize = [24, 16]\nviscosity = 0.1\nsteps = 100\n{rest}");
        last(read(&text).unwrap(), &[]).0.velocity
    };
    let enters = "{ name = 'zou-he-velocity', velocity = [0.04, 0] }";
    let sides = "south = 'free-slip'\nnorth = 'free-slip'\n";
    let (whole, others) = (format!("west = {enters}\n"), "[faces]\neast = 'zou-he-pressure'\n");
    let patch = format!("[[patches]]\nname = 'in'\nface = 'west'\nlow = 0\nhigh = 16\nrule = {enters}\n");
    let first = velocities(&format!("{others}{whole}{sides}"));
    let behind = velocities(&format!("{others}{sides}{whole}"));
    assert!(velocities(&format!("{patch}{others}{sides}")) == first);
    assert!(velocities(&format!("{others}{sides}{patch}")) == behind);
    assert!(first != behind, "who holds a corner shows");
}

/// Another place of the axes and all else by keys: the force on a cylinder.
#[test]
fn a_body_with_its_force_can_be_stated() {
    let text = "title = 'cylinder'\nlattice = 'D2Q9'\nsize = [221, 41]\nre = 20\nvelocity = 0.03333333333333333\nlength = 10\n\
                steps = 2000\n[parameters]\nmagic = 0.1875\n\
                [initial]\nvelocity = { profile = 'parabolic', peak = [0.05, 0] }\nacross = 'west'\n\
                [faces]\nwest = { name = 'regularized-velocity', velocity = { profile = 'parabolic', peak = [0.05, 0] } }\n\
                east = 'regularized-pressure'\nsouth = 'wall'\nnorth = 'wall'\n\
                [[bodies]]\nname = 'cylinder'\nshape = 'cylinder:20.5,20,-1,20.5,20,2,5'\nrule = 'bouzidi'\n\
                [forces]\nbody = 'cylinder'\narea = 10\nevery = 200\n";
    let (stated, samples) = last(read(text).unwrap(), &[]);
    assert_eq!((samples.len(), samples[10].step), (11, 2000));
    let (case, others) = of_case("cylinder2d", &["size=10", "re=20", "steps=2000", "film=0"]);
    assert_eq!(stated.size, case.size);
    // They start differently, and one of them rings, so it is only about the same.
    let [own, other] = [&samples, &others].map(|samples| samples.last().unwrap().coefficients[0]);
    assert!(own > 1.0 && (own / other - 1.0).abs() < 0.3, "{own} {other}");
}

/// An area that nobody gives is that of the shape, or of the nodes where the shape does not tell it.
#[test]
fn a_reference_area_is_found_and_said() {
    let flow = |bodies: &str, size: &str| {
        let text =
            format!("lattice = 'D2Q9'\nsize = {size}\nviscosity = 0.1\nsteps = 8\nvelocity = 0.1\n{bodies}");
        let (case, settings) = read(&text).unwrap();
        let mut run = Run::new(case, settings).unwrap();
        run.run(&mut Quiet).unwrap();
        (run.notes.join("\n"), Sample::all(run.rows()))
    };
    let rod = "[initial]\nvelocity = [0.1, 0]\n[[bodies]]\nname = 'rod'\nshape = 'cylinder:20.5,10,-1,20.5,10,2,4.3'\nrule = 'bouzidi'\n";
    let forces = "[forces]\nbody = 'rod'\nevery = 8\n";
    let (notes, found) = flow(&format!("{rod}{forces}"), "[40, 20]");
    assert!(notes.contains("reference area 8.6000: the shape of `rod` across x, by rays"), "{notes}");
    // A probe of the same body has the same one.
    let probe = "probe_interval = 4\n[[probes]]\nname = 'again'\nkind = 'force'\nbody = 'rod'\n";
    let (twice, _) = flow(&format!("{probe}{rod}{forces}"), "[40, 20]");
    assert_eq!(twice.matches("reference area").count(), 1, "{twice}");
    let (notes, given) = flow(&format!("{rod}{forces}area = 17.2\n"), "[40, 20]");
    assert!(!notes.contains("reference area"), "{notes}");
    let [found, given] = [found, given].map(|samples| samples[1].coefficients[0]);
    assert!(found != 0.0 && (found / given - 2.0).abs() < 1e-2, "{found} {given}");
    // Of what is left of a shape the nodes are counted: rows 6 to 13, less 10 to 13.
    let (notes, _) = flow(&format!("{rod}subtract = ['box:0,10,-1,40,20,2']\n{forces}"), "[40, 20]");
    assert!(notes.contains("reference area 4: rows of nodes along x with one of `rod`"), "{notes}");
    // A probe alone has that of the shape, too.
    let probe = "[[probes]]\nkind = 'force'\nbody = 'rod'\n[[probes]]\nkind = 'force'\nname = 'wall'\nbody = 'south'\n";
    let (notes, _) = flow(&format!("{rod}{probe}[faces]\nsouth = 'wall'\nnorth = 'wall'\n"), "[40, 20]");
    assert!(notes.contains("reference area 8.6000: the shape of `rod`"), "{notes}");
    assert!(notes.contains("reference area 40: the face South has it from wall to wall"), "{notes}");
    // A face has its own.
    let (notes, _) =
        flow("[faces]\nsouth = 'wall'\nnorth = 'wall'\n[forces]\nbody = 'south'\nevery = 8\n", "[40, 20]");
    assert!(notes.contains("reference area 40: the face South"), "{notes}");
}

#[test]
fn the_examples_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    assert!(files.len() >= 2);
    for path in files {
        let (state, samples) = last(read_case_file(&path).unwrap(), &["steps=40", "film=0"]);
        assert!(state.velocity.iter().flatten().any(|&u| u.abs() > 1e-3), "{}", path.display());
        assert!(samples.iter().all(|sample| sample.force.iter().all(|force| force.is_finite())));
    }
}

fn fault(text: &str) -> String {
    read(text).map(|_| ()).expect_err("must be refused").to_string()
}

fn message(rest: &str) -> String {
    let result =
        read(&format!("{HEAD}{rest}")).and_then(|(case, settings)| Run::new(case, settings).map(|_| ()));
    result.expect_err("must be refused").to_string()
}

const HEAD: &str = "lattice = 'D2Q9'\nsize = [20, 10]\nviscosity = 0.1\nsteps = 1\n";

/// A mean and a pulse that a ramp begins, beside the same rule in Rust.
#[test]
fn values_of_a_file_may_change_in_time() {
    use crate::simulation::PlacedRule;
    use lbm_core::rules::Course;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pulse.csv"), "time, factor\n0, 0\n0.5, 1\n2, -0.5\n").unwrap();
    let text = "lattice = 'D2Q9'\nsize = [16, 12]\nviscosity = 0.1\nsteps = 90\n[faces]\nsouth = 'wall'\nnorth = 'wall'\n\
                west = { name = 'regularized-velocity', velocity = [\
                { profile = 'parabolic', peak = [0.05, 0], ramp = 40 }, \
                { value = [0.02, 0], table = 'pulse.csv', unit = 10, period = 30, ramp = 20 } ] }\n\
                east = { name = 'regularized-pressure', density = { value = 1.01, period = 24 } }\n";
    let path = folder.path().join("flow.toml");
    std::fs::write(&path, text).unwrap();
    let (stated, _) = last(read_case_file(&path).unwrap(), &[]);
    let points = [[0.0, 0.0], [5.0, 1.0], [20.0, -0.5]];
    let pulse = Course::ramp(20).unwrap().times(&Course::linear(&points, Some(30)).unwrap()).unwrap();
    let sine = |step| (2.0 * std::f64::consts::PI / 24.0 * step as f64).sin();
    let peak = |[_, y, _]: [f64; 3]| [0.05 * (y / 6.0) * (2.0 - y / 6.0), 0.0];
    let west = PlacedRule::named("regularized-velocity").with_at("velocity", peak);
    let west = west.in_time("velocity", Course::ramp(40).unwrap());
    let west = west.with("velocity", [0.02, 0.0]).in_time("velocity", pulse);
    let east = PlacedRule::named("regularized-pressure").with("density", [1.01]);
    let east = east.in_time("density", Course::periodic(24, sine).unwrap());
    let mut problem = Problem {
        size: Some([16, 12].into()),
        viscosity: Some(Viscosity::Value(0.1)),
        rules: vec![(Face::West, west), (Face::East, east)],
        ..Problem::default()
    };
    for face in [Face::South, Face::North] {
        problem.faces[face.index()] = FaceRule::WALL;
    }
    let mut flow = crate::variants::build("d2q9-trt-f64-soa-dense-two-lattice-pull", problem).unwrap();
    flow.run(90).unwrap();
    let off = stated.velocity.iter().zip(flow.velocity().unwrap()).map(|(a, b)| a[0] - b[0]);
    assert!(crate::cases::largest(off) < 1e-15);
    assert!(stated.velocity.iter().any(|u| u[0] > 0.02));
}

/// Layers beside faces and a shape, beside the same in Rust.
#[test]
fn a_file_may_have_sponges() {
    use crate::simulation::{PlacedRule, Region};
    let text = "lattice = 'D2Q9'\nsize = [30, 12]\nviscosity = 0.1\nsteps = 60\n\
                [faces]\nwest = { name = 'zou-he-velocity', velocity = [0.05, 0] }\neast = 'zou-he-pressure'\n\
                [[regions]]\nname = 'behind'\nface = 'east'\ndepth = 10\n\
                rule = { name = 'sponge', velocity = [0.04, 0], strength = { profile = 'rising', peak = 0.2, exponent = 3 } }\n\
                [[regions]]\nname = 'before'\nface = 'west'\ndepth = 4\n\
                rule = { name = 'sponge', velocity = [0.05, 0], strength = { profile = 'rising', peak = 0.1 } }\n\
                [[regions]]\nname = 'spot'\nshape = 'sphere:9,5,0.5,2'\n\
                rule = { name = 'sponge', velocity = [0, 0.01], density = 1.01, strength = 0.05 }\n";
    let (stated, _) = last(read(text).unwrap(), &[]);
    let sponge = |velocity: [f64; 2]| PlacedRule::named("sponge").with("velocity", velocity);
    let region = |contains: fn([usize; 3]) -> bool, rule| Region::new("a", Box::new(contains), rule);
    let behind =
        sponge([0.04, 0.0]).with_each("strength", |[x, ..]| [0.2 * (1.0 - (29 - x) as f64 / 10.0).powi(3)]);
    let before = sponge([0.05, 0.0]).with_each("strength", |[x, ..]| [0.1 * (1.0 - x as f64 / 4.0).powi(2)]);
    let spot = sponge([0.0, 0.01]).with("density", [1.01]).with("strength", [0.05]);
    let problem = Problem {
        size: Some([30, 12].into()),
        viscosity: Some(Viscosity::Value(0.1)),
        rules: vec![
            (Face::West, PlacedRule::named("zou-he-velocity").with("velocity", [0.05, 0.0])),
            (Face::East, PlacedRule::named("zou-he-pressure")),
        ],
        regions: vec![
            region(|[x, ..]| x > 19, behind),
            region(|[x, ..]| x < 4, before),
            region(|[x, y, _]| (x as f64 - 8.5).powi(2) + (y as f64 - 4.5).powi(2) < 4.0, spot),
        ],
        ..Problem::default()
    };
    let mut flow = crate::variants::build("d2q9-trt-f64-soa-dense-two-lattice-pull", problem).unwrap();
    flow.run(60).unwrap();
    let off =
        stated.velocity.iter().zip(flow.velocity().unwrap()).flat_map(|(a, b)| [a[0] - b[0], a[1] - b[1]]);
    assert!(crate::cases::largest(off) < 1e-14);
    assert!(stated.velocity.iter().any(|u| u[1].abs() > 1e-4));
}

/// A mask gives the box its size; what is dark is solid.
#[test]
fn a_mask_is_a_body_and_the_box() {
    let folder = tempfile::tempdir().unwrap();
    let mut encoder =
        png::Encoder::new(std::fs::File::create(folder.path().join("mask.png")).unwrap(), 12, 8);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..96).map(|at| if at % 12 == 5 && at / 12 < 3 { 0 } else { 255 }).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let path = folder.path().join("flow.toml");
    let text = "lattice = 'D2Q9'\nviscosity = 0.1\nforce = [1e-5, 0]\nsteps = 50\n[[bodies]]\nname = 'comb'\nfile = 'mask.png'\n";
    std::fs::write(&path, text).unwrap();
    let (state, _) = last(read_case_file(&path).unwrap(), &[]);
    assert_eq!(state.size, [12, 8, 1]);
    // Pictures have their first row on top.
    let solid: Vec<usize> = (0..96).filter(|&node| state.velocity[node][0] == 0.0).collect();
    assert_eq!(solid, [65, 77, 89]);
    std::fs::write(&path, format!("size = [12, 9]\n{text}")).unwrap();
    let message = read_case_file(&path).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("line 7, column 8") && message.contains("[12, 8, 1]"), "{message}");
    // Twice as large and turned, in a larger box: the comb's tooth, 1 x 3 pixels, is 6 x 2 nodes.
    let placed = |rest: &str| {
        std::fs::write(&path, format!("size = [20, 30]\n{text}{rest}\n")).unwrap();
        read_case_file(&path).map(|read| last(read, &[]).0)
    };
    let state = placed("scale = 2\nrotate = [0, 0, 90]\nat = [10, 14]").unwrap();
    let solid: Vec<usize> = (0..600).filter(|&node| state.velocity[node][0] == 0.0).collect();
    let [first, second] = [12, 13].map(|y| (2..8).map(move |x| x + 20 * y));
    assert_eq!(solid, first.chain(second).collect::<Vec<_>>());
    for (rest, parts) in [
        ("rotate = [0, 0, 45]\nat = [10, 14]", ["line 9, column 10", "multiples of 90 degrees"]),
        ("scale = 1.5\nat = [10, 14]", ["line 9, column 9", "whole numbers from 1"]),
        ("at = [10.5, 14]", ["line 8, column 8", "6 to 14, in steps of 1"]),
    ] {
        let text = placed(rest).map(|_| ()).unwrap_err().to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

/// What nodes may miss is said before a flow runs about it.
#[test]
fn thin_walls_of_a_file_are_warned_of() {
    use lbm_core::geometry::MeshBody;
    let folder = tempfile::tempdir().unwrap();
    MeshBody::Naca0012.mesh(16).unwrap().write_stl(&folder.path().join("wing.stl")).unwrap();
    let path = folder.path().join("flow.toml");
    let text = "lattice = 'D3Q19'\nsize = [24, 10, 24]\nviscosity = 0.1\nsteps = 1\n\
                [[bodies]]\nname = 'wing'\nfile = 'wing.stl'\nlength = 16\nat = [12, 5, 12]\n";
    std::fs::write(&path, text).unwrap();
    let (case, settings) = read_case_file(&path).unwrap();
    let notes = case.flow_of(&settings).unwrap().notes.join("\n");
    assert!(
        notes.contains("wing.stl: ") && notes.contains("less than a node spacing of solid behind them"),
        "{notes}"
    );
    // So thin that it takes none.
    std::fs::write(
        &path,
        text.replace("length = 16", "length = 3").replace("at = [12, 5, 12]", "at = [12, 5.01, 12]"),
    )
    .unwrap();
    let (case, settings) = read_case_file(&path).unwrap();
    let message = Run::new(case, settings).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("the body `wing` takes no node"), "{message}");
}
