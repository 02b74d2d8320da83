//! What is made of measurements: the paper's beside them, and the fit.

use super::*;
use crate::bench::paper::{EXPERIMENTS, Plan};
use lbm_core::geometry::Geometry;

fn parts() -> &'static [Part] {
    EXPERIMENTS
        .iter()
        .find_map(|e| if let Plan::Sparse(parts) = &e.plan { Some(*parts) } else { None })
        .unwrap()
}

/// A channel that was propagated so fast.
fn row(size: [usize; 3], share: impl Fn(&TileStatistics) -> f64) -> Sparse {
    let tiles = Tiling::new([4; 3], [0; 3]).unwrap().statistics(&Geometry::empty(size).unwrap()).unwrap();
    Sparse {
        part: "channels",
        place: String::new(),
        at: 0.0,
        variant: "one".to_owned(),
        size,
        fluid: tiles.fluid_nodes,
        tiles: tiles.tiles,
        utilisation: tiles.utilisation(),
        paper_utilisation: None,
        common: [tiles.faces_per_tile(), tiles.edges_per_tile()],
        expected: tiles.propagation_share(&PropagationModel::PAPER),
        refitted: None,
        mflups: 1.0,
        bytes_per_node: 304,
        stored_per_node: 304.0,
        copy: 1.0,
        share_of_copy: 1.0,
        sticks: Some([share(&tiles), 1.0]),
        paper: [None; 3],
        verified: None,
        engine: String::new(),
    }
}

fn channels(share: impl Fn(&TileStatistics) -> f64) -> Vec<Sparse> {
    let sizes = [[4, 4, 64], [4, 16, 64], [8, 8, 64], [8, 32, 64], [16, 16, 64], [16, 32, 64], [32, 32, 32]];
    sizes.map(|size| row(size, &share)).to_vec()
}

#[test]
fn coefficients_are_found_and_fill_the_rows() {
    let own = PropagationModel { constant: 0.8, edge: -0.1, ..PropagationModel::PAPER };
    let mut rows = channels(|tiles| tiles.propagation_share(&own));
    // Tiles that are not whole are no points of the fit, but are told what it expects.
    rows.push(row([6, 6, 64], |_| 0.1));
    let refits = refit::refit(&["one"], &mut rows);
    let model = refits[0].model.as_ref().unwrap();
    for (found, expected) in model.coefficients().iter().zip(own.coefficients()) {
        assert!((found - expected).abs() < 1e-9, "{model:?}");
    }
    let [ours, papers] = refits[0].residuals.unwrap();
    assert!(refits[0].points == 7 && ours.largest < 1e-12 && papers.largest > 0.1, "{refits:?}");
    assert!(rows[..7].iter().all(|row| (row.refitted.unwrap() - row.sticks.unwrap()[0]).abs() < 1e-12));
    assert!((rows[7].refitted.unwrap() - own.share(rows[7].common[0], rows[7].common[1])).abs() < 1e-9);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.csv");
    refit::write(&path, &refits).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
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
        let refit = refit::refit(&["one"], rows).remove(0);
        assert!(refit.residuals.is_none() && rows.iter().all(|row| row.refitted.is_none()));
        refit.model.unwrap_err().to_string()
    };
    assert!(said(&mut rows[..4]).contains("points to fit = 4"));
    let mut rods: Vec<Sparse> = (2..12).map(|n| row([4, 4, 16 * n], |_| 0.7)).collect();
    assert!(said(&mut rods).contains("do not tell the 5 terms"));
    rows.iter_mut().for_each(|row| row.sticks = None);
    let on_cpu = said(&mut rows);
    assert!(
        on_cpu.contains("the CPU has no kernel that only propagates") && on_cpu.contains("--device"),
        "{on_cpu}"
    );
}

#[test]
fn the_papers_figures_stand_beside_ours() {
    let cube = &parts()[0];
    let step = |operator| {
        let of = cube.found.iter().find(|row| row.kernel == Kernel::Step(operator) && row.precision == "f64");
        of.unwrap().shares()
    };
    // "680 MFLUPS, 71.7 % of the bandwidth", and 47.9 %.
    assert_eq!((step("bgk-incompressible")[0].1 * 1e3).round(), 717.0);
    assert_eq!((step("mrt")[0].1 * 1e3).round(), 479.0);
    assert_eq!(found::nearest(&step("bgk-incompressible"), 100.0), Some(step("bgk-incompressible")[0].1));
    assert_eq!(found::nearest(&step("bgk-incompressible"), 64.0), None);
    assert_eq!(found::nearest(&[], 64.0), None);
    let spheres = &parts()[1];
    assert_eq!(found::nearest(spheres.found_utilisation, 0.3), Some(0.699));
    // Table 7 has 0.684 and 0.531 of the peak at porosity 0.9.
    let first = |precision| {
        let kernel = Kernel::Step("bgk-incompressible");
        let row = spheres.found.iter().find(|row| row.kernel == kernel && row.precision == precision);
        row.unwrap().shares()[0].1
    };
    assert!((first("f64") - 0.684).abs() < 5e-4 && (first("f32") - 0.531).abs() < 5e-4);
    for part in parts() {
        let [f64s, f32s] = ["-f64-", "-f32-"].map(|p| part.variants.iter().filter(|v| v.contains(p)).count());
        assert!(
            f64s + f32s == part.variants.len() && f64s.max(f32s) <= 5,
            "{}: more lines than colours",
            part.name
        );
    }
}
