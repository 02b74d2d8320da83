//! The CUDA text gives the bits of the CPU: for the pairwise subset of the table on the host's C++ compiler, for declarations
//! of one's own; and a kernel with one wrong sign is caught.

#[path = "cross_check/broken.rs"]
mod broken;

use lbm::core::laws::{SEEDS_OF_RULES, boxes, rules_standing};
use lbm::core::{Facts, Variant};
use lbm::cross_check::{Options, Outcome, Subject, Target, subject};
use lbm::cuda::assemble::Shape;
use lbm::cuda::crosscheck::{check_all, crosscheck, trials};
use lbm::cuda::testing::cxx_or_skip;
use lbm::prelude::*;
use lbm_cli::variants;
use std::collections::BTreeSet;
use std::sync::Mutex;

#[test]
fn the_pairwise_subset_covers_all_pairs_and_is_small() {
    let pairs = |entries: &[&'static variants::Entry]| -> BTreeSet<String> {
        let pairs = |entry: &&'static variants::Entry| {
            let axes = entry.axes();
            (0..8).flat_map(move |b| (0..b).map(move |a| format!("{a} {} {b} {}", axes[a], axes[b])))
        };
        entries.iter().flat_map(pairs).collect()
    };
    let (all, few): (Vec<_>, _) = (variants::all().iter().collect(), variants::pairwise());
    assert_eq!(pairs(&all), pairs(&few));
    assert!(few.len() < all.len() && few.len() <= 160, "{} of {}", few.len(), all.len());
}

#[test]
fn every_built_in_variant_is_among_all_products() {
    let all = lbm_cli::command::products();
    assert_eq!(
        all.len(),
        256 + 2 * (9 + 4) * 15 - 2 * 4
            + 2 * (9 + 4) * 3 * 2
            + 3 * 2 * 2
            + (2 * 2 + 3) * 2
            + 2 * (2 * 2 + 2)
            + 7
            + (2 * 2 * 3 + 3 * 2 * 4 + 2 * 2) * 2
            + (3 * (2 + 1) + 2) * 5 * 7
            + 4 * 2 * 3
            + 2 * 2
            + 2
            + 3 * 2
            + 2 * 3 * 2 * 2
            + 4 * 3 * 2 * 2 * 2
            + 2
            + (3 * 3 + 2) * 2
            + (3 * 3 + 2) * 2
            + 2 * 2 * (2 * 2 * 9 + 3 * 3)
            + (2 + 2 + 2 + 2) * 2 * 2 * 9
            + (2 + 2) * 2 * 2 * 2
            + 2 * 2 * 6
    );
    let each: BTreeSet<&String> = all.iter().collect();
    assert_eq!(each.len(), all.len());
    let axes = variants::axes();
    for name in &all {
        assert_eq!(axes.product(name).unwrap().name(), *name);
    }
    let names = variants::names();
    assert!(names.iter().any(|name| name.ends_with("-esoteric-pull")), "storage schemes are in the table");
    for name in names {
        assert!(each.contains(&name.to_owned()), "{name}");
    }
}

/// What `--rules` compares: with the seeds that it takes, each rule of the command stands somewhere, and rules meet in edges and corners.
#[test]
fn boxes_with_rules_have_all_of_them_and_edges_and_corners() {
    let mut around = BTreeSet::new();
    for body in ["d2q9-bgk", "d2q9-bgk-guo", "d3q19-bgk", "d3q19-bgk-guo", "d3q19-regularized"] {
        let entry = variants::find(&format!("{body}-f32-soa-dense-two-lattice-pull")).unwrap();
        let (rules, dimension) = (entry.rules(), entry.facts.lattice.dimension);
        let standing = rules_standing(&entry.facts, &rules, &boxes(dimension), &SEEDS_OF_RULES);
        let meeting = standing.meeting;
        let missing: Vec<&str> =
            rules.iter().map(|rule| rule.name).filter(|&name| !standing.rules.contains(name)).collect();
        assert!(missing.is_empty(), "{body}: no box has {missing:?}, of {}", rules.len());
        assert!(meeting[2] > 5 && (dimension == 2 || meeting[3] > 5), "{body}: {meeting:?}");
        assert!(!standing.around_edges.is_empty(), "{body}: no rule meets itself");
        around.extend(standing.around_edges);
    }
    assert!(around.len() > 8, "rules that meet themselves: {around:?}");
}

#[test]
fn the_pairwise_subset_has_the_bits_of_the_cpu() {
    if cxx_or_skip("the_pairwise_subset_has_the_bits_of_the_cpu").is_none() {
        return;
    }
    let subjects: Vec<Subject> = variants::pairwise().iter().map(|entry| entry.crosscheck()).collect();
    let failed = failures(&subjects, &Options::default());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What differs, or could not be compared.
fn failures(subjects: &[Subject], options: &Options) -> Vec<String> {
    let (failed, seen) = (Mutex::new(Vec::new()), Mutex::new(0));
    check_all(subjects, Target::OnHost, options, 2, &|index, outcome| {
        *seen.lock().unwrap() += 1;
        let wrong = match outcome {
            Ok(Outcome { difference: None, trials, max_ulp: 0, .. }) if trials > 0 => return,
            Ok(outcome) => format!("{outcome:?}"),
            Err(error) => error.to_string(),
        };
        failed.lock().unwrap().push(format!("{}: {wrong}", subjects[index].name()));
    });
    assert_eq!(seen.into_inner().unwrap(), subjects.len());
    failed.into_inner().unwrap()
}

lattice! {
    /// A lattice of this crate.
    Own { dimension: 3, shells: [[0, 0, 0], [1, 0, 0], [1, 1, 1]], weights: solve, cs2: 1/3 }
}

collision! {
    /// A collision of this crate.
    Damped(odd_rate = 6/5) {
        let omega = 1 / (viscosity / cs2 + 1/2);
        let away = |i| equilibrium[i] - f[i];
        for i in directions {
            let even = (away(i) + away(opposite[i])) / 2;
            let odd = (away(i) - away(opposite[i])) / 2;
            f[i] = f[i] + omega * even + odd_rate * odd;
        }
    }
}

#[test]
fn a_sweep_takes_declarations_of_ones_own() {
    let mut subjects = Vec::new();
    let mut names = Vec::new();
    sweep! {
        lattice: [D2Q9, Own],
        collision: [Bgk, Damped { odd_rate: 5/4 }],
        forcing: [None, Guo],
        layout: [Soa, lbm::core::Aos],
        skip: [{ collision: Bgk, layout: lbm::core::Aos }, { lattice: D2Q9, collision: Damped }],
        => |V, collision: C| {
            names.push((V::name(), <C as lbm::core::Collision>::NAME));
            subjects.push(subject::<V>());
        }
    }
    assert_eq!(names.len(), 8, "{names:?}");
    assert_eq!(names[0], ("d2q9-bgk-f64-soa-dense-two-lattice-pull".to_owned(), "Bgk"));
    assert_eq!(names[7], ("own-damped-guo-f64-aos-dense-two-lattice-pull".to_owned(), "Damped"));
    if cxx_or_skip("a_sweep_takes_declarations_of_ones_own").is_some() {
        let failed = failures(&subjects, &Options::default().with_steps([1, 20]));
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}

solver! {
    /// Its text is broken below.
    Turned { lattice: D2Q9, collision: Bgk, precision: F32 }
}

#[test]
fn a_shape_that_is_asked_for_takes_the_place_of_all_others() {
    let tried = |shape: &str| {
        let options = Options::default().with_shape(shape.parse::<Shape>().unwrap());
        let trials = trials(&Facts::of::<Turned>(), false, &options).unwrap();
        assert!(trials.iter().all(|trial| trial.device.shape == options.shape), "{trials:?}");
        assert_eq!(trials.iter().filter(|trial| trial.device.free_size).count(), 1);
        let with = |size| trials.iter().filter(|trial| trial.size == size && !trial.device.free_size).count();
        [with([37, 7, 1]), with([32, 6, 1])]
    };
    let seeds = Options::default().seeds.len();
    assert_eq!(tried("1x8x4x1"), [seeds, seeds]);
    // Rows of 37 nodes are no pairs.
    assert_eq!(tried("2x16x2x1"), [0, seeds]);
    // Too many threads for any box: nothing is left out, so that the engine can say so.
    assert_eq!(tried("1x64x32x1"), [seeds, seeds]);
}

#[test]
fn a_turned_sign_is_caught() {
    if cxx_or_skip("a_turned_sign_is_caught").is_none() {
        return;
    }
    let cpu: fn(&_) -> _ = |setup: &_| {
        let engine = lbm::cpu::CpuEngine::new::<Turned>(setup, &lbm::cpu::CpuOptions::default())?;
        Ok(Box::new(engine) as Box<dyn lbm::core::Engine>)
    };
    let (facts, options) = (Facts::of::<Turned>(), Options::default());
    let right = crosscheck(&facts, || Ok(broken::Broken::new("", "")), &cpu, &options).unwrap();
    assert!(right.passed() && right.max_ulp == 0 && right.trials == 9, "{right:?}");
    let machine = || Ok(broken::Broken::new("even_2 - odd_2", "even_2 + odd_2"));
    let wrong = crosscheck(&facts, machine, &cpu, &options).unwrap();
    assert!(!wrong.passed() && wrong.max_ulp > 0);
    let difference = wrong.difference.unwrap();
    assert_eq!((difference.variant.as_str(), difference.step), (Turned::name().as_str(), 1));
    // The sign stands in the formula of one direction, which is wrong everywhere in the first step.
    assert_eq!((difference.direction, difference.node[1..].iter().sum::<usize>()), (6, 0));
    assert_ne!(difference.found_bits, difference.expected_bits);
    let text = difference.to_string();
    assert!(text.contains(&format!("population 6 of node {:?}", difference.node)), "{text}");
    assert!(text.contains(&format!("(0x{:08x})", difference.found_bits)), "{text}");
    assert!(text.contains(&format!("(0x{:08x})", difference.expected_bits)), "{text}");
    assert!(text.contains("cuda-on-host") && text.contains("ULP apart"), "{text}");
}

lbm::solver! { Drifting { lattice: D3Q19, collision: Regularized, precision: F32, streaming: MomentsRing } }

/// Blocks in flight change at every meeting, so that one which does not wait overwrites what another has yet to read.
#[test]
fn a_part_that_does_not_wait_is_caught() {
    if cxx_or_skip("a_part_that_does_not_wait_is_caught").is_none() {
        return;
    }
    caught::<Drifting>(
        "2x4x8x1+z9",
        [16, 16, 36],
        "while (*done < gridDim.x * gridDim.y) __nanosleep(100);",
        ";",
    );
}

lbm::solver! { AtOnce { lattice: D3Q19, collision: Regularized, precision: F32, streaming: MomentsTwoSteps } }

/// Warps are not equally fast, so that one which does not wait takes what another has yet to send.
#[test]
fn a_warp_that_does_not_wait_is_caught() {
    if cxx_or_skip("a_warp_that_does_not_wait_is_caught").is_none() {
        return;
    }
    let wait = "while (*sent < (turn + 1ull) * warps) __nanosleep(20);";
    caught::<AtOnce>("1x32x12x1+z1h2", [16, 16, 12], wait, "");
}

/// A kernel has the CPU's bits in a shape and a box as it is, and has not when a part of its text is replaced.
fn caught<V: lbm::core::Variant>(shape: &str, size: [usize; 3], part: &'static str, by: &'static str) {
    let cpu: fn(&_) -> _ = |setup: &_| {
        let engine = lbm::cpu::CpuEngine::new::<V>(setup, &lbm::cpu::CpuOptions::default())?;
        Ok(Box::new(engine) as Box<dyn lbm::core::Engine>)
    };
    let shape: Shape = shape.parse().unwrap();
    let options = Options::default().with_sizes([size]).with_shape(shape).with_seeds([1]);
    let facts = Facts::of::<V>();
    let right = crosscheck(&facts, || Ok(broken::Broken::new("", "")), &cpu, &options).unwrap();
    assert!(right.passed() && right.trials > 0, "{right:?}");
    let wrong = crosscheck(&facts, || Ok(broken::Broken::new(part, by)), &cpu, &options).unwrap();
    assert!(!wrong.passed() && wrong.max_ulp > 0, "{wrong:?}");
}

#[test]
fn what_is_not_compiled_says_the_lines_that_declare_it() {
    let entry = variants::find("d3q27-kbc-f16in32-soa-dense-aa").unwrap();
    let error = entry.crosscheck().check(Target::Cpu, &Options::default()).unwrap_err().to_string();
    assert!(!entry.is_compiled() && error.contains("collision: Kbc,\n    precision: F16In32,"), "{error}");
}
