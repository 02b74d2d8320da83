//! Values of rules that change in time, with the tables of their factors and the steps that are done.

use lbm_core::Error;
use lbm_core::rules::{Arrivals, Varying};

use super::arrays::Arrays;
use crate::assemble::Resource;
use crate::machine::{Machine, Memory, bytes_of};

impl<M: Machine> Arrays<M> {
    /// Lists what changes in time of the values of nodes, and of links, and the tables; `places` says where a value of a link lies, if it is read.
    pub(super) fn list_values_in_time(
        &mut self,
        machine: &M,
        arrivals: &Arrivals,
        places: impl Fn(usize) -> Option<usize>,
    ) -> Result<(), Error> {
        let of_nodes = arrivals.varying.iter().map(|varying| (varying, varying.place)).collect();
        let of_links = arrivals.at_links.varying.values();
        let of_links = of_links.filter_map(|varying| Some((varying, places(varying.place)?)));
        self.list_varying(machine, 0, of_nodes)?;
        self.list_varying(machine, 1, of_links.collect())?;
        if self.varying == [0; 2] {
            return Ok(());
        }
        let (mut tables, mut starts) = (Vec::new(), vec![0u32]);
        for course in &arrivals.courses {
            tables.extend_from_slice(course.values());
            starts.push(tables.len() as u32);
        }
        let backs: Vec<u32> = arrivals.courses.iter().map(|course| course.back() as u32).collect();
        self.fill(machine, Resource::Courses, &tables)?;
        self.fill(machine, Resource::CourseStarts, &starts)?;
        self.fill(machine, Resource::CourseBacks, &backs)?;
        self.fill(machine, Resource::Clock, &[0u64])
    }

    /// Lists such values of nodes (0), or of links (1), with their places on the machine.
    fn list_varying(&mut self, machine: &M, of: usize, all: Vec<(&Varying, usize)>) -> Result<(), Error> {
        self.varying[of] = all.len();
        if all.is_empty() {
            return Ok(());
        }
        let products = || all.iter().flat_map(|(varying, _)| &varying.terms);
        let ends = all.iter().scan(0, |end, (varying, _)| {
            *end += varying.terms.len() as u32;
            Some(*end)
        });
        let terms: Vec<u32> = std::iter::once(0).chain(ends).collect();
        let places: Vec<u32> = all.iter().map(|&(_, place)| place as u32).collect();
        let bases: Vec<f64> = all.iter().map(|(varying, _)| varying.base).collect();
        let factors: Vec<f64> = products().map(|&(_, factor)| factor).collect();
        let numbers: Vec<u32> = products().map(|&(course, _)| course as u32).collect();
        self.fill(machine, Resource::VaryingPlaces(of), &places)?;
        self.fill(machine, Resource::VaryingBases(of), &bases)?;
        self.fill(machine, Resource::VaryingTerms(of), &terms)?;
        self.fill(machine, Resource::TermFactors(of), &factors)?;
        self.fill(machine, Resource::TermCourses(of), &numbers)
    }

    /// Writes the factors anew that are set while a flow runs.
    pub(super) fn set_factors(&self, arrivals: &Arrivals) -> Result<(), Error> {
        let Some(memory) = self.memory(Resource::Courses) else { return Ok(()) };
        let mut start = 0;
        for course in &arrivals.courses {
            if course.name().is_some() {
                memory.write(start * size_of::<f64>(), bytes_of(course.values()))?;
            }
            start += course.values().len();
        }
        Ok(())
    }

    /// Tells the machine how many steps are done, where values change in time.
    pub(super) fn set_clock(&self, step: u64) -> Result<(), Error> {
        match self.memory(Resource::Clock) {
            Some(memory) => memory.write(0, bytes_of(&[step])),
            None => Ok(()),
        }
    }
}
