use proptest::prelude::*;

use crate::geometry::{Cuboid, FACE_NEIGHBOURS, Geometry, Shape, Sphere};
use crate::laws::SplitMix64;

const D2Q9: [[i32; 3]; 9] =
    [[0; 3], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0]];

/// Regions by a flood fill that follows each link from each node, in the order of the first nodes: their sizes.
fn flooded(geometry: &Geometry, links: &[[i32; 3]], periodic: [bool; 3]) -> Vec<Option<usize>> {
    let size = geometry.size();
    let index = |at: [usize; 3]| at[0] + size[0] * (at[1] + size[1] * at[2]);
    let mut regions = vec![None; geometry.nodes()];
    let mut count = 0;
    for start in geometry.fluid_positions() {
        if regions[index(start)].is_some() {
            continue;
        }
        let mut open = vec![start];
        regions[index(start)] = Some(count);
        while let Some(at) = open.pop() {
            for link in links.iter().flat_map(|&link| [link, link.map(|c| -c)]) {
                let mut to = [0; 3];
                let inside = (0..3).all(|axis| {
                    let n = size[axis] as i64;
                    let place = at[axis] as i64 + i64::from(link[axis]);
                    to[axis] = place.rem_euclid(n) as usize;
                    periodic[axis] || (0..n).contains(&place)
                });
                if inside && !geometry.is_solid(to) && regions[index(to)].is_none() {
                    regions[index(to)] = Some(count);
                    open.push(to);
                }
            }
        }
        count += 1;
    }
    regions
}

fn noise(size: [usize; 3], share: f64, seed: u64) -> Geometry {
    let mut random = SplitMix64::new(seed);
    let nodes = (0..size.iter().product()).map(|_| u8::from(random.between(0.0, 1.0) < share)).collect();
    Geometry::from_nodes(size, nodes).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn regions_are_those_of_a_flood_fill(
        size in [1usize..20, 1usize..7, 1usize..7],
        share in 0.2f64..0.9,
        seed in any::<u64>(),
        periodic in any::<[bool; 3]>(),
        links in prop::collection::vec([-3i32..=3, -2i32..=2, -3i32..=3], 1..6),
        faces in any::<bool>(),
    ) {
        let links = if faces { FACE_NEIGHBOURS.to_vec() } else { links };
        let geometry = noise(size, share, seed);
        let expected = flooded(&geometry, &links, periodic);
        let components = geometry.components(&links, periodic);
        let mut sizes = std::collections::HashMap::<usize, usize>::new();
        let mut names = std::collections::HashMap::<usize, usize>::new();
        for (n, &region) in expected.iter().enumerate() {
            let at = [n % size[0], n / size[0] % size[1], n / size[0] / size[1]];
            let found = components.region(at);
            prop_assert_eq!(found.is_some(), region.is_some());
            if let (Some(found), Some(region)) = (found, region) {
                prop_assert_eq!(*names.entry(found).or_insert(region), region);
                *sizes.entry(region).or_default() += 1;
            }
        }
        let mut sizes: Vec<usize> = sizes.into_values().collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        prop_assert_eq!(components.sizes(), sizes.as_slice());

        let mut filled = geometry.clone();
        let count = filled.fill_unconnected(&links, periodic);
        prop_assert_eq!(geometry.fluid_nodes() - filled.fluid_nodes(), count);
        prop_assert!(filled.components(&links, periodic).sizes().len() <= 1);
    }
}

#[test]
fn what_is_connected_depends_on_the_links() {
    // Two squares of fluid that touch at a corner.
    let squares = Cuboid { low: [0.0; 3], high: [4.0, 4.0, 1.0] }
        .or(Cuboid { low: [4.0, 4.0, 0.0], high: [7.0, 7.0, 1.0] });
    let geometry = Geometry::of([9, 9, 1], &squares.complement()).unwrap();
    assert_eq!(geometry.components(&FACE_NEIGHBOURS, [false; 3]).sizes(), [16, 9]);
    assert_eq!(geometry.components(&D2Q9, [false; 3]).sizes(), [25]);
}

#[test]
fn a_closed_hollow_is_filled() {
    let shell = Sphere { centre: [10.0; 3], radius: 7.0 }.minus(Sphere { centre: [10.0; 3], radius: 4.0 });
    let mut geometry = Geometry::of([20; 3], &shell).unwrap();
    let hollow = Geometry::of([20; 3], &Sphere { centre: [10.0; 3], radius: 4.0 }).unwrap();
    let inside = hollow.nodes() - hollow.fluid_nodes();
    assert_eq!(geometry.components(&FACE_NEIGHBOURS, [false; 3]).unconnected(), inside);
    let fluid = geometry.fluid_nodes() as f64;
    let apart = geometry.require_connected(&FACE_NEIGHBOURS, [false; 3]).unwrap_err().to_string();
    assert!(apart.starts_with("the fluid is 2 regions that are not connected: the largest has "), "{apart}");
    assert!(
        apart.contains(&format!("the others {inside} ({:.2e} of all fluid), ", inside as f64 / fluid))
            && apart.contains("fill_unconnected"),
        "{apart}"
    );
    assert_eq!(geometry.fill_unconnected(&FACE_NEIGHBOURS, [false; 3]), inside);
    assert!(geometry.require_connected(&FACE_NEIGHBOURS, [false; 3]).is_ok());
    assert_eq!(geometry, Geometry::of([20; 3], &Sphere { centre: [10.0; 3], radius: 7.0 }).unwrap());
    assert_eq!(geometry.fill_unconnected(&FACE_NEIGHBOURS, [false; 3]), 0);
}

#[test]
fn all_solid_has_no_region() {
    let mut geometry = Geometry::from_nodes([3; 3], vec![1; 27]).unwrap();
    let components = geometry.components(&FACE_NEIGHBOURS, [true; 3]);
    assert_eq!((components.sizes().len(), components.region([1; 3]), components.unconnected()), (0, None, 0));
    assert!(geometry.require_connected(&FACE_NEIGHBOURS, [true; 3]).is_err());
    assert_eq!(geometry.fill_unconnected(&FACE_NEIGHBOURS, [true; 3]), 0);
    assert_eq!(components.region([5; 3]), None);
}
