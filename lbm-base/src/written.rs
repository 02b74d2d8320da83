//! What the generator wrote of a body, to be read.

use std::borrow::Cow;

/// Stages of the generator and what each made of the formulas, in order.
pub type Stages = Cow<'static, [(&'static str, Cow<'static, str>)]>;

/// A generated body as text. `solver!` leaves it as a constant, which a program that never asks for it does not have.
#[derive(Clone, Debug)]
pub struct Written {
    /// Lines of comment: collision, lattice, equilibrium and forcing; operations, values that live at once, digits.
    pub about: Cow<'static, str>,
    /// Lines of comment: velocity and weight of each direction.
    pub directions: Cow<'static, str>,
    /// The fields that it reads of each node, by number.
    pub fields: Cow<'static, [Cow<'static, str>]>,
    /// Its functions as formatted Rust, and what their coefficients mean.
    pub functions: Cow<'static, str>,
    /// From the formulas as they were evaluated to the program that is printed.
    pub stages: Stages,
    /// How many values are held at once, at most.
    pub live_values: usize,
    /// How many times what the last digits of its populations decide a step in single precision is off by, at most in a few trials at amplitudes
    /// from 1/10 to 1e-6; NaN where that is not known.
    pub digits: f64,
}

/// What a page says of a kernel that the generator does not know.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Header<'a> {
    /// The variant's name, or as much of it as is fixed.
    pub variant: &'a str,
    /// Bytes that one update of a node must move, where the precision is known.
    pub bytes_per_node: Option<usize>,
}

impl<'a> Header<'a> {
    /// Of a variant, and what it moves of memory, bytes an update.
    #[must_use]
    pub fn new(variant: &'a str, bytes_per_node: Option<usize>) -> Header<'a> {
        Header { variant, bytes_per_node }
    }
}

impl Written {
    /// The kernel's functions below a comment with names, operation counts and directions.
    #[must_use]
    pub fn rust_page(&self, header: &Header<'_>) -> String {
        format!(
            "{}// h[i] = f_i - w_i is the shifted population that moves with c_i; `site.read(i)` gives it:\n{}{}{}",
            self.cost(header),
            self.directions,
            self.fields(|n| format!("site.field({n})")),
            self.functions
        )
    }

    /// The comment above a page of CUDA C++; every line starts with `//`. `more` are lines of the backend's own, between
    /// what the kernel costs and what its inputs mean.
    #[must_use]
    pub fn cuda_comment(&self, header: &Header<'_>, more: &[String]) -> String {
        let more: String = more.iter().map(|line| format!("// {line}\n")).collect();
        format!(
            "{}{more}// h[i] = f_i - w_i is the shifted population that moves with c_i, post[i] the same after the collision:\n{}{}",
            self.cost(header),
            self.directions,
            self.fields(|n| format!("field[{n}]"))
        )
    }

    /// What the collision reads of each node beside its populations, by the names that `shown` gives.
    fn fields(&self, shown: impl Fn(usize) -> String) -> String {
        let fields = self.fields.iter().enumerate();
        fields.map(|(n, name)| format!("// {} is the node's `{name}`.\n", shown(n))).collect()
    }

    /// What the kernel is, and what it costs.
    fn cost(&self, header: &Header<'_>) -> String {
        let memory =
            header.bytes_per_node.map(|bytes| format!("// Memory: {bytes} bytes a node and step.\n"));
        format!("// {}\n{}{}", header.variant, self.about, memory.unwrap_or_default())
    }
}
