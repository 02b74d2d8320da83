//! Eq. 19 of the tiles paper, fitted to what a device propagates in channels.

use lbm_core::Error;
use lbm_core::geometry::{POLES, PropagationModel, PropagationPoint};
use serde::Serialize;

use super::Sparse;
use crate::bench::paper::{Session, number};

/// The paper's formula with coefficients of a variant's own: shares of the copy's bandwidth.
#[derive(Debug, Default, Serialize)]
pub struct Refit {
    /// The variant.
    #[serde(rename = "refit")]
    pub variant: String,
    /// Channels that were propagated, all of whole tiles.
    pub channels: usize,
    /// [`PropagationModel::coefficients`], if they could be fitted.
    pub coefficients: Option<[f64; 5]>,
    /// The most common faces, and edges, a tile of these channels.
    pub most: Option<[f64; 2]>,
    /// How far the model is from the measurements.
    pub rms_residual: Option<f64>,
    /// The same at its worst.
    pub largest_residual: Option<f64>,
    /// The paper's, as shares of its card's peak.
    pub paper_coefficients: [f64; 5],
    /// How far the paper's model is from the measurements.
    pub paper_rms_residual: Option<f64>,
    /// The same at its worst.
    pub paper_largest_residual: Option<f64>,
    /// Why there is no model.
    pub note: Option<String>,
}

/// Fits a variant's, and fills in what it expects of the rows.
pub(super) fn refit(variant: &str, rows: &mut [Sparse]) -> Refit {
    // The formula knows whole tiles only.
    let whole = rows.iter().filter(|row| row.variant == variant && row.utilisation == 1.0);
    let points: Vec<PropagationPoint> = whole
        .filter_map(|row| {
            let (faces, edges) = (row.common_faces_per_tile, row.common_edges_per_tile);
            row.propagation_share_of_copy.map(|share| PropagationPoint { faces, edges, share })
        })
        .collect();
    let fitted = if points.is_empty() {
        Err(Error::Unavailable {
            what: "the CPU has no kernel that only propagates".to_owned(),
            remedy: "fit on a device: --device cuda".to_owned(),
        })
    } else {
        PropagationModel::fit(&points)
    };
    let (model, note) = match fitted {
        Ok(model) => (Some(model), None),
        Err(error) => (None, Some(error.to_string())),
    };
    for row in rows.iter_mut().filter(|row| row.variant == variant) {
        row.refitted = model.map(|model| model.share(row.common_faces_per_tile, row.common_edges_per_tile));
    }
    let own = model.map(|model| model.residuals(&points));
    let paper = model.map(|_| PropagationModel::PAPER.residuals(&points));
    Refit {
        variant: variant.to_owned(),
        channels: points.len(),
        coefficients: model.map(|model| model.coefficients),
        most: model.map(|model| model.most),
        rms_residual: own.map(|residuals| residuals.rms),
        largest_residual: own.map(|residuals| residuals.largest),
        paper_coefficients: PropagationModel::PAPER.coefficients,
        paper_rms_residual: paper.map(|residuals| residuals.rms),
        paper_largest_residual: paper.map(|residuals| residuals.largest),
        note,
    }
}

/// Writes the coefficients of the paper and those of each variant as CSV.
pub(super) fn write(session: &mut Session<'_>, refits: &[Refit]) -> Result<(), Error> {
    let paper = Refit {
        variant: "paper, f64 on a GTX Titan".to_owned(),
        channels: 1873,
        coefficients: Some(PropagationModel::PAPER.coefficients),
        most: Some(PropagationModel::PAPER.most),
        note: Some("Tomczak & Szafran, Eq. 19".to_owned()),
        ..Refit::default()
    };
    let rows: Vec<(&Refit, &str)> =
        [(&paper, "its peak")].into_iter().chain(refits.iter().map(|refit| (refit, "the copy"))).collect();
    let coefficient = |refit: &Refit, n: usize| number(refit.coefficients.map(|all| all[n]));
    let most = |refit: &Refit, n: usize| number(refit.most.map(|both| both[n]));
    session.table(
        "model",
        &rows,
        &[
            ("coefficients", &|(refit, _)| refit.variant.clone()),
            ("share of", &|(_, of)| (*of).to_owned()),
            ("constant", &|(refit, _)| coefficient(refit, 0)),
            ("a common face a tile", &|(refit, _)| coefficient(refit, 1)),
            ("a common edge a tile", &|(refit, _)| coefficient(refit, 2)),
            (&format!("over {} - faces", POLES[0]), &|(refit, _)| coefficient(refit, 3)),
            (&format!("over {} - edges", POLES[1]), &|(refit, _)| coefficient(refit, 4)),
            ("most faces", &|(refit, _)| most(refit, 0)),
            ("most edges", &|(refit, _)| most(refit, 1)),
            ("channels", &|(refit, _)| refit.channels.to_string()),
            ("rms residual", &|(refit, _)| number(refit.rms_residual)),
            ("largest residual", &|(refit, _)| number(refit.largest_residual)),
            ("paper's rms residual", &|(refit, _)| number(refit.paper_rms_residual)),
            ("paper's largest residual", &|(refit, _)| number(refit.paper_largest_residual)),
            ("note", &|(refit, _)| refit.note.clone().unwrap_or_default()),
        ],
    )
}
