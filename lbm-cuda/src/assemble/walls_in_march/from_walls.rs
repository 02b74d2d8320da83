//! What comes back from walls to the nodes of a plane, and what of it waits until it is at hand.

use super::super::at_faces::AtFace;
use super::super::boundary::from_wall;
use super::super::masks::MaskWord;
use super::super::scheme::{each_of, put};
use super::super::shape::kept;
use super::{AtPlane, WallsInMarch};

impl WallsInMarch<'_> {
    /// What comes back of some directions to the nodes of a plane, and to those below it, where `sent` is what node `k` of the plane
    /// sends along a direction. The first call of all in a plane looks into lists. What is at hand only later is then to be
    /// [picked up](WallsInMarch::pick_up).
    pub(in super::super) fn back_from_walls(
        &self,
        along: &[usize],
        plane: &AtPlane,
        looks: bool,
        sent: &dyn Fn(usize, usize) -> String,
        indent: &str,
    ) -> String {
        let (mut text, faces) = (String::new(), self.faces());
        let inner = format!("{indent}    ");
        if looks && self.lists() {
            text += &self.look_up(plane, &inner);
        }
        let now: Vec<usize> =
            along.iter().copied().filter(|&i| self.rise(i) < 0 && !self.is_later(i)).collect();
        text += &self.taken(&now, &faces, plane, &inner);
        if self.lists() {
            text += &self.back_from_lists(along, plane, sent, &inner);
        }
        for face in faces.iter().filter(|face| !self.is_chosen(face)) {
            let statements = self.back_from_face(face, &faces, along, plane, sent, &format!("{inner}    "));
            if !statements.is_empty() {
                put!(text, "{inner}if ({}) {{", self.at(face, plane));
                text += &statements;
                put!(text, "{inner}}}");
            }
        }
        if text.is_empty() {
            return text;
        }
        let mut guarded = String::new();
        put!(guarded, "{indent}if ({}) {{", self.near(plane));
        guarded += &text;
        put!(guarded, "{indent}}}");
        guarded
    }

    /// Puts what has waited in the place of what is at hand only now.
    pub(in super::super) fn pick_up(&self, plane: &AtPlane, indent: &str) -> String {
        let waits = |&i: &usize| self.is_later(i) && kept(self.pieces.facts, self.shape, i) > 0;
        let later: Vec<usize> = (0..self.pieces.q).filter(waits).collect();
        let mut text = String::new();
        put!(text, "{indent}if ({}) {{", self.near(plane));
        text += &self.taken(&later, &self.faces(), plane, &format!("{indent}    "));
        put!(text, "{indent}}}");
        text
    }

    /// Puts what has waited of some directions in its place: what comes down to the nodes of the plane below, and what stays.
    fn taken(&self, along: &[usize], faces: &[AtFace], plane: &AtPlane, indent: &str) -> String {
        let (mut text, end) = (String::new(), self.end());
        let stays = along.iter().any(|&i| self.rise(i) == 0);
        for (k, at) in each_of(self.nodes).enumerate() {
            let mask = MaskWord::of(self.pieces.facts);
            let none = mask.literal(0);
            let word = |below| format!("{} ? {} : {none}", self.is_special(below, k), self.lost(below, k));
            if self.lists() {
                put!(text, "{indent}const {mask} lost_below_{k} = {};", word(plane.below + 1));
            }
            if self.lists() && stays {
                put!(text, "{indent}const {mask} lost_{k} = {};", word(plane.below));
            }
            for &i in along {
                let (lost, falls) = match self.rise(i) {
                    0 => (format!("lost_{k}"), false),
                    _ => (format!("lost_below_{k}"), true),
                };
                let crossed = faces.iter().filter(|face| {
                    face.may_have(k, self.nodes) && face.rank(i).is_some() && !self.is_chosen(face)
                });
                let mut missing: Vec<String> = crossed
                    .map(|face| match falls && face.axis() == self.axis {
                        true => plane.after_last.clone(),
                        false => self.at(face, plane),
                    })
                    .collect();
                if self.lists() {
                    missing.push(format!("({lost} >> {i} & 1u)"));
                }
                if !missing.is_empty() {
                    let (back, mut missing) = (self.back(i, k, falls), missing.join(" || "));
                    // What was chosen is there already.
                    if let Some(chosen) = self.at_side(i) {
                        missing = format!("!{chosen} && ({missing})");
                    }
                    put!(text, "{indent}if ({missing}) h{end}{at}[{i}] = {back};");
                }
            }
        }
        text
    }

    /// What comes back from a face. Where a direction crosses two at once it belongs to one of them, as in
    /// [`lbm_core::Domain::upstream`]: to one at rest, else to the first.
    fn back_from_face(
        &self,
        face: &AtFace,
        faces: &[AtFace],
        along: &[usize],
        plane: &AtPlane,
        sent: &dyn Fn(usize, usize) -> String,
        indent: &str,
    ) -> String {
        let mut text = String::new();
        for (k, at) in each_of(self.nodes).enumerate().filter(|(k, _)| face.may_have(*k, self.nodes)) {
            for &i in face.directions.iter().filter(|i| along.contains(i)) {
                let (target, sent) =
                    (self.target(i, k, &at), sent(self.pieces.facts.lattice.opposites[i], k));
                if !face.moving {
                    put!(text, "{indent}{target} = {sent};");
                    continue;
                }
                let owns = |other: &&AtFace| {
                    let before = !other.moving || other.face < face.face;
                    before && other.rank(i).is_some() && other.may_have(k, self.nodes)
                };
                let others: Vec<String> =
                    faces.iter().filter(owns).map(|other| format!("!({})", self.at(other, plane))).collect();
                let own =
                    if others.is_empty() { String::new() } else { format!("if ({}) ", others.join(" && ")) };
                let moved = from_wall(self.pieces, &sent, &(self.pieces.q * face.face + i).to_string());
                put!(text, "{indent}{own}{target} = {moved};");
            }
        }
        text
    }
}
