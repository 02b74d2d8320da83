//! What is known where a case file is read.

use std::cell::RefCell;
use std::path::Path;

use lbm_core::{Error, RuleFacts};

use super::pulses::Pulse;
use super::table::{Item, of, text, unknown};
use crate::cases::fault::Fault;
use crate::variants::no_rules;

/// What is known where rules are read.
pub(super) struct Known<'a> {
    /// The lattice's name.
    pub(super) lattice: &'a str,
    /// The rules of the lattice.
    pub(super) rules: &'a [RuleFacts],
    /// Axes of the lattice.
    pub(super) dimension: usize,
    /// The folder of the case file, which names of files are relative to.
    pub(super) folder: &'a Path,
    /// The pulses that were read, to be checked when the viscosity is known.
    pub(super) pulses: RefCell<Vec<Pulse>>,
    /// What should be known of surfaces in files.
    pub(super) notes: RefCell<Vec<String>>,
}

impl Known<'_> {
    /// What a file of this name holds.
    pub(super) fn read(&self, name: &str) -> Result<String, Error> {
        let path = self.folder.join(name);
        std::fs::read_to_string(&path)
            .map_err(|source| Error::file("read", &path, source, "give a table that can be read"))
    }

    /// The rule that a text names.
    pub(super) fn rule(&self, named: &Item<'_>) -> Result<&RuleFacts, Fault> {
        if self.rules.is_empty() {
            return Err(of(named)(no_rules(self.lattice)));
        }
        let (name, names): (_, Vec<&str>) = (text(named)?, self.rules.iter().map(|rule| rule.name).collect());
        let found = self.rules.iter().find(|rule| rule.name == name);
        found.ok_or_else(|| unknown("boundary rule", name, named.span().start, &names))
    }
}
