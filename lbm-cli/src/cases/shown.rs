//! What pictures, films and files show of a case beside density and velocity.

use std::fmt;

use lbm_core::Error;

use super::settings::Settings;
use crate::output::{Colouring, Map};
use crate::simulation::Simulation;

/// What is shown of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// A number of each node: pictures, slices and films have it in its colours, VTK files as an array of its name. Without it slices and films show the speed.
    pub scalar: Option<&'static Scalar>,
    /// A flow that runs after the case's own and is shown beside it, if one does.
    pub beside: Option<Beside>,
    /// How it begins where it is seen and steered while it runs (`lbm live`), if not as in any run.
    pub live: Option<&'static AtFirst>,
}

impl Shown {
    /// The speed alone.
    pub const SPEED: Shown = Shown { scalar: None, beside: None, live: None };

    /// A scalar, too.
    pub const fn scalar(scalar: &'static Scalar) -> Shown {
        Shown { scalar: Some(scalar), ..Shown::SPEED }
    }
}

/// How a case begins where it is seen and steered.
#[derive(Debug)]
#[cfg_attr(not(feature = "live"), expect(dead_code, reason = "only `lbm live` asks"))]
pub struct AtFirst {
    /// A setting and its value on a GPU, where nobody gave another.
    pub on_a_gpu: (&'static str, &'static str),
    /// What stands in the flow with these settings and can be erased, if something does.
    pub drawn: fn(&Settings) -> Option<Drawn>,
}

impl PartialEq for AtFirst {
    fn eq(&self, other: &AtFirst) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A disc that is drawn into a flow when it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// Where.
    pub disc: Disc,
    /// The setting with which the flow is built without it, and its value.
    pub without: (&'static str, &'static str),
}

/// A disc across the flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its centre; node (i, j) has its own at (i + 1/2, j + 1/2).
    pub centre: [f64; 2],
    /// Its diameter, node spacings.
    pub diameter: f64,
}

/// The flow of a case with a setting changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// The setting.
    pub setting: &'static str,
    /// The value that it has in the other flow; where it has this in any case, there is no other.
    pub value: f64,
}

/// A number of each node that follows from the sums of the sets of populations.
pub struct Scalar {
    /// What files call it.
    pub name: &'static str,
    /// What a colour bar says.
    pub label: &'static str,
    /// Its values at all nodes, at present.
    pub of: fn(&Simulation) -> Result<Vec<f64>, Error>,
    /// How it is drawn.
    pub colouring: Colouring,
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        self.name == other.name
    }
}

impl Eq for Scalar {}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scalar").field(&self.name).finish()
    }
}

/// Which of two fluids: 1 where all is red, -1 where all is blue, and a line where the interface is.
pub static PHI: Scalar = Scalar {
    name: "phi",
    label: "phi",
    of: |simulation| {
        // The set of the flow is that of both fluids.
        let (red, both) = (simulation.sum_of("red")?, simulation.sum_of("flow")?);
        Ok(red.iter().zip(both).map(|(red, both)| 2.0 * red / both - 1.0).collect())
    },
    colouring: Colouring { map: Map::BlueToRed, range: Some([-1.0, 1.0]), lines: &[0.0] },
};

/// A phase field: 1 in the heavy fluid, 0 in the light one, and a line where the interface is.
pub static PHASE: Scalar = Scalar {
    name: "phi",
    label: "phi",
    of: |simulation| simulation.sum_of("phase"),
    colouring: Colouring { map: Map::BlueToRed, range: Some([0.0, 1.0]), lines: &[0.5] },
};

/// The critical density of a fluid that attracts itself, ln 2.
pub(super) const CRITICAL: f64 = std::f64::consts::LN_2;

/// Liquid and vapour of a fluid that attracts itself, by the density, and a line where that is the critical one.
pub static LIQUID: Scalar = Scalar {
    name: "liquid",
    label: "density",
    of: |simulation| simulation.density(),
    colouring: Colouring { map: Map::BlueToRed, range: Some([0.0, 2.0]), lines: &[CRITICAL] },
};

/// The temperature between that of a cold wall, 0, and that of a warm one, 1, with ten isotherms.
pub static TEMPERATURE: Scalar = Scalar {
    name: "temperature",
    label: "temperature",
    of: |simulation| simulation.sum_of("heat"),
    colouring: Colouring {
        map: Map::BlueToRed,
        range: Some([0.0, 1.0]),
        lines: &[0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95],
    },
};
