//! What is across an opening that a shape says, and shapes that are made of files.

use lbm_core::geometry::MeshBody;

use super::*;

fn velocity(text: &str) -> Vec<[f64; 3]> {
    let (state, _) = last(read(text).unwrap(), &["steps=40", "threads=1"]);
    assert!(state.velocity.iter().any(|u| u.iter().any(|u| u.abs() > 0.01)), "nothing enters");
    state.velocity
}

/// That of a flow whose files lie in a folder.
fn velocity_beside(folder: &Path, text: &str) -> Vec<[f64; 3]> {
    let path = folder.join("flow.toml");
    std::fs::write(&path, text).unwrap();
    last(read_case_file(&path).unwrap(), &["steps=30", "threads=1"]).0.velocity
}

fn inlet(size: &str, place: &str) -> String {
    let peak = if size.split(',').count() == 2 { "[0.05, 0]" } else { "[0.05, 0, 0]" };
    let lattice = if size.split(',').count() == 2 { "D2Q9" } else { "D3Q19" };
    format!(
        "lattice = '{lattice}'\nsize = [{size}]\nviscosity = 0.1\nvelocity = 0.05\nprecision = 'f64'\n[faces]\neast = 'regularized-pressure'\n\
         south = 'wall'\nnorth = 'wall'\n[[patches]]\nname = 'inlet'\nface = 'west'\n{place}\n\
         rule = {{ name = 'regularized-velocity', velocity = {{ profile = 'parabolic', peak = {peak} }} }}\n"
    )
}

/// A slot and a rectangle are what they are, however they are said; else a profile is across a disk of as many nodes.
#[test]
fn a_profile_is_across_the_nodes_that_a_shape_takes() {
    let flat = |place: &str| velocity(&inlet("24, 16", place));
    assert!(flat("low = 4\nhigh = 11") == flat("shape = 'box:-1,4,-1,2,11,2'"));
    let deep = |place: &str| velocity(&inlet("16, 12, 14", place));
    assert!(deep("low = [3, 2]\nhigh = [9, 12]") == deep("shape = 'box:-1,3,2,2,9,12'"));
    // 52 nodes have their middles within four spacings of the axis.
    let radius = (52.0 / std::f64::consts::PI).sqrt();
    let round = deep("shape = 'cylinder:-1,6,7,2,6,7,4'");
    let disk = deep(&format!("centre = [6, 7]\nradius = {radius}"));
    // The middle of the nodes is a mean.
    let off = round.iter().flatten().zip(disk.into_iter().flatten());
    assert!(crate::cases::largest(off.map(|(one, other)| one - other)) < 1e-13);
    assert!(round != deep("centre = [6, 7]\nradius = 3"));
}

/// Triangles of a surface that lie in a shape have a middle and an area, as those of a name have.
#[test]
fn a_profile_is_across_the_triangles_that_a_shape_takes() {
    let folder = tempfile::tempdir().unwrap();
    MeshBody::TorusPipe.mesh(16).unwrap().write_stl(&folder.path().join("pipe.stl")).unwrap();
    let flow = |mouth: &str| {
        let text = format!(
            "lattice = 'D3Q19'\nsize = [26, 16, 8]\nviscosity = 0.1\nprecision = 'f64'\n\
             [[bodies]]\nname = 'vessel'\nfile = 'pipe.stl'\nscale = 4.6\nat = [13, 7.9, 4.1]\nfluid_inside = true\nrule = 'bouzidi'\n\
             [[bodies.patches]]\nname = 'mouth'\n{mouth}\n\
             rule = {{ name = 'bouzidi', velocity = {{ profile = 'parabolic', peak = [0, 0.04, 0] }} }}\n\
             [[bodies.patches]]\nname = 'outlet'\nrule = 'anti-bounce-back'\n"
        );
        velocity_beside(folder.path(), &text)
    };
    let named = flow("part = 'inlet'");
    assert!(named.iter().any(|u| u[1] > 0.01));
    // Both ends look along y, half of the pipe's bends apart.
    let mesh = lbm_core::geometry::Mesh::read(&folder.path().join("pipe.stl")).unwrap().scaled(4.6);
    let bounds = mesh.bounds();
    let shift: [f64; 3] =
        std::array::from_fn(|axis| [13.0, 7.9, 4.1][axis] - (bounds.low[axis] + bounds.high[axis]) / 2.0);
    let number = mesh.names().iter().position(|name| name == "inlet").unwrap();
    let opening = mesh.extents()[number];
    let [x, y, z]: [f64; 3] = std::array::from_fn(|axis| opening.middle[axis] + shift[axis]);
    let r = 1.2 * opening.radius();
    let within = format!("shape = 'cylinder:{x},{},{z},{x},{},{z},{r}'", y - 0.1, y + 0.1);
    let off = named.iter().flatten().zip(flow(&within).into_iter().flatten());
    assert!(crate::cases::largest(off.map(|(one, other)| one - other)) < 1e-13);
}

/// A surface of a file is united and subtracted as shapes are.
#[test]
fn files_are_united_and_subtracted() {
    let folder = tempfile::tempdir().unwrap();
    MeshBody::Sphere.mesh(16).unwrap().write_stl(&folder.path().join("ball.stl")).unwrap();
    let flow = |bodies: &str| {
        let text = format!(
            "lattice = 'D3Q19'\nsize = [20, 12, 12]\nviscosity = 0.1\nprecision = 'f64'\n[initial]\nvelocity = [0.05, 0, 0]\n{bodies}"
        );
        velocity_beside(folder.path(), &text)
    };
    let block = "[[bodies]]\nname = 'block'\nshape = 'box:4,3,3,9,9,9'\n";
    let ball = "file = 'ball.stl', length = 5, at = [9, 6, 6]";
    let both = flow(&format!("{block}unite = [{{ {ball} }}]\n"));
    let apart = "file = 'ball.stl'\nlength = 5\nat = [9, 6, 6]\n";
    assert!(both == flow(&format!("{block}[[bodies]]\nname = 'ball'\n{apart}")));
    // What is added has no names, whatever the file calls its parts, and is said once.
    let patch = "rule = 'bouzidi'\n[[bodies.patches]]\nname = 'sphere'\nrule = 'half-way'\n";
    let path = folder.path().join("flow.toml");
    let refused = |body: &str| {
        let text = format!("lattice = 'D3Q19'\nsize = [20, 12, 12]\nviscosity = 0.1\n{body}");
        std::fs::write(&path, text).unwrap();
        read_case_file(&path).map(drop).unwrap_err().to_string()
    };
    let text = refused(&format!("{block}unite = [{{ {ball} }}]\n{patch}"));
    assert!(text.contains("part of the surface") && text.contains("sphere"), "{text}");
    let text = refused(&format!("{block}unite = [{{ shape = 'sphere:9,6,6,2', {ball} }}]\n"));
    assert!(text.contains("either a `shape` or the surface of a `file`"), "{text}");
    let text = refused(&format!("{block}unite = [{{ at = [9, 6, 6] }}]\n"));
    assert!(text.contains("file = \"ball.stl\""), "{text}");
    let less = flow(&format!("{block}subtract = [{{ {ball} }}]\n"));
    assert!(less != flow(block) && less != both);
}
