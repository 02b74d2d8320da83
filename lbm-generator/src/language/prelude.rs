//! The names that every collision finds: the lattice's constants, the macroscopic quantities, the equilibrium
//! and the source term, written as formulas like a user's own.

use super::super::lattice::{AXES, MomentKind};
use super::super::moments::second_order;
use super::super::rational::{Rational, inverse, ratio, whole};
use super::super::symbolic::{Definition, Function, Polynomial, Symbols};
use super::closures::of_collisions;
use super::statements::Evaluator;
use super::transforms::no_product;
use super::value::{Names, Value};
use super::{Equilibrium, Forcing, Given, Scope};
use num_traits::Zero;

/// Names a polynomial, with sums by their names where quotients multiply them. Its constant stays outside, so that the rest keeps its digits and constants can cancel;
/// a single plain term needs no name of its own.
pub(super) fn name(symbols: &mut Symbols, name: &str, polynomial: Polynomial) -> Polynomial {
    let polynomial = symbols.with_known_sums(polynomial);
    let constant = polynomial.at_rest();
    let varying = polynomial.minus(&constant.clone().into());
    let terms = varying.0.len();
    let plain = varying.0.keys().all(|m| m.factors().count() <= 1);
    if terms == 0 || (terms == 1 && plain) {
        if let Some(symbol) = polynomial.single_symbol() {
            symbols.christen(symbol, name);
        }
        return polynomial;
    }
    Polynomial::from(symbols.intern(name, Definition::Named(varying))).plus(&constant.into())
}

/// What a set of populations is given in the place of what would be its own.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenToSet {
    pub(super) force: Option<Vec<Polynomial>>,
    pub(super) velocity: Option<Vec<Polynomial>>,
    pub(super) viscosity: Option<Polynomial>,
}

impl Scope<'_> {
    /// What a quantity of the set is called.
    fn own(&self, word: &str) -> String {
        self.set.prefix.clone() + word
    }
}

impl Evaluator<'_> {
    /// A named quantity for each axis.
    fn each_axis(
        &mut self,
        name: &str,
        of: impl Fn(&mut Self, &str, usize) -> Polynomial,
    ) -> Vec<Polynomial> {
        let axes = AXES[..self.scope.lattice.dimension].iter().enumerate();
        let name = self.scope.own(name);
        axes.map(|(a, axis)| of(self, &format!("{name}_{axis}"), a)).collect()
    }

    pub(super) fn force(&mut self) -> Vec<Polynomial> {
        self.each_axis("force", |evaluator, name, a| {
            match (evaluator.scope.choices.forcing, evaluator.scope.given) {
                (Forcing::None, _) => Polynomial::default(),
                (forcing, Given::PopulationsAndForce) => {
                    let given = evaluator.symbols.intern(name, Definition::Input(a)).into();
                    if forcing == Forcing::GuoField {
                        // Those of fields behind it are counted with it.
                        evaluator.field(name, Some(&Rational::zero()));
                    }
                    given
                }
                (Forcing::Guo, _) => evaluator.parameter(name, Some(&Rational::zero())),
                (Forcing::GuoField, _) => evaluator.field(name, Some(&Rational::zero())),
            }
        })
    }

    /// The velocity where it is given.
    fn given_velocity(&mut self) -> Vec<Polynomial> {
        let axes = AXES[..self.scope.lattice.dimension].iter().enumerate();
        axes.map(|(a, axis)| self.symbols.intern(&format!("u_{axis}"), Definition::Input(1 + a)).into())
            .collect()
    }

    /// The density where these shifted populations are given, or where it is.
    pub(super) fn density(&mut self, h: &[Polynomial]) -> Polynomial {
        let set = &self.scope.set;
        if self.scope.given == Given::Macroscopic {
            // Behind the velocity come those of further sets.
            let input = if set.number == 0 { 0 } else { 3 + set.number };
            return self.symbols.intern(&self.scope.own("rho"), Definition::Input(input)).into();
        }
        let delta_rho = name(&mut self.symbols, &self.scope.own("delta_rho"), h.iter().cloned().sum());
        delta_rho.plus(&set.rest.clone().into())
    }

    /// Density, rho u (or u, incompressible) and u, where the velocity is known.
    fn advected(
        &mut self,
        density: Polynomial,
        velocity: Vec<Polynomial>,
    ) -> (Polynomial, Vec<Polynomial>, Vec<Polynomial>) {
        let momentum = match self.scope.choices.equilibrium {
            Equilibrium::QuasiCompressible => self.each_axis("j", |evaluator, as_named, a| {
                name(&mut evaluator.symbols, as_named, density.times(&velocity[a]))
            }),
            Equilibrium::Incompressible => velocity.clone(),
        };
        (density, momentum, velocity)
    }

    /// The same, where the shifted populations `h` are given, before the force has acted; with its sign turned after that.
    pub(super) fn summed_fields(
        &mut self,
        h: &[Polynomial],
        force: &[Polynomial],
    ) -> (Polynomial, Vec<Polynomial>, Vec<Polynomial>) {
        let lattice = self.scope.lattice;
        let compressible = self.scope.choices.equilibrium == Equilibrium::QuasiCompressible;
        let density = self.density(h);
        let momentum = self.each_axis(if compressible { "j" } else { "u" }, |evaluator, as_named, a| {
            let along = |(c, h): (&[i32; 3], &Polynomial)| h.scaled(&whole(i64::from(c[a])));
            let sum: Polynomial = lattice.velocities.iter().zip(h).map(along).sum();
            name(&mut evaluator.symbols, as_named, sum.plus(&force[a].scaled(&ratio(1, 2))))
        });
        if !compressible {
            return (density, momentum.clone(), momentum);
        }
        let inverse = Definition::Function(Function::Reciprocal, vec![density.clone()]);
        let inverse = self.symbols.intern(&self.scope.own("inverse_rho"), inverse).into();
        let velocity = self.each_axis("u", |evaluator, as_named, a| {
            name(&mut evaluator.symbols, as_named, momentum[a].times(&inverse))
        });
        (density, momentum, velocity)
    }

    /// rho u_a u_b, and its trace.
    fn flux(&mut self, momentum: &[Polynomial], velocity: &[Polynomial]) -> (Vec<Polynomial>, Polynomial) {
        let mut flux = Vec::new();
        let mut trace = Polynomial::default();
        for (a, b) in self.scope.lattice.axis_pairs() {
            let as_named = self.scope.own(&format!("flux_{}{}", AXES[a], AXES[b]));
            flux.push(name(&mut self.symbols, &as_named, momentum[a].times(&velocity[b])));
            if a == b {
                trace = trace.plus(&flux[flux.len() - 1]);
            }
        }
        if self.scope.choices.share_flux_trace {
            trace = name(&mut self.symbols, &self.scope.own("flux_trace"), trace);
        }
        (flux, trace)
    }

    /// A list of populations from a part that they all share, a vector and a symmetric tensor.
    fn second_order(
        &self,
        isotropic: Polynomial,
        vector: &[Polynomial],
        tensor: &[Polynomial],
    ) -> Vec<Polynomial> {
        let moments = [&[isotropic], vector, tensor].concat();
        (0..self.scope.lattice.q()).map(|i| second_order(self.scope.lattice, i, &moments)).collect()
    }

    /// w (rho + c.j/cs2 + cc:flux/(2 cs4) - tr flux/(2 cs2))
    fn equilibrium(
        &self,
        density: &Polynomial,
        momentum: &[Polynomial],
        flux: &[Polynomial],
        trace: &Polynomial,
    ) -> Vec<Polynomial> {
        let isotropic = density.minus(&trace.scaled(&(ratio(1, 2) / &self.scope.lattice.cs2)));
        self.second_order(isotropic, momentum, flux)
    }

    /// The momentum of this density and velocity as the equilibrium counts it: rho u, or u where that is incompressible.
    fn momentum(&self, density: &Polynomial, velocity: &[Polynomial]) -> Vec<Polynomial> {
        match self.scope.choices.equilibrium {
            Equilibrium::QuasiCompressible => velocity.iter().map(|u| density.times(u)).collect(),
            Equilibrium::Incompressible => velocity.to_vec(),
        }
    }

    /// `equilibrium(rho, u)`. Nothing of it gets a name, so that `solve` sees what it is made of.
    pub(super) fn equilibrium_at(&self, density: &Polynomial, velocity: &[Polynomial]) -> Vec<Polynomial> {
        let momentum = self.momentum(density, velocity);
        let pairs = self.scope.lattice.axis_pairs();
        let flux: Vec<Polynomial> = pairs.map(|(a, b)| momentum[a].times(&velocity[b])).collect();
        let trace = momentum.iter().zip(velocity).map(|(j, u)| j.times(u)).sum();
        self.equilibrium(density, &momentum, &flux, &trace)
    }

    /// `momentum(rho, u)`: what the sum of c f must be for this density and velocity, without the force's half step.
    pub(super) fn momentum_at(&self, density: &Polynomial, velocity: &[Polynomial]) -> Vec<Polynomial> {
        let momentum = self.momentum(density, velocity).into_iter().map(|j| self.symbols.cancelled(j));
        momentum.zip(&self.force).map(|(j, force)| j.minus(&force.scaled(&ratio(1, 2)))).collect()
    }

    /// The names of what is known of a lattice alone.
    pub(super) fn constants(&self) -> Vec<(&'static str, Value)> {
        let lattice = self.scope.lattice;
        let (q, d) = (lattice.q(), lattice.dimension);
        let exact = |values: &[Rational]| Value::list(values.iter().cloned().map(Value::number));
        let range = |n: usize| Value::list((0..n).map(Value::from));
        let moments = lattice.moments();
        let kinds = |kind| Value::list(moments.iter().map(|m| Value::from(m.kind == kind)));
        let vectors = lattice.velocities.iter().map(|c| &c[..d]);
        let vectors = vectors.map(|c| Value::list(c.iter().map(|&c| Value::number(whole(c.into())))));
        let pairs = lattice.pairs().into_iter().map(|(i, j)| Value::list([i.into(), j.into()]));
        let exponents = match lattice.exponents() {
            Some(all) => Value::list(all.iter().map(|e| Value::list(e[..d].iter().map(|&n| n.into())))),
            None => Value::Unknown(no_product(lattice, "exponents")),
        };
        vec![
            ("directions", range(q)),
            ("dimensions", range(d)),
            ("moments", range(q)),
            ("pairs", Value::list(pairs)),
            ("w", exact(&lattice.weights)),
            ("c", Value::list(vectors)),
            ("opposite", Value::list(lattice.opposites.iter().map(|&i| i.into()))),
            ("cs2", Value::number(lattice.cs2.clone())),
            ("isotropy", Value::from(lattice.isotropy as usize)),
            ("is_incompressible", (self.scope.choices.equilibrium == Equilibrium::Incompressible).into()),
            ("basis", Value::list(moments.iter().map(|m| exact(&m.values)))),
            ("exponents", exponents),
            ("norm", Value::list(moments.iter().map(|m| Value::number(m.norm.clone())))),
            ("order", Value::list(moments.iter().map(|m| Value::from(m.degree as usize)))),
            ("is_conserved", kinds(MomentKind::Conserved)),
            ("is_shear", kinds(MomentKind::Shear)),
            ("is_bulk", kinds(MomentKind::Bulk)),
        ]
    }

    /// The shifted populations.
    fn shifted(&mut self) -> Vec<Polynomial> {
        let first = self.scope.set.first;
        let shifted = |i| self.symbols.intern(&format!("h_{i}"), Definition::Population(i)).into();
        (first..first + self.scope.lattice.q()).map(shifted).collect()
    }

    /// Binds every built-in name.
    pub(super) fn prelude(&mut self) -> Names {
        self.prelude_of(&GivenToSet::default())
    }

    /// The names that what is given to a set of populations does not change: those of its lattice, its populations, its density, and its
    /// force and its viscosity as they are.
    pub(super) fn before_given(&mut self, given: &GivenToSet) -> Names {
        let h = self.shifted();
        let populations = h.iter().zip(self.scope.at_rest()).map(|(h, rest)| h.plus(&rest.into()));
        let populations = Value::list(populations.map(Value::number));
        let density = self.density(&h);
        let viscosity = given.viscosity.clone().unwrap_or_else(|| self.own_viscosity());
        let force = given.force.clone().unwrap_or_else(|| self.force());
        let own = [
            ("f", populations),
            ("rho", Value::number(density)),
            ("viscosity", Value::number(viscosity)),
            ("force", Value::list(force.into_iter().map(Value::number))),
        ];
        let names = self.constants().into_iter().chain(own);
        names.fold(Names::default(), |names, (name, value)| names.with(name, value))
    }

    /// The viscosity that is a parameter.
    pub(super) fn own_viscosity(&mut self) -> Polynomial {
        self.parameter(&self.scope.own("viscosity"), None)
    }

    /// The same with what is given to a set of populations.
    pub(super) fn prelude_of(&mut self, given: &GivenToSet) -> Names {
        let lattice = self.scope.lattice;
        let cs2 = &lattice.cs2;
        let h = self.shifted();
        let populations = h.iter().zip(self.scope.at_rest()).map(|(h, rest)| h.plus(&rest.into()));
        let viscosity = given.viscosity.clone().unwrap_or_else(|| self.own_viscosity());
        let force = given.force.clone().unwrap_or_else(|| self.force());
        let (density, momentum, velocity) = match (&given.velocity, self.scope.given) {
            (None, Given::Populations | Given::PopulationsAndForce) => self.summed_fields(&h, &force),
            (velocity, _) => {
                let density = self.density(&h);
                let velocity = velocity.clone().unwrap_or_else(|| self.given_velocity());
                self.advected(density, velocity)
            }
        };
        let (flux, trace) = self.flux(&momentum, &velocity);
        let numbers = |values: &[Polynomial]| Value::list(values.iter().cloned().map(Value::number));
        let equilibrium = self.equilibrium(&density, &momentum, &flux, &trace);
        // w ((c - u)/cs2 + (c.u) c/cs4) . F (Guo, Zheng & Shi 2002, Eq. 20 without its prefactor)
        let work: Polynomial = velocity.iter().zip(&force).map(|(u, f)| u.times(f)).sum();
        let both = |(a, b): (usize, usize)| velocity[a].times(&force[b]).plus(&velocity[b].times(&force[a]));
        let stress: Vec<Polynomial> = lattice.axis_pairs().map(both).collect();
        let source = self.second_order(work.scaled(&-inverse(cs2)), &force, &stress);
        let own = [
            ("f", Value::list(populations.map(Value::number))),
            ("rho", Value::number(density)),
            ("u", numbers(&velocity)),
            ("j", numbers(&momentum)),
            ("force", numbers(&force)),
            ("equilibrium", numbers(&equilibrium)),
            ("source", numbers(&source)),
            ("is_advected", given.velocity.is_some().into()),
            ("viscosity", Value::number(viscosity)),
        ];
        self.force = force;
        let names = self.constants().into_iter().chain(own);
        of_collisions(&names.fold(Names::default(), |names, (name, value)| names.with(name, value)))
    }
}
