//! The built-in collisions over exact rationals: simplification changes no value, and what physics demands of a
//! collision holds without rounding.

#[path = "../lbm-generator/tests/exact/mod.rs"]
mod exact;
mod kernels;

use exact::{Point, Random};
use kernels::{Case, EQUILIBRIA};
use lbm::collisions::{
    Bgk, BulkViscosity, CentralMoments, Cumulant, Mrt, OrthogonalMrt, ParametrizedCumulant, RawMrt,
    RecursiveBulkViscosity, RecursiveRegularized, Regularized, Trt,
};
use lbm::core::{Collision as _, Declared, Lattice as _};
use lbm::lattices::{D2Q9, D3Q15, D3Q19, D3Q27};
use lbm_generator::Generated;
use lbm_generator::language::{Forcing, Given, Scope, evaluate};
use lbm_generator::rational::{Rational, ratio, sum, whole};

/// The formulas as declared, not simplified, at a point.
fn formulas(case: &Case, generated: &Generated, point: &Point) -> Vec<Rational> {
    let scope = Scope::of(&case.lattice, &generated.choices, Given::Populations);
    let kernel = evaluate(&case.collision, &scope).unwrap();
    exact::polynomials(&kernel.symbols, &kernel.populations, point).unwrap()
}

/// sum h_i and, for each axis, sum c_i h_i.
fn conserved(generated: &Generated, h: &[Rational]) -> Vec<Rational> {
    let lattice = &generated.lattice;
    let mut sums = vec![sum(h.iter().cloned())];
    for a in 0..lattice.dimension {
        sums.push(sum(lattice.velocities.iter().zip(h).map(|(c, h)| whole(i64::from(c[a])) * h)));
    }
    sums
}

fn force(generated: &Generated, point: &Point) -> Vec<Rational> {
    let axes = ["x", "y", "z"].iter().take(generated.lattice.dimension);
    let value = |axis: &str| {
        let name = format!("force_{axis}");
        let used = generated.parameters.iter().position(|(n, _)| *n == name);
        used.map_or(whole(0), |index| point.used_parameters(generated)[index].clone())
    };
    axes.map(|axis| value(axis)).collect()
}

#[test]
fn simplified_kernels_equal_their_formulas_and_conserve_mass_and_momentum() {
    let mut random = Random(2);
    let others = [kernels::of_higher_order(), kernels::of_bulk_viscosity(), kernels::of_other_bases()]
        .into_iter()
        .flatten();
    for case in kernels::all(|_| true).into_iter().chain(others) {
        let generated = case.generate();
        let point = Point::random(&generated, &mut random);
        let collided = exact::run(&generated.collide, &point).unwrap();
        assert_eq!(collided, formulas(&case, &generated, &point), "{}", case.name());

        let before = conserved(&generated, &point.populations);
        let force = force(&generated, &point);
        assert_eq!(
            force.iter().any(|f| *f != whole(0)),
            case.choices.forcing == Forcing::Guo,
            "{}",
            case.name()
        );
        let expected: Vec<Rational> = before
            .iter()
            .zip(std::iter::once(&whole(0)).chain(&force))
            .map(|(sum, gain)| sum + gain)
            .collect();
        assert_eq!(conserved(&generated, &collided), expected, "{}: mass and momentum", case.name());
    }
}

#[test]
fn equilibria_are_fixed_points_and_give_back_density_and_velocity() {
    let mut random = Random(3);
    for case in kernels::all(|_| false) {
        let generated = case.generate();
        let mut fields = vec![whole(1) + random.small()];
        fields.extend((0..case.lattice.dimension).map(|_| random.small()));
        let equilibrium = generated.equilibrium.evaluate(&[], &fields, &[]).unwrap();
        let point = Point { populations: equilibrium.clone(), ..Point::random(&generated, &mut random) };
        assert_eq!(exact::run(&generated.collide, &point).unwrap(), equilibrium, "{}", case.name());
        let back = generated.macroscopic.evaluate(&equilibrium, &[], &[]).unwrap();
        assert_eq!(back, fields, "{}: density and velocity", case.name());
    }
}

#[test]
fn macroscopic_fields_have_the_half_step_of_the_force() {
    let mut random = Random(4);
    let bgk = |case: &&Case| case.collision.name == "Bgk" && case.choices.forcing == Forcing::Guo;
    for case in kernels::all(|_| true).iter().filter(bgk) {
        let generated = case.generate();
        let point = Point::random(&generated, &mut random);
        let force: Vec<Rational> = (0..3).map(|_| random.small()).collect();
        let fields = generated.macroscopic.evaluate(&point.populations, &force, &[]).unwrap();
        let sums = conserved(&generated, &point.populations);
        let rho = whole(1) + &sums[0];
        assert_eq!(fields[0], rho);
        let incompressible = case.choices.equilibrium == kernels::EQUILIBRIA[1];
        for a in 0..case.lattice.dimension {
            let momentum = &sums[1 + a] + &force[a] / whole(2);
            let velocity = if incompressible { momentum } else { momentum / &rho };
            assert_eq!(fields[1 + a], velocity, "{}: axis {a}", case.name());
        }
    }
}

#[test]
fn trt_with_two_equal_rates_is_bgk() {
    let mut random = Random(5);
    for lattice in kernels::lattices() {
        for equilibrium in EQUILIBRIA {
            for forcing in [Forcing::None, Forcing::Guo] {
                let bgk = Case::new(lattice, Bgk::DECLARATION, equilibrium, forcing);
                let trt = Case::new(lattice, Trt::DECLARATION, equilibrium, forcing);
                let viscosity = random.positive();
                let ratio = &viscosity / &bgk.lattice.cs2;
                // magic = (tau_even - 1/2) (tau_odd - 1/2)
                same(
                    &bgk.baked("viscosity", viscosity.clone()),
                    &trt.baked("viscosity", viscosity).baked("magic", &ratio * &ratio),
                    &mut random,
                );
            }
        }
    }
}

#[test]
fn mrt_with_equal_rates_is_bgk() {
    let mut random = Random(6);
    for lattice in kernels::lattices() {
        for equilibrium in EQUILIBRIA {
            for forcing in [Forcing::None, Forcing::Guo] {
                let omega = random.positive();
                let bgk = Case::new(lattice, Bgk::DECLARATION, equilibrium, forcing);
                let mrt = Case::new(lattice, Mrt::DECLARATION, equilibrium, forcing);
                let viscosity = &bgk.lattice.cs2 * (whole(1) / &omega - ratio(1, 2));
                same(
                    &bgk.baked("viscosity", viscosity.clone()),
                    &mrt.baked("viscosity", viscosity).baked("rates", omega),
                    &mut random,
                );
            }
        }
    }
}

#[test]
fn in_every_basis_equal_rates_are_bgk() {
    let mut random = Random(9);
    let raw = ["bulk", "third", "fourth", "fifth", "sixth"];
    let bases = [(OrthogonalMrt::DECLARATION, &["rates"][..]), (RawMrt::DECLARATION, &raw)];
    for lattice in [D2Q9::DECLARATION, D3Q19::DECLARATION] {
        for (forcing, (basis, rates)) in
            [Forcing::None, Forcing::Guo].into_iter().flat_map(|f| bases.map(|b| (f, b)))
        {
            let omega = random.positive();
            let case = |collision| Case::new(lattice, collision, EQUILIBRIA[0], forcing);
            let viscosity = &case(basis).lattice.cs2 * (whole(1) / &omega - ratio(1, 2));
            let other = rates.iter().fold(case(basis).baked("viscosity", viscosity.clone()), |case, rate| {
                case.baked(rate, omega.clone())
            });
            same(&case(Bgk::DECLARATION).baked("viscosity", viscosity), &other, &mut random);
        }
    }
}

/// Lallemand & Luo 2000: e relaxes with one rate, eps with another, q with a third, where j and the stress relax as in BGK.
const LALLEMAND_LUO: &str = "LallemandLuo {
    let omega = 1 / (viscosity / cs2 + 1/2);
    let square = |i| c[i][0] * c[i][0] + c[i][1] * c[i][1];
    let e = |i| 3 * square(i) - 4;
    let eps = |i| 4 - 21/2 * square(i) + 9/2 * square(i) * square(i);
    let q = |i, a| (3 * square(i) - 5) * c[i][a];
    let off = |i| equilibrium[i] - f[i];
    let of_e = directions.sum(|i| e(i) * off(i)) / 36;
    let of_eps = directions.sum(|i| eps(i) * off(i)) / 36;
    let of_q = dimensions.map(|a| directions.sum(|i| q(i, a) * off(i)) / 12);
    for i in directions {
        f[i] = f[i] + omega * off(i) + (13/10 - omega) * e(i) * of_e + (7/5 - omega) * eps(i) * of_eps
            + (6/5 - omega) * dimensions.sum(|a| q(i, a) * of_q[a]);
    }
}";

#[test]
fn moments_that_are_orthogonal_without_weights_are_those_of_the_paper() {
    let case = |collision| {
        Case::new(D2Q9::DECLARATION, collision, EQUILIBRIA[0], Forcing::None).baked("viscosity", ratio(1, 7))
    };
    let by_order = [whole(1), whole(1), ratio(13, 10), ratio(6, 5), ratio(7, 5)];
    let orthogonal = case(OrthogonalMrt::DECLARATION);
    let moments = orthogonal.lattice.moments().to_vec();
    let ours = moments.iter().fold(orthogonal, |case, moment| {
        case.baked(&format!("rates_{}", moment.name), by_order[moment.degree as usize].clone())
    });
    same(&ours, &case(LALLEMAND_LUO), &mut Random(10));
}

/// Where its formulas have poles, here at a viscosity of 1/6, and about a fluid at rest, whose corrections are 0, its rates are those of cumulants.
#[test]
fn parametrized_cumulants_fall_back_to_cumulants() {
    let case = |collision| {
        Case::new(D3Q27::DECLARATION, collision, EQUILIBRIA[0], Forcing::None).baked("viscosity", ratio(1, 6))
    };
    let rates = ["bulk", "fourth", "fifth", "sixth"];
    let with_rates =
        |collision| rates.into_iter().fold(case(collision), |case, rate| case.baked(rate, whole(1)));
    let one = with_rates(ParametrizedCumulant::DECLARATION).baked("limiter", ratio(1, 100)).generate();
    let other = with_rates(Cumulant::DECLARATION).baked("third", whole(1)).generate();
    // Populations without momentum: each direction as its opposite.
    let mut point = Point::random(&one, &mut Random(12));
    let opposites = one.lattice.pairs();
    opposites.iter().for_each(|&(i, j)| point.populations[j] = point.populations[i].clone());
    assert_eq!(exact::run(&one.collide, &point).unwrap(), exact::run(&other.collide, &point).unwrap());
}

/// BGK with the Maxwell distribution as far as the lattice has moments of it.
const MAXWELL: &str = "Maxwell {
    let omega = 1 / (viscosity / cs2 + 1/2);
    let equilibrium = from_central(exponents.map(|e| rho * e.product(|p| [1, 0, cs2][p])), u);
    for i in directions { f[i] = f[i] + omega * (equilibrium[i] - f[i]); }
}";

#[test]
fn central_moments_with_equal_rates_are_bgk() {
    let mut random = Random(7);
    for lattice in [D2Q9::DECLARATION, D3Q19::DECLARATION, D3Q27::DECLARATION] {
        let omega = random.positive();
        let case = |collision| Case::new(lattice, collision, EQUILIBRIA[0], Forcing::None);
        let viscosity = &case(MAXWELL).lattice.cs2 * (whole(1) / &omega - ratio(1, 2));
        let central = case(CentralMoments::DECLARATION).baked("viscosity", viscosity.clone());
        let rates = ["bulk", "third", "fourth", "fifth", "sixth"];
        let central = rates.into_iter().fold(central, |case, rate| case.baked(rate, omega.clone()));
        same(&case(MAXWELL).baked("viscosity", viscosity), &central, &mut random);
    }
}

/// Malaspinas 2015, Eqs. 19 to 24: with a_2 the second Hermite coefficient of the non-equilibrium, a_xxy = 2 u_x a_xy + u_y a_xx and
/// a_xxyy = u_x u_x a_yy + u_y u_y a_xx + 4 u_x u_y a_xy.
const RECURSION: &str = "Recursion {
    let omega = 1 / (viscosity / cs2 + 1/2);
    let equilibrium = from_central(exponents.map(|e| rho * e.product(|p| [1, 0, cs2][p])), u);
    let pi = |a, b| directions.sum(|i| (c[i][a] * c[i][b] - delta(a, b) * cs2) * (f[i] - equilibrium[i]));
    let xx = pi(0, 0); let xy = pi(0, 1); let yy = pi(1, 1);
    let xxy = 2 * u[0] * xy + u[1] * xx;
    let xyy = 2 * u[1] * xy + u[0] * yy;
    let xxyy = u[0] * u[0] * yy + u[1] * u[1] * xx + 4 * u[0] * u[1] * xy;
    for i in directions {
        let x = c[i][0]; let y = c[i][1];
        let x2 = x * x - cs2; let y2 = y * y - cs2;
        f[i] = equilibrium[i] + (1 - omega) * w[i] * ((x2 * xx + 2 * x * y * xy + y2 * yy) / (2 * cs2 * cs2)
            + (x2 * y * xxy + x * y2 * xyy) / (2 * cs2 * cs2 * cs2) + x2 * y2 * xxyy / (4 * cs2 * cs2 * cs2 * cs2));
    }
}";

#[test]
fn recursive_regularisation_is_that_of_the_paper() {
    let case = |collision| Case::new(D2Q9::DECLARATION, collision, EQUILIBRIA[0], Forcing::None);
    let [ours, paper] =
        [RecursiveRegularized::DECLARATION, RECURSION].map(|text| case(text).baked("viscosity", ratio(1, 7)));
    same(&ours, &paper, &mut Random(8));
}

/// All rates of multiple relaxation times but the trace's are the shear's: one rate, and another for the trace around it.
#[test]
fn a_bulk_viscosity_around_one_rate_is_a_moments_rate() {
    let mut random = Random(11);
    for lattice in [D2Q9::DECLARATION, D3Q15::DECLARATION, D3Q19::DECLARATION, D3Q27::DECLARATION] {
        for equilibrium in EQUILIBRIA {
            let (omega, bulk) = (random.positive(), ratio(3, 4));
            let mrt = Case::new(lattice, Mrt::DECLARATION, equilibrium, Forcing::Guo);
            let viscosity = &mrt.lattice.cs2 * (whole(1) / &omega - ratio(1, 2));
            let rates: Vec<String> =
                mrt.lattice.moments().iter().map(|moment| format!("rates_{}", moment.name)).collect();
            let rate = |name: &String| if name == "rates_xx_trace" { bulk.clone() } else { omega.clone() };
            let mrt = rates.iter().fold(mrt, |case, name| case.baked(name, rate(name)));
            let around = Declared::of::<BulkViscosity<Bgk>>();
            let around = Case::around(lattice, around, equilibrium, Forcing::Guo).baked("bulk", bulk.clone());
            same(
                &mrt.baked("viscosity", viscosity.clone()),
                &around.baked("viscosity", viscosity),
                &mut random,
            );
        }
    }
}

/// Where the trace's rate is the shear's nothing is added, and else the rest of the stress is left as it is.
#[test]
fn a_bulk_viscosity_changes_the_trace_alone() {
    let mut random = Random(12);
    let around = [
        Declared::of::<BulkViscosity<Regularized>>(),
        Declared::of::<RecursiveBulkViscosity<RecursiveRegularized>>(),
    ];
    let within = [Regularized::DECLARATION, RecursiveRegularized::DECLARATION];
    for (around, within) in around.into_iter().zip(within) {
        let plain = Case::new(D3Q19::DECLARATION, within, EQUILIBRIA[0], Forcing::Guo)
            .baked("viscosity", ratio(1, 7));
        let case = |bulk| {
            Case::around(D3Q19::DECLARATION, around, EQUILIBRIA[0], Forcing::Guo)
                .baked("viscosity", ratio(1, 7))
                .baked("bulk", bulk)
        };
        same(&plain, &case(ratio(14, 13)), &mut random);
        let (a, b) = (plain.generate(), case(ratio(1, 3)).generate());
        let point = Point::random(&a, &mut random);
        let [a, b] =
            [a, b].map(|generated| (exact::run(&generated.collide, &point).unwrap(), generated.lattice));
        let second = |x: usize, y: usize| -> Rational {
            let terms = a.1.velocities.iter().zip(a.0.iter().zip(&b.0));
            sum(terms.map(|(c, (a, b))| whole(i64::from(c[x] * c[y])) * (b - a)))
        };
        assert!(second(0, 0) != whole(0) && second(0, 0) == second(1, 1) && second(0, 0) == second(2, 2));
        assert!([second(0, 1), second(0, 2), second(1, 2)].iter().all(|off| *off == whole(0)));
    }
}

/// As the paper's recursion has it when the trace of the stress has a rate of its own.
#[test]
fn a_bulk_viscosity_follows_the_recursion() {
    let with_trace = |name: &str| {
        format!(
            "let {name} = pi({0}, {0}) + (omega - bulk) / (1 - omega) * trace;",
            usize::from(name == "yy")
        )
    };
    let paper = RECURSION
        .replace("Recursion {", "Recursion(bulk) {")
        .replace(
            "let xx = pi(0, 0);",
            &format!("let trace = (pi(0, 0) + pi(1, 1)) / 2; {}", with_trace("xx")),
        )
        .replace("let yy = pi(1, 1);", &with_trace("yy"));
    let paper = Case::new(D2Q9::DECLARATION, &paper, EQUILIBRIA[0], Forcing::None);
    let ours = Declared::of::<RecursiveBulkViscosity<RecursiveRegularized>>();
    let ours = Case::around(D2Q9::DECLARATION, ours, EQUILIBRIA[0], Forcing::None);
    let [ours, paper] =
        [ours, paper].map(|case| case.baked("viscosity", ratio(1, 7)).baked("bulk", ratio(3, 4)));
    same(&ours, &paper, &mut Random(13));
}

/// Two cases give the same populations; both have no parameter left but the force.
fn same(one: &Case, other: &Case, random: &mut Random) {
    let (a, b) = (one.generate(), other.generate());
    let names =
        |generated: &Generated| generated.parameters.iter().map(|(n, _)| n.clone()).collect::<Vec<_>>();
    assert_eq!(names(&a), names(&b));
    let mut point_a = Point::random(&a, random);
    let mut point_b = Point { populations: point_a.populations.clone(), ..Point::random(&b, random) };
    for name in names(&a) {
        let value = random.small();
        point_a = point_a.with(&a, &name, &value);
        point_b = point_b.with(&b, &name, &value);
    }
    let (a, b) = (exact::run(&a.collide, &point_a).unwrap(), exact::run(&b.collide, &point_b).unwrap());
    assert_eq!(a, b, "{} and {}", one.name(), other.name());
}
