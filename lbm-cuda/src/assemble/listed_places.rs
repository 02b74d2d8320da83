//! Where values of listed nodes lie, as text.

use std::sync::Arc;

use lbm_core::addressing::Extent;
use lbm_core::facts::Places;
use lbm_core::index::{Operator, PrintedTable};
use lbm_core::{Access, Expression, Facts};

use super::plan::ListedPlan;
use super::scheme::put;

/// The storage of listed nodes.
pub(super) struct Storage {
    places: Places<Expression>,
}

impl Storage {
    /// If nodes of a group share a row of the first table, it may be at hand as `row`.
    pub(super) fn new(facts: &Facts, plan: &ListedPlan, row_at_hand: bool) -> Storage {
        let table = |n: usize| match n {
            0 if row_at_hand => PrintedTable::Row("row".into()),
            _ => PrintedTable::Whole(format!("table_{n}").into(), Expression::name(format!("width_{n}"))),
        };
        let (size, nodes) = (["nx", "ny", "nz"].map(Expression::name), Expression::name("nodes"));
        let extent = Extent::with_tables(size, nodes, (0..plan.widths.len()).map(table).collect());
        Storage { places: facts.printed_listed_places(&extent) }
    }

    /// The place of an access in a copy.
    fn at(&self, access: Access) -> Expression {
        let node = Expression::name("node");
        self.places.offset(access.slot, self.places.neighbour(node, access.shift))
    }

    /// Declares what places of these accesses are made of, as far as it is needed more than once, or looked up.
    pub(super) fn named(&self, accesses: impl IntoIterator<Item = Access>) -> (String, Named<'_>) {
        let mut counts = Counts::default();
        accesses.into_iter().for_each(|access| counts.visit(&apart(self.at(access)).1));
        let (mut text, mut names) = (String::new(), Vec::new());
        put!(text, "// What places in the copy have in common.");
        // Entries, too, so that they are looked up before it is known which places are needed.
        let named = |part: &Expression, count| count > 1 || matches!(part, Expression::Entry(..));
        for (part, _) in counts.0.into_iter().filter(|(part, count)| named(part, *count)) {
            let name = format!("part_{}", names.len());
            put!(text, "const index {name} = {};", renamed(&part, &names, false));
            names.push((part, Expression::name(name)));
        }
        (text, Named { storage: self, names })
    }
}

/// How often each part occurs in expressions, parts before what they are parts of.
#[derive(Default)]
struct Counts(Vec<(Expression, usize)>);

impl Counts {
    fn visit(&mut self, part: &Expression) {
        if matches!(part, Expression::Number(_) | Expression::Name(_)) {
            return;
        }
        if let Some((_, count)) = self.0.iter_mut().find(|(known, _)| known == part) {
            *count += 1;
            return;
        }
        always(part).into_iter().for_each(|part| self.visit(part));
        self.0.push((part.clone(), 1));
    }
}

/// The parts of an expression that are needed whenever it is. Of a choice that is the condition alone: what is chosen from may
/// look up an entry that is there only if it is chosen.
fn always(whole: &Expression) -> Vec<&Expression> {
    match whole {
        Expression::Number(_) | Expression::Name(_) => Vec::new(),
        Expression::Entry(_, at) => vec![at],
        Expression::Binary(a, _, b) => vec![a, b],
        Expression::Choice(parts) => vec![&parts[0]],
    }
}

/// An expression with names for its parts, and for itself if it may have one.
fn renamed(whole: &Expression, names: &[(Expression, Expression)], itself: bool) -> Expression {
    if itself && let Some((_, name)) = names.iter().find(|(known, _)| known == whole) {
        return name.clone();
    }
    let inner = |part: &Expression| Arc::new(renamed(part, names, true));
    match whole {
        Expression::Number(_) | Expression::Name(_) => whole.clone(),
        Expression::Entry(name, at) => Expression::Entry(name.clone(), inner(at)),
        Expression::Binary(a, operator, b) => Expression::Binary(inner(a), *operator, inner(b)),
        Expression::Choice(parts) => {
            Expression::Choice(Arc::new([0, 1, 2].map(|n| renamed(&parts[n], names, true))))
        }
    }
}

/// A slot of the node itself.
pub(super) fn own(slot: usize) -> Access {
    Access { shift: [0; 3], slot }
}

/// Places, of which what is needed more than once has a name.
pub(super) struct Named<'a> {
    storage: &'a Storage,
    /// Parts and what they are called.
    names: Vec<(Expression, Expression)>,
}

impl Named<'_> {
    /// The place of an access in a copy.
    pub(super) fn at(&self, access: Access) -> Expression {
        let (known, base) = apart(self.storage.at(access));
        renamed(&base, &self.names, true) + known
    }

    /// The place of a slot of the node itself.
    pub(super) fn own(&self, slot: usize) -> Expression {
        self.at(own(slot))
    }
}

/// The known number in front of a sum, and the rest.
fn apart(place: Expression) -> (usize, Expression) {
    match place {
        Expression::Binary(a, Operator::Add, b) if matches!(*a, Expression::Number(_)) => {
            let Expression::Number(known) = *a else { unreachable!("matched above") };
            (known, (*b).clone())
        }
        place => (0, place),
    }
}
