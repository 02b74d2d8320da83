//! The CUDA text of the pairwise subset: NVRTC takes it, no register spills, nothing is wider than the arithmetic type.

use lbm::core::facts::Arithmetics;
use lbm::cuda::assemble::{self, Beyond, BoxWalls, Plan, Program, Shape, Way};
use lbm::cuda::nvrtc::{Architecture, Nvrtc};
use lbm::cuda::testing::nvrtc_or_skip;
use lbm_cli::variants::{self, Entry};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Kernels that may spill: variant, nodes a thread, kernel, most bytes of stores, and why.
const MAY_SPILL: [(&str, usize, &str, u32, &str); 16] = [
    (
        "d2q9-bgk-incompressible-f32-soa-dense-two-lattice-pull",
        2,
        "step_0",
        8,
        "for sm_80 the compiler chooses 32 registers, with which the most threads fit, and keeps two more values in memory",
    ),
    (
        "d2q9-regularized-f16in32-aosoa128-dense-moments-two-steps",
        1,
        "steps_0",
        8,
        "sums of two steps wait in registers, and the compiler keeps one more value in memory",
    ),
    (
        "d2q9-bgk-f16in32-soa-tiled4x4x1-esoteric-pull",
        1,
        "step_0",
        16,
        "for sm_90 the compiler chooses 40 registers between walls, and keeps four more values in memory",
    ),
    (
        "d2q9-regularized-f64-soa-dense-moments-ring",
        1,
        "step_0",
        16,
        "between walls the compiler chooses 64 registers, and keeps two more values in memory",
    ),
    ("d2q9-regularized-f16in32-aosoa128-dense-moments-ring", 4, "step_0", 8, "the same of 96 registers"),
    (
        "d3q27-bgk-f32-soa-dense-two-lattice-pull",
        2,
        "step_0",
        8,
        "for sm_80 the compiler chooses 96 registers between walls, and keeps two more values in memory",
    ),
    ("d3q27-mrt-f64-soa-dense-two-lattice-pull", 1, "step_0", 12, "the same of 80 registers"),
    ("d3q19-bgk-f32-aosoa128-dense-two-lattice-push", 2, "step_0", 8, "the same of 128 registers"),
    ("d3q19-bgk-f32-aosoa128-dense-swap", 2, "step_0", 8, "the same of 72 registers"),
    (
        "d3q19d3q7-advection-diffusion-of-trt-and-bgk-f32-soa-dense-swap",
        2,
        "exchange_0",
        24,
        "for sm_80 the compiler chooses 96 registers for the exchange of 26 directions, and keeps six more values in memory",
    ),
    ("d3q19-bgk-f16in32-aosoa128-dense-aa", 4, "step_1", 12, "the same of 128 registers, for sm_90"),
    (
        "d3q19-shan-chen-of-bgk-f32-aosoa128-dense-aa",
        2,
        "derive_1",
        8,
        "for sm_90 the compiler chooses 56 registers to read what follows, and keeps two more values in memory",
    ),
    (
        "d3q15d3q15-phase-field-of-trt-and-bgk-incompressible-f32-aosoa128-dense-two-lattice-pull",
        2,
        "derive_0",
        16,
        "the same, of which one is stored twice",
    ),
    ("d2q9-regularized-fp16cin32-aosoa128-dense-moments", 4, "step_0", 8, "the same of 96 registers"),
    (
        "d2q9-cumulant-guo-f64-soa-dense-two-lattice-pull",
        2,
        "step_0",
        8,
        "the same of 64 registers, for sm_90",
    ),
    ("d2q9-essentially-entropic-f32-soa-dense-two-lattice-pull", 2, "step_0", 8, "the same of 64 registers"),
];

/// The likeliest shape, and the first with several nodes a thread.
fn plans(entry: &Entry) -> Vec<Plan> {
    let size = if entry.facts.lattice.dimension == 2 { [512, 512, 1] } else { [128, 128, 128] };
    let shapes = Shape::candidates(&entry.facts, size);
    let packs = shapes.iter().find(|shape| shape.nodes > 1);
    let mut chosen: Vec<Shape> = shapes.first().into_iter().chain(packs).copied().collect();
    chosen.dedup();
    // A lid over a box with solid nodes, and a box of which no more is known than that it has walls.
    let faces = [Beyond::Rest, Beyond::Rest, Beyond::Rest, Beyond::Rest, Beyond::Rest, Beyond::Moving];
    let faces = Some(BoxWalls::new(faces, true, false));
    let baked = |&shape| Plan::of(shape).with_size(Some(size)).with_walls(faces);
    let free = chosen.first().map(|&shape| Plan::of(shape).with_walls(None));
    chosen.iter().map(baked).chain(free).collect()
}

/// The oldest architecture that is supported, and the one that is measured.
const BOTH: &[Architecture] = &[Architecture::SM_80, Architecture::SM_90];
/// The one that is measured.
const MEASURED: &[Architecture] = &[Architecture::SM_90];

/// Steps in boxes of a known size are compiled for both architectures, all else for that which is measured.
#[test]
fn nvrtc_takes_every_kernel_and_none_spills() {
    let Some(nvrtc) = nvrtc_or_skip("nvrtc_takes_every_kernel_and_none_spills") else { return };
    let mut texts = Vec::new();
    for entry in variants::pairwise() {
        for plan in plans(entry) {
            let program = assemble::step(&entry.facts, &plan).unwrap();
            let architectures = if plan.size.is_some() { BOTH } else { MEASURED };
            texts.push((&entry.name, plan.shape.nodes, program, architectures));
        }
        // As the engine has it: one text for all sizes.
        let plan = plans(entry).remove(0).with_size(None);
        texts.push((&entry.name, 1, assemble::accessors(&entry.facts, &plan).unwrap(), MEASURED));
        let forces = assemble::forces(&entry.facts, &plan).unwrap();
        if texts.iter().all(|(_, _, known, _)| *known != forces) {
            texts.push((&entry.name, 1, forces, MEASURED));
        }
    }
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, nodes, program, architectures)) =
                    texts.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    for &architecture in *architectures {
                        for fault in faults_of(nvrtc, architecture, program, name, *nodes) {
                            faults
                                .lock()
                                .unwrap()
                                .push(format!("{name}, {nodes} nodes a thread, {architecture}: {fault}"));
                        }
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn faults_of(
    nvrtc: &Nvrtc,
    architecture: Architecture,
    program: &Program,
    variant: &str,
    nodes: usize,
) -> Vec<String> {
    let compiled = match nvrtc.compile(&program.to_string(), architecture) {
        Ok(compiled) => compiled,
        Err(error) => return vec![error.to_string()],
    };
    let mut faults = Vec::new();
    for kernel in &program.names() {
        let Some(found) = compiled.kernel(kernel) else {
            faults.push(format!("no kernel `{kernel}`"));
            continue;
        };
        let allowed = MAY_SPILL
            .iter()
            .find(|&&(known, n, k, ..)| (known, n, k) == (variant, nodes, kernel.as_str()))
            .map_or(0, |&(.., bytes, _)| bytes);
        // What is indexed by a variable would lie in local memory too.
        if found.spill_stores.max(found.local_bytes) > allowed {
            faults.push(format!("`{kernel}` keeps more than {allowed} bytes in memory: {found:?}"));
        }
    }
    faults
}

#[test]
fn nvrtc_takes_what_papers_compare_with() {
    let Some(nvrtc) = nvrtc_or_skip("nvrtc_takes_what_papers_compare_with") else { return };
    for (variant, size) in [
        ("d3q19-bgk-f64-soa-dense-two-lattice-pull", [192, 192, 192]),
        ("d3q19-bgk-f32-aos-dense-two-lattice-pull", [30, 7, 5]),
        ("d2q9-bgk-f64-soa-dense-two-lattice-pull", [1031, 64, 1]),
    ] {
        let facts = &variants::find(variant).unwrap().facts;
        for way in [Way::Separate, Way::Tiled] {
            let program = assemble::comparator(facts, size, way).unwrap();
            for &architecture in BOTH {
                let faults = faults_of(nvrtc, architecture, &program, variant, 1);
                assert!(faults.is_empty(), "{variant}, {way:?}, {architecture}: {}", faults.join("\n"));
            }
        }
    }
    let other = &variants::find("d2q9-bgk-f64-soa-dense-aa").unwrap().facts;
    let refused = assemble::comparator(other, [8, 8, 1], Way::Tiled).unwrap_err().to_string();
    assert!(refused.contains("is no two-lattice pull") && refused.contains("take e.g."), "{refused}");
}

#[test]
fn a_step_in_single_precision_speaks_of_nothing_wider() {
    let mut seen = 0;
    for entry in variants::all().iter().filter(|entry| entry.facts.precision.arithmetic == Arithmetics::F32) {
        for plan in plans(entry) {
            let text = assemble::step(&entry.facts, &plan).unwrap().to_string();
            let code: String = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
            assert!(!code.contains("double"), "{}", entry.name);
            // The sign of an exponent belongs to its number.
            let code = code.replace("e-", "e");
            for word in code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_')) {
                let literal = word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
                assert!(!literal || word.ends_with('f'), "{}: the literal {word} has 64 bits", entry.name);
            }
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// A thread at the side of a block reads beside what it was sent. What another step, or the other half, was sent must not lie
/// there: others may write it at the same time.
#[test]
fn what_two_steps_at_once_read_nobody_may_write_meanwhile() {
    let between = |line: &str, before: &str, after: &str| {
        let (_, rest) = line.split_once(before)?;
        rest.split_once(after)?.0.parse::<i64>().ok()
    };
    let mut reads = 0;
    for entry in variants::all().iter().filter(|entry| {
        entry.facts.streaming.steps_at_once.unwrap_or(1) == 2 && entry.facts.lattice.dimension == 3
    }) {
        for shape in Shape::candidates(&entry.facts, [128, 128, 128]) {
            let plan = Plan::of(shape).with_walls(None);
            let text = assemble::step(&entry.facts, &plan).unwrap().to_string();
            let threads = i64::from(shape.block.iter().product::<u32>());
            let half = text.lines().find_map(|line| between(line, "(number & 1u) * ", "u + me")).unwrap();
            // By step and half, where a thread's values lie from the first thread's.
            let mut written = Vec::new();
            for (step, at) in [" at[", " at_next["].into_iter().enumerate() {
                for line in text.lines().filter(|line| line.contains("] = leaving[")) {
                    written.extend(between(line, at, "] = leaving").map(|place| (step, 0, place)));
                    written.extend(between(line, at, "] = leaving").map(|place| (step, 1, half + place)));
                }
            }
            for step in 0..2 {
                let before = format!("h_{step}[");
                for line in text.lines().filter(|line| line.contains(&before)) {
                    let Some(place) = between(line, "] = at[", "];") else { continue };
                    for (turn, place) in [(0, place), (1, half + place)] {
                        let other = written.iter().find(|&&(to, when, at)| {
                            (to, when) != (step, turn) && (at - place).abs() < threads
                        });
                        assert_eq!(other, None, "{}, {shape}: half {turn}, `{}`", entry.name, line.trim());
                        reads += 1;
                    }
                }
            }
        }
    }
    assert!(reads > 0);
}
