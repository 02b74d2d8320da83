//! What `lbm bench` prints: a JSON object a line, or lines to be read.

use lbm_core::geometry::{POLES, PropagationModel};
use serde_json::json;

use crate::bench::paper::{Cell, Compared, Outcome, Ratio, Refit, Sparse, Told};
use crate::bench::{DeviceMeasurement, Measured, Measurement};

/// As JSON.
pub(super) fn json(told: &Told<'_>) -> serde_json::Value {
    match told {
        Told::Measured(measured) => measured_json(measured),
        Told::Cell(cell) => cell_json(cell),
        Told::Ratio(ratio) => json!({
            "scheme": ratio.scheme,
            "speed_over_two_copies": ratio.speed,
            "paper_speed_over_two_copies": ratio.paper_speed,
            "memory_over_two_copies": ratio.memory,
            "paper_memory_over_two_copies": ratio.paper_memory,
            "speed_in_largest_box_over_two_copies_in_theirs": ratio.beyond,
        }),
        Told::Compared(c) => json!({
            "flow": c.flow,
            "contestant": c.contestant,
            "size": c.size,
            "steps": c.steps,
            "seconds_for_1000_steps": c.seconds,
            "mlups": c.mlups,
            "speedup_over_scalar_loop": c.speedup,
            "paper_speedup": c.paper_speedup,
            "ccas_over_it": c.over,
            "paper_ccas_over_it": c.paper_over,
            "bytes_per_node": c.bytes_per_node,
            "copy_gb_s": c.copy,
            "share_of_copy": c.share_of_copy,
            "engine": c.engine,
            "largest_difference": c.difference,
            "verified": c.verified,
        }),
        Told::Sparse(s) => json!({
            "part": s.part,
            "geometry": s.place,
            "variant": s.variant,
            "size": s.size,
            "fluid_nodes": s.fluid,
            "tiles": s.tiles,
            "utilisation": s.utilisation,
            "paper_utilisation": s.paper_utilisation,
            "common_faces_per_tile": s.common[0],
            "common_edges_per_tile": s.common[1],
            "expected_share": s.expected,
            "mflups": s.mflups,
            "bytes_per_node": s.bytes_per_node,
            "stored_bytes_per_fluid_node": s.stored_per_node,
            "copy_gb_s": s.copy,
            "share_of_copy": s.share_of_copy,
            "paper_share_of_peak": s.paper[0],
            "propagation_share_of_copy": s.sticks.map(|sticks| sticks[0]),
            "paper_propagation_share_of_peak": s.paper[1],
            "read_write_share_of_copy": s.sticks.map(|sticks| sticks[1]),
            "paper_read_write_share_of_peak": s.paper[2],
            "engine": s.engine,
            "verified": s.verified,
        }),
        Told::Refit(refit) => refit_json(refit),
    }
}

/// To be read.
pub(super) fn text(told: &Told<'_>) -> String {
    match told {
        Told::Measured(measured) => measured_text(measured),
        Told::Cell(cell) => cell_text(cell),
        Told::Ratio(ratio) => ratio_text(ratio),
        Told::Compared(compared) => compared_text(compared),
        Told::Sparse(sparse) => sparse_text(sparse),
        Told::Refit(refit) => refit_text(refit),
    }
}

fn sparse_text(s: &Sparse) -> String {
    let verified = match s.verified {
        Some(true) => "bits verified",
        Some(false) => "bits WRONG",
        None => "bits not asked",
    };
    let paper = |share: Option<f64>| {
        share.map_or_else(String::new, |share| format!(" (paper {:.1} %)", 100.0 * share))
    };
    let sticks = s.sticks.map_or_else(String::new, |[propagation, read_write]| {
        format!(
            "\n  propagation only {:.1} %{}, read and write only {:.1} %{}",
            100.0 * propagation,
            paper(s.paper[1]),
            100.0 * read_write,
            paper(s.paper[2]),
        )
    });
    format!(
        "{} {}, {} fluid nodes, utilisation {:.3}{}\n  {}: {:.0} MFLUPS, {:.1} % of the copy's {:.0} GB/s{}, {:.1} bytes stored a fluid node, {verified}{sticks}",
        s.part,
        s.place,
        s.fluid,
        s.utilisation,
        s.paper_utilisation.map_or_else(String::new, |utilisation| format!(" (paper {utilisation:.3})")),
        s.variant,
        s.mflups,
        100.0 * s.share_of_copy,
        s.copy,
        paper(s.paper[0]),
        s.stored_per_node,
    )
}

fn refit_json(refit: &Refit) -> serde_json::Value {
    let model = refit.model.as_ref().ok();
    let of = |which: usize| refit.residuals.map(|both| both[which]);
    json!({
        "refit": refit.variant,
        "channels": refit.points,
        "coefficients": model.map(PropagationModel::coefficients),
        "most": model.map(|model| model.most),
        "rms_residual": of(0).map(|residuals| residuals.rms),
        "largest_residual": of(0).map(|residuals| residuals.largest),
        "paper_coefficients": PropagationModel::PAPER.coefficients(),
        "paper_rms_residual": of(1).map(|residuals| residuals.rms),
        "paper_largest_residual": of(1).map(|residuals| residuals.largest),
        "note": refit.model.as_ref().err().map(ToString::to_string),
    })
}

/// The formula with both sets of coefficients.
fn refit_text(refit: &Refit) -> String {
    let formula = |model: &PropagationModel| {
        let [constant, face, edge, near_face, near_edge] = model.coefficients();
        format!(
            "{constant:.4} {face:+.5} faces {edge:+.5} edges {near_face:+.6} / ({} - faces) {near_edge:+.6} / ({} - edges)",
            POLES[0], POLES[1]
        )
    };
    let paper = format!("  the paper's, of its card's peak: {}", formula(&PropagationModel::PAPER));
    match (&refit.model, refit.residuals) {
        (Ok(model), Some([own, papers])) => format!(
            "Eq. 19 of {}, refitted to {} channels, of the copy: {}\n  residuals rms {:.4}, largest {:.4}\n{paper}\n  residuals rms {:.4}, largest {:.4}",
            refit.variant,
            refit.points,
            formula(model),
            own.rms,
            own.largest,
            papers.rms,
            papers.largest,
        ),
        (Err(error), _) => format!("Eq. 19 of {} is not refitted: {error}\n{paper}", refit.variant),
        (Ok(_), None) => paper,
    }
}

fn measured_json(measured: &Measured) -> serde_json::Value {
    match measured {
        Measured::Cpu(m) => as_json(m),
        Measured::Device(m) => device_json(m),
    }
}

fn measured_text(measured: &Measured) -> String {
    match measured {
        Measured::Cpu(m) => as_text(m),
        Measured::Device(m) => device_text(m),
    }
}

fn cell_json(cell: &Cell) -> serde_json::Value {
    let Cell { scheme, variant, size, memory, outcome } = cell;
    let mut object = match outcome {
        Outcome::Measured(measured) => measured_json(measured),
        _ => json!({ "variant": variant, "size": size, "memory_bytes": memory, "note": outcome.note() }),
    };
    object["scheme"] = json!(scheme);
    object["nodes"] = json!(cell.nodes());
    object["fits"] = json!(matches!(outcome, Outcome::Measured(_)));
    object
}

fn cell_text(cell: &Cell) -> String {
    let [nx, ny, nz] = cell.size;
    match (&cell.outcome, cell.memory) {
        (Outcome::Measured(measured), Some(memory)) => {
            format!("{}\n  {:.3} GB of populations", measured_text(measured), memory as f64 * 1e-9)
        }
        (outcome, Some(memory)) => format!(
            "{}\n  {nx} x {ny} x {nz}: {}, {:.3} GB of populations",
            cell.variant,
            outcome.note(),
            memory as f64 * 1e-9
        ),
        (outcome, None) => format!("{}\n  {}", cell.variant, outcome.note()),
    }
}

fn ratio_text(ratio: &Ratio) -> String {
    let share = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let paper = |value: Option<f64>| value.map_or_else(String::new, |value| format!(" (paper {value:.2})"));
    format!(
        "{}, over two copies: speed {}{}, memory {}{}; in the largest box that it fits, speed {} of theirs",
        ratio.scheme,
        share(ratio.speed),
        paper(ratio.paper_speed),
        share(ratio.memory),
        paper(ratio.paper_memory),
        share(ratio.beyond),
    )
}

fn compared_text(c: &Compared) -> String {
    let [nx, ny, nz] = c.size;
    let speedup = c.paper_speedup.map_or_else(String::new, |[least, most]| {
        format!(" (paper: {least:.0} to {most:.0} times, K40c over a core)")
    });
    let over = c.paper_over.map_or_else(String::new, |ratio| format!(" (paper: {ratio:.2})"));
    let verified = match (c.verified, c.difference) {
        (true, 0.0) => "verified to the bit".to_owned(),
        (true, difference) => format!("verified within {difference:.0e}"),
        (false, difference) => format!("DIFFERS by {difference:.0e}"),
    };
    format!(
        "{}, {nx} x {ny} x {nz}: {}\n  1000 steps {:.3} s (from turns of {}), {:.1} MLUPS, {:.2} times the scalar loop{speedup}; \
         ccas is {:.2} times as fast{over}\n  {} bytes a node: {:.1} % of the copy's {:.1} GB/s\n  {}; {verified}",
        c.flow,
        c.contestant,
        c.seconds,
        c.steps,
        c.mlups,
        c.speedup,
        c.over,
        c.bytes_per_node,
        100.0 * c.share_of_copy,
        c.copy,
        c.engine,
    )
}

fn as_json(m: &Measurement) -> serde_json::Value {
    json!({
        "variant": m.variant,
        "device": "cpu",
        "size": m.size,
        "threads": m.threads,
        "mlups": m.mlups,
        "mlups_slowest": m.spread.0,
        "mlups_fastest": m.spread.1,
        "bytes_per_node": m.bytes_per_node,
        "memory_bytes": m.memory_bytes,
        "copy_gb_s": m.copy,
        "share_of_copy": m.share_of_copy,
        "streams_gb_s": m.streams,
        "share_of_streams": m.share_of_streams,
        "stores": m.stores.name(),
        "engine": m.engine,
        "by_hand_mlups": m.by_hand.map(|hand| hand.mlups),
        "ratio_to_by_hand": m.by_hand.map(|hand| hand.ratio),
        "verified": m.verified,
    })
}

fn device_json(m: &DeviceMeasurement) -> serde_json::Value {
    json!({
        "variant": m.variant,
        "device": m.device.to_string(),
        "size": m.size,
        "threads": m.threads,
        "steps": m.steps,
        "steps_at_once": m.steps_at_once,
        "mlups": m.mlups,
        "mlups_slowest": m.spread.0,
        "mlups_fastest": m.spread.1,
        "bytes_per_node": m.bytes_per_node,
        "memory_bytes": m.memory_bytes,
        "copy_gb_s": m.copy,
        "share_of_copy": m.share_of_copy,
        "read_write_gb_s": m.read_write,
        "propagation_mlups": m.propagation,
        "launch_us": m.launch_us,
        "engine": m.engine,
        "verified": m.verified,
    })
}

fn device_text(m: &DeviceMeasurement) -> String {
    let [nx, ny, nz] = m.size;
    let bandwidth = m.mlups * 1e-3 * m.bytes_per_node as f64;
    let stored = stored(m.memory_bytes, m.size);
    let share = |gb_s: f64| 100.0 * gb_s / m.copy;
    let at_once = if m.steps_at_once > 1 { format!(", {} at once", m.steps_at_once) } else { String::new() };
    let propagation = m.propagation.map_or_else(String::new, |mlups| {
        format!(
            ", propagation only {mlups:.0} MLUPS ({:.1} %)",
            share(mlups * 1e-3 * m.bytes_per_node as f64)
        )
    });
    format!(
        "{}\n  {:.0} MLUPS ({:.0} to {:.0}), {nx} x {ny} x {nz}, {}, {} steps a turn{at_once}\n  {} bytes a node to move, {stored:.1} stored: {bandwidth:.0} GB/s; \
         {:.1} % of the copy's {:.0} GB/s\n  read and write only {:.0} GB/s ({:.1} %){propagation}; an empty launch {:.2} us\n  {}",
        m.variant,
        m.mlups,
        m.spread.0,
        m.spread.1,
        m.engine,
        m.steps,
        m.bytes_per_node,
        100.0 * m.share_of_copy,
        m.copy,
        m.read_write,
        share(m.read_write),
        m.launch_us,
        verdict(m.verified),
    )
}

fn verdict(verified: bool) -> &'static str {
    if verified { "bits verified" } else { "BITS DIFFER from the reference" }
}

/// Bytes a node, as allocated.
fn stored(bytes: usize, size: [usize; 3]) -> f64 {
    bytes as f64 / size.iter().product::<usize>() as f64
}

fn as_text(m: &Measurement) -> String {
    let [nx, ny, nz] = m.size;
    let stored = stored(m.memory_bytes, m.size);
    let mut text = format!(
        "{}\n  {:.1} MLUPS ({:.1} to {:.1}), {nx} x {ny} x {nz}, {}, {} stores\n  {} bytes a node to move, {stored:.1} stored: {:.1} GB/s; \
         {:.0} % of the copy's {:.1} GB/s, {:.0} % of the streams' {:.1} GB/s\n",
        m.variant,
        m.mlups,
        m.spread.0,
        m.spread.1,
        m.engine,
        m.stores.name(),
        m.bytes_per_node,
        m.mlups * 1e-3 * m.bytes_per_node as f64,
        100.0 * m.share_of_copy,
        m.copy,
        100.0 * m.share_of_streams,
        m.streams,
    );
    if let Some(hand) = m.by_hand {
        text += &format!("  by hand {:.1} MLUPS; generated over by hand {:.3}\n", hand.mlups, hand.ratio);
    }
    text + "  " + verdict(m.verified)
}
