//! Boxes of about equal work: each is cut in two, and these again.

use super::OwnBox;
use crate::domain::{Domain, positions, shown};
use crate::error::Error;

/// Boxes of about as many fluid nodes each, in whole groups of so many nodes along each axis where planes lie.
///
/// A box is cut where both sides have as much to do as parts they become; across the axis that leaves the fewest nodes at the cut, and rows only where no other can be cut.
///
/// Source: Berger & Bokhari, *A partitioning strategy for nonuniform problems on multiprocessors*, IEEE Trans. Comput. 36 (1987) 570.
///
/// # Errors
/// [`Error::OutOfRange`] for more parts than groups.
pub(super) fn balanced(domain: &Domain, parts: usize, granule: [usize; 3]) -> Result<Vec<OwnBox>, Error> {
    let whole = OwnBox { low: [0; 3], size: domain.size };
    let most = groups(&whole, granule).iter().fold(1usize, |product, &n| product.saturating_mul(n));
    if !(1..=most).contains(&parts) {
        let of = if granule == [1; 3] { "nodes".to_owned() } else { format!("tiles of {}", shown(granule)) };
        return Err(Error::out_of_range(
            "number of parts",
            parts,
            format!("1 to {most}, the {of} of the box"),
            "take fewer parts, or a larger box",
        ));
    }
    let mut all = Vec::new();
    bisect(domain, whole, parts, granule, &mut all);
    Ok(all)
}

/// How many groups a box has along each axis: what is left at its end is one, too.
fn groups(own: &OwnBox, granule: [usize; 3]) -> [usize; 3] {
    std::array::from_fn(|axis| own.size[axis].div_ceil(granule[axis]))
}

/// Cuts a box into so many parts, of which it has as many groups at least.
fn bisect(domain: &Domain, own: OwnBox, parts: usize, granule: [usize; 3], all: &mut Vec<OwnBox>) {
    if parts == 1 {
        all.push(own);
        return;
    }
    let groups = groups(&own, granule);
    let at_cut = |axis: usize| own.size.iter().product::<usize>() / own.size[axis];
    let axis = (0..3).rev().filter(|&axis| groups[axis] > 1).min_by_key(|&axis| (axis == 0, at_cut(axis)));
    let axis = axis.expect("a box of one group is one part");
    let beside: usize = groups.iter().product::<usize>() / groups[axis];
    let first = parts / 2;
    // Both sides have a group for each of their parts: where there are hardly more groups than parts, one side is full.
    let fits = first.div_ceil(beside) + (parts - first).div_ceil(beside) <= groups[axis];
    let first = if fits { first } else { first.next_multiple_of(beside) };
    let least = first.div_ceil(beside).max(1);
    let most = groups[axis] - (parts - first).div_ceil(beside).max(1);
    let work = work_of_groups(domain, &own, axis, granule[axis]);
    let (total, mut before) = (work.iter().sum::<usize>(), work[..least].iter().sum::<usize>());
    let off = |before: usize| (before * parts).abs_diff(total * first);
    let mut best = (off(before), least);
    for at in least + 1..=most {
        before += work[at - 1];
        best = best.min((off(before), at));
    }
    let (mut low, mut high) = (own, own);
    low.size[axis] = best.1 * granule[axis];
    high.low[axis] += low.size[axis];
    high.size[axis] -= low.size[axis];
    bisect(domain, low, first, granule, all);
    bisect(domain, high, parts - first, granule, all);
}

/// Fluid nodes of the groups of a box along an axis.
fn work_of_groups(domain: &Domain, own: &OwnBox, axis: usize, granule: usize) -> Vec<usize> {
    let mut work = vec![0; own.size[axis].div_ceil(granule)];
    if domain.flags.is_empty() {
        let plane = own.size.iter().product::<usize>() / own.size[axis];
        let nodes = |group: usize| granule.min(own.size[axis] - group * granule);
        work.iter_mut().enumerate().for_each(|(group, work)| *work = plane * nodes(group));
        return work;
    }
    for here in positions(own.size) {
        let there = std::array::from_fn(|axis| own.low[axis] + here[axis]);
        work[here[axis] / granule] += usize::from(!domain.is_solid(there));
    }
    work
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A channel that narrows: fluid where z < 24 - x.
    fn wedge() -> Domain {
        let mut domain = Domain::periodic([24, 16, 24]);
        domain.solids = vec![[0.0; 3]];
        let solid = |node| {
            let [x, _, z] = domain.position(node);
            u8::from(x + z >= 24)
        };
        domain.flags = (0..domain.nodes()).map(solid).collect();
        domain
    }

    fn fluid(domain: &Domain, own: &OwnBox) -> usize {
        positions(domain.size).filter(|&at| own.contains(at) && !domain.is_solid(at)).count()
    }

    #[test]
    fn parts_have_equal_work_and_each_node_is_of_one() {
        // Whole planes leave the largest part this much more than an even one has.
        for (domain, off) in [(Domain::periodic([24, 16, 24]), 0.0), (wedge(), 0.04)] {
            for parts in 1..=9 {
                let boxes = balanced(&domain, parts, [1; 3]).unwrap();
                assert_eq!(boxes.len(), parts);
                for at in positions(domain.size) {
                    assert_eq!(boxes.iter().filter(|own| own.contains(at)).count(), 1);
                }
                let even = domain.fluid_nodes() as f64 / parts as f64;
                let most = boxes.iter().map(|own| fluid(&domain, own)).max().unwrap() as f64;
                let off = if parts.is_power_of_two() { off } else { 0.14 };
                assert!(most <= (1.0 + off) * even, "{parts}: {most} of {even}");
            }
        }
    }

    #[test]
    fn small_boxes_are_cut_into_as_many_parts_as_they_have_groups() {
        for size in positions([4, 5, 4]).map(|at| at.map(|n| n + 1)) {
            for granule in [[1; 3], [2, 2, 1]] {
                let domain = Domain::periodic(size);
                let most: usize = (0..3).map(|axis| size[axis].div_ceil(granule[axis])).product();
                for parts in 1..=most {
                    let boxes = balanced(&domain, parts, granule).unwrap();
                    assert_eq!(boxes.len(), parts, "{size:?}");
                    let nodes: usize = boxes.iter().map(|own| own.size.iter().product::<usize>()).sum();
                    assert_eq!(nodes, domain.nodes(), "{size:?}, {parts}");
                    assert!(boxes.iter().all(|own| own.size.iter().all(|&n| n > 0)), "{size:?}, {parts}");
                }
            }
        }
    }

    #[test]
    fn rows_stay_whole_and_tiles_too() {
        let boxes = balanced(&wedge(), 4, [4; 3]).unwrap();
        assert!(
            boxes.iter().all(|own| own.size[0] == 24 && own.low.iter().all(|low| low % 4 == 0)),
            "{boxes:?}"
        );
        let rows = balanced(&Domain::periodic([9, 1, 1]), 3, [4, 4, 1]).unwrap();
        assert_eq!(rows.iter().map(|own| own.size[0]).collect::<Vec<_>>(), [4, 4, 1]);
        let error = balanced(&Domain::periodic([9, 1, 1]), 4, [4, 4, 1]).unwrap_err().to_string();
        assert!(error.contains("1 to 3, the tiles of 4 x 4 x 1"), "{error}");
    }
}
