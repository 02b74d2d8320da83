use super::*;
use crate::Ghost;
use crate::facts::{Arithmetics, LatticeFacts};
use crate::index::Expression;
use crate::streaming::recipes::InBlocks;
use std::collections::HashSet;

const D2: &[[i32; 3]] = &[
    [0, 0, 0],
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [1, 1, 0],
    [-1, -1, 0],
    [1, -1, 0],
    [-1, 1, 0],
];

/// All velocities of at most one step along each of three axes and of at most `axes` steps.
fn cube(axes: usize) -> Vec<[i32; 3]> {
    let all = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
    all.filter(|c: &[i32; 3]| c.iter().filter(|&&component| component != 0).count() <= axes).collect()
}

fn lattice(velocities: Vec<[i32; 3]>, dimension: usize) -> LatticeFacts {
    let velocities: &'static [[i32; 3]] = velocities.leak();
    LatticeFacts {
        name: "test",
        dimension,
        velocities,
        opposites: &[],
        weights: &[],
        cs2: 1.0 / 3.0,
        sets: &[],
    }
}

fn all() -> [LatticeFacts; 5] {
    let line = vec![[0, 0, 0], [1, 0, 0], [-1, 0, 0]];
    [lattice(line, 1), lattice(D2.to_vec(), 2), lattice(cube(1), 3), lattice(cube(2), 3), lattice(cube(3), 3)]
}

/// Those of the built-in pattern.
fn blocks_of(lattice: &LatticeFacts, arithmetic: Arithmetics) -> Blocks {
    let extent = Ghost::EXTENTS.extent(lattice.dimension, arithmetic.bytes());
    Blocks::new(lattice.velocities.iter().copied(), extent)
}

#[test]
fn rings_are_small() {
    let [_, d2, _, d3q19, _] = &all();
    for (lattice, most) in [(d2, 0.15), (d3q19, 0.25)] {
        for arithmetic in [Arithmetics::F32, Arithmetics::F64] {
            let blocks = blocks_of(lattice, arithmetic);
            let share = blocks.ghosts as f64 / (blocks.nodes() * lattice.q()) as f64;
            assert!(share < most, "{:?}: {share}", blocks.extent);
        }
    }
}

/// Every population that enters a block, cut or not, has a ghost value of its own, and finds its node again.
#[test]
fn rings_hold_what_enters() {
    for lattice in all() {
        for arithmetic in [Arithmetics::F32, Arithmetics::F64] {
            let blocks = blocks_of(&lattice, arithmetic);
            let half = blocks.extent.map(|n| n.div_ceil(2));
            for cut in [blocks.extent, half, [1, half[1], blocks.extent[2]], [1; 3]] {
                let mut taken = HashSet::new();
                for (i, c) in lattice.velocities.iter().enumerate() {
                    let mut entering = 0;
                    for node in (0..cut[2])
                        .flat_map(|z| (0..cut[1]).flat_map(move |y| (0..cut[0]).map(move |x| [x, y, z])))
                    {
                        let upstream = |axis: usize| node[axis] as i64 - i64::from(c[axis]);
                        let within = (0..3).all(|axis| (0..cut[axis] as i64).contains(&upstream(axis)));
                        let entrance = blocks.entrance(i, node, cut);
                        assert_eq!(entrance.is_none(), within, "direction {c:?}, node {node:?} of {cut:?}");
                        let Some(face) = entrance else { continue };
                        entering += 1;
                        let index = face.index(node);
                        assert!(
                            index < blocks.ghosts && taken.insert(index),
                            "value {index} of {}",
                            blocks.ghosts
                        );
                        let again = face.node(index - face.start);
                        assert!((0..3).all(|axis| axis == face.axis || again[axis] == node[axis]));
                    }
                    let faces = &blocks.faces[i];
                    let listed: Vec<_> = faces.iter().flat_map(|face| face.nodes(cut)).collect();
                    assert_eq!(listed.len(), entering);
                    assert!(listed.into_iter().all(|node| blocks.entrance(i, node, cut).is_some()));
                }
                assert!(cut != blocks.extent || taken.len() == blocks.ghosts);
            }
        }
    }
}

#[test]
fn an_index_is_printed_as_it_is_computed() {
    let blocks = blocks_of(&all()[1], Arithmetics::F32);
    let [x, y] = ["x", "y"].map(Expression::name);
    let node = [x, y, Expression::from(0)];
    // The diagonal: through the south face all, through the west face all but the first.
    let printed: Vec<String> =
        blocks.faces[5].iter().map(|face| face.index(node.clone()).to_string()).collect();
    assert_eq!(printed, ["128u + x", "159u + y"]);
}
