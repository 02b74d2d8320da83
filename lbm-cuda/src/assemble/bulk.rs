//! A pass over all nodes of a box in any order: the step itself, or what populations do before it.

use std::collections::BTreeSet;

use lbm_core::Expression;

use super::kernel::{Grid, Kernel, Threads};
use super::pieces::Pieces;
use super::plan::Plan;
use super::resource::{Parameter, Resource};
use super::scheme::{AXES, Scheme, along_rows, each_of, extent_of, minus, put};
use super::shape::Shape;
use super::transfer::{AtWalls, Transfer};
use super::walls_in_bulk::WallsInBulk;
use super::{link_rules, node_fields, rules};

/// A kernel, which is handed this beside, up to where threads know their nodes, and the conditions under which they must write nothing. Threads of one node stop.
pub(super) fn head(
    pieces: &Pieces<'_>,
    scheme: &Scheme,
    about: &str,
    name: &str,
    of_nodes: &[Parameter],
    walls: AtWalls,
    phase: usize,
) -> (Kernel, Vec<String>) {
    let (plan, mut said) = (pieces.plan, String::new());
    let own = match walls {
        AtWalls::Nothing => Vec::new(),
        AtWalls::Left => {
            said = skipped(phase);
            vec![Resource::Skip.read()]
        }
        AtWalls::Met => WallsInBulk::parameters(pieces),
    };
    let about = format!("\n// {about}{said}\n");
    let mut threads = Threads::of(plan.shape);
    let range = of_range(scheme, &mut threads);
    let parameters = pieces.parameters_and(&[of_nodes, &own, &range].concat());
    let mut kernel = Kernel::new(about, format!("{name}_{phase}"), phase, threads, parameters);
    let mut outside = position(&mut kernel.body, scheme, plan, 0..3);
    if plan.shape.nodes == 1 {
        kernel.body += &stop_if(&outside);
        outside.clear();
    }
    (kernel, outside)
}

/// What a kernel is handed, and goes over, of which a launch does a range of planes, if it does.
pub(super) fn of_range(scheme: &Scheme, threads: &mut Threads) -> Vec<Parameter> {
    match (scheme.range, threads.grid) {
        (Some(_), Grid::Box(shape)) => {
            threads.grid = Grid::Range(shape);
            vec![Resource::RangeBegin.value(), Resource::RangeEnd.value()]
        }
        _ => Vec::new(),
    }
}

/// Threads stop under any of these conditions.
pub(super) fn stop_if(conditions: &[String]) -> String {
    let mut text = String::new();
    if !conditions.is_empty() {
        put!(text, "if ({}) return;", conditions.join(" || "));
    }
    text
}

/// The kernel of a transfer.
pub(super) fn bulk(pieces: &Pieces<'_>, transfer: &Transfer, phase: usize) -> Kernel {
    let scheme = pieces.scheme().in_ranges(pieces.plan.ranges_along(pieces.facts));
    bulk_in(pieces, scheme, transfer, phase)
}

/// The same where places are those of a scheme.
pub(super) fn bulk_in(pieces: &Pieces<'_>, scheme: Scheme, transfer: &Transfer, phase: usize) -> Kernel {
    let (plan, nodes) = (pieces.plan, pieces.plan.shape.nodes);
    let about = match nodes {
        1 => format!("{}, a node each thread.", transfer.about),
        _ => format!("{}, {nodes} nodes side by side each thread.", transfer.about),
    };
    // What takes coefficients collides.
    let collides = transfer.work.is_some_and(|(_, has_coefficients)| has_coefficients);
    let of_nodes = match (collides, transfer.derives) {
        (false, _) => Vec::new(),
        (true, 0) => node_fields::parameters(pieces),
        // Threads read what they do not write.
        _ => vec![Resource::NodeFields.shared()],
    };
    let (mut kernel, mut outside) =
        head(pieces, &scheme, &about, transfer.name, &of_nodes, transfer.walls, phase);
    let walls = (transfer.walls == AtWalls::Met).then(|| WallsInBulk::new(pieces, &scheme, phase));
    let text = &mut kernel.body;
    if nodes > 1 {
        *text += &pack_ends(&scheme, plan);
    }

    *text += &scheme.neighbours(&shifts(transfer, walls.as_ref(), nodes), nodes);
    put!(text, "// {}", transfer.values[0]);
    let count = extent_of(nodes);
    let nth = |of: &str, k: usize| if nodes == 1 { of.to_owned() } else { format!("{of}[{k}]") };
    let (values, results, taken) = match transfer.work {
        Some(_) if transfer.derives > 0 => {
            ("derived", format!(", derived{count}[{}]", transfer.derives), transfer.reads.len())
        }
        Some(_) => ("post", format!(", post{count}[{}]", transfer.writes.len()), transfer.reads.len()),
        None => ("h", String::new(), pieces.q),
    };
    put!(text, "real h{count}[{taken}]{results};");
    if let Some(walls) = &walls {
        *text += &walls.declared();
    }
    read(text, pieces, &scheme, transfer, walls.as_ref());
    if let Some(walls) = &walls {
        *text += &rules::looked_up(pieces, "index", nodes);
        for k in 0..nodes {
            *text += &link_rules::asked_for(pieces, k, |i| walls.sent_at(i, k));
        }
        *text += &walls.met();
        let sent = |k: usize, i: usize| walls.sent_of(i, k);
        *text += &rules::arrived(pieces, &outside, nodes, |k| nth("h", k), sent, pieces.source());
        outside.extend(walls.all_solid());
    }
    *text += &worked(pieces, &scheme, transfer, collides, values);
    if transfer.walls == AtWalls::Left {
        put!(text, "const size_t pack = {};", scheme.number(AXES.map(Expression::name), nodes));
        outside.push(SKIPPED.to_owned());
    }
    if transfer.derives > 0 {
        *text += &(stop_if(&outside) + &node_fields::written(pieces, &scheme, nodes, 0));
        return kernel;
    }
    if let Some(walls) = &walls {
        *text += &walls.emptied();
    }
    let writes_shifted = nodes > 1 && transfer.writes_along_x();
    if writes_shifted {
        *text += &idle(&outside);
    } else {
        *text += &stop_if(&outside);
    }
    if pieces.in_place() {
        put!(text, "// All has been read before anything is written.");
        put!(text, "asm volatile(\"\" ::: \"memory\");");
    }
    put!(text, "// {}", transfer.values[1]);
    let idle = (writes_shifted && !outside.is_empty()).then_some("if (idle) return;");
    write(text, pieces, &scheme, transfer, values, idle);
    if let Some(walls) = &walls {
        *text += &walls.kept();
        *text += &rules::kept(pieces, "index", nodes, |k| nth("post", k));
    }
    kernel
}

/// How far away the places lie that a thread reads and writes.
fn shifts(transfer: &Transfer, walls: Option<&WallsInBulk<'_>>, nodes: usize) -> BTreeSet<[i32; 3]> {
    let back = walls.map(WallsInBulk::accesses).unwrap_or_default();
    let all = || {
        transfer.reads.iter().chain(&transfer.writes).map(|&(_, access)| access).chain(back.iter().copied())
    };
    let mut shifts: BTreeSet<[i32; 3]> = all().map(|access| access.shift).collect();
    if nodes > 1 {
        // The packs themselves are aligned; what lies beside them is one value.
        shifts.extend(all().map(|access| along_rows(access).shift));
    }
    shifts
}

/// What is made of the values that were read.
fn worked(pieces: &Pieces<'_>, scheme: &Scheme, transfer: &Transfer, collides: bool, values: &str) -> String {
    let (mut text, nodes) = (String::new(), pieces.plan.shape.nodes);
    let Some((function, _)) = transfer.work else { return text };
    text += &match (collides, transfer.derives) {
        (false, _) => String::new(),
        (true, 0) => node_fields::read_at(pieces, scheme, nodes),
        _ => node_fields::read_set(pieces, scheme, nodes),
    };
    for n in each_of(nodes) {
        let handed = || format!("uniforms.k, {}", node_fields::handed(pieces, &n));
        put!(text, "{function}(h{n}, {}{values}{n});", if collides { handed() } else { String::new() });
    }
    text
}

/// Reads values, of packs from the threads beside too.
fn read(
    text: &mut String,
    pieces: &Pieces<'_>,
    scheme: &Scheme,
    transfer: &Transfer,
    walls: Option<&WallsInBulk<'_>>,
) {
    let (nodes, source) = (pieces.plan.shape.nodes, pieces.source());
    for &(i, access) in &transfer.reads {
        let at = scheme.offset(access);
        let one = walls.map_or_else(|| format!("&{source}[{at}]"), |walls| walls.chosen(i, &at.to_string()));
        if nodes == 1 {
            match one.strip_prefix('&') {
                Some(one) => put!(text, "h[{i}] = decode({one});"),
                None => put!(text, "h[{i}] = decode(*({one}));"),
            }
            continue;
        }
        let pack = scheme.offset(along_rows(access));
        match access.shift[0] {
            0 => put!(text, "read(h, {i}, &{source}[{pack}]);"),
            -1 => put!(text, "read_from_west(h, {i}, &{source}[{pack}], {one}, first);"),
            1 => put!(text, "read_from_east(h, {i}, &{source}[{pack}], {one}, last);"),
            _ => unreachable!("longer shifts have one node a thread"),
        }
    }
}

/// Writes values; between those that go to the threads beside and the others, threads may stop.
fn write(
    text: &mut String,
    pieces: &Pieces<'_>,
    scheme: &Scheme,
    transfer: &Transfer,
    values: &str,
    stop: Option<&str>,
) {
    let (nodes, target) = (pieces.plan.shape.nodes, pieces.target());
    // Threads exchange what crosses their packs while all of them are there.
    let (shifted, unshifted): (Vec<_>, Vec<_>) =
        transfer.writes.iter().copied().partition(|(_, access)| nodes > 1 && access.shift[0] != 0);
    for (i, access) in shifted {
        let at = scheme.offset(access);
        let pack = scheme.offset(along_rows(access));
        let way = if access.shift[0] > 0 { "east" } else { "west" };
        put!(
            text,
            "write_to_{way}(&{target}[{pack}], &{target}[{at}], {values}, {i}, first_out, last_out, idle);"
        );
    }
    if let Some(stop) = stop {
        put!(text, "{stop}");
    }
    for (i, access) in unshifted {
        let at = scheme.offset(access);
        if nodes == 1 {
            put!(text, "{target}[{at}] = encode({values}[{i}]);");
        } else {
            put!(text, "write(&{target}[{at}], {values}, {i});");
        }
    }
}

/// Whether a kernel leaves the nodes of `pack` to another.
pub(super) const SKIPPED: &str = "skip[pack >> 5] >> (pack & 31u) & 1u";

/// What is said of nodes that a kernel leaves to another.
pub(super) fn skipped(phase: usize) -> String {
    format!(" Nodes whose bit of `skip` is set are left to `boundary_{phase}`.")
}

/// Declares the coordinates along these axes. Where the grid is larger than the box, or than the range of it that a launch does, threads beyond do the work of the last ones; gives the
/// conditions under which a thread is one of them, and so must write nothing.
pub(super) fn position(
    text: &mut String,
    scheme: &Scheme,
    plan: &Plan,
    axes: impl IntoIterator<Item = usize>,
) -> Vec<String> {
    let Shape { nodes, block, .. } = plan.shape;
    let grid = plan.size.map(|size| plan.shape.grid(size));
    let mut outside = Vec::new();
    for axis in axes {
        let (name, pack) = (AXES[axis], if axis == 0 { nodes } else { 1 });
        let is_range = scheme.range == Some(axis);
        let blocks = match grid {
            Some(grid) if grid[axis] == 1 && !is_range => Expression::from(0),
            _ => Expression::name(scheme.block(name)),
        };
        let thread = match block[axis] {
            1 => Expression::from(0),
            _ => Expression::name(format!("threadIdx.{name}")),
        };
        let value = Expression::from(pack) * (Expression::from(block[axis] as usize) * blocks + thread);
        let (value, divides) = match is_range {
            true => (Expression::name("range_begin") + value, block[axis] == 1),
            false => (value, plan.size.is_some_and(|size| plan.shape.divides(size, axis))),
        };
        if divides {
            put!(text, "const unsigned {name} = {value};");
        } else {
            let last = if is_range { "range_end - 1u".to_owned() } else { minus(&scheme.size[axis], pack) };
            put!(text, "const unsigned {name}_thread = {value};");
            put!(text, "const unsigned {name} = {name}_thread <= {last} ? {name}_thread : {last};");
            outside.push(format!("{name} != {name}_thread"));
        }
    }
    outside
}

/// Declares `first` and `last`: whether the thread beside, which has the neighbours along x, is out of a shuffle's reach.
pub(super) fn pack_ends(scheme: &Scheme, plan: &Plan) -> String {
    let Shape { nodes, block: [width, height, _], .. } = plan.shape;
    let (mut first, mut last) = (vec!["lane == 0u".to_owned()], vec!["lane == 31u".to_owned()]);
    let lane = if width.is_multiple_of(32) {
        "threadIdx.x & 31u".to_owned()
    } else {
        // Rows of the box end within a warp.
        first.push("threadIdx.x == 0u".to_owned());
        last.push(format!("threadIdx.x == {}u", width - 1));
        format!("(threadIdx.x + {width}u * (threadIdx.y + {height}u * threadIdx.z)) & 31u")
    };
    if !plan.size.is_some_and(|size| plan.shape.divides(size, 0)) {
        last.push(format!("x + {nodes}u >= {}", scheme.size[0]));
    }
    let mut text = String::new();
    put!(text, "// Neighbours along x are with the thread beside, if that is in this warp and row.");
    put!(text, "const unsigned lane = {lane};");
    put!(text, "const bool first = {}, last = {};", first.join(" || "), last.join(" || "));
    text
}

/// Declares `idle`, `first_out` and `last_out`: whether this thread writes nothing, and whether the ones beside it write
/// nothing to its packs.
fn idle(outside: &[String]) -> String {
    let mut text = String::new();
    if outside.is_empty() {
        put!(text, "const bool idle = false, first_out = first, last_out = last;");
        return text;
    }
    put!(text, "const bool idle = {};", outside.join(" || "));
    put!(text, "const int idle_west = __shfl_up_sync(0xffffffffu, (int)idle, 1);");
    put!(text, "const int idle_east = __shfl_down_sync(0xffffffffu, (int)idle, 1);");
    put!(text, "const bool first_out = first || idle_west != 0, last_out = last || idle_east != 0;");
    text
}
