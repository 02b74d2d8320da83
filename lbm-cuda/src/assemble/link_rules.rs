//! Boundary rules of links on a device. A node with such links finds itself in a list, and goes through its directions: each has a
//! row of values, of which the last ones may be what the node sent in the step before.

use std::collections::BTreeSet;

use super::masks::{MaskWord, two_variables};
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
    let mut all = vec![Resource::LinkRuled.read(), Resource::LinkRanks.read()];
    if pieces.plan.rules.go_first {
        all.push(Resource::LinkOrder.read());
    }
    all.extend([MaskWord::of(pieces.facts).read(Resource::LinkMasks), Resource::LinkRows.read()]);
    if has_several(links) {
        all.push(Resource::LinkRules.read());
    }
    all.push(if pieces.plan.rules.writes_at_links() {
        Resource::LinkValues.shared()
    } else {
        Resource::LinkValues.read()
    });
    all.extend(pieces.plan.rules.see(1).then(|| Resource::SeenAt(1).read()));
    all
}

/// What comes before functions that are handed what a node sent.
pub(super) const SENT: &str = "template <class Sent>\n";

/// Whether rules differ where a direction is the same.
fn has_several(links: &[LinkText]) -> bool {
    links.windows(2).any(|two| two[0].back == two[1].back)
}

/// Declares `ruled_mask` and `ruled_row` of the nodes of a thread, of which `index` is the first: the bits of directions that come along
/// links with rules, and the row of the first one's values. Looks that do not depend on each other stand together.
pub(super) fn looked_up(pieces: &Pieces<'_>, index: &str, nodes: usize) -> String {
    let mut text = String::new();
    if pieces.plan.rules.links.is_empty() {
        return text;
    }
    put!(text, "// The links with boundary rules of these nodes.");
    let [mask, row] = ["mask", "row"].map(|name| format!("ruled_{name}[{nodes}] = {{}}"));
    let word = MaskWord::of(pieces.facts).to_string();
    put!(text, "{}", two_variables([(&word, &mask), ("unsigned", &row)]));
    let rules = &pieces.plan.rules;
    let known = |k: usize, place: &str| {
        let place = if rules.go_first { format!("link_order[{place}]") } else { place.to_owned() };
        format!("ruled_mask[{k}] = link_masks[{place}], ruled_row[{k}] = link_rows[{place}]")
    };
    let asked = |k: usize| {
        let row = format!("[(size_t){}u * ruled_row[{k}]]", rules.count);
        let seen = rules.see(1).then(|| format!("seen_at_1{row}"));
        [format!("link_values{row}")].into_iter().chain(seen).collect()
    };
    let lists = [Resource::LinkRuled, Resource::LinkRanks];
    text + &found_in_lists("with_rules", lists, (index, nodes), known, asked)
}

/// Finds the nodes of a thread, of which `index` is the first, in a list: `bits` say which stand there, a bit a node, and `ranks` how many do before each word of
/// these. Declares `with`, a bit for each that does; `known` is what is known of node k at its place, and `asked` what it will read of that soon.
pub(super) fn found_in_lists(
    with: &str,
    [bits, ranks]: [Resource; 2],
    (index, nodes): (&str, usize),
    known: impl Fn(usize, &str) -> String,
    asked: impl Fn(usize) -> Vec<String>,
) -> String {
    let (mut text, all) = (String::new(), u32::MAX >> (32 - nodes));
    put!(text, "const unsigned {with} = {bits}[{index} >> 5] >> ({index} & 31u) & {all}u;");
    put!(text, "if ({with} != 0u) {{");
    put!(text, "    const unsigned number = number_linked({bits}, {ranks}, {index});");
    for k in 0..nodes {
        let place = match k {
            0 => "number".to_owned(),
            _ => format!("number + __popc({with} & {}u)", (1u32 << k) - 1),
        };
        put!(text, "    if ({with} >> {k} & 1u) {};", known(k, &place));
    }
    for (k, what) in (0..nodes).flat_map(|k| asked(k).into_iter().map(move |what| (k, what))) {
        put!(text, "    if ({with} >> {k} & 1u) ask_for(&{what});");
    }
    put!(text, "}}");
    text
}

/// The same of who knows the place of such a node among them.
pub(super) fn of_nodes(pieces: &Pieces<'_>) -> Vec<Parameter> {
    let of_box = [Resource::LinkRuled, Resource::LinkRanks, Resource::LinkOrder];
    parameters(pieces).into_iter().filter(|parameter| !of_box.contains(&parameter.resource)).collect()
}

/// What functions are handed that go through the links of a node.
fn of_links(pieces: &Pieces<'_>) -> Vec<Parameter> {
    let lists = [Resource::LinkMasks, Resource::LinkRows];
    of_nodes(pieces).into_iter().filter(|parameter| !lists.contains(&parameter.resource)).collect()
}

/// For each direction along which something may come along a link with a rule, a bit a direction: what rules there read of what arrives, and of what the node
/// sent.
pub(super) fn reads(pieces: &Pieces<'_>) -> Vec<(usize, [u64; 2])> {
    let named = |link: &LinkText, i: usize| link.text.statements.contains(&format!("h[{i}]"));
    let of_link = |link: &LinkText| {
        let arriving = (0..pieces.q).filter(|&i| named(link, i)).fold(0, |all: u64, i| all | 1 << i);
        [arriving, link.text.sent.iter().fold(0, |all: u64, i| all | 1 << i)]
    };
    let either = |[a, b]: [u64; 2], [c, d]: [u64; 2]| [a | c, b | d];
    let links = pieces.plan.rules.links.chunk_by(|one, other| one.back == other.back);
    links.map(|some| (some[0].back, some.iter().map(of_link).fold([0; 2], either))).collect()
}

/// The directions, a bit each, of those of these [reads](reads) that read direction `i`: of what arrives (0), or of what the node sent (1).
pub(super) fn readers(reads: &[(usize, [u64; 2])], of: usize, i: usize) -> u64 {
    let all = reads.iter().filter(|(_, masks)| masks[of] >> i & 1 == 1);
    all.fold(0, |all, (direction, _)| all | 1 << direction)
}

/// Asks for what node `k` of a thread, which is looked up, has sent, as far as rules of its links read it where it lies: along a direction there.
pub(super) fn asked_for(pieces: &Pieces<'_>, k: usize, there: impl Fn(usize) -> String) -> String {
    let (mut text, word, reads) = (String::new(), MaskWord::of(pieces.facts), reads(pieces));
    for i in pieces.plan.rules.sent() {
        let readers = word.literal(readers(&reads, 1, i));
        put!(text, "if (ruled_mask[{k}] & {readers}) ask_for(&{});", there(i));
    }
    text
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
    let handed = declared(&of_links(pieces));
    let (word, none) = (MaskWord::of(pieces.facts), MaskWord::of(pieces.facts).literal(0));
    let head = |name: &str, populations: &str| {
        format!(
            "__device__ __forceinline__ void {name}(\n    {handed},\n    const {word} mask, unsigned row, {populations}\n) {{\n    if (mask == {none}) return;"
        )
    };
    let (template, parameter, sent) = match rules.reads_sent() {
        true => (SENT, ", const Sent& sent", ", sent"),
        false => ("", "", ""),
    };
    let (there, seen) = match rules.see(1) {
        true => {
            (", const stored* const there", format!(", seen_at_1 + (size_t){}u * row, there", rules.count))
        }
        false => ("", String::new()),
    };
    put!(text, "\n// What rules of its links set at a node, if it has some.");
    put!(text, "{template}{}", head("arrive_links", &format!("real (&h)[{q}]{there}{parameter}")));
    text += &scaled(pieces, 1.0 / pieces.unit());
    // What comes back from walls is rounded as what is stored.
    let rounds = pieces.facts.rounds_at_links();
    text += &over_links(pieces, |n, LinkText { back, .. }| {
        let rounded = if rounds { format!(" h[{back}] = decode(encode(h[{back}]));") } else { String::new() };
        Some(format!("arrive_link_{n}(h, own{seen}{sent});{rounded}"))
    });
    text += &scaled(pieces, pieces.unit());
    put!(text, "}}");
    if rules.keeps_at_links() && !pieces.stores_moments() {
        put!(text, "\n// What rules of its links read of a node in the next step: what it sends.");
        put!(text, "{}", head("keep_for_links", &format!("const real (&post)[{q}]")));
        text += &sent_once(&rules.kept_at_links(), posted);
        text += &over_links(pieces, |_, link| link.text.kept("own"));
        put!(text, "}}");
    }
    text
}

/// Declares `sent`: what a node sends along these directions, of which `sent` gives statements and the value. Each is made once and not at every
/// rule that keeps it: rules are many, and compilers take long for many conversions of 16 bits.
pub(super) fn sent_once(directions: &BTreeSet<usize>, sent: impl Fn(usize) -> (String, String)) -> String {
    let mut text = String::new();
    let Some(last) = directions.last() else { return text };
    put!(text, "    real sent[{}];", last + 1);
    for &i in directions {
        match sent(i) {
            (before, value) if before.is_empty() => put!(text, "    sent[{i}] = {value};"),
            (before, value) => put!(text, "    {{ {before} sent[{i}] = {value}; }}"),
        }
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

/// Keeps what rules of the links of node `k` of a thread, which is looked up, read in the next step; `post` leaves it.
pub(super) fn kept(pieces: &Pieces<'_>, k: usize, post: &str) -> String {
    if !pieces.plan.rules.keeps_at_links() {
        return String::new();
    }
    let handed = handed_on(&of_links(pieces));
    format!("keep_for_links({}, ruled_mask[{k}], ruled_row[{k}], {post});\n", handed.trim_start_matches(", "))
}

/// Where moments are stored, before rules set anything: what they read of a node that is looked up is rebuilt from its own moments. `sent`
/// gives statements, and after these what it sent along a direction.
pub(super) fn rebuilt(pieces: &Pieces<'_>, sent: &dyn Fn(usize) -> (String, String)) -> String {
    let (mut text, word) = (String::new(), MaskWord::of(pieces.facts));
    if pieces.plan.rules.keeps_at_links() {
        put!(text, "if (ruled_mask[0] != {}) {{", word.literal(0));
        put!(text, "    const {word} mask = ruled_mask[0];");
        put!(text, "    unsigned row = ruled_row[0];");
        text += &sent_once(&pieces.plan.rules.kept_at_links(), sent);
        text += &over_links(pieces, |_, link| link.text.kept("own"));
        put!(text, "}}");
    }
    text
}

/// Sets what rules of the links of node `k` of a thread, which is looked up, set. What it sent along a direction is `sent` of that, where
/// rules read it.
pub(super) fn arrived(
    pieces: &Pieces<'_>,
    k: usize,
    h: &str,
    sent: impl Fn(usize) -> String,
    there: &str,
) -> String {
    if pieces.plan.rules.links.is_empty() {
        return String::new();
    }
    let there = if pieces.plan.rules.see(1) { format!(", {there}") } else { String::new() };
    set(pieces, &format!("ruled_mask[{k}], ruled_row[{k}], {h}{there}"), sent)
}

/// Sets what rules of the links of a node set, of which there are the mask, the first row and what arrives. What it sent along a direction is `sent` of that, where
/// rules read it.
pub(super) fn set(pieces: &Pieces<'_>, of_node: &str, sent: impl Fn(usize) -> String) -> String {
    let (mut text, rules, handed) = (String::new(), &pieces.plan.rules, handed_on(&of_links(pieces)));
    let handed = format!("{}, {of_node}", handed.trim_start_matches(", "));
    if !rules.reads_sent() {
        put!(text, "arrive_links({handed});");
        return text;
    }
    put!(text, "arrive_links({handed}, [&](const unsigned i) -> real {{");
    put!(text, "    // What the node sent lies where it is until the step is done.");
    put!(text, "    switch (i) {{");
    rules.sent().into_iter().for_each(|i| put!(text, "    case {i}u: return {};", sent(i)));
    put!(text, "    default: return 0;");
    put!(text, "    }}");
    put!(text, "}});");
    text
}
