//! What is measured while a case runs.

use lbm_core::{Domain, Error, Face, FaceRule};

use super::{Observer, Run};
use crate::cases::evaluation::Measure;
use crate::cases::probes::{Placed, Probe, Row, Table};
use crate::cases::pushed::Pushed;
use crate::cases::settings::Settings;
use crate::cases::stated::{HELD, area_of};
use crate::simulation::{FlowRateController, Section, Simulation};

/// The tables of a flow: what its case measures, of the probes that its settings name, and of a controller if they want one. With them what should
/// be known of them, a line each.
///
/// # Errors
/// Those of probes whose places the box has not, and of a controller.
pub(super) fn of(
    settings: &Settings,
    simulation: &mut Simulation,
    of_case: Option<Table>,
    reference_length: f64,
) -> Result<(Vec<Table>, Vec<String>), Error> {
    let unit = of_case.as_ref().map_or(reference_length / settings.velocity(), |table| table.unit);
    let mut tables: Vec<Table> = of_case.into_iter().collect();
    let probes = settings.probes();
    if !probes.is_empty() {
        let placed = |probe: &Probe| Ok((probe.name.clone(), probe.placed(simulation)?));
        let probes = probes.iter().map(placed);
        let probes = probes.collect::<Result<Vec<_>, Error>>()?;
        let (lines, others): (Vec<_>, Vec<_>) =
            probes.into_iter().partition(|(_, probe)| matches!(probe, Placed::Line(_)));
        let interval = settings.integer("probe_interval");
        if !others.is_empty() {
            tables.push(Table::new("probes.csv", interval, unit, others));
        }
        tables.extend(lines.into_iter().map(|(name, line)| Table::of_line(&name, interval, unit, line)));
    }
    let (mut notes, mut known): (Vec<String>, Vec<Pushed>) = (Vec::new(), Vec::new());
    for (name, probe) in tables.iter_mut().flat_map(|table| &mut table.probes) {
        if let Placed::Force(pushed) = probe {
            // A body that is looked at twice has one area.
            let same = |other: &&Pushed| (&other.body, other.axes[0]) == (&pushed.body, pushed.axes[0]);
            pushed.area = pushed.area.or_else(|| known.iter().find(same)?.area);
            if let (None, Some((area, note))) = (pushed.area, area_of(settings, pushed)) {
                pushed.area = Some(area);
                notes.push(note);
            }
            notes.extend(pushed.find_area(simulation)?);
            known.push(pushed.clone());
        }
        // What cannot be measured, such as the force on a body that there is not, is refused before anything is written.
        if !name.is_empty() {
            probe.look(simulation)?;
        }
    }
    if let Some(controller) = controller(settings, simulation)? {
        let interval = controller.interval();
        let probe = (String::new(), Placed::Held(controller));
        tables.push(Table::new("controller.csv", interval, unit, vec![probe]));
    }
    Ok((tables, notes))
}

/// The controller that the setting `flow_rate` wants.
fn controller(settings: &Settings, simulation: &mut Simulation) -> Result<Option<FlowRateController>, Error> {
    let Some(wanted) = settings.held_flow_rate() else { return Ok(None) };
    let patch = simulation.patches_with(HELD).first().map(|&patch| patch.to_owned());
    if let Some(patch) = patch {
        return FlowRateController::through(simulation, &patch, wanted, HELD).map(Some);
    }
    if let Some(axis) = held_axis(simulation.domain()) {
        let middle = simulation.domain().size[axis] / 2;
        let section = Section::plane(simulation.domain(), axis, middle)?;
        return FlowRateController::by_pressure(simulation, section, wanted, HELD).map(Some);
    }
    let force = simulation.force();
    let axis = (0..3).rev().max_by(|&a, &b| force[a].abs().total_cmp(&force[b].abs())).unwrap_or(0);
    let section = Section::plane(simulation.domain(), axis, 0)?;
    FlowRateController::new(simulation, section, wanted).map(Some)
}

/// The axis across which the face stands whose pressure the controller sets, if one does.
fn held_axis(domain: &Domain) -> Option<usize> {
    let is_held =
        |number: usize| domain.rules[number].in_time.iter().any(|term| term.course.name() == Some(HELD));
    let stands = |face: &Face| match domain.faces[face.index()] {
        FaceRule::Rule(number) => is_held(number),
        FaceRule::Patches(patches) => {
            domain.patches[patches].iter().any(|&rule| rule > 0 && is_held(usize::from(rule) - 1))
        }
        FaceRule::Periodic => false,
        FaceRule::Wall { .. } => {
            let end = if face.index().is_multiple_of(2) { 0 } else { domain.size[face.axis()] - 1 };
            let ends = |at: [usize; 3]| at[face.axis()] == end;
            let mut held = domain.links.iter().filter(|link| is_held(link.rule)).peekable();
            held.peek().is_some() && held.all(|link| ends(domain.position(link.node)))
        }
    };
    Face::ALL.into_iter().find(stands).map(Face::axis)
}

impl Run {
    /// Looks at all that is to be measured at the present step.
    pub(super) fn measure(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.resume_control()?;
        self.look_at_tables(Table::due, observer)?;
        self.average()
    }

    /// Adds the row of the end to each table that has none of this step.
    pub(super) fn end_tables(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.look_at_tables(Table::lacks, observer)
    }

    /// Adds a row to each table that wants one at the present step.
    fn look_at_tables(
        &mut self,
        wants: fn(&Table, u64) -> bool,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let step = self.simulation.time_step();
        for table in self.tables.iter_mut().filter(|table| wants(table, step)) {
            let (file, row) = table.look(&mut self.simulation)?;
            observer.row(file, row)?;
        }
        Ok(())
    }

    /// Adds the present fields to the means, if it is time.
    fn average(&mut self) -> Result<(), Error> {
        let [from, every] = ["average_from", "average_every"].map(|name| self.settings.integer(name));
        let step = self.simulation.time_step();
        match &mut self.averages {
            Some(averages) if step >= from && step.is_multiple_of(every) => {
                averages.add(&self.simulation.fields()?)
            }
            _ => Ok(()),
        }
    }

    /// Has the force that a controller has set before a checkpoint.
    fn resume_control(&mut self) -> Result<(), Error> {
        for (_, probe) in self.tables.iter().flat_map(|table| &table.probes) {
            if let Placed::Held(controller) = probe {
                controller.resume(&mut self.simulation)?;
            }
        }
        Ok(())
    }

    /// The flow rate that a controller holds, as its last act found it, beside that which is wanted.
    pub(super) fn held(&self) -> Option<Measure> {
        for table in &self.tables {
            if let ([(_, Placed::Held(controller))], Some(row)) = (&table.probes[..], table.rows.last()) {
                let limited = controller
                    .record(&self.simulation)
                    .is_some_and(|record| controller.is_at_its_end(&record));
                let name = match limited {
                    true => "flow rate that is held; what pushes is at the end of what it may be",
                    false => "flow rate that is held",
                };
                let wanted = Some(controller.wanted());
                return Some(Measure {
                    reference: wanted,
                    source: "`flow_rate`",
                    ..Measure::alone(name, row.values[0])
                });
            }
        }
        None
    }

    /// What the case has measured so far.
    pub(in crate::cases) fn rows(&self) -> &[Row] {
        self.tables.iter().find(|table| table.of_case).map_or(&[], |table| &table.rows)
    }
}
