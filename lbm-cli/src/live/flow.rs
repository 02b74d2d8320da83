//! A case as a flow that is seen and steered.

use std::sync::Arc;

use lbm_core::Error;
use lbm_core::geometry::Cuboid;
use lbm_live::{About, Event, Fault, Flow, FlowStatus, Picture, Refusal, Shape, Slider, View};

use super::drawn::{Front, Through};
use super::painter::{Look, Painted, Painter};
use super::plane::{self, Samples};
use super::{saved, sliders};
use crate::cases::{Case, Disc, Drawn, Settings};
use crate::simulation::{Body, Redrawn, Simulation};

/// What can be seen.
const FIELDS: [&str; 4] = ["speed", "vorticity", "density", "dye"];

/// A case that runs while people look at it and draw.
pub struct LiveFlow {
    /// It goes first: what it works on belongs to the simulation.
    painter: Painter,
    case: &'static Case,
    settings: Settings,
    /// What stands in it at the beginning.
    first: Option<Shape>,
    /// Whether all that is solid can be erased, whatever stores it.
    drawable: bool,
    title: String,
    /// The length of the Reynolds number while nothing is drawn, node spacings.
    length: f64,
    pub(super) simulation: Simulation,
    /// Which nodes were solid when it was built.
    built: Vec<Option<usize>>,
    sliders: Vec<Slider>,
    front: Front,
    undo: Vec<Redrawn>,
    /// Where a picture is solid, while neither the geometry nor what is looked at changes.
    solid: Option<(Samples, Arc<Vec<bool>>)>,
    /// Which flow it is of those that were begun.
    number: u64,
    /// What a device failed with in the middle of a change: the flow cannot go on.
    broken: Option<String>,
}

/// How many draws can be taken back.
const MOST_UNDO: usize = 200;

/// Nodes of these at most, of which each takes 24 bytes.
const MOST_NODES_OF_UNDO: usize = 20_000_000;

/// What the flow cannot do.
pub(super) fn refusal(error: Error) -> Refusal {
    Refusal::new(error.to_string())
}

fn fault(error: Error) -> Fault {
    Fault::new(error.to_string())
}

impl LiveFlow {
    /// The flow of a case with these settings; `first` is drawn into it at the beginning. Where nodes are listed, all of them are stored if all are to be `drawable`.
    ///
    /// # Errors
    /// Those of the case and of its flow, and what is drawn may not fit.
    pub fn new(
        case: &'static Case,
        settings: Settings,
        first: Option<Shape>,
        drawable: bool,
    ) -> Result<LiveFlow, Error> {
        let (simulation, title, length) = build(case, &settings, drawable)?;
        let domain = simulation.domain();
        let built = (0..domain.nodes()).map(|node| domain.solid_at(node)).collect();
        let mut flow = LiveFlow {
            case,
            settings,
            first,
            drawable,
            title,
            length,
            front: Front::new(domain),
            built,
            sliders: sliders::sliders(&simulation),
            simulation,
            undo: Vec::new(),
            solid: None,
            painter: Painter::start()?,
            number: 0,
            broken: None,
        };
        flow.draw_first()?;
        Ok(flow)
    }

    /// The flow of a case as it begins where it is seen: what stands in it is drawn, so that it can be erased.
    ///
    /// # Errors
    /// As [`new`](LiveFlow::new).
    pub fn of_case(case: &'static Case, mut settings: Settings, drawable: bool) -> Result<LiveFlow, Error> {
        let stands = case.shown.live.and_then(|live| (live.drawn)(&settings));
        if let Some(Drawn { without: (setting, value), .. }) = stands {
            settings.set(setting, value)?;
        }
        let first = stands.map(|Drawn { disc: Disc { centre, diameter }, .. }| Shape::Circle {
            centre,
            radius: diameter / 2.0,
        });
        LiveFlow::new(case, settings, first, drawable)
    }

    /// The flow itself.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The case.
    pub fn case(&self) -> &'static Case {
        self.case
    }

    /// The name of the case.
    pub(super) fn name(&self) -> &'static str {
        self.case.name
    }

    fn draw_first(&mut self) -> Result<(), Error> {
        let Some(shape) = self.first.clone() else { return Ok(()) };
        self.draw(&shape, true, 2)?;
        self.undo.clear();
        Ok(())
    }

    /// Draws or erases a shape of a slice across an axis. Gives what of it was left out, and why.
    fn draw(&mut self, shape: &Shape, solid: bool, axis: usize) -> Result<Option<Refusal>, Error> {
        let through = Through::new(self.simulation.domain(), &shape.region(), axis, solid);
        let redrawn = match solid {
            true => self.simulation.set_solid(&through)?,
            false => self.simulation.set_fluid(&through)?,
        };
        self.count(&redrawn);
        if !redrawn.nodes.is_empty() {
            self.undo.push(redrawn);
            let mut nodes = 0;
            let kept = self.undo.iter().rev().take(MOST_UNDO).take_while(|redrawn| {
                nodes += redrawn.nodes.len();
                nodes <= MOST_NODES_OF_UNDO
            });
            // The last one can always be taken back.
            let more = self.undo.len() - kept.count().max(1);
            self.undo.drain(..more);
        }
        Ok(through.left_out().map(Refusal::new))
    }

    fn count(&mut self, redrawn: &Redrawn) {
        if let Some((samples, solid)) = &mut self.solid {
            samples.renew(self.simulation.domain(), &redrawn.nodes, Arc::<Vec<bool>>::make_mut(solid));
        }
        let drawn = self.simulation.drawn_solid();
        self.front.follow(self.simulation.domain(), redrawn, drawn);
    }

    /// Begins anew.
    fn reset(&mut self) -> Result<(), Error> {
        let anew = LiveFlow::new(self.case, self.settings.clone(), self.first.clone(), self.drawable)?;
        self.go_on_with(anew.simulation);
        self.front = anew.front;
        Ok(())
    }

    /// Goes on with another flow of the same case, in which nothing is drawn.
    pub(super) fn go_on_with(&mut self, simulation: Simulation) {
        // A picture that is on its way is the other one's.
        self.painter.wait();
        (self.solid, self.broken) = (None, None);
        self.number += 1;
        self.front = Front::new(simulation.domain());
        self.simulation = simulation;
        self.undo.clear();
    }

    /// Another flow as at the beginning, in which nothing is drawn.
    pub(super) fn anew(&self) -> Result<Simulation, Error> {
        Ok(build(self.case, &self.settings, self.drawable)?.0)
    }

    /// Has nodes be what they were before a change.
    pub(super) fn redraw(&mut self, redrawn: &Redrawn) -> Result<(), Error> {
        let redrawn = self.simulation.undo(redrawn)?;
        self.count(&redrawn);
        Ok(())
    }

    /// Nodes that are something else than when it was built: their number, and the solids of which each was and is a part.
    pub(super) fn changed(&self) -> impl Iterator<Item = (usize, [Option<usize>; 2])> {
        let domain = self.simulation.domain();
        let each = self.built.iter().enumerate().map(|(node, &built)| (node, [built, domain.solid_at(node)]));
        each.filter(|(_, [built, now])| built != now)
    }

    /// Counts what is drawn of a flow that was just taken over.
    pub(super) fn count_drawn(&mut self) {
        let (nodes, before) = self.changed().map(|(node, [built, _])| (node, built)).unzip();
        self.count(&Redrawn::new(nodes, before));
    }

    /// The velocity of what comes, which coefficients refer to.
    fn speed(&self) -> f64 {
        self.simulation.factor(crate::cases::SPEED).unwrap_or_else(|| self.settings.velocity())
    }

    /// Drag and lift coefficients of what was drawn, by the area across the flow.
    fn coefficients(&mut self) -> Option<[f64; 2]> {
        let (area, speed) = (self.front.area(), self.speed());
        let force = self.simulation.force_on(Body::Drawn, [0.0; 3]).ok()?.force;
        let pressure = speed * speed / 2.0 * area;
        let coefficients = [force[0] / pressure, force[1] / pressure];
        coefficients.iter().all(|value| value.is_finite()).then_some(coefficients)
    }

    /// Begins to look at the flow for a picture.
    fn look(&mut self, view: &View) -> Result<Look, Error> {
        let samples = Samples::of(view, self.simulation.size());
        let solid = match &self.solid {
            Some((known, solid)) if *known == samples => Arc::clone(solid),
            _ => Arc::new(samples.solid(self.simulation.domain())),
        };
        self.solid = Some((samples.clone(), Arc::clone(&solid)));
        let started = plane::start(&mut self.simulation, &samples)?;
        Ok(Look { samples, started, solid, flow: self.number })
    }
}

/// A flow of a case, its title, and the length that belongs to its velocity.
fn build(
    case: &'static Case,
    settings: &Settings,
    drawable: bool,
) -> Result<(Simulation, String, f64), Error> {
    let mut flow = case.flow_of(settings)?;
    if drawable {
        let everywhere = Cuboid { low: [f64::NEG_INFINITY; 3], high: [f64::INFINITY; 3] };
        flow.problem.drawable.push(Box::new(everywhere));
    }
    Ok((flow.variant.build(flow.problem)?, flow.title, flow.reference_length))
}

impl Flow for LiveFlow {
    fn about(&self) -> About {
        About {
            title: self.title.clone(),
            case: self.case.name.to_owned(),
            size: self.simulation.size().map(|nodes| nodes as u32),
            fields: FIELDS.map(str::to_owned).to_vec(),
            sliders: self.sliders.clone(),
            device: self.simulation.engine_description(),
            can_draw: Ok(()),
        }
    }

    fn apply(&mut self, event: &Event) -> Result<Option<Refusal>, Refusal> {
        let done = match event {
            Event::Draw { shape, solid, axis, .. } => self.draw(shape, *solid, usize::from(*axis)),
            Event::Undo {} => match self.undo.last().cloned() {
                None => return Err(Refusal::new("nothing is left to take back: draw something first")),
                Some(redrawn) => self.redraw(&redrawn).map(|()| {
                    self.undo.pop();
                    None
                }),
            },
            Event::Set { name, value } => sliders::set(&mut self.simulation, name, *value).map(|()| None),
            Event::Reset {} => self.reset().map(|()| None),
        };
        done.map_err(|error| {
            if matches!(error, Error::Device(_)) {
                self.broken = Some(error.to_string());
            }
            refusal(error)
        })
    }

    fn run(&mut self, steps: u64) -> Result<(), Fault> {
        if let Some(broken) = &self.broken {
            return Err(Fault::new(broken));
        }
        self.simulation.run(steps).map_err(fault)?;
        self.simulation.finish().map(drop).map_err(fault)
    }

    fn steps_done(&self) -> u64 {
        self.simulation.time_step()
    }

    fn status(&mut self) -> FlowStatus {
        let height = self.front.height();
        let length = if height > 0.0 { height } else { self.length };
        let forces = if height > 0.0 { self.coefficients() } else { None };
        let values = self.sliders.iter().filter_map(|slider| {
            Some((slider.name.clone(), sliders::value(&self.simulation, &slider.name)?))
        });
        FlowStatus {
            reynolds: self.simulation.viscosity().map(|viscosity| self.speed() * length / viscosity),
            drag: forces.map(|[drag, _]| drag),
            lift: forces.map(|[_, lift]| lift),
            values: values.collect(),
            undo: self.undo.len() as u32,
        }
    }

    fn picture(&mut self, view: &View) -> Result<Option<Picture>, Fault> {
        if !self.painter.is_busy() {
            let look = self.look(view).map_err(fault)?;
            self.painter.begin(look);
        }
        match self.painter.done().transpose().map_err(fault)? {
            Some(Painted::Picture(picture)) => Ok(Some(*picture)),
            Some(Painted::NotFinite) => {
                self.simulation.check_finite().map_err(fault)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    fn save(&mut self) -> Result<Vec<u8>, Refusal> {
        saved::save(self).map_err(refusal)
    }

    fn load(&mut self, checkpoint: &[u8]) -> Result<(), Refusal> {
        saved::load(self, checkpoint)
    }
}
