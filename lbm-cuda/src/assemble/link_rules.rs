//! Boundary rules of links on a device. A node with such links finds itself in a list, and goes through its directions: each has a
//! row of values, of which the last ones may be what the node sent in the step before.

use super::pieces::Pieces;
use super::resource::{Parameter, Resource, declared, handed_on};
use super::rule_text::LinkText;
use super::scheme::put;

/// What a kernel is handed that does such nodes: a bit a node, before each word of these how many there are; for each such node a bit
/// a direction and the row of its first link; of each row the rule, if there are several; and the values.
pub(super) fn parameters(pieces: &Pieces<'_>) -> Vec<Parameter> {
    let links = &pieces.plan.rules.links;
    if links.is_empty() {
        return Vec::new();
    }
    let mut all = vec![
        Resource::LinkRuled.read(),
        Resource::LinkRanks.read(),
        Resource::LinkMasks.read(),
        Resource::LinkRows.read(),
    ];
    if has_several(links) {
        all.push(Resource::LinkRules.read());
    }
    all.push(if pieces.plan.rules.keeps_at_links() {
        Resource::LinkValues.shared()
    } else {
        Resource::LinkValues.read()
    });
    all
}

/// Whether rules differ where a direction is the same.
fn has_several(links: &[LinkText]) -> bool {
    links.windows(2).any(|two| two[0].back == two[1].back)
}

/// Finds the links of a node, or returns.
fn found(node: &str) -> String {
    format!(
        "    if (!(link_ruled[{node} >> 5] >> ({node} & 31u) & 1u)) return;
    const unsigned number = number_linked(link_ruled, link_ranks, {node});
    const unsigned mask = link_masks[number];
    unsigned row = link_rows[number];
"
    )
}

/// Goes through them: what is done with each rule's, of which `own` are the values.
fn over_links(pieces: &Pieces<'_>, does: impl Fn(usize, &LinkText) -> Option<String>) -> String {
    let (mut text, links, count) = (String::new(), &pieces.plan.rules.links, pieces.plan.rules.count);
    let mut n = 0;
    for of_direction in links.chunk_by(|one, other| one.back == other.back) {
        put!(text, "    if (mask >> {}u & 1u) {{", of_direction[0].back);
        for link in of_direction {
            if let Some(done) = does(n, link) {
                let only =
                    if has_several(links) { format!("if (link_rules[row] == {n}u) ") } else { String::new() };
                put!(
                    text,
                    "        {only}{{ auto* const own = link_values + (size_t){count}u * row; {done} }}"
                );
            }
            n += 1;
        }
        put!(text, "        ++row;");
        put!(text, "    }}");
    }
    text
}

/// The functions: what rules set, and what they keep.
pub(super) fn functions(pieces: &Pieces<'_>, set: impl Fn(&str, &LinkText) -> String) -> String {
    let (mut text, q, rules) = (String::new(), pieces.q, &pieces.plan.rules);
    if rules.links.is_empty() {
        return text;
    }
    for (n, link) in rules.links.iter().enumerate() {
        text += &set(&format!("arrive_link_{n}"), link);
    }
    let handed = declared(&parameters(pieces));
    put!(text, "\n// What rules of its links set at a node, if it has some.");
    put!(
        text,
        "__device__ __forceinline__ void arrive_links(\n    {handed},\n    const size_t node, real (&h)[{q}]\n) {{"
    );
    text += &found("node");
    text += &scaled(pieces, 1.0 / pieces.unit());
    text += &over_links(pieces, |n, _| Some(format!("arrive_link_{n}(h, own);")));
    text += &scaled(pieces, pieces.unit());
    put!(text, "}}");
    if rules.keeps_at_links() && !pieces.facts.pattern.stores_moments() {
        put!(text, "\n// What rules of its links read of a node in the next step: what it sends.");
        put!(
            text,
            "__device__ __forceinline__ void keep_for_links(\n    {handed},\n    const size_t node, const real (&post)[{q}]\n) {{"
        );
        text += &found("node");
        text += &over_links(pieces, |_, link| link.text.kept("own", posted));
        put!(text, "}}");
    }
    text
}

/// What a node sends along a direction, as it is stored, of what leaves it as `post`.
pub(super) fn posted(direction: usize) -> (String, String) {
    (String::new(), format!("decode(encode(post[{direction}]))"))
}

/// Brings populations in another unit, since rules know them as they are.
pub(super) fn scaled(pieces: &Pieces<'_>, by: f64) -> String {
    let mut text = String::new();
    if by != 1.0 {
        let by = pieces.arithmetic.literal(by);
        (0..pieces.q).for_each(|i| put!(text, "    h[{i}] *= {by};"));
    }
    text
}

/// Keeps what rules of the links of a node, of which this is the number in their lists, read in the next step; `post` leaves it.
pub(super) fn kept(pieces: &Pieces<'_>, node: &str, post: &str) -> String {
    if !pieces.plan.rules.keeps_at_links() {
        return String::new();
    }
    let handed = handed_on(&parameters(pieces));
    format!("keep_for_links({}, {node}, {post});\n", handed.trim_start_matches(", "))
}

/// Where moments are stored, before rules set anything: what they read of a node is rebuilt from its own moments. `sent` gives statements,
/// and after these what it sent along a direction.
pub(super) fn rebuilt(pieces: &Pieces<'_>, node: &str, sent: &dyn Fn(usize) -> (String, String)) -> String {
    let mut text = String::new();
    if pieces.plan.rules.keeps_at_links() {
        put!(text, "[&] {{");
        text += &found(node);
        text += &over_links(pieces, |_, link| link.text.kept("own", sent));
        put!(text, "}}();");
    }
    text
}

/// The call of `arrive_links`.
pub(super) fn arrived(pieces: &Pieces<'_>, node: &str, h: &str) -> String {
    if pieces.plan.rules.links.is_empty() {
        return String::new();
    }
    let handed = handed_on(&parameters(pieces));
    format!("arrive_links({}, {node}, {h});\n", handed.trim_start_matches(", "))
}
