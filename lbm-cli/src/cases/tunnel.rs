//! What bodies in a wind tunnel share: the box around one, what enters and leaves, sides without friction, and coefficients of the force.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Flow, Steady, variant};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::Table;
use super::pushed::{NO_SWING, Pushed, Sample, swing};
use super::setting::{Allowed, Setting};
use super::settings::Settings;
use crate::simulation::{Body, Initial, PlacedRule, Problem, Surface, Viscosity};

/// What the tunnel has at its sides.
pub(super) const SIDES: Setting = Setting::named("sides", "slip", Allowed::Names(&["slip", "wall"]))
    .about("sides of the tunnel: planes without friction, or half-way walls at rest");

/// What lets the flow out.
pub(super) const OUTLET: Setting =
    Setting::named("outlet", "characteristic", Allowed::Names(&["characteristic", "regularized"]))
        .about("outlet: a pressure that lets sound out, or one that holds it");

/// Samples of the force in the time in which the flow passes a length.
const SAMPLES: f64 = 20.0;

/// The share of the tunnel's section above which a body is said to hold the flow up.
const BLOCKAGE: f64 = 0.05;

/// Nothing can pass a body that takes more.
const MOST_BLOCKAGE: f64 = 0.9;

/// A body at its place in a box; the flow is along x.
pub(super) struct Tunnel {
    /// Nodes of the box.
    pub(super) size: [usize; 3],
    /// The length that the Reynolds number, and times, refer to, in node spacings.
    pub(super) length: f64,
    /// The body's area across the flow.
    pub(super) area: f64,
    /// The point that torques are about.
    pub(super) about: [f64; 3],
    /// What lies beyond the lower side, y = 0, where that is no side like the others.
    pub(super) floor: Option<FaceRule>,
}

impl Tunnel {
    /// The share of the section that the body takes.
    pub(super) fn blockage(&self) -> f64 {
        let [_, ny, nz] = self.size;
        self.area / (ny as f64 * nz as f64)
    }

    /// The share of the velocity that a node at the inlet has: less than all in a layer at walls at rest, a quarter of the length thick. A
    /// jump from the full velocity to a wall beside it is not stable.
    fn enters(&self, settings: &Settings) -> impl Fn([usize; 3]) -> f64 + Copy + Send + Sync + use<> {
        let still = settings.name("sides") == "wall";
        let walls = [self.floor.map_or(still, |floor| floor == FaceRule::WALL), still, still, still];
        let [_, ny, nz] = self.size;
        let thickness = (self.length / 4.0).max(2.0);
        move |[_, y, z]| {
            let distances = [y, ny - 1 - y, z, nz - 1 - z];
            let near = walls.into_iter().zip(distances).filter(|(wall, _)| *wall);
            let share = |(_, nodes)| ((nodes as f64 + 0.5) / thickness).min(1.0);
            near.map(share).map(|share: f64| share * (2.0 - share)).product()
        }
    }

    /// The flow around surfaces, of which the force on `body` is watched.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a body that fills the tunnel, those of the variant.
    pub(super) fn flow(
        &self,
        settings: &Settings,
        title: String,
        surfaces: Vec<Surface>,
        body: Body,
    ) -> Result<Flow, Error> {
        let &Tunnel { size, length, area, about, floor } = self;
        let (speed, reynolds, blockage) = (settings.velocity(), settings.real("re"), self.blockage());
        if blockage > MOST_BLOCKAGE {
            return Err(Error::out_of_range(
                "blockage",
                format!("{:.1} %", 100.0 * blockage),
                format!("at most {:.0} % of the tunnel's section", 100.0 * MOST_BLOCKAGE),
                "widen the tunnel",
            ));
        }
        let shown = format!("blockage {:.2} % of the tunnel's section", 100.0 * blockage);
        let notes = match blockage > BLOCKAGE {
            true => format!("{shown}: above {} % it raises the drag; widen the tunnel", 100.0 * BLOCKAGE),
            false => shown,
        };
        let enters = self.enters(settings);
        let inlet = PlacedRule::named("regularized-velocity");
        let inlet = inlet.with_each("velocity", move |node| [speed * enters(node), 0.0, 0.0]);
        let outlet = PlacedRule::named(&format!("{}-pressure", settings.name("outlet")));
        let mut problem = Problem {
            size: Some(size.into()),
            viscosity: Some(Viscosity::Reynolds { reynolds, length, velocity: speed }),
            rules: vec![(Face::West, inlet), (Face::East, outlet)],
            surfaces,
            initial: Some(Box::new(move |node| Initial::velocity([speed * enters(node), 0.0, 0.0]))),
            ..Problem::default()
        };
        for face in [Face::South, Face::North, Face::Bottom, Face::Top] {
            match (floor.filter(|_| face == Face::South), settings.name("sides")) {
                (Some(floor), _) => problem.faces[face.index()] = floor,
                (None, "wall") => problem.faces[face.index()] = FaceRule::WALL,
                _ => problem.rules.push((face, PlacedRule::named("free-slip"))),
            }
        }
        let passes = length / speed;
        Ok(Flow {
            title,
            variant: variant("D3Q19", false, settings)?,
            problem,
            notes: vec![notes],
            reference_length: length,
            steady: Some(Steady::everywhere((5.0 * passes).round() as u64, settings)),
            table: Some(Table::of_force(Pushed {
                body,
                interval: (passes / SAMPLES).ceil() as u64,
                about,
                speed,
                axes: Pushed::ALONG_X,
                area: Some(area),
                unit: passes,
            })),
        })
    }
}

/// What is known of a drag coefficient.
pub(super) struct Known {
    /// The coefficient.
    pub(super) drag: f64,
    /// Who says so.
    pub(super) source: &'static str,
}

/// Drag and lift, which is along an axis of this name, over time, their means over the second half and how they swing.
pub(super) fn evaluate(samples: &[Sample], known: Option<&Known>, lift_along: &str) -> Evaluation {
    let last = samples.last().map_or(0.0, |sample| sample.time);
    let line = |k: usize| -> Vec<[f64; 2]> {
        // The start is loud; the table has it.
        let late = samples.iter().filter(|sample| sample.time >= last / 2.0);
        late.map(|sample| [sample.time, sample.coefficients[k]]).collect()
    };
    let profile = |name, title, quantity, simulated, bounds| Profile {
        name,
        title,
        labels: ["t U / L", quantity],
        simulated,
        bounds,
        ..Profile::default()
    };
    let mean = |line: &[[f64; 2]]| line.iter().map(|&[_, value]| value).sum::<f64>() / line.len() as f64;
    let [drag, lift] = [line(0), line(1)];
    let of_lift = format!("lift coefficient (along {lift_along}), mean over the second half of the run");
    let name = "drag coefficient, mean over the second half of the run";
    let mut measures = vec![
        match known {
            Some(known) => Measure::compared(name, mean(&drag), known.drag, known.source),
            None => Measure::alone(name, mean(&drag)),
        },
        Measure::alone("drag coefficient at the end", drag.last().map_or(f64::NAN, |at| at[1])),
        Measure::alone(&of_lift, mean(&lift)),
    ];
    let name = "Strouhal number of the lift";
    measures.push(match swing(&drag, &lift) {
        Some(swing) => Measure::alone(name, swing.frequency),
        None => Measure::none(name, NO_SWING),
    });
    let bounds = known.map(|known| known.drag).into_iter().collect();
    let profiles = vec![
        profile("drag", "drag coefficient", "c_D", drag, bounds),
        profile("lift", "lift coefficient", "c_L", lift, Vec::new()),
    ];
    Evaluation { profiles, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_no_swing_of_the_lift() {
        let sample = |step: u64| {
            let time = step as f64 / 20.0;
            let coefficients = [1.5, 7e-7 * (4.0 * time).sin()];
            Sample { step, time, force: [0.0; 3], torque: [0.0; 3], coefficients }
        };
        let samples: Vec<Sample> = (0..400).map(sample).collect();
        let last = evaluate(&samples, None, "y").measures.pop().unwrap().to_string();
        assert_eq!(last, "Strouhal number of the lift: no even swing of the lift");
    }
}
