//! Why flows of a variant have no boundary rules.

use lbm_core::Error;

use super::Entry;

impl Entry {
    /// Why rules cannot be tried on it, where they cannot ([`crosscheck_rules`](Entry::crosscheck_rules)).
    #[must_use]
    pub fn refused_rules(&self) -> Option<Error> {
        if self.rules().is_empty() {
            return Some(no_rules(self.facts.lattice.name));
        }
        self.crosscheck_rules().is_none().then(|| {
            let what =
                format!("{} does several steps at once, and boundary rules stand between two", self.name);
            Error::conflict(what, "take another streaming, such as two-lattice-pull or moments")
        })
    }
}

/// That the command has no boundary rules on a lattice.
pub fn no_rules(lattice: &str) -> Error {
    let line = format!(
        "solver! {{ Flow {{ lattice: {lattice}, collision: Bgk, boundaries: [ZouHeVelocity, FreeSlip] }} }}"
    );
    Error::conflict(
        format!("the command has no boundary rules on {lattice}"),
        format!(
            "their machine code is compiled in on {}; a crate of your own has them on any lattice: {line}",
            lbm_bodies::lattices_with_rules().join(" and ")
        ),
    )
}
