use crate::geometry::{FACE_NEIGHBOURS, Geometry, Vessel, VesselKind};

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
fn a_scale_out_of_range_is_refused() {
    for scale in [0.1, 11.0, f64::NAN, -1.0] {
        let error = Vessel { kind: VesselKind::Aorta, scale }.geometry().unwrap_err();
        assert!(error.to_string().contains("0.15 to 10"), "{error}");
    }
}
