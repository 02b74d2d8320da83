//! Kernels generated from the built-in declarations, for tests.
#![allow(dead_code, reason = "every test uses its own part")]

pub(crate) mod line;

use lbm::collisions::{
    Bgk, BulkViscosity, Carreau, CentralMoments, Cumulant, EntropicProduct, EssentiallyEntropic, FourthOrder,
    HybridRecursiveRegularized, Kbc, Mrt, OrthogonalMrt, ParametrizedCumulant, PartialBounceBack, PowerLaw,
    RawMrt, RecursiveBulkViscosity, RecursiveRegularized, Regularized, Smagorinsky, ThirdOrder, Trt,
    VaryingViscosity, Wale,
};
use lbm::core::collision::Declared;
use lbm::core::{Collision as _, Lattice as _};
use lbm::lattices::{D2Q9, D3Q15, D3Q19, D3Q27};
use lbm_generator::language::{
    Choices, CollisionDeclaration, Equilibrium, Forcing, Given, REFUSED, Scope, evaluate,
};
use lbm_generator::lattice::{LatticeSpec, analyse};
use lbm_generator::rational::Rational;
use lbm_generator::solver::collision_label;
use lbm_generator::{Generated, generate};

/// Both equilibria.
pub(crate) const EQUILIBRIA: [Equilibrium; 2] = [Equilibrium::QuasiCompressible, Equilibrium::Incompressible];

/// A lattice, a collision and the choices between them.
pub(crate) struct Case {
    pub(crate) lattice: LatticeSpec,
    pub(crate) collision: CollisionDeclaration,
    pub(crate) choices: Choices,
}

impl Case {
    /// The case of these declarations.
    pub(crate) fn new(lattice: &str, collision: &str, equilibrium: Equilibrium, forcing: Forcing) -> Case {
        let lattice = analyse(lattice.parse().unwrap()).unwrap();
        let collision = syn::parse_str(collision).unwrap();
        let choices = Choices { equilibrium, forcing, baked: [].into(), share_flux_trace: true };
        Case { lattice, collision, choices }
    }

    /// The case of a collision around another.
    pub(crate) fn around(
        lattice: &str,
        collision: Declared,
        equilibrium: Equilibrium,
        forcing: Forcing,
    ) -> Case {
        let read = CollisionDeclaration::read(collision.text, collision.within).unwrap();
        Case { collision: read, ..Case::new(lattice, Bgk::DECLARATION, equilibrium, forcing) }
    }

    /// The same with a parameter baked in.
    pub(crate) fn baked(mut self, name: &str, value: Rational) -> Case {
        self.choices.baked.insert(name.to_owned(), value);
        self
    }

    /// `lattice-collision[-incompressible][-guo]`.
    pub(crate) fn name(&self) -> String {
        let lattice = self.lattice.name.to_string().to_lowercase();
        format!("{lattice}-{}", collision_label(&self.collision.full_name(), &self.choices))
    }

    /// The kernel.
    pub(crate) fn generate(&self) -> Generated {
        generate(&self.lattice, &self.collision, &self.choices).unwrap()
    }

    /// Whether the collision refuses the lattice or the equilibrium.
    fn is_refused(&self) -> bool {
        let scope = Scope::of(&self.lattice, &self.choices, Given::Populations);
        match evaluate(&self.collision, &scope) {
            Ok(_) => false,
            Err(error) if error.to_string().starts_with(REFUSED) => true,
            Err(error) => panic!("{}: {error}", self.name()),
        }
    }
}

/// The lattices on which a fluid flows.
pub(crate) fn lattices() -> [&'static str; 4] {
    [D2Q9::DECLARATION, D3Q15::DECLARATION, D3Q19::DECLARATION, D3Q27::DECLARATION]
}

/// The built-in collisions.
pub(crate) fn collisions() -> [&'static str; 8] {
    [
        Bgk::DECLARATION,
        Trt::DECLARATION,
        Mrt::DECLARATION,
        Regularized::DECLARATION,
        CentralMoments::DECLARATION,
        Cumulant::DECLARATION,
        RecursiveRegularized::DECLARATION,
        Kbc::DECLARATION,
    ]
}

/// What follows by the recursion of Hermite coefficients of the non-equilibrium, as a paper writes it in two dimensions (Malaspinas 2015, Eq. 14, to fourth order).
pub(crate) const BY_RECURSION: &str = "Paper {
    let omega = 1 / (viscosity / cs2 + 1/2);
    let off = |a, b| directions.sum(|i| c[i][a] * c[i][b] * (f[i] - equilibrium[i]));
    let xx = off(0, 0);
    let xy = off(0, 1);
    let yy = off(1, 1);
    let xxy = 2 * u[0] * xy + u[1] * xx;
    let xyy = 2 * u[1] * xy + u[0] * yy;
    let xxyy = u[1] * u[1] * xx + 4 * u[0] * u[1] * xy + u[0] * u[0] * yy;
    let of = |e| [rho * e.zip(u).product(|[p, x]| [1, x, x * x][p]), (1 - omega) * [
        [0, 0, yy], [0, xy, xyy], [xx, xxy, xxyy]][e[0]][e[1]]];
    let out = from_raw(from_hermite(exponents.map(|e| sum(of(e)))));
    for i in directions { f[i] = out[i]; }
}";

/// These on all lattices, with both equilibria and a force, where they refuse none.
fn with_force(declared: &[Declared]) -> Vec<Case> {
    let mut cases = Vec::new();
    for lattice in lattices() {
        for equilibrium in EQUILIBRIA {
            let cases_here =
                declared.iter().map(|&collision| Case::around(lattice, collision, equilibrium, Forcing::Guo));
            cases.extend(cases_here.filter(|case| !case.is_refused()));
        }
    }
    cases
}

/// Collisions that ask for roots, exponentials and logarithms, some around others, with a force.
pub(crate) fn irrational() -> Vec<Case> {
    with_force(&[
        Declared::of::<Smagorinsky<Trt>>(),
        Declared::of::<Smagorinsky<Cumulant>>(),
        Declared::of::<PowerLaw<Regularized>>(),
        Declared::of::<Carreau<CentralMoments>>(),
        Declared::of::<Carreau<Smagorinsky<Bgk>>>(),
        Declared::of::<EssentiallyEntropic>(),
        Declared::of::<EntropicProduct<Trt>>(),
    ])
}

/// A collision that reads fields of its node.
pub(crate) fn reading_fields() -> Case {
    let declared = Declared::of::<PartialBounceBack<VaryingViscosity<Bgk>>>();
    Case::around(D2Q9::DECLARATION, declared, Equilibrium::QuasiCompressible, Forcing::None)
}

/// Collisions that read velocities of neighbours, with a force.
pub(crate) fn reading_neighbours() -> Vec<Case> {
    with_force(&[
        Declared::of::<Wale<Bgk>>(),
        Declared::of::<Wale<Cumulant>>(),
        Declared::of::<HybridRecursiveRegularized>(),
    ])
}

/// Collisions with equilibria of higher order, with a force.
pub(crate) fn of_higher_order() -> Vec<Case> {
    with_force(&[
        Declared::of::<ThirdOrder<Bgk>>(),
        Declared::of::<FourthOrder<Trt>>(),
        Declared::of::<ThirdOrder<Mrt>>(),
        Declared::of::<FourthOrder<Regularized>>(),
    ])
}

/// Collisions whose bulk viscosity is their own, with a force.
pub(crate) fn of_bulk_viscosity() -> Vec<Case> {
    with_force(&[
        Declared::of::<BulkViscosity<Trt>>(),
        Declared::of::<BulkViscosity<Regularized>>(),
        Declared::of::<RecursiveBulkViscosity<RecursiveRegularized>>(),
    ])
}

/// Moments in other bases, and cumulants with rates of their own, with a force.
pub(crate) fn of_other_bases() -> Vec<Case> {
    with_force(&[
        Declared::of::<OrthogonalMrt>(),
        Declared::of::<RawMrt>(),
        Declared::of::<ParametrizedCumulant>(),
    ])
}

/// Every built-in collision on every lattice with both equilibria where it refuses none; forced, too, where `forced` says so.
pub(crate) fn all(forced: impl Fn(&LatticeSpec) -> bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for lattice in lattices() {
        for collision in collisions() {
            for equilibrium in EQUILIBRIA {
                for forcing in [Forcing::None, Forcing::Guo] {
                    let case = Case::new(lattice, collision, equilibrium, forcing);
                    if (forcing == Forcing::None || forced(&case.lattice)) && !case.is_refused() {
                        cases.push(case);
                    }
                }
            }
        }
    }
    cases
}
