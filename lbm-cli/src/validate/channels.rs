//! Straight channels between solid nodes, in every addressing.

use lbm_core::geometry::{Cuboid, Cylinder, Shape};
use lbm_core::{Error, Geometry};

use super::driven::{self, Driven};
use super::{Criterion, Event, Options, Row, largest, slope};
use crate::simulation::{Placement, Simulation, positions};
use crate::variants::Entry;

const SOURCE: &str =
    "exact: u = g y (H - y) / (2 nu) and u = g (R^2 - r^2) / (4 nu) (Hagen 1839, Poiseuille 1841)";

/// Fluid nodes across the plane channel.
pub(super) const HEIGHT: usize = 16;

/// Fluid nodes across the round channels. How well a staircase meets one circle is chance; over several the order shows. With all
/// whole numbers from 8 to 66 it is 1.26.
const DIAMETERS: [usize; 9] = [8, 12, 16, 20, 24, 28, 32, 36, 40];

/// Nodes of solid on each side, so that channels that are whole numbers of tiles wide lie in boxes that are.
const WALL: usize = 2;

/// Nodes along a channel, where nothing changes: one tile.
const LENGTH: usize = 4;

/// How far the mean velocity is from where it settles, as a share of it, where the flow is exact and where it is not.
const STEADY: [f64; 2] = [1e-12, 1e-6];

/// The plane channel's largest error over the mean velocity. Less than 1e-12 of the start is left; the rest is rounding.
const PLANE: f64 = 1e-10;

/// How far from the circle a staircase may act, in nodes: its steps lie anywhere up to half a node from it, on the mean a quarter.
const OFFSET: f64 = 0.25;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let (dense, listed) = driven::entries()?;
    let plane = Channel::plane(HEIGHT)?;
    let round = |diameter| Channel::round(diameter, diameter as f64 / 2.0);
    let rounds = DIAMETERS.into_iter().map(round).collect::<Result<Vec<_>, _>>()?;
    let mut expected = Vec::new();
    for entry in [dense].into_iter().chain(listed) {
        let label = driven::label(entry);
        heard(Event::Progress(format!("channels: plane, {}", entry.name)));
        let mut flows = vec![plane.flow(plane.driven(), entry, options.small_box())?];
        heard(Event::Row(plane.row(format!("channels-plane-{label}"), entry, &flows[0])?));
        for channel in &rounds {
            heard(Event::Progress(format!("channels: {} nodes across, {}", channel.across(), entry.name)));
            flows.push(channel.flow(channel.driven(), entry, options.small_box())?);
        }
        for row in round_rows(&label, entry, &rounds, &flows[1..])? {
            heard(Event::Row(row));
        }
        if expected.is_empty() {
            expected = flows;
        } else {
            heard(Event::Row(driven::bits_row(format!("channels-bits-{label}"), entry, &expected, &flows)?));
        }
    }
    Ok(())
}

/// A channel along x.
pub(super) struct Channel {
    geometry: Geometry,
    section: Section,
}

/// What is known of a channel's section.
#[derive(Clone, Copy, Debug)]
enum Section {
    /// Nothing changes along z; the height.
    Plane(f64),
    /// Its radius.
    Round(f64),
}

impl Channel {
    /// A channel of so many nodes between two planes.
    pub(super) fn plane(height: usize) -> Result<Channel, Error> {
        let (low, size) = (WALL as f64, [LENGTH, height + 2 * WALL, LENGTH]);
        let fluid = Cuboid { low: [-1.0, low, -1.0], high: [f64::MAX, low + height as f64, f64::MAX] };
        Ok(Channel {
            geometry: Geometry::of(size, &fluid.complement())?,
            section: Section::Plane(height as f64),
        })
    }

    /// A channel of so many nodes in diameter, judged as one of this radius.
    pub(super) fn round(diameter: usize, radius: f64) -> Result<Channel, Error> {
        let (across, middle) = (diameter + 2 * WALL, WALL as f64 + diameter as f64 / 2.0);
        let at = |x: f64| [x, middle, middle];
        let fluid = Cylinder { from: at(-1.0), to: at(LENGTH as f64 + 1.0), radius: diameter as f64 / 2.0 };
        Ok(Channel {
            geometry: Geometry::of([LENGTH, across, across], &fluid.complement())?,
            section: Section::Round(radius),
        })
    }

    pub(super) fn driven(&self) -> Driven<'_> {
        let permeability = match self.section {
            Section::Plane(height) => height * height / 12.0,
            Section::Round(radius) => radius * radius / 8.0,
        };
        Driven::new(&self.geometry, permeability)
    }

    /// The steady flow.
    pub(super) fn flow(
        &self,
        driven: Driven<'_>,
        entry: &Entry,
        placement: Placement,
    ) -> Result<Simulation, Error> {
        let [exact, staircase] = STEADY;
        let tolerance = if matches!(self.section, Section::Plane(_)) { exact } else { staircase };
        Ok(driven.settled(tolerance, entry, placement)?.0)
    }

    /// The row of a plane channel.
    pub(super) fn row(&self, name: String, entry: &Entry, flow: &Simulation) -> Result<Row, Error> {
        let pairs = self.velocities(flow)?;
        let mean = pairs.iter().map(|[_, exact]| exact[0]).sum::<f64>() / pairs.len() as f64;
        let errors = pairs.iter().flat_map(|[u, exact]| [0, 1, 2].map(|axis| u[axis] - exact[axis]));
        Ok(Row::error(name, &entry.name, largest(errors) / mean, PLANE).about(
            format!("largest error of the velocity over the mean, plane channel of {} nodes, magic parameter 3/16", self.across()),
            SOURCE,
        ))
    }

    /// The root of the mean square of the velocity's error, over that of the velocity itself.
    fn error(&self, flow: &Simulation) -> Result<f64, Error> {
        let pairs = self.velocities(flow)?;
        let components = || pairs.iter().flat_map(|[found, exact]| found.iter().zip(exact));
        let errors: f64 = components().map(|(found, exact)| (found - exact).powi(2)).sum();
        let squares: f64 = components().map(|(_, exact)| exact.powi(2)).sum();
        Ok((errors / squares).sqrt())
    }

    /// The velocity of each fluid node, and what it should be.
    fn velocities(&self, flow: &Simulation) -> Result<Vec<[[f64; 3]; 2]>, Error> {
        let scale = flow.force()[0] / flow.viscosity().unwrap_or(f64::NAN);
        let middle = self.geometry.size().map(|n| n as f64 / 2.0);
        let exact = |position: [usize; 3]| {
            let [_, y, z] = [0, 1, 2].map(|axis| position[axis] as f64 + 0.5 - middle[axis]);
            let u = match self.section {
                Section::Plane(height) => (height * height / 4.0 - y * y) / 2.0,
                Section::Round(radius) => (radius * radius - y * y - z * z) / 4.0,
            };
            [scale * u, 0.0, 0.0]
        };
        let nodes = flow.velocity()?.into_iter().zip(positions(self.geometry.size()));
        let fluid = nodes.filter(|&(_, position)| !self.geometry.is_solid(position));
        Ok(fluid.map(|(u, position)| [u, exact(position)]).collect())
    }

    /// Fluid nodes across.
    fn across(&self) -> usize {
        self.geometry.size()[1] - 2 * WALL
    }
}

/// The rows of round channels: where their walls act, and with which order that vanishes.
///
/// A wall that acts a node further out or in changes the velocity by g R / (2 nu); the root of its mean square is
/// g R^2 / (4 sqrt(3) nu). So their ratio is 2 sqrt(3) / R for each node.
pub(super) fn round_rows(
    label: &str,
    entry: &Entry,
    channels: &[Channel],
    flows: &[Simulation],
) -> Result<[Row; 2], Error> {
    let mut errors = Vec::new();
    for (channel, flow) in channels.iter().zip(flows) {
        errors.push((channel.across() as f64, channel.error(flow)?));
    }
    let offsets = errors.iter().map(|(across, error)| error * across / 2.0 / (2.0 * 3f64.sqrt()));
    let listed: Vec<_> =
        errors.iter().map(|(across, error)| format!("{:.3} % at {across}", 100.0 * error)).collect();
    let listed = listed.join(", ");
    let offset = Row::error(format!("channels-round-{label}"), &entry.name, largest(offsets), OFFSET);
    let order = Row::error(format!("channels-round-order-{label}"), &entry.name, slope(&errors), 0.0);
    let order = Row { reference: 1.0, criterion: Criterion::AtLeast, ..order };
    Ok([
        offset.about(
            format!(
                "how far from the circle the wall acts at most, in nodes, by the root mean square error of the velocity of \
                 round channels: {listed} nodes across"
            ),
            SOURCE,
        ),
        order.about("order of these errors, the slope of a straight line through their logarithms", SOURCE),
    ])
}
