//! An engine of which one step reads wrongly: what a comparison must find.

use std::ops::Range;

use super::{Engine, Error, Give, Take, cut, paste};

/// Another engine, but for one step, before which the second value of each node's state is taken from the node after it; so the state
/// that is handed out before that step is right. Perhaps what it says of single nodes is wrong, too.
pub(crate) struct Misreading {
    engine: Box<dyn Engine>,
    wrong: u64,
    lies_singly: bool,
}

impl Misreading {
    /// Reads wrongly in the step that follows `wrong` others.
    pub(crate) fn new(engine: Box<dyn Engine>, wrong: u64) -> Misreading {
        Misreading { engine, wrong, lies_singly: false }
    }

    /// The same with a wrong population of the first node that is asked for singly.
    #[allow(dead_code)]
    pub(crate) fn lying_singly(self) -> Misreading {
        Misreading { lies_singly: true, ..self }
    }

    /// Moves the second value of each node's state to the node before it.
    fn misplace(&mut self) -> Result<(), Error> {
        let (nodes, mut state) = (self.engine.nodes(), Vec::new());
        self.engine.state_of(0..nodes, &mut |piece, values| {
            state.resize(values.len() / piece.len() * nodes, 0.0);
            paste(&mut state, piece, values);
            Ok(())
        })?;
        state[nodes..2 * nodes].rotate_left(1);
        self.engine.set_state_from(&|piece, values| cut(&state, piece, values), self.wrong)
    }
}

impl Engine for Misreading {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            if self.engine.step() == self.wrong {
                self.misplace()?;
            }
            self.engine.run(1)?;
        }
        Ok(())
    }
    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.engine.populations_of(nodes, take)
    }
    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        self.engine.populations_at(nodes, out)?;
        out[0] += f64::from(u8::from(self.lies_singly));
        Ok(())
    }
    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.engine.set_populations_from(give, step)
    }
    fn nodes(&self) -> usize {
        self.engine.nodes()
    }
    fn step(&self) -> u64 {
        self.engine.step()
    }
    fn allocated_bytes(&self) -> usize {
        self.engine.allocated_bytes()
    }
    fn description(&self) -> String {
        format!("misreading {}", self.engine.description())
    }
}
