//! Boundary rules on a device: nodes at which one stands find themselves in a list, and set their populations after these have met,
//! before they collide.

use lbm_core::DeviceText;

use super::link_rules;
use super::pieces::Pieces;
use super::resource::{Parameter, Resource, declared, handed_on};
use super::rule_text::RuleText;
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

/// The same, and what rules of links need, if the box has them.
pub(super) fn parameters(pieces: &Pieces<'_>) -> Vec<Parameter> {
    let of_nodes = if pieces.plan.rules.kinds.is_empty() { Vec::new() } else { RULES.to_vec() };
    [of_nodes, link_rules::parameters(pieces)].concat()
}

/// The functions that set populations.
pub(super) fn functions(pieces: &Pieces<'_>) -> String {
    let (mut text, kinds) = (String::new(), &pieces.plan.rules.kinds);
    let set = |name: &str, RuleText { about, statements, .. }: &RuleText| {
        let statements = DeviceText::numbers(statements, 1.0, |x| pieces.arithmetic.literal(x));
        format!(
            "\n// What a boundary rule sets: {about}.\n\
             __device__ __forceinline__ void {name}(real (&h)[{}], const real* const values) {{\n{statements}}}\n",
            pieces.q
        )
    };
    for (k, parts) in kinds.iter().enumerate() {
        parts.iter().enumerate().for_each(|(n, part)| text += &set(&format!("arrive_{k}_{n}"), part));
    }
    if !kinds.is_empty() {
        text += &at_nodes(pieces);
    }
    text + &link_rules::functions(pieces, |name, link| set(name, &link.text))
}

/// The function that does what rules of faces do at a node.
fn at_nodes(pieces: &Pieces<'_>) -> String {
    let mut text = String::new();
    put!(text, "\n// What boundary rules set at a node, if one stands there.");
    let parameters = declared(&RULES);
    put!(
        text,
        "__device__ __forceinline__ void arrive(\n    {parameters},\n    const size_t node, real (&h)[{}]\n) {{",
        pieces.q
    );
    put!(text, "    if (!(ruled[node >> 5] >> (node & 31u) & 1u)) return;");
    put!(text, "    const unsigned number = number_linked(ruled, ruled_ranks, node);");
    put!(text, "    const real* const values = rule_values + rule_rows[number];");
    text += &link_rules::scaled(pieces, 1.0 / pieces.unit());
    put!(text, "    switch (rule_kinds[number]) {{");
    for (k, parts) in pieces.plan.rules.kinds.iter().enumerate() {
        put!(text, "    case {k}u:");
        let mut row = 0;
        for (n, part) in parts.iter().enumerate() {
            put!(text, "        arrive_{k}_{n}(h, values + {row});");
            row += part.values;
        }
        put!(text, "        break;");
    }
    put!(text, "    }}");
    text += &link_rules::scaled(pieces, pieces.unit());
    put!(text, "}}");
    text
}

/// Sets what rules set at a node, of which this is the number in their lists, and `h` has the populations.
pub(super) fn arrived(pieces: &Pieces<'_>, node: &str, h: &str) -> String {
    let mut text = link_rules::arrived(pieces, node, h);
    if !pieces.plan.rules.kinds.is_empty() {
        let handed = handed_on(&RULES);
        put!(text, "arrive({}, {node}, {h});", handed.trim_start_matches(", "));
    }
    text
}
