//! The command `lbm` as a user sees it: exit codes, one error on stderr, JSON keys, files.

#[path = "command/checks.rs"]
mod checks;
#[path = "command/ranks.rs"]
mod ranks;
#[path = "command/runs.rs"]
mod runs;
#[path = "command/shown.rs"]
mod shown;

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
        "windtunnel2d",
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
        "spinodal",
        "capillary-rise",
        "cavity-heated",
        "rayleigh-benard",
    ];
    assert_eq!(names, known);
    assert!(stdout(&lbm(&["cases", "cavity2d"])).contains("tolerance"));
    let variants = objects(&["variants", "--json"]);
    assert!(variants.iter().any(|v| v["variant"] == "d3q19-trt-f32-soa-dense-two-lattice-pull"));
    let found = stdout(&lbm(&["variants", "d2q9", "mrt"]));
    assert!(found.lines().all(|name| name.starts_with("d2q9-") && name.contains("mrt")), "{found}");
}

#[test]
fn any_legal_product_runs_by_name() {
    let all = stdout(&lbm(&["variants"]));
    for part in [
        "d3q27  f32 f64: bgk trt mrt regularized",
        "take `regularized` or `recursive-regularized`, or a streaming",
        "tiled16x4x4",
    ] {
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
                "d2q9, d2q9d2q5, d2q9d2q9, d3q15, d3q15d3q15, d3q19, d3q19d3q19, d3q19d3q7, d3q27",
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
fn the_doctor_speaks_of_every_part() {
    let text = stdout(&lbm(&["doctor"]));
    for part in ["SIMD ", "memory ", "cuda driver ", "cuda nvrtc ", "cuda cache ", "cuda c++ "] {
        assert!(text.lines().any(|line| line.starts_with(part)), "{part} in {text}");
    }
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
    fails(&["bench", "--size", "12"], &["change --size NX,NY,NZ"]);
    let name = "d2q9-bgk-f32-soa-dense-two-lattice-pull";
    fails(
        &["bench", name, "--size", "16,16,1", "--forces"],
        &["--forces for a box in which nothing stands", "--flow spheres"],
    );
    fails(
        &["bench", "paper", "tiles", "vesels"],
        &["unknown part of an experiment", "did you mean `vessels`?"],
    );
    fails(&["bench", "paper", "ccas", "all"], &["`all`", "runs as a whole"]);
    fails(
        &["bench", "paper", "thread-safe", "d3q27"],
        &["`d3q27`", "name some of d2q9, d3q19, d2q9d2q9, d3q19d3q19"],
    );
    fails(&["bench", "paper", "ghost-swap", "--size", "8,8"], &["--size is not for", "set --memory"]);
    fails(&["bench", "paper", "ghost-swap", "--memory", "4gb"], &["--memory = 4gb", "write e.g. 4GB"]);
    fails(
        &["bench", "paper", "ghost-swap", "--memory", "1KB"],
        &["--memory = 1000 bytes", "at least 295 KB"],
    );
    fails(&["bench", "paper", "ccas", "--memory", "1GB"], &["--memory is not for"]);
    fails(&["bench", "d2q9", "--memory", "1GB"], &["--memory is for `lbm bench paper ghost-swap`"]);
    fails(&["bench", "paper", "lecture", "--size", "2,8"], &["at least 3 x 3", "larger --size"]);
    fails(&["bench", name, "--seconds", "1"], &["--seconds is for `lbm bench live`"]);
    fails(&["validate", "poiseulle"], &["did you mean `poiseuille`?"]);
    fails(&["fly"], &["unrecognized subcommand"]);
    assert!(lbm(&["--help"]).status.success());
}
