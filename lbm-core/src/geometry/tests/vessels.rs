use crate::geometry::{FACE_NEIGHBOURS, Geometry, Sphere, Vessel, VesselKind};

fn vessel(kind: VesselKind, scale: f64) -> Geometry {
    Vessel { kind, scale }.geometry().unwrap()
}

fn near(found: f64, wanted: f64) {
    assert!((found / wanted - 1.0).abs() < 0.05, "{found} is not within 5 % of {wanted}");
}

#[test]
fn an_aorta_is_as_large_as_the_papers() {
    let geometry = vessel(VesselKind::Aorta, 1.0);
    assert_eq!(geometry.size(), [93, 161, 442]);
    near(geometry.fluid_nodes() as f64, 0.66e6);
    near(geometry.porosity(), 0.094);
}

#[test]
fn a_tree_is_as_large_as_the_papers_aneurysm() {
    let geometry = vessel(VesselKind::Tree, 1.0);
    assert_eq!(geometry.size(), [730, 342, 334]);
    near(geometry.fluid_nodes() as f64, 14.8e6);
    near(geometry.porosity(), 0.175);
}

#[test]
fn vessels_are_connected_open_at_both_ends_and_closed_elsewhere() {
    for kind in [VesselKind::Aorta, VesselKind::Tree] {
        for scale in [0.15, 0.25, 0.37, 0.5] {
            let (vessel, geometry) = (Vessel { kind, scale }, vessel(kind, scale));
            let (size, axis) = (geometry.size(), vessel.axis());
            // Without going round the box: the two ends are joined inside.
            let components = geometry.components(&FACE_NEIGHBOURS, [false; 3]);
            assert_eq!(components.sizes().len(), 1, "{kind:?} {scale} {:?}", components.sizes());
            let (mut first, mut last) = (Vec::new(), Vec::new());
            for at in geometry.fluid_positions() {
                let mut across = at;
                across[axis] = 0;
                if at[axis] == 0 {
                    first.push(across);
                }
                if at[axis] == size[axis] - 1 {
                    last.push(across);
                }
                for other in (0..3).filter(|&other| other != axis) {
                    assert!(0 < at[other] && at[other] < size[other] - 1, "{kind:?} {scale}: open at {at:?}");
                }
            }
            assert!(!first.is_empty() && first == last, "{kind:?} {scale}: the ends do not meet");
        }
    }
}

#[test]
fn a_fork_has_one_end_and_three_which_are_named_by_their_places() {
    for scale in [0.15, 0.25, 0.5, 1.0] {
        let (fork, geometry) = (Vessel { kind: VesselKind::Fork, scale }, vessel(VesselKind::Fork, scale));
        let (size, ends) = (geometry.size(), fork.ends());
        assert_eq!(geometry.components(&FACE_NEIGHBOURS, [false; 3]).sizes().len(), 1, "{scale}");
        let (mut entered, mut left) = (0, [0; 3]);
        for at in geometry.fluid_positions() {
            assert!((0..2).all(|axis| 0 < at[axis] && at[axis] < size[axis] - 1), "{scale}: open at {at:?}");
            entered += usize::from(at[2] == 0);
            if at[2] == size[2] - 1 {
                let across = |end: &Sphere| [0, 1].map(|n| at[n] as f64 + 0.5 - end.centre[n]);
                let within =
                    |end: &Sphere| across(end).map(|d| d * d).iter().sum::<f64>().sqrt() <= end.radius + 1.0;
                let found: Vec<usize> = (0..3).filter(|&n| within(&ends[n])).collect();
                assert_eq!(found.len(), 1, "{scale}: {at:?}");
                left[found[0]] += 1;
            }
        }
        let area = |radius: f64| std::f64::consts::PI * (radius * scale).powi(2);
        for (nodes, radius) in [(entered, 21.0), (left[0], 16.3), (left[1], 14.0), (left[2], 13.0)] {
            assert!(
                (nodes as f64 / area(radius) - 1.0).abs() < 0.2 * (0.15 / scale),
                "{scale}: {nodes} of {}",
                area(radius)
            );
        }
    }
    let ends = |kind| Vessel { kind, scale: 0.5 }.ends();
    assert_eq!((ends(VesselKind::Aorta).len(), ends(VesselKind::Tree).len()), (1, 1));
    assert_eq!(ends(VesselKind::Aorta)[0], Sphere { centre: [23.25, 25.0, 221.0], radius: 10.5 });
}

#[test]
fn a_scale_out_of_range_is_refused() {
    for scale in [0.1, 11.0, f64::NAN, -1.0] {
        let error = Vessel { kind: VesselKind::Aorta, scale }.geometry().unwrap_err();
        assert!(error.to_string().contains("0.15 to 10"), "{error}");
    }
}
