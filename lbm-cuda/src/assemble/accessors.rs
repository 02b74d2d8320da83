//! Kernels beside the time step: populations in and out in canonical order, a comparison, and the fields.
//!
//! They are a text of their own, since they speak f64 whatever the variant computes in. Where a box is stored as a whole, a
//! thread finds its node by its number; where nodes are listed, each does a storage node that lies in the portion asked for.

mod links_first;
mod of_fields;
mod of_lists;

use lbm_core::{Error, Expression, Facts};

use super::deriving;
use super::in_time;
use super::kernel::{Grid, Kernel, Program, Threads};
use super::listed::{entry, index_type, link, listed_plan, of_list, run_start};
use super::listed_places::{Storage, own};
use super::masks::MaskWord;
use super::pieces::Pieces;
use super::plan::{ListedPlan, Plan};
use super::rebuilt;
use super::resource::{Parameter, Resource, declared, handed_on};
use super::scheme::{Scheme, position_of, put};
use super::{rules, sums};

/// Counters among which blocks are dealt out, so that they seldom wait for each other.
pub(crate) const COUNTERS: usize = 1024;

/// Threads a block of these kernels. That a multiprocessor needs room for one block only leaves the compiler all registers;
/// else a few bytes are spilled here and there.
const BLOCK: u32 = 256;

/// How threads find their nodes.
enum Nodes {
    /// In a box that is stored as a whole, with populations where the last step left them.
    Box(Scheme),
    /// In a list.
    List(Storage, ListedPlan),
}

/// What these kernels have in common.
struct Accessors<'a> {
    pieces: &'a Pieces<'a>,
    nodes: Nodes,
    /// What is needed to find nodes.
    places: Vec<Parameter>,
}

/// The kernels `put`, `get`, `gather`, `pick`, `differ`, `not_finite`, `fields`, `change` and `total`; `scatter` where a box is stored as a whole; `keep` where it is needed, and `observe_0` and `observe_1`,
/// which go before each step where rules of nodes, or of links, read populations of other nodes; likewise those of values in time (`in_time.rs`), and `links_<phase>`, what rules of links
/// then do where they go first; `sum` where there are several sets of populations; and `near_<pass>_0`, the last pass of fields, where steps do not store what it makes.
///
/// They do `count` nodes of the box from node `first` on, in the order x, y, z, `gather`, `pick` and `scatter` of a list, `fields`, `change`, `total` and `not_finite` of a grid (`sampling`). `put`, `get`, `differ` and `not_finite` do direction
/// `direction` of them, or where moments are stored and are not compared, that moment. The values of `put`, as they are stored, and the f64 ones of
/// `differ` are those of a cell that repeats itself in the box, or is the box and begins with node `first`; those of `get`, as they
/// are stored, and of `fields`, in f64 or rounded to f32, begin with that node.
///
/// # Errors
/// As [`step`](super::step()).
pub fn accessors(facts: &Facts, plan: &Plan) -> Result<Program, Error> {
    let pieces = Pieces::of(facts, plan)?;
    let accessors = Accessors::of(&pieces)?;
    let mut preamble = accessors.preamble();
    preamble += &accessors.population();
    preamble += &accessors.populations();
    preamble += &of_fields::macroscopic(&pieces);
    preamble += &sums::functions();
    let mut kernels = accessors.of_a_direction();
    kernels.extend([
        accessors.gather(),
        accessors.pick(),
        accessors.fields(),
        accessors.change(),
        accessors.total(),
    ]);
    kernels.extend((facts.lattice.sets.len() > 1).then(|| accessors.sum()));
    kernels.extend((0..2).filter(|&of| plan.rules.are_brought(of)).map(|of| accessors.observe(of)));
    kernels.extend(in_time::kernels(plan));
    kernels.push(accessors.scatter());
    if let Some((function, kernel)) = deriving::last(&pieces) {
        preamble += &function;
        kernels.push(kernel);
    }
    if let Nodes::Box(scheme) = &accessors.nodes {
        kernels.extend(facts.keeps_sent.then(|| accessors.keep_all(scheme)));
        if plan.rules.go_first {
            preamble += &rules::before_a_step(&pieces);
            kernels.extend(accessors.links_first(scheme));
        }
    }
    Ok(Program { preamble, kernels })
}

/// The kernels `leave` and `arrive`, and `leave_in_runs` and `arrive_in_runs`: stored values of single nodes, to where they cross to other parts of a box, and from there.
///
/// # Errors
/// As [`step`](super::step()).
pub fn rims(facts: &Facts, plan: &Plan) -> Result<Program, Error> {
    let pieces = Pieces::of(facts, plan)?;
    let accessors = Accessors::of(&pieces)?;
    Ok(Program { preamble: accessors.preamble(), kernels: accessors.crossing() })
}

impl<'a> Accessors<'a> {
    fn of(pieces: &'a Pieces<'a>) -> Result<Accessors<'a>, Error> {
        let facts = pieces.facts;
        let (nodes, places) = match facts.addressing.listed {
            true => {
                let plan = listed_plan(pieces)?;
                let places = of_list(facts, &plan);
                (Nodes::List(Storage::new(facts, &plan, false), plan), places)
            }
            false => (Nodes::Box(pieces.scheme().before()), pieces.of_box()),
        };
        Ok(Accessors { pieces, nodes, places })
    }

    /// What a text begins with: types, how nodes are found, and where values of a node lie.
    fn preamble(&self) -> String {
        let nodes = match &self.nodes {
            Nodes::Box(scheme) => scheme.functions(),
            Nodes::List(_, plan) => index_type(plan),
        };
        self.pieces.preamble(1.0) + &nodes + &self.place()
    }
}

impl Accessors<'_> {
    /// The names of a node for the functions below, each behind a comma, and their declarations.
    fn node(&self) -> (&'static str, &'static str) {
        match &self.nodes {
            Nodes::Box(_) => (", x, y, z", "const unsigned x, const unsigned y, const unsigned z"),
            Nodes::List(..) => (", node", "const index node"),
        }
    }

    /// What all of them are handed, then these numbers.
    fn parameters(&self, numbers: impl IntoIterator<Item = Resource>) -> Vec<Parameter> {
        let numbers = numbers.into_iter().map(Resource::value);
        [self.pieces.stored().shared()]
            .into_iter()
            .chain(self.places.iter().copied())
            .chain(numbers)
            .collect()
    }

    /// A function of a direction of a node before a step of a phase, up to its brace.
    fn function(&self, about: &str, result: &str, name: &str) -> String {
        let parameters = self.parameters([Resource::Phase, Resource::Direction]);
        let (parameters, (_, node)) = (declared(&parameters), self.node());
        format!(
            "\n// {about}\n__device__ __forceinline__ {result} {name}(\n    {parameters},\n    {node}\n) {{\n"
        )
    }

    /// The call of a function for a direction.
    fn call(&self, name: &str, direction: &str) -> String {
        let places = handed_on(&self.places);
        format!("{name}({}{places}, phase, {direction}{})", self.pieces.stored(), self.node().0)
    }

    /// The statement that brings all populations to `h`.
    fn call_of_all(&self, h: &str) -> String {
        let phase = if self.pieces.facts.period > 1 { ", phase" } else { "" };
        let (stored, places) = (self.pieces.stored(), handed_on(&self.places));
        format!("populations_of({stored}{places}{phase}{}, {h});", self.node().0)
    }

    /// What is declared to find the values of a node's state, and the addresses of those of all phases.
    fn addresses(&self) -> (String, Vec<String>) {
        let (facts, stored) = (self.pieces.facts, self.pieces.stored());
        let (mut text, values) = (String::new(), facts.state_values());
        let cases = || (0..facts.period).flat_map(|phase| (0..values).map(move |i| (phase, i)));
        let accesses = cases().map(|(phase, i)| facts.state_at(i, phase));
        let places: Vec<String> = match &self.nodes {
            Nodes::Box(scheme) => {
                text += &scheme.neighbours(&accesses.clone().map(|access| access.shift).collect(), 1);
                accesses.map(|access| format!("&{stored}[{}]", scheme.offset(access))).collect()
            }
            Nodes::List(storage, plan) => {
                text += &entry(facts, plan, &run_start(plan));
                let bounced = cases().filter_map(|(phase, i)| facts.bounce(i, phase)).map(own);
                let (declared, places) = storage.named(accesses.clone().chain(bounced));
                text += &declared;
                let place = |(phase, i): (usize, usize)| {
                    let (sent, opposite) = (places.at(facts.sent(i, phase)), facts.lattice.opposites[i]);
                    let sent = format!("&{stored}[{sent}]");
                    if opposite == i || !plan.walls.any {
                        return sent;
                    }
                    let there = match facts.bounce(opposite, phase) {
                        Some(slot) => format!("&{stored}[{}]", places.own(slot)),
                        None => format!("&kept[{}]", link(facts, opposite)),
                    };
                    format!("(lost >> {opposite} & 1u ? {there} : {sent})")
                };
                cases().map(place).collect()
            }
        };
        (text, places)
    }

    /// A function that says where the post-collision population of a direction lies, or a moment.
    fn place(&self) -> String {
        let (values, stored) = (self.pieces.facts.state_values(), self.pieces.stored());
        let about = "Where the post-collision population of a direction lies before a step of that phase.";
        let mut text = self.function(about, "stored*", "place");
        let (declared, places) = self.addresses();
        text += &declared;
        put!(text, "switch ({values}u * phase + direction) {{");
        for (case, place) in places.iter().enumerate() {
            put!(text, "case {case}u: return {place};");
        }
        put!(text, "}}");
        put!(text, "return {stored};");
        text + "}\n"
    }

    /// A function that gives the post-collision population of a direction.
    fn population(&self) -> String {
        let about = "The post-collision population of a direction before a step of that phase.";
        let head = self.function(about, "real", "population");
        if self.pieces.halves.is_none() {
            return head + &format!("    return decode(*{});\n}}\n", self.call("place", "direction"));
        };
        let moments = self.pieces.facts.body.moments;
        let mut text = rebuilt::rebuild(self.pieces) + &head;
        put!(text, "real m[{moments}];");
        for n in 0..moments {
            put!(text, "m[{n}] = decode(*{});", self.call("place", &format!("{n}u")));
        }
        put!(text, "switch (direction) {{");
        for i in 0..self.pieces.q {
            put!(text, "case {i}u: return rebuild_{i}(m);");
        }
        put!(text, "}}");
        put!(text, "return 0;");
        text + "}\n"
    }

    /// A function that gives all post-collision populations of a node, each place written out: to choose one of them for every direction
    /// anew would be most of what a compiler has to do for these kernels.
    fn populations(&self) -> String {
        let (facts, q) = (self.pieces.facts, self.pieces.q);
        let mut parameters = self.parameters([Resource::Phase]);
        parameters.retain(|parameter| facts.period > 1 || parameter.resource != Resource::Phase);
        let (parameters, (_, node)) = (declared(&parameters), self.node());
        let mut text =
            "\n// All post-collision populations of a node before a step of that phase.\n".to_owned();
        text += &format!(
            "__device__ __forceinline__ void populations_of(\n    {parameters},\n    {node},\n    double* const h\n) {{\n"
        );
        let (declared, places) = self.addresses();
        text += &declared;
        let of_phase = |phase: usize| {
            let mut text = String::new();
            let values = places[facts.state_values() * phase..].iter().take(facts.state_values()).enumerate();
            if self.pieces.halves.is_none() {
                values.for_each(|(i, place)| put!(text, "h[{i}] = decode(*{place});"));
                return text;
            }
            put!(text, "real m[{}];", facts.body.moments);
            values.for_each(|(n, place)| put!(text, "m[{n}] = decode(*{place});"));
            (0..q).for_each(|i| put!(text, "h[{i}] = rebuild_{i}(m);"));
            text
        };
        for phase in 1..facts.period {
            put!(text, "if (phase == {phase}u) {{");
            text += &of_phase(phase);
            put!(text, "return;");
            put!(text, "}}");
        }
        text + &of_phase(0) + "}\n"
    }

    /// Leaves out stored nodes that are solid: of what these hold nobody asks, and their neighbours may not be stored.
    fn idle(&self, plan: &ListedPlan) -> String {
        let mut text = String::new();
        if plan.walls.idle {
            text += &entry(self.pieces.facts, plan, &run_start(plan));
            put!(text, "if (lost == {}) return;", MaskWord::of(self.pieces.facts).last());
        }
        text
    }

    /// A kernel with its parameters, `own` after those of all, up to where the node is known.
    fn kernel(&self, about: &str, name: &str, own: &[Resource]) -> Kernel {
        let mut parameters = self.parameters([Resource::Phase, Resource::First, Resource::Count]);
        let mut statements = String::new();
        let position = match &self.nodes {
            Nodes::Box(scheme) => position_of("at", &scheme.size),
            Nodes::List(..) => position_of("at", &["nx", "ny", "nz"].map(Expression::name)),
        };
        let threads = match &self.nodes {
            Nodes::Box(_) => {
                let sampled = own.contains(&Resource::Sampling);
                let at = if sampled { "index_of(sampling, first, number)" } else { "first + number" };
                put!(statements, "const size_t number = {BLOCK}ull * blockIdx.x + threadIdx.x, at = {at};");
                put!(statements, "if (number >= count) return;");
                put!(statements, "{position}");
                Resource::Count
            }
            Nodes::List(_, plan) => {
                parameters.push(Resource::Positions.read());
                put!(statements, "const index node = {BLOCK}u * blockIdx.x + threadIdx.x;");
                put!(statements, "if (node >= nodes) return;");
                put!(
                    statements,
                    "// Not in the portion; or, since no box has so many nodes, none of the box."
                );
                let sampled = own.contains(&Resource::Sampling);
                let number = if sampled { "number_of(sampling, at - first)" } else { "at - first" };
                put!(statements, "const size_t at = positions[node], number = {number};");
                put!(statements, "if (number >= count) return;");
                if own.contains(&Resource::Cell(0)) {
                    put!(statements, "{position}");
                }
                statements += &self.idle(plan);
                Resource::Nodes
            }
        };
        parameters.extend(own.iter().map(|&resource| match resource {
            Resource::Values | Resource::Rounded | Resource::Portion | Resource::Counter => {
                resource.written()
            }
            Resource::Solid => resource.read(),
            _ => resource.value(),
        }));
        let threads = Threads::in_rows(BLOCK, Some(1), Grid::Each(threads));
        let mut kernel = Kernel::new(format!("\n// {about}\n"), name, 0, threads, parameters);
        kernel.body = statements;
        kernel
    }

    /// The kernels that do a direction.
    fn of_a_direction(&self) -> Vec<Kernel> {
        let [values, counter] = [Resource::Values, Resource::Counter];
        let cell = [0, 1, 2].map(Resource::Cell);
        let portion = Resource::Portion;
        let of_cell = "x % cx + (size_t)cx * (y % cy + (size_t)cy * (z % cz)) - first";
        let value = format!("{values}[{of_cell}]");
        let place = self.call("place", "direction");
        let expected = match self.pieces.halves {
            None => format!("decode(encode((real){value}))"),
            Some(_) => format!("(real){value}"),
        };
        let found = self.call("population", "direction");
        let count = format!("atomicAdd({counter}, 1ull);");
        let kernel = |about: &str, name: &str, own: &[Resource], statements: &[&str]| {
            let own = [&[Resource::Direction], own].concat();
            let mut kernel = self.kernel(about, name, &own);
            statements.iter().for_each(|statement| put!(kernel.body, "{statement}"));
            kernel
        };
        vec![
            kernel(
                "Populations of a direction, from canonical order, repeated with the period of a cell.",
                "put",
                &[&[portion], &cell[..]].concat(),
                &[&format!("*{place} = {portion}[{of_cell}];")],
            ),
            kernel(
                "Populations of a direction, to canonical order.",
                "get",
                &[portion],
                &[&format!("{portion}[number] = *{place};")],
            ),
            kernel(
                "Counts the populations of a direction that are not those of the cell, bit for bit.",
                "differ",
                &[&[values, counter], &cell[..]].concat(),
                &[
                    &format!("const real expected = {expected};"),
                    &format!("const real found = {found};"),
                    "const unsigned char* const a = reinterpret_cast<const unsigned char*>(&expected);",
                    "const unsigned char* const b = reinterpret_cast<const unsigned char*>(&found);",
                    "bool same = true;",
                    "for (unsigned n = 0; n < sizeof(real); ++n) same = same && a[n] == b[n];",
                    &format!("if (!same) {count}"),
                ],
            ),
            kernel(
                "Counts the populations of a direction that are not finite.",
                "not_finite",
                &[counter, Resource::Sampling],
                &[
                    &format!("const real value = decode(*{place});"),
                    "// Not so for infinities, nor for what is no number.",
                    &format!("if (!(value - value == 0)) {count}"),
                ],
            ),
        ]
    }
}
