//! Numbers of all nodes that an engine finds where the flow is: those of its populations.

use super::LawViolation;
use crate::domain::Domain;
use crate::engine::Engine;
use crate::facts::Facts;
use crate::reference::Reference;
use crate::sums::ExactSum;

/// The velocities of fluid nodes at the last look at a flow; none before the first one.
#[derive(Default)]
pub(super) struct Looks(Option<Vec<[f64; 3]>>);

impl Looks {
    /// Compares what an engine finds with what follows from the reference's populations, as far as it does so.
    pub(super) fn compare(
        &mut self,
        facts: &Facts,
        domain: &Domain,
        engine: &mut dyn Engine,
        reference: &Reference,
    ) -> Result<(), LawViolation> {
        // Forces of nodes are the caller's.
        if facts.body.force_varies() {
            return Ok(());
        }
        let nodes = domain.nodes();
        let mut populations = vec![0.0; facts.lattice.q() * nodes];
        reference.populations(&mut populations)?;
        let velocity = |node: usize| {
            let h: Vec<f64> = (0..facts.lattice.q()).map(|i| populations[node + nodes * i]).collect();
            let [_, u @ ..] = facts.macroscopic(&h, [0.0; 3]);
            u
        };
        let now: Vec<[f64; 3]> =
            (0..nodes).filter(|&node| domain.solid_at(node).is_none()).map(velocity).collect();
        let described = engine.description();
        let wrong = |what: &str, found: f64, expected: f64| {
            Err(LawViolation::Differs(format!(
                "{} on {}, box {:?}, after {} steps: {what} is {found:e}, of the reference's populations it is {expected:e}",
                facts.name(),
                described,
                domain.size,
                reference.step(),
            )))
        };
        for component in 0..3 {
            let mut expected = ExactSum::default();
            now.iter().for_each(|u| expected.add(u[component]));
            match engine.sum_of_velocity([0.0; 3], component)? {
                Some(found) if found != expected => {
                    return wrong("the sum of a velocity component", found.value(), expected.value());
                }
                _ => {}
            }
        }
        if let Some(found) = engine.not_finite()?
            && found > 0
        {
            return wrong("the number of populations that are not finite", found as f64, 0.0);
        }
        let changes = self
            .0
            .iter()
            .flatten()
            .zip(&now)
            .flat_map(|(before, now)| (0..3).map(|axis| (now[axis] - before[axis]).abs()));
        let expected = changes.fold(0.0, f64::max);
        self.0 = Some(now);
        match engine.largest_change([0.0; 3])? {
            Some(found) if found.to_bits() != expected.to_bits() => {
                wrong("the largest change of a velocity component", found, expected)
            }
            _ => Ok(()),
        }
    }
}
