//! How kernels are handed a resource, and how that is declared.

use std::fmt;

use super::{Resource, Type};

/// How a kernel is handed something, and what it does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handed {
    /// By its value.
    Value,
    /// By its address; it is read, and nobody writes it meanwhile.
    Read,
    /// By its address; nobody else has it.
    Written,
    /// By its address; threads read what others write.
    Shared,
    /// The same; this kernel only reads it under this name.
    SharedRead,
}

/// A parameter of a kernel, or of a function of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Parameter {
    /// What is handed.
    pub resource: Resource,
    /// Of which type.
    pub of: Type,
    /// How.
    pub handed: Handed,
}

impl Resource {
    const fn handed(self, handed: Handed) -> Parameter {
        Parameter { resource: self, of: self.of(), handed }
    }

    /// By its value.
    pub(crate) const fn value(self) -> Parameter {
        self.handed(Handed::Value)
    }

    /// A number by its value, where texts count places in `index`.
    pub(crate) const fn index(self, wide: bool) -> Parameter {
        let of = if wide { Type::Wide("index") } else { Type::Narrow("index") };
        Parameter { of, ..self.value() }
    }

    /// An array that is only read.
    pub(crate) const fn read(self) -> Parameter {
        self.handed(Handed::Read)
    }

    /// An array that is written, and perhaps read, in places that no other thread has to do with.
    pub(crate) const fn written(self) -> Parameter {
        self.handed(Handed::Written)
    }

    /// An array in which threads read what others write.
    pub(crate) const fn shared(self) -> Parameter {
        self.handed(Handed::Shared)
    }

    /// The same where this kernel only reads it under this name.
    pub(crate) const fn shared_read(self) -> Parameter {
        self.handed(Handed::SharedRead)
    }
}

/// Its declaration in a text.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { resource, of, handed } = self;
        match handed {
            Handed::Value => write!(f, "const {of} {resource}"),
            Handed::Read => write!(f, "const {of}* __restrict__ {resource}"),
            Handed::Written => write!(f, "{of}* __restrict__ {resource}"),
            Handed::Shared => write!(f, "{of}* const {resource}"),
            Handed::SharedRead => write!(f, "const {of}* const {resource}"),
        }
    }
}

/// Declarations, one a line, as they stand between the parentheses of a function.
pub fn declared(parameters: &[Parameter]) -> String {
    let all: Vec<String> = parameters.iter().map(Parameter::to_string).collect();
    all.join(",\n    ")
}

/// The names of parameters, each behind a comma, as they are handed on.
pub fn handed_on(parameters: &[Parameter]) -> String {
    parameters.iter().map(|parameter| format!(", {}", parameter.resource)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_printed_as_they_are_handed() {
        let printed = [
            Resource::Skip.read(),
            Resource::Kept.written(),
            Resource::Progress.shared(),
            Resource::Crossing.shared_read(),
            Resource::Nodes.index(false),
            Resource::Uniforms.value(),
        ];
        let expected = "const unsigned* __restrict__ skip,\n    stored* __restrict__ kept,\n    unsigned* const progress,\n    \
                        const stored* const crossing,\n    const index nodes,\n    const Uniforms uniforms";
        assert_eq!(declared(&printed), expected);
        assert_eq!(handed_on(&printed[..2]), ", skip, kept");
    }
}
