//! Fields of nodes that follow from others: which a kernel needs, and the passes that compute them before it.
//!
//! A field of the first pass follows from the populations that come to its node, one of a later pass from fields of those before, at neighbours too.
//! The collision, and what is stated beside it, read them as they read other fields of nodes: behind those.

use super::gather_parts::Parts;
use super::generate::Parameters;
use super::language::{DerivedField, DerivedInput, Kernel, MOST_FIELDS};
use super::lattice::LatticeSpec;
use super::names;
use super::program::Program;
use super::simplify::simplify;
use super::symbolic::{Definition, Polynomial, Symbols};
use std::collections::{BTreeMap, BTreeSet};

/// The passes before a collision.
#[derive(Clone, Debug, Default)]
pub struct Derived {
    /// The names of the fields, pass after pass.
    pub names: Vec<String>,
    /// The passes.
    pub passes: Vec<DerivedPass>,
    /// Two coefficients a field: how many times the mean beside it a wall has, and how much more.
    pub at_walls: Coefficients,
}

/// Coefficients that are the same for all nodes.
#[derive(Clone, Debug, Default)]
pub struct Coefficients {
    /// The program whose uniforms they are.
    pub program: Program,
    /// Position in [`Generated::parameters`](super::generate::Generated::parameters) of each parameter that they count.
    pub parameter_index: Vec<Option<usize>>,
}

/// A pass that computes fields.
#[derive(Clone, Debug)]
pub struct DerivedPass {
    /// From inputs to the fields. Those of the first pass are the node's other fields, those of a later one are its `reads`.
    pub coefficients: Coefficients,
    /// The values that it reads: the number of the field among all that a node has, and how far away.
    pub reads: Vec<(usize, [i32; 3])>,
    /// The first one in two parts, where moments carry the collision.
    pub parts: Option<Parts>,
}

impl DerivedPass {
    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.coefficients.program
    }
}

/// The derived fields that a kernel keeps, in the order of their passes.
#[derive(Debug)]
pub struct Needed {
    fields: Vec<usize>,
    /// The pass of each.
    passes: Vec<usize>,
    /// The kernel's symbols, where what is not kept stands for its formula.
    symbols: Symbols,
}

impl Needed {
    /// Those of these formulas, and of what they follow from. What only fields of the same node follow from is computed with them, and not kept.
    pub fn by<'a>(kernel: &Kernel, formulas: impl IntoIterator<Item = &'a Polynomial>) -> Needed {
        let mut symbols = kernel.symbols.clone();
        let (mut needed, mut kept) = (BTreeSet::new(), BTreeSet::new());
        let collided = inputs(&symbols, formulas);
        kept.extend(collided.iter().filter_map(|&input| field_of(kernel, input)));
        let mut open: Vec<usize> = kept.iter().copied().collect();
        while let Some(next) = open.pop() {
            if needed.insert(next) {
                for input in inputs(&symbols, [&kernel.derived.fields[next].formula]) {
                    let field = field_of(kernel, input);
                    open.extend(field);
                    kept.extend(field.filter(|_| matches!(input, DerivedInput::Near(_))));
                }
            }
        }
        // What the populations of the node decide is known in the first pass only.
        kept.extend(needed.iter().copied().filter(|&field| kernel.derived.fields[field].pass == 0));
        for &joined in needed.difference(&kept) {
            let DerivedField { formula, name, .. } = &kernel.derived.fields[joined];
            let own = Definition::Input(DerivedInput::Own(joined).number());
            symbols.define(&own, Definition::Named(formula.clone()), name);
        }
        let mut passes = BTreeMap::new();
        for &field in &kept {
            let reads = inputs(&symbols, [&kernel.derived.fields[field].formula]);
            let before = reads.into_iter().filter_map(|input| field_of(kernel, input));
            let pass = before.map(|read| passes[&read] + 1).max().unwrap_or(0);
            passes.insert(field, pass);
        }
        // Where too many would come together, those passes stay that were counted when they were declared.
        let crowded = |pass| passes.values().filter(|&&of| of == pass).count() > MOST_FIELDS;
        if (0..kept.len()).any(crowded) {
            let declared = |field: &usize| kernel.derived.fields[*field].pass;
            let used: BTreeSet<usize> = kept.iter().map(declared).collect();
            passes = kept.iter().map(|field| (*field, used.range(..declared(field)).count())).collect();
        }
        let mut fields: Vec<usize> = kept.into_iter().collect();
        fields.sort_by_key(|field| (passes[field], *field));
        Needed { passes: fields.iter().map(|field| passes[field]).collect(), fields, symbols }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.fields.len()
    }

    fn place(&self, field: usize) -> usize {
        self.fields.iter().position(|&known| known == field).expect("who reads a field needs it")
    }

    /// A program of a kernel with its inputs as a node has them: the `others` before, then these fields.
    #[must_use]
    pub fn numbered(&self, program: &Program, others: usize) -> Program {
        program.with_inputs(|input| match DerivedInput::of(input) {
            DerivedInput::Own(field) => others + self.place(field),
            _ => input,
        })
    }

    /// The same of a program in parts, whose second one has these inputs behind the values that wait.
    #[must_use]
    pub fn numbered_in(&self, parts: &Parts, others: usize) -> Parts {
        let waiting = parts.waiting();
        let late = parts.late.with_inputs(|input| match input.checked_sub(waiting).map(DerivedInput::of) {
            Some(DerivedInput::Own(field)) => waiting + others + self.place(field),
            _ => input,
        });
        Parts { late, ..parts.clone() }
    }

    /// The passes; parameters that they need are added to those of the kernel. The first one is in parts where moments of this lattice carry the collision.
    #[must_use]
    pub fn derived(
        &self,
        kernel: &Kernel,
        parameters: &mut Parameters,
        in_moments: Option<&LatticeSpec>,
    ) -> Derived {
        let fields: Vec<&DerivedField> =
            self.fields.iter().map(|&field| &kernel.derived.fields[field]).collect();
        let count = self.passes.last().map_or(0, |last| last + 1);
        let passes = (0..count).map(|pass| {
            let own = fields.iter().zip(&self.passes).filter(|&(_, of)| *of == pass);
            let outputs: Vec<_> = own.map(|(field, _)| (field.name.clone(), field.formula.clone())).collect();
            let lattice = in_moments.filter(|_| pass == 0);
            let parts = lattice.map(|lattice| Parts::of(lattice, &self.symbols, &outputs).0);
            let program = match &parts {
                Some(parts) => parts.whole(),
                None => simplify(&self.symbols, &outputs, &[]).0,
            };
            let (program, reads) =
                if pass == 0 { (program, Vec::new()) } else { self.reading(kernel, &program) };
            DerivedPass { coefficients: Coefficients::of(program, kernel, parameters), reads, parts }
        });
        let passes: Vec<DerivedPass> = passes.collect();
        let at_walls = fields.iter().flat_map(|field| field.at_wall.clone()).collect();
        let at_walls = Program { uniforms: at_walls, symbols: kernel.symbols.clone(), ..Program::default() };
        Derived {
            names: names::distinct(fields.iter().map(|field| field.name.as_str()), str::to_owned),
            passes,
            at_walls: Coefficients::of(at_walls, kernel, parameters),
        }
    }

    /// A program of a later pass with its inputs one after the other, and what these are.
    fn reading(&self, kernel: &Kernel, program: &Program) -> (Program, Vec<(usize, [i32; 3])>) {
        let others = kernel.fields.len();
        let read = |input: usize| match DerivedInput::of(input) {
            DerivedInput::Own(field) => (others + self.place(field), [0; 3]),
            DerivedInput::Near(read) => {
                let (field, offset) = kernel.derived.reads[read];
                (others + self.place(field), offset)
            }
            DerivedInput::Other(field) => (field, [0; 3]),
        };
        // From low addresses to high ones.
        let along = |&(field, [x, y, z]): &(usize, [i32; 3])| (field, z, y, x);
        let mut reads: Vec<_> = program.inputs().into_iter().map(read).collect();
        reads.sort_by_key(along);
        let number = |input| reads.iter().position(|&known| known == read(input)).expect("it is read");
        (program.with_inputs(number), reads.clone())
    }
}

impl Coefficients {
    fn of(program: Program, kernel: &Kernel, parameters: &mut Parameters) -> Coefficients {
        let parameter_index = super::generate::placed(kernel, &program, parameters);
        Coefficients { program, parameter_index }
    }
}

/// The derived field that an input is a value of.
fn field_of(kernel: &Kernel, input: DerivedInput) -> Option<usize> {
    match input {
        DerivedInput::Own(field) => Some(field),
        DerivedInput::Near(read) => Some(kernel.derived.reads[read].0),
        DerivedInput::Other(_) => None,
    }
}

/// The inputs that formulas need.
fn inputs<'a>(symbols: &Symbols, formulas: impl IntoIterator<Item = &'a Polynomial>) -> Vec<DerivedInput> {
    let of = |symbol| match symbols.definition(symbol) {
        Definition::Input(input) => Some(DerivedInput::of(*input)),
        _ => None,
    };
    symbols.reachable(formulas).into_iter().filter_map(of).collect()
}
