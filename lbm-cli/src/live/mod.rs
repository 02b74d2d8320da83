//! `lbm live`: any case as a flow that [`lbm_live`] shows and steers.
//!
//! What changes a flow is an [`Event`](lbm_live::Event), applied between two steps: the same events in the same steps give the same populations, with
//! viewers or without, on every backend. All else here only looks.

mod drawn;
mod dye;
mod flow;
mod painter;
mod particles;
mod pixels;
mod plane;
mod saved;
mod sliders;
mod streaks;

pub use flow::LiveFlow;

#[cfg(test)]
mod tests;
