//! A pattern's arrays and passes in words.

use lbm_core::Facts;
use lbm_core::crossings::crossings;
use lbm_core::streaming::{Array, Cut, Holds, Motion, Order, Over, Pass, Program, Span, Towards};

use super::super::show::stored_bytes;
use super::figure;

/// All that there is to say of a pattern, as Markdown.
pub(super) fn section(facts: &Facts, about: &str) -> String {
    let pattern = &facts.pattern;
    let mut text = format!("## `{pattern}`\n\n{about}\n\n");
    text += "| array | holds | values | copies | places |\n|---|---|---|---|---|\n";
    for (n, array) in pattern.arrays.iter().enumerate() {
        let Array { copies, .. } = array;
        text += &format!(
            "| {n} | {} | {} | {copies} | {} |\n",
            held(array),
            values(facts, array),
            motion(facts, array)
        );
    }
    text += "\n";
    let phases = pattern.passes.len();
    for phase in 0..phases {
        let passes: Vec<String> = pattern.passes(phase).iter().map(pass).collect();
        let when = if phases == 1 { "A step".to_owned() } else { format!("Step {phase} of {phases}") };
        text += &format!("{when}: {}.\n", passes.join("; then "));
    }
    let (stored, moved) = (stored_bytes(facts), facts.bytes_per_update());
    let on_device = facts.streaming.steps_at_once.filter(|&steps| steps > 1);
    let on_device = on_device.map_or(String::new(), |steps| format!(", {} on a device", moved / steps));
    text += &format!(
        "It stores {stored:.1} bytes a node and moves {moved} an update{on_device}. {}\n\n",
        walls(facts)
    );
    text + &figure::of_two_steps(facts)
}

fn held(array: &Array) -> &'static str {
    match array.holds {
        Holds::Populations => "populations",
        Holds::Moments => "moments",
    }
}

fn values(facts: &Facts, array: &Array) -> String {
    match (array.span, array.holds) {
        (Span::Nodes, Holds::Populations) => format!("{} a node", facts.lattice.q()),
        (Span::Nodes, Holds::Moments) => format!("{} a node", facts.body.moments),
        (Span::Crossings(cut), _) => match facts.blocks() {
            Some(blocks) => {
                let [nx, ny, _] = blocks.extent;
                format!("{} a block of {nx} x {ny} nodes", blocks.ghosts)
            }
            None => {
                let all = crossings(facts, cut, 0);
                let across = |axis: usize| all.iter().filter(|crossing| crossing.axis == axis).count();
                format!("{} ny + {} nx", across(0), across(1))
            }
        },
    }
}

fn motion(facts: &Facts, array: &Array) -> String {
    match array.motion {
        Motion::Still => "stay".to_owned(),
        Motion::Along(u64::MAX) => "each slot turns by its velocity".to_owned(),
        Motion::Along(_) => "some slots turn by their velocities".to_owned(),
        Motion::Planes(_) => {
            // A box whose planes are easily counted.
            let drift = facts.drift([1, 16, 1]);
            let ways =
                facts.rings.towards.iter().map(|way| towards(*way)).collect::<Vec<_>>().join(", then ");
            format!(
                "move {ways}, by {} planes a step in a box of 16, of {} stored",
                drift.spare, drift.stored
            )
        }
    }
}

fn towards(way: Towards) -> &'static str {
    match way {
        Towards::Down => "down",
        Towards::Up => "up",
    }
}

fn pass(pass: &Pass) -> String {
    let over = match pass.over {
        Over::Nodes => "over nodes",
        Over::Links => "over links",
        Over::Crossings(Cut::Faces) => "over what crosses the faces of the box",
        Over::Crossings(Cut::Blocks(_)) => "over what crosses the faces of blocks",
        Over::Crossings(Cut::Planes) => "over the plane that is overwritten first",
    };
    let done = match pass.program {
        Program::Collide => "collide",
        Program::Send => "send",
        Program::Swap => "exchange",
        Program::Move => "move",
    };
    let order = match pass.order {
        Order::Any => "in any order".to_owned(),
        Order::Blocks(_) => "block by block".to_owned(),
        Order::Planes(way) => format!("plane by plane, {}wards", towards(way)),
    };
    let arrays = match (pass.reads, pass.writes) {
        ([read], write) if *read == write => format!("in array {write}"),
        ([read], write) => format!("from array {read} to {write}"),
        (reads, write) => {
            let all: Vec<String> = reads.iter().map(usize::to_string).collect();
            format!("from arrays {} to {write}", all.join(" and "))
        }
    };
    format!("{done} {over}, {arrays}, {order}")
}

/// Where what is sent into a wall waits.
fn walls(facts: &Facts) -> &'static str {
    match (facts.pattern.stores_moments(), facts.keeps_sent) {
        (true, _) => "What comes back from a wall is rebuilt from the node's own moments.",
        (_, true) => "What is sent into a wall is kept beside the populations, one value a link.",
        (_, false) => "What is sent into a wall is read back from where it was written.",
    }
}
