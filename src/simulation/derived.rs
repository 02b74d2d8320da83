//! Fields that follow from others: vorticity, Q criterion, the stress on walls.

use lbm_core::engine::Setup;
use lbm_core::links::Link;
use lbm_core::{Domain, Error, FaceRule, Facts};

use super::probes::is_fluid;

/// How a velocity changes at a node: row i is the gradient of component i.
type Gradient = [[f64; 3]; 3];

/// The gradient of the velocity at a fluid node. Along each axis the difference of its two neighbours is taken, of second order. Where one is
/// missing beyond a wall, a solid or a face that is not periodic, three nodes on the other side are, of second order too, or two if there
/// are no more; 0 if there is none.
fn gradient(domain: &Domain, velocity: &[[f64; 3]], node: usize) -> Gradient {
    let mut gradient = [[0.0; 3]; 3];
    let position = domain.position(node);
    for axis in 0..3 {
        let u = |shift: i64| neighbour(domain, position, axis, shift).map(|node| velocity[node]);
        let here = velocity[node];
        let one_sided = |sign: i64| {
            let near = u(sign)?;
            let sign_of = sign as f64;
            Some(match u(2 * sign) {
                Some(far) => [0, 1, 2].map(|i| sign_of * (4.0 * near[i] - 3.0 * here[i] - far[i]) / 2.0),
                None => [0, 1, 2].map(|i| sign_of * (near[i] - here[i])),
            })
        };
        let along = match (u(-1), u(1)) {
            (Some(below), Some(above)) => Some([0, 1, 2].map(|i| (above[i] - below[i]) / 2.0)),
            (None, Some(_)) => one_sided(1),
            (Some(_), None) => one_sided(-1),
            (None, None) => None,
        };
        for (row, slope) in gradient.iter_mut().zip(along.unwrap_or_default()) {
            row[axis] = slope;
        }
    }
    gradient
}

/// The fluid node at a shift along an axis, if there is one; a box one node thick has none there.
fn neighbour(domain: &Domain, position: [usize; 3], axis: usize, shift: i64) -> Option<usize> {
    let length = domain.size[axis] as i64;
    let mut at = position[axis] as i64 + shift;
    if length == 1 {
        return None;
    }
    if !(0..length).contains(&at) {
        let face = 2 * axis + usize::from(shift > 0);
        if domain.faces[face] != FaceRule::Periodic {
            return None;
        }
        at = at.rem_euclid(length);
    }
    let mut there = position;
    there[axis] = at as usize;
    let node = domain.index(there);
    is_fluid(domain, node).then_some(node)
}

/// A value of each fluid node that follows from the gradient of the velocity; zero in solids.
fn of_gradients<T: Default + Clone>(
    domain: &Domain,
    velocity: &[[f64; 3]],
    value: impl Fn(Gradient) -> T,
) -> Vec<T> {
    let mut all = vec![T::default(); domain.nodes()];
    let fluid = all.iter_mut().enumerate().filter(|&(node, _)| is_fluid(domain, node));
    fluid.for_each(|(node, own)| *own = value(gradient(domain, velocity, node)));
    all
}

/// The vorticity curl u of each node of a box from the velocities of all, 1 / time step; zero in solids. Differences are central, of second
/// order, and one-sided beside walls.
#[must_use]
pub fn vorticity(domain: &Domain, velocity: &[[f64; 3]]) -> Vec<[f64; 3]> {
    of_gradients(domain, velocity, |g| [g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]])
}

/// The Q criterion of each node of a box from the velocities of all, 1 / time step squared; zero in solids: Q = (|Omega|^2 - |S|^2) / 2 with
/// the rates of rotation and of strain, above 0 in vortices.
///
/// Source: Hunt, Wray & Moin, Center for Turbulence Research, report CTR-S88 (1988) 193.
#[must_use]
pub fn q_criterion(domain: &Domain, velocity: &[[f64; 3]]) -> Vec<f64> {
    of_gradients(domain, velocity, |g| {
        let products = (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).map(|(i, j)| g[i][j] * g[j][i]);
        -products.sum::<f64>() / 2.0
    })
}

/// Whether a rule holds the fluid at one of its places as a wall does: it has a velocity, and none along the axis of its face, if it stands at one.
fn is_held(setup: &Setup, dimension: usize, (number, place): (usize, usize), across: Option<usize>) -> bool {
    let applied = &setup.domain().rules[number];
    let rule = setup.rules.iter().find(|rule| rule.name == applied.rule);
    let mut first = 0;
    for parameter in rule.into_iter().flat_map(|rule| rule.parameters) {
        if parameter.vector && parameter.name == "velocity" {
            let through = |values: &[f64]| across.is_some_and(|axis| values[first + axis] != 0.0);
            let terms = 0..applied.in_time.len();
            return !through(applied.at(place))
                && !terms.into_iter().any(|n| through(applied.factors_at(n, place)));
        }
        first += parameter.components(dimension);
    }
    false
}

/// The shear stress of each node beside a wall on that wall, from the viscous stresses `[xx, yy, zz, xy, xz, yz]` of all nodes of a box; zero
/// elsewhere. A rule is a wall where it holds a velocity, at a face none through it. Of the traction sigma n the part along the wall is left. The normal n is that of the links which the wall cuts, each direction
/// with its weight: exact for walls along axes and diagonals.
///
/// # Errors
/// As [`Setup::links`].
pub(super) fn wall_shear_stress(
    facts: &Facts,
    setup: &Setup,
    stress: &[[f64; 6]],
) -> Result<Vec<[f64; 3]>, Error> {
    let (lattice, domain) = (&facts.lattice, setup.domain());
    let is_wall = |link: &Link| {
        let ruled = domain.links_of(link.node).iter().find(|ruled| ruled.back == link.direction);
        if let Some(ruled) = ruled {
            return is_held(setup, lattice.dimension, (ruled.rule, ruled.place), None);
        }
        let position = domain.position(link.node);
        let of_face = (link.meets < domain.faces.len()).then(|| domain.rule_at(link.meets, position));
        of_face.flatten().is_none_or(|rule| {
            let place = domain.place_at(link.meets, position);
            is_held(setup, lattice.dimension, (rule, place), Some(link.meets / 2))
        })
    };
    let mut all = vec![[0.0; 3]; domain.nodes()];
    for here in setup.links(lattice)?.iter() {
        let mut normal = [0.0; 3];
        for link in here.iter().filter(is_wall) {
            let c = lattice.velocities[link.direction];
            (0..3).for_each(|axis| normal[axis] += lattice.weights[link.direction] * f64::from(c[axis]));
        }
        let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        // Between two walls there is none.
        if length < f64::EPSILON {
            continue;
        }
        let n = normal.map(|component| component / length);
        let [xx, yy, zz, xy, xz, yz] = stress[here.node];
        let traction = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
            .map(|row| row.iter().zip(n).map(|(sigma, n)| sigma * n).sum::<f64>());
        let pressing: f64 = traction.iter().zip(n).map(|(t, n)| t * n).sum();
        all[here.node] = [0, 1, 2].map(|axis| traction[axis] - pressing * n[axis]);
    }
    Ok(all)
}
