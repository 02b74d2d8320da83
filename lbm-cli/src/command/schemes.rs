//! `lbm schemes`: what each streaming pattern stores, and what its steps read and write. The page `docs/schemes.md` is what it prints.

mod figure;
mod words;

use clap::Args;
use lbm_core::{Error, Facts};

use super::print_line;
use crate::variants;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print only these patterns
    pattern: Vec<String>,
}

/// A sentence or two on each built-in pattern: what it is for. All else on the page follows from its arrays, passes and reads.
const ABOUT: [(&str, &str); 13] = [
    (
        "two-lattice-pull",
        "The plain way. A node gathers what its neighbours sent from one copy and writes its own place in the other.",
    ),
    (
        "two-lattice-push",
        "Its mirror image: a node reads its own place in one copy and writes to its neighbours in the other.",
    ),
    (
        "aa",
        "One copy. Even steps stay within the node and leave each population in the slot of its opposite; odd steps gather from the \
         neighbours and scatter to them. Bailey et al. 2009.",
    ),
    (
        "esoteric-twist",
        "One copy. A direction that comes down an axis is read one node up that axis, so that a node touches one square, or cube, of \
         nodes only. Geier & Schoenherr 2017.",
    ),
    (
        "esoteric-pull",
        "One copy. Of each pair of opposite directions one is read in the node and the other at its upstream neighbour. Lehmann 2022.",
    ),
    ("esoteric-push", "The mirror image of `esoteric-pull`. Lehmann 2022."),
    (
        "swap",
        "One copy. A node stays within itself and leaves each population in the slot of its opposite; before the next step the two ends of \
         each link exchange their contents. Latt 2007; Valero-Lara 2017.",
    ),
    (
        "ccas",
        "One copy. Each slot is a ring in memory that turns by its velocity, so that a population travels while it stays where it is. What \
         crosses the faces of the box comes in at a wrong node and is put right before the step. Dethier et al. 2011; Khani & Wu.",
    ),
    (
        "ghost",
        "One copy, in blocks. A block reads all that its nodes need before it writes anything; what crosses between blocks is copied beside \
         them before the step. Valero-Lara 2017.",
    ),
    (
        "moments",
        "Two copies of moments. A node rebuilds each population from the moments of the node that it comes from. Vardhan et al. 2019.",
    ),
    (
        "moments-ring",
        "One copy of moments that moves down through a few more planes than the box has: planes are done upwards, and a new one lies where \
         nobody reads any more. After Gounley et al. 2022.",
    ),
    (
        "moments-two-steps",
        "`moments`, of which a device does two steps in one pass over memory. It changes no bit.",
    ),
    (
        "thread-safe",
        "One copy of moments, and room for populations on their way: all nodes send what they rebuild from their moments, then all nodes \
         collide what has come. Montessori et al.",
    ),
];

const INTRODUCTION: &str = "\
# Streaming patterns

Who reads and writes what, on D2Q9 in single precision. `lbm schemes` prints this page, and one pattern with `lbm schemes NAME`: all
but the sentences below each heading follows from the pattern's arrays, passes and reads, from which kernels follow too.

Nine nodes are drawn, each with a place for every slot: where the slot's velocity points to. An arrow is a population that moves that
way, `o` the one at rest. It stands at the place where the node in the middle reads it before the collision, or writes it after the
collision. `M` is a moment. Two places with the same letter exchange their contents. `A` and `B` are the two copies. Bytes are those of a
node in a box of 8192 x 8192.
";

/// Prints patterns.
pub(super) fn schemes(arguments: &Arguments) -> Result<bool, Error> {
    if arguments.pattern.is_empty() {
        print_line(schemes_page()?.trim_end())?;
        return Ok(true);
    }
    for name in &arguments.pattern {
        let Some((name, about)) = ABOUT.iter().find(|(known, _)| known == name) else {
            let known = ABOUT.iter().map(|(known, _)| *known);
            return Err(Error::unknown("streaming", name, known, "`lbm schemes` prints all"));
        };
        print_line(words::section(&product(name)?, about).trim_end())?;
    }
    Ok(true)
}

/// The page of all built-in patterns, as `docs/schemes.md` holds it.
///
/// # Errors
/// None: all of them are known.
pub fn schemes_page() -> Result<String, Error> {
    let mut page = INTRODUCTION.to_owned();
    for (name, about) in ABOUT {
        page += "\n";
        page += &words::section(&product(name)?, about);
    }
    Ok(page)
}

/// A pattern on the lattice that is easily drawn, with a collision that moments carry.
fn product(name: &str) -> Result<Facts, Error> {
    variants::axes().product(&format!("d2q9-regularized-f32-soa-dense-{name}"))
}
