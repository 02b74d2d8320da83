//! Where values of listed nodes lie, as text.

use std::collections::{BTreeMap, BTreeSet};

use lbm_core::addressing::Extent;
use lbm_core::facts::Places;
use lbm_core::index::{Operator, PrintedTable};
use lbm_core::{Access, Expression, Facts};

use super::listed::ListedPlan;
use super::scheme::{line, node};

/// The storage of listed nodes.
pub(super) struct Storage {
    places: Box<dyn Places<Expression>>,
}

impl Storage {
    /// If nodes of a group share a row of the first table, it may be at hand as `row`.
    pub(super) fn new(facts: &Facts, plan: &ListedPlan, row_at_hand: bool) -> Storage {
        let table = |n: usize| match n {
            0 if row_at_hand => PrintedTable::Row("row".into()),
            _ => PrintedTable::Whole(format!("table_{n}").into(), Expression::name(format!("width_{n}"))),
        };
        let extent = Extent {
            size: ["nx", "ny", "nz"].map(Expression::name),
            row_multiple: 1,
            nodes: Expression::name("nodes"),
            tables: (0..plan.widths.len()).map(table).collect(),
        };
        Storage { places: facts.printed_listed_places(&extent) }
    }

    /// Declares the storage nodes at these shifts from `node`.
    pub(super) fn neighbours(&self, shifts: impl IntoIterator<Item = [i32; 3]>) -> String {
        let mut text = String::new();
        let shifts: BTreeSet<_> = shifts.into_iter().filter(|&shift| shift != [0; 3]).collect();
        for shift in shifts {
            let place = self.places.neighbour(Expression::name("node"), shift);
            line(&mut text, format_args!("const index {} = {place};", node(shift)));
        }
        text
    }

    /// The place of an access in a copy.
    pub(super) fn at(&self, access: Access) -> Expression {
        self.places.offset(access.slot, Expression::name(node(access.shift)))
    }

    /// The place of a slot of the node itself.
    pub(super) fn own(&self, slot: usize) -> Expression {
        self.at(own(slot))
    }

    /// Declares what places of these accesses have in common.
    pub(super) fn named(&self, accesses: impl IntoIterator<Item = Access>) -> (String, Named<'_>) {
        let mut uses: Vec<(Expression, usize)> = Vec::new();
        for access in accesses {
            let (_, base) = apart(self.at(access));
            match uses.iter_mut().find(|(known, _)| *known == base) {
                Some((_, count)) => *count += 1,
                None => uses.push((base, 1)),
            }
        }
        let (mut text, mut names) = (String::new(), BTreeMap::new());
        for (base, _) in
            uses.into_iter().filter(|(base, count)| *count > 1 && !matches!(base, Expression::Name(_)))
        {
            let name = format!("place_{}", names.len());
            line(&mut text, format_args!("const index {name} = {base};"));
            names.insert(base.to_string(), Expression::name(name));
        }
        (text, Named { storage: self, names })
    }
}

/// A slot of the node itself.
pub(super) fn own(slot: usize) -> Access {
    Access { shift: [0; 3], slot }
}

/// Places, of which what several have in common has a name.
pub(super) struct Named<'a> {
    storage: &'a Storage,
    /// By what they stand for.
    names: BTreeMap<String, Expression>,
}

impl Named<'_> {
    /// The place of an access in a copy.
    pub(super) fn at(&self, access: Access) -> Expression {
        let (known, base) = apart(self.storage.at(access));
        self.names.get(&base.to_string()).cloned().unwrap_or(base) + known
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
