//! Eq. 19 of the tiles paper, fitted to what a device propagates in channels.

use std::path::Path;

use lbm_core::Error;
use lbm_core::geometry::{POLES, PropagationModel, PropagationPoint, Residuals};

use super::Sparse;
use crate::output::write_rows;

/// The paper's formula with coefficients of a variant's own.
#[derive(Debug)]
pub struct Refit {
    /// The variant.
    pub variant: String,
    /// Channels that were propagated, all of whole tiles.
    pub points: usize,
    /// The model, as shares of the copy's bandwidth, or why there is none.
    pub model: Result<PropagationModel, Error>,
    /// How far the model, and the paper's, are from the measurements.
    pub residuals: Option<[Residuals; 2]>,
}

/// Fits each variant's, and fills in what it expects of the rows.
pub(super) fn refit(variants: &[&str], rows: &mut [Sparse]) -> Vec<Refit> {
    variants.iter().map(|variant| one(variant, rows)).collect()
}

fn one(variant: &str, rows: &mut [Sparse]) -> Refit {
    // The formula knows whole tiles only.
    let whole = rows.iter().filter(|row| row.variant == variant && row.utilisation == 1.0);
    let points: Vec<PropagationPoint> = whole
        .filter_map(|row| {
            let [faces, edges] = row.common;
            row.sticks.map(|[share, _]| PropagationPoint { faces, edges, share })
        })
        .collect();
    let model = if points.is_empty() {
        Err(Error::Unavailable {
            what: "the CPU has no kernel that only propagates".to_owned(),
            remedy: "fit on a device: --device cuda".to_owned(),
        })
    } else {
        PropagationModel::fit(&points)
    };
    if let Ok(model) = &model {
        for row in rows.iter_mut().filter(|row| row.variant == variant) {
            row.refitted = Some(model.share(row.common[0], row.common[1]));
        }
    }
    let residuals =
        model.as_ref().ok().map(|model| [*model, PropagationModel::PAPER].map(|m| m.residuals(&points)));
    Refit { variant: variant.to_owned(), points: points.len(), model, residuals }
}

/// Writes the coefficients of the paper and those of each variant as CSV.
pub(super) fn write(path: &Path, refits: &[Refit]) -> Result<(), Error> {
    let columns = [
        "coefficients".to_owned(),
        "share of".to_owned(),
        "constant".to_owned(),
        "a common face a tile".to_owned(),
        "a common edge a tile".to_owned(),
        format!("over {} - faces", POLES[0]),
        format!("over {} - edges", POLES[1]),
        "most faces".to_owned(),
        "most edges".to_owned(),
        "channels".to_owned(),
        "rms residual".to_owned(),
        "largest residual".to_owned(),
        "paper's rms residual".to_owned(),
        "paper's largest residual".to_owned(),
        "note".to_owned(),
    ];
    let number = |value: f64| format!("{value:?}");
    let numbers = |model: Option<&PropagationModel>| -> Vec<String> {
        let all = |model: &PropagationModel| {
            model.coefficients().into_iter().chain(model.most).map(number).collect::<Vec<_>>()
        };
        model.map_or_else(|| vec![String::new(); 7], all)
    };
    let paper = ["paper, f64 on a GTX Titan", "its peak"].map(str::to_owned).into_iter();
    let rest = ["1873", "", "", "", "", "Tomczak & Szafran, Eq. 19"].map(str::to_owned);
    let mut rows = vec![paper.chain(numbers(Some(&PropagationModel::PAPER))).chain(rest).collect()];
    for refit in refits {
        let mut row = vec![refit.variant.clone(), "the copy".to_owned()];
        row.extend(numbers(refit.model.as_ref().ok()));
        row.push(refit.points.to_string());
        let residuals = refit.residuals.map(|both| both.map(|of| [of.rms, of.largest].map(number)));
        row.extend(residuals.map_or_else(|| vec![String::new(); 4], |both| both.concat()));
        row.push(refit.model.as_ref().err().map_or_else(String::new, ToString::to_string));
        rows.push(row);
    }
    write_rows(path, &columns, &rows)
}
