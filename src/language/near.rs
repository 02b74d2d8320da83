//! Values at neighbours: what a [collision](super) or a [model](super::models) reads of the nodes around.
//!
//! ```
//! use lbm::prelude::*;
//!
//! model! {
//!     /// A fluid that is drawn to where it is denser, and so parts in liquid and vapour.
//!     pub Attracted<Flow>(attraction, wetting = 1 in 0..) {
//!         let flow = set(1);
//!         let psi = field(1 - exp(-flow.rho), |beside| wetting * beside);
//!         let slope = grad(psi);
//!         flow.force = dimensions.map(|a| -attraction * flow.cs2 * psi * slope[a]);
//!         flow.f = Flow(flow);
//!     }
//! }
//!
//! solver! { Drops { model: Attracted<Bgk>, lattice: D2Q9, streaming: EsotericPull } }
//! # fn main() -> Result<(), Error> {
//! let mut drops = Drops::builder()
//!     .size([32, 32])
//!     .viscosity(0.1)
//!     .parameter("attraction", -5.0)
//!     .initial(|[x, y, _]| Initial { density: if x > 8 && y > 8 { 1.8 } else { 0.2 }, ..Initial::default() })
//!     .build()?;
//! drops.run(20)?;
//! let psi = drops.field("psi")?;
//! # assert!(psi[32 * 20 + 20] > 0.7 && psi[0] < 0.5);
//! # Ok(())
//! # }
//! ```
//!
//! What is read of a neighbour is computed for all nodes before any of them collides, and kept as a field of nodes. Nobody writes down how: from who reads
//! what it follows which fields there are and in how many passes they are computed. A pass goes over all nodes; the first one computes what follows
//! from populations that come to a node, a later one what follows from fields of those before. So every step reads the values of this very
//! step, with the same bits in every streaming pattern, layout and precision, on every backend.
//!
//! | word | what it is |
//! |---|---|
//! | `at(x, offset)` | the value of `x` at the node so far away: `offset` is a list of whole numbers from -6 to 6, one along each axis, such as `c[i]` |
//! | `grad(x)` | the gradient, (1/cs2) sum w c x(c) over the velocities of D2Q9 or D3Q27 (D1Q3 on a line), whatever lattice populations are on: second order, isotropic to the fourth |
//! | `lap(x)` | the Laplacian, (2/cs2) sum w (x(c) - x), over the same |
//! | `field(x, \|beside\| ..)` | `x` itself, which neighbours read; the closure says what a wall has. `beside` is the mean over the fluid nodes next to it; without the closure, or by `\|beside\| beside`, nothing changes towards a wall. It is a number times `beside` and a number more, which may be parameters: `\|_\| -1` |
//!
//! `prev(x)` is what `x` was in the step before ([`models`](super::models)), and may be read at neighbours as anything else: `grad(prev(psi))`.
//!
//! `x` may be any value that follows from the node's populations, its parameters and fields, or from values at neighbours. Give what neighbours say a `let` before it is
//! put together with what the node has: what a `let` makes of values at neighbours is a field of its own, and so its node's own value. A field bears the name of its `let`, and is read after a step by
//! [`Simulation::field`](crate::simulation::Simulation::field), `drops.field("psi")`. What only other fields of its own node follow from is computed with these and not kept: it cannot be read.
//!
//! Around the fluid a field has values too: beyond a periodic face those of the nodes there, in solids and beyond walls what its rule says, beyond a face with a
//! boundary rule the mean. `field(1, |_| 0)` is 1 in the fluid and 0 in walls, and its gradient shows away from these.
//!
//! A field costs a number a node, written in its pass and read in the next; the first pass reads all populations. What only fields of its own node follow from is computed with
//! these and not kept: of `let eddies = field(formula)`, where the formula is of gradients that nothing else reads, `eddies` alone costs a number. [`Gradients`](crate::collisions::Gradients) has
//! the gradient of the velocity, with which [`Wale`](crate::collisions::Wale) and [`HybridRecursiveRegularized`](crate::collisions::HybridRecursiveRegularized) are declared, collisions of any flow that read neighbours. Not yet there are lists of nodes (take `Dense`), and more than four passes.
