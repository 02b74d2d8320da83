//! Checks, measurements and comparisons of the command: their keys, tables and pictures.

use std::path::Path;

use serde_json::Value;

use crate::objects;

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
    // An error and a drift of the mass each.
    assert_eq!(rows.len(), 3 * 7 * 2);
    for (flow, graded) in
        [("shear-wave", "graded4in32"), ("cavity", "graded4in32"), ("poiseuille", "graded10in32")]
    {
        let measured = |precision: &str| number(&format!("{flow}-{precision}"), "measured");
        // Most of the fluid in the cavity is much slower than the lid, and there fp16c has its digits, too.
        for (other, part) in [("f16in32", 0.5), ("fp16cin32", if flow == "cavity" { 0.6 } else { 0.5 })] {
            let [ours, others] = [measured(graded), measured(other)];
            assert!(ours < part * others, "{flow}: {ours:e} in {graded}, {others:e} in {other}");
        }
        for (narrow, wide) in
            [("f16in32", "f32"), ("f16in64", "f32in64"), ("bf16in32", "f32"), ("fp16cin32", "f32")]
        {
            let [narrow, wide] = [narrow, wide].map(|precision| format!("{flow}-{precision}"));
            assert!(number(&wide, "measured") > 0.0, "{wide}");
            assert!(
                number(&narrow, "measured") > number(&wide, "tolerance"),
                "16 bits pass for 32: {narrow}"
            );
        }
        assert!(number(&format!("{flow}-{graded}-mass"), "measured").abs() < 1e-3);
        let file = |end: &str| folder.path().join(format!("precision_{}.{end}", flow.replace('-', "_")));
        let table = std::fs::read_to_string(file("csv")).unwrap();
        assert!(
            table.starts_with("step,d2q9-") && table.lines().last().unwrap().starts_with("2000.0,"),
            "{table}"
        );
        assert!(file("png").metadata().unwrap().len() > 10_000);
    }
    let page = std::fs::read_to_string(folder.path().join("accuracy.md")).unwrap();
    assert_eq!(page.lines().filter(|line| line.starts_with("| `f16in32` |")).count(), 1 + 3, "{page}");
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
fn choices_are_compared_where_they_run_and_left_out_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let compare = ["bench", "paper", "lecture", "--size", "48,32", "--turns", "1", "--json", "--out", out];
    // Parts, choices that are measured, and those that are left out.
    let mut devices = vec![("cpu", 6, 14, 19)];
    if lbm::cuda::testing::cxx_or_skip("choices_are_compared_where_they_run").is_some() {
        devices.push(("cuda-on-host", 8, 33, 0));
    }
    for (device, parts, measured, left_out) in devices {
        let rows = objects(&[&compare[..], &["--device", device]].concat());
        let with = |key: &str| rows.iter().filter(|row| !row[key].is_null()).collect::<Vec<&Value>>();
        let found = [with("matters"), with("share_of_copy"), with("left_out")];
        assert_eq!(found.each_ref().map(Vec::len), [parts, measured, left_out], "{device}");
        for row in &found[1] {
            assert!(row["verified"] == true && row["mlups"].as_f64().unwrap() > 0.0, "{row}");
            assert!(!row["paper"].as_str().unwrap().is_empty(), "{row}");
        }
        let choices = std::fs::read_to_string(folder.path().join("lecture_choices.csv")).unwrap();
        assert_eq!(choices.lines().count(), 1 + measured, "{device}");
        assert!(folder.path().join("lecture_precision.png").metadata().unwrap().len() > 10_000);
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
