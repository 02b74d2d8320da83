//! The words for moments by exponents, over exact rationals: each is the sum that its definition says, and each has its way back.

mod exact;

use exact::{Point, Random};
use lbm_generator::language::{Choices, Given, Scope, evaluate};
use lbm_generator::lattice::{LatticeSpec, analyse};
use lbm_generator::rational::{Rational, ratio, sum, whole};

fn lattices() -> Vec<LatticeSpec> {
    [
        "D2Q5 { dimension: 2, shells: [[0, 0], [1, 0]], weights: [1/3, 1/6], isotropy: 2 }",
        "D2Q9 { dimension: 2, shells: [[0, 0], [1, 0], [1, 1]], weights: [4/9, 1/9, 1/36] }",
        "D3Q19 { dimension: 3, shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], weights: [1/3, 1/18, 1/36] }",
        "D3Q27 { dimension: 3, shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]], weights: [8/27, 2/27, 1/54, 1/216] }",
    ]
    .map(|text| analyse(text.parse().unwrap()).unwrap())
    .into()
}

/// What a body gives for these populations, less what its directions have at rest.
fn given(lattice: &LatticeSpec, body: &str, populations: &[Rational]) -> syn::Result<Vec<Rational>> {
    let declaration = syn::parse_str(&format!("Test {{ {body} }}"))?;
    let choices = Choices::default();
    let kernel = evaluate(&declaration, &Scope::of(lattice, &choices, Given::Populations))?;
    let point = Point { populations: populations.to_vec(), inputs: Vec::new(), parameters: vec![whole(1)] };
    let shifted: Vec<Rational> = exact::polynomials(&kernel.symbols, &kernel.populations, &point).unwrap();
    Ok(shifted.iter().zip(&lattice.weights).map(|(h, w)| h + w).collect())
}

fn random(lattice: &LatticeSpec, random: &mut Random) -> Vec<Rational> {
    (0..lattice.q()).map(|_| random.small()).collect()
}

const ABOUT: &str = "
    let power = |x, p| [1, x, x * x][p];
    let about = |e, v| directions.sum(|i| f[i] * dimensions.product(|a| power(c[i][a] - v[a], e[a])));";

#[test]
fn moments_are_the_sums_that_their_exponents_say() {
    let mut seed = Random(7);
    for lattice in lattices() {
        let h = random(&lattice, &mut seed);
        for (word, velocity) in [("to_raw(f)", "dimensions.map(|a| 0)"), ("to_central(f, u)", "u")] {
            let body = format!(
                "{ABOUT} let m = {word}; for [i, e] in directions.zip(exponents) {{ f[i] = m[e] - about(e, {velocity}); }}"
            );
            let differences = given(&lattice, &body, &h).unwrap();
            assert_eq!(differences, vec![whole(0); lattice.q()], "{word} on {}", lattice.name);
        }
    }
}

#[test]
fn every_word_has_its_way_back() {
    let mut seed = Random(8);
    for lattice in lattices() {
        let h = random(&lattice, &mut seed);
        let before = given(&lattice, "for i in directions { f[i] = f[i]; }", &h).unwrap();
        // About any velocity, for which that of the fluid stands shifted.
        for there_and_back in [
            "from_raw(to_raw(f))",
            "from_central(to_central(f, u), u)",
            "from_central(to_central(f, 2 * u), 2 * u)",
            "from_cumulants(to_cumulants(f, u), u)",
            "from_raw(from_hermite(to_hermite(to_raw(f))))",
            "from_moments(to_moments(f))",
            "from_orthogonal(to_orthogonal(f))",
        ] {
            let body = format!("let back = {there_and_back}; for i in directions {{ f[i] = back[i]; }}");
            assert_eq!(given(&lattice, &body, &h).unwrap(), before, "{there_and_back} on {}", lattice.name);
        }
    }
}

/// A Hermite coefficient is the sum of f times Hermite polynomials of each component.
#[test]
fn hermite_coefficients_are_sums_of_hermite_polynomials() {
    let mut seed = Random(10);
    for lattice in lattices() {
        let h = random(&lattice, &mut seed);
        let body = "let hermite = |x, p| [1, x, x * x - cs2][p];
            let of = |e| directions.sum(|i| f[i] * dimensions.product(|a| hermite(c[i][a], e[a])));
            let a = to_hermite(to_raw(f));
            for [i, e] in directions.zip(exponents) { f[i] = a[e] - of(e); }";
        let differences = given(&lattice, body, &h).unwrap();
        assert_eq!(differences, vec![whole(0); lattice.q()], "{}", lattice.name);
    }
}

/// Geier et al. 2015, Eqs. 28 to 33 and their permutations, each times the density.
const CUMULANTS: &str = "
    let k = to_central(f, u);
    let a = |x, y, z| k[[x, y, z]];
    let of_211 = |i, jk, ij, ik| (i * jk + 2 * ij * ik) / rho;
    let of_220 = |ii, jj, ij| (ii * jj + 2 * ij * ij) / rho;
    let known = [
        [[1, 1, 1], a(1, 1, 1)],
        [[2, 1, 1], a(2, 1, 1) - of_211(a(2, 0, 0), a(0, 1, 1), a(1, 1, 0), a(1, 0, 1))],
        [[1, 1, 2], a(1, 1, 2) - of_211(a(0, 0, 2), a(1, 1, 0), a(1, 0, 1), a(0, 1, 1))],
        [[2, 2, 0], a(2, 2, 0) - of_220(a(2, 0, 0), a(0, 2, 0), a(1, 1, 0))],
        [[0, 2, 2], a(0, 2, 2) - of_220(a(0, 2, 0), a(0, 0, 2), a(0, 1, 1))],
        [[1, 2, 2], a(1, 2, 2) - (a(0, 0, 2) * a(1, 2, 0) + a(0, 2, 0) * a(1, 0, 2) + 4 * a(0, 1, 1) * a(1, 1, 1)
            + 2 * (a(1, 0, 1) * a(0, 2, 1) + a(1, 1, 0) * a(0, 1, 2))) / rho],
        [[2, 2, 2], a(2, 2, 2) - (4 * a(1, 1, 1) * a(1, 1, 1)
            + a(2, 0, 0) * a(0, 2, 2) + a(0, 2, 0) * a(2, 0, 2) + a(0, 0, 2) * a(2, 2, 0)
            + 4 * (a(0, 1, 1) * a(2, 1, 1) + a(1, 0, 1) * a(1, 2, 1) + a(1, 1, 0) * a(1, 1, 2))
            + 2 * (a(1, 2, 0) * a(1, 0, 2) + a(2, 1, 0) * a(0, 1, 2) + a(2, 0, 1) * a(0, 2, 1))) / rho
            + (16 * a(1, 1, 0) * a(1, 0, 1) * a(0, 1, 1)
            + 4 * (a(1, 0, 1) * a(1, 0, 1) * a(0, 2, 0) + a(0, 1, 1) * a(0, 1, 1) * a(2, 0, 0) + a(1, 1, 0) * a(1, 1, 0) * a(0, 0, 2))
            + 2 * a(2, 0, 0) * a(0, 2, 0) * a(0, 0, 2)) / rho / rho],
    ];";

#[test]
fn cumulants_are_those_of_the_paper() {
    let lattice = lattices().pop().unwrap();
    let h = random(&lattice, &mut Random(9));
    let body = format!(
        "{CUMULANTS} let c = to_cumulants(f, u);
         for i in directions {{ f[i] = if i < known.len() {{ c[known[i][0]] - known[i][1] }} else {{ 0 }}; }}"
    );
    assert_eq!(given(&lattice, &body, &h).unwrap(), vec![whole(0); lattice.q()]);
}

#[test]
fn an_exact_quotient_keeps_no_number_that_cancels() {
    // Far below what f64 has digits for beside 1.
    let lattice = &lattices()[1];
    let h: Vec<Rational> = (1..10).map(|n| ratio(n, 1_000_000_000)).collect();
    let declaration = syn::parse_str(
        "Test { let x = f[1] * f[2] / rho; let y = 1 / rho; for i in directions { f[i] = w[i] + x - y; } }",
    );
    let choices = Choices::default();
    let scope = Scope::of(lattice, &choices, Given::Populations);
    let kernel = evaluate(&declaration.unwrap(), &scope).unwrap();
    let shown: Vec<String> = kernel.populations.iter().map(|p| kernel.symbols.show(p)).collect();
    assert_eq!(shown[0], "-80/81 + x - y", "the names hold what varies");
    let point = Point { populations: h.clone(), inputs: Vec::new(), parameters: vec![whole(1)] };
    let values: Vec<Rational> = exact::polynomials(&kernel.symbols, &kernel.populations, &point).unwrap();
    let value = &values[0];
    let rho: Rational = whole(1) + sum(h.iter().cloned());
    assert_eq!(*value, (&h[1] + ratio(1, 9)) * (&h[2] + ratio(1, 9)) / &rho - whole(1) / &rho);
}

#[test]
fn lattices_that_are_no_products_are_refused_by_name() {
    let d3q15 =
        "D3Q15 { dimension: 3, shells: [[0, 0, 0], [1, 0, 0], [1, 1, 1]], weights: [2/9, 1/9, 1/72] }";
    let d3q15 = analyse(d3q15.parse().unwrap()).unwrap();
    for (lattice, body, message) in [
        (&d3q15, "let k = to_central(f, u);", "not on lattice D3Q15: `to_central` needs velocities"),
        (&d3q15, "f[0] = exponents.len();", "not on lattice D3Q15: `exponents` needs velocities"),
        (
            &d3q15,
            "f[0] = to_raw(f)[0];",
            "it has [1, 1, 1] without [0, 1, 1]; take D2Q9, D3Q19 or D3Q27, or `to_moments`",
        ),
        (&lattices()[2], "let m = to_raw(f); f[0] = m[[1, 1, 1]];", "no moment of D3Q19 has these exponents"),
        (&lattices()[1], "let m = to_raw(f); f[0] = m[[1, 1, 1]];", "give 2 of 0, 1, 2"),
        (&lattices()[1], "let m = to_central(f, [1]);", "a velocity has 2 components"),
        (&lattices()[1], "let m = to_raw([1]);", "1 values for 9 directions"),
    ] {
        let error = given(lattice, body, &[]).unwrap_err().to_string();
        assert!(error.contains(message), "{body}: {error}");
    }
}
