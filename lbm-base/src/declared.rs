//! Declarations as values: what macros leave of them for other macros and tools.

/// The names that the components of the body force have among a collision's parameters, or its fields of nodes: the first D of them on a
/// lattice of dimension D.
pub const FORCES: [&str; 3] = ["force_x", "force_y", "force_z"];

/// A collision operator as declared by `collision!`.
pub trait Collision: Copy + Send + Sync + 'static {
    /// The name as declared, e.g. `Bgk`.
    const NAME: &'static str;
    /// The declaration's tokens, so that tools can print a kernel at run time.
    const DECLARATION: &'static str;
    /// The collisions that it goes around.
    const WITHIN: &'static [Declared] = &[];
}

/// Formulas that collisions and boundary rules share, as declared by `functions!`.
pub trait Functions: Copy + Send + Sync + 'static {
    /// The name as declared.
    const NAME: &'static str;
    /// The declaration's tokens.
    const DECLARATION: &'static str;
}

/// A declared collision as a value.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Its declaration's tokens.
    pub text: &'static str,
    /// The collisions that it goes around.
    pub within: &'static [Declared],
}

impl Declared {
    /// The declaration of a type.
    #[must_use]
    pub const fn of<C: Collision>() -> Declared {
        Declared { text: C::DECLARATION, within: C::WITHIN }
    }
}
