//! Fields that the host has computed, kept until they are taken.

use std::ops::Range;

use super::{FieldRequest, PendingFields, TakeOf, TakeRounded};
use crate::error::Error;
use crate::parallel::each_chunk;
use crate::pieces::{Take, pieces};

/// Numbers of which a core takes some at a time.
const AT_ONCE: usize = 1 << 14;

/// Nodes of which they are handed out at a time.
const PIECE: usize = 1 << 17;

/// Fields that the host has computed, component after component, in the bytes of their request.
#[derive(Debug)]
pub struct HeldFields {
    request: FieldRequest,
    numbers: Numbers,
}

#[derive(Debug)]
enum Numbers {
    Rounded(Vec<f32>),
    Wide(Vec<f64>),
}

/// What is held of some nodes, to be filled by one thread.
#[derive(Debug)]
pub struct Part<'a> {
    components: Range<usize>,
    lines: Vec<Line<'a>>,
}

/// A component of them.
#[derive(Debug)]
enum Line<'a> {
    Rounded(&'a mut [f32]),
    Wide(&'a mut [f64]),
}

impl Line<'_> {
    fn put(&mut self, first: usize, values: &[f64]) {
        match self {
            Line::Rounded(line) => {
                line[first..][..values.len()].iter_mut().zip(values).for_each(|(own, &v)| *own = v as f32);
            }
            Line::Wide(line) => line[first..][..values.len()].copy_from_slice(values),
        }
    }
}

impl Part<'_> {
    /// Takes density and velocity of some of its nodes, the first of which has this number among them: four lines, of which those are kept that were asked
    /// for.
    pub fn put(&mut self, first: usize, values: &[f64]) {
        let count = values.len() / 4;
        for (line, component) in self.lines.iter_mut().zip(self.components.clone()) {
            line.put(first, &values[component * count..][..count]);
        }
    }
}

impl HeldFields {
    /// Room for what a request asks for.
    #[must_use]
    pub fn room(request: FieldRequest) -> HeldFields {
        let values = request.values();
        let numbers = match request.rounded {
            true => Numbers::Rounded(vec![0.0; values]),
            false => Numbers::Wide(vec![0.0; values]),
        };
        HeldFields { request, numbers }
    }

    /// The room for all nodes, so many of them in a part, in their order.
    pub fn parts(&mut self, nodes: usize) -> Vec<Part<'_>> {
        let (all, nodes) = (self.request.nodes.len().max(1), nodes.max(1));
        let components = self.request.components.clone();
        let part = |_| Part { components: components.clone(), lines: Vec::new() };
        let mut parts: Vec<Part<'_>> = (0..self.request.nodes.len().div_ceil(nodes)).map(part).collect();
        match &mut self.numbers {
            Numbers::Rounded(numbers) => numbers.chunks_mut(all).for_each(|line| {
                let own = parts.iter_mut().zip(line.chunks_mut(nodes));
                own.for_each(|(part, line)| part.lines.push(Line::Rounded(line)));
            }),
            Numbers::Wide(numbers) => numbers.chunks_mut(all).for_each(|line| {
                let own = parts.iter_mut().zip(line.chunks_mut(nodes));
                own.for_each(|(part, line)| part.lines.push(Line::Wide(line)));
            }),
        }
        parts
    }

    /// Where a component of a piece of nodes lies.
    fn place(&self, component: usize, nodes: &Range<usize>) -> Range<usize> {
        let FieldRequest { nodes: all, components, .. } = &self.request;
        let first = (component - components.start) * all.len() + nodes.start - all.start;
        first..first + nodes.len()
    }

    /// Takes what was asked for of a piece of density and velocity, on all cores.
    pub fn take(&mut self, nodes: Range<usize>, values: &[f64]) {
        for component in self.request.components.clone() {
            let (place, from) = (self.place(component, &nodes), &values[component * nodes.len()..]);
            match &mut self.numbers {
                Numbers::Rounded(all) => each_chunk(&mut all[place], AT_ONCE, |number, own| {
                    own.iter_mut()
                        .zip(&from[number * AT_ONCE..])
                        .for_each(|(own, &value)| *own = value as f32);
                }),
                Numbers::Wide(all) => all[place.clone()].copy_from_slice(&from[..place.len()]),
            }
        }
    }

    /// Hands out components as they are kept, piece after piece: one alone stands side by side already.
    fn as_kept<T: Copy>(
        &self,
        all: &[T],
        components: Range<usize>,
        take: TakeOf<'_, T>,
    ) -> Result<(), Error> {
        if components.len() == 1 {
            let mut pieces = pieces(self.request.nodes.clone(), PIECE);
            return pieces.try_for_each(|nodes| {
                let place = self.place(components.start, &nodes);
                take(nodes, &all[place])
            });
        }
        self.in_pieces(components, |values, place| values.extend_from_slice(&all[place]), take)
    }

    /// Puts components of all nodes together, piece after piece, by what appends those at a place.
    fn in_pieces<T>(
        &self,
        components: Range<usize>,
        append: impl Fn(&mut Vec<T>, Range<usize>),
        take: TakeOf<'_, T>,
    ) -> Result<(), Error> {
        let mut values = Vec::new();
        for nodes in pieces(self.request.nodes.clone(), PIECE) {
            values.clear();
            values.reserve(components.len() * nodes.len());
            components.clone().for_each(|component| append(&mut values, self.place(component, &nodes)));
            take(nodes, &values)?;
        }
        Ok(())
    }
}

impl PendingFields for HeldFields {
    fn hand_out(&self, components: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        match &self.numbers {
            Numbers::Wide(all) => self.as_kept(all, components, take),
            Numbers::Rounded(all) => {
                let widened = |place: Range<usize>| all[place].iter().map(|&value| f64::from(value));
                self.in_pieces(components, |values, place| values.extend(widened(place)), take)
            }
        }
    }

    fn hand_out_rounded(&self, components: Range<usize>, take: TakeRounded<'_>) -> Result<(), Error> {
        match &self.numbers {
            Numbers::Rounded(all) => self.as_kept(all, components, take),
            Numbers::Wide(all) => {
                let rounded = |place: Range<usize>| all[place].iter().map(|&value| value as f32);
                self.in_pieces(components, |values, place| values.extend(rounded(place)), take)
            }
        }
    }
}
