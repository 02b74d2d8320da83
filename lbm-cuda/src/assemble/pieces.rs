//! What all kernels of a variant's text are made of, wherever its nodes lie.

use lbm_core::links::check_directions;
use lbm_core::{DeviceHalves, DeviceText, Error, Facts};

use super::algorithm::Algorithm;
use super::arithmetic::ArithmeticText;
use super::box_walls::BoxWalls;
use super::plan::{Plan, Work};
use super::resource::{Held, Parameter, Resource};
use super::scheme::Scheme;

/// The pieces of a variant's text.
pub(super) struct Pieces<'a> {
    pub(super) facts: &'a Facts,
    pub(super) plan: &'a Plan,
    pub(super) arithmetic: ArithmeticText,
    /// Conversions of 16-bit formats, if they are named, and the precision's own text.
    storage: String,
    pub(super) body: DeviceText,
    /// The halves of the collision where moments are stored.
    pub(super) halves: Option<DeviceHalves>,
    /// What is stored of all nodes.
    pub(super) held: Held,
    /// Whether there are nodes at walls and they are done within the step's kernel. All kernels do them but those of a node a
    /// thread that rebuild populations, or take them from where moments have sent them: theirs are done by a kernel after it.
    pub(super) walls_within: bool,
    /// What they know of the faces of the box.
    faces: Option<BoxWalls>,
    pub(super) q: usize,
}

impl<'a> Pieces<'a> {
    /// Those of a variant, unless it lacks a text; errors are those of [`step`](super::step()).
    pub(super) fn of(facts: &'a Facts, plan: &'a Plan) -> Result<Pieces<'a>, Error> {
        let missing = |what: String, remedy: &str| Error::Unavailable { what, remedy: remedy.to_owned() };
        let body = facts.body.text.ok_or_else(|| {
            missing(
                format!("the collision of `{}` has no CUDA text", facts.name()),
                "declare it with `collision!`, which prints one; a body written by hand in Rust runs on the CPU only",
            )
        })?;
        let conversions = (facts.precision.conversions)().ok_or_else(|| {
            missing(
                format!("the precision `{}` has no conversions for a device", facts.precision.name),
                "declare it as a `Format` in a `Coded`, from which they follow, or run on the CPU",
            )
        })?;
        let moments = facts.pattern.stores_moments();
        if moments && body.halves.is_none() {
            return Err(missing(
                format!("the collision of `{}` has no CUDA text in two halves", facts.name()),
                "take a collision that moments carry, such as `Regularized`",
            ));
        }
        if !plan.rules.is_empty() && !plan.shape.does_rules(facts) {
            return Err(missing(
                format!("boundary rules in the launch shape {} of `{}`", plan.shape, facts.pattern),
                "take one of `Shape::candidates_for` boxes with rules",
            ));
        }
        check_directions(&facts.lattice)?;
        Ok(Pieces {
            facts,
            plan,
            arithmetic: ArithmeticText::of(facts.precision.arithmetic),
            storage: super::formats::for_storage(conversions.text()) + conversions.text(),
            body,
            halves: body.halves.filter(|_| moments),
            held: Held::of(facts),
            walls_within: plan.walls && meets_walls(facts, plan),
            faces: box_walls(facts, plan),
            q: facts.lattice.q(),
        })
    }

    /// What the text knows of the faces of its box, where nodes there need no lists.
    pub(super) fn box_walls(&self) -> Option<BoxWalls> {
        self.faces
    }

    /// The same for another plan of the same box.
    pub(super) fn with<'b>(&'b self, plan: &'b Plan) -> Pieces<'b> {
        Pieces { plan, storage: self.storage.clone(), ..*self }
    }

    /// Where values lie that a step writes, in a box that is stored as a whole.
    pub(super) fn scheme(&self) -> Scheme {
        Scheme::new(self.facts, self.plan.size)
    }

    /// Whether the state is moments.
    pub(super) fn stores_moments(&self) -> bool {
        self.halves.is_some()
    }

    /// The halves of the collision.
    pub(super) fn halves(&self) -> DeviceHalves {
        self.halves.expect("populations are rebuilt where moments are stored")
    }

    /// How many times as large as they are a step computes with populations and moments: as many as they are when they are
    /// stored, where the collision does not mind, so that none is converted.
    pub(super) fn unit(&self) -> f64 {
        if self.halves.is_some_and(|halves| halves.homogeneous) {
            self.facts.precision.stored_unit
        } else {
            1.0
        }
    }

    /// Types and functions that everything below uses; values are so many times as large as they are.
    pub(super) fn preamble(&self, unit: f64) -> String {
        let halves = self.halves.iter().flat_map(|h| [h.gather, h.parts.early, h.parts.late, h.rebuild_all]);
        let passes = self.body.derivations.iter().copied();
        let texts = [self.body.collide].into_iter().chain(halves).chain(passes);
        let texts = texts.chain(self.plan.rules.statements());
        let prelude = self.arithmetic.prelude(texts);
        if self.facts.precision.stored_unit == 1.0 {
            return prelude + &self.storage;
        }
        format!(
            "{prelude}// What is stored of a value is so many times as large as it is here.\nconstexpr real unit = {};\n{}",
            self.arithmetic.literal(self.facts.precision.stored_unit / unit),
            self.storage
        )
    }

    /// How many coefficients are the same for all nodes; an array of no elements is no C++.
    pub(super) fn uniforms(&self) -> usize {
        self.facts.body.uniform_count.max(1)
    }

    /// Their type.
    pub(super) fn uniform_type(&self) -> String {
        format!(
            "\n// Coefficients that are the same for all nodes.\nstruct Uniforms {{ real k[{}]; }};\n",
            self.uniforms()
        )
    }

    /// How many values the collision reads of each node beside its populations.
    pub(super) fn fields(&self) -> usize {
        self.facts.body.field_count()
    }

    /// What functions are handed that read fields of a node, with a comma.
    pub(super) fn field_parameter(&self) -> String {
        match self.fields() {
            0 => String::new(),
            count => format!("const real (&field)[{count}], "),
        }
    }

    /// The collision as a function.
    pub(super) fn collide(&self) -> String {
        let (q, count, fields) = (self.q, self.uniforms(), self.field_parameter());
        let statements = match self.plan.work {
            Work::Step => DeviceText::numbers(self.body.collide, 1.0, |x| self.arithmetic.literal(x)),
            _ => (0..q).map(|i| format!("    post[{i}] = h[{i}];\n")).collect(),
        };
        self.uniform_type()
            + &format!(
                "\n// The collision of one node.\n\
             __device__ __forceinline__ void collide(const real (&h)[{q}], const real (&k)[{count}], {fields}real (&post)[{q}]) {{\n{statements}}}\n"
            )
    }

    /// The only copy, or that of the present, as a parameter.
    pub(super) fn stored(&self) -> Resource {
        Resource::Stored(self.held)
    }

    /// Whether a step writes where it reads.
    pub(super) fn in_place(&self) -> bool {
        self.facts.copies == 1
    }

    /// What a step reads.
    pub(super) fn source(&self) -> Resource {
        if self.in_place() { self.stored() } else { Resource::Source }
    }

    /// What a step writes.
    pub(super) fn target(&self) -> Resource {
        if self.in_place() { self.stored() } else { Resource::Target }
    }

    /// The parameters that every kernel of a step begins with.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        let mut all = match self.in_place() {
            true => vec![self.stored().shared()],
            false => vec![Resource::Source.read(), Resource::Target.written()],
        };
        all.push(Resource::Uniforms.value());
        all
    }

    /// The parameters of kernels that find their nodes in a box: its size, if that is not baked in, and how rings stand, if
    /// there are any.
    pub(super) fn of_box(&self) -> Vec<Parameter> {
        let origins = self.scheme().has_rings().then_some(Resource::Origins.value());
        self.of_lengths().into_iter().chain(origins).collect()
    }

    /// The size of the box, if that is not baked in.
    pub(super) fn of_lengths(&self) -> Vec<Parameter> {
        let lengths = if self.plan.size.is_none() { 0..3 } else { 0..0 };
        lengths.map(|axis| Resource::Length(axis).value()).collect()
    }

    /// The parameters of a step's kernel in a box: those of all, then its own.
    pub(super) fn parameters_and(&self, own: &[Parameter]) -> Vec<Parameter> {
        [self.parameters(), self.of_box(), own.to_vec()].concat()
    }
}

/// Whether the kernels of a step do nodes at walls themselves.
pub(crate) fn meets_walls(facts: &Facts, plan: &Plan) -> bool {
    match Algorithm::of(facts, plan.shape.march.is_some()) {
        Algorithm::Bulk => !facts.pattern.stores_moments(),
        // With boundary rules, a kernel after the march does these nodes where neighbours are still what they were.
        Algorithm::March { ordered } => {
            let apart = !ordered && plan.shape.steps() == 1 && !plan.rules.is_empty();
            plan.shape.march.is_some() && !apart
        }
        Algorithm::Blocks(_) | Algorithm::Planes => true,
        Algorithm::Listed => false,
    }
}

/// What the kernels of a plan know of the faces of their box, so that nodes there are in no list.
pub(crate) fn box_walls(facts: &Facts, plan: &Plan) -> Option<BoxWalls> {
    let knows =
        matches!(Algorithm::of(facts, plan.shape.march.is_some()), Algorithm::Bulk | Algorithm::March { .. })
            && meets_walls(facts, plan);
    plan.faces.filter(|_| knows && plan.walls)
}
