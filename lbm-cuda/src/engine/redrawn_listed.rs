//! Listed nodes that become solid or fluid while a flow runs. Those that are stored stay where they are: lists of links follow in place, and kernels learn
//! that some storage nodes are solid when the first ones are.

use lbm_core::addressing::Drawable;
use lbm_core::engine::{Changed, Setup};
use lbm_core::rules::Arrivals;
use lbm_core::{Error, ListedNodes};

use super::DeviceEngine;
use super::built::Built;
use super::of_box::beside;
use crate::assemble::{self, BoxWalls, ListedWalls, Plan};
use crate::machine::Machine;

/// What lists say of storage nodes, and which of them can be drawn.
pub(super) struct Lists {
    nodes: ListedNodes,
    drawable: Drawable,
}

impl Lists {
    /// Those of a box, and for each storage node its index there.
    pub(super) fn of((nodes, drawable): (ListedNodes, Drawable)) -> (Lists, Vec<u32>) {
        let (nodes, positions) = nodes.without_tables();
        (Lists { nodes, drawable }, positions)
    }
}

/// Populations of fluid nodes of the box that are stored, direction after direction.
struct Moved {
    nodes: Vec<usize>,
    numbers: Vec<u32>,
    values: Vec<f64>,
}

impl<M: Machine> DeviceEngine<M> {
    /// The storage nodes of some nodes of the box, if nodes are listed and that is known of all of these.
    pub(super) fn known_numbers(&self, nodes: &[usize]) -> Option<Vec<u32>> {
        let drawable = &self.lists.as_ref()?.drawable;
        nodes.iter().map(|&node| Some(drawable.number(node)? as u32)).collect()
    }

    /// As [`Engine::undrawable`](lbm_core::Engine::undrawable).
    pub(super) fn lacks(&mut self, nodes: &[usize]) -> Option<usize> {
        let (Some(lists), Some(positions)) = (&mut self.lists, &self.positions) else { return None };
        lists.drawable.lacks(positions, self.setup.domain(), nodes)
    }

    /// Follows a box of which such nodes have become solid or fluid, with these rules if they are others.
    pub(super) fn follow_listed(
        &mut self,
        setup: &Setup,
        changed: Changed<'_>,
        arrivals: Option<Arrivals>,
    ) -> Result<(), Error> {
        let (before, now) = (self.setup.domain(), setup.domain());
        let lists = self.lists.as_ref().expect("nodes are listed");
        let near = lists.drawable.near(&self.facts.lattice, now, changed.nodes);
        // Where a node leaves a value depends on its links.
        let stays = |node: usize| [before, now].iter().all(|domain| domain.solid_at(node).is_none());
        let (nodes, numbers): (Vec<usize>, Vec<u32>) =
            near.iter().filter(|(node, _)| stays(*node)).map(|&(node, number)| (node, number as u32)).unzip();
        let mut values = vec![0.0; self.facts.lattice.q() * nodes.len()];
        self.gather_stored(&nodes, &numbers, &mut values)?;
        let moved = Moved { nodes, numbers, values };
        // From here on only the machine may fail.
        self.wholly(|engine| engine.follow_lists(setup, changed, arrivals, &near, moved))
    }

    fn follow_lists(
        &mut self,
        setup: &Setup,
        changed: Changed<'_>,
        arrivals: Option<Arrivals>,
        near: &[(usize, usize)],
        Moved { nodes, numbers, values }: Moved,
    ) -> Result<(), Error> {
        let (facts, domain, before) = (self.facts, setup.domain(), self.plan.clone());
        let Lists { nodes: listed, drawable: all } = self.lists.as_mut().expect("nodes are listed");
        let renewed = all.renew(listed, &facts, domain, near)?;
        self.arrays.renew_lists(&self.machine, &facts, domain, listed, &renewed)?;
        let walls = ListedWalls::of(listed);
        let opened: Vec<usize> =
            (0..changed.nodes.len()).filter(|&n| domain.solid_at(changed.nodes[n]).is_none()).collect();
        let at: Vec<u32> =
            opened.iter().filter_map(|&n| Some(all.number(changed.nodes[n])? as u32)).collect();
        let same_rules = arrivals.is_none();
        self.go_on_beside(setup, changed.nodes, arrivals)?;
        self.know(walls, &before)?;
        self.scatter_stored(&nodes, &numbers, &values)?;
        let count = changed.nodes.len();
        let begin: Vec<f64> = (0..facts.lattice.q())
            .flat_map(|i| opened.iter().map(move |&n| changed.populations[n + count * i]))
            .collect();
        let opened: Vec<usize> = opened.into_iter().map(|n| changed.nodes[n]).collect();
        self.scatter_stored(&opened, &at, &begin)?;
        self.restore_fields(at.iter().map(|&number| number as usize))?;
        self.forget()?;
        if same_rules { Ok(()) } else { self.keep() }
    }

    /// Has kernels know this of the walls of listed nodes, and which rules stand there; they were made for the plan before.
    fn know(&mut self, walls: ListedWalls, before: &Plan) -> Result<(), Error> {
        let (facts, domain) = (self.facts, self.setup.domain());
        let faces = Some(BoxWalls::of(&facts.lattice, domain));
        let mut plan = Plan { walls: true, faces, ..self.plan.clone() };
        plan.listed.as_mut().expect("nodes are listed").walls = walls;
        if plan == *before {
            return Ok(());
        }
        let size = domain.size;
        let programs =
            vec![assemble::accessors(&facts, &beside(&facts, size, &plan))?, assemble::step(&facts, &plan)?];
        let mut built = Built::several(&self.machine, programs)?.into_iter();
        let (accessors, step) = (built.next(), built.next());
        self.accessors = accessors.expect("as many as there are programs");
        let shape = plan.shape;
        self.plan = plan;
        self.pushed.forget(true);
        // Kernels of what crosses are of the other plan.
        self.rims = None;
        self.go_on_with(shape, step.expect("as many as there are programs")).map(drop)
    }
}
