//! Nodes that become solid or fluid while a flow runs.
//!
//! What is listed of the box follows in place: links, lists of nodes at walls, labels. In a box that is stored as a whole, of which kernels do not know yet that
//! there are solid nodes, all of it is listed anew once, and what is stored put back. Rules are listed anew where one may ask what these nodes are.

use std::ops::Range;
use std::sync::Arc;

use lbm_core::addressing::Drawable;
use lbm_core::engine::{Changed, Setup};
use lbm_core::links::beside;
use lbm_core::pieces::{cut, paste, spans};
use lbm_core::rules::Arrivals;
use lbm_core::{Error, Links};

use super::built::Built;
use super::of_box::OfBox;
use super::{DeviceEngine, DeviceOptions, memory, stepping};
use crate::assemble::{self, Resource, RuleTexts, Shape};
use crate::machine::Machine;

/// Ranges that are taken and put back, at most: nodes in between cost more than a few launches.
const MOST_RANGES: usize = 1 << 10;

/// What is stored of some nodes of the box.
type Kept = Vec<(Range<usize>, Vec<f64>)>;

impl<M: Machine> DeviceEngine<M> {
    /// As [`Engine::set_geometry`](lbm_core::Engine::set_geometry).
    pub(super) fn redraw(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        self.machine.wait()?;
        if let Some(node) = self.lacks(changed.nodes) {
            return Err(Drawable::refusal(self.facts.addressing.name, setup.domain().position(node)));
        }
        if self.lists.is_none() && !self.knows_solids() {
            return self.list_anew(setup, changed);
        }
        let arrivals = match Arrivals::concern(&self.facts, setup, changed.nodes)? {
            true => Some(Arrivals::of(&self.facts, setup)?),
            false => None,
        };
        let size = setup.domain().size;
        let has_other_text =
            |arrivals: &Arrivals| RuleTexts::of(&self.facts, size, arrivals) != self.plan.rules;
        match arrivals.as_ref().is_some_and(has_other_text) {
            _ if self.lists.is_some() => self.follow_listed(setup, changed, arrivals),
            true => self.list_anew(setup, changed),
            false => self.follow(setup, changed, arrivals),
        }
    }

    /// Whether the kernels, and what they are handed, are those of a box that is stored as a whole and has solid nodes here and there.
    fn knows_solids(&self) -> bool {
        let anywhere = self.plan.walls && self.plan.faces.is_none_or(|faces| faces.elsewhere);
        // What is around the fluid of a box follows from all of it.
        anywhere && self.facts.body.reach() == 0 && self.arrays.memory(Resource::Solid).is_some()
    }

    /// Follows in place, with these rules if they are others.
    fn follow(
        &mut self,
        setup: &Setup,
        changed: Changed<'_>,
        arrivals: Option<Arrivals>,
    ) -> Result<(), Error> {
        let (facts, domain) = (self.facts, setup.domain());
        let links = Arc::make_mut(&mut self.links);
        let changes = match links.renew(&facts.lattice, domain, changed.nodes) {
            Ok(changes) => changes,
            Err(error) => {
                *links = Links::of(&facts.lattice, self.setup.domain())?;
                return Err(error);
            }
        };

        let linked: Vec<usize> = changes.iter().map(|change| change.node).collect();
        // From here on only the machine may fail.
        self.wholly(|engine| engine.follow_in_place(setup, changed, arrivals, linked))
    }

    /// The same once the links follow, of which those of some nodes are others now.
    fn follow_in_place(
        &mut self,
        setup: &Setup,
        changed: Changed<'_>,
        arrivals: Option<Arrivals>,
        linked: Vec<usize>,
    ) -> Result<(), Error> {
        let (facts, domain) = (self.facts, setup.domain());
        let same_rules = arrivals.is_none();
        self.go_on_beside(setup, changed.nodes, arrivals)?;
        let of_box = (domain, &*self.links);
        self.arrays.renew_walls(&self.machine, &facts, of_box, changed.nodes, linked)?;
        setup.share(&facts.lattice, &self.links);
        let values = changed.all_stored(&facts, domain);
        self.scatter(changed.nodes, &values)?;
        self.restore_fields(changed.fluid(domain))?;
        self.forget()?;
        if same_rules { self.keep_sent() } else { self.keep() }
    }

    /// Goes on in a box that has changed in place, with these rules if they are others.
    pub(super) fn go_on_beside(
        &mut self,
        setup: &Setup,
        nodes: &[usize],
        arrivals: Option<Arrivals>,
    ) -> Result<(), Error> {
        self.motion.forget_recording();
        self.pushed.forget(false);
        self.velocities = None;
        self.setup.follow(setup, nodes);
        self.arrays.set_parameters(&self.facts, &setup.parameters);
        if let Some(arrivals) = arrivals {
            self.plan.rules = RuleTexts::of(&self.facts, setup.domain().size, &arrivals);
            let (rules, positions) = (&self.plan.rules, self.positions.as_deref());
            let domain = setup.domain();
            self.arrays.list_rules(&self.machine, &self.facts, domain, &arrivals, rules, positions)?;
            self.arrivals = memory::listed(arrivals, rules);
        }
        Ok(())
    }

    /// Lists all anew of a box that is stored as a whole.
    fn list_anew(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        let (facts, domain) = (self.facts, setup.domain());
        // A rule may begin to stand where all was solid.
        let does = |shape: &Shape| {
            (self.plan.walls || shape.has_room(&facts, true, stepping::room(&self.machine)))
                && (domain.rules.is_empty() || shape.does_rules(&facts))
        };
        let shape = Some(self.plan.shape).filter(does);
        let options = DeviceOptions { shape, free_size: self.plan.size.is_none() };
        let made = OfBox::of(&self.machine, &facts, setup, &options)?;
        let built = match made.plan == self.plan {
            true => None,
            false => {
                let programs =
                    vec![assemble::accessors(&facts, &made.accessors)?, assemble::step(&facts, &made.plan)?];
                Some(Built::several(&self.machine, programs)?)
            }
        };
        let ranges = spans(&beside(&facts.lattice, domain, changed.nodes), MOST_RANGES);
        let mut kept = self.kept_of(&ranges)?;
        kept.iter_mut().for_each(|(piece, values)| changed.put(&facts, domain, piece, values));
        let mut fields = self.all_fields()?;
        for node in changed.fluid(domain) {
            fields.iter_mut().zip(facts.default_fields()).for_each(|(field, value)| field[node] = value);
        }

        // From here on only the machine may fail.
        let fields = (fields, kept);
        self.wholly(|engine| engine.go_on_in(setup, made, built, fields))
    }

    /// Goes on in another box: with what follows from it, kernels if they are others, and what was stored and given.
    fn go_on_in(
        &mut self,
        setup: &Setup,
        made: OfBox<M>,
        built: Option<Vec<Built<M>>>,
        (fields, kept): (Vec<Vec<f64>>, Kept),
    ) -> Result<(), Error> {
        let shape = made.plan.shape;
        self.motion.forget_recording();
        self.rims = None;
        self.pushed.forget(built.is_some());
        self.velocities = None;
        (self.arrays, self.arrivals) = (made.arrays, made.arrivals);
        (self.plan, self.setup, self.links) = (made.plan, setup.without_links(), made.links);
        let mut step = std::mem::replace(&mut self.step, Built::nothing());
        if let Some(built) = built {
            let mut built = built.into_iter();
            self.accessors = built.next().expect("as many as there are programs");
            step = built.next().expect("as many as there are programs");
        }
        self.go_on_with(shape, step)?;
        for (n, field) in fields.iter().enumerate() {
            self.put_node_field(n, &|nodes, values| cut(field, nodes, values))?;
        }
        self.put_back(&kept)
    }

    /// What is stored of the nodes of some ranges, piece after piece.
    fn kept_of(&self, ranges: &[Range<usize>]) -> Result<Kept, Error> {
        let mut kept = Kept::new();
        for range in ranges {
            self.get_state(range.clone(), &mut |piece, values| {
                kept.push((piece, values.to_vec()));
                Ok(())
            })?;
        }
        Ok(kept)
    }

    /// The values of the fields that nodes are given.
    fn all_fields(&self) -> Result<Vec<Vec<f64>>, Error> {
        let nodes = self.setup.domain().nodes();
        let field = |n: usize| {
            let mut field = vec![0.0; nodes];
            self.get_node_field(n, 0..nodes, &mut |piece, values| {
                paste(&mut field, piece, values);
                Ok(())
            })?;
            Ok(field)
        };
        (0..self.facts.body.fields.len()).map(field).collect()
    }
}
