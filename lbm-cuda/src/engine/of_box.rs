//! What follows from a box before a flow is set in motion in it: lists on the machine, and what kernels are assembled for.

use std::sync::Arc;

use lbm_core::addressing::{Drawable, Extent};
use lbm_core::engine::Setup;
use lbm_core::rules::Arrivals;
use lbm_core::{Error, Facts, Links, ListedNodes};

use super::arrays::Arrays;
use super::redrawn_listed::Lists;
use super::{DeviceOptions, memory, stepping};
use crate::assemble::{
    Between, BoxWalls, ListedPlan, Plan, ROW_MULTIPLE, RuleTexts, STREAM_SLACK, Shape, Work,
};
use crate::machine::Machine;

/// What follows from a box.
pub(super) struct OfBox<M: Machine> {
    /// Values of a copy of what is stored.
    pub(super) values: usize,
    pub(super) arrays: Arrays<M>,
    pub(super) arrivals: Arrivals,
    /// The links of a box that is stored as a whole, if it has some.
    pub(super) links: Arc<Links>,
    /// For each storage node its index in the box, where nodes are listed.
    pub(super) positions: Option<Vec<u32>>,
    pub(super) lists: Option<Lists>,
    pub(super) plan: Plan,
    /// The plan of kernels beside the step: one text for all sizes where that can be.
    pub(super) accessors: Plan,
}

/// The copies of what is stored, of so many values each.
pub(super) fn copies<M: Machine>(machine: &M, facts: &Facts, values: usize) -> Result<Vec<M::Memory>, Error> {
    (0..facts.copies).map(|_| machine.memory(values * facts.precision.stored_bytes)).collect()
}

impl<M: Machine> OfBox<M> {
    /// Checks that the box can be run, and lists on the machine what there is beside the copies.
    ///
    /// # Errors
    /// As [`DeviceEngine::new`](super::DeviceEngine::new).
    pub(super) fn of(
        machine: &M,
        facts: &Facts,
        setup: &Setup,
        options: &DeviceOptions,
    ) -> Result<OfBox<M>, Error> {
        let (domain, size) = (setup.domain(), setup.domain().size);
        let mut arrays = Arrays::new(facts, setup);
        let (values, listed) = match facts.addressing.listed {
            true => {
                let (values, listed_nodes, drawable) = listed(machine, facts, setup, options)?;
                (values, Some((listed_nodes, drawable)))
            }
            false => (of_whole(machine, facts, setup, options)?, None),
        };
        let listed_nodes = listed.as_ref().map(|(listed_nodes, _)| listed_nodes);
        match listed_nodes {
            Some(listed_nodes) => arrays.list(machine, facts, domain, listed_nodes)?,
            None => arrays.besides(machine, facts, domain)?,
        }
        let arrivals = Arrivals::of(facts, setup)?;
        let positions = listed_nodes.map(|listed_nodes| &listed_nodes.listing.positions[..]);
        let rules = RuleTexts::of(facts, size, &arrivals);
        arrays.list_rules(machine, facts, domain, &arrivals, &rules, positions)?;
        let count = positions.map_or(domain.nodes(), <[u32]>::len);
        let numbered = if facts.body.reach() > 0 { facts.padded(size).nodes() } else { count };
        arrays.default_fields(machine, facts, numbered)?;
        arrays.surround(machine, facts, domain)?;
        let shape = stepping::first_shape(facts, setup, options, &rules)?;
        let plan = Plan {
            size: (!options.free_size).then_some(size),
            walls: !domain.is_all_bulk(),
            faces: (!domain.is_all_bulk()).then(|| BoxWalls::of(&facts.lattice, domain)),
            shape: if domain.is_all_bulk() { shape } else { shape.between_walls() },
            work: Work::Step,
            listed: listed_nodes.map(|listed_nodes| ListedPlan::of(facts, listed_nodes, values)),
            exchange: setup.exchange_every(),
            rules,
        };
        let accessors = beside(facts, size, &plan);
        let arrivals = memory::listed(arrivals, &plan.rules);
        let (lists, positions) = listed.map(Lists::of).unzip();
        let links = match (plan.walls, &plan.listed) {
            (true, None) => setup.links(&facts.lattice)?,
            _ => Arc::default(),
        };
        Ok(OfBox { values, arrays, arrivals, links, positions, lists, plan, accessors })
    }
}

/// The plan of kernels beside the step.
pub(super) fn beside(facts: &Facts, size: [usize; 3], plan: &Plan) -> Plan {
    Plan { size: Some(size).filter(|&size| !may_be_handed(facts, size)), ..plan.clone() }
}

/// Nodes of a box, which may be too many for any machine.
fn nodes_of(size: [usize; 3]) -> u128 {
    size.iter().fold(1, |product, &n| product.saturating_mul(n as u128))
}

/// How many values a copy of a box has, if it can be run.
fn of_whole<M: Machine>(
    machine: &M,
    facts: &Facts,
    setup: &Setup,
    options: &DeviceOptions,
) -> Result<usize, Error> {
    let size = setup.domain().size;
    // Where that is too much, planes to spare need not even be counted.
    machine.check_footprint(nodes_of(size), facts.bytes_per_node())?;
    machine.check_footprint(nodes_of(facts.stored_size(size)), facts.bytes_per_node())?;
    check_size(facts, size, options)?;
    check_shape(facts, setup, options, stepping::room(machine))?;
    Ok(facts.places(size, ROW_MULTIPLE, STREAM_SLACK).values())
}

/// How many values a copy of listed nodes has, if they can be run, and where these are.
fn listed<M: Machine>(
    machine: &M,
    facts: &Facts,
    setup: &Setup,
    options: &DeviceOptions,
) -> Result<(usize, ListedNodes, Drawable), Error> {
    let size = setup.domain().size;
    check_shape(facts, setup, options, stepping::room(machine))?;
    let (mut listed_nodes, mut drawable) = (Drawable::open(facts, setup)?, Drawable::default());
    if !machine.can_be_tuned() {
        // Here a stray neighbour would be somebody else's memory; a device's driver says so.
        listed_nodes.check_all(facts, size)?;
    }
    machine.check_footprint(listed_nodes.listing.positions.len() as u128, facts.bytes_per_node())?;
    drawable.close(&mut listed_nodes, facts, setup.domain())?;
    let places = facts.listed_places(&Extent::listed(size, &listed_nodes.listing));
    Ok((places.values(), listed_nodes, drawable))
}

/// Refuses a launch shape in which the box cannot be run, with so many bytes of shared memory a block.
fn check_shape(facts: &Facts, setup: &Setup, options: &DeviceOptions, room: usize) -> Result<(), Error> {
    let size = setup.domain().size;
    let between = Between::of(!setup.domain().rules.is_empty(), setup.exchange_every());
    match options.shape {
        Some(shape) if !shape.fits(facts, size) => Err(Error::out_of_range(
            "launch shape",
            shape,
            format!("for {} on {size:?} e.g. {}", facts.name(), Shape::likely_for(facts, size, between)),
            "leave it out, and the best of a few is measured",
        )),
        Some(shape) => {
            let walls = !setup.domain().is_all_bulk();
            let taken = if walls { shape.between_walls() } else { shape };
            let bytes = taken.shared_bytes(facts, walls);
            if bytes <= room {
                return Ok(());
            }
            Err(Error::out_of_range(
                "launch shape",
                shape,
                format!(
                    "whose blocks take {room} bytes of shared memory at most on this device, not {bytes}"
                ),
                "take fewer threads a block, or leave it out",
            ))
        }
        None => Ok(()),
    }
}

/// Refuses boxes that 32-bit positions cannot name, and free sizes shorter than a shift.
pub(super) fn check_size(facts: &Facts, size: [usize; 3], options: &DeviceOptions) -> Result<(), Error> {
    let wider = [0, 1, 2].map(|axis| facts.padded(size).length(axis));
    if nodes_of(facts.stored_size(size)) >= 1 << 32
        || nodes_of(wider) >= 1 << 32
        || size[1] > 65_535
        || size[2] > 65_535
    {
        return Err(Error::out_of_range(
            "size",
            format!("{size:?}"),
            "fewer than 2^32 nodes on a device, at most 65535 along y and z",
            "take a smaller box, or the axes in another order",
        ));
    }
    if options.free_size && !may_be_handed(facts, size) {
        return Err(Error::out_of_range(
            "size",
            format!("{size:?}"),
            "with a free size at least as long as the longest shift of the pattern",
            "let the size be baked in",
        ));
    }
    Ok(())
}

/// Whether a kernel can be handed this size: no shift of the pattern is longer.
fn may_be_handed(facts: &Facts, size: [usize; 3]) -> bool {
    let shifts = || {
        (0..facts.period)
            .flat_map(|phase| (0..facts.lattice.q()).map(move |i| (i, phase)))
            .flat_map(|(i, phase)| [facts.read(i, phase).shift, facts.write(i, phase).shift])
    };
    (0..3).all(|axis| shifts().all(|shift| shift[axis].unsigned_abs() as usize <= size[axis]))
}
