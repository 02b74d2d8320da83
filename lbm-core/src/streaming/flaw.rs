//! What makes no sense of arrays and passes, found when a solver is compiled.

use super::{BlockExtents, Cut, Motion, Order, Over, Pass, Pattern, Program, Span, Towards};

impl BlockExtents {
    const fn same(&self, other: &BlockExtents) -> bool {
        let mut n = 0;
        while n < 9 {
            let (d, axis) = (n / 3, n % 3);
            if self.single[d][axis] != other.single[d][axis] || self.double[d][axis] != other.double[d][axis]
            {
                return false;
            }
            n += 1;
        }
        true
    }

    const fn has_nodes(&self) -> bool {
        let mut n = 0;
        while n < 9 {
            if self.single[n / 3][n % 3] == 0 || self.double[n / 3][n % 3] == 0 {
                return false;
            }
            n += 1;
        }
        true
    }
}

impl Cut {
    const fn same(&self, other: &Cut) -> bool {
        match (self, other) {
            (Cut::Blocks(blocks), Cut::Blocks(others)) => blocks.same(others),
            (Cut::Faces, Cut::Faces) | (Cut::Planes, Cut::Planes) => true,
            _ => false,
        }
    }
}

impl Pass {
    /// Whether another pass is this one, but for the way in which planes are done.
    const fn does_the_same(&self, other: &Pass) -> bool {
        let over = match (&self.over, &other.over) {
            (Over::Crossings(cut), Over::Crossings(others)) => cut.same(others),
            (Over::Nodes, Over::Nodes) | (Over::Links, Over::Links) => true,
            _ => false,
        };
        let order = match (&self.order, &other.order) {
            (Order::Blocks(blocks), Order::Blocks(others)) => blocks.same(others),
            (Order::Any, Order::Any) | (Order::Planes(_), Order::Planes(_)) => true,
            _ => false,
        };
        let arrays = self.reads[0] == other.reads[0] && self.writes == other.writes;
        over && order && arrays && self.program as u8 == other.program as u8
    }
}

impl Pattern {
    /// Why these arrays and passes are no step that a backend can execute; nothing if they are.
    #[must_use]
    pub const fn flaw(&self) -> Option<&'static str> {
        if self.period == 0 || self.passes.is_empty() || !self.period.is_multiple_of(self.passes.len()) {
            return Some(
                "this pattern has no phase, or a list of passes too many; give `passes` one list, or one for each of `period` phases",
            );
        }
        let mut phase = 0;
        while phase < self.period {
            if let Some(flaw) = self.flaw_of_phase(phase) {
                return Some(flaw);
            }
            if !self.does_the_same(phase) {
                return Some(
                    "phases have different passes; let them differ in what is read and in the way of planes alone",
                );
            }
            phase += 1;
        }
        self.flaw_of_arrays()
    }

    /// Whether the passes of a phase are those of the first one, but for the way in which planes are done.
    const fn does_the_same(&self, phase: usize) -> bool {
        let (first, passes) = (self.passes(0), self.passes(phase));
        let (mut n, mut same) = (0, first.len() == passes.len());
        while same && n < passes.len() {
            same = first[n].does_the_same(&passes[n]);
            n += 1;
        }
        same
    }

    /// Whether any pass writes an array.
    const fn is_written(&self, array: usize) -> bool {
        let (passes, mut n) = (self.passes(0), 0);
        while n < passes.len() {
            if passes[n].writes == array {
                return true;
            }
            n += 1;
        }
        false
    }

    const fn flaw_of_arrays(&self) -> Option<&'static str> {
        let mut n = 0;
        while n < self.arrays.len() {
            let array = &self.arrays[n];
            if array.copies == 0
                || array.copies > 2
                || array.copies != self.state().copies && array.at_nodes()
            {
                return Some(
                    "an array has no copy, more than two, or not as many as the others; set `copies` to 1 or 2",
                );
            }
            if !self.is_written(n) || array.of_moments() && !array.at_nodes() {
                return Some(
                    "an array is written by no pass, or has moments where populations cross faces; leave it out, or let it hold \
                     populations",
                );
            }
            if n != self.collision(0).writes && !matches!(array.motion, Motion::Still) {
                return Some(
                    "only the array that the collision writes may move; set `motion` of the others to `Motion::Still`",
                );
            }
            n += 1;
        }
        let (state, one_copy) = (self.state(), self.state().copies == 1);
        match state.motion {
            Motion::Along(0) => Some("no slot turns; set `motion` to `Motion::Still`"),
            Motion::Along(_) if state.of_moments() => Some(
                "slots of moments cannot turn, since no moment travels; take populations, or `Motion::Still`",
            ),
            Motion::Along(_) | Motion::Planes(_) if !one_copy => {
                Some("an array moves so that it need not be two; set `copies` to 1")
            }
            Motion::Planes(towards) if towards.is_empty() || !self.period.is_multiple_of(towards.len()) => {
                Some("planes move a way in each phase; give `Motion::Planes` one, or one for each phase")
            }
            _ => None,
        }
    }

    const fn flaw_of_phase(&self, phase: usize) -> Option<&'static str> {
        let passes = self.passes(phase);
        if passes.is_empty() {
            return Some("a step without a pass does nothing; end it with one that collides");
        }
        let last = &passes[passes.len() - 1];
        if !matches!((last.program, last.over), (Program::Collide, Over::Nodes))
            || last.writes != self.collision(0).writes
        {
            return Some(
                "the last pass of a step must collide over nodes, and write the same array in every phase",
            );
        }
        let (mut n, mut before) = (0, Before::NOTHING);
        while n < passes.len() {
            let pass = &passes[n];
            let blocks = matches!(pass.order, Order::Blocks(_));
            if pass.reads.is_empty()
                || pass.reads.len() > 1 + blocks as usize
                || !self.has(pass.reads[0])
                || !self.has(pass.writes)
            {
                return Some(
                    "a pass reads or writes an array that is not there, or reads two without blocks; `reads` and `writes` are numbers of `arrays`",
                );
            }
            if n + 1 == passes.len() {
                return self.flaw_of_collision(pass, phase, &before);
            }
            if let Some(flaw) = self.flaw_before_collision(pass, &mut before) {
                return Some(flaw);
            }
            n += 1;
        }
        None
    }

    const fn has(&self, array: usize) -> bool {
        array < self.arrays.len()
    }

    /// What a pass before the collision lacks; adds it to what has been done.
    const fn flaw_before_collision(&self, pass: &Pass, before: &mut Before) -> Option<&'static str> {
        let (from, to, state) =
            (&self.arrays[pass.reads[0]], &self.arrays[pass.writes], self.collision(0).writes);
        let ordered = !matches!(pass.order, Order::Any);
        match (pass.program, pass.over) {
            _ if ordered => {
                Some("only the pass that collides has an order; set that of the others to `Order::Any`")
            }
            (Program::Send, Over::Nodes)
                if from.of_moments() && !to.of_moments() && to.at_nodes() && from.copies == 1 =>
            {
                before.sent = Some(pass.writes);
                None
            }
            (Program::Send, _) => Some(
                "populations are sent from moments in one copy to populations at all nodes; say so in `reads`, `writes` and `over`",
            ),
            (Program::Swap, Over::Links)
                if pass.reads[0] == state
                    && pass.writes == state
                    && !from.of_moments()
                    && from.copies == 1 =>
            {
                before.swapped = true;
                None
            }
            (Program::Swap, _) => {
                Some("populations of one copy are exchanged over `Over::Links`; moments do not travel")
            }
            (Program::Move, Over::Crossings(Cut::Planes))
                if pass.reads[0] == state && pass.writes == state =>
            {
                before.plane = true;
                None
            }
            (Program::Move, Over::Crossings(cut)) => match (cut, from.span, to.span) {
                (Cut::Faces, Span::Nodes, Span::Crossings(Cut::Faces)) if pass.reads[0] == state => {
                    before.out = Some(pass.writes);
                    None
                }
                (Cut::Faces, Span::Crossings(Cut::Faces), Span::Nodes) if pass.writes == state => {
                    match before.out {
                        Some(array) if array == pass.reads[0] => {
                            before.back = true;
                            None
                        }
                        _ => {
                            Some("what crosses the faces is put back before it was taken; move it out first")
                        }
                    }
                }
                (Cut::Blocks(blocks), Span::Nodes, Span::Crossings(Cut::Blocks(room)))
                    if pass.reads[0] == state && !from.of_moments() && blocks.same(&room) =>
                {
                    before.ghosts = Some(pass.writes);
                    None
                }
                _ => Some(
                    "what crosses faces is moved between the state and an array of the same crossings; say so in `reads` and `writes`",
                ),
            },
            _ => Some(
                "a pass before the collision sends over nodes, swaps over links, or moves over crossings",
            ),
        }
    }

    const fn flaw_of_collision(&self, pass: &Pass, phase: usize, before: &Before) -> Option<&'static str> {
        let state = self.state();
        let from = &self.arrays[pass.reads[0]];
        if !from.at_nodes() || !state.at_nodes() {
            return Some("the collision reads and writes values at all nodes");
        }
        let reads_state = pass.reads[0] == pass.writes;
        let turned = before.out.is_some() && before.back;
        let ways = before.swapped as usize
            + before.sent.is_some() as usize
            + before.ghosts.is_some() as usize
            + before.plane as usize
            + before.out.is_some() as usize;
        match (pass.order, state.motion) {
            _ if ways == 1 && self.passes(phase).len() != 2 + before.back as usize => {
                Some("a pass before the collision is done twice; leave one of the two out")
            }
            _ if ways > 1 => Some(
                "populations travel in several ways at once; leave one of: exchange, sending, blocks, turning slots, planes that move",
            ),
            _ if matches!(before.sent, Some(sent) if sent != pass.reads[0])
                || !reads_state && before.sent.is_none() =>
            {
                Some(
                    "the collision reads what nobody sent; let it read its own array, or the one that a pass before sends to",
                )
            }
            _ if ways > 0 && state.copies != 1 => {
                Some("passes before the collision are for one copy; set `copies` to 1")
            }
            (Order::Any, Motion::Still)
                if before.ghosts.is_none() && !before.plane && before.out.is_none() =>
            {
                None
            }
            (Order::Any, Motion::Along(_)) if turned => None,
            (Order::Planes(order), Motion::Planes(towards)) if before.plane && !towards.is_empty() => {
                // What moves down leaves room below, so that lower planes are done first.
                match (order, towards[phase % towards.len()]) {
                    (Towards::Up, Towards::Down) | (Towards::Down, Towards::Up) => None,
                    _ => Some(
                        "planes would overwrite what is still read: do them upwards where they move down, and downwards where they move up",
                    ),
                }
            }
            (Order::Blocks(blocks), Motion::Still) if pass.reads.len() == 2 && self.has(pass.reads[1]) => {
                match (before.ghosts, self.arrays[pass.reads[1]].span) {
                    (Some(ghosts), Span::Crossings(Cut::Blocks(filled)))
                        if ghosts == pass.reads[1] && filled.same(&blocks) && blocks.has_nodes() =>
                    {
                        None
                    }
                    _ => Some(
                        "blocks read what crosses their faces from an array that a pass before has filled, for blocks of the same nodes",
                    ),
                }
            }
            _ => Some(
                "the order of the collision and the motion of its array do not fit, or a pass between them is missing: slots that turn want \
                 what crosses the faces moved out and back, planes that move one more plane and their order, blocks what crosses between them",
            ),
        }
    }
}

/// What the passes before a collision have done.
struct Before {
    swapped: bool,
    sent: Option<usize>,
    out: Option<usize>,
    back: bool,
    ghosts: Option<usize>,
    plane: bool,
}

impl Before {
    const NOTHING: Before =
        Before { swapped: false, sent: None, out: None, back: false, ghosts: None, plane: false };
}
