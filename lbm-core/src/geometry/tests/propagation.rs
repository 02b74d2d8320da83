use crate::geometry::{Geometry, POLES, PropagationModel, PropagationPoint, Tiling};
use crate::laws::SplitMix64;

const PAPER: PropagationModel = PropagationModel::PAPER;

/// Common faces and edges a tile in boxes of so many nodes.
fn common(boxes: &[[usize; 3]]) -> Vec<[f64; 2]> {
    let of = |&size: &[usize; 3]| {
        let tiles = Tiling::new([4; 3], [0; 3]).unwrap().statistics(&Geometry::empty(size).unwrap()).unwrap();
        [tiles.faces_per_tile(), tiles.edges_per_tile()]
    };
    boxes.iter().map(of).collect()
}

/// Points with the paper's shares.
fn points(common: &[[f64; 2]]) -> Vec<PropagationPoint> {
    let point =
        |&[faces, edges]: &[f64; 2]| PropagationPoint { faces, edges, share: PAPER.share(faces, edges) };
    common.iter().map(point).collect()
}

const CHANNELS: [[usize; 3]; 8] = [
    [4, 4, 62_500],
    [4, 16, 15_624],
    [4, 100, 2_500],
    [8, 8, 15_624],
    [16, 16, 3_904],
    [40, 40, 624],
    [100, 64, 156],
    [100, 100, 100],
];

#[test]
fn the_papers_formula_is_near_what_it_measured() {
    // Channel 4 x 62500 x 4: 90 %; cube of 100: 73 %.
    assert!((PAPER.share(1.0, 0.0) - 0.9).abs() < 0.06);
    let cube = PAPER.share(2.88, 2.7648);
    assert!((cube - 0.73).abs() < 0.02, "{cube}");
    let formula = |f: f64, e: f64| 0.92 - f / 14.28 - e / 25.74 + 0.00104 / (2.9 - f) + 0.0023 / (2.81 - e);
    assert!((PAPER.share(2.1, 1.3) - formula(2.1, 1.3)).abs() < 1e-15);
    // Near the poles and beyond them it stays what it was for the largest box that was fitted.
    assert_eq!(PAPER.share(2.899_999, 2.77), cube);
    assert_eq!(PAPER.share(3.0, 3.0), cube);
}

#[test]
fn a_fit_finds_the_formula_that_the_points_were_made_of() {
    let points = points(&common(&CHANNELS));
    let model = PropagationModel::fit(&points).unwrap();
    for (found, expected) in model.coefficients.iter().zip(PAPER.coefficients) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    assert!(model.most.iter().zip(PAPER.most).all(|(a, b)| (a - b).abs() < 1e-12), "{:?}", model.most);
    assert!(model.residuals(&points).largest < 1e-12 && PAPER.residuals(&points).largest == 0.0);
}

#[test]
fn no_other_model_has_smaller_squares() {
    let mut random = SplitMix64::new(7);
    let mut points = points(&common(&CHANNELS));
    points.iter_mut().for_each(|point| point.share += random.between(-0.01, 0.01));
    let model = PropagationModel::fit(&points).unwrap();
    let residuals = model.residuals(&points);
    assert!(residuals.rms > 1e-4 && residuals.rms < residuals.largest, "{residuals:?}");
    assert!(residuals.rms < PAPER.residuals(&points).rms);
    for change in [-1e-4, 1e-4] {
        for n in 0..5 {
            let mut other = model;
            other.coefficients[n] += change;
            assert!(other.residuals(&points).rms > residuals.rms, "{other:?}");
        }
    }
    // Exact figures of two points: 3 and 4 hundredths off.
    let off = |faces, share| PropagationPoint { faces, edges: 0.0, share: PAPER.share(faces, 0.0) + share };
    let two = PAPER.residuals(&[off(1.0, 0.03), off(2.0, -0.04)]);
    assert!((two.rms - 0.00125f64.sqrt()).abs() < 1e-12 && (two.largest - 0.04).abs() < 1e-12);
}

#[test]
fn points_that_do_not_determine_a_model_are_refused() {
    let refused = |points: &[PropagationPoint]| PropagationModel::fit(points).unwrap_err().to_string();
    let all = points(&common(&CHANNELS));
    assert!(refused(&all[..5]).contains("points to fit = 5 is out of range: at least 6"));
    // Many lengths of one section: edges follow from faces.
    let rods: Vec<[usize; 3]> = (1..20).map(|n| [4, 4, 40 * n]).collect();
    assert!(refused(&points(&common(&rods))).contains("do not tell the 5 terms"));
    // The same few channels many times.
    let few: Vec<_> = all[..4].iter().copied().cycle().take(40).collect();
    assert!(refused(&few).contains("40 points do not tell"));
    for wrong in [
        PropagationPoint { faces: POLES[0], ..all[0] },
        PropagationPoint { edges: 2.9, ..all[0] },
        PropagationPoint { share: f64::NAN, ..all[0] },
        PropagationPoint { faces: f64::NAN, ..all[0] },
    ] {
        assert!(refused(&[&all[..], &[wrong]].concat()).contains("point to fit = PropagationPoint"));
    }
}
