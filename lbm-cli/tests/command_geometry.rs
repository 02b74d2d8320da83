//! `lbm geometry` and the cases in pores and vessels, as a user sees them.

use std::path::Path;
use std::process::{Command, Output};

use lbm::core::{Domain, FaceRule};
use lbm_cli::geometry::{Source, Storage, Survey};
use serde_json::Value;

fn lbm(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lbm")).args(arguments).output().expect("the command starts")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

/// A failing command exits with 1 and says why once, on stderr.
fn fails(arguments: &[&str], parts: &[&str]) {
    let output = lbm(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!message.contains("panicked"), "{message}");
    for part in parts {
        assert_eq!(message.matches(part).count(), 1, "`{part}` once in: {message}");
    }
}

/// A raw file of so many bytes, of which some are solid.
fn voxels(folder: &Path, name: &str, bytes: Vec<u8>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_packing_is_described_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pictures");
    let packing =
        ["geometry", "spheres", "--porosity", "0.5", "--diameter", "12", "--size", "32,32,32", "--fill"];
    let rows = objects(&stdout(&lbm(
        &[&packing[..], &["--json", "--out", out.to_str().unwrap(), "--vtk"]].concat()
    )));
    let first = &rows[0];
    assert_eq!((&first["geometry"], &first["nodes"]), (&"spheres".into(), &32768.into()));
    assert!((first["porosity"].as_f64().unwrap() - 0.5).abs() < 0.02, "{first}");
    assert_eq!(first["regions"], 1);
    for (row, edge) in rows[1..3].iter().zip([4, 8]) {
        assert_eq!(row["tiles"], serde_json::json!([edge, edge, edge]));
        let [corner, best] = ["utilisation", "best_utilisation"].map(|key| row[key].as_f64().unwrap());
        assert!(corner > 0.4 && corner <= best && best < 1.0, "{row}");
    }
    let storages: Vec<_> = rows.iter().filter(|row| row["addressing"].is_string()).collect();
    assert_eq!(storages.len(), 4 * 2 * 2);
    let fastest = |precision: &str| {
        let of = storages.iter().filter(|row| row["precision"] == precision);
        of.filter(|row| row["relative_speed"] == 1.0).count()
    };
    assert!(fastest("f32") >= 1 && fastest("f64") >= 1);
    assert!(rows.last().unwrap()["advised"].is_string());
    for file in ["slices.png", "geometry.vti"] {
        assert!(out.join(file).metadata().unwrap().len() > 5000, "{file}");
    }
    let text = stdout(&lbm(&packing));
    for part in
        ["porosity 0.", "best origin", "Eq. 19", "connectivity-matrix", "fluid-index-array", "advised: "]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn the_channel_of_the_tiles_paper_has_its_utilisations() {
    let rows = objects(&stdout(&lbm(&["geometry", "channel-square", "--side", "8", "--json"])));
    // A frame of one node: tiles at the box's corner cut the channel in three along both axes.
    let of = |key: &str| rows[1][key].as_f64().unwrap();
    assert!((of("utilisation") - 64.0 / 144.0).abs() < 1e-12 && of("best_utilisation") == 1.0);
    assert_eq!(rows[1]["best_origin"], serde_json::json!([1, 1, 0]));
}

#[test]
fn footprints_are_those_of_the_variants() {
    let source =
        Source::named("sc", &lbm_cli::geometry::Dimensions { edge: Some(24), ..Default::default() }).unwrap();
    let geometry = source.geometry().unwrap();
    let domain: Domain = geometry.clone().into_domain([FaceRule::Periodic; 6]).unwrap();
    let storages = Storage::all(&geometry, &domain).unwrap();
    let mut compared = 0;
    for storage in &storages {
        let end = format!("-{}-{}", storage.addressing, storage.streaming);
        let start = format!("d3q19-bgk-{}-", storage.precision);
        let alike =
            |entry: &&lbm_cli::variants::Entry| entry.name.starts_with(&start) && entry.name.ends_with(&end);
        for entry in lbm_cli::variants::all().iter().filter(alike) {
            assert_eq!(entry.facts.bytes_of(&domain).unwrap(), storage.bytes(), "{}", entry.name);
            compared += 1;
        }
    }
    assert!(compared >= 13, "{compared}");
    // The paper's Eq. 16, and the project's bound for one copy in f32.
    let matrix = storages.iter().find(|storage| {
        (storage.addressing, storage.streaming, storage.precision) == ("connectivity-matrix", "aa", "f32")
    });
    let bytes = matrix.unwrap().population_bytes as f64 / geometry.fluid_nodes() as f64;
    assert!((bytes - 76.0).abs() < 1e-9, "{bytes}");
    // Without solids nothing beats the dense box.
    let free = lbm::core::Geometry::empty([32; 3]).unwrap();
    let survey = Survey::of(&free, [FaceRule::Periodic; 6]).unwrap();
    assert_eq!(survey.advice().unwrap().storage.addressing, "dense");
}

#[test]
fn what_is_wrong_with_a_geometry_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let solid = voxels(folder.path(), "solid.raw", vec![1; 512]);
    fails(&["geometry", &solid, "--size", "8,8,8"], &["fluid nodes = 0 of 512", "with --subtract"]);
    fails(&["geometry", &solid, "--size", "8,8,9"], &["has 512 bytes", "has 576 nodes"]);
    fails(&["geometry", &solid, "--size", "8,8,0"], &["at least 1 node along each axis"]);
    fails(&["geometry", &solid], &["--size NX,NY,NZ"]);
    // Two planes of fluid, four of which a solid pair keeps apart.
    let apart: Vec<u8> = (0..512).map(|node| u8::from(node / 64 % 4 >= 2)).collect();
    let apart = voxels(folder.path(), "apart.raw", apart);
    let unconnected = ["geometry", &apart, "--size", "8,8,8"];
    fails(
        &unconnected,
        &["2 regions that are not connected", "the others 128 (5.00e-1 of all fluid)", "add `--fill`"],
    );
    let said = lbm(&unconnected);
    assert!(String::from_utf8_lossy(&said.stdout).contains("regions     2: 128 nodes"), "{said:?}");
    assert!(stdout(&lbm(&[&unconnected[..], &["--fill"]].concat())).contains("after 128 nodes"));
    fails(
        &["geometry", "spheres", "--size", "100000,100000,100000", "--porosity", "0.2"],
        &[
            "100000 x 100000 x 100000 nodes",
            "to be surveyed",
            "dense 7",
            "tiled4",
            "fluid-index-array",
            "none would fit",
        ],
    );
    fails(&["geometry", "spheres", "--scale", "2"], &["--scale is not for spheres"]);
    fails(&["geometry", "spheres", "--porosity", "0"], &["porosity = 0"]);
    fails(&["geometry", "none.png"], &["none.png"]);
}

#[test]
fn a_cavity_is_the_same_wherever_its_populations_lie() {
    let folder = tempfile::tempdir().unwrap();
    let fields = |set: &[&str]| {
        let out = folder.path().join(set.concat());
        let small =
            ["run", "cavity3d", "--out", out.to_str().unwrap(), "--set", "size=12", "--set", "steps=20"];
        let set: Vec<&str> = set.iter().flat_map(|pair| ["--set", pair]).collect();
        let text = stdout(&lbm(&[&small[..], &set].concat()));
        (std::fs::read(out.join("fields_000000020.vti")).unwrap(), text)
    };
    let (whole, _) = fields(&[]);
    for addressing in ["tiled4", "connectivity-matrix", "fluid-index-array"] {
        for layout in ["soa", "aosoa128"] {
            let chosen = [format!("addressing={addressing}"), format!("layout={layout}")];
            let (found, text) = fields(&[&chosen[0], &chosen[1], "streaming=aa"]);
            assert!(text.contains(&format!("{layout}-{addressing}-aa")), "{text}");
            assert!(found == whole, "{chosen:?}");
        }
    }
}

#[test]
fn pores_have_the_same_permeability_in_every_addressing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let small =
        ["run", "porous", "--out", out, "--set", "size=24", "--set", "diameter=12", "--set", "fill=true"];
    let mut found: Vec<Value> = Vec::new();
    for storage in ["dense", "tiled4", "connectivity-matrix"] {
        let addressing = format!("addressing={storage}");
        let text = stdout(&lbm(&[&small[..], &["--set", &addressing, "--set", "steps=300"]].concat()));
        assert!(
            text.contains("the permeability is within 1e-4 of where it settles, by looks every 216 steps"),
            "{text}"
        );
        assert!(text.contains("permeability k / d^2") && text.contains(storage), "{text}");
        let summary = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
        let summary: Value = serde_json::from_str(&summary).unwrap();
        found.push(summary["measures"].clone());
    }
    assert_eq!((&found[0], &found[1]), (&found[1], &found[2]));
    for file in ["slices.png", "speed.png", "fields.pvd", "mass_flow.csv"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    let table = std::fs::read_to_string(folder.path().join("convergence.csv")).unwrap();
    assert!(table.starts_with("step,change,permeability,left\n216.0,"), "{table}");
    let image = std::fs::read(folder.path().join("fields_000000300.vti")).unwrap();
    assert!(String::from_utf8_lossy(&image).contains("Name=\"vtkGhostType\""));
    // A packing with a pore that no other leads to.
    let closed = [
        "run",
        "porous",
        "--out",
        out,
        "--set",
        "size=32",
        "--set",
        "diameter=8",
        "--set",
        "seed=1",
        "--set",
        "steps=1",
    ];
    fails(
        &closed,
        &["the others 3 (1.84e-4 of all fluid)", "add `--set fill=true`, which makes the others solid"],
    );
    stdout(&lbm(&[&closed[..], &["--set", "fill=true"]].concat()));
    let other = ["run", "porous", "--set", "precision=f16in64"];
    fails(&other, &["trt-guo on D3Q19 in f16in64 is not compiled in for the CPU", "precision: F16In64,"]);
    fails(
        &["run", "porous", "--set", "size=4096"],
        &["need at least", "with the addressing `tiled4`", "by addressing: dense"],
    );
}

#[test]
fn a_vessel_is_run_to_its_flow_rate() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let text = stdout(&lbm(&["run", "vessel", "--out", out, "--set", "size=68", "--set", "steps=200"]));
    for part in
        ["flow rate along the axis", "Reynolds number at the ends", "fluid nodes at the wall", "tiled4"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(
        folder.path().join("slices.png").is_file() && folder.path().join("section_velocity.csv").is_file()
    );
    fails(&["run", "vessel", "--set", "size=70"], &["70 nodes along z", "a multiple of 4"]);
}

#[test]
fn bodies_are_made_and_surveyed() {
    let folder = tempfile::tempdir().unwrap();
    let car = folder.path().join("car.stl").to_str().unwrap().to_owned();
    stdout(&lbm(&["geometry", "--make", "ahmed-body", "--to", &car, "--detail", "24"]));
    let out = folder.path().join("pictures").to_str().unwrap().to_owned();
    let rows = objects(&stdout(&lbm(&["geometry", &car, "--scale", "40", "--json", "--out", &out])));
    let first = &rows[0];
    assert_eq!(first["size"], serde_json::json!([56, 30, 26]), "{first}");
    let solid = first["nodes"].as_f64().unwrap() - first["fluid_nodes"].as_f64().unwrap();
    // A body 12 nodes high is rounded to whole nodes.
    assert!((solid / (0.1130 * 40f64.powi(3)) - 1.0).abs() < 0.06, "{solid}");
    let patches: Vec<&Value> = rows.iter().filter_map(|row| row.get("patch")).collect();
    assert_eq!(patches, ["front", "sides", "slant", "base"]);
    let body = rows.iter().find(|row| row["body"].is_string()).unwrap();
    assert_eq!((&body["watertight"], &body["turned"]), (&true.into(), &0.into()), "{body}");
    let region = rows.iter().find(|row| row["region"].is_string()).unwrap();
    assert_eq!(region["nodes"].as_f64(), Some(solid));
    assert!(Path::new(&out).join("slices.png").is_file());
    // Taken away where it is, and a ball put in its place.
    let box_of = ["--subtract", "box:0,0,0,60,60,60", "--unite", "sphere:5,5,5,1.2"];
    let rows =
        objects(&stdout(&lbm(&[&["geometry", &car, "--scale", "40", "--json"][..], &box_of].concat())));
    assert_eq!(rows[0]["porosity"], 1.0);
    let pipe = folder.path().join("pipe.stl").to_str().unwrap().to_owned();
    stdout(&lbm(&["geometry", "--make", "torus-pipe", "--to", &pipe, "--detail", "24"]));
    let text = stdout(&lbm(&["geometry", &pipe, "--scale", "10", "--fluid-inside"]));
    for part in [
        "patch       inlet: 24 triangles",
        "looks along (0.00, -1.00, 0.00)",
        "body        wall: watertight, 1 parts",
        "region      wall:",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The survey, which can take long, comes last.
    let places = ["size ", "patch ", "body ", "region ", "regions ", "addressing "];
    let places = places.map(|word| text.find(&format!("\n{word}")).unwrap());
    assert!(places.is_sorted(), "{text}");
    let broken = folder.path().join("broken.stl").to_str().unwrap().to_owned();
    stdout(&lbm(&["geometry", "--make", "broken", "--to", &broken]));
    let text = stdout(&lbm(&["geometry", &broken, "--scale", "32"]));
    for part in [
        "not watertight",
        "edges are open",
        "face the wrong side",
        "have no area",
        "triangles of one body pass through those of another",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// Two boxes with a gap between them: of fluid, or of solid where the fluid is in them.
#[test]
fn thin_walls_and_gaps_between_bodies_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let corners = |low: f64| {
        (0..8).map(move |n| [low + f64::from(8 * (n & 1)), f64::from(4 * (n & 2)), f64::from(2 * (n & 4))])
    };
    let faces = "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\nf -8 -4 -2 -6\nf -7 -5 -1 -3\n";
    let body = |name: &str, low: f64| {
        let vertices = corners(low).map(|[x, y, z]| format!("v {x} {y} {z}\n"));
        format!("{}g {name}\n{faces}", vertices.collect::<String>())
    };
    let two = voxels(folder.path(), "two.obj", (body("one", 0.0) + &body("two", 8.2)).into_bytes());
    let text = stdout(&lbm(&["geometry", &two, "--scale", "1"]));
    let warning = |what: &str| {
        format!("warning     between bodies, 4 triangles have less than a node spacing of {what} them")
    };
    assert!(text.contains(&warning("fluid before")) && text.matches("warning ").count() == 1, "{text}");
    let rows = objects(&stdout(&lbm(&["geometry", &two, "--scale", "1", "--json"])));
    let surface = rows.iter().find_map(|row| row.get("surface")).unwrap();
    assert_eq!((&surface["thin_walls_by_others"], &surface["thin_gaps_by_others"]), (&0.into(), &4.into()));
    // The boxes are not connected.
    let inside =
        String::from_utf8(lbm(&["geometry", &two, "--scale", "1", "--fluid-inside"]).stdout).unwrap();
    assert!(inside.contains(&warning("solid behind")), "{inside}");
}

#[test]
fn surfaces_that_are_wrong_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| voxels(folder.path(), name, bytes.to_vec());
    let ball = folder.path().join("ball.stl").to_str().unwrap().to_owned();
    stdout(&lbm(&["geometry", "--make", "sphere", "--to", &ball, "--detail", "16"]));
    let whole = std::fs::read(&ball).unwrap();
    let mut claims = whole.clone();
    claims[80..84].copy_from_slice(&1_000_000_000u32.to_le_bytes());
    let mut nan = whole.clone();
    nan[96..100].copy_from_slice(&f32::NAN.to_le_bytes());
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    let refused = |arguments: &[&str], parts: &[&str]| {
        fails(&[&["geometry"][..], arguments, &["--out", &out]].concat(), parts);
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    };
    refused(&[&file("empty.stl", b"")], &["the file is empty"]);
    refused(&[&file("cut.stl", &whole[..500])], &["but the file has 500"]);
    refused(&[&file("claims.stl", &claims)], &["1000000000 triangles", "export the surface again"]);
    refused(&[&file("nan.stl", &nan)], &["triangle 1 = NaN", "at most 1e30"]);
    refused(&[&ball, "--scale", "1e12"], &["scale = 1000000000000", "1.000e0 to 1.049e6"]);
    refused(&[&ball, "--scale", "60000"], &["by addressing"]);
    refused(&[&ball, "--scale", "nan"], &["scale = NaN"]);
    refused(&[&ball, "--porosity", "0.5"], &["--porosity is not for", "--fluid-inside"]);
    refused(&[&ball, "--unite", "ball:1,2,3,4"], &["unknown shape `ball`"]);
    refused(&[&ball, "--scale", "-1"], &["scale = -1"]);
    refused(&["ball.stk"], &["*.stl, *.obj, *.png, *.nrrd, *.raw"]);
    fails(&["geometry", &ball, "--size", "8,8,8", "--at", "90,0,0"], &["no node lies inside", "--at"]);
    fails(&["geometry", &ball, "--size", "4,4,4", "--scale", "40"], &["0 of 64", "with --fluid-inside"]);
    // A box for which no scale was given.
    for (size, said) in [("0,32,32", "--size = 0 x 32 x 32"), ("32,32", "--size = 32 x 32 x 1")] {
        fails(&["geometry", &ball, "--size", size], &[said, "give the nodes along x, y and z"]);
    }
    fails(&["geometry", "--make", "cube", "--to", "cube.stl"], &["unknown body `cube`"]);
    fails(&["geometry", "--make", "sphere", "--to", &ball, "--detail", "1"], &["detail = 1", "4 to 10000"]);
    assert_eq!(std::fs::read(&ball).unwrap(), whole);
}

/// Voxels and masks lie in a larger box, turned and enlarged.
#[test]
fn voxels_are_put_in_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let stack = [&b"NRRD0004\ntype: uint8\nsizes: 3 2 2\nencoding: raw\n\n"[..], &[1; 12]].concat();
    let stack = voxels(folder.path(), "stack.nrrd", stack);
    let first = |rest: &[&str]| {
        let rows = objects(&stdout(&lbm(&[&["geometry", &stack, "--json"], rest].concat())));
        [&rows[0]["nodes"], &rows[0]["porosity"]].map(|number| number.as_f64().unwrap())
    };
    assert_eq!(first(&["--size", "6,4,4"]), [96.0, 1.0 - 12.0 / 96.0]);
    let placed = ["--size", "8,8,4", "--scale", "2", "--rotate", "0,0,90", "--at", "4,4,2"];
    assert_eq!(first(&placed), [256.0, 0.625]);
    fails(&["geometry", &stack, "--at", "4,3,2"], &["the size of the box", "--size NX,NY,NZ"]);
    fails(&["geometry", &stack, "--rotate", "0,0,30"], &["multiples of 90 degrees"]);
    fails(&["geometry", &stack, "--size", "8,6,4", "--at", "4,3,2"], &["1.5 to 6.5, in steps of 1"]);
    let raw = voxels(folder.path(), "raw.raw", vec![1, 0, 0, 0]);
    let rows = objects(&stdout(&lbm(&["geometry", &raw, "--size", "4,1,1", "--scale", "3", "--json"])));
    assert_eq!((&rows[0]["nodes"], &rows[0]["porosity"]), (&12.into(), &0.75.into()));
}
