//! What boundary rules do, as texts.

use std::collections::BTreeSet;

use lbm_core::Facts;
use lbm_core::rules::{Arrivals, AtLinks, Kind, Lies, LinkArrival, Observed, Part, Visit};

/// What the rules of a box do, as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleTexts {
    /// At nodes of its faces, in the order of the kinds.
    pub(super) kinds: Vec<KindText>,
    /// At links, in the order in which they do it at a node.
    pub(super) links: Vec<LinkText>,
    /// Values of a link's row on a device.
    pub(crate) count: usize,
    /// Whether populations of other nodes are read where they lie, by rules of nodes and of links: within a step where it [stays](Facts::seen_lies), before it by links
    /// that go first.
    sees: [bool; 2],
    /// Whether what is brought instead lies [at known places](Facts::sent_has_places).
    has_places: bool,
    /// Whether those of links [go before a step](Facts::links_go_first).
    pub(crate) go_first: bool,
    /// Whether populations of other nodes are read at nodes of faces, and at links.
    pub(super) observes: [bool; 2],
    /// Whether values change in time there.
    pub(super) varies: [bool; 2],
}

/// What rules do at nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KindText {
    /// One a rule.
    pub(super) parts: Vec<RuleText>,
    /// What comes before them, at other nodes.
    pub(super) visits: Vec<VisitText>,
}

/// What rules do at another node, with what arrives there ([`lbm_core::rules::Visit`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VisitText {
    /// Where what arrives there begins among the values of the node.
    pub(super) first: usize,
    /// What is done there, and where its values begin.
    pub(super) parts: Vec<(RuleText, usize)>,
    /// What is read of it then: a direction, and its place among the values.
    pub(super) reads: Vec<(usize, usize)>,
}

/// What a rule does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleText {
    /// Which rule and which nodes, or links.
    pub(super) about: String,
    /// From populations `h[i]` and `values[n]` to those `h[i]` that it sets.
    pub(super) statements: String,
    /// How many values it has.
    pub(super) values: usize,
    /// What is kept from the step before: the direction along which the node sends it, and its place among the values.
    pub(super) keeps: Vec<(usize, usize)>,
    /// The places among the values of what the rule remembers: the last statements write there.
    pub(super) remembers: Vec<usize>,
    /// The directions of what is read where the node sent it, as `sent(i)`.
    pub(super) sent: Vec<usize>,
    /// The places among the values of what is read where other nodes sent it, as `seen_‹n›`.
    pub(super) seen: Vec<usize>,
}

/// What a rule does at links.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinkText {
    /// What it does.
    pub(super) text: RuleText,
    /// The direction that comes from beyond.
    pub(super) back: usize,
    /// The rule's values that a row has: those that it reads and that are not 0 at all its links.
    places: Vec<usize>,
}

impl RuleTexts {
    /// Those of a box of `size` nodes.
    #[must_use]
    pub fn of(facts: &Facts, size: [usize; 3], arrivals: &Arrivals) -> RuleTexts {
        let go_first = !arrivals.at_links.is_empty() && facts.links_go_first();
        let sees = [
            facts.seen_lies(size),
            facts.seen_lies(size)
                || go_first && facts.sent_has_places(size) && stay(facts, &arrivals.at_links),
        ];
        // Of a part of which the values from `first` on, up to those whether nodes are fluid, come from nodes, but for some that visits bring.
        let text = |part: &Part, first: usize, visited: &dyn Fn(usize) -> bool| {
            let rule = &arrivals.rules[part.rule];
            let class = &rule.classes[part.class];
            let statements = class.text.expect("what a rule says nothing of is refused before");
            let lies = match class.lies {
                Lies::Nodes { faces: 0, .. } => "nodes in the fluid".to_owned(),
                Lies::Nodes { faces, walls } => format!("{faces} faces beside {walls} others"),
                Lies::Links { back } => format!("links along {}", part.turn.directions[back]),
            };
            let mut text = RuleText {
                about: format!("`{}` at {lies}", rule.name),
                statements: part.turn.directed(statements),
                values: rule.values(facts.lattice.dimension, part.class),
                keeps: part.kept(&arrivals.rules, facts).collect(),
                remembers: part.remembered(&arrivals.rules, facts).collect(),
                sent: Vec::new(),
                seen: Vec::new(),
            };
            let last = rule.given(facts.lattice.dimension) + class.keeps.len() + class.observes.len();
            if sees[usize::from(matches!(class.lies, Lies::Links { .. }))] {
                text.see((first..last).filter(|&place| !visited(place)));
            }
            text
        };
        // Behind what is given, and what is kept, comes what is read of other nodes.
        let observed = |part: &Part| {
            let rule = &arrivals.rules[part.rule];
            rule.given(facts.lattice.dimension) + rule.classes[part.class].keeps.len()
        };
        // What others would keep is read of other nodes where a rule visits them.
        let all_of_nodes = |part: &Part| arrivals.rules[part.rule].given(facts.lattice.dimension);
        let at_links = &arrivals.at_links;
        // Which values of each part are not 0 at all its links and always.
        let mut differs = vec![false; at_links.parts.len() * at_links.count];
        for link in at_links.iter() {
            let (first, row) = (link.part * at_links.count, at_links.row(link.row));
            let values = differs[first..].iter_mut().zip(&at_links.values[row.clone()]);
            values.for_each(|(differs, &value)| *differs |= value != 0.0);
            at_links.varying.range(row.clone()).for_each(|(at, _)| differs[first + at - row.start] = true);
        }
        let link = |(number, part): (usize, &Part)| {
            let class = &arrivals.rules[part.rule].classes[part.class];
            let Lies::Links { back } = class.lies else { unreachable!("it is a rule of links") };
            // What is kept, what is read of other nodes, and what is remembered changes with every step.
            let first = arrivals.rules[part.rule].given(facts.lattice.dimension);
            let changing = first..first + class.keeps.len() + class.observes.len();
            let remembered = part.remembered(&arrivals.rules, facts);
            LinkText::new(
                text(part, observed(part), &|_| false),
                part.turn.directions[back],
                facts.sent_lies(),
                |place| {
                    changing.contains(&place)
                        || remembered.contains(&place)
                        || differs[number * at_links.count + place]
                },
            )
        };
        let kind = |kind: &Kind| {
            let brings = |at: usize| {
                let reads = || kind.visits.iter().flat_map(|visit| &visit.reads);
                move |place: usize| reads().any(|&(_, read)| read == at + place)
            };
            let visit = |Visit { first, parts, reads }: &Visit| VisitText {
                first: *first,
                parts: parts
                    .iter()
                    .map(|(part, at)| (text(part, all_of_nodes(part), &brings(*at)), *at))
                    .collect(),
                reads: reads.clone(),
            };
            let mut at = 0;
            let parts = kind.parts.iter().map(|part| {
                let own = text(part, observed(part), &brings(at));
                at += own.values;
                own
            });
            KindText { parts: parts.collect(), visits: kind.visits.iter().map(visit).collect() }
        };
        let links: Vec<LinkText> = at_links.parts.iter().enumerate().map(link).collect();
        RuleTexts {
            kinds: arrivals.kinds.iter().map(kind).collect(),
            count: links.iter().map(|link| link.places.len()).max().unwrap_or(0),
            go_first,
            links,
            observes: [!arrivals.observed.is_empty(), !at_links.observed.is_empty()],
            sees,
            has_places: facts.sent_has_places(size),
            varies: [!arrivals.varying.is_empty(), !at_links.varying.is_empty()],
        }
    }

    /// Links in the order in which a device has their rows: node after node, where they go first those of nodes that [lie alike](AtLinks::alike) side by side.
    pub(crate) fn in_order(&self, at_links: &AtLinks) -> Vec<LinkArrival> {
        if self.go_first { at_links.alike() } else { at_links.iter().collect() }
    }

    /// For each row its place in that order, and what the rule does there; none of a row that no link has.
    pub(crate) fn ranks(&self, at_links: &AtLinks) -> Vec<Option<(usize, usize)>> {
        let mut ranks = vec![None; at_links.rows()];
        let links = self.in_order(at_links).into_iter().enumerate();
        links.for_each(|(rank, link)| ranks[link.row] = Some((rank, link.part)));
        ranks
    }

    /// Their rows, of all their values.
    pub(crate) fn rows(&self, at_links: &AtLinks, values: &[f64]) -> Vec<f64> {
        let mut rows = Vec::new();
        for (rank, link) in self.in_order(at_links).into_iter().enumerate() {
            let own = &values[at_links.row(link.row)];
            rows.extend(self.links[link.part].places.iter().map(|&place| own[place]));
            rows.resize((rank + 1) * self.count, 0.0);
        }
        rows
    }

    /// Where a value of a link, of which the place among all their values is given, lies in the rows of a device, if it is read.
    pub(crate) fn places<'a>(&'a self, at_links: &AtLinks) -> impl Fn(usize) -> Option<usize> + use<'a> {
        let (ranks, count) = (self.ranks(at_links), at_links.count);
        move |place| {
            let (rank, part) = ranks[place / count]?;
            let own = self.links[part].places.binary_search(&(place % count)).ok()?;
            Some(rank * self.count + own)
        }
    }

    /// The same of a step: where those of links go first, it has none.
    pub(super) fn of_step(&self) -> RuleTexts {
        match self.go_first {
            true => RuleTexts {
                links: Vec::new(),
                count: 0,
                go_first: false,
                observes: [self.observes[0], false],
                ..self.clone()
            },
            false => self.clone(),
        }
    }

    /// The statements of all rules.
    pub(super) fn statements(&self) -> impl Iterator<Item = &str> {
        let parts = self.kinds.iter().flat_map(|kind| &kind.parts);
        let visits = self.kinds.iter().flat_map(|kind| &kind.visits).flat_map(|visit| &visit.parts);
        parts
            .chain(visits.map(|(part, _)| part))
            .chain(self.links.iter().map(|link| &link.text))
            .map(|rule| rule.statements.as_str())
    }

    /// Whether rules of nodes (0), or of links (1), have what they read of other nodes brought before a step.
    pub(crate) fn are_brought(&self, of: usize) -> bool {
        self.observes[of] && !self.sees[of]
    }

    /// The same, from known places.
    pub(crate) fn are_brought_from_places(&self, of: usize) -> bool {
        self.are_brought(of) && self.has_places
    }

    /// Whether they read it where it lies.
    pub(crate) fn see(&self, of: usize) -> bool {
        self.observes[of] && self.sees[of]
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.links.is_empty()
    }

    /// Whether something is kept for nodes of faces.
    pub(super) fn keeps_at_nodes(&self) -> bool {
        !self.kept_at_nodes().is_empty()
    }

    /// The directions of what is kept for them.
    pub(super) fn kept_at_nodes(&self) -> BTreeSet<usize> {
        directions(self.kinds.iter().flat_map(|kind| &kind.parts))
    }

    /// Whether rules of faces write values of nodes.
    pub(super) fn writes_at_nodes(&self) -> bool {
        let visits = self.kinds.iter().any(|kind| !kind.visits.is_empty());
        self.keeps_at_nodes() || self.remembers_at_nodes() || visits
    }

    /// Whether rules of links read what nodes sent where it lies.
    pub(super) fn reads_sent(&self) -> bool {
        self.links.iter().any(|link| !link.text.sent.is_empty())
    }

    /// The directions of what they read so, ascending.
    pub(super) fn sent(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.links.iter().flat_map(|link| &link.text.sent).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether rules remember something at nodes of faces, or in the fluid.
    fn remembers_at_nodes(&self) -> bool {
        self.kinds.iter().flat_map(|kind| &kind.parts).any(|part| !part.remembers.is_empty())
    }

    /// Whether rules remember something at links.
    fn remembers_at_links(&self) -> bool {
        self.links.iter().any(|link| !link.text.remembers.is_empty())
    }

    /// Whether rules remember something.
    pub(super) fn remembers(&self) -> bool {
        self.remembers_at_nodes() || self.remembers_at_links()
    }

    /// Whether rules of links write values of links.
    pub(crate) fn writes_at_links(&self) -> bool {
        self.keeps_at_links() || self.remembers_at_links()
    }

    /// The same of rules that are looked at between steps: they remember what they did.
    pub(super) fn looked_at(&self) -> RuleTexts {
        let mut all = self.clone();
        let parts = all.kinds.iter_mut().flat_map(|kind| &mut kind.parts);
        parts.chain(all.links.iter_mut().map(|link| &mut link.text)).for_each(RuleText::remember_nothing_new);
        all
    }

    /// Whether something is kept for links.
    pub(super) fn keeps_at_links(&self) -> bool {
        !self.kept_at_links().is_empty()
    }

    /// The directions of what is kept for them.
    pub(super) fn kept_at_links(&self) -> BTreeSet<usize> {
        directions(self.links.iter().map(|link| &link.text))
    }
}

/// Whether what rules of links that go first read of other nodes stays while they set what comes back to theirs.
fn stay(facts: &Facts, at_links: &AtLinks) -> bool {
    let comes_back = |observed: &Observed| {
        at_links.links_of(observed.node).missing >> facts.lattice.opposites[observed.direction] & 1 == 1
    };
    // What comes back is apart from populations where what is sent into walls is kept.
    facts.keeps_sent || !at_links.observed.values().any(comes_back)
}

/// Along which rules keep what their nodes send.
fn directions<'a>(rules: impl Iterator<Item = &'a RuleText>) -> BTreeSet<usize> {
    rules.flat_map(|rule| &rule.keeps).map(|&(direction, _)| direction).collect()
}

impl LinkText {
    /// Of a rule's text with all its values, of which `differs` says whether one is not 0 everywhere and always. What the node sent need not
    /// be kept where it `stays`.
    fn new(mut text: RuleText, back: usize, stays: bool, differs: impl Fn(usize) -> bool) -> LinkText {
        if stays {
            for (direction, place) in std::mem::take(&mut text.keeps) {
                text.statements =
                    text.statements.replace(&format!("values[{place}]"), &format!("sent({direction})"));
                text.sent.push(direction);
            }
        }
        let (mut places, mut seen) = (Vec::new(), Vec::new());
        for place in 0..text.values {
            if text.seen.contains(&place) {
                text.statements = text.statements.replace(&seen_at(place), &seen_at(places.len()));
                seen.push(places.len());
                places.push(place);
                continue;
            }
            let named = format!("values[{place}]");
            if !text.statements.contains(&named) {
                continue;
            }
            let found = match differs(place) {
                true => {
                    places.push(place);
                    format!("values[{}]", places.len() - 1)
                }
                false => "«0»".to_owned(),
            };
            text.statements = text.statements.replace(&named, &found);
        }
        for (_, kept) in &mut text.keeps {
            *kept = places.binary_search(kept).expect("what is kept is read");
        }
        for remembered in &mut text.remembers {
            *remembered = places.binary_search(remembered).expect("what is remembered is set");
        }
        (text.values, text.seen) = (places.len(), seen);
        LinkText { text, back, places }
    }
}

/// The name of a value that is read where another node sent it. Behind it stands something else than a digit.
pub(super) fn seen_at(place: usize) -> String {
    format!("seen_{place}_")
}

impl RuleText {
    /// Names those of these values that the statements read as what is read where other nodes sent it.
    fn see(&mut self, places: impl Iterator<Item = usize>) {
        for place in places {
            let named = format!("values[{place}]");
            if self.statements.contains(&named) {
                self.statements = self.statements.replace(&named, &seen_at(place));
                self.seen.push(place);
            }
        }
    }

    /// Leaves out the statements that write what is remembered.
    fn remember_nothing_new(&mut self) {
        if self.remembers.is_empty() {
            return;
        }
        let is_left = |line: &&str| !line.trim_start().starts_with("values[");
        self.statements = self.statements.split_inclusive('\n').filter(is_left).collect();
        self.remembers.clear();
    }

    /// Statements that keep what is [`sent`](super::link_rules::sent_once) along directions, where `own` are the rule's values.
    pub(super) fn kept(&self, own: &str) -> Option<String> {
        let keep = |(direction, place): &(usize, usize)| format!("{own}[{place}] = sent[{direction}];");
        let all: Vec<String> = self.keeps.iter().map(keep).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }
}
