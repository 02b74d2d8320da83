//! The command `lbm` as a user sees it: exit codes, one error on stderr, JSON keys, files.

#[path = "command/checks.rs"]
mod checks;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn lbm(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lbm")).args(arguments).output().expect("the command starts")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The lines of `--json` output.
fn objects(arguments: &[&str]) -> Vec<Value> {
    stdout(&lbm(arguments))
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect()
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

#[test]
fn cases_and_variants_are_listed() {
    let cases = objects(&["cases", "--json"]);
    let names: Vec<_> = cases.iter().map(|case| case["case"].as_str().unwrap()).collect();
    let known = [
        "cavity2d",
        "cavity3d",
        "taylor-green2d",
        "poiseuille2d",
        "couette2d",
        "shear3d",
        "backstep2d",
        "cylinder2d",
        "sphere",
        "body",
        "duct",
        "porous",
        "vessel",
        "womersley",
        "droplet",
        "impact",
        "emulsion",
        "rising-bubble",
        "rayleigh-taylor",
        "cavity-heated",
    ];
    assert_eq!(names, known);
    assert!(stdout(&lbm(&["cases", "cavity2d"])).contains("tolerance"));
    let variants = objects(&["variants", "--json"]);
    assert!(variants.iter().any(|v| v["variant"] == "d3q19-trt-f32-soa-dense-two-lattice-pull"));
    assert!(stdout(&lbm(&["variants", "d2q9", "mrt"])).lines().all(|name| name.starts_with("d2q9-mrt")));
}

#[test]
fn any_legal_product_runs_by_name() {
    let all = stdout(&lbm(&["variants"]));
    for part in
        ["d3q27  f32 f64: bgk trt mrt regularized", "take `regularized`, or a streaming", "tiled16x4x4"]
    {
        assert!(all.contains(part), "{part}: {all}");
    }
    let name = "d3q15-mrt-f64-aosoa8-fluid-index-array-esoteric-push";
    let [row] = &objects(&["validate", name, "--json"])[..] else { panic!("one row") };
    assert_eq!((row["variant"].as_str(), row["passed"].as_bool()), (Some(name), Some(true)));
    let forces =
        ["bench", name, "--size", "16,16,16", "--turns", "1", "--json", "--flow", "spheres", "--forces"];
    let [row] = &objects(&forces)[..] else { panic!("one row") };
    assert_eq!((row["variant"].as_str(), row["verified"].as_bool()), (Some(name), Some(true)));
    assert!(row["forces"] == true && row["share_of_periodic"].is_f64(), "{row}");
    let drawn =
        |seed: &str| objects(&["crosscheck", "--random", "12", "--seed", seed, "--device", "cpu", "--json"]);
    let (one, other) = (drawn("1"), drawn("2"));
    assert!(one.len() == 12 && one.iter().chain(&other).all(|row| row["passed"] == true));
    assert_ne!(one, other);
    let flow = ["layout=aosoa8", "streaming=ccas", "precision=f16in32", "size=8", "steps=3"];
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["run", "couette2d", "--out", folder.path().to_str().unwrap()];
    arguments.extend(flow.iter().flat_map(|set| ["--set", set]));
    let run = lbm(&arguments);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    fails(&["validate", "d2q9-bgk-f32-soa-dense-sap"], &["unknown streaming `sap`, did you mean `swap`?"]);
    fails(
        &["validate", "d2q9-bgk-f32-soa-dense-moments"],
        &["do not carry the collision; take `regularized`"],
    );
}

#[test]
fn names_that_mean_nothing_say_what_is_near() {
    let scheme = "f64-soa-dense-two-lattice-pull";
    for (name, parts) in [
        (
            "nosuch",
            &[
                "unknown lattice `nosuch`",
                "d2q9, d2q9d2q5, d2q9d2q9, d3q15, d3q15d3q15, d3q19, d3q19d3q7, d3q27",
            ][..],
        ),
        ("d2q5-bgk-f64-soa-dense-aa", &["unknown lattice `d2q5`", "`solver!`"]),
        (
            "d2q9-cumulants-f32",
            &["unknown collision `cumulants`", "did you mean `cumulant`?", "near on D2Q9"],
        ),
        (
            "d2q9-cumulant",
            &[
                "the precision, layout, addressing, streaming behind `d2q9-cumulant` is missing",
                "d2q9-cumulant-f32-soa",
            ],
        ),
        ("d2q9", &["the collision, precision, layout", "d2q9-bgk-f32-soa-dense"]),
        (
            &format!("d3q19-essentially-entropic-{scheme}"),
            &["`essentially-entropic` is not there on D3Q19", "on D2Q9, D3Q27"],
        ),
        (
            &format!("d2q9-smagorinsky-of-bgk-guo-{scheme}"),
            &["`smagorinsky-of-bgk` on D2Q9 is not there with `-guo`", "bgk-guo"],
        ),
        ("d3q19-bgk-f32-tile-best-dense-aa", &["take the addressing `tiled4`"]),
        ("d3q19-bgk-f32-soa-tiled4-ghost", &["take the addressing `dense`"]),
    ] {
        fails(&["show", name], parts);
        let message = lbm(&["show", name]).stderr;
        assert!(message.len() < 600, "{}", String::from_utf8_lossy(&message));
    }
    fails(&["variants", "nosuch"], &["unknown variant `nosuch`", "`lbm variants` lists"]);
    let all = stdout(&lbm(&["variants"]));
    let elsewhere = all.lines().find(|line| line.contains("not declared on D3Q19: ")).unwrap();
    assert!(elsewhere.contains("essentially-entropic") && !all.contains("STEPS_AT_ONCE"), "{all}");
    fails(&["crosscheck", "--random", "0", "--device", "cpu"], &["--random = 0", "from 1"]);
    let skipped =
        stdout(&lbm(&["crosscheck", "d2q9-bgk-f32-soa-dense-aa", "--device", "cpu", "--steps", "1"]));
    assert!(skipped.contains("1 passed, 0 failed\n"), "{skipped}");
    let skipped = stdout(&lbm(&[
        "crosscheck",
        "--all",
        "kbc-f32-soa-dense-two-lattice-pull",
        "--device",
        "cpu",
        "--steps",
        "1",
    ]));
    assert!(skipped.contains(" skipped: the CPU has no machine code of them"), "{skipped}");
    let [row] = &objects(&[
        "bench",
        "d2q9-regularized-f32-soa-dense-moments",
        "--size",
        "16,16,1",
        "--turns",
        "1",
        "--json",
    ])[..] else {
        panic!("one row")
    };
    assert_eq!(row["variant"], "d2q9-regularized-f32-soa-dense-moments");
}

#[test]
fn a_collision_of_a_case_is_one_that_it_can_have() {
    let refused = |sets: &[&str], parts: &[&str]| {
        let mut arguments = vec!["run"];
        arguments.extend([sets[0]]);
        arguments.extend(sets[1..].iter().flat_map(|set| ["--set", set]));
        fails(&arguments, parts);
    };
    let never = "collision = smagorinsky-of-bgk";
    refused(&["poiseuille2d", "collision=smagorinsky-of-bgk"], &[never, "one of bgk, trt"]);
    refused(
        &["cavity3d", "collision=essentially-entropic"],
        &["`essentially-entropic` is not there on D3Q19", "kbc"],
    );
    refused(&["cavity3d", "lattice=d2q9"], &["lattice = d2q9", "d3q15, d3q19, d3q27"]);
    refused(&["cavity3d", "collision=kbc", "size=8"], &["kbc on D3Q19", "in any precision", "--device cuda"]);
    refused(
        &["cavity2d", "collision=kbc", "precision=f16in32"],
        &["kbc on D2Q9 in f16in32", "--set precision= one of f32, f64"],
    );
    refused(
        &["cavity2d", "streaming=ghost", "addressing=tiled4", "layout=aosoa64"],
        &["`--set addressing=dense`"],
    );
    refused(&["cavity2d", "bulk=0.9"], &["the collision trt has no parameter `bulk`", "magic"]);
    refused(&["cavity2d", "collision=cumulant", "bulk=3"], &["parameter `bulk` = 3", "0 to 2"]);
    refused(&["cavity2d", "simd=sse2"], &["one of auto, scalar"]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let sets = ["collision=cumulant", "bulk=0.9", "size=8", "steps=2", "re=10", "checkpoint=0"];
    let mut arguments = vec!["run", "cavity2d", "--out", out];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    stdout(&lbm(&arguments));
    let summary = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["settings"]["bulk"], 0.9);
    let cases = objects(&["cases", "porous", "--json"]);
    assert!(cases[0]["settings"].as_array().unwrap().iter().any(|setting| setting["name"] == "layout"));
}

#[test]
fn a_streaming_pattern_is_drawn() {
    let drawn = stdout(&lbm(&["schemes", "aa"]));
    assert!(drawn.starts_with("## `aa`") && drawn.contains("step 1: writes") && !drawn.contains("`swap`"));
    fails(&["schemes", "esoteric-pul"], &["did you mean `esoteric-pull`?"]);
}

#[test]
fn a_kernel_is_shown_with_its_counts() {
    let variant = "d2q9-bgk-f64-soa-dense-two-lattice-pull";
    let shown = &objects(&["show", variant, "--backend", "rust", "--json"])[0];
    assert_eq!(shown["variant"], variant);
    assert_eq!(shown["bytes_per_node"], 144);
    for (key, most) in [("adds", 53), ("muls", 37), ("divs", 1)] {
        assert!(shown[key].as_u64().unwrap() <= most, "{key}: {}", shown[key]);
    }
    let text = stdout(&lbm(&["show", variant]));
    assert!(text.contains("fn collide") && text.contains("Operations a node: adds 41, muls 31, divs 1"));
    fails(
        &["show", "d2q9-bgk-f64-soa-dense-two-lattice-pul"],
        &["unknown streaming `two-lattice-pul`, did you mean `two-lattice-pull`?"],
    );
}

#[test]
fn a_kernel_is_shown_for_a_gpu() {
    let variant = "d3q19-bgk-f32-soa-dense-two-lattice-pull";
    let show = ["show", variant, "--backend", "cuda"];
    let shown = &objects(&[&show[..], &["--json"]].concat())[0];
    assert_eq!((&shown["variant"], &shown["bytes_per_node"]), (&Value::from(variant), &Value::from(152)));
    for key in ["adds", "muls", "fmas", "divs", "block", "grid", "nodes_per_thread", "source"] {
        assert!(!shown[key].is_null(), "{key}");
    }
    assert_eq!(shown["size"], serde_json::json!([512, 512, 512]));
    let text = stdout(&lbm(&[&show[..], &["--size", "96,64,32", "--shape", "2x16x4x1", "--walls"]].concat()));
    for part in [
        "Operations a node: adds 95, muls 61, divs 1",
        "Box: 96 x 64 x 32 nodes, with walls, baked in. Launch: 2 nodes a thread, block 16 x 4 x 1, grid 3 x 16 x 32.",
        ") step_0(",
        "word = linked[index >> 5], before = ranks[index >> 5];",
        "const unsigned z = blockIdx.z;",
        "h[18]: c = ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let free = stdout(&lbm(&[&show[..], &["--free-size"]].concat()));
    assert!(free.contains("const size_t nx,") && free.contains("handed to the kernel"), "{free}");
    fails(&[&show[..], &["--shape", "3x32x1x1"]].concat(), &["launch shape", "e.g. 2x"]);
    fails(&[&show[..], &["--shape", "wide"]].concat(), &["write nodes a thread and the block"]);
    fails(&[&show[..], &["--size", "64"]].concat(), &["two or three integers"]);
    fails(&["show", variant, "--walls"], &["add --backend cuda"]);
}

#[test]
fn the_doctor_speaks_of_every_part() {
    let text = stdout(&lbm(&["doctor"]));
    for part in ["SIMD ", "memory ", "cuda driver ", "cuda nvrtc ", "cuda cache ", "cuda c++ "] {
        assert!(text.lines().any(|line| line.starts_with(part)), "{part} in {text}");
    }
}

#[test]
fn a_case_writes_its_results_and_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a").join("b");
    let out = out.to_str().unwrap();
    let set = ["--set", "size=16", "--set", "steps=40", "--set", "output=20", "--set", "checkpoint=20"];
    let set = [&set[..], &["--set", "slices=10", "--set", "vtk_compression=zlib"]].concat();
    let text = stdout(&lbm(&[&["run", "cavity2d", "--out", out], &set[..]].concat()));
    assert!(
        text.contains("Ghia") && text.contains("largest difference") && text.contains("speed.png"),
        "{text}"
    );
    for file in
        ["speed.png", "profiles.png", "u_centre.csv", "fields.pvd", "fields_000000040.vti", "summary.json"]
            .into_iter()
            .chain([
                "speed_000000000.png",
                "speed_000000010.png",
                "speed_000000040.png",
                "fields_000000020.vti",
            ])
    {
        assert!(Path::new(out).join(file).is_file(), "{file}");
    }
    let checkpoint = Path::new(out).join("checkpoint.lbm");
    let checkpoint = checkpoint.to_str().unwrap();
    let on =
        ["run", "cavity2d", "--out", out, "--restart", checkpoint, "--set", "size=16", "--set", "steps=60"];
    assert!(stdout(&lbm(&on)).contains("at step 60"));
    fails(&["run", "cavity2d", "--out", out, "--restart", checkpoint], &["16 x 16", "192 x 192"]);
}

#[test]
fn a_case_file_sets_what_set_can_and_set_wins() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.toml");
    std::fs::write(&file, "case = \"couette2d\"\nsize = 8\nsteps = 7\n").unwrap();
    let (file, out) = (file.to_str().unwrap(), folder.path().join("out"));
    let out = out.to_str().unwrap();
    assert!(stdout(&lbm(&["run", file, "--out", out])).contains("at step 7"));
    let with_set = ["run", "--case-file", file, "--out", out, "--set", "steps=9"];
    assert!(stdout(&lbm(&with_set)).contains("at step 9"));
    fails(&["run", "cavity2d", "--case-file", file], &["is for the case couette2d"]);
    std::fs::write(file, "case = \"couette2d\"\nsize = \n").unwrap();
    fails(&["run", file, "--out", out], &["line 2, column"]);
    fails(&["run", "no-such-file.toml"], &["no-such-file.toml"]);
}

#[test]
fn mistakes_are_said_once_and_exit_with_1() {
    fails(&["run", "cavty2d"], &["unknown case `cavty2d`", "did you mean `cavity2d`?"]);
    fails(&["run"], &["the case is missing"]);
    fails(&["run", "cavity2d", "--set", "rey=3"], &["unknown setting `rey`", "did you mean `re`?"]);
    fails(&["run", "cavity2d", "--set", "re"], &["--set key=value"]);
    fails(&["run", "cavity2d", "--set", "velocity=0.5"], &["velocity = 0.5", "0.3"]);
    fails(
        &["run", "cavity2d", "--set", "size=8", "--set", "re=1e5", "--set", "velocity=1e-4"],
        &["viscosity = "],
    );
    fails(
        &["run", "cavity3d", "--set", "size=1024", "--set", "precision=f64", "--set", "re=100"],
        &["GiB are free"],
    );
    fails(&["run", "cavity2d", "--out", "/proc/none"], &["/proc/none"]);
    // Without a driver there is none; with one there are not so many devices.
    fails(&["run", "cavity2d", "--device", "cuda:4096"], &["there is no "]);
    fails(&["run", "cavity2d", "--device", "gpu"], &["unknown device `gpu`"]);
    fails(&["crosscheck", "--device", "gpu"], &["unknown device to compare `gpu`"]);
    fails(
        &["crosscheck", "d2q9-bkg", "--device", "cuda-on-host"],
        &["unknown collision `bkg`", "did you mean `bgk`?"],
    );
    fails(&["geometry", "sphere"], &["unknown geometry `sphere`", "did you mean `spheres`?"]);
    fails(&["bench", "paper", "thread-save"], &["unknown experiment", "did you mean `thread-safe`?"]);
    fails(&["bench", "--size", "12"], &["three integers"]);
    let name = "d2q9-bgk-f32-soa-dense-two-lattice-pull";
    fails(
        &["bench", name, "--size", "16,16,1", "--forces"],
        &["--forces for a box in which nothing stands", "--flow spheres"],
    );
    fails(&["bench", "paper", "ghost-swap", "--size", "8,8"], &["--size is not for", "set --memory"]);
    fails(&["bench", "paper", "ghost-swap", "--memory", "4gb"], &["--memory = 4gb", "write e.g. 4GB"]);
    fails(
        &["bench", "paper", "ghost-swap", "--memory", "1KB"],
        &["--memory = 1000 bytes", "at least 295 KB"],
    );
    fails(&["bench", "paper", "ccas", "--memory", "1GB"], &["--memory is not for"]);
    fails(&["bench", "d2q9", "--memory", "1GB"], &["--memory is for `lbm bench paper ghost-swap`"]);
    fails(&["validate", "poiseulle"], &["did you mean `poiseuille`?"]);
    fails(&["fly"], &["unrecognized subcommand"]);
    assert!(lbm(&["--help"]).status.success());
}

#[test]
fn a_launch_shape_is_for_devices() {
    let variant = "d2q9-bgk-f32-soa-dense-two-lattice-pull";
    for command in [["run", "couette2d"], ["validate", "mass"], ["bench", variant]] {
        fails(
            &[&command[..], &["--shape", "1x8x4x1"]].concat(),
            &["--shape 1x8x4x1", "add --device cuda[:N]"],
        );
        fails(&[&command[..], &["--shape", "wide"]].concat(), &["write nodes a thread and the block"]);
        // 31 or 15 nodes along x are no pairs.
        let pairs = ["--device", "cuda-on-host", "--shape", "2x32x1x1"];
        let size: &[&str] = match command[0] {
            "run" => &["--set", "size=15"],
            "bench" => &["--size", "15,8"],
            _ => &[],
        };
        fails(&[&command[..], &pairs, size].concat(), &["launch shape = 2x32x1x1"]);
    }
    if lbm::cuda::testing::cxx_or_skip("a_launch_shape_is_for_devices").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let on_host = ["--device", "cuda-on-host", "--shape", "1x8x4x1"];
    let run = ["run", "couette2d", "--out", out, "--set", "size=12", "--set", "steps=4"];
    assert!(stdout(&lbm(&[&run[..], &on_host].concat())).contains("launch shape 1x8x4x1"));
    let check = ["crosscheck", variant, "--steps", "1,3", "--seeds", "5,6", "--json"];
    let rows = objects(&[&check[..], &on_host].concat());
    // Two boxes with two seeds each, and one with its size left free.
    assert_eq!((&rows[0]["trials"], &rows[0]["passed"]), (&5.into(), &true.into()), "{rows:?}");
    let too_many = ["--device", "cuda-on-host", "--shape", "1x64x32x1"];
    let output = lbm(&[&check[..], &too_many].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("launch shape = 1x64x32x1"), "{output:?}");
}
