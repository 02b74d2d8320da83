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
        ["d3q27  f32 f64: bgk trt mrt regularized", "take `Regularized`, or a streaming", "tiled16x4x4"]
    {
        assert!(all.contains(part), "{part}: {all}");
    }
    let name = "d3q15-mrt-f64-aosoa8-fluid-index-array-esoteric-push";
    let [row] = &objects(&["validate", name, "--json"])[..] else { panic!("one row") };
    assert_eq!((row["variant"].as_str(), row["passed"].as_bool()), (Some(name), Some(true)));
    let [row] = &objects(&["bench", name, "--size", "16,16,16", "--turns", "1", "--json"])[..] else {
        panic!("one row")
    };
    assert_eq!(row["variant"].as_str(), Some(name));
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
        &["do not carry the collision; take `Regularized`"],
    );
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
        "number_linked(linked, ranks, index)",
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
        &["unknown lattice and collision in `d2q9-bkg`", "did you mean `d2q9-bgk`?"],
    );
    fails(&["geometry", "sphere"], &["unknown geometry `sphere`", "did you mean `spheres`?"]);
    fails(&["bench", "paper", "thread-save"], &["unknown experiment", "did you mean `thread-safe`?"]);
    fails(&["bench", "--size", "12"], &["three integers"]);
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
fn sparse_flows_are_checked_in_every_addressing() {
    let rows = objects(&["validate", "channels", "--json"]);
    for addressing in ["dense", "tiled4", "connectivity-matrix", "fluid-index-array"] {
        for what in ["plane", "round", "round-order", "bits"] {
            let start = format!("channels-{what}-{addressing}-");
            let row = rows.iter().find(|row| row["name"].as_str().unwrap().starts_with(&start));
            // What the others are compared with.
            assert_eq!(row.is_none(), (what, addressing) == ("bits", "dense"), "{start}");
            assert!(row.is_none_or(|row| row["passed"] == true), "{row:?}");
        }
    }
}

#[test]
fn precisions_are_compared_with_a_table_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let rows = objects(&["validate", "precision", "--quick", "--json", "--out", out]);
    let number = |name: &str, key: &str| {
        let row = rows.iter().find(|row| row["name"] == format!("precision-{name}")).expect(name);
        assert_eq!(row["passed"], true, "{row}");
        row[key].as_f64().unwrap()
    };
    assert_eq!(rows.len(), 3 * 4);
    for flow in ["shear-wave", "cavity", "poiseuille"] {
        for (narrow, wide) in [("f16in32", "f32"), ("f16in64", "f32in64")] {
            let [narrow, wide] = [narrow, wide].map(|precision| format!("{flow}-{precision}"));
            assert!(number(&wide, "measured") > 0.0, "{wide}");
            assert!(
                number(&narrow, "measured") > number(&wide, "tolerance"),
                "16 bits pass for 32: {narrow}"
            );
        }
        let file = |end: &str| folder.path().join(format!("precision_{}.{end}", flow.replace('-', "_")));
        let table = std::fs::read_to_string(file("csv")).unwrap();
        assert!(
            table.starts_with("step,d2q9-") && table.lines().last().unwrap().starts_with("2000.0,"),
            "{table}"
        );
        assert!(file("png").metadata().unwrap().len() > 10_000);
    }
}

/// Rows of a table without quotes in it, and its picture.
fn table(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let file = |end: &str| folder.join(format!("{name}.{end}"));
    if !name.ends_with("_shares") {
        assert!(file("png").metadata().unwrap().len() > 10_000, "{name}");
    }
    let text = std::fs::read_to_string(file("csv")).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn boxes_grow_beyond_what_two_copies_fit() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let rows = objects(&[
        "bench",
        "paper",
        "ghost-swap",
        "--memory",
        "1.2MB",
        "--turns",
        "1",
        "--json",
        "--out",
        out,
    ]);
    let (cells, ratios): (Vec<&Value>, Vec<&Value>) = rows.iter().partition(|row| !row["variant"].is_null());
    let of = |scheme: &str| -> Vec<&Value> {
        cells.iter().copied().filter(|cell| cell["scheme"] == scheme).collect()
    };
    let fitting = |scheme: &str| of(scheme).iter().filter(|cell| cell["fits"] == true).count();
    assert_eq!((of("swap").len(), fitting("swap"), fitting("aa"), fitting("two-lattice-pull")), (5, 5, 5, 3));
    for cell in &cells {
        let memory = cell["memory_bytes"].as_u64().unwrap();
        match cell["fits"] == true {
            true => assert!(cell["verified"] == true && memory <= 1_200_000, "{cell}"),
            false => assert!(cell["note"] == "does not fit" && memory > 1_200_000, "{cell}"),
        }
    }
    let swap = ratios.iter().find(|ratio| ratio["scheme"] == "swap").unwrap();
    assert_eq!(swap["paper_speed_over_two_copies"], 0.6);
    assert!((swap["memory_over_two_copies"].as_f64().unwrap() - 0.5).abs() < 1e-3, "{swap}");
    let measured = table(folder.path(), "ghost_swap_d2q9");
    let last = measured.last().unwrap();
    let cell = |column: &str| &last[measured[0].iter().position(|name| name == column).expect(column)];
    assert_eq!((cell("nodes").as_str(), cell("two-lattice-pull note").as_str()), ("12544", "does not fit"));
    assert!(cell("two-lattice-pull MLUPS").is_empty() && cell("swap MLUPS").parse::<f64>().unwrap() > 0.0);
    assert_eq!(table(folder.path(), "ghost_swap_d2q9_shares").len(), 1 + 5);
}

#[test]
fn a_scheme_is_compared_with_what_others_do() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let compare = ["bench", "paper", "ccas", "--size", "16,12,8", "--turns", "1", "--json", "--out", out];
    let mut devices = vec![["--device", "cpu"]];
    if lbm::cuda::testing::cxx_or_skip("a_scheme_is_compared_with_what_others_do").is_some() {
        devices.push(["--device", "cuda-on-host"]);
    }
    for device in devices {
        let rows = objects(&[&compare[..], &device].concat());
        let contestants = ["scalar loop", "separate kernels", "tiled pull", "ccas", "two-lattice-pull"];
        let names: Vec<&str> = rows.iter().map(|row| row["contestant"].as_str().unwrap()).collect();
        assert_eq!(names, [contestants, contestants].concat());
        for row in &rows {
            let generated = row["contestant"] == "ccas" || row["contestant"] == "two-lattice-pull";
            assert_eq!(row["verified"], true, "{row}");
            assert!(!generated || row["largest_difference"] == 0.0, "{row}");
            assert!(row["seconds_for_1000_steps"].as_f64().unwrap() > 0.0, "{row}");
            let on_cpu = device[1] == "cpu" || row["contestant"] == "scalar loop";
            assert_eq!(row["engine"].as_str().unwrap().starts_with("cpu"), on_cpu, "{row}");
        }
        assert_eq!(
            (&rows[0]["speedup_over_scalar_loop"], &rows[3]["ccas_over_it"]),
            (&1.0.into(), &1.0.into())
        );
        assert_eq!(
            (&rows[3]["paper_speedup"][1], &rows[8]["paper_speedup"][0]),
            (&163.0.into(), &118.0.into())
        );
        assert_eq!(rows[1]["bytes_per_node"], 8 * (38 + 20 + 23 + 23 + 57));
        for flow in ["ccas_shear", "ccas_cavity"] {
            assert_eq!(table(folder.path(), flow).len(), 1 + 5);
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
