//! Models: [`model!`](macro@crate::model) has the same [language](super) for several sets of populations at a node, each on a lattice of its own.
//!
//! ```
//! use lbm::prelude::*;
//!
//! model! {
//!     /// A substance that the flow carries and that decays, a share of it in each step.
//!     pub Decaying<Flow, Substance>(diffusivity in 0.., decay = 0 in 0..=1) {
//!         let flow = set(1);
//!         let substance = set(0);
//!         substance.u = flow.u;
//!         substance.viscosity = diffusivity;
//!         flow.f = Flow(flow);
//!         let after = Substance(substance);
//!         for i in substance.directions {
//!             substance.f[i] = after[i] - decay * substance.w[i] * substance.rho;
//!         }
//!     }
//! }
//!
//! solver! {
//!     River { model: Decaying<Trt, Bgk>, lattices: [D2Q9, D2Q5], boundaries: [substance: FixedValue] }
//! }
//! # fn main() -> Result<(), Error> {
//! let mut river = River::builder()
//!     .size([32, 16])
//!     .viscosity(0.1)
//!     .parameter("diffusivity", 0.02)
//!     .parameter("decay", 1e-3)
//!     .face(Face::South, FaceRule::WALL)
//!     .boundary(Face::North, FixedValue.with("value", [1.0]).of("substance"))
//!     .initial(|_| Initial::velocity([0.05, 0.0, 0.0]))
//!     .initial_sum("substance", |[_, y, _]| if y > 8 { 1.0 } else { 0.0 })
//!     .build()?;
//! river.run(10)?;
//! let (everywhere, in_all) = (river.sum_of("substance")?, river.total_of("substance")?);
//! # assert!((everywhere.iter().sum::<f64>() / in_all - 1.0).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! A model begins with its sets, one or several, `let heat = set(0);`, each with what its populations sum to at rest: populations are stored as what they differ from that, so that a
//! scalar that is mostly near a value keeps its digits. The first set carries the momentum of the flow, which density, velocity, mass and forces on bodies are of. A
//! solver gives a lattice for each, in this order.
//!
//! A set is a name with parts: of `heat` they are `heat.f[i]`, `heat.rho`, `heat.u[a]`, `heat.w[i]`, `heat.directions`, and all else that a
//! collision finds on its lattice.
//!
//! | statement | what it does |
//! |---|---|
//! | `heat.u = flow.u;` | the set has no velocity of its own: it is advected. Its equilibrium, which is quasi-compressible, is of this velocity |
//! | `heat.viscosity = x;` | what `viscosity` is for its collision: of a set that is advected its diffusivity, cs2 (tau - 1/2). Without it it is a parameter, `heat_viscosity`; that of the first set is `viscosity` |
//! | `flow.force = list;` | a force on the first set, of each node's own: it may follow from any set. `flow.force` is before that what `forcing` says. It acts as `forcing: Guo` does, by half before and by half after the collision; velocities that are read have it, as it is of the populations after the collision: it should follow from sums that a collision keeps |
//! | `heat.f = Heat(heat);` | collides the set by a collision that the model goes around |
//! | `heat.f[i] = x;` | sets a population after the collision by a formula |
//!
//! What a set is given comes before what it decides is used: `flow.force` before `flow.u`. Every population of every set is set once.
//!
//! `prev(x)` is what the node's `x` was in the step before: the lag is written, never inferred. `prev(x, 1)` says that it is 1 at rest, where it is said what is 0 at rest otherwise: so much less it is stored, for its digits. It begins as what `x`
//! is in the equilibrium of the density, the velocity and the sums with which the flow begins, or, where it follows from more than these, as at rest. A node keeps it in a population of its own, at rest, behind those of all sets, so
//! that it costs a number read and one written in each step, and all that holds for populations holds for it. After a step it is [`sum_of("prev_x")`](crate::simulation::Simulation::sum_of).
//!
//! A set that is advected relaxes its first moments, which a flow conserves. So not every collision collides one: it says so by the word `is_advected`, as
//! [`Bgk`](crate::collisions::Bgk), [`Trt`](crate::collisions::Trt) and [`Mrt`](crate::collisions::Mrt) do, and then a lattice of second order, such as D2Q5 and D3Q7, does.
//!
//! Boundary rules are each of one set, `boundaries: [heat: FixedValue, flow: ZouHeVelocity]`, and are given to a face, a patch, a surface as
//! `FixedValue.with("value", [1.0]).of("heat")`. Without a rule populations come back from a wall as they went: nothing of a scalar goes through. A
//! face may have a rule for each set, at most one of them for nodes; patches of a face or of a surface are all of one set with it. [`FixedValue`](crate::boundaries::FixedValue), [`FixedFlux`](crate::boundaries::FixedFlux) and
//! [`Exchange`](crate::boundaries::Exchange) are made for what is advected.
//!
//! Of a model with a single set that states no force, [`Simulation::stress`](crate::simulation::Simulation::stress) follows the viscosity that the set is given, or that its collision states. What reads neighbours and needs no
//! second set may as well be a `collision!`, which then goes around others and is the collision of a set: `Boussinesq<Wale<Bgk>, Bgk>` ([`Wale`](crate::collisions::Wale)).
//!
//! Every streaming pattern that stores populations, every layout, addressing and precision runs a model, with the same bits on every backend. Where fewer
//! values stand for all populations, as of `ColourGradient<Regularized>` or `Boussinesq<Regularized, Bgk>`, [`Moments`](crate::prelude::Moments) and
//! [`ThreadSafe`](crate::prelude::ThreadSafe) store these; which they are is found ([`SetMoments`](crate::core::SetMoments)). [Values at neighbours](super::near)
//! are read in a whole box, `Dense`. All sets have up to 63 directions together. Not yet there are of several sets `stress()` and flows that start with a gradient; a device leaves velocities that a stated force enters to the host.
