//! Pulsating flow between plates and in a round pipe: amplitude and phase beside the exact ones.

use std::f64::consts::PI;
use std::path::Path;

use lbm::womersley::Womersley;
use lbm_core::Error;

use super::{Event, Options, Row, joined, lowest_order};
use crate::cases::{self, Settings, womersley};
use crate::output::{Panel, Series, prepare, write_plot};
use crate::variants;

const SOURCE: &str = "Womersley, J. Physiol. 127 (1955) 553; between plates Landau & Lifshitz, Fluid Mechanics, §24, problem 6";

/// What is the same in all flows: the Womersley number.
const NUMBER: f64 = 4.0;

/// Periods before the flow is looked at: the slowest mode falls by exp(-2.47 nu T / R^2), about e, in each between plates.
const BEFORE: u64 = 12;

/// Looks at the velocity in a period, of which it is a sum of harmonics; squares of the sizes are multiples of it.
const LOOKS: u64 = 16;

/// A flow: its shape, what drives it, and nodes across.
struct Pulse {
    shape: &'static str,
    drive: &'static str,
    sizes: [usize; 2],
}

const PULSES: [Pulse; 3] = [
    Pulse { shape: "plates", drive: "pressure", sizes: [16, 32] },
    Pulse { shape: "plates", drive: "inlet", sizes: [16, 32] },
    Pulse { shape: "pipe", drive: "pressure", sizes: [12, 24] },
];

/// How far amplitude (as a share) and phase (radians) may be off on the finer grid: what the order leaves of the coarser one's 2 %.
const GRID: f64 = 5e-3;

/// What the velocity of a flow has of the cosine and of the sine, over the greatest one in the middle, by distance from the middle.
struct Measured {
    exact: Womersley,
    speed: f64,
    variant: String,
    /// Nodes along the channel.
    length: usize,
    /// Distance, then both parts.
    parts: Vec<(f64, [f64; 2])>,
}

impl Measured {
    /// The largest difference from the exact parts.
    fn error(&self) -> f64 {
        let off = |&(distance, [a, b]): &(f64, [f64; 2])| {
            let [c, d] = self.exact.parts(distance);
            (a - c / self.speed).hypot(b - d / self.speed)
        };
        cases::largest(self.parts.iter().map(off))
    }

    /// Amplitude over the exact one, and how far the phase is behind it, of the node nearest the middle.
    fn response(&self) -> [f64; 2] {
        let nearest = self.parts.iter().min_by(|(one, _), (other, _)| one.total_cmp(other));
        let &(distance, [a, b]) = nearest.expect("a channel has nodes");
        let [c, d] = self.exact.parts(distance);
        let turn = b.atan2(a) - d.atan2(c);
        [a.hypot(b) / c.hypot(d) * self.speed, (turn + PI).rem_euclid(2.0 * PI) - PI]
    }
}

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for pulse in &PULSES {
        let Pulse { shape, drive, sizes } = pulse;
        let mut all = Vec::new();
        for &size in sizes {
            heard(Event::Progress(format!("womersley: {shape}, driven by the {drive}, {size} nodes across")));
            all.push(measured(pulse, size, options)?);
        }
        let errors: Vec<f64> = all.iter().map(Measured::error).collect();
        let [_, fine] = &all[..] else { unreachable!("two grids") };
        let name = format!("womersley-{shape}-{drive}");
        let row = Row::order(format!("{name}-order"), &fine.variant, lowest_order(sizes, &errors));
        let words = format!(
            "order of the largest error of amplitudes, as parts of cosine and sine, between {sizes:?} nodes across ({}); Womersley number {NUMBER}",
            joined(&errors)
        );
        heard(Event::Row(row.about(words, SOURCE)));
        let (measured, expected) = (fine.response(), expected(pulse, fine));
        for (n, what) in ["amplitude", "phase"].into_iter().enumerate() {
            let row = Row::error(format!("{name}-{what}"), &fine.variant, measured[n], GRID);
            let how = if n == 0 { "over the exact one" } else { "behind the exact one, radians" };
            let words = format!(
                "{what} in the middle {how}, {} nodes across; the reference has what the channel stores",
                sizes[1]
            );
            heard(Event::Row(Row { reference: expected[n], ..row }.about(words, SOURCE)));
        }
        if let Some(folder) = &options.out {
            heard(Event::Written(draw(folder, &name.replace('-', "_"), fine)?));
        }
    }
    Ok(())
}

/// Amplitude over the exact one, and how far the phase is behind it, of a fluid that is hardly compressible.
///
/// A pressure of step n acts half a step before. A channel stores fluid: c_s^2 du/dx = -dp/dt, where p is A times the density and the distance
/// from where it is held. So in the middle u is larger, than at an inlet at the other end by 3/8 (w L / c_s)^2 over the mean of 1 - F(k r) /
/// F(k R), and than in the mean of a period by 1/24 of the same.
fn expected(pulse: &Pulse, fine: &Measured) -> [f64; 2] {
    let frequency = 2.0 * PI / (pulse.sizes[1] * pulse.sizes[1]) as f64;
    let (share, length, lead) = match pulse.drive {
        "inlet" => (3.0 / 8.0, fine.length - 1, 0.0),
        _ => (1.0 / 24.0, fine.length, frequency / 2.0),
    };
    // The acceleration of a unit mean is i w over that mean.
    let [cosine, sine] = fine.exact.with_mean(1.0).acceleration();
    let stored = 3.0 * share * frequency * (length * length) as f64;
    let [real, imaginary] = [1.0 - stored * sine, -stored * cosine];
    [real.hypot(imaginary), -imaginary.atan2(real) - lead]
}

/// The flow of the case with so many nodes across, over a period once it repeats; time goes with the square of the spacing.
fn measured(pulse: &Pulse, size: usize, options: &Options) -> Result<Measured, Error> {
    let case = cases::find("womersley")?;
    let (period, speed) = ((size * size) as u64, 0.16 / size as f64);
    let settings = Settings::with(
        case,
        &format!(
            "size={size} shape={} drive={} womersley={NUMBER} period={period} velocity={speed}",
            pulse.shape, pulse.drive
        ),
    )?;
    let exact = womersley::exact(&settings)?;
    let mut flow = case.flow_of(&settings)?;
    flow.problem.placement = options.small_box();
    let mut simulation = variants::build(&flow.variant.name, flow.problem)?;
    simulation.run(BEFORE * period)?;
    let [nx, ny, nz] = simulation.size();
    let shape = womersley::Shape::of(&settings);
    let nodes = (0..ny * nz).map(|node| {
        let distance = shape.distance([0.5, (node % ny) as f64 + 0.5, (node / ny) as f64 + 0.5]);
        (nx / 2 + nx * node, distance)
    });
    let nodes: Vec<(usize, f64)> = nodes.filter(|&(_, distance)| distance < size as f64 / 2.0).collect();
    let mut parts: Vec<(f64, [f64; 2])> = nodes.iter().map(|&(_, distance)| (distance, [0.0; 2])).collect();
    for look in 1..=LOOKS {
        simulation.run(period / LOOKS)?;
        let angle = 2.0 * PI * look as f64 / LOOKS as f64;
        let velocity = simulation.velocity()?;
        for ((_, parts), (node, _)) in parts.iter_mut().zip(&nodes) {
            let share = 2.0 / LOOKS as f64 * velocity[*node][0] / speed;
            *parts = [parts[0] + share * angle.cos(), parts[1] + share * angle.sin()];
        }
    }
    Ok(Measured { exact, speed, variant: simulation.variant(), length: nx, parts })
}

/// Profiles at eighths of a period, drawn over the distance from the middle.
fn draw(folder: &Path, name: &str, measured: &Measured) -> Result<std::path::PathBuf, Error> {
    prepare(folder)?;
    let path = folder.join(format!("{name}.png"));
    let Measured { exact, speed, parts, .. } = measured;
    let mut series = Vec::new();
    for eighth in [0, 1, 2, 3] {
        let (sine, cosine) = (PI / 4.0 * f64::from(eighth)).sin_cos();
        let at = |[a, b]: [f64; 2]| a * cosine + b * sine;
        let half = parts.iter().map(|&(distance, _)| distance).fold(0.0, f64::max);
        let line = (0..=100).map(|n| half * f64::from(n) / 100.0).map(|r| (r, at(exact.parts(r)) / speed));
        series.push(Series::line(format!("exact, {eighth}/8 of a period"), line.collect()));
        let marks = parts.iter().map(|&(distance, parts)| (distance, at(parts)));
        series.push(Series::crosses(format!("{eighth}/8"), marks.collect()));
    }
    let title = format!("Womersley number {NUMBER}");
    write_plot(&path, &title, &[Panel::new("velocity", "distance from the middle", "u / U", series)])?;
    Ok(path)
}
