//! What a box names by numbers: rules, places among their values, patches of faces. One that is made by hand may name what is not there.

use super::{AppliedRule, Domain, Face, FaceRule};
use crate::error::Error;

impl AppliedRule {
    /// How many values there are, and factors of each product in time.
    fn lengths(&self) -> impl Iterator<Item = usize> {
        std::iter::once(&self.values).chain(self.in_time.iter().map(|term| &term.values)).map(Vec::len)
    }

    /// Of how many places there are values; what is for all places counts as one.
    fn places(&self) -> usize {
        self.lengths().map(|length| length / self.count.max(1)).min().unwrap_or(0)
    }

    /// Whether there are values of this place.
    fn has(&self, place: usize) -> bool {
        let until = |places: usize| self.count.saturating_mul(places);
        self.lengths().all(|length| match length > self.count {
            true => until(place.saturating_add(1)) <= length,
            false => length == self.count,
        })
    }
}

impl Domain {
    /// Refuses a rule that the box has not, and a place of which the rule has no values; `who` names them.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub(crate) fn check_rule(
        &self,
        who: impl Fn() -> String,
        rule: usize,
        place: usize,
    ) -> Result<(), Error> {
        let Some(applied) = self.rules.get(rule) else {
            return Err(Error::out_of_range(
                format!("number of the rule of {}", who()),
                rule,
                format!("{} of `Domain::rules`", numbers(self.rules.len())),
                "add the rule to `Domain::rules`, or name one that is there",
            ));
        };
        if applied.has(place) {
            return Ok(());
        }
        Err(Error::out_of_range(
            format!("place of {} among the values of the rule `{}`", who(), applied.rule),
            place,
            format!("{} of the places that it has values of", numbers(applied.places())),
            "give the rule values of all its places, or one for all of them",
        ))
    }

    /// The same of the rules of faces, and of patches.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub(crate) fn check_faces(&self) -> Result<(), Error> {
        for face in Face::ALL {
            let who = || format!("the face {face:?}");
            let lengths = (0..3).filter(|&axis| axis != face.axis()).map(|axis| self.size[axis]);
            let nodes = lengths.fold(1, usize::saturating_mul);
            match self.faces[face.index()] {
                FaceRule::Periodic | FaceRule::Wall { .. } => {}
                FaceRule::Rule(rule) => self.check_rule(who, rule, nodes.saturating_sub(1))?,
                FaceRule::Patches(number) => {
                    for (place, &rule) in self.patches_of(face, number, nodes)?.iter().enumerate() {
                        let rule = usize::from(rule).checked_sub(1);
                        rule.map_or(Ok(()), |rule| self.check_rule(who, rule, place))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What stands at the nodes of a face of patches.
    fn patches_of(&self, face: Face, number: usize, nodes: usize) -> Result<&[u16], Error> {
        let Some(patches) = self.patches.get(number) else {
            return Err(Error::out_of_range(
                format!("number of the patches of the face {face:?}"),
                number,
                format!("{} of `Domain::patches`", numbers(self.patches.len())),
                "add the patches to `Domain::patches`, or name some that are there",
            ));
        };
        if patches.len() == nodes {
            return Ok(patches);
        }
        Err(Error::out_of_range(
            format!("entries of the patches of the face {face:?}"),
            patches.len(),
            format!("as many as the face has nodes, {nodes}"),
            "give one entry a node, in the order x, y, z",
        ))
    }
}

/// The numbers of so many things.
fn numbers(count: usize) -> String {
    match count {
        0 => "none".to_owned(),
        1 => "0".to_owned(),
        _ => format!("0 to {}", count - 1),
    }
}
