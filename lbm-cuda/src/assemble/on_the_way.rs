//! A step of moments in which the fields that neighbours read follow on the way, so that nothing goes before it and a node's moments are read once.
//!
//! A block marches as where several steps are done at once (`two_steps.rs`). When plane z has been read:
//!
//! ```text
//! plane z                its populations go to the columns beside
//! z - 3 collides         with fields of three planes and what was held of it, and is stored
//! z - 1 is complete      with what comes from beside: its fields follow and go there, and what is known without those around it is held
//! ```

use super::column::Column;
use super::kernel::{Grid, Kernel, Threads};
use super::march::met;
use super::meeting::Exchange;
use super::node_fields;
use super::pieces::Pieces;
use super::plan::Work;
use super::rebuilt::Becomes;
use super::scheme::{AXES, put};
use super::shape::{March, exchange, on_the_way};

/// The march, as its parts know it.
struct OnTheWay<'a> {
    pieces: &'a Pieces<'a>,
    column: Column<'a>,
    exchange: Exchange<'a>,
    /// The directions that go up a plane.
    ups: Vec<usize>,
}

/// The kernel `step_on_the_way_<phase>`. It leaves no fields: they are computed anew from the copy that it read, where they are asked for.
pub(super) fn step_on_the_way(pieces: &Pieces<'_>, March { axis, .. }: March, phase: usize) -> Kernel {
    let (facts, plan, scheme) = (pieces.facts, pieces.plan, &pieces.scheme());
    let exchange = plan.shape.exchange(facts, axis);
    let about = format!(
        "{}\n// A time step: each block marches along {} through its part of the box, and fields that neighbours read follow on the way.\n// \
         Threads at its sides only serve the others.\n",
        exchange.functions(),
        AXES[axis]
    );
    let shared_bytes = (exchange.values() * facts.precision.arithmetic.bytes()) as u32;
    let threads = Threads { shared_bytes, grid: Grid::Parts, ..Threads::of(plan.shape) };
    let name = format!("step_on_the_way_{phase}");
    let mut kernel = Kernel::new(about, name, phase, threads, pieces.parameters_and(&[]));
    kernel.march_through_parts(scheme, axis);
    let ups = (0..pieces.q).filter(|&i| facts.way(i, 0)[axis] == 1).collect();
    let step = OnTheWay { pieces, column: Column { pieces, scheme, axis }, exchange, ups };
    kernel.body += &match plan.work {
        Work::Step => step.march(),
        _ => step.column.read_and_write(),
    };
    kernel
}

impl OnTheWay<'_> {
    fn march(&self) -> String {
        let (moments, q) = (self.pieces.facts.body.moments, self.pieces.q);
        let [waiting, of_fields] =
            [Becomes::Moments, Becomes::Fields].map(|becomes| becomes.waiting(self.pieces));
        let mut text = String::new();
        if self.exchange.values() > 0 {
            put!(text, "{}", exchange(self.pieces.facts));
        }
        put!(text, "// What waits for what comes down.");
        let rising = self.ups.len();
        put!(
            text,
            "real waiting[{waiting}] = {{}}, rising[{rising}] = {{}}, waiting_derived[{of_fields}] = {{}};"
        );
        text += &(self.exchange.opened() + &self.exchange.opened_fields());
        if !self.exchange.is_row() {
            put!(text, "// A row of the block is a warp. Those that store nothing need not collide.");
            put!(text, "const bool collides = threadIdx.y - part[4] < part[5];");
        }
        put!(text, "real next[{moments}];");
        put!(text, "{{");
        put!(text, "    const unsigned first = {};", self.column.plane("0u", 0));
        self.column.read(&mut text, "    ", "first", "next");
        put!(text, "}}");
        text += "#pragma unroll 2\n";
        let lag = self.pieces.plan.shape.lag();
        put!(text, "for (unsigned number = 0; number < end - begin + {lag}u; ++number) {{");
        text += &self.exchange.turned();
        put!(text, "    real h[{q}];");
        text += &self.exchange.sent(0, "next", &|i, beside| format!("h[{i}] = {beside};"), "");
        put!(text, "    {{");
        put!(text, "        // Read now what the next plane begins with.");
        put!(text, "        const unsigned following = {};", self.column.plane("number + 1u", 0));
        self.column.read(&mut text, "        ", "following", "next");
        put!(text, "    }}");
        text += &self.collision();
        text += &self.exchange.taken(0, &|i, from| format!("h[{i}] = at[{from}];"));
        text += &self.fields();
        put!(text, "}}");
        text
    }

    /// What collides, since the fields of the plane above are known.
    fn collision(&self) -> String {
        let (mut text, body) = (self.exchange.taken_fields(), &self.pieces.facts.body);
        let [first, last] = on_the_way(self.pieces.facts).expect("a shape with fields on the way fits");
        put!(text, "    {}{{", if self.exchange.is_row() { "" } else { "if (collides) " });
        put!(text, "        // Fields of three planes are known: that in the middle collides.");
        put!(text, "        real near[{}], derived[{}];", last.reads.len(), last.fields.len());
        put!(text, "        real field[{}], after[{}];", body.field_count(), body.moments);
        for (n, read) in last.reads.iter().enumerate() {
            let at = self.exchange.field(read.field - first.fields.start, read.offset);
            put!(text, "        near[{n}] = {at};");
        }
        put!(text, "        near_1(near, uniforms.k, derived);");
        for (n, field) in first.fields.clone().enumerate() {
            put!(text, "        field[{field}] = {};", self.exchange.field(n, [0; 3]));
        }
        for (n, field) in last.fields.clone().enumerate() {
            put!(text, "        field[{field}] = derived[{n}];");
        }
        text += &self.exchange.taken_held();
        let field = node_fields::handed(self.pieces, "");
        put!(text, "        with_fields(held_below, uniforms.k, {field}after);");
        text += &self.column.leave("after", "        ");
        put!(text, "    }}");
        text
    }

    /// What follows in the plane below the one that was read, and what waits.
    fn fields(&self) -> String {
        let (mut text, pieces) = (String::new(), self.pieces);
        let [[early, _], [early_derived, late_derived]] =
            [Becomes::Moments, Becomes::Fields].map(Becomes::parts);
        let field = node_fields::handed(pieces, "");
        put!(text, "    real derived[{}];", Becomes::Fields.values(pieces.facts));
        put!(text, "    {{");
        put!(text, "        real field[{}] = {{}};", pieces.fields());
        put!(text, "        {late_derived}(waiting_derived, h, uniforms.k, {field}derived);");
        put!(text, "    }}");
        text += &self.exchange.sent_fields("derived");
        put!(text, "    // What is known of it without fields around it.");
        text += &self.exchange.held("before_fields(waiting, h, uniforms.k, held);");
        text += &met(early, &self.ups, "", "");
        put!(text, "    {early_derived}(h, waiting_derived);");
        text
    }
}
