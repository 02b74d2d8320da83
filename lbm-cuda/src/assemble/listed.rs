//! The kernels of a time step where nodes are listed: a thread each storage node.
//!
//! Runs of nodes that are all in the bulk are marked; for the others the bits of `missing` say which directions come from walls,
//! and which nodes are no fluid. A box without walls has neither. Nothing of the box's size is baked into the text.

use lbm_core::{Access, Domain, Error, Facts, Sites};

use super::listed_places::{Storage, own};
use super::scheme::{line, signature};
use super::shape::Shape;
use super::step::{Pieces, Plan, Work, collide, memories, preamble};

/// What a text for listed nodes is assembled for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ListedPlan {
    /// Threads a block, along x.
    pub shape: Shape,
    /// What is done with the nodes.
    pub work: Work,
    /// Whether places in copies and tables have 64 bits: where 32 do not suffice, and in one copy, where the compiler then needs
    /// fewer registers for the places of what it has read.
    pub wide: bool,
    /// Numbers a row of each table.
    pub widths: Vec<usize>,
    /// What the box has of walls.
    pub walls: ListedWalls,
}

impl ListedPlan {
    /// That of a box of which no more is known: walls may move, and places have as few bits as the pattern allows.
    ///
    /// # Errors
    /// As [`Sites::of`].
    pub fn of(facts: &Facts, plan: &Plan) -> Result<ListedPlan, Error> {
        let sites = Sites::of(facts, &Domain::periodic(facts.addressing.granule))?;
        Ok(ListedPlan {
            shape: plan.shape,
            work: plan.work,
            wide: facts.copies == 1,
            widths: sites.listing.tables.iter().map(|table| table.width).collect(),
            walls: ListedWalls { any: plan.walls, idle: plan.walls, moving: plan.walls, run: sites.run },
        })
    }
}

/// What a box has of walls, as far as a text depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListedWalls {
    /// Whether a node misses a neighbour, or is no fluid.
    pub any: bool,
    /// Whether a storage node is no fluid.
    pub idle: bool,
    /// Whether a wall moves.
    pub moving: bool,
    /// Nodes of a run.
    pub run: usize,
}

/// The names of the kernels of [`listed_step`]'s text, in the order in which they run in a step: pass after pass, of each one a
/// phase.
#[must_use]
pub fn listed_kernels(facts: &Facts) -> Vec<Vec<String>> {
    let phases = |kind: &str| (0..facts.period).map(|phase| format!("{kind}_{phase}")).collect();
    facts.pattern.swaps().then_some("exchange").into_iter().chain(["step"]).map(phases).collect()
}

/// The text of these kernels.
///
/// # Errors
/// As [`step`](super::step).
pub fn listed_step(facts: &Facts, plan: &ListedPlan) -> Result<String, Error> {
    let pieces = Pieces::of(facts)?;
    let mut text = preamble(&pieces, 1.0);
    text += &index_type(plan);
    text += &collide(&pieces, plan.work);
    let storage = Storage::new(facts, plan, facts.addressing.group > 1);
    for phase in 0..facts.period {
        if facts.pattern.swaps() {
            text += &exchange(facts, &storage, plan, phase);
        }
        text += &step(facts, &pieces, &storage, plan, phase);
    }
    Ok(text)
}

/// What places are counted in.
pub(super) fn index_type(plan: &ListedPlan) -> String {
    let index = if plan.wide { "size_t" } else { "unsigned" };
    format!("\n// What places in memory are counted in.\ntypedef {index} index;\n")
}

/// What every kernel is told of the storage: sizes, and tables with their widths.
pub(super) fn told(plan: &ListedPlan) -> Vec<String> {
    let sizes = ["nx", "ny", "nz", "nodes"].map(|name| format!("const index {name}"));
    let tables = (0..plan.widths.len())
        .flat_map(|n| [format!("const unsigned* __restrict__ table_{n}"), format!("const index width_{n}")]);
    sizes.into_iter().chain(tables).collect()
}

/// What every kernel is told of walls.
pub(super) fn told_of_walls(facts: &Facts, plan: &ListedPlan) -> Vec<String> {
    let mut all = Vec::new();
    if plan.walls.any {
        all.push("const unsigned* __restrict__ runs");
        all.push("const unsigned* __restrict__ missing");
    }
    if numbers_links(facts, plan) {
        all.push("const unsigned* __restrict__ links");
    }
    if plan.walls.moving {
        all.push("const unsigned short* __restrict__ walls");
        all.push("const real* __restrict__ terms");
    }
    if facts.keeps_sent {
        all.push("stored* __restrict__ kept");
    }
    all.into_iter().map(str::to_owned).collect()
}

/// Whether a kernel has to know the numbers of links.
pub(crate) fn numbers_links(facts: &Facts, plan: &ListedPlan) -> bool {
    plan.walls.any && (plan.walls.moving || facts.keeps_sent)
}

/// The number of the link of a node along which direction `i` comes back.
pub(super) fn link(i: usize) -> String {
    format!("links[site] + __popc(lost & {}u)", (1u32 << i) - 1)
}

/// Declares `lost`, and `site` where links are numbered, of a run that begins at `start`.
pub(super) fn site(facts: &Facts, plan: &ListedPlan, start: &str) -> String {
    let run = plan.walls.run;
    let mut text = String::new();
    if !plan.walls.any {
        line(&mut text, format_args!("const unsigned lost = 0u;"));
        return text;
    }
    line(&mut text, format_args!("const unsigned start = {start};"));
    let site = format!("start + (unsigned)(node % {run}u)");
    let at = if numbers_links(facts, plan) {
        line(&mut text, format_args!("const unsigned site = {site};"));
        "site"
    } else {
        &site
    };
    line(&mut text, format_args!("const unsigned lost = start == {}u ? 0u : missing[{at}];", Sites::BULK));
    text
}

/// The head of a kernel up to where `node` is known, and `lost` where walls matter.
fn head(facts: &Facts, plan: &ListedPlan, kind: &str, phase: usize, needs: Needs) -> String {
    let mut parameters = match facts.copies {
        1 => vec!["stored* const populations".to_owned()],
        _ => {
            let copies = ["const stored* __restrict__ source", "stored* __restrict__ target"];
            copies.map(str::to_owned).into()
        }
    };
    parameters.push("const Uniforms uniforms".to_owned());
    parameters.extend(told(plan));
    parameters.extend(told_of_walls(facts, plan));
    let threads = plan.shape.block[0];
    let bounds =
        plan.shape.blocks.map_or_else(|| threads.to_string(), |blocks| format!("{threads}, {blocks}"));
    let names: Vec<&str> = parameters.iter().map(String::as_str).collect();
    let mut text = signature(&bounds, &format!("{kind}_{phase}"), &names);
    if plan.work == Work::Nothing {
        return text;
    }
    let grouped = facts.addressing.group > 1;
    if grouped && (needs.neighbours || needs.walls) {
        text += &at_hand(facts, plan, needs);
    }
    line(&mut text, format_args!("const index node = (index){threads}u * blockIdx.x + threadIdx.x;"));
    line(&mut text, format_args!("if (node >= nodes) return;"));
    if needs.walls {
        let run = plan.walls.run;
        let start = match grouped {
            true => format!("starts[threadIdx.x / {run}u]"),
            false => format!("runs[node / {run}u]"),
        };
        text += &site(facts, plan, &start);
        if plan.walls.idle {
            line(&mut text, format_args!("if (lost == {}u) return;", Sites::IDLE));
        }
    }
    text
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
fn at_hand(facts: &Facts, plan: &ListedPlan, needs: Needs) -> String {
    let (threads, group, width) = (plan.shape.block[0] as usize, facts.addressing.group, plan.widths[0]);
    let (groups, values) = (threads / group, threads / group * width);
    let mut text = String::new();
    line(&mut text, format_args!("// What all nodes of a group have in common."));
    line(
        &mut text,
        format_args!("const index begin = (index){groups}u * blockIdx.x, end = nodes / {group}u;"),
    );
    if needs.neighbours {
        line(&mut text, format_args!("__shared__ unsigned rows[{values}];"));
        line(&mut text, format_args!("for (unsigned n = threadIdx.x; n < {values}u; n += {threads}u) {{"));
        line(
            &mut text,
            format_args!("    if (begin + n / {width}u < end) rows[n] = table_0[begin * {width}u + n];"),
        );
        line(&mut text, format_args!("}}"));
        line(
            &mut text,
            format_args!("const unsigned* const row = rows + threadIdx.x / {group}u * {width}u;"),
        );
    }
    if needs.walls {
        line(&mut text, format_args!("__shared__ unsigned starts[{groups}];"));
        line(
            &mut text,
            format_args!(
                "if (threadIdx.x < {groups}u && begin + threadIdx.x < end) starts[threadIdx.x] = runs[begin + threadIdx.x];"
            ),
        );
    }
    line(&mut text, format_args!("__syncthreads();"));
    text
}

fn step(facts: &Facts, pieces: &Pieces, storage: &Storage, plan: &ListedPlan, phase: usize) -> String {
    let q = pieces.q;
    let (source, target) = memories(facts);
    let writes: Vec<Access> = (0..q).map(|i| facts.write(i, phase)).collect();
    let reads: Vec<Access> = match plan.work {
        Work::ReadWrite => writes.clone(),
        _ => (0..q).map(|i| facts.read(i, phase)).collect(),
    };
    let walled = |i: usize| plan.walls.any && facts.lattice.opposites[i] != i;
    // Where a direction that goes into a wall lies, if that is elsewhere; where one that comes from a wall does, and which.
    let into = |i: usize| {
        Some(facts.into_wall(i, phase))
            .filter(|bounce| walled(i) && bounce.slot().map(own) != Some(writes[i]))
    };
    let bounced = |i: usize| {
        Some(facts.bounce(i, phase)).filter(|bounce| walled(i) && bounce.slot().map(own) != Some(reads[i]))
    };
    // What only reads and writes reads where it writes.
    let in_place = plan.work == Work::ReadWrite;
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
    let mut text = "\n// A time step, a node each thread.".to_owned();
    if needs.walls {
        text += " Bit i of `missing` says that direction i comes from a wall: it is what\n// the node sent there, and a moving wall adds its term.";
    }
    text += "\n";
    text += &head(facts, plan, "step", phase, needs);
    if plan.work == Work::Nothing {
        return text + "}\n";
    }
    let at_walls = (0..q).flat_map(|i| [back(i), into(i)]).filter_map(|bounce| bounce?.slot()).map(own);
    let (declared, places) = storage.named(reads.iter().chain(&writes).copied().chain(at_walls));
    text += &declared;
    line(&mut text, format_args!("// Populations that meet here."));
    line(&mut text, format_args!("real h[{q}], post[{q}];"));
    for (i, &access) in reads.iter().enumerate() {
        let (at, from_wall) = (places.at(access), format!("lost >> {} & 1u", lost_along(i)));
        match back(i) {
            None => line(&mut text, format_args!("h[{i}] = decode({source}[{at}]);")),
            Some(bounce) => match bounce.slot() {
                Some(slot) => {
                    let own = places.own(slot);
                    line(&mut text, format_args!("h[{i}] = decode({source}[{from_wall} ? {own} : {at}]);"));
                }
                None => line(
                    &mut text,
                    format_args!(
                        "h[{i}] = decode({from_wall} ? kept[{}] : {source}[{at}]);",
                        link(lost_along(i))
                    ),
                ),
            },
        }
    }
    if needs.walls && plan.walls.moving && !in_place {
        text += &terms(facts, plan);
    }
    line(&mut text, format_args!("collide(h, uniforms.k, post);"));
    if facts.copies == 1 {
        line(&mut text, format_args!("// All has been read before anything is written."));
        line(&mut text, format_args!("asm volatile(\"\" ::: \"memory\");"));
    }
    line(&mut text, format_args!("// Populations that leave."));
    for (i, &access) in writes.iter().enumerate() {
        let (at, opposite) = (places.at(access), facts.lattice.opposites[i]);
        let into_wall = format!("lost >> {opposite} & 1u");
        match into(i) {
            None => line(&mut text, format_args!("{target}[{at}] = encode(post[{i}]);")),
            Some(bounce) => match bounce.slot() {
                Some(slot) => {
                    let own = places.own(slot);
                    line(
                        &mut text,
                        format_args!("{target}[{into_wall} ? {own} : {at}] = encode(post[{i}]);"),
                    );
                }
                None => line(
                    &mut text,
                    format_args!(
                        "*({into_wall} ? &kept[{}] : &{target}[{at}]) = encode(post[{i}]);",
                        link(opposite)
                    ),
                ),
            },
        }
    }
    text + "}\n"
}

/// Adds what moving walls do, where all has been read: few nodes have to, and none shall wait for it between its reads.
fn terms(facts: &Facts, plan: &ListedPlan) -> String {
    debug_assert!(numbers_links(facts, plan));
    let mut text = String::new();
    line(&mut text, format_args!("if (lost) {{"));
    line(&mut text, format_args!("    // Moving walls add their terms."));
    line(&mut text, format_args!("    unsigned link = links[site];"));
    for (i, _) in facts.lattice.opposites.iter().enumerate().filter(|&(i, &opposite)| i != opposite) {
        let term = super::boundary::term(facts, "link++", i);
        line(&mut text, format_args!("    if (lost >> {i} & 1u) h[{i}] = h[{i}] + {term};"));
    }
    line(&mut text, format_args!("}}"));
    text
}

/// The exchange along every second link of a node, of which both ends must be there.
fn exchange(facts: &Facts, storage: &Storage, plan: &ListedPlan, phase: usize) -> String {
    let pairs: Vec<usize> = (0..facts.lattice.q()).filter(|&i| i < facts.lattice.opposites[i]).collect();
    let ends = |i: &usize| facts.ends(*i, phase);
    let needs = Needs { neighbours: true, walls: plan.walls.any };
    let mut text = format!(
        "\n// Neighbours exchange opposite populations.\n{}",
        head(facts, plan, "exchange", phase, needs)
    );
    if plan.work == Work::Nothing {
        return text + "}\n";
    }
    let (declared, named) = storage.named(pairs.iter().flat_map(ends));
    text += &declared;
    line(&mut text, format_args!("stored here[{0}], there[{0}];", pairs.len()));
    // Without the neighbour the node's own value is read twice, and stays.
    let places = |i: &usize| {
        let [here, there] = ends(i).map(|access| named.at(access));
        let there = match plan.walls.any {
            false => there.to_string(),
            true => format!("lost >> {} & 1u ? {here} : {there}", facts.lattice.opposites[*i]),
        };
        (here.to_string(), there)
    };
    for (n, (here, there)) in pairs.iter().map(places).enumerate() {
        line(&mut text, format_args!("here[{n}] = populations[{here}], there[{n}] = populations[{there}];"));
    }
    line(&mut text, format_args!("asm volatile(\"\" ::: \"memory\");"));
    for (n, (here, there)) in pairs.iter().map(places).enumerate() {
        line(&mut text, format_args!("populations[{here}] = there[{n}];"));
        line(&mut text, format_args!("populations[{there}] = here[{n}];"));
    }
    text + "}\n"
}
