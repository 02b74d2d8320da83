//! The names that every collision finds: the lattice's constants, the macroscopic quantities, the equilibrium
//! and the source term, written as formulas like a user's own.

use super::super::lattice::{AXES, MomentKind};
use super::super::rational::{Rational, whole};
use super::super::symbolic::{Definition, Monomial, Polynomial, Symbols};
use super::value::{Names, Value};
use super::{Equilibrium, Forcing, Given, Scope};
use num_traits::{One, Zero};

/// The quantities that a kernel is made from.
pub(super) struct Macroscopic {
    /// rho
    density: Polynomial,
    /// u_a
    velocity: Vec<Polynomial>,
    /// rho u_a (or u_a, incompressible)
    momentum: Vec<Polynomial>,
    /// rho u_a u_b
    flux: Vec<Vec<Polynomial>>,
    /// the trace of the flux
    flux_trace: Polynomial,
    /// F_a
    force: Vec<Polynomial>,
}

/// Names a polynomial. Its constant stays outside, so that the rest keeps its digits and constants can cancel;
/// a single plain term needs no name of its own.
pub(super) fn name(symbols: &mut Symbols, name: &str, polynomial: Polynomial) -> Polynomial {
    let constant = polynomial.0.get(&Monomial::default()).cloned().unwrap_or_else(Rational::zero);
    let varying = polynomial.minus(&constant.clone().into());
    let terms = varying.0.len();
    let plain = varying.0.keys().all(|m| m.0.len() <= 1 && m.0.iter().all(|&(_, e)| e == 1));
    if terms == 0 || (terms == 1 && plain) {
        if let Some(symbol) = polynomial.single_symbol() {
            symbols.christen(symbol, name);
        }
        return polynomial;
    }
    Polynomial::from(symbols.intern(name, Definition::Named(varying))).plus(&constant.into())
}

pub(super) fn populations(scope: &Scope<'_>, symbols: &mut Symbols) -> Vec<Polynomial> {
    let input = |i: usize, symbols: &mut Symbols| -> Polynomial {
        symbols.intern(&format!("h_{i}"), Definition::Population(i)).into()
    };
    scope
        .lattice
        .weights
        .iter()
        .enumerate()
        .map(|(i, w)| input(i, symbols).plus(&Polynomial::from(w.clone())))
        .collect()
}

pub(super) fn macroscopic(
    scope: &Scope<'_>,
    symbols: &mut Symbols,
    parameters: &mut super::evaluate::Parameters,
) -> Macroscopic {
    let d = scope.lattice.dimension;
    let force: Vec<Polynomial> = (0..d)
        .map(|a| match (scope.choices.forcing, scope.given) {
            (Forcing::None, _) => Polynomial::default(),
            (Forcing::Guo, Given::PopulationsAndForce) => {
                symbols.intern(&format!("force_{}", AXES[a]), Definition::Input(a)).into()
            }
            (Forcing::Guo, _) => {
                parameters.get(&format!("force_{}", AXES[a]), Some(Rational::zero()), scope, symbols)
            }
        })
        .collect();
    let compressible = scope.choices.equilibrium == Equilibrium::QuasiCompressible;
    let (density, momentum, velocity);
    if scope.given == Given::Macroscopic {
        density = Polynomial::from(symbols.intern("rho", Definition::Input(0)));
        velocity = (0..d)
            .map(|a| symbols.intern(&format!("u_{}", AXES[a]), Definition::Input(1 + a)).into())
            .collect::<Vec<Polynomial>>();
        momentum = if compressible {
            (0..d).map(|a| name(symbols, &format!("j_{}", AXES[a]), density.times(&velocity[a]))).collect()
        } else {
            velocity.clone()
        };
    } else {
        let h: Vec<Polynomial> = (0..scope.lattice.q())
            .map(|i| symbols.intern(&format!("h_{i}"), Definition::Population(i)).into())
            .collect();
        let sum = h.iter().fold(Polynomial::default(), |sum, h| sum.plus(h));
        let delta_rho = name(symbols, "delta_rho", sum);
        density = delta_rho.plus(&Polynomial::from(Rational::one()));
        let half = Rational::new(1.into(), 2.into());
        momentum = (0..d)
            .map(|a| {
                let sum =
                    scope.lattice.velocities.iter().zip(&h).fold(force[a].scaled(&half), |sum, (c, h)| {
                        sum.plus(&h.scaled(&whole(i64::from(c[a]))))
                    });
                name(symbols, &format!("{}_{}", if compressible { "j" } else { "u" }, AXES[a]), sum)
            })
            .collect::<Vec<_>>();
        velocity = if compressible {
            let inverse = symbols.intern("inverse_rho", Definition::Reciprocal(density.clone()));
            (0..d)
                .map(|a| name(symbols, &format!("u_{}", AXES[a]), momentum[a].times(&inverse.into())))
                .collect()
        } else {
            momentum.clone()
        };
    }
    let mut flux = vec![vec![Polynomial::default(); d]; d];
    for a in 0..d {
        for b in a..d {
            let product = momentum[a].times(&velocity[b]);
            flux[a][b] = name(symbols, &format!("flux_{}{}", AXES[a], AXES[b]), product);
            flux[b][a] = flux[a][b].clone();
        }
    }
    let mut flux_trace = (0..d).fold(Polynomial::default(), |sum, a| sum.plus(&flux[a][a]));
    if scope.choices.share_flux_trace {
        flux_trace = name(symbols, "flux_trace", flux_trace);
    }
    Macroscopic { density, velocity, momentum, flux, flux_trace, force }
}

impl Macroscopic {
    /// w (rho + c.j/cs2 + cc:flux/(2 cs4) - tr flux/(2 cs2))
    fn equilibrium(&self, scope: &Scope<'_>, i: usize) -> Polynomial {
        let (lattice, cs2) = (scope.lattice, &scope.lattice.cs2);
        let c = lattice.velocities[i].map(|c| whole(i64::from(c)));
        let half = Rational::new(1.into(), 2.into());
        let mut sum = self.density.minus(&self.flux_trace.scaled(&(&half / cs2)));
        for a in 0..lattice.dimension {
            sum = sum.plus(&self.momentum[a].scaled(&(&c[a] / cs2)));
            for b in 0..lattice.dimension {
                sum = sum.plus(&self.flux[a][b].scaled(&(&c[a] * &c[b] * &half / (cs2 * cs2))));
            }
        }
        sum.scaled(&lattice.weights[i])
    }

    /// w ((c - u)/cs2 + (c.u) c/cs4) . F (Guo, Zheng & Shi 2002, Eq. 20 without its prefactor)
    fn source(&self, scope: &Scope<'_>, i: usize) -> Polynomial {
        let (lattice, cs2) = (scope.lattice, &scope.lattice.cs2);
        let c = lattice.velocities[i].map(|c| whole(i64::from(c)));
        let mut sum = Polynomial::default();
        for a in 0..lattice.dimension {
            let mut along =
                Polynomial::from(c[a].clone()).minus(&self.velocity[a]).scaled(&(Rational::one() / cs2));
            for b in 0..lattice.dimension {
                along = along.plus(&self.velocity[b].scaled(&(&c[a] * &c[b] / (cs2 * cs2))));
            }
            sum = sum.plus(&along.times(&self.force[a]));
        }
        sum.scaled(&lattice.weights[i])
    }

    /// Binds every built-in name.
    pub(super) fn names(&self, scope: &Scope<'_>, populations: &[Polynomial]) -> Names {
        let lattice = scope.lattice;
        let (q, d) = (lattice.q(), lattice.dimension);
        let moments = lattice.moments();
        let numbers = |values: &[Polynomial]| Value::list(values.iter().cloned().map(Value::number));
        let exact = |values: &[Rational]| Value::list(values.iter().cloned().map(Value::number));
        let range = |n: usize| Value::list((0..n).map(Value::from));
        let kinds = |kind| Value::list(moments.iter().map(|m| Value::Condition(m.kind == kind)));
        let velocities = lattice
            .velocities
            .iter()
            .map(|c| Value::list(c[..d].iter().map(|&c| Value::number(whole(i64::from(c))))));
        [
            ("directions", range(q)),
            ("dimensions", range(d)),
            ("moments", range(q)),
            (
                "pairs",
                Value::list(lattice.pairs().into_iter().map(|(i, j)| Value::list([i.into(), j.into()]))),
            ),
            ("f", numbers(populations)),
            ("w", exact(&lattice.weights)),
            ("c", Value::list(velocities)),
            ("opposite", Value::list(lattice.opposites.iter().map(|&i| i.into()))),
            ("cs2", Value::number(lattice.cs2.clone())),
            ("isotropy", Value::from(lattice.isotropy as usize)),
            ("rho", Value::number(self.density.clone())),
            ("u", numbers(&self.velocity)),
            ("j", numbers(&self.momentum)),
            ("force", numbers(&self.force)),
            ("equilibrium", numbers(&(0..q).map(|i| self.equilibrium(scope, i)).collect::<Vec<_>>())),
            ("source", numbers(&(0..q).map(|i| self.source(scope, i)).collect::<Vec<_>>())),
            ("basis", Value::list(moments.iter().map(|m| exact(&m.values)))),
            ("norm", Value::list(moments.iter().map(|m| Value::number(m.norm.clone())))),
            ("order", Value::list(moments.iter().map(|m| Value::from(m.degree as usize)))),
            ("is_conserved", kinds(MomentKind::Conserved)),
            ("is_shear", kinds(MomentKind::Shear)),
            ("is_bulk", kinds(MomentKind::Bulk)),
        ]
        .into_iter()
        .fold(Names::default(), |names, (name, value)| names.with(name, value))
    }
}
