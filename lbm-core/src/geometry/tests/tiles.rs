use proptest::prelude::*;

use crate::geometry::{Cylinder, Geometry, OriginCount, Shape, Sphere, Tiling, tile_origins};
use crate::laws::SplitMix64;

/// Algorithm 1 of the paper for any origin: tiles with at least one fluid node.
fn counted(geometry: &Geometry, edges: [usize; 3], origin: [usize; 3]) -> usize {
    let tile = |at: [usize; 3]| -> [usize; 3] {
        std::array::from_fn(|axis| (at[axis] + edges[axis] - origin[axis]) / edges[axis])
    };
    geometry.fluid_positions().map(tile).collect::<std::collections::HashSet<_>>().len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn all_origins_are_counted_as_one_by_one(
        size in [1usize..140, 1usize..12, 1usize..14],
        edges in [1usize..9, 1usize..6, 1usize..6],
        seed in any::<u64>(),
    ) {
        let mut random = SplitMix64::new(seed);
        let share = 0.8 + 0.2 * random.between(0.0, 1.0);
        let nodes = (0..size.iter().product()).map(|_| u8::from(random.between(0.0, 1.0) < share)).collect();
        let geometry = Geometry::from_nodes(size, nodes).unwrap();
        let counts = tile_origins(&geometry, edges).unwrap();
        prop_assert_eq!(counts.len(), edges.iter().product::<usize>());
        for (n, &OriginCount { origin, tiles }) in counts.iter().enumerate() {
            prop_assert_eq!(n, origin[0] + edges[0] * (origin[1] + edges[1] * origin[2]));
            prop_assert_eq!(tiles, counted(&geometry, edges, origin));
            let tiling = Tiling::new(edges, origin).unwrap();
            let occupied = tiling.occupied(&geometry);
            prop_assert_eq!(occupied.iter().filter(|&&tile| tile).count(), tiles);
            let grid = tiling.grid(size);
            for number in (0..occupied.len()).filter(|&number| occupied[number]) {
                let tile = [number % grid[0], number / grid[0] % grid[1], number / (grid[0] * grid[1])];
                let corner = tiling.corner(tile);
                let begins = (0..3).all(|axis| {
                    let (edge, origin) = (edges[axis] as i64, origin[axis] as i64);
                    (corner[axis] - origin) % edge == 0 && -edge < corner[axis] && corner[axis] < size[axis] as i64
                });
                prop_assert!(begins, "{:?} {:?}", tile, corner);
            }
            for at in geometry.fluid_positions() {
                let before = tiling.corner([0; 3]);
                let [x, y, z]: [usize; 3] =
                    std::array::from_fn(|axis| (at[axis] as i64 - before[axis]) as usize / edges[axis]);
                prop_assert!(occupied[x + grid[0] * (y + grid[1] * z)]);
            }
        }
        let best = Tiling::best(&geometry, edges).unwrap();
        let least = counts.iter().map(|count| count.tiles).min().unwrap();
        prop_assert_eq!(counted(&geometry, edges, best.origin()), least);
    }
}

#[test]
fn tiles_wider_than_a_word_are_counted_too() {
    let geometry = Geometry::of([300, 5, 5], &Sphere { centre: [100.0, 2.0, 2.0], radius: 90.0 }).unwrap();
    for count in tile_origins(&geometry, [130, 3, 2]).unwrap() {
        assert_eq!(count.tiles, counted(&geometry, [130, 3, 2], count.origin));
    }
}

/// The tile utilisation of an infinitely long straight channel, for each of the a^2 placements of tiles with edge a.
struct Channel {
    side: usize,
    utilisations: Vec<f64>,
}

impl Channel {
    fn of(side: usize, edge: usize, section: &Geometry) -> Channel {
        let fluid = section.fluid_nodes() as f64;
        let placements = tile_origins(section, [edge, edge, 1]).unwrap();
        let utilisation = |count: &OriginCount| fluid / (count.tiles * edge * edge) as f64;
        Channel { side, utilisations: placements.iter().map(utilisation).collect() }
    }

    /// A point of Fig. 8.
    fn square(side: usize, edge: usize) -> Channel {
        Channel::of(side, edge, &Geometry::empty([side, side, 1]).unwrap())
    }

    /// A point of Fig. 10. A node belongs to the channel if its centre does; the paper does not say what it took, and what it says of
    /// the averages holds within 0.01.
    fn circular(side: usize, edge: usize) -> Channel {
        let middle = side as f64 / 2.0;
        let fluid = Cylinder { from: [middle, middle, -1.0], to: [middle, middle, 2.0], radius: middle };
        Channel::of(side, edge, &Geometry::of([side, side, 1], &fluid.complement()).unwrap())
    }

    fn average(&self) -> f64 {
        self.utilisations.iter().sum::<f64>() / self.utilisations.len() as f64
    }

    fn least(&self) -> f64 {
        self.utilisations.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn greatest(&self) -> f64 {
        self.utilisations.iter().copied().fold(0.0, f64::max)
    }
}

#[test]
fn a_square_channel_of_8_nodes_has_three_utilisations() {
    let point = Channel::square(8, 4);
    let times = |eta: f64| point.utilisations.iter().filter(|&&found| found == eta).count();
    assert_eq!(point.utilisations.len(), 16);
    assert_eq!([times(64.0 / 144.0), times(64.0 / 96.0), times(1.0)], [9, 6, 1]);
    // The same from the channel itself, six tiles long.
    let channel = Geometry::empty([8, 8, 24]).unwrap();
    let tiles = |origin| Tiling::new([4; 3], origin).unwrap().statistics(&channel).unwrap();
    assert_eq!(tiles([0, 0, 0]).utilisation(), 1.0);
    assert_eq!(tiles([2, 0, 0]).utilisation(), 64.0 / 96.0);
    assert_eq!(tiles([2, 3, 0]).utilisation(), 64.0 / 144.0);
}

#[test]
fn channels_are_covered_as_the_paper_says() {
    let square: Vec<_> = (1..=120).map(|side| Channel::square(side, 4)).collect();
    let circular: Vec<_> = (1..=120).map(|side| Channel::circular(side, 4)).collect();
    // The side from which on the average is above a value.
    let from = |points: &[Channel], value: f64| {
        1 + points.iter().filter(|point| point.average() <= value).map(|point| point.side).max().unwrap_or(0)
    };
    assert_eq!([from(&square, 0.8), from(&square, 0.9)], [26, 55]);
    assert_eq!([from(&circular, 0.8), from(&circular, 0.9)], [32, 71]);
    // The paper has 0.8 at a side of 25 and a diameter of 30, and 0.9 at about 55 and 65.
    let near = |point: &Channel, value: f64| (point.average() - value).abs() < 0.01;
    assert!(near(&square[24], 0.8) && near(&circular[29], 0.8));
    assert!(near(&square[54], 0.9) && near(&circular[64], 0.9));
    // "always above 0.8 from about 40 nodes on", "above 0.9 from about 100".
    assert!((40..=120).all(|side| square[side - 1].least() > 0.76 && circular[side - 1].least() > 0.77));
    assert!((100..=120).all(|side| square[side - 1].least() > 0.89 && circular[side - 1].least() > 0.91));
    for k in 1..30 {
        let of = |m: usize| &square[4 * k + m - 1];
        // m = 1: all placements need the same number of tiles.
        assert_eq!(of(1).least(), of(1).greatest());
        // The worst side of four is 4 k + 2; 4 nodes can be covered as badly as 6.
        assert!([0, 1, 3].iter().all(|&m| of(m).least() > of(2).least() || (k, m) == (1, 0)));
        // m = 0: some placement is perfect.
        assert_eq!(of(0).greatest(), 1.0);
    }
    // Circles vary less between placements.
    assert!(circular[7].greatest() - circular[7].least() < square[7].greatest() - square[7].least());
}

#[test]
fn common_faces_and_edges_are_those_of_the_papers_examples() {
    let statistics = |size| {
        let geometry = Geometry::empty(size).unwrap();
        Tiling::new([4; 3], [0; 3]).unwrap().statistics(&geometry).unwrap()
    };
    // Four tiles in a 2 x 2 x 1 mesh: 4 common faces and 1 common edge.
    let square = statistics([8, 8, 4]);
    assert_eq!((square.tiles, square.common_faces, square.common_edges), (4, 4, 1));
    assert_eq!((square.faces_per_tile(), square.edges_per_tile()), (1.0, 0.25));
    // Channel 4 x 4: about one face a tile and no edge; 4 x 8: about 1.5 and 0.5.
    let thin = statistics([4, 4, 62_500]);
    assert!((thin.faces_per_tile() - 1.0).abs() < 1e-3 && thin.common_edges == 0);
    let flat = statistics([4, 8, 31_248]);
    assert!((flat.faces_per_tile() - 1.5).abs() < 1e-3 && (flat.edges_per_tile() - 0.5).abs() < 1e-3);
    let cube = statistics([100; 3]);
    assert_eq!((cube.common_faces, cube.common_edges), (3 * 24 * 625, 3 * 24 * 24 * 25));
    // The line of Eq. 17, which most channels are close to.
    assert!((cube.edges_per_tile() - (1.85 * cube.faces_per_tile() - 2.56)).abs() < 0.05);
}

#[test]
fn utilisation_is_fluid_in_tiles() {
    let geometry = Geometry::of([16; 3], &Sphere { centre: [8.0; 3], radius: 6.0 }).unwrap();
    let statistics = Tiling::new([4; 3], [0; 3]).unwrap().statistics(&geometry).unwrap();
    assert_eq!(statistics.utilisation(), geometry.fluid_nodes() as f64 / (statistics.tiles * 64) as f64);
}

#[test]
fn tiles_that_make_no_sense_are_refused() {
    assert!(Tiling::new([4, 0, 4], [0; 3]).unwrap_err().to_string().contains("tile edges = 4 x 0 x 4"));
    assert!(Tiling::new([4; 3], [0, 4, 0]).unwrap_err().to_string().contains("tile origin = [0, 4, 0]"));
    let solid = Geometry::from_nodes([4; 3], vec![1; 64]).unwrap();
    assert!(Tiling::new([4; 3], [0; 3]).unwrap().statistics(&solid).is_err());
    assert!(tile_origins(&solid, [1 << 10, 1 << 10, 1]).is_err());
    assert!(tile_origins(&solid, [usize::MAX; 3]).is_err());
}
