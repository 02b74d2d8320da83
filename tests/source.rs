//! What was generated of a user's solver can be read, and who does not ask does not carry it.

use lbm::core::written::Header;
use lbm::core::{Collision as _, Facts};
use lbm::prelude::*;
use lbm::simulation::Backend;
use lbm_generator::digits::{Digits, Trials};
use lbm_generator::source::written;
use lbm_generator::{generate, language, lattice};

collision! {
    /// One rate, and a parameter.
    pub Asked(share = 1/2 in 0..=1) {
        let omega = share / (viscosity / cs2 + 1/2);
        for i in directions { f[i] = f[i] + omega * (equilibrium[i] - f[i]); }
    }
}

collision! {
    /// One rate.
    pub Unasked {
        let omega = 1 / (viscosity / cs2 + 1/2);
        for i in directions { f[i] = f[i] + omega * (equilibrium[i] - f[i]); }
    }
}

solver! { Read { lattice: D2Q9, collision: Asked, precision: F32, streaming: EsotericPull } }
solver! { Unread { lattice: D2Q9, collision: Unasked, precision: F32 } }

#[test]
fn the_text_of_a_users_solver_is_what_the_generator_makes() {
    let generated = generate(
        &lattice::analyse(D2Q9::DECLARATION.parse().unwrap()).unwrap(),
        &syn::parse_str(Asked::DECLARATION).unwrap(),
        &language::Choices { share_flux_trace: true, ..Default::default() },
    )
    .unwrap();
    let again = written(&generated, &Digits::of(&generated, &Trials::FEW));
    let name = "d2q9-asked-f32-soa-dense-esoteric-pull";
    let header = Header::new(name, Some(72));

    let rust = Read::source(Backend::Cpu).unwrap();
    assert_eq!(rust.text, again.rust_page(&header));
    assert_eq!(rust.operations, generated.collide.count());
    assert_eq!((rust.live_values, rust.digits_lost), (again.live_values, again.digits));
    let stages: Vec<(&str, &str)> = rust.stages.iter().map(|(name, text)| (*name, &**text)).collect();
    let expected: Vec<(&str, &str)> =
        generated.stages.0.iter().map(|(name, text)| (*name, &**text)).collect();
    assert_eq!(stages, expected);
    assert!(
        stages.len() == 5 && stages[0].1.contains("omega") && rust.to_string().starts_with("// d2q9-asked")
    );
    assert!(rust.digits_lost > 0.0 && rust.digits_lost < 8.0, "{}", rust.digits_lost);
}

#[cfg(feature = "cuda")]
#[test]
fn the_kernels_of_a_users_solver_are_those_that_are_compiled() {
    use lbm::cuda::assemble::{Plan, Shape, step};
    let facts = Facts::of::<Read>();
    let plan = Plan::of(Shape::likely(&facts, [4096, 4096, 1]));
    let cuda = Read::source(Backend::Cuda(0)).unwrap();
    let text = step(&facts, &plan).unwrap().to_string();
    let (comment, kernels) = cuda.text.split_at(cuda.text.len() - text.len());
    assert_eq!(kernels, text);
    assert!(comment.lines().all(|line| line.is_empty() || line.starts_with("//")), "{comment}");
    assert!(
        comment.contains("// Asked on D2Q9") && comment.contains("// Memory: 72 bytes a node"),
        "{comment}"
    );
}

/// The words are put together here, so that they stand in this program only if the solver's page does.
#[test]
fn who_does_not_ask_does_not_carry_it() {
    let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let has = |parts: [&str; 2]| {
        let words = parts.concat();
        program.windows(words.len()).any(|bytes| bytes == words.as_bytes())
    };
    assert!(Facts::of::<Unread>().name().contains("unasked"));
    assert!(has(["// As", "ked on D2Q9, quasi-compressible"]));
    assert!(!has(["// Unas", "ked on D2Q9, quasi-compressible"]));
}
