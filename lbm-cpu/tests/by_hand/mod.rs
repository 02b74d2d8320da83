//! BGK, quasi-compressible, written by hand on two lattices written by hand: what the generator must not lose against.

use std::marker::PhantomData;

use lbm_core::collision::Operations;
use lbm_core::{
    Addressing, Body, Dense, Lanes, Lattice, Layout, Precision, Site, Streaming, TwoLatticePull, Variant,
};

macro_rules! lattice {
    ($name:ident, $d:literal, $q:literal, [$($c:expr),* $(,)?], [$($w:expr),* $(,)?], [$($o:expr),* $(,)?] $(,)?) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name;

        impl Lattice for $name {
            const NAME: &'static str = stringify!($name);
            const D: usize = $d;
            const Q: usize = $q;
            const VELOCITIES: &'static [[i32; 3]] = &[$($c),*];
            const WEIGHTS: &'static [f64] = &[$($w),*];
            const OPPOSITES: &'static [usize] = &[$($o),*];
            const CS2: f64 = 1.0 / 3.0;
            const ISOTROPY: u32 = 4;
            const DECLARATION: &'static str = "";
            type PerDirection<T: Copy + Send + Sync> = [T; $q];
            fn filled<T: Copy + Send + Sync>(value: T) -> [T; $q] {
                [value; $q]
            }
        }
    };
}

const R9: f64 = 4.0 / 9.0;
const A9: f64 = 1.0 / 9.0;
const D9: f64 = 1.0 / 36.0;
lattice!(
    D2Q9,
    2,
    9,
    [[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0]],
    [R9, A9, A9, A9, A9, D9, D9, D9, D9],
    [0, 2, 1, 4, 3, 6, 5, 8, 7],
);

const R19: f64 = 1.0 / 3.0;
const A19: f64 = 1.0 / 18.0;
const D19: f64 = 1.0 / 36.0;
lattice!(
    D3Q19,
    3,
    19,
    [
        [0, 0, 0],
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
        [1, 1, 0],
        [-1, -1, 0],
        [1, 0, 1],
        [-1, 0, -1],
        [0, 1, 1],
        [0, -1, -1],
        [1, -1, 0],
        [-1, 1, 0],
        [1, 0, -1],
        [-1, 0, 1],
        [0, 1, -1],
        [0, -1, 1],
    ],
    [R19, A19, A19, A19, A19, A19, A19, D19, D19, D19, D19, D19, D19, D19, D19, D19, D19, D19, D19],
    [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17],
);

/// BGK on a lattice of the above.
pub(crate) struct Bgk<L>(PhantomData<L>);

/// What both kernels share: 1 - omega, and omega w for the rest, the axes and the diagonals.
fn uniforms<L: Lattice>(viscosity: f64) -> [f64; 4] {
    let omega = 1.0 / (viscosity / L::CS2 + 0.5);
    let last = L::WEIGHTS[L::Q - 1];
    [1.0 - omega, omega * L::WEIGHTS[0], omega * L::WEIGHTS[1], omega * last]
}

/// What the directions of one weight share: 4.5 w omega j, u, and w omega times the equilibrium's part without c.
#[derive(Clone, Copy)]
struct Shell<V, const D: usize> {
    keep: V,
    scaled_j: [V; D],
    u: [V; D],
    rest: V,
}

impl<V: Lanes, const D: usize> Shell<V, D> {
    #[inline(always)]
    fn new(keep: V, weight: V, j: [V; D], u: [V; D], rest: V) -> Self {
        let scale = V::constant(4.5) * weight;
        Shell { keep, scaled_j: j.map(|j| scale * j), u, rest: weight * rest }
    }

    /// The populations along and against an axis.
    #[inline(always)]
    fn axis(&self, a: usize, plus: V, minus: V) -> (V, V) {
        self.pair(self.scaled_j[a], self.u[a], plus, minus)
    }

    /// The populations along and against the sum of two axes.
    #[inline(always)]
    fn sum(&self, a: usize, b: usize, plus: V, minus: V) -> (V, V) {
        self.pair(self.scaled_j[a] + self.scaled_j[b], self.u[a] + self.u[b], plus, minus)
    }

    /// The populations along and against the difference of two axes.
    #[inline(always)]
    fn difference(&self, a: usize, b: usize, plus: V, minus: V) -> (V, V) {
        self.pair(self.scaled_j[a] - self.scaled_j[b], self.u[a] - self.u[b], plus, minus)
    }

    #[inline(always)]
    fn pair(&self, j: V, u: V, plus: V, minus: V) -> (V, V) {
        let even = j.mul_add(u, self.rest);
        let odd = V::constant(2.0 / 3.0) * j;
        (self.keep.mul_add(plus, even) + odd, self.keep.mul_add(minus, even) - odd)
    }
}

macro_rules! body {
    ($lattice:ident, $q:literal, $collide:ident) => {
        impl Body for Bgk<$lattice> {
            type Lattice = $lattice;
            type Uniforms<T: Copy + Send + Sync> = [T; 4];
            const PARAMETERS: &'static [&'static str] = &["viscosity"];
            const DEFAULTS: &'static [Option<f64>] = &[None];
            const BAKED_VISCOSITY: Option<f64> = None;
            const FORCED: bool = false;
            const OPERATIONS: Operations = Operations { adds: 0, muls: 0, fmas: 0, divs: 1, others: 0 };

            fn filled<T: Copy + Send + Sync>(value: T) -> [T; 4] {
                [value; 4]
            }
            fn uniforms(parameters: &[f64]) -> [f64; 4] {
                uniforms::<$lattice>(parameters[0])
            }
            #[inline(always)]
            fn collide<V: Lanes>(site: &mut impl Site<V>, k: &[V; 4]) {
                let mut before = [V::constant(0.0); $q];
                for i in 0..$q {
                    before[i] = site.read(i);
                }
                let after = $collide(&before, k);
                for i in 0..$q {
                    site.write(i, after[i]);
                }
            }
            #[inline(always)]
            fn macroscopic<V: Lanes<Scalar = f64>>(h: &[V], _force: [V; 3]) -> [V; 4] {
                let rho = h.iter().fold(V::constant(1.0), |sum, &h| sum + h);
                let mut out = [0.0; 4].map(V::constant);
                out[0] = rho;
                for (&h, c) in h.iter().zip($lattice::VELOCITIES) {
                    for axis in 0..3 {
                        out[axis + 1] = out[axis + 1] + h * V::constant(f64::from(c[axis])) / rho;
                    }
                }
                out
            }
            fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]) {
                let square: f64 = u.iter().map(|u| u * u).sum();
                for (i, h) in h.iter_mut().enumerate() {
                    let c = $lattice::VELOCITIES[i];
                    let cu: f64 = (0..3).map(|axis| f64::from(c[axis]) * u[axis]).sum();
                    let shifted = rho * (3.0 * cu + 4.5 * cu * cu - 1.5 * square) + (rho - 1.0);
                    *h = $lattice::WEIGHTS[i] * shifted;
                }
            }
        }
    };
}

body!(D2Q9, 9, collide_d2q9);
body!(D3Q19, 19, collide_d3q19);

#[inline(always)]
fn collide_d2q9<V: Lanes>(h: &[V; 9], k: &[V; 4]) -> [V; 9] {
    let [keep, w0, w1, w2] = *k;
    let (diagonal, across) = (h[5] - h[6], h[7] - h[8]);
    let deviation = h[0] + ((h[1] + h[2]) + (h[3] + h[4])) + ((h[5] + h[6]) + (h[7] + h[8]));
    let jx = (h[1] - h[2]) + (diagonal + across);
    let jy = (h[3] - h[4]) + (diagonal - across);
    let inverse = V::constant(1.0) / (V::constant(1.0) + deviation);
    let (ux, uy) = (jx * inverse, jy * inverse);
    let rest = V::constant(-1.5).mul_add(jx.mul_add(ux, jy * uy), deviation);
    let mut out = [keep.mul_add(h[0], w0 * rest); 9];
    let axes = Shell::new(keep, w1, [jx, jy], [ux, uy], rest);
    (out[1], out[2]) = axes.axis(0, h[1], h[2]);
    (out[3], out[4]) = axes.axis(1, h[3], h[4]);
    let diagonals = Shell::new(keep, w2, [jx, jy], [ux, uy], rest);
    (out[5], out[6]) = diagonals.sum(0, 1, h[5], h[6]);
    (out[7], out[8]) = diagonals.difference(0, 1, h[7], h[8]);
    out
}

#[inline(always)]
fn collide_d3q19<V: Lanes>(h: &[V; 19], k: &[V; 4]) -> [V; 19] {
    let [keep, w0, w1, w2] = *k;
    let along_axes = (h[1] + h[2]) + (h[3] + h[4]) + (h[5] + h[6]);
    let first = (h[7] + h[8]) + (h[9] + h[10]) + (h[11] + h[12]);
    let second = (h[13] + h[14]) + (h[15] + h[16]) + (h[17] + h[18]);
    let deviation = h[0] + along_axes + (first + second);
    let (xy, xz, yz) = (h[7] - h[8], h[9] - h[10], h[11] - h[12]);
    let (x_y, x_z, y_z) = (h[13] - h[14], h[15] - h[16], h[17] - h[18]);
    let jx = (h[1] - h[2]) + (xy + xz) + (x_y + x_z);
    let jy = (h[3] - h[4]) + (xy + yz) + (y_z - x_y);
    let jz = (h[5] - h[6]) + (xz + yz) - (x_z + y_z);
    let inverse = V::constant(1.0) / (V::constant(1.0) + deviation);
    let (ux, uy, uz) = (jx * inverse, jy * inverse, jz * inverse);
    let rest = V::constant(-1.5).mul_add(jx.mul_add(ux, jy.mul_add(uy, jz * uz)), deviation);
    let mut out = [keep.mul_add(h[0], w0 * rest); 19];
    let axes = Shell::new(keep, w1, [jx, jy, jz], [ux, uy, uz], rest);
    (out[1], out[2]) = axes.axis(0, h[1], h[2]);
    (out[3], out[4]) = axes.axis(1, h[3], h[4]);
    (out[5], out[6]) = axes.axis(2, h[5], h[6]);
    let diagonals = Shell::new(keep, w2, [jx, jy, jz], [ux, uy, uz], rest);
    (out[7], out[8]) = diagonals.sum(0, 1, h[7], h[8]);
    (out[9], out[10]) = diagonals.sum(0, 2, h[9], h[10]);
    (out[11], out[12]) = diagonals.sum(1, 2, h[11], h[12]);
    (out[13], out[14]) = diagonals.difference(0, 1, h[13], h[14]);
    (out[15], out[16]) = diagonals.difference(0, 2, h[15], h[16]);
    (out[17], out[18]) = diagonals.difference(1, 2, h[17], h[18]);
    out
}

/// A variant of BGK: lattice, precision, layout, streaming free.
pub(crate) struct Solver<L, P, Y, S = TwoLatticePull, A = Dense>(PhantomData<(L, P, Y, S, A)>);

impl<L, P, Y, S, A> Variant for Solver<L, P, Y, S, A>
where
    A: Addressing,
    L: Lattice,
    P: Precision,
    Y: Layout,
    S: Streaming,
    Bgk<L>: Body<Lattice = L>,
{
    type Body = Bgk<L>;
    type Lattice = L;
    type Precision = P;
    type Layout = Y;
    type Addressing = A;
    type Streaming = S;
    const COLLISION: &'static str = "bgk";
}
