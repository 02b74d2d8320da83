//! What a variant's body does with a single node, whichever way nodes are stored.

use super::Facts;
use super::body::Programs;

impl Facts {
    /// The body's programs in the arithmetic type.
    pub(super) fn programs(&self) -> Programs {
        self.body.programs[self.precision.arithmetic as usize]
    }

    /// The coefficients that are the same for all nodes, each rounded once to the arithmetic type.
    #[must_use]
    pub fn uniforms(&self, parameters: &[f64]) -> Vec<f64> {
        (self.body.uniforms)(parameters).into_iter().map(|k| self.precision.arithmetic.round(k)).collect()
    }

    /// A number of the arithmetic type as it comes back from memory.
    #[must_use]
    pub fn store(&self, value: f64) -> f64 {
        (self.precision.store)(value)
    }

    /// The post-collision populations of a node, before they are stored, from its pre-collision ones, its [`fields`](super::BodyFacts::fields) and the
    /// [`uniforms`](Facts::uniforms).
    pub fn collide(&self, before: &[f64], fields: &[f64], uniforms: &[f64], after: &mut [f64]) {
        (self.programs().collide)(before, fields, uniforms, after);
    }

    /// The fields that a pass derives of a node from what comes to it and its fields, or from what it reads at neighbours.
    pub fn derive(
        &self,
        pass: usize,
        before: &[f64],
        fields: &[f64],
        near: &[f64],
        uniforms: &[f64],
        derived: &mut [f64],
    ) {
        (self.programs().derive)(pass, before, fields, near, uniforms, derived);
    }

    /// Density and velocity of a node ([`Body::macroscopic`](crate::Body::macroscopic)).
    #[must_use]
    pub fn macroscopic(&self, h: &[f64], force: [f64; 3]) -> [f64; 4] {
        (self.body.macroscopic)(h, force)
    }

    /// The viscosity that a collision states of a node ([`Body::viscosity`](crate::Body::viscosity)).
    #[must_use]
    pub fn viscosity(&self, h: &[f64], force: [f64; 3], parameters: &[f64], fields: &[f64]) -> Option<f64> {
        (self.body.viscosity)(h, force, parameters, fields)
    }

    /// Equilibrium populations of a node ([`Body::equilibrium`](crate::Body::equilibrium)).
    pub fn equilibrium(&self, rho: f64, u: [f64; 3], h: &mut [f64]) {
        (self.body.equilibrium)(rho, u, h);
    }

    /// The same with the sums of the sets of populations after the first ([`Body::equilibrium_of_sets`](crate::Body::equilibrium_of_sets)).
    pub fn equilibrium_of_sets(&self, rho: f64, u: [f64; 3], sums: &[f64], h: &mut [f64]) {
        (self.body.equilibrium_of_sets)(rho, u, sums, h);
    }

    /// The body force that a model states of a node ([`Body::force`](crate::Body::force)), where `force` is the one that it is given.
    #[must_use]
    pub fn stated_force(
        &self,
        h: &[f64],
        force: [f64; 3],
        parameters: &[f64],
        fields: &[f64],
    ) -> Option<[f64; 3]> {
        (self.body.force)(h, force, parameters, fields)
    }
}
