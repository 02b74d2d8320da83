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
    pub regions: Vec<Region>,
    /// The surface that it was made of, if it was one.
    pub surface: Option<Placed>,
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
        Made { geometry, regions: Vec::new(), surface: None }
    }
}

impl Made {
    /// The geometry of regions: they are solid, or with `fluid_inside` they are what is fluid.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if memory holds no byte a node beside them.
    pub fn of_regions(regions: &Regions, fluid_inside: bool) -> Result<Made, Error> {
        let named = regions.names().iter().zip(regions.counts());
        let named = named.map(|(name, nodes)| Region { name: name.clone(), nodes }).collect();
        let mut geometry = regions.geometry()?;
        if fluid_inside {
            geometry = geometry.inverted();
        }
        Ok(Made { geometry, regions: named, surface: None })
    }
}
