//! The macros of `lbm`. Each is a thin door to [`lbm_generator`]; use them through the facade crate `lbm`.
//!
//! A wrong declaration gives its errors, each at its token, and still defines its name, so that uses of the name are no
//! errors too.

use lbm_generator::{boundary, cross_check, functions, lattice, solver, sweep};
use proc_macro::TokenStream;

/// Turns a failure into the compiler's errors, each at its token.
fn finish(result: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    result.unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Declares a lattice: velocities and weights; everything else is derived.
///
/// ```text
/// lattice! {
///     /// Two dimensions, nine velocities.
///     pub D2Q9 {
///         dimension: 2,
///         shells: [[0, 0], [1, 0], [1, 1]],   // or `velocities: [[0, 0], [1, 0], ...]`
///         weights: [4/9, 1/9, 1/36],          // one each, or `solve` (then `cs2` is needed)
///     }
/// }
/// ```
///
/// Defines the type `D2Q9`, which implements `lbm::core::Lattice`, and a macro of the same name through which
/// `solver!` reads the declaration. A `pub` lattice can be used from other crates.
///
/// Refused, at the token: a missing opposite, a velocity given twice, weights that do not sum to 1, broken
/// second-order isotropy, broken fourth-order isotropy unless the lattice says `isotropy: 2`.
#[proc_macro]
pub fn lattice(tokens: TokenStream) -> TokenStream {
    lattice::expand(&tokens.into()).into()
}

/// Declares a collision as formulas over the populations of a node.
///
/// ```text
/// collision! {
///     /// One relaxation rate.
///     pub Bgk {
///         let omega = 1 / (viscosity / cs2 + 1/2);
///         for i in directions {
///             f[i] = f[i] + omega * (equilibrium[i] - f[i]);
///         }
///     }
/// }
/// ```
///
/// The language has its page, with every word and six worked operators: the module [`language`](../lbm/language/index.html) of `lbm`.
#[proc_macro]
pub fn collision(tokens: TokenStream) -> TokenStream {
    solver::collision(&tokens.into()).into()
}

/// Declares a model: several sets of populations at a node, each on a lattice of its own, which are given what others know and collided.
///
/// ```text
/// model! {
///     /// A scalar that the flow carries.
///     pub Advected<Flow, Scalar>(diffusivity in 0..) {
///         let flow = set(1);                  // sets of populations, with their sums at rest
///         let scalar = set(0);
///         scalar.u = flow.u;                  // in the place of a velocity of its own
///         scalar.viscosity = diffusivity;
///         flow.f = Flow(flow);                // collided by the collisions that the solver chooses
///         scalar.f = Scalar(scalar);
///     }
/// }
///
/// solver! {
///     pub Dye { model: Advected<Trt, Bgk>, lattices: [D3Q19, D3Q7], boundaries: [scalar: FixedValue] }
/// }
/// ```
///
/// The language is that of [`collision!`]; the module [`language`](../lbm/language/index.html) of `lbm` has a page for it.
#[proc_macro]
pub fn model(tokens: TokenStream) -> TokenStream {
    solver::model(&tokens.into()).into()
}

/// Declares functions that collisions, boundary rules and other functions share, of any crate.
///
/// ```text
/// functions! {
///     /// Parts of populations that are even and odd in the velocity.
///     pub Parity {
///         let even = |a, i| (a[i] + a[opposite[i]]) / 2;
///         let odd = |a, i| (a[i] - a[opposite[i]]) / 2;
///     }
/// }
///
/// collision! {
///     pub Mine {
///         use Parity;             // its functions, as if they stood here
///         ..
///     }
/// }
/// ```
///
/// Defines the type `Parity`, which implements `lbm::core::Functions` and carries the documentation, and a macro of the same name through which
/// declarations read it.
#[proc_macro]
pub fn functions(tokens: TokenStream) -> TokenStream {
    functions::functions(&tokens.into()).into()
}

/// Declares a boundary rule: what arrives at a node where neighbours are missing.
///
/// ```text
/// boundary! {
///     /// The equilibrium of a density and a velocity.
///     pub Inflow(density = 1, velocity[dimensions]) on_node {
///         for i in missing {
///             f[i] = equilibrium(density, velocity)[i];
///         }
///     }
/// }
/// ```
///
/// The language is that of `collision!`, with the names that a rule has beside; it has its page in the documentation of `lbm`, module
/// `language`. Defines the type `Inflow`, which implements `lbm::core::Boundary`, and a macro of the same name through which
/// `solver!` and `rules!` read the declaration.
#[proc_macro]
pub fn boundary(tokens: TokenStream) -> TokenStream {
    boundary::boundary(&tokens.into()).into()
}

/// Specialises boundary rules to a lattice and an equilibrium: `rules! { Ends { lattice: D2Q9, boundaries: [ZouHeVelocity,
/// ZouHePressure] } }` defines the type `Ends`, which implements `lbm::core::RuleSet`. `solver!` does so for its own `boundaries`.
#[proc_macro]
pub fn rules(tokens: TokenStream) -> TokenStream {
    finish(boundary::rules::begin(&tokens.into()))
}

/// Declares a solver: one choice on every axis.
///
/// ```text
/// solver! {
///     pub Cavity {
///         lattice: D2Q9,
///         collision: Trt { magic: 1/4 },      // parameters in braces are baked in
///         equilibrium: Incompressible,        // default QuasiCompressible
///         forcing: Guo,                       // default None; GuoField: each node has its own
///         precision: F32,                     // default F64
///         layout: Soa, addressing: Dense, streaming: TwoLatticePull,   // the defaults
///         boundaries: [ZouHeVelocity, ZouHePressure],   // the rules that its faces may have; default none
///     }
/// }
/// ```
///
/// Defines the type `Cavity`, which implements `lbm::core::Variant`; `Cavity::builder()` starts a simulation.
#[proc_macro]
pub fn solver(tokens: TokenStream) -> TokenStream {
    solver::begin(&tokens.into()).into()
}

/// Makes a struct a solver: `#[derive(Solver)] #[solver(lattice = D2Q9, collision = Bgk)] struct Cavity;`
///
/// The axes are those of `solver!`.
#[proc_macro_derive(Solver, attributes(solver))]
pub fn derive_solver(tokens: TokenStream) -> TokenStream {
    solver::derive(tokens.into()).into()
}

/// Declares a solver for every combination of lists of choices, and does the same with each.
///
/// ```text
/// sweep! {
///     lattice: [D2Q9, D3Q19],
///     collision: [Bgk, Trt { magic: 1/4 }, Mine],
///     precision: [F32, F64],              // axes that are left out take the defaults of `solver!`
///     skip: [{ lattice: D3Q19, collision: [Trt, Mine] }],
///     pairwise: [lattice, precision],     // few, in which every two values of these axes stand together
///     => |V, collision: C| table.push(Row::new::<V, C>())
/// }
/// ```
///
/// An expression of type `()`. What follows `|..|` is written out once a combination, where `V` is the solver's type and
/// a name after an axis stands for that axis' value. It is no closure: `?` means what it means around the macro.
///
/// Refused, at the token: an unknown axis, an empty list, a value given twice; a rule that names what is not listed, or
/// that leaves out nothing.
#[proc_macro]
pub fn sweep(tokens: TokenStream) -> TokenStream {
    finish(sweep::sweep(tokens.into()))
}

/// Writes the tests that a solver's kernels give the same bits on every backend.
///
/// ```text
/// cross_check!(Cavity);
/// cross_check!(Cavity, steps: [1, 2, 50], sizes: [[33, 8, 1]], seeds: [1, 2, 3]);
/// ```
///
/// Three tests from random states in boxes with random walls and obstacles: the CPU with every SIMD level against the
/// plain reference; the CUDA text, built by the host's C++ compiler, against the CPU; the first GPU against the CPU. What
/// the machine lacks is skipped visibly. On a difference: the first node, direction, both values in hexadecimal digits.
#[proc_macro]
pub fn cross_check(tokens: TokenStream) -> TokenStream {
    finish(cross_check::cross_check(tokens.into()))
}

#[doc(hidden)]
#[proc_macro]
pub fn __solver_with_lattice(tokens: TokenStream) -> TokenStream {
    finish(solver::with_lattice(tokens.into()))
}

#[doc(hidden)]
#[proc_macro]
pub fn __solver_with_collision(tokens: TokenStream) -> TokenStream {
    finish(solver::with_collision(tokens.into()))
}

#[doc(hidden)]
#[proc_macro]
pub fn __with_functions(tokens: TokenStream) -> TokenStream {
    finish(functions::with_functions(tokens.into()))
}

#[doc(hidden)]
#[proc_macro]
pub fn __rules_with_lattice(tokens: TokenStream) -> TokenStream {
    finish(boundary::rules::with_lattice(tokens.into()))
}

#[doc(hidden)]
#[proc_macro]
pub fn __rules_with_boundary(tokens: TokenStream) -> TokenStream {
    finish(boundary::rules::with_boundary(tokens.into()))
}
