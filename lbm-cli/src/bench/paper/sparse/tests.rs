//! What is made of measurements: the paper's beside them, and the fit.

use super::*;
use lbm_core::geometry::Geometry;

/// A channel that was propagated so fast.
fn row(size: [usize; 3], share: impl Fn(&TileStatistics) -> f64) -> Sparse {
    let tiles = Tiling::new([4; 3], [0; 3]).unwrap().statistics(&Geometry::empty(size).unwrap()).unwrap();
    Sparse {
        variant: "one".to_owned(),
        size,
        fluid_nodes: tiles.fluid_nodes,
        tiles: tiles.tiles,
        utilisation: tiles.utilisation(),
        common_faces_per_tile: tiles.faces_per_tile(),
        common_edges_per_tile: tiles.edges_per_tile(),
        expected_share: tiles.propagation_share(&PropagationModel::PAPER),
        propagation_share_of_copy: Some(share(&tiles)),
        read_write_share_of_copy: Some(1.0),
        ..Sparse::default()
    }
}

fn channels(share: impl Fn(&TileStatistics) -> f64) -> Vec<Sparse> {
    let sizes = [[4, 4, 64], [4, 16, 64], [8, 8, 64], [8, 32, 64], [16, 16, 64], [16, 32, 64], [32, 32, 32]];
    sizes.map(|size| row(size, &share)).to_vec()
}

#[test]
fn coefficients_are_found_and_fill_the_rows() {
    let mut own = PropagationModel::PAPER;
    (own.coefficients[0], own.coefficients[2]) = (0.8, -0.1);
    let mut rows = channels(|tiles| tiles.propagation_share(&own));
    // Tiles that are not whole are no points of the fit, but get what it expects.
    rows.push(row([6, 6, 64], |_| 0.1));
    let refits = [refit::refit("one", &mut rows)];
    let Refit { coefficients, channels, largest_residual, paper_largest_residual, .. } = &refits[0];
    for (found, expected) in coefficients.unwrap().iter().zip(own.coefficients) {
        assert!((found - expected).abs() < 1e-9, "{refits:?}");
    }
    assert!(largest_residual.unwrap() < 1e-12 && paper_largest_residual.unwrap() > 0.1, "{refits:?}");
    assert_eq!(*channels, 7);
    let of_copy = |row: &Sparse| row.propagation_share_of_copy.unwrap();
    assert!(rows[..7].iter().all(|row| (row.refitted.unwrap() - of_copy(row)).abs() < 1e-12));
    let expected = own.share(rows[7].common_faces_per_tile, rows[7].common_edges_per_tile);
    assert!((rows[7].refitted.unwrap() - expected).abs() < 1e-9);

    let folder = tempfile::tempdir().unwrap();
    let request = Request::default();
    let mut session = Session {
        key: "tiles",
        request: &request,
        folder: folder.path(),
        listener: &mut |_| Ok(()),
        wanted: &[],
        written: Vec::new(),
    };
    refit::write(&mut session, &refits).unwrap();
    let text = std::fs::read_to_string(folder.path().join("tiles_model.csv")).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((lines.len(), lines[0][2], lines[0][5]), (3, "constant", "over 2.9 - faces"));
    let constant = |line: &[&str], back: usize| line[line.len() - back].parse::<f64>().unwrap();
    assert!(text.contains("its peak,0.92,") && lines[2][0] == "one", "{text}");
    // From the end: note, the paper's two residuals, its own two, the channels.
    assert_eq!(constant(&lines[2], 6), 7.0);
    assert!(constant(&lines[2], 4) < 1e-12 && constant(&lines[2], 2) > 0.1, "{text}");
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let mut rows = channels(|_| 0.7);
    let said = |rows: &mut [Sparse]| {
        let refit = refit::refit("one", rows);
        assert!(refit.rms_residual.is_none() && rows.iter().all(|row| row.refitted.is_none()));
        refit.note.unwrap()
    };
    assert!(said(&mut rows[..4]).contains("points to fit = 4"));
    let mut rods: Vec<Sparse> = (2..12).map(|n| row([4, 4, 16 * n], |_| 0.7)).collect();
    assert!(said(&mut rods).contains("do not tell the 5 terms"));
    rows.iter_mut().for_each(|row| row.propagation_share_of_copy = None);
    let on_cpu = said(&mut rows);
    assert!(
        on_cpu.contains("the CPU has no kernel that only propagates") && on_cpu.contains("--device"),
        "{on_cpu}"
    );
}

#[test]
fn the_papers_figures_stand_beside_ours() {
    let step = |collision| found::shares("cavity3d", collision, "f64");
    // "680 MFLUPS, 71.7 % of the bandwidth", and 47.9 %.
    assert_eq!((step("bgk-incompressible")[0].1 * 1e3).round(), 717.0);
    assert_eq!((step("mrt")[0].1 * 1e3).round(), 479.0);
    assert_eq!(nearest(&step("bgk-incompressible"), 100.0), Some(step("bgk-incompressible")[0].1));
    assert_eq!(nearest(&step("bgk-incompressible"), 64.0), None);
    assert_eq!(nearest(&[], 64.0), None);
    assert_eq!(nearest(found::utilisation("spheres"), 0.3), Some(0.699));
    // Table 7 has 0.684 and 0.531 of the peak at porosity 0.9.
    let first = |precision| found::shares("spheres", "bgk-incompressible", precision)[0].1;
    assert!((first("f64") - 0.684).abs() < 5e-4 && (first("f32") - 0.531).abs() < 5e-4);
    for part in parts::PARTS {
        let [f64s, f32s] = ["-f64-", "-f32-"].map(|p| part.variants.iter().filter(|v| v.contains(p)).count());
        assert!(
            f64s + f32s == part.variants.len() && f64s.max(f32s) <= 5,
            "{}: more lines than colours",
            part.name
        );
    }
}
