//! The tables and pictures of the experiment.

use lbm_core::Error;

use super::parts::{How, Part};
use super::{Chosen, Verdict};
use crate::bench::paper::{Session, number};
use crate::output::{Panel, Series};

/// Writes all choices, and which of them matter.
pub(super) fn write(session: &mut Session<'_>, rows: &[Chosen], verdicts: &[Verdict]) -> Result<(), Error> {
    session.table(
        &session.of_all("choices"),
        rows,
        &[
            ("part", &|row| row.part.to_owned()),
            ("choice", &|row| row.choice.to_owned()),
            ("variant", &|row| row.variant.clone()),
            ("size", &|row| row.size.map(|n| n.to_string()).join(" x ")),
            ("fluid nodes", &|row| row.fluid_nodes.to_string()),
            ("share of fluid", &|row| number(row.share_of_fluid)),
            ("MLUPS of fluid nodes", &|row| number(row.mlups)),
            ("slowest turn", &|row| number(row.mlups_slowest)),
            ("fastest turn", &|row| number(row.mlups_fastest)),
            ("bytes a fluid node", &|row| number(row.bytes_per_node)),
            ("copy GB/s", &|row| number(row.copy_gb_s)),
            ("share of copy", &|row| number(row.share_of_copy)),
            ("over the first", &|row| number(row.over_first)),
            ("paper over the first", &|row| number(row.paper_over_first)),
            ("registers a thread", &|row| row.registers.map_or_else(String::new, |n| n.to_string())),
            ("occupancy", &|row| number(row.occupancy)),
            ("the paper says", &|row| row.paper.to_owned()),
            ("verified", &|row| if row.verified { "yes, to the bit" } else { "NO" }.to_owned()),
            ("where", &|row| row.engine.clone()),
        ],
    )?;
    session.table(
        &session.of_all("verdicts"),
        verdicts,
        &[
            ("part", &|verdict| verdict.part.to_owned()),
            ("of", &|verdict| verdict.title.to_owned()),
            ("matters", &|verdict| if verdict.matters { "yes" } else { "no" }.to_owned()),
            ("fastest over slowest", &|verdict| number(verdict.fastest_over_slowest)),
            ("fastest", &|verdict| verdict.fastest.to_owned()),
            ("slowest", &|verdict| verdict.slowest.to_owned()),
            ("the paper says", &|verdict| verdict.paper.to_owned()),
        ],
    )
}

/// Draws the choices of a part: their shares of the copy, and their speeds over the first beside the paper's.
pub(super) fn draw(session: &mut Session<'_>, part: &Part, rows: &[Chosen]) -> Result<(), Error> {
    let threads = |label: &str| {
        let how = part.choices.iter().find(|choice| choice.label == label).map(|choice| choice.how);
        if let Some(How::Threads(threads)) = how { Some(f64::from(threads)) } else { None }
    };
    let along: Option<Vec<f64>> = rows.iter().map(|row| threads(row.choice)).collect();
    let numbered = (1..=rows.len()).map(|n| n as f64).collect();
    let x_label = if along.is_some() { "threads a block" } else { "choice" };
    let places: Vec<f64> = along.clone().unwrap_or(numbered);
    // Numbers of threads lie on a line; other choices have a mark and a name each.
    let ours = |what: &str, of: &dyn Fn(&Chosen) -> Option<f64>| -> Vec<Series> {
        let points = places.iter().zip(rows).map(|(&x, row)| of(row).map(|y| (x, y)));
        match &along {
            Some(_) => vec![Series::line(what, points.flatten().collect())],
            None => {
                let named = rows.iter().zip(points);
                named.map(|(row, at)| Series::marks(row.choice, at.into_iter().collect())).collect()
            }
        }
    };
    let shares = ours("share of the copy", &|row| Some(row.share_of_copy));
    let mut speeds = ours("speed", &|row| Some(row.over_first));
    let papers = places.iter().zip(rows).filter_map(|(&x, row)| Some((x, row.paper_over_first?)));
    speeds.push(Series::crosses("paper, GeForce 610M", papers.collect()));
    let mut panels = vec![
        Panel::new("each one's own bytes, as a share of the copy", x_label, "share of bandwidth", shares),
        Panel::new(format!("speed over that of `{}`", rows[0].choice), x_label, "ratio of speeds", speeds),
    ];
    if rows.iter().any(|row| row.occupancy.is_some()) {
        let occupancy = ours("occupancy", &|row| row.occupancy);
        panels.push(Panel::new(
            "threads at the same time, of those possible",
            x_label,
            "occupancy",
            occupancy,
        ));
    }
    session.picture(part.name, part.title, &panels)
}
