//! The header of a checkpoint, as text.

use super::values::Values;
use super::{Checkpoint, Holds, LONGEST_HEADER, MOMENTS, MOMENTS_ABOUT_VELOCITY, POPULATIONS, check_name};
use crate::domain::shown;
use crate::error::Error;

impl Checkpoint {
    /// The header of a file whose values are of this type.
    pub(super) fn header(&self, values: Values) -> Result<String, Error> {
        let names = self.parameters.iter().map(|(name, _)| name);
        for name in names.chain(&self.fields).chain([&self.variant, &self.lattice, &self.precision]) {
            check_name(name)?;
        }
        let mut header = format!(
            "variant = {}\nlattice = {}\nsize = {}\ndirections = {}\nprecision = {}\nvalues = {}\n\
             {}\nstep = {}\n",
            self.variant,
            self.lattice,
            shown(self.size),
            self.directions,
            self.precision,
            values.name(),
            match self.holds {
                Holds::Populations => format!("populations = {POPULATIONS}"),
                Holds::Moments(count) => format!("moments = {count} {MOMENTS}"),
                Holds::MomentsAboutVelocity(count) => format!("moments = {count} {MOMENTS_ABOUT_VELOCITY}"),
            },
            self.step
        );
        header += &format!("fields = {}\nmemory = {}\n", self.fields.join(", "), self.memory.len());
        for (name, value) in &self.parameters {
            header += &format!("parameter {name} = {:#018x} ({value:e})\n", value.to_bits());
        }
        if header.len() > LONGEST_HEADER as usize {
            return Err(Error::conflict(
                format!("the header would have {} bytes, more than {LONGEST_HEADER}", header.len()),
                "take fewer parameters or shorter names",
            ));
        }
        Ok(header)
    }
}
