use crate::geometry::{Cuboid, Geometry, Regions, VoxelPlacement};

/// Three voxels along x, the first of them `head`, the others `tail`.
fn rod() -> Regions {
    let mut regions = Regions::empty([3, 1, 1]).unwrap();
    regions.add("head", &Cuboid { low: [0.0; 3], high: [1.0; 3] }).unwrap();
    regions.add("tail", &Cuboid { low: [1.0, 0.0, 0.0], high: [3.0, 1.0, 1.0] }).unwrap();
    regions
}

#[test]
fn quarters_turn_right_handed_about_x_then_y_then_z() {
    let turned = |quarters| {
        let regions = rod().turned(quarters).unwrap();
        (regions.size(), regions.region().to_vec())
    };
    assert_eq!(turned([0, 0, 1]), ([1, 3, 1], vec![1, 2, 2]));
    assert_eq!(turned([0, 0, 2]), ([3, 1, 1], vec![2, 2, 1]));
    assert_eq!(turned([0, 0, -1]), ([1, 3, 1], vec![2, 2, 1]));
    // About y what lies along x comes to -z.
    assert_eq!(turned([0, 1, 0]), ([1, 1, 3], vec![2, 2, 1]));
    assert_eq!(turned([5, 4, 0]), ([3, 1, 1], vec![1, 2, 2]));
    // First about z to y would be another thing: about x first does nothing to it.
    assert_eq!(turned([1, 0, 1]), ([1, 3, 1], vec![1, 2, 2]));
    // All that is turned back is as it was.
    let uneven = Geometry::from_nodes([2, 3, 4], (0..24).map(|n| u8::from(n % 5 < 2)).collect()).unwrap();
    for axis in 0..3 {
        let mut quarter = [0; 3];
        quarter[axis] = 1;
        let once = uneven.turned(quarter).unwrap();
        assert_ne!(once, uneven);
        assert_eq!(once.turned(quarter.map(|n| 3 * n)).unwrap(), uneven);
    }
}

#[test]
fn voxels_grow_to_blocks_and_lie_in_larger_boxes() {
    let large = rod().enlarged([2, 2, 1]).unwrap();
    assert_eq!((large.size(), large.counts()), ([6, 2, 1], vec![4, 8]));
    assert_eq!(large.region()[..6], [1, 1, 2, 2, 2, 2]);
    let placed = large.within([8, 4, 1], [2, 1, 0]).unwrap();
    assert_eq!((placed.size(), placed.counts(), placed.names()), ([8, 4, 1], vec![4, 8], large.names()));
    assert_eq!(placed.region()[8..16], [0, 0, 1, 1, 2, 2, 2, 2]);
    let solid = rod().geometry().unwrap().within([8, 4, 2], [5, 3, 1]).unwrap();
    assert_eq!(
        (solid.fluid_nodes(), solid.is_solid([5, 3, 1]), solid.is_solid([4, 3, 1])),
        (61, true, false)
    );

    let refused = |result: Result<Regions, crate::Error>, parts: [&str; 2]| {
        let text = result.unwrap_err().to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    };
    refused(rod().within([8, 4, 1], [6, 0, 0]), ["3 voxels along x", "0 to 5"]);
    refused(rod().within([2, 4, 1], [0; 3]), ["3 voxels along x", "the box has 2 nodes"]);
    refused(rod().enlarged([2, 0, 1]), ["2 x 0 x 1", "whole numbers from 1"]);
    refused(rod().enlarged([usize::MAX, 1, 1]), ["size", "what memory holds"]);
}

#[test]
fn a_placement_is_a_turn_a_scale_and_a_place() {
    let upright = VoxelPlacement::default().rotated([0.0, 0.0, 90.0]).unwrap().scaled(2.0).unwrap();
    assert_eq!(upright.size_of([3, 1, 1]).unwrap(), [1, 6, 1]);
    let placed = rod().placed(&upright.at([4, 8, 1], [2.5, 4.0, 0.5])).unwrap();
    let column: Vec<u16> = (0..8).map(|y| placed.region()[2 + 4 * y]).collect();
    assert_eq!((column, placed.counts()), (vec![0, 1, 1, 2, 2, 2, 2, 0], vec![2, 4]));
    // What stays as it is is not copied.
    for still in [VoxelPlacement::default(), VoxelPlacement::default().at([3, 1, 1], [1.5, 0.5, 0.5])] {
        let rod = rod();
        let cells = rod.region().as_ptr();
        assert_eq!(rod.placed(&still).unwrap().region().as_ptr(), cells);
    }
    let refused =
        |text: String, parts: &[&str]| assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    let usual = VoxelPlacement::default();
    refused(usual.rotated([0.0, 45.0, 0.0]).unwrap_err().to_string(), &["45", "multiples of 90"]);
    refused(usual.rotated([f64::NAN, 0.0, 0.0]).unwrap_err().to_string(), &["NaN", "multiples of 90"]);
    refused(usual.scaled(1.5).unwrap_err().to_string(), &["1.5", "whole numbers from 1 to 65536"]);
    for (middle, size, parts) in [
        ([2.0, 4.0, 0.5], [4, 8, 1], ["along x", "0.5 to 3.5, in steps of 1"]),
        ([2.5, 6.0, 0.5], [4, 8, 1], ["along y", "3 to 5, in steps of 1"]),
        ([2.5, 3.0, 0.5], [4, 5, 1], ["along y", "longer than the box"]),
    ] {
        let text = rod().placed(&upright.at(size, middle)).unwrap_err().to_string();
        refused(text, &parts);
    }
}
