//! What boundary rules read that changes from step to step: populations of other nodes, and values in time. A pass between steps, when
//! populations are at rest, over the lists of these values.

use lbm_core::rules::Observed;

use crate::caches::{prefetch, prefetch_to_write};
use crate::copies::copy_value;
use crate::rules::Short;
use crate::run::{Apart, MOST_MOMENTS};
use crate::state::{Nodes, Place, State};

/// How many of them before its turn memory is asked for one.
const BEFORE: usize = 16;

/// Brings what rules read in the coming step to their values.
pub(crate) fn observe(state: &State, nodes: &dyn Nodes) {
    populations(state, nodes);
    let (all, courses) = state.rules.varying();
    for (of_link, varying) in [false, true].into_iter().zip(all) {
        if varying.is_empty() {
            continue;
        }
        state.threads.split(varying.len(), &|some| {
            for one in &varying[some] {
                // SAFETY: no two of them have one place, and no step is under way.
                unsafe { state.rules.set(of_link, one.place, one.at(courses, state.step + 1)) };
            }
        });
    }
}

/// Populations of other nodes. Where they lie, or the moments that they are rebuilt from, is looked for once, unless the places of nodes turn or are too
/// far away.
fn populations(state: &State, nodes: &dyn Nodes) {
    let (all, rules) = (state.rules.observed(), &state.rules);
    let Some(first) = all.first() else { return };
    let brings = Brings { state, nodes, of_moments: state.facts.pattern.stores_moments() };
    let apart = brings.apart(first.node);
    let find = || {
        let origins = |step| state.facts.origins(step, &state.places, state.domain().size);
        let stays = origins(0) == origins(1);
        let pair = |one: &Observed| {
            let (from, kept) = match brings.lies(one) {
                Place::Copy(at) => (at, false),
                Place::Kept(at) => (at, true),
            };
            let to = Short::of(rules.lies(one.of_link, one.place)?, one.of_link)?;
            (brings.apart(one.node) == apart).then_some([Short::of(from, kept)?, to])
        };
        stays.then(|| all.iter().map(pair).collect::<Option<Vec<_>>>()).flatten().unwrap_or_default()
    };
    let found = rules.found(state.phase(), find);
    state.threads.split(all.len(), &|some| {
        if found.is_empty() {
            for one in &all[some] {
                let Some(to) = rules.lies(one.of_link, one.place) else { continue };
                let to = rules.value_at(one.of_link, to);
                // SAFETY: the place is that of a fluid node in the present copy, which nobody writes between steps; no two have one place to go to.
                unsafe { brings.bring(one.direction, brings.lies(one), &brings.apart(one.node), to) };
            }
            return;
        }
        let known = |[from, to]: [Short; 2]| {
            let ((from, kept), (to, of_link)) = (from.get(), to.get());
            (if kept { Place::Kept(from) } else { Place::Copy(from) }, rules.value_at(of_link, to))
        };
        let (found, all) = (&found[some.clone()], &all[some]);
        for (k, (&pair, one)) in found.iter().zip(all).enumerate() {
            if let Some(&next) = found.get(k + BEFORE) {
                let (from, to) = known(next);
                prefetch(brings.first(from));
                prefetch_to_write(to);
            }
            let (from, to) = known(pair);
            // SAFETY: as above.
            unsafe { brings.bring(one.direction, from, &apart, to) };
        }
    });
}

/// How they are brought.
struct Brings<'a> {
    state: &'a State,
    nodes: &'a dyn Nodes,
    /// Whether they are rebuilt from moments.
    of_moments: bool,
}

impl Brings<'_> {
    /// Where one lies, or the first moment of its node.
    fn lies(&self, one: &Observed) -> Place {
        self.nodes.place(self.state, one.node, if self.of_moments { 0 } else { one.direction })
    }

    /// How many bytes behind the first moment of a node each of its moments lies.
    fn apart(&self, node: usize) -> Apart {
        let mut apart = [0; MOST_MOMENTS];
        if self.of_moments {
            let facts = &self.state.facts;
            let lies = |n: usize| match self.nodes.place(self.state, node, n) {
                Place::Copy(at) | Place::Kept(at) => at,
            };
            let (first, bytes) = (lies(0), facts.precision.stored_bytes);
            for (n, apart) in apart.iter_mut().enumerate().take(facts.body.moments) {
                *apart = lies(n).wrapping_sub(first).wrapping_mul(bytes);
            }
        }
        apart
    }

    /// The address of a place.
    #[inline(always)]
    fn first(&self, place: Place) -> *const u8 {
        let (memory, at) = self.state.memory(place);
        memory.wrapping_add(at * self.state.facts.precision.stored_bytes)
    }

    /// Brings one from a place.
    ///
    /// # Safety
    /// It is one of the present copy, or of a link, whose moments lie so far apart; there is room for a number of the arithmetic type, and nobody works on either.
    #[inline(always)]
    unsafe fn bring(&self, direction: usize, from: Place, apart: &Apart, to: *mut u8) {
        let (facts, values) = (&self.state.facts, &self.state.programs.values);
        let (precision, pattern, from) = (&facts.precision, &facts.pattern, self.first(from));
        // SAFETY: as the caller says.
        unsafe {
            match self.of_moments {
                false if precision.plain => copy_value(from, to, precision.stored_bytes),
                false => (values.decode)(from, 1, to, 1),
                true => {
                    let mut moments = [std::ptr::null(); MOST_MOMENTS];
                    for (moment, apart) in moments.iter_mut().zip(apart).take(facts.body.moments) {
                        *moment = from.wrapping_add(*apart);
                    }
                    values.rebuild_sent(direction, &moments, pattern.sends(), to);
                }
            }
        }
    }
}
