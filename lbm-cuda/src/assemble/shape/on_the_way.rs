//! Whether fields can follow on the way of a march.

use lbm_core::Facts;
use lbm_core::derived::Derivation;
use lbm_core::legal::can_send_fields_on_the_way;

/// The two passes that a march can do with the step: the first makes fields of what comes to a node, the last reads these beside it. None where there are more passes, or
/// they read from further away.
pub(in crate::assemble) fn on_the_way(facts: &Facts) -> Option<[&'static Derivation; 2]> {
    let [first, last] = facts.body.derivations else { return None };
    let is_beside = last
        .reads
        .iter()
        .all(|read| first.fields.contains(&read.field) && read.offset.iter().all(|offset| offset.abs() <= 1));
    let around = facts.body.text?.halves?.parts.around_fields;
    (is_beside && around.is_some() && can_send_fields_on_the_way(facts)).then_some([first, last])
}
