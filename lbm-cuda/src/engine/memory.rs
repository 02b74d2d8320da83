//! What boundary rules remember, between the machine and the host.

use lbm_core::Error;
use lbm_core::rules::{Arrivals, AtLinks, Remembered, check_memory};

use super::DeviceEngine;
use crate::assemble::{Resource, RuleTexts};
use crate::machine::{Machine, Memory};

/// What is to be known of rules when they are listed on the machine: which links have rules, only where values there change with the steps.
pub(super) fn listed(mut arrivals: Arrivals, rules: &RuleTexts) -> Arrivals {
    if !rules.writes_at_links() {
        arrivals.at_links = AtLinks::default();
    }
    arrivals
}

impl<M: Machine> DeviceEngine<M> {
    /// Where all that is remembered lies: among the values of rules of nodes, or of links, and at which place there.
    fn places(&self) -> Vec<(Resource, usize)> {
        let all = self.arrivals.memory(&self.facts);
        if all.is_empty() {
            return Vec::new();
        }
        let places = self.plan.rules.places(&self.arrivals.at_links);
        let lies = |Remembered { of_link, place }: Remembered| match of_link {
            false => (Resource::RuleValues, place),
            true => (Resource::LinkValues, places(place).expect("what is remembered is set")),
        };
        all.into_iter().map(lies).collect()
    }

    /// The values of rules of nodes, and of links, as they lie on the machine, where rules remember something.
    fn values(&self, resource: Resource) -> Result<Vec<f64>, Error> {
        let Some(memory) = self.arrays.memory(resource) else { return Ok(Vec::new()) };
        let mut bytes = vec![0; memory.bytes()];
        memory.read(0, &mut bytes)?;
        Ok(self.facts.precision.arithmetic.from_memory(&bytes))
    }

    /// What rules remember.
    pub(super) fn remembered(&self) -> Result<Vec<f64>, Error> {
        let places = self.places();
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let [of_nodes, of_links] = [self.values(Resource::RuleValues)?, self.values(Resource::LinkValues)?];
        let value = |(resource, place): (Resource, usize)| match resource {
            Resource::RuleValues => of_nodes[place],
            _ => of_links[place],
        };
        Ok(places.into_iter().map(value).collect())
    }

    /// Has rules remember these.
    pub(super) fn set_remembered(&self, values: &[f64]) -> Result<(), Error> {
        let places = self.places();
        check_memory(places.len(), values.len())?;
        self.write_all(&places, values)
    }

    /// Has rules remember nothing.
    pub(super) fn forget(&self) -> Result<(), Error> {
        let places = self.places();
        self.write_all(&places, &vec![0.0; places.len()])
    }

    fn write_all(&self, places: &[(Resource, usize)], values: &[f64]) -> Result<(), Error> {
        if places.is_empty() {
            return Ok(());
        }
        // A step that is under way reads and writes them.
        self.machine.wait()?;
        for of in [Resource::RuleValues, Resource::LinkValues] {
            let mut all = self.values(of)?;
            for (&(_, place), &value) in
                places.iter().zip(values).filter(|((resource, _), _)| *resource == of)
            {
                all[place] = value;
            }
            self.arrays.renew(of, &self.facts, &all)?;
        }
        Ok(())
    }
}
