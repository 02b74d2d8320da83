//! Operation counts of the generated kernels: never above those of lbmpy 2.1 for the same operator (zero-centred
//! storage, all its simplifications on), and pinned.

mod kernels;

use expect_test::{Expect, expect};
use kernels::{Case, EQUILIBRIA};
use lbm::collisions::{
    Bgk, BulkViscosity, Carreau, CentralMoments, Cumulant, EssentiallyEntropic, HybridRecursiveRegularized,
    Mrt, OrthogonalMrt, ParametrizedCumulant, PowerLaw, RawMrt, RecursiveBulkViscosity, RecursiveRegularized,
    Regularized, Smagorinsky, ThirdOrder, Trt, Wale,
};
use lbm::core::Collision as _;
use lbm::core::Lattice as _;
use lbm::core::collision::{Declared, Operations};
use lbm::lattices::{D2Q9, D3Q19, D3Q27};
use lbm_generator::digits::{Digits, Trials};
use lbm_generator::language::Equilibrium::{Incompressible, QuasiCompressible};
use lbm_generator::language::{Equilibrium, Forcing};
use lbm_generator::rational::whole;

/// Additions, multiplications and divisions of lbmpy 2.1, an fma counted as one of each.
fn at_most(lattice: &str, collision: &str, equilibrium: Equilibrium, lbmpy: [usize; 3], ours: &Expect) {
    check(&Case::new(lattice, collision, equilibrium, Forcing::None), lbmpy, ours);
}

fn check(case: &Case, lbmpy: [usize; 3], ours: &Expect) {
    let generated = case.generate();
    let count = generated.collide.count();
    let counted = [count.adds, count.muls, count.divs];
    assert!(
        counted.iter().zip(lbmpy).all(|(n, bound)| *n <= bound),
        "{}: {counted:?} above {lbmpy:?}",
        case.name()
    );
    ours.assert_eq(&summary(&generated));
}

fn summary(generated: &lbm_generator::Generated) -> String {
    let count = generated.collide.count();
    format!(
        "{}/{}/{}, {} fmas, {} live",
        count.adds,
        count.muls,
        count.divs,
        count.fmas,
        generated.collide.live_values()
    )
}

#[test]
fn d2q9_bgk() {
    at_most(
        D2Q9::DECLARATION,
        Bgk::DECLARATION,
        QuasiCompressible,
        [53, 37, 1],
        &expect!["41/31/1, 19 fmas, 16 live"],
    );
    at_most(
        D2Q9::DECLARATION,
        Bgk::DECLARATION,
        Incompressible,
        [53, 38, 0],
        &expect!["40/29/0, 19 fmas, 15 live"],
    );
}

#[test]
fn d2q9_trt() {
    at_most(
        D2Q9::DECLARATION,
        Trt::DECLARATION,
        QuasiCompressible,
        [57, 47, 1],
        &expect!["43/29/1, 15 fmas, 16 live"],
    );
}

#[test]
fn d3q19_bgk() {
    at_most(
        D3Q19::DECLARATION,
        Bgk::DECLARATION,
        QuasiCompressible,
        [125, 78, 1],
        &expect!["95/61/1, 36 fmas, 31 live"],
    );
    at_most(
        D3Q19::DECLARATION,
        Bgk::DECLARATION,
        Incompressible,
        [126, 68, 0],
        &expect!["94/58/0, 36 fmas, 29 live"],
    );
}

#[test]
fn d3q19_trt() {
    at_most(
        D3Q19::DECLARATION,
        Trt::DECLARATION,
        QuasiCompressible,
        [134, 98, 1],
        &expect!["98/58/1, 30 fmas, 30 live"],
    );
    at_most(
        D3Q19::DECLARATION,
        Trt::DECLARATION,
        Incompressible,
        [130, 81, 0],
        &expect!["97/55/0, 30 fmas, 28 live"],
    );
}

/// With all directions; of `Mrt` one rate, all others are 1.
#[test]
fn d3q27() {
    let count = |collision, lbmpy, ours: &Expect| {
        at_most(D3Q27::DECLARATION, collision, QuasiCompressible, lbmpy, ours);
    };
    count(Bgk::DECLARATION, [183, 101, 1], &expect!["140/79/1, 46 fmas, 40 live"]);
    count(Trt::DECLARATION, [200, 136, 1], &expect!["147/76/1, 40 fmas, 38 live"]);
    let mrt = Case::new(D3Q27::DECLARATION, Mrt::DECLARATION, QuasiCompressible, Forcing::None);
    check(&mrt.baked("rates", whole(1)), [190, 75, 1], &expect!["145/72/1, 32 fmas, 18 live"]);
}

#[test]
fn d3q19_mrt() {
    let case = || Case::new(D3Q19::DECLARATION, Mrt::DECLARATION, QuasiCompressible, Forcing::None);
    check(&case(), [178, 104, 1], &expect!["137/87/1, 44 fmas, 27 live"]);
    check(&case().baked("rates", whole(1)), [126, 69, 1], &expect!["99/62/1, 29 fmas, 17 live"]);
}

/// One rate for the shear; all others are 1.
fn relaxed(lattice: &str, collision: &str, lbmpy: [usize; 3], ours: &Expect) {
    let case = Case::new(lattice, collision, QuasiCompressible, Forcing::None);
    let others = ["bulk", "third", "fourth", "fifth", "sixth"];
    check(&others.into_iter().fold(case, |case, rate| case.baked(rate, whole(1))), lbmpy, ours);
}

#[test]
fn central_moments() {
    let central = CentralMoments::DECLARATION;
    relaxed(D2Q9::DECLARATION, central, [60, 34, 1], &expect!["59/31/1, 7 fmas, 13 live"]);
    relaxed(D3Q19::DECLARATION, central, [140, 76, 1], &expect!["132/59/1, 7 fmas, 23 live"]);
    relaxed(D3Q27::DECLARATION, central, [231, 111, 1], &expect!["218/88/1, 10 fmas, 29 live"]);
}

#[test]
fn cumulants() {
    let cumulant = Cumulant::DECLARATION;
    relaxed(D2Q9::DECLARATION, cumulant, [61, 38, 1], &expect!["59/35/1, 6 fmas, 15 live"]);
    relaxed(D3Q19::DECLARATION, cumulant, [140, 83, 1], &expect!["140/77/1, 12 fmas, 27 live"]);
    relaxed(D3Q27::DECLARATION, cumulant, [245, 143, 2], &expect!["244/128/1, 22 fmas, 39 live"]);
}

/// The equilibrium of third order, and collisions that choose the viscosity.
#[test]
fn collisions_around_others() {
    let count = |lattice, declared, lbmpy, ours: &Expect| {
        check(&Case::around(lattice, declared, QuasiCompressible, Forcing::None), lbmpy, ours);
    };
    let third = Declared::of::<ThirdOrder<Bgk>>();
    count(D3Q27::DECLARATION, third, [261, 142, 1], &expect!["165/141/1, 83 fmas, 45 live"]);
    // Beside 41/31/1 of the collision within.
    let any = [usize::MAX; 3];
    count(D2Q9::DECLARATION, Declared::of::<Smagorinsky<Bgk>>(), any, &expect!["73/57/3, 20 fmas, 20 live"]);
    count(D2Q9::DECLARATION, Declared::of::<PowerLaw<Bgk>>(), any, &expect!["92/77/10, 27 fmas, 20 live"]);
    count(D2Q9::DECLARATION, Declared::of::<Carreau<Bgk>>(), any, &expect!["107/90/10, 28 fmas, 20 live"]);
    count(
        D2Q9::DECLARATION,
        Declared::of::<EssentiallyEntropic>(),
        any,
        &expect!["163/191/28, 52 fmas, 41 live"],
    );
}

/// The pass that reads neighbours, and the collision; beside 41/31/1 and 95/61/1 of the collision within, 56/27/1 and 133/61/1 of the one without differences.
#[test]
fn collisions_that_read_neighbours() {
    let count = |lattice, declared, ours: &Expect| {
        let generated = Case::around(lattice, declared, QuasiCompressible, Forcing::None).generate();
        let near = generated.derived.passes[1].program();
        let [a, m, d] = [near.count().adds, near.count().muls, near.count().divs];
        ours.assert_eq(&format!("{a}/{m}/{d}, {} live; {}", near.live_values(), summary(&generated)));
    };
    let [wale, hybrid] = [Declared::of::<Wale<Bgk>>(), Declared::of::<HybridRecursiveRegularized>()];
    count(D2Q9::DECLARATION, wale, &expect!["43/46/4, 9 live; 60/44/2, 15 fmas, 21 live"]);
    count(D2Q9::DECLARATION, hybrid, &expect!["27/18/2, 7 live; 61/34/1, 10 fmas, 13 live"]);
    count(D3Q19::DECLARATION, wale, &expect!["180/106/5, 18 live; 127/84/2, 25 fmas, 33 live"]);
    count(D3Q19::DECLARATION, hybrid, &expect!["138/48/3, 16 live; 142/73/1, 18 fmas, 29 live"]);
}

/// Beside 43/29/1, 46/28/1 and 56/27/1 of the collisions within.
#[test]
fn bulk_viscosities_around_others() {
    let count = |declared, ours: &Expect| {
        check(
            &Case::around(D2Q9::DECLARATION, declared, QuasiCompressible, Forcing::None),
            [usize::MAX; 3],
            ours,
        );
    };
    count(Declared::of::<BulkViscosity<Trt>>(), &expect!["49/31/1, 19 fmas, 18 live"]);
    count(Declared::of::<BulkViscosity<Regularized>>(), &expect!["52/31/1, 19 fmas, 12 live"]);
    count(
        Declared::of::<RecursiveBulkViscosity<RecursiveRegularized>>(),
        &expect!["59/30/1, 7 fmas, 13 live"],
    );
}

/// Moments in other bases with a rate for each, and cumulants whose rates follow from two of them.
#[test]
fn other_bases() {
    let count = |lattice, collision, ours: &Expect| {
        check(&Case::new(lattice, collision, QuasiCompressible, Forcing::None), [usize::MAX; 3], ours);
    };
    count(D2Q9::DECLARATION, OrthogonalMrt::DECLARATION, &expect!["59/45/1, 24 fmas, 13 live"]);
    count(D3Q19::DECLARATION, OrthogonalMrt::DECLARATION, &expect!["152/108/1, 62 fmas, 27 live"]);
    count(D2Q9::DECLARATION, RawMrt::DECLARATION, &expect!["55/27/1, 13 fmas, 12 live"]);
    count(D3Q19::DECLARATION, RawMrt::DECLARATION, &expect!["135/61/1, 33 fmas, 28 live"]);
    count(D3Q27::DECLARATION, ParametrizedCumulant::DECLARATION, &expect!["490/366/8, 96 fmas, 76 live"]);
}

/// As a paper writes it, with moments as sums over populations, and as the words for it say, it costs the same.
#[test]
fn the_form_in_which_an_operator_is_written_does_not_decide_what_it_costs() {
    let relaxed = "let post = exponents.map(|e| if sum(e) == 2 { k_eq[e] + (1 - omega) * (k[e] - k_eq[e]) } else { k_eq[e] });
         let out = from_central(post, u);
         for i in directions { f[i] = out[i]; }";
    let common = "let omega = 1 / (viscosity / cs2 + 1/2); let k_eq = exponents.map(|e| rho * e.product(|p| [1, 0, cs2][p]));";
    let by_word = format!("Word {{ {common} let k = to_central(f, u); {relaxed} }}");
    let by_sums = format!(
        "Sums {{ {common} let power = |x, p| [1, x, x * x][p];
           let k = exponents.map(|e| directions.sum(|i| f[i] * dimensions.product(|a| power(c[i][a] - u[a], e[a]))));
           {relaxed} }}"
    );
    for lattice in [D2Q9::DECLARATION, D3Q19::DECLARATION, D3Q27::DECLARATION] {
        let counts = [&by_word, &by_sums].map(|text| {
            let count = Case::new(lattice, text, QuasiCompressible, Forcing::None).generate().collide.count();
            (count.adds, count.muls, count.divs)
        });
        assert_eq!(counts[0], counts[1]);
    }
}

/// Operators of two dimensions as their papers write them, and as they are declared here.
#[test]
fn the_form_of_a_paper_costs_what_ours_does() {
    // With the equilibrium spelt out (Qian, d'Humieres & Lallemand 1992).
    let bgk = "Paper {
        let omega = 1 / (viscosity / cs2 + 1/2);
        let cu = |i| dimensions.sum(|a| c[i][a] * u[a]);
        let uu = dimensions.sum(|a| u[a] * u[a]);
        for i in directions {
            f[i] = f[i] - omega * (f[i] - w[i] * rho * (1 + 3 * cu(i) + 9/2 * cu(i) * cu(i) - 3/2 * uu));
        }
    }";
    // The cumulant of fourth order from central moments, and back (Geier et al. 2015, for two dimensions).
    let cumulant = "Paper {
        let omega = 1 / (viscosity / cs2 + 1/2);
        let k = to_central(f, u);
        let c20 = rho / 3 + (1 - omega) * (k[[2, 0]] - k[[0, 2]]) / 2;
        let c02 = rho / 3 - (1 - omega) * (k[[2, 0]] - k[[0, 2]]) / 2;
        let c11 = (1 - omega) * k[[1, 1]];
        let post = exponents.map(|e| if sum(e) == 4 { (c20 * c02 + 2 * c11 * c11) / rho } else {
            if sum(e) == 2 { if e[0] == 2 { c20 } else { if e[1] == 2 { c02 } else { c11 } } } else { if sum(e) == 0 { rho } else { 0 } } });
        let out = from_central(post, u);
        for i in directions { f[i] = out[i]; }
    }";
    for (written, ours) in [
        (bgk, Bgk::DECLARATION),
        (cumulant, Cumulant::DECLARATION),
        (kernels::BY_RECURSION, RecursiveRegularized::DECLARATION),
    ] {
        let case = |text: &str| Case::new(D2Q9::DECLARATION, text, QuasiCompressible, Forcing::None);
        let others = ["bulk", "third", "fourth"];
        let relaxed = |text: &str| match text.contains("bulk") {
            true => others.iter().fold(case(text), |case, rate| case.baked(rate, whole(1))),
            false => case(text),
        };
        let [written, ours] = [written, ours].map(|text| relaxed(text).generate().collide.count());
        let all = |count: Operations| count.adds + count.muls + count.divs;
        assert!(100 * all(written) <= 105 * all(ours), "{written:?} of the paper's form, {ours:?} of ours");
    }
}

/// Of every kernel what it costs, and how many times what the last digits of its populations decide a step in single precision is off by.
#[test]
fn all_kernels() {
    let mut table = String::new();
    for case in kernels::all(|_| true) {
        let generated = case.generate();
        let digits = Digits::of(&generated, &Trials::FEW).lost;
        table += &format!("{}: {}, digits {digits:.1}\n", case.name(), summary(&generated));
    }
    // Four collisions with all, four on product lattices, of which three with one equilibrium.
    assert_eq!(EQUILIBRIA.len() * 2 * 16 + 2 * 3 * (3 + 2), table.lines().count());
    expect_test::expect_file!["operation_counts.txt"].assert_eq(&table);
}
