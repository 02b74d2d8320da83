//! From triangles one by one to a mesh in which corners of the same position are one vertex.

use std::collections::HashMap;
use std::sync::Arc;

use super::{MOST_NAMES, Mesh};
use crate::error::Error;

/// Coordinates beyond this are refused: their products would be no numbers.
pub(super) const FARTHEST: f64 = 1e30;

/// A mesh that grows.
#[derive(Default)]
pub(super) struct Weld {
    mesh: Mesh,
    vertices: HashMap<[u64; 3], u32>,
    patches: HashMap<String, u16>,
}

impl Weld {
    /// The number of a patch of this name, a new one if there is none yet.
    pub(super) fn patch(&mut self, name: &str) -> Result<u16, Error> {
        if let Some(&patch) = self.patches.get(name) {
            return Ok(patch);
        }
        let patch = check_names(self.mesh.names.len() + 1)? - 1;
        self.patches.insert(name.to_owned(), patch);
        Arc::make_mut(&mut self.mesh.names).push(name.to_owned());
        Ok(patch)
    }

    /// Adds a triangle.
    pub(super) fn push(&mut self, corners: [[f64; 3]; 3], patch: u16) -> Result<(), Error> {
        let number = self.mesh.soup.triangles.len();
        let triangle = [self.vertex(corners[0])?, self.vertex(corners[1])?, self.vertex(corners[2])?];
        if number >= u32::MAX as usize {
            return Err(too_many("triangles", number + 1));
        }
        self.mesh.soup.triangles.push(triangle);
        self.mesh.patches.push(patch);
        Ok(())
    }

    fn vertex(&mut self, position: [f64; 3]) -> Result<u32, Error> {
        if let Some(wrong) = position.iter().find(|x| x.is_nan() || x.abs() > FARTHEST) {
            return Err(Error::out_of_range(
                format!("a coordinate of triangle {}", self.mesh.soup.triangles.len() + 1),
                format!("{wrong:e}"),
                format!("a number of at most {FARTHEST:e}"),
                "export the surface again, in other units if it is large",
            ));
        }
        // -0 and 0 are the same place.
        let position = position.map(|x| x + 0.0);
        let new = self.mesh.soup.vertices.len();
        if new >= u32::MAX as usize {
            return Err(too_many("vertices", new + 1));
        }
        let number = *self.vertices.entry(position.map(f64::to_bits)).or_insert(new as u32);
        if number as usize == new {
            self.mesh.soup.vertices.push(position);
        }
        Ok(number)
    }

    /// What has been put together.
    pub(super) fn into_mesh(self) -> Mesh {
        self.mesh
    }
}

/// So many names as a number, if 16 bits name them.
pub(in crate::geometry) fn check_names(names: usize) -> Result<u16, Error> {
    let remedy = "give several of them the same name";
    let count = u16::try_from(names).ok();
    count.ok_or_else(|| Error::out_of_range("named parts", names, format!("at most {MOST_NAMES}"), remedy))
}

fn too_many(what: &str, count: usize) -> Error {
    Error::out_of_range(what, count, format!("fewer than {}", u32::MAX), "give a coarser surface")
}
