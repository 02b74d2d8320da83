//! What a box begins with, and whether its bits are right some steps later.

use lbm_core::cut::Decomposition;
use lbm_core::engine::Setup;
use lbm_core::{Engine, Error};

use super::super::Request;
use super::super::flow::Flow;
use crate::simulation::Backend;
use crate::variants::Entry;

/// Most nodes of a box whose populations cross to be set and compared.
const SMALL: usize = 2 << 20;

/// Waves in a box in parts.
pub(super) struct Start {
    flow: Flow,
    /// Where a part's box begins along z, in the order of the parts; nothing for a box whose populations are set as a whole.
    begins: Option<Vec<usize>>,
    /// Where parts begin along z, but for the first plane.
    cuts: Vec<usize>,
}

impl Start {
    /// What a box begins with that is cut so.
    pub(super) fn of(
        entry: &Entry,
        request: &Request,
        setup: &Setup,
        cut: &Decomposition,
    ) -> Result<Start, Error> {
        let domain = setup.domain();
        let boxes = cut.boxes(domain, entry.facts.addressing.granule)?;
        let cuts = boxes.iter().map(|own| own.low[2]).filter(|&plane| plane > 0).collect();
        if domain.nodes() <= SMALL || request.placement.backend == Backend::Cpu {
            return Ok(Start { flow: Flow::new(entry, domain.size), begins: None, cuts });
        }
        let parts = lbm_core::cut::parts(&entry.facts, domain, &setup.rules, cut)?;
        // Each part's box holds whole cells, wherever it begins.
        let even = parts.iter().all(|part| part.size()[2].is_multiple_of(2));
        let planes = if even && domain.size[2].is_multiple_of(2) { 2 } else { 1 };
        let whole = [0, 1].map(|axis| parts.iter().all(|part| part.own.size[axis] == domain.size[axis]));
        let flow = Flow::of_parts(entry, domain.size, whole, planes);
        let begins = parts.iter().map(|part| part.there([0; 3])[2]).collect();
        Ok(Start { flow, begins: Some(begins), cuts })
    }

    /// The engine of a part, set there if the box is not set as a whole.
    pub(super) fn engine(
        &self,
        entry: &Entry,
        setup: &Setup,
        request: &Request,
        part: usize,
    ) -> Result<Box<dyn Engine>, Error> {
        let placement = request.placement.of_part(part);
        let Some(begins) = &self.begins else { return entry.engine_on(setup, &placement) };
        let mut engine = placement.measured(&entry.facts, setup)?;
        let (cell, populations) = self.flow.repeated_from(begins[part]);
        engine.set_repeated(cell, &populations, 0)?;
        Ok(engine)
    }

    /// Sets the box, unless its parts are set.
    pub(super) fn set(&self, engine: &mut dyn Engine) -> Result<(), Error> {
        match self.begins {
            None => engine.set_populations(&self.flow.populations(), 0),
            Some(_) => Ok(()),
        }
    }

    /// Whether the bits are those of the whole box: all of a small one; of a large one that repeats a cell those of nodes at cuts, and of some all over it. None is said of others.
    pub(super) fn verify(
        &self,
        entry: &Entry,
        setup: &Setup,
        request: &Request,
        engine: &dyn Engine,
    ) -> Result<Option<bool>, Error> {
        let (domain, q) = (setup.domain(), entry.facts.lattice.q());
        let same = |found: &[f64], expected: &[f64]| {
            found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits())
        };
        if self.begins.is_some() {
            if !domain.is_all_bulk() {
                return Ok(None);
            }
            let nodes = self.compared(domain.size);
            let mut found = vec![f64::NAN; q * nodes.len()];
            engine.populations_at(&nodes, &mut found)?;
            let expected = self.flow.at(&self.flow.expected(entry, setup, engine.step())?, &nodes);
            return Ok(Some(same(&found, &expected)));
        }
        let mut whole = entry.engine_on(setup, &request.placement.of_part(0))?;
        self.set(&mut *whole)?;
        whole.run(engine.step())?;
        let (mut found, mut expected) = (vec![f64::NAN; q * domain.nodes()], vec![0.0; q * domain.nodes()]);
        engine.populations(&mut found)?;
        whole.populations(&mut expected)?;
        Ok(Some(same(&found, &expected)))
    }

    /// Nodes in the planes on both sides of each cut, in the box's first corner along x and y, and some all over the box; ascending.
    fn compared(&self, [nx, ny, nz]: [usize; 3]) -> Vec<usize> {
        let ends = self.cuts.iter().chain([&0]);
        let mut planes: Vec<usize> = ends.flat_map(|&plane| [(plane + nz - 1) % nz, plane]).collect();
        planes.sort_unstable();
        planes.dedup();
        let rows = planes.into_iter().flat_map(|z| (0..ny.min(CORNER)).map(move |y| ny * z + y));
        let mut nodes: Vec<usize> =
            rows.flat_map(|row| (0..nx.min(CORNER)).map(move |x| nx * row + x)).collect();
        // Distances without a factor in common: of blocks and of pieces, too, all have some.
        let [along_x, along_y, along_z] = APART;
        let rows = (0..nz).step_by(along_z).flat_map(|z| (0..ny).step_by(along_y).map(move |y| ny * z + y));
        nodes.extend(rows.flat_map(|row| (0..nx).step_by(along_x).map(move |x| nx * row + x)));
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// How far apart the nodes all over the box are along each axis.
const APART: [usize; 3] = [27, 11, 13];

/// Nodes of such a corner along x and y: more than a cell has.
const CORNER: usize = 24;
