//! All that `lbm geometry` says of a geometry.

use lbm_core::geometry::{Geometry, TileStatistics, Tiling};
use lbm_core::{Domain, Error, FaceRule, Lattice};
use lbm_cpu::available_memory;

use super::memory::Need;
use super::storage::Storage;
use crate::lattices::{D2Q9, D3Q19};

/// What a geometry is, and what it takes to store it.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// Nodes of the box.
    pub nodes: usize,
    /// Those that are fluid.
    pub fluid_nodes: usize,
    /// Fluid nodes of each connected region, the largest first.
    pub regions: Vec<usize>,
    /// Tiles of several sizes.
    pub tiles: Vec<Tiles>,
    /// Every addressing, in one copy and two, in f32 and f64.
    pub storages: Vec<Storage>,
    /// Bytes of memory that are free.
    pub available: u64,
}

/// Tiles of one size, placed at the origin of the box and where they are fewest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// With a corner at the box's.
    pub at_corner: TileStatistics,
    /// With the best of all origins.
    pub best: TileStatistics,
}

/// The storage to take.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice<'a> {
    /// Which.
    pub storage: &'a Storage,
    /// Why.
    pub reason: String,
}

/// Storages whose predicted speeds differ by no more than this share are as fast as each other.
const EVEN: f64 = 0.05;

/// Bytes that making a survey takes for each node of the box, and for each fluid node.
const SURVEY_BYTES: [usize; 2] = [12, 150];

impl Survey {
    /// That a survey of such a box fits in memory.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with the footprint of every addressing (f32, one copy). Nothing is allocated.
    pub fn require_memory(size: [usize; 3], porosity: f64) -> Result<(), Error> {
        let q = if size[2] == 1 { D2Q9::Q } else { D3Q19::Q };
        let [node, fluid] = SURVEY_BYTES;
        let beside = node + (fluid as f64 * porosity).ceil() as usize;
        // The survey holds one list at a time, and no populations.
        let lists = Need { size, porosity, q, copies: 0, value_bytes: 4, beside };
        let populations = Need { copies: 1, beside: 0, ..lists };
        let [(_, bytes), ..] = lists.footprints();
        lists.require(bytes, "to be surveyed", populations.footprints(), available_memory())
    }

    /// Surveys a geometry between these faces.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if all nodes are solid, or there are more than can be listed.
    pub fn of(geometry: &Geometry, faces: [FaceRule; 6]) -> Result<Survey, Error> {
        geometry.require_fluid()?;
        let size = geometry.size();
        let regions = geometry.components(links(size), periodic(&faces)).sizes().to_vec();
        let tiles = |edge: usize| -> Result<Tiles, Error> {
            let edges = size.map(|n| if n == 1 { 1 } else { edge });
            let at_corner = Tiling::new(edges, [0; 3])?.statistics(geometry)?;
            Ok(Tiles { at_corner, best: Tiling::best(geometry, edges)?.statistics(geometry)? })
        };
        let domain: Domain = geometry.clone().into_domain(faces)?;
        Ok(Survey {
            size,
            nodes: geometry.nodes(),
            fluid_nodes: geometry.fluid_nodes(),
            regions,
            tiles: vec![tiles(4)?, tiles(8)?],
            storages: Storage::all(geometry, &domain)?,
            available: available_memory(),
        })
    }

    /// Fluid nodes as a share of all.
    #[must_use]
    pub fn porosity(&self) -> f64 {
        self.fluid_nodes as f64 / self.nodes as f64
    }

    /// The predicted speed of a storage as a share of the fastest in the same precision.
    #[must_use]
    pub fn relative_speed(&self, storage: &Storage) -> f64 {
        let alike = self.storages.iter().filter(|other| other.precision == storage.precision);
        alike.map(|other| other.step_bytes).fold(f64::INFINITY, f64::min) / storage.step_bytes
    }

    /// Whether a storage fits in the memory that is free.
    #[must_use]
    pub fn fits(&self, storage: &Storage) -> bool {
        storage.bytes() <= u128::from(self.available)
    }

    /// The storage to take in f32: of those that fit in memory and are predicted to be as fast as the fastest of them to within 5 %, the
    /// one that takes the least memory. None if none fits.
    #[must_use]
    pub fn advice(&self) -> Option<Advice<'_>> {
        let wanted = |storage: &&Storage| storage.precision == "f32" && self.fits(storage);
        let fitting: Vec<&Storage> = self.storages.iter().filter(wanted).collect();
        let fewest = fitting.iter().map(|storage| storage.step_bytes).fold(f64::INFINITY, f64::min);
        let fast = fitting.into_iter().filter(|storage| storage.step_bytes <= (1.0 + EVEN) * fewest);
        let storage = fast.min_by_key(|storage| storage.bytes())?;
        let all = self.storages.iter().all(|other| self.fits(other));
        let reason = format!(
            "{:.0} bytes a step and fluid node, {}{}, and of those the least memory, {:.0} bytes a fluid node",
            storage.step_bytes,
            if storage.step_bytes == fewest { "the fewest" } else { "within 5 % of the fewest" },
            if all { "" } else { " of what fits in memory" },
            storage.bytes() as f64 / self.fluid_nodes as f64
        );
        Some(Advice { storage, reason })
    }
}

/// The velocities of the lattice that a box is for.
pub(super) fn links(size: [usize; 3]) -> &'static [[i32; 3]] {
    if size[2] == 1 { D2Q9::VELOCITIES } else { D3Q19::VELOCITIES }
}

/// Along which axes faces are periodic.
pub(super) fn periodic(faces: &[FaceRule; 6]) -> [bool; 3] {
    std::array::from_fn(|axis| faces[2 * axis] == FaceRule::Periodic)
}
