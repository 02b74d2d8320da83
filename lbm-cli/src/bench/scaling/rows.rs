//! What is scaled, in which box, and where that is cut.

use lbm_core::cut::Decomposition;
use lbm_core::engine::Setup;
use lbm_core::geometry::{Vessel, VesselKind};
use lbm_core::{Domain, Error, FaceRule};

use super::super::Request;
use super::super::flow::parameters;
use crate::simulation::Backend;
use crate::variants::{self, Entry, fits};

/// A variant in a box.
pub(super) struct Row {
    /// What it is called.
    pub(super) what: &'static str,
    pub(super) variant: &'static str,
    place: Place,
}

/// What there is in the box.
enum Place {
    /// Fluid.
    Periodic,
    /// The tiles paper's tree of vessels, closed, in a box of about as many nodes.
    Tree,
}

const fn periodic(what: &'static str, variant: &'static str) -> Row {
    Row { what, variant, place: Place::Periodic }
}

const ROWS: &[Row] = &[
    periodic("aa f32", "d3q19-bgk-f32-aosoa128-dense-aa"),
    periodic("esoteric-pull f32", "d3q19-bgk-f32-aosoa128-dense-esoteric-pull"),
    periodic("aa f16 storage", "d3q19-bgk-f16in32-aosoa128-dense-aa"),
    periodic("esoteric-pull f16 storage", "d3q19-bgk-f16in32-aosoa128-dense-esoteric-pull"),
    periodic("moments f32", "d3q19-regularized-f32-aosoa128-dense-moments"),
    periodic("two steps at once f32", "d3q19-regularized-f32-aosoa32-dense-moments-two-steps"),
    Row {
        what: "tiles in a tree of vessels f32",
        variant: "d3q19-bgk-f32-aosoa64-tiled4-aa",
        place: Place::Tree,
    },
    periodic("colour gradient f32", "d3q19d3q19-colour-gradient-of-regularized-f32-aosoa32-dense-moments"),
];

/// Those of which all words are part, by what they are called or by the variant's name.
pub(super) fn selected(words: &[String]) -> Result<Vec<&'static Row>, Error> {
    let found: Vec<&Row> =
        ROWS.iter().filter(|row| fits(&format!("{} {}", row.what, row.variant), words)).collect();
    match found.is_empty() {
        false => Ok(found),
        true => {
            let known: Vec<&str> = ROWS.iter().map(|row| row.what).collect();
            let remedy = format!("leave the words out, or take those of one of: {}", known.join("; "));
            Err(Error::unknown("row of `lbm bench scaling`", &words.join(" "), known, remedy))
        }
    }
}

impl Row {
    /// The variant, or why it is refused.
    pub(super) fn entry(&self, request: &Request) -> Result<&'static Entry, String> {
        let entry = variants::find(self.variant).map_err(|error| error.to_string())?;
        match request.placement.backend == Backend::Cpu && !entry.is_compiled() {
            true => Err("its machine code is not compiled in for the CPU".to_owned()),
            false => Ok(entry),
        }
    }

    /// A box of so many times the nodes of one of this size, longer along z.
    pub(super) fn setup(&self, entry: &Entry, size: [usize; 3], times: usize) -> Result<Setup, Error> {
        let [nx, ny, nz] = size;
        let domain = match self.place {
            Place::Periodic => Domain::periodic([nx, ny, times.saturating_mul(nz)]),
            Place::Tree => {
                let whole = Vessel { kind: VesselKind::Tree, scale: 1.0 }.size();
                let nodes = |size: [usize; 3]| size.iter().map(|&n| n as f64).product::<f64>();
                let scale = (times as f64 * nodes(size) / nodes(whole)).cbrt().clamp(0.15, 10.0);
                let tree = Vessel { kind: VesselKind::Tree, scale };
                tree.geometry()?.into_domain([FaceRule::WALL; 6])?
            }
        };
        Ok(Setup::new(domain, parameters(entry)))
    }

    /// How it is cut: along z where it is all fluid, else into parts of equal work.
    pub(super) fn cut(&self, request: &Request, parts: usize) -> Decomposition {
        request.placement.spaced(match self.place {
            Place::Periodic => Decomposition::Along([1, 1, parts]),
            Place::Tree => Decomposition::Balanced(parts),
        })
    }
}
