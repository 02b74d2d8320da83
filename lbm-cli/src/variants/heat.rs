//! What walls do to a temperature that flows carry.

use lbm::models::Boussinesq;
use lbm::prelude::*;
use lbm_bodies::Body;
use lbm_core::Facts;
use lbm_cpu::RuleCode;

solver! {
    /// Heat that a flow carries in two dimensions, for the rules of its walls.
    Flat { model: Boussinesq<Trt, Bgk>, lattices: [D2Q9, D2Q5], precision: F64, boundaries: [heat: FixedValue, heat: FixedFlux] }
}

solver! {
    /// The same in single precision.
    FlatNarrow { model: Boussinesq<Trt, Bgk>, lattices: [D2Q9, D2Q5], precision: F32, boundaries: [heat: FixedValue, heat: FixedFlux] }
}

/// Those of both.
fn both() -> Vec<RuleCode> {
    let mut all = RuleCode::of_variant::<Flat>();
    all.extend(RuleCode::of_variant::<FlatNarrow>());
    all
}

/// The rules that flows of a body may have: of a body of one set of populations all built-in ones, of one that carries heat those of walls that are warm or
/// give heat.
pub(super) fn rules(body: &Body) -> fn() -> Vec<RuleCode> {
    let has_heat =
        body.facts.lattice.name == Facts::of::<Flat>().lattice.name && body.facts.lattice.set("heat").is_ok();
    if has_heat { both } else { body.rules() }
}
