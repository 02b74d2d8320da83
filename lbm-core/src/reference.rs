//! The plain reference: one node at a time, two arrays, every link asked for.
//!
//! It knows neither layout, addressing, streaming pattern, vectors nor threads, so it is short enough to be checked
//! by eye. Every backend and every scheme must give its bits ([`laws::equals_reference`](crate::laws::equals_reference)).

use crate::collision::Body;
use crate::domain::{Domain, Upstream};
use crate::engine::{Engine, Setup};
use crate::error::Error;
use crate::lanes::Real;
use crate::lattice::Lattice;
use crate::precision::Precision;
use crate::variant::{Arithmetic, Storage, Variant};

/// What half-way bounce-back adds to the population that comes back along c_i from a wall moving with `velocity`
/// (lattice units): 2 w_i rho0 (c_i . u_w) / c_s^2 with rho0 = 1.
///
/// Source: Ladd, J. Fluid Mech. 271 (1994) 285; the reference density keeps the mass of a closed box.
#[must_use]
pub fn wall_term<L: Lattice>(i: usize, velocity: [f64; 3]) -> f64 {
    let c = L::VELOCITIES[i].map(f64::from);
    let along = c[0] * velocity[0] + c[1] * velocity[1] + c[2] * velocity[2];
    2.0 * L::WEIGHTS[i] * along / L::CS2
}

/// A variant in motion, plainly.
pub struct Reference<V: Variant> {
    domain: Domain,
    walls: Vec<[f64; 3]>,
    uniforms: <V::Body as Body>::Uniforms<Arithmetic<V>>,
    now: Vec<Storage<V>>,
    next: Vec<Storage<V>>,
    step: u64,
}

impl<V: Variant> Reference<V> {
    /// A fluid at rest: all shifted populations are zero.
    #[must_use]
    pub fn new(setup: &Setup) -> Reference<V> {
        let exact = V::Body::uniforms(&setup.parameters);
        let mut uniforms = V::Body::filled(Arithmetic::<V>::default());
        for (rounded, &value) in uniforms.as_mut().iter_mut().zip(exact.as_ref()) {
            *rounded = Arithmetic::<V>::from_f64(value);
        }
        let values = V::Lattice::Q * setup.domain.nodes();
        Reference {
            walls: setup.domain.walls(),
            domain: setup.domain.clone(),
            uniforms,
            now: vec![Storage::<V>::default(); values],
            next: vec![Storage::<V>::default(); values],
            step: 0,
        }
    }

    /// Every position of the box, in the order x, y, z.
    fn positions(&self) -> impl Iterator<Item = [usize; 3]> + use<V> {
        let [nx, ny, nz] = self.domain.size;
        (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
    }

    /// Where the value of direction `i` of the node at `position` lies.
    fn index(&self, position: [usize; 3], i: usize) -> usize {
        self.domain.index(position) + self.domain.nodes() * i
    }

    /// The pre-collision populations of the fluid node at `position`.
    fn gather(&self, position: [usize; 3]) -> <V::Lattice as Lattice>::PerDirection<Arithmetic<V>> {
        let mut h = V::Lattice::filled(Arithmetic::<V>::default());
        for i in 0..V::Lattice::Q {
            h.as_mut()[i] = match self.domain.upstream(position, V::Lattice::VELOCITIES[i].map(|c| -c)) {
                Upstream::Node(node) => V::Precision::decode(self.now[self.index(node, i)]),
                Upstream::Wall(wall) => {
                    let sent = self.now[self.index(position, V::Lattice::OPPOSITES[i])];
                    let term = wall_term::<V::Lattice>(i, self.walls[wall]);
                    V::Precision::decode(sent) + Arithmetic::<V>::from_f64(term)
                }
            };
        }
        h
    }
}

impl<V: Variant> Engine for Reference<V> {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            for position in self.positions().filter(|&position| !self.domain.is_solid(position)) {
                let after = V::Body::collide_node(&self.gather(position), &self.uniforms);
                for i in 0..V::Lattice::Q {
                    let index = self.index(position, i);
                    self.next[index] = V::Precision::encode(after.as_ref()[i]);
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
            self.step += 1;
        }
        Ok(())
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        for (wide, &stored) in out.iter_mut().zip(&self.now) {
            *wide = V::Precision::decode(stored).to_f64();
        }
        Ok(())
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        for position in self.positions().filter(|&position| !self.domain.is_solid(position)) {
            for i in 0..V::Lattice::Q {
                let index = self.index(position, i);
                self.now[index] = V::Precision::encode(Arithmetic::<V>::from_f64(populations[index]));
            }
        }
        self.step = step;
        Ok(())
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        out.fill(0.0);
        for position in self.positions().filter(|&position| !self.domain.is_solid(position)) {
            let h = self.gather(position);
            for i in 0..V::Lattice::Q {
                out[self.index(position, i)] = h.as_ref()[i].to_f64();
            }
        }
        Ok(())
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        (self.now.capacity() + self.next.capacity()) * size_of::<Storage<V>>()
    }

    fn description(&self) -> String {
        "plain reference, 1 thread, scalar".to_owned()
    }
}
