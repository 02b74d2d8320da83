//! Slow flows that a body force drives through a geometry, in every addressing that the table of variants has.

use lbm_core::{Error, Geometry};

use super::Row;
use super::poiseuille::MAGIC;
use crate::cases::{Steady, Watch, Watched};
use crate::simulation::{Placement, Problem, Simulation, Viscosity};
use crate::variants::{self, Entry};

const BITS_SOURCE: &str = "exact: where a node's populations lie changes no number";

/// The velocity that the force is chosen for. Reynolds numbers stay below 1e-3: slower flows have the same permeability in all digits
/// that are compared.
const SPEED: f64 = 1e-6;

/// The viscosity over the square root of the permeability. A slow flow's velocity times viscosity over force does not depend on it: in the
/// steady state of TRT the magic parameter alone matters (d'Humières & Ginzburg, Comput. Math. Appl. 58 (2009) 823). So it is chosen
/// for a short way there. Measured: shear waves are just damped, and what is left of the start falls by e in 3.4 times the square
/// root of the permeability (in node spacings); with less the way is longer, with more waves go on.
const VISCOSITY: f64 = 0.3;

/// Looks at convergence, at most: many times what it takes.
const LOOKS: u64 = 120;

/// A flow along x through a periodic box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driven<'a> {
    /// Solid and fluid nodes.
    pub(super) geometry: &'a Geometry,
    /// The permeability that is expected, in node spacings squared. It sets viscosity, force and the time between looks.
    pub(super) permeability: f64,
    /// TRT's magic parameter.
    pub(super) magic: f64,
}

impl Driven<'_> {
    /// With the magic parameter that puts walls along the axes exactly half-way.
    pub(super) fn new(geometry: &Geometry, permeability: f64) -> Driven<'_> {
        Driven { geometry, permeability, magic: MAGIC }
    }

    pub(super) fn viscosity(&self) -> f64 {
        VISCOSITY * self.permeability.sqrt()
    }

    /// The force a volume, along x.
    pub(super) fn force(&self) -> f64 {
        self.viscosity() * SPEED / self.permeability
    }

    /// Steps between looks: at last, the distance from the steady flow falls to a third in as many.
    fn interval(&self) -> u64 {
        (4.0 * self.permeability.sqrt()).ceil() as u64
    }

    /// The flow after so many steps.
    pub(super) fn after(&self, steps: u64, entry: &Entry, placement: Placement) -> Result<Simulation, Error> {
        let problem = Problem {
            geometry: Some(self.geometry.clone()),
            viscosity: Some(Viscosity::Value(self.viscosity())),
            force: Some([self.force(), 0.0, 0.0]),
            parameters: vec![("magic".to_owned(), self.magic)],
            placement,
            ..Problem::default()
        };
        let mut simulation = entry.build(problem)?;
        simulation.run(steps)?;
        Ok(simulation)
    }

    /// The flow once its mean velocity has settled to `tolerance`, a share of it ([`Watched::Mean`]); and its permeability, NaN if it does
    /// not settle.
    pub(super) fn settled(
        &self,
        tolerance: f64,
        entry: &Entry,
        placement: Placement,
    ) -> Result<(Simulation, f64), Error> {
        let factor = self.viscosity() / self.force();
        let watched = Watched::Mean { name: "permeability", component: 0, factor };
        let mut watch = Watch::new(Some(Steady { interval: self.interval(), tolerance, watched }), SPEED);
        let mut simulation = self.after(0, entry, placement)?;
        watch.look(&mut simulation)?;
        for _ in 0..LOOKS {
            simulation.run(self.interval())?;
            if watch.look(&mut simulation)? {
                return Ok((simulation, watch.value().unwrap_or(f64::NAN)));
            }
        }
        Ok((simulation, f64::NAN))
    }
}

/// The variants of D3Q19 with TRT and a body force in f64: that of the dense box, then those with listed nodes, one for each addressing
/// and streaming pattern that the table has.
///
/// # Errors
/// [`Error::Unknown`] if the table has none.
pub(super) fn entries() -> Result<(&'static Entry, Vec<&'static Entry>), Error> {
    let wanted = |entry: &&Entry| {
        let facts = &entry.facts;
        facts.lattice.name == "D3Q19"
            && entry.operator() == "trt"
            && facts.body.forced
            && facts.precision.name == "f64"
            && facts.addressing.listed
    };
    let dense = variants::find("d3q19-trt-guo-f64-soa-dense-two-lattice-pull")?;
    Ok((dense, variants::all().iter().filter(wanted).collect()))
}

/// What a variant is called in the name of a row: addressing and streaming pattern.
pub(super) fn label(entry: &Entry) -> String {
    format!("{}-{}", entry.facts.addressing.name, entry.facts.pattern.name)
}

/// How many populations of flows in listed nodes differ from those of the same flows in dense boxes.
pub(super) fn bits_row(
    name: String,
    entry: &Entry,
    dense: &[Simulation],
    listed: &[Simulation],
) -> Result<Row, Error> {
    let (mut all, mut differing) = (0, 0);
    for (dense, listed) in dense.iter().zip(listed) {
        let (expected, found) = (dense.populations()?, listed.populations()?);
        all += expected.len();
        differing += expected.iter().zip(&found).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    }
    let steps = listed.iter().map(Simulation::time_step).max().unwrap_or(0);
    let words = format!(
        "populations of {all} that differ in any bit from those of the dense box, after {steps} steps"
    );
    Ok(Row::error(name, &entry.name, differing as f64, 0.0).about(words, BITS_SOURCE))
}
