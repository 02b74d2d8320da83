//! What `lbm bench` prints where lines are to be read.

use lbm_core::geometry::POLES;

use crate::bench::paper::{Cell, Chosen, Compared, LeftOut, Ratio, Record, Refit, Sparse, Verdict};
use crate::bench::{Beside, Measurement};

/// To be read.
pub(super) fn text(record: &Record<'_>) -> String {
    match record {
        Record::Measured(measured) => measured_text(measured),
        Record::Cell(cell) => cell_text(cell),
        Record::Ratio(ratio) => ratio_text(ratio),
        Record::Compared(compared) => compared_text(compared),
        Record::Sparse(sparse) => sparse_text(sparse),
        Record::Refit(refit) => refit_text(refit),
        Record::Chosen(chosen) => chosen_text(chosen),
        Record::LeftOut(LeftOut { part, choice, left_out }) => {
            format!("{part}, {choice}: left out: {left_out}")
        }
        Record::Verdict(verdict) => verdict_text(verdict),
    }
}

/// What is said of a value, or nothing if there is none.
pub(super) fn said<T>(value: Option<T>, how: impl FnOnce(T) -> String) -> String {
    value.map_or_else(String::new, how)
}

/// `512 x 512 x 1`
pub(super) fn extent(size: [usize; 3]) -> String {
    size.map(|n| n.to_string()).join(" x ")
}

fn measured_text(m: &Measurement) -> String {
    let bandwidth = m.mlups * 1e-3 * m.bytes_per_node as f64;
    let stored = m.memory_bytes as f64 / m.size.iter().product::<usize>() as f64;
    let moved = format!("{} bytes a node to move, {stored:.1} stored", m.bytes_per_node);
    let share = 100.0 * m.share_of_copy;
    let (size, engine, copy) = (extent(m.size), &m.engine, m.copy_gb_s);
    let speed = |digits: usize| {
        let [slowest, fastest] = [m.mlups_slowest, m.mlups_fastest];
        format!("{:.digits$} MLUPS ({slowest:.digits$} to {fastest:.digits$})", m.mlups)
    };
    let (speed, rest) = match &m.beside {
        Beside::Cpu { stores, streams_gb_s, share_of_streams, by_hand_mlups, ratio_to_by_hand } => (
            format!("{}, {size}, {engine}, {stores} stores", speed(1)),
            format!(
                "{bandwidth:.1} GB/s; {share:.0} % of the copy's {copy:.1} GB/s, {:.0} % of the streams' {streams_gb_s:.1} GB/s{}",
                100.0 * share_of_streams,
                said(by_hand_mlups.zip(*ratio_to_by_hand), |(mlups, ratio)| format!(
                    "\n  by hand {mlups:.1} MLUPS; generated over by hand {ratio:.3}"
                )),
            ),
        ),
        Beside::Device { steps, steps_at_once, read_write_gb_s, propagation_mlups, launch_us } => (
            format!("{}, {size}, {engine}, {steps} steps a turn, {steps_at_once} at once", speed(0)),
            format!(
                "{bandwidth:.0} GB/s; {share:.1} % of the copy's {copy:.0} GB/s\n  \
                 read and write only {read_write_gb_s:.0} GB/s ({:.1} %){}; an empty launch {launch_us:.2} us",
                100.0 * read_write_gb_s / copy,
                said(*propagation_mlups, |mlups| format!(
                    ", propagation only {mlups:.0} MLUPS ({:.1} %)",
                    100.0 * mlups * 1e-3 * m.bytes_per_node as f64 / copy
                )),
            ),
        ),
    };
    let mut verdict = if m.verified { "bits verified" } else { "BITS DIFFER from the reference" }.to_owned();
    let beside = said(m.share_of_periodic, |share| {
        verdict += &format!(" in such a box of {}", extent(m.verified_in));
        let rule = m.rule.as_ref().map_or(String::new(), |rule| format!(", rule {rule}"));
        format!("\n  {}{rule}: {:.1} % of the periodic box in the same turns", m.flow, 100.0 * share)
    });
    format!("{}\n  {speed}\n  {moved}: {rest}{beside}\n  {verdict}", m.variant)
}

fn cell_text(cell: &Cell) -> String {
    let memory = format!("{:.3} GB of populations", cell.memory_bytes as f64 * 1e-9);
    match &cell.measured {
        Some(measured) => format!("{}\n  {memory}", measured_text(measured)),
        None => format!("{}\n  {}: {}, {memory}", cell.variant, extent(cell.size), cell.note),
    }
}

fn ratio_text(ratio: &Ratio) -> String {
    let share = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let paper = |value: Option<f64>| said(value, |value| format!(" (paper {value:.2})"));
    format!(
        "{}, over two copies: speed {}{}, memory {}{}; in the largest box that it fits, speed {} of theirs",
        ratio.scheme,
        share(ratio.speed_over_two_copies),
        paper(ratio.paper_speed_over_two_copies),
        share(ratio.memory_over_two_copies),
        paper(ratio.paper_memory_over_two_copies),
        share(ratio.beyond),
    )
}

fn compared_text(c: &Compared) -> String {
    let speedup = said(c.paper_speedup, |[least, most]| {
        format!(" (paper: {least:.0} to {most:.0} times, K40c over a core)")
    });
    let verified = match (c.verified, c.largest_difference) {
        (true, 0.0) => "verified to the bit".to_owned(),
        (true, difference) => format!("verified within {difference:.0e}"),
        (false, difference) => format!("DIFFERS by {difference:.0e}"),
    };
    format!(
        "{}, {}: {}\n  1000 steps {:.3} s (from turns of {}), {:.1} MLUPS, {:.2} times the scalar loop{speedup}; \
         ccas is {:.2} times as fast{}\n  {} bytes a node: {:.1} % of the copy's {:.1} GB/s\n  {}; {verified}",
        c.flow,
        extent(c.size),
        c.contestant,
        c.seconds_for_1000_steps,
        c.steps,
        c.mlups,
        c.speedup_over_scalar_loop,
        c.ccas_over_it,
        said(c.paper_ccas_over_it, |ratio| format!(" (paper: {ratio:.2})")),
        c.bytes_per_node,
        100.0 * c.share_of_copy,
        c.copy_gb_s,
        c.engine,
    )
}

fn sparse_text(s: &Sparse) -> String {
    let verified = match s.verified {
        Some(true) => "bits verified",
        Some(false) => "bits WRONG",
        None => "bits not asked",
    };
    let paper = |share: Option<f64>| said(share, |share| format!(" (paper {:.1} %)", 100.0 * share));
    let sticks =
        said(s.propagation_share_of_copy.zip(s.read_write_share_of_copy), |(propagation, read_write)| {
            format!(
                "\n  propagation only {:.1} %{}, read and write only {:.1} %{}",
                100.0 * propagation,
                paper(s.paper_propagation_share_of_peak),
                100.0 * read_write,
                paper(s.paper_read_write_share_of_peak),
            )
        });
    format!(
        "{} {}, {} fluid nodes, utilisation {:.3}{}\n  {}: {:.0} MFLUPS, {:.1} % of the copy's {:.0} GB/s{}, \
         {:.1} bytes stored a fluid node, {verified}{sticks}",
        s.part,
        s.geometry,
        s.fluid_nodes,
        s.utilisation,
        said(s.paper_utilisation, |utilisation| format!(" (paper {utilisation:.3})")),
        s.variant,
        s.mflups,
        100.0 * s.share_of_copy,
        s.copy_gb_s,
        paper(s.paper_share_of_peak),
        s.stored_bytes_per_fluid_node,
    )
}

/// The formula with both sets of coefficients.
fn refit_text(refit: &Refit) -> String {
    let formula = |[constant, face, edge, near_face, near_edge]: [f64; 5]| {
        let [faces, edges] = POLES;
        format!(
            "{constant:.4} {face:+.5} faces {edge:+.5} edges {near_face:+.6} / ({faces} - faces) {near_edge:+.6} / ({edges} - edges)"
        )
    };
    let residuals = |rms: Option<f64>, largest: Option<f64>| {
        said(rms.zip(largest), |(rms, largest)| format!("\n  residuals rms {rms:.4}, largest {largest:.4}"))
    };
    let own = match refit.coefficients {
        Some(coefficients) => format!(
            ", refitted to {} channels, of the copy: {}{}",
            refit.channels,
            formula(coefficients),
            residuals(refit.rms_residual, refit.largest_residual)
        ),
        None => format!(" is not refitted: {}", refit.note.as_deref().unwrap_or_default()),
    };
    format!(
        "Eq. 19 of {}{own}\n  the paper's, of its card's peak: {}{}",
        refit.variant,
        formula(refit.paper_coefficients),
        residuals(refit.paper_rms_residual, refit.paper_largest_residual),
    )
}

fn chosen_text(c: &Chosen) -> String {
    let paper = said(c.paper_over_first, |ratio| format!(" (paper {ratio:.3})"));
    let resident = said(c.registers.zip(c.occupancy), |(registers, occupancy)| {
        format!("; {registers} registers a thread, occupancy {occupancy:.2}")
    });
    format!(
        "{}, {}, {:.0} % fluid: {}\n  {:.1} MLUPS of fluid nodes ({:.1} to {:.1}), {:.3} of the first{paper}\n  \
         {:.1} bytes a node: {:.1} % of the copy's {:.1} GB/s{resident}\n  {}, {}; {}",
        c.part,
        extent(c.size),
        100.0 * c.share_of_fluid,
        c.choice,
        c.mlups,
        c.mlups_slowest,
        c.mlups_fastest,
        c.over_first,
        c.bytes_per_node,
        100.0 * c.share_of_copy,
        c.copy_gb_s,
        c.variant,
        c.engine,
        if c.verified { "bits verified" } else { "bits WRONG" },
    )
}

fn verdict_text(v: &Verdict) -> String {
    format!(
        "{}: {}: `{}` is {:.3} times as fast as `{}`\n  the paper says: {}",
        v.title,
        if v.matters { "it matters" } else { "it does not matter" },
        v.fastest,
        v.fastest_over_slowest,
        v.slowest,
        v.paper,
    )
}
