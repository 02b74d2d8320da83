//! A geometry with what its file said of it.

use lbm_core::geometry::Regions;
use lbm_core::{Error, Geometry};

use super::surface::Placed;

/// A geometry, and what there is to say of it beside its nodes.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its nodes.
    pub geometry: Geometry,
    /// Its named parts, if it has some.
    pub(super) parts: Option<Parts>,
    /// The surface that it was made of, if it was one.
    pub surface: Option<Placed>,
}

/// Named parts, which are solid, or with `fluid_inside` what is fluid.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    regions: Regions,
    fluid_inside: bool,
}

/// A named part of a geometry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// Its nodes.
    pub nodes: usize,
}

impl From<Geometry> for Made {
    fn from(geometry: Geometry) -> Made {
        Made { geometry, parts: None, surface: None }
    }
}

impl Made {
    /// The geometry of regions: they are solid, or with `fluid_inside` they are what is fluid.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if memory holds no byte a node beside them.
    pub fn of_regions(regions: Regions, fluid_inside: bool) -> Result<Made, Error> {
        let mut geometry = regions.geometry()?;
        if fluid_inside {
            geometry = geometry.inverted();
        }
        Ok(Made { geometry, parts: Some(Parts { regions, fluid_inside }), surface: None })
    }

    /// Its named parts, and what is left of each in this geometry, to which shapes were added or from which they were taken.
    #[must_use]
    pub fn regions_in(&self, geometry: &Geometry) -> Vec<Region> {
        let Some(Parts { regions, fluid_inside }) = &self.parts else { return Vec::new() };
        let mut nodes = vec![0; regions.names().len() + 1];
        for (&region, &solid) in regions.region().iter().zip(geometry.solid()) {
            nodes[usize::from(region)] += usize::from((solid != 0) != *fluid_inside);
        }
        let named = regions.names().iter().zip(nodes.into_iter().skip(1));
        named.map(|(name, nodes)| Region { name: name.clone(), nodes }).collect()
    }
}
