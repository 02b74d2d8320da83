//! What a variant is tried with.

use std::fmt;
use std::sync::Arc;

use lbm_core::cut::{Alone, CutEngine, Decomposition, MakePart, Transport};
use lbm_core::engine::{Engine, Setup};
use lbm_core::laws::{SEEDS, SplitMix64, boxes, random_setup};
use lbm_core::{Error, Facts};

use crate::assemble::{Between, Shape};
use crate::engine::DeviceOptions;

/// Seeds among which a box without walls is looked for, as one in 32 is in three dimensions.
const SEEDS_TRIED: u64 = 1000;

/// What a cross-check tries.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// After these numbers of steps, ascending, all populations are compared.
    pub steps: Vec<u64>,
    /// Nodes of the boxes along x, y, z; 1 along axes that the lattice has not. If empty: an odd box, and one whose rows
    /// can be cut into packs of nodes.
    pub sizes: Vec<[usize; 3]>,
    /// A random state and random walls for each.
    pub seeds: Vec<u64>,
    /// The only launch shape to try, in those boxes that it fits; if none, a few that a run may choose.
    pub shape: Option<Shape>,
    /// Into how many parts the box of what is compared is cut; 0 for not at all.
    pub parts: usize,
    /// Once in how many steps values cross between them; if none, once in as many as the launch shape does at once, or a variant's name says.
    pub exchange_every: Option<usize>,
    /// GPUs that have these parts, in turn; none for the target alone.
    pub gpus: Vec<usize>,
    /// The processes that have these parts, which all cross-check the same.
    pub processes: Arc<dyn Transport>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { steps, sizes, seeds, shape, parts, exchange_every, gpus, processes } = self;
        let mut all = f.debug_struct("Options");
        all.field("steps", steps).field("sizes", sizes).field("seeds", seeds).field("shape", shape);
        all.field("parts", parts)
            .field("exchange_every", exchange_every)
            .field("gpus", gpus)
            .field("processes", &processes.description())
            .finish()
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            steps: vec![1, 2, 3, 200],
            sizes: Vec::new(),
            seeds: SEEDS.to_vec(),
            shape: None,
            parts: 0,
            exchange_every: None,
            gpus: Vec::new(),
            processes: Arc::new(Alone),
        }
    }
}

impl Options {
    /// Compares after these numbers of steps, ascending.
    #[must_use]
    pub fn with_steps(self, steps: impl Into<Vec<u64>>) -> Options {
        Options { steps: steps.into(), ..self }
    }

    /// Takes boxes of these sizes.
    #[must_use]
    pub fn with_sizes(self, sizes: impl Into<Vec<[usize; 3]>>) -> Options {
        Options { sizes: sizes.into(), ..self }
    }

    /// Takes a random state and random walls for each of these seeds.
    #[must_use]
    pub fn with_seeds(self, seeds: impl Into<Vec<u64>>) -> Options {
        Options { seeds: seeds.into(), ..self }
    }

    /// Takes one launch shape only; `None` is a few that a run may choose.
    #[must_use]
    pub fn with_shape(self, shape: impl Into<Option<Shape>>) -> Options {
        Options { shape: shape.into(), ..self }
    }

    /// Cuts what is compared into so many parts, which are these GPUs' in turn, or all the target's if there are none.
    #[must_use]
    pub fn with_parts(self, parts: usize, gpus: impl Into<Vec<usize>>) -> Options {
        Options { parts, gpus: gpus.into(), ..self }
    }

    /// Deals parts out among processes, a part each if their number is not given but by GPUs. All of them cross-check the same variants in the same order, one
    /// after the other, and know what is found.
    #[must_use]
    pub fn with_processes(self, processes: Arc<dyn Transport>) -> Options {
        let parts =
            if self.parts <= self.gpus.len() { processes.ranks().max(self.parts) } else { self.parts };
        Options { parts, processes, ..self }
    }

    /// Has values cross between parts once in so many steps.
    #[must_use]
    pub fn with_exchange_every(self, steps: impl Into<Option<usize>>) -> Options {
        Options { exchange_every: steps.into(), ..self }
    }

    /// The engine of what is compared: of the whole box, or of parts.
    ///
    /// # Errors
    /// Those of making engines, and of [`CutEngine::over`].
    pub(super) fn engine(
        &self,
        facts: &Facts,
        setup: &Setup,
        make: MakePart<'_>,
    ) -> Result<Box<dyn Engine>, Error> {
        match self.cut(facts) {
            None => make(0, setup),
            Some(cut) => {
                Ok(Box::new(CutEngine::over(Arc::clone(&self.processes), facts, setup, &cut, make)?))
            }
        }
    }

    /// How what is compared is cut, if it is.
    fn cut(&self, facts: &Facts) -> Option<Decomposition> {
        let cut = Some(Decomposition::usual(facts, self.parts)).filter(|_| self.parts > 0)?;
        let at_once = || self.shape.map(|shape| shape.steps()).filter(|&steps| steps > 1);
        Some(match self.exchange_every.or_else(at_once) {
            None => cut,
            Some(steps) => cut.exchanging_every(steps),
        })
    }

    /// The boxes for a lattice of this dimension.
    fn sizes(&self, dimension: usize) -> Result<Vec<[usize; 3]>, Error> {
        if self.sizes.is_empty() {
            return Ok(boxes(dimension).to_vec());
        }
        let fits =
            |size: &&[usize; 3]| size.iter().all(|&n| n > 0) && size[dimension..].iter().all(|&n| n == 1);
        match self.sizes.iter().find(|size| !fits(size)) {
            None => Ok(self.sizes.clone()),
            Some(size) => Err(Error::out_of_range(
                "size of a cross-check",
                format!("{size:?}"),
                format!(
                    "for a lattice of {dimension} dimensions at least one node along each, and 1 beyond them"
                ),
                "leave the sizes out, or give those that the lattice takes",
            )),
        }
    }
}

/// One box, one state, one way to run it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trial {
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// Decides walls, parameters and the state.
    pub seed: u64,
    /// How the device runs it.
    pub device: DeviceOptions,
}

/// All trials of a variant: every box with every seed in the likeliest launch shape; every box in a shape of several
/// nodes a thread, where one is possible and was not tried, and one without walls in a shape with fields on the way, where there is one; the first box with
/// its size left free. Shapes are those of boxes with rules where these may stand.
///
/// A shape that is asked for takes the place of all others. Boxes that it does not fit are left out, unless it fits none:
/// then they stay, and the engine says why.
///
/// # Errors
/// [`Error::OutOfRange`] for a box that the lattice does not take.
pub fn trials(facts: &Facts, has_rules: bool, options: &Options) -> Result<Vec<Trial>, Error> {
    let mut sizes = options.sizes(facts.lattice.dimension)?;
    if let Some(shape) = options.shape
        && sizes.iter().any(|&size| shape.fits(facts, size))
    {
        sizes.retain(|&size| shape.fits(facts, size));
    }
    let trial = |size, seed, shape, free_size| {
        let device = DeviceOptions { shape: Some(shape), free_size };
        Trial { size, seed, device }
    };
    let between = Between::of(has_rules, None);
    let shape_of = |size| options.shape.unwrap_or_else(|| Shape::likely_for(facts, size, between));
    let some_seed = options.seeds.first();
    let mut trials = Vec::new();
    for &size in &sizes {
        let likely = shape_of(size);
        trials.extend(options.seeds.iter().map(|&seed| trial(size, seed, likely, false)));
        let packs = Shape::candidates_for(facts, size, between).into_iter().find(|shape| shape.nodes > 1);
        let packs = packs.filter(|_| likely.nodes == 1 && options.shape.is_none());
        // The smallest block, for which every device has room.
        let on_the_way = Shape::candidates_for(facts, size, between)
            .into_iter()
            .filter(|shape| *shape != shape.between_walls() && options.shape.is_none())
            .min_by_key(|shape| shape.block);
        let on_the_way = on_the_way.and_then(|shape| Some((periodic_seed(facts, size)?, shape)));
        trials.extend(on_the_way.map(|(seed, shape)| trial(size, seed, shape, false)));
        trials.extend(some_seed.zip(packs).map(|(&seed, shape)| trial(size, seed, shape, false)));
    }
    trials.extend(some_seed.zip(sizes.first()).map(|(&seed, &size)| trial(size, seed, shape_of(size), true)));
    Ok(trials)
}

/// The first seed of a box of this size without walls or solid nodes.
fn periodic_seed(facts: &Facts, size: [usize; 3]) -> Option<u64> {
    let is_periodic =
        |&seed: &u64| random_setup(facts, size, &mut SplitMix64::new(seed)).domain().is_all_bulk();
    (0..SEEDS_TRIED).find(is_periodic)
}
