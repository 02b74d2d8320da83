//! Boundary rules on a device: nodes at which one stands find themselves in a list, and set their populations after these have met,
//! before they collide. Of a node's values the last ones may be what it sent in the step before, and what its rules remember.

use lbm_core::DeviceText;

use super::link_rules;
use super::pieces::Pieces;
use super::resource::{Parameter, Resource, declared, handed_on};
use super::rule_text::{RuleText, VisitText, seen_at};
use super::scheme::put;

/// What a kernel is handed that does nodes with rules: a bit a node, before each word of these how many there are, and for each such
/// node what is done there and where its values begin; and the values.
fn of_nodes(pieces: &Pieces<'_>) -> Vec<Parameter> {
    let rules = &pieces.plan.rules;
    if rules.kinds.is_empty() {
        return Vec::new();
    }
    let values = Resource::RuleValues;
    let mut all = vec![
        Resource::Ruled.read(),
        Resource::RuledRanks.read(),
        Resource::RuleKinds.read(),
        Resource::RuleRows.read(),
        if rules.writes_at_nodes() { values.shared() } else { values.read() },
    ];
    all.extend(rules.see(0).then(|| Resource::SeenAt(0).read()));
    all
}

/// What functions are handed that know the kind of a node and where its values are.
fn of_found(pieces: &Pieces<'_>) -> Vec<Parameter> {
    let found = [Resource::RuleValues, Resource::SeenAt(0)];
    of_nodes(pieces).into_iter().filter(|parameter| found.contains(&parameter.resource)).collect()
}

/// The kind of a node without rules.
const NONE: &str = "0xffffffffu";

/// The same, and what rules of links need, if the box has them.
pub(super) fn parameters(pieces: &Pieces<'_>) -> Vec<Parameter> {
    [of_nodes(pieces), link_rules::parameters(pieces)].concat()
}

/// Parameters of functions that read what other nodes sent where it lies: where that is for each value, and the copy.
const SEEN: &str = ", const unsigned* const at, const stored* const there";

/// The function of a rule, which may read what other nodes sent.
fn function(pieces: &Pieces<'_>, name: &str, rule: &RuleText, reads_sent: bool, sees: bool) -> String {
    let RuleText { about, statements, remembers, seen, .. } = rule;
    let of_values = if remembers.is_empty() { "const real*" } else { "real*" };
    let statements = DeviceText::numbers(statements, 1.0, |x| pieces.arithmetic.literal(x));
    let (template, sent) = if reads_sent { (link_rules::SENT, ", const Sent& sent") } else { ("", "") };
    let there = if sees { SEEN } else { "" };
    let mut before = String::new();
    seen.iter().for_each(|&n| put!(before, "const real {} = seen(there, at[{n}]);", seen_at(n)));
    format!(
        "\n// What a boundary rule sets: {about}.\n\
         {template}__device__ __forceinline__ void {name}(real (&h)[{}], {of_values} const values{there}{sent}) {{\n{before}{statements}}}\n",
        pieces.q
    )
}

/// What functions of rules need.
fn helpers(pieces: &Pieces<'_>) -> String {
    let rules = &pieces.plan.rules;
    let mut text = String::new();
    if !rules.is_empty() {
        text += concat!("\n", include_str!("ask_for.cuh"));
    }
    if rules.see(0) || rules.see(1) {
        text += SEEN_THERE;
    }
    text
}

/// The function that reads what another node has sent where it lies.
const SEEN_THERE: &str = concat!("\n", include_str!("seen.cuh"));

/// The functions that set populations along links before a step.
pub(super) fn before_a_step(pieces: &Pieces<'_>) -> String {
    let seen = if pieces.plan.rules.see(1) { SEEN_THERE } else { "" };
    seen.to_owned() + &of_links(pieces)
}

/// The functions that set populations along links.
fn of_links(pieces: &Pieces<'_>) -> String {
    let (reads_sent, sees) = (pieces.plan.rules.reads_sent(), pieces.plan.rules.see(1));
    link_rules::functions(pieces, |name, link| function(pieces, name, &link.text, reads_sent, sees))
}

/// The functions that set populations.
pub(super) fn functions(pieces: &Pieces<'_>) -> String {
    let (mut text, kinds) = (helpers(pieces), &pieces.plan.rules.kinds);
    let sees = pieces.plan.rules.see(0);
    let set = |name: &str, rule: &RuleText| function(pieces, name, rule, false, sees);
    for (k, kind) in kinds.iter().enumerate() {
        for (v, visit) in kind.visits.iter().enumerate() {
            let parts = visit.parts.iter().enumerate();
            parts.for_each(|(n, (part, _))| text += &set(&format!("visit_{k}_{v}_{n}"), part));
        }
        let parts = kind.parts.iter().enumerate();
        parts.for_each(|(n, part)| text += &set(&format!("arrive_{k}_{n}"), part));
    }
    if !kinds.is_empty() {
        text += &at_nodes(pieces);
    }
    if pieces.plan.rules.keeps_at_nodes() && !pieces.stores_moments() {
        text += &keeping(pieces);
    }
    text + &of_links(pieces)
}

/// The function that does what rules of faces do at a node.
fn at_nodes(pieces: &Pieces<'_>) -> String {
    let (mut text, sees) = (String::new(), pieces.plan.rules.see(0));
    put!(text, "\n// What boundary rules set at a node, if one stands there.");
    let parameters = declared(&of_found(pieces));
    put!(
        text,
        "__device__ __forceinline__ void arrive(\n    {parameters},\n    const unsigned kind, const unsigned row, real (&h)[{}]{}\n) {{",
        pieces.q,
        if sees { ", const stored* const there" } else { "" }
    );
    put!(text, "    if (kind == {NONE}) return;");
    put!(text, "    auto* const own = rule_values + row;");
    if sees {
        put!(text, "    const unsigned* const at = seen_at_0 + row;");
    }
    text += &link_rules::scaled(pieces, 1.0 / pieces.unit());
    text += &over_parts(pieces, "kind", visited(pieces), |name, _, row| {
        Some(format!("arrive_{name}(h, own + {row}{});", handed_seen(sees, row)))
    });
    text += &link_rules::scaled(pieces, pieces.unit());
    put!(text, "}}");
    text
}

/// The function that keeps what rules of faces read of a node in the next step.
fn keeping(pieces: &Pieces<'_>) -> String {
    let (mut text, parameters) = (String::new(), declared(&of_nodes(pieces)));
    put!(text, "\n// What boundary rules read of a node in the next step: what it sends.");
    put!(
        text,
        "__device__ __forceinline__ void keep(\n    {parameters},\n    const size_t node, const real (&post)[{}]\n) {{",
        pieces.q
    );
    text += &found("node");
    text += &link_rules::sent_once(&pieces.plan.rules.kept_at_nodes(), link_rules::posted);
    text += &over_parts(
        pieces,
        "rule_kinds[number]",
        |_| String::new(),
        |_, part, row| part.kept(&format!("(own + {row})")),
    );
    put!(text, "}}");
    text
}

/// Finds the values of a node, or returns.
fn found(node: &str) -> String {
    format!(
        "    if (!(ruled[{node} >> 5] >> ({node} & 31u) & 1u)) return;
    const unsigned number = number_linked(ruled, ruled_ranks, {node});
    auto* const own = rule_values + rule_rows[number];
"
    )
}

/// What a function is handed beside that reads what other nodes sent, of values that begin there.
fn handed_seen(sees: bool, row: usize) -> String {
    if sees { format!(", at + {row}, there") } else { String::new() }
}

/// For each kind of nodes what rules do before at other nodes, of which these read what arrives there.
fn visited<'a>(pieces: &'a Pieces<'_>) -> impl Fn(usize) -> String + 'a {
    |k| {
        let (mut text, q, sees) = (String::new(), pieces.q, pieces.plan.rules.see(0));
        for (v, VisitText { first, parts, reads }) in pieces.plan.rules.kinds[k].visits.iter().enumerate() {
            put!(text, "        {{");
            put!(text, "            real other[{q}];");
            for (i, place) in (*first..).enumerate().take(q) {
                let sent = if sees { format!("seen(there, at[{place}])") } else { format!("own[{place}]") };
                put!(text, "            other[{i}] = {sent};");
            }
            for (n, (_, row)) in parts.iter().enumerate() {
                put!(text, "            visit_{k}_{v}_{n}(other, own + {row}{});", handed_seen(sees, *row));
            }
            reads.iter().for_each(|(i, place)| put!(text, "            own[{place}] = other[{i}];"));
            put!(text, "        }}");
        }
        text
    }
}

/// Goes through what rules do at a node, of which it is known `which` kind it is: what comes before at each kind, then what is done with each part's name, and of which the values begin
/// there among the node's.
fn over_parts(
    pieces: &Pieces<'_>,
    which: &str,
    before: impl Fn(usize) -> String,
    does: impl Fn(&str, &RuleText, usize) -> Option<String>,
) -> String {
    let mut text = String::new();
    put!(text, "    switch ({which}) {{");
    for (k, kind) in pieces.plan.rules.kinds.iter().enumerate() {
        put!(text, "    case {k}u:");
        text += &before(k);
        let mut row = 0;
        for (n, part) in kind.parts.iter().enumerate() {
            if let Some(done) = does(&format!("{k}_{n}"), part, row) {
                put!(text, "        {done}");
            }
            row += part.values;
        }
        put!(text, "        break;");
    }
    put!(text, "    }}");
    text
}

/// Looks up what rules do at the nodes of a thread, and at their links, of which `index` is the first one's number in the lists; what follows needs it. Each
/// look waits for memory, so all of this stands where other values are on their way.
pub(super) fn looked_up(pieces: &Pieces<'_>, index: &str, nodes: usize) -> String {
    let mut text = link_rules::looked_up(pieces, index, nodes);
    if pieces.plan.rules.kinds.is_empty() {
        return text;
    }
    put!(text, "// The boundary rules of these nodes.");
    let none = vec![NONE; nodes].join(", ");
    put!(text, "unsigned rule_kind[{nodes}] = {{{none}}}, rule_row[{nodes}] = {{}};");
    let known = |k: usize, place: &str| {
        format!("rule_kind[{k}] = rule_kinds[{place}], rule_row[{k}] = rule_rows[{place}]")
    };
    let asked = |k: usize| {
        let seen = pieces.plan.rules.see(0).then(|| format!("seen_at_0[rule_row[{k}]]"));
        [format!("rule_values[rule_row[{k}]]")].into_iter().chain(seen).collect()
    };
    let lists = [Resource::Ruled, Resource::RuledRanks];
    text + &link_rules::found_in_lists("nodes_ruled", lists, (index, nodes), known, asked)
}

/// Keeps what rules of the nodes of a thread read in the next step; what leaves the kth of them is `post` of k.
pub(super) fn kept(pieces: &Pieces<'_>, index: &str, nodes: usize, post: impl Fn(usize) -> String) -> String {
    let (mut text, rules) = (String::new(), &pieces.plan.rules);
    if pieces.stores_moments() || !(rules.keeps_at_nodes() || rules.keeps_at_links()) {
        return text;
    }
    put!(text, "{{");
    if rules.keeps_at_links() {
        // Looked up again: to hold it would take registers from the collision.
        text += &looked_up(pieces, index, nodes);
    }
    for k in 0..nodes {
        text += &link_rules::kept(pieces, k, &post(k));
        if rules.keeps_at_nodes() {
            let handed = handed_on(&of_nodes(pieces));
            put!(text, "keep({}, {}, {});", handed.trim_start_matches(", "), nth(index, k), post(k));
        }
    }
    put!(text, "}}");
    text
}

/// What stands for what nodes sent, where it does not stay.
pub(super) fn kept_beside(_: usize, _: usize) -> String {
    unreachable!("what does not stay is kept among the values")
}

/// The number of the kth node of a thread.
fn nth(index: &str, k: usize) -> String {
    if k == 0 { index.to_owned() } else { format!("{index} + {k}u") }
}

/// Where moments are stored, before rules set anything: what they read of a node is rebuilt from its own moments. `sent` are
/// statements that declare `population`, what it sent along a direction.
pub(super) fn rebuilt(pieces: &Pieces<'_>, node: &str, sent: impl Fn(usize) -> String) -> String {
    let by = match pieces.unit() {
        1.0 => String::new(),
        unit => format!(" * {}", pieces.arithmetic.literal(1.0 / unit)),
    };
    let sent = |direction| (sent(direction), format!("population{by}"));
    let mut text = link_rules::rebuilt(pieces, &sent);
    if pieces.plan.rules.keeps_at_nodes() {
        put!(text, "[&] {{");
        text += &found(node);
        text += &link_rules::sent_once(&pieces.plan.rules.kept_at_nodes(), sent);
        text += &over_parts(
            pieces,
            "rule_kinds[number]",
            |_| String::new(),
            |_, part, row| part.kept(&format!("(own + {row})")),
        );
        put!(text, "}}();");
    }
    text
}

/// Sets what rules set at the nodes of a thread, which are looked up; the kth of them has the populations `h` of k. Where what it sent
/// [lies where it is](lbm_core::Facts::sent_lies), `sent` of k and a direction is that. Threads that are `outside`, under any of these conditions, do nodes of
/// others again: they do not remember it a second time.
pub(super) fn arrived(
    pieces: &Pieces<'_>,
    outside: &[String],
    nodes: usize,
    h: impl Fn(usize) -> String,
    sent: impl Fn(usize, usize) -> String,
    there: Resource,
) -> String {
    let (mut text, there) = (String::new(), there.to_string());
    for k in 0..nodes {
        text += &link_rules::arrived(pieces, k, &h(k), |i| sent(k, i), &there);
        if !pieces.plan.rules.kinds.is_empty() {
            let handed = handed_on(&of_found(pieces));
            let handed = handed.trim_start_matches(", ");
            let there = if pieces.plan.rules.see(0) { format!(", {there}") } else { String::new() };
            put!(text, "arrive({handed}, rule_kind[{k}], rule_row[{k}], {}{there});", h(k));
        }
    }
    match pieces.plan.rules.remembers() && !outside.is_empty() {
        true => format!("if (!({})) {{\n{text}}}\n", outside.join(" || ")),
        false => text,
    }
}
