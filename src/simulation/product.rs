//! A variant as a value that runs: its facts, and the machine code of its body.

use lbm_core::engine::Setup;
use lbm_core::{Engine, Error, Facts, RuleFacts, Variant};
use lbm_cpu::{Code, CpuEngine, CpuOptions, RuleCode};

use super::backend::{Backend, Placement};
use super::declared::solver_lines;
use super::problem::Problem;
use super::processes::Processes;
use super::running::Simulation;
use super::set_up::simulation;

/// A variant as a value. Of a body in a precision, one scheme is as good as another: what is compiled of it knows no streaming, layout
/// or addressing. A GPU's kernels are made when it runs, so there even the body need not be compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    facts: Facts,
    code: Option<Code>,
    rules: fn() -> Vec<RuleCode>,
}

impl Product {
    /// A variant that was compiled as one.
    #[must_use]
    pub fn of<V: Variant>() -> Product {
        let product = Product::new(Facts::of::<V>(), Some(Code::of::<V::Body, V::Precision>()));
        product.with_rules(RuleCode::of_variant::<V>)
    }

    /// A product of facts ([`lbm_core::axes`]), and the machine code of its body in its precision for the CPU, if there is any.
    #[must_use]
    pub fn new(facts: Facts, code: Option<Code>) -> Product {
        Product { facts, code, rules: Vec::new }
    }

    /// The same with boundary rules that its flows may have, such as `RuleCode::of_set::<Ends>` of a set that `rules!` declared.
    #[must_use]
    pub fn with_rules(self, rules: fn() -> Vec<RuleCode>) -> Product {
        Product { rules, ..self }
    }

    /// What is known of these, in its arithmetic type.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleFacts> {
        let known = (self.rules)();
        let known = known.iter().map(|code| *code.facts());
        known.filter(|rule| rule.arithmetic == self.facts.precision.arithmetic).collect()
    }

    /// The same body in the same precision under another scheme.
    ///
    /// # Errors
    /// [`Error::Conflict`] for facts of another body or precision.
    pub fn with(self, facts: Facts) -> Result<Product, Error> {
        let body = |facts: &Facts| (facts.lattice.name, facts.body.collision, facts.precision.name);
        if body(&facts) == body(&self.facts) {
            return Ok(Product { facts, ..self });
        }
        Err(Error::conflict(
            format!("{} has not the body and precision of {}", facts.name(), self.facts.name()),
            "take facts of the same lattice, collision and precision, or declare the variant with `solver!`",
        ))
    }

    /// Whether it runs on the CPU.
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        self.code.is_some()
    }

    /// What is known of it.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The lines of `solver!` that declare it in a crate of one's own.
    #[must_use]
    pub fn solver_lines(&self) -> String {
        solver_lines(&self.facts)
    }

    /// Sets it in motion on the CPU.
    ///
    /// # Errors
    /// Those of [`CpuEngine::of`]; [`Error::Conflict`] if its body is not compiled in in this precision, with the lines that declare it.
    #[doc(hidden)]
    pub fn on_cpu(&self, setup: &Setup, options: &CpuOptions) -> Result<CpuEngine, Error> {
        let Some(code) = self.code else {
            let Facts { lattice, body, precision, .. } = &self.facts;
            return Err(Error::conflict(
                format!(
                    "{} on {} in {} is not compiled in for the CPU",
                    body.collision, lattice.name, precision.name
                ),
                format!(
                    "take a GPU, another precision, or a crate of your own with\n\n{}",
                    self.solver_lines()
                ),
            ));
        };
        CpuEngine::of(self.facts, code, &(self.rules)(), setup, options)
    }

    /// Sets it in motion where a placement says.
    ///
    /// # Errors
    /// Those of [`CpuEngine::of`] or of `lbm_cuda::engine::engine`; [`Error::Unavailable`] for a GPU if this crate was built
    /// without the feature `cuda`.
    #[doc(hidden)]
    pub fn engine(&self, setup: &Setup, placement: &Placement) -> Result<Box<dyn Engine>, Error> {
        match placement.backend {
            Backend::Cpu => Ok(Box::new(self.on_cpu(setup, &placement.cpu)?)),
            #[cfg(feature = "cuda")]
            Backend::Cuda(_) | Backend::CudaOnHost => Ok(placement.measured(&self.facts, setup)?),
            #[cfg(not(feature = "cuda"))]
            device @ (Backend::Cuda(_) | Backend::CudaOnHost) => Err(device.missing()),
        }
    }

    /// Makes a simulation of a problem, as [`Builder::build`](super::Builder::build).
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    pub fn build(&self, mut problem: Problem) -> Result<Simulation, Error> {
        let processes = Processes::of(problem.transport.take())?;
        let placement = processes.place(problem.placement);
        let placement = lbm_core::cut::on_all_ranks(&*processes.transport, placement)?;
        simulation(
            self.facts,
            self.rules(),
            problem,
            processes,
            Box::new(move |part: usize, setup: &Setup| self.engine(setup, &placement.of_part(part))),
        )
    }
}
