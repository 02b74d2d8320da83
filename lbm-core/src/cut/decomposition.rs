//! How a box is cut.

use super::bisection::balanced;
use crate::domain::{Domain, shown};
use crate::error::Error;
use crate::facts::Facts;

/// How a box is cut into parts. It is said before the size of the box is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decomposition {
    /// Into so many parts, as even as may be, with as few nodes as possible at cuts. Rows stay whole where that is possible.
    Into(usize),
    /// Into so many boxes of about as many fluid nodes each, in whole tiles where the addressing has some: for nodes that are listed.
    Balanced(usize),
    /// Into so many parts along each axis, as even as may be.
    Along([usize; 3]),
    /// At these planes of each axis, ascending: another part begins there.
    At([Vec<usize>; 3]),
    /// These parts, between which values cross once in so many steps ([`exchanging_every`](Decomposition::exchanging_every)).
    Every(usize, Box<Decomposition>),
}

/// The nodes of a part, which are nobody else's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OwnBox {
    /// The lowest of them in the whole box.
    pub low: [usize; 3],
    /// How many there are along each axis.
    pub size: [usize; 3],
}

impl OwnBox {
    /// Whether a node of the whole box is one of them.
    #[must_use]
    pub fn contains(&self, position: [usize; 3]) -> bool {
        (0..3).all(|axis| (self.low[axis]..self.low[axis] + self.size[axis]).contains(&position[axis]))
    }
}

impl Decomposition {
    /// What is taken where only a number of parts is given: as many nodes each where a device does all of them, as many fluid nodes where these are listed.
    #[must_use]
    pub fn usual(facts: &Facts, parts: usize) -> Decomposition {
        if facts.addressing.listed { Decomposition::Balanced(parts) } else { Decomposition::Into(parts) }
    }

    /// The same parts, between which values cross once in so many steps, 1 or more. Each part then has as many times the planes beyond its cuts, and computes
    /// those that others have, too, but for the last of the steps: more work and memory for fewer exchanges. A device may then do the steps at once
    /// that its launch shape does at once. If it is not said, that is once in a step, or in as many as a variant's name has done at once.
    #[must_use]
    pub fn exchanging_every(self, steps: usize) -> Decomposition {
        match self {
            Decomposition::Every(_, parts) => Decomposition::Every(steps, parts),
            parts => Decomposition::Every(steps, Box::new(parts)),
        }
    }

    /// Whether where the box is cut follows from which of its nodes are solid.
    #[must_use]
    pub fn asks_what_nodes_are(&self) -> bool {
        match self {
            Decomposition::Balanced(_) => true,
            Decomposition::Every(_, parts) => parts.asks_what_nodes_are(),
            Decomposition::Into(_) | Decomposition::Along(_) | Decomposition::At(_) => false,
        }
    }

    /// Once in how many steps values cross.
    #[must_use]
    pub fn steps(&self, facts: &Facts) -> usize {
        match self {
            Decomposition::Every(steps, _) => *steps,
            _ => facts.streaming.steps_at_once.unwrap_or(1),
        }
    }

    /// The parts of a box, in the order x, y, z, or that of the cuts; tiles are of `granule` nodes along each axis ([`AddressingFacts::granule`](crate::facts::AddressingFacts::granule)).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more parts than there are nodes for them, for planes that are not in the box or out of order, and for no step between two
    /// exchanges.
    pub fn boxes(&self, domain: &Domain, granule: [usize; 3]) -> Result<Vec<OwnBox>, Error> {
        let size = domain.size;
        let starts: [Vec<usize>; 3] = match self {
            Decomposition::Every(0, _) => {
                let remedy = "say once in how many steps values cross";
                return Err(Error::out_of_range("steps between two exchanges", 0, "1 or more", remedy));
            }
            Decomposition::Every(_, parts) => return parts.boxes(domain, granule),
            Decomposition::Balanced(parts) => return balanced(domain, *parts, granule),
            Decomposition::Into(parts) => even(size, fewest_at_cuts(size, *parts)?)?,
            Decomposition::Along(parts) => even(size, *parts)?,
            Decomposition::At(planes) => {
                check_planes(size, planes)?;
                std::array::from_fn(|axis| std::iter::once(0).chain(planes[axis].iter().copied()).collect())
            }
        };
        let ranges: [Vec<[usize; 2]>; 3] = std::array::from_fn(|axis| {
            let ends = starts[axis].iter().skip(1).chain([&size[axis]]);
            starts[axis].iter().zip(ends).map(|(&start, &end)| [start, end - start]).collect()
        });
        let [along_x, along_y, along_z] = &ranges;
        let mut all = Vec::new();
        for (z, y) in along_z.iter().flat_map(|z| along_y.iter().map(move |y| (z, y))) {
            all.extend(along_x.iter().map(|x| OwnBox { low: [x[0], y[0], z[0]], size: [x[1], y[1], z[1]] }));
        }
        Ok(all)
    }
}

/// The rank that has a part, of so many parts and ranks: each has parts that follow each other.
#[must_use]
pub fn rank_of(part: usize, parts: usize, ranks: usize) -> usize {
    part * ranks / parts
}

/// Where parts begin, so many along each axis.
fn even(size: [usize; 3], parts: [usize; 3]) -> Result<[Vec<usize>; 3], Error> {
    for axis in 0..3 {
        if !(1..=size[axis]).contains(&parts[axis]) {
            let along = ["x", "y", "z"][axis];
            return Err(Error::out_of_range(
                format!("parts along {along}"),
                parts[axis],
                format!("1 to {}, the nodes along {along}", size[axis]),
                format!("cut into at most {} parts there", size[axis]),
            ));
        }
    }
    // What does not divide evenly goes to the first ones.
    let start = |axis: usize, n: usize| {
        let (each, rest) = (size[axis] / parts[axis], size[axis] % parts[axis]);
        n * each + n.min(rest)
    };
    Ok(std::array::from_fn(|axis| (0..parts[axis]).map(|n| start(axis, n)).collect()))
}

/// How many parts along each axis leave the fewest nodes at cuts, rows being whole if they can be.
fn fewest_at_cuts(size: [usize; 3], parts: usize) -> Result<[usize; 3], Error> {
    let nodes = size.iter().fold(1usize, |product, &n| product.saturating_mul(n));
    if !(1..=nodes).contains(&parts) {
        return Err(Error::out_of_range(
            "number of parts",
            parts,
            format!("1 to {nodes}, the nodes of the box"),
            "take fewer parts, or a larger box",
        ));
    }
    best_along(size, parts).ok_or_else(|| {
        let fewer = (1..parts).rev().find(|&fewer| best_along(size, fewer).is_some()).unwrap_or(1);
        Error::out_of_range(
            "number of parts",
            parts,
            format!("numbers whose factors fit into {}, the next one being {fewer}", shown(size)),
            format!("cut into {fewer} parts, or say at which planes"),
        )
    })
}

/// The same; none, if no such numbers fit.
fn best_along(size: [usize; 3], parts: usize) -> Option<[usize; 3]> {
    let nodes = size.iter().fold(1usize, |product, &n| product.saturating_mul(n));
    let divisors = |n: usize| (1..=n).filter(move |d| n.is_multiple_of(*d));
    let along_x = divisors(parts).take_while(|&x| x <= size[0]);
    let all = along_x.flat_map(|x| divisors(parts / x).map(move |y| [x, y, parts / x / y]));
    let fits = |along: &[usize; 3]| (0..3).all(|axis| along[axis] <= size[axis]);
    let at_cuts = |along: &[usize; 3]| -> usize {
        (0..3).map(|axis| (along[axis] - 1).saturating_mul(nodes / size[axis])).fold(0, usize::saturating_add)
    };
    all.filter(fits).min_by_key(|along| (along[0], at_cuts(along)))
}

/// That planes ascend within the box.
fn check_planes(size: [usize; 3], planes: &[Vec<usize>; 3]) -> Result<(), Error> {
    for (axis, planes) in planes.iter().enumerate() {
        let mut least = 1;
        for &plane in planes {
            if !(least..size[axis]).contains(&plane) {
                let along = ["x", "y", "z"][axis];
                return Err(Error::out_of_range(
                    format!("a plane at which the box is cut along {along}"),
                    plane,
                    match least < size[axis] {
                        true => format!("{least} to {}", size[axis] - 1),
                        false => "no plane more".to_owned(),
                    },
                    "give planes of the box behind the first one, ascending",
                ));
            }
            least = plane + 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_node_is_of_one_part() {
        let size = [7, 5, 4];
        for cut in [
            Decomposition::Into(1),
            Decomposition::Into(6),
            Decomposition::Balanced(5),
            Decomposition::Along([3, 2, 4]),
            Decomposition::At([vec![2], vec![], vec![1, 3]]),
        ] {
            let boxes = cut.boxes(&Domain::periodic(size), [1; 3]).unwrap();
            for node in crate::domain::positions(size) {
                assert_eq!(boxes.iter().filter(|own| own.contains(node)).count(), 1, "{cut:?}, {node:?}");
            }
        }
    }

    #[test]
    fn rows_stay_whole_and_cuts_are_small() {
        let along = |size, parts| fewest_at_cuts(size, parts).unwrap();
        assert_eq!(along([64, 64, 64], 4), [1, 2, 2]);
        assert_eq!(along([64, 16, 64], 4), [1, 1, 4]);
        assert_eq!(along([64, 512, 1], 4), [1, 4, 1]);
        assert_eq!(along([64, 2, 1], 4), [2, 2, 1], "rows are cut where there is no other way");
        let boxes = Decomposition::Along([1, 3, 1]).boxes(&Domain::periodic([4, 8, 1]), [1; 3]).unwrap();
        let sizes: Vec<usize> = boxes.iter().map(|own| own.size[1]).collect();
        assert_eq!(sizes, [3, 3, 2]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |cut: Decomposition, what: &str| {
            let error = cut.boxes(&Domain::periodic([8, 4, 1]), [1; 3]).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        };
        refused(Decomposition::Into(0), "1 to 32");
        refused(Decomposition::Into(64), "1 to 32");
        refused(Decomposition::Into(11), "cut into 10 parts");
        let many = Decomposition::Into(4095).boxes(&Domain::periodic([64, 64, 1]), [1; 3]);
        let error = many.unwrap_err().to_string();
        assert!(error.contains("cut into 4032 parts"), "{error}");
        refused(Decomposition::Along([1, 5, 1]), "1 to 4");
        refused(Decomposition::At([vec![3, 3], vec![], vec![]]), "4 to 7");
        refused(Decomposition::At([vec![], vec![], vec![1]]), "no plane more");
        refused(Decomposition::Into(2).exchanging_every(0), "steps between two exchanges = 0");
        refused(Decomposition::Into(11).exchanging_every(3), "cut into 10 parts");
    }
}
