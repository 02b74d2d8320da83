//! Heat through layers of different conductivities and heat capacities, of which one slides.

use std::f64::consts::TAU;

use lbm::prelude::*;

use super::orders::lowest_order;
use super::{Event, Options, Row};

model! {
    /// Heat in layers that differ: what the populations sum to is `capacity` times the temperature, and it flows by the temperature alone. A layer slides along x with `speed`.
    Layered<Flow>(field conductivity = 1/10 in 1/100000.., field capacity = 1 in 1/100.., field speed = 0) {
        let flow = set(1);
        let heat = set(0);
        heat.u = flow.u;
        flow.f = Flow(flow);
        let temperature = heat.rho / capacity;
        let omega = 1 / (conductivity / heat.cs2 + 1/2);
        for i in heat.directions {
            let slides = 1 + capacity * heat.c[i][0] * speed / heat.cs2;
            let moving = heat.w[i] * temperature * slides;
            let rest = if dimensions.sum(|a| heat.c[i][a] * heat.c[i][a]) == 0 { heat.rho - temperature } else { 0 };
            heat.f[i] = heat.f[i] + omega * (moving + rest - heat.f[i]);
        }
    }
}

solver! { Layers { model: Layered<Bgk>, lattices: [D2Q9, D2Q5], boundaries: [heat: FixedValue] } }

const EXACT: &str = "exact: conduction through layers in series";

const SLIDING: &str = "exact, as in Li, Chen, Mei & Klausner, Phys. Rev. E 89 (2014) 043308: two layers, one of which slides, below a wave of temperature";

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    still(options, heard)?;
    sliding(options, heard)
}

/// Two layers at rest of which the lower one conducts 100 times as well.
fn still(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const ROWS: usize = 16;
    const CONDUCTIVITY: [f64; 2] = [1.0, 0.01];
    let name = "conduction-layers-100".to_owned();
    heard(Event::Progress(name.clone()));
    let half = ROWS as f64 / 2.0;
    let layer = |y: usize| usize::from(2 * y >= ROWS);
    let wall = |value: f64| FixedValue.with("value", [value]).of("heat");
    // Where both meet it has fallen by the share of the resistance below.
    let resistance = CONDUCTIVITY.map(|conductivity| half / conductivity);
    let meeting = 1.0 - resistance[0] / (resistance[0] + resistance[1]);
    let mut flow = Layers::builder()
        .size([1, ROWS])
        .viscosity(0.1)
        .field("conductivity", move |[_, y, _]| CONDUCTIVITY[layer(y)])
        .boundary(Face::South, wall(1.0))
        .boundary(Face::North, wall(0.0))
        .initial_sum("heat", move |[_, y, _]| if layer(y) == 0 { 1.0 } else { 0.5 })
        .placement(options.small_box())
        .build()?;
    flow.run(60_000)?;
    let sums = flow.sum_of("heat")?;
    // From the nodes on each side, by half of what it falls from node to node.
    let (low, high) = (ROWS / 2 - 1, ROWS / 2);
    let found =
        [sums[low] + 0.5 * (sums[low] - sums[low - 1]), sums[high] + 0.5 * (sums[high] - sums[high + 1])];
    for (found, side) in found.into_iter().zip(["below", "above"]) {
        let row =
            Row { reference: meeting, ..Row::error(format!("{name}-{side}"), &Layers::name(), found, 1e-7) };
        heard(Event::Row(row.about(
            format!("temperature where two layers meet whose conductivities are as 100 to 1, from {side}"),
            EXACT,
        )));
    }
    Ok(())
}

/// A number with an imaginary part.
type Complex = [f64; 2];

fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

fn over(a: Complex, [c, d]: Complex) -> Complex {
    times(a, [c / (c * c + d * d), -d / (c * c + d * d)])
}

fn plus([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a + c, b + d]
}

/// The root with a positive real part.
fn root([a, b]: Complex) -> Complex {
    let real = (0.5 * (a.hypot(b) + a)).sqrt();
    [real, 0.5 * b / real]
}

fn sinh([a, b]: Complex) -> Complex {
    [a.sinh() * b.cos(), a.cosh() * b.sin()]
}

fn cosh([a, b]: Complex) -> Complex {
    [a.cosh() * b.cos(), a.sinh() * b.sin()]
}

/// A lower layer that slides above a wall with a wave of temperature, and an upper one at rest below a cold wall.
#[derive(Clone, Copy)]
struct Sliding {
    conductivity: [f64; 2],
    /// How fast the temperature falls with the height in each layer: the root of k^2 + i k capacity speed / conductivity.
    falls: [Complex; 2],
}

impl Sliding {
    fn of(conductivity: [f64; 2], capacity: f64, speed: f64, wave: f64) -> Sliding {
        let falls = [root([wave * wave, wave * capacity * speed / conductivity[0]]), [wave, 0.0]];
        Sliding { conductivity, falls }
    }

    /// The temperature at a height in layers of height `half`, as what stands before exp(i k x).
    fn at(self, y: f64, half: f64) -> Complex {
        let [a, b] = self.falls;
        let scaled = |z: Complex, by: f64| [z[0] * by, z[1] * by];
        let [ka, kb] = [scaled(a, self.conductivity[0]), scaled(b, self.conductivity[1])];
        // Below cosh(a y) + c sinh(a y), above d sinh(b (2 half - y)): the temperature and the flux are the same where they meet.
        let ([sa, ca], [sb, cb]) =
            ([sinh, cosh].map(|of| of(scaled(a, half))), [sinh, cosh].map(|of| of(scaled(b, half))));
        let whole = plus(times(times(ka, ca), sb), times(times(kb, cb), sa));
        let meeting = over(times(ka, sb), whole);
        if y < half {
            let c = over(plus(meeting, scaled(ca, -1.0)), sa);
            plus(cosh(scaled(a, y)), times(c, sinh(scaled(a, y))))
        } else {
            over(times(meeting, sinh(scaled(b, 2.0 * half - y))), sb)
        }
    }

    /// The temperature at a node.
    fn temperature(self, [x, y]: [usize; 2], half: usize, wave: f64) -> f64 {
        let [real, imaginary] = self.at(y as f64 + 0.5, half as f64);
        let (sin, cos) = (wave * (x as f64 + 0.5)).sin_cos();
        real * cos - imaginary * sin
    }
}

/// The error of the temperature with so many nodes in each layer, over its greatest value.
fn error(half: usize, options: &Options) -> Result<f64, Error> {
    const CAPACITY: f64 = 4.0;
    const CONDUCTIVITY: [f64; 2] = [0.2, 0.05];
    // The same speed over conductivity and height.
    let speed = 0.2 / half as f64;
    let long = 4 * half;
    let wave = TAU / long as f64;
    let exact = Sliding::of(CONDUCTIVITY, CAPACITY, speed, wave);
    let of_layer =
        move |lower: f64, upper: f64| move |[_, y, _]: [usize; 3]| if y < half { lower } else { upper };
    let capacity = of_layer(CAPACITY, 1.0);
    let warm = FixedValue.with_each("value", move |[x, ..]| [(wave * (x as f64 + 0.5)).cos()]).of("heat");
    let mut flow = Layers::builder()
        .size([long, 2 * half])
        .viscosity(0.1)
        .field("conductivity", of_layer(CONDUCTIVITY[0], CONDUCTIVITY[1]))
        .field("capacity", capacity)
        .field("speed", of_layer(speed, 0.0))
        .boundary(Face::South, warm)
        .boundary(Face::North, FixedValue.with("value", [0.0]).of("heat"))
        .initial_sum("heat", move |[x, y, _]| capacity([x, y, 0]) * exact.temperature([x, y], half, wave))
        .placement(options.small_box())
        .build()?;
    // Five times as long as the slowest difference from what is steady takes to fall by e.
    flow.run(40 * (half * half) as u64)?;
    let sums = flow.sum_of("heat")?;
    let mut square = 0.0;
    for (node, sum) in sums.iter().enumerate() {
        let [x, y] = [node % long, node / long];
        square += (sum / capacity([x, y, 0]) - exact.temperature([x, y], half, wave)).powi(2);
    }
    Ok((square / sums.len() as f64).sqrt())
}

/// A slab of four times the heat capacity that slides.
fn sliding(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let name = "conduction-sliding";
    heard(Event::Progress(name.to_owned()));
    let halves: &[usize] = if options.quick { &[8, 16] } else { &[8, 16, 24] };
    let errors = halves.iter().map(|&half| error(half, options)).collect::<Result<Vec<f64>, Error>>()?;
    for (&half, &error) in halves.iter().zip(&errors) {
        let row = Row::error(format!("{name}-{half}"), &Layers::name(), error, 0.35 / (half * half) as f64);
        heard(Event::Row(row.about(
            format!("error of the temperature, rms over that at the wall, in a slab of four times the heat capacity that slides below one at rest, {half} nodes high each; tolerance: 0.35 / nodes^2, chosen by what was found, 0.30"),
            SLIDING,
        )));
    }
    let row = Row::order(format!("{name}-order"), &Layers::name(), lowest_order(halves, &errors));
    heard(Event::Row(row.about("lowest order of that error between two grids", SLIDING)));
    Ok(())
}
