//! What is written of a flow, taken in pieces of nodes as they come.

use std::ops::Range;

use lbm_core::Error;
use lbm_core::parallel::each_chunk;

use super::field::pressure;
use super::{Field, Selection};
use crate::output::TakeNumbers;
use crate::simulation::{FieldRequest, StartedFields};

/// Nodes that a core does at a time.
const AT_ONCE: usize = 1 << 14;

impl Selection {
    /// Whether a node's fields follow from its own density and velocity.
    pub(in crate::cases) fn is_of_nodes(&self) -> bool {
        self.fields.iter().all(|field| !field.components().is_empty())
    }

    /// What of density and velocity a frame is made of: rounded where the file has just these numbers, in single precision if `narrow`.
    pub(in crate::cases) fn request(&self, narrow: bool) -> FieldRequest {
        let needs = |fields: &[Field]| self.fields.iter().any(|field| fields.contains(field));
        let density = needs(&[Field::Density, Field::Pressure]);
        let velocity = needs(&[Field::Velocity, Field::Vorticity, Field::Q]);
        let all = FieldRequest::of(self.nodes());
        let request = match (density, velocity) {
            (true, true) => all,
            (false, true) => all.velocity(),
            (_, false) => all.density(),
        };
        let as_they_are = self.fields.iter().all(|field| matches!(field, Field::Density | Field::Velocity));
        if narrow && as_they_are { request.rounded() } else { request }
    }

    /// The nodes of the box, from the first to the last of those that are written; all where one's fields follow from others'.
    fn nodes(&self) -> Range<usize> {
        let [nx, ny, nz] = self.size;
        if !self.is_of_nodes() {
            return 0..nx * ny * nz;
        }
        let index = |[x, y, z]: [usize; 3]| x + nx * (y + ny * z);
        let [first, last] = [0, 1].map(|end| {
            self.region.each_ref().map(|range| if end == 0 { range.start } else { range.end - 1 })
        });
        index(first)..index(last) + 1
    }

    /// Hands out a field of the nodes that are written, node after node, where it [is of nodes](Selection::is_of_nodes).
    ///
    /// # Errors
    /// Those of `take` and of the engine.
    pub(in crate::cases) fn hand_out(
        &self,
        field: Field,
        state: &StartedFields,
        cs2: f64,
        take: TakeNumbers<'_>,
    ) -> Result<(), Error> {
        state.hand_out(field.components(), &mut |nodes, values| {
            let mut numbers = self.of_piece(nodes, values);
            if field == Field::Pressure {
                numbers.iter_mut().for_each(|rho| *rho = pressure(*rho, cs2));
            }
            take(&numbers)
        })
    }

    /// The values of those nodes of a piece that are written, node after node.
    fn of_piece(&self, nodes: Range<usize>, values: &[f64]) -> Vec<f64> {
        let count = nodes.len();
        let components = values.len() / count.max(1);
        if self.is_whole() {
            let mut all = vec![0.0; values.len()];
            each_chunk(&mut all, components * AT_ONCE, |number, own| {
                let own = own.chunks_mut(components).enumerate();
                own.for_each(|(n, own)| {
                    let node = number * AT_ONCE + n;
                    own.iter_mut().enumerate().for_each(|(k, value)| *value = values[node + count * k]);
                });
            });
            return all;
        }
        let [nx, ny, _] = self.size;
        let x = self.region[0].clone().step_by(self.every);
        let is_written = |range: &Range<usize>, at: usize| {
            range.contains(&at) && (at - range.start).is_multiple_of(self.every)
        };
        let rows = nodes.start / nx..nodes.end.div_ceil(nx);
        let rows =
            rows.filter(|row| is_written(&self.region[1], row % ny) && is_written(&self.region[2], row / ny));
        let written = rows.flat_map(|row| x.clone().map(move |x| x + nx * row));
        let here = written.filter(|node| nodes.contains(node)).map(|node| node - nodes.start);
        here.flat_map(|n| (0..components).map(move |k| values[n + count * k])).collect()
    }
}

#[cfg(test)]
mod tests {
    use lbm_core::pieces::{cut, pieces};

    use super::super::tests::selection;
    use super::*;

    #[test]
    fn pieces_of_a_part_are_the_part() {
        let size = [8, 6, 3];
        // A vector of each node, and the same component after component.
        let vectors: Vec<f64> = (0..3 * 144).map(f64::from).collect();
        let lines: Vec<f64> = (0..3).flat_map(|k| vectors.iter().skip(k).step_by(3).copied()).collect();
        for pairs in ["", "region=2:7,1:5 every=2", "region=1:8,0:6,1:3", "every=3"] {
            let part = selection(pairs, size).unwrap();
            for most in [1, 5, 48, 144] {
                let piece = |nodes: Range<usize>| {
                    let mut values = vec![0.0; 3 * nodes.len()];
                    cut(&lines, nodes.clone(), &mut values);
                    part.of_piece(nodes, &values)
                };
                let found: Vec<f64> = pieces(part.nodes(), most).flat_map(piece).collect();
                assert_eq!(found, part.cut(3, &vectors)[..], "{pairs}, {most}");
            }
        }
    }

    #[test]
    fn a_frame_asks_for_what_it_shows() {
        for (pairs, narrow, request) in [
            ("", true, FieldRequest::of(0..48).rounded()),
            ("", false, FieldRequest::of(0..48)),
            ("fields=velocity", true, FieldRequest::of(0..48).velocity().rounded()),
            ("fields=velocity region=,2:4", false, FieldRequest::of(16..32).velocity()),
            ("fields=pressure", true, FieldRequest::of(0..48).density()),
            ("fields=q,wall_shear_stress region=,2:4", true, FieldRequest::of(0..48).velocity()),
        ] {
            assert_eq!(selection(pairs, [8, 6, 1]).unwrap().request(narrow), request, "{pairs}");
        }
    }
}
