//! Kernels beside the time step where nodes are listed: populations in and out in canonical order, a comparison, and the fields.

use lbm_core::facts::Arithmetics;
use lbm_core::{DeviceText, Error, Facts, Listing, Sites};

use super::arithmetic::ArithmeticText;
use super::listed::{ListedPlan, index_type, link, site, told, told_of_walls};
use super::listed_places::{Storage, own};
use super::scheme::{line, signature};
use super::service::SERVICE_BLOCK;
use super::step::Pieces;

/// The text of the kernels `put`, `get`, `differ`, `not_finite` and `fields`.
///
/// Each goes over all storage nodes; `positions` has their indices in the box. All but `fields` do direction `direction`. The f64
/// values of `put` and `differ` are those of a cell that repeats itself in the box, or is the box; those of `get` and `fields`
/// are of the box.
///
/// # Errors
/// As [`step`](super::step).
pub fn listed_service(facts: &Facts, plan: &ListedPlan) -> Result<String, Error> {
    let pieces = Pieces::of(facts)?;
    let mut text = pieces.arithmetic.prelude();
    text += &pieces.storage(1.0);
    text += &index_type(plan);
    text += &place(facts, plan);
    let names = names(facts, plan);
    let found = format!("*place(populations{names}, phase, direction, node)");
    let value = "values[x % cx + (size_t)cx * (y % cy + (size_t)cy * (z % cz))]";
    let at = "const unsigned x = at % nx, y = at / nx % ny, z = at / nx / ny;";
    let mut kernel = |about: &str, name: &str, own: &[&str], body: &[&str]| {
        text += &format!("\n// {about}\n");
        text += &head(facts, plan, name, own);
        body.iter().for_each(|statement| line(&mut text, format_args!("{statement}")));
        text += "}\n";
    };
    let values =
        ["const double* __restrict__ values", "const unsigned cx", "const unsigned cy", "const unsigned cz"];
    let count = "unsigned long long* __restrict__ count";
    kernel(
        "Populations of a direction, from canonical order, repeated with the period of a cell.",
        "put",
        &values,
        &[at, &format!("{found} = encode((real){value});")],
    );
    kernel(
        "Populations of a direction, to canonical order.",
        "get",
        &["double* __restrict__ values"],
        &[&format!("values[at] = decode({found});")],
    );
    kernel(
        "Counts the populations of a direction that are not those of the cell, bit for bit.",
        "differ",
        &[values[0], values[1], values[2], values[3], count],
        &[
            at,
            &format!("const real expected = decode(encode((real){value})), found = decode({found});"),
            "const unsigned char* const a = reinterpret_cast<const unsigned char*>(&expected);",
            "const unsigned char* const b = reinterpret_cast<const unsigned char*>(&found);",
            "bool same = true;",
            "for (unsigned n = 0; n < sizeof(real); ++n) same = same && a[n] == b[n];",
            "if (!same) atomicAdd(count, 1ull);",
        ],
    );
    kernel(
        "Counts the populations of a direction that are not finite.",
        "not_finite",
        &[count],
        &[
            &format!("const real value = decode({found});"),
            "// Not so for infinities, nor for what is no number.",
            "if (!(value - value == 0)) atomicAdd(count, 1ull);",
        ],
    );
    text += &fields(facts, &pieces, plan, &names);
    Ok(text)
}

/// The parameters that all of these kernels have, behind their own.
fn parameters(facts: &Facts, plan: &ListedPlan) -> Vec<String> {
    told(plan).into_iter().chain(told_of_walls(facts, plan)).collect()
}

/// The names of these parameters, each behind a comma.
fn names(facts: &Facts, plan: &ListedPlan) -> String {
    let all = parameters(facts, plan);
    all.iter()
        .filter_map(|parameter| parameter.split(' ').next_back())
        .map(|name| format!(", {name}"))
        .collect()
}

/// The head of a kernel up to where `node`, `at` and `lost` are known.
fn head(facts: &Facts, plan: &ListedPlan, name: &str, own: &[&str]) -> String {
    let mut all =
        vec!["stored* const populations".to_owned(), "const unsigned* __restrict__ positions".to_owned()];
    all.extend(own.iter().map(|&parameter| parameter.to_owned()));
    all.extend(parameters(facts, plan));
    all.extend(["const unsigned phase", "const unsigned direction"].map(str::to_owned));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut text = signature(&format!("{SERVICE_BLOCK}, 1"), name, &all);
    line(&mut text, format_args!("const index node = {SERVICE_BLOCK}u * blockIdx.x + threadIdx.x;"));
    line(&mut text, format_args!("if (node >= nodes) return;"));
    line(&mut text, format_args!("const unsigned at = positions[node];"));
    line(&mut text, format_args!("if (at == {}u) return;", Listing::PADDING));
    if plan.walls.idle {
        text += &site(facts, plan, &run_start(plan));
        line(&mut text, format_args!("if (lost == {}u) return;", Sites::IDLE));
    }
    text
}

/// Where the run of a node begins among those with walls.
fn run_start(plan: &ListedPlan) -> String {
    format!("runs[node / {}u]", plan.walls.run)
}

/// A function that says where the post-collision population of a direction lies before a step of a phase.
fn place(facts: &Facts, plan: &ListedPlan) -> String {
    let (q, storage) = (facts.lattice.q(), Storage::new(facts, plan, false));
    let mut all = vec!["stored* const populations".to_owned()];
    all.extend(parameters(facts, plan));
    all.extend(["const unsigned phase", "const unsigned direction", "const index node"].map(str::to_owned));
    let mut text = format!(
        "\n// Where the post-collision population of a direction lies before a step of that phase.\n\
         __device__ __forceinline__ stored* place(\n    {}\n) {{\n",
        all.join(",\n    ")
    );
    text += &site(facts, plan, &run_start(plan));
    let cases = || (0..facts.period).flat_map(|phase| (0..q).map(move |i| (phase, i)));
    let bounced = cases().filter_map(|(phase, i)| facts.bounce(i, phase).slot()).map(own);
    let (declared, places) = storage.named(cases().map(|(phase, i)| facts.sent(i, phase)).chain(bounced));
    text += &declared;
    line(&mut text, format_args!("switch ({q}u * phase + direction) {{"));
    for (phase, i) in cases() {
        let (sent, opposite) = (places.at(facts.sent(i, phase)), facts.lattice.opposites[i]);
        let case = q * phase + i;
        if opposite == i || !plan.walls.any {
            line(&mut text, format_args!("case {case}u: return &populations[{sent}];"));
            continue;
        }
        let there = match facts.bounce(opposite, phase).slot() {
            Some(slot) => format!("&populations[{}]", places.own(slot)),
            None => format!("&kept[{}]", link(opposite)),
        };
        line(
            &mut text,
            format_args!("case {case}u: return lost >> {opposite} & 1u ? {there} : &populations[{sent}];"),
        );
    }
    line(&mut text, format_args!("}}"));
    line(&mut text, format_args!("return populations;"));
    text + "}\n"
}

fn fields(facts: &Facts, pieces: &Pieces, plan: &ListedPlan, names: &str) -> String {
    let q = pieces.q;
    let wide = ArithmeticText::of(Arithmetics::F64);
    let mut text = format!(
        "\n// Fields are computed in f64, as on the CPU.\nnamespace wide {{\n{}\n\
         __device__ __forceinline__ void macroscopic(const real (&h)[{q}], const real (&force)[3], real (&fields)[4]) {{\n{}}}\n}}\n\n\
         struct Force {{ double component[3]; }};\n\n\
         // Density and velocity of all nodes.\n{}",
        wide.prelude(),
        DeviceText::numbers(pieces.body.macroscopic, |x| wide.literal(x)),
        head(facts, plan, "fields", &["double* __restrict__ values", "const Force force"]),
    );
    line(&mut text, format_args!("double h[{q}], rho_u[4] = {{0.0, 0.0, 0.0, 0.0}};"));
    for i in 0..q {
        line(&mut text, format_args!("h[{i}] = decode(*place(populations{names}, phase, {i}u, node));"));
    }
    line(&mut text, format_args!("wide::macroscopic(h, force.component, rho_u);"));
    line(&mut text, format_args!("for (unsigned n = 0; n < 4; ++n) values[4 * (size_t)at + n] = rho_u[n];"));
    text + "}\n"
}
