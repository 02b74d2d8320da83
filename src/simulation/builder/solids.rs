//! Solid nodes, their names, and where they can become fluid.

use lbm_core::geometry::Shape;
use lbm_core::{Geometry, Variant};

use super::Builder;
use crate::simulation::bodies::Body;
use crate::simulation::problem::Solid;

impl<V: Variant> Builder<V> {
    /// Makes the nodes solid for which `contains` holds: an obstacle at rest with half-way bounce-back walls.
    pub fn solid(self, contains: impl Fn([usize; 3]) -> bool + Send + Sync + 'static) -> Self {
        self.moving_solid([0.0; 3], contains)
    }

    /// Like [`solid`](Builder::solid), with a surface that moves with `velocity` (the solid stays in place).
    pub fn moving_solid(
        mut self,
        velocity: [f64; 3],
        contains: impl Fn([usize; 3]) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.last_body = Some(Body::Solid(self.problem.solids.len()));
        self.problem.solids.push(Solid { velocity, contains: Box::new(contains) });
        self
    }

    /// Has nodes be stored from the start whose centres lie in a region, where the addressing lists nodes, so that those which are solid at first can become fluid
    /// while the flow runs ([`Simulation::set_fluid`](crate::simulation::Simulation::set_fluid)). Those that are fluid at first can be drawn and erased as they are, and a
    /// [`Dense`](lbm_core::addressing::Dense) box is stored as a whole.
    ///
    /// ```
    /// use lbm::core::geometry::Cuboid;
    /// use lbm::prelude::*;
    ///
    /// solver! { Pores { lattice: D2Q9, collision: Bgk, precision: F64, addressing: FluidIndexArray } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let gate = Cuboid { low: [8.0, 4.0, 0.0], high: [10.0, 6.0, 1.0] };
    /// let wall = |[x, ..]: [usize; 3]| x == 8 || x == 9;
    /// let mut flow = Pores::builder().size([24, 16]).viscosity(0.1).solid(wall).drawable(gate).build()?;
    /// assert_eq!(flow.set_fluid(&gate)?.nodes.len(), 4);
    /// let error = flow.set_fluid(&Cuboid { high: [10.0, 9.0, 1.0], ..gate }).unwrap_err().to_string();
    /// assert!(error.contains("[8, 6, 0]") && error.contains("drawable"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn drawable(mut self, region: impl Shape + 'static) -> Self {
        self.problem.drawable.push(Box::new(region));
        self
    }

    /// Names the body that was given last, by [`solid`](Builder::solid), [`moving_solid`](Builder::moving_solid),
    /// [`surface`](Builder::surface) or [`geometry`](Builder::geometry), so that the force on it can be asked for
    /// ([`Simulation::force_on`](crate::simulation::Simulation::force_on)).
    pub fn named(mut self, name: &str) -> Self {
        let body = self.last_body.clone().unwrap_or_else(|| Body::from(name));
        self.problem.names.push((name.to_owned(), body));
        self
    }

    /// Makes the solid nodes of a geometry walls at rest, beside those that predicates name. Its bytes, one a node, are moved into
    /// the flow, and its size is the box's if none was given.
    ///
    /// ```
    /// use lbm::core::geometry::{Geometry, Sphere};
    /// use lbm::prelude::*;
    ///
    /// solver! { Pores { lattice: D3Q19, collision: Bgk, precision: F32, addressing: Tiled<4>, layout: Aosoa<64> } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let ball = Geometry::of([16; 3], &Sphere { centre: [8.0; 3], radius: 6.0 })?;
    /// let (size, fluid) = (ball.size(), ball.fluid_nodes());
    /// let flow = Pores::builder().geometry(ball).viscosity(0.1).build()?;
    /// assert_eq!((flow.size(), flow.domain().fluid_nodes()), (size, fluid));
    /// # Ok(())
    /// # }
    /// ```
    pub fn geometry(mut self, geometry: Geometry) -> Self {
        self.last_body = Some(Body::Geometry);
        self.problem.geometry = Some(geometry);
        self
    }
}
