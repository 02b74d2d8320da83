//! `lbm run body`, from a file to drag and pictures, and what broken files do.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const LBM: &str = env!("CARGO_BIN_EXE_lbm");

fn lbm(arguments: &[&str]) -> Output {
    Command::new(LBM).args(arguments).output().unwrap()
}

fn message(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A body as STL.
fn make(body: &str, path: &Path) {
    let made = lbm(&["geometry", "--make", body, "--to", path.to_str().unwrap(), "--detail", "12"]);
    assert!(made.status.success(), "{}", message(&made));
}

/// Runs the case with settings into a folder.
fn run(file: &Path, out: &Path, settings: &[&str]) -> Output {
    let file = format!("file={}", file.display());
    let mut command = Command::new(LBM);
    command.args(["run", "body", "--out", out.to_str().unwrap(), "--set", &file]);
    for setting in
        ["size=10", "steps=40", "film=10", "beside=0.5", "before=0.5", "behind=1"].iter().chain(settings)
    {
        command.args(["--set", setting]);
    }
    command.output().unwrap()
}

#[test]
fn a_file_becomes_drag_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("car.stl"), folder.path().join("out"));
    make("ahmed-body", &file);
    let output = run(&file, &out, &["floor=moving", "clearance=0.2", "output=20"]);
    assert!(output.status.success(), "{}", message(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("note       blockage ") && text.contains("it raises the drag"), "{text}");
    assert!(text.contains("reference area") && text.contains("drag coefficient at the end"), "{text}");
    let forces = fs::read_to_string(out.join("forces.csv")).unwrap();
    let drag: Vec<f64> =
        forces.lines().skip(1).map(|row| row.split(',').nth(8).unwrap().parse().unwrap()).collect();
    assert!(drag.len() >= 4 && drag.iter().all(|&drag| drag > 0.0), "{forces}");
    for name in [
        "speed.png",
        "slices.png",
        "film.gif",
        "profiles.png",
        "fields.pvd",
        "fields_000000040.vti",
        "summary.json",
    ] {
        assert!(out.join(name).metadata().unwrap().len() > 0, "{name}");
    }
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["settings"]["file"], file.to_str().unwrap());
    assert!(summary["notes"][0].as_str().unwrap().starts_with("blockage"));
}

/// The body's axes: a wing lies flat, and stands upright where its file's axis y is up.
#[test]
fn a_body_is_turned() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("wing.stl"), folder.path().join("out"));
    make("naca0012", &file);
    let size = |settings: &[&str]| {
        let output = run(&file, &out, &[settings, &["steps=1", "film=0"]].concat());
        assert!(output.status.success(), "{}", message(&output));
        let text = fs::read_to_string(out.join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
        summary["size"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(size(&[]), [26, 21, 13]);
    assert_eq!(size(&["up=y"]), [26, 13, 21]);
    assert_eq!(size(&["up=y", "turn_y=90"]), [26, 13, 21]);
    assert_eq!(size(&["turn_z=90"]), [18, 21, 21]);
}

#[test]
fn broken_files_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let good = folder.path().join("good.stl");
    make("sphere", &good);
    let whole = fs::read(&good).unwrap();
    let refused = |name: &str, bytes: &[u8], settings: &[&str], parts: &[&str]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let output = run(&path, &out, settings);
        let text = message(&output);
        assert!(!output.status.success(), "{name}");
        assert!(parts.iter().all(|part| text.contains(part)), "{name}: {text}");
        assert!(!out.exists(), "{name}");
    };
    refused("empty.stl", b"", &[], &["empty.stl", "the file is empty"]);
    refused("none.stl", b"solid a\nendsolid a\n", &[], &["0 triangles"]);
    refused("cut.stl", &whole[..whole.len() - 7], &[], &["cut.stl", "triangles"]);
    let mut nan = whole.clone();
    nan[84 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    refused("nan.stl", &nan, &[], &["triangle 1", "NaN"]);
    let mut claims = whole.clone();
    claims[80..84].copy_from_slice(&1_000_000_000u32.to_le_bytes());
    refused("claims.stl", &claims, &[], &["says 1000000000 triangles"]);
    refused("text.ply", b"ply", &[], &["neither in .stl nor in .obj"]);
    // A triangle far away, no longer than rounding.
    refused(
        "far.obj",
        b"v 1e9 1 1\nv 1e9 1.01 1\nv 1e9 1 1.01\nf 1 2 3\n",
        &[],
        &["the length of the surface"],
    );
    refused(
        "part.stl",
        &whole,
        &["part=wheel"],
        &["unknown part `wheel`", "the closed parts of the surface are"],
    );
    refused("tight.stl", &whole, &["beside=0.125", "size=4096"], &["GiB"]);
    refused("full.stl", &box_stl(), &["beside=0.02", "size=200"], &["blockage", "at most 90 %"]);
    let missing = run(&folder.path().join("missing.stl"), &out, &[]);
    assert!(message(&missing).contains("missing.stl") && !out.exists());
    let unset = lbm(&["run", "body", "--out", out.to_str().unwrap()]);
    assert!(message(&unset).contains("the setting `file`") && !out.exists(), "{}", message(&unset));
}

/// A plate as wide as the tunnel will be: 0.02 along the flow, 1 and 40 across.
fn box_stl() -> Vec<u8> {
    let corner = |n: usize| [[0.0, 0.02][n & 1], [0.0, 40.0][n >> 1 & 1], [0.0, 40.0][n >> 2 & 1]];
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let mut text = "solid plate\n".to_owned();
    for [a, b, c, d] in sides {
        for triangle in [[a, b, c], [a, c, d]] {
            text += "facet normal 0 0 0\nouter loop\n";
            for n in triangle {
                let [x, y, z] = corner(n);
                text += &format!("vertex {x} {y} {z}\n");
            }
            text += "endloop\nendfacet\n";
        }
    }
    (text + "endsolid plate\n").into_bytes()
}
