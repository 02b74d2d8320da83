//! The state at time 0 and the populations that carry it, made in pieces on all cores.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::facts::LatticeFacts;
use lbm_core::{Domain, Engine, Error, Facts};

use super::check;
use super::node_fields::GivenFields;
use super::problem::InitialField;
use super::rate::Rates;
use super::sets::InitialSums;

/// The state of a node at time 0 (lattice units). It is written with what it differs by from another, as `Initial { density, ..Initial::default() }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Initial {
    /// Density, about 1; the pressure is `cs2 (density - 1)`.
    pub density: f64,
    /// Velocity; components past the lattice's dimension must be zero.
    pub velocity: [f64; 3],
    /// `gradient[a][b]` is d u_b / d x_a. If given, the populations start with the non-equilibrium part that
    /// carries the viscous stress, so that no initial layer disturbs the flow.
    pub gradient: Option<[[f64; 3]; 3]>,
}

impl Default for Initial {
    fn default() -> Initial {
        Initial { density: 1.0, velocity: [0.0; 3], gradient: None }
    }
}

impl Initial {
    /// Density 1, this velocity, no gradient.
    #[must_use]
    pub fn velocity(velocity: [f64; 3]) -> Initial {
        Initial { velocity, ..Initial::default() }
    }
}

/// What makes the shifted post-collision populations of nodes at time 0, whose rates may follow from fields of nodes.
///
/// f* = f_eq + (1 - omega) f_neq + S / 2 with f_neq = -(w rho / (omega cs2)) (c_a c_b - cs2 delta_ab) d_a u_b
/// (Krüger et al., The Lattice Boltzmann Method, 2017, sec. 5.5) and Guo's source S (PRE 65, 046308, 2002, eq. 20), so
/// that density and velocity read back are exactly those given.
pub(super) struct Start<'a> {
    pub(super) rates: Rates<'a>,
    pub(super) fields: GivenFields<'a>,
    /// The sums of the sets of populations after the first.
    pub(super) sums: InitialSums<'a>,
}

impl Start<'_> {
    /// Sets an engine to this state at time 0, all nodes to the same if there is no field.
    ///
    /// # Errors
    /// Those of the first node, in the order x, y, z, whose state is not allowed; those of the engine.
    pub(super) fn set(
        &self,
        engine: &mut dyn Engine,
        domain: &Domain,
        initial: Option<&InitialField>,
    ) -> Result<(), Error> {
        let q = self.rates.facts.lattice.q();
        if initial.is_none() && self.sums.are_uniform() && !self.rates.facts.body.states_force {
            let mut h = vec![0.0; q];
            self.populations(&Initial::default(), [0; 3], &mut h)?;
            return engine.set_uniform(&h, 0);
        }
        let state = |position| initial.map_or_else(Initial::default, |initial| initial(position));
        let refused: Mutex<Option<(usize, Error)>> = Mutex::default();
        let give = |nodes: Range<usize>, values: &mut [f64]| {
            let count = nodes.len();
            let mut h = vec![0.0; q];
            for (n, node) in nodes.enumerate() {
                let position = domain.position(node);
                if domain.is_solid(position) {
                    continue;
                }
                if let Err(error) = self.populations(&state(position), position, &mut h) {
                    let mut first = refused.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|&(other, _)| node < other) {
                        *first = Some((node, error));
                    }
                    return;
                }
                h.iter().enumerate().for_each(|(i, &value)| values[n + count * i] = value);
            }
        };
        engine.set_populations_from(&give, 0)?;
        refused.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The populations of a node in this state.
    fn populations(&self, node: &Initial, position: [usize; 3], h: &mut [f64]) -> Result<(), Error> {
        let (facts, fields) = (self.rates.facts, self.fields.at(position));
        check::initial(&facts.lattice, node, position)?;
        facts.equilibrium_of_sets(node.density, node.velocity, &self.sums.at(position)?, h);
        let force = self.rates.force_at(h, &fields);
        let mut omega = 1.0;
        if node.gradient.is_some() && !facts.lattice.sets.is_empty() {
            return Err(Error::conflict(
                format!(
                    "a velocity gradient was given, but {} is a model of several sets of populations",
                    facts.name()
                ),
                "leave the gradient out",
            ));
        }
        if node.gradient.is_some() {
            let before = |omega: f64| {
                let mut before = h.to_vec();
                add_deviation(facts, node, force, omega, [-1.0, -0.5], &mut before);
                before
            };
            omega = self.rates.of_its_own(&fields, before).ok_or_else(|| no_relaxation_rate(facts))?;
        }
        add_deviation(facts, node, force, omega, [omega - 1.0, 0.5], h);
        Ok(())
    }
}

/// Adds so many of -f_neq, if there is a gradient, and so many of the source, if there is a force.
fn add_deviation(
    facts: &Facts,
    node: &Initial,
    force: [f64; 3],
    omega: f64,
    [of_gradient, of_source]: [f64; 2],
    h: &mut [f64],
) {
    if let Some(gradient) = node.gradient {
        add_non_equilibrium(&facts.lattice, node.density, gradient, of_gradient, omega, h);
    }
    if force != [0.0; 3] {
        add_source(&facts.lattice, node.velocity, force, of_source, h);
    }
}

fn no_relaxation_rate(facts: &Facts) -> Error {
    Error::conflict(
        format!("a velocity gradient was given, but {} has no viscosity to relax it with", facts.name()),
        "leave the gradient out",
    )
}

/// Adds `share` times -f_neq of a velocity gradient.
fn add_non_equilibrium(
    lattice: &LatticeFacts,
    density: f64,
    gradient: [[f64; 3]; 3],
    share: f64,
    omega: f64,
    h: &mut [f64],
) {
    for i in 0..lattice.q() {
        let c = lattice.velocities[i];
        let mut sum = 0.0;
        for a in 0..lattice.dimension {
            for b in 0..lattice.dimension {
                let delta = if a == b { lattice.cs2 } else { 0.0 };
                sum += (f64::from(c[a] * c[b]) - delta) * gradient[a][b];
            }
        }
        h[i] += share * lattice.weights[i] * density / (omega * lattice.cs2) * sum;
    }
}

/// Adds a share of the force's source, of which a collision leaves half in its result.
fn add_source(lattice: &LatticeFacts, u: [f64; 3], force: [f64; 3], share: f64, h: &mut [f64]) {
    for i in lattice.flow() {
        let c = lattice.velocities[i].map(f64::from);
        let c_u: f64 = (0..3).map(|a| c[a] * u[a]).sum();
        let source: f64 = (0..3)
            .map(|a| ((c[a] - u[a]) / lattice.cs2 + c_u * c[a] / (lattice.cs2 * lattice.cs2)) * force[a])
            .sum();
        h[i] += share * lattice.weights[i] * source;
    }
}
