//! Boundary rules: [`boundary!`](macro@crate::boundary) has the same [language](super) for what arrives where neighbours are missing, before a node collides.
//!
//! ```
//! use lbm::prelude::*;
//!
//! boundary! {
//!     /// A part of what hits the wall is sent back, the rest is reflected as by a mirror.
//!     pub PartialSlip(accommodation = 1/2 in 0..=1) on_node {
//!         require(faces == 1, "a wall that slips has no edge with another");
//!         let mirrored = |i, a| if normal[a] == 1 { -c[i][a] } else { c[i][a] };
//!         let image = |i| directions.filter(|k| dimensions.product(|a| delta(c[k][a], mirrored(i, a))) == 1)[0];
//!         for i in missing {
//!             f[i] = (1 - accommodation) * f[image(i)] + accommodation * f[opposite[i]];
//!         }
//!     }
//! }
//!
//! solver! { Film { lattice: D2Q9, collision: Bgk, boundaries: [PartialSlip, FreeSlip] } }
//! # fn main() -> Result<(), Error> {
//! let mut film = Film::builder()
//!     .size([16, 16])
//!     .viscosity(0.1)
//!     .boundary(Face::South, PartialSlip.with("accommodation", [0.9]))
//!     .boundary(Face::North, FreeSlip)
//!     .build()?;
//! film.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! `on_node` says that its wall lies on the nodes at the face, `half_way` that it lies half a spacing beyond: points of the wall
//! (`.with_at(..)`) and the length from wall to wall ([`Simulation::extent`](crate::simulation::Simulation::extent)) follow. The rule is evaluated for a face at the lower end of the first axis, for
//! edges and corners at those of the first two or three, and for each of these beside half-way walls; all other faces follow by turns of
//! the lattice. What it cannot say of an edge or a corner is refused when a flow has one. Parameters are numbers, `(density = 1)`, or
//! vectors, `(velocity[dimensions])`, the same at all nodes of a face or one for each; they may change in time
//! ([`PlacedRule::in_time`](crate::simulation::PlacedRule::in_time)), also as any function of place and time ([`PlacedRule::with_frames`](crate::simulation::PlacedRule::with_frames)). Behind `in` stands the range of a parameter, or of each component, `strength in 0..=1`,
//! `depth = 2 in 0..`, `share in 0..1`; a flow that gives one outside of it, anywhere and at any time, is refused. A `density` is above 0 and a vector
//! `velocity` no faster than a flow may be, without saying so.
//!
//! | name | what it is |
//! |---|---|
//! | `missing`, `known` | directions that come from beyond the rule's faces, and those that arrive from neighbours, or from a half-way wall |
//! | `outgoing`, `buried` | the opposite directions of the missing ones; those that are missing both ways |
//! | `is_missing[i]`, `is_buried[i]` | conditions |
//! | `f[i]` | the population that arrives, for known directions; every missing one is set |
//! | `sent[i]` | what this node sent in the last step; a rule that reads it has it kept |
//! | `rho`, `u[a]` | the density and the velocity that this node had then, from what it sent; they are kept as that is |
//! | `normal[a]` | 1 along axes across which the rule's faces lie, else 0; `missing` directions point along it |
//! | `faces`, `walls` | at how many faces of the rule the node is, and how many walls are beside that hold before it, along the axes that follow |
//! | `force[a]` | the body force |
//! | `cs` | the speed of sound, the root of `cs2` to the digits of an `f64` |
//!
//! With `replaces_known` behind `on_node` or `half_way` a rule may set the known directions, too.
//!
//! A rule that says `in_fluid` is for nodes anywhere in the fluid ([`Builder::region`](crate::simulation::Builder::region)): nothing is missing there, all `f[i]` are
//! what arrives, from neighbours or by the rules of the node's links and faces, which come before it, and it may set any of them. There `faces` is 0,
//! and a rule has one class.
//!
//! In `bounced(rho, u)` what is missing is the population of the opposite direction and 2 w c.j / cs2 for the momentum j, corrected along the axes
//! that no half-way wall holds (Hecht & Harting 2010); buried directions take their equilibrium. Its sum is the density only where `rho` or `u` was
//! solved for, `solve(1, |rho| sum(bounced(rho, u)) - rho)`. A velocity leaves it open at edges and corners, where directions are buried; a rule may take that of a neighbour there,
//! `directions.sum(|i| sent_at(normal, i))`, and `completed(rho, bounced(rho, u))` has it, [`ZouHeVelocityNeighbour`](crate::boundaries::ZouHeVelocityNeighbour) being the example. `regularized(rho, u)` bounces the non-equilibrium of missing directions back and
//! leaves that of buried ones out (Latt et al. 2008); `for [i, x] in directions.zip(regularized(rho, u)) { f[i] = x; }` sets all.
//!
//! A rule may look at other nodes, which it names by their offset: as many known whole numbers as there are dimensions, such as `normal`,
//! `2 * normal`, `c[back]` or `-c[i]`. What they sent is brought to the rule between steps, so that nobody reads what another writes.
//!
//! | function | is |
//! |---|---|
//! | `sent_at(offset, i)` | what the node there sent along direction i in the last step |
//! | `arrives_at(offset, i)` | what arrives there along direction i in this step: from its neighbour, or where that is missing, what it sent the other way, and then what the rules of faces there make of it; a rule is refused where rules of links, or walls that move, have a part in it; those in the fluid are not asked. From there rules may lead on three times |
//! | `is_fluid_at(offset)` | a condition for `select`: whether the node there is fluid. It is not where the box ends, but at periodic faces |
//! | `sent_across(offset, i)`, `is_fluid_across(offset)` | the same for rules of nodes, with the rule's own faces gone through as if they were periodic |
//!
//! Of a node that is no fluid they give the populations of a fluid at rest with density 1.
//!
//! A rule that says `on_link` is for single links, which a wall cuts anywhere: those of a shape's surface
//! ([`Builder::surface`](crate::simulation::Builder::surface)), and half-way those through a face
//! ([`Builder::boundary`](crate::simulation::Builder::boundary)). Where it says what a half-way wall does, it is one. It is evaluated once for each kind of direction and sets `f[back]`:
//!
//! ```
//! use lbm::prelude::*;
//!
//! boundary! {
//!     /// The wall holds the fluid: interpolated between the node and the one behind it, or from one step to the next.
//!     pub Held on_link {
//!         f[back] = sent[toward] + select(q < 1/2,
//!             (1 - 2 * q) * (f[toward] - sent[toward]),
//!             (2 * q - 1) * (sent[back] - sent[toward]) / (2 * q));
//!     }
//! }
//!
//! solver! { Round { lattice: D2Q9, collision: Trt, boundaries: [Held] } }
//! # fn main() -> Result<(), Error> {
//! use lbm::core::geometry::Sphere;
//! let disk = Sphere { centre: [8.0, 8.0, 0.5], radius: 3.3 };
//! let mut round = Round::builder().size([16, 16]).viscosity(0.1).surface(disk, Held).build()?;
//! round.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! | name | what it is |
//! |---|---|
//! | `back`, `toward` | the direction that comes from beyond the wall, and the opposite one |
//! | `q` | from the node to the wall, in lengths of the link; 1/2 where a wall is behind the node, too |
//! | `sent[toward]` | what this node sent to the wall in the last step |
//! | `sent[i]` | what it sent along any other direction; a rule that reads it has it kept |
//!
//! `f`, `missing`, `known`, `outgoing`, `force`, `rho`, `u` are there, too. Where several links of a node have rules, these follow the order of the
//! directions, and rules of faces come last.
//!
//! A rule of any kind may remember numbers, and vectors, of its own, `remembers(name, name = 1, name[dimensions])` before its formulas. A name is what was remembered in the
//! step before, at this node or link; before the first step a number is what stands behind its `=`, else 0, and a vector is 0. Once in its formulas
//! the rule says of each what comes next, `remember(name, formula);`. It is part of the flow's state, and checkpoints have it. A pressure at an outlet that follows the flow through it slowly, as a vessel fills:
//!
//! ```
//! use lbm::prelude::*;
//!
//! boundary! {
//!     /// C dp/dt = v - p / R with the velocity v that leaves, in explicit steps, half-way.
//!     pub Filling(resistance in 0.., compliance in 0..) on_link remembers(pressure) {
//!         let v = dimensions.sum(|a| c[toward][a] * u[a]);
//!         remember(pressure, pressure + (v - pressure / resistance) / compliance);
//!         let density = 1 + pressure / cs2;
//!         f[back] = equilibrium(density, u)[back] + equilibrium(density, u)[toward] - sent[toward];
//!     }
//! }
//!
//! solver! { Artery { lattice: D2Q9, collision: Bgk, boundaries: [Filling, ZouHeVelocity] } }
//! # fn main() -> Result<(), Error> {
//! let mut artery = Artery::builder()
//!     .size([30, 16])
//!     .viscosity(0.1)
//!     .boundary(Face::West, ZouHeVelocity.with("velocity", [0.002, 0.0]))
//!     .boundary(Face::East, Filling.with("resistance", [2.0]).with("compliance", [4000.0]))
//!     .face(Face::South, FaceRule::WALL)
//!     .face(Face::North, FaceRule::WALL)
//!     .build()?;
//! artery.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! What a rule remembers is known to its own node only: rules that read what arrives at such a node of a face are refused where a flow has them, with the place; and so is a rule that remembers in a model that [reads neighbours](super::near).
