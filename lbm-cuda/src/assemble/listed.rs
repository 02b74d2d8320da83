//! The kernels of a time step where nodes are listed: a thread each storage node.
//!
//! Runs of nodes that are all in the bulk are marked; for the others the bits of `missing` say which directions come from walls,
//! and which nodes are no fluid. A box without walls has neither. Nothing of the box's size is baked into the text.

use lbm_core::streaming::Over;
use lbm_core::{Access, Error, Facts, ListedNodes};

use super::boundary::{from_neighbours, of_link};
use super::kernel::{Grid, Kernel, Program, Threads};
use super::listed_places::{Named, Storage, own};
use super::masks::MaskWord;
use super::pieces::Pieces;
use super::plan::{ListedPlan, Work};
use super::resource::{Parameter, Resource};
use super::scheme::put;
use super::transfer::{LEAVING, MEETING};
use super::{node_fields, rules};

/// The kernels of a step.
pub(super) fn listed_step(pieces: &Pieces<'_>) -> Result<Program, Error> {
    let facts = pieces.facts;
    let plan = listed_plan(pieces)?;
    let mut preamble = pieces.preamble(1.0) + &index_type(&plan);
    if !pieces.plan.rules.is_empty() {
        preamble += concat!("\n", include_str!("number_linked.cuh"));
    }
    preamble += &rules::functions(pieces);
    preamble += &pieces.collide();
    let storage = Storage::new(facts, &plan, facts.addressing.group > 1);
    let kernels = facts.pattern.in_order().map(|(phase, pass)| match pass.over {
        Over::Links => exchange(pieces, &storage, &plan, phase),
        _ => step(pieces, &storage, &plan, phase),
    });
    Ok(Program { preamble, kernels: kernels.collect() })
}

/// What is known of the nodes.
pub(super) fn listed_plan(pieces: &Pieces<'_>) -> Result<ListedPlan, Error> {
    let known = pieces.plan.listed.clone();
    known.map_or_else(|| ListedPlan::likely(pieces.facts, pieces.plan.walls), Ok)
}

/// What places are counted in.
pub(super) fn index_type(plan: &ListedPlan) -> String {
    let index = if plan.wide { "size_t" } else { "unsigned" };
    format!("\n// What places in memory are counted in.\ntypedef {index} index;\n")
}

/// The parameters of kernels that find their nodes in a list: sizes, tables with their widths, and what they need of walls.
pub(super) fn of_list(facts: &Facts, plan: &ListedPlan) -> Vec<Parameter> {
    let index = |resource: Resource| resource.index(plan.wide);
    let mut all: Vec<Parameter> = (0..3).map(|axis| index(Resource::Length(axis))).collect();
    all.push(index(Resource::Nodes));
    all.extend((0..plan.widths.len()).flat_map(|n| [Resource::Table(n).read(), index(Resource::Width(n))]));
    if plan.walls.any {
        all.extend([Resource::Runs.read(), MaskWord::of(facts).read(Resource::Missing)]);
    }
    if plan.numbers_links(facts) {
        all.push(Resource::Links.read());
    }
    if plan.walls.moving {
        all.extend([Resource::Walls.read(), Resource::Terms.read()]);
    }
    if facts.keeps_sent {
        all.push(Resource::Kept.written());
    }
    all
}

/// The number of the link of a node along which direction `i` comes back.
pub(super) fn link(facts: &Facts, i: usize) -> String {
    format!("links[entry] + {}", MaskWord::of(facts).rank("lost", i))
}

/// Declares `lost`, and `entry` where links are numbered, of a run that begins at `start`.
pub(super) fn entry(facts: &Facts, plan: &ListedPlan, start: &str) -> String {
    let (run, word) = (plan.walls.run, MaskWord::of(facts));
    let mut text = String::new();
    if !plan.walls.any {
        put!(text, "const {word} lost = {};", word.literal(0));
        return text;
    }
    put!(text, "const unsigned start = {start};");
    let entry = format!("start + (unsigned)(node % {run}u)");
    let at = if plan.numbers_links(facts) {
        put!(text, "const unsigned entry = {entry};");
        "entry"
    } else {
        &entry
    };
    let none = word.literal(0);
    put!(text, "const {word} lost = start == {}u ? {none} : missing[{at}];", ListedNodes::BULK);
    text
}

/// Where the run of a node begins among those with walls.
pub(super) fn run_start(plan: &ListedPlan) -> String {
    format!("runs[node / {}u]", plan.walls.run)
}

/// A kernel up to where `node` is known, and `lost` where walls matter.
fn head(
    pieces: &Pieces<'_>,
    plan: &ListedPlan,
    about: String,
    kind: &str,
    phase: usize,
    needs: Needs,
) -> Kernel {
    let (facts, shape) = (pieces.facts, pieces.plan.shape);
    let of_nodes = match kind {
        "step" => [node_fields::parameters(pieces), rules::parameters(pieces)].concat(),
        _ => Vec::new(),
    };
    // Nodes of a step may be done in any order.
    let in_ranges = pieces.plan.does_ranges() && kind == "step";
    let (grid, of_range) = match in_ranges {
        true => (
            Grid::Blocks,
            vec![Resource::Blocks.read(), Resource::RangeBegin.value(), Resource::RangeEnd.value()],
        ),
        false => (Grid::Each(Resource::Nodes), Vec::new()),
    };
    let parameters = [pieces.parameters(), of_list(facts, plan), of_nodes, of_range].concat();
    let threads = shape.block[0];
    let launched = Threads::in_rows(threads, shape.blocks, grid);
    let mut kernel = Kernel::new(about, format!("{kind}_{phase}"), phase, launched, parameters);
    let text = &mut kernel.body;
    let grouped = facts.addressing.group > 1;
    let block = if in_ranges { "block" } else { "blockIdx.x" };
    if in_ranges {
        put!(text, "const unsigned block = blocks[range_begin + blockIdx.x];");
    }
    if grouped && (needs.neighbours || needs.walls) {
        *text += &at_hand(pieces, plan, needs, block);
    }
    put!(text, "const index node = (index){threads}u * {block} + threadIdx.x;");
    put!(text, "if (node >= nodes) return;");
    if needs.walls {
        let run = plan.walls.run;
        let start = match grouped {
            true => format!("starts[threadIdx.x / {run}u]"),
            false => run_start(plan),
        };
        *text += &entry(facts, plan, &start);
        if plan.walls.idle {
            put!(text, "if (lost == {}) return;", MaskWord::of(facts).last());
        }
    }
    kernel
}

/// What a kernel has to know of its nodes.
#[derive(Clone, Copy)]
struct Needs {
    /// Where neighbours lie.
    neighbours: bool,
    /// Which of them are missing.
    walls: bool,
}

/// Brings what the block's groups have in common into shared memory.
fn at_hand(pieces: &Pieces<'_>, plan: &ListedPlan, needs: Needs, block: &str) -> String {
    let (threads, group) = (pieces.plan.shape.block[0] as usize, pieces.facts.addressing.group);
    let width = plan.widths[0];
    let (groups, values) = (threads / group, threads / group * width);
    let mut text = String::new();
    put!(text, "// What all nodes of a group have in common.");
    put!(text, "const index begin = (index){groups}u * {block}, end = nodes / {group}u;");
    if needs.neighbours {
        put!(text, "__shared__ unsigned rows[{values}];");
        put!(text, "for (unsigned n = threadIdx.x; n < {values}u; n += {threads}u) {{");
        put!(text, "    if (begin + n / {width}u < end) rows[n] = table_0[begin * {width}u + n];");
        put!(text, "}}");
        put!(text, "const unsigned* const row = rows + threadIdx.x / {group}u * {width}u;");
    }
    if needs.walls {
        put!(text, "__shared__ unsigned starts[{groups}];");
        put!(
            text,
            "if (threadIdx.x < {groups}u && begin + threadIdx.x < end) starts[threadIdx.x] = runs[begin + threadIdx.x];"
        );
    }
    put!(text, "__syncthreads();");
    text
}

fn step(pieces: &Pieces<'_>, storage: &Storage, plan: &ListedPlan, phase: usize) -> Kernel {
    let (q, facts, work) = (pieces.q, pieces.facts, pieces.plan.work);
    let (source, target) = (pieces.source(), pieces.target());
    let writes: Vec<Access> = (0..q).map(|i| facts.write(i, phase)).collect();
    let reads: Vec<Access> = match work {
        Work::ReadWrite => writes.clone(),
        _ => (0..q).map(|i| facts.read(i, phase)).collect(),
    };
    let walled = |i: usize| plan.walls.any && facts.lattice.opposites[i] != i;
    // Where a direction that goes into a wall lies, if that is elsewhere; where one that comes from a wall does, and which.
    let into = |i: usize| {
        Some(facts.into_wall(i, phase)).filter(|bounce| walled(i) && bounce.map(own) != Some(writes[i]))
    };
    let bounced = |i: usize| {
        Some(facts.bounce(i, phase)).filter(|bounce| walled(i) && bounce.map(own) != Some(reads[i]))
    };
    // What only reads and writes reads where it writes.
    let in_place = work == Work::ReadWrite;
    let back = |i: usize| if in_place { into(i) } else { bounced(i) };
    let lost_along = |i: usize| if in_place { facts.lattice.opposites[i] } else { i };
    let shifts = || reads.iter().chain(&writes).map(|access| access.shift);
    let needs = Needs {
        neighbours: shifts().any(|shift| shift != [0; 3]),
        walls: plan.walls.any
            && (plan.walls.idle
                || plan.walls.moving
                || (0..q).any(|i| back(i).is_some() || into(i).is_some())),
    };
    let mut about = "\n// A time step, a node each thread.".to_owned();
    if needs.walls {
        about += " Bit i of `missing` says that direction i comes from a wall: it is what\n// the node sent there, and a moving wall adds its term.";
    }
    let mut kernel = head(pieces, plan, about + "\n", "step", phase, needs);
    let text = &mut kernel.body;
    let at_walls = (0..q).flat_map(|i| [back(i), into(i)]).flatten().flatten().map(own);
    let (declared, places) = storage.named(reads.iter().chain(&writes).copied().chain(at_walls));
    *text += &declared;
    put!(text, "// {MEETING}");
    put!(text, "real h[{q}], post[{q}];");
    for (i, &access) in reads.iter().enumerate() {
        let value = value(pieces, source, &places, access, back(i), lost_along(i), "");
        put!(text, "h[{i}] = decode({value});");
    }
    if needs.walls && plan.walls.moving && !in_place {
        *text += &terms(pieces, plan);
    }
    if !in_place {
        *text += &rules::looked_up(pieces, "node", 1);
        *text += &rules::arrived(pieces, &[], 1, |_| "h".to_owned(), rules::kept_beside, pieces.source());
    }
    *text += &node_fields::read(pieces, "node", "nodes", 1);
    put!(text, "collide(h, uniforms.k, {}post);", node_fields::handed(pieces, ""));
    if pieces.in_place() {
        put!(text, "// All has been read before anything is written.");
        put!(text, "asm volatile(\"\" ::: \"memory\");");
    }
    put!(text, "// {LEAVING}");
    for (i, &access) in writes.iter().enumerate() {
        let value = value(pieces, target, &places, access, into(i), facts.lattice.opposites[i], "&");
        put!(text, "{value} = encode(post[{i}]);");
    }
    if !in_place {
        *text += &rules::kept(pieces, "node", 1, |_| "post".to_owned());
    }
    kernel
}

/// The value of a copy at a place; where direction `lost` comes from a wall, that which bounces. To be written it is named by its
/// address, with `&`.
fn value(
    pieces: &Pieces<'_>,
    copy: Resource,
    places: &Named<'_>,
    access: Access,
    bounce: Option<Option<usize>>,
    lost: usize,
    address: &str,
) -> String {
    let at = places.at(access);
    let Some(bounce) = bounce else { return format!("{copy}[{at}]") };
    let Some(slot) = bounce else {
        let either = format!(
            "lost >> {lost} & 1u ? {address}kept[{}] : {address}{copy}[{at}]",
            link(pieces.facts, lost)
        );
        return if address.is_empty() { either } else { format!("*({either})") };
    };
    format!("{copy}[lost >> {lost} & 1u ? {} : {at}]", places.own(slot))
}

/// Adds what moving walls do, where all has been read: few nodes have to, and none shall wait for it between its reads.
fn terms(pieces: &Pieces<'_>, plan: &ListedPlan) -> String {
    let (mut text, facts) = (String::new(), pieces.facts);
    debug_assert!(plan.numbers_links(facts));
    put!(text, "if (lost) {{");
    put!(text, "    // Moving walls add their terms.");
    put!(text, "    unsigned link = links[entry];");
    for (i, _) in from_neighbours(pieces) {
        let back = of_link(pieces, &format!("h[{i}]"), "link++", i);
        put!(text, "    if (lost >> {i} & 1u) h[{i}] = {back};");
    }
    put!(text, "}}");
    text
}

/// The exchange along every second link of a node, of which both ends must be there.
fn exchange(pieces: &Pieces<'_>, storage: &Storage, plan: &ListedPlan, phase: usize) -> Kernel {
    let (facts, stored) = (pieces.facts, pieces.stored());
    let pairs: Vec<usize> = (0..facts.lattice.q()).filter(|&i| i < facts.lattice.opposites[i]).collect();
    let ends = |i: &usize| facts.ends(*i, phase);
    let needs = Needs { neighbours: true, walls: plan.walls.any };
    let about = "\n// Neighbours exchange opposite populations.\n".to_owned();
    let mut kernel = head(pieces, plan, about, "exchange", phase, needs);
    let text = &mut kernel.body;
    let (declared, named) = storage.named(pairs.iter().flat_map(ends));
    *text += &declared;
    put!(text, "stored here[{0}], there[{0}];", pairs.len());
    // Without the neighbour the node's own value is read twice, and stays.
    let places = pairs.iter().map(|i| {
        let [here, there] = ends(i).map(|access| named.at(access).to_string());
        match plan.walls.any {
            false => (here, there),
            true => {
                let either = format!("lost >> {} & 1u ? {here} : {there}", facts.lattice.opposites[*i]);
                (here, either)
            }
        }
    });
    let places: Vec<(String, String)> = places.collect();
    for (n, (here, there)) in places.iter().enumerate() {
        put!(text, "here[{n}] = {stored}[{here}], there[{n}] = {stored}[{there}];");
    }
    put!(text, "asm volatile(\"\" ::: \"memory\");");
    for (n, (here, there)) in places.iter().enumerate() {
        put!(text, "{stored}[{here}] = there[{n}];");
        put!(text, "{stored}[{there}] = here[{n}];");
    }
    kernel
}
