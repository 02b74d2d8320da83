//! From a variant to CUDA C++: the collision's body, which the macro printed, between accesses that are printed here
//! from the same [`Streaming`](lbm_core::Streaming), [`Addressing`](lbm_core::Addressing) and
//! [`Layout`](lbm_core::Layout) that the CPU kernel is generic over.

mod accessors;
mod algorithm;
mod arithmetic;
mod at_faces;
mod block_parts;
mod blocks;
mod boundary;
mod box_walls;
mod bulk;
mod column;
mod comparators;
mod deriving;
mod faces;
mod forces;
mod formats;
mod in_time;
mod kernel;
mod link_rules;
mod listed;
mod listed_places;
mod march;
mod masks;
mod meeting;
mod node_fields;
mod on_the_way;
mod pieces;
mod plan;
mod planes;
mod rebuilt;
mod resource;
mod rule_text;
mod rules;
mod scheme;
mod shape;
mod step;
mod sums;
mod tickets;
mod transfer;
mod two_steps;
mod walls_in_bulk;
mod walls_in_march;

pub(crate) use accessors::COUNTERS;
pub use accessors::{accessors, rims};
pub use box_walls::{Beyond, BoxWalls};
pub use comparators::{FromSolids, Way, comparator};
pub(crate) use comparators::{OF_LINKS, PASS};
pub use forces::forces;
pub(crate) use forces::{ROOMS, WORDS, threads_for};
pub use formats::for_storage;
pub use kernel::{Grid, Kernel, Program, Threads};
pub use plan::{ListedPlan, ListedWalls, Plan, Work};
pub use resource::{Handed, Held, Parameter, Resource, Type};
pub use rule_text::RuleTexts;
pub use shape::{Between, March, Shape};
pub use step::step;

pub(crate) use block_parts::{Columns, Part};
pub(crate) use box_walls::{place_at, through};
pub(crate) use pieces::{box_walls, meets_walls};
pub(crate) use scheme::{ROW_MULTIPLE, STREAM_SLACK};
pub(crate) use tickets::words as words_of_tickets;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The files of this folder, each of which uses only those before it.
    const ORDER: &str = "formats arithmetic resource masks scheme meeting algorithm shape box_walls rule_text plan kernel block_parts pieces node_fields link_rules rules boundary at_faces \
                         walls_in_bulk transfer bulk rebuilt faces \
                         tickets blocks planes walls_in_march march deriving column two_steps on_the_way listed_places listed in_time sums accessors comparators forces step";

    fn order() -> Vec<&'static str> {
        ORDER.split_whitespace().collect()
    }

    /// The names of other files in a text: behind `super`, or in a list behind it.
    fn names<'a>(text: &'a str, above: &str) -> BTreeSet<&'a str> {
        let all = text.split(above).skip(1).flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![rest],
        });
        let end = |c: char| !c.is_alphanumeric() && c != '_';
        let names = all.filter_map(|text| text.trim_start().split(end).next());
        names.filter(|name| order().contains(name)).collect()
    }

    /// The files that a file uses, and those in the folder of its name.
    fn used(name: &str) -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/assemble");
        let inner = fs::read_dir(folder.join(name)).into_iter().flatten().map(|entry| entry.unwrap().path());
        let files = std::iter::once((folder.join(format!("{name}.rs")), "super::"))
            .chain(inner.map(|file| (file, "super::super::")));
        files
            .flat_map(|(file, above)| {
                let text = fs::read_to_string(file).unwrap();
                let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
                let code = code.collect::<Vec<_>>().join("\n");
                names(&code, above).into_iter().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn files_use_those_before_them_only() {
        let mut seen = 0;
        for (place, name) in order().iter().enumerate() {
            for other in used(name) {
                let before = order()[..place].contains(&other.as_str());
                assert!(before, "`{name}` uses `{other}`, which stands above it: move what both need below");
                seen += 1;
            }
        }
        assert!(seen > 80, "{seen} uses");
        let text = "use super::{step, a::b}; super::super::scheme::put(super::kernel::x)";
        assert_eq!(names(text, "super::"), ["kernel", "scheme", "step"].into());
        assert_eq!(names(text, "super::super::"), ["scheme"].into());
    }

    #[test]
    fn every_file_has_its_place() {
        let own = include_str!("mod.rs");
        let declared: BTreeSet<&str> =
            own.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        assert_eq!(declared, order().into_iter().collect());
    }
}
