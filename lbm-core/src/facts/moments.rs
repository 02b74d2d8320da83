//! The two halves of a collision that moments carry, for code that does not know its type.

use super::{Facts, LatticeFacts};
use crate::checkpoint::Holds;
use crate::collision::SetMoments;

impl Facts {
    /// The first half of [`collide`](Facts::collide), to as many [`moments`](super::BodyFacts::moments) as carry its result.
    ///
    /// # Panics
    /// If moments do not carry the collision, as does [`rebuild`](Facts::rebuild).
    pub fn gather(&self, before: &[f64], fields: &[f64], uniforms: &[f64], moments: &mut [f64]) {
        (self.programs().gather)(before, fields, uniforms, moments);
    }

    /// The second half of [`collide`](Facts::collide): post-collision populations from the moments, as they are read in the
    /// next step. Where they are stored on their way, they come back from there.
    pub fn rebuild(&self, moments: &[f64], after: &mut [f64]) {
        (self.programs().rebuild)(moments, after);
        if self.pattern.sends() {
            after.iter_mut().for_each(|value| *value = self.store(*value));
        }
    }

    /// A node's populations, of what is stored of it between steps ([`state_values`](Facts::state_values)): these themselves, or rebuilt from moments.
    pub fn populations_of(&self, state: &[f64], populations: &mut [f64]) {
        match self.pattern.state().of_moments() {
            true => self.rebuild(state, populations),
            false => populations.copy_from_slice(state),
        }
    }

    /// Density and velocity of nodes, of what is stored of them between steps, value after value of all; they come in lines, too. The force is that of
    /// [`macroscopic`](Facts::macroscopic).
    pub fn fields_of(&self, stored: &[f64], force: [f64; 3], fields: &mut [f64]) {
        let (nodes, mut h) = (fields.len() / 4, vec![0.0; self.lattice.q()]);
        let mut here = vec![0.0; self.state_values()];
        for k in 0..nodes {
            here.iter_mut().zip(stored.chunks_exact(nodes)).for_each(|(own, line)| *own = line[k]);
            self.populations_of(&here, &mut h);
            let of_a_node = self.macroscopic(&h, force);
            fields.chunks_exact_mut(nodes).zip(of_a_node).for_each(|(line, value)| line[k] = value);
        }
    }

    /// Whether a pattern that stores moments stores populations on their way, too, in a type that rounds them: then these are not those
    /// of other patterns with the same moments.
    #[must_use]
    pub fn rounds_rebuilt(&self) -> bool {
        self.pattern.sends() && !self.precision.plain
    }

    /// How moments that carry the collision are held in a file, if any do: those of several sets begin with the first one's.
    fn held_moments(&self) -> Option<Holds> {
        let (count, first) = (self.body.moments, self.body.sets_in_moments.first());
        match (count, first) {
            (0, _) => None,
            (_, Some(SetMoments::Recursive)) => Some(Holds::MomentsAboutVelocity(count)),
            _ => Some(Holds::Moments(count)),
        }
    }

    /// What a checkpoint holds of a state that is stored as this pattern does.
    #[must_use]
    pub fn held(&self) -> Holds {
        match self.held_moments() {
            Some(moments) if self.pattern.state().of_moments() && !self.rounds_rebuilt() => moments,
            _ => Holds::Populations,
        }
    }

    /// From how many moments of a node, which somebody else may have stored, its populations follow: those that carry the collision, else those of second
    /// order, 1 + D + D (D + 1) / 2. Of several sets of populations that no moments carry there are none.
    #[must_use]
    pub fn moments_known(&self) -> usize {
        match self.body.moments {
            0 if self.lattice.sets.len() > 1 => 0,
            0 => SetMoments::SecondOrder.count(self.lattice.dimension, self.lattice.q()),
            moments => moments,
        }
    }

    /// Whether populations follow from what a checkpoint holds: from populations, moments of this collision's kind, or those of second order that are its
    /// lattice's.
    #[must_use]
    pub fn expands(&self, holds: Holds) -> bool {
        match holds {
            Holds::Populations => true,
            Holds::Moments(count) => count == self.moments_known(),
            own @ Holds::MomentsAboutVelocity(_) => Some(own) == self.held_moments(),
        }
    }

    /// Post-collision populations from moments that somebody else has stored, for any collision that [expands](Facts::expands) these: where they are
    /// those that carry this one as [`rebuild`](Facts::rebuild) gives them, never rounded on a way; else by the formula of
    /// [`Body::MOMENTS`](crate::Body::MOMENTS) in f64, rounded once to the arithmetic type.
    pub fn expand(&self, holds: Holds, moments: &[f64], after: &mut [f64]) {
        if Some(holds) == self.held_moments() {
            return (self.programs().rebuild)(moments, after);
        }
        let LatticeFacts { dimension, velocities, weights, cs2, .. } = self.lattice;
        let (momentum, second) = moments[1..].split_at(dimension);
        for (i, value) in after.iter_mut().enumerate() {
            let c = velocities[i].map(f64::from);
            let first: f64 = (0..dimension).map(|a| c[a] * momentum[a]).sum();
            let axes = (0..dimension).flat_map(|a| (a..dimension).map(move |b| (a, b)));
            let twice = |a, b| if a == b { 0.5 } else { 1.0 };
            let tensor: f64 = axes.zip(second).map(|((a, b), p)| twice(a, b) * c[a] * c[b] * p).sum();
            let sum = moments[0] + first / cs2 + tensor / (cs2 * cs2);
            *value = self.precision.arithmetic.round(weights[i] * sum);
        }
    }

    /// The moments of post-collision populations, in the order of [`Body::MOMENTS`](crate::Body::MOMENTS): plain sums in f64, or what follows from these, each
    /// rounded once to the arithmetic type. Rebuilt, they give the populations back where these are of the kind that moments carry.
    pub fn project(&self, populations: &[f64], moments: &mut [f64]) {
        let LatticeFacts { sets, .. } = self.lattice;
        let mut values = Vec::with_capacity(moments.len());
        let several = match self.body.sets_in_moments {
            [SetMoments::Recursive] => {
                about_velocity(&self.lattice, populations, &mut values);
                &[]
            }
            [] => {
                second_order(&self.lattice, populations, &mut values);
                &[]
            }
            several => several,
        };
        for (kind, set) in several.iter().zip(sets) {
            let own = &populations[set.directions()];
            match kind {
                SetMoments::SecondOrder => second_order(&set.lattice, own, &mut values),
                SetMoments::Recursive => unreachable!("a node has no other set beside one of this kind"),
                SetMoments::Share => {
                    let [(rho, j), (whole, all)] = [(set, own), (&sets[0], populations)]
                        .map(|(set, h)| density_and_momentum(&set.lattice, h, set.rest));
                    let share = rho / whole;
                    values.push(share);
                    values.extend((0..set.lattice.dimension).map(|a| j[a] - share * all[a]));
                }
                SetMoments::Populations => values.extend_from_slice(own),
            }
        }
        let rounded = values.into_iter().map(|value| self.precision.arithmetic.round(value));
        moments.iter_mut().zip(rounded).for_each(|(moment, value)| *moment = value);
    }

    /// The post-collision populations of a node as they come back from storage, from its pre-collision ones and its fields.
    pub fn collide_and_store(&self, before: &[f64], fields: &[f64], uniforms: &[f64], after: &mut [f64]) {
        if self.pattern.stores_moments() {
            let mut moments = vec![0.0; self.body.moments];
            self.gather(before, fields, uniforms, &mut moments);
            self.rebuild_stored(moments, after);
        } else {
            self.collide(before, fields, uniforms, after);
            after.iter_mut().for_each(|value| *value = self.store(*value));
        }
    }

    /// Post-collision populations of a node as they come back from storage: where moments are stored, their projection.
    pub fn stored(&self, populations: &[f64], after: &mut [f64]) {
        if self.pattern.stores_moments() {
            let mut moments = vec![0.0; self.body.moments];
            self.project(populations, &mut moments);
            self.rebuild_stored(moments, after);
        } else {
            after.iter_mut().zip(populations).for_each(|(after, &value)| *after = self.store(value));
        }
    }

    fn rebuild_stored(&self, mut moments: Vec<f64>, after: &mut [f64]) {
        moments.iter_mut().for_each(|moment| *moment = self.store(*moment));
        self.rebuild(&moments, after);
    }
}

/// The sum of populations, with what it is at rest, and their momentum.
fn density_and_momentum(lattice: &LatticeFacts, populations: &[f64], rest: f64) -> (f64, [f64; 3]) {
    let along = |a: usize| lattice.velocities.iter().zip(populations).map(|(c, h)| f64::from(c[a]) * h).sum();
    (rest + populations[..lattice.q()].iter().sum::<f64>(), [0, 1, 2].map(along))
}

/// Adds what populations on a lattice have beyond the density 1, their momentum, and their second moments about their velocity.
fn about_velocity(lattice: &LatticeFacts, populations: &[f64], values: &mut Vec<f64>) {
    let (d, first) = (lattice.dimension, values.len());
    second_order(lattice, populations, values);
    values[first] = populations.iter().sum();
    let rho = 1.0 + values[first];
    let axes = (0..d).flat_map(|a| (a..d).map(move |b| (a, b)));
    let (momentum, second) = values[first + 1..].split_at_mut(d);
    axes.zip(second).for_each(|((a, b), p)| *p -= momentum[a] * momentum[b] / rho);
}

/// Adds the moments up to second order of populations on a lattice.
fn second_order(lattice: &LatticeFacts, populations: &[f64], values: &mut Vec<f64>) {
    let &LatticeFacts { dimension, velocities, cs2, .. } = lattice;
    let sum = |factor: &dyn Fn([f64; 3]) -> f64| -> f64 {
        velocities.iter().zip(populations).map(|(c, h)| factor(c.map(f64::from)) * h).sum()
    };
    let rho = sum(&|_| 1.0);
    let momentum = (0..dimension).map(|a| sum(&|c| c[a]));
    let axes = (0..dimension).flat_map(|a| (a..dimension).map(move |b| (a, b)));
    let second = axes.map(|(a, b)| sum(&|c| c[a] * c[b]) - if a == b { cs2 * rho } else { 0.0 });
    let trace: f64 = (0..dimension).map(|a| sum(&|c| c[a] * c[a]) - cs2 * rho).sum();
    values.extend(std::iter::once(rho - trace / (2.0 * cs2)).chain(momentum).chain(second));
}
