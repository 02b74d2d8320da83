//! The command `lbm` as a user sees it: exit codes, one error on stderr, JSON keys, files.

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
    assert_eq!(names, ["cavity2d", "cavity3d", "taylor-green2d", "poiseuille2d", "couette2d"]);
    assert!(stdout(&lbm(&["cases", "cavity2d"])).contains("tolerance"));
    let variants = objects(&["variants", "--json"]);
    assert!(variants.iter().any(|v| v["variant"] == "d3q19-trt-f32-soa-dense-two-lattice-pull"));
    assert!(stdout(&lbm(&["variants", "d2q9", "mrt"])).lines().all(|name| name.starts_with("d2q9-mrt")));
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
    fails(&["show", variant, "--backend", "cuda"], &["not in this release"]);
    fails(&["show", "d2q9-bgk-f64-soa-dense-two-lattice-pul"], &["did you mean `d2q9-bgk-f64-soa-dense-two"]);
}

#[test]
fn a_case_writes_its_results_and_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a").join("b");
    let out = out.to_str().unwrap();
    let set = ["--set", "size=16", "--set", "steps=40", "--set", "output=20", "--set", "checkpoint=20"];
    let text = stdout(&lbm(&[&["run", "cavity2d", "--out", out], &set[..]].concat()));
    assert!(
        text.contains("Ghia") && text.contains("largest difference") && text.contains("speed.png"),
        "{text}"
    );
    for file in
        ["speed.png", "profiles.png", "u_centre.csv", "fields.pvd", "fields_000000040.vti", "summary.json"]
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
    fails(&["crosscheck", "--device", "gpu"], &["unknown device to compare the CPU with `gpu`"]);
    fails(&["crosscheck", "d2q9-bkg", "--device", "cuda-on-host"], &["unknown variant"]);
    fails(&["geometry", "sphere"], &["not in this release"]);
    fails(&["bench", "paper", "key"], &["not in this release"]);
    fails(&["bench", "--size", "12"], &["three integers"]);
    fails(&["validate", "poiseulle"], &["did you mean `poiseuille`?"]);
    fails(&["fly"], &["unrecognized subcommand"]);
    assert!(lbm(&["--help"]).status.success());
}

#[test]
fn checks_have_the_keys_of_the_contract() {
    let findings = objects(&["validate", "couette", "--json"]);
    assert!(!findings.is_empty());
    for finding in findings {
        for key in ["name", "variant", "device", "measured", "reference", "tolerance", "passed"] {
            assert!(!finding[key].is_null(), "{key}: {finding}");
        }
    }
}

#[test]
fn cross_checks_have_the_keys_of_the_contract() {
    if lbm::cuda::testing::cxx_or_skip("cross_checks_have_the_keys_of_the_contract").is_none() {
        return;
    }
    let rows =
        objects(&["crosscheck", "d2q9-trt-f", "--device", "cuda-on-host", "--steps", "1,20", "--json"]);
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(row["variant"].as_str().is_some_and(|name| name.starts_with("d2q9-trt-f")), "{row}");
        assert_eq!((&row["device"], &row["steps"]), (&"cuda-on-host".into(), &20.into()), "{row}");
        assert_eq!((&row["max_ulp"], &row["passed"]), (&0.into(), &true.into()), "{row}");
    }
}
