//! The generated kernels of every built-in collision on every lattice, as text: what each stage made (`.ir.txt`) and
//! the Rust that is compiled (`.rs`, which `golden_compile.rs` compiles and runs); of some variants the CUDA C++ of a time
//! step with walls (`.cu`, which `cuda_text.rs` and `cross_check.rs` compile and run). And the page of streaming patterns,
//! `docs/schemes.md`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p lbm-cli --test golden` writes them anew.

#[path = "../../tests/kernels/mod.rs"]
mod kernels;

use kernels::Case;
use lbm::core::Facts;
use lbm::core::written::Header;
use lbm::cuda::assemble::{self, Beyond, BoxWalls, March, Plan, Shape};
use lbm::prelude::*;
use lbm_generator::digits::Digits;
use lbm_generator::source::written;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

const UPDATE: &str = "UPDATE_GOLDEN=1 cargo test -p lbm-cli --test golden";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/golden")
}

#[test]
fn kernels_are_as_recorded() {
    let expected = texts();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return update(&expected);
    }
    let mut faults = Vec::new();
    for (name, text) in &expected {
        match fs::read_to_string(folder().join(name)) {
            Ok(recorded) if recorded == *text => {}
            Ok(recorded) => faults.push(first_difference(name, &recorded, text)),
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    faults.extend(
        recorded_names()
            .into_iter()
            .filter(|n| !expected.contains_key(n))
            .map(|n| format!("{n}: no kernel has this name")),
    );
    assert!(
        faults.is_empty(),
        "{} golden files differ. If the change is meant, write them anew and read the diff:\n    {UPDATE}\n\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Every pattern that is compiled in has its section.
#[test]
fn the_page_of_streaming_patterns_is_as_recorded() {
    let page = lbm_cli::command::schemes_page();
    for entry in lbm_cli::variants::all() {
        assert!(
            page.contains(&format!("\n## `{}`\n", entry.facts.pattern.name)),
            "`{}` is not drawn",
            entry.facts.pattern.name
        );
    }
    let file = folder().join("../../docs/schemes.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(file, page).unwrap();
    }
    let recorded = fs::read_to_string(file).unwrap_or_default();
    assert!(recorded == page, "{}\n    {UPDATE}", first_difference("docs/schemes.md", &recorded, &page));
}

/// Every golden file by name.
fn texts() -> BTreeMap<String, String> {
    let forced =
        |lattice: &lbm_generator::lattice::LatticeSpec| lattice.name == "D2Q9" || lattice.name == "D3Q19";
    let mut texts = BTreeMap::new();
    // The digits that kernels keep are recorded with the operations that they cost.
    let unknown = Digits { lost: f64::NAN, exponent: 0, term: None };
    let mut list = format!("// Written by `{UPDATE}`: every kernel here, to be compiled.\nkernels! {{\n");
    // Nobody reads hundreds of lines of moments: of these collisions two dimensions are recorded.
    let long = ["CentralMoments", "Cumulant", "RecursiveRegularized", "Kbc"];
    let is_recorded =
        |case: &Case| case.lattice.dimension == 2 || !long.iter().any(|name| case.collision.name == name);
    for case in kernels::all(forced).into_iter().filter(is_recorded).chain([kernels::reading_fields()]) {
        let name = case.name();
        let generated = case.generate();
        let header = Header::new(&name, None);
        texts.insert(format!("{name}.rs"), written(&generated, &unknown).rust_page(&header));
        texts.insert(format!("{name}.ir.txt"), stages(&case, &generated.stages.0));
        list += &format!("    {}: {name:?},\n", name.replace('-', "_"));
    }
    texts.insert("mod.rs".to_owned(), list + "}\n");
    texts.extend(cuda_texts());
    texts
}

/// Each collision on two lattices, with size and shape baked in, and one of each other choice.
fn cuda_texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let mut add = |variant: &str, streaming: &str, size: Option<[usize; 3]>, nodes: usize| {
        let march = March::new(2, 2).with_prefetch(nodes > 2);
        let march = match streaming {
            "moments" if nodes > 1 => Some(march),
            "moments-ring" => Some(March::new(2, 8)),
            "moments-two-steps" => Some(march.with_steps(2)),
            _ => None,
        };
        let found = ["-dense", ""].into_iter().find_map(|addressing| {
            lbm_cli::variants::find(&format!("{variant}{addressing}-{streaming}")).ok()
        });
        let facts = &found.unwrap().facts;
        let high = if facts.streaming.steps_at_once.unwrap_or(1) > 1 { 12 } else { 4 };
        let block = match facts.blocks() {
            Some(blocks) => blocks.extent.map(|n| n as u32),
            None if facts.addressing.listed => [128, 1, 1],
            None => [32, high, 1],
        };
        let shape = Shape::PLAIN.with_nodes(nodes).with_block(block).with_march(march);
        // A lid over a box with solid nodes; of one without size no more is known than that it has walls.
        let faces = [Beyond::Rest, Beyond::Rest, Beyond::Rest, Beyond::Rest, Beyond::Rest, Beyond::Moving];
        let faces = size.map(|_| BoxWalls::new(faces, true, false));
        let plan = Plan::of(shape).with_size(size).with_walls(faces);
        let text = assemble::step(facts, &plan).unwrap().to_string();
        let size = if size.is_some() { "" } else { "-free-size" };
        texts.insert(format!("{variant}-{streaming}-{nodes}-a-thread{size}.cu"), text);
    };
    let pull = "two-lattice-pull";
    for collision in ["bgk", "trt", "mrt", "regularized"] {
        add(&format!("d2q9-{collision}-f32-soa"), pull, Some([64, 16, 1]), 2);
        add(&format!("d3q19-{collision}-f64-soa"), pull, Some([33, 16, 8]), 1);
    }
    add("d2q9-bgk-guo-f64-soa", pull, Some([64, 16, 1]), 2);
    add("d2q9-bgk-incompressible-f32-soa", pull, None, 4);
    add("d2q9-bgk-f32-aos", pull, Some([64, 16, 1]), 1);
    add("d3q19-bgk-f64-aos", pull, None, 1);
    add("d3q19-bgk-f32-aosoa128", "two-lattice-push", Some([128, 16, 8]), 1);
    add("d3q19-bgk-f32-aosoa128", "aa", Some([256, 16, 8]), 2);
    add("d3q19-bgk-f16in32-aosoa128", "esoteric-pull", Some([256, 16, 8]), 4);
    add("d3q19-bgk-f32-aosoa128", "esoteric-push", Some([33, 16, 8]), 1);
    add("d3q19-bgk-f32-aosoa128", "esoteric-twist", None, 2);
    add("d3q19-bgk-f32-aosoa128", "swap", Some([256, 16, 8]), 4);
    add("d3q19-bgk-f32-aosoa128", "ccas", Some([33, 16, 8]), 1);
    add("d3q19-bgk-f32-soa", "ghost", Some([64, 16, 9]), 1);
    add("d3q19-regularized-f32-aosoa128", "moments", Some([256, 16, 8]), 2);
    add("d3q19-regularized-f16in32-aosoa128", "moments", None, 4);
    add("d2q9-regularized-f64-soa", "moments", Some([33, 16, 1]), 1);
    add("d3q19-regularized-f32-aosoa128", "moments-ring", Some([256, 16, 8]), 2);
    add("d3q19-regularized-f32-aosoa32", "moments-two-steps", Some([256, 32, 8]), 1);
    add("d3q19-regularized-f32-aosoa128", "thread-safe", Some([256, 16, 8]), 2);
    add("d3q19-bgk-f64-aosoa64-tiled4", pull, None, 1);
    add("d3q19-bgk-f32-aosoa64-tiled4", "aa", None, 1);
    add("d3q19-bgk-f32-aosoa64-tiled4", "esoteric-pull", None, 1);
    add("d3q19-bgk-f32-aosoa64-tiled4", "swap", None, 1);
    add("d3q19-bgk-f32-aosoa128-connectivity-matrix", pull, None, 1);
    add("d3q19-bgk-f32-aosoa128-fluid-index-array", "aa", None, 1);
    let shape = Shape::PLAIN.with_nodes(2).with_block([32, 4, 1]);
    let plan = Plan::of(shape).with_size(Some([64, 16, 1]));
    let text = assemble::step(&Facts::of::<Bed>(), &plan).unwrap().to_string();
    texts.insert("d2q9-partial-bounce-back-f32-soa-two-lattice-pull-2-a-thread.cu".to_owned(), text);
    let march = March::new(2, 2).with_fields(true);
    let plan = Plan::of(Shape::PLAIN.with_block([32, 12, 1]).with_march(Some(march)));
    let text =
        assemble::step(&Facts::of::<Fluids>(), &plan.with_size(Some([64, 32, 8]))).unwrap().to_string();
    texts.insert("d3q19d3q19-colour-gradient-f32-aosoa32-moments-fields-on-the-way.cu".to_owned(), text);
    texts
}

// Nodes have fields; the command has no such variant.
solver! { Bed { lattice: D2Q9, collision: PartialBounceBack<Bgk>, precision: F32 } }
solver! { Fluids { model: ColourGradient<Regularized>, lattices: [D3Q19, D3Q19], precision: F32, layout: Aosoa<32>, streaming: Moments } }

/// All stages of a kernel in two dimensions; of the longer ones the last.
fn stages(case: &Case, stages: &[(&str, String)]) -> String {
    let shown = if case.lattice.dimension == 2 { stages } else { &stages[stages.len() - 1..] };
    shown.iter().map(|(name, text)| format!("---- {name} ----\n{text}\n")).collect()
}

fn update(expected: &BTreeMap<String, String>) {
    fs::create_dir_all(folder()).unwrap();
    for name in recorded_names().iter().filter(|name| !expected.contains_key(*name)) {
        fs::remove_file(folder().join(name)).unwrap();
    }
    for (name, text) in expected {
        fs::write(folder().join(name), text).unwrap();
    }
}

fn recorded_names() -> Vec<String> {
    let entries = fs::read_dir(folder()).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn first_difference(name: &str, recorded: &str, text: &str) -> String {
    let mut lines = recorded.lines().zip(text.lines()).enumerate();
    match lines.find(|(_, (a, b))| a != b) {
        Some((n, (a, b))) => format!("{name}:{}\n    recorded:  {a}\n    generated: {b}", n + 1),
        None => {
            format!("{name}: {} lines recorded, {} generated", recorded.lines().count(), text.lines().count())
        }
    }
}
