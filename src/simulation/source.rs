//! The text that was generated of a solver, to be read.

use std::fmt;

use lbm_core::collision::Operations;
use lbm_core::written::{Header, Stages};
use lbm_core::{Body as _, Error, Facts, Variant, Written};

use super::backend::Backend;

/// What was generated of a solver; it prints as its text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Source {
    /// Below a comment of what it is and costs: for the CPU the body's functions as Rust; for a device the kernels of a step as CUDA C++, for a box of
    /// any size without walls.
    pub text: String,
    /// The formulas as they were evaluated, and what each stage of the generator made of them: name and text.
    pub stages: Stages,
    /// What a collision costs a node.
    pub operations: Operations,
    /// How many values are held at once, at most.
    pub live_values: usize,
    /// How many times what the last digits of its populations decide a step in single precision is off by, at most in a few trials at amplitudes
    /// from 1/10 to 1e-6; NaN where that is not known. A number above 100 means that two digits more are lost.
    pub digits_lost: f64,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What was generated of a variant for a backend.
pub(super) fn of<V: Variant>(backend: Backend) -> Result<Source, Error> {
    let (facts, name) = (Facts::of::<V>(), V::name());
    let written = V::Body::WRITTEN.ok_or_else(|| Error::Unavailable {
        what: format!("the body of {name} was written by hand, so that nothing was generated"),
        remedy: "read it where it stands; `solver!` generates bodies".to_owned(),
    })?;
    let header = Header::new(&name, Some(facts.bytes_per_update()));
    let text = match backend {
        Backend::Cpu => written.rust_page(&header),
        #[cfg(feature = "cuda")]
        Backend::Cuda(_) | Backend::CudaOnHost => for_device(&facts, &written, &header)?,
        #[cfg(not(feature = "cuda"))]
        Backend::Cuda(_) | Backend::CudaOnHost => return Err(backend.missing()),
    };
    let Written { stages, live_values, digits, .. } = written;
    Ok(Source { text, stages, operations: V::Body::OPERATIONS, live_values, digits_lost: digits })
}

/// The kernels of a step in the likeliest shape for a large box, which are handed its size.
#[cfg(feature = "cuda")]
fn for_device(facts: &Facts, written: &Written, header: &Header<'_>) -> Result<String, Error> {
    use lbm_cuda::assemble::{Plan, Shape, step};

    let size = if facts.lattice.dimension == 2 { [4096, 4096, 1] } else { [512; 3] };
    let plan = Plan::of(Shape::likely(facts, size));
    let launch = format!("For a box of any size without walls, in the shape {}.", plan.shape);
    Ok(format!("{}\n{}", written.cuda_comment(header, &[launch]), step(facts, &plan)?))
}
