//! Several steps of moments in one pass over memory.
//!
//! A block marches through the planes of its part of the box, a column a thread. What it reads is a plane's moments; of these
//! it makes, as one step does, those of the plane below a step later, which stay in registers; of those, with the next plane, the
//! plane below, another step later; and the last it stores. Populations go to the columns beside by shuffles along x and through
//! shared memory along y. Between the moment when a warp has sent and that when it needs what others sent, it does what there is
//! to do of another step, so that warps hardly ever wait for each other (`meeting.cuh`). The columns at the block's sides get
//! what nobody sent, and each step spoils one column more, so as many at each side as there are steps only serve the others, and
//! store nothing. So do as many planes at each end.

use super::boundary::within_step;
use super::column::Column;
use super::kernel::{Grid, Kernel, Threads};
use super::march::met;
use super::meeting::Exchange;
use super::pieces::Pieces;
use super::plan::Work;
use super::rebuilt::Becomes;
use super::scheme::{AXES, Scheme, put};
use super::shape::{March, exchange};
use super::walls_in_march::{AtPlane, Near, WallsInMarch};

/// The kernel `steps_0`.
pub(super) fn several_steps(pieces: &Pieces<'_>, March { axis, .. }: March) -> Kernel {
    let (facts, plan, scheme) = (pieces.facts, pieces.plan, &pieces.scheme());
    let (steps, along) = (plan.shape.steps(), AXES[axis]);
    let own = if plan.walls { &within_step(pieces)[..] } else { &[] };
    let exchange = plan.shape.exchange(facts, axis);
    let about = format!(
        "{}\n// {steps} time steps: each block marches along {along} through its part of the box. Threads at its sides only serve\n// \
         the others.\n",
        exchange.functions()
    );
    let steps_of_march = SeveralSteps::new(pieces, scheme, exchange, axis);
    let shared_bytes = steps_of_march.shared_bytes();
    let threads = Threads { shared_bytes, grid: Grid::Parts, ..Threads::of(plan.shape) };
    let mut kernel = Kernel::new(about, "steps_0", 0, threads, pieces.parameters_and(own));
    kernel.steps = steps;
    kernel.march_through_parts(scheme, axis);
    kernel.body += &match plan.work {
        Work::Step => steps_of_march.march(),
        _ => steps_of_march.column.read_and_write(),
    };
    kernel
}

/// The march, as its parts know it.
struct SeveralSteps<'a> {
    pieces: &'a Pieces<'a>,
    column: Column<'a>,
    exchange: Exchange<'a>,
    /// What each step does about walls.
    walls: Vec<WallsInMarch<'a>>,
    /// The directions that go up a plane.
    ups: Vec<usize>,
}

impl<'a> SeveralSteps<'a> {
    fn new(
        pieces: &'a Pieces<'a>,
        scheme: &'a Scheme,
        exchange: Exchange<'a>,
        axis: usize,
    ) -> SeveralSteps<'a> {
        let (shape, others) = (pieces.plan.shape, exchange.values());
        let of_step = |step| WallsInMarch { pieces, scheme, shape, nodes: 1, axis, step, others };
        let walls: Vec<_> = (0..shape.steps()).map(of_step).collect();
        SeveralSteps {
            pieces,
            column: Column { pieces, scheme, axis },
            exchange,
            ups: walls[0].directions(1),
            walls,
        }
    }

    /// Bytes of shared memory that a block takes.
    fn shared_bytes(&self) -> u32 {
        match self.pieces.plan.walls {
            true => self.walls[0].bytes(),
            false => (self.exchange.values() * self.pieces.facts.precision.arithmetic.bytes()) as u32,
        }
    }

    fn march(&self) -> String {
        let (walls, moments, q) = (self.pieces.plan.walls, self.pieces.facts.body.moments, self.pieces.q);
        let (mut text, steps) = (String::new(), self.walls.len());
        if self.shared_bytes() > 0 {
            put!(text, "{}", exchange(self.pieces.facts));
        }
        if walls {
            text += &self.walls[0].declared();
        }
        for step in &self.walls {
            let (end, waiting, ups) = (step.end(), self.pieces.halves().parts.waiting, self.ups.len());
            put!(text, "real waiting{end}[{waiting}] = {{}}, rising{end}[{ups}] = {{}};");
            if walls {
                text += &step.waiting();
            }
        }
        (1..steps).for_each(|s| put!(text, "real state_{s}[{moments}] = {{}};"));
        (1..steps).for_each(|s| put!(text, "real h_{s}[{q}] = {{}};"));
        text += &self.exchange.opened();
        put!(text, "real next[{moments}];");
        if walls {
            text += &self.walls[0].declared_next();
        }
        put!(text, "{{");
        put!(text, "    const unsigned first = {};", self.column.plane("0u", 0));
        self.column.read(&mut text, "    ", "first", "next");
        if walls {
            text += &self.walls[0].read_next("first", "    ");
            text += &self.walls[0].find_next("    ");
        }
        put!(text, "}}");
        text += "#pragma unroll 1\n";
        put!(
            text,
            "for (unsigned number = 0; number < end - begin + {}u; ++number) {{",
            self.pieces.plan.shape.lag()
        );
        text += &self.exchange.turned();
        if walls && self.walls[0].lists() {
            put!(text, "    special = special << 1 | special_next;");
        }
        let mut otherwise = "    ";
        for (near, is_near) in
            self.walls[0].nearest(&self.column.plane("number", 0)).into_iter().filter(|_| walls)
        {
            put!(text, "{otherwise}if ({is_near}) {{");
            text += &self.plane_of_all(near);
            otherwise = "    } else ";
        }
        if walls {
            put!(text, "{otherwise}{{");
        }
        text += &self.plane_of_all(Near::Nothing);
        if walls {
            put!(text, "    }}");
        }
        put!(text, "}}");
        text
    }

    /// What all steps do when a plane was read, for a warp that is near something.
    fn plane_of_all(&self, near: Near) -> String {
        let (mut text, steps, walls) = (String::new(), self.walls.len(), self.pieces.plan.walls);
        put!(text, "    // The first step, with the plane that was read.");
        put!(text, "    real h_0[{}];", self.pieces.q);
        let comes = |i: usize, beside: &str| self.taken_from_beside(0, i, beside, near);
        text += &self.exchange.sent(0, "next", &comes, &self.staying(0, 0, near));
        put!(text, "    {{");
        put!(text, "        // Read now what the next plane begins with.");
        put!(text, "        const unsigned following = {};", self.column.plane("number + 1u", 0));
        self.column.read(&mut text, "        ", "following", "next");
        if walls {
            text += &self.walls[0].read_next("following", "        ");
        }
        put!(text, "    }}");
        // The later steps first: what they make goes, and what the one before makes takes its place.
        (1..steps).rev().for_each(|s| text += &self.step(s, near));
        if walls {
            text += &self.walls[0].find_next("    ");
        }
        text + &self.step(0, near)
    }

    /// What a step does with a plane.
    fn step(&self, s: usize, near: Near) -> String {
        let (facts, last) = (self.pieces.facts, self.walls.len() - 1);
        let (mut text, moments, walls) = (String::new(), facts.body.moments, &self.walls[s]);
        text += &self.exchange.taken(s, &|i, from| self.taken_from_other_rows(s, i, from, near));
        if near == Near::Walls {
            let across = self.exchange.directions(true);
            let own = |i: usize, _| format!("at[{}]", self.exchange.own(s, i));
            text +=
                &walls.back_from_walls(&across, &self.at_plane("number", 2 * s, 2 * s), false, &own, "    ");
        }
        put!(text, "    real after_{s}[{moments}];");
        put!(text, "    late(waiting_{s}, h_{s}, uniforms.k, after_{s});");
        if near == Near::Walls {
            text += &walls.solid(Becomes::Moments, 2 * s, "    ");
        }
        if s == last {
            text += &self.column.leave(&format!("after_{s}"), "    ");
        }
        text += &met("early", &self.ups, "", &walls.end());
        if s < last {
            let state = format!("state_{}", s + 1);
            for n in 0..moments {
                // As if it had been stored in between.
                let value = format!("after_{s}[{n}]");
                let value = if facts.precision.plain { value } else { format!("decode(encode({value}))") };
                put!(text, "    {state}[{n}] = {value};");
            }
            let comes = |i: usize, beside: &str| self.taken_from_beside(s + 1, i, beside, near);
            text += &self.exchange.sent(s + 1, &state, &comes, &self.staying(s + 1, 1, near));
        }
        text
    }

    /// Takes what comes along a direction within the row of the block; at a side of the box it comes back.
    fn taken_from_beside(&self, s: usize, i: usize, beside: &str, near: Near) -> String {
        let (walls, opposite) = (&self.walls[s], self.pieces.facts.lattice.opposites[i]);
        let taken = format!("h_{s}[{i}] = ");
        let missing = walls.at_side(i).filter(|_| near != Near::Nothing);
        let Some(missing) = missing else { return format!("{taken}{beside};") };
        let back = format!("leaving[{opposite}]");
        match walls.rise(i) {
            0 => format!("{{ const real beside = {beside}; {taken}{missing} ? {back} : beside; }}"),
            1 => format!("{taken}{beside}; if ({missing}) {} = {back};", walls.target(i, 0, "")),
            _ => {
                let [waits, later] = [true, false].map(|below| walls.back(i, 0, below));
                let beside = format!("const real beside = {beside};");
                format!(
                    "{{ {beside} {taken}{missing} ? {waits} : beside; if ({missing}) {later} = {back}; }}"
                )
            }
        }
    }

    /// The same of what other rows have sent, which lies beside what this one did.
    fn taken_from_other_rows(&self, s: usize, i: usize, from: i32, near: Near) -> String {
        let (walls, opposite) = (&self.walls[s], self.pieces.facts.lattice.opposites[i]);
        let taken = format!("h_{s}[{i}] = ");
        let missing = walls.at_side(i).filter(|_| near != Near::Nothing);
        let Some(missing) = missing else { return format!("{taken}at[{from}];") };
        let own = self.exchange.own(s, opposite);
        match walls.rise(i) {
            0 => format!("{taken}at[{missing} ? {own} : {from}];"),
            1 => format!("{taken}at[{from}]; if ({missing}) {} = at[{own}];", walls.target(i, 0, "")),
            // What the plane below sent lies in the other half, until more is sent.
            _ => format!("{taken}*({missing} ? at_next + {own} : at + {from});"),
        }
    }

    /// What comes back from walls of what stays in the row of the block, in the plane that a step is sent so many planes before it
    /// meets it.
    fn staying(&self, s: usize, later: usize, near: Near) -> String {
        if near != Near::Walls {
            return String::new();
        }
        let number = if later == 0 { "number".to_owned() } else { format!("number + {later}u") };
        let plane = self.at_plane(&number, 2 * s, 2 * s - later);
        let directions = self.exchange.directions(false);
        self.walls[s].back_from_walls(
            &directions,
            &plane,
            s == 0,
            &|i, _| format!("leaving[{i}]"),
            "        ",
        )
    }

    /// The plane with a number, so many planes below; how many that is below the one read last.
    fn at_plane(&self, number: &str, planes: usize, below: usize) -> AtPlane {
        let (along, size) =
            (format!("({})", self.column.plane(number, planes)), &self.column.scheme.size[self.column.axis]);
        let (first, last) = (format!("{along} == 0u"), format!("{along} + 1u == {size}"));
        AtPlane { after_last: first.clone(), first, last, along, below }
    }
}
