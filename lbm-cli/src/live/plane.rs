//! The state of a slice at the pixels of a picture.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use lbm_core::engine::{FieldRequest, Grid};
use lbm_core::{Domain, Error};
use lbm_live::{View, directions_of_slice};

use crate::simulation::{Simulation, StartedFields};

/// Which nodes of a slice are looked at for a picture: at most one a pixel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Samples {
    pub(super) view: View,
    pub(super) grid: Grid,
    /// The axes of the plane.
    pub(super) axes: [usize; 2],
    /// Columns and rows.
    pub(super) count: [usize; 2],
    /// Node spacings between two of them.
    pub(super) step: [usize; 2],
}

/// Density and velocity of some nodes of a slice, row by row from the lowest.
pub(super) struct Plane {
    pub(super) samples: Samples,
    pub(super) step: u64,
    /// `rho, u_x, u_y, u_z`, a line of each that was looked at; 1, 0, 0, 0 in solids.
    pub(super) values: [Vec<f32>; 4],
    /// Whether all of these are finite.
    pub(super) is_finite: bool,
    pub(super) solid: Arc<Vec<bool>>,
}

impl Samples {
    /// Those of a view of a box of this size.
    pub(super) fn of(view: &View, size: [usize; 3]) -> Samples {
        let axis = usize::from(view.axis);
        let axes = directions_of_slice(axis);
        let mut grid = Grid::of(size);
        (grid.first[axis], grid.count[axis]) = (view.slice() as usize, 1);
        let (mut count, mut step) = ([1; 2], [1; 2]);
        for (n, pixels) in [(0, view.width), (1, view.height)] {
            let along = axes[n];
            let first = (view.region[n].floor() as usize).min(size[along] - 1);
            let nodes = (view.region[n + 2].ceil() as usize).clamp(first + 1, size[along]) - first;
            step[n] = nodes.div_ceil(usize::from(pixels)).max(1);
            count[n] = nodes.div_ceil(step[n]);
            // The middle one of those that a pixel stands for.
            grid.first[along] = (first + (step[n] - 1) / 2).min(size[along] - 1 - (count[n] - 1) * step[n]);
            (grid.step[along], grid.count[along]) = (step[n], count[n]);
        }
        Samples { view: view.clone(), grid, axes, count, step }
    }

    /// Which of `rho, u_x, u_y, u_z` are looked at: the density where it is shown, what can move otherwise.
    fn components(&self) -> Range<usize> {
        let is_flat = self.grid.size[2] == 1 && self.axes == [0, 1];
        usize::from(self.view.field != "density")..if is_flat { 3 } else { 4 }
    }

    /// Whether one of the nodes that each sample stands for is solid.
    pub(super) fn solid(&self, domain: &Domain) -> Vec<bool> {
        let [columns, rows, planes] = self.grid.count;
        let mut solid = vec![false; self.grid.nodes()];
        (0..rows * planes).for_each(|row| self.look(domain, row, 0..columns, &mut solid));
        solid
    }

    /// The same after these nodes have become solid or fluid.
    pub(super) fn renew(&self, domain: &Domain, nodes: &[usize], solid: &mut [bool]) {
        let Grid { size, first, step, count } = self.grid;
        let across = usize::from(self.view.axis);
        // Along an axis the samples that stand for nodes, and the ones beside.
        let near = |axis: usize, [low, high]: [usize; 2]| {
            let number = |at: usize| (at + step[axis] / 2).saturating_sub(first[axis]) / step[axis];
            number(low).saturating_sub(1)..(number(high) + 2).min(count[axis])
        };
        // The columns of each row of samples: nodes of several rows are of one.
        let mut rows: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for run in nodes.chunk_by(|one, next| one + 1 == *next && !next.is_multiple_of(size[0])) {
            let [begin, end] = [run[0], run[run.len() - 1]].map(|node| domain.position(node));
            if !(begin[across]..=end[across]).contains(&first[across]) {
                continue;
            }
            let ([low, y, z], [high, ..]) = (begin, end);
            for (z, y) in near(2, [z; 2]).flat_map(|z| near(1, [y; 2]).map(move |y| (z, y))) {
                let columns = near(0, [low, high]);
                let known = rows.entry(y + count[1] * z).or_insert_with(|| columns.clone());
                *known = known.start.min(columns.start)..known.end.max(columns.end);
            }
        }
        rows.into_iter().for_each(|(row, columns)| self.look(domain, row, columns, solid));
    }

    /// Looks which samples of a row of the grid, those of some columns, stand for a solid node.
    fn look(&self, domain: &Domain, row: usize, columns: Range<usize>, solid: &mut [bool]) {
        if columns.is_empty() {
            return;
        }
        let Grid { size, step, count, .. } = self.grid;
        // Along an axis the nodes that the sample at a node stands for.
        let stands_for = |axis: usize, at: usize| match self.axes.contains(&axis) {
            true => {
                let low = at.saturating_sub((step[axis] - 1) / 2);
                low..(low + step[axis]).min(size[axis])
            }
            false => at..at + 1,
        };
        let first = columns.start + count[0] * row;
        let [x, y, z] = self.grid.position(first);
        let own = &mut solid[first..first + columns.len()];
        own.fill(false);
        if domain.flags.is_empty() {
            return;
        }
        for (z, y) in stands_for(2, z).flat_map(|z| stands_for(1, y).map(move |y| (z, y))) {
            let nodes = &domain.flags[domain.index([0, y, z])..][..size[0]];
            for (n, own) in own.iter_mut().enumerate() {
                *own |= nodes[stands_for(0, x + n * step[0])].iter().any(|&flag| flag != 0);
            }
        }
    }

    /// The sample that is shown at a point of the plane.
    pub(super) fn at(&self, point: [f64; 2]) -> usize {
        let [column, row] = [0, 1].map(|n| {
            let first = self.grid.first[self.axes[n]] as f64 + 0.5;
            let number = ((point[n] - first) / self.step[n] as f64).round();
            (number.max(0.0) as usize).min(self.count[n] - 1)
        });
        column + self.count[0] * row
    }
}

/// Begins to look at a slice.
pub(super) fn start(simulation: &mut Simulation, samples: &Samples) -> Result<StartedFields, Error> {
    let mut request = FieldRequest::on(samples.grid).rounded();
    request.components = samples.components();
    simulation.start_fields(request)
}

impl Plane {
    /// What was looked at, when it is there.
    pub(super) fn of(
        samples: Samples,
        started: &StartedFields,
        solid: &Arc<Vec<bool>>,
    ) -> Result<Plane, Error> {
        // Of what is finite, less than those of infinity.
        let bits = |value: f32| (value.to_bits() & !(1 << 31)) as i32;
        let (mut values, mut most) = ([const { Vec::new() }; 4], 0);
        for component in samples.components() {
            let at_rest = f32::to_bits(if component == 0 { 1.0 } else { 0.0 });
            let line = &mut values[component];
            line.reserve_exact(samples.grid.nodes());
            started.hand_out_rounded(component..component + 1, &mut |some, numbers| {
                let (first, shown) = (line.len(), numbers.iter().zip(&solid[some]));
                line.extend(shown.map(|(number, &solid)| {
                    // All bits, or none in solids: of a choice the compiler makes no vectors.
                    let fluid = u32::from(solid).wrapping_sub(1);
                    f32::from_bits(number.to_bits() & fluid | at_rest & !fluid)
                }));
                most = line[first..].iter().fold(most, |most, &number| most.max(bits(number)));
                Ok(())
            })?;
        }
        let is_finite = most < bits(f32::INFINITY);
        Ok(Plane { samples, step: started.step(), values, is_finite, solid: Arc::clone(solid) })
    }

    /// The velocity in the plane of a sample.
    pub(super) fn velocity(&self, sample: usize) -> [f32; 2] {
        self.samples.axes.map(|axis| self.values[1 + axis][sample])
    }

    /// Where something is after a time that goes with the velocity in the plane, by that half way there; nothing if it has left what is looked
    /// at, or came upon a solid.
    pub(super) fn moved(&self, place: [f64; 2], time: f64) -> Option<[f64; 2]> {
        let carry = |place: [f64; 2], of: [f64; 2], time: f64| {
            let velocity = self.velocity(self.samples.at(of)).map(f64::from);
            [place[0] + velocity[0] * time, place[1] + velocity[1] * time]
        };
        let middle = carry(place, place, time / 2.0);
        let place = carry(place, middle, time);
        let (low, length) = self.extent();
        let is_there = (0..2).all(|n| (low[n]..low[n] + length[n]).contains(&place[n]));
        (is_there && !self.solid[self.samples.at(place)]).then_some(place)
    }

    /// The lowest corner of what is looked at, and its lengths.
    pub(super) fn extent(&self) -> ([f64; 2], [f64; 2]) {
        let [low_x, low_y, high_x, high_y] = self.samples.view.region;
        ([low_x, low_y], [high_x - low_x, high_y - low_y])
    }

    /// A place over what is looked at, 0 at its low and 65535 at its high end.
    pub(super) fn share(&self, place: [f64; 2]) -> [u16; 2] {
        let (low, length) = self.extent();
        [0, 1].map(|n| ((place[n] - low[n]) / length[n] * 65_535.0) as u16)
    }

    pub(super) fn speed(&self) -> Vec<f32> {
        let [_, u, v, w] = &self.values;
        let mut all: Vec<f32> = u.iter().zip(v).map(|(u, v)| u * u + v * v).collect();
        all.iter_mut().zip(w).for_each(|(square, w)| *square += w * w);
        all.iter_mut().for_each(|speed| *speed = speed.sqrt());
        all
    }

    /// The density less 1: the pressure over cs2.
    pub(super) fn density(&self) -> Vec<f32> {
        self.values[0].iter().map(|rho| rho - 1.0).collect()
    }

    /// The component of the curl along the axis across the plane, by differences of samples, at ends of lines of one sample and its neighbour: a time
    /// step's inverse.
    pub(super) fn vorticity(&self) -> Vec<f32> {
        let Samples { count: [columns, rows], step, axes, .. } = self.samples;
        // x, z and y turn the other way.
        let sign = if axes == [0, 2] { -1.0 } else { 1.0 };
        let over = |samples: usize, step: usize| sign / (samples * step).max(1) as f32;
        let [u, v] = axes.map(|axis| &self.values[1 + axis]);
        let (mut curl, last) = (vec![0.0; columns * rows], columns - 1);
        for (row, line) in curl.chunks_mut(columns).enumerate() {
            let [below, above] = [row.saturating_sub(1), (row + 1).min(rows - 1)];
            let [lower, upper] = [below, above].map(|row| &u[columns * row..][..columns]);
            let factor = over(above - below, step[1]);
            let along_y = lower.iter().zip(upper).map(|(lower, upper)| (lower - upper) * factor);
            line.iter_mut().zip(along_y).for_each(|(value, change)| *value = change);
            let (beside, factor) = (&v[columns * row..][..columns], over(2, step[0]));
            let along_x = beside.windows(3).map(|three| (three[2] - three[0]) * factor);
            line[1..].iter_mut().zip(along_x).for_each(|(value, change)| *value += change);
            for [column, left, right] in [[0, 0, last.min(1)], [last, last.saturating_sub(1), last]] {
                // A line of one sample has no ends.
                if last > 0 {
                    line[column] += (beside[right] - beside[left]) * over(1, step[0]);
                }
            }
        }
        curl
    }
}
