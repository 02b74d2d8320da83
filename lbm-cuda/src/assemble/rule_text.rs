//! What boundary rules do, as texts.

use lbm_core::Facts;
use lbm_core::rules::{Arrivals, Lies, Part};

/// What the rules of a box do, as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleTexts {
    /// At nodes of its faces, in the order of the kinds.
    pub(super) kinds: Vec<Vec<RuleText>>,
    /// At links, in the order in which they do it at a node.
    pub(super) links: Vec<LinkText>,
    /// Values of a link.
    pub(super) count: usize,
    /// Whether populations of other nodes are read at nodes of faces, and at links.
    pub(super) observes: [bool; 2],
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
}

/// What a rule does at links.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinkText {
    /// What it does.
    pub(super) text: RuleText,
    /// The direction that comes from beyond.
    pub(super) back: usize,
}

impl RuleTexts {
    /// Those of a box.
    #[must_use]
    pub fn of(facts: &Facts, arrivals: &Arrivals) -> RuleTexts {
        let text = |part: &Part| {
            let rule = &arrivals.rules[part.rule];
            let class = &rule.classes[part.class];
            let statements = class.text.expect("what a rule says nothing of is refused before");
            let lies = match class.lies {
                Lies::Nodes { faces, walls } => format!("{faces} faces beside {walls} others"),
                Lies::Links { back } => format!("links along {}", part.turn.directions[back]),
            };
            RuleText {
                about: format!("`{}` at {lies}", rule.name),
                statements: part.turn.directed(statements),
                values: rule.values(facts.lattice.dimension, part.class),
                keeps: part.kept(&arrivals.rules, facts).collect(),
            }
        };
        let at_links = &arrivals.at_links;
        let link = |part: &Part| {
            let class = &arrivals.rules[part.rule].classes[part.class];
            let Lies::Links { back } = class.lies else { unreachable!("it is a rule of links") };
            LinkText { text: text(part), back: part.turn.directions[back] }
        };
        RuleTexts {
            kinds: arrivals.kinds.iter().map(|kind| kind.parts.iter().map(text).collect()).collect(),
            links: at_links.parts.iter().map(link).collect(),
            count: at_links.count,
            observes: [&arrivals.observed, &at_links.observed].map(|all| !all.is_empty()),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.links.is_empty()
    }

    /// Whether something is kept for nodes of faces.
    pub(super) fn keeps_at_nodes(&self) -> bool {
        self.kinds.iter().flatten().any(|part| !part.keeps.is_empty())
    }

    /// Whether something is kept for links.
    pub(super) fn keeps_at_links(&self) -> bool {
        self.links.iter().any(|link| !link.text.keeps.is_empty())
    }
}

impl RuleText {
    /// Statements that keep what `sent` gives along a direction, where `own` are the rule's values.
    pub(super) fn kept(&self, own: &str, sent: impl Fn(usize) -> (String, String)) -> Option<String> {
        let keep = |&(direction, place): &(usize, usize)| {
            let (before, value) = sent(direction);
            match before.is_empty() {
                true => format!("{own}[{place}] = {value};"),
                false => format!("{{ {before} {own}[{place}] = {value}; }}"),
            }
        };
        let all: Vec<String> = self.keeps.iter().map(keep).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }
}
