//! Kernels beside the time step: populations in and out in canonical order, a comparison, and the fields.
//!
//! They are a text of their own, since they speak f64 whatever the variant computes in.

use super::arithmetic::ArithmeticText;
use super::boundary::keep;
use super::listed::ListedPlan;
use super::listed_service::listed_service;
use super::rebuilt;
use super::scheme::{Scheme, line, signature};
use super::step::{Pieces, Plan, preamble, told, told_on};
use lbm_core::facts::Arithmetics;
use lbm_core::{DeviceText, Error, Facts};

/// Threads a block of these kernels. That a multiprocessor needs room for one block only leaves the compiler all registers;
/// else a few bytes are spilled here and there.
pub(crate) const SERVICE_BLOCK: u32 = 256;

/// The text of the kernels `put`, `get`, `differ`, `not_finite` and `fields`, and `keep` where it is needed.
///
/// All but `fields` go through `planes` planes of direction `direction` from plane `first` on; where moments are stored, those of
/// `put`, `get` and `not_finite` are moment number `direction`. The f64 values of `put` and `differ` are those of a cell that repeats itself in the box (or is the box), from that plane of the cell on.
///
/// # Errors
/// As [`step`](super::step).
pub fn service(facts: &Facts, plan: &Plan) -> Result<String, Error> {
    if facts.addressing.listed {
        return listed_service(facts, &ListedPlan::of(facts, plan)?);
    }
    let pieces = Pieces::of(facts)?;
    // Populations are where the last step left them.
    let scheme = Scheme::new(facts, plan.size).before();
    let mut text = preamble(&pieces, 1.0);
    if facts.pattern.moves() {
        text += &scheme.rings(facts);
    }
    text += &place(facts, &scheme, plan);
    text += &population(facts, &pieces, plan)?;
    let [nx, ny, _] = scheme.size.clone().map(|n| n.to_string());
    let names = told_on(facts, plan);
    let start = format!(
        "    const size_t number = {SERVICE_BLOCK}ull * blockIdx.x + threadIdx.x;\n\
         \x20   if (number >= planes * (size_t){nx} * {ny}) return;\n\
         \x20   const unsigned x = number % {nx}, y = number / {nx} % {ny}, z = number / {nx} / {ny} + first;\n"
    );
    let value = "values[x % cx + (size_t)cx * (y % cy + (size_t)cy * (z % cz - first % cz))]";
    let head = |about: &str, name: &str, own: &[&str], cell: bool| {
        let mut parameters = own.to_vec();
        parameters.extend(told(facts, plan));
        parameters.extend(PORTION);
        if cell {
            parameters.extend(CELL);
        }
        format!("\n// {about}\n{}{start}", signature(&format!("{SERVICE_BLOCK}, 1"), name, &parameters))
    };
    text += &head(
        "Populations of a direction, from canonical order, repeated with the period of a cell.",
        "put",
        &["const double* __restrict__ values", "stored* __restrict__ populations"],
        true,
    );
    text +=
        &format!("    populations[place(phase, direction, x, y, z{names})] = encode((real){value});\n}}\n");
    text += &head(
        "Populations of a direction, to canonical order.",
        "get",
        &["const stored* __restrict__ populations", "double* __restrict__ values"],
        false,
    );
    text +=
        &format!("    values[number] = decode(populations[place(phase, direction, x, y, z{names})]);\n}}\n");
    text += &head(
        "Counts the populations of a direction that are not those of the cell, bit for bit.",
        "differ",
        &[
            "const double* __restrict__ values",
            "const stored* __restrict__ populations",
            "unsigned long long* __restrict__ count",
        ],
        true,
    );
    let expected = match facts.pattern.stores_moments() {
        false => format!("decode(encode((real){value}))"),
        true => format!("(real){value}"),
    };
    text += &format!(
        "    const real expected = {expected};\n\
         \x20   const real found = population(populations, phase, direction, x, y, z{names});\n\
         \x20   const unsigned char* const a = reinterpret_cast<const unsigned char*>(&expected);\n\
         \x20   const unsigned char* const b = reinterpret_cast<const unsigned char*>(&found);\n\
         \x20   bool same = true;\n\
         \x20   for (unsigned n = 0; n < sizeof(real); ++n) same = same && a[n] == b[n];\n\
         \x20   if (!same) atomicAdd(count, 1ull);\n}}\n"
    );
    text += &head(
        "Counts the populations of a direction that are not finite.",
        "not_finite",
        &["const stored* __restrict__ populations", "unsigned long long* __restrict__ count"],
        false,
    );
    text += &format!(
        "    const real value = decode(populations[place(phase, direction, x, y, z{names})]);\n\
         \x20   // Not so for infinities, nor for what is no number.\n\
         \x20   if (!(value - value == 0)) atomicAdd(count, 1ull);\n}}\n"
    );
    if facts.keeps_sent {
        text += &keep_all(facts, &scheme, plan, &names);
    }
    text += &fields(facts, &pieces, &scheme, plan, &names);
    Ok(text)
}

/// The names of the kernels of [`service`]'s text; the last is there where the pattern needs it.
#[must_use]
pub fn service_kernels(facts: &Facts) -> Vec<String> {
    let keep = (facts.keeps_sent && !facts.addressing.listed).then_some("keep");
    ["put", "get", "differ", "not_finite", "fields"].into_iter().chain(keep).map(str::to_owned).collect()
}

/// The kernel that keeps what the listed nodes at walls have sent into them, from the populations as they are.
fn keep_all(facts: &Facts, scheme: &Scheme, plan: &Plan, names: &str) -> String {
    let mut parameters = vec!["const stored* __restrict__ populations", "stored* __restrict__ kept"];
    parameters.extend(told(facts, plan));
    parameters.extend(["const unsigned phase", "const unsigned count"]);
    parameters.extend([
        "const unsigned* __restrict__ nodes",
        "const unsigned* __restrict__ missing",
        "const unsigned* __restrict__ links",
    ]);
    let [nx, ny, _] = &scheme.size;
    let mut text = format!(
        "\n// Keeps what `count` listed nodes have sent into walls.\n{}",
        signature(&format!("{SERVICE_BLOCK}, 1"), "keep", &parameters)
    );
    line(&mut text, format_args!("const unsigned number = {SERVICE_BLOCK}u * blockIdx.x + threadIdx.x;"));
    line(&mut text, format_args!("if (number >= count) return;"));
    line(&mut text, format_args!("const unsigned index = nodes[number], lost = missing[number];"));
    line(
        &mut text,
        format_args!("const unsigned x = index % {nx}, y = index / {nx} % {ny}, z = index / {nx} / {ny};"),
    );
    line(&mut text, format_args!("unsigned link;"));
    text += &keep(facts, |opposite| format!("populations[place(phase, {opposite}u, x, y, z{names})]"));
    text + "}\n"
}

/// The parameters that name some planes of a direction.
const PORTION: [&str; 4] =
    ["const unsigned phase", "const unsigned direction", "const unsigned first", "const unsigned planes"];

/// The parameters that give a cell's size.
const CELL: [&str; 3] = ["const unsigned cx", "const unsigned cy", "const unsigned cz"];

/// A function that gives the post-collision population of a direction before a step of a phase.
fn population(facts: &Facts, pieces: &Pieces, plan: &Plan) -> Result<String, Error> {
    let mut parameters = vec!["const stored* const populations"];
    parameters.extend(PLACE);
    parameters.extend(told(facts, plan));
    let head = format!(
        "\n// The post-collision population of a direction before a step of that phase.\n\
         __device__ __forceinline__ real population(\n    {}\n) {{\n",
        parameters.join(",\n    ")
    );
    let names = told_on(facts, plan);
    let Some(halves) = rebuilt::halves(facts)? else {
        return Ok(
            head + &format!("    return decode(populations[place(phase, direction, x, y, z{names})]);\n}}\n")
        );
    };
    let mut text = rebuilt::rebuild(facts, pieces, &halves) + &head;
    line(&mut text, format_args!("real m[{}];", facts.body.moments));
    for n in 0..facts.body.moments {
        line(&mut text, format_args!("m[{n}] = decode(populations[place(phase, {n}u, x, y, z{names})]);"));
    }
    line(&mut text, format_args!("switch (direction) {{"));
    for i in 0..pieces.q {
        line(&mut text, format_args!("case {i}u: return rebuild_{i}(m);"));
    }
    line(&mut text, format_args!("}}"));
    line(&mut text, format_args!("return 0;"));
    Ok(text + "}\n")
}

/// The parameters that name a direction of a node.
const PLACE: [&str; 5] = [
    "const unsigned phase",
    "const unsigned direction",
    "const unsigned x",
    "const unsigned y",
    "const unsigned z",
];

/// A function that says where the post-collision population of a direction lies before a step of a phase, or a moment.
fn place(facts: &Facts, scheme: &Scheme, plan: &Plan) -> String {
    let mut parameters = PLACE.to_vec();
    parameters.extend(told(facts, plan));
    let mut text = format!(
        "\n// Where the post-collision population of a direction lies before a step of that phase.\n\
         __device__ __forceinline__ size_t place(\n    {}\n) {{\n",
        parameters.join(",\n    ")
    );
    let values = facts.state_values();
    let all = || (0..facts.period).flat_map(|phase| (0..values).map(move |i| (phase, i)));
    text += &scheme.neighbours(&all().map(|(phase, i)| facts.state_at(i, phase).shift).collect(), 1);
    line(&mut text, format_args!("switch ({values}u * phase + direction) {{"));
    for (phase, i) in all() {
        let offset = scheme.offset(facts.state_at(i, phase));
        line(&mut text, format_args!("case {}u: return {offset};", values * phase + i));
    }
    line(&mut text, format_args!("}}"));
    line(&mut text, format_args!("return 0;"));
    text + "}\n"
}

fn fields(facts: &Facts, pieces: &Pieces, scheme: &Scheme, plan: &Plan, names: &str) -> String {
    let q = pieces.q;
    let wide = ArithmeticText::of(Arithmetics::F64);
    let mut parameters = vec!["const stored* __restrict__ populations", "double* __restrict__ values"];
    parameters.extend(told(facts, plan));
    parameters.extend([
        "const unsigned phase",
        "const Force force",
        "const size_t first",
        "const size_t count",
    ]);
    let mut text = format!(
        "\n// Fields are computed in f64, as on the CPU.\nnamespace wide {{\n{}\n\
         __device__ __forceinline__ void macroscopic(const real (&h)[{q}], const real (&force)[3], real (&fields)[4]) {{\n{}}}\n}}\n\n\
         struct Force {{ double component[3]; }};\n\n\
         // Density and velocity of `count` nodes from node `first` on, in the order x, y, z.\n{}",
        wide.prelude(),
        DeviceText::numbers(pieces.body.macroscopic, |x| wide.literal(x)),
        signature(&format!("{SERVICE_BLOCK}, 1"), "fields", &parameters),
    );
    let [nx, ny, _] = &scheme.size;
    line(&mut text, format_args!("const size_t number = {SERVICE_BLOCK}ull * blockIdx.x + threadIdx.x;"));
    line(&mut text, format_args!("if (number >= count) return;"));
    line(&mut text, format_args!("const size_t index = first + number;"));
    line(
        &mut text,
        format_args!("const unsigned x = index % {nx}, y = index / {nx} % {ny}, z = index / {nx} / {ny};"),
    );
    line(&mut text, format_args!("double h[{q}], rho_u[4] = {{0.0, 0.0, 0.0, 0.0}};"));
    for i in 0..q {
        line(&mut text, format_args!("h[{i}] = population(populations, phase, {i}u, x, y, z{names});"));
    }
    line(&mut text, format_args!("wide::macroscopic(h, force.component, rho_u);"));
    line(&mut text, format_args!("for (unsigned n = 0; n < 4; ++n) values[4 * number + n] = rho_u[n];"));
    text + "}\n"
}
