//! Kernels that make density and velocity of populations: as fields, and as numbers that a look at the flow needs of them.

use lbm_core::DeviceText;
use lbm_core::facts::Arithmetics;
use lbm_core::sums::LIMBS;

use super::super::arithmetic::ArithmeticText;
use super::super::kernel::Kernel;
use super::super::pieces::Pieces;
use super::super::resource::Resource;
use super::super::scheme::put;
use super::{Accessors, COUNTERS, Nodes};

impl Accessors<'_> {
    /// A kernel that finds density and velocity of its node first.
    fn of_fields(&self, about: &str, name: &str, own: &[Resource]) -> Kernel {
        let q = self.pieces.q;
        let mut kernel = self.kernel(about, name, &[own, &[Resource::Force]].concat());
        let text = &mut kernel.body;
        if own.contains(&Resource::Solid) {
            put!(text, "if ({0} && {0}[at]) return;", Resource::Solid);
        }
        put!(text, "double h[{q}], rho_u[4] = {{0.0, 0.0, 0.0, 0.0}};");
        put!(text, "{}", self.call_of_all("h"));
        put!(text, "wide::macroscopic(h, force.component, rho_u);");
        kernel
    }

    /// What tells solid nodes from fluid ones: where nodes are listed, these are fluid.
    fn solid(&self) -> &'static [Resource] {
        match &self.nodes {
            Nodes::Box(_) => &[Resource::Solid],
            Nodes::List(..) => &[],
        }
    }

    pub(super) fn fields(&self) -> Kernel {
        let [values, rounded, wanted] = [Resource::Values, Resource::Rounded, Resource::Wanted];
        let own = [values, rounded, wanted, Resource::Sampling];
        let about = "Those of density and velocity that are wanted, value after value, each rounded once where they are f32.";
        let mut kernel = self.of_fields(about, "fields", &own);
        let text = &mut kernel.body;
        put!(text, "size_t to = number;");
        for n in 0..4 {
            put!(text, "if ({wanted} & {}u) {{", 1 << n);
            put!(text, "if ({rounded}) {rounded}[to] = (float)rho_u[{n}];");
            put!(text, "else {values}[to] = rho_u[{n}];");
            put!(text, "to += count;");
            put!(text, "}}");
        }
        kernel
    }

    /// The kernel that adds up the populations of a node along directions from `direction` to before `direction_end`.
    pub(super) fn sum(&self) -> Kernel {
        let [first, end, values] = [Resource::Direction, Resource::DirectionEnd, Resource::Values];
        let about = "What populations along some directions sum to.";
        let mut kernel = self.kernel(about, "sum", &[first, end, values]);
        let (text, q) = (&mut kernel.body, self.pieces.q);
        put!(text, "double h[{q}], sum = -0.0;");
        put!(text, "{}", self.call_of_all("h"));
        put!(text, "for (unsigned i = 0; i < {q}u; ++i) if (i >= {first} && i < {end}) sum += h[i];");
        put!(text, "{values}[number] = sum;");
        kernel
    }

    /// The kernel that says how much the velocity has changed since it was launched before.
    pub(super) fn change(&self) -> Kernel {
        let [values, counter] = [Resource::Values, Resource::Counter];
        let about = "The largest change of a velocity, of all nodes that share a counter. Numbers that are not negative are in the\n\
                     // order of their bits, and what is no number comes last.";
        let mut kernel =
            self.of_fields(about, "change", &[&[values, counter, Resource::Sampling], self.solid()].concat());
        let text = &mut kernel.body;
        put!(text, "unsigned long long most = 0;");
        put!(text, "for (unsigned n = 0; n < 3; ++n) {{");
        put!(text, "double* const before = &{values}[number + (size_t)count * n];");
        put!(text, "const double change = rho_u[n + 1] - *before;");
        put!(text, "*before = rho_u[n + 1];");
        put!(
            text,
            "const unsigned long long bits = (unsigned long long)__double_as_longlong(change) & ~(1ull << 63);"
        );
        put!(text, "if (bits > most) most = bits;");
        put!(text, "}}");
        put!(text, "unsigned long long* const largest = &{counter}[blockIdx.x % {COUNTERS}u];");
        put!(text, "if (most > *largest) atomicMax(largest, most);");
        kernel
    }

    /// The kernel that adds up a component of the velocity.
    pub(super) fn total(&self) -> Kernel {
        let counter = Resource::Counter;
        let about = "Adds a component of the velocity, in whole multiples of powers of 2 (`lbm_core::sums`).";
        let own = [&[Resource::Direction, counter, Resource::Sampling], self.solid()].concat();
        let mut kernel = self.of_fields(about, "total", &own);
        let text = &mut kernel.body;
        put!(text, "// Chosen, not indexed: the values stay in registers.");
        put!(text, "const double rest = direction == 0 ? rho_u[1] : direction == 1 ? rho_u[2] : rho_u[3];");
        put!(
            text,
            "unsigned long long* const sum = &{counter}[{}u * (blockIdx.x % {COUNTERS}u)];",
            LIMBS + 1
        );
        put!(text, "unsigned long long parts[{}] = {{}};", LIMBS + 1);
        put!(text, "add_exactly(rest, parts);");
        put!(text, "for (unsigned n = 0; n < {}u; ++n) {{", LIMBS + 1);
        put!(text, "if (parts[n] != 0ull) atomicAdd(&sum[n], parts[n]);");
        put!(text, "}}");
        kernel
    }
}

/// Nodes on a grid: so many along each axis, so far apart in the order x, y, z.
const SAMPLING: &str = "
struct Sampling { unsigned long long count[3], stride[3]; };

// The index of a node by its number.
__device__ __forceinline__ size_t index_of(const Sampling& sampling, const size_t first, const size_t number) {
    const size_t row = number / sampling.count[0];
    return first + number % sampling.count[0] * sampling.stride[0] + row % sampling.count[1] * sampling.stride[1]
        + row / sampling.count[1] * sampling.stride[2];
}

// The number of a node so many behind the first one; none that there is, of one between those of the grid.
__device__ __forceinline__ size_t number_of(const Sampling& sampling, const size_t behind) {
    const size_t of_plane = behind % sampling.stride[2], of_row = of_plane % sampling.stride[1];
    const size_t z = behind / sampling.stride[2], y = of_plane / sampling.stride[1], x = of_row / sampling.stride[0];
    const bool is_there = of_row % sampling.stride[0] == 0 && x < sampling.count[0] && y < sampling.count[1] && z < sampling.count[2];
    return is_there ? x + sampling.count[0] * (y + sampling.count[1] * z) : ~size_t(0);
}
";

/// The function behind `fields`.
pub(super) fn macroscopic(pieces: &Pieces<'_>) -> String {
    let (q, wide) = (pieces.q, ArithmeticText::of(Arithmetics::F64));
    format!(
        "\n// Fields are computed in f64, as on the CPU.\nnamespace wide {{\n{}\n\
         __device__ __forceinline__ void macroscopic(const real (&h)[{q}], const real (&force)[3], real (&fields)[4]) {{\n{}}}\n}}\n\n\
         struct Force {{ double component[3]; }};\n{SAMPLING}",
        wide.prelude([pieces.body.macroscopic]),
        DeviceText::numbers(pieces.body.macroscopic, 1.0, |x| wide.literal(x)),
    )
}
