//! Meshes into files.

use std::io::{self, Write};
use std::path::Path;

use stl_io::{Normal, Triangle, Vertex};

use super::super::vector::{length, times};
use super::Mesh;
use crate::error::Error;
use crate::file::write_atomically;

impl Mesh {
    /// Writes an STL file: binary if there is one patch, else text with a solid for each patch, since a binary file has no names.
    /// Coordinates are rounded to single precision, as STL has them.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be written; then an older file of that name stays.
    pub fn write_stl(&self, path: &Path) -> Result<(), Error> {
        write_atomically(path, |file| {
            if self.names.len() == 1 {
                let triangles: Vec<Triangle> =
                    (0..self.soup.triangles.len()).map(|triangle| self.facet(triangle)).collect();
                return stl_io::write_stl(file, triangles.iter());
            }
            (0..self.names.len()).try_for_each(|patch| self.write_solid(file, patch))
        })
    }

    fn write_solid(&self, file: &mut impl Write, patch: usize) -> io::Result<()> {
        let name = &self.names[patch];
        writeln!(file, "solid {name}")?;
        let own = (0..self.patches.len()).filter(|&triangle| usize::from(self.patches[triangle]) == patch);
        for triangle in own {
            let Triangle { normal, vertices } = self.facet(triangle);
            let [x, y, z] = normal.0;
            writeln!(file, "facet normal {x:e} {y:e} {z:e}\nouter loop")?;
            for Vertex { 0: [x, y, z] } in vertices {
                writeln!(file, "vertex {x:e} {y:e} {z:e}")?;
            }
            writeln!(file, "endloop\nendfacet")?;
        }
        writeln!(file, "endsolid {name}")
    }

    fn facet(&self, triangle: usize) -> Triangle {
        let vector = self.soup.area_vector(triangle);
        let area = length(vector);
        let normal = if area > 0.0 { times(1.0 / area, vector) } else { [0.0; 3] };
        let single = |point: [f64; 3]| point.map(|x| x as f32);
        Triangle {
            normal: Normal::new(single(normal)),
            vertices: self.corners(triangle).map(|corner| Vertex::new(single(corner))),
        }
    }
}
