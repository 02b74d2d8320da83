//! What kernels are handed: every array and every number that there is, with its one name and its one type.
//!
//! Where a kernel is printed and where it is launched, the same [`Parameter`]s are gone through: the text has the names and
//! types that follow from them, and a launch what is bound to them.

mod parameter;

use std::fmt;

use lbm_core::Facts;

pub use parameter::{Handed, Parameter};
pub(super) use parameter::{declared, handed_on};

/// The enum, and of each resource name and type.
macro_rules! resources {
    ($($(#[$about:meta])* $resource:ident $(($which:ty))? $name:literal $of:expr;)*) => {
        /// Something that a kernel may be handed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Resource {
            $($(#[$about])* $resource $(($which))?,)*
        }

        impl Resource {
            /// The name in a text, or its begin where there are several of a kind.
            const fn name(self) -> &'static str {
                match self {
                    $(Resource::$resource { .. } => $name,)*
                }
            }

            const fn of(self) -> Type {
                match self {
                    $(Resource::$resource { .. } => $of,)*
                }
            }
        }

        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];
    };
}

resources! {
    /// What is stored of all nodes, in the copy that a step reads.
    Source "source" Type::Other("stored");
    /// The same in the copy that it writes.
    Target "target" Type::Other("stored");
    /// The same where there is one copy; beside a step, in the copy of the present.
    Stored(Held) "" Type::Other("stored");
    /// Coefficients of the collision that are the same for all nodes.
    Uniforms "uniforms" Type::Other("Uniforms");
    /// What the collision reads of each node.
    NodeFields "node_fields" Type::Other("real");
    /// How many places there are around the fluid that neighbours read.
    AroundCount "around_count" Type::Narrow("unsigned");
    /// The first of them that is a wall's.
    FirstWall "first_wall" Type::Narrow("unsigned");
    /// Their numbers among the values of a field.
    AroundPlaces "around_places" Type::Narrow("unsigned");
    /// Where the nodes begin that each follows from, and behind the last one where they end.
    AroundStarts "around_starts" Type::Narrow("unsigned");
    /// The numbers of these.
    AroundSources "around_sources" Type::Narrow("unsigned");
    /// What each of them counts.
    AroundWeights "around_weights" Type::Other("real");
    /// Nodes of the box along an axis.
    Length(usize) "n" Type::Wide("size_t");
    /// Where each slot began in the step before, and begins in this one.
    Origins "origins" Type::Other("Origins");
    /// What crosses the faces of the box, or of its blocks.
    Crossing "crossing" Type::Other("stored");
    /// What blocks count in that have an order: tickets first, then the blocks of each part that are done.
    Progress "progress" Type::Narrow("unsigned");
    /// How many nodes or links a kernel does, one a thread.
    Count "count" Type::Narrow("unsigned");
    /// The first plane of a portion.
    Begin "begin" Type::Narrow("unsigned");
    /// The first plane after it.
    End "end" Type::Narrow("unsigned");
    /// The first plane along the lattice's last axis that a launch of some of them does; or the first of some blocks in a list.
    RangeBegin "range_begin" Type::Narrow("unsigned");
    /// The first one after these.
    RangeEnd "range_end" Type::Narrow("unsigned");
    /// The blocks of listed nodes in an order in which a launch does some of them.
    Blocks "blocks" Type::Narrow("unsigned");
    /// The part of the box of each block that marches.
    Parts "parts" Type::Narrow("unsigned");
    /// How many parts there are.
    PartCount "part_count" Type::Narrow("unsigned");
    /// A bit a thread, or a node: whether it is at a wall, or solid.
    Skip "skip" Type::Narrow("unsigned");
    /// A bit a node: whether it has links.
    Linked "linked" Type::Narrow("unsigned");
    /// Before each word of these bits, how many nodes have links.
    Ranks "ranks" Type::Narrow("unsigned");
    /// The nodes at walls, by their index in the order x, y, z.
    AtWalls "at_walls" Type::Narrow("unsigned");
    /// For each of them a bit a direction: whether it comes from a wall. Words are as wide as `MaskWord` says.
    Missing "missing" Type::Narrow("unsigned");
    /// For each of them the number of its first link to a wall.
    Links "links" Type::Narrow("unsigned");
    /// The wall of each link.
    Walls "walls" Type::Other("unsigned short");
    /// What each wall adds to each direction; or what is added to each link.
    Terms "terms" Type::Other("real");
    /// What was sent into walls, a value a link.
    Kept "kept" Type::Other("stored");
    /// A bit a node: whether a boundary rule stands there.
    Ruled "ruled" Type::Narrow("unsigned");
    /// Before each word of these bits, how many nodes have rules.
    RuledRanks "ruled_ranks" Type::Narrow("unsigned");
    /// For each node with a rule, what that does.
    RuleKinds "rule_kinds" Type::Narrow("unsigned");
    /// For each of them where its values begin.
    RuleRows "rule_rows" Type::Narrow("unsigned");
    /// Values of rules.
    RuleValues "rule_values" Type::Other("real");
    /// A bit a node: whether it has links with rules.
    LinkRuled "link_ruled" Type::Narrow("unsigned");
    /// Before each word of these bits, how many nodes have such links.
    LinkRanks "link_ranks" Type::Narrow("unsigned");
    /// For each of these nodes a bit a direction: whether it comes along such a link. Words are as wide as `MaskWord` says.
    LinkMasks "link_masks" Type::Narrow("unsigned");
    /// For each of them the row of its first link.
    LinkRows "link_rows" Type::Narrow("unsigned");
    /// For each row the rule.
    LinkRules "link_rules" Type::Narrow("unsigned");
    /// Rows of values of links, of which the last may be kept from step to step.
    LinkValues "link_values" Type::Other("real");
    /// The nodes with links of which rules go before a step, those of the same directions side by side.
    LinkNodes "link_nodes" Type::Narrow("unsigned");
    /// The place among them of each node with such links, in the order of the box.
    LinkOrder "link_order" Type::Narrow("unsigned");
    /// For each of them a bit a direction: whether it comes from a wall; the last bit of the word says whether one of these moves.
    LinkMissing "link_missing" Type::Narrow("unsigned");
    /// For each of them where its walls start.
    LinkFirsts "link_firsts" Type::Narrow("unsigned");
    /// The wall of each of its missing directions.
    LinkWalls "link_walls" Type::Other("unsigned short");
    /// For each of them where what comes back along its links begins to be kept.
    LinkKept "link_kept" Type::Narrow("unsigned");
    /// For each population that rules read of another node its number there, for nodes of faces (0), or links (1); where it lies at a known place before each
    /// step of a phase, that place in a copy.
    Observed(usize) "observed_" Type::Narrow("unsigned");
    /// Along which direction that node sent it.
    ObservedDirections(usize) "observed_directions_" Type::Narrow("unsigned");
    /// Where it is read among the values of rules.
    ObservedPlaces(usize) "observed_places_" Type::Narrow("unsigned");
    /// For each value of rules of nodes (0), or of links (1), the place in a copy of what another node sent before a step of a phase, if it is read there; else all
    /// bits.
    SeenAt(usize) "seen_at_" Type::Narrow("unsigned");
    /// For each value of rules that changes in time where it is read, of nodes of faces (0), or links (1).
    VaryingPlaces(usize) "varying_places_" Type::Narrow("unsigned");
    /// What stays of it.
    VaryingBases(usize) "varying_bases_" Type::Other("double");
    /// The first of its products, and behind the last value their number.
    VaryingTerms(usize) "varying_terms_" Type::Narrow("unsigned");
    /// Of each product the factor of the place.
    TermFactors(usize) "term_factors_" Type::Other("double");
    /// Of each product the number of the factor in time.
    TermCourses(usize) "term_courses_" Type::Narrow("unsigned");
    /// Factors in time, one table after another.
    Courses "courses" Type::Other("double");
    /// Where each table begins, and behind the last one where it ends.
    CourseStarts "course_starts" Type::Narrow("unsigned");
    /// Which entry of each table follows its last one.
    CourseBacks "course_backs" Type::Narrow("unsigned");
    /// How many steps are done.
    Clock "steps_done" Type::Wide("unsigned long long");
    /// How many storage nodes there are, where they are listed.
    Nodes "nodes" Type::Wide("size_t");
    /// A table in which listed nodes find their neighbours.
    Table(usize) "table_" Type::Narrow("unsigned");
    /// Numbers a row of it.
    Width(usize) "width_" Type::Wide("size_t");
    /// Where each run of storage nodes begins among those with a place in the lists of walls.
    Runs "runs" Type::Narrow("unsigned");
    /// For each storage node its index in the order x, y, z.
    Positions "positions" Type::Narrow("unsigned");
    /// Numbers of nodes whose populations are asked for.
    Asked "asked" Type::Narrow("unsigned");
    /// Along which direction each of them sent the one that is asked for.
    AskedDirections "asked_directions" Type::Narrow("unsigned");
    /// Values that are asked for, run after run: where each begins among them, its first node, how far its nodes are apart, and which value it is of.
    AskedRuns "asked_runs" Type::Narrow("unsigned");
    /// How many runs there are.
    RunCount "run_count" Type::Narrow("unsigned");
    /// How many populations are asked for.
    AskedCount "asked_count" Type::Wide("size_t");
    /// Numbers of the nodes beside a body that have rules, as those of the step.
    Beside "beside" Type::Narrow("unsigned");
    /// Where what comes to each of them is among the populations asked for, direction after direction.
    Sources "sources" Type::Narrow("unsigned");
    /// What a wall adds to it.
    SourceTerms "source_terms" Type::Other("double");
    /// Where what each of them has sent is among the populations asked for, direction after direction.
    SentPlaces "sent_places" Type::Narrow("unsigned");
    /// Links at which a body is touched.
    Touches "touches" Type::Other("Touch");
    /// How many there are.
    TouchCount "touch_count" Type::Wide("size_t");
    /// The point about which a torque is, and the unit of arms.
    About "about" Type::Other("About");
    /// Values of the state of a portion of the box as they are stored, between the machine and the host.
    Portion "portion" Type::Other("stored");
    /// Which nodes are solid, a byte each, where the whole box is stored; none if none is.
    Solid "solid" Type::Other("unsigned char");
    /// f64 values between the machine and the host.
    Values "doubles" Type::Other("double");
    /// The same rounded to f32; none where they are f64.
    Rounded "floats" Type::Other("float");
    /// Which of the values of a node are written, a bit each.
    Wanted "wanted" Type::Narrow("unsigned");
    /// Nodes along an axis of a cell that repeats itself.
    Cell(usize) "c" Type::Narrow("unsigned");
    /// The first node of a portion of the box, by its index in the order x, y, z.
    First "first" Type::Narrow("unsigned");
    /// How nodes lie whose fields are wanted.
    Sampling "sampling" Type::Other("Sampling");
    /// What is counted.
    Counter "counter" Type::Wide("unsigned long long");
    /// The phase in which the next step reads.
    Phase "phase" Type::Narrow("unsigned");
    /// A direction, or another value of the state.
    Direction "direction" Type::Narrow("unsigned");
    /// The direction before which a sum ends that begins with that one.
    DirectionEnd "direction_end" Type::Narrow("unsigned");
    /// The body force.
    Force "force" Type::Other("Force");
    /// For each link the place in a copy that its population goes to.
    To "to" Type::Narrow("unsigned");
    /// For each link the place that its population was sent from.
    From "from" Type::Narrow("unsigned");
    /// A word a node: 0 of fluid ones, of others the wall that is met there.
    Flags "flags" Type::Narrow("unsigned");
    /// The fluid nodes, by their index in the order x, y, z.
    Fluid "fluid" Type::Narrow("unsigned");
    /// For each link whether it meets what moves.
    Kinds "kinds" Type::Narrow("unsigned");
    /// The density of all nodes.
    Density "rho" Type::Other("real");
    /// The velocity of all nodes, component after component.
    Velocity "u" Type::Other("real");
    /// The equilibrium of all nodes, as populations are stored.
    Equilibrium "feq" Type::Other("stored");
    /// The rate of a collision.
    Rate "omega" Type::Other("real");
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

/// The type of a number, or of the values of an array, by its name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Whole numbers of 32 bits.
    Narrow(&'static str),
    /// Whole numbers of 64 bits.
    Wide(&'static str),
    /// Other numbers, of which a text declares how wide they are, and structures that it declares.
    Other(&'static str),
}

impl Held {
    const fn name(self) -> &'static str {
        match self {
            Held::Populations => "populations",
            Held::Moments => "moments",
            Held::Both => "values",
        }
    }
}

/// Its name in a text.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match *self {
            Resource::Stored(held) => f.write_str(held.name()),
            Resource::Length(axis) | Resource::Cell(axis) => f.write_str(["x", "y", "z"][axis]),
            Resource::Table(n)
            | Resource::Width(n)
            | Resource::Observed(n)
            | Resource::ObservedDirections(n)
            | Resource::ObservedPlaces(n)
            | Resource::SeenAt(n)
            | Resource::VaryingPlaces(n)
            | Resource::VaryingBases(n)
            | Resource::VaryingTerms(n)
            | Resource::TermFactors(n)
            | Resource::TermCourses(n) => n.fmt(f),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Type::Narrow(name) | Type::Wide(name) | Type::Other(name)) = self;
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is bound to the one would be passed for the other.
    #[test]
    fn no_two_resources_have_the_same_name() {
        let held = [Held::Populations, Held::Moments, Held::Both].map(Held::name);
        let mut names: Vec<&str> = NAMES.iter().copied().chain(held).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
        assert_eq!([Resource::Length(2), Resource::Table(1)].map(|one| one.to_string()), ["nz", "table_1"]);
    }
}
