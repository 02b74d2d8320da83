//! What kernels are handed: every array and every number that there is, with its one name and its one type.
//!
//! Where a kernel is printed and where it is launched, the same [`Parameter`]s are gone through: the text has the names and
//! types that follow from them, and a launch what is bound to them.

use std::borrow::Cow;
use std::fmt;

use lbm_core::Facts;

/// Something that a kernel may be handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// What is stored of all nodes, in the copy that a step reads.
    Source,
    /// The same in the copy that it writes.
    Target,
    /// The same where there is one copy; beside a step, in the copy of the present.
    Stored(Held),
    /// Coefficients of the collision that are the same for all nodes.
    Uniforms,
    /// Nodes of the box along an axis.
    Length(usize),
    /// Where each slot began in the step before, and begins in this one.
    Origins,
    /// What crosses the faces of the box, or of its blocks.
    Aside,
    /// What blocks count in that have an order: tickets first, then the blocks of each part that are done.
    Progress,
    /// How many nodes or links a kernel does, one a thread.
    Count,
    /// The first plane of a portion.
    Begin,
    /// The first plane after it.
    End,
    /// A bit a thread, or a node: whether it is at a wall, or solid.
    Skip,
    /// A bit a node: whether it is among the listed nodes at walls.
    Listed,
    /// Before each word of these bits, how many nodes are listed.
    Ranks,
    /// The nodes at walls, by their index in the order x, y, z.
    AtWalls,
    /// For each of them a bit a direction: whether it comes from a wall.
    Missing,
    /// For each of them the number of its first link to a wall.
    Links,
    /// The wall of each link.
    Walls,
    /// What each wall adds to each direction; or what is added to each link.
    Terms,
    /// What was sent into walls, a value a link.
    Kept,
    /// How many storage nodes there are, where they are listed.
    Nodes,
    /// A table in which listed nodes find their neighbours.
    Table(usize),
    /// Numbers a row of it.
    Width(usize),
    /// Where each run of storage nodes begins among those with a place in the lists of walls.
    Runs,
    /// For each storage node its index in the order x, y, z.
    Positions,
    /// f64 values between the machine and the host.
    Values,
    /// Nodes along an axis of a cell that repeats itself.
    Cell(usize),
    /// The first node of a portion of the box, by its index in the order x, y, z.
    First,
    /// What is counted.
    Counter,
    /// The phase in which the next step reads.
    Phase,
    /// A direction, or another value of the state.
    Direction,
    /// The body force.
    Force,
    /// For each link the place in a copy that its population goes to.
    To,
    /// For each link the place that its population was sent from.
    From,
    /// The density of all nodes.
    Density,
    /// The velocity of all nodes, component after component.
    Velocity,
    /// The equilibrium of all nodes, as populations are stored.
    Equilibrium,
    /// The rate of a collision.
    Rate,
}

/// What is stored of all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// Populations.
    Populations,
    /// Moments.
    Moments,
    /// Moments, and the populations that they send out.
    Both,
}

impl Held {
    /// That of a variant.
    #[must_use]
    pub fn of(facts: &Facts) -> Held {
        match (facts.pattern.stores_moments(), facts.pattern.sends()) {
            (_, true) => Held::Both,
            (true, false) => Held::Moments,
            (false, false) => Held::Populations,
        }
    }
}

/// The type of a number, or of the values of an array, as a text names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `stored`, the storage type.
    Stored,
    /// `real`, the arithmetic type.
    Real,
    /// `double`
    Double,
    /// `unsigned short`
    Unsigned16,
    /// `unsigned`
    Unsigned32,
    /// `unsigned long long`
    Unsigned64,
    /// `size_t`
    Size,
    /// `index`, which is `size_t` or `unsigned`.
    Index {
        /// Whether it is `size_t`.
        wide: bool,
    },
    /// A structure that the text declares.
    Structure(&'static str),
}

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
pub struct Parameter {
    /// What is handed.
    pub resource: Resource,
    /// Of which type.
    pub of: Type,
    /// How.
    pub handed: Handed,
}

impl Resource {
    const fn of(self) -> Type {
        match self {
            Resource::Source
            | Resource::Target
            | Resource::Stored(_)
            | Resource::Aside
            | Resource::Kept
            | Resource::Equilibrium => Type::Stored,
            Resource::Terms | Resource::Density | Resource::Velocity | Resource::Rate => Type::Real,
            Resource::Values => Type::Double,
            Resource::Walls => Type::Unsigned16,
            Resource::Counter => Type::Unsigned64,
            Resource::Length(_) | Resource::Nodes | Resource::Width(_) => Type::Size,
            Resource::Uniforms => Type::Structure("Uniforms"),
            Resource::Origins => Type::Structure("Origins"),
            Resource::Force => Type::Structure("Force"),
            _ => Type::Unsigned32,
        }
    }

    const fn handed(self, handed: Handed) -> Parameter {
        Parameter { resource: self, of: self.of(), handed }
    }

    /// By its value.
    pub(crate) const fn value(self) -> Parameter {
        self.handed(Handed::Value)
    }

    /// A number by its value, where texts count places in `index`.
    pub(crate) const fn index(self, wide: bool) -> Parameter {
        Parameter { of: Type::Index { wide }, ..self.value() }
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

    fn name(self) -> Cow<'static, str> {
        let axis = |axis: usize| ["x", "y", "z"][axis];
        let name = match self {
            Resource::Length(n) => return format!("n{}", axis(n)).into(),
            Resource::Cell(n) => return format!("c{}", axis(n)).into(),
            Resource::Table(n) => return format!("table_{n}").into(),
            Resource::Width(n) => return format!("width_{n}").into(),
            Resource::Source => "source",
            Resource::Target => "target",
            Resource::Stored(Held::Populations) => "populations",
            Resource::Stored(Held::Moments) => "moments",
            Resource::Stored(Held::Both) => "values",
            Resource::Uniforms => "uniforms",
            Resource::Origins => "origins",
            Resource::Aside => "aside",
            Resource::Progress => "progress",
            Resource::Count => "count",
            Resource::Begin => "begin",
            Resource::End => "end",
            Resource::Skip => "skip",
            Resource::Listed => "listed",
            Resource::Ranks => "ranks",
            Resource::AtWalls => "at_walls",
            Resource::Missing => "missing",
            Resource::Links => "links",
            Resource::Walls => "walls",
            Resource::Terms => "terms",
            Resource::Kept => "kept",
            Resource::Nodes => "nodes",
            Resource::Runs => "runs",
            Resource::Positions => "positions",
            Resource::Values => "doubles",
            Resource::First => "first",
            Resource::Counter => "counter",
            Resource::Phase => "phase",
            Resource::Direction => "direction",
            Resource::Force => "force",
            Resource::To => "to",
            Resource::From => "from",
            Resource::Density => "rho",
            Resource::Velocity => "u",
            Resource::Equilibrium => "feq",
            Resource::Rate => "omega",
        };
        name.into()
    }
}

/// Its name in a text.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Stored => "stored",
            Type::Real => "real",
            Type::Double => "double",
            Type::Unsigned16 => "unsigned short",
            Type::Unsigned32 => "unsigned",
            Type::Unsigned64 => "unsigned long long",
            Type::Size => "size_t",
            Type::Index { .. } => "index",
            Type::Structure(name) => name,
        })
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
pub(super) fn declared(parameters: &[Parameter]) -> String {
    let all: Vec<String> = parameters.iter().map(Parameter::to_string).collect();
    all.join(",\n    ")
}

/// The names of parameters, each behind a comma, as they are handed on.
pub(super) fn handed_on(parameters: &[Parameter]) -> String {
    parameters.iter().map(|parameter| format!(", {}", parameter.resource)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that two things have could be bound to the one and printed for the other.
    #[test]
    fn no_two_resources_have_the_same_name() {
        use Resource::*;
        let held = [Held::Populations, Held::Moments, Held::Both].map(Stored);
        let axes = (0..3).flat_map(|n| [Length(n), Cell(n), Table(n), Width(n)]);
        let others = [
            Source,
            Target,
            Uniforms,
            Origins,
            Aside,
            Progress,
            Count,
            Begin,
            End,
            Skip,
            Listed,
            Ranks,
            AtWalls,
            Missing,
            Links,
            Walls,
            Terms,
            Kept,
            Nodes,
            Runs,
            Positions,
            Values,
            First,
            Counter,
            Phase,
            Direction,
            Force,
            To,
            From,
            Density,
            Velocity,
            Equilibrium,
            Rate,
        ];
        let mut names: Vec<String> =
            held.into_iter().chain(axes).chain(others).map(|resource| resource.to_string()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }

    #[test]
    fn parameters_are_printed_as_they_are_handed() {
        let printed = [
            Resource::Skip.read(),
            Resource::Kept.written(),
            Resource::Progress.shared(),
            Resource::Aside.shared_read(),
            Resource::Nodes.index(false),
            Resource::Uniforms.value(),
        ];
        let expected = "const unsigned* __restrict__ skip,\n    stored* __restrict__ kept,\n    unsigned* const progress,\n    \
                        const stored* const aside,\n    const index nodes,\n    const Uniforms uniforms";
        assert_eq!(declared(&printed), expected);
        assert_eq!(handed_on(&printed[..2]), ", skip, kept");
    }
}
