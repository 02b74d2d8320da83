//! The language of [`collision!`](macro@crate::collision): formulas in Rust's syntax over the populations of one node.
//!
//! A collision is a name, its parameters, and statements:
//!
//! ```
//! use lbm::prelude::*;
//!
//! collision! {
//!     /// Even and odd parts relax with rates of their own; the even one falls where the flow shears much.
//!     pub Thinning(magic = 3/16, lowest = 1/2) {
//!         require(isotropy >= 4, "flow needs fourth-order isotropy");
//!         let tau = viscosity / cs2 + 1/2;                    // the same for all nodes: computed once a run
//!         let shear = abs(directions.sum(|i| c[i][0] * c[i][1] * (f[i] - equilibrium[i])));
//!         let omega_even = clamp((1 - 10 * shear / rho) / tau, lowest, 2);
//!         let omega_odd = 1 / (magic / (tau - 1/2) + 1/2);
//!         let even = |a, i| (a[i] + a[opposite[i]]) / 2;      // a closure: a formula with arguments
//!         let odd = |a, i| (a[i] - a[opposite[i]]) / 2;
//!         for i in directions {
//!             f[i] = f[i] + omega_even * (even(equilibrium, i) - even(f, i))
//!                 + omega_odd * (odd(equilibrium, i) - odd(f, i));
//!         }
//!     }
//! }
//!
//! solver! { Film { lattice: D2Q9, collision: Thinning } }
//! # fn main() -> Result<(), Error> {
//! let mut film = Film::builder().size([16, 16]).viscosity(0.1).build()?;
//! film.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! What stands in a formula is expanded and simplified freely, with exact numbers (`0.1` is one tenth). `let` names a quantity that
//! the kernel computes once and keeps whole. On the right side `f` is always the pre-collision population, and every `f[i]` is
//! set once. Names may have any letters (`ω`, `ν`); where C++ has no place for one, its text spells it another way.
//!
//! # Values
//!
//! | type | examples | what takes it |
//! |---|---|---|
//! | a number | `1/3`, `rho`, `f[i]`, `viscosity / cs2 + 1/2` | + - * /, comparisons, functions; as an index, if it is whole and known |
//! | a condition | `i == 0`, `rho > 1 && u[0] < 0` | `&&`, `\|\|`, `!`, `select`; if it is known, `if`, `.filter(..)`, `require` |
//! | a list | `directions`, `0..3`, `[x, y]`, `f`, `c[i]` | `for`, `list[k]`, methods; + and - with a list as long, * and / with a number |
//! | a closure | `\|a, i\| a[i] / 2` | calls, methods of lists |
//! | a collision | `Inner` of `Name<Inner>` | a call, `Inner(f)` |
//!
//! Conditions compare numbers with `<`, `<=`, `>`, `>=`, `==`, `!=`. What compares constants (indices, entries of `c`, `w`) is known
//! while the kernel is generated; what compares values of a node is a choice that the kernel makes, and `select` takes it.
//!
//! # Statements
//!
//! | statement | does |
//! |---|---|
//! | `let name = formula;` | names a quantity, a list of quantities, a closure |
//! | `f[i] = formula;` | sets the post-collision population of direction i |
//! | `for i in list { .. }`, `for (i, j) in pairs { .. }` | the statements for each entry, written out |
//! | `if condition { .. } else { .. }` | one or the other; the condition is known |
//! | `use Name;` | before all others: the functions that [`functions!`](macro@crate::functions) has declared by this name |
//! | `require(condition, "why");` | refuses lattices of which the condition does not hold |
//!
//! # Names
//!
//! | name | what it is |
//! |---|---|
//! | `directions`, `dimensions`, `moments` | the lists `0..Q`, `0..D`, `0..Q` |
//! | `pairs` | list of `[i, opposite of i]`, each pair once |
//! | `f[i]`, `w[i]`, `c[i][a]`, `opposite[i]`, `cs2` | population, weight, velocity, opposite direction, speed of sound squared |
//! | `rho`, `u[a]`, `j[a]` | density, velocity, momentum (force's half step included) |
//! | `equilibrium[i]` | of the solver's equilibrium: quasi-compressible or incompressible |
//! | `force[a]`, `source[i]` | body force and Guo's source term, constant with `forcing: Guo`, the node's own with `forcing: GuoField`; zero without forcing |
//! | `viscosity` | kinematic viscosity in lattice units |
//! | `basis[k][i]`, `norm[k]`, `order[k]` | the moment basis, its norms, degrees |
//! | `is_conserved[k]`, `is_shear[k]`, `is_bulk[k]` | conditions: what moment k is |
//! | `exponents[k]` | of velocity components in moment k of the words below: `[1, 2, 0]` is x y y |
//! | `isotropy` | the lattice's order of isotropy |
//! | `is_incompressible` | a condition: what the solver's equilibrium is |
//! | `is_advected` | a condition: whether the populations are a set of a [model](models) that another set carries |
//!
//! Parameters stand behind the collision's name: `(magic = 3/16)` with a default, `(magic)` without, `(rates[moments] = 1)` for one
//! a moment, which a simulation sets as `rates_<moment>`, `(axis[dimensions] = 0)` for one a dimension, `axis_x`, `(tau[directions] = 1)` for one a direction, `tau_0`, and
//! `(a[3] = 0)` for a list, `a_0`. Behind `in` stands what a parameter may be, `(magic = 3/16 in 0..)`,
//! `(bulk = 1 in 0..=2)`; another value is refused, by [`Builder::build`](crate::simulation::Builder::build) or, where it is baked in, at its token.
//!
//! A declaration must make sense on one of the lattices that it does not refuse by `require`, of D2Q9, D3Q19, D2Q5, D3Q27, D3Q15, D3Q7; else
//! its mistakes are shown where it stands. One that refuses all of these is for lattices of your own, where its mistakes are shown when a
//! solver takes it.
//!
//! # Fields of nodes
//!
//! With `field` before its name a parameter has a value of its own at each node, in the arithmetic type: `(field solidity = 0 in 0..=1)`, or as a vector,
//! `(field push[dimensions] = 0)`, which is set as `push_x`, `push_y`. In formulas it is a number of the node as `rho` is one, which no condition of
//! `if` knows. A flow sets it by a function of the node, [`Builder::field`](crate::simulation::Builder::field), and between steps,
//! [`Simulation::set_field`](crate::simulation::Simulation::set_field); until then it has its default, and without one it must be set. Another value than `in`
//! allows is refused with its node. A solver that bakes a field in has one number for all nodes.
//!
//! ```
//! use lbm::prelude::*;
//!
//! collision! {
//!     /// Where `drag` is not 0, that share of the momentum is taken away in each step.
//!     pub Screened<Inner>(field drag = 0 in 0..=1) {
//!         let after = Inner(f);
//!         for i in directions {
//!             f[i] = after[i] - drag * w[i] * dimensions.sum(|a| c[i][a] * j[a]) / cs2;
//!         }
//!     }
//! }
//!
//! solver! { Screen { lattice: D2Q9, collision: Screened<Trt>, forcing: Guo } }
//! # fn main() -> Result<(), Error> {
//! let mut screen = Screen::builder()
//!     .size([16, 16])
//!     .viscosity(0.1)
//!     .force([1e-6, 0.0, 0.0])
//!     .field("drag", |[x, ..]| if x == 8 { 0.1 } else { 0.0 })
//!     .build()?;
//! screen.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! A viscosity of the node's own is a collision around others, [`VaryingViscosity`](crate::collisions::VaryingViscosity); a porous medium is
//! [`PartialBounceBack`](crate::collisions::PartialBounceBack). With `forcing: GuoField` any collision has a force of the node's own in the place of a constant one, whose
//! components are the fields `force_x`, `force_y`, ..: density, velocity and stress follow it. Density and velocity must follow from the populations alone, and so must the equilibrium: what makes
//! them depend on a field is refused. Streamings that go through moments plane by plane (`MomentsRing`, `MomentsTwoSteps`) know no fields.
//!
//! # Time and place
//!
//! Two names among the parameters mean something to a flow, which sets them itself: `time_step` is how many steps it has done, and the fields
//! `field position[dimensions]` are where the node lies, `[x, y, z]` as in `Builder::field`. What follows from the time alone is computed once a step; a collision that asks for it is run
//! step by step.
//!
//! ```
//! use lbm::prelude::*;
//!
//! collision! {
//!     /// A jet along x about the height 8 that dies away.
//!     pub Jet<Inner>(time_step, field position[dimensions], strength = 1/1000) {
//!         let after = Inner(f);
//!         let y = position[1] - 8;
//!         let push = strength * exp(-time_step / 100) / (1 + y * y);
//!         for i in directions {
//!             f[i] = after[i] + w[i] * c[i][0] * push / cs2;
//!         }
//!     }
//! }
//!
//! solver! { Mixer { lattice: D2Q9, collision: Jet<Trt> } }
//! # fn main() -> Result<(), Error> {
//! let mut mixer = Mixer::builder().size([16, 16]).viscosity(0.1).build()?;
//! mixer.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Functions
//!
//! | function | is |
//! |---|---|
//! | `sqrt(x)` | the square root, rounded once |
//! | `abs(x)` | x without its sign; NaN where x is NaN |
//! | `min(x, y)` | `select(x < y, x, y)`: y where one of them is NaN |
//! | `max(x, y)` | `select(x > y, x, y)`: y where one of them is NaN |
//! | `clamp(x, low, high)` | `min(max(x, low), high)`: low where x is NaN |
//! | `exp(x)`, `log(x)` | e to x, and the natural logarithm, within 1 ULP: of 0 minus infinity, of what is below NaN |
//! | `pow(x, y)` | x to y for x from 0 on, within 2 ULP: at 0 and infinity the limit, 1 where y is 0; NaN for x below 0 |
//! | `select(condition, x, y)` | x where the condition holds, else y; both are computed |
//! | `delta(a, b)` | 1 if two known numbers are the same, else 0 |
//! | `sum(list)`, `product(list)` | of the entries; of none, 0 and 1 |
//! | `to_moments(list)`, `from_moments(list)` | moments of Q values in the basis that is orthogonal with the weights, and back |
//! | `to_orthogonal(list)`, `from_orthogonal(list)` | the same in the basis that is orthogonal without weights; names, degrees and kinds are the same |
//! | `to_raw(f)`, `from_raw(m)` | moments by exponents, sum c_x^p c_y^q c_z^r f, and back |
//! | `to_central(f, u)`, `from_central(k, u)` | the same about a velocity, sum (c_x - u_x)^p .. f |
//! | `to_cumulants(f, u)`, `from_cumulants(c, u)` | cumulants times the density; `u` is that of the populations |
//! | `to_hermite(m)`, `from_hermite(a)` | in a collision: Hermite coefficients of moments by exponents, and back |
//! | `entropic(rho, u)` | in a collision: the equilibrium of greatest entropy, a product along the axes, as a list, on D2Q9 and D3Q27 |
//! | `lowered(e, s, factor)` | in a collision: what coefficient s adds to moment e, `factor` to the power of half of the orders between; `cs2` back, `-cs2` there |
//! | `shear(tau)` | in a collision: the rate of shear, the root of 2 S:S, if the stress relaxes with the time tau; `shear(1)` is that rate times that time |
//! | `maxwell(order)` | in a collision: the equilibrium with all terms up to this order in the velocity, as a list, on lattices with `exponents` |
//! | `equilibrium(rho, u)` | the equilibrium of any density and velocity, as a list |
//! | `momentum(rho, u)` | what the sum of c f is for them: rho u (or u, incompressible) less the force's half step |
//! | `bounced(rho, u)` | in a rule of nodes: its populations, with missing ones back from the wall so that the momentum is that of `u` |
//! | `completed(rho, list)` | in a rule of nodes: the list, with what it lacks of the density `rho` given to buried directions, by their weights |
//! | `regularized(rho, u)` | in a rule of nodes: all populations anew, the equilibrium and what of the rest carries stress |
//! | `solve(start, \|x\| equation)` | the x of which the equation is zero, which it has to the first power only; deviations from `start` keep their digits |
//! | `solve([0, 0], \|x\| [.., ..])` | several unknowns, as many equations; their factors are known numbers |
//!
//! Where a number is NaN no comparison holds but `!=`, and `-0 == 0`. These rules give the same bits on every backend; what `exp`, `log` and `pow` are
//! made of and give of infinity and NaN says [`elementary`](crate::core::elementary).
//!
//! | method of a list | gives |
//! |---|---|
//! | `.map(\|i\| ..)` | the results, as a list |
//! | `.filter(\|i\| ..)` | the entries of which a known condition holds |
//! | `.sum(\|i\| ..)`, `.product(\|i\| ..)` | the results, added or multiplied |
//! | `.fold(start, \|value, i\| ..)` | what is left of `start` after each entry has changed it |
//! | `.zip(list)` | the entries of both in pairs: `x.zip(y).sum(\|[x, y]\| x * y)` |
//! | `.len()` | how many entries there are |
//!
//! Division is exact as far as it goes: `x * rho / rho` is x, `rho * u[0]` is `j[0]`, and `1 / (rho * rho)` costs the one division of
//! `1 / rho`. Numbers that cancel within a formula do so before anything is rounded, whatever its form: what is divided by the density is taken
//! apart in what is exact and a deviation from it. What `let` has named is whole, so a number that only cancels between two names, beyond the one
//! that each has at rest, costs its digits; the compiler warns of a solver that loses two digits so, at the `let` in question. In boundary rules quotients stay as they are written, but for what divides exactly.
//!
//! # Moments by exponents
//!
//! On lattices whose velocities are products of 0, 1 and -1 along the axes (D2Q9 and D3Q27; D3Q19, which lacks those with three components,
//! and D2Q5 and D3Q7, which lack those with two) there are as many moments with exponents 0, 1, 2 as populations: on D3Q19 those in which
//! at least one component has the exponent 0. D3Q15 is none of these, (1, 1, 1) without (0, 1, 1), and such a word refuses it; moments of every lattice, by `basis[k][i]`, are
//! those of `to_moments` and `to_orthogonal`. `to_raw`, `to_central`, `to_cumulants` give them as a list in the order of `exponents`, made along
//! one axis after the other. A list in the place of an index takes exponents, so that formulas read as in papers: `k[[1, 1, 0]]`.
//!
//! ```
//! use lbm::prelude::*;
//!
//! collision! {
//!     /// Central moments of second order relax with one rate, all others are those of the equilibrium.
//!     pub Cascaded {
//!         require(isotropy >= 4, "flow needs fourth-order isotropy");
//!         require(!is_incompressible, "central moments weigh with the density");
//!         let omega = 1 / (viscosity / cs2 + 1/2);
//!         let k = to_central(f, u);
//!         let k_eq = exponents.map(|e| rho * e.product(|p| [1, 0, cs2][p]));
//!         let post = exponents.map(|e| if sum(e) == 2 { k[e] + omega * (k_eq[e] - k[e]) } else { k_eq[e] });
//!         let relaxed = from_central(post, u);
//!         let equilibrium = from_central(k_eq, u);      // where a flow starts
//!         for i in directions {
//!             f[i] = relaxed[i];
//!         }
//!     }
//! }
//!
//! solver! { Vortices { lattice: D2Q9, collision: Cascaded } }
//! # fn main() -> Result<(), Error> {
//! let mut vortices = Vortices::builder().size([16, 16]).viscosity(0.01).build()?;
//! vortices.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! ```
//! use lbm::prelude::*;
//!
//! collision! {
//!     /// What is no stress relaxes with a rate of the node's own, so that entropy is greatest (Karlin, Boesch & Chikatamarla 2014).
//!     pub Stabilised {
//!         require(isotropy >= 4, "flow needs fourth-order isotropy");
//!         let beta = 1 / (2 * viscosity / cs2 + 1);
//!         let off = directions.map(|i| f[i] - equilibrium[i]);
//!         let m = to_raw(off);
//!         let stress = from_raw(exponents.map(|e| if sum(e) == 2 { m[e] } else { 0 }));
//!         let rest = directions.map(|i| off[i] - stress[i]);
//!         let mixed = directions.sum(|i| stress[i] * rest[i] / equilibrium[i]);
//!         let square = directions.sum(|i| rest[i] * rest[i] / equilibrium[i]);
//!         let moves = square > 1e-20;                   // 0 / 0 in a flow that only shears
//!         let gamma = select(moves, 1 / beta - (2 - 1 / beta) * mixed / select(moves, square, 1), 2);
//!         for i in directions {
//!             f[i] = f[i] - beta * (2 * stress[i] + gamma * rest[i]);
//!         }
//!     }
//! }
//!
//! solver! { Eddies { lattice: D2Q9, collision: Stabilised } }
//! # fn main() -> Result<(), Error> {
//! let mut eddies = Eddies::builder().size([16, 16]).viscosity(0.001).build()?;
//! eddies.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! A `let equilibrium` of its own is what a collision's flows start from; without one that is the solver's. A `let viscosity` of its own is the
//! node's, which [`Simulation::stress`](crate::simulation::Simulation::stress) follows, and a flow that starts with a gradient.
//!
//! # Collisions around others
//!
//! `Name<Inner>` goes around another collision, `Inner(f)` is the list of the populations that it leaves. It sees the language's names with the values that they
//! have there: one that finds another `viscosity` relaxes with that. Its parameters are those of the whole; what the outer one does not state is what the
//! inner one does. Where two have a parameter of one name, who sets one of those within says its place first: `Between<One, Other>` of two with a rate `bulk` has `one_bulk` and
//! `other_bulk`, `PowerLaw<Carreau<Trt>>` has `index` and `inner_index`.
//!
//! ```
//! use lbm::prelude::*;
//!
//! collision! {
//!     /// Its viscosity rises with the rate of shear g from `viscosity` to twice that, half of the way where g is `rate`.
//!     pub Dilatant<Inner>(rate = 1/100 in 1/1000000000..) {
//!         let shear = shear(viscosity / cs2 + 1/2);     // as it would be without
//!         let viscosity = viscosity * (1 + shear / (shear + rate));
//!         let after = Inner(f);
//!         for i in directions {
//!             f[i] = after[i];
//!         }
//!     }
//! }
//!
//! solver! { Starch { lattice: D2Q9, collision: Dilatant<Trt> { magic: 1/4 } } }
//! # fn main() -> Result<(), Error> {
//! let mut starch = Starch::builder().size([16, 16]).viscosity(0.05).parameter("rate", 0.001).build()?;
//! starch.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! It takes another equilibrium in the same way: [`ThirdOrder`](crate::collisions::ThirdOrder) and [`FourthOrder`](crate::collisions::FourthOrder) say `let equilibrium = maxwell(3);`, and
//! [`EntropicProduct`](crate::collisions::EntropicProduct) `entropic(rho, u)`.
//! Built in are [`Smagorinsky`](crate::collisions::Smagorinsky), [`PowerLaw`](crate::collisions::PowerLaw) and
//! [`Carreau`](crate::collisions::Carreau), around any collision: `Carreau<Cumulant>`, and [`Wale`](crate::collisions::Wale), which reads [neighbours](near). Several stand as `Name<One, Other>`.
//!
//! # Functions that declarations share
//!
//! [`functions!`](macro@crate::functions) gives closures a name, by which collisions, boundary rules and other functions have them, in any crate. They know the language's
//! names and the parameters of what uses them, and stand for what they say: nothing is dearer than if it were written out.
//!
//! ```
//! use lbm::prelude::*;
//!
//! functions! {
//!     /// Parts of populations that are even and odd in the velocity.
//!     pub Parity {
//!         let even = |a, i| (a[i] + a[opposite[i]]) / 2;
//!         let odd = |a, i| (a[i] - a[opposite[i]]) / 2;
//!     }
//! }
//!
//! collision! {
//!     /// The odd part is that of the equilibrium.
//!     pub Even {
//!         use Parity;                                   // or a path, `use crate::words::Parity;`
//!         let omega = 1 / (viscosity / cs2 + 1/2);
//!         for i in directions {
//!             f[i] = even(f, i) + omega * (even(equilibrium, i) - even(f, i)) + odd(equilibrium, i);
//!         }
//!     }
//! }
//!
//! solver! { Smooth { lattice: D2Q9, collision: Even } }
//! # fn main() -> Result<(), Error> {
//! let mut smooth = Smooth::builder().size([16, 16]).viscosity(0.1).build()?;
//! smooth.run(10)?;
//! # Ok(())
//! # }
//! ```
//!
//! Built in are [`Squares`](crate::collisions::Squares), with which the trace of the stress is taken apart: `mean_square(m)`, `is_square(e)`; [`Gradients`](crate::collisions::Gradients) with `slopes()`, the
//! gradient of the velocity from neighbours; [`Recursion`](crate::collisions::Recursion), of which recursive regularisation is made.
//!
//! # Boundary rules
//!
//! [`boundary!`](macro@crate::boundary) has the same language: what it has beside says [`rules`].
//!
//! # Models
//!
//! [`model!`](macro@crate::model) has the same language for several sets of populations at a node: [`models`].

pub mod models;
pub mod near;
pub mod rules;
