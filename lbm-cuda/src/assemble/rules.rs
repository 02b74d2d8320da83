//! Boundary rules on a device: nodes at which one stands find themselves in a list, and set their populations after these have met,
//! before they collide.

use lbm_core::DeviceText;

use super::pieces::Pieces;
use super::resource::{Parameter, Resource, declared, handed_on};
use super::rule_text::{RulePart, RuleText};
use super::scheme::put;

/// What a kernel is handed that does nodes with rules: a bit a node, before each word of these how many there are, and for each such
/// node what is done there and where its values begin; and the values.
const RULES: [Parameter; 5] = [
    Resource::Ruled.read(),
    Resource::RuledRanks.read(),
    Resource::RuleKinds.read(),
    Resource::RuleRows.read(),
    Resource::RuleValues.read(),
];

/// The same, if the box has rules.
pub(super) fn parameters(pieces: &Pieces<'_>) -> Vec<Parameter> {
    if pieces.plan.rules.is_empty() { Vec::new() } else { RULES.to_vec() }
}

/// The functions that set populations.
pub(super) fn functions(pieces: &Pieces<'_>) -> String {
    let (q, unit) = (pieces.q, pieces.unit());
    let mut text = String::new();
    if pieces.plan.rules.is_empty() {
        return text;
    }
    for (k, RuleText { parts }) in pieces.plan.rules.iter().enumerate() {
        for (n, RulePart { about, statements, .. }) in parts.iter().enumerate() {
            let statements = DeviceText::numbers(statements, 1.0, |x| pieces.arithmetic.literal(x));
            text += &format!(
                "\n// What a boundary rule sets: {about}.\n\
                 __device__ __forceinline__ void arrive_{k}_{n}(real (&h)[{q}], const real* const values) {{\n{statements}}}\n"
            );
        }
    }
    put!(text, "\n// What boundary rules set at a node, if one stands there.");
    let parameters = declared(&RULES);
    put!(
        text,
        "__device__ __forceinline__ void arrive(\n    {parameters},\n    const size_t node, real (&h)[{q}]\n) {{"
    );
    put!(text, "    if (!(ruled[node >> 5] >> (node & 31u) & 1u)) return;");
    put!(text, "    const unsigned number = number_linked(ruled, ruled_ranks, node);");
    put!(text, "    const real* const values = rule_values + rule_rows[number];");
    // Rules know populations as they are.
    let scaled = |text: &mut String, by: f64| {
        if unit != 1.0 {
            let by = pieces.arithmetic.literal(by);
            (0..q).for_each(|i| put!(text, "    h[{i}] *= {by};"));
        }
    };
    scaled(&mut text, 1.0 / unit);
    put!(text, "    switch (rule_kinds[number]) {{");
    for (k, RuleText { parts }) in pieces.plan.rules.iter().enumerate() {
        put!(text, "    case {k}u:");
        let mut row = 0;
        for (n, part) in parts.iter().enumerate() {
            put!(text, "        arrive_{k}_{n}(h, values + {row});");
            row += part.values;
        }
        put!(text, "        break;");
    }
    put!(text, "    }}");
    scaled(&mut text, unit);
    put!(text, "}}");
    text
}

/// Sets what rules set at a node, of which this is the number in their lists, and `h` has the populations.
pub(super) fn arrived(pieces: &Pieces<'_>, node: &str, h: &str) -> String {
    if pieces.plan.rules.is_empty() {
        return String::new();
    }
    let handed = handed_on(&RULES);
    format!("arrive({}, {node}, {h});\n", handed.trim_start_matches(", "))
}
