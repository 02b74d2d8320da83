//! How the box of a flow is made: of all its nodes, or of some of them, with the same solids, links and rules there.

use std::sync::Arc;

use lbm_core::cut::{OwnBox, Transport, checksum, same_box, sums};
use lbm_core::engine::Setup;
use lbm_core::facts::LatticeFacts;
use lbm_core::links::Links;
use lbm_core::{Domain, Error, RuleFacts};

use super::at_faces::apply_at_faces;
use super::patches::PlacedPatch;
use super::problem::Problem;
use super::rules::centre;
use super::{check, meeting, patches, regions, surfaces};

/// Nodes of the whole box of which all processes look what they are, to find whether they make the same one.
const SAMPLES: usize = 1 << 12;

/// Of what a box is made: all but the nodes.
pub(super) struct Plan {
    pub(super) lattice: LatticeFacts,
    pub(super) rules: Vec<RuleFacts>,
    /// Solids, surfaces and what has rules.
    pub(super) problem: Problem,
    /// The values of the collision's parameters.
    pub(super) parameters: Vec<f64>,
    /// Patches of faces with rules of nodes.
    pub(super) placed: Vec<PlacedPatch>,
}

/// A box that was made.
pub(super) struct Made {
    pub(super) setup: Setup,
    /// Its links, if somebody else is to ask for them.
    pub(super) links: Option<Arc<Links>>,
    pub(super) placed: Vec<PlacedPatch>,
    /// How many solids its geometry has.
    pub(super) walls: usize,
    /// For each link at a surface with a rule on which that was not found its node.
    pub(super) unmet: Vec<usize>,
}

/// What must be somewhere in a box: where a process knows a part of it alone, all of them together say whether it is.
pub(super) struct Seen {
    is_whole: bool,
    all: Vec<(bool, Error)>,
}

impl Seen {
    /// In this box.
    pub(super) fn of(domain: &Domain) -> Seen {
        Seen { is_whole: domain.is_whole(), all: Vec::new() }
    }

    /// Requires what is seen here, or is somewhere else.
    ///
    /// # Errors
    /// What is said where it is nowhere, at once if the box is all here.
    pub(super) fn require(&mut self, is_here: bool, otherwise: impl FnOnce() -> Error) -> Result<(), Error> {
        match self.is_whole {
            true if is_here => Ok(()),
            true => Err(otherwise()),
            false => {
                self.all.push((is_here, otherwise()));
                Ok(())
            }
        }
    }

    /// Decides it among all processes. Gives the sums of numbers that each has.
    ///
    /// # Errors
    /// What is said of the first that is nowhere, the same on all; those of [`sums`].
    pub(super) fn decide<const N: usize>(
        self,
        transport: &dyn Transport,
        numbers: [u64; N],
    ) -> Result<[u64; N], Error> {
        let here = self.all.iter().map(|&(is_here, _)| u64::from(is_here));
        let found = sums(transport, &numbers.into_iter().chain(here).collect::<Vec<_>>())?;
        let missing = self.all.into_iter().zip(&found[N..]).find(|(_, count)| **count == 0);
        missing.map_or(Ok(std::array::from_fn(|n| found[n])), |((_, error), _)| Err(error))
    }
}

impl Plan {
    /// Makes the box of the nodes that are known in one with its faces and their rules, which has the solids of a geometry and no others.
    pub(super) fn made(&self, domain: Domain, seen: &mut Seen) -> Result<Made, Error> {
        let is_whole = domain.is_whole();
        self.with_links(domain, seen, is_whole)
    }

    /// The same with all links listed where somebody else is to ask for them, and else where surfaces do.
    pub(super) fn with_links(&self, domain: Domain, seen: &mut Seen, is_asked: bool) -> Result<Made, Error> {
        let Plan { lattice, rules, problem, .. } = self;
        let mut placed = self.placed.clone();
        let walls = domain.solids.len();
        let mut domain = self.painted(domain, seen)?;
        patches::require_fluid(&domain, problem, seen)?;
        meeting::check(lattice, rules, &domain, &placed)?;
        placed.extend(apply_at_faces(lattice, rules, problem, &mut domain)?);
        regions::apply(lattice, rules, &problem.regions, &mut domain, seen)?;
        let mut setup = Setup::new(domain, self.parameters.clone());
        // Listed once, for surfaces and for the engine; engines of parts list their own.
        let is_asked = is_asked || !problem.surfaces.is_empty();
        let links = if is_asked { Some(setup.links(lattice)?) } else { None };
        let first = walls + problem.solids.len();
        let (of_surfaces, unmet) = surfaces::apply(lattice, rules, problem, first, &mut setup, seen)?;
        placed.extend(of_surfaces);
        meeting::check_links(lattice, rules, setup.domain(), &placed)?;
        Ok(Made { setup: setup.with_rules(rules.clone()), links, placed, walls, unmet })
    }

    /// The box with its solids marked.
    fn painted(&self, mut domain: Domain, seen: &mut Seen) -> Result<Domain, Error> {
        let Problem { solids, surfaces, drawable, .. } = &self.problem;
        for solid in solids {
            check::velocity(&self.lattice, "velocity of a moving solid", solid.velocity)?;
        }
        let velocities = solids.iter().map(|solid| solid.velocity);
        domain
            .add_solids(velocities, |position| solids.iter().position(|solid| (solid.contains)(position)))?;
        for surface in surfaces {
            domain.add_solid(&*surface.shape, [0.0; 3])?;
        }
        drawable.iter().for_each(|region| domain.keep_drawable(&**region));
        seen.require(domain.has_fluid(), || check::no_fluid(&domain))?;
        Ok(domain)
    }

    /// Refuses a box of which a process finds other nodes solid than the first one does, as far as a few of them say; what is at cuts is compared there.
    ///
    /// # Errors
    /// Those of [`same_box`].
    pub(super) fn compare(&self, transport: &dyn Transport, size: [usize; 3]) -> Result<(), Error> {
        if transport.ranks() == 1 {
            return Ok(());
        }
        let (domain, nodes) = (Domain::periodic(size), size.iter().product::<usize>());
        let samples = nodes.min(SAMPLES);
        // Places of the golden ratio's multiples are spread evenly, whatever their number.
        let spread = |n: usize| {
            let share = (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            ((u128::from(share) * nodes as u128) >> 64) as usize
        };
        let looked_at = (0..samples).map(|n| {
            let position = domain.position(if samples == nodes { n } else { spread(n) });
            let Problem { solids, surfaces, .. } = &self.problem;
            let solid = solids.iter().position(|solid| (solid.contains)(position));
            let surface = surfaces.iter().position(|surface| surface.shape.contains(centre(position)));
            let [solid, surface] = [solid, surface].map(|found| found.map_or(0, |n| n as u64 + 1));
            solid << 32 | surface
        });
        let sum = checksum(size.map(|along| along as u64).into_iter().chain(looked_at));
        same_box(transport, self.rules_sum(), sum)
    }

    /// A checksum of the rules that stand somewhere, and of those of their values that are the same everywhere.
    fn rules_sum(&self) -> u32 {
        checksum(self.problem.placed_rules().flat_map(|rule| rule.words()))
    }
}

/// Fluid nodes of some boxes.
pub(super) fn fluid_nodes(domain: &Domain, own: &[OwnBox]) -> usize {
    let of_box = |OwnBox { low, size, .. }: &OwnBox| -> usize {
        let all: usize = size.iter().product();
        if domain.flags.is_empty() {
            return all;
        }
        let rows = (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| [low[0], low[1] + y, low[2] + z]));
        let solid =
            |first: usize| domain.flags[first..first + size[0]].iter().filter(|&&flag| flag != 0).count();
        all - rows.map(|row| solid(domain.cell(row))).sum::<usize>()
    };
    own.iter().map(of_box).sum()
}
