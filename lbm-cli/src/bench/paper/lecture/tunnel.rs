//! The wind tunnel that choices are measured in: solid nodes around it, of which some bring fluid in and out, and discs within.

use lbm_core::geometry::Spheres;
use lbm_core::{Domain, Error};

/// How much of a tunnel is fluid, and how large the discs are in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tunnel {
    /// The share of fluid nodes, but for the outermost ones.
    pub(super) fluid: f64,
    /// The discs' diameter over the shorter edge.
    pub(super) disc: f64,
}

/// A few bodies in a free stream.
pub(super) const OPEN: Tunnel = Tunnel { fluid: 0.95, disc: 0.05 };

/// A porous medium.
pub(super) const POROUS: Tunnel = Tunnel { fluid: 0.20, disc: 0.012 };

/// The smallest diameter of a disc, node spacings.
const LEAST_DISC: f64 = 5.0;

/// The stream, lattice units: the speed of all that stands around the tunnel.
const STREAM: [f64; 3] = [0.05, 0.0, 0.0];

/// What is solid, as a domain counts it: discs, where fluid enters, where it leaves, and both sides.
const AT_REST: u8 = 1;
const INFLOW: u8 = 2;
const OUTFLOW: u8 = 3;
const SIDES: u8 = 4;

impl Tunnel {
    /// The tunnel in a periodic box of this size.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a box without a node in its midst, or that discs fill.
    pub(super) fn domain(self, size: [usize; 3]) -> Result<Domain, Error> {
        let [nx, ny, _] = size;
        if nx < 3 || ny < 3 {
            return Err(Error::out_of_range(
                "size",
                format!("{nx} x {ny}"),
                "at least 3 x 3, of which the outermost nodes are solid",
                "take a larger --size",
            ));
        }
        let diameter = (self.disc * nx.min(ny) as f64).max(LEAST_DISC);
        let discs = Spheres { diameter, porosity: self.fluid, ..Spheres::default() };
        let mut flags = discs.pack(size)?.geometry.solid().to_vec();
        for (node, flag) in flags.iter_mut().enumerate() {
            let (x, y) = (node % nx, node / nx);
            *flag = match (x, y) {
                (0, _) => INFLOW,
                _ if x + 1 == nx => OUTFLOW,
                (_, 0) => SIDES,
                _ if y + 1 == ny => SIDES,
                _ if *flag != 0 => AT_REST,
                _ => 0,
            };
        }
        Ok(Domain::periodic(size).with_solids(flags, vec![[0.0; 3], STREAM, STREAM, STREAM]))
    }
}
