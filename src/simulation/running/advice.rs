//! What may help a flow that has diverged, beside what helps all.

use lbm_core::FaceRule;

use super::Simulation;

/// For velocities that are held on nodes.
const HELD: &str = "a velocity that is held at a face shakes itself at small viscosities: `regularized-velocity` bears smaller ones than `zou-he-velocity`";

/// For those that are there at once.
const AT_ONCE: &str = "what begins at once shakes a flow: let the velocity at faces rise from 0, `.in_time(\"velocity\", Course::ramp(steps)?)`, in case \
                       files `ramp = steps`";

impl Simulation {
    /// What else to try in this flow.
    pub(super) fn advice(&self) -> Option<String> {
        let (mut is_held, mut begins) = (false, false);
        for applied in self.rules_at_faces().map(|number| &self.setup.known().domain().rules[number]) {
            let Some((at, count)) = self.place_of(applied, "velocity") else { continue };
            is_held = true;
            let mut places = applied.values.chunks(applied.count);
            begins |= places.any(|values| values[at..at + count].iter().any(|&component| component != 0.0));
        }
        match (is_held, begins) {
            (false, _) => None,
            (true, false) => Some(HELD.to_owned()),
            (true, true) => Some(format!("{HELD}; {AT_ONCE}")),
        }
    }

    /// The rules of faces, entries of [`Domain::rules`](lbm_core::Domain::rules); of those with patches each as often as it stands at a node.
    fn rules_at_faces(&self) -> impl Iterator<Item = usize> {
        let domain = self.setup.known().domain();
        domain.faces.iter().flat_map(|face| match *face {
            FaceRule::Rule(number) => vec![number],
            FaceRule::Patches(patches) => domain.patches[patches]
                .iter()
                .filter_map(|&number| usize::from(number).checked_sub(1))
                .collect(),
            FaceRule::Periodic | FaceRule::Wall { .. } => Vec::new(),
        })
    }
}
