//! D2Q9, BGK and Guo's force as the macros would write them, by hand and in the plainest form.

use lbm_core::collision::Operations;
use lbm_core::{Body, Dense, F32, F64, Lanes, Lattice, Site, Soa, TwoLatticePull, Variant};

#[derive(Clone, Copy, Debug)]
pub(super) struct D2Q9;

impl Lattice for D2Q9 {
    const NAME: &'static str = "D2Q9";
    const D: usize = 2;
    const Q: usize = 9;
    const VELOCITIES: &'static [[i32; 3]] = &[
        [0, 0, 0],
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [1, 1, 0],
        [-1, -1, 0],
        [1, -1, 0],
        [-1, 1, 0],
    ];
    const WEIGHTS: &'static [f64] = &[
        4.0 / 9.0,
        1.0 / 9.0,
        1.0 / 9.0,
        1.0 / 9.0,
        1.0 / 9.0,
        1.0 / 36.0,
        1.0 / 36.0,
        1.0 / 36.0,
        1.0 / 36.0,
    ];
    const OPPOSITES: &'static [usize] = &[0, 2, 1, 4, 3, 6, 5, 8, 7];
    const CS2: f64 = 1.0 / 3.0;
    const ISOTROPY: u32 = 4;
    const DECLARATION: &'static str = "";
    type PerDirection<T: Copy + Send + Sync> = [T; 9];

    fn filled<T: Copy + Send + Sync>(value: T) -> [T; 9] {
        [value; 9]
    }
}

pub(super) struct Bgk;

/// Shifted equilibrium of one direction, over any lanes.
#[inline(always)]
fn equilibrium<V: Lanes>(i: usize, deviation: V, rho: V, u: [V; 2]) -> V {
    let number = V::constant;
    let c = D2Q9::VELOCITIES[i];
    let c_u = number(f64::from(c[0])) * u[0] + number(f64::from(c[1])) * u[1];
    let u_u = u[0] * u[0] + u[1] * u[1];
    let flow = number(3.0) * c_u + number(4.5) * c_u * c_u - number(1.5) * u_u;
    number(D2Q9::WEIGHTS[i]) * (deviation + rho * flow)
}

#[inline(always)]
fn moments<V: Lanes>(h: &[V], force: [V; 2]) -> (V, V, [V; 2]) {
    let mut deviation = V::constant(0.0);
    let mut momentum = force.map(|f| V::constant(0.5) * f);
    for i in 0..9 {
        let c = D2Q9::VELOCITIES[i];
        deviation = deviation + h[i];
        for a in 0..2 {
            momentum[a] = momentum[a] + V::constant(f64::from(c[a])) * h[i];
        }
    }
    let rho = V::constant(1.0) + deviation;
    (deviation, rho, momentum.map(|m| m / rho))
}

impl Body for Bgk {
    type Lattice = D2Q9;
    type Uniforms<T: Copy + Send + Sync> = [T; 4];
    const PARAMETERS: &'static [&'static str] = &["viscosity", "force_x", "force_y", "magic"];
    const DEFAULTS: &'static [Option<f64>] = &[None, Some(0.0), Some(0.0), Some(0.25)];
    const BAKED_VISCOSITY: Option<f64> = None;
    const FORCED: bool = true;
    const OPERATIONS: Operations = Operations { adds: 0, muls: 0, fmas: 0, divs: 0, others: 0 };

    fn filled<T: Copy + Send + Sync>(value: T) -> [T; 4] {
        [value; 4]
    }

    fn uniforms(parameters: &[f64]) -> [f64; 4] {
        let omega = 1.0 / (3.0 * parameters[0] + 0.5);
        [omega, parameters[1], parameters[2], parameters[3]]
    }

    #[inline(always)]
    fn collide<V: Lanes>(site: &mut impl Site<V>, k: &[V; 4]) {
        let h: [V; 9] = std::array::from_fn(|i| site.read(i));
        let omega = k[0];
        let force = [k[1], k[2]];
        let (deviation, rho, u) = moments(&h, force);
        let number = V::constant;
        for i in 0..9 {
            let c = D2Q9::VELOCITIES[i].map(|c| number(f64::from(c)));
            let c_u = c[0] * u[0] + c[1] * u[1];
            let mut source = number(0.0);
            for a in 0..2 {
                source = source + (number(3.0) * (c[a] - u[a]) + number(9.0) * c_u * c[a]) * force[a];
            }
            let source = number(D2Q9::WEIGHTS[i]) * (number(1.0) - number(0.5) * omega) * source;
            site.write(i, h[i] + omega * (equilibrium(i, deviation, rho, u) - h[i]) + source);
        }
    }

    #[inline(always)]
    fn macroscopic<V: Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4] {
        let (_, rho, u) = moments(h, [force[0], force[1]]);
        [rho, u[0], u[1], V::constant(0.0)]
    }

    fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
        for (i, value) in h.iter_mut().enumerate() {
            *value = equilibrium(i, rho - 1.0, rho, [u[0], u[1]]);
        }
    }
}

pub(super) struct Plain;

impl Variant for Plain {
    type Body = Bgk;
    type Lattice = D2Q9;
    type Precision = F64;
    type Layout = Soa;
    type Addressing = Dense;
    type Streaming = TwoLatticePull;
    const COLLISION: &'static str = "bgk-guo";
}

/// The same in f32.
pub(super) struct Single;

impl Variant for Single {
    type Body = Bgk;
    type Lattice = D2Q9;
    type Precision = F32;
    type Layout = Soa;
    type Addressing = Dense;
    type Streaming = TwoLatticePull;
    const COLLISION: &'static str = "bgk-guo";
}
